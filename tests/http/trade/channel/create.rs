//! `POST /channel`.

use serde_json::{Value, json};

use super::rows;
use testing::channel::{form, make, with};
use testing::{TestApp, on_both};

on_both!(a_new_channel_is_enabled_and_in_test_mode);
async fn a_new_channel_is_enabled_and_in_test_mode(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let made = operator.post("/channel", form("ads-xingmang-1")).await.ok();
    let id = made["id"].as_i64().unwrap();
    assert_eq!((made["appKey"].as_str().unwrap().len(), made["appSecret"].as_str().unwrap().len()), (24, 40));

    let row = operator.get(&format!("/channel/{id}")).await.ok();
    for (name, value) in form("ads-xingmang-1").as_object().unwrap() {
        assert_eq!(&row[name], value, "{name}");
    }
    assert_eq!((&row["mode"], &row["status"], &row["version"]), (&json!("test"), &json!("enabled"), &json!(1)));
    assert_eq!((&row["appKey"], &row["ownerName"]), (&made["appKey"], &Value::Null));
    assert!((app.now() - row["createdAt"].as_i64().unwrap()).abs() < 60_000);

    let history = operator.get(&format!("/channel/history/{id}")).await.ok();
    assert_eq!((&history[0]["action"], &history[0]["adminName"]), (&json!("create"), &json!("platform operator")));
    let told: Vec<&str> = history[0]["diff"].as_array().unwrap().iter().map(|change| change["field"].as_str().unwrap()).collect();
    assert!(told.contains(&"code") && told.contains(&"unitPriceCents") && !told.contains(&"appSecret"), "{told:?}");
}

on_both!(only_what_must_be_given_must_be_given);
async fn only_what_must_be_given_must_be_given(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, json!({"code": " plain_code ", "name": " A ", "type": "other", "settleMode": "none"})).await;
    let row = operator.get(&format!("/channel/{id}")).await.ok();
    assert_eq!((&row["code"], &row["name"], &row["remark"]), (&json!("plain_code"), &json!("A"), &json!("")), "texts are tidied");
    assert_eq!((&row["landingUrl"], &row["ipAllow"], &row["dedupDays"]), (&Value::Null, &json!([]), &Value::Null));
    // Empty texts are absent ones.
    let id = make(&operator, with(form("blank-code"), json!({"landingUrl": "", "callbackUrl": " ", "ipAllow": [" ", "10.1.1.1 "]}))).await;
    let row = operator.get(&format!("/channel/{id}")).await.ok();
    assert_eq!((&row["landingUrl"], &row["callbackUrl"], &row["ipAllow"]), (&Value::Null, &Value::Null, &json!(["10.1.1.1"])));
}

on_both!(each_wrong_field_is_named_and_nothing_is_written);
async fn each_wrong_field_is_named_and_nothing_is_written(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (disabled, buyer) = (app.account("channel.second").await, app.account("north.manager").await);
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'channel.second'").await;
    let before = rows(&app).await;
    let fifty_one: Vec<String> = (1..=51).map(|number| format!("10.0.0.{number}")).collect();
    for (field, value) in [
        ("code", json!("short")),
        ("code", json!("c".repeat(33))),
        ("code", json!("with blank")),
        ("code", json!("渠道编码渠道编码")),
        ("code", json!("semi;colon;code")),
        ("name", json!("")),
        ("name", json!("   ")),
        ("name", json!("好".repeat(65))),
        ("unitPriceCents", json!(-1)),
        ("unitPriceCents", json!(100_000_001)),
        ("unitPriceCents", json!(i64::MAX)),
        ("unitPriceCents", json!(0)),
        ("shareBp", json!(-1)),
        ("shareBp", json!(10_001)),
        ("landingUrl", json!("javascript:alert(1)")),
        ("landingUrl", json!("xingmang.example.com")),
        ("landingUrl", json!(format!("https://example.com/{}", "a".repeat(500)))),
        ("callbackUrl", json!("ftp://example.com")),
        ("ipAllow", json!(["10.0.0.0/33"])),
        ("ipAllow", json!(["10.0.0.1", "example.com"])),
        ("ipAllow", json!(fifty_one)),
        ("dedupDays", json!(-1)),
        ("dedupDays", json!(3651)),
        ("ownerAdminId", json!(disabled)),
        ("ownerAdminId", json!(buyer)),
        ("ownerAdminId", json!(999_999)),
        ("ownerAdminId", json!(-1)),
        ("remark", json!("好".repeat(501))),
    ] {
        let body = with(form("ads-xingmang-1"), json!({ field: value }));
        let answer = operator.post("/channel", body).await;
        assert!(!answer.wrong(field).is_empty(), "{field}: {value}");
    }
    // A share needs a share.
    assert_eq!(
        operator.in_english().post("/channel", with(form("ads-xingmang-1"), json!({"settleMode": "share"}))).await.wrong("shareBp"),
        "This settlement requires a share"
    );
    // All at once.
    let all = operator.post("/channel", with(form("x"), json!({"name": "", "dedupDays": -1}))).await.refused("1001");
    assert_eq!(all.as_object().unwrap().keys().collect::<Vec<_>>(), ["code", "name", "dedupDays"]);
    assert_eq!(rows(&app).await, before);
}

on_both!(edges_are_accepted);
async fn edges_are_accepted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let fifty: Vec<String> = (1..=50).map(|number| format!("10.0.0.{number}")).collect();
    for (number, changes) in [
        json!({"code": "eight_-8", "name": "好".repeat(64), "remark": "好".repeat(500)}),
        json!({"code": "c".repeat(32), "unitPriceCents": 100_000_000, "ipAllow": fifty}),
        json!({"settleMode": "share", "unitPriceCents": 0, "shareBp": 10_000}),
        json!({"settleMode": "none", "unitPriceCents": 0, "dedupDays": 0}),
        json!({"dedupDays": 3650, "ownerAdminId": app.account("operator").await}),
    ]
    .into_iter()
    .enumerate()
    {
        make(&operator, with(form(&format!("edge-{number:04}")), changes)).await;
    }
}

on_both!(malformed_bodies_name_the_field_and_write_nothing);
async fn malformed_bodies_name_the_field_and_write_nothing(app: TestApp) {
    let operator = app.sign_in("operator").await.in_english();
    let before = rows(&app).await;
    for (changes, start) in [
        (json!({"appSecret": "mine"}), "appSecret: unknown field"),
        (json!({"status": "enabled"}), "status: unknown field"),
        (json!({"mode": "live"}), "mode: unknown field"),
        (json!({"id": 1}), "id: unknown field"),
        (json!({"unitPriceCents": "12.50"}), "unitPriceCents: invalid type"),
        (json!({"unitPriceCents": 12.5}), "unitPriceCents: invalid type"),
        (json!({"type": "tv"}), "type: unknown variant"),
        (json!({"settleMode": 4}), "settleMode: "),
        (json!({"ipAllow": "10.0.0.1"}), "ipAllow: invalid type"),
        (json!({"name": null}), "name: invalid type"),
        (json!({"name": "a\u{0}b"}), "NUL"),
    ] {
        let answer = operator.post("/channel", with(form("ads-xingmang-1"), changes.clone())).await;
        assert_eq!((answer.code().as_str(), answer.status.as_u16()), ("4000", 400), "{changes}");
        assert!(answer.desc().starts_with(&format!("Invalid request format: {start}")), "{}", answer.desc());
    }
    for body in ["", "[]", "{", "\"\"", "{\"code\":}"] {
        operator.send(axum::http::Method::POST, "/channel", body.as_bytes().to_vec()).await.refused("4000");
    }
    assert_eq!(rows(&app).await, before);
}

on_both!(a_code_is_given_once);
async fn a_code_is_given_once(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    let answer = operator.in_english().post("/channel", form("ads-xingmang-1")).await;
    answer.refused("1005");
    assert_eq!(answer.desc(), "Channel ads-xingmang-1 already exists");
    // Nor is that of a deleted channel, whose money may still be owed.
    operator.delete(&format!("/channel/{id}")).await.ok();
    operator.post("/channel", form("ads-xingmang-1")).await.refused("1005");
    assert_eq!(rows(&app).await, 1);
}

on_both!(two_at_once_make_one);
async fn two_at_once_make_one(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let tries = futures_util::future::join_all((0..4).map(|_| operator.post("/channel", form("ads-xingmang-1")))).await;
    let mut codes: Vec<String> = tries.iter().map(|answer| answer.code()).collect();
    codes.sort();
    assert_eq!(codes, ["0000", "1005", "1005", "1005"]);
    assert_eq!(rows(&app).await, 1);
}

on_both!(a_repeated_post_gets_the_first_answer);
async fn a_repeated_post_gets_the_first_answer(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "k-1");
    let first = operator.post("/channel", form("ads-xingmang-1")).await.ok();
    assert_eq!(operator.post("/channel", form("ads-xingmang-1")).await.ok(), first);
    assert_eq!(rows(&app).await, 1);
}
