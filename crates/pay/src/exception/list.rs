//! The list of payment exceptions: a page of it, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{ExceptionKind, ExceptionResolution, ExceptionStatus, PaymentExceptionFilters, PaymentExceptionRow};
use super::store;
use base::clock::DAY;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::search::{ByWhole, FoundRecord, Search};
use frame::api::{Exporting, Listing, say};
use frame::decision::{self, Awaits};

/// The name of payment exceptions in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Payment, kind: "payment_exception", id: None };

/// The list of payment exceptions.
pub struct Exceptions;

impl Listing for Exceptions {
    type Filters = PaymentExceptionFilters;
    type Row = PaymentExceptionRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &PaymentExceptionFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PaymentExceptionRow, sqlx::Error> {
        PaymentExceptionRow::from_row(row)
    }
}

/// Finds exceptions by the whole number of their order or payment, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = ByWhole::<Exceptions> {
        kind: "paymentException",
        title: ("收款异常", "Payment exceptions"),
        points: &["payConfig/order-list/list"],
        filters: |number| PaymentExceptionFilters { keyword: Some(number), ..PaymentExceptionFilters::default() },
        found: |row, locale| {
            FoundRecord::new(
                &row.order_no,
                &[row.kind.label(locale), &row.payee_channel_name, row.status.label(locale)],
                format!("/payConfig/order-list/exceptions/{}", row.id),
            )
        },
    };
    search.by_whole(kind).await
}

/// Open exceptions and those that wait for a second person, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    const POINT: &str = "payConfig/order-list/settle";
    let open = PaymentExceptionFilters { status: Some(ExceptionStatus::Open), ..PaymentExceptionFilters::default() };
    work.add::<Exceptions>(
        open,
        Queue {
            point: POINT,
            title: say("待处理的收款异常", "Open payment exceptions"),
            action: QueueAction::Handle,
            href: "/payConfig/order-list/exceptions?status=open",
            since: "r.created_at",
            cents: Some("CASE WHEN r.currency = 'CNY' THEN r.amount_cents END"),
            within: DAY,
        },
    );
    let waiting = PaymentExceptionFilters { awaits: Some(Awaits::Decision), ..PaymentExceptionFilters::default() };
    work.add::<Exceptions>(
        waiting,
        Queue {
            point: POINT,
            title: say("待确认入账的收款异常", "Payment exceptions awaiting a second person"),
            action: QueueAction::Confirm,
            href: "/payConfig/order-list/exceptions?awaits=decision",
            since: decision::open_since!("payment_exception", "r.id"),
            cents: Some("CASE WHEN r.currency = 'CNY' THEN r.amount_cents END"),
            within: DAY,
        },
    );
}

impl Exporting for Exceptions {
    fn sheet() -> Sheet<PaymentExceptionRow> {
        Sheet {
            target: TARGET,
            title: say("收款异常", "Payment exceptions"),
            columns: Columns::of("paymentException")
                .code::<ExceptionKind>("kind")
                .text("orderNo")
                .text("orgName")
                .text("payeeChannelName")
                .text("channelOrderNo")
                .money("orderCents")
                .money("amountCents")
                .text("currency")
                .time("paidAt")
                .text("payerMask")
                .code::<ExceptionStatus>("status")
                .code::<ExceptionResolution>("resolution")
                .text("note")
                .text("settlerName")
                .time("settledAt")
                .time("createdAt")
                .all(),
        }
    }
}
