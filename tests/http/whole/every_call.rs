//! The whole table of calls: whoever adds one is tested here without doing anything.

use axum::http::Method;
use frame::api::calls::{Access, Call, Calls};
use frame::api::openapi;
use serde_json::{Map, Value, json};

use testing::{Actor, Answer, TestApp, on_both};

/// The calls that anybody may make.
const OPEN: &[&str] = &[
    "GET /admin/login",
    "POST /admin/login",
    "POST /admin/login/code",
    "GET /admin/sendCode",
    "POST /admin/resetPassword",
    "POST /user/login",
    "GET /open/wechat/{id}",
    "POST /open/wechat/{id}",
    "POST /open/uv",
    "POST /open/match",
    "POST /open/products",
    "POST /open/agreements",
    "POST /open/user",
    "POST /open/user/status",
    "POST /open/consent/withdraw",
    "POST /open/push/status",
    "POST /open/push/authorised",
    "POST /open/sms/report",
    "POST /open/pay/notify",
];

/// The calls of the areas that the specification names without showing their calls.
const NOT_SHOWN: &[&str] = &[
    "POST /chat/group/page",
    "GET /chat/group/{id}",
    "POST /chat/group",
    "PUT /chat/group",
    "DELETE /chat/group/{id}",
    "POST /chat/manage/page",
    "GET /chat/manage/{id}",
    "POST /chat/manage",
    "PUT /chat/manage",
    "DELETE /chat/manage/{id}",
    "POST /chat/client/page",
    "GET /chat/client/{id}",
    "PUT /chat/client",
    "DELETE /chat/client/{id}",
    "POST /chat/user/page",
    "GET /chat/getRecord",
    "GET /chat/conversation/{id}",
    "POST /chat/send",
    "POST /chat/transfer",
    "POST /chat/close",
    "POST /chat/wechat/page",
    "GET /chat/wechat/{id}",
    "POST /chat/wechat",
    "PUT /chat/wechat",
    "DELETE /chat/wechat/{id}",
    "POST /chat/reply/page",
    "GET /chat/reply/{id}",
    "POST /chat/reply",
    "PUT /chat/reply",
    "DELETE /chat/reply/{id}",
    "POST /channel/page",
    "GET /channel/{id}",
    "POST /channel",
    "PUT /channel",
    "PUT /channel/status",
    "DELETE /channel/{id}",
    "POST /channel/uv/page",
    "POST /org/page",
    "GET /org/{id}",
    "POST /org",
    "PUT /org",
    "PUT /org/status",
    "DELETE /org/{id}",
    "POST /org/uv/page",
    "POST /org/uv2/page",
    "POST /org/payee/page",
    "GET /org/payee/{id}",
    "POST /org/payee",
    "PUT /org/payee",
    "DELETE /org/payee/{id}",
    "POST /org/receipt/page",
    "GET /org/receipt/{id}",
    "POST /org/receipt",
    "PUT /org/receipt",
    "PUT /org/receipt/status",
    "DELETE /org/receipt/{id}",
    "POST /plan/page",
    "GET /plan/{id}",
    "POST /plan",
    "PUT /plan",
    "PUT /plan/status",
    "DELETE /plan/{id}",
    "POST /plan/push/page",
    "GET /plan/push/{id}",
    "POST /plan/uv/page",
    "POST /plan/exposure/page",
    "POST /product/page",
    "GET /product/{id}",
    "POST /product",
    "PUT /product",
    "PUT /product/status",
    "DELETE /product/{id}",
    "POST /product/uv/page",
    "POST /finance/recharge/page",
    "GET /finance/recharge/{id}",
    "POST /finance/recharge",
    "PUT /finance/recharge/audit",
    "POST /finance/account/page",
    "GET /finance/account/{id}",
    "POST /finance/account/ledger/page",
    "POST /finance/invoice/page",
    "GET /finance/invoice/{id}",
    "POST /finance/invoice",
    "PUT /finance/invoice/issue",
    "POST /payChannel/page",
    "GET /payChannel/{id}",
    "POST /payChannel",
    "PUT /payChannel",
    "PUT /payChannel/status",
    "DELETE /payChannel/{id}",
    "POST /payOrder/page",
    "GET /payOrder/{id}",
    "POST /payOrder",
    "PUT /payOrder/status",
    "POST /payPool/page",
    "GET /payPool/{id}",
    "POST /payPool/import",
    "PUT /payPool/status",
    "DELETE /payPool/{id}",
    "POST /blacklist/page/export",
    "POST /user/feedback/page/export",
];

pub(crate) fn name(call: &Call) -> String {
    format!("{} {}", call.method, call.path)
}

pub(crate) async fn make(who: &Actor, call: &Call, id: i64, body: Option<&Value>) -> Answer {
    who.call(call.method.clone(), &call.path.replace("{id}", &id.to_string()), body).await
}

on_both!(no_call_is_open_by_accident);
async fn no_call_is_open_by_accident(app: TestApp) {
    let calls = server::calls();
    let open: Vec<String> = calls.iter().filter(|call| call.access == Access::Open).map(name).collect();
    assert_eq!(open, OPEN);
    for call in calls.iter().filter(|call| call.access != Access::Open) {
        make(&app.stranger(), call, 1, Some(&json!({}))).await.refused("2000");
    }
}

on_both!(an_account_without_points_is_refused_every_call_that_needs_one);
async fn an_account_without_points_is_refused_every_call_that_needs_one(app: TestApp) {
    let nobody = app.sign_in("nobody").await;
    let calls = server::calls();
    let guarded = calls.iter().filter(|call| matches!(call.access, Access::Point(_) | Access::AnyPoint(_) | Access::EveryPoint(_)));
    for call in guarded {
        make(&nobody, call, 1, Some(&json!({}))).await.refused("1003");
    }
}

// S7.34
#[test]
fn the_areas_whose_calls_are_not_shown_have_calls() {
    let calls: Vec<String> = server::calls().iter().map(name).collect();
    for wanted in NOT_SHOWN {
        assert!(calls.iter().any(|call| call == wanted), "{wanted} is no call");
    }
}

// S7.34
on_both!(every_point_is_one_of_the_menus);
async fn every_point_is_one_of_the_menus(app: TestApp) {
    let tree = app.sign_in("admin").await.get("/menu/listByToken").await.ok().to_string();
    for call in server::calls().iter() {
        let points = match call.access {
            Access::Point(point) => vec![point],
            Access::AnyPoint(points) | Access::EveryPoint(points) => points.to_vec(),
            Access::Open | Access::SignedIn => vec![],
        };
        for point in points {
            assert!(tree.contains(&format!("\"{point}\"")), "{} needs {point}, which no role can be given", name(call));
        }
    }
}

// S-L10: it names every call that there is.
on_both!(the_platforms_people_alone_get_the_description);
async fn the_platforms_people_alone_get_the_description(app: TestApp) {
    let document: Value = serde_json::from_slice(&app.sign_in("nobody").await.get("/openapi.json").await.body).unwrap();
    assert_eq!(document, openapi::document(&server::calls()));
    app.sign_in("north.manager").await.get("/openapi.json").await.refused("1003");
    app.stranger().get("/openapi.json").await.refused("2000");
}

/// Text that every record of ours carries somewhere, and no other.
pub(crate) const OURS: &str = "zzours";

/// Records that belong to the platform and to North Star, by the first part of a call's path.
/// A new area names one of its own here.
pub(crate) async fn our_record(app: &TestApp, path: &str) -> i64 {
    match path.split('/').nth(1).unwrap() {
        _ if path.starts_with("/admin/me/sessions") => {
            app.count("SELECT MIN(id) FROM admin_session WHERE admin_id = (SELECT id FROM administrator WHERE username = 'operator')").await
        }
        "admin" => app.account("north.sales1").await,
        "audit" => {
            app.count("SELECT MIN(id) FROM operation_log WHERE admin_id = (SELECT id FROM administrator WHERE username = 'operator')").await
        }
        "agreement" => app.count("SELECT MIN(id) FROM agreement").await,
        "blacklist" => app.count("SELECT id FROM blacklist_entry").await,
        "crm" => match path {
            _ if path.contains("Money") || path.starts_with("/crm/money") => app.count("SELECT MIN(id) FROM money_record").await,
            _ if path.contains("SubOrg") => app.team("zzours First team").await,
            _ if path.starts_with("/crm/pool") => app.count("SELECT MIN(id) FROM clue_pool").await,
            _ if path.starts_with("/crm/salesperson") => app.account("north.sales1").await,
            _ => app.count("SELECT MIN(id) FROM clue").await,
        },
        "chat" => match path {
            _ if path.starts_with("/chat/group") => app.count("SELECT MIN(id) FROM chat_group").await,
            _ if path.starts_with("/chat/manage") => app.count("SELECT MIN(id) FROM chat_staff").await,
            _ if path.starts_with("/chat/wechat") => app.count("SELECT MIN(id) FROM chat_wechat").await,
            _ if path.starts_with("/chat/reply") => app.count("SELECT MIN(id) FROM chat_reply").await,
            _ if path.starts_with("/chat/number") => app.count("SELECT MIN(id) FROM chat_message").await,
            _ if path.starts_with("/chat/client") => app.count("SELECT MIN(id) FROM chat_customer").await,
            _ => app.count("SELECT MIN(id) FROM chat_conversation").await,
        },
        "finance" => match path {
            _ if path.starts_with("/finance/recharge") => app.count("SELECT MIN(id) FROM recharge").await,
            _ if path.starts_with("/finance/invoice") => app.count("SELECT MIN(id) FROM invoice").await,
            _ if path.starts_with("/finance/statement") => app.count("SELECT MIN(id) FROM org_statement").await,
            _ if path.starts_with("/finance/account/adjust") => app.count("SELECT MIN(id) FROM account_adjustment").await,
            _ => app.organisation("north").await,
        },
        "partner" => match path {
            _ if path.starts_with("/partner/adjust") => app.count("SELECT MIN(id) FROM partner_adjustment").await,
            _ if path.starts_with("/partner/payout/statement") => app.count("SELECT MIN(id) FROM partner_statement").await,
            _ if path.starts_with("/partner/payout") => app.count("SELECT MIN(id) FROM partner_payout").await,
            _ => app.count("SELECT MIN(id) FROM partner_statement").await,
        },
        "payChannel" => app.count("SELECT MIN(id) FROM payee_channel").await,
        "payOrder" if path == "/payOrder/notice/{id}" => app.count("SELECT MIN(id) FROM payment_notice").await,
        "payOrder" => app.count("SELECT MIN(id) FROM payment_order").await,
        "payRefund" if path.starts_with("/payRefund/order") => app.count("SELECT MIN(id) FROM payment_order").await,
        "payRefund" => app.count("SELECT MIN(id) FROM payment_refund").await,
        "payException" => app.count("SELECT MIN(id) FROM payment_exception").await,
        "payReport" => app.count("SELECT MIN(payment_notice_id) FROM payment_stuck_report").await,
        "payStatement" if path.contains("columns") => app.count("SELECT MIN(id) FROM payee_channel").await,
        "payStatement" => app.count("SELECT MIN(id) FROM payment_statement").await,
        "payDifference" => app.count("SELECT MIN(id) FROM payment_difference").await,
        "payPool" if path.starts_with("/payPool/batch") => app.count("SELECT MIN(id) FROM payment_link_import").await,
        "payPool" => app.count("SELECT MIN(id) FROM payment_link").await,
        "chart" => app.count("SELECT MAX(id) FROM saved_view").await,
        "export" => app.count("SELECT MIN(id) FROM export_task WHERE title_en = 'zzours'").await,
        "common" => app.count("SELECT MIN(id) FROM file WHERE name = 'zzours'").await,
        "channel" => app.count("SELECT id FROM channel WHERE name LIKE 'zzours%'").await,
        "org" if path.starts_with("/org/payee") => app.count("SELECT MIN(id) FROM payee_organisation").await,
        "org" if path.starts_with("/org/receipt") => app.count("SELECT MIN(id) FROM receipt").await,
        "org" => app.organisation("north").await,
        "plan" if path.starts_with("/plan/push") => app.count("SELECT MIN(id) FROM push_record").await,
        "plan" if path.starts_with("/plan/return") => app.count("SELECT MIN(id) FROM lead_return").await,
        "plan" => app.count("SELECT id FROM plan WHERE name LIKE 'zzours%'").await,
        "product" => app.count("SELECT id FROM product WHERE name LIKE 'zzours%'").await,
        "user" if path.starts_with("/user/feedback") => app.count("SELECT MIN(id) FROM feedback").await,
        "user" if path.starts_with("/user/match") => app.count("SELECT MIN(id) FROM match_record").await,
        "user" => app.count("SELECT id FROM applicant").await,
        "session" => {
            app.sign_in("north.sales1").await;
            app.count("SELECT MAX(id) FROM admin_session").await
        }
        "message" => app.count("SELECT MIN(id) FROM message WHERE type = 'todo' AND scope = 'role' AND org_id IS NULL").await,
        "menu" => app.count("SELECT id FROM menu_node WHERE name = 'channelList'").await,
        "role" if path.starts_with("/role/ofAccount") => app.account("north.sales1").await,
        // All are the platform's; this one is wider than any of an organisation.
        "role" => app.role("admin").await,
        "notice" => app.count("SELECT id FROM message WHERE title_zh LIKE 'zzours%'").await,
        "project" => app.count("SELECT id FROM project WHERE name LIKE 'zzours%'").await,
        "dict" if path.starts_with("/dict/type") => app.count("SELECT MIN(id) FROM dict_type").await,
        "dict" => app.count("SELECT MIN(id) FROM dict_item").await,
        "sms" => app.count("SELECT MIN(id) FROM sms_message").await,
        "compliance" if path == "/compliance/{id}" => app.count("SELECT MIN(id) FROM compliance_check").await,
        "compliance" => app.count("SELECT MIN(id) FROM compliance_rule").await,
        area => panic!("name a record of the area {area} for this test"),
    }
}

pub(crate) async fn mark_our_records(app: &TestApp) {
    app.execute("UPDATE administrator SET real_name = 'zzours ' || username WHERE username NOT LIKE 'south%'").await;
    app.execute("UPDATE organisation SET name = 'zzours ' || code, short_name = 'zzours' WHERE code = 'north'").await;
    app.execute("UPDATE sub_organisation SET name = 'zzours ' || name WHERE org_id = (SELECT id FROM organisation WHERE code = 'north')")
        .await;
    let body = json!({
        "code": "zzours-h5", "name": "zzours channel", "type": "h5", "settleMode": "uv", "unitPriceCents": 100, "shareBp": 0, "landingUrl": null,
        "ipAllow": [], "callbackUrl": null, "dedupDays": null, "ownerAdminId": null, "remark": ""
    });
    let operator = app.sign_in("operator").await;
    let channel = operator.post("/channel", body).await.ok();
    let user = json!({"phone": "10000030001", "name": "zzours", "applicant": {"city": "上海"}});
    app.sign_in("admin").await.post("/user", json!({"channelId": channel["id"], "user": user})).await.ok();
    let feedback = json!({"userId": app.count("SELECT id FROM applicant").await, "star": 1, "content": "zzours"});
    operator.post("/user/feedback", feedback).await.ok();
    let project = json!({
        "partnerType": "channel", "name": "zzours project", "city": "上海", "licenceNo": "91310000MA1FL0XXXX", "contactName": "zzours",
        "contactPhone": "13612345678", "settleMode": "uv", "unitPriceCents": 100, "dailyVolume": 1, "startDate": "2099-01-01",
        "landingUrl": "https://zzours.example.com/"
    });
    operator.post("/project", project).await.ok();
    let plan = json!({
        "name": "zzours plan", "orgId": app.organisation("north").await, "deliverMode": "crm", "saleMode": "exclusive", "priceCents": 100,
        "methodPriority": 1, "weight": 1, "exposureWeight": 1, "outOfSchedule": "skip", "matchRequired": false
    });
    app.sign_in("admin").await.post("/plan", plan).await.ok();
    let north = app.organisation("north").await;
    app.execute("UPDATE organisation SET status = 'active'").await;
    let product = json!({
        "code": "zzours", "name": "zzours product", "orgId": north, "category": "credit", "applyMode": "lead", "minAmountCents": 100,
        "maxAmountCents": 100, "minTermMonths": 3, "maxTermMonths": 36, "lenderName": "zzours"
    });
    operator.post("/product", product).await.ok();
    let sales = json!({"adminId": app.account("north.sales1").await, "level": "junior", "weight": 1});
    operator.post("/crm/salesperson", sales).await.ok();
    operator.post("/crm/pool", testing::crm::pool::form(json!({"orgId": north, "name": "zzours pool"}))).await.ok();
    let clue = testing::crm::clue(app, "north", Some(app.account("north.sales1").await)).await;
    app.execute("UPDATE clue SET name_mask = 'zzours'").await;
    app.sign_in("admin").await.post("/crm/addMoney", testing::crm::money::form(app, clue, json!({"remark": "zzours"}))).await.ok();
    let entry = json!({"kind": "phone", "value": "13612345678", "scope": "global", "source": "manual", "reason": "zzours"});
    operator.post("/blacklist", entry).await.ok();
    let notice = json!({"title": "zzours notice", "content": "zzours", "scope": "all"});
    operator.post("/notice", notice).await.ok();
    operator.post("/finance/recharge", testing::finance::form(app, json!({"remark": "zzours"})).await).await.ok();
    testing::finance::invoice::sold_with_a_payee(app, north).await;
    operator.post("/finance/invoice", testing::finance::invoice::form(app, json!({"amountCents": 1, "title": "zzours"})).await).await.ok();
    let adjustment = json!({"orgId": north, "part": "paid", "amountCents": 100, "reason": "zzours"});
    operator.post("/finance/account/adjust", adjustment).await.ok();
    app.execute(
        "INSERT INTO partner_statement (statement_no, channel_id, month, opening_cents, closing_cents, sold_cents, carried_cents, total_cents, \
           tax_bp, tax_cents, net_cents, asked_cents, status, answer_note, created_at, updated_at) \
         SELECT 'zzours', id, '2025-12', 0, 100, 100, 0, 100, 0, 0, 100, 1, 'confirmed', 'zzours', 0, 0 FROM channel WHERE name LIKE 'zzours%'",
    )
    .await;
    app.execute(
        "INSERT INTO partner_adjustment (adjustment_no, statement_id, channel_id, amount_cents, reason, status, created_at, updated_at) \
         SELECT 'zzours', id, channel_id, 1, 'zzours', 'pending', 0, 0 FROM partner_statement",
    )
    .await;
    app.execute(
        "INSERT INTO partner_payout (payout_no, statement_id, channel_id, payee_org_id, amount_cents, tax_cents, status, created_at, updated_at) \
         SELECT 'zzours', m.id, m.channel_id, (SELECT MIN(id) FROM payee_organisation), 1, 0, 'waiting', 0, 0 FROM partner_statement m",
    )
    .await;
    app.execute(
        "INSERT INTO partner_item (channel_id, kind, amount_cents, day, at, idem_key, statement_id) \
         SELECT channel_id, 'sold', 100, '2025-12-01', 0, 'zzours', id FROM partner_statement",
    )
    .await;
    app.execute(
        "INSERT INTO org_statement (org_id, month, opening_cents, recharge_cents, gift_cents, adjust_cents, spend_cents, refund_cents, \
           closing_cents, entries, status, note, created_at, updated_at) \
         SELECT id, '2025-12', 0, 0, 0, 0, 0, 0, 0, 0, 'sent', 'zzours', 0, 0 FROM organisation WHERE code = 'north'",
    )
    .await;
    testing::pay::one_of_each(app, "zzours").await;
    let group = operator.post("/chat/group", json!({"name": "zzours group", "assignMode": "manual"})).await.ok();
    let staff = json!({"adminId": app.account("auditor").await, "nickname": "zzours", "groupIds": [group["id"]]});
    operator.post("/chat/manage", staff).await.ok();
    operator.post("/chat/reply", json!({"kind": "quick", "shortcut": "zzours", "content": "zzours"})).await.ok();
    let wechat = json!({
        "name": "zzours", "appId": "wx00000zzours", "appSecret": "a".repeat(32), "token": "zzours", "groupId": group["id"],
    });
    operator.post("/chat/wechat", wechat).await.ok();
    app.execute("INSERT INTO chat_customer (source, nickname, status, created_at, updated_at) VALUES ('web', 'zzours', 'active', 0, 0)")
        .await;
    app.execute(
        "INSERT INTO chat_conversation (customer_id, group_id, status, last_message_at, last_text, created_at, updated_at) \
         SELECT k.id, g.id, 'queued', 0, 'zzours', 0, 0 FROM chat_customer k, chat_group g",
    )
    .await;
    app.execute(
        "INSERT INTO chat_message (conversation_id, direction, kind, content, client_msg_id, at) \
         SELECT id, 'in', 'text', 'zzours', 'zzours', 0 FROM chat_conversation",
    )
    .await;
    testing::org::receipt::make(app, &operator, json!({"remark": "zzours", "bankSerial": "zzours"})).await;
    for sql in [
        "INSERT INTO push_record (no, user_id, name_mask, phone_mask, city, plan_id, org_id, channel_id, sale_mode, price_cents, status, \
           sold_at, created_at, updated_at) SELECT 'zzours', a.id, 'zzours', 'zzours', 'zzours', p.id, p.org_id, a.channel_id, 'exclusive', 100, \
           'accepted', 1000000000000, 0, 0 FROM plan p, applicant a WHERE a.id = (SELECT MIN(id) FROM applicant) AND p.name = 'zzours plan'",
        "INSERT INTO lead_return (push_id, org_id, reason_code, note, status, refund_cents, created_at, updated_at) \
         SELECT id, org_id, 'other', 'zzours', 'pending', 100, 0, 0 FROM push_record",
        "INSERT INTO compliance_check (no, target_type, target_name, items, result, valid_until, checked_at) \
         VALUES ('zzours', 'script', 'zzours', '[]', 'pass', 0, 0)",
        "INSERT INTO match_record (no, direction, user_id, phone_mask, city, channel_id, plan_id, org_id, request, status, passed_over, cost_ms, test, \
           created_at) SELECT 'zzours', 'outbound', user_id, 'zzours', 'zzours', channel_id, plan_id, org_id, '{}', 'matched', '{}', 1, 0, 0 \
         FROM push_record",
        "INSERT INTO payment_notice (payee_channel_id, notice_no, order_no, body_enc, content, state, received_at) \
         SELECT payee_channel_id, 'zzours', no, '', '{}', 'stuck', 0 FROM payment_order WHERE id = (SELECT MIN(id) FROM payment_order)",
        "INSERT INTO payment_stuck_report (payment_notice_id, created_at) SELECT id, 0 FROM payment_notice",
        "INSERT INTO export_task (admin_id, role_id, resource, title_zh, title_en, format, asked, locale, ip, request_id, status, next_at, created_at) \
         SELECT a.id, r.role_id, '/user/page/export', 'zzours', 'zzours', 'csv', '{}', 'zh', '', '', 'failed', 0, 0 \
         FROM administrator a JOIN admin_role r ON r.admin_id = a.id WHERE a.username = 'operator'",
        "INSERT INTO saved_view (admin_id, page, name, query, columns, locale, is_default, created_at, updated_at) \
         SELECT id, '/chart/channel-list', 'zzours', '{}', '[]', 'zh', 0, 0, 0 FROM administrator WHERE username = 'operator'",
        "INSERT INTO file (storage_key, name, size, mime, sha256, biz_type, uploader_id, created_at) \
         SELECT 'zzours', 'zzours', 1, 'image/png', '', '', id, 0 FROM administrator WHERE username = 'operator'",
    ] {
        app.execute(sql).await;
    }
    app.sign_in("admin").await.post("/sms/test", json!({"phone": "13612345678"})).await.ok();
}

/// Calls whose path ends so, with what they are asked.
fn lists(calls: &Calls, end: &str) -> Vec<(&'static str, Value)> {
    let document = openapi::document(calls);
    let lists = calls.iter().filter(|call| call.method == Method::POST && call.path.ends_with(end));
    lists
        .filter_map(|call| {
            let schema = &document["paths"][format!("/api{}", call.path)]["post"]["requestBody"]["content"]["application/json"]["schema"];
            // One's own messages are a list of another kind.
            let filters = schema["allOf"][0]["$ref"].as_str()?;
            Some((call.path, document.pointer(filters.trim_start_matches('#')).expect("a reference leads somewhere")["properties"].clone()))
        })
        .collect()
}

// X7: one list reads what every other one reads.
on_both!(every_list_reads_what_an_old_client_sends);
async fn every_list_reads_what_an_old_client_sends(app: TestApp) {
    mark_our_records(&app).await;
    app.set("security.reads_minute", json!(1_000_000)).await;
    let admin = app.sign_in("admin").await;
    let calls = server::calls();
    let (mut integers, mut texts, mut days) = (0, 0, 0);
    let lists = lists(&calls, "/page");
    assert!(lists.len() >= 29, "some lists are missing: {}", lists.len());
    for (path, filters) in lists {
        let ask = async |body: Value| admin.post(path, body).await.ok();
        let all = ask(json!({})).await;
        let names: Vec<&String> = filters.as_object().into_iter().flat_map(Map::keys).collect();
        let with_all = |value: &Value, more: Value| {
            let mut body = more;
            for name in &names {
                body[name.as_str()] = value.clone();
            }
            body
        };
        for nothing in [json!(""), json!(" "), json!("\u{3000}"), json!(null), json!([]), json!(["", null])] {
            assert_eq!(ask(with_all(&nothing, json!({}))).await, all, "{path}: {nothing} filters");
            let paging = json!({"current": nothing, "pageSize": nothing, "sort": nothing, "order": nothing});
            assert_eq!(ask(with_all(&nothing, paging)).await, all, "{path}: {nothing} is not as if it were absent");
        }
        assert_eq!(ask(json!({"utm": {"a": [1]}, "undefined": "undefined", "": 1})).await, all, "{path}: an unknown name filters");
        for body in [json!({"current": 1.0, "pageSize": 20.0}), json!({"current": "1", "pageSize": " 20 "}), json!({"current": 0})] {
            assert_eq!(ask(body.clone()).await, all, "{path}: {body}");
        }
        let most = ask(json!({"current": -3, "pageSize": 500})).await;
        assert_eq!((&most["current"], &most["pageSize"]), (&json!(1), &json!(200)), "{path}");
        assert_eq!(ask(json!({"pageSize": 0})).await["pageSize"], 1, "{path}");
        for (old, new) in [("ascend", "asc"), ("descend", "desc")] {
            assert_eq!(ask(json!({"order": old})).await, ask(json!({"order": new})).await, "{path}");
        }
        for name in names {
            let one = async |value: &Value| admin.post(path, json!({name.as_str(): value})).await;
            let same = async |ways: &[Value]| {
                let first = one(&ways[0]).await.ok();
                for way in ways {
                    assert_eq!(one(way).await.ok(), first, "{path}: {name} {way}");
                }
            };
            let kinds = filters[name]["type"].to_string();
            if name.ends_with("From") || name.ends_with("To") {
                days += 1;
                let day = 1_772_294_400_000_i64; // 2026-03-01 in Shanghai
                let moment = json!("2026-03-01 00:00:00");
                same(&[moment, json!("2026-03-01T00:00:00+08:00"), json!("2026-02-28T16:00:00.000Z"), json!(day), json!(day.to_string())])
                    .await;
                same(&[json!("2026-03-01"), json!(" 2026-03-01 ")]).await;
                assert_eq!(one(&json!("2026-02-30")).await.code(), "4000", "{path}: {name}");
            } else if kinds.contains("integer") {
                integers += 1;
                same(&[json!(1), json!("1"), json!(" 1 "), json!(1.0), json!("1.0")]).await;
                assert_eq!(one(&json!("1 OR 1=1")).await.code(), "4000", "{path}: {name}");
            } else if kinds.contains("string") && filters[name].get("enum").is_none() {
                texts += 1;
                // A city that is none is refused.
                let number = if name == "city" { 310_100 } else { 1_234_567 };
                same(&[json!(number.to_string()), json!(number), json!(format!(" {number} "))]).await;
            }
        }
    }
    assert!(integers >= 40 && texts >= 20 && days >= 40, "{integers} {texts} {days}: the description has changed its form");
}

// X6: what the specification's client sends to `/user/page/export`, `/user/push/export` and `/plan/page/export`.
on_both!(every_export_takes_what_its_list_takes);
async fn every_export_takes_what_its_list_takes(app: TestApp) {
    mark_our_records(&app).await;
    let admin = app.sign_in("admin").await;
    let calls = server::calls();
    let exports = lists(&calls, "/export");
    assert!(
        ["/user/page/export", "/user/push/export", "/plan/page/export"].iter().all(|path| exports.iter().any(|(found, _)| found == path))
    );
    for (path, _) in exports {
        let body = json!({"current": 1, "pageSize": 20, "keyword": "", "status": "", "format": "", "columns": []});
        // A client that asks by `responseType: 'blob'` takes anything: it gets the task.
        for accept in ["application/json", "application/json, text/plain, */*", "*/*"] {
            assert!(admin.with("accept", accept).post(path, body.clone()).await.ok()["taskId"].is_i64(), "{path} {accept}");
        }
        for accept in ["application/octet-stream", "application/octet-stream;q=0.9, */*"] {
            let file = admin.with("accept", accept).post(path, body.clone()).await;
            assert!(file.body.starts_with(b"PK\x03\x04"), "{path} {accept} is no workbook");
        }
        // One person has so many waiting at most.
        app.execute("DELETE FROM export_task").await;
    }
}

/// A body of the call's declared form, made from the API's own description.
pub(crate) fn body(document: &Value, call: &Call) -> Option<Value> {
    let operation = &document["paths"][format!("/api{}", call.path)][call.method.as_str().to_lowercase()];
    let schema = operation["requestBody"]["content"]["application/json"].get("schema")?;
    Some(sample(document, schema))
}

/// A value of a schema's form.
pub(crate) fn sample(document: &Value, schema: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        return sample(document, document.pointer(reference.trim_start_matches('#')).expect("a reference leads somewhere"));
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(first) = schema[choice].get(0) {
            return sample(document, first);
        }
    }
    if let Some(constant) = schema.get("const").or_else(|| schema["enum"].get(0)) {
        return constant.clone();
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or_default();
    match kind {
        "object" => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let fields = required.iter().filter_map(Value::as_str);
            Value::Object(fields.map(|field| (field.to_owned(), sample(document, &schema["properties"][field]))).collect::<Map<_, _>>())
        }
        "array" => json!([]),
        "integer" | "number" => json!(1),
        "boolean" => json!(false),
        "string" => json!("x"),
        _ => Value::Null,
    }
}
