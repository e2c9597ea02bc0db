//! The lists of statements and of differences: a page of each, all of each as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{
    DifferenceKind, DifferenceStatus, MoneyDirection, PaymentDifferenceFilters, PaymentDifferenceRow, PaymentStatementFilters,
    PaymentStatementRow, StatementDayStatus,
};
use super::store;
use base::clock::DAY;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::{Exporting, Listing, say};
use frame::decision::{self, Awaits};

/// The names of statements and differences in the audit trail.
pub(super) const STATEMENT: Target = Target { module: Module::Payment, kind: "payment_statement", id: None };
pub(super) const DIFFERENCE: Target = Target { module: Module::Payment, kind: "payment_difference", id: None };

/// The list of statements.
pub struct Statements;

impl Listing for Statements {
    type Filters = PaymentStatementFilters;
    type Row = PaymentStatementRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &PaymentStatementFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PaymentStatementRow, sqlx::Error> {
        PaymentStatementRow::from_row(row)
    }
}

/// The list of differences.
pub struct Differences;

impl Listing for Differences {
    type Filters = PaymentDifferenceFilters;
    type Row = PaymentDifferenceRow;
    const SELECT: &'static str = store::DIFFERENCES;
    const COUNT: &'static str = store::COUNT_DIFFERENCES;

    fn narrow(sql: &mut Sql, filters: &PaymentDifferenceFilters, scope: Scope) {
        store::narrow_differences(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PaymentDifferenceRow, sqlx::Error> {
        PaymentDifferenceRow::from_row(row)
    }
}

/// Days that wait to be closed and open differences, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    const POINT: &str = "payConfig/order-list/reconcile";
    let waiting = PaymentStatementFilters { awaits: Some(Awaits::Decision), ..PaymentStatementFilters::default() };
    work.add::<Statements>(
        waiting,
        Queue {
            point: POINT,
            title: say("待确认的关账", "Days awaiting closing"),
            action: QueueAction::Confirm,
            href: "/payConfig/order-list/statements?awaits=decision",
            since: decision::open_since!("payment_statement", "r.id"),
            cents: Some("r.our_cents"),
            within: DAY,
        },
    );
    let open = PaymentDifferenceFilters { status: Some(DifferenceStatus::Open), ..PaymentDifferenceFilters::default() };
    work.add::<Differences>(
        open,
        Queue {
            point: POINT,
            title: say("待处理的对账差异", "Open reconciliation differences"),
            action: QueueAction::Handle,
            href: "/payConfig/order-list/differences?status=open",
            since: "r.created_at",
            cents: Some("ABS(COALESCE(r.our_cents, 0) - COALESCE(r.their_cents, 0))"),
            within: DAY,
        },
    );
}

impl Exporting for Statements {
    fn sheet() -> Sheet<PaymentStatementRow> {
        Sheet {
            target: STATEMENT,
            title: say("对账", "Reconciliation"),
            columns: Columns::of("paymentStatement")
                .text("day")
                .text("payeeChannelName")
                .text("payeeOrgName")
                .number("ourCount")
                .money("ourCents")
                .number("theirCount")
                .money("theirCents")
                .number("matchedCount")
                .number("openCount")
                .code::<StatementDayStatus>("status")
                .text("fileName")
                .text("importerName")
                .text("closerName")
                .time("closedAt")
                .time("updatedAt")
                .all(),
        }
    }
}

impl Exporting for Differences {
    fn sheet() -> Sheet<PaymentDifferenceRow> {
        Sheet {
            target: DIFFERENCE,
            title: say("对账差异", "Reconciliation differences"),
            columns: Columns::of("paymentDifference")
                .text("day")
                .text("payeeChannelName")
                .code::<DifferenceKind>("kind")
                .code::<MoneyDirection>("direction")
                .text("number")
                .money("ourCents")
                .money("theirCents")
                .text("paymentOrderNo")
                .code::<DifferenceStatus>("status")
                .text("note")
                .text("settlerName")
                .time("settledAt")
                .all(),
        }
    }
}
