//! `POST /open/match`: does any plan want such an applicant?

use serde_json::{Value, json};

use testing::feedback::grant;
use testing::lead::{application, bring, channel, phone, plan};
use testing::open::{Call, Partner};
use testing::plan::begin;
use testing::{Answer, TestApp, on_both};

/// Asks whether an applicant with a number is wanted.
pub async fn ask(app: &TestApp, partner: &Partner, number: u32, applicant: Value) -> Answer {
    let nonce = format!("m-{}", app.count("SELECT COUNT(*) FROM nonce").await);
    let body = json!({"phoneMd5": base::crypto::md5_hex(&phone(number)), "applicant": applicant});
    Call { path: "/open/match", ..Call::of(app, partner, &nonce, &body) }.make(&app.stranger()).await
}

// S7.08, S7.10
on_both!(a_channel_asks_before_it_tells_who);
async fn a_channel_asks_before_it_tells_who(app: TestApp) {
    begin(&app);
    let terms = json!({"filters": {"all": [{"field": "age", "op": "lte", "value": 60}]}});
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, terms).await);
    plan(&app, &admin, json!({"cities": ["上海市"]})).await;
    let yes = ask(&app, &partner, 1, json!({"age": 30, "city": "上海市"})).await.ok();
    assert_eq!((&yes["matched"], &yes["status"]), (&json!(true), &json!("matched")));
    assert!(yes["expiresAt"].as_i64().unwrap() > app.now());
    assert_eq!(yes.as_object().unwrap().len(), 4, "neither buyer nor price");
    assert_eq!(ask(&app, &partner, 1, json!({"age": 30, "city": "杭州市"})).await.ok()["status"], "no_plan");
    assert_eq!(ask(&app, &partner, 1, json!({"age": 70, "city": "上海市"})).await.ok()["status"], "not_qualified");
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(ask(&app, &partner, 1, json!({"age": 30, "city": "上海市"})).await.ok()["status"], "exists");

    let days = admin.post("/user/matchUv/page", json!({})).await.ok();
    let day = &days["list"][0];
    assert_eq!((&day["day"], &day["asked"], &day["matched"], &day["known"]), (&json!("2027-01-07"), &json!(4), &json!(1), &json!(1)));
    assert_eq!((&day["refused"], &day["noPlan"], &day["matchBp"]), (&json!(1), &json!(1), &json!(2500)));
    assert_eq!(days["totals"]["asked"], 4);
    let asked = admin.post("/user/match/page", json!({"direction": "inbound", "status": "no_plan"})).await.ok();
    assert_eq!(asked["total"], 1);
    // What is listed of a channel is what was counted; the round of the one who came is no question of its.
    assert_eq!(admin.post("/user/match/page", json!({"direction": "inbound"})).await.ok()["total"], 4);
    assert_eq!(admin.post("/user/match/page", json!({"direction": "round"})).await.ok()["total"], 1);
    let one = admin.get(&format!("/user/match/{}", asked["list"][0]["id"])).await.ok();
    assert_eq!((&one["passedOver"][0]["reason"], &one["city"]), (&json!("city"), &json!("330100")));
    assert!(!one.to_string().contains(&base::crypto::md5_hex(&phone(1))));
}

on_both!(matches_are_narrowed_by_plan);
async fn matches_are_narrowed_by_plan(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let shanghai = plan(&app, &admin, json!({"name": "shanghai", "cities": ["上海市"]})).await;
    let hangzhou = plan(&app, &admin, json!({"name": "hangzhou", "cities": ["杭州市"]})).await;
    for (number, city) in [(1, "上海市"), (2, "杭州市"), (3, "杭州市")] {
        let form = application(number, json!({"applicant": {"age": 30, "city": city}}));
        bring(&app, &partner, &format!("r-{number}"), form).await.ok();
        app.distribute().await;
    }
    for (id, name, total) in [(shanghai, "shanghai", 1), (hangzhou, "hangzhou", 2)] {
        let page = admin.post("/user/match/page", json!({"planId": id})).await.ok();
        assert_eq!((&page["total"], &page["list"][0]["planName"]), (&json!(total), &json!(name)));
        let file = admin.export("/user/match/page/export", json!({"format": "csv", "planId": id})).await;
        let text = String::from_utf8_lossy(&file.body).into_owned();
        assert_eq!((text.lines().count(), text.matches(name).count()), (total + 1, total), "{text}");
    }
    // A channel's manager finds the matches of that channel alone, and is offered the plans of the scope.
    grant(&app, "channel_manager", "user/match-list").await;
    let manager = app.sign_in("channel.manager").await;
    assert_eq!(manager.get("/plan/options").await.ok(), json!([]));
    let total = async || manager.post("/user/match/page", json!({"planId": hangzhou})).await.ok()["total"].clone();
    assert_eq!(total().await, 0);
    app.execute("UPDATE channel SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager')").await;
    assert_eq!(total().await, 2);
}

on_both!(a_wrong_question_is_refused);
async fn a_wrong_question_is_refused(app: TestApp) {
    let partner = channel(&app, json!({})).await;
    let call = |nonce: &str, body: Value| Call { path: "/open/match", ..Call::of(&app, &partner, nonce, &body) };
    let stranger = app.stranger();
    call("1", json!({"phoneMd5": "10000030001"})).make(&stranger).await.wrong("phoneMd5");
    call("2", json!({"phoneMd5": "a".repeat(32), "applicant": {"age": 5}})).make(&stranger).await.wrong("applicant.age");
    call("3", json!({"phoneMd5": "a".repeat(32), "phone": "1"})).make(&stranger).await.refused("4000");
    call("4", json!({"phoneMd5": "a".repeat(32)})).make(&stranger).await.ok();
    call("4", json!({"phoneMd5": "a".repeat(32)})).make(&stranger).await.refused("3004");
    app.execute("UPDATE channel SET status = 'paused'").await;
    call("5", json!({"phoneMd5": "a".repeat(32)})).make(&stranger).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM match_record").await, 1);
}

on_both!(a_channel_requires_fields_and_looks_for_repeats_where_it_says);
async fn a_channel_requires_fields_and_looks_for_repeats_where_it_says(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let own = json!({"dedupScope": "channel", "requiredFields": ["house", "city", "age", "age"]});
    let wrong = testing::org::with(testing::channel::form("requires-1"), json!({"requiredFields": ["shoeSize"]}));
    assert_eq!(admin.in_english().post("/channel", wrong).await.wrong("requiredFields"), "There is no field shoeSize");
    let past = testing::org::with(testing::channel::form("requires-1"), json!({"requiredFields": ["star"]}));
    admin.post("/channel", past).await.wrong("requiredFields");
    let (site, alone) = (channel(&app, json!({})).await, testing::open::partner(&app, "requires-2", own).await);
    let row = admin.get(&format!("/channel/{}", alone.id)).await.ok();
    assert_eq!((&row["requiredFields"], &row["dedupScope"]), (&json!(["age", "city", "house"]), &json!("channel")));

    // Required: by partners, by staff, in files; named one by one, and nothing is kept.
    let less = application(1, json!({"applicant": {"age": 30}}));
    let refused = bring(&app, &alone, "r-1", less.clone()).await.refused("1001");
    assert_eq!(refused, json!({"user.applicant.city": "该渠道要求填写", "user.applicant.house": "该渠道要求填写"}));
    let entry = admin.in_english().post("/user", json!({"channelId": alone.id, "user": less.clone()})).await;
    let required = "Required by the channel";
    assert_eq!(entry.refused("1001"), json!({"user.applicant.city": required, "user.applicant.house": required}));
    let table = format!(
        "渠道编码,手机号,姓名,授权书编码,授权书版本,授权时间,接收方,城市,房产\nrequires-2,{},王小五,LOAN,3,2027/1/6,全部合作机构,上海,\n",
        phone(9)
    );
    let tried = admin.upload("/user/import", &[("dryRun", "false")], "用户.csv", table.as_bytes()).await.ok();
    let wrong: Vec<&Value> = tried["wrongCells"].as_array().unwrap().iter().map(|cell| &cell["column"]).collect();
    assert_eq!((&tried["good"], wrong), (&json!(0), vec![&json!("年龄"), &json!("房产")]));
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, 0);
    // The test lead of the channel says so, too.
    let trial = json!({"id": alone.id, "phone": phone(1), "name": "张", "ip": "127.0.0.1", "applicant": {"age": 30}});
    let checks = admin.in_english().post("/channel/test", trial).await.ok()["checks"].to_string();
    assert!(checks.contains("Missing or wrong: city, "), "{checks}");

    // The whole site is looked at for one channel, and its own applicants alone for the other.
    let whole = |number: u32, age: i64| application(number, json!({"applicant": {"age": age, "city": "上海市", "house": "none"}}));
    let brought = async |partner, request: &'static str, user| bring(&app, partner, request, user).await.ok()["reason"].clone();
    assert_eq!(brought(&site, "s-1", whole(1, 30)).await, json!(null));
    assert_eq!(brought(&alone, "a-1", whole(1, 31)).await, json!(null), "the other channel's applicant does not count");
    assert_eq!(brought(&alone, "a-2", whole(1, 32)).await, "dedup");
    assert_eq!(brought(&site, "s-2", whole(1, 33)).await, "dedup");
    assert_eq!(brought(&alone, "a-3", whole(2, 30)).await, json!(null));
    assert_eq!(brought(&site, "s-3", whole(2, 31)).await, "dedup", "brought by the other channel");
    // A question says the same, once the applicants were looked at.
    plan(&app, &admin, json!({})).await;
    assert_eq!(brought(&site, "s-4", whole(3, 30)).await, json!(null));
    app.distribute().await;
    let status = async |partner, number: u32| ask(&app, partner, number, json!({"age": 30, "city": "上海市"})).await.ok()["status"].clone();
    assert_eq!((status(&site, 2).await, status(&alone, 2).await), (json!("exists"), json!("exists")));
    assert_eq!((status(&site, 3).await, status(&alone, 3).await), (json!("exists"), json!("matched")));
}
