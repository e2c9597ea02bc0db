//! What holds after each step of a history: the model beside it, sums, bounds; and what holds of the whole books now and then.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use trade::visit::lead;

use super::calls::Call;
use super::steps::Payment;
use super::{History, Stage};
use crate::finance::wrong;
use testing::{Answer, TestApp};

/// The rows of a query.
pub async fn rows(app: &TestApp, sql: String) -> Vec<AnyRow> {
    sqlx::query(AssertSqlSafe(sql.clone())).fetch_all(app.app.db.read()).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// The only number of a query.
async fn number(app: &TestApp, sql: &str) -> i64 {
    rows(app, sql.to_owned()).await[0].get(0)
}

/// The last rows before a history.
pub struct Since {
    pub transfer_id: i64,
    pub decision_id: i64,
    pub exception_id: i64,
}

impl Since {
    pub async fn now(app: &TestApp) -> Since {
        let last = async |table: &str| number(app, &format!("SELECT COALESCE(MAX(id), 0) FROM {table}")).await;
        Since {
            transfer_id: last("journal_transfer").await,
            decision_id: last("decision").await,
            exception_id: last("payment_exception").await,
        }
    }
}

/// What a payment by bank was credited as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credit {
    /// The record that credits it: its table and its id.
    source: (String, i64),
    org_id: i64,
    cents: i64,
    /// Whether it is in the organisation's account.
    in_account: bool,
}

/// What should be, by the answers that people had and the payments that payers made.
#[derive(Default)]
pub struct Model {
    /// Payments by bank that were entered.
    pub payments: Vec<Payment>,
    /// Those that are credited, by their number.
    credited: BTreeMap<String, Credit>,
    /// Amounts that were paid at a provider, by the number of the order.
    there: BTreeMap<String, Vec<i64>>,
    /// The outcome of a call is unknown: what is credited is read from the database once.
    pub is_unsure: bool,
}

impl Model {
    pub fn paid_there(&mut self, order_no: &str, cents: i64) {
        self.there.entry(order_no.to_owned()).or_default().push(cents);
    }

    /// Notes what a decision credits or takes back.
    pub fn note(&mut self, call: &Call, answer: &Answer) {
        let Some(action) = call.approves.as_deref().filter(|_| answer.code() == "0000") else { return };
        let row = answer.ok();
        match action {
            "confirm_recharge" if row["receiptNo"].is_null() => self.credit(&row, ("recharge", "bankSerial", "amountCents"), true),
            "confirm_receipt" => self.credit(&row, ("receipt", "bankSerial", "amountCents"), row["bizType"] != "other"),
            "confirm_payment" => self.credit(&row, ("payment_order", "channelOrderNo", "paidCents"), row["bizType"] == "recharge"),
            "reverse_recharge" => self.take_back(&row, "recharge"),
            "void_receipt" => self.take_back(&row, "receipt"),
            _ => {}
        }
    }

    fn credit(&mut self, row: &Value, (table, number, cents): (&str, &str, &str), in_account: bool) {
        let integer = |name: &str| row[name].as_i64().unwrap_or_else(|| panic!("{name}: {row}"));
        let number = row[number].as_str().unwrap_or_else(|| panic!("{number}: {row}"));
        let credit = Credit { source: (table.to_owned(), integer("id")), org_id: integer("orgId"), cents: integer(cents), in_account };
        let before = self.credited.insert(number.to_owned(), credit);
        assert!(before.is_none() || self.is_unsure, "{number} is credited twice: {before:?} {row}");
    }

    fn take_back(&mut self, row: &Value, table: &str) {
        let id = row["id"].as_i64().unwrap();
        self.credited.retain(|_, credit| credit.source != (table.to_owned(), id));
    }
}

/// What a channel is owed, in fen.
#[derive(Clone, Copy, Debug)]
pub struct Owed {
    /// Its items less what was paid and withheld, and less what payouts that wait or are approved hold.
    free_cents: i64,
    /// The sum of its items below zero.
    back_cents: i64,
}

impl History<'_> {
    pub async fn check(&mut self, when: &str) {
        self.check_payments(when).await;
        self.check_accounts(when).await;
        self.check_bounds(when).await;
        // Items of the channel are added up each time, and are many after many histories.
        if self.verifies || std::mem::take(&mut self.has_partners) {
            self.check_partner(when).await;
        }
    }

    /// What is payable to the channel is its items less what was paid and withheld, what is held is its approved payouts, and only what is
    /// taken back brings it below what payouts hold.
    async fn check_partner(&mut self, when: &str) {
        let id = self.stage.partner.id;
        let sums = format!(
            "SELECT CAST((SELECT COALESCE(SUM(i.amount_cents), 0) FROM partner_item i WHERE i.channel_id = {id}) AS BIGINT) AS items, \
               CAST((SELECT COALESCE(SUM(i.amount_cents), 0) FROM partner_item i WHERE i.channel_id = {id} AND i.amount_cents < 0) AS BIGINT) AS back, \
               CAST(COALESCE(SUM(CASE w.status WHEN 'paid' THEN w.amount_cents + w.tax_cents ELSE 0 END), 0) AS BIGINT) AS paid, \
               CAST(COALESCE(SUM(CASE w.status WHEN 'approved' THEN w.amount_cents + w.tax_cents ELSE 0 END), 0) AS BIGINT) AS approved, \
               CAST(COALESCE(SUM(CASE w.status WHEN 'waiting' THEN w.amount_cents + w.tax_cents ELSE 0 END), 0) AS BIGINT) AS waiting \
             FROM partner_payout w WHERE w.channel_id = {id}"
        );
        let found = rows(&self.stage.app, sums).await;
        let cents = |name: &str| found[0].get::<i64, _>(name);
        let journal = format!(
            "SELECT CAST(COALESCE(SUM(CASE WHEN t.status = 'pending' THEN 0 WHEN t.credit_kind = 'channel_payable' THEN t.amount_cents \
                 ELSE -t.amount_cents END), 0) AS BIGINT) AS payable, \
               CAST(COALESCE(SUM(CASE t.status WHEN 'pending' THEN t.amount_cents ELSE 0 END), 0) AS BIGINT) AS held \
             FROM journal_transfer t WHERE t.status <> 'void' AND ((t.credit_kind = 'channel_payable' AND t.credit_owner = {id}) \
               OR (t.debit_kind = 'channel_payable' AND t.debit_owner = {id}))"
        );
        let entered = rows(&self.stage.app, journal).await;
        let (payable, held): (i64, i64) = (entered[0].get("payable"), entered[0].get("held"));
        assert_eq!(payable, cents("items") - cents("paid"), "{when}: payable to the channel");
        assert_eq!(held, cents("approved"), "{when}: held for approved payouts");
        let owed = Owed { free_cents: payable - cents("approved") - cents("waiting"), back_cents: cents("back") };
        if let Some(before) = self.stage.owed.replace(owed) {
            let least = before.free_cents.min(0) + owed.back_cents - before.back_cents;
            assert!(owed.free_cents >= least, "{when}: payouts exceed what is payable: {before:?} {owed:?}");
        }
    }

    /// Each payment is credited at most once, and those by bank as people were answered.
    async fn check_payments(&mut self, when: &str) {
        let within = self.within();
        let sql = format!(
            "SELECT 'receipt' AS source, t.id, t.payee_org_id, t.org_id, t.bank_serial AS number, t.amount_cents AS cents, \
               CASE t.biz_type WHEN 'other' THEN CAST(0 AS BIGINT) ELSE CAST(1 AS BIGINT) END AS in_account, CAST(1 AS BIGINT) AS by_bank \
             FROM receipt t WHERE t.status = 'confirmed' AND t.deleted_at IS NULL AND t.org_id IN {within} \
             UNION ALL SELECT 'recharge', g.id, g.payee_org_id, g.org_id, g.bank_serial, g.amount_cents, CAST(1 AS BIGINT), CAST(1 AS BIGINT) \
             FROM recharge g WHERE g.status = 'credited' AND g.receipt_id IS NULL AND g.payment_order_id IS NULL AND g.org_id IN {within} \
             UNION ALL SELECT 'payment_order', r.id, h.payee_org_id, r.org_id, r.channel_order_no, r.paid_cents, \
               CASE r.biz_type WHEN 'recharge' THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END, \
               CASE h.provider WHEN 'bank' THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END \
             FROM payment_order r JOIN payee_channel h ON h.id = r.payee_channel_id WHERE r.paid_cents IS NOT NULL AND r.org_id IN {within}"
        );
        let (mut all, mut by_bank) = (BTreeMap::new(), BTreeMap::new());
        for row in rows(&self.stage.app, sql).await {
            let number: String = row.get("number");
            let credit = Credit {
                source: (row.get("source"), row.get("id")),
                org_id: row.get("org_id"),
                cents: row.get("cents"),
                in_account: row.get::<i64, _>("in_account") == 1,
            };
            if row.get::<i64, _>("by_bank") == 1 {
                by_bank.insert(number.clone(), credit.clone());
            }
            let before = all.insert((row.get::<i64, _>("payee_org_id"), number), credit.clone());
            assert!(before.is_none(), "{when}: credited twice: {before:?} {credit:?}");
        }
        if std::mem::take(&mut self.model.is_unsure) {
            self.model.credited.clone_from(&by_bank);
        }
        assert_eq!(by_bank, self.model.credited, "{when}: payments by bank and what people were answered");
    }

    /// Accounts are what the model and the journal say, all sides of the journal add up to nothing, and no organisation owes more than the credit.
    async fn check_accounts(&mut self, when: &str) {
        let (app, within) = (&self.stage.app, self.within());
        let mut came_in: BTreeMap<i64, i64> = self.orgs.iter().map(|org_id| (*org_id, 0)).collect();
        for credit in self.model.credited.values().filter(|credit| credit.in_account) {
            *came_in.get_mut(&credit.org_id).unwrap() += credit.cents;
        }
        let online = format!(
            "SELECT r.no, r.org_id, r.paid_cents, r.biz_type FROM payment_order r JOIN payee_channel h ON h.id = r.payee_channel_id \
             WHERE h.provider <> 'bank' AND r.paid_cents IS NOT NULL AND r.org_id IN {within}"
        );
        for row in rows(app, online).await {
            let (no, cents): (String, i64) = (row.get("no"), row.get("paid_cents"));
            assert!(self.model.there.get(&no).is_some_and(|paid| paid.contains(&cents)), "{when}: {no} was not paid {cents}");
            if row.get::<String, _>("biz_type") == "recharge" {
                *came_in.get_mut(&row.get::<i64, _>("org_id")).unwrap() += cents;
            }
        }
        let refunds = format!(
            "SELECT r.org_id, CAST(SUM(b.amount_cents) AS BIGINT) AS cents FROM payment_refund b JOIN payment_order r ON r.id = b.payment_order_id \
             WHERE r.biz_type = 'recharge' AND b.status IN ('processing', 'success') AND r.org_id IN {within} GROUP BY r.org_id"
        );
        for row in rows(app, refunds).await {
            *came_in.get_mut(&row.get::<i64, _>("org_id")).unwrap() -= row.get::<i64, _>("cents");
        }
        let sides = format!(
            "SELECT s.kind, s.owner, CAST(SUM(s.cents) AS BIGINT) AS cents FROM ( \
               SELECT t.debit_kind AS kind, t.debit_owner AS owner, -t.amount_cents AS cents FROM journal_transfer t \
               WHERE t.status = 'posted' AND t.id > {since} UNION ALL SELECT t.credit_kind, t.credit_owner, t.amount_cents \
               FROM journal_transfer t WHERE t.status = 'posted' AND t.id > {since}) s GROUP BY s.kind, s.owner",
            since = self.since.transfer_id
        );
        let (mut sum, mut held) = (0, BTreeMap::<(String, i64), i64>::new());
        for row in rows(app, sides).await {
            sum += row.get::<i64, _>("cents");
            held.insert((row.get("kind"), row.get("owner")), row.get("cents"));
        }
        assert_eq!(sum, 0, "{when}: what all sides of the journal add up to");
        let accounts = format!(
            "SELECT a.*, CASE o.bill_mode WHEN 'credit' THEN o.credit_limit_cents ELSE 0 END AS limit_cents \
             FROM org_account a JOIN organisation o ON o.id = a.org_id WHERE a.org_id IN {within}"
        );
        for row in rows(app, accounts).await {
            let cents = |name: &str| row.get::<i64, _>(name);
            let (org_id, of) = (cents("org_id"), |kind: &str| held.get(&(kind.to_owned(), cents("org_id"))).copied().unwrap_or(0));
            assert_eq!(cents("total_recharge_cents"), came_in[&org_id], "{when}: what {org_id} paid");
            assert_eq!(cents("gift_cents"), of("org_gift"), "{when}: gifts of {org_id} against the journal");
            assert_eq!(cents("balance_cents"), of("org_paid") + of("org_gift"), "{when}: balance of {org_id} against the journal");
            let (free, free_gift) = (cents("balance_cents") - cents("frozen_cents"), cents("gift_cents") - cents("frozen_gift_cents"));
            assert!(free + cents("limit_cents") >= 0, "{when}: {org_id} owes more than its credit: {free}");
            assert!(free_gift >= 0 && cents("frozen_cents") >= 0 && cents("frozen_gift_cents") >= 0, "{when}: {org_id}: {free_gift}");
        }
    }

    /// No bound is passed.
    async fn check_bounds(&self, when: &str) {
        let within = self.within();
        let bounds = [
            (
                "refunds of an order",
                format!(
                    "SELECT COUNT(*) FROM payment_order WHERE org_id IN {within} \
                     AND (refunding_cents > COALESCE(paid_cents, 0) OR refunded_cents > refunding_cents)"
                ),
            ),
            (
                "money of a clue",
                format!(
                    "SELECT COUNT(*) FROM (SELECT clue_id FROM money_record WHERE org_id IN {within} AND status = 'confirmed' \
                     AND deleted_at IS NULL GROUP BY clue_id \
                     HAVING SUM(CASE type WHEN 'refund' THEN -amount_cents ELSE amount_cents END) < 0) c"
                ),
            ),
            (
                "red-letter invoices",
                format!("SELECT COUNT(*) FROM invoice WHERE org_id IN {within} AND red_of_id IS NULL AND red_cents > amount_cents"),
            ),
            (
                "caps of a plan",
                format!(
                    "SELECT COUNT(*) FROM cap_counter c JOIN cap_rule k ON k.id = c.rule_id WHERE k.subject_type = 'plan' \
                     AND k.subject_id IN ({}, {}) AND (c.used_count > k.max_count OR c.used_cents > k.max_cents)",
                    self.plans[0], self.plans[1]
                ),
            ),
        ];
        for (what, sql) in bounds {
            assert_eq!(number(&self.stage.app, &sql).await, 0, "{when}: {what}");
        }
    }
}

/// The whole books agree.
pub async fn verified(app: &TestApp) {
    assert_eq!(wrong(app).await, []);
}

/// Sum of the transfers to accounts of a kind less those from them.
macro_rules! journal {
    ($kind:literal) => {
        concat!(
            "SELECT CAST(COALESCE(SUM(CASE t.credit_kind WHEN '",
            $kind,
            "' THEN t.amount_cents ELSE -t.amount_cents END), 0) AS BIGINT) FROM journal_transfer t WHERE t.status = 'posted' \
             AND (t.credit_kind = '",
            $kind,
            "' OR t.debit_kind = '",
            $kind,
            "')"
        )
    };
}

/// Reports against the journal: what it is, the sum of the report, and the sum of the journal.
const REPORTS: &[(&str, &str, &str)] = &[
    (
        "income of leads, by day",
        "SELECT CAST(COALESCE(SUM(income_cents), 0) AS BIGINT) FROM uv_stat_daily WHERE subject_type = 'all_orgs' AND channel_id = 0 AND system = ''",
        journal!("lead_revenue"),
    ),
    (
        "income of leads, by month",
        "SELECT CAST(COALESCE(SUM(income_cents), 0) AS BIGINT) FROM uv_stat_monthly WHERE subject_type = 'all_orgs' AND channel_id = 0 AND system = ''",
        journal!("lead_revenue"),
    ),
    (
        "costs of leads",
        "SELECT CAST(COALESCE(-SUM(cost_cents), 0) AS BIGINT) FROM uv_stat_daily WHERE subject_type = 'all_channels' AND channel_id = 0 AND system = ''",
        journal!("channel_cost"),
    ),
    (
        "payable to channels",
        "SELECT CAST((SELECT COALESCE(SUM(i.amount_cents), 0) FROM partner_item i) - (SELECT COALESCE(SUM(w.amount_cents + w.tax_cents), 0) \
           FROM partner_payout w WHERE w.status = 'paid') AS BIGINT)",
        journal!("channel_payable"),
    ),
    (
        "last balances in statements of channels",
        "SELECT CAST(COALESCE(SUM(m.closing_cents), 0) AS BIGINT) FROM partner_statement m \
         WHERE NOT EXISTS (SELECT 1 FROM partner_statement n WHERE n.channel_id = m.channel_id AND n.month > m.month)",
        concat!(
            journal!("channel_payable"),
            " AND ((t.ref_type = 'partner_item' AND EXISTS (SELECT 1 FROM partner_item i WHERE i.id = t.ref_id AND i.statement_id IS NOT NULL)) \
              OR (t.ref_type = 'partner_payout' AND EXISTS (SELECT 1 FROM partner_payout w WHERE w.id = t.ref_id AND w.counted_on_id IS NOT NULL)))"
        ),
    ),
    (
        "paid of statements of channels",
        "SELECT CAST(COALESCE(SUM(paid_cents), 0) AS BIGINT) FROM partner_statement",
        concat!(journal!("cash"), " AND t.ref_type = 'partner_payout'"),
    ),
    (
        "tax of payouts",
        "SELECT CAST(COALESCE(SUM(tax_cents), 0) AS BIGINT) FROM partner_payout WHERE status = 'paid'",
        journal!("tax_withheld"),
    ),
    ("what accounts spent", "SELECT CAST(COALESCE(SUM(total_spend_cents), 0) AS BIGINT) FROM org_account", journal!("lead_revenue")),
    (
        "fees of providers",
        "SELECT CAST(COALESCE(-SUM(fee_cents), 0) AS BIGINT) FROM payment_order WHERE paid_cents IS NOT NULL",
        journal!("provider_fees"),
    ),
    (
        "sales and returns in statements of closed months",
        "SELECT CAST(COALESCE(SUM(spend_cents - refund_cents), 0) AS BIGINT) FROM org_statement",
        concat!(
            journal!("lead_revenue"),
            " AND EXISTS (SELECT 1 FROM account_ledger l JOIN org_account a ON a.id = l.account_id WHERE l.idem_key = CASE WHEN t.idem_key LIKE \
             '%/gift' THEN SUBSTR(t.idem_key, 1, LENGTH(t.idem_key) - 5) ELSE t.idem_key END \
             AND l.seq <= (SELECT MAX(m.last_seq) FROM org_statement m WHERE m.org_id = a.org_id))"
        ),
    ),
    (
        "last balances in statements of closed months",
        "SELECT CAST(COALESCE(SUM(m.closing_cents), 0) AS BIGINT) FROM org_statement m \
         WHERE NOT EXISTS (SELECT 1 FROM org_statement n WHERE n.org_id = m.org_id AND n.month > m.month)",
        "SELECT CAST(COALESCE(SUM(l.amount_cents), 0) AS BIGINT) FROM account_ledger l JOIN org_account a ON a.id = l.account_id \
         WHERE l.seq <= (SELECT MAX(m.last_seq) FROM org_statement m WHERE m.org_id = a.org_id)",
    ),
];

/// The books agree, the balances of the journal add up to nothing, and reports are equal to it.
pub async fn compare_all(stage: &Stage) {
    let app = &stage.app;
    verified(app).await;
    let page = app.sign_in("admin").await.post("/finance/journal/balance/page", json!({"pageSize": 100})).await.ok();
    assert_eq!(page["totals"]["debitCents"], page["totals"]["creditCents"], "{page}");
    lead::add_up(&app.app.db, &app.app.clock).await.unwrap();
    for (what, report, journal) in REPORTS {
        assert_eq!(number(app, report).await, number(app, journal).await, "{what}");
    }
}

/// Several histories have something of each of these.
pub async fn all_happened(app: &TestApp) {
    for (what, rows) in [
        ("credited recharges", "recharge WHERE status IN ('credited', 'reversed') AND payment_order_id IS NULL"),
        ("confirmed receipts", "receipt WHERE status IN ('confirmed', 'void')"),
        ("paid orders", "payment_order WHERE paid_cents IS NOT NULL"),
        ("exceptions", "payment_exception"),
        ("refunds", "payment_refund"),
        ("sold leads", "push_record WHERE status IN ('accepted', 'returned')"),
        ("returns", "lead_return"),
        ("money of clues", "money_record"),
        ("adjustments", "account_adjustment"),
        ("invoices", "invoice"),
        ("closed months", "closed_month"),
        ("confirmed statements of channels", "partner_statement WHERE status = 'confirmed'"),
        ("corrections of statements of channels", "partner_adjustment"),
        ("paid payouts", "partner_payout WHERE status = 'paid'"),
    ] {
        assert!(number(app, &format!("SELECT COUNT(*) FROM {rows}")).await > 0, "no {what}");
    }
}
