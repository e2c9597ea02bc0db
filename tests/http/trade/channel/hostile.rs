//! Texts that mean harm stay texts.

use serde_json::json;

use testing::channel::{form, make, with};
use testing::{TestApp, on_both};

const TEXTS: &[&str] = &[
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>",
    "a\u{2028}\u{2029}gnp.exe",
    "'; DROP TABLE channel; --",
    "${7*7}{{7*7}}",
    "../../etc/passwd",
    "a,\"b\"\r\nc",
];

on_both!(markup_and_sql_come_back_as_they_went_in);
async fn markup_and_sql_come_back_as_they_went_in(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for (number, text) in TEXTS.iter().enumerate() {
        let id = make(&operator, with(form(&format!("text-{number:04}")), json!({"name": text, "remark": text}))).await;
        let row = operator.get(&format!("/channel/{id}")).await.ok();
        assert_eq!((&row["name"], &row["remark"]), (&json!(text), &json!(text)));
        let found = operator.post("/channel/page", json!({"keyword": text})).await.ok();
        assert_eq!((&found["total"], &found["list"][0]["id"]), (&json!(1), &json!(id)), "{text}");
        let history = operator.get(&format!("/channel/history/{id}")).await.ok();
        assert!(history[0]["diff"].as_array().unwrap().contains(&json!({"field": "name", "before": null, "after": text})));
        let file = operator.export("/channel/page/export", json!({"format": "csv", "keyword": text, "columns": ["name", "remark"]})).await;
        let mut reader = csv::Reader::from_reader(&file.body[3..]);
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!((rows.len(), &rows[0][0], &rows[0][1]), (1, *text, *text));
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM channel").await, TEXTS.len() as i64);
}

/// Small points: a name that turns the direction of writing looks like another one.
mod marks_of_direction {
    use super::*;

    on_both!(stand_in_no_name_and_no_title);
    async fn stand_in_no_name_and_no_title(app: TestApp) {
        let admin = app.sign_in("admin").await;
        for mark in ["\u{202a}", "\u{202b}", "\u{202c}", "\u{202d}", "\u{202e}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}"] {
            let name = format!("a{mark}gnp.exe");
            admin.post("/channel", with(form("ads-xingmang-1"), json!({"name": name}))).await.wrong("name");
            let link = json!({"titleZh": name, "titleEn": "Help", "icon": "info", "sort": 8, "externalUrl": "https://help.example/", "everyone": true});
            admin.post("/menu", link).await.wrong("titleZh");
            let person = json!({"username": "some.body", "realName": name, "roleIds": [app.role("guest").await]});
            admin.post("/admin", person).await.wrong("realName");
        }
        assert_eq!(app.count("SELECT COUNT(*) FROM channel").await, 0);
    }
}

on_both!(answers_are_json_that_no_browser_takes_for_a_page);
async fn answers_are_json_that_no_browser_takes_for_a_page(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, with(form("ads-xingmang-1"), json!({"name": TEXTS[0]}))).await;
    let answer = operator.get(&format!("/channel/{id}")).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let wrong = operator.post("/channel", with(form("ads-xingmang-2"), json!({"ipAllow": ["<script>alert(1)</script>"]}))).await;
    assert_eq!(wrong.header("content-type"), Some("application/json"));
    assert!(wrong.wrong("ipAllow").contains("<script>"), "the text itself, for JSON to carry");
}

on_both!(large_bodies_are_refused);
async fn large_bodies_are_refused(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let large = with(form("ads-xingmang-1"), json!({"remark": "x".repeat(2 * 1024 * 1024)}));
    let answer = operator.post("/channel", large).await;
    assert_eq!((answer.code().as_str(), answer.status.as_u16()), ("4013", 413));
    assert_eq!(app.count("SELECT COUNT(*) FROM channel").await, 0);
}
