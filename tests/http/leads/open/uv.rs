//! `POST /open/uv`: who may call, and what counts.

use base::clock::{DAY, HOUR, MINUTE};
use serde_json::json;

use testing::open::{Call, IPHONE, partner, sight, supply};
use testing::{TestApp, on_both};

on_both!(each_refusal_has_its_code_and_counts_nothing);
async fn each_refusal_has_its_code_and_counts_nothing(app: TestApp) {
    let ads = partner(&app, "ads-open-1", json!({"ipAllow": ["198.51.100.0/24"]})).await;
    let body = sight("u1", json!([{"type": "landing"}]));
    let server = app.stranger().from([198, 51, 100, 7]);
    let call = |nonce: &str| Call::of(&app, &ads, nonce, &body);

    Call { app_id: "nobody".into(), ..call("1") }.make(&server).await.refused("3001");
    call("2").make(&app.stranger()).await.refused("3005");
    Call { secret: "guessed".into(), ..call("3") }.make(&server).await.refused("3002");
    for timestamp in [app.now() + 5 * MINUTE + 5000, app.now() - 5 * MINUTE - 5000, i64::MAX, i64::MIN] {
        Call { timestamp, ..call("5") }.make(&server).await.refused("3003");
    }
    // Signed, and then changed on its way.
    let sign = call("6").sign();
    Call { body: sight("u2", json!([{"type": "landing"}])).to_string(), ..call("6") }.make_signed(&server, &sign).await.refused("3002");
    for (query, what) in
        [("", "appId"), ("?appId=x&timestamp=1&nonce=short&sign=x", "nonce"), ("?appId=x&timestamp=now&nonce=12345678&sign=x", "digit")]
    {
        let answer = server.send(axum::http::Method::POST, &format!("/open/uv{query}"), body.to_string().into_bytes()).await;
        answer.refused("4000");
        assert!(answer.desc().contains(what), "{}", answer.desc());
    }
    assert_eq!(
        app.count("SELECT COUNT(*) FROM uv_event").await + app.count("SELECT COUNT(*) FROM nonce").await,
        0,
        "no nonce is burnt either"
    );

    call("7").make(&server).await.ok();
    call("7").make(&server).await.refused("3004");
    assert_eq!(call("8").make(&server).await.ok(), json!({"counted": 1}));
    // Another channel may use the same nonce.
    let other = partner(&app, "ads-open-2", json!({})).await;
    Call::of(&app, &other, "7", &body).make(&server).await.ok();
    app.execute("UPDATE channel SET status = 'disabled'").await;
    call("9").make(&server).await.refused("3001");
    assert_eq!(app.count("SELECT COUNT(*) FROM uv_event").await, 2);
}

on_both!(wrong_things_are_named_and_nothing_is_counted);
async fn wrong_things_are_named_and_nothing_is_counted(app: TestApp) {
    let ads = partner(&app, "ads-open-1", json!({})).await;
    supply(&app).await;
    let landing = json!([{"type": "landing"}]);
    let changed = |field: &str, value: serde_json::Value| {
        let mut body = sight("u1", landing.clone());
        body[field] = value;
        body
    };
    for (body, field) in [
        (changed("visitor", json!("")), "visitor"),
        (changed("visitor", json!("x".repeat(129))), "visitor"),
        (changed("ip", json!("somewhere")), "ip"),
        (changed("userAgent", json!("x".repeat(1001))), "userAgent"),
        (changed("at", json!(app.now() + 6 * MINUTE)), "at"),
        (changed("at", json!(app.now() - DAY - MINUTE)), "at"),
        (changed("seen", json!([])), "seen"),
        (changed("seen", json!(vec![json!({"type": "landing"}); 51])), "seen"),
        (changed("seen", json!([{"type": "product", "code": "nothing"}])), "seen"),
        (changed("seen", json!([{"type": "click", "plan": "nothing"}])), "seen"),
        (changed("seen", json!([{"type": "exposure", "plan": "P0001", "position": 0}])), "seen"),
    ] {
        Call::of(&app, &ads, "same-one", &body).make(&app.stranger()).await.wrong(field);
    }
    for body in
        [changed("price", json!(1)), changed("seen", json!([{"type": "sale"}])), changed("seen", json!([{"type": "landing", "x": 1}]))]
    {
        Call::of(&app, &ads, "same-one", &body).make(&app.stranger()).await.refused("4000");
    }
    for (field, value, words) in [
        ("at", json!("now"), "Must be a whole number"),
        ("ip", json!(["203.0.113.9"]), "Must be a text"),
        ("visitor", json!(5), "Must be a text"),
        ("visitor", json!(null), "Must be a text"),
        ("seen", json!("landing"), "Must be a list"),
    ] {
        let answer = Call::of(&app, &ads, "same-one", &changed(field, value.clone())).make(&app.stranger().in_english()).await;
        assert_eq!(answer.wrong(field), words, "{field}: {value}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM uv_event").await, 0);
    Call::of(&app, &ads, "same-one", &sight("u1", landing)).make(&app.stranger()).await.ok();
}

on_both!(what_was_seen_counts_once_a_visitor_and_day);
async fn what_was_seen_counts_once_a_visitor_and_day(app: TestApp) {
    let ads = partner(&app, "ads-open-1", json!({})).await;
    let (product, plan) = supply(&app).await;
    let all = json!([
        {"type": "landing"},
        {"type": "exposure", "plan": "P0001", "position": 2},
        {"type": "click", "plan": "P0001"},
        {"type": "product", "code": "north-easy"},
    ]);
    // Twice within a second, once later; by two people.
    for (nonce, visitor, later) in [("1", "u1", 0), ("2", "u1", 300), ("3", "u1", 5000), ("4", "u2", 0)] {
        let mut body = sight(visitor, all.clone());
        body["at"] = json!(app.now() - 60_000 + later);
        assert_eq!(Call::of(&app, &ads, nonce, &body).make(&app.stranger()).await.ok()["counted"], 4);
    }
    let figures = |kind: &'static str| {
        let app = &app;
        async move {
            let sql = format!(
                "SELECT pv || ' ' || uv || ' ' || exposure_pv || ' ' || exposure_uv || ' ' || cost_cents || ' ' || income_cents AS told \
                 FROM uv_stat_daily WHERE subject_type = '{kind}' AND channel_id = 0 AND system = 'ios'"
            );
            sqlx::query_scalar::<_, String>(sqlx::AssertSqlSafe(sql)).fetch_one(app.app.db.read()).await.unwrap()
        }
    };
    assert_eq!(figures("channel").await, "3 2 0 0 200 400", "what a channel's visitors bring is its income");
    assert_eq!(figures("product").await, "3 2 3 2 0 400");
    assert_eq!(figures("plan").await, "3 2 3 2 0 0");
    assert_eq!(figures("org").await, "3 2 3 2 0 400");
    let row = app.text("SELECT plan_id || ' ' || product_id || ' ' || channel_id || ' ' || position || ' ' || client_ip FROM plan_exposure ORDER BY id LIMIT 1").await;
    assert_eq!(row, format!("{plan} {product} {} 2 203.0.113.*", ads.id));
    assert_eq!(app.count("SELECT COUNT(*) FROM plan_exposure WHERE clicked_at IS NOT NULL").await, 2);
    assert!(!app.text("SELECT MIN(visitor_key) FROM uv_event").await.contains("u1"), "a visitor's name is not kept");

    // A price is the one of the moment.
    app.execute("UPDATE channel SET unit_price_cents = 300").await;
    app.execute("UPDATE product SET uv_price_cents = 900").await;
    Call::of(&app, &ads, "5", &sight("u3", all)).make(&app.stranger()).await.ok();
    assert_eq!(figures("channel").await, "4 3 0 0 500 1300");
}

on_both!(robots_tests_pauses_and_crowds_cost_nothing);
async fn robots_tests_pauses_and_crowds_cost_nothing(app: TestApp) {
    let ads = partner(&app, "ads-open-1", json!({})).await;
    supply(&app).await;
    app.set("visit.address_visitors", json!(2)).await;
    let seen = json!([{"type": "landing"}, {"type": "product", "code": "north-easy"}]);
    let stranger = app.stranger();
    let tell = async |nonce: &str, visitor: &str, user_agent: &str| {
        let mut body = sight(visitor, seen.clone());
        body["userAgent"] = json!(user_agent);
        Call::of(&app, &ads, nonce, &body).make(&stranger).await.ok()["counted"].as_i64().unwrap()
    };
    const FIGURES: &str = "SELECT pv || ' ' || uv || ' ' || test_pv || ' ' || test_uv || ' ' || cost_cents || ' ' || income_cents \
        FROM uv_stat_daily WHERE subject_type = 'channel' AND system = ''";
    assert_eq!(tell("1", "u1", "curl/8.0").await + tell("2", "u1", "").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM uv_event").await, 0);

    app.execute("UPDATE channel SET mode = 'test'").await;
    assert_eq!(tell("3", "tester", IPHONE).await, 2);
    assert_eq!(app.text(FIGURES).await, "0 0 1 1 0 0");
    app.execute("UPDATE channel SET mode = 'live', status = 'paused'").await;
    tell("4", "u1", IPHONE).await;
    assert_eq!(app.text(FIGURES).await, "1 1 1 1 0 200");
    app.execute("UPDATE channel SET status = 'enabled'").await;
    tell("5", "u2", IPHONE).await;
    // The third of one address is seen, and no visitor.
    tell("6", "u3", IPHONE).await;
    assert_eq!(app.text(FIGURES).await, "3 2 1 1 100 400");

    // The product of a test organisation brings nothing, by whichever channel its visitors come.
    app.execute("UPDATE organisation SET mode = 'test'").await;
    tell("8", "u5", IPHONE).await;
    assert_eq!(
        app.text(
            "SELECT income_cents || ' ' || test_uv FROM uv_stat_daily WHERE subject_type = 'product' AND channel_id = 0 AND system = ''"
        )
        .await,
        "400 2"
    );
    app.execute("UPDATE organisation SET mode = 'live'").await;

    // What is no longer shown does not count, and is no mistake.
    app.execute("UPDATE product SET status = 'offline'").await;
    assert_eq!(tell("7", "u4", IPHONE).await, 1);
}

on_both!(a_rotated_secret_signs_beside_the_new_one_for_a_while);
async fn a_rotated_secret_signs_beside_the_new_one_for_a_while(app: TestApp) {
    let ads = partner(&app, "ads-open-1", json!({})).await;
    let body = sight("u1", json!([{"type": "landing"}]));
    let rotation = json!({"id": ads.id, "version": 1, "overlapHours": 1});
    let secret = app.sign_in("operator").await.put("/channel/secret", rotation).await.ok()["appSecret"].as_str().unwrap().to_owned();
    let new = |nonce: &str| Call { secret: secret.clone(), ..Call::of(&app, &ads, nonce, &body) };
    new("1").make(&app.stranger()).await.ok();
    Call::of(&app, &ads, "2", &body).make(&app.stranger()).await.ok();
    app.advance(HOUR + MINUTE);
    new("3").make(&app.stranger()).await.ok();
    Call::of(&app, &ads, "4", &body).make(&app.stranger()).await.refused("3002");
}
