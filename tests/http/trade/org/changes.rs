//! `POST /org`, `PUT /org`, `DELETE /org/{id}`, the list, its file, and what is revealed.

use serde_json::{Value, json};

use super::codes;
use testing::org::{edit, form, make, with};
use testing::upload::png;
use testing::{TestApp, on_both};

on_both!(a_new_organisation_is_pending_and_its_phones_are_masked);
async fn a_new_organisation_is_pending_and_its_phones_are_masked(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let row = admin.post("/org", form("tianxuan")).await.ok();
    let id = row["id"].as_i64().unwrap();
    assert_eq!((&row["status"], &row["version"]), (&json!("pending"), &json!(1)));
    let row = app.approve("/org", &row).await;
    for (name, value) in form("tianxuan").as_object().unwrap() {
        match name.as_str() {
            "contactPhone" => assert_eq!(row["contactPhoneMask"], "138****0001"),
            "alertPhones" => assert_eq!(row["alertPhones"], json!(["138****0002", "138****0003"])),
            _ => assert_eq!(&row[name], value, "{name}"),
        }
    }
    assert_eq!(row, admin.get(&format!("/org/{id}")).await.ok());
    let file = admin.export("/org/page/export", json!({"format": "csv"})).await;
    let file = String::from_utf8_lossy(&file.body).into_owned();
    assert!(file.contains("天璇消费金融有限公司") && file.contains("50000.00") && file.contains("138****0001"), "{file}");
    let trail = admin.get(&format!("/org/history/{id}")).await.ok();
    assert_eq!((&trail[1]["action"], trail.as_array().unwrap().len()), (&json!("create"), 2));
    let stored = app.text("SELECT contact_phone_enc || alert_phones_enc FROM organisation WHERE code = 'tianxuan'").await;
    for text in [file, trail.to_string(), stored] {
        assert!(!text.contains("13812340001") && !text.contains("13812340002"), "{text}");
    }

    // Whole phones are for who may see them, and it is written down.
    let phones = admin.get(&format!("/org/reveal/{id}")).await.ok();
    assert_eq!(phones, json!({"contactPhone": "13812340001", "alertPhones": ["13812340002", "13812340003"]}));
    assert_eq!(format!("{:?}", app.trail("organisation", id).await[0].action), "Reveal");
}

on_both!(each_wrong_field_is_named_and_nothing_is_written);
async fn each_wrong_field_is_named_and_nothing_is_written(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let buyer = app.account("north.manager").await;
    for (field, value) in [
        ("code", json!("x")),
        ("code", json!("有中文")),
        ("name", json!(" ")),
        ("name", json!("好".repeat(65))),
        ("shortName", json!("")),
        ("licenceNo", json!("x".repeat(65))),
        ("licenceExpireOn", json!("2026-02-30")),
        ("licenceExpireOn", json!("soon")),
        ("licenceFileId", json!(999_999)),
        ("contactPhone", json!("12345")),
        ("alertPhones", json!(["13812340002", "13812340002"])),
        ("alertPhones", json!(["138****0002"])),
        ("alertPhones", json!((0..6).map(|number| format!("1381234000{number}")).collect::<Vec<_>>())),
        ("address", json!("好".repeat(201))),
        ("creditLimitCents", json!(0)),
        ("creditLimitCents", json!(-1)),
        ("creditLimitCents", json!(10_000_000_001i64)),
        ("lowBalanceCents", json!(-1)),
        ("returnMaxDays", json!(91)),
        ("returnMaxBp", json!(10_001)),
        ("payeeOrgId", json!(999_999)),
        ("ownerAdminId", json!(buyer)),
    ] {
        let answer = admin.post("/org", with(form("tianxuan"), json!({ field: value }))).await;
        assert!(!answer.wrong(field).is_empty(), "{field}: {value}");
    }
    admin.post("/org", with(form("tianxuan"), json!({"billMode": "prepaid"}))).await.wrong("creditLimitCents");
    for changes in
        [json!({"status": "active"}), json!({"type": "church"}), json!({"id": 1}), json!({"returnAllowed": 1}), json!({"name": null})]
    {
        admin.post("/org", with(form("tianxuan"), changes)).await.refused("4000");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM organisation").await, 2);
    make(&admin, form("tianxuan")).await;
    admin.post("/org", form("tianxuan")).await.refused("1005");
}

on_both!(an_organisation_is_changed_and_its_history_tells);
async fn an_organisation_is_changed_and_its_history_tells(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let id = make(&admin, form("tianxuan")).await;
    let owner = app.account("operator").await;
    let changes = json!({"creditLimitCents": 8_000_000, "ownerAdminId": owner, "alertPhones": ["138****0003", "13912340009"]});
    let row = admin.put("/org", edit("tianxuan", id, 1, changes)).await.ok();
    assert_eq!((&row["version"], &row["ownerName"]), (&json!(2), &json!("platform operator")));
    let phones = admin.get(&format!("/org/reveal/{id}")).await.ok();
    assert_eq!(phones, json!({"contactPhone": "13812340001", "alertPhones": ["13812340003", "13912340009"]}), "masks keep what they hide");
    let history = admin.get(&format!("/org/history/{id}")).await.ok();
    let diff = history[1]["diff"].as_array().unwrap();
    assert!(diff.contains(&json!({"field": "asked.creditLimitCents", "before": "5000000", "after": "8000000"})), "{diff:?}");
    assert!(diff.contains(&json!({"field": "ownerName", "before": null, "after": "platform operator"})));

    let stale = admin.put("/org", edit("tianxuan", id, 1, json!({"name": "second"}))).await.refused("1005");
    assert_eq!(stale, json!({"current": row}));
    admin.put("/org", edit("other-code", id, 2, json!({}))).await.wrong("code");
    admin.put("/org", form("tianxuan")).await.refused("4000");
    let tries = futures_util::future::join_all(
        (0..4).map(|number| admin.put("/org", edit("tianxuan", id, 2, json!({"name": format!("n{number}"), "alertPhones": []})))),
    )
    .await;
    assert_eq!(tries.iter().filter(|answer| answer.code() == "0000").count(), 1);
}

on_both!(credit_and_returns_change_once_a_second_person_agrees);
async fn credit_and_returns_change_once_a_second_person_agrees(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let first = json!({"billMode": "prepaid", "creditLimitCents": 0, "returnAllowed": false, "returnMaxDays": 0, "returnMaxBp": 0, "returnAuto": false});
    let holds = |row: &Value, terms: &Value| terms.as_object().unwrap().iter().all(|(name, value)| &row[name] == value);
    let decision = |row: &Value, approve: bool| json!({"id": row["id"], "version": row["version"], "approve": approve, "note": "原因"});
    let row = operator.post("/org", form("tianxuan")).await.ok();
    let id = row["id"].as_i64().unwrap();
    assert!(holds(&row, &first) && row["proposed"]["creditLimitCents"] == 5_000_000, "{row}");
    operator.put("/org/audit", decision(&row, true)).await.refused("1006");
    let queues = admin.get("/workplace").await.ok()["queues"].to_string();
    assert!(queues.contains("/org/list?awaits=terms"), "{queues}");
    let row = admin.put("/org/audit", decision(&row, true)).await.ok();
    assert!(holds(&row, &json!({"billMode": "credit", "creditLimitCents": 5_000_000, "returnAllowed": true, "returnMaxDays": 7})), "{row}");
    assert!(row["proposed"].is_null() && row["decision"].is_null(), "{row}");

    // Each of the terms waits, and all else is written at once.
    for changes in [
        json!({"creditLimitCents": 9_000_000}),
        json!({"billMode": "prepaid", "creditLimitCents": 0}),
        json!({"returnAllowed": false}),
        json!({"returnMaxDays": 90}),
        json!({"returnMaxBp": 10_000}),
        json!({"returnAuto": true}),
    ] {
        let now = admin.get(&format!("/org/{id}")).await.ok();
        let body = edit("tianxuan", id, now["version"].as_i64().unwrap(), with(changes.clone(), json!({"address": changes.to_string()})));
        let asked = operator.put("/org", body).await.ok();
        assert!(asked["creditLimitCents"] == 5_000_000 && asked["returnMaxDays"] == 7 && asked["returnAuto"] == false, "{asked}");
        assert_eq!(asked["address"], changes.to_string());
        assert!(asked["proposed"].is_object(), "{asked}");
        operator.put("/org/audit", decision(&asked, true)).await.refused("1006");
        let rejected = admin.put("/org/audit", decision(&asked, false)).await.ok();
        assert!(rejected["proposed"].is_null() && rejected["creditLimitCents"] == 5_000_000, "{rejected}");
    }
    // A form that says what holds again withdraws what is proposed; so does its maker.
    let version = |row: &Value| row["version"].as_i64().unwrap();
    let now = admin.get(&format!("/org/{id}")).await.ok();
    let asked = operator.put("/org", edit("tianxuan", id, version(&now), json!({"returnAuto": true}))).await.ok();
    let kept = operator.put("/org", edit("tianxuan", id, version(&asked), json!({}))).await.ok();
    assert!(kept["proposed"].is_null());
    let asked = operator.put("/org", edit("tianxuan", id, version(&kept), json!({"returnAuto": true}))).await.ok();
    admin.put("/org/withdraw", json!({"id": id, "version": asked["version"]})).await.refused("1006");
    operator.put("/org/withdraw", json!({"id": id, "version": asked["version"]})).await.ok();
    let history = admin.get(&format!("/org/history/{id}")).await.ok().to_string();
    assert!(history.contains("asked.returnMaxBp") && history.contains("10000"), "{history}");
}

on_both!(the_list_is_narrowed_and_ordered);
async fn the_list_is_narrowed_and_ordered(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let row = admin.post("/org", form("aaa")).await.ok();
    app.approve("/org", &row).await;
    make(
        &app.sign_in("operator").await,
        with(
            form("bbb"),
            json!({"type": "bank", "billMode": "prepaid", "creditLimitCents": 0, "licenceExpireOn": "2030-01-31", "mode": "test"}),
        ),
    )
    .await;
    for (query, found) in [
        (json!({"keyword": "AA"}), vec!["aaa"]),
        (json!({"keyword": "邵"}), vec!["bbb", "aaa"]),
        (json!({"type": "bank"}), vec!["bbb"]),
        (json!({"billMode": "credit"}), vec!["aaa"]),
        (json!({"city": " 南京 "}), vec!["bbb", "aaa"]),
        (json!({"city": "320100"}), vec!["bbb", "aaa"]),
        (json!({"city": "杭州"}), vec![]),
        (json!({"status": "pending", "sort": "code", "order": "asc"}), vec!["aaa", "bbb"]),
        (json!({"licenceTo": "2030-12-31"}), vec!["bbb"]),
        (json!({"licenceFrom": "2030-12-31"}), vec!["aaa"]),
        (json!({"status": "pending", "sort": "creditLimitCents"}), vec!["aaa", "bbb"]),
        (json!({"mode": "live", "status": "paused"}), vec![]),
        (json!({"awaits": "terms"}), vec!["bbb"]),
        (json!({"awaits": "delivery"}), vec![]),
    ] {
        assert_eq!(codes(&admin, query.clone()).await, found, "{query}");
    }
    admin.post("/org/page", json!({"sort": "contactPhoneEnc"})).await.refused("4000");
}

on_both!(a_licences_picture_is_its_organisations);
async fn a_licences_picture_is_its_organisations(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let file = admin.upload("/common/upload", &[("bizType", "org_licence")], "许可证.png", &png()).await.ok()["id"].as_i64().unwrap();
    let path = format!("/common/file/{file}");
    operator.get(&path).await.refused("1004");
    let id = make(&admin, with(form("tianxuan"), json!({"licenceFileId": file}))).await;
    let row = admin.get(&format!("/org/{id}")).await.ok();
    assert_eq!((&row["licenceFileId"], &row["licenceFileName"]), (&json!(file), &json!("许可证.png")));
    assert_eq!(&operator.get(&path).await.body[..], png());
    app.sign_in("nobody").await.get(&path).await.refused("1004");
    app.sign_in("south.manager").await.get(&path).await.refused("1004");
    admin.put("/org", edit("tianxuan", id, 1, json!({"licenceFileId": null}))).await.ok();
    operator.get(&path).await.refused("1004");
    // Neither another kind of record's file nor somebody else's.
    let other = admin.upload("/common/upload", &[("bizType", "avatar")], "a.png", &png()).await.ok()["id"].clone();
    admin.put("/org", edit("tianxuan", id, 2, json!({"licenceFileId": other}))).await.wrong("licenceFileId");
    assert_eq!(admin.get(&format!("/org/{id}")).await.ok()["version"], 2);
}

on_both!(what_is_referred_to_is_not_deleted);
async fn what_is_referred_to_is_not_deleted(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let north = app.organisation("north").await;
    let refused = admin.in_english().delete(&format!("/org/{north}")).await;
    refused.refused("1006");
    assert_eq!(refused.desc(), "The organisation still has accounts and cannot be deleted");
    let id = make(&admin, form("tianxuan")).await;
    admin.delete(&format!("/org/{id}")).await.ok();
    for answer in [
        admin.get(&format!("/org/{id}")).await,
        admin.get(&format!("/org/history/{id}")).await,
        admin.get(&format!("/org/reveal/{id}")).await,
        admin.get(&format!("/org/api/{id}")).await,
        admin.put("/org", edit("tianxuan", id, 2, json!({}))).await,
        admin.put("/org/status", json!({"id": id, "version": 2, "status": "active"})).await,
        admin.delete(&format!("/org/{id}")).await,
    ] {
        assert_eq!(answer.refused("1004"), Value::Null);
    }
    admin.post("/org", form("tianxuan")).await.refused("1005");
}
