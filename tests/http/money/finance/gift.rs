//! Gifts in holds, sales and returns: what was taken of gifts goes back to gifts.

use serde_json::json;

use super::{account, wrong};
use testing::finance::credited;
use testing::lead::deliver::by_api;
use testing::lead::{application, bring, channel, plan};
use testing::plan::begin;
use testing::{TestApp, on_both};

/// What an account holds: its balance, and of it the gifts.
async fn held(app: &TestApp) -> (i64, i64) {
    (
        app.count("SELECT balance_cents FROM org_account WHERE seq > 0").await,
        app.count("SELECT gift_cents FROM org_account WHERE seq > 0").await,
    )
}

on_both!(gifts_are_spent_first_and_go_back_as_gifts);
async fn gifts_are_spent_first_and_go_back_as_gifts(app: TestApp) {
    begin(&app);
    // 50 yuan paid, 30 given; a lead costs 45.
    credited(&app, json!({"amountCents": 5000, "giftCents": 3000})).await;
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(held(&app).await, (3500, 0));
    assert_eq!(app.count("SELECT gift_part_cents FROM account_ledger WHERE type = 'lead_sale'").await, -3000);
    app.execute("UPDATE organisation SET return_allowed = 1, return_auto = 1, return_max_days = 9, return_max_bp = 10000").await;
    testing::returns::ask(&admin, app.count("SELECT MIN(id) FROM push_record").await, json!({})).await.ok();
    assert_eq!(held(&app).await, (8000, 3000));
    assert_eq!(app.count("SELECT gift_part_cents FROM account_ledger WHERE type = 'refund'").await, 3000);
    assert_eq!(without_others(&app).await, []);
}

on_both!(paid_money_is_spent_first_where_that_is_set);
async fn paid_money_is_spent_first_where_that_is_set(app: TestApp) {
    begin(&app);
    app.set("finance.spend_order", json!("paid_first")).await;
    credited(&app, json!({"amountCents": 5000, "giftCents": 6000})).await;
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    // The first takes 45 of 50 paid; the second the rest of it and 40 of gifts; the third finds 20.
    assert_eq!(held(&app).await, (2000, 2000));
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE status = 'accepted'").await, 2);
    assert_eq!(without_others(&app).await, []);
}

on_both!(a_gift_that_is_held_is_released_or_paid);
async fn a_gift_that_is_held_is_released_or_paid(app: TestApp) {
    begin(&app);
    credited(&app, json!({"amountCents": 5000, "giftCents": 3000})).await;
    let (_, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(200, json!({"code": "AGE", "msg": "年龄不符"}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE status = 'rejected' AND held_gift_cents = 0").await, 1);
    assert_eq!((held(&app).await, app.count("SELECT MAX(frozen_gift_cents) FROM org_account").await), ((8000, 3000), 0));
    // While the organisation has not answered, the gift is held.
    buyer.answers(503, json!({}));
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(app.count("SELECT MAX(held_gift_cents) FROM push_record").await, 3000);
    assert_eq!(app.count("SELECT MAX(frozen_gift_cents) FROM org_account").await, 3000);
    let shown = account(&app.sign_in("admin").await, app.organisation("north").await).await;
    assert_eq!((&shown["frozenCents"], &shown["availableCents"]), (&json!(4500), &json!(3500)));
    assert_eq!(without_others(&app).await, []);
}

/// What does not agree, but for the balance that tests give to other organisations without an entry.
async fn without_others(app: &TestApp) -> Vec<trade::ledger::verify::Discrepancy> {
    let north = app.organisation("north").await;
    let mut wrong = wrong(app).await;
    wrong.retain(|one| one.org_id == north);
    wrong
}
