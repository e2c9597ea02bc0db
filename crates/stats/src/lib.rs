//! Statistics: figures of visits, applicants, sales and money over a range of days, by day and by month.
//!
//! Not here: the counting of visits and their daily figures (`trade::visit`), the charts page and the start page
//! (`server`), the counters of the process (`frame::meter`). Used by the router (`server`), the pages (`site`) and
//! `lead`.
//!
//! Calls under `/chart` and `/chartMon`. A screen is a row of the table in [`screen`], a figure one of the table in
//! [`figure`].

mod charts;
mod figure;
mod list;
mod margin;
mod model;
mod overview;
mod rows;
mod screen;
pub mod views;

use serde_json::{Map, Value};

use frame::api::Access::{AnyPoint, Point, SignedIn};
use frame::api::{self, Calls, Say};
use frame::workers::Workers;
use screen::*;

pub use margin::{Margin, margin};
pub use overview::{StatOverview, TodayFigure, for_viewer as overview_for_viewer, today};

/// Reads the first and the last day of a query.
type DaysOf = fn(&Map<String, Value>, i64) -> api::Result<(String, String)>;

/// A page of statistics.
pub struct StatPage {
    /// The kind of its screen.
    kind: &'static str,
    /// Its address.
    pub path: &'static str,
    pub export_call: &'static str,
    pub export_point: &'static str,
    pub title: fn() -> Say,
    /// Keys of the columns of its file, for platform staff or for others.
    columns: fn(bool) -> Vec<&'static str>,
    /// The first and the last day, `YYYY-MM-DD`, of a query at a moment.
    days: DaysOf,
}

/// The page of a screen.
fn page_of<S: Screen>() -> &'static StatPage {
    PAGES.iter().find(|page| page.kind == S::TARGET.kind).expect("each screen has its page")
}

/// Starts the workers of this area.
pub fn start_workers(workers: &mut Workers) {
    workers.start(views::work);
}

macro_rules! calls {
    ($($screen:ty, $path:literal, $point:literal;)*) => {
        /// The calls of this area.
        pub fn calls() -> Calls {
            Calls::new()
                .get("/chart/overview", AnyPoint(overview::POINTS), overview::view)
                .get("/chart/view", SignedIn, views::of_list::list)
                .post("/chart/view", SignedIn, views::of_list::save)
                .delete("/chart/view/{id}", SignedIn, views::delete)$(
                .list(concat!($path, "/page"), Point(concat!($point, "/list")), list::page::<$screen>)
                .list(concat!($path, "/page/export"), Point(concat!($point, "/export")), list::export::<$screen>)
                .list(concat!($path, "/charts"), Point(concat!($point, "/list")), charts::view::<$screen>)
                .get(concat!($path, "/views"), Point(concat!($point, "/list")), views::list::<$screen>)
                .post(concat!($path, "/views"), Point(concat!($point, "/list")), views::save::<$screen>)
            )*
        }

        /// All pages.
        static PAGES: &[StatPage] = &[$(StatPage {
            kind: <$screen as Screen>::TARGET.kind,
            path: concat!("/", $point),
            export_call: concat!($path, "/page/export"),
            export_point: concat!($point, "/export"),
            title: <$screen as Screen>::title,
            columns: list::columns::<$screen>,
            days: rows::days_asked::<$screen>,
        }),*];
    };
}

calls! {
    ChannelList, "/chart/channel", "chart/channel-list";
    ProductList, "/chart/product", "chart/product-list";
    SystemList, "/chart/system", "chart/system-list";
    OrgList, "/chart/org", "chart/org-list";
    ScoreList, "/chart/score", "chart/score-list";
    OrgDays, "/chart/orgD2d", "chart/org-d2d-list";
    ChannelDays, "/chart/channelD2d", "chart/channel-d2d-list";
    ChannelMonths, "/chartMon/channel", "chartMon/channel-list2";
    SystemMonths, "/chartMon/system", "chartMon/system-list2";
    OrgMonths, "/chartMon/org", "chartMon/org-list2";
    ProductMonths, "/chartMon/product", "chartMon/product-list2";
}
