//! `/dict`: lists, their items, and the choices they give.

use frame::dict;
use serde_json::{Value, json};

use testing::dict::{edit, item};
use testing::{Actor, TestApp, on_both};

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
