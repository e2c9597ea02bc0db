//! How plans stand now: caps used, and what keeps a running one from taking a lead.

use serde_json::{Value, json};

use frame::access::audit::Stamp;
use frame::terms::CapRule;
use frame::terms::cap::{CapWindow, Subject, Taking, counters};
use testing::plan::{begin, running};
use testing::{Actor, TestApp, on_both};

async fn now(actor: &Actor, id: &Value) -> (Value, Value) {
    let page = actor.post("/plan/page", json!({})).await.ok();
    let row = page["list"].as_array().unwrap().iter().find(|row| row["id"] == *id).unwrap();
    let one = actor.get(&format!("/plan/{id}")).await.ok();
    assert_eq!((&one["holds"], &one["usage"]), (&row["holds"], &row["usage"]), "list and record agree");
    (row["holds"].clone(), row["usage"].clone())
}

on_both!(a_running_plan_says_what_holds_it);
async fn a_running_plan_says_what_holds_it(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let open = json!({"schedule": null, "startsOn": null, "endsOn": "2027-01-31"});
    let id = running(&app, &admin, open).await;
    assert_eq!(now(&admin, &id).await.0, json!([]));
    for (change, holds) in [
        ("UPDATE plan SET starts_on = '2027-01-08'", json!(["not_started"])),
        ("UPDATE plan SET starts_on = NULL, ends_on = '2027-01-06'", json!(["over"])),
        ("UPDATE plan SET ends_on = NULL, schedule = '{\"1\": [[0, 1440]]}'", json!(["closed"])),
        ("UPDATE plan SET schedule = '{\"4\": [[0, 1440]]}'", json!([])),
        ("UPDATE organisation SET status = 'paused'", json!(["organisation"])),
        ("UPDATE organisation SET status = 'active', licence_expire_on = '2027-01-06'", json!(["licence"])),
        ("UPDATE organisation SET licence_expire_on = '2027-01-07'", json!([])),
        ("UPDATE plan SET deliver_mode = 'api'", json!(["delivery"])),
        ("UPDATE org_account SET balance_cents = 4499", json!(["delivery", "balance"])),
        ("UPDATE org_account SET balance_cents = 5000, frozen_cents = 501", json!(["delivery", "balance"])),
        ("UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 1", json!(["delivery"])),
        ("UPDATE plan SET deliver_mode = 'crm', status = 'paused', ends_on = '2027-01-06'", json!([])),
    ] {
        app.execute(change).await;
        assert_eq!(now(&admin, &id).await.0, holds, "{change}");
    }
}

on_both!(caps_are_told_with_what_is_used_of_them);
async fn caps_are_told_with_what_is_used_of_them(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let cap = |window: &str, weekday: Value, count: Value, cents: Value| json!({"window": window, "weekday": weekday, "maxCount": count, "maxCents": cents});
    let (none, thursday) = (Value::Null, json!(4));
    let caps = json!([
        cap("day", none.clone(), json!(10), none.clone()),
        cap("day", thursday.clone(), json!(2), none.clone()),
        cap("day", json!(5), json!(7), none.clone()),
        cap("month", none.clone(), none.clone(), json!(100_000))
    ]);
    let id = running(&app, &admin, json!({"schedule": null, "caps": caps})).await;
    // On a Thursday its own cap stands for that of every day.
    let usage = |day: i64, month: i64| {
        json!([
            {"cap": cap("day", thursday.clone(), json!(2), Value::Null), "usedCount": day, "usedCents": day * 4500},
            {"cap": cap("month", Value::Null, Value::Null, json!(100_000)), "usedCount": month, "usedCents": month * 4500}
        ])
    };
    assert_eq!(now(&admin, &id).await, (json!([]), usage(0, 0)));
    let subject = Subject { kind: "plan", id: id.as_i64().unwrap() };
    let take = async || {
        let mut tx = app.app.db.begin().await.unwrap();
        let caps = counters::of(&mut *tx, subject).await.unwrap();
        let taking = counters::take(&mut tx, &caps, 1, 4500, app.now()).await.unwrap();
        tx.commit().await.unwrap();
        taking
    };
    assert_eq!(take().await, Taking::Taken);
    assert_eq!(now(&admin, &id).await, (json!([]), usage(1, 1)));
    assert_eq!(take().await, Taking::Taken);
    assert_eq!(now(&admin, &id).await, (json!(["capped"]), usage(2, 2)));
    assert!(matches!(take().await, Taking::Full(_)));

    // Friday begins anew; the month goes on.
    app.advance(24 * 3600 * 1000);
    let admin = app.sign_in("admin").await;
    let (holds, usage) = now(&admin, &id).await;
    assert_eq!((holds, &usage[0]["usedCount"], &usage[0]["cap"]["maxCount"]), (json!([]), &json!(0), &json!(7)));
    assert_eq!(usage[1]["usedCount"], 2);

    // Raising a cap keeps what is used of it.
    let stamp = Stamp { admin_id: 1, at: app.now() };
    let mut tx = app.app.db.begin().await.unwrap();
    let raised = [CapRule { window: CapWindow::Month, weekday: None, max_count: Some(500), max_cents: None }];
    counters::set(&mut tx, subject, &raised, stamp).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(now(&admin, &id).await.1[0]["usedCount"], 2);
}
