//! What is asked of the journal: that each booking has its transfers, and each transfer its booking, and that checkpoints are the sums of
//! the transfers before them.

use crate::db::Sql;
use crate::finance::journal::Source;

/// Appends the comparison of all bookings with their transfers, both ways: accounts, amount, status and what they are for, and of
/// entries the time. It begins once the transfers of earlier bookings are all entered.
pub fn push_question(sql: &mut Sql) {
    sql.push(
        "SELECT CAST(0 AS BIGINT) AS org_id, 'journal' AS what, COALESCE(e.ref_id, t.ref_id) AS id, COALESCE(t.amount_cents, 0) AS found, \
           CAST(COALESCE(ABS(e.cents), 0) AS BIGINT) AS expected FROM (",
    );
    let sources = Source::ALL.iter().flat_map(|source| source.selects().iter().map(|select| (*source, *select)));
    for (index, (source, select)) in sources.enumerate() {
        sql.push(if index == 0 { "" } else { " UNION ALL " });
        sql.push(
            "SELECT x.ref_type, x.ref_id, x.debit_kind, x.debit_owner, x.credit_kind, x.credit_owner, x.cents, x.status, x.idem_key, ",
        );
        sql.push(if source == Source::Entry { "x.at" } else { "CAST(NULL AS BIGINT) AS at" });
        sql.push(" FROM (").push(select).push(") x WHERE x.cents <> 0");
    }
    sql.push(
        ") e FULL JOIN (SELECT s.* FROM journal_transfer s WHERE s.status <> 'void') t ON t.idem_key = e.idem_key \
         WHERE (e.idem_key IS NULL OR t.idem_key IS NULL OR t.amount_cents <> ABS(e.cents) OR t.status <> e.status OR t.ref_type <> e.ref_type \
           OR t.ref_id <> e.ref_id OR t.at <> COALESCE(e.at, t.at) \
           OR t.debit_kind <> CASE WHEN e.cents > 0 THEN e.debit_kind ELSE e.credit_kind END \
           OR t.debit_owner <> CASE WHEN e.cents > 0 THEN e.debit_owner ELSE e.credit_owner END \
           OR t.credit_kind <> CASE WHEN e.cents > 0 THEN e.credit_kind ELSE e.debit_kind END \
           OR t.credit_owner <> CASE WHEN e.cents > 0 THEN e.credit_owner ELSE e.debit_owner END) \
           AND EXISTS (SELECT 1 FROM journal_progress WHERE source = 'done')",
    );
}

/// Checkpoints against the transfers that were posted before them, which are added up once, by the first checkpoint after each.
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
