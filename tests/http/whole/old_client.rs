//! The calls of the specification's section 7 as clients that are older than the forms send them: numbers as texts,
//! empty texts where nothing is meant, fields of their own, and no body where nothing has to be said.

use axum::http::Method;
use frame::api::calls::Call;
use frame::api::openapi;
use serde_json::{Map, Value, json};

use testing::crm::{clue, money, salesperson};
use testing::{Actor, Answer, TestApp, on_both};

/// Every call that the section names.
const CALLS: &[&str] = &[
    "GET /admin/login",
    "GET /admin/sendCode",
    "GET /menu/listByToken",
    "POST /user/page",
    "DELETE /user/{id}",
    "POST /user/push/page",
    "POST /user/matchUv/page",
    "POST /user/feedback/page",
    "POST /user/match/page",
    "GET /user/risk/{id}",
    "GET /user/riskSimple/{id}",
    "POST /user/push/export",
    "POST /plan/page/export",
    "POST /user/page/export",
    "POST /blacklist/page",
    "GET /blacklist/{id}",
    "DELETE /blacklist/{id}",
    "POST /blacklist",
    "PUT /blacklist",
    "POST /crm/subOrgPage",
    "POST /crm/addSubOrg",
    "POST /crm/updateSubOrg",
    "GET /crm/getSubOrg/{id}",
    "POST /crm/pushPage",
    "POST /crm/pushPage/export",
    "POST /crm/progress",
    "GET /crm/get",
    "GET /crm/updateStatus/{id}",
    "GET /crm/riskSimple/{id}",
    "GET /crm/risk/{id}",
    "GET /crm/getMsg/{id}",
    "GET /crm/sendMsg/{id}",
    "POST /crm/moneyPage",
    "POST /crm/addMoney",
    "POST /crm/updateMoney",
    "GET /crm/getMoney/{id}",
    "DELETE /crm/deleteMoney/{id}",
    "POST /crm/channel/list",
    "POST /crm/orgMoney/list",
    "POST /crm/plan/list",
    "GET /crm/getNewUserCount",
    "POST /user/info",
    "POST /user/login",
    "POST /user/logout",
    "POST /user/menu",
    "POST /message/list",
    "POST /message/read",
    // Section 8 names these two.
    "POST /chat/user/page",
    "GET /chat/getRecord",
];

/// Those of them that make a record, which has no id yet; a form that changes one begins with it.
const CREATES: &[&str] = &["POST /blacklist", "POST /crm/addSubOrg", "POST /crm/addMoney"];
const CHANGES: &[&str] = &["PUT /blacklist", "POST /crm/updateSubOrg", "POST /crm/updateMoney"];
/// The section's uploads, whose bodies are files.
const UPLOADS: &[&str] = &["POST /common/upload", "POST /chat/upload", "POST /payPool/import"];

fn name(call: &Call) -> String {
    format!("{} {}", call.method, call.path)
}

/// A call's fields by the API's own description, and those that have to be there.
struct Fields {
    known: Map<String, Value>,
    required: Vec<String>,
    document: Value,
}

impl Fields {
    fn of(document: &Value, call: &Call) -> Fields {
        let operation = &document["paths"][format!("/api{}", call.path)][call.method.as_str().to_lowercase()];
        let mut fields = Fields { known: Map::new(), required: vec![], document: document.clone() };
        for parameter in operation["parameters"].as_array().into_iter().flatten().filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap().to_owned();
            if parameter["required"] == true {
                fields.required.push(name.clone());
            }
            fields.known.insert(name, parameter["schema"].clone());
        }
        fields.add(&operation["requestBody"]["content"]["application/json"]["schema"]);
        if CHANGES.contains(&name(call).as_str()) {
            fields.required.push("id".to_owned());
        }
        fields
    }

    fn resolved(&self, schema: &Value) -> Value {
        match schema["$ref"].as_str() {
            Some(reference) => self.document.pointer(reference.trim_start_matches('#')).expect("a reference leads somewhere").clone(),
            None => schema.clone(),
        }
    }

    fn add(&mut self, schema: &Value) {
        let schema = self.resolved(schema);
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.add(part);
        }
        self.known.extend(schema["properties"].as_object().cloned().unwrap_or_default());
        self.required.extend(schema["required"].as_array().into_iter().flatten().map(|name| name.as_str().unwrap().to_owned()));
    }

    /// The required fields, numbers as texts.
    fn least(&self) -> Map<String, Value> {
        self.required.iter().map(|name| (name.clone(), self.sample(&self.known[name]))).collect()
    }

    fn sample(&self, schema: &Value) -> Value {
        let schema = self.resolved(schema);
        if let Some(first) = ["oneOf", "anyOf"].into_iter().find_map(|choice| schema[choice].get(0)) {
            return self.sample(first);
        }
        if let Some(constant) = schema.get("const").or_else(|| schema["enum"].get(0)) {
            return constant.clone();
        }
        match schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or_default() {
            "integer" => json!("1"),
            "array" => json!([self.sample(&schema["items"])]),
            "boolean" => json!(true),
            "object" => json!({}),
            _ => json!("1"),
        }
    }

    fn is_number(&self, schema: &Value) -> bool {
        let kind = &schema["type"];
        kind == "integer" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("integer")))
    }

    /// Those of the four manners that apply to the call. A sign-in needs a name.
    fn manners(&self, call: &Call) -> Vec<(&'static str, Option<Map<String, Value>>)> {
        let is_create = CREATES.contains(&name(call).as_str());
        let is_number =
            |(name, schema): &(&String, &Value)| self.is_number(schema) && !(is_create && ["id", "version"].contains(&name.as_str()));
        let with = |more: &mut dyn Iterator<Item = (String, Value)>| {
            let mut fields = self.least();
            fields.extend(more);
            Some(fields)
        };
        let optional = || self.known.iter().filter(|(name, _)| !self.required.contains(name));
        // A moment is a number of thirteen digits.
        let number = |name: &str| if name.ends_with("From") || name.ends_with("To") { "1795798034385" } else { "1" };
        let mut manners = vec![
            ("numbers as texts", with(&mut optional().filter(is_number).map(|(name, _)| (name.clone(), json!(number(name)))))),
            ("empty texts", with(&mut optional().map(|(name, _)| (name.clone(), json!(""))))),
            (
                "unknown fields",
                with(&mut [("utm", json!("x")), ("nameMask", json!({"x": 1}))].map(|(name, value)| (name.to_owned(), value)).into_iter()),
            ),
        ];
        if self.required.is_empty() && call.path != "/user/login" {
            manners.push(("no body", None));
        }
        manners
    }
}

/// Makes a call with these fields: in its body, or in its address.
async fn make(who: &Actor, call: &Call, fields: Option<Map<String, Value>>) -> Answer {
    let path = call.path.replace("{id}", "999999");
    if matches!(call.method, Method::GET | Method::DELETE) {
        let pairs =
            fields.into_iter().flatten().map(|(name, value)| (name, value.as_str().map_or_else(|| value.to_string(), str::to_owned)));
        let query = serde_urlencoded::to_string(pairs.collect::<Vec<_>>()).unwrap();
        return who.call(call.method.clone(), &format!("{path}?{query}"), None).await;
    }
    let body = fields.map(|fields| Value::Object(fields).to_string().into_bytes()).unwrap_or_default();
    who.send(call.method.clone(), &path, body).await
}

on_both!(every_call_of_the_specification_reads_what_an_old_client_sends);
async fn every_call_of_the_specification_reads_what_an_old_client_sends(app: TestApp) {
    let calls = server::calls();
    let document = openapi::document(&calls);
    for name in CALLS.iter().chain(UPLOADS) {
        assert!(calls.iter().any(|call| self::name(call) == *name), "{name} is no call");
    }
    let mut tried = 0;
    for call in calls.iter().filter(|call| CALLS.contains(&name(call).as_str())) {
        for (manner, fields) in Fields::of(&document, call).manners(call) {
            // Signing out ends the session.
            let admin = app.sign_in("admin").await;
            let answer = make(&admin, call, fields.clone()).await;
            let is_read = call.path.ends_with("/export") || answer.code() != "4000";
            assert!(
                !answer.status.is_server_error() && answer.status != 400 && is_read,
                "{}, {manner} {fields:?}: {} {}",
                name(call),
                answer.code(),
                answer.desc()
            );
            tried += 1;
        }
    }
    assert!(tried >= 4 * CALLS.len() - 20, "{tried}");
}

on_both!(a_follow_up_is_read_as_every_other_form);
async fn a_follow_up_is_read_as_every_other_form(app: TestApp) {
    let sales = salesperson(&app, "north.sales1").await;
    let id = clue(&app, "north", Some(sales)).await;
    let who = app.sign_in("north.sales1").await;
    let row = who.post("/crm/progress", json!({"id": id.to_string(), "type": "call", "note": "x", "nameMask": "王*"})).await.ok();
    assert_eq!(row["stage"], "following");
    let empty = json!({
        "id": id, "version": "", "status": "", "result": "", "nextAt": "", "star": "2", "level": "", "lostReason": "", "note": "y", "fileIds": []
    });
    assert_eq!(who.post("/crm/progress", empty).await.ok()["star"], 2);
    let next = app.now() / 86_400_000 * 86_400_000 + 5 * 86_400_000;
    for (said, meant) in [
        (json!(next.to_string()), next),
        (json!(base::clock::day(next).to_string()), base::clock::day_start(&base::clock::day(next).to_string()).unwrap()),
        (
            json!(format!("{} 10:30:00", base::clock::day(next))),
            base::clock::moment(&format!("{} 10:30:00", base::clock::day(next))).unwrap(),
        ),
    ] {
        let row = who.post("/crm/progress", json!({"id": id, "note": "z", "nextAt": said})).await.ok();
        assert_eq!(row["nextFollowAt"], meant, "{said}");
    }
    for wrong in [json!({"id": id, "star": "x"}), json!({"id": id, "nextAt": "soon"}), json!({"note": "x"}), json!({})] {
        who.post("/crm/progress", wrong).await.refused("4000");
    }
}

on_both!(money_is_paid_on_a_day);
async fn money_is_paid_on_a_day(app: TestApp) {
    let sales = salesperson(&app, "north.sales1").await;
    let clue = clue(&app, "north", Some(sales)).await;
    let who = app.sign_in("north.sales1").await;
    let day = base::clock::day(app.now()).to_string();
    let row = who.post("/crm/addMoney", money::form(&app, clue, json!({"paidAt": day}))).await.ok();
    assert_eq!(row["paidAt"], base::clock::day_start(&day).unwrap());
    let now = app.now();
    let changed = json!({"id": row["id"], "version": "", "paidAt": now.to_string(), "amountCents": "300001"});
    let changed = who.post("/crm/updateMoney", money::form(&app, clue, changed)).await.ok();
    assert_eq!((&changed["paidAt"], &changed["amountCents"]), (&json!(now), &json!(300_001)));
    who.post("/crm/addMoney", money::form(&app, clue, json!({"paidAt": "2026-02-30"}))).await.refused("4000");
    who.post("/crm/addMoney", money::form(&app, clue, json!({"paidAt": ""}))).await.refused("4000");
}

on_both!(an_empty_value_in_an_address_is_absent);
async fn an_empty_value_in_an_address_is_absent(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for path in [
        "/chat/getRecord?conversationId=999&before=&limit=",
        "/crm/salesperson/options?orgId=",
        "/crm/pool/options?orgId=",
        "/crm/clue/next?after=",
        "/chat/manage/options?groupId=",
        "/org/options?active=",
    ] {
        let answer = admin.get(path).await;
        assert_ne!(answer.code(), "4000", "{path}: {}", answer.desc());
    }
    assert!(!admin.get("/chat/getRecord?conversationId=&limit=").await.wrong("conversationId").is_empty());
    admin.get("/chat/getRecord?conversationId=999&before=x").await.refused("4000");
}

// One rule for all: what the product's own forms would refuse is read where only one thing can be meant.
on_both!(writes_that_the_specification_does_not_show_take_numbers_as_texts);
async fn writes_that_the_specification_does_not_show_take_numbers_as_texts(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let mut form = testing::finance::form(&app, json!({})).await;
    form["orgId"] = json!(form["orgId"].to_string());
    form["giftCents"] = json!("0");
    let row = operator.post("/finance/recharge", form.clone()).await.ok();
    assert_eq!(row["orgId"].to_string(), form["orgId"].as_str().unwrap());
    form["amountCents"] = json!("much");
    operator.post("/finance/recharge", form).await.refused("4000");
}
