//! The list of transfers: pages with their sum, and the file. The journal belongs to the platform.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{JournalAccount, JournalRow, TransferFilters, TransferStatus};
use base::db::Sql;
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::{Scope, ScopeColumns};
use frame::api::export::{Columns, Sheet};
use frame::api::{Exporting, Listing, say};

/// The name of the journal in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Finance, kind: "journal_transfer", id: None };

/// The name of the owner of an account on one side.
macro_rules! owner {
    ($side:literal) => {
        concat!(
            "CASE WHEN t.",
            $side,
            "_kind",
            of_organisation!(),
            " THEN (SELECT o.name FROM organisation o WHERE o.id = t.",
            $side,
            "_owner) WHEN t.",
            $side,
            "_kind",
            of_payee!(),
            " THEN (SELECT p.name FROM payee_organisation p WHERE p.id = t.",
            $side,
            "_owner) WHEN t.",
            $side,
            "_kind",
            of_channel!(),
            " THEN (SELECT h.name FROM payee_channel h WHERE h.id = t.",
            $side,
            "_owner) WHEN t.",
            $side,
            "_kind",
            of_partner!(),
            " THEN (SELECT c.name FROM channel c WHERE c.id = t.",
            $side,
            "_owner) END AS ",
            $side,
            "_name"
        )
    };
}

/// The list of transfers.
pub struct Transfers;

impl Listing for Transfers {
    type Filters = TransferFilters;
    type Row = JournalRow;
    const SELECT: &'static str = concat!(
        "SELECT t.id, t.at, t.debit_kind, t.debit_owner, ",
        owner!("debit"),
        ", t.credit_kind, t.credit_owner, ",
        owner!("credit"),
        ", t.amount_cents, t.status, t.ref_type, t.ref_id, CASE t.ref_type \
           WHEN 'push_record' THEN (SELECT h.no FROM push_record h WHERE h.id = t.ref_id) \
           WHEN 'receipt' THEN (SELECT r.no FROM receipt r WHERE r.id = t.ref_id) \
           WHEN 'recharge' THEN (SELECT g.no FROM recharge g WHERE g.id = t.ref_id) \
           WHEN 'account_adjustment' THEN (SELECT j.no FROM account_adjustment j WHERE j.id = t.ref_id) \
           WHEN 'payment_order' THEN (SELECT y.no FROM payment_order y WHERE y.id = t.ref_id) \
           WHEN 'payment_refund' THEN (SELECT b.no FROM payment_refund b WHERE b.id = t.ref_id) \
           WHEN 'partner_payout' THEN (SELECT w.payout_no FROM partner_payout w WHERE w.id = t.ref_id) \
           WHEN 'payment_exception' THEN (SELECT x.channel_order_no FROM payment_exception x WHERE x.id = t.ref_id) \
           WHEN 'visit_charge' THEN (SELECT v.day FROM visit_charge v WHERE v.id = t.ref_id) \
           WHEN 'partner_item' THEN (SELECT COALESCE(u.no, i.day) FROM partner_item i LEFT JOIN applicant u ON u.id = i.user_id \
             WHERE i.id = t.ref_id) END AS ref_no, \
         t.begun_at FROM journal_transfer t WHERE 1 = 1"
    );
    const COUNT: &'static str = "SELECT t.id FROM journal_transfer t WHERE 1 = 1";
    const IDS_FIRST: bool = true;

    fn narrow(sql: &mut Sql, filters: &TransferFilters, scope: Scope) {
        match (filters.kind, filters.owner_id) {
            (Some(kind), owner_id) => {
                sql.push(" AND ((t.debit_kind = ").bind(kind).and("t.debit_owner = ", owner_id);
                sql.push(") OR (t.credit_kind = ").bind(kind).and("t.credit_owner = ", owner_id).push("))");
            }
            (None, Some(owner_id)) => {
                sql.push(" AND (t.debit_owner = ").bind(owner_id).push(" OR t.credit_owner = ").bind(owner_id).push(")");
            }
            (None, None) => {}
        }
        if let Some(org_id) = filters.org_id {
            sql.push(" AND ((t.debit_owner = ").bind(org_id).push(" AND t.debit_kind").push(of_organisation!());
            sql.push(") OR (t.credit_owner = ").bind(org_id).push(" AND t.credit_kind").push(of_organisation!()).push("))");
        }
        sql.and("t.status = ", filters.status).and("t.at >= ", filters.at_from).and("t.at < ", filters.at_to);
        scope.apply(sql, ScopeColumns::default());
    }

    fn read(row: &AnyRow, _: Locale) -> Result<JournalRow, sqlx::Error> {
        JournalRow::from_row(row)
    }
}

impl Exporting for Transfers {
    fn sheet() -> Sheet<JournalRow> {
        Sheet {
            target: TARGET,
            title: say("资金分录", "Transfers"),
            columns: Columns::of("transfer")
                .number("id")
                .time("begunAt")
                .time("at")
                .code::<JournalAccount>("debitKind")
                .text("debitName")
                .code::<JournalAccount>("creditKind")
                .text("creditName")
                .money("amountCents")
                .code::<TransferStatus>("status")
                .text("refNo")
                .all(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Transfers>("transfer");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Transfers>(&[]).await;
    }
}
