//! The whole table of calls, by accounts whose roles hold every permission point: only the data scope is in their way.
//! A new call is tested here without a line of its own.

use std::collections::{BTreeMap, HashMap};

use axum::http::Method;
use base::db::Engine;
use frame::api::calls::{Access, Call};
use frame::api::openapi;
use serde_json::{Map, Value, json};
use sqlx::Row;

use crate::every_call::{OURS, body, make, mark_our_records, name, our_record};
use testing::{Actor, Answer, TestApp, on_both};

/// An account of each data scope that exists, but for the one that reaches everything. They reach no record that is marked.
const OUTSIDERS: &[&str] = &["channel.manager", "south.manager", "south.lead", "south.sales1", "nobody", "channel.second"];

/// Calls that show what is meant for everybody.
const SHARED: &[&str] = &[
    // The announcement to all.
    "/message/list",
    "/message/page",
    "/message/unread",
    // The state of the machine, which tells of no record; people of organisations get none.
    "/server/status",
    // Empty workbooks, which hold the time of their making.
    "/blacklist/template",
    "/payPool/template",
    "/user/template",
];

/// Calls that show account managers what they need for their own channels and organisations.
const SHARED_WITH_MANAGERS: &[&str] = &[
    // Entries of everywhere hold for their channels too. They change none.
    "/blacklist/page",
    "/blacklist/page/export",
    "/blacklist/{id}",
    "/blacklist/history/{id}",
    // Names alone, to choose from in the forms of their organisations.
    "/org/payee/options",
    "/payChannel/options",
];

/// Calls that show what the outsiders themselves have done, which this test adds to.
const OWN_DEEDS: &[&str] = &[
    // Sessions stand in the order in which they were last seen.
    "/session/page",
    "/session/page/export",
    "/audit/page",
    "/audit/page/export",
    "/visualization",
    "/workplace",
];

/// Calls that keep what belongs to the account alone.
fn keeps_own(call: &Call) -> bool {
    call.path.ends_with("/views") || call.path == "/project/draft"
}

/// Tables that an outsider's own calls write into.
const OWN_TRACES: &[&str] = &["admin_session", "operation_log", "trail_link", "export_task"];

/// Opens sessions of the outsiders, whose roles hold every point.
async fn outsiders(app: &TestApp) -> Vec<(&'static str, Actor)> {
    app.execute(
        "INSERT INTO administrator (username, password_hash, real_name, org_id, sub_org_id, status, pwd_changed_at, created_at, updated_at) \
         SELECT 'south.lead', a.password_hash, 'south.lead', a.org_id, t.id, a.status, a.pwd_changed_at, a.created_at, a.updated_at \
         FROM administrator a JOIN sub_organisation t ON t.org_id = a.org_id WHERE a.username = 'south.manager'",
    )
    .await;
    app.execute(
        "INSERT INTO admin_role (admin_id, role_id) SELECT a.id, r.id FROM administrator a, role r \
         WHERE a.username = 'south.lead' AND r.code = 'team_lead'",
    )
    .await;
    // A role of organisations means nothing for an account of the platform.
    app.execute(
        "UPDATE admin_role SET role_id = (SELECT id FROM role WHERE code = 'org_manager') \
         WHERE admin_id = (SELECT id FROM administrator WHERE username = 'channel.second')",
    )
    .await;
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.builtin = 0 ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    for key in ["security.reads_minute", "security.reveals_day"] {
        app.set(key, json!(1_000_000)).await;
    }
    app.set("security.reveals_ten_minutes", json!(10_000)).await;
    let mut actors = Vec::new();
    for username in OUTSIDERS {
        actors.push((*username, app.sign_in(username).await));
    }
    actors
}

/// A call's body, if it has one, that names our records wherever it names one.
async fn aimed(app: &TestApp, document: &Value, call: &Call, ids: &HashMap<&'static str, i64>) -> Option<Value> {
    let mut body = body(document, call)?;
    let operation = &document["paths"][format!("/api{}", call.path)][call.method.as_str().to_lowercase()];
    let known = fields(document, &operation["requestBody"]["content"]["application/json"]["schema"]);
    let fields = body.as_object_mut()?;
    for name in known.keys() {
        if let Some(other) = ids.get(name.as_str()) {
            fields.insert(name.clone(), json!(other));
        }
    }
    if known.contains_key("ids") {
        fields.insert("ids".to_owned(), json!([our_record(app, call.path).await]));
    }
    if fields.contains_key("id") {
        fields.insert("id".to_owned(), json!(our_record(app, call.path).await));
    }
    Some(body)
}

/// The fields of a form, with their schemas.
fn fields(document: &Value, schema: &Value) -> Map<String, Value> {
    let schema = match schema["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).expect("a reference leads somewhere"),
        None => schema,
    };
    let mut known = schema["properties"].as_object().cloned().unwrap_or_default();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        known.extend(fields(document, part));
    }
    known
}

/// Fields that name a record, with a marked one.
async fn our_ids(app: &TestApp) -> HashMap<&'static str, i64> {
    HashMap::from([
        ("orgId", app.organisation("north").await),
        ("subOrgId", app.team("zzours First team").await),
        ("adminId", app.account("north.sales1").await),
        ("salespersonId", app.account("north.sales1").await),
        ("channelId", app.count("SELECT id FROM channel WHERE name LIKE 'zzours%'").await),
        ("productId", app.count("SELECT id FROM product WHERE name LIKE 'zzours%'").await),
        ("planId", app.count("SELECT id FROM plan WHERE name LIKE 'zzours%'").await),
        ("userId", app.count("SELECT id FROM applicant").await),
        ("clueId", app.count("SELECT MIN(id) FROM clue").await),
        ("poolId", app.count("SELECT MIN(id) FROM clue_pool").await),
        ("groupId", app.count("SELECT MIN(id) FROM chat_group").await),
        ("conversationId", app.count("SELECT MIN(id) FROM chat_conversation").await),
        ("customerId", app.count("SELECT MIN(id) FROM chat_customer").await),
        ("payeeOrgId", app.count("SELECT MIN(id) FROM payee_organisation").await),
        ("payeeChannelId", app.count("SELECT MIN(id) FROM payee_channel").await),
        ("orderId", app.count("SELECT MIN(id) FROM payment_order").await),
        ("roleId", app.role("admin").await),
        ("statementId", app.count("SELECT MIN(id) FROM partner_statement").await),
    ])
}

/// A call that only reads, with a filter by our organisation, as it is answered. Files are asked for themselves.
async fn read(who: &Actor, call: &Call, org: i64) -> Answer {
    let body = match call.path {
        "/chat/search" => json!({"keyword": OURS}),
        "/org/api/preview" => json!({}),
        "/search" => json!({"q": OURS}),
        path if path.ends_with("/export") => json!({"format": "csv"}),
        _ => json!({"pageSize": 200}),
    };
    let who = if call.path.ends_with("/export") { who.with("accept", "application/octet-stream") } else { who.clone() };
    who.call(call.method.clone(), &format!("{}?orgId={org}&type=gender", call.path), (call.method != Method::GET).then_some(&body)).await
}

/// An answer without what time changes.
fn timeless(answer: &Answer) -> String {
    fn still(value: &mut Value) {
        match value {
            Value::Number(number) if number.as_i64().is_some_and(|number| number > 1_500_000_000_000) => *value = json!("a time"),
            Value::Array(items) => items.iter_mut().for_each(still),
            Value::Object(fields) => {
                fields.remove("time");
                fields.values_mut().for_each(still);
            }
            _ => {}
        }
    }
    match serde_json::from_slice::<Value>(&answer.body) {
        Ok(mut value) => {
            still(&mut value);
            value.to_string()
        }
        Err(_) => String::from_utf8_lossy(&answer.body).into_owned(),
    }
}

/// All rows of the database, by table, and how many of each table name our organisation.
async fn everything(app: &TestApp, org: i64) -> (BTreeMap<String, Vec<String>>, BTreeMap<String, i64>) {
    let db = &app.app.db;
    let (mut rows, mut of_ours) = (BTreeMap::new(), BTreeMap::new());
    for (table, columns) in db.tables().await.unwrap() {
        if OWN_TRACES.contains(&table.as_str()) {
            continue;
        }
        let as_text = |column: &String| match db.engine() {
            Engine::Sqlite => format!("quote(\"{column}\")"),
            Engine::Postgres => format!("COALESCE(CAST(\"{column}\" AS TEXT), 'NULL')"),
        };
        let columns_as_text: Vec<String> = columns.iter().map(as_text).collect();
        let sql: &'static str =
            Box::leak(format!("SELECT {} AS row_text FROM {table}", columns_as_text.join(" || '|' || ")).into_boxed_str());
        let found = sqlx::query(sql).fetch_all(db.read()).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        let mut texts: Vec<String> = found.iter().map(|row| row.get("row_text")).collect();
        texts.sort();
        if columns.iter().any(|column| column == "org_id") {
            let sql: &'static str = Box::leak(format!("SELECT COUNT(*) FROM {table} WHERE org_id = {org}").into_boxed_str());
            of_ours.insert(table.clone(), app.count(sql).await);
        }
        rows.insert(table, texts);
    }
    (rows, of_ours)
}

on_both!(roles_with_every_point_stay_within_their_scopes);
async fn roles_with_every_point_stay_within_their_scopes(app: TestApp) {
    let outsiders = outsiders(&app).await;
    let calls = server::calls();
    let document = openapi::document(&calls);
    let org = app.organisation("north").await;
    let takes_id = |call: &Call| call.path.contains("{id}") || body(&document, call).is_some_and(|body| body.get("id").is_some());
    let signed_in = || calls.iter().filter(|call| call.access != Access::Open);
    let is_manager = |username: &str| username == "channel.manager";
    // The answers are the same before and after the marked records exist: no row is shown or counted.
    let mut before = Vec::new();
    for (_, who) in &outsiders {
        let mut answers = Vec::new();
        for call in signed_in().filter(|call| !call.writes && !takes_id(call)) {
            answers.push(timeless(&read(who, call, org).await));
        }
        before.push(answers);
    }
    mark_our_records(&app).await;
    app.execute(
        "UPDATE administrator SET real_name = 'platform ' || username WHERE username IN ('channel.manager', 'channel.second', 'nobody')",
    )
    .await;
    app.execute("UPDATE organisation SET owner_admin_id = NULL").await;
    let mut wrong = Vec::new();
    for ((username, who), before) in outsiders.iter().zip(before) {
        for (call, before) in signed_in().filter(|call| !call.writes && !takes_id(call)).zip(before) {
            let answer = read(who, call, org).await;
            let after = timeless(&answer);
            let is_shared = SHARED.contains(&call.path) || is_manager(username) && SHARED_WITH_MANAGERS.contains(&call.path);
            if !answer.status.is_success() {
                wrong.push(format!("{username}: {} was answered {after}", name(call)));
            } else if !is_shared && (after.contains(OURS) || (after != before && !OWN_DEEDS.contains(&call.path))) {
                let same = after.bytes().zip(before.bytes()).take_while(|(now, then)| now == then).count();
                let rest =
                    |text: &str| String::from_utf8_lossy(&text.as_bytes()[same.saturating_sub(80)..]).chars().take(300).collect::<String>();
                wrong.push(format!("{username}: {} shows …{}\n    before: …{}", name(call), rest(&after), rest(&before)));
            }
        }
    }
    // No call that names a marked record reaches it, and no call that creates one changes what is there.
    let ids = our_ids(&app).await;
    let (rows, of_ours) = everything(&app, org).await;
    let mut tried = 0;
    for call in signed_in().filter(|call| takes_id(call)) {
        let (id, body) = (our_record(&app, call.path).await, aimed(&app, &document, call, &ids).await);
        for (username, who) in &outsiders {
            let answer = make(who, call, id, body.as_ref()).await;
            let is_shared = is_manager(username) && SHARED_WITH_MANAGERS.contains(&call.path);
            if !is_shared && !["1003", "1004"].contains(&answer.code().as_str()) {
                wrong.push(format!("{username}: {} was answered {}", name(call), timeless(&answer).chars().take(300).collect::<String>()));
            }
            tried += 1;
        }
    }
    for call in signed_in().filter(|call| call.writes && !takes_id(call) && call.access != Access::SignedIn) {
        let body = aimed(&app, &document, call, &ids).await;
        for (username, who) in &outsiders {
            let answer = make(who, call, 0, body.as_ref()).await;
            let text: String = String::from_utf8_lossy(&answer.body).chars().take(300).collect();
            if text.contains(OURS) || (answer.code() == "0000" && !keeps_own(call)) {
                wrong.push(format!("{username}: {} shows {text}", name(call)));
            }
        }
    }
    let (rows_after, of_ours_after) = everything(&app, org).await;
    for (table, rows) in rows {
        let after = &rows_after[&table];
        for row in rows {
            if after.binary_search(&row).is_err() {
                wrong.push(format!("changed or gone: {table} {row}"));
            }
        }
    }
    for (table, count) in of_ours {
        if of_ours_after[&table] != count {
            wrong.push(format!("{table} has {} rows of our organisation, and had {count}", of_ours_after[&table]));
        }
    }
    assert!(wrong.is_empty(), "{} places:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried > 1000, "only {tried} calls were tried");
    // The ids are those of records: an account that reaches everything reads them.
    let admin = app.sign_in("admin").await;
    let mut unknown = Vec::new();
    for call in signed_in().filter(|call| call.path.contains("{id}") && call.method == Method::GET && call.access != Access::SignedIn) {
        let answer = make(&admin, call, our_record(&app, call.path).await, None).await;
        let is_file = answer.body.first() != Some(&b'{');
        // Our push has no clue, whose person it would show.
        if !is_file && answer.code() == "1004" && call.path != "/plan/push/reveal/{id}" {
            unknown.push(name(call));
        }
    }
    assert!(unknown.is_empty(), "name records of ours for {unknown:?}");
}

// The forms are right: only the data scope is in the way.
on_both!(roles_with_every_point_make_nothing_beyond_their_scopes);
async fn roles_with_every_point_make_nothing_beyond_their_scopes(app: TestApp) {
    let outsiders = outsiders(&app).await;
    mark_our_records(&app).await;
    app.execute("UPDATE organisation SET owner_admin_id = NULL").await;
    let ids = our_ids(&app).await;
    let north = ids["orgId"];
    let payee_channel = testing::org::with(testing::pay::channel_form(&app, "bank", "").await, json!({"code": "own-1"}));
    let entry = json!({"kind": "phone", "value": "13612345679", "scope": "global", "source": "manual", "reason": "x"});
    let plan = json!({
        "name": "x", "orgId": north, "deliverMode": "crm", "saleMode": "exclusive", "priceCents": 100, "methodPriority": 1, "weight": 1,
        "exposureWeight": 1, "outOfSchedule": "skip", "matchRequired": false
    });
    let product = json!({
        "code": "x-1", "name": "x", "orgId": north, "category": "credit", "applyMode": "lead", "minAmountCents": 100, "maxAmountCents": 100,
        "minTermMonths": 3, "maxTermMonths": 36, "lenderName": "x"
    });
    let forms = [
        ("/payChannel", payee_channel),
        ("/org/payee", testing::org::payee::form("另一主体")),
        ("/blacklist", entry.clone()),
        ("/blacklist", testing::org::with(entry, json!({"scope": "organisation", "scopeId": north}))),
        ("/plan", plan),
        ("/product", product),
        ("/crm/pool", testing::crm::pool::form(json!({"orgId": north, "name": "x"}))),
        ("/crm/addMoney", testing::crm::money::form(&app, ids["clueId"], json!({}))),
        ("/crm/salesperson", json!({"adminId": app.account("north.sales2").await, "level": "junior", "weight": 1})),
        ("/finance/recharge", testing::finance::form(&app, json!({})).await),
        ("/finance/invoice", testing::finance::invoice::form(&app, json!({"amountCents": 1})).await),
        (
            "/finance/invoice/red",
            json!({"id": app.count("SELECT MIN(id) FROM invoice").await, "version": 1, "amountCents": 1, "reason": "x"}),
        ),
        ("/partner/statement", json!({"channelId": ids["channelId"], "month": "2026-01"})),
        ("/partner/adjust", json!({"statementId": ids["statementId"], "amountCents": 1, "reason": "x"})),
        (
            "/partner/payout",
            json!({"statementId": ids["statementId"], "payeeOrgId": testing::pay::payee_id(&app).await, "amountCents": 1, "remark": ""}),
        ),
        (
            "/partner/payout/opening",
            testing::partner::opening_form(&app, &json!({"id": ids["statementId"]}), json!({"amountCents": 1})).await,
        ),
        ("/finance/account/adjust", json!({"orgId": north, "part": "paid", "amountCents": 100, "reason": "x"})),
        ("/user", json!({"channelId": ids["channelId"], "user": {"phone": "10000030002", "name": "x", "applicant": {"city": "上海"}}})),
        ("/user/feedback", json!({"userId": ids["userId"], "star": 1, "content": "x"})),
        ("/notice", json!({"title": "x", "content": "x", "scope": "all"})),
        ("/notice", json!({"title": "x", "content": "x", "scope": "role", "scopeId": ids["roleId"]})),
        ("/notice", json!({"title": "x", "content": "x", "scope": "organisation", "scopeId": north})),
        ("/chart/channel/views", json!({"name": "x", "isDefault": false, "sendRoleId": app.role("operator").await, "sendMinute": 480})),
        ("/chat/group", json!({"name": "x", "assignMode": "manual"})),
        ("/chat/reply", json!({"kind": "quick", "shortcut": "x", "content": "x"})),
        ("/sms/test", json!({"phone": "13612345678"})),
    ];
    let before = everything(&app, north).await;
    let mut wrong = Vec::new();
    for (path, form) in forms {
        for (username, who) in &outsiders {
            let answer = who.post(path, form.clone()).await;
            if !["1001", "1003", "1004"].contains(&answer.code().as_str()) {
                wrong.push(format!("{username}: POST {path} {form} was answered {} {}", answer.code(), answer.desc()));
            }
        }
    }
    let table = "通道编码,链接\nlink_pool-1,https://pay.example.com/l/0009\n";
    for (_, who) in &outsiders {
        who.upload("/payPool/import", &[("dryRun", "false")], "链接.csv", table.as_bytes()).await.refused("1004");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(everything(&app, north).await, before, "a record was made or changed");
}
