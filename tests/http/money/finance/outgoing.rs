//! Payments that went out: each is booked once, by a refund of a payment order or by a refund of the fee of a clue.

use base::db::Engine;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use super::wrong;
use crate::pay::{balance, sweep_after};
use testing::crm::{clue, money};
use testing::finance::approval;
use testing::org::with;
use testing::pay::{FakeProvider, channel, now, order, paid, reachable};
use testing::{Actor, Answer, TestApp, on_both, run};

const DAY: i64 = 86_400_000;

/// What pays money out by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A refund of a payment order of a bank.
    Refund,
    /// A refund of a fee of a clue.
    Money,
}

const KINDS: [Kind; 2] = [Kind::Refund, Kind::Money];

/// What refunds are made of: a paid order of 5,000 yuan and a clue with a fee of 10,000, of North Star and one payee.
struct Sources {
    order: Value,
    clue_id: i64,
}

impl Sources {
    async fn of(app: &TestApp) -> Sources {
        let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
        let bank = channel(app, "bank", "", json!({"feeBp": 0})).await;
        app.execute("UPDATE organisation SET payee_org_id = (SELECT MIN(p.id) FROM payee_organisation p) WHERE code = 'north'").await;
        let made = order(app, &bank, json!({})).await;
        let claim = json!({"id": made["id"], "version": made["version"], "channelOrderNo": "IN-1", "paidAt": app.now()});
        let row = operator.put("/payOrder/claim", claim).await.ok();
        let order = admin.put("/payOrder/confirm", approval(&row)).await.ok();
        let clue_id = clue(app, "north", None).await;
        let fee = money::form(app, clue_id, json!({"payMethod": "cash", "amountCents": 1_000_000}));
        let fee = operator.post("/crm/addMoney", fee).await.ok();
        admin.put("/crm/money/status", money::decision(&fee, "confirmed")).await.ok();
        Sources { order, clue_id }
    }

    /// A refund that waits to be confirmed, entered by the operator.
    async fn enter(&self, app: &TestApp, operator: &Actor, kind: Kind, (number, cents): (&str, i64)) -> Waiting {
        let row = match kind {
            Kind::Refund => {
                let wanted = json!({"paymentOrderId": self.order["id"], "amountCents": cents, "reason": "多付"});
                operator.post("/payRefund", wanted).await.ok()
            }
            Kind::Money => {
                let changes = json!({"type": "refund", "loanCents": null, "amountCents": cents, "bankSerial": number});
                operator.post("/crm/addMoney", money::form(app, self.clue_id, changes)).await.ok()
            }
        };
        Waiting { kind, number: number.to_owned(), row }
    }
}

struct Waiting {
    kind: Kind,
    number: String,
    row: Value,
}

impl Waiting {
    /// The field of its number in a refusal.
    fn field(&self) -> &'static str {
        if self.kind == Kind::Refund { "channelRefundNo" } else { "bankSerial" }
    }

    async fn confirm(&self, admin: &Actor, changes: Value) -> Answer {
        let (path, body) = match self.kind {
            Kind::Refund => ("/payRefund/audit", with(approval(&self.row), json!({"channelRefundNo": self.number}))),
            Kind::Money => ("/crm/money/status", money::decision(&self.row, "confirmed")),
        };
        admin.put(path, with(body, changes)).await
    }

    fn no(&self) -> &str {
        self.row["no"].as_str().unwrap()
    }

    /// What the trail says that was different from it.
    async fn trail(&self, admin: &Actor) -> String {
        let path = if self.kind == Kind::Refund { "/payRefund/history" } else { "/crm/money/history" };
        admin.get(&format!("{path}/{}", self.row["id"])).await.ok()[0]["diff"].to_string()
    }
}

async fn run_sql(app: &TestApp, sql: String) {
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}

on_both!(a_number_that_one_refund_has_is_refused_to_the_others);
async fn a_number_that_one_refund_has_is_refused_to_the_others(app: TestApp) {
    let sources = Sources::of(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let mut step = 0;
    for first in KINDS {
        for second in KINDS {
            step += 1;
            let number = format!("n-{step} a");
            let one = sources.enter(&app, &operator, first, (&number, 1_000 + step)).await;
            let two = sources.enter(&app, &operator, second, (&format!(" N-{step}A"), 2_000 + step)).await;
            one.confirm(&admin, json!({})).await.ok();
            for changes in [json!({}), json!({"anotherPayment": true})] {
                let refused = two.confirm(&admin, changes).await.wrong(two.field());
                assert!(refused.contains(one.no()), "{first:?} {second:?}: {refused}");
            }
        }
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM outgoing_payment").await, 4);
    assert_eq!((balance(&app).await, wrong(&app).await), (500_000 - 1_001 - 1_002, vec![]));
}

on_both!(a_refund_of_an_equal_amount_is_asked_about_in_each_sequence);
async fn a_refund_of_an_equal_amount_is_asked_about_in_each_sequence(app: TestApp) {
    let sources = Sources::of(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let mut step = 0;
    for first in KINDS {
        for second in KINDS {
            step += 1;
            let cents = 1_000 + step;
            let one = sources.enter(&app, &operator, first, (&format!("A-{step}"), cents)).await;
            one.confirm(&admin, json!({})).await.ok();
            let two = sources.enter(&app, &operator, second, (&format!("B-{step}"), cents)).await;
            for changes in [json!({}), json!({"anotherPayment": false})] {
                let asked = two.confirm(&admin, changes).await.wrong("anotherPayment");
                assert!(asked.contains(one.no()), "{first:?} {second:?}: {asked}");
            }
            two.confirm(&admin, json!({"anotherPayment": true})).await.ok();
            let trail = two.trail(&admin).await;
            assert!(trail.contains("anotherPayment") && trail.contains(one.no()), "{trail}");
        }
    }
    assert_eq!(wrong(&app).await, []);
}

on_both!(refunds_that_wait_are_asked_about_and_far_ones_are_not);
async fn refunds_that_wait_are_asked_about_and_far_ones_are_not(app: TestApp) {
    let sources = Sources::of(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let refund = sources.enter(&app, &operator, Kind::Refund, ("W-1", 3_000)).await;
    let money = sources.enter(&app, &operator, Kind::Money, ("W-2", 3_000)).await;
    for (one, other) in [(&refund, &money), (&money, &refund)] {
        let asked = one.confirm(&admin, json!({})).await.wrong("anotherPayment");
        assert!(asked.contains(other.no()) && !asked.contains(one.no()), "{asked}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM outgoing_payment").await, 0, "nothing is written");
    run_sql(&app, format!("UPDATE payment_refund SET created_at = created_at - {}", 40 * DAY)).await;
    money.confirm(&admin, json!({})).await.ok();
    run_sql(&app, format!("UPDATE outgoing_payment SET paid_at = paid_at - {}", 40 * DAY)).await;
    refund.confirm(&admin, json!({})).await.ok();
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_refund_by_bank_needs_its_number);
async fn a_refund_by_bank_needs_its_number(app: TestApp) {
    let sources = Sources::of(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let refund = sources.enter(&app, &operator, Kind::Refund, ("", 1_000)).await;
    for value in [json!(null), json!(" "), json!("流水"), json!("x".repeat(65))] {
        refund.confirm(&admin, json!({"channelRefundNo": value})).await.wrong("channelRefundNo");
        let changes = json!({"type": "refund", "loanCents": null, "amountCents": 5, "bankSerial": value});
        operator.post("/crm/addMoney", money::form(&app, sources.clue_id, changes)).await.wrong("bankSerial");
    }
    let row = refund.confirm(&admin, json!({"channelRefundNo": " rk-1 "})).await.ok();
    assert_eq!((&row["channelRefundNo"], &row["status"]), (&json!("rk-1"), &json!("success")));
    assert_eq!(app.text("SELECT number FROM outgoing_payment").await, "RK-1");
    let csv = admin.export("/payRefund/page/export", json!({"format": "csv"})).await;
    assert!(String::from_utf8_lossy(&csv.body).contains("rk-1"));
    // Only refunds have the number, and only those by bank need it.
    let fee = money::form(&app, sources.clue_id, json!({"bankSerial": "F-1"}));
    operator.post("/crm/addMoney", fee).await.wrong("bankSerial");
    let cash = json!({"type": "refund", "loanCents": null, "amountCents": 7, "payMethod": "cash"});
    let cash = operator.post("/crm/addMoney", money::form(&app, sources.clue_id, cash)).await.ok();
    admin.put("/crm/money/status", money::decision(&cash, "confirmed")).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM outgoing_payment WHERE number IS NULL").await, 1);
    // A refund of an older program has none: its number is entered before it is confirmed. What was handed in is what is confirmed.
    let old = sources.enter(&app, &operator, Kind::Money, ("O-1", 8)).await;
    app.execute("UPDATE money_record SET bank_serial = NULL WHERE bank_serial = 'O-1'").await;
    old.confirm(&admin, json!({})).await.wrong("bankSerial");
    app.execute("UPDATE money_record SET bank_serial = 'O-2' WHERE amount_cents = 8").await;
    old.confirm(&admin, json!({})).await.refused("1006");
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_number_is_free_again_once_its_refund_is_void);
async fn a_number_is_free_again_once_its_refund_is_void(app: TestApp) {
    let sources = Sources::of(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let one = sources.enter(&app, &operator, Kind::Money, ("F-1", 1_000)).await;
    let row = one.confirm(&admin, json!({})).await.ok();
    let two = sources.enter(&app, &operator, Kind::Refund, ("F-1", 2_000)).await;
    two.confirm(&admin, json!({})).await.wrong("channelRefundNo");
    let void = app.sign_in("north.manager").await.put("/crm/money/status", money::decision(&row, "void")).await;
    assert_eq!(void.code(), "0000", "{}", void.desc());
    two.confirm(&admin, json!({})).await.ok();
    assert_eq!(app.text("SELECT source_table || ' ' || number FROM outgoing_payment").await, "payment_refund F-1");
    assert_eq!(wrong(&app).await, []);
}

on_both!(an_organisation_without_a_payee_has_numbers_of_its_own);
async fn an_organisation_without_a_payee_has_numbers_of_its_own(app: TestApp) {
    let sources = Sources::of(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    app.execute("UPDATE organisation SET payee_org_id = NULL").await;
    let refund = sources.enter(&app, &operator, Kind::Refund, ("P-1", 1_000)).await;
    refund.confirm(&admin, json!({})).await.ok();
    // Another account paid it than that of the payee.
    let one = sources.enter(&app, &operator, Kind::Money, ("P-1", 2_000)).await;
    one.confirm(&admin, json!({})).await.ok();
    let two = sources.enter(&app, &operator, Kind::Money, ("P-1", 3_000)).await;
    assert!(two.confirm(&admin, json!({})).await.wrong("bankSerial").contains(one.no()));
    assert_eq!(app.count("SELECT COUNT(*) FROM outgoing_payment WHERE payee_org_id IS NULL").await, 1);
    assert_eq!(wrong(&app).await, []);
}

on_both!(refunds_of_providers_have_their_numbers);
async fn refunds_of_providers_have_their_numbers(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    for kind in ["wechat", "alipay"] {
        let channel = channel(&app, kind, &provider.address, json!({})).await;
        let made = paid(&app, &provider, &channel, json!({})).await;
        for place in 0..2 {
            // Two of one amount: what a provider makes is not asked about.
            let wanted = json!({"paymentOrderId": made["id"], "amountCents": 10_000, "reason": "多付"});
            let row = operator.post("/payRefund", wanted).await.ok();
            admin.put("/payRefund/audit", with(approval(&row), json!({"channelRefundNo": "X-1"}))).await.wrong("channelRefundNo");
            admin.put("/payRefund/audit", approval(&row)).await.ok();
            assert_eq!(app.count("SELECT COUNT(*) FROM outgoing_payment WHERE number IS NULL").await, 0);
            sweep_after(&app, 1000).await;
            let row = admin.get(&format!("/payRefund/{}", row["id"])).await.ok();
            let sql = format!("SELECT number FROM outgoing_payment WHERE source_id = {}", row["id"]);
            let number = app.text(Box::leak(sql.into_boxed_str())).await;
            // Alipay's number is that of the payment.
            let known = if kind == "alipay" { &row["no"] } else { &row["channelRefundNo"] };
            assert_eq!(number, known.as_str().unwrap().to_uppercase(), "{kind} {place}");
        }
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM outgoing_payment").await, 4);
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_refund_that_its_provider_made_is_booked_although_its_number_is_entered);
async fn a_refund_that_its_provider_made_is_booked_although_its_number_is_entered(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    let sources = Sources::of(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let channel = channel(&app, "alipay", &provider.address, json!({})).await;
    let made = paid(&app, &provider, &channel, json!({"amountCents": 70_000})).await;
    let wanted = json!({"paymentOrderId": made["id"], "amountCents": 10_000, "reason": "多付"});
    let row = operator.post("/payRefund", wanted).await.ok();
    admin.put("/payRefund/audit", approval(&row)).await.ok();
    let one = sources.enter(&app, &operator, Kind::Money, (row["no"].as_str().unwrap(), 2_000)).await;
    one.confirm(&admin, json!({})).await.ok();
    sweep_after(&app, 1000).await;
    assert_eq!(now(&app, &made).await["refundedCents"], 10_000);
    assert_eq!(app.count("SELECT COUNT(*) FROM outgoing_payment WHERE source_table = 'payment_refund' AND number IS NULL").await, 1);
    let messages = admin.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("退款流水号重复") && messages.contains(one.no()), "{messages}");
    assert_eq!(wrong(&app).await, []);
}

/// Of two nodes that confirm two refunds of one number at once, one books it. SQLite has one node.
#[tokio::test]
async fn of_two_nodes_one_books_a_number() {
    run(Engine::Postgres, async |app: TestApp| {
        let sources = Sources::of(&app).await;
        let other = app.node().await;
        let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
        let there = other.sign_in("admin").await;
        for pair in 1..=6 {
            let number = format!("T-{pair}");
            let refund = sources.enter(&app, &operator, Kind::Refund, (&number, 1_000 + pair)).await;
            let money = sources.enter(&app, &operator, Kind::Money, (&number, 2_000 + pair)).await;
            let (one, two) = tokio::join!(refund.confirm(&admin, json!({})), money.confirm(&there, json!({})));
            assert_eq!([&one, &two].iter().filter(|answer| answer.code() == "0000").count(), 1, "{pair}: {} {}", one.code(), two.code());
        }
        assert_eq!(app.count("SELECT COUNT(*) FROM outgoing_payment").await, 6);
        assert_eq!(wrong(&app).await, []);
    })
    .await;
}

on_both!(the_check_of_the_books_finds_payouts_that_are_missing_or_invented);
async fn the_check_of_the_books_finds_payouts_that_are_missing_or_invented(app: TestApp) {
    let sources = Sources::of(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    for (place, kind) in KINDS.into_iter().enumerate() {
        let one = sources.enter(&app, &operator, kind, (&format!("V-{place}"), 1_000 + place as i64)).await;
        one.confirm(&admin, json!({})).await.ok();
    }
    assert_eq!(wrong(&app).await, []);
    let (north, south) = (app.organisation("north").await, app.organisation("south").await);
    for table in ["payment_refund", "money_record"] {
        let of = format!("outgoing_payment WHERE source_table = '{table}'");
        for (change, back) in [
            ("amount_cents = amount_cents + 1".to_owned(), "amount_cents = amount_cents - 1".to_owned()),
            (format!("org_id = {south}"), format!("org_id = {north}")),
            ("source_id = source_id + 900".to_owned(), "source_id = source_id - 900".to_owned()),
        ] {
            run_sql(&app, format!("UPDATE outgoing_payment SET {change} WHERE source_table = '{table}'")).await;
            let found = wrong(&app).await;
            assert!(found.len() == 2 && found.iter().all(|one| one.what == "outgoing"), "{table} {change}: {found:?}");
            run_sql(&app, format!("UPDATE outgoing_payment SET {back} WHERE source_table = '{table}'")).await;
        }
        run_sql(&app, format!("CREATE TABLE kept_{table} AS SELECT * FROM {of}")).await;
        run_sql(&app, format!("DELETE FROM {of}")).await;
        let found = wrong(&app).await;
        assert!(found.len() == 1 && found[0].what == "outgoing", "{table}: {found:?}");
        run_sql(&app, format!("INSERT INTO outgoing_payment SELECT * FROM kept_{table}")).await;
        assert_eq!(wrong(&app).await, [], "{table}");
    }
    run_sql(
        &app,
        format!(
            "INSERT INTO outgoing_payment (org_id, amount_cents, paid_at, source_table, source_id, created_at) \
             VALUES ({north}, 5, 0, 'something', 1, 0)"
        ),
    )
    .await;
    assert_eq!(wrong(&app).await.iter().map(|one| (one.what, one.found)).collect::<Vec<_>>(), [("outgoing", 5)]);
}
