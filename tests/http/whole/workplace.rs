//! `GET /workplace`, and its screen, where everybody begins.

use base::clock::MINUTE;
use serde_json::{Value, json};

use testing::org::{payee, receipt};
use testing::world::PASSWORD;
use testing::{Actor, TestApp, feedback, on_both, plan, returns};

fn figures(today: &Value) -> Vec<&str> {
    today["figures"].as_array().unwrap().iter().map(|figure| figure["href"].as_str().unwrap()).collect()
}

// S1.12
on_both!(each_part_is_for_who_may_see_it);
async fn each_part_is_for_who_may_see_it(app: TestApp) {
    let of = async |who: &str| app.sign_in(who).await.get("/workplace").await.ok();
    let (operator, manager, nobody) = (of("operator").await, of("channel.manager").await, of("nobody").await);
    assert!(figures(&operator).contains(&"/channel/list?status=enabled") && figures(&operator).contains(&"/admin/list?status=enabled"));
    assert!(figures(&manager).iter().all(|href| href.starts_with("/channel/list")) && !figures(&manager).is_empty());
    assert_eq!((figures(&nobody).len(), &nobody["operations"], &nobody["newLeads"]), (0, &Value::Null, &json!(0)));
    assert_eq!(operator["operations"], json!([]));
    app.stranger().get("/workplace").await.refused("2000");
}

on_both!(a_locked_account_is_not_counted_with_those_that_work);
async fn a_locked_account_is_not_counted_with_those_that_work(app: TestApp) {
    const STATUSES: [&str; 3] = ["/admin/list?status=enabled", "/admin/list?status=locked", "/admin/list?status=disabled"];
    let operator = app.sign_in("operator").await;
    let (enabled, _) = work(&operator, STATUSES[0]).await;
    let mut tx = app.app.db.begin().await.unwrap();
    let lock = sqlx::query("UPDATE administrator SET locked_until = $1 WHERE username = 'channel.manager'").bind(app.now() + 10 * MINUTE);
    lock.execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    for (href, expected) in STATUSES.into_iter().zip([enabled - 1, 1, 0]) {
        assert_eq!(work(&operator, href).await, (expected, expected), "{href}");
    }
    app.advance(10 * MINUTE);
    assert_eq!(work(&operator, STATUSES[0]).await, (enabled, enabled), "a lock ends by itself");
}

/// What a figure counts, and how many the list behind it has.
async fn work(who: &Actor, href: &str) -> (i64, i64) {
    let today = who.get("/workplace").await.ok();
    let figure = today["figures"].as_array().unwrap().iter().find(|figure| figure["href"] == href);
    let (path, filter) = href.split_once('?').unwrap();
    let (name, value) = filter.split_once('=').unwrap();
    let api = match path {
        "/plan/list" => "/plan/page".to_owned(),
        "/admin/list" => "/admin/page".to_owned(),
        other => format!("{}/page", other.strip_suffix("-list").unwrap_or(other)),
    };
    let page = who.post(&api, json!({name: value})).await.ok();
    (figure.map_or(0, |figure| figure["value"].as_i64().unwrap()), page["total"].as_i64().unwrap())
}

// Every role finds its work on its first page: what waits is counted there, and leads to exactly that.
on_both!(what_waits_for_somebody_is_counted_for_who_may_decide);
async fn what_waits_for_somebody_is_counted_for_who_may_decide(app: TestApp) {
    const RECEIPTS: &str = "/org/receipt?awaits=decision";
    const PLANS: &str = "/plan/list?awaits=decision";
    const PAYEES: &str = "/org/payee?awaits=decision";
    const RETURNS: &str = "/plan/push-list?returnStatus=pending";
    const DOUBTS: &str = "/plan/push-list?status=unconfirmed";
    const FEEDBACK: &str = "/user/feedback-list?handleStatus=open";
    let sold = returns::lenient(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let paid = receipt::confirmed(&app).await;
    for href in [RECEIPTS, PAYEES, PLANS, RETURNS, DOUBTS] {
        assert_eq!(work(&operator, href).await, (0, 0), "{href}");
    }

    // A payment that came in, and one that is to be taken back; a plan that is to run, and one that is to change.
    let asked = json!({"id": paid["id"], "version": paid["version"], "note": "付款方撤回"});
    admin.put("/org/receipt/void", asked).await.ok();
    assert_eq!(work(&operator, RECEIPTS).await, (1, 1));
    let draft = plan::make(&app, &admin, json!({"name": "新计划"})).await["id"].clone();
    assert_eq!(work(&operator, PLANS).await, (0, 0), "nobody was asked");
    plan::step(&admin, &draft, "pending").await.ok();
    assert_eq!(work(&operator, PLANS).await, (1, 1));
    let runs = plan::running(&app, &admin, json!({"name": "在跑的"})).await;
    let row = admin.get(&format!("/plan/{runs}")).await.ok();
    let dearer = plan::form(&app, json!({"id": runs, "version": row["version"], "name": "在跑的", "priceCents": 5000})).await;
    admin.put("/plan", dearer).await.ok();
    assert_eq!(work(&operator, PLANS).await, (2, 2));
    plan::decide(&operator, &runs, true).await.ok();
    assert_eq!(work(&operator, PLANS).await, (1, 1));

    // The first account of a payee.
    let row = admin.post("/org/payee", payee::form("远山科技")).await.ok();
    assert_eq!(work(&operator, PAYEES).await, (1, 1));
    app.approve("/org/payee", &row).await;
    assert_eq!(work(&operator, PAYEES).await, (0, 0));

    let north = app.sign_in("north.manager").await;
    returns::ask(&north, sold.push_id, json!({})).await.ok();
    assert_eq!(work(&operator, RETURNS).await, (1, 1));
    app.execute("UPDATE push_record SET status = 'unconfirmed'").await;
    assert_eq!(work(&operator, DOUBTS).await, (1, 1));
    feedback::send_report(&app, &sold.north, json!([{"leadNo": sold.no, "star": 2}])).await;
    let (counted, listed) = work(&operator, FEEDBACK).await;
    assert_eq!(counted, listed);

    // Who may not decide is not told.
    let manager = app.sign_in("channel.manager").await.get("/workplace").await.ok();
    assert!(figures(&manager).iter().all(|href| href.starts_with("/channel/list")));
}

on_both!(what_was_done_lately_is_shown_within_the_scope);
async fn what_was_done_lately_is_shown_within_the_scope(app: TestApp) {
    let north = app.sign_in("north.manager").await;
    app.sign_in("operator").await.export("/channel/page/export", json!({"format": "csv"})).await;
    north.export("/admin/page/export", json!({"format": "csv"})).await;
    // Each export begins and ends.
    let seen = |today: Value| {
        let mut names = today["operations"].as_array().unwrap().iter().map(|row| row["username"].clone()).collect::<Vec<_>>();
        names.dedup();
        names
    };
    assert_eq!(seen(app.sign_in("admin").await.get("/workplace").await.ok()), ["north.manager", "operator"]);
    assert_eq!(seen(north.get("/workplace").await.ok()), ["north.manager"]);
}

on_both!(everyone_sees_the_attempts_on_their_own_name_and_no_others);
async fn everyone_sees_the_attempts_on_their_own_name_and_no_others(app: TestApp) {
    for (name, password) in [("nobody", PASSWORD), ("nobody", "wrong password"), ("admin", PASSWORD)] {
        app.stranger().post("/admin/login", json!({"username": name, "password": password})).await;
    }
    let today = app.sign_in("nobody").await.get("/workplace").await.ok();
    let results: Vec<&str> = today["signIns"].as_array().unwrap().iter().map(|row| row["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["wrong", "ok"]);
}
