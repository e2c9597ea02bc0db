//! Statistics: figures of visits, applicants, sales and money by channel, product, system, organisation and stars, over a range
//! of days, day on day and month on month. Calls under `/chart` and `/chartMon`.
//!
//! A screen is a row of the table in [`screen`], a figure one of the table in [`figure`].

mod charts;
mod figure;
mod list;
mod model;
mod overview;
mod rows;
mod screen;

use crate::api::Access::{AnyPoint, Point};
use crate::api::Calls;
use screen::*;

pub use overview::{StatOverview, TodayFigure, for_viewer as overview_for_viewer, today};

macro_rules! calls {
    ($($screen:ty, $path:literal, $point:literal;)*) => {
        /// The calls of this area.
        pub fn calls() -> Calls {
            Calls::new()
                .get("/chart/overview", AnyPoint(overview::POINTS), overview::view)$(
                .list(concat!($path, "/page"), Point(concat!($point, "/list")), list::page::<$screen>)
                .list(concat!($path, "/page/export"), Point(concat!($point, "/export")), list::export::<$screen>)
                .list(concat!($path, "/charts"), Point(concat!($point, "/list")), charts::view::<$screen>)
            )*
        }
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
