//! The list of adjustments: a page of it, all of it as a file.

use std::sync::Arc;

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{AccountPart, AdjustmentFilters, AdjustmentRow, AdjustmentStatus};
use super::store;
use base::clock::DAY;
use base::db::Sql;
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::{Scope, role};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::search::{FoundRecord, Numbered, Search};
use frame::api::{self, Ctx, Exporting, Listing, Nothing, say};
use frame::decision::{self, Reviewers};

/// What the audit trail calls adjustments.
pub(super) const TARGET: Target = Target { module: Module::Finance, kind: "account_adjustment", id: None };

/// The list of adjustments.
pub struct Adjustments;

impl Listing for Adjustments {
    type Filters = AdjustmentFilters;
    type Row = AdjustmentRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &AdjustmentFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<AdjustmentRow, sqlx::Error> {
        AdjustmentRow::from_row(row)
    }
}

/// Adjustments that wait for a decision, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = AdjustmentFilters { status: Some(AdjustmentStatus::Pending), ..AdjustmentFilters::default() };
    work.add::<Adjustments>(
        waiting,
        Queue {
            point: "finance/account/audit",
            title: say("待审核的调账", "Adjustments awaiting approval"),
            action: QueueAction::Review,
            href: "/finance/account/adjustments?status=pending",
            since: "j.created_at",
            cents: Some("ABS(j.amount_cents)"),
            within: DAY,
        },
    );
}

/// Finds adjustments by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<Adjustments> {
        kind: "adjustment",
        title: ("调账", "Adjustments"),
        points: &["finance/account/list"],
        prefixes: &["TZ"],
        table: "account_adjustment",
        column: "no",
        capitals: false,
        filters: AdjustmentFilters::default(),
        found: |row, locale| {
            FoundRecord::new(&row.no, &[&row.org_name, row.status.label(locale)], format!("/finance/account/adjustments/{}", row.id))
        },
    };
    search.numbers(kind).await
}

/// `GET /finance/account/adjust/reviewers`: whether another person may approve adjustments.
pub async fn reviewers(cx: Arc<Ctx>, _: Nothing) -> api::Result<Reviewers> {
    decision::reviewers(&cx, role::point_holders!("finance/account/audit")).await
}

impl Exporting for Adjustments {
    fn sheet() -> Sheet<AdjustmentRow> {
        Sheet {
            target: TARGET,
            title: say("调账", "Adjustments"),
            columns: Columns::of("adjustment")
                .text("no")
                .text("orgName")
                .code::<AccountPart>("part")
                .money("amountCents")
                .text("reason")
                .code::<AdjustmentStatus>("status")
                .text("creatorName")
                .text("reviewerName")
                .time("reviewedAt")
                .text("reviewNote")
                .time("createdAt")
                .all(),
        }
    }
}
