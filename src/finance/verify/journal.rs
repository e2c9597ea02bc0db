//! What is asked of the journal: that each booking has its transfers, and each transfer its booking.

use crate::db::Sql;
use crate::finance::journal::Source;

/// What is compared once the transfers of earlier bookings are all entered; each ends with rows of `org_id, what, id, found, expected`.
pub const QUESTIONS: &[&str] = &[
    // Entries against their transfers, the part that was paid and the part of gifts.
    "SELECT e.org_id, 'journal', e.id, CAST(COALESCE(e.moved, 0) AS BIGINT), e.cents FROM ( \
         SELECT a.org_id, l.id, p.cents, CASE WHEN t.status <> 'posted' THEN 0 WHEN t.credit_kind = p.part AND t.credit_owner = a.org_id THEN t.amount_cents \
           WHEN t.debit_kind = p.part AND t.debit_owner = a.org_id THEN -t.amount_cents ELSE 0 END AS moved \
         FROM (SELECT id, account_id, 'org_paid' AS part, amount_cents - gift_part_cents AS cents, idem_key FROM account_ledger \
             UNION ALL SELECT id, account_id, 'org_gift', gift_part_cents, idem_key || '/gift' FROM account_ledger WHERE gift_part_cents <> 0) p \
         JOIN account_ledger l ON l.id = p.id JOIN org_account a ON a.id = p.account_id LEFT JOIN journal_transfer t ON t.idem_key = p.idem_key) e \
       WHERE COALESCE(e.moved, 0) <> e.cents AND EXISTS (SELECT 1 FROM journal_progress WHERE source = 'done')",
    "SELECT o.owner_id, 'journal', t.id, t.amount_cents, CAST(0 AS BIGINT) FROM journal_transfer t \
       JOIN (SELECT s.id, CASE WHEN s.debit_kind IN ('org_paid', 'org_gift') THEN s.debit_kind ELSE s.credit_kind END AS part, \
           CASE WHEN s.debit_kind IN ('org_paid', 'org_gift') THEN s.debit_owner ELSE s.credit_owner END AS owner_id FROM journal_transfer s \
         WHERE s.status = 'posted' AND (s.debit_kind IN ('org_paid', 'org_gift') OR s.credit_kind IN ('org_paid', 'org_gift'))) o ON o.id = t.id \
       LEFT JOIN account_ledger l ON l.idem_key = CASE o.part WHEN 'org_gift' THEN substr(t.idem_key, 1, length(t.idem_key) - 5) ELSE t.idem_key END \
       WHERE l.id IS NULL",
    // Held money of leads against the transfers that are pending.
    "SELECT k.org_id, 'held', k.id, CAST(SUM(k.pending) AS BIGINT), CAST(SUM(k.held) AS BIGINT) FROM ( \
         SELECT h.org_id, h.id, h.held_cents AS held, 0 AS pending FROM push_record h WHERE h.held_cents <> 0 \
         UNION ALL SELECT t.debit_owner, t.ref_id, 0, t.amount_cents FROM journal_transfer t WHERE t.status = 'pending') k \
       WHERE EXISTS (SELECT 1 FROM journal_progress WHERE source = 'done') GROUP BY k.org_id, k.id HAVING SUM(k.held) <> SUM(k.pending)",
];

/// Appends the comparison of payments, refunds, exceptions and receipts with their transfers, as each is booked.
pub fn push_sources(sql: &mut Sql) {
    sql.push(
        "SELECT CAST(0 AS BIGINT) AS org_id, 'journal' AS what, COALESCE(e.ref_id, t.ref_id) AS id, COALESCE(t.amount_cents, 0) AS found, \
         CAST(COALESCE(ABS(e.cents), 0) AS BIGINT) AS expected FROM (",
    );
    let selects = Source::ALL.iter().filter(|source| !matches!(source, Source::Entry | Source::Hold)).flat_map(|source| source.selects());
    for (index, select) in selects.enumerate() {
        sql.push(if index == 0 {
            "SELECT ref_id, debit_kind, credit_kind, cents, idem_key FROM ("
        } else {
            " UNION ALL SELECT ref_id, debit_kind, credit_kind, cents, idem_key FROM ("
        });
        sql.push(select).push(") x WHERE x.cents <> 0");
    }
    sql.push(
        ") e FULL JOIN (SELECT s.ref_id, s.debit_kind, s.credit_kind, s.amount_cents, s.idem_key FROM journal_transfer s WHERE s.status = 'posted' \
           AND s.debit_kind NOT IN ('org_paid', 'org_gift') AND s.credit_kind NOT IN ('org_paid', 'org_gift')) t ON t.idem_key = e.idem_key \
         WHERE (e.idem_key IS NULL OR t.idem_key IS NULL OR t.amount_cents <> ABS(e.cents) \
           OR t.debit_kind <> CASE WHEN e.cents > 0 THEN e.debit_kind ELSE e.credit_kind END \
           OR t.credit_kind <> CASE WHEN e.cents > 0 THEN e.credit_kind ELSE e.debit_kind END) \
           AND EXISTS (SELECT 1 FROM journal_progress WHERE source = 'done')",
    );
}
