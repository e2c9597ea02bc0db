//! The list of payment links: a page of it, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{PaymentLinkFilters, PaymentLinkRow, PaymentLinkStatus};
use super::store;
use base::clock::DAY;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::{Exporting, Listing, say};
use frame::decision::Awaits;

/// The name of payment links in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Payment, kind: "payment_link", id: None };

/// The list of payment links.
pub struct Links;

impl Listing for Links {
    type Filters = PaymentLinkFilters;
    type Row = PaymentLinkRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &PaymentLinkFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PaymentLinkRow, sqlx::Error> {
        PaymentLinkRow::from_row(row)
    }
}

/// Links whose import waits for the viewer's approval.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = PaymentLinkFilters { awaits: Some(Awaits::Decision), ..PaymentLinkFilters::default() };
    work.add::<Links>(
        waiting,
        Queue {
            point: "payConfig/pool-list/audit",
            title: say("待审核的支付链接（条）", "Payment links awaiting approval"),
            action: QueueAction::Review,
            href: "/payConfig/pool-list?awaits=decision",
            since: "r.created_at",
            cents: Some("r.amount_cents"),
            within: DAY,
        },
    );
}

impl Exporting for Links {
    fn sheet() -> Sheet<PaymentLinkRow> {
        Sheet {
            target: TARGET,
            title: say("链接池", "Link pool"),
            columns: Columns::of("paymentLink")
                .text("urlMask")
                .text("payeeChannelName")
                .money("amountCents")
                .code::<PaymentLinkStatus>("status")
                .text("paymentOrderNo")
                .time("reservedUntil")
                .time("freeFrom")
                .time("usedAt")
                .time("expiresAt")
                .text("batchNo")
                .text("remark")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
