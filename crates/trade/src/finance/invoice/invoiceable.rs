//! The amounts that can be invoiced: spent, less refunded, less invoiced, for each payee that an organisation paid.
//! Spending from gifts does not count. The amounts themselves are in `crates/trade/src/ledger/invoiceable.rs`.

use sqlx::any::AnyRow;
use sqlx::{FromRow, Row};

use super::model::{InvoiceableFilters, InvoiceableRow, InvoiceableState};
use base::db::{Connection, Sql};
use base::locale::Locale;
use frame::access::{Scope, ScopeColumns};
use frame::api::{Listing, Say, say};
use frame::terms;

/// Who sees it: the organisation, and its account manager.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), sub_org: None, myself: None };

/// Organisations and payees `x` with what is invoiced `v`, the organisation's account `a` and all that it is invoiced `t`.
macro_rules! sources {
    () => {
        "FROM (SELECT s.org_id, s.payee_org_id, CAST(SUM(COALESCE(s.to_cents, a.total_spend_cents - a.spent_gift_cents, 0) - s.from_cents) \
             AS BIGINT) AS spent_cents FROM org_payee_spend s LEFT JOIN org_account a ON a.org_id = s.org_id \
           GROUP BY s.org_id, s.payee_org_id) x \
         JOIN organisation o ON o.id = x.org_id JOIN payee_organisation p ON p.id = x.payee_org_id \
         LEFT JOIN org_account a ON a.org_id = x.org_id \
         LEFT JOIN org_payee_invoiced v ON v.org_id = x.org_id AND v.payee_org_id = x.payee_org_id \
         LEFT JOIN (SELECT u.org_id, CAST(SUM(u.cents) AS BIGINT) AS cents FROM org_payee_invoiced u GROUP BY u.org_id) t ON t.org_id = x.org_id \
         WHERE o.deleted_at IS NULL"
    };
}

/// The list of organisations and payees with what can be invoiced.
pub struct Invoiceables;

impl Listing for Invoiceables {
    type Filters = InvoiceableFilters;
    type Row = InvoiceableRow;
    const SELECT: &'static str = concat!(
        "SELECT o.id, o.name AS org_name, x.payee_org_id, p.name AS payee_org_name, x.spent_cents, COALESCE(v.cents, 0) AS invoiced_cents, \
         x.spent_cents - COALESCE(v.cents, 0) AS invoiceable_cents, COALESCE(v.refunded_cents, 0) AS refunded_cents, \
         COALESCE(a.total_spend_cents - a.spent_gift_cents, 0) - COALESCE(t.cents, 0) AS all_invoiceable_cents ",
        sources!()
    );
    const COUNT: &'static str = concat!("SELECT o.id ", sources!());

    fn narrow(sql: &mut Sql, filters: &InvoiceableFilters, scope: Scope) {
        sql.and("x.org_id = ", filters.org_id).and("x.payee_org_id = ", filters.payee_org_id);
        if let Some(state) = filters.state {
            sql.push(match state {
                InvoiceableState::Open => {
                    " AND COALESCE(v.cents, 0) < x.spent_cents \
                     AND COALESCE(t.cents, 0) < COALESCE(a.total_spend_cents - a.spent_gift_cents, 0)"
                }
                // Red-letter invoices count back only amounts invoiced with this payee.
                InvoiceableState::Over => {
                    " AND v.cents > 0 AND (v.cents > x.spent_cents OR t.cents > COALESCE(a.total_spend_cents - a.spent_gift_cents, 0))"
                }
            });
        }
        scope.apply(sql, SCOPE);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<InvoiceableRow, sqlx::Error> {
        let over = -all_or_less(row)?;
        let row = InvoiceableRow::from_row(row)?;
        Ok(InvoiceableRow { over_cents: over.clamp(0, row.invoiced_cents), ..row })
    }
}

/// The amount that can be invoiced with a payee, and no more than with all payees together.
fn all_or_less(row: &AnyRow) -> Result<i64, sqlx::Error> {
    Ok(row.try_get::<i64, _>("invoiceable_cents")?.min(row.try_get("all_invoiceable_cents")?))
}

/// Why the amount of a request is not available.
pub(super) async fn shortage(tx: &mut Connection, (org_id, payee_org_id): (i64, i64)) -> Result<Say, sqlx::Error> {
    let mut sql = Sql::new(Invoiceables::SELECT);
    sql.and("x.org_id = ", Some(org_id)).and("x.payee_org_id = ", Some(payee_org_id));
    let found = sql.fetch_optional(tx).await?.ok_or(sqlx::Error::RowNotFound)?;
    let (left, row) = (all_or_less(&found)?.max(0), Invoiceables::read(&found, Locale::Chinese)?);
    let (left, refunded) = (terms::yuan(left), terms::yuan(row.refunded_cents));
    Ok(match (row.over_cents, row.refunded_cents) {
        (1.., _) => {
            let over = terms::yuan(row.over_cents);
            say(
                format!("该机构有退款，已多开票 {over} 元，请先申请红字发票，或待后续消费抵扣"),
                format!(
                    "{over} CNY more is invoiced than was spent, after refunds: ask for a red-letter invoice, or wait until it is spent"
                ),
            )
        }
        (_, 1..) => say(
            format!("超过可开票金额（{left} 元，已扣除上次申请开票后的退款 {refunded} 元）"),
            format!("More than can be invoiced: {left} CNY, less refunds of {refunded} CNY since the last request"),
        ),
        _ => say(format!("超过可开票金额（{left} 元）"), format!("More than can be invoiced: {left} CNY")),
    })
}
