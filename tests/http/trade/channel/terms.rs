//! A channel's caps and filters.

use serde_json::{Value, json};

use super::changes::gone;
use super::rows;
use testing::channel::{form, make, with};
use testing::{TestApp, on_both};

fn caps() -> Value {
    json!([
        {"window": "hour", "weekday": null, "maxCount": 50, "maxCents": null},
        {"window": "day", "weekday": null, "maxCount": 1000, "maxCents": null},
        {"window": "day", "weekday": 7, "maxCount": 100, "maxCents": null},
        {"window": "month", "weekday": null, "maxCount": null, "maxCents": 5_000_050}
    ])
}

fn filters() -> Value {
    json!({"all": [
        {"field": "age", "op": "between", "value": [22, 55]},
        {"any": [{"field": "house", "op": "exists", "value": true}, {"field": "car", "op": "exists", "value": true}]}
    ]})
}

fn capped(code: &str) -> Value {
    with(form(code), json!({"caps": caps(), "filters": filters()}))
}

on_both!(caps_and_filters_are_kept_and_told_in_words);
async fn caps_and_filters_are_kept_and_told_in_words(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, capped("ads-xingmang-1")).await;
    let path = format!("/channel/{id}");
    let row = operator.get(&path).await.ok();
    assert_eq!((&row["caps"], &row["filters"]), (&caps(), &filters()));
    let page = operator.post("/channel/page", json!({})).await.ok();
    // What is payable is looked up in the details alone.
    assert_eq!(page["list"][0], with(row, json!({"payable": null})));

    let changes =
        json!({"id": id, "version": 1, "filters": null, "caps": [{"window": "day", "weekday": null, "maxCount": 1, "maxCents": null}]});
    let changed = operator.put("/channel", with(form("ads-xingmang-1"), changes)).await.ok();
    assert_eq!((&changed["caps"].as_array().unwrap().len(), &changed["filters"]), (&1, &Value::Null));

    let history = format!("/channel/history/{id}");
    let told = |history: &Value, entry: usize, field: &str| {
        let diff = history[entry]["diff"].as_array().unwrap();
        let change = diff.iter().find(|change| change["field"] == field).unwrap();
        (change["before"].as_str().map(str::to_owned), change["after"].as_str().map(str::to_owned))
    };
    let chinese = operator.get(&history).await.ok();
    let words = "每小时最多 50 条；每天最多 1,000 条；周日最多 100 条；每月最多 50,000.50 元";
    assert_eq!(told(&chinese, 1, "caps"), (None, Some(words.to_owned())));
    assert_eq!(told(&chinese, 0, "caps"), (Some(words.to_owned()), Some("每天最多 1 条".to_owned())));
    assert_eq!(told(&chinese, 0, "filters"), (Some("年龄 22–55 且（有房 或 有车）".to_owned()), None));
    let english = operator.in_english().get(&history).await.ok();
    assert_eq!(told(&english, 0, "caps").1.unwrap(), "At most 1 lead a day");
    assert_eq!(told(&english, 0, "filters").0.unwrap(), "Age 22–55 and (has a house or has a car)");
    // The audit trail says the same.
    let trail = app.sign_in("admin").await.post("/audit/page", json!({"module": "channel"})).await.ok();
    assert_eq!(trail["list"][0]["diff"], chinese[0]["diff"]);
}

on_both!(a_channel_without_them_is_open_to_all);
async fn a_channel_without_them_is_open_to_all(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    let row = operator.get(&format!("/channel/{id}")).await.ok();
    assert_eq!((&row["caps"], &row["filters"]), (&json!([]), &Value::Null));
    assert_eq!(app.count("SELECT COUNT(*) FROM cap_rule").await, 0);
}

on_both!(wrong_terms_are_named_and_nothing_is_written);
async fn wrong_terms_are_named_and_nothing_is_written(app: TestApp) {
    let operator = app.sign_in("operator").await.in_english();
    let id = make(&operator, form("ads-xingmang-1")).await;
    let cap = |changes: Value| with(json!({"window": "day", "weekday": null, "maxCount": 5, "maxCents": null}), changes);
    let one = |condition: Value| json!({"all": [condition]});
    let deep = (0..4).fold(filters(), |inner, _| json!({"any": [inner]}));
    for (field, value, message) in [
        ("caps", json!([cap(json!({})), cap(json!({"maxCount": 6}))]), "No. 2: Duplicate period"),
        ("caps", json!([cap(json!({"maxCount": null}))]), "No. 1: Enter a count or an amount"),
        ("caps", json!([cap(json!({"maxCount": 0}))]), "No. 1: The count must be between 1 and 10,000,000"),
        ("caps", json!([cap(json!({"maxCents": -1}))]), "No. 1: The amount must be between 0.01 and 1,000,000,000 CNY"),
        ("caps", json!([cap(json!({"window": "week", "weekday": 1}))]), "No. 1: Only a daily cap can have a weekday"),
        ("caps", json!([cap(json!({"weekday": 8}))]), "No. 1: Only a daily cap can have a weekday"),
        ("caps", json!(vec![cap(json!({})); 21]), "At most 20 caps"),
        ("filters", json!({"all": []}), "At least one condition is required"),
        ("filters", one(json!({"field": "password", "op": "eq", "value": 1})), "No. 1: This field does not exist"),
        ("filters", one(json!({"field": "age", "op": "between", "value": [55, 22]})), "No. 1: The start cannot be greater than the end"),
        ("filters", one(json!({"any": [{"field": "sex", "op": "in", "value": ["x"]}]})), "No. 1.1: No such value: “x”"),
        ("filters", deep, "No. 1.1.1.1: At most 4 nested levels"),
    ] {
        for answer in [
            operator.post("/channel", with(form("ads-xingmang-2"), json!({ field: value }))).await,
            operator.put("/channel", with(form("ads-xingmang-1"), json!({"id": id, "version": 1, field: value}))).await,
        ] {
            let told = answer.wrong(field);
            assert!(told.starts_with(message), "{told}");
        }
    }
    for changes in [
        json!({"caps": [cap(json!({"window": "year"}))]}),
        json!({"caps": [cap(json!({"used": 1}))]}),
        json!({"caps": [cap(json!({"maxCount": 1.5}))]}),
        json!({"caps": [cap(json!({"weekday": -1}))]}),
        json!({"caps": {}}),
        json!({"caps": null}),
        json!({"filters": []}),
        json!({"filters": {"none": []}}),
        json!({"filters": {"all": [], "any": []}}),
        json!({"filters": one(json!({"field": "age", "op": "like", "value": 1}))}),
        json!({"filters": one(json!({"field": "age", "op": "eq", "value": {}}))}),
        json!({"filters": one(json!({"field": "age", "op": "eq", "value": 1, "or": 2}))}),
    ] {
        operator.post("/channel", with(form("ads-xingmang-2"), changes)).await.refused("4000");
    }
    assert_eq!((rows(&app).await, app.count("SELECT COUNT(*) FROM cap_rule").await), (1, 0));
    assert_eq!(operator.get(&format!("/channel/{id}")).await.ok()["version"], 1);
}

on_both!(of_two_who_change_the_caps_one_is_told);
async fn of_two_who_change_the_caps_one_is_told(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, capped("ads-xingmang-1")).await;
    let first = operator.put("/channel", with(capped("ads-xingmang-1"), json!({"id": id, "version": 1, "caps": []}))).await.ok();
    let second = operator.put("/channel", with(capped("ads-xingmang-1"), json!({"id": id, "version": 1}))).await;
    assert_eq!(second.refused("1005"), json!({"current": first}));
    assert_eq!(app.count("SELECT COUNT(*) FROM cap_rule").await, 0);
}

on_both!(the_terms_of_others_stay_theirs);
async fn the_terms_of_others_stay_theirs(app: TestApp) {
    let (operator, manager) = (app.sign_in("operator").await, app.sign_in("channel.manager").await);
    let others = make(&operator, capped("others-01")).await;
    gone(&manager, others).await;
    manager.put("/channel", with(form("others-01"), json!({"id": others, "version": 1, "caps": []}))).await.refused("1004");
    let mine = make(&manager, capped("mine-0001")).await;
    assert_eq!(manager.get(&format!("/channel/{mine}")).await.ok()["caps"], caps());
    assert_eq!(app.count("SELECT COUNT(*) FROM cap_rule").await, 8);
}

on_both!(an_export_tells_them_in_words);
async fn an_export_tells_them_in_words(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, capped("ads-xingmang-1")).await;
    let file = operator.export("/channel/page/export", json!({"format": "csv"})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.contains("年龄 22–55 且（有房 或 有车）") && text.contains("周日最多 100 条"), "{text}");
}
