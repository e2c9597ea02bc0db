//! The list of accounts: pages with their sums, and the file. An organisation without entries has an empty account.

use sqlx::FromRow;
use sqlx::any::AnyRow;
use sqlx::{Any, Executor};

use super::model::{AccountFilters, AccountHolds, AccountRow};
use crate::ledger::account::{AccountStatus, available};
use crate::org::BillMode;
use base::db::Sql;
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::{Scope, ScopeColumns};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Watch};
use frame::api::{Exporting, Listing, say};

/// The name of accounts in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Finance, kind: "org_account", id: None };

/// Who sees an account: its organisation, and the organisation's account manager.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), sub_org: None, myself: None };

/// The list of accounts.
pub struct Accounts;

impl Listing for Accounts {
    type Filters = AccountFilters;
    type Row = AccountRow;
    const SELECT: &'static str = concat!(
        "SELECT o.id, o.code AS org_code, o.name AS org_name, o.bill_mode, COALESCE(a.status, 'normal') AS status, \
         a.status_note, COALESCE(a.balance_cents, 0) AS balance_cents, COALESCE(a.gift_cents, 0) AS gift_cents, \
         COALESCE(a.frozen_cents, 0) AS frozen_cents, CASE o.bill_mode WHEN 'credit' THEN o.credit_limit_cents ELSE 0 END AS credit_limit_cents, ",
        available!("a"),
        " AS available_cents, \
         COALESCE(a.total_recharge_cents, 0) AS total_recharge_cents, COALESCE(a.total_gift_cents, 0) AS total_gift_cents, \
         COALESCE(a.total_spend_cents, 0) AS total_spend_cents, COALESCE(a.total_adjust_cents, 0) AS total_adjust_cents, \
         (SELECT COUNT(*) FROM account_adjustment j WHERE j.org_id = o.id AND j.status = 'pending') AS adjustments_open, \
         (SELECT COUNT(*) FROM org_statement m WHERE m.org_id = o.id AND m.status = 'sent') AS statements_open \
         FROM organisation o LEFT JOIN org_account a ON a.org_id = o.id WHERE o.deleted_at IS NULL"
    );
    const COUNT: &'static str = "SELECT o.id FROM organisation o LEFT JOIN org_account a ON a.org_id = o.id WHERE o.deleted_at IS NULL";
    const TOTALS: Option<&'static str> = Some(concat!(
        "SELECT CAST(0 AS BIGINT) AS id, '' AS org_code, '' AS org_name, 'prepaid' AS bill_mode, 'normal' AS status, \
         CAST(NULL AS TEXT) AS status_note, CAST(COALESCE(SUM(a.balance_cents), 0) AS BIGINT) AS balance_cents, \
         CAST(COALESCE(SUM(a.gift_cents), 0) AS BIGINT) AS gift_cents, CAST(COALESCE(SUM(a.frozen_cents), 0) AS BIGINT) AS frozen_cents, \
         CAST(COALESCE(SUM(CASE o.bill_mode WHEN 'credit' THEN o.credit_limit_cents ELSE 0 END), 0) AS BIGINT) AS credit_limit_cents, \
         CAST(COALESCE(SUM(",
        available!("a"),
        "), 0) AS BIGINT) AS available_cents, \
         CAST(COALESCE(SUM(a.total_recharge_cents), 0) AS BIGINT) AS total_recharge_cents, \
         CAST(COALESCE(SUM(a.total_gift_cents), 0) AS BIGINT) AS total_gift_cents, \
         CAST(COALESCE(SUM(a.total_spend_cents), 0) AS BIGINT) AS total_spend_cents, \
         CAST(COALESCE(SUM(a.total_adjust_cents), 0) AS BIGINT) AS total_adjust_cents, CAST(0 AS BIGINT) AS adjustments_open, \
         CAST(0 AS BIGINT) AS statements_open FROM organisation o LEFT JOIN org_account a ON a.org_id = o.id WHERE o.deleted_at IS NULL"
    ));

    fn narrow(sql: &mut Sql, filters: &AccountFilters, scope: Scope) {
        sql.and_contains(&["o.code", "o.name", "o.short_name"], filters.keyword.as_deref())
            .and("o.id = ", filters.org_id)
            .and("o.bill_mode = ", filters.bill_mode.map(<&str>::from))
            .and("COALESCE(a.status, 'normal') = ", filters.status);
        if let Some(holds) = filters.holds {
            sql.push(match holds {
                AccountHolds::Owes => " AND a.balance_cents < 0",
                AccountHolds::Nothing => " AND COALESCE(a.balance_cents, 0) = 0",
                AccountHolds::Gifts => " AND a.gift_cents > 0",
                AccountHolds::OnHold => " AND a.frozen_cents > 0",
                // Set while the balance is low, see `finance::low_balance`.
                AccountHolds::Low => " AND o.low_balance_notified_at IS NOT NULL AND o.status = 'active' AND o.mode <> 'test'",
            });
        }
        scope.apply(sql, SCOPE);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<AccountRow, sqlx::Error> {
        AccountRow::from_row(row)
    }
}

/// Organisations whose balance is below its line.
pub fn unusual(work: &mut OpenWork<'_>) {
    let low = AccountFilters { holds: Some(AccountHolds::Low), ..AccountFilters::default() };
    let title = say("余额低于预警线的机构", "Organisations with a low balance");
    work.watch::<Accounts>(low, Watch { point: "finance/account/list", title, href: "/finance/account?holds=low".to_owned() });
}

/// The account of an organisation within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, org_id: i64) -> Result<Option<AccountRow>, sqlx::Error> {
    let mut sql = Sql::new(Accounts::SELECT);
    Accounts::narrow(&mut sql, &AccountFilters { org_id: Some(org_id), ..AccountFilters::default() }, scope);
    sql.fetch_optional(on).await?.as_ref().map(AccountRow::from_row).transpose()
}

/// What the account of an organisation holds, in fen, if that is below its warning line.
pub async fn held_if_low<'e>(on: impl Executor<'e, Database = Any>, org_id: i64) -> Result<Option<i64>, sqlx::Error> {
    let filters = AccountFilters { org_id: Some(org_id), holds: Some(AccountHolds::Low), ..AccountFilters::default() };
    let mut sql = Sql::new(Accounts::SELECT);
    Accounts::narrow(&mut sql, &filters, Scope::All);
    let row = sql.fetch_optional(on).await?;
    Ok(row.as_ref().map(AccountRow::from_row).transpose()?.map(|account| account.balance_cents))
}

impl Exporting for Accounts {
    fn sheet() -> Sheet<AccountRow> {
        Sheet {
            target: TARGET,
            title: say("机构账户", "Accounts"),
            columns: Columns::of("account")
                .text("orgCode")
                .text("orgName")
                .code::<BillMode>("billMode")
                .code::<AccountStatus>("status")
                .money("balanceCents")
                .money("giftCents")
                .money("frozenCents")
                .money("creditLimitCents")
                .money("availableCents")
                .money("totalRechargeCents")
                .money("totalGiftCents")
                .money("totalSpendCents")
                .money("totalAdjustCents")
                .text("statusNote")
                .all(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frame::api::list_checks::columns_are_fields;

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Accounts>("account");
    }
}
