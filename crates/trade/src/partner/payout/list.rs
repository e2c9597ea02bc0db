//! The list of payouts: a page of it with its sums, all of it as a file.

use std::sync::Arc;

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{PayoutFilters, PayoutRow, PayoutStatus};
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

/// The name of payouts in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Finance, kind: "partner_payout", id: None };

/// The list of payouts.
pub struct Payouts;

impl Listing for Payouts {
    type Filters = PayoutFilters;
    type Row = PayoutRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const TOTALS: Option<&'static str> = Some(store::TOTALS);

    fn narrow(sql: &mut Sql, filters: &PayoutFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PayoutRow, sqlx::Error> {
        PayoutRow::from_row(row)
    }
}

/// Payouts for the workplace: those that wait for a decision, and those that are to be paid.
pub fn open_work(work: &mut OpenWork<'_>) {
    let of = |status| PayoutFilters { status: Some(status), ..PayoutFilters::default() };
    work.add::<Payouts>(
        of(PayoutStatus::Waiting),
        Queue {
            point: "finance/partner/audit",
            title: say("待审核的渠道付款", "Payouts awaiting approval"),
            action: QueueAction::Review,
            href: "/finance/partner/payouts?status=waiting",
            since: "w.created_at",
            cents: Some("w.amount_cents"),
            within: DAY,
        },
    );
    work.add::<Payouts>(
        of(PayoutStatus::Approved),
        Queue {
            point: "finance/partner/pay",
            title: say("待付款的渠道付款", "Payouts to be paid"),
            action: QueueAction::Pay,
            href: "/finance/partner/payouts?status=approved",
            since: "COALESCE(w.reviewed_at, w.created_at)",
            cents: Some("w.amount_cents"),
            within: DAY,
        },
    );
}

/// Finds payouts by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<Payouts> {
        kind: "payout",
        title: ("渠道付款", "Payouts"),
        points: &["finance/partner/list"],
        prefixes: &["FK"],
        table: "partner_payout",
        column: "payout_no",
        capitals: false,
        filters: PayoutFilters::default(),
        found: |row, locale| {
            FoundRecord::new(&row.payout_no, &[&row.channel_name, row.status.label(locale)], format!("/finance/partner/payouts/{}", row.id))
        },
    };
    search.numbers(kind).await
}

/// `GET /partner/payout/reviewers`: whether another person may approve payouts.
pub async fn reviewers(cx: Arc<Ctx>, _: Nothing) -> api::Result<Reviewers> {
    decision::reviewers(&cx, role::point_holders!("finance/partner/audit")).await
}

impl Exporting for Payouts {
    fn sheet() -> Sheet<PayoutRow> {
        Sheet {
            target: TARGET,
            title: say("渠道付款", "Payouts to channels"),
            columns: Columns::of("payout")
                .text("payoutNo")
                .text("channelName")
                .text("statementNo")
                .text("month")
                .text("payeeOrgName")
                .money("amountCents")
                .money("taxCents")
                .code::<PayoutStatus>("status")
                .text("bankNumber")
                .time("paidAt")
                .flag("beforeBooks")
                .text("failure")
                .time("returnedAt")
                .text("returnNumber")
                .text("returnReason")
                .text("returnerName")
                .text("remark")
                .text("creatorName")
                .text("reviewerName")
                .time("reviewedAt")
                .text("reviewNote")
                .time("createdAt")
                .all(),
        }
    }
}
