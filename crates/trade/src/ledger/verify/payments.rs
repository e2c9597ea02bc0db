//! The queries on payment orders, their refunds and exceptions, on reconciled days, monthly statements and closed
//! months.

use base::db::{Engine, Sql};

/// Each returns rows of `org_id, what, id, found, expected`, like the other queries of the check.
pub const QUESTIONS: &[&str] = &[
    // An order has an amount that came in if, and only if, it is paid, and its status says what is back with the payer.
    "SELECT r.org_id, 'payment', r.id, COALESCE(r.paid_cents, 0), r.amount_cents FROM payment_order r \
       WHERE CASE WHEN r.status IN ('success', 'part_refunded', 'refunded') THEN 1 ELSE 0 END <> CASE WHEN r.paid_cents IS NULL THEN 0 ELSE 1 END",
    "SELECT r.org_id, 'payment', r.id, r.refunded_cents, r.paid_cents FROM payment_order r \
       WHERE r.status IN ('success', 'part_refunded', 'refunded') \
       AND r.status <> CASE WHEN r.refunded_cents = 0 THEN 'success' WHEN r.refunded_cents = r.paid_cents THEN 'refunded' ELSE 'part_refunded' END",
    // Paid recharges against what was credited for them, and the other way.
    "SELECT r.org_id, 'payment', r.id, COALESCE(c.amount_cents, 0), r.paid_cents FROM payment_order r \
       LEFT JOIN recharge c ON c.payment_order_id = r.id WHERE r.biz_type = 'recharge' AND r.paid_cents IS NOT NULL \
       AND (c.id IS NULL OR c.amount_cents <> r.paid_cents OR c.org_id <> r.org_id OR c.status <> 'credited' OR c.receipt_id IS NOT NULL)",
    "SELECT c.org_id, 'payment', r.id, c.amount_cents, CAST(0 AS BIGINT) FROM recharge c JOIN payment_order r ON r.id = c.payment_order_id \
       WHERE r.biz_type <> 'recharge' OR r.paid_cents IS NULL",
    // Paid service fees against the money of their clues, and the other way.
    "SELECT r.org_id, 'payment', r.id, CAST(COALESCE(m.came_in, 0) AS BIGINT), r.paid_cents FROM payment_order r \
       LEFT JOIN fees m ON m.payment_order_id = r.id \
       WHERE r.biz_type = 'service_fee' AND r.clue_id IS NOT NULL AND r.paid_cents IS NOT NULL AND COALESCE(m.came_in, 0) <> r.paid_cents",
    "SELECT r.org_id, 'refunded', r.id, CAST(COALESCE(m.went_back, 0) AS BIGINT), r.refunded_cents FROM payment_order r \
       LEFT JOIN fees m ON m.payment_order_id = r.id \
       WHERE r.biz_type = 'service_fee' AND r.clue_id IS NOT NULL AND COALESCE(m.went_back, 0) <> r.refunded_cents",
    "SELECT r.org_id, 'payment', r.id, CAST(COALESCE(m.came_in, 0) AS BIGINT), CAST(0 AS BIGINT) FROM fees m \
       JOIN payment_order r ON r.id = m.payment_order_id WHERE r.biz_type <> 'service_fee' OR r.clue_id IS NULL OR r.paid_cents IS NULL",
    // An order against its refunds.
    "SELECT r.org_id, 'refunded', r.id, r.refunded_cents, CAST(COALESCE(b.made, 0) AS BIGINT) FROM payment_order r \
       LEFT JOIN refunds b ON b.payment_order_id = r.id WHERE r.refunded_cents <> COALESCE(b.made, 0)",
    "SELECT r.org_id, 'refunded', r.id, r.refunding_cents, CAST(COALESCE(b.asked, 0) AS BIGINT) FROM payment_order r \
       LEFT JOIN refunds b ON b.payment_order_id = r.id WHERE r.refunding_cents <> COALESCE(b.asked, 0)",
    // Refunds of recharges against the entries that take them out of the account and bring them back, and the other way.
    "SELECT r.org_id, 'refunded', b.id, COALESCE(l.amount_cents, 0), -b.amount_cents FROM payment_refund b \
       JOIN payment_order r ON r.id = b.payment_order_id AND r.biz_type = 'recharge' \
       LEFT JOIN account_ledger l ON l.idem_key = 'payment-refund-' || CAST(b.id AS TEXT) || '-made' LEFT JOIN org_account a ON a.id = l.account_id \
       WHERE b.status IN ('processing', 'success', 'failed') \
       AND (l.id IS NULL OR l.type <> 'reversal' OR l.amount_cents <> -b.amount_cents OR a.org_id <> r.org_id)",
    "SELECT r.org_id, 'refunded', b.id, COALESCE(l.amount_cents, 0), b.amount_cents FROM payment_refund b \
       JOIN payment_order r ON r.id = b.payment_order_id AND r.biz_type = 'recharge' \
       LEFT JOIN account_ledger l ON l.idem_key = 'payment-refund-' || CAST(b.id AS TEXT) || '-failed' LEFT JOIN org_account a ON a.id = l.account_id \
       WHERE b.status = 'failed' AND (l.id IS NULL OR l.type <> 'reversal' OR l.amount_cents <> b.amount_cents OR a.org_id <> r.org_id)",
    "SELECT COALESCE(a.org_id, 0), 'refunded', l.ref_id, l.amount_cents, CAST(0 AS BIGINT) FROM account_ledger l \
       LEFT JOIN org_account a ON a.id = l.account_id LEFT JOIN payment_refund b ON b.id = l.ref_id \
       LEFT JOIN payment_order r ON r.id = b.payment_order_id \
       WHERE l.ref_type = 'payment_refund' AND (b.id IS NULL OR r.biz_type <> 'recharge' OR b.status NOT IN ('processing', 'success', 'failed') \
         OR (l.amount_cents > 0 AND b.status <> 'failed') \
         OR l.idem_key <> 'payment-refund-' || CAST(b.id AS TEXT) || CASE WHEN l.amount_cents < 0 THEN '-made' ELSE '-failed' END)",
    // Refunds that were made against outgoing payments, and outgoing payments against the refunds that they made.
    "SELECT r.org_id, 'outgoing', b.id, COALESCE(x.amount_cents, 0), b.amount_cents FROM payment_refund b \
       JOIN payment_order r ON r.id = b.payment_order_id \
       LEFT JOIN outgoing_payment x ON x.source_table = 'payment_refund' AND x.source_id = b.id \
       WHERE b.status = 'success' AND (x.id IS NULL OR COALESCE(x.org_id, 0) <> r.org_id OR x.amount_cents <> b.amount_cents)",
    "SELECT m.org_id, 'outgoing', m.id, COALESCE(x.amount_cents, 0), m.amount_cents FROM money_record m \
       LEFT JOIN outgoing_payment x ON x.source_table = 'money_record' AND x.source_id = m.id \
       WHERE m.type = 'refund' AND m.status = 'confirmed' AND m.payment_order_id IS NULL AND m.deleted_at IS NULL \
       AND (x.id IS NULL OR COALESCE(x.org_id, 0) <> m.org_id OR x.amount_cents <> m.amount_cents)",
    "SELECT COALESCE(x.org_id, 0), 'outgoing', x.source_id, x.amount_cents, CAST(0 AS BIGINT) FROM outgoing_payment x \
       LEFT JOIN payment_refund b ON x.source_table = 'payment_refund' AND b.id = x.source_id AND b.status = 'success' \
         AND b.amount_cents = x.amount_cents \
       LEFT JOIN payment_order r ON r.id = b.payment_order_id AND r.org_id = x.org_id \
       LEFT JOIN money_record m ON x.source_table = 'money_record' AND m.id = x.source_id AND m.type = 'refund' AND m.status = 'confirmed' \
         AND m.payment_order_id IS NULL AND m.deleted_at IS NULL AND m.org_id = x.org_id AND m.amount_cents = x.amount_cents \
       LEFT JOIN partner_payout w ON x.source_table = 'partner_payout' AND w.id = x.source_id AND w.status IN ('paid', 'returned') \
         AND w.amount_cents = x.amount_cents AND w.payee_org_id = x.payee_org_id AND COALESCE(w.bank_number, '') = COALESCE(x.number, '') \
         AND w.paid_at = x.paid_at \
       WHERE r.id IS NULL AND m.id IS NULL AND w.id IS NULL",
    "SELECT CAST(0 AS BIGINT), 'outgoing', w.id, COALESCE(x.amount_cents, 0), w.amount_cents FROM partner_payout w \
       LEFT JOIN outgoing_payment x ON x.source_table = 'partner_payout' AND x.source_id = w.id \
       WHERE w.status IN ('paid', 'returned') AND (x.id IS NULL OR x.amount_cents <> w.amount_cents \
         OR COALESCE(x.payee_org_id, 0) <> w.payee_org_id OR COALESCE(x.number, '') <> COALESCE(w.bank_number, '') \
         OR x.paid_at <> COALESCE(w.paid_at, 0) OR COALESCE(x.returned_at, 0) <> COALESCE(w.returned_at, 0))",
    // An exception that was accepted is the payment of its order.
    "SELECT COALESCE(r.org_id, 0), 'exception', x.id, COALESCE(r.paid_cents, 0), x.amount_cents FROM payment_exception x \
       LEFT JOIN payment_order r ON r.id = x.payment_order_id \
       WHERE x.resolution = 'accepted' AND (r.paid_cents IS NULL OR r.paid_cents <> x.amount_cents OR r.channel_order_no <> x.channel_order_no)",
    "SELECT COALESCE(r.org_id, 0), 'exception', x.id, CASE WHEN x.resolution IS NULL THEN 0 ELSE 1 END, CASE x.status WHEN 'settled' THEN 1 ELSE 0 END \
       FROM payment_exception x LEFT JOIN payment_order r ON r.id = x.payment_order_id \
       WHERE CASE WHEN x.resolution IS NULL THEN 0 ELSE 1 END <> CASE x.status WHEN 'settled' THEN 1 ELSE 0 END",
    // A reconciled day against the lines of its statement and, once it is closed, against the payments and refunds
    // dated into it. Older versions kept no lines and closed days that changed afterwards.
    "SELECT CAST(0 AS BIGINT), 'day', d.id, d.their_cents, t.cents FROM payment_statement d JOIN lines t ON t.payment_statement_id = d.id \
       WHERE d.their_count <> t.number OR d.their_cents <> t.cents",
    "SELECT CAST(0 AS BIGINT), 'day', d.id, d.our_cents, COALESCE(k.cents, 0) FROM payment_statement d \
       JOIN lines t ON t.payment_statement_id = d.id LEFT JOIN booked k ON k.payee_channel_id = d.payee_channel_id AND k.day = d.day \
       WHERE d.status = 'closed' AND (d.our_count <> COALESCE(k.number, 0) OR d.our_cents <> COALESCE(k.cents, 0))",
    "SELECT CAST(0 AS BIGINT), 'day', d.id, CAST(1 AS BIGINT), CAST(0 AS BIGINT) FROM payment_statement d WHERE d.status = 'closed' \
       AND EXISTS (SELECT 1 FROM payment_difference f WHERE f.payment_statement_id = d.id AND f.status = 'open')",
    // A statement against the entries of its month and the statement before it.
    "SELECT m.org_id, 'statement', m.id, m.closing_cents, CAST(m.closing_before + m.cents AS BIGINT) FROM statements m \
       WHERE m.opening_cents <> m.closing_before OR m.closing_cents <> m.closing_before + m.cents OR m.entries <> m.number \
       OR m.recharge_cents <> m.came_in OR m.gift_cents <> m.given OR m.adjust_cents <> m.adjusted OR m.spend_cents <> m.spent \
       OR m.refund_cents <> m.refunded",
    // A month ends between two entries.
    "SELECT m.org_id, 'statement', m.id, m.closing_seq, CASE WHEN n.at < m.ends_at THEN n.seq ELSE m.closing_seq - 1 END FROM spans m \
       LEFT JOIN account_ledger l ON l.account_id = m.account_id AND l.seq = m.closing_seq \
       LEFT JOIN account_ledger n ON n.account_id = m.account_id AND n.seq = m.closing_seq + 1 \
       WHERE n.at < m.ends_at OR (m.closing_seq > m.opening_seq AND l.at >= m.ends_at)",
    "SELECT a.org_id, 'statement', CAST(NULL AS BIGINT), CAST(0 AS BIGINT), CAST(1 AS BIGINT) FROM org_account a CROSS JOIN closed_month c \
       WHERE EXISTS (SELECT 1 FROM account_ledger l WHERE l.account_id = a.id AND l.at < c.ends_at) \
       AND NOT EXISTS (SELECT 1 FROM org_statement m WHERE m.org_id = a.org_id AND m.month = c.month)",
    // Months are closed one after the other; each statement is of a closed one.
    "SELECT CAST(0 AS BIGINT), 'month', CAST(NULL AS BIGINT), c.number, c.number_before + 1 FROM (SELECT number, \
         LAG(number, 1, number - 1) OVER (ORDER BY number) AS number_before FROM months) c WHERE c.number <> c.number_before + 1",
    "SELECT m.org_id, 'month', m.id, CAST(0 AS BIGINT), CAST(1 AS BIGINT) FROM org_statement m \
       WHERE NOT EXISTS (SELECT 1 FROM closed_month c WHERE c.month = m.month)",
    // A month ends where the next month of the calendar begins.
    "SELECT CAST(0 AS BIGINT), 'month', CAST(NULL AS BIGINT), c.ends_at, c.next_begins_at FROM calendar c WHERE c.ends_at <> c.next_begins_at",
];

/// Appends the common table expressions of several queries.
pub fn push_sources(sql: &mut Sql, engine: Engine) {
    let day = match engine {
        Engine::Sqlite => "date(k.at / 1000, 'unixepoch', '+8 hours')",
        Engine::Postgres => "to_char(to_timestamp(k.at / 1000) AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD')",
    };
    let next_month = match engine {
        Engine::Sqlite => "CAST(strftime('%s', printf('%04d-%02d-01', m.number / 12, m.number % 12 + 1), '-8 hours') AS BIGINT) * 1000",
        Engine::Postgres => {
            "CAST(EXTRACT(EPOCH FROM make_timestamptz(CAST(m.number / 12 AS INT), CAST(m.number % 12 + 1 AS INT), 1, 0, 0, 0, \
               'Asia/Shanghai')) AS BIGINT) * 1000"
        }
    };
    sql.push(SOURCES).push(", calendar AS (SELECT m.ends_at, ").push(next_month).push(" AS next_begins_at FROM months m)");
    sql.push(", booked AS (SELECT k.payee_channel_id, ").push(day).push(BOOKED);
}

/// The payments and refunds of a channel and a day, for which the expression stands before it.
const BOOKED: &str = " AS day, COUNT(*) AS number, CAST(SUM(k.cents) AS BIGINT) AS cents FROM ( \
         SELECT r.payee_channel_id, r.paid_at AS at, r.paid_cents AS cents FROM payment_order r WHERE r.paid_cents IS NOT NULL \
         UNION ALL SELECT r.payee_channel_id, b.done_at, -b.amount_cents FROM payment_refund b \
           JOIN payment_order r ON r.id = b.payment_order_id WHERE b.status = 'success') k GROUP BY 1, 2) ";

/// The sums of a statement walk each entry once.
const SOURCES: &str = ", fees AS (SELECT m.payment_order_id, SUM(CASE WHEN m.type = 'refund' THEN 0 ELSE m.amount_cents END) AS came_in, \
         SUM(CASE WHEN m.type = 'refund' THEN m.amount_cents ELSE 0 END) AS went_back FROM money_record m \
       WHERE m.payment_order_id IS NOT NULL AND m.deleted_at IS NULL AND m.status IN ('confirmed', 'void') GROUP BY m.payment_order_id), \
     refunds AS (SELECT b.payment_order_id, SUM(CASE WHEN b.status = 'success' THEN b.amount_cents ELSE 0 END) AS made, \
         SUM(b.amount_cents) AS asked FROM payment_refund b WHERE b.status IN ('pending', 'processing', 'success') GROUP BY b.payment_order_id), \
     months AS (SELECT c.month, CAST(substr(c.month, 1, 4) AS BIGINT) * 12 + CAST(substr(c.month, 6, 2) AS BIGINT) AS number, c.ends_at, \
         LAG(c.ends_at, 1, CAST(0 AS BIGINT)) OVER (ORDER BY c.ends_at) AS begins_at FROM closed_month c), \
     spans AS (SELECT m.id, m.org_id, a.id AS account_id, c.ends_at, \
         COALESCE(LAG(m.last_seq) OVER (PARTITION BY m.org_id ORDER BY m.month), \
           (SELECT MAX(l.seq) FROM account_ledger l WHERE l.account_id = a.id AND l.at < c.begins_at), 0) AS opening_seq, \
         COALESCE(m.last_seq, (SELECT MAX(l.seq) FROM account_ledger l WHERE l.account_id = a.id AND l.at < c.ends_at), 0) AS closing_seq \
       FROM org_statement m JOIN months c ON c.month = m.month JOIN org_account a ON a.org_id = m.org_id), \
     lines AS (SELECT t.payment_statement_id, COUNT(*) AS number, \
         CAST(SUM(CASE t.direction WHEN 'refund' THEN -t.cents ELSE t.cents END) AS BIGINT) AS cents \
       FROM payment_statement_line t GROUP BY t.payment_statement_id), \
     statements AS (SELECT m.id, m.org_id, m.opening_cents, m.recharge_cents, m.gift_cents, m.adjust_cents, m.spend_cents, m.refund_cents, \
         m.closing_cents, m.entries, COALESCE(s.number, 0) AS number, COALESCE(s.cents, 0) AS cents, COALESCE(s.came_in, 0) AS came_in, \
         COALESCE(s.given, 0) AS given, COALESCE(s.adjusted, 0) AS adjusted, COALESCE(s.spent, 0) AS spent, COALESCE(s.refunded, 0) AS refunded, \
         LAG(m.closing_cents, 1, CAST(0 AS BIGINT)) OVER (PARTITION BY m.org_id ORDER BY m.month) AS closing_before \
       FROM org_statement m LEFT JOIN (SELECT n.id, COUNT(*) AS number, SUM(l.amount_cents) AS cents, \
           SUM(CASE WHEN l.type = 'recharge' OR (l.type = 'reversal' AND l.gift_part_cents = 0) THEN l.amount_cents ELSE 0 END) AS came_in, \
           SUM(CASE WHEN l.type = 'gift' OR (l.type = 'reversal' AND l.gift_part_cents <> 0) THEN l.amount_cents ELSE 0 END) AS given, \
           SUM(CASE WHEN l.type IN ('adjust_up', 'adjust_down') THEN l.amount_cents ELSE 0 END) AS adjusted, \
           SUM(CASE WHEN l.type IN ('lead_sale', 'visit_charge') THEN -l.amount_cents ELSE 0 END) AS spent, \
           SUM(CASE WHEN l.type = 'refund' THEN l.amount_cents ELSE 0 END) AS refunded \
         FROM spans n JOIN account_ledger l ON l.account_id = n.account_id AND l.seq > n.opening_seq AND l.seq <= n.closing_seq GROUP BY n.id) s ON s.id = m.id)";
