//! The check of the books: every account equals the sum of its entries, each entry follows from the one before it,
//! entries, transfers, leads, receipts, payments, statements, partners' items and caps agree, each payment is
//! credited or made by one record, and no account is past its bound.

mod journal;
mod partner_statements;
mod partners;
mod payments;

use sqlx::Row;

use crate::ledger::chain;
use crate::ledger::chain::seal::Seals;
use base::db::{Db, Engine, Sql};

/// A contradiction in the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discrepancy {
    /// 0 if it is not known.
    pub org_id: i64,
    /// One of [`KINDS`].
    pub what: &'static str,
    /// The row concerned: an entry, a push, a receipt, a payment, a cap; none if it is only the account or the seals.
    pub id: Option<i64>,
    /// The value found, and the expected one.
    pub found: i64,
    pub expected: i64,
}

/// The kinds of contradictions, with their labels.
pub const KINDS: &[(&str, &str)] = &[
    ("account", "entries or sales without an account"),
    ("balance", "balance against the sum of the entries"),
    ("seq", "number of an entry against the one before it"),
    ("chain", "hash of an entry against what it says"),
    ("seal", "sealed entries against the entries from before hashes had a key"),
    ("gift", "gifts against the entries"),
    ("adjust", "total adjusted against the entries"),
    ("running", "balance after an entry against the one before it"),
    ("spend", "total spent against the entries"),
    ("recharge", "total received against the entries"),
    ("frozen", "amount on hold against the leads in delivery"),
    ("held", "hold of a lead against its status"),
    ("sale", "sold lead against the entry of its price"),
    ("refund", "returned lead against the entry of its refund"),
    ("receipt", "receipt against its entries"),
    ("credit", "recharge or adjustment against its entries"),
    ("payment", "payment order against what it credited"),
    ("refunded", "refunds of a payment order against it and their entries"),
    ("exception", "accepted payment exception against its order"),
    ("day", "reconciled day against its lines and the payments dated into it"),
    ("statement", "monthly statement against the entries"),
    ("month", "closed month against the calendar, the one before it and the statements"),
    ("incoming", "incoming payment against the receipt, the recharge or the payment order that credits it, or the returned payout"),
    ("outgoing", "outgoing payment against the refund or the payout that it made"),
    ("journal", "transfer of the journal against what it was booked for"),
    ("bound", "account of the journal that is past its bound"),
    ("partner", "item or statement of a channel against what it is for"),
    ("payout", "payouts of a channel against its statements"),
    ("share", "share of a loan against the confirmed money"),
    ("visits", "booked visits of a day against their entries and items"),
    ("checkpoint", "checkpoint of the journal against the transfers before it"),
    ("invoice", "amount invoiced against the invoices and the red-letter invoices"),
    ("cap", "cap count against the leads counted"),
];

/// The label of a kind.
pub fn words(what: &str) -> &'static str {
    KINDS.iter().find(|(kind, _)| *kind == what).map_or("", |(_, words)| words)
}

/// The most contradictions of one kind that are reported.
pub const MOST: i64 = 100;

/// Every query returns rows of `org_id, what, id, found, expected`. All of them are one statement, whose figures
/// belong to one moment; each walks an index or streams through a join, whatever the number of entries.
const QUESTIONS: &[&str] = &[
    // Accounts that are missing.
    "SELECT CAST(0 AS BIGINT), 'account', l.account_id, COUNT(*), CAST(0 AS BIGINT) FROM account_ledger l \
       LEFT JOIN org_account a ON a.id = l.account_id WHERE a.id IS NULL GROUP BY l.account_id",
    "SELECT o.id, 'account', CAST(NULL AS BIGINT), CAST(1 AS BIGINT), CAST(0 AS BIGINT) FROM organisation o \
       WHERE NOT EXISTS (SELECT 1 FROM org_account a WHERE a.org_id = o.id) \
       AND (EXISTS (SELECT 1 FROM push_record h WHERE h.org_id = o.id AND h.held_cents <> 0) \
         OR EXISTS (SELECT 1 FROM push_record h WHERE h.org_id = o.id AND h.test = 0 AND h.status IN ('accepted', 'returned')))",
    // Accounts against the sums of their entries.
    "SELECT org_id, 'balance', CAST(NULL AS BIGINT), balance_cents, entries FROM books WHERE balance_cents <> entries",
    "SELECT org_id, 'seq', CAST(NULL AS BIGINT), seq, number FROM books WHERE seq <> number",
    "SELECT org_id, 'spend', CAST(NULL AS BIGINT), total_spend_cents, spent FROM books WHERE total_spend_cents <> spent",
    "SELECT org_id, 'recharge', CAST(NULL AS BIGINT), total_recharge_cents, came_in FROM books WHERE total_recharge_cents <> came_in",
    "SELECT org_id, 'adjust', CAST(NULL AS BIGINT), total_adjust_cents, adjusted FROM books WHERE total_adjust_cents <> adjusted",
    "SELECT org_id, 'gift', CAST(NULL AS BIGINT), gift_cents, gifts FROM books WHERE gift_cents <> gifts",
    "SELECT org_id, 'gift', CAST(NULL AS BIGINT), total_gift_cents, given FROM books WHERE total_gift_cents <> given",
    "SELECT org_id, 'gift', CAST(NULL AS BIGINT), spent_gift_cents, gifts_spent FROM books WHERE spent_gift_cents <> gifts_spent",
    "SELECT org_id, 'frozen', CAST(NULL AS BIGINT), frozen_cents, held FROM books WHERE frozen_cents <> held",
    "SELECT org_id, 'frozen', CAST(NULL AS BIGINT), frozen_gift_cents, held_gift FROM books WHERE frozen_gift_cents <> held_gift",
    // Each entry against the one before it: in the order of an index, so that earlier ones need no memory.
    "SELECT a.org_id, CASE WHEN k.seq = k.seq_before + 1 THEN 'running' ELSE 'seq' END, k.id, \
       CASE WHEN k.seq = k.seq_before + 1 THEN k.balance_after_cents ELSE k.seq END, \
       CASE WHEN k.seq = k.seq_before + 1 THEN k.cents_before + k.amount_cents ELSE k.seq_before + 1 END \
     FROM (SELECT l.id, l.account_id, l.seq, l.amount_cents, l.balance_after_cents, \
         LAG(l.seq, 1, CAST(0 AS BIGINT)) OVER (PARTITION BY l.account_id ORDER BY l.seq) AS seq_before, \
         LAG(l.balance_after_cents, 1, CAST(0 AS BIGINT)) OVER (PARTITION BY l.account_id ORDER BY l.seq) AS cents_before \
       FROM account_ledger l) k JOIN org_account a ON a.id = k.account_id \
     WHERE k.seq <> k.seq_before + 1 OR k.balance_after_cents <> k.cents_before + k.amount_cents",
    // Leads against entries, and entries against leads. A test lead has none.
    "SELECT h.org_id, 'held', h.id, h.held_cents, CAST(0 AS BIGINT) FROM push_record h WHERE h.held_cents <> 0 \
       AND (h.held_cents <> h.price_cents OR h.test = 1 OR h.status IN ('accepted', 'returned', 'rejected', 'duplicate', 'failed', 'cancelled'))",
    "SELECT h.org_id, 'sale', h.id, COALESCE(l.amount_cents, 0), -h.price_cents FROM push_record h \
       LEFT JOIN account_ledger l ON l.idem_key = 'push-' || CAST(h.id AS TEXT) || '-sold' LEFT JOIN org_account a ON a.id = l.account_id \
       WHERE h.status IN ('accepted', 'returned') AND h.test = 0 \
       AND (l.id IS NULL OR l.type <> 'lead_sale' OR l.amount_cents <> -h.price_cents OR a.org_id <> h.org_id)",
    "SELECT COALESCE(a.org_id, 0), 'sale', l.ref_id, l.amount_cents, CAST(0 AS BIGINT) FROM account_ledger l \
       LEFT JOIN org_account a ON a.id = l.account_id LEFT JOIN push_record h ON h.id = l.ref_id \
       WHERE l.type = 'lead_sale' AND l.ref_type = 'push_record' \
       AND (h.id IS NULL OR h.test = 1 OR h.status NOT IN ('accepted', 'returned') OR l.idem_key <> 'push-' || CAST(h.id AS TEXT) || '-sold')",
    "SELECT h.org_id, 'refund', h.id, COALESCE(l.amount_cents, 0), h.price_cents FROM push_record h \
       LEFT JOIN account_ledger l ON l.idem_key = 'push-' || CAST(h.id AS TEXT) || '-return' LEFT JOIN org_account a ON a.id = l.account_id \
       WHERE h.status = 'returned' AND h.test = 0 AND (l.id IS NULL OR l.type <> 'refund' OR l.amount_cents <> h.price_cents OR a.org_id <> h.org_id)",
    "SELECT COALESCE(a.org_id, 0), 'refund', l.ref_id, l.amount_cents, CAST(0 AS BIGINT) FROM account_ledger l \
       LEFT JOIN org_account a ON a.id = l.account_id LEFT JOIN push_record h ON h.id = l.ref_id \
       WHERE l.type = 'refund' AND l.ref_type = 'push_record' \
       AND (h.id IS NULL OR h.test = 1 OR h.status <> 'returned' OR l.idem_key <> 'push-' || CAST(h.id AS TEXT) || '-return')",
    // Receipts against entries, and entries against receipts.
    "SELECT r.org_id, 'receipt', r.id, COALESCE(l.amount_cents, 0), r.amount_cents FROM receipt r \
       LEFT JOIN account_ledger l ON l.idem_key = 'receipt-' || CAST(r.id AS TEXT) || '-confirmed' LEFT JOIN org_account a ON a.id = l.account_id \
       WHERE r.status IN ('confirmed', 'void') AND r.biz_type <> 'other' \
       AND (l.id IS NULL OR l.type <> 'recharge' OR l.amount_cents <> r.amount_cents OR a.org_id <> r.org_id)",
    "SELECT r.org_id, 'receipt', r.id, COALESCE(l.amount_cents, 0), -r.amount_cents FROM receipt r \
       LEFT JOIN account_ledger l ON l.idem_key = 'receipt-' || CAST(r.id AS TEXT) || '-void' LEFT JOIN org_account a ON a.id = l.account_id \
       WHERE r.status = 'void' AND r.biz_type <> 'other' \
       AND (l.id IS NULL OR l.type <> 'reversal' OR l.amount_cents <> -r.amount_cents OR a.org_id <> r.org_id)",
    "SELECT COALESCE(a.org_id, 0), 'receipt', l.ref_id, l.amount_cents, CAST(0 AS BIGINT) FROM account_ledger l \
       LEFT JOIN org_account a ON a.id = l.account_id LEFT JOIN receipt r ON r.id = l.ref_id \
       WHERE l.ref_type = 'receipt' AND (r.id IS NULL OR r.biz_type = 'other' OR r.status NOT IN ('confirmed', 'void') \
         OR (l.type = 'reversal' AND r.status <> 'void') \
         OR l.idem_key <> 'receipt-' || CAST(r.id AS TEXT) || CASE l.type WHEN 'reversal' THEN '-void' ELSE '-confirmed' END)",
    // Recharges against entries, and entries against recharges.
    "SELECT r.org_id, 'credit', r.id, COALESCE(l.amount_cents, 0), r.amount_cents FROM recharge r \
       LEFT JOIN account_ledger l ON l.idem_key = 'recharge-' || CAST(r.id AS TEXT) || '-credited' LEFT JOIN org_account a ON a.id = l.account_id \
       WHERE r.status = 'credited' AND r.receipt_id IS NULL \
       AND (l.id IS NULL OR l.type <> 'recharge' OR l.amount_cents <> r.amount_cents OR a.org_id <> r.org_id)",
    "SELECT r.org_id, 'credit', r.id, COALESCE(l.amount_cents, 0), r.gift_cents FROM recharge r \
       LEFT JOIN account_ledger l ON l.idem_key = 'recharge-' || CAST(r.id AS TEXT) || '-gift' LEFT JOIN org_account a ON a.id = l.account_id \
       WHERE r.status IN ('credited', 'reversed') AND r.gift_cents > 0 \
       AND (l.id IS NULL OR l.type <> 'gift' OR l.amount_cents <> r.gift_cents OR l.gift_part_cents <> r.gift_cents OR a.org_id <> r.org_id)",
    "SELECT r.org_id, 'credit', r.id, COALESCE(l.amount_cents, 0), -r.gift_cents FROM recharge r \
       LEFT JOIN account_ledger l ON l.idem_key = 'recharge-' || CAST(r.id AS TEXT) || '-gift-reversed' \
       WHERE r.status = 'reversed' AND r.gift_cents > 0 AND (l.id IS NULL OR l.amount_cents <> -r.gift_cents)",
    "SELECT r.org_id, 'credit', r.id, COALESCE(l.amount_cents, 0), -r.amount_cents FROM recharge r \
       JOIN account_ledger c ON c.idem_key = 'recharge-' || CAST(r.id AS TEXT) || '-credited' \
       LEFT JOIN account_ledger l ON l.idem_key = 'recharge-' || CAST(r.id AS TEXT) || '-reversed' \
       WHERE r.status = 'reversed' AND (l.id IS NULL OR l.type <> 'reversal' OR l.amount_cents <> -r.amount_cents)",
    "SELECT COALESCE(a.org_id, 0), 'credit', l.ref_id, l.amount_cents, CAST(0 AS BIGINT) FROM account_ledger l \
       LEFT JOIN org_account a ON a.id = l.account_id LEFT JOIN recharge r ON r.id = l.ref_id \
       WHERE l.ref_type = 'recharge' AND (r.id IS NULL OR r.status NOT IN ('credited', 'reversed') OR (l.type = 'reversal' AND r.status <> 'reversed') \
         OR l.idem_key <> 'recharge-' || CAST(r.id AS TEXT) || CASE WHEN l.type = 'gift' THEN '-gift' WHEN l.type = 'recharge' THEN '-credited' \
           WHEN l.gift_part_cents <> 0 THEN '-gift-reversed' ELSE '-reversed' END)",
    "SELECT r.org_id, 'credit', r.id, CAST(0 AS BIGINT), r.amount_cents FROM recharge r JOIN receipt t ON t.id = r.receipt_id \
       WHERE r.status = 'credited' AND (t.status <> 'confirmed' OR t.org_id <> r.org_id OR t.amount_cents <> r.amount_cents)",
    // Adjustments against entries, and entries against adjustments.
    "SELECT j.org_id, 'credit', j.id, COALESCE(l.amount_cents, 0), j.amount_cents FROM account_adjustment j \
       LEFT JOIN account_ledger l ON l.idem_key = 'adjustment-' || CAST(j.id AS TEXT) LEFT JOIN org_account a ON a.id = l.account_id \
       WHERE j.status = 'approved' AND (l.id IS NULL OR l.amount_cents <> j.amount_cents OR a.org_id <> j.org_id \
         OR l.gift_part_cents <> CASE j.part WHEN 'gift' THEN j.amount_cents ELSE 0 END)",
    "SELECT COALESCE(a.org_id, 0), 'credit', l.ref_id, l.amount_cents, CAST(0 AS BIGINT) FROM account_ledger l \
       LEFT JOIN org_account a ON a.id = l.account_id LEFT JOIN account_adjustment j ON j.id = l.ref_id \
       WHERE l.ref_type = 'account_adjustment' AND (j.id IS NULL OR j.status <> 'approved' OR l.idem_key <> 'adjustment-' || CAST(j.id AS TEXT))",
    // What credits a payment against incoming payments, and incoming payments against what credits them.
    "SELECT r.org_id, 'incoming', r.id, COALESCE(i.amount_cents, 0), r.amount_cents FROM receipt r \
       LEFT JOIN incoming_payment i ON i.source_table = 'receipt' AND i.source_id = r.id \
       WHERE r.status = 'confirmed' AND r.deleted_at IS NULL AND (i.id IS NULL OR COALESCE(i.org_id, 0) <> r.org_id OR i.amount_cents <> r.amount_cents)",
    "SELECT r.org_id, 'incoming', r.id, COALESCE(i.amount_cents, 0), r.amount_cents FROM recharge r \
       LEFT JOIN incoming_payment i ON i.source_table = 'recharge' AND i.source_id = r.id \
       WHERE r.status = 'credited' AND r.receipt_id IS NULL AND r.payment_order_id IS NULL \
       AND (i.id IS NULL OR COALESCE(i.org_id, 0) <> r.org_id OR i.amount_cents <> r.amount_cents)",
    "SELECT y.org_id, 'incoming', y.id, COALESCE(i.amount_cents, 0), COALESCE(y.paid_cents, 0) FROM payment_order y \
       LEFT JOIN incoming_payment i ON i.source_table = 'payment_order' AND i.source_id = y.id \
       WHERE y.status IN ('success', 'part_refunded', 'refunded') \
       AND (i.id IS NULL OR COALESCE(i.org_id, 0) <> y.org_id OR i.amount_cents <> COALESCE(y.paid_cents, 0))",
    "SELECT CAST(0 AS BIGINT), 'incoming', w.id, COALESCE(i.amount_cents, 0), w.amount_cents FROM partner_payout w \
       LEFT JOIN incoming_payment i ON i.source_table = 'partner_payout' AND i.source_id = w.id \
       WHERE w.status = 'returned' AND (i.id IS NULL OR i.amount_cents <> w.amount_cents OR i.payee_org_id <> w.payee_org_id \
         OR COALESCE(i.number, '') <> w.return_number)",
    "SELECT COALESCE(i.org_id, 0), 'incoming', i.source_id, i.amount_cents, CAST(0 AS BIGINT) FROM incoming_payment i \
       LEFT JOIN receipt t ON i.source_table = 'receipt' AND t.id = i.source_id \
         AND t.status = 'confirmed' AND t.deleted_at IS NULL AND t.org_id = i.org_id AND t.amount_cents = i.amount_cents \
       LEFT JOIN recharge r ON i.source_table = 'recharge' AND r.id = i.source_id AND r.status = 'credited' \
         AND r.receipt_id IS NULL AND r.payment_order_id IS NULL AND r.org_id = i.org_id AND r.amount_cents = i.amount_cents \
       LEFT JOIN payment_order y ON i.source_table = 'payment_order' AND y.id = i.source_id \
         AND y.status IN ('success', 'part_refunded', 'refunded') AND y.org_id = i.org_id AND y.paid_cents = i.amount_cents \
       LEFT JOIN partner_payout w ON i.source_table = 'partner_payout' AND w.id = i.source_id AND w.status = 'returned' \
         AND i.org_id IS NULL AND w.amount_cents = i.amount_cents \
       WHERE t.id IS NULL AND r.id IS NULL AND y.id IS NULL AND w.id IS NULL",
    // What counts as invoiced against the invoices, less the red-letter invoices that were issued.
    "SELECT v.org_id, 'invoice', v.payee_org_id, v.cents, COALESCE(c.cents, 0) FROM org_payee_invoiced v LEFT JOIN \
         (SELECT i.org_id, i.payee_org_id, CAST(SUM(CASE WHEN i.red_of_id IS NULL THEN i.amount_cents ELSE -i.amount_cents END) AS BIGINT) \
             AS cents FROM invoice i WHERE i.status IN ('issued', 'sent') OR (i.red_of_id IS NULL AND i.status IN ('waiting', 'approved')) \
           GROUP BY i.org_id, i.payee_org_id) c ON c.org_id = v.org_id AND c.payee_org_id = v.payee_org_id \
       WHERE v.cents <> COALESCE(c.cents, 0)",
    // Invoices against their red-letter invoices, and red-letter invoices against their invoices.
    "SELECT i.org_id, 'invoice', i.id, i.red_cents, COALESCE(c.cents, 0) FROM invoice i LEFT JOIN \
         (SELECT r.red_of_id, CAST(SUM(r.amount_cents) AS BIGINT) AS cents FROM invoice r WHERE r.red_of_id IS NOT NULL \
           AND r.status IN ('waiting', 'approved', 'issued', 'sent') GROUP BY r.red_of_id) c ON c.red_of_id = i.id \
       WHERE i.red_cents <> COALESCE(c.cents, 0)",
    "SELECT r.org_id, 'invoice', r.id, r.amount_cents, CAST(0 AS BIGINT) FROM invoice r JOIN invoice i ON i.id = r.red_of_id \
       WHERE r.status IN ('waiting', 'approved', 'issued', 'sent') AND (i.status NOT IN ('issued', 'sent') OR i.red_of_id IS NOT NULL \
         OR i.org_id <> r.org_id OR i.payee_org_id <> r.payee_org_id)",
    // Caps against what leads took under them.
    "SELECT owner, 'cap', rule_id, used_count, taken_count FROM caps WHERE used_count <> taken_count",
    "SELECT owner, 'cap', rule_id, used_cents, taken_cents FROM caps WHERE used_count = taken_count AND used_cents <> taken_cents",
    "SELECT h.org_id, 'cap', t.rule_id, t.count, CAST(0 AS BIGINT) FROM cap_taken t JOIN push_record h ON h.id = t.push_id \
       WHERE h.status IN ('returned', 'rejected', 'duplicate', 'failed', 'cancelled')",
];

/// Common table expressions of several queries.
const SOURCES: &str = "WITH entries AS (SELECT l.account_id, CAST(SUM(l.amount_cents) AS BIGINT) AS entries, COUNT(*) AS number, \
         CAST(SUM(CASE WHEN l.type IN ('lead_sale', 'refund', 'visit_charge') THEN -l.amount_cents ELSE 0 END) AS BIGINT) AS spent, \
         CAST(SUM(CASE WHEN l.type = 'recharge' OR (l.type = 'reversal' AND l.gift_part_cents = 0) THEN l.amount_cents ELSE 0 END) AS BIGINT) \
           AS came_in, \
         CAST(SUM(CASE WHEN l.type = 'gift' OR (l.type = 'reversal' AND l.gift_part_cents <> 0) THEN l.amount_cents ELSE 0 END) AS BIGINT) \
           AS given, \
         CAST(SUM(CASE WHEN l.type IN ('adjust_up', 'adjust_down') THEN l.amount_cents ELSE 0 END) AS BIGINT) AS adjusted, \
         CAST(SUM(CASE WHEN l.type IN ('lead_sale', 'refund', 'visit_charge') THEN -l.gift_part_cents ELSE 0 END) AS BIGINT) AS gifts_spent, \
         CAST(SUM(l.gift_part_cents) AS BIGINT) AS gifts \
       FROM account_ledger l GROUP BY l.account_id), \
     books AS (SELECT a.org_id, a.balance_cents, a.frozen_cents, a.seq, a.total_spend_cents, a.total_recharge_cents, \
         a.gift_cents, a.frozen_gift_cents, a.spent_gift_cents, COALESCE(e.gifts_spent, 0) AS gifts_spent, a.total_gift_cents, a.total_adjust_cents, COALESCE(e.given, 0) AS given, \
         COALESCE(e.adjusted, 0) AS adjusted, COALESCE(e.gifts, 0) AS gifts, \
         COALESCE(e.entries, 0) AS entries, COALESCE(e.number, 0) AS number, COALESCE(e.spent, 0) AS spent, COALESCE(e.came_in, 0) AS came_in, \
         CAST(COALESCE((SELECT SUM(h.held_cents) FROM push_record h WHERE h.org_id = a.org_id AND h.held_cents <> 0), 0) AS BIGINT) AS held, \
         CAST(COALESCE((SELECT SUM(h.held_gift_cents) FROM push_record h WHERE h.org_id = a.org_id AND h.held_cents <> 0), 0) AS BIGINT) AS held_gift \
       FROM org_account a LEFT JOIN entries e ON e.account_id = a.id), \
     taken AS (SELECT rule_id, window_start, CAST(SUM(count) AS BIGINT) AS taken_count, CAST(SUM(cents) AS BIGINT) AS taken_cents \
       FROM cap_taken GROUP BY rule_id, window_start), \
     caps AS (SELECT COALESCE((SELECT p.org_id FROM plan p WHERE p.id = k.subject_id), 0) AS owner, \
         c.rule_id, c.used_count, c.used_cents, COALESCE(t.taken_count, 0) AS taken_count, COALESCE(t.taken_cents, 0) AS taken_cents \
       FROM cap_counter c JOIN cap_rule k ON k.id = c.rule_id \
       LEFT JOIN taken t ON t.rule_id = c.rule_id AND t.window_start = c.window_start WHERE k.subject_type = 'plan')";

/// Compares all records of money. Returns the contradictions, at most [`MOST`] of each query; empty if there are
/// none.
pub async fn verify(db: &Db) -> Result<Vec<Discrepancy>, sqlx::Error> {
    let mut sql = Sql::new(SOURCES);
    payments::push_sources(&mut sql, db.engine());
    sql.push(
        "SELECT CAST(0 AS BIGINT) AS org_id, '' AS what, CAST(0 AS BIGINT) AS id, CAST(0 AS BIGINT) AS found, CAST(0 AS BIGINT) AS expected \
         WHERE 1 = 0",
    );
    let parts = [QUESTIONS, payments::QUESTIONS, partners::QUESTIONS, partner_statements::QUESTIONS, &[journal::CHECKPOINTS]];
    for question in parts.into_iter().flatten() {
        sql.push(" UNION ALL SELECT * FROM (").push(question).push(" LIMIT ").bind(MOST).push(") q");
    }
    sql.push(" UNION ALL SELECT * FROM (");
    journal::push_question(&mut sql);
    sql.push(" LIMIT ").bind(MOST).push(") q UNION ALL SELECT * FROM (");
    crate::ledger::journal::push_bounds(&mut sql);
    sql.push(" LIMIT ").bind(MOST).push(") q");
    let key = db.ledger_key()?;
    let (rows, broken) = match db.engine() {
        Engine::Sqlite => {
            let rows = sql.fetch_all(db.read()).await?;
            let seals = Seals::read(db.read(), &key).await?;
            (rows, chain::broken(chain::entries().fetch(db.read()), &key, seals).await?)
        }
        Engine::Postgres => {
            let mut tx = db.begin().await?;
            // Pages have a short time limit; the books are read to their end.
            sqlx::query("SET LOCAL statement_timeout = 0").execute(&mut *tx).await?;
            let rows = sql.fetch_all(&mut *tx).await?;
            let seals = Seals::read(&mut *tx, &key).await?;
            let broken = chain::broken(chain::entries().fetch(&mut *tx), &key, seals).await?;
            tx.rollback().await?;
            (rows, broken)
        }
    };
    let mut all = rows
        .iter()
        .map(|row| {
            let what: &str = row.try_get("what")?;
            Ok(Discrepancy {
                org_id: row.try_get("org_id")?,
                what: KINDS.iter().find(|(kind, _)| *kind == what).map_or("unknown", |(kind, _)| kind),
                id: row.try_get("id")?,
                found: row.try_get("found")?,
                expected: row.try_get("expected")?,
            })
        })
        .collect::<Result<Vec<_>, sqlx::Error>>()?;
    all.extend(broken);
    Ok(all)
}
