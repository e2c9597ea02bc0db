//! The queries on the books of partners and of visits: each cost of a channel has its item, each share its confirmed
//! money, and each booked day its charges. Amounts from before there were items are checked once all of them are
//! entered.

/// Costs that are noted but not added up yet have no item so far.
pub const QUESTIONS: &[&str] = &[
    // Costs against items, and items against costs.
    "SELECT CAST(0 AS BIGINT), 'partner', COALESCE(i.id, e.about), COALESCE(i.amount_cents, 0), COALESCE(e.cents, 0) FROM ( \
         SELECT 'registered-' || CAST(a.id AS TEXT) AS idem_key, 'registered' AS kind, a.id AS about, a.id AS user_id, a.channel_id, \
           a.channel_cost_cents AS cents FROM applicant a WHERE a.channel_cost_cents <> 0 AND a.test = 0 \
         UNION ALL SELECT 'sold-' || CAST(k.user_id AS TEXT), 'sold', k.push_id, k.user_id, h.channel_id, k.cost_cents FROM lead_cost k \
           JOIN push_record h ON h.id = k.push_id WHERE k.cost_cents <> 0 AND h.test = 0 \
         UNION ALL SELECT 'returned-' || CAST(k.user_id AS TEXT), 'returned', k.charged_push_id, k.user_id, h.channel_id, -k.charged_cents \
           FROM lead_cost k JOIN push_record h ON h.id = k.charged_push_id WHERE k.charged_cents <> 0 AND h.test = 0 \
         UNION ALL SELECT 'share-' || CAST(g.money_id AS TEXT), 'share', g.money_id, g.user_id, g.channel_id, g.cents FROM loan_share g \
         UNION ALL SELECT 'share-back-' || CAST(g.money_id AS TEXT), 'share_back', g.money_id, g.user_id, g.channel_id, -g.cents \
           FROM loan_share g WHERE g.back_at IS NOT NULL) e \
       FULL JOIN (SELECT p.* FROM partner_item p WHERE p.kind IN ('registered', 'sold', 'returned', 'share', 'share_back')) i \
         ON i.idem_key = e.idem_key \
       WHERE (i.id IS NULL OR e.idem_key IS NULL OR i.amount_cents <> e.cents OR i.channel_id <> e.channel_id OR i.kind <> e.kind \
           OR COALESCE(i.user_id, 0) <> e.user_id) \
         AND NOT EXISTS (SELECT 1 FROM lead_event w WHERE w.user_id = COALESCE(e.user_id, i.user_id) AND w.cost_cents <> 0) \
         AND EXISTS (SELECT 1 FROM partner_progress WHERE source = 'done')",
    // Shares of loans against confirmed money, and confirmed money against shares.
    "SELECT m.org_id, 'share', m.id, g.cents, CASE WHEN m.status IN ('confirmed', 'void') THEN (COALESCE(m.loan_cents, 0) * g.share_bp + 5000) / 10000 \
         ELSE 0 END FROM loan_share g JOIN money_record m ON m.id = g.money_id JOIN clue c ON c.id = m.clue_id JOIN applicant u ON u.id = g.user_id \
       WHERE m.status NOT IN ('confirmed', 'void') OR m.deleted_at IS NOT NULL OR (m.status = 'void' AND g.back_at IS NULL) \
         OR (m.status = 'confirmed' AND g.back_at IS NOT NULL) OR COALESCE(c.channel_id, 0) <> g.channel_id OR c.user_id <> g.user_id \
         OR g.cents <> (COALESCE(m.loan_cents, 0) * g.share_bp + 5000) / 10000 OR COALESCE(u.share_bp, g.share_bp) <> g.share_bp",
    "SELECT m.org_id, 'share', m.id, CAST(0 AS BIGINT), (m.loan_cents * u.share_bp + 5000) / 10000 FROM money_record m \
       JOIN clue c ON c.id = m.clue_id JOIN applicant u ON u.id = c.user_id LEFT JOIN loan_share g ON g.money_id = m.id \
       WHERE m.status = 'confirmed' AND m.deleted_at IS NULL AND m.loan_cents * u.share_bp >= 5000 AND c.channel_id IS NOT NULL \
         AND c.test = 0 AND u.test = 0 AND g.money_id IS NULL AND EXISTS (SELECT 1 FROM partner_progress WHERE source = 'done')",
    // Charges of visits against entries, and entries against charges.
    "SELECT v.org_id, 'visits', v.id, COALESCE(l.amount_cents, 0), -v.amount_cents FROM visit_charge v \
       LEFT JOIN account_ledger l ON l.idem_key = 'visit-org-' || CAST(v.org_id AS TEXT) || '-' || v.day \
       LEFT JOIN org_account a ON a.id = l.account_id \
       WHERE l.id IS NULL OR l.type <> 'visit_charge' OR l.amount_cents <> -v.amount_cents OR a.org_id <> v.org_id",
    "SELECT COALESCE(a.org_id, 0), 'visits', l.ref_id, l.amount_cents, CAST(0 AS BIGINT) FROM account_ledger l \
       LEFT JOIN org_account a ON a.id = l.account_id LEFT JOIN visit_charge v ON v.id = l.ref_id \
       WHERE (l.type = 'visit_charge' OR l.ref_type = 'visit_charge') AND (v.id IS NULL OR l.type <> 'visit_charge' OR l.ref_type <> 'visit_charge' \
         OR l.idem_key <> 'visit-org-' || CAST(v.org_id AS TEXT) || '-' || v.day)",
    // Booked days against the charges and items of their visits, and items against booked days.
    "SELECT CAST(0 AS BIGINT), 'visits', CAST(NULL AS BIGINT), b.org_cents, COALESCE(v.cents, 0) FROM visit_booking b \
       LEFT JOIN (SELECT day, CAST(SUM(amount_cents) AS BIGINT) AS cents FROM visit_charge GROUP BY day) v ON v.day = b.day \
       WHERE b.org_cents <> COALESCE(v.cents, 0)",
    "SELECT CAST(0 AS BIGINT), 'visits', CAST(NULL AS BIGINT), COALESCE(i.cents, 0), COALESCE(b.partner_cents, 0) FROM visit_booking b \
       FULL JOIN (SELECT day, CAST(SUM(amount_cents) AS BIGINT) AS cents FROM partner_item WHERE kind = 'visit' GROUP BY day) i \
         ON i.day = b.day WHERE COALESCE(i.cents, 0) <> COALESCE(b.partner_cents, 0) OR b.day IS NULL",
];
