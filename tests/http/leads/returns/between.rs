//! A return, a signature and a payment of the same lead: one of them comes first, and the others know of it.

use serde_json::{Value, json};

use testing::crm::{money, salesperson};
use testing::feedback::Sold;
use testing::lead::{application, bring};
use testing::pay::{channel, order};
use testing::returns::{ask, decide, lenient};
use testing::{Actor, TestApp, on_both};

/// Pairs of a race: without the lock about half of them go wrong on PostgreSQL.
const PAIRS: u32 = 10;

/// The id of a push's clue.
async fn clue_id(app: &TestApp, push_id: i64) -> i64 {
    let select = "SELECT id FROM clue WHERE push_id = $1";
    sqlx::query_scalar(select).bind(push_id).fetch_one(app.app.db.read()).await.unwrap()
}

on_both!(a_lead_with_open_money_is_not_returned);
async fn a_lead_with_open_money_is_not_returned(app: TestApp) {
    let Sold { admin, push_id, .. } = lenient(&app).await;
    let (north, lead) = (app.sign_in("north.manager").await, app.sign_in("north.lead").await);
    let money_form = money::form(&app, clue_id(&app, push_id).await, json!({}));
    // Money that waits to be confirmed: no return is asked for.
    let paid = lead.post("/crm/addMoney", money_form.clone()).await.ok();
    ask(&north, push_id, json!({})).await.refused("1006");
    north.put("/crm/money/status", money::decision(&paid, "rejected")).await.ok();
    let row = ask(&north, push_id, json!({})).await.ok();
    // Money that comes before the decision: the return is not approved.
    let paid = lead.post("/crm/addMoney", money_form.clone()).await.ok();
    decide(&admin, &row, true, json!({})).await.refused("1006");
    north.put("/crm/money/status", money::decision(&paid, "rejected")).await.ok();
    // An open payment order is the same.
    let operator = app.sign_in("operator").await;
    let bank = channel(&app, "bank", "", json!({})).await;
    let fee = json!({"bizType": "service_fee", "clueNo": app.text("SELECT no FROM clue").await, "amountCents": 80_000});
    let open = order(&app, &bank, fee.clone()).await;
    decide(&admin, &row, true, json!({})).await.refused("1006");
    let cancel = json!({"id": open["id"], "version": open["version"], "status": "cancelled"});
    operator.put("/payOrder/status", cancel).await.ok();
    decide(&admin, &row, true, json!({})).await.ok();
    // Afterwards no money is entered, and no order is made.
    lead.post("/crm/addMoney", money_form).await.refused("1006");
    let late = testing::pay::order_form(&app, &bank, fee).await;
    operator.post("/payOrder", late).await.refused("1006");
}

/// Sells leads of as many people, each of a clue of `north.sales1` and with a return that waits; answers pushes and returns.
async fn asked(app: &TestApp) -> (Actor, Vec<(i64, Value)>) {
    let Sold { admin, channel: partner, .. } = lenient(app).await;
    let sales = salesperson(app, "north.sales1").await;
    for number in 2..=PAIRS {
        bring(app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    let pushes: Vec<i64> =
        sqlx::query_scalar("SELECT id FROM push_record WHERE status = 'accepted' ORDER BY id").fetch_all(app.app.db.read()).await.unwrap();
    assert_eq!(pushes.len(), PAIRS as usize);
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query("UPDATE clue SET owner_id = $1, pool_id = NULL, stage = 'following'").bind(sales).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let north = app.sign_in("north.manager").await;
    let mut rows = Vec::new();
    for push_id in pushes {
        rows.push((push_id, ask(&north, push_id, json!({})).await.ok()));
    }
    (admin, rows)
}

// A1: on PostgreSQL both succeeded in every second pair.
on_both!(a_return_and_a_signature_exclude_one_another);
async fn a_return_and_a_signature_exclude_one_another(app: TestApp) {
    let (_, rows) = asked(&app).await;
    let nodes = (app.node().await, app.node().await);
    let (admin, sales) = (nodes.0.sign_in("admin").await, nodes.1.sign_in("north.sales1").await);
    for (push_id, row) in rows {
        let signature =
            json!({"id": clue_id(&app, push_id).await, "note": "已签约", "type": "call", "result": "reached", "status": "signed"});
        let (returned, signed) = tokio::join!(decide(&admin, &row, true, json!({})), sales.post("/crm/progress", signature));
        let done = [returned.code(), signed.code()].iter().filter(|code| **code == "0000").count();
        assert_eq!(done, 1, "{push_id}: {} {}", returned.code(), signed.code());
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE stage = 'invalid' AND signed_at IS NOT NULL").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE stage <> 'invalid' AND signed_at IS NULL").await, 0);
}

// A1, C1: the same of money that is entered.
on_both!(a_return_and_money_exclude_one_another);
async fn a_return_and_money_exclude_one_another(app: TestApp) {
    let (_, rows) = asked(&app).await;
    let nodes = (app.node().await, app.node().await);
    let (admin, lead) = (nodes.0.sign_in("admin").await, nodes.1.sign_in("north.lead").await);
    for (push_id, row) in rows {
        let paid = money::form(&app, clue_id(&app, push_id).await, json!({}));
        let (returned, entered) = tokio::join!(decide(&admin, &row, true, json!({})), lead.post("/crm/addMoney", paid));
        let done = [returned.code(), entered.code()].iter().filter(|code| **code == "0000").count();
        assert_eq!(done, 1, "{push_id}: {} {}", returned.code(), entered.code());
    }
    let both = "SELECT COUNT(*) FROM push_record h JOIN clue k ON k.push_id = h.id JOIN money_record m ON m.clue_id = k.id WHERE h.status = 'returned'";
    assert_eq!(app.count(both).await, 0);
}
