//! The list of entries: pages with their sum, and the file.

use std::sync::Arc;

use sqlx::any::AnyRow;
use sqlx::{FromRow, Row};

use super::list::TARGET;
use super::model::{EntryFilters, EntryRow, LatestEntriesQuery, LatestEntry};
use crate::ledger::EntryKind;
use crate::ledger::chain::Link;
use base::db::Sql;
use base::locale::Locale;
use frame::access::audit::Target;
use frame::access::{Scope, ScopeColumns};
use frame::api::export::{Columns, Sheet};
use frame::api::{Ctx, Exporting, Listing, Query, say};

/// Who sees an entry: the organisation of its account.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("a.org_id"), sub_org: None, myself: None };

/// The list of entries.
pub struct Entries;

impl Listing for Entries {
    type Filters = EntryFilters;
    type Row = EntryRow;
    const SELECT: &'static str = "SELECT l.id, a.org_id, o.name AS org_name, l.seq, l.type AS kind, l.amount_cents, l.gift_part_cents, \
         l.balance_after_cents, l.ref_type, l.ref_id, l.remark AS ref_no, p.real_name AS operator_name, l.at, \
         l.account_id, l.idem_key, l.operator_id, COALESCE(l.hash, '') AS hash, COALESCE(b.hash, '') AS hash_before \
         FROM account_ledger l JOIN org_account a ON a.id = l.account_id JOIN organisation o ON o.id = a.org_id \
         LEFT JOIN account_ledger b ON b.account_id = l.account_id AND b.seq = l.seq - 1 \
         LEFT JOIN administrator p ON p.id = l.operator_id WHERE 1 = 1";
    const COUNT: &'static str =
        "SELECT l.id FROM account_ledger l JOIN org_account a ON a.id = l.account_id JOIN organisation o ON o.id = a.org_id WHERE 1 = 1";
    const IDS_FIRST: bool = true;

    fn narrow(sql: &mut Sql, filters: &EntryFilters, scope: Scope) {
        sql.and_prefix(&["l.remark"], filters.keyword.as_deref())
            .and("a.org_id = ", filters.org_id)
            .and("l.type = ", filters.kind)
            .and("l.at >= ", filters.at_from)
            .and("l.at < ", filters.at_to);
        scope.apply(sql, SCOPE);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<EntryRow, sqlx::Error> {
        let entry = EntryRow::from_row(row)?;
        let link = Link {
            account_id: entry.account_id,
            seq: entry.seq,
            kind: entry.kind.into(),
            amount_cents: entry.amount_cents,
            gift_part_cents: entry.gift_part_cents,
            balance_after_cents: entry.balance_after_cents,
            ref_type: &entry.ref_type,
            ref_id: entry.ref_id,
            idem_key: &entry.idem_key,
            operator_id: row.try_get("operator_id")?,
            remark: &entry.ref_no,
            at: entry.at,
        };
        let hashed_text = link.text(row.try_get("hash_before")?);
        Ok(EntryRow { hashed_text, ..entry })
    }
}

/// The most entries of [`latest`].
const LATEST: i64 = 10;

/// `GET /finance/account/latest?orgId=`: the latest entries of an organisation, for its page.
pub async fn latest(cx: Arc<Ctx>, Query(query): Query<LatestEntriesQuery>) -> frame::api::Result<Vec<LatestEntry>> {
    let mut sql = Sql::new(
        "SELECT l.id, l.type AS kind, l.amount_cents, l.balance_after_cents, l.ref_type, l.ref_id, l.remark AS ref_no, l.at \
         FROM account_ledger l JOIN org_account a ON a.id = l.account_id JOIN organisation o ON o.id = a.org_id WHERE a.org_id = ",
    );
    sql.bind(query.org_id);
    cx.viewer()?.scope().apply(&mut sql, SCOPE);
    sql.push(" ORDER BY l.at DESC, l.id DESC LIMIT ").bind(LATEST);
    let rows = sql.fetch_all(cx.db().read()).await?;
    Ok(rows.iter().map(LatestEntry::from_row).collect::<Result<Vec<_>, _>>()?)
}

impl Exporting for Entries {
    fn sheet() -> Sheet<EntryRow> {
        Sheet {
            target: Target { kind: "account_ledger", ..TARGET },
            title: say("账户流水", "Account entries"),
            columns: Columns::of("entry")
                .text("orgName")
                .number("seq")
                .code::<EntryKind>("kind")
                .money("amountCents")
                .money("giftPartCents")
                .money("balanceAfterCents")
                .text("refNo")
                .text("operatorName")
                .time("at")
                .number("accountId")
                .text("idemKey")
                .text("hash")
                .text("hashedText")
                .all(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index, plan};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Entries>("entry");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Entries>(&[]).await;
    }

    #[tokio::test]
    async fn the_entries_of_one_account_are_read_in_the_order_of_an_index() {
        let plans = Plans::open().await;
        for (filters, scope) in
            [(EntryFilters { org_id: Some(1), ..EntryFilters::default() }, Scope::All), (EntryFilters::default(), Scope::Org(1))]
        {
            let plan = plan::<Entries>(&plans, filters, scope).await;
            assert!(plan.contains("SEARCH l USING COVERING INDEX account_ledger_at"), "{plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{plan}");
        }
    }
}
