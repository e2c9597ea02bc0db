//! `PUT /org/status`.

use serde_json::json;

use testing::org::{form, make, with};
use testing::{Actor, Answer, TestApp, on_both};

async fn put(who: &Actor, id: i64, status: &str) -> Answer {
    let version = who.get(&format!("/org/{id}")).await.ok()["version"].clone();
    who.put("/org/status", json!({"id": id, "version": version, "status": status})).await
}

on_both!(business_begins_with_a_passed_check);
async fn business_begins_with_a_passed_check(app: TestApp) {
    let admin = app.sign_in("admin").await.in_english();
    let id = make(&admin, with(form("tianxuan"), json!({"licenceExpireOn": "2020-01-01"}))).await;
    let check = json!({"targetType": "organisation", "targetId": id});
    assert_eq!(admin.get(&format!("/org/check/{id}")).await.ok(), json!({"passed": false, "check": null}));
    let refused = put(&admin, id, "active").await;
    refused.refused("1006");
    assert_eq!(refused.desc(), "A compliance check must pass first");
    assert_eq!(admin.post("/compliance/check", check.clone()).await.ok()["result"], "fail");
    assert!(put(&admin, id, "active").await.desc().contains("Licence not expired"));

    let version = admin.get(&format!("/org/{id}")).await.ok()["version"].clone();
    let renewed = testing::org::edit("tianxuan", id, version.as_i64().unwrap(), json!({"licenceExpireOn": "2099-12-31"}));
    let standing = async || admin.get(&format!("/org/check/{id}")).await.ok();
    let now = standing().await;
    assert_eq!((&now["passed"], &now["check"]["result"]), (&json!(false), &json!("fail")));
    admin.put("/org", renewed).await.ok();
    assert_eq!(admin.post("/compliance/check", check).await.ok()["result"], "pass");
    assert_eq!(standing().await["passed"], true);
    app.sign_in("nobody").await.get(&format!("/org/check/{id}")).await.refused("1003");
    app.sign_in("channel.manager").await.get(&format!("/org/check/{id}")).await.refused("1003");
    assert_eq!(put(&admin, id, "active").await.ok()["status"], "active");
}

on_both!(only_listed_changes_of_status_are_made);
async fn only_listed_changes_of_status_are_made(app: TestApp) {
    let admin = app.sign_in("admin").await.in_english();
    let id = make(&admin, form("tianxuan")).await;
    admin.post("/compliance/check", json!({"targetType": "organisation", "targetId": id})).await.ok();
    let mut status = "pending";
    for (to, allowed) in [
        ("paused", false),
        ("terminated", false),
        ("active", true),
        ("pending", false),
        ("terminated", false),
        ("paused", true),
        ("active", true),
        ("paused", true),
        ("terminated", true),
        ("active", false),
        ("paused", false),
    ] {
        let answer = put(&admin, id, to).await;
        match allowed {
            true => {
                status = to;
                assert_eq!(answer.ok()["status"], to);
            }
            false => {
                answer.refused("1006");
                assert!(answer.desc().to_lowercase().contains(&format!("the organisation is {status}")), "{}", answer.desc());
            }
        }
    }
    admin.put("/org/status", json!({"id": id, "version": 1, "status": "active"})).await.refused("1005");
    admin.put("/org/status", json!({"id": id, "version": 1, "status": "gone"})).await.refused("4000");
}
