//! `POST /open/user`: who is let in, and who is not.

use serde_json::{Value, json};

use base::mask;
use testing::lead::{application, bring, channel, id_no, phone, plan, story};
use testing::open::Call;
use testing::plan::begin;
use testing::{TestApp, on_both};

fn outcomes(story: &Value) -> Vec<String> {
    let text = |check: &Value, name: &str| check[name].as_str().unwrap().to_owned();
    story["checks"].as_array().unwrap().iter().map(|check| format!("{} {}", text(check, "check"), text(check, "outcome"))).collect()
}

on_both!(an_applicant_is_kept_sealed_and_told_as_a_story);
async fn an_applicant_is_kept_sealed_and_told_as_a_story(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let received = bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    assert_eq!((&received["accepted"], &received["status"], &received["reason"]), (&json!(true), &json!("matching"), &json!(null)));
    assert!(received["no"].as_str().unwrap().starts_with("U20270107-"));

    let shown = story(&app, &admin).await;
    assert_eq!((&shown["no"], &shown["nameMask"], &shown["phoneMask"]), (&received["no"], &json!("张**"), &json!("100****0001")));
    assert_eq!((&shown["idNoMask"], &shown["city"], &shown["age"]), (&json!(mask::id_no(&id_no())), &json!("310100"), &json!(30)));
    assert_eq!((&shown["system"], &shown["requestId"], &shown["said"]["applyTermMonths"]), (&json!("ios"), &json!("r-1"), &json!(12)));
    assert_eq!((&shown["consents"][0]["agreement"], &shown["consents"][0]["allPartners"]), (&json!("LOAN"), &json!(true)));
    assert_eq!(
        outcomes(&shown),
        [
            "authentication pass",
            "status pass",
            "repeated pass",
            "fields pass",
            "consent pass",
            "blacklist pass",
            "filters skip",
            "dedup pass",
            "caps skip"
        ]
    );
    for whole in [phone(1).as_str(), "张小三", &id_no()] {
        assert!(!shown.to_string().contains(whole), "{whole}");
        for table in ["SELECT phone_enc || name_enc || id_no_enc || phone_hash || said || checks FROM applicant"] {
            assert!(!app.text(table).await.contains(whole), "{whole}");
        }
    }
}

on_both!(the_same_call_twice_is_one_applicant);
async fn the_same_call_twice_is_one_applicant(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({})).await;
    let first = bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let again = bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    assert_eq!((&again["no"], &again["accepted"]), (&first["no"], &json!(true)));
    // Under another number it is a repetition, and after a minute somebody who came before.
    let repeated = bring(&app, &partner, "r-2", application(1, json!({}))).await.ok();
    assert_eq!((&repeated["no"], &repeated["accepted"], &repeated["reason"]), (&first["no"], &json!(false), &json!("repeated")));
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, 1);
    app.advance(61_000);
    let known = bring(&app, &partner, "r-3", application(1, json!({}))).await.ok();
    assert_eq!((&known["accepted"], &known["status"], &known["reason"]), (&json!(false), &json!("duplicate"), &json!("dedup")));
    assert_ne!(known["no"], first["no"]);
    // Not the same person, and not so soon.
    assert_eq!(bring(&app, &partner, "r-4", application(2, json!({}))).await.ok()["accepted"], true);
    app.advance(31 * 24 * 3_600_000);
    assert_eq!(bring(&app, &partner, "r-5", application(1, json!({}))).await.ok()["accepted"], true);
}

on_both!(an_applicant_that_a_channel_may_not_bring_is_refused_with_a_reason);
async fn an_applicant_that_a_channel_may_not_bring_is_refused_with_a_reason(app: TestApp) {
    begin(&app);
    let terms = json!({
        "filters": {"all": [{"field": "age", "op": "gte", "value": 25}]},
        "caps": [{"window": "day", "weekday": null, "maxCount": 1, "maxCents": null}]
    });
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, terms).await);
    let mut number = 10;
    let mut reason = async |user: Value| {
        number += 1;
        bring(&app, &partner, &format!("r-{number}"), user).await.ok()["reason"].clone()
    };
    assert_eq!(reason(application(1, json!({"applicant": {"age": 24}}))).await, "filters");
    assert_eq!(story(&app, &admin).await["status"], "invalid");
    assert_eq!(reason(application(2, json!({"consent": null}))).await, "consent");
    assert_eq!(reason(application(3, json!({}))).await, json!(null));
    assert_eq!(reason(application(4, json!({}))).await, "caps");
    let last = story(&app, &admin).await;
    assert_eq!((&last["status"], &last["checks"][8]["noteEn"]), (&json!("invalid"), &json!("Cap reached: At most 1 lead a day")));
    app.execute("UPDATE channel SET status = 'paused'").await;
    assert_eq!(reason(application(5, json!({}))).await, "status");
}

on_both!(a_channel_that_is_tried_out_brings_no_applicant_to_live_plans);
async fn a_channel_that_is_tried_out_brings_no_applicant_to_live_plans(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    app.execute("UPDATE channel SET mode = 'test'").await;
    let received = bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    assert_eq!((&received["accepted"], &received["status"]), (&json!(true), &json!("registered")));
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["test"], &told["status"], &told["pushes"]), (&json!(true), &json!("registered"), &json!([])));
    // Test applicants are not known when they come as live ones.
    app.execute("UPDATE channel SET mode = 'live'").await;
    assert_eq!(bring(&app, &partner, "r-2", application(1, json!({}))).await.ok()["status"], "matching");
}

on_both!(a_wrong_application_names_its_fields_and_leaves_nothing);
async fn a_wrong_application_names_its_fields_and_leaves_nothing(app: TestApp) {
    let partner = channel(&app, json!({})).await;
    for (user, field) in [
        (application(1, json!({"phone": "123"})), "user.phone"),
        (application(1, json!({"name": ""})), "user.name"),
        (application(1, json!({"idNo": "110105194912310021"})), "user.idNo"),
        (application(1, json!({"applicant": {"age": "x"}})), "user.applicant.age"),
        (application(1, json!({"idNo": id_no(), "applicant": {"age": 33}})), "user.applicant.age"),
        (application(1, json!({"applicant": {"score": 9}})), "user.applicant"),
        (application(1, json!({"product": "nothing"})), "user.product"),
        (application(1, json!({"sourceUrl": "javascript:alert(1)"})), "user.sourceUrl"),
        (
            application(1, json!({"consent": {"agreement": "LOAN", "version": "3", "textHash": "a".repeat(64), "recipients": ["nobody"]}})),
            "user.consent.recipients",
        ),
    ] {
        bring(&app, &partner, "r-1", user).await.wrong(field);
    }
    bring(&app, &partner, " ", application(1, json!({}))).await.wrong("requestId");
    bring(&app, &partner, "r-1", application(1, json!({"shoeSize": 42}))).await.refused("4000");
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, 0);
}

on_both!(a_value_of_a_wrong_kind_is_refused_with_what_is_wanted);
async fn a_value_of_a_wrong_kind_is_refused_with_what_is_wanted(app: TestApp) {
    let partner = channel(&app, json!({})).await;
    for (user, field, chinese, english) in [
        (json!({"phone": 10_000_030_001_i64}), "user.phone", "应为文字", "Must be a text"),
        (json!({"name": ["张小三"]}), "user.name", "应为文字", "Must be a text"),
        (json!({"consent": "yes"}), "user.consent", "应为对象", "Must be an object"),
        (json!({"applicant": []}), "user.applicant", "应为对象", "Must be an object"),
        (
            json!({"applicant": {"applyAmountCents": 50.5}}),
            "user.applicant.applyAmountCents",
            "应为 0 到 1000000000 的整数，单位为分",
            "Must be a whole number from 0 to 1000000000, in fen (hundredths of a yuan)",
        ),
        (json!({"applicant": {"huabei": "true"}}), "user.applicant.huabei", "应为 true 或 false", "Must be true or false"),
        (json!({"applicant": {"city": "某地"}}), "user.applicant.city", "没有“某地”这个城市", "There is no city “某地”"),
        (
            json!({"applicant": {"city": "朝阳区"}}),
            "user.applicant.city",
            "“朝阳区”不止一个：北京市、长春市，请写明城市",
            "“朝阳区” is in several cities: Beijing, Changchun. Name the city",
        ),
        (json!({"province": "某省"}), "user.province", "没有“某省”这个省份", "There is no province “某省”"),
        (
            json!({"applicant": {"city": ["上海市"]}}),
            "user.applicant.city",
            "应为城市的名称或代码",
            "Must be the name or the code of a city",
        ),
        (
            json!({"idNo": "11010519491231002X", "applicant": {"age": 30}}),
            "user.applicant.age",
            "与身份证号中的出生日期不符，请核对年龄和身份证号",
            "Contradicts the date of birth in the ID number: check both",
        ),
    ] {
        let body = json!({"requestId": "r-1", "user": application(1, user.clone())});
        let call = || Call { path: "/open/user", ..Call::of(&app, &partner, "1", &body) };
        assert_eq!(call().make(&app.stranger()).await.wrong(field), chinese, "{user}");
        assert_eq!(call().make(&app.stranger().in_english()).await.wrong(field), english, "{user}");
    }
    // What can mean one thing only is taken, in every call alike.
    let said = json!({"age": "30", "applyAmountCents": 5_000_000.0, "city": null});
    let body = json!({"requestId": "r-1", "visitor": "", "user": application(1, json!({"applicant": said}))});
    for (path, body) in [
        ("/open/user", body),
        ("/open/match", json!({"phoneMd5": "A".repeat(32), "applicant": said})),
        ("/open/match", json!({"phoneMd5": "b".repeat(32), "applicant": null})),
        (
            "/open/uv",
            json!({"visitor": "u", "ip": "203.0.113.9", "userAgent": "Mozilla/5.0", "at": app.now().to_string(), "seen": [{"type": "landing"}]}),
        ),
    ] {
        let nonce = path.replace('/', "-") + &body.to_string().len().to_string();
        let call = Call { path, ..Call::of(&app, &partner, &nonce, &body) };
        // A byte order mark before the body, and the signature in capitals.
        let call = Call { body: format!("\u{feff}{}", call.body), ..call };
        call.make_signed(&app.stranger(), &call.sign().to_uppercase()).await.ok();
    }
    let said: Value = serde_json::from_str(&app.text("SELECT said FROM applicant").await).unwrap();
    assert_eq!((&said["age"], &said["applyAmountCents"]), (&json!(30), &json!(5_000_000)));
}

on_both!(a_call_that_is_not_signed_well_leaves_nothing);
async fn a_call_that_is_not_signed_well_leaves_nothing(app: TestApp) {
    let partner = channel(&app, json!({})).await;
    let other = testing::open::partner(&app, "other-chan", json!({})).await;
    let body = json!({"requestId": "r-1", "user": application(1, json!({}))});
    let call = || Call { path: "/open/user", ..Call::of(&app, &partner, "1", &body) };
    let stranger = app.stranger();
    let good = call().sign();
    call().make_signed(&stranger, &"0".repeat(64)).await.refused("3002");
    Call { body: body.to_string().replace("张小三", "张小四"), ..call() }.make_signed(&stranger, &good).await.refused("3002");
    Call { app_id: other.app_key.clone(), ..call() }.make_signed(&stranger, &good).await.refused("3002");
    Call { app_id: "nobody".into(), ..call() }.make(&stranger).await.refused("3001");
    let old = Call { timestamp: app.now() - 301_000, ..call() };
    old.make(&stranger).await.refused("3003");
    // Signed for another call.
    let elsewhere = Call { path: "/open/match", ..call() };
    call().make_signed(&stranger, &elsewhere.sign()).await.refused("3002");
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, 0);
    call().make(&stranger).await.ok();
    call().make(&stranger).await.refused("3004");
    app.execute("UPDATE channel SET ip_allow = '[\"203.0.113.0/24\"]'").await;
    Call { path: "/open/user", ..Call::of(&app, &partner, "2", &body) }.make(&stranger).await.refused("3005");
    app.execute("UPDATE channel SET ip_allow = '[]', status = 'disabled'").await;
    Call { path: "/open/user", ..Call::of(&app, &partner, "3", &body) }.make(&stranger).await.refused("3001");
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, 1);
}

on_both!(who_is_on_the_blacklist_is_kept_out);
async fn who_is_on_the_blacklist_is_kept_out(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    let entry = async |kind: &str, value: String, changes: Value| {
        let form = json!({"kind": kind, "value": value, "scope": "global", "scopeId": null, "source": "complaint", "reason": "投诉", "expiresAt": null});
        admin.post("/blacklist", testing::org::with(form, changes)).await.ok()
    };
    entry("phone", phone(1), json!({})).await;
    entry("ip", "203.0.113.77".into(), json!({})).await;
    let received = bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    assert_eq!((&received["accepted"], &received["status"], &received["reason"]), (&json!(false), &json!("blocked"), &json!("blacklist")));
    let told = story(&app, &admin).await;
    assert!(told["checks"][5]["noteEn"].as_str().unwrap().contains("blacklist"), "{}", told["checks"]);
    let address = bring(&app, &partner, "r-2", application(2, json!({"ip": "203.0.113.77"}))).await.ok();
    assert_eq!(address["reason"], "blacklist");
    // For one organisation: the applicant is let in, and not sold there. The hit is counted.
    let north = app.organisation("north").await;
    entry("phone", phone(3), json!({"scope": "organisation", "scopeId": north})).await;
    assert_eq!(bring(&app, &partner, "r-3", application(3, json!({}))).await.ok()["accepted"], true);
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["status"], &told["matches"][0]["passedOver"][0]["reason"]), (&json!("unmatched"), &json!("blacklist")));
    assert_eq!(app.count("SELECT CAST(SUM(hit_count) AS BIGINT) FROM blacklist_entry").await, 3);
}
