//! The queries on the journal: each booking has its transfers, each transfer its booking, and checkpoints are the
//! sums of the transfers before them.

use crate::ledger::journal::Source;
use base::db::Sql;

/// Appends the comparison of all bookings with their transfers, both ways: accounts, amount, status and record, and
/// for entries the time. It begins once the transfers of earlier bookings are all entered.
pub fn push_question(sql: &mut Sql) {
    // Both sides in one sorted list: SQLite would compare every row with every other in a full join of two queries.
    sql.push(
        "SELECT CAST(0 AS BIGINT) AS org_id, 'journal' AS what, COALESCE(MAX(CASE b.side WHEN 1 THEN b.ref_id END), MAX(b.ref_id)) AS id, \
           CAST(COALESCE(SUM(CASE b.side WHEN 2 THEN b.cents END), 0) AS BIGINT) AS found, \
           CAST(COALESCE(SUM(CASE b.side WHEN 1 THEN b.cents END), 0) AS BIGINT) AS expected FROM ( \
         SELECT 2 AS side, s.ref_type, s.ref_id, s.debit_kind, s.debit_owner, s.credit_kind, s.credit_owner, s.amount_cents AS cents, s.status, \
           s.idem_key, s.at FROM journal_transfer s WHERE s.status <> 'void'",
    );
    let sources = Source::ALL.iter().flat_map(|source| source.selects().iter().map(|select| (*source, *select)));
    for (source, select) in sources {
        sql.push(
            " UNION ALL SELECT 1, x.ref_type, x.ref_id, CASE WHEN x.cents > 0 THEN x.debit_kind ELSE x.credit_kind END, \
               CASE WHEN x.cents > 0 THEN x.debit_owner ELSE x.credit_owner END, CASE WHEN x.cents > 0 THEN x.credit_kind ELSE x.debit_kind END, \
               CASE WHEN x.cents > 0 THEN x.credit_owner ELSE x.debit_owner END, ABS(x.cents), x.status, x.idem_key, ",
        );
        sql.push(if source == Source::Entry { "x.at" } else { "CAST(NULL AS BIGINT)" });
        sql.push(" FROM (").push(select).push(") x WHERE x.cents <> 0");
    }
    sql.push(") b GROUP BY b.idem_key HAVING (COUNT(*) <> 2 OR MIN(b.side) = MAX(b.side)");
    for column in ["cents", "status", "ref_type", "ref_id", "at", "debit_kind", "debit_owner", "credit_kind", "credit_owner"] {
        sql.push(" OR MIN(b.").push(column).push(") <> MAX(b.").push(column).push(")");
    }
    sql.push(") AND EXISTS (SELECT 1 FROM journal_progress WHERE source = 'done')");
}

/// Checkpoints against the transfers posted before them, which are added up once, by the first checkpoint after each.
pub const CHECKPOINTS: &str = "SELECT CAST(0 AS BIGINT) AS org_id, 'checkpoint' AS what, CAST(NULL AS BIGINT) AS id, \
       CASE WHEN COALESCE(c.debit_cents, 0) <> COALESCE(e.debit_cents, 0) THEN COALESCE(c.debit_cents, 0) ELSE COALESCE(c.credit_cents, 0) END \
         AS found, \
       CASE WHEN COALESCE(c.debit_cents, 0) <> COALESCE(e.debit_cents, 0) THEN COALESCE(e.debit_cents, 0) ELSE COALESCE(e.credit_cents, 0) END \
         AS expected \
     FROM journal_checkpoint c FULL JOIN ( \
       SELECT d.upto, s.kind, s.owner, CAST(SUM(s.debit_cents) AS BIGINT) AS debit_cents, CAST(SUM(s.credit_cents) AS BIGINT) AS credit_cents \
       FROM journal_checkpoint_day d JOIN ( \
         SELECT f.upto, f.kind, f.owner, SUM(f.debit_cents) AS debit_cents, SUM(f.credit_cents) AS credit_cents FROM ( \
           SELECT (SELECT MIN(n.upto) FROM journal_checkpoint_day n WHERE n.upto > t.at) AS upto, t.debit_kind AS kind, t.debit_owner AS owner, \
             t.amount_cents AS debit_cents, 0 AS credit_cents FROM journal_transfer t WHERE t.status = 'posted' \
           UNION ALL SELECT (SELECT MIN(n.upto) FROM journal_checkpoint_day n WHERE n.upto > t.at), t.credit_kind, t.credit_owner, 0, \
             t.amount_cents FROM journal_transfer t WHERE t.status = 'posted') f \
         WHERE f.upto IS NOT NULL GROUP BY f.upto, f.kind, f.owner) s ON s.upto <= d.upto \
       GROUP BY d.upto, s.kind, s.owner) e ON e.upto = c.upto AND e.kind = c.kind AND e.owner = c.owner \
     WHERE COALESCE(c.debit_cents, 0) <> COALESCE(e.debit_cents, 0) OR COALESCE(c.credit_cents, 0) <> COALESCE(e.credit_cents, 0)";
