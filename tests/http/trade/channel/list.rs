//! `POST /channel/page` and `GET /channel/options`.

use serde_json::{Value, json};

use super::codes;
use testing::channel::list::many;
use testing::channel::{form, make, with};
use testing::{TestApp, on_both};

on_both!(filters_narrow_and_empty_ones_do_not);
async fn filters_narrow_and_empty_ones_do_not(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let owner = app.account("channel.manager").await;
    make(&operator, with(form("aaaa-0001"), json!({"name": "Alpha"}))).await;
    let two = json!({"name": "Beta", "type": "api", "settleMode": "share", "shareBp": 100, "ownerAdminId": owner});
    let two = make(&operator, with(form("bbbb-0002"), two)).await;
    operator.put("/channel/status", json!({"id": two, "version": 1, "status": "paused"})).await.ok();
    app.execute("UPDATE channel SET mode = 'live' WHERE code = 'bbbb-0002'").await;

    for filter in [
        json!({"keyword": "bbbb"}),
        json!({"keyword": " Bet "}),
        json!({"keyword": "BETA"}),
        json!({"keyword": "eta"}),
        json!({"keyword": "ｂｅＴ"}),
        json!({"type": "api"}),
        json!({"settleMode": "share"}),
        json!({"mode": "live"}),
        json!({"status": "paused"}),
        json!({"ownerAdminId": owner}),
        json!({"ownerAdminId": owner.to_string()}),
        json!({"type": "api", "status": "paused", "keyword": "b"}),
    ] {
        assert_eq!(codes(&operator, filter.clone()).await, ["bbbb-0002"], "{filter}");
    }
    for filter in
        [json!({}), json!({"keyword": "", "type": "", "status": null, "ownerAdminId": "", "createdFrom": ""}), json!({"utm": "x"})]
    {
        assert_eq!(codes(&operator, filter.clone()).await.len(), 2, "{filter}");
    }
    for filter in
        [json!({"keyword": "etc"}), json!({"type": "sms"}), json!({"type": "api", "status": "enabled"}), json!({"ownerAdminId": 0})]
    {
        assert_eq!(codes(&operator, filter.clone()).await, Vec::<String>::new(), "{filter}");
    }
    for bad in [
        json!({"type": "tv"}),
        json!({"status": 1}),
        json!({"ownerAdminId": "1 OR 1=1"}),
        json!({"createdFrom": "yesterday"}),
        json!({"createdFrom": "2026-02-30"}),
        json!({"sort": "appSecretEnc"}),
        json!({"sort": "c.code; DROP TABLE channel"}),
        json!({"order": "up"}),
        json!({"current": "first"}),
        json!({"pageSize": "many"}),
        json!({"keyword": {"a": 1}}),
    ] {
        operator.post("/channel/page", bad).await.refused("4000");
    }
}

on_both!(days_are_days_in_shanghai);
async fn days_are_days_in_shanghai(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, form("late-evening")).await;
    make(&operator, form("midnight")).await;
    // 2026-03-01 00:00 in Shanghai, and the millisecond before it.
    app.execute("UPDATE channel SET created_at = 1772294399999 WHERE code = 'late-evening'").await;
    app.execute("UPDATE channel SET created_at = 1772294400000 WHERE code = 'midnight'").await;
    assert_eq!(codes(&operator, json!({"createdFrom": "2026-03-01"})).await, ["midnight"]);
    assert_eq!(codes(&operator, json!({"createdTo": "2026-02-28"})).await, ["late-evening"]);
    assert_eq!(codes(&operator, json!({"createdFrom": "2026-02-28", "createdTo": "2026-03-01"})).await, ["midnight", "late-evening"]);
}

on_both!(wildcards_of_a_keyword_are_letters);
async fn wildcards_of_a_keyword_are_letters(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for (code, name) in
        [("plain-0001", "50% off"), ("plain-0002", "50 off"), ("under_0003", "a_b"), ("under-0004", "aXb"), ("bang-0005", "!x")]
    {
        make(&operator, with(form(code), json!({"name": name}))).await;
    }
    for (keyword, code) in [("50%", "plain-0001"), ("%", "plain-0001"), ("under_", "under_0003"), ("a_", "under_0003"), ("!", "bang-0005")]
    {
        assert_eq!(codes(&operator, json!({"keyword": keyword})).await, [code], "{keyword}");
    }
    for keyword in ["%%", "__", "' OR 1=1 --", "\\"] {
        assert_eq!(codes(&operator, json!({"keyword": keyword})).await, Vec::<String>::new());
    }
    operator.post("/channel/page", json!({"keyword": "x".repeat(60_000)})).await.refused("4000");
}

on_both!(every_sort_orders_and_is_total);
async fn every_sort_orders_and_is_total(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let mut ids = Vec::new();
    for number in 0..6 {
        let changes = json!({"name": format!("n{}", number / 2), "unitPriceCents": 100 + number / 2});
        ids.push(make(&operator, with(form(&format!("code-{number:04}")), changes)).await);
    }
    app.execute("UPDATE channel SET created_at = 5, updated_at = 5").await;
    for sort in ["code", "name", "unitPriceCents", "status", "createdAt", "updatedAt"] {
        for (order, expected) in [("asc", ids.clone()), ("desc", ids.iter().rev().copied().collect())] {
            // In pages of two: ties are broken the same way on every page.
            let mut seen = Vec::new();
            for current in 1..=3 {
                let page =
                    operator.post("/channel/page", json!({"sort": sort, "order": order, "pageSize": 2, "current": current})).await.ok();
                seen.extend(page["list"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()));
            }
            assert_eq!(seen, expected, "{sort} {order}");
        }
    }
}

on_both!(the_newest_come_first_and_pages_count);
async fn the_newest_come_first_and_pages_count(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for number in 0..5 {
        make(&operator, form(&format!("code-{number:04}"))).await;
        app.advance(1000);
    }
    let page = operator.post("/channel/page", json!({"current": "2", "pageSize": "2"})).await.ok();
    assert_eq!(
        (&page["total"], &page["totalIsExact"], &page["current"], &page["pageSize"]),
        (&json!(5), &json!(true), &json!(2), &json!(2))
    );
    assert_eq!(
        page["list"].as_array().unwrap().iter().map(|row| row["code"].as_str().unwrap()).collect::<Vec<_>>(),
        ["code-0002", "code-0001"]
    );
    let beyond = operator.post("/channel/page", json!({"current": 9, "pageSize": 2})).await.ok();
    assert_eq!((&beyond["list"], &beyond["total"]), (&json!([]), &json!(5)));
    let keys: Vec<&String> = page["list"][0].as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "id",
            "code",
            "name",
            "type",
            "settleMode",
            "unitPriceCents",
            "shareBp",
            "landingUrl",
            "appKey",
            "oldSecretUntil",
            "ipAllow",
            "callbackUrl",
            "mode",
            "status",
            "dedupDays",
            "dedupScope",
            "requiredFields",
            "caps",
            "filters",
            "ownerAdminId",
            "ownerName",
            "remark",
            "version",
            "createdAt",
            "updatedAt",
            "usage",
            "payable"
        ]
    );
}

on_both!(a_deep_page_of_many_answers);
async fn a_deep_page_of_many_answers(app: TestApp) {
    let operator = app.sign_in("operator").await;
    many(&app, &operator, 12_000).await;
    let page = operator.post("/channel/page", json!({"current": 59, "pageSize": 200})).await.ok();
    assert_eq!(page["list"].as_array().unwrap().len(), 200);
    // Counted to 10,000 and no further; a page beyond that is never told fewer rows than it lies at.
    assert_eq!((&page["total"], &page["totalIsExact"]), (&json!(11_800), &json!(false)));
    let first = operator.post("/channel/page", json!({})).await.ok();
    assert_eq!((&first["total"], &first["totalIsExact"]), (&json!(10_000), &json!(false)));
    let last = operator.post("/channel/page", json!({"current": 71, "pageSize": 170})).await.ok();
    assert_eq!((last["list"].as_array().unwrap().len(), &last["total"], &last["totalIsExact"]), (100, &json!(12_000), &json!(true)));
}

on_both!(options_are_found_by_their_beginning);
async fn options_are_found_by_their_beginning(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let beta = make(&operator, with(form("zzzz-0001"), json!({"name": "Beta"}))).await;
    let alpha = make(&operator, with(form("yyyy-0002"), json!({"name": "Alpha"}))).await;
    let both = json!([{"value": alpha, "label": "Alpha", "test": true}, {"value": beta, "label": "Beta", "test": true}]);
    assert_eq!(operator.get("/channel/options").await.ok(), both);
    assert_eq!(operator.get("/channel/options?keyword=").await.ok(), both);
    assert_eq!(operator.get("/channel/options?keyword=zzzz").await.ok(), json!([both[1]]));
    assert_eq!(operator.get("/channel/options?keyword=%25").await.ok(), json!([]));
    operator.get("/channel/options?keyword=%00").await.refused("4000");
}

on_both!(an_option_has_the_fields_that_its_channel_requires);
async fn an_option_has_the_fields_that_its_channel_requires(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let free = make(&operator, with(form("yyyy-0001"), json!({"name": "Alpha"}))).await;
    let strict = make(&operator, with(form("zzzz-0002"), json!({"name": "Beta", "requiredFields": ["house", "age"]}))).await;
    assert_eq!(
        operator.get("/channel/options").await.ok(),
        json!([
            {"value": free, "label": "Alpha", "test": true},
            {"value": strict, "label": "Beta", "requiredFields": ["age", "house"], "test": true},
        ])
    );
}

on_both!(an_address_reads_like_a_body);
async fn an_address_reads_like_a_body(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, form("code-0001")).await;
    assert_eq!(operator.call(axum::http::Method::POST, "/channel/page", None).await.ok()["total"], 1, "no body at all");
    for body in [json!([]), json!("x"), Value::Null] {
        operator.post("/channel/page", body).await.refused("4000");
    }
}
