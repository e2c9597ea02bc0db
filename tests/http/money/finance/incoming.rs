//! Payments that came in: each is credited once, by a receipt, a recharge or a payment order.

use base::db::Engine;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use super::wrong;
use crate::pay::balance;
use testing::finance::recharge::ask;
use testing::finance::{approval, credited, form};
use testing::org::{receipt, with};
use testing::pay::{FakeProvider, begin, channel, now, order, reachable};
use testing::{Actor, Answer, TestApp, on_both, run};

const DAY: i64 = 86_400_000;

/// What credits a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Receipt,
    Recharge,
    Order,
}

const KINDS: [Kind; 3] = [Kind::Receipt, Kind::Recharge, Kind::Order];

/// A record that waits to be confirmed, entered by the operator.
struct Waiting {
    kind: Kind,
    row: Value,
}

impl Waiting {
    /// Enters a record of North Star with a number and an amount.
    async fn enter(app: &TestApp, operator: &Actor, bank: &Value, kind: Kind, (number, cents): (&str, i64)) -> Waiting {
        let row = match kind {
            Kind::Receipt => receipt::make(app, operator, json!({"bankSerial": number, "amountCents": cents})).await,
            Kind::Recharge => {
                let wanted = form(app, json!({"bankSerial": number, "amountCents": cents})).await;
                operator.post("/finance/recharge", wanted).await.ok()
            }
            Kind::Order => {
                let made = order(app, bank, json!({"amountCents": cents})).await;
                let claim = json!({"id": made["id"], "version": made["version"], "channelOrderNo": number, "paidAt": app.now()});
                operator.put("/payOrder/claim", claim).await.ok()
            }
        };
        Waiting { kind, row }
    }

    /// The field of its number in a refusal.
    fn field(&self) -> &'static str {
        if self.kind == Kind::Order { "channelOrderNo" } else { "bankSerial" }
    }

    async fn confirm(&self, admin: &Actor, changes: Value) -> Answer {
        let (path, body) = match self.kind {
            Kind::Receipt => ("/org/receipt/status", receipt::decision(&self.row, "confirmed")),
            Kind::Recharge => ("/finance/recharge/audit", approval(&self.row)),
            Kind::Order => ("/payOrder/confirm", approval(&self.row)),
        };
        admin.put(path, with(body, changes)).await
    }

    fn no(&self) -> &str {
        self.row["no"].as_str().unwrap()
    }

    /// What the trail says that was different from it.
    async fn trail(&self, admin: &Actor) -> String {
        let path = match self.kind {
            Kind::Receipt => "/org/receipt",
            Kind::Recharge => "/finance/recharge",
            Kind::Order => "/payOrder",
        };
        admin.get(&format!("{path}/history/{}", self.row["id"])).await.ok()[0]["diff"].to_string()
    }
}

async fn run_sql(app: &TestApp, sql: String) {
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}

async fn bank(app: &TestApp) -> Value {
    channel(app, "bank", "", json!({"feeBp": 0})).await
}

on_both!(a_number_that_one_record_has_credited_is_refused_to_the_others);
async fn a_number_that_one_record_has_credited_is_refused_to_the_others(app: TestApp) {
    let bank = bank(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let (mut total, mut step) = (0, 0);
    for first in KINDS {
        for second in KINDS.into_iter().filter(|second| *second != first) {
            step += 1;
            let number = format!("N-{step}");
            let cents = 1_000 + step;
            // The payment of an order is not entered beside a receipt of its number: the order comes first.
            let sequence = if second == Kind::Order { [second, first] } else { [first, second] };
            let mut made = Vec::new();
            for kind in sequence {
                made.push(Waiting::enter(&app, &operator, &bank, kind, (&number, cents + made.len() as i64 * 500)).await);
            }
            if sequence[0] != first {
                made.reverse();
            }
            made[0].confirm(&admin, json!({})).await.ok();
            total += made[0].row["amountCents"].as_i64().unwrap();
            for changes in [json!({}), json!({"anotherPayment": true})] {
                let refused = made[1].confirm(&admin, changes).await.wrong(made[1].field());
                assert!(refused.contains(made[0].no()), "{first:?} {second:?}: {refused}");
            }
            assert_eq!(balance(&app).await, total, "{first:?} {second:?}");
        }
    }
    assert_eq!(wrong(&app).await, []);
}
on_both!(a_payment_of_an_equal_amount_is_asked_about_in_each_sequence);
async fn a_payment_of_an_equal_amount_is_asked_about_in_each_sequence(app: TestApp) {
    let bank = bank(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let (mut total, mut step) = (0, 0);
    for first in KINDS {
        for second in KINDS {
            step += 1;
            let cents = 1_000 + step;
            let one = Waiting::enter(&app, &operator, &bank, first, (&format!("A-{step}"), cents)).await;
            one.confirm(&admin, json!({})).await.ok();
            let two = Waiting::enter(&app, &operator, &bank, second, (&format!("B-{step}"), cents)).await;
            // A receipt that could be chosen is asked about first.
            let none = if (first, second) == (Kind::Receipt, Kind::Recharge) { json!({"receiptId": 0}) } else { json!({}) };
            if none == json!({}) {
                for changes in [json!({}), json!({"anotherPayment": false})] {
                    let asked = two.confirm(&admin, changes).await.wrong("anotherPayment");
                    assert!(asked.contains(one.no()), "{first:?} {second:?}: {asked}");
                }
                two.confirm(&admin, json!({"anotherPayment": true})).await.ok();
                let trail = two.trail(&admin).await;
                assert!(trail.contains("anotherPayment") && trail.contains(one.no()), "{trail}");
            } else {
                two.confirm(&admin, json!({})).await.wrong("receiptId");
                two.confirm(&admin, none).await.ok();
            }
            total += 2 * cents;
            assert_eq!(balance(&app).await, total, "{first:?} {second:?}");
        }
    }
    assert_eq!(wrong(&app).await, []);
}

on_both!(records_that_wait_are_asked_about_and_far_ones_are_not);
async fn records_that_wait_are_asked_about_and_far_ones_are_not(app: TestApp) {
    let bank = bank(&app).await;
    let (admin, operator) = (app.sign_in("admin").await.in_english(), app.sign_in("operator").await);
    let far = app.now() - 40 * DAY;
    receipt::make(&app, &operator, json!({"bankSerial": "W-0", "paidAt": far})).await;
    receipt::make(&app, &operator, json!({"bankSerial": "W-00", "orgId": app.organisation("south").await})).await;
    let made = Waiting::enter(&app, &operator, &bank, Kind::Order, ("W-1", 500_000)).await;
    let waiting = receipt::make(&app, &operator, json!({"bankSerial": "W-2"})).await;
    let recharge = Waiting::enter(&app, &operator, &bank, Kind::Recharge, ("W-3", 500_000)).await;
    for number in ["W-4", "W-5"] {
        receipt::make(&app, &operator, json!({"bankSerial": number})).await;
    }
    let asked = made.confirm(&admin, json!({})).await.wrong("anotherPayment");
    assert!(asked.contains(recharge.no()), "{asked}");
    assert_eq!(asked.matches("RC20").count(), 2, "three are named, the newest first: {asked}");
    app.execute("UPDATE receipt SET status = 'rejected' WHERE bank_serial IN ('W-4', 'W-5')").await;
    let asked = made.confirm(&admin, json!({})).await.wrong("anotherPayment");
    assert!(asked.contains(recharge.no()) && asked.contains(waiting["no"].as_str().unwrap()), "{asked}");
    assert_eq!(asked.matches("RC20").count(), 1, "the one of 40 days ago and that of the other organisation are not named: {asked}");
    // Each that waits is asked about as well.
    let asked = admin.put("/org/receipt/status", receipt::decision(&waiting, "confirmed")).await.wrong("anotherPayment");
    assert!(asked.contains(recharge.no()) && !asked.contains(waiting["no"].as_str().unwrap()), "{asked}");
    let asked = recharge.confirm(&admin, json!({})).await.wrong("anotherPayment");
    assert!(asked.contains(waiting["no"].as_str().unwrap()), "{asked}");
    assert_eq!((balance(&app).await, app.count("SELECT COUNT(*) FROM incoming_payment").await), (0, 0));
}

on_both!(numbers_are_compared_without_blanks_and_in_capitals);
async fn numbers_are_compared_without_blanks_and_in_capitals(app: TestApp) {
    let bank = bank(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let one = Waiting::enter(&app, &operator, &bank, Kind::Recharge, (" ab 12-c ", 1_000)).await;
    assert_eq!(one.row["bankSerial"], "AB12-C");
    one.confirm(&admin, json!({})).await.ok();
    let two = Waiting::enter(&app, &operator, &bank, Kind::Receipt, ("aB12-C", 2_000)).await;
    assert!(two.confirm(&admin, json!({})).await.wrong("bankSerial").contains(one.no()));
    let made = order(&app, &bank, json!({"amountCents": 3_000})).await;
    let claim = json!({"id": made["id"], "version": made["version"], "channelOrderNo": "ab12 -c", "paidAt": app.now()});
    let refused = operator.put("/payOrder/claim", claim).await.wrong("channelOrderNo");
    assert!(refused.contains(one.no()), "{refused}");
    assert_eq!(balance(&app).await, 1_000);
}

on_both!(a_number_is_free_again_once_its_record_is_void_or_reversed);
async fn a_number_is_free_again_once_its_record_is_void_or_reversed(app: TestApp) {
    let bank = bank(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let one = Waiting::enter(&app, &operator, &bank, Kind::Receipt, ("F-1", 1_000)).await;
    let row = one.confirm(&admin, json!({})).await.ok();
    let two = Waiting::enter(&app, &operator, &bank, Kind::Recharge, ("F-1", 2_000)).await;
    two.confirm(&admin, json!({})).await.wrong("bankSerial");
    let asked = receipt::ask_void(&operator, &row).await.ok();
    two.confirm(&admin, json!({})).await.wrong("bankSerial");
    admin.put("/org/receipt/status", receipt::decision(&asked, "void")).await.ok();
    let row = two.confirm(&admin, json!({})).await.ok();
    let three = Waiting::enter(&app, &operator, &bank, Kind::Receipt, ("F-1", 3_000)).await;
    three.confirm(&admin, json!({})).await.wrong("bankSerial");
    let asked = ask(&operator, &row).await;
    admin.put("/finance/recharge/audit", approval(&asked)).await.ok();
    three.confirm(&admin, json!({})).await.ok();
    assert_eq!(app.text("SELECT source_table || ' ' || number FROM incoming_payment").await, "receipt F-1");
    assert_eq!((balance(&app).await, wrong(&app).await), (3_000, vec![]));
}

on_both!(a_recharge_of_a_receipt_enters_no_payment);
async fn a_recharge_of_a_receipt_enters_no_payment(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let paid = receipt::confirmed(&app).await;
    let row = operator.post("/finance/recharge", form(&app, json!({"bankSerial": "SN-1"})).await).await.ok();
    admin.put("/finance/recharge/audit", with(approval(&row), json!({"receiptId": 0}))).await.wrong("bankSerial");
    let row = admin.put("/finance/recharge/audit", with(approval(&row), json!({"receiptId": paid["id"]}))).await.ok();
    assert_eq!((&row["receiptNo"], &row["bankSerial"]), (&paid["no"], &json!("SN-1")));
    assert_eq!(app.count("SELECT COUNT(*) FROM incoming_payment").await, 1);
    let asked = ask(&operator, &row).await;
    admin.put("/finance/recharge/audit", approval(&asked)).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM incoming_payment").await, 1, "the receipt has credited it");
    // A receipt that credits no account is the record of a payment all the same.
    let other = receipt::make(&app, &operator, json!({"bankSerial": "SN-2", "bizType": "other", "amountCents": 7_000})).await;
    admin.put("/org/receipt/status", receipt::decision(&other, "confirmed")).await.ok();
    let row = operator.post("/finance/recharge", form(&app, json!({"bankSerial": "SN-2", "amountCents": 8_000})).await).await.ok();
    assert!(admin.put("/finance/recharge/audit", approval(&row)).await.wrong("bankSerial").contains(other["no"].as_str().unwrap()));
    assert_eq!((balance(&app).await, wrong(&app).await), (500_000, vec![]));
}

on_both!(payments_of_providers_are_not_asked_about_and_count_for_others);
async fn payments_of_providers_are_not_asked_about_and_count_for_others(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    receipt::confirmed(&app).await;
    let made = order(&app, &channel, json!({})).await;
    begin(&app, &made).await;
    assert!(provider.pay(&made, 3).await);
    let row = now(&app, &made).await;
    assert_eq!((&row["status"], balance(&app).await), (&json!("success"), 1_000_000));
    let wanted = form(&app, json!({"payMethod": "cash", "bankSerial": null})).await;
    let waiting = operator.post("/finance/recharge", wanted).await.ok();
    let asked = admin.put("/finance/recharge/audit", with(approval(&waiting), json!({"receiptId": 0}))).await.wrong("anotherPayment");
    assert!(asked.contains(made["no"].as_str().unwrap()) && !asked.contains("RC20"), "{asked}");
    let number = row["channelOrderNo"].as_str().unwrap();
    assert_eq!(app.text("SELECT number FROM incoming_payment WHERE source_table = 'payment_order'").await, number.to_uppercase());
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_payment_that_is_entered_already_is_an_exception_of_its_order);
async fn a_payment_that_is_entered_already_is_an_exception_of_its_order(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let made = order(&app, &channel, json!({})).await;
    begin(&app, &made).await;
    // A receipt enters the payment before its provider reports it: its number is known from a report of another amount.
    assert!(provider.pay_cents(&made, 499_999, 1).await);
    let number = app.text("SELECT channel_order_no FROM payment_exception").await;
    app.unguard_the_ledger().await;
    app.execute("DELETE FROM journal_transfer").await;
    app.execute("DELETE FROM payment_exception").await;
    let paid = receipt::make(&app, &operator, json!({"bankSerial": number, "payMethod": "wechat", "amountCents": 400_000})).await;
    admin.put("/org/receipt/status", receipt::decision(&paid, "confirmed")).await.ok();
    for _ in 0..2 {
        assert!(provider.pay(&made, 1).await);
    }
    let rows = admin.post("/payException/page", json!({})).await.ok()["list"].clone();
    assert_eq!((rows.as_array().unwrap().len(), &rows[0]["kind"]), (1, &json!("already_entered")));
    let settle = |resolution: &str| json!({"id": rows[0]["id"], "version": rows[0]["version"], "resolution": resolution, "note": "x"});
    admin.put("/payException/settle", settle("accepted")).await.refused("1006");
    admin.put("/payException/settle", settle("handled")).await.ok();
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("closed"), 400_000));
    // What the receipt booked as money in the bank is at the provider.
    let moved = "SELECT debit_kind || ' ' || credit_kind || ' ' || CAST(amount_cents AS TEXT) FROM journal_transfer WHERE ref_type = 'payment_exception'";
    assert_eq!(app.text(moved).await, "clearing cash 500000");
    assert_eq!(wrong(&app).await, []);
}

/// Of two nodes that confirm a receipt and an order of one number at once, one credits it. SQLite has one node.
#[tokio::test]
async fn of_two_nodes_one_credits_a_number() {
    run(Engine::Postgres, async |app: TestApp| {
        let bank = bank(&app).await;
        let other = app.node().await;
        let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
        let there = other.sign_in("admin").await;
        let mut total = 0;
        for pair in 1..=6 {
            let number = format!("T-{pair}");
            let order = Waiting::enter(&app, &operator, &bank, Kind::Order, (&number, 1_000 + pair)).await;
            let receipt = Waiting::enter(&app, &operator, &bank, Kind::Receipt, (&number, 2_000 + pair)).await;
            let (one, two) = tokio::join!(order.confirm(&admin, json!({})), receipt.confirm(&there, json!({})));
            assert_eq!([&one, &two].iter().filter(|answer| answer.code() == "0000").count(), 1, "{pair}: {} {}", one.code(), two.code());
            total += if one.code() == "0000" { 1_000 + pair } else { 2_000 + pair };
            assert_eq!(balance(&app).await, total, "{pair}");
        }
        assert_eq!(app.count("SELECT COUNT(*) FROM incoming_payment").await, 6);
        assert_eq!(wrong(&app).await, []);
    })
    .await;
}

on_both!(the_check_of_the_books_finds_payments_that_are_missing_or_invented);
async fn the_check_of_the_books_finds_payments_that_are_missing_or_invented(app: TestApp) {
    let bank = bank(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    for (place, kind) in KINDS.into_iter().enumerate() {
        let one = Waiting::enter(&app, &operator, &bank, kind, (&format!("V-{place}"), 1_000 + place as i64)).await;
        one.confirm(&admin, json!({})).await.ok();
    }
    assert_eq!(wrong(&app).await, []);
    let south = app.organisation("south").await;
    for table in ["receipt", "recharge", "payment_order"] {
        for (sql, many) in [
            (format!("UPDATE incoming_payment SET amount_cents = amount_cents + 1 WHERE source_table = '{table}'"), 2),
            (format!("UPDATE incoming_payment SET amount_cents = amount_cents - 1, org_id = {south} WHERE source_table = '{table}'"), 2),
            (format!("UPDATE incoming_payment SET source_id = source_id + 900 WHERE source_table = '{table}'"), 2),
            (format!("DELETE FROM incoming_payment WHERE source_table = '{table}'"), 1),
        ] {
            run_sql(&app, sql.clone()).await;
            let found = wrong(&app).await;
            assert!(found.len() == many && found.iter().all(|one| one.what == "incoming"), "{sql}: {found:?}");
        }
        let again = format!(
            "INSERT INTO incoming_payment (payee_org_id, org_id, amount_cents, paid_at, source_table, source_id, created_at) \
             SELECT {payee}, org_id, amount_cents, 0, '{table}', id, 0 FROM {table}{paid}",
            payee = bank["payeeOrgId"],
            paid = if table == "recharge" { " WHERE payment_order_id IS NULL" } else { "" },
        );
        run_sql(&app, again).await;
        assert_eq!(wrong(&app).await, [], "{table}");
    }
}

on_both!(a_bank_transfer_needs_its_number);
async fn a_bank_transfer_needs_its_number(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for value in [json!(null), json!(" "), json!("流水"), json!("x".repeat(65))] {
        operator.post("/finance/recharge", form(&app, json!({"bankSerial": value})).await).await.wrong("bankSerial");
    }
    let row = operator.post("/finance/recharge", form(&app, json!({"bankSerial": null, "payMethod": "cash"})).await).await.ok();
    assert_eq!(row["bankSerial"], json!(null));
    let paid = credited(&app, json!({"bankSerial": "bk-1", "amountCents": 700})).await;
    assert_eq!(paid["bankSerial"], "BK-1");
    let csv = operator.export("/finance/recharge/page/export", json!({"format": "csv"})).await;
    assert!(String::from_utf8_lossy(&csv.body).contains("BK-1"));
    // What was handed in is what is confirmed, its number included.
    let row = operator.post("/finance/recharge", form(&app, json!({"bankSerial": "BK-2", "amountCents": 900})).await).await.ok();
    app.execute("UPDATE recharge SET bank_serial = 'BK-3' WHERE bank_serial = 'BK-2'").await;
    app.sign_in("admin").await.put("/finance/recharge/audit", approval(&row)).await.refused("1006");
}
