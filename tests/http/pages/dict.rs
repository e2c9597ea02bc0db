//! A page that offers what the dictionary has.

use serde_json::{Value, json};

use testing::dict::{edit, item};
use testing::{Actor, TestApp, lead, on_both, plan};

// M13: the dictionary of occupations was edited and read by nothing.
on_both!(an_occupation_that_is_added_is_offered_taken_and_shown);
async fn an_occupation_that_is_added_is_offered_taken_and_shown(app: TestApp) {
    plan::begin(&app);
    testing::product::ready(&app).await;
    let (admin, partner) = (app.sign_in("admin").await, lead::channel(&app, json!({"dedupDays": 0})).await);
    let channel = app.count("SELECT id FROM channel WHERE code = 'lead-chan'").await;
    let teaches = json!({"applicant": {"age": 30, "city": "上海市", "occupation": "teacher"}});
    let entry = |number: u32| json!({"channelId": channel, "user": lead::application(number, teaches.clone())});
    // Unknown, it is refused in words that say what is taken: to staff, to partners, in a rule.
    let words = admin.in_english().post("/user", entry(1)).await.wrong("user.applicant.occupation");
    assert!(words.starts_with("Must be one of: employee (Employee), owner (Business owner), "), "{words}");
    lead::bring(&app, &partner, "r-0", lead::application(1, teaches.clone())).await.wrong("user.applicant.occupation");
    let rules = json!({"all": [{"field": "occupation", "op": "in", "value": ["teacher"]}]});
    let trial = json!({"id": channel, "phone": lead::phone(1), "name": "张", "applicant": {"occupation": "teacher"}});
    admin.post("/channel/test", trial.clone()).await.wrong("occupation");
    let product = testing::product::with(testing::product::form(&app, "teach-1").await, json!({ "ruleSet": rules }));
    admin.post("/product", product.clone()).await.wrong("ruleSet");

    let list = app.count("SELECT id FROM dict_type WHERE code = 'occupation'").await;
    let added = admin.post("/dict/item", item(list, "teacher", json!({"labelZh": "教师", "labelEn": "Teacher", "sort": 15}))).await.ok();
    let offered = admin.get("/dict/choices").await.ok();
    assert_eq!(offered["occupation"][1], json!({"code": "teacher", "labelZh": "教师", "labelEn": "Teacher", "off": false}));
    let page = crate::pages::browser::Browser::of(&app, "admin").await.get("/user/list").await;
    assert_eq!(page.props()["data"]["choices"]["data"]["occupation"][1]["labelZh"], "教师");
    plan_for(&app, &admin, &rules).await;
    assert_eq!(admin.post("/user", entry(1)).await.ok()["failed"], json!(null));
    lead::bring(&app, &partner, "r-1", lead::application(2, teaches.clone())).await.ok();
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 2, "the plan for teachers bought both");
    admin.post("/channel/test", trial).await.ok();
    admin.post("/product", product).await.ok();
    let table = format!(
        "渠道编码,手机号,姓名,授权书编码,授权书版本,授权书摘要,授权时间,接收方,职业\nlead-chan,{},王小五,LOAN,3,{},2027/1/6,全部合作机构,教师\n",
        lead::phone(3),
        "a".repeat(64)
    );
    let imported = admin.upload("/user/import", &[("dryRun", "false")], "用户.csv", table.as_bytes()).await.ok();
    assert_eq!(imported["good"], 1, "{imported}");
    assert_eq!(app.text("SELECT said FROM applicant ORDER BY id DESC LIMIT 1").await, r#"{"occupation":"teacher"}"#);
    // Its label is what people read, of a rule and in a risk report.
    let plans = String::from_utf8_lossy(&admin.in_english().export("/plan/page/export", json!({"format": "csv"})).await.body).into_owned();
    assert!(plans.contains("Occupation is Teacher"), "{plans}");
    let id = app.count("SELECT MIN(id) FROM applicant").await;
    let facts = admin.in_english().get(&format!("/user/risk/{id}?type=basic")).await.ok().to_string();
    assert!(facts.contains(r#""valueEn":"Teacher""#), "{facts}");

    // Switched off it is offered and taken no more, on every node within a second; what has it stays as it is.
    let other = app.node().await;
    admin.put("/dict/item", edit(&added, json!({"status": "disabled"}))).await.ok();
    assert_eq!(admin.get("/dict/choices").await.ok()["occupation"][1]["off"], true);
    admin.post("/user", entry(4)).await.wrong("user.applicant.occupation");
    other.sign_in("admin").await.post("/user", entry(4)).await.wrong("user.applicant.occupation");
    let again = json!({"id": id, "version": admin.get(&format!("/user/{id}")).await.ok()["version"]});
    admin.put("/user/distribute", again).await.ok();
    app.distribute().await;
    assert_eq!(admin.get(&format!("/user/{id}")).await.ok()["said"]["occupation"], "teacher");
    other.app.db.close().await;
}

/// A plan that buys applicants who meet these rules.
async fn plan_for(app: &TestApp, admin: &Actor, rules: &Value) {
    lead::plan(app, admin, json!({"ruleSet": rules, "dedupDays": 0})).await;
}
