//! `/dict`: lists, their items, and the choices they give.

use leadlane::dict;
use serde_json::{Value, json};

use crate::support::{Actor, TestApp, on_both};
use crate::{lead, plan};

fn item(type_id: i64, value: &str, more: Value) -> Value {
    let mut body = json!({
        "typeId": type_id, "value": value, "labelZh": "中文", "labelEn": "English", "sort": 5, "tagColor": "red",
        "isDefault": false, "status": "enabled"
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// The particulars of an item as an edit sends them.
fn edit(row: &Value, more: Value) -> Value {
    let mut body = json!({});
    for field in ["id", "version", "labelZh", "labelEn", "sort", "tagColor", "isDefault", "status"] {
        body[field] = row[field].clone();
    }
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

async fn new_list(who: &Actor, code: &str) -> i64 {
    let body = json!({"code": code, "nameZh": "颜色", "nameEn": "Colours", "remark": "", "sort": 1});
    who.post("/dict/type", body).await.ok()["id"].as_i64().unwrap()
}

async fn values(who: &Actor, code: &str) -> Vec<String> {
    let options = who.get(&format!("/dict/options?type={code}")).await.ok();
    options.as_array().unwrap().iter().map(|option| option["value"].as_str().unwrap().to_owned()).collect()
}

// S1.10
on_both!(the_programs_own_lists_are_there_and_stay);
async fn the_programs_own_lists_are_there_and_stay(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let sales = app.sign_in("north.sales1").await;
    for code in [dict::LEAD_RETURN_REASON, dict::LEAD_LOST_REASON, dict::OCCUPATION, dict::FEEDBACK_END_CODE, dict::PROJECT_RETURN_REASON] {
        assert!(values(&sales, code).await.len() >= 5, "{code}: choices are for everybody who is signed in");
    }
    let first = |answer: Value| answer[0].clone();
    let chinese = first(sales.get("/dict/options?type=feedback_end_code").await.ok());
    assert_eq!((&chinese["value"], &chinese["label"]), (&json!("first_no_answer"), &json!("首拨未接")));
    assert_eq!(first(sales.in_english().get("/dict/options?type=feedback_end_code").await.ok())["label"], "First call not answered");

    let types = admin.get("/dict/types").await.ok();
    let occupation = types.as_array().unwrap().iter().find(|row| row["code"] == "occupation").unwrap().clone();
    admin.delete(&format!("/dict/type/{}", occupation["id"])).await.refused("1006");
    let items = admin.post("/dict/item/page", json!({"type": "occupation"})).await.ok();
    assert_eq!(items["total"], occupation["items"]);
    let employee = items["list"][0].clone();
    admin.delete(&format!("/dict/item/{}", employee["id"])).await.refused("1006");

    let refused = admin.in_english().put("/dict/item", edit(&employee, json!({"isDefault": true}))).await;
    assert_eq!(refused.wrong("isDefault"), "Facts about applicants have no default");
    let occupation_id = occupation["id"].as_i64().unwrap();
    admin.post("/dict/item", item(occupation_id, "baker", json!({"isDefault": true}))).await.wrong("isDefault");

    // What operators change stays, whenever the program starts again.
    admin.put("/dict/item", edit(&employee, json!({"labelZh": "职员", "status": "disabled"}))).await.ok();
    dict::seed(&app.app.db, app.now()).await.unwrap();
    assert_eq!(admin.get(&format!("/dict/item/{}", employee["id"])).await.ok()["labelZh"], "职员");
    assert!(!values(&sales, "occupation").await.contains(&"employee".to_owned()), "a disabled item is no choice");
    assert!(!dict::has(app.app.db.read(), "occupation", "employee").await.unwrap());
    assert!(dict::has(app.app.db.read(), "occupation", "owner").await.unwrap());
    assert_eq!(values(&sales, "no_such_list").await, Vec::<String>::new());
    sales.get("/dict/options").await.refused("4000");
}

on_both!(a_list_of_ones_own_is_made_filled_and_removed);
async fn a_list_of_ones_own_is_made_filled_and_removed(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let list = new_list(&admin, "colours").await;
    let red = admin.post("/dict/item", item(list, "red", json!({"sort": 2, "isDefault": true}))).await.ok();
    let blue = admin.post("/dict/item", item(list, "blue", json!({"sort": 1}))).await.ok();
    assert_eq!(values(&admin, "colours").await, ["blue", "red"]);
    // One default a list.
    admin.put("/dict/item", edit(&blue, json!({"isDefault": true}))).await.ok();
    let options = admin.get("/dict/options?type=colours").await.ok();
    assert_eq!((&options[0]["isDefault"], &options[1]["isDefault"]), (&json!(true), &json!(false)));

    admin.post("/dict/item", item(list, "red", json!({}))).await.refused("1005");
    admin.post("/dict/type", json!({"code": "colours", "nameZh": "x", "nameEn": "x", "remark": "", "sort": 1})).await.refused("1005");
    let stale = admin.put("/dict/item", edit(&red, json!({"labelEn": "Crimson"}))).await;
    assert_eq!(stale.refused("1005")["current"]["isDefault"], false, "it lost its being the default meanwhile");

    admin.delete(&format!("/dict/type/{list}")).await.refused("1006");
    for row in [&red, &blue] {
        admin.delete(&format!("/dict/item/{}", row["id"])).await.ok();
    }
    admin.delete(&format!("/dict/type/{list}")).await.ok();
    admin.get(&format!("/dict/type/{list}")).await.refused("1004");
    let told = app.trail("dict_type", list).await;
    assert_eq!(told.len(), 2, "made and deleted");
}

on_both!(a_list_is_edited_upon_its_latest_version);
async fn a_list_is_edited_upon_its_latest_version(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let list = new_list(&admin, "colours").await;
    let body = json!({"id": list, "version": 1, "nameZh": "色", "nameEn": "Hues", "remark": "r", "sort": 7});
    assert_eq!(admin.put("/dict/type", body.clone()).await.ok()["nameEn"], "Hues");
    assert_eq!(admin.put("/dict/type", body).await.refused("1005")["current"]["version"], 2);
    let found = admin.post("/dict/type/page", json!({"keyword": "hu"})).await.ok();
    assert_eq!((&found["total"], &found["list"][0]["code"]), (&json!(1), &json!("colours")));
}

on_both!(wrong_fields_are_named_and_the_dictionary_is_the_platforms);
async fn wrong_fields_are_named_and_the_dictionary_is_the_platforms(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let list = new_list(&admin, "colours").await;
    for (field, more) in [
        ("value", json!({"value": "Bad Code"})),
        ("labelZh", json!({"labelZh": " "})),
        ("labelEn", json!({"labelEn": "x".repeat(65)})),
        ("sort", json!({"sort": -1})),
        ("typeId", json!({"typeId": 999_999})),
    ] {
        admin.post("/dict/item", item(list, "fine", more)).await.wrong(field);
    }
    for malformed in [json!({"tagColor": "pink"}), json!({"status": "gone"}), json!({"isDefault": 1}), json!({"more": 1})] {
        admin.post("/dict/item", item(list, "fine", malformed)).await.refused("4000");
    }
    assert!(values(&admin, "colours").await.is_empty());

    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code = 'org_manager' ON CONFLICT DO NOTHING").await;
    app.execute("UPDATE role SET version = version + 1").await;
    let north = app.sign_in("north.manager").await;
    north.post("/dict/item", item(list, "fine", json!({}))).await.refused("1004");
    assert_eq!(north.post("/dict/item/page", json!({})).await.ok()["total"], 0);
}

// M13: the dictionary of occupations was edited and read by nothing.
on_both!(an_occupation_that_is_added_is_offered_taken_and_shown);
async fn an_occupation_that_is_added_is_offered_taken_and_shown(app: TestApp) {
    plan::begin(&app);
    crate::product::ready(&app).await;
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
    let product = crate::product::with(crate::product::form(&app, "teach-1").await, json!({ "ruleSet": rules }));
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
