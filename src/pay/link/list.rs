//! The list of payment links: a page of it, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{PaymentLinkFilters, PaymentLinkRow, PaymentLinkStatus};
use super::store;
use crate::access::Scope;
use crate::access::audit::{Module, Target};
use crate::api::export::{Columns, Sheet};
use crate::api::{Exporting, Listing, say};
use crate::db::Sql;
use crate::locale::Locale;

/// What the audit trail calls payment links.
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
