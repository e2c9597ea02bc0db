//! What a channel's visitors may choose from: `POST /open/products`, `/v/{channel}/products`, and the levers of a product.

use serde_json::{Value, json};

use testing::lead::{self, application, bring};
use testing::open::{Call, IPHONE, Partner, partner, supply};
use testing::plan::begin;
use testing::{Actor, Answer, TestApp, on_both};
use trade::plan::market::Market;
use trade::visit::Recorder;

async fn ask(app: &TestApp, channel: &Partner, nonce: &str, facts: Value) -> Answer {
    let call = Call { path: "/open/products", ..Call::of(app, channel, nonce, &json!({"applicant": facts})) };
    call.make(&app.stranger()).await
}

async fn offered(app: &TestApp, channel: &Partner, nonce: &str, facts: Value) -> Vec<String> {
    let answer = ask(app, channel, nonce, facts).await.ok();
    answer["products"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap().to_owned()).collect()
}

async fn page(app: &TestApp, path: &str) -> String {
    let answer = app.stranger().with("user-agent", IPHONE).ask(axum::http::Method::GET, path, Vec::new()).await;
    assert_eq!(answer.status.as_u16(), 200, "{path}");
    String::from_utf8_lossy(&answer.body).into_owned()
}

/// Sets columns of the one product.
async fn set(app: &TestApp, columns: &'static str) {
    app.execute(Box::leak(format!("UPDATE product SET {columns} WHERE code = 'north-easy'").into_boxed_str())).await;
}

/// Another product of the same organisation, without a plan.
async fn another(app: &TestApp) {
    app.execute(
        "INSERT INTO product (code, name, org_id, category, apply_mode, jump_url, min_amount_cents, max_amount_cents, min_term_months, \
         max_term_months, annual_rate_min_bp, annual_rate_max_bp, lender_name, uv_price_cents, sort, status, created_at, updated_at) \
         SELECT 'north-two', '北辰二号', org_id, category, apply_mode, jump_url, 1000000, 1000000, 12, 12, 0, 0, lender_name, 100, sort, \
         status, 1, 1 FROM product",
    )
    .await;
}

/// Exposures, visitors reached and visitors, by subject.
async fn funnels(app: &TestApp) -> Vec<String> {
    // What was noted before is written before this is.
    app.app.service::<Recorder>().record(None, Vec::new()).await.unwrap();
    sqlx::query_scalar(
        "SELECT s.subject_type || COALESCE(' ' || p.code, '') || ': ' || s.exposure_pv || ' ' || s.exposure_uv || ' ' || s.uv AS line \
         FROM uv_stat_daily s LEFT JOIN product p ON p.id = s.subject_id AND s.subject_type = 'product' \
         WHERE s.subject_type IN ('org', 'plan', 'product') AND s.channel_id = 0 AND s.system = '' ORDER BY line",
    )
    .fetch_all(app.app.db.read())
    .await
    .unwrap()
}

on_both!(products_that_are_listed_are_exposures);
async fn products_that_are_listed_are_exposures(app: TestApp) {
    let channel = partner(&app, "ads-link-1", json!({})).await;
    supply(&app).await;
    another(&app).await;
    let phone = app.stranger().with("user-agent", IPHONE);
    let open = async |who: &Actor, path: &str| who.ask(axum::http::Method::GET, path, Vec::new()).await;
    const PAGE: &str = "/v/ads-link-1/products";
    // Of a product with a running plan the plan is shown; programs are shown nothing.
    let first = open(&phone, PAGE).await;
    assert!(first.header("set-cookie").is_some_and(|cookie| cookie.starts_with("ll_device=")), "{:?}", first.header("set-cookie"));
    open(&phone, PAGE).await;
    open(&app.stranger(), PAGE).await;
    phone.ask(axum::http::Method::HEAD, PAGE, Vec::new()).await;
    assert_eq!(funnels(&app).await, ["org: 2 2 0", "plan: 1 1 0", "product north-easy: 1 1 0", "product north-two: 1 1 0"]);
    assert_eq!(app.text("SELECT position || ' ' || channel_id FROM plan_exposure").await, format!("1 {}", channel.id));
    app.advance(2000);
    open(&phone, PAGE).await;
    // What was shown and is chosen is shown no more often; a link that was followed without a list was shown once.
    open(&phone, "/p/north-easy?c=ads-link-1").await;
    let other = phone.from([10, 9, 8, 7]);
    open(&other, "/p/north-two?c=ads-link-1").await;
    app.advance(2000);
    open(&other, "/p/north-two?c=ads-link-1").await;
    let direct = ["org: 5 3 2", "plan: 2 1 0", "product north-easy: 2 1 1", "product north-two: 3 2 1"];
    assert_eq!(funnels(&app).await, direct);
    // A visitor of two channels is one of each, and was shown what was chosen by each.
    partner(&app, "ads-link-2", json!({})).await;
    open(&other, "/p/north-two?c=ads-link-2").await;
    let both = ["org: 6 4 3", "plan: 2 1 0", "product north-easy: 2 1 1", "product north-two: 4 3 2"];
    assert_eq!(funnels(&app).await, both);

    // A channel's server names the visitor who is shown its list, or nothing counts as shown.
    let list = async |nonce: &str, to: Value| {
        let body = json!({"applicant": {}, "shownTo": to});
        Call { path: "/open/products", ..Call::of(&app, &channel, nonce, &body) }.make(&app.stranger()).await
    };
    let visitor = |user_agent: &str| json!({"visitor": "v-1", "ip": "203.0.113.9", "userAgent": user_agent});
    list("1", Value::Null).await.ok();
    list("2", visitor("curl/8.0")).await.ok();
    list("3", json!({"visitor": "v-1", "ip": "here", "userAgent": IPHONE})).await.wrong("shownTo.ip");
    assert_eq!(funnels(&app).await, both);
    list("5", visitor(IPHONE)).await.ok();
    list("5", visitor(IPHONE)).await.refused("3004");
    let listed = ["org: 8 6 3", "plan: 3 2 0", "product north-easy: 3 2 1", "product north-two: 5 4 2"];
    assert_eq!(funnels(&app).await, listed);

    // In test mode nothing of it counts, and all can be counted again.
    app.execute("UPDATE channel SET mode = 'test'").await;
    app.execute("UPDATE organisation SET mode = 'test'").await;
    open(&phone.from([10, 9, 8, 6]), PAGE).await;
    assert_eq!(funnels(&app).await, listed);
    assert_eq!(app.count("SELECT COUNT(*) FROM plan_exposure WHERE test = 1").await, 1);
    let today = base::clock::day(app.now());
    assert_eq!(trade::visit::rebuild(&app.app.db, &app.app.clock, today, today).await.unwrap().corrected, 0);
    let page = app.sign_in("operator").await.post("/product/uv/page", json!({})).await.ok();
    for row in page["list"].as_array().unwrap() {
        assert!(row["exposureUv"].as_i64() >= row["uv"].as_i64() && row["clickBp"].as_i64() <= Some(10_000), "{row}");
    }
}

// Days from before products were counted for themselves stay as they are.
on_both!(exposures_of_plans_from_before_the_upgrade_are_their_products);
async fn exposures_of_plans_from_before_the_upgrade_are_their_products(app: TestApp) {
    partner(&app, "ads-link-1", json!({})).await;
    supply(&app).await;
    open_list(&app).await;
    let counted = funnels(&app).await;
    assert_eq!(counted, ["org: 1 1 0", "plan: 1 1 0", "product north-easy: 1 1 0"]);
    app.execute("DELETE FROM uv_event WHERE subject_type = 'product_shown'").await;
    let today = base::clock::day(app.now());
    assert_eq!(trade::visit::rebuild(&app.app.db, &app.app.clock, today, today).await.unwrap().corrected, 0);
    assert_eq!(funnels(&app).await, counted);
}

async fn open_list(app: &TestApp) {
    let phone = app.stranger().with("user-agent", IPHONE);
    phone.ask(axum::http::Method::GET, "/v/ads-link-1/products", Vec::new()).await;
}

on_both!(products_that_fit_are_offered_in_their_order);
async fn products_that_fit_are_offered_in_their_order(app: TestApp) {
    let channel = partner(&app, "ads-link-1", json!({})).await;
    supply(&app).await;
    another(&app).await;
    set(&app, "tags = '[\"额度高\"]', requirements = '年满 22 周岁\n<b>'").await;
    // Of two in the same place, the running plan's weight decides.
    assert_eq!(offered(&app, &channel, "1", json!({})).await, ["north-easy", "north-two"]);
    app.execute("UPDATE plan SET exposure_weight = 0").await;
    app.execute("UPDATE product SET sort = CASE code WHEN 'north-two' THEN 5 ELSE 50 END").await;
    assert_eq!(offered(&app, &channel, "2", json!({})).await, ["north-two", "north-easy"]);
    app.execute("UPDATE product SET sort = 100").await;
    app.execute("UPDATE plan SET exposure_weight = 9, product_id = (SELECT id FROM product WHERE code = 'north-two')").await;
    let answer = ask(&app, &channel, "3", json!({})).await.ok();
    let all = answer["products"].as_array().unwrap();
    assert_eq!((&all[0]["code"], &all[1]["code"]), (&json!("north-two"), &json!("north-easy")));
    assert_eq!((&all[1]["link"], &all[1]["logo"]), (&json!("/p/north-easy?c=ads-link-1"), &Value::Null));
    assert_eq!((&all[1]["tags"], &all[1]["maxAmountCents"], &all[1]["maxTermMonths"]), (&json!(["额度高"]), &json!(2_000_000), &json!(24)));
    // Those for certain cities and people need to know them.
    set(&app, "cities = '[\"上海\"]', rule_set = '{\"all\":[{\"field\":\"age\",\"op\":\"gte\",\"value\":22}]}'").await;
    for (nonce, facts, fits) in [
        ("4", json!({}), false),
        ("5", json!({"city": "上海"}), false),
        ("6", json!({"city": "杭州", "age": 30}), false),
        ("7", json!({"city": "上海", "age": 21}), false),
        ("8", json!({"city": "上海", "age": 22}), true),
    ] {
        let codes = offered(&app, &channel, nonce, facts.clone()).await;
        assert_eq!(codes.contains(&"north-easy".to_owned()), fits, "{facts}");
    }
    ask(&app, &channel, "8", json!({})).await.refused("3004");
    ask(&app, &channel, "9", json!({"age": "old"})).await.refused("1001");
    // As in questions for an applicant: what the dictionary does not offer, and what is not the channel's to say.
    for (nonce, facts) in [("10", json!({"occupation": "none of these"})), ("11", json!({"star": 3})), ("12", json!({"score": 90}))] {
        ask(&app, &channel, nonce, facts.clone()).await.refused("1001");
    }
    // The page says the same, in both languages, without a script.
    let html = page(&app, "/v/ads-link-1/products").await;
    assert!(html.contains("北辰二号") && !html.contains("北辰易贷") && !html.contains("<script"), "{html}");
    let html = page(&app, "/v/ads-link-1/products?city=%E4%B8%8A%E6%B5%B7&age=30&amount=%3Cb%3E").await;
    assert!(html.contains("北辰易贷") && html.contains("href=\"/p/north-easy?c=ads-link-1\""), "{html}");
    assert!(html.contains("1,000 – 20,000 元") && html.contains("3 – 24 个月") && html.contains("7.20% – 18.00%"), "{html}");
    assert!(html.contains("年满 22 周岁\n&#60;b&#62;") && html.contains("value=\"&#60;b&#62;\""), "{html}");
    assert!(html.contains("有内容无法识别"), "the amount");
    // What is said twice is not said, in the visitor's language.
    let html = page(&app, "/v/ads-link-1/products?city=%E4%B8%8A%E6%B5%B7&age=30&age=31").await;
    assert!(html.contains("有内容无法识别") && html.contains("value=\"上海\"") && !html.contains("北辰易贷"), "{html}");
    let path = "/v/ads-link-1/products?age=1&age=2&city=%ff";
    let twice = app.stranger().in_english().ask(axum::http::Method::GET, path, Vec::new()).await;
    assert_eq!(twice.status.as_u16(), 200);
    assert!(String::from_utf8_lossy(&twice.body).contains("each field has one value"), "{}", String::from_utf8_lossy(&twice.body));
    // A product lends its amounts alone.
    let html = page(&app, "/v/ads-link-1/products?city=%E4%B8%8A%E6%B5%B7&age=30&amount=20,001").await;
    assert!(!html.contains("北辰易贷") && !html.contains("有内容无法识别"), "{html}");
    let english = app.stranger().in_english().ask(axum::http::Method::GET, "/v/ads-link-1/products", Vec::new()).await;
    assert!(String::from_utf8_lossy(&english.body).contains("Loan products"));
    for gone in ["/v/unknown/products", "/p/nothing/logo", "/p/north-easy/logo"] {
        assert_eq!(app.stranger().ask(axum::http::Method::GET, gone, Vec::new()).await.status.as_u16(), 404, "{gone}");
    }
    app.execute("UPDATE product SET status = 'offline'").await;
    assert!(page(&app, "/v/ads-link-1/products").await.contains("暂时没有符合条件的产品"));
}

on_both!(hours_terms_and_test_mode_decide_what_is_offered);
async fn hours_terms_and_test_mode_decide_what_is_offered(app: TestApp) {
    let channel = partner(&app, "ads-link-1", json!({})).await;
    supply(&app).await;
    let mut nonces = 0;
    let mut is_offered = async |facts: Value| {
        nonces += 1;
        !offered(&app, &channel, &format!("n-{nonces}"), facts).await.is_empty()
    };
    assert!(is_offered(json!({})).await);
    // The term is 3 to 24 months.
    for (months, fits) in [(2, false), (3, true), (24, true), (25, false)] {
        assert_eq!(is_offered(json!({"applyTermMonths": months})).await, fits, "{months}");
    }
    set(&app, "online_from = '00:00', online_to = '00:01'").await;
    assert!(!is_offered(json!({})).await);
    set(&app, "online_from = NULL, online_to = NULL").await;
    assert!(is_offered(json!({})).await);
    app.execute("UPDATE organisation SET mode = 'test' WHERE id = (SELECT org_id FROM product)").await;
    assert!(!is_offered(json!({})).await, "a live channel sees no product of a test organisation");
    app.execute("UPDATE channel SET mode = 'test'").await;
    assert!(is_offered(json!({})).await);
}

on_both!(a_product_without_a_link_is_answered_and_not_on_the_page);
async fn a_product_without_a_link_is_answered_and_not_on_the_page(app: TestApp) {
    let channel = partner(&app, "ads-link-1", json!({})).await;
    supply(&app).await;
    for (nonce, columns, link) in [
        ("1", "apply_mode = 'lead', jump_url = NULL", Value::Null),
        ("2", "apply_mode = 'api'", Value::Null),
        ("3", "apply_mode = 'download', jump_url = 'https://north.example.com/app'", json!("/p/north-easy?c=ads-link-1")),
    ] {
        set(&app, columns).await;
        let answer = ask(&app, &channel, nonce, json!({})).await.ok();
        let all = answer["products"].as_array().unwrap();
        assert_eq!((all.len(), &all[0]["link"]), (1, &link), "{columns}");
        assert_eq!(page(&app, "/v/ads-link-1/products").await.contains("北辰易贷"), !link.is_null(), "{columns}");
    }
}

on_both!(a_product_that_has_its_visitors_is_shown_no_more);
async fn a_product_that_has_its_visitors_is_shown_no_more(app: TestApp) {
    let channel = partner(&app, "ads-link-1", json!({})).await;
    let (product, _) = supply(&app).await;
    app.execute("INSERT INTO cap_rule (subject_type, subject_id, \"window\", max_count, created_at, updated_at) SELECT 'product', id, 'day', 2, 1, 1 FROM product")
        .await;
    let phone = app.stranger().with("user-agent", IPHONE);
    let open = async |who: &Actor| {
        let status = who.ask(axum::http::Method::GET, "/p/north-easy?c=ads-link-1", Vec::new()).await.status.as_u16();
        app.app.service::<Recorder>().record(None, Vec::new()).await.unwrap();
        status
    };
    assert_eq!(open(&phone).await, 302);
    assert_eq!(open(&phone).await, 302, "the same visitor counts once");
    assert_eq!(open(&phone.from([10, 9, 8, 7])).await, 302);
    assert_eq!(open(&phone.from([10, 9, 8, 6])).await, 404);
    assert_eq!(app.count("SELECT MAX(used_count) FROM cap_counter").await, 2);
    assert!(offered(&app, &channel, "1", json!({})).await.is_empty());
    let seen = json!({"visitor": "v-9", "ip": "203.0.113.9", "userAgent": IPHONE, "seen": [{"type": "product", "code": "north-easy"}]});
    assert_eq!(Call::of(&app, &channel, "2", &seen).make(&app.stranger()).await.ok()["counted"], 0);
    let plan = app.sign_in("operator").await.post("/plan/page", json!({"productId": product})).await.ok();
    assert!(plan["list"][0]["holds"].as_array().unwrap().contains(&json!("product")), "{plan}");
    app.advance(86_400_000);
    assert_eq!(open(&phone.from([10, 9, 8, 6])).await, 302, "the next day");
}

on_both!(a_lead_is_sold_through_a_product_only_where_it_is_shown);
async fn a_lead_is_sold_through_a_product_only_where_it_is_shown(app: TestApp) {
    begin(&app);
    let channel = lead::channel(&app, json!({})).await;
    supply(&app).await;
    app.execute("DELETE FROM plan").await;
    let plan = lead::plan(&app, &app.sign_in("admin").await, json!({})).await;
    app.execute("UPDATE plan SET product_id = (SELECT id FROM product)").await;
    for (number, columns, reason) in [
        (1, "cities = '[\"拉萨\"]'", Some("product_city")),
        (2, "cities = '[]', rule_set = '{\"all\":[{\"field\":\"age\",\"op\":\"gte\",\"value\":79}]}'", Some("product_rules")),
        (3, "rule_set = NULL, online_from = '00:00', online_to = '00:01'", Some("product")),
        (4, "online_from = NULL, online_to = NULL", None),
    ] {
        set(&app, columns).await;
        app.app.service::<Market>().forget().await;
        bring(&app, &channel, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
        let passed = app.text("SELECT passed_over FROM match_record ORDER BY id DESC LIMIT 1").await;
        match reason {
            Some(reason) => assert_eq!(serde_json::from_str::<Value>(&passed).unwrap(), json!({reason: [plan]}), "{columns}"),
            None => assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 1, "{passed}"),
        }
    }
}
