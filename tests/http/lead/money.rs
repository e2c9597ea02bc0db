//! What leads cost, and that nobody buys what he cannot pay.

use serde_json::json;

use super::{application, bring, channel, plan, story};
use crate::plan::begin;
use crate::support::{TestApp, on_both};

on_both!(nobody_buys_past_his_balance);
async fn nobody_buys_past_his_balance(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    app.execute("UPDATE org_account SET balance_cents = 10000").await;
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE status = 'accepted'").await, 2);
    assert_eq!(app.count("SELECT balance_cents FROM org_account WHERE seq > 0").await, 1000);
    let told = story(&app, &admin).await;
    assert_eq!((&told["status"], &told["matches"][0]["passedOver"][0]["reason"]), (&json!("unmatched"), &json!("balance")));
}

on_both!(who_has_credit_may_go_below_nothing_that_far);
async fn who_has_credit_may_go_below_nothing_that_far(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    app.execute("DELETE FROM org_account").await;
    app.execute("UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 9000 WHERE code = 'north'").await;
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    assert_eq!(app.count("SELECT balance_cents FROM org_account").await, -9000);
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 2);
}

on_both!(a_frozen_account_buys_nothing);
async fn a_frozen_account_buys_nothing(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    app.execute("UPDATE org_account SET status = 'frozen'").await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["matches"][0]["passedOver"][0]["reason"], "balance");
}

on_both!(books_that_do_not_agree_are_told);
async fn books_that_do_not_agree_are_told(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    app.execute("DELETE FROM org_account").await;
    app.execute("UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 900000 WHERE code = 'north'").await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let verify = || leadlane::finance::verify::verify(&app.app.db);
    assert_eq!(verify().await.unwrap(), []);
    for (sql, back, what) in [
        ("UPDATE org_account SET balance_cents = balance_cents + 1", "UPDATE org_account SET balance_cents = balance_cents - 1", "balance"),
        ("UPDATE org_account SET frozen_cents = 7", "UPDATE org_account SET frozen_cents = 0", "frozen"),
        ("UPDATE org_account SET total_spend_cents = 7", "UPDATE org_account SET total_spend_cents = 4500", "spend"),
        (
            "UPDATE account_ledger SET balance_after_cents = balance_after_cents - 5",
            "UPDATE account_ledger SET balance_after_cents = balance_after_cents + 5",
            "running",
        ),
    ] {
        app.execute(sql).await;
        let wrong = verify().await.unwrap();
        assert_eq!(wrong.iter().map(|one| one.what).collect::<Vec<_>>(), [what]);
        app.execute(back).await;
    }
    assert_eq!(verify().await.unwrap(), []);
}
