//! The list of stuck reports: a page of it, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{PaymentReportFilters, PaymentReportRow};
use super::store;
use base::clock::HOUR;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::{Exporting, Listing, say};

/// The name of reports in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Payment, kind: "payment_notice", id: None };

/// The list of stuck reports.
pub struct Stuck;

impl Listing for Stuck {
    type Filters = PaymentReportFilters;
    type Row = PaymentReportRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &PaymentReportFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PaymentReportRow, sqlx::Error> {
        PaymentReportRow::from_row(row)
    }
}

/// Stuck reports, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    work.add::<Stuck>(
        PaymentReportFilters::default(),
        Queue {
            point: "payConfig/order-list/settle",
            title: say("多次核实失败的渠道通知", "Provider reports that failed"),
            action: QueueAction::Handle,
            href: "/payConfig/order-list/reports",
            since: "n.received_at",
            cents: None,
            within: HOUR,
        },
    );
}

impl Exporting for Stuck {
    fn sheet() -> Sheet<PaymentReportRow> {
        Sheet {
            target: TARGET,
            title: say("渠道通知", "Provider reports"),
            columns: Columns::of("paymentReport")
                .text("noticeNo")
                .text("orderNo")
                .text("payeeChannelName")
                .text("lastError")
                .number("tries")
                .time("receivedAt")
                .time("createdAt")
                .all(),
        }
    }
}
