//! Who asks for a return, of what, and how it is withdrawn.

use serde_json::json;

use testing::feedback::Sold;
use testing::lead::phone;
use testing::returns::{ask, lenient};
use testing::{TestApp, on_both};

on_both!(an_organisations_people_ask_and_the_platform_is_told);
async fn an_organisations_people_ask_and_the_platform_is_told(app: TestApp) {
    let Sold { admin, push_id, no, user_id, .. } = lenient(&app).await;
    let north = app.sign_in("north.manager").await;
    let row = ask(&north, push_id, json!({"note": format!("张小三 {} 是空号", phone(1))})).await.ok();
    assert_eq!((&row["status"], &row["refundCents"], &row["pushNo"]), (&json!("pending"), &json!(4500), &json!(no)));
    assert_eq!((&row["reasonName"], &row["note"]), (&json!("空号"), &json!("张** 100****0001 是空号")));
    assert_eq!(row["labelColor"], "red", "the colour of the reason in the dictionary");
    let push = admin.get(&format!("/plan/push/{push_id}")).await.ok();
    assert_eq!((&push["status"], &push["returnStatus"], &push["returnId"]), (&json!("accepted"), &json!("pending"), &row["id"]));
    // The list offers the withdrawal to who asked, and the review to others.
    assert!(push["returnAsker"].is_i64() && push["returnAsker"] == row["createdBy"], "{push}");
    let waiting = admin.post("/plan/push/page", json!({"returnStatus": "pending"})).await.ok();
    assert_eq!(waiting["total"], 1);
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'lead_return' AND type = 'todo' AND done_at IS NULL").await, 2);
    let story = admin.get(&format!("/user/{user_id}")).await.ok();
    assert_eq!((&story["returns"][0]["status"], story["money"].as_array().unwrap().len()), (&json!("pending"), 1));
    ask(&north, push_id, json!({})).await.refused("1006");
    assert_eq!(app.trail("lead_return", row["id"].as_i64().unwrap()).await.len(), 1);
    let file = admin.export("/plan/push/page/export", json!({"format": "csv"})).await;
    assert!(String::from_utf8_lossy(&file.body).contains("待审"));
}

on_both!(only_what_was_sold_is_returned_and_for_a_reason);
async fn only_what_was_sold_is_returned_and_for_a_reason(app: TestApp) {
    let Sold { push_id, .. } = lenient(&app).await;
    let north = app.sign_in("north.manager").await;
    for (wrong, field) in [
        (json!({"reasonCode": "bored"}), "reasonCode"),
        (json!({"reasonCode": ""}), "reasonCode"),
        (json!({"reasonCode": "other"}), "note"),
        (json!({"note": "长".repeat(501)}), "note"),
        (json!({"proofFileIds": [1, 2, 3, 4, 5, 6]}), "proofFileIds"),
        (json!({"proofFileIds": [999]}), "proofFileIds"),
    ] {
        ask(&north, push_id, wrong.clone()).await.wrong(field);
    }
    ask(&north, push_id, json!({"refundCents": 1})).await.refused("4000");
    ask(&north, 999_999, json!({})).await.refused("1004");
    for status in ["queued", "sending", "retrying", "rejected", "duplicate", "failed", "cancelled", "returned"] {
        app.execute(Box::leak(format!("UPDATE push_record SET status = '{status}'").into_boxed_str())).await;
        ask(&north, push_id, json!({})).await.refused("1006");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM lead_return").await, 0);
}

on_both!(another_organisation_and_who_may_not_reach_nothing);
async fn another_organisation_and_who_may_not_reach_nothing(app: TestApp) {
    let Sold { push_id, .. } = lenient(&app).await;
    let (north, south) = (app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    ask(&south, push_id, json!({})).await.refused("1004");
    ask(&app.sign_in("auditor").await, push_id, json!({})).await.refused("1003");
    let row = ask(&north, push_id, json!({})).await.ok();
    let meant = json!({"id": row["id"], "version": row["version"]});
    south.get(&format!("/plan/return/{}", row["id"])).await.refused("1004");
    south.put("/plan/return/withdraw", meant.clone()).await.refused("1004");
    testing::returns::decide(&south, &row, true, json!({})).await.refused("1004");
    // Its own people see it, and decide on nothing.
    assert_eq!(north.get(&format!("/plan/return/{}", row["id"])).await.ok(), row);
    testing::returns::decide(&north, &row, true, json!({})).await.refused("1003");
}

on_both!(a_return_is_withdrawn_and_asked_for_again);
async fn a_return_is_withdrawn_and_asked_for_again(app: TestApp) {
    let Sold { push_id, .. } = lenient(&app).await;
    let north = app.sign_in("north.manager").await;
    let row = ask(&north, push_id, json!({})).await.ok();
    north.put("/plan/return/withdraw", json!({"id": row["id"], "version": 9})).await.refused("1005");
    // Only the requester takes it back.
    let admin = app.sign_in("admin").await;
    admin.put("/plan/return/withdraw", json!({"id": row["id"], "version": row["version"]})).await.refused("1006");
    let gone = north.put("/plan/return/withdraw", json!({"id": row["id"], "version": row["version"]})).await.ok();
    assert_eq!(gone["status"], "withdrawn");
    north.put("/plan/return/withdraw", json!({"id": row["id"], "version": gone["version"]})).await.refused("1006");
    testing::returns::decide(&app.sign_in("admin").await, &gone, true, json!({})).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE type = 'todo' AND done_at IS NULL").await, 0);
    ask(&north, push_id, json!({})).await.ok();
}

on_both!(proofs_are_kept_with_a_return_and_seen_by_who_sees_it);
async fn proofs_are_kept_with_a_return_and_seen_by_who_sees_it(app: TestApp) {
    let Sold { push_id, .. } = lenient(&app).await;
    let north = app.sign_in("north.manager").await;
    let file = north.upload("/common/upload", &[("bizType", "return_proof")], "a.csv", b"a,b\n1,2\n").await.ok();
    let row = ask(&north, push_id, json!({"proofFileIds": [file["id"]]})).await.ok();
    assert_eq!(row["proofFiles"][0]["name"], "a.csv");
    let path = format!("/common/file/{}", file["id"]);
    assert_eq!(app.sign_in("admin").await.get(&path).await.status, 200);
    app.sign_in("south.manager").await.get(&path).await.refused("1004");
}
