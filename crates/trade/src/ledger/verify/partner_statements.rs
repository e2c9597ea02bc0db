//! The queries on statements of partners, their items, corrections and payouts.

/// Each returns rows of `org_id, what, id, found, expected`, like the other queries of the check.
pub const QUESTIONS: &[&str] = &[
    // Statements against their items, and items against their statements.
    "SELECT CAST(0 AS BIGINT), 'partner', m.id, m.total_cents - m.carried_cents, COALESCE(s.cents, 0) FROM partner_statement m LEFT JOIN \
         (SELECT i.statement_id, COUNT(*) AS number, CAST(SUM(i.amount_cents) AS BIGINT) AS cents, \
             SUM(CASE i.kind WHEN 'visit' THEN i.amount_cents ELSE 0 END) AS visits, \
             SUM(CASE i.kind WHEN 'registered' THEN i.amount_cents ELSE 0 END) AS registrations, \
             SUM(CASE i.kind WHEN 'sold' THEN i.amount_cents ELSE 0 END) AS sales, \
             SUM(CASE i.kind WHEN 'share' THEN i.amount_cents ELSE 0 END) AS shares, \
             SUM(CASE i.kind WHEN 'returned' THEN i.amount_cents ELSE 0 END) AS returns, \
             SUM(CASE i.kind WHEN 'share_back' THEN i.amount_cents ELSE 0 END) AS shares_back, \
             SUM(CASE i.kind WHEN 'adjust' THEN i.amount_cents ELSE 0 END) AS adjustments \
           FROM partner_item i WHERE i.statement_id IS NOT NULL GROUP BY i.statement_id) s ON s.statement_id = m.id \
       WHERE m.items <> COALESCE(s.number, 0) OR m.total_cents - m.carried_cents <> COALESCE(s.cents, 0) \
         OR m.visit_cents <> COALESCE(s.visits, 0) OR m.registered_cents <> COALESCE(s.registrations, 0) \
         OR m.sold_cents <> COALESCE(s.sales, 0) OR m.share_cents <> COALESCE(s.shares, 0) OR m.returned_cents <> COALESCE(s.returns, 0) \
         OR m.share_back_cents <> COALESCE(s.shares_back, 0) OR m.adjust_cents <> COALESCE(s.adjustments, 0)",
    "SELECT CAST(0 AS BIGINT), 'partner', i.id, COALESCE(m.channel_id, 0), i.channel_id FROM partner_item i \
       LEFT JOIN partner_statement m ON m.id = i.statement_id \
       WHERE i.statement_id IS NOT NULL AND (m.id IS NULL OR m.channel_id <> i.channel_id)",
    // Each statement against the one before it, and against its tax.
    "SELECT CAST(0 AS BIGINT), 'partner', k.id, k.opening_cents, k.closing_before FROM (SELECT m.id, m.opening_cents, m.carried_cents, \
         LAG(m.closing_cents, 1, CAST(0 AS BIGINT)) OVER (PARTITION BY m.channel_id ORDER BY m.month) AS closing_before, \
         LAG(m.total_cents, 1, CAST(0 AS BIGINT)) OVER (PARTITION BY m.channel_id ORDER BY m.month) AS total_before FROM partner_statement m) k \
       WHERE k.opening_cents <> k.closing_before OR k.carried_cents <> CASE WHEN k.total_before < 0 THEN k.total_before ELSE 0 END",
    "SELECT CAST(0 AS BIGINT), 'partner', m.id, m.tax_cents, CASE WHEN m.total_cents > 0 THEN (m.total_cents * m.tax_bp + 5000) / 10000 ELSE 0 END \
       FROM partner_statement m \
       WHERE m.tax_cents <> CASE WHEN m.total_cents > 0 THEN (m.total_cents * m.tax_bp + 5000) / 10000 ELSE 0 END",
    // A statement was sent by a link before its answer, unless it was confirmed by other means; a dispute has a note,
    // and no more than its net amount is paid.
    "SELECT CAST(0 AS BIGINT), 'partner', m.id, CAST(0 AS BIGINT), CAST(1 AS BIGINT) FROM partner_statement m \
       WHERE (m.status <> 'draft' AND m.confirmed_by IS NULL AND (m.sent_at IS NULL OR m.link_hash IS NULL)) \
         OR (m.status IN ('confirmed', 'disputed') AND m.answered_at IS NULL) OR (m.status = 'disputed' AND m.answer_note IS NULL)",
    "SELECT CAST(0 AS BIGINT), 'payout', m.id, s.cents, CASE WHEN m.net_cents > 0 THEN m.net_cents ELSE 0 END FROM partner_statement m JOIN \
         (SELECT w.statement_id, CAST(SUM(w.amount_cents) AS BIGINT) AS cents FROM partner_payout w \
           WHERE w.status IN ('waiting', 'approved', 'paid') GROUP BY w.statement_id) s ON s.statement_id = m.id \
       WHERE s.cents > CASE WHEN m.net_cents > 0 THEN m.net_cents ELSE 0 END",
    // Statements that were confirmed by other means than their links against the decisions on that.
    "SELECT CAST(0 AS BIGINT), 'partner', m.id, m.confirmed_by, CAST(0 AS BIGINT) FROM partner_statement m \
       WHERE m.confirmed_by IS NOT NULL AND (m.status <> 'confirmed' OR NOT EXISTS (SELECT 1 FROM decision d \
         WHERE d.target_type = 'partner_statement' AND d.target_id = m.id AND d.action = 'confirm_partner_statement' \
           AND d.status = 'approved' AND d.checker_id = m.confirmed_by))",
    // Approved corrections against their items, and items against their corrections.
    "SELECT CAST(0 AS BIGINT), 'partner', j.id, COALESCE(i.amount_cents, 0), j.amount_cents FROM partner_adjustment j \
       LEFT JOIN partner_item i ON i.idem_key = 'adjust-' || CAST(j.id AS TEXT) \
       WHERE j.status = 'approved' AND (i.id IS NULL OR i.kind <> 'adjust' OR i.amount_cents <> j.amount_cents \
         OR i.channel_id <> j.channel_id OR (j.on_next = 0 AND COALESCE(i.statement_id, 0) <> j.statement_id) \
         OR (j.on_next <> 0 AND i.statement_id <= j.statement_id))",
    "SELECT CAST(0 AS BIGINT), 'partner', i.id, i.amount_cents, CAST(0 AS BIGINT) FROM partner_item i \
       LEFT JOIN partner_adjustment j ON i.idem_key = 'adjust-' || CAST(j.id AS TEXT) AND j.status = 'approved' \
       WHERE i.kind = 'adjust' AND j.id IS NULL",
    // Requested and paid amounts of statements against their payouts, and payouts against their statements.
    "SELECT CAST(0 AS BIGINT), 'payout', m.id, m.asked_cents, COALESCE(s.asked, 0) FROM partner_statement m LEFT JOIN \
         (SELECT w.statement_id, CAST(SUM(w.amount_cents) AS BIGINT) AS asked, SUM(w.tax_cents) AS tax, \
             SUM(CASE w.status WHEN 'paid' THEN w.amount_cents ELSE 0 END) AS paid FROM partner_payout w \
           WHERE w.status IN ('waiting', 'approved', 'paid') GROUP BY w.statement_id) s ON s.statement_id = m.id \
       WHERE m.asked_cents <> COALESCE(s.asked, 0) OR m.asked_tax_cents <> COALESCE(s.tax, 0) OR m.paid_cents <> COALESCE(s.paid, 0)",
    "SELECT CAST(0 AS BIGINT), 'payout', w.id, m.channel_id, w.channel_id FROM partner_payout w \
       JOIN partner_statement m ON m.id = w.statement_id WHERE m.channel_id <> w.channel_id \
       OR (w.status IN ('waiting', 'approved', 'paid') AND m.status <> 'confirmed')",
    // Amounts that statements count as paid since the one before, less returns, against the payouts of each.
    "SELECT CAST(0 AS BIGINT), 'payout', m.id, m.settled_cents, COALESCE(s.cents, 0) FROM partner_statement m LEFT JOIN \
         (SELECT k.statement_id, CAST(SUM(k.cents) AS BIGINT) AS cents FROM ( \
             SELECT w.counted_on_id AS statement_id, w.amount_cents + w.tax_cents AS cents FROM partner_payout w WHERE w.counted_on_id IS NOT NULL \
             UNION ALL SELECT w.return_counted_on_id, -(w.amount_cents + w.tax_cents) FROM partner_payout w \
               WHERE w.return_counted_on_id IS NOT NULL) k GROUP BY k.statement_id) s ON s.statement_id = m.id \
       WHERE m.settled_cents <> COALESCE(s.cents, 0)",
    // A payout is counted on statements of its channel, as returned not before it is counted as paid.
    "SELECT CAST(0 AS BIGINT), 'payout', w.id, m.channel_id, w.channel_id FROM partner_payout w \
       JOIN partner_statement m ON m.id IN (w.counted_on_id, w.return_counted_on_id) WHERE m.channel_id <> w.channel_id",
    "SELECT CAST(0 AS BIGINT), 'payout', w.id, CAST(0 AS BIGINT), CAST(1 AS BIGINT) FROM partner_payout w \
       JOIN partner_statement m ON m.id = w.counted_on_id JOIN partner_statement b ON b.id = w.return_counted_on_id WHERE b.month < m.month",
    // The person who entered a payment has not entered that it was returned.
    "SELECT CAST(0 AS BIGINT), 'payout', w.id, CAST(0 AS BIGINT), CAST(1 AS BIGINT) FROM partner_payout w \
       WHERE w.status = 'returned' AND (w.returned_by IS NULL OR w.returned_by = w.paid_by)",
];
