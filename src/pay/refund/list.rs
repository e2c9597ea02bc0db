//! The list of refunds: a page of it, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{PaymentRefundFilters, PaymentRefundRow, RefundStatus};
use super::store;
use crate::access::Scope;
use crate::access::audit::{Module, Target};
use crate::api::export::{Columns, Sheet};
use crate::api::figure::Figure;
use crate::api::{self, Ctx, Exporting, Listing, listing, say};
use crate::db::Sql;
use crate::locale::Locale;

/// What the audit trail calls refunds.
pub(crate) const TARGET: Target = Target { module: Module::Payment, kind: "payment_refund", id: None };

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

/// The count of refunds that wait for a second person, for the workplace.
pub async fn work(cx: &Ctx) -> api::Result<Vec<Figure>> {
    let waiting = PaymentRefundFilters { status: Some(RefundStatus::Pending), ..PaymentRefundFilters::default() };
    let title = say("待审核的退款", "Refunds awaiting approval");
    let href = "/payConfig/order-list/refunds?status=pending";
    let waits = listing::work::<Refunds>(cx, "payConfig/order-list/refundAudit", waiting, &title, href).await?;
    Ok(waits.into_iter().collect())
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
