//! The items of partners: pages with their sum, and the file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{PartnerItemFilters, PartnerItemRow};
use super::store;
use crate::ledger::partner_items::PartnerItemKind;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Columns, Sheet};
use frame::api::{Exporting, Listing, say};

/// The name of items in the audit trail.
const TARGET: Target = Target { module: Module::Finance, kind: "partner_item", id: None };

/// The list of items.
pub struct PartnerItems;

impl Listing for PartnerItems {
    type Filters = PartnerItemFilters;
    type Row = PartnerItemRow;
    const SELECT: &'static str = store::SELECT_ITEMS;
    const COUNT: &'static str = store::COUNT_ITEMS;
    const TOTALS: Option<&'static str> = Some(store::TOTALS_ITEMS);
    const IDS_FIRST: bool = true;

    fn narrow(sql: &mut Sql, filters: &PartnerItemFilters, scope: Scope) {
        store::narrow_items(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PartnerItemRow, sqlx::Error> {
        PartnerItemRow::from_row(row)
    }
}

impl Exporting for PartnerItems {
    fn sheet() -> Sheet<PartnerItemRow> {
        Sheet {
            target: TARGET,
            title: say("渠道应付明细", "Items payable to channels"),
            columns: Columns::of("partnerItem")
                .text("day")
                .text("channelName")
                .code::<PartnerItemKind>("kind")
                .money("amountCents")
                .number("visitors")
                .text("statementNo")
                .time("at")
                .all(),
        }
    }
}
