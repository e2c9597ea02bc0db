//! `PUT /channel`, `PUT /channel/status`, `DELETE /channel/{id}`, history.

use serde_json::{Value, json};

use super::codes;
use testing::channel::{form, make, with};
use testing::{Actor, TestApp, on_both};

fn edit(id: i64, version: i64, changes: Value) -> Value {
    with(with(form("ads-xingmang-1"), json!({"id": id, "version": version})), changes)
}

on_both!(a_channel_is_changed_and_its_history_tells);
async fn a_channel_is_changed_and_its_history_tells(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let owner = app.account("channel.manager").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    let changes =
        json!({"name": "星芒", "settleMode": "share", "shareBp": 1500, "unitPriceCents": 0, "ownerAdminId": owner, "ipAllow": []});
    let row = operator.put("/channel", edit(id, 1, changes)).await.ok();
    assert_eq!((&row["name"], &row["version"], &row["ownerName"]), (&json!("星芒"), &json!(2), &json!("platform channel.manager")));
    assert_eq!(
        with(row, json!({"usage": [], "payable": {"payableCents": 0, "paidCents": 0, "openCents": 0}})),
        operator.get(&format!("/channel/{id}")).await.ok()
    );

    let history = operator.get(&format!("/channel/history/{id}")).await.ok();
    assert_eq!(history.as_array().unwrap().len(), 2);
    let diff = history[0]["diff"].as_array().unwrap();
    assert!(diff.contains(&json!({"field": "name", "before": "星芒信息流（华东）", "after": "星芒"})));
    assert!(diff.contains(&json!({"field": "shareBp", "before": "0", "after": "1500"})));
    assert!(diff.contains(&json!({"field": "ownerName", "before": null, "after": "platform channel.manager"})));
    assert!(diff.iter().all(|change| change["field"] != "code" && change["field"] != "version"), "{diff:?}");
}

on_both!(the_code_never_changes);
async fn the_code_never_changes(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    operator.put("/channel", edit(id, 1, json!({"code": "ads-xingmang-2"}))).await.wrong("code");
    let mut without = edit(id, 1, json!({"name": "A"}));
    without.as_object_mut().unwrap().remove("code");
    assert_eq!(operator.put("/channel", without).await.ok()["code"], "ads-xingmang-1");
}

on_both!(an_edit_is_checked_like_a_new_channel);
async fn an_edit_is_checked_like_a_new_channel(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    for (field, value) in [
        ("name", json!("")),
        ("unitPriceCents", json!(-1)),
        ("ipAllow", json!(["nonsense"])),
        ("landingUrl", json!("nonsense")),
        ("ownerAdminId", json!(app.account("north.manager").await)),
    ] {
        operator.put("/channel", edit(id, 1, json!({ field: value }))).await.wrong(field);
    }
    operator.put("/channel", edit(id, 1, json!({"status": "paused"}))).await.refused("4000");
    assert_eq!(operator.get(&format!("/channel/{id}")).await.ok()["version"], 1);
    // An owner who has left keeps their channels until another owner is chosen.
    let owner = app.account("channel.second").await;
    operator.put("/channel", edit(id, 1, json!({"ownerAdminId": owner}))).await.ok();
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'channel.second'").await;
    operator.put("/channel", edit(id, 2, json!({"ownerAdminId": owner, "name": "B"}))).await.ok();
}

on_both!(an_old_version_is_told_the_record_as_it_is);
async fn an_old_version_is_told_the_record_as_it_is(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    let now = operator.put("/channel", edit(id, 1, json!({"name": "first"}))).await.ok();
    for stale in [
        operator.put("/channel", edit(id, 1, json!({"name": "second"}))).await,
        operator.put("/channel/status", json!({"id": id, "version": 1, "status": "paused"})).await,
        operator.put("/channel/secret", json!({"id": id, "version": 1})).await,
        operator.put("/channel/secret", json!({"id": id, "version": 7})).await,
    ] {
        assert_eq!(stale.refused("1005"), json!({"current": now}));
    }
    assert_eq!(app.trail("channel", id).await.len(), 2);
}

on_both!(of_two_editors_at_once_one_wins);
async fn of_two_editors_at_once_one_wins(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    let tries =
        futures_util::future::join_all((0..6).map(|number| operator.put("/channel", edit(id, 1, json!({"name": format!("n{number}")})))))
            .await;
    let won: Vec<Value> = tries.iter().filter(|answer| answer.code() == "0000").map(|answer| answer.ok()).collect();
    assert_eq!(won.len(), 1);
    for lost in tries.iter().filter(|answer| answer.code() != "0000") {
        assert_eq!(lost.refused("1005")["current"], won[0]);
    }
    assert_eq!(app.trail("channel", id).await.len(), 2);
}

on_both!(only_listed_changes_of_status_are_made);
async fn only_listed_changes_of_status_are_made(app: TestApp) {
    let operator = app.sign_in("operator").await.in_english();
    let id = make(&operator, form("ads-xingmang-1")).await;
    let mut version = 1;
    let mut status = "enabled";
    for (to, allowed) in [
        ("enabled", false),
        ("paused", true),
        ("paused", false),
        ("enabled", true),
        ("disabled", true),
        ("disabled", false),
        ("paused", false),
        ("enabled", true),
        ("paused", true),
        ("disabled", true),
    ] {
        let answer = operator.put("/channel/status", json!({"id": id, "version": version, "status": to})).await;
        if allowed {
            version += 1;
            status = to;
            assert_eq!(answer.ok()["status"], to);
        } else {
            answer.refused("1006");
            assert!(answer.desc().to_lowercase().contains(&format!("the channel is {status}")), "{}", answer.desc());
        }
        let row = operator.get(&format!("/channel/{id}")).await.ok();
        assert_eq!((&row["status"], &row["version"]), (&json!(status), &json!(version)));
    }
    let diff = &app.trail("channel", id).await[0].diff;
    assert_eq!((diff.len(), diff[0].field.as_str()), (1, "status"));
    for bad in [json!({"id": id, "version": version, "status": "gone"}), json!({"id": id, "status": "enabled"})] {
        operator.put("/channel/status", bad).await.refused("4000");
    }
}

on_both!(a_deleted_channel_is_gone_from_everywhere);
async fn a_deleted_channel_is_gone_from_everywhere(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    operator.delete(&format!("/channel/{id}")).await.ok();
    gone(&operator, id).await;
    assert_eq!(codes(&operator, json!({})).await, Vec::<String>::new());
    assert_eq!(operator.get("/channel/options").await.ok(), json!([]));
    let trail = app.trail("channel", id).await;
    assert_eq!((trail.len(), format!("{:?}", trail[0].action)), (2, "Delete".to_owned()));
    gone(&operator, 999_999).await;
}

/// Every call about one channel answers that there is no such channel.
pub async fn gone(actor: &Actor, id: i64) {
    actor.get(&format!("/channel/{id}")).await.refused("1004");
    actor.get(&format!("/channel/history/{id}")).await.refused("1004");
    actor.put("/channel", edit(id, 1, json!({}))).await.refused("1004");
    actor.put("/channel/status", json!({"id": id, "version": 1, "status": "paused"})).await.refused("1004");
    actor.put("/channel/secret", json!({"id": id, "version": 1})).await.refused("1004");
    actor.delete(&format!("/channel/{id}")).await.refused("1004");
}

on_both!(ids_that_are_none_are_malformed);
async fn ids_that_are_none_are_malformed(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for id in ["0", "-1", "x", "1.5", "9223372036854775808", "%00", "..%2f1", "1%20OR%201=1"] {
        operator.get(&format!("/channel/{id}")).await.refused("4000");
        operator.delete(&format!("/channel/{id}")).await.refused("4000");
    }
}
