//! The list of refunds: a page of it, all of it as a file.

use std::sync::Arc;

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{LateRefund, PaymentRefundFilters, PaymentRefundRow, RefundStatus};
use super::notices::SETTLES;
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

/// The name of refunds in the audit trail.
pub const TARGET: Target = Target { module: Module::Payment, kind: "payment_refund", id: None };

/// The list of refunds.
pub struct Refunds;

impl Listing for Refunds {
    type Filters = PaymentRefundFilters;
    type Row = PaymentRefundRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &PaymentRefundFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PaymentRefundRow, sqlx::Error> {
        PaymentRefundRow::from_row(row)
    }
}

/// Refunds that wait for a second person and those that are late, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = PaymentRefundFilters { status: Some(RefundStatus::Pending), ..PaymentRefundFilters::default() };
    work.add::<Refunds>(
        waiting,
        Queue {
            point: "payConfig/order-list/refundAudit",
            title: say("待审核的退款", "Refunds awaiting approval"),
            action: QueueAction::Review,
            href: "/payConfig/order-list/refunds?status=pending",
            since: "r.created_at",
            cents: Some("r.amount_cents"),
            within: DAY,
        },
    );
    let late = PaymentRefundFilters { late: Some(LateRefund::Yes), ..PaymentRefundFilters::default() };
    work.add::<Refunds>(
        late,
        Queue {
            point: SETTLES,
            title: say("超过一天未完成的退款", "Refunds not completed after one day"),
            action: QueueAction::Handle,
            href: "/payConfig/order-list/refunds?late=yes",
            since: "COALESCE(r.reviewed_at, r.created_at)",
            cents: Some("r.amount_cents"),
            within: DAY,
        },
    );
}

/// Finds refunds by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<Refunds> {
        kind: "paymentRefund",
        title: ("退款", "Refunds"),
        points: &["payConfig/order-list/list"],
        prefixes: &["RF"],
        table: "payment_refund",
        column: "no",
        capitals: true,
        filters: PaymentRefundFilters::default(),
        found: |row, locale| {
            FoundRecord::new(&row.no, &[&row.org_name, row.status.label(locale)], format!("/payConfig/order-list/refunds/{}", row.id))
        },
    };
    search.numbers(kind).await
}

/// `GET /payRefund/reviewers`: whether another person may approve refunds.
pub async fn reviewers(cx: Arc<Ctx>, _: Nothing) -> api::Result<Reviewers> {
    decision::reviewers(&cx, role::point_holders!("payConfig/order-list/refundAudit")).await
}

impl Exporting for Refunds {
    fn sheet() -> Sheet<PaymentRefundRow> {
        Sheet {
            target: TARGET,
            title: say("支付退款", "Refunds"),
            columns: Columns::of("paymentRefund")
                .text("no")
                .text("paymentOrderNo")
                .text("orgName")
                .text("payeeChannelName")
                .money("amountCents")
                .code::<RefundStatus>("status")
                .text("reason")
                .text("channelRefundNo")
                .text("creatorName")
                .text("reviewerName")
                .time("reviewedAt")
                .text("reviewNote")
                .time("doneAt")
                .text("error")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
