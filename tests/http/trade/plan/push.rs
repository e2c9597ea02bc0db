//! `/plan/push`: leads that were sold, and how they were delivered.

use serde_json::{Value, json};

use testing::plan::{begin, running};
use testing::{Actor, TestApp, on_both};

/// A channel's id.
async fn channel(admin: &Actor) -> Value {
    let body = json!({"code": "push-from", "name": "推送来源", "type": "h5", "settleMode": "none"});
    admin.post("/channel", body).await.ok()["id"].clone()
}

/// Pushes of two organisations: of North Star one that was accepted at the second try and one that
/// was refused, of Southern Cross one.
async fn pushes(app: &TestApp, admin: &Actor) {
    running(app, admin, json!({"name": "北辰计划"})).await;
    let south = app.organisation("south").await;
    running(app, admin, json!({"name": "南十字计划", "orgId": south, "subOrgId": null})).await;
    channel(admin).await;
    let mut tx = app.app.db.begin().await.unwrap();
    for (no, status, price, plan) in
        [("PS-A", "accepted", 4500, "北辰计划"), ("PS-B", "rejected", 4600, "北辰计划"), ("PS-C", "accepted", 700, "南十字计划")]
    {
        sqlx::query(
            "INSERT INTO push_record (no, name_mask, phone_mask, city, plan_id, org_id, sub_org_id, channel_id, sale_mode, price_cents, status, \
               attempts, upstream_no, reject_code, reject_reason, sold_at, created_at, updated_at) \
             SELECT $1, '张*', '138****0001', '上海市', p.id, p.org_id, p.sub_org_id, c.id, 'exclusive', $2, $3, 2, $4, NULL, NULL, NULL, $5, $6 \
             FROM plan p, channel c WHERE p.name = $7",
        )
        .bind(no)
        .bind(price)
        .bind(status)
        .bind(format!("UP-{no}"))
        .bind(app.now() + price)
        .bind(app.now())
        .bind(plan)
        .execute(&mut *tx)
        .await
        .unwrap();
    }
    tx.commit().await.unwrap();
}

fn numbers(page: &Value) -> Vec<&str> {
    page["list"].as_array().unwrap().iter().map(|row| row["no"].as_str().unwrap()).collect()
}

on_both!(pushes_are_listed_within_the_scope);
async fn pushes_are_listed_within_the_scope(app: TestApp) {
    begin(&app);
    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code = 'org_manager' AND m.path LIKE 'plan/push-list/%'").await;
    app.execute("UPDATE role SET version = version + 1").await;
    let admin = app.sign_in("admin").await;
    pushes(&app, &admin).await;
    let (north, south) = (app.organisation("north").await, app.organisation("south").await);
    for (query, found) in [
        (json!({}), vec!["PS-B", "PS-A", "PS-C"]),
        (json!({"keyword": "ps-a"}), vec!["PS-A"]),
        (json!({"keyword": " UP-PS-B "}), vec!["PS-B"]),
        (json!({"status": "rejected"}), vec!["PS-B"]),
        (json!({"orgId": south}), vec!["PS-C"]),
        (json!({"orgId": north, "status": "accepted"}), vec!["PS-A"]),
        (json!({"subOrgId": app.team("First team").await}), vec!["PS-B", "PS-A"]),
        (json!({"planId": app.count("SELECT id FROM plan WHERE name = '南十字计划'").await}), vec!["PS-C"]),
        (json!({"channelId": 999}), vec![]),
        (json!({"productId": 999}), vec![]),
        (json!({"createdTo": "2027-01-06"}), vec![]),
        (json!({"sort": "priceCents", "order": "asc"}), vec!["PS-C", "PS-A", "PS-B"]),
    ] {
        assert_eq!(numbers(&admin.post("/plan/push/page", query.clone()).await.ok()), found, "{query}");
    }
    let manager = app.sign_in("south.manager").await;
    assert_eq!(numbers(&manager.post("/plan/push/page", json!({})).await.ok()), ["PS-C"]);
    let file = manager.export("/plan/push/page/export", json!({"format": "csv"})).await;
    let file = String::from_utf8_lossy(&file.body).into_owned();
    assert!(file.contains("PS-C") && file.contains("138****0001") && !file.contains("PS-A"), "{file}");
    let ours = app.count("SELECT id FROM push_record WHERE no = 'PS-A'").await;
    manager.get(&format!("/plan/push/{ours}")).await.refused("1004");
}

on_both!(a_push_tells_every_try);
async fn a_push_tells_every_try(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    pushes(&app, &admin).await;
    app.execute(
        "INSERT INTO push_attempt (push_id, seq, url, req_masked, http_status, resp_masked, cost_ms, error, at) \
         SELECT id, 1, 'https://buyer.example.com/apply', '{}', NULL, NULL, 10000, 'no answer within 10 s', 5 FROM push_record WHERE no = 'PS-A'",
    )
    .await;
    app.execute(
        "INSERT INTO push_attempt (push_id, seq, url, req_masked, http_status, resp_masked, cost_ms, error, at) \
         SELECT id, 2, 'https://buyer.example.com/apply', '{}', 200, '{\"code\":0}', 120, NULL, 6 FROM push_record WHERE no = 'PS-A'",
    )
    .await;
    let id = app.count("SELECT id FROM push_record WHERE no = 'PS-A'").await;
    let story = admin.get(&format!("/plan/push/{id}")).await.ok();
    assert_eq!((&story["no"], &story["planName"], &story["orgName"]), (&json!("PS-A"), &json!("北辰计划"), &json!("北辰")));
    let tries: Vec<(&Value, &Value, &Value)> =
        story["tries"].as_array().unwrap().iter().map(|attempt| (&attempt["seq"], &attempt["httpStatus"], &attempt["error"])).collect();
    assert_eq!(tries, [(&json!(1), &json!(null), &json!("no answer within 10 s")), (&json!(2), &json!(200), &json!(null))]);
    admin.get("/plan/push/999999").await.refused("1004");
}
