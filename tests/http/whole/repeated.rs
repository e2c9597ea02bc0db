//! `Idempotency-Key`: what is sent twice is done once.

use std::time::Duration;

use axum::http::Method;
use base::clock::{DAY, HOUR, MINUTE, SECOND};
use base::db::Engine;
use frame::access::totp::{STEP, Secret};
use frame::api::calls::Access;
use frame::api::idempotency;
use serde_json::{Value, json};

use testing::feedback::Sold;
use testing::lead::buyer::Buyer;
use testing::lead::{application, bring, channel, phone};
use testing::org::{self, payee};
use testing::returns::lenient;
use testing::world::PASSWORD;
use testing::{Actor, Answer, TestApp, blacklist, crm, on_both, product, upload};

on_both!(a_repeated_call_gets_the_first_answer);
async fn a_repeated_call_gets_the_first_answer(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    let first = operator.post("/admin", body.clone()).await;
    let second = operator.post("/admin", body.clone()).await;
    assert_eq!((first.ok(), first.status), (second.ok(), second.status));
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 13);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 1);
    let password = first.ok()["password"].as_str().unwrap().to_owned();
    assert!(!app.text("SELECT response FROM idempotency_key").await.contains(&password), "an answer may hold a secret");

    let other = json!({"username": "other.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    operator.post("/admin", other.clone()).await.wrong("Idempotency-Key");
    // Another's key is another key, and after a day it is used up.
    app.sign_in("admin").await.with("idempotency-key", "6f1c").post("/admin", other).await.ok();
    app.advance(DAY + 1000);
    app.sign_in("operator").await.with("idempotency-key", "6f1c").post("/admin", body).await.refused("1005");
}

on_both!(of_two_at_once_one_is_done);
async fn of_two_at_once_one_is_done(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    let (one, other) = tokio::join!(operator.post("/admin", body.clone()), operator.post("/admin", body.clone()));
    assert_eq!(one.ok(), other.ok(), "the second waits for the first, and gets its answer");
    assert_eq!(operator.post("/admin", body).await.ok(), one.ok());
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 13);
}

// Without a key: the same body of the same session within five seconds is one request.
on_both!(the_same_body_within_five_seconds_is_one_request);
async fn the_same_body_within_five_seconds_is_one_request(app: TestApp) {
    let operator = app.sign_in("operator").await.without_keys();
    let receipts = async || app.count("SELECT COUNT(*) FROM receipt WHERE deleted_at IS NULL").await;
    let (body, other) = (receipt(&app, "one").await, receipt(&app, "two").await);
    let first = operator.post("/org/receipt", body.clone()).await.ok();
    app.advance(3 * SECOND);
    assert_eq!(operator.post("/org/receipt", body.clone()).await.ok(), first);
    assert_eq!(receipts().await, 1);
    // Another body, another session and a call with a key are others.
    operator.post("/org/receipt", other.clone()).await.ok();
    app.sign_in("operator").await.without_keys().post("/org/receipt", body.clone()).await.ok();
    operator.with("idempotency-key", "k-1").post("/org/receipt", body.clone()).await.ok();
    assert_eq!(receipts().await, 4);
    app.advance(3 * SECOND);
    assert_ne!(operator.post("/org/receipt", body.clone()).await.ok()["id"], first["id"], "it is another after five seconds");
    assert_eq!(receipts().await, 5);

    app.advance(5 * SECOND);
    let (one, second) = tokio::join!(operator.post("/org/receipt", other.clone()), operator.post("/org/receipt", other.clone()));
    assert_eq!(one.ok(), second.ok());
    assert_eq!(receipts().await, 6, "two at once are one");

    // A change and a deletion are given their first answer, not a word that the version is old.
    let change = |row: &Value| {
        let mut body = other.clone();
        body["id"] = row["id"].clone();
        body["version"] = row["version"].clone();
        body["remark"] = json!("changed");
        body
    };
    let row = one.ok();
    let changed = operator.put("/org/receipt", change(&row)).await.ok();
    assert_eq!(operator.put("/org/receipt", change(&row)).await.ok(), changed);
    let path = format!("/org/receipt/{}", row["id"]);
    operator.delete(&path).await.ok();
    operator.delete(&path).await.ok();
    assert_eq!(receipts().await, 5);
}

// One node does what was sent to two; a node whose clock is wrong does not hold up the others.
on_both!(the_same_body_at_two_nodes_is_one_request);
async fn the_same_body_at_two_nodes_is_one_request(app: TestApp) {
    let operator = app.sign_in("operator").await.without_keys();
    let body = receipt(&app, "one").await;
    let node = app.node().await;
    let there = node.with_token(operator.token()).without_keys();
    let (one, other) = tokio::join!(operator.post("/org/receipt", body.clone()), there.post("/org/receipt", body.clone()));
    assert_eq!(one.ok(), other.ok());
    assert_eq!(there.post("/org/receipt", body.clone()).await.ok(), one.ok());
    assert_eq!(app.count("SELECT COUNT(*) FROM receipt").await, 1);
    let wrong = app.node_wrong_by(10 * MINUTE).await;
    wrong.with_token(operator.token()).without_keys().post("/org/receipt", body.clone()).await.ok();
    operator.post("/org/receipt", body).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM receipt").await, 3);
}

// What a change answers beside its record is given again as well.
on_both!(a_new_secret_is_shown_to_the_same_press);
async fn a_new_secret_is_shown_to_the_same_press(app: TestApp) {
    let partner = channel(&app, json!({})).await;
    let operator = app.sign_in("operator").await.with("idempotency-key", "k-1");
    let version = app.count("SELECT MAX(version) FROM channel").await;
    let body = json!({"id": partner.id, "version": version});
    let rotated = operator.put("/channel/secret", body.clone()).await.ok();
    assert_eq!(operator.put("/channel/secret", body.clone()).await.ok(), rotated);
    let again = operator.with("idempotency-key", "k-2").put("/channel/secret", body).await;
    again.refused("1005");
}

// A refusal is no answer that is given again.
on_both!(what_was_refused_may_be_sent_again_without_a_key);
async fn what_was_refused_may_be_sent_again_without_a_key(app: TestApp) {
    let operator = app.sign_in("operator").await.without_keys();
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    app.execute("UPDATE administrator SET username = 'new.person' WHERE username = 'auditor'").await;
    operator.post("/admin", body.clone()).await.refused("1005");
    app.execute("UPDATE administrator SET username = 'auditor' WHERE username = 'new.person'").await;
    operator.post("/admin", body).await.ok();
}

// What is switched to and fro is meant to be sent again.
on_both!(states_are_set_each_time);
async fn states_are_set_each_time(app: TestApp) {
    app.execute(
        "INSERT INTO admin_role (admin_id, role_id) SELECT a.id, r.id FROM administrator a, role r WHERE a.username = 'operator' AND r.code = 'admin'",
    )
    .await;
    let operator = app.sign_in("operator").await.without_keys();
    for code in ["admin", "operator", "admin", "operator"] {
        operator.put("/admin/role", json!({"roleId": app.role(code).await})).await.ok();
        assert_eq!(operator.get("/admin/me").await.ok()["role"], code);
    }
}

// Of several transactions the first notes the call and the last its answer: a repetition waits for it.
on_both!(a_repetition_waits_for_the_answer);
async fn a_repetition_waits_for_the_answer(app: TestApp) {
    let operator = app.sign_in("operator").await.without_keys();
    let body = receipt(&app, "one").await;
    let first = operator.post("/org/receipt", body.clone()).await.ok();
    let sealed = app.text("SELECT response FROM idempotency_key WHERE key LIKE '≡%'").await;
    app.execute("UPDATE idempotency_key SET response = NULL").await;
    let answered = async {
        tokio::time::sleep(Duration::from_millis(150)).await;
        app.execute(Box::leak(format!("UPDATE idempotency_key SET response = '{sealed}'").into_boxed_str())).await;
    };
    let (second, ()) = tokio::join!(operator.post("/org/receipt", body), answered);
    assert_eq!(second.ok(), first);
}

// The hash of a request is keyed: a plain one of a body with a password could be guessed.
on_both!(the_hash_of_a_request_is_keyed);
async fn the_hash_of_a_request_is_keyed(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    operator.post("/admin", body.clone()).await.ok();
    let role = app.role("operator").await;
    let request = format!("POST\n/api/admin\n{role}\n{}", serde_json::to_string(&body).unwrap());
    let stored = app.text("SELECT request_hash FROM idempotency_key").await;
    for request in [request.clone(), request.replace("/api", "")] {
        assert_ne!(stored, base::crypto::sha256_hex(request.as_bytes()));
    }
}

/// A receipt of the organisation in the north, each by its bank's number.
async fn receipt(app: &TestApp, serial: &str) -> Value {
    testing::pay::payee_id(app).await;
    json!({
        "orgId": app.organisation("north").await, "payeeOrgId": app.count("SELECT MIN(id) FROM payee_organisation").await,
        "bizType": "recharge", "amountCents": 500_000, "payMethod": "cash", "paidAt": app.now() - 3_600_000, "payerName": "北辰",
        "bankSerial": "", "proofFileIds": [], "remark": serial
    })
}

// H8: a call that is dropped at any moment and made again makes one receipt, and gets its answer.
on_both!(a_receipt_is_made_once_whenever_its_sender_hangs_up);
async fn a_receipt_is_made_once_whenever_its_sender_hangs_up(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let body = receipt(&app, "hung up").await;
    let mut whole = false;
    for moment in 0..200 {
        let operator = operator.with("idempotency-key", &format!("moment-{moment}"));
        {
            // The call is begun and left after so many steps: at each of them there is one of these.
            let mut call = Box::pin(operator.post("/org/receipt", body.clone()));
            for _ in 0..moment {
                if futures_util::poll!(call.as_mut()).is_ready() {
                    whole = true;
                    break;
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        let made = operator.post("/org/receipt", body.clone()).await.ok();
        assert_eq!(operator.post("/org/receipt", body.clone()).await.ok(), made);
        assert_eq!(app.count("SELECT COUNT(*) FROM receipt").await, moment + 1, "at step {moment}");
        assert_eq!(app.count("SELECT COUNT(*) FROM idempotency_key WHERE response IS NULL").await, 0);
        if whole {
            return;
        }
    }
    panic!("the call never came to its end");
}

// H8: the key, the answer and the work are one transaction.
on_both!(the_key_and_the_answer_are_in_the_transaction_of_the_work);
async fn the_key_and_the_answer_are_in_the_transaction_of_the_work(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = receipt(&app, "one").await;
    let made = operator.post("/org/receipt", body.clone()).await.ok();
    if app.app.db.engine() == Engine::Postgres {
        let together = "SELECT COUNT(*) FROM receipt r JOIN idempotency_key k ON k.xmin = r.xmin WHERE k.response IS NOT NULL";
        assert_eq!(app.count(together).await, 1);
    }
    assert_eq!(operator.post("/org/receipt", body).await.ok(), made);
    operator.post("/org/receipt", receipt(&app, "another").await).await.wrong("Idempotency-Key");
    assert_eq!(app.count("SELECT COUNT(*) FROM receipt").await, 1);
}

// H8: a call that enters an applicant, is dropped at any moment and made again enters one, with one line in the trail.
on_both!(an_applicant_is_entered_once_whenever_the_sender_hangs_up);
async fn an_applicant_is_entered_once_whenever_the_sender_hangs_up(app: TestApp) {
    let partner = channel(&app, json!({})).await;
    let admin = app.sign_in("admin").await;
    let mut whole = false;
    for moment in 0..200 {
        let admin = admin.with("idempotency-key", &format!("moment-{moment}"));
        // Each is another person: one who came again within a minute would be known by their phone.
        let body = json!({"channelId": partner.id, "user": application(moment + 1, json!({}))});
        {
            let mut call = Box::pin(admin.post("/user", body.clone()));
            for _ in 0..moment {
                if futures_util::poll!(call.as_mut()).is_ready() {
                    whole = true;
                    break;
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        let made = admin.post("/user", body.clone()).await.ok();
        assert_eq!(made["failed"], json!(null), "at step {moment}: the applicant was there before the key");
        assert_eq!(admin.post("/user", body.clone()).await.ok(), made);
        assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, i64::from(moment) + 1, "at step {moment}");
        let told = "SELECT COUNT(*) FROM operation_log WHERE target_type = 'user' AND action = 'create'";
        assert_eq!(app.count(told).await, i64::from(moment) + 1, "at step {moment}");
        if whole {
            break;
        }
    }
    assert!(whole, "the call never came to its end");
    if app.app.db.engine() == Engine::Postgres {
        let together = "SELECT COUNT(*) FROM applicant a JOIN idempotency_key k ON k.xmin = a.xmin JOIN operation_log o ON o.xmin = a.xmin \
                        WHERE k.response IS NOT NULL AND o.target_id = a.id";
        assert_eq!(app.count(together).await, app.count("SELECT COUNT(*) FROM applicant").await);
    }
}

/// Calls whose work takes several transactions, of which the last keeps the answer.
const IN_SEVERAL: &[&str] =
    &["/user/import", "/common/upload", "/blacklist/import", "/payPool/import", "/chat/upload", "/chat/wechat/check"];

/// What a call is sent.
enum Sent {
    Json(Value),
    File(&'static [(&'static str, &'static str)], &'static str, Vec<u8>),
}

impl Sent {
    async fn by(&self, who: &Actor, path: &str) -> Answer {
        match self {
            Sent::Json(body) => who.post(path, body.clone()).await,
            Sent::File(fields, name, content) => who.upload(path, fields, name, content).await,
        }
    }
}

/// Sets up two-step verification for an account, and returns a code that was not used.
async fn enrolled(app: &TestApp, who: &Actor) -> String {
    let begun = who.post("/admin/me/secondFactor", json!({"password": PASSWORD})).await.ok();
    let secret = Secret::parse(begun["secret"].as_str().unwrap()).expect("a secret");
    who.put("/admin/me/secondFactor", json!({"code": secret.code(app.now() / STEP)})).await.ok();
    app.advance(2 * STEP);
    secret.code(app.now() / STEP)
}

/// Who makes a call so that it does something, and what is sent. A new call says so here.
async fn sending(app: &TestApp, sold: &Sold, path: &str) -> (Actor, Sent) {
    let admin = sold.admin.clone();
    let channel_id = sold.channel.id;
    let body = match path {
        "/admin" => json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]}),
        "/admin/logout" | "/user/logout" => return (app.sign_in("auditor").await, Sent::Json(json!({}))),
        "/admin/me/secondFactor" => return (app.sign_in("operator").await, Sent::Json(json!({"password": PASSWORD}))),
        "/admin/me/secondFactor/codes" => {
            let who = app.sign_in("channel.manager").await;
            let code = enrolled(app, &who).await;
            return (who, Sent::Json(json!({"password": PASSWORD, "code": code})));
        }
        "/admin/me/secondFactor/remove" => {
            let who = app.sign_in("north.manager").await;
            let code = enrolled(app, &who).await;
            return (who, Sent::Json(json!({"password": PASSWORD, "code": code})));
        }
        "/agreement" => json!({"code": "PRIVACY", "edition": "1", "name": "隐私政策", "text": "x"}),
        "/blacklist" => blacklist::form(json!({})),
        "/blacklist/import" => {
            let table = "类型,名单值,原因\n手机号,13812340003,x\n手机号,1,x\n";
            return (admin, Sent::File(&[("dryRun", "false")], "a.csv", table.as_bytes().to_vec()));
        }
        "/channel" => testing::channel::form("another-channel"),
        "/channel/test" => {
            json!({"id": channel_id, "phone": "10000010000", "name": "测试用户", "ip": "203.0.113.9", "applicant": {"age": 30}})
        }
        "/common/upload" => return (admin, Sent::File(&[], "a.png", upload::png())),
        "/compliance/check" => json!({"targetType": "channel", "targetId": channel_id}),
        "/compliance/rule" => json!({
            "code": "no_pressure", "kind": "forbidden_words", "titleZh": "不施压", "titleEn": "No pressure", "targetTypes": ["script"],
            "params": {"fields": [], "words": ["最后一天"], "days": 0}, "severity": "warn", "status": "enabled", "sort": 200
        }),
        // The teams, salespeople and pools of the CRM.
        "/crm/addSubOrg" => json!({"orgId": app.organisation("north").await, "name": "Second team"}),
        "/crm/updateSubOrg" => json!({"id": app.team("First team").await, "name": "First team", "city": "上海"}),
        "/crm/salesperson" => json!({"adminId": app.account("south.sales1").await, "level": "junior", "weight": 1}),
        "/chat/group" => json!({"name": "贷前咨询", "assignMode": "manual"}),
        "/chat/manage" => {
            let group = admin.post("/chat/group", json!({"name": "售后服务", "assignMode": "manual"})).await.ok();
            json!({"adminId": app.account("auditor").await, "nickname": "小何", "groupIds": [group["id"]]})
        }
        "/chat/wechat" => {
            let group = admin.post("/chat/group", json!({"name": "公众号咨询", "assignMode": "manual"})).await.ok();
            json!({"name": "服务号", "appId": "wx0000000000000001", "appSecret": "a".repeat(32), "token": "abc", "groupId": group["id"]})
        }
        // WeChat cannot be reached from here: the row says so.
        "/chat/wechat/check" => json!({"id": app.count("SELECT MIN(id) FROM chat_wechat").await}),
        "/chat/upload" => {
            let who = testing::chat::account(app, "uploader", &["chat/conversation/send"]).await;
            return (who, Sent::File(&[], "a.png", testing::upload::png()));
        }
        "/chat/reply" => json!({"kind": "welcome", "content": "您好"}),
        _ if testing::chat::CONVERSATION_CALLS.contains(&path) => {
            let (who, body) = testing::chat::writing(app, path).await;
            return (who, Sent::Json(body));
        }
        "/crm/pool" => testing::crm::pool::form(json!({"orgId": app.organisation("north").await})),
        "/crm/progress" | "/crm/sendMsg" | "/crm/release" | "/crm/assign" => {
            let owner = crm::salesperson(app, "north.sales1").await;
            let id = crm::clue(app, "north", Some(owner)).await;
            match path {
                "/crm/progress" => json!({"id": id, "note": "x"}),
                "/crm/sendMsg" => json!({"id": id}),
                "/crm/release" => json!({"ids": [id]}),
                _ => json!({"ids": [id], "salespersonId": crm::salesperson(app, "north.sales2").await}),
            }
        }
        "/crm/clue/claim" => {
            crm::salesperson(app, "north.sales1").await;
            let body = json!({"id": crm::clue(app, "north", None).await});
            return (app.sign_in("north.sales1").await, Sent::Json(body));
        }
        "/crm/return" => {
            app.execute("UPDATE organisation SET return_allowed = 1, return_max_days = 9, return_max_bp = 10000").await;
            json!({"id": app.count("SELECT id FROM clue WHERE push_id IS NOT NULL").await, "reasonCode": "dead_number", "note": "", "proofFileIds": []})
        }
        "/crm/addMoney" => crm::money::form(app, crm::clue(app, "north", None).await, json!({})),
        "/crm/updateMoney" => {
            let clue_id = crm::clue(app, "north", None).await;
            let row = admin.post("/crm/addMoney", crm::money::form(app, clue_id, json!({}))).await.ok();
            crm::money::form(app, clue_id, json!({"id": row["id"], "version": row["version"], "remark": "x"}))
        }
        "/crm/achievements/copy" => json!({"month": ::crm::Month::of(app.now()).to_string()}),
        "/dict/type" => json!({"code": "colours", "nameZh": "颜色", "nameEn": "Colours", "remark": "", "sort": 1}),
        "/dict/item" => json!({
            "typeId": app.count("SELECT MAX(id) FROM dict_type").await, "value": "red", "labelZh": "红", "labelEn": "Red", "sort": 5,
            "tagColor": "red", "isDefault": false, "status": "enabled"
        }),
        "/menu" => {
            json!({"titleZh": "帮助", "titleEn": "Help", "icon": "info", "sort": 8, "externalUrl": "https://help.example/", "everyone": true})
        }
        "/finance/invoice" => {
            testing::finance::form(app, json!({})).await;
            let north = app.organisation("north").await;
            testing::finance::invoice::sold_with_a_payee(app, north).await;
            testing::finance::invoice::form(app, json!({"amountCents": 1})).await
        }
        "/finance/invoice/red" => {
            testing::finance::invoice::sold_with_a_payee(app, app.organisation("north").await).await;
            let of = testing::finance::invoice::issued(app, json!({"amountCents": 2})).await;
            testing::finance::red_invoice::red(&of, 1)
        }
        "/partner/statement" => {
            let channel = testing::partner::channel(app, "p-repeated").await;
            testing::partner::item(app, channel, "sold", 100, "2025-12-01").await;
            json!({"channelId": channel, "month": "2025-12"})
        }
        "/partner/statement/send" => testing::partner::version(&testing::partner::made_now(app, "p-sent").await),
        "/partner/adjust" => {
            let statement = testing::partner::made_now(app, "p-adjusted").await;
            json!({"statementId": statement["id"], "amountCents": 1, "reason": "x"})
        }
        "/partner/payout" => {
            let statement = testing::partner::made_now(app, "p-paid").await;
            testing::partner::confirm(app, &statement).await;
            testing::partner::payout_form(app, &statement, json!({"amountCents": 1})).await
        }
        "/partner/payout/opening" => {
            let statement = testing::partner::made_now(app, "p-opening").await;
            testing::partner::confirm(app, &statement).await;
            testing::partner::opening_form(app, &statement, json!({"amountCents": 1})).await
        }
        "/finance/account/adjust" => json!({"orgId": app.organisation("north").await, "part": "paid", "amountCents": 1, "reason": "x"}),
        "/finance/recharge" => testing::finance::form(app, json!({})).await,
        "/payChannel" => testing::pay::channel_form(app, "bank", "").await,
        "/payOrder" => {
            let bank = testing::pay::channel(app, "bank", "", json!({"code": "bank-2"})).await;
            testing::pay::order_form(app, &bank, json!({})).await
        }
        "/payRefund" => {
            let order = testing::pay::confirmed(app, json!({})).await;
            json!({"paymentOrderId": order["id"], "amountCents": 1, "reason": "x"})
        }
        "/payStatement/import" => {
            let bank = testing::pay::channel(app, "bank", "", json!({"code": "bank-3"})).await["id"].to_string();
            let fields: &'static [(&str, &str)] = Box::leak(Box::new([
                ("payeeChannelId", &*bank.leak()),
                ("day", "2026-01-01"),
                ("numberColumn", "number"),
                ("amountColumn", "amount"),
            ]));
            return (admin, Sent::File(fields, "a.csv", b"number,amount\nB-1,1\n".to_vec()));
        }
        "/payPool/import" => {
            // Nothing but the import itself is written through a call here.
            app.execute(
                "INSERT INTO payee_channel (code, name, provider, payee_org_id, mch_no, fee_bp, min_cents, max_cents, status, created_at, updated_at) \
                 SELECT 'link_pool-1', 'pool', 'link_pool', MIN(id), '', 0, 1, 1, 'enabled', 0, 0 FROM payee_organisation",
            )
            .await;
            let table = "通道编码,链接\nlink_pool-1,https://pay.example.com/l/0009\n";
            return (admin, Sent::File(&[("dryRun", "false")], "a.csv", table.as_bytes().to_vec()));
        }
        "/message/read" | "/message/clear" => {
            app.sign_in("operator").await.post("/notice", json!({"title": "通知", "content": "x", "scope": "all"})).await.ok();
            json!({"type": "notice"})
        }
        "/notice" => json!({"title": "公告", "content": "内容", "scope": "all"}),
        "/org" => org::form("tianxuan"),
        "/org/api/test" => {
            Buyer::of(app, &admin, "north", json!({})).await;
            json!({"id": app.organisation("north").await})
        }
        "/org/payee" => payee::form("另一收款"),
        "/org/receipt" => receipt(app, "one").await,
        "/plan" => testing::plan::form(app, json!({})).await,
        "/plan/push/again" => {
            bring(app, &sold.channel, "r-again", application(9, json!({}))).await.ok();
            app.distribute().await;
            app.execute("UPDATE push_record SET status = 'rejected' WHERE id = (SELECT MAX(id) FROM push_record)").await;
            json!({"id": app.count("SELECT MAX(id) FROM push_record").await, "status": "rejected"})
        }
        "/plan/return" => {
            // The same lead was given back from its clue.
            app.execute("UPDATE lead_return SET status = 'withdrawn'").await;
            app.execute("UPDATE push_record SET return_status = 'withdrawn'").await;
            app.execute("UPDATE organisation SET return_allowed = 1, return_max_days = 9, return_max_bp = 10000").await;
            json!({"pushId": sold.push_id, "reasonCode": "dead_number", "note": "", "proofFileIds": []})
        }
        "/product" => {
            product::ready(app).await;
            product::form(app, "haoxiang").await
        }
        "/project" => testing::project::form(),
        "/role" => json!({
            "code": "channel_helper", "name": "渠道助理", "nameEn": "Channel assistant", "dataScope": "all", "defaultRoute": null, "sort": 5,
            "menuIds": []
        }),
        "/role/standard" => json!({"codes": ["service"]}),
        "/sms/test" => json!({"phone": "13612345678"}),
        "/user" => json!({"channelId": channel_id, "user": application(7, json!({}))}),
        "/user/feedback" => json!({"userId": sold.user_id, "star": 1}),
        "/user/import" => {
            let titles = "渠道编码,手机号,姓名,授权书编码,授权书版本,授权书摘要,授权时间,接收方";
            let line = format!("lead-chan,{},李小四,LOAN,3,{},2027/1/6,全部合作机构", phone(8), "A".repeat(64));
            return (admin, Sent::File(&[("dryRun", "false")], "a.csv", format!("{titles}\n{line}\n").into_bytes()));
        }
        "/chart/view" => json!({"page": "/channel/list", "name": "x", "query": {"status": "enabled"}, "columns": []}),
        _ if path.ends_with("/views") => json!({"name": "x", "isDefault": true, "query": {"range": "week"}, "columns": []}),
        _ => panic!("say who makes {path}, and with what"),
    };
    (admin, Sent::Json(body))
}

/// Has the database refuse to commit what a call has done without its answer: a row of a table that comes in owes an
/// answer, and a debt that is there at the end of a transaction undoes it.
async fn owes_an_answer(app: &TestApp, table: &str, when: &str) {
    let run = async |text: String| app.execute(Box::leak(text.into_boxed_str())).await;
    let (owes, pays) = ("INSERT INTO owed (missing) VALUES (1)", "DELETE FROM owed");
    match app.app.db.engine() {
        Engine::Sqlite => run(format!("CREATE TRIGGER owes AFTER INSERT ON {table} {when} BEGIN {owes}; END")).await,
        Engine::Postgres => {
            run(format!("CREATE OR REPLACE FUNCTION owes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {owes}; RETURN NEW; END $$")).await;
            run(format!("CREATE TRIGGER owes AFTER INSERT ON {table} FOR EACH ROW {when} EXECUTE FUNCTION owes()")).await;
        }
    }
    if app.count("SELECT COUNT(*) FROM paying").await > 0 {
        return;
    }
    run("INSERT INTO paying (id) VALUES (1)".to_owned()).await;
    let answered = "AFTER UPDATE OF response ON idempotency_key";
    match app.app.db.engine() {
        Engine::Sqlite => run(format!("CREATE TRIGGER pays {answered} WHEN NEW.response IS NOT NULL BEGIN {pays}; END")).await,
        Engine::Postgres => {
            run(format!("CREATE FUNCTION pays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {pays}; RETURN NEW; END $$")).await;
            run(format!("CREATE TRIGGER pays {answered} FOR EACH ROW WHEN (NEW.response IS NOT NULL) EXECUTE FUNCTION pays()")).await;
        }
    }
}

/// How many rows there are in all tables.
async fn rows(app: &TestApp) -> i64 {
    let tables = app.app.db.tables().await.unwrap();
    let counts: Vec<String> = tables.keys().map(|table| format!("(SELECT COUNT(*) FROM {table})")).collect();
    app.count(Box::leak(format!("SELECT {}", counts.join(" + ")).into_boxed_str())).await
}

/// Makes a call twice under one key: the answer of the first was lost, and the second gets it and does nothing.
async fn twice(app: &TestApp, path: &str, who: &Actor, sent: &Sent) {
    let who = who.with("idempotency-key", path);
    let first = sent.by(&who, path).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM idempotency_key WHERE response IS NULL").await, 0, "{path}");
    // Sealed: it may hold a secret that is shown once.
    assert_eq!(app.count(r#"SELECT COUNT(*) FROM idempotency_key WHERE response LIKE '%"%'"#).await, 0, "{path}");
    let done = rows(app).await;
    let second = sent.by(&who, path).await;
    match path.ends_with("/logout") {
        true => drop(second.refused("2000")),
        false => assert_eq!(second.ok(), first, "{path}"),
    }
    assert_eq!(rows(app).await, done, "{path} was done twice");
}

// C5: every call commits its answer with its work, so that no answer is lost.
on_both!(every_call_keeps_its_answer_with_its_work);
async fn every_call_keeps_its_answer_with_its_work(app: TestApp) {
    let sold = lenient(&app).await;
    app.execute("CREATE TABLE nowhere (id BIGINT PRIMARY KEY)").await;
    app.execute("CREATE TABLE owed (missing BIGINT REFERENCES nowhere (id) DEFERRABLE INITIALLY DEFERRED)").await;
    app.execute("CREATE TABLE paying (id BIGINT PRIMARY KEY)").await;
    let calls = server::calls();
    let posts = calls.iter().filter(|call| call.method == Method::POST && call.writes && call.access != Access::Open);
    let (in_several, in_one): (Vec<&str>, Vec<&str>) = posts.map(|call| call.path).partition(|path| IN_SEVERAL.contains(path));
    assert!(in_several.len() == 6 && in_one.len() >= 29, "{in_several:?} {in_one:?}");
    // The key comes in with the first transaction, which is the only one. Calls that prepare others have other keys.
    owes_an_answer(&app, "idempotency_key", "WHEN (NEW.response IS NULL AND NEW.key LIKE '/%')").await;
    for path in in_one {
        let (who, sent) = sending(&app, &sold, path).await;
        twice(&app, path, &who, &sent).await;
    }
    app.execute(if app.app.db.engine() == Engine::Sqlite { "DROP TRIGGER owes" } else { "DROP TRIGGER owes ON idempotency_key" }).await;
    // The audit trail is written in the last transaction.
    owes_an_answer(&app, "operation_log", "").await;
    for path in in_several {
        let (who, sent) = sending(&app, &sold, path).await;
        twice(&app, path, &who, &sent).await;
    }
}

// C5: what others stood in the way of is done again, and once.
on_both!(calls_that_others_stand_in_the_way_of_are_done_once);
async fn calls_that_others_stand_in_the_way_of_are_done_once(app: TestApp) {
    let sold = lenient(&app).await;
    let paths = ["/menu", "/role", "/project", "/channel/test", "/org/api/test", "/blacklist/import", "/user/import"];
    let mut calls = Vec::new();
    for path in paths {
        calls.push((path, sending(&app, &sold, path).await));
    }
    let before = app.count("SELECT COUNT(*) FROM operation_log").await;
    app.stand_in_the_way().await;
    for (path, (who, sent)) in &calls {
        sent.by(who, path).await.ok();
    }
    let link = app.count("SELECT MAX(id) FROM menu_node").await;
    sold.admin.delete(&format!("/menu/{link}")).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, before + paths.len() as i64 + 1, "each once");
}

// H8: work whose answer was lost is never done again, however late it is asked for.
on_both!(what_was_done_without_an_answer_is_not_done_again);
async fn what_was_done_without_an_answer_is_not_done_again(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    operator.post("/admin", body.clone()).await.ok();
    app.execute("UPDATE idempotency_key SET response = NULL").await;
    operator.post("/admin", body.clone()).await.refused("5003");
    app.advance(10 * MINUTE);
    operator.post("/admin", body).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 13);
}

// S-L13: a key is one of a person in one role.
on_both!(a_key_counts_for_one_role);
async fn a_key_counts_for_one_role(app: TestApp) {
    app.execute(
        "INSERT INTO admin_role (admin_id, role_id) SELECT a.id, r.id FROM administrator a, role r WHERE a.username = 'operator' AND r.code = 'admin'",
    )
    .await;
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    operator.post("/admin", body.clone()).await.ok();
    let me = operator.get("/admin/me").await.ok();
    let other = if me["role"] == "admin" { "operator" } else { "admin" };
    operator.with("idempotency-key", "7a2d").put("/admin/role", json!({"roleId": app.role(other).await})).await.ok();
    operator.post("/admin", body).await.wrong("Idempotency-Key");
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 13);
}

on_both!(old_keys_are_forgotten_behind_the_calls);
async fn old_keys_are_forgotten_behind_the_calls(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    operator.post("/org/receipt", receipt(&app, "one").await).await.ok();
    app.advance(DAY - HOUR);
    assert_eq!(idempotency::sweep(&app.app.db, app.now()).await.unwrap(), 0);
    app.advance(2 * HOUR);
    // That of the receipt, and those of the calls that prepared it.
    let keys = app.count("SELECT COUNT(*) FROM idempotency_key").await;
    assert!(keys > 0);
    assert_eq!(idempotency::sweep(&app.app.db, app.now()).await.unwrap(), keys as u64);
}

on_both!(after_a_refusal_the_key_may_be_tried_again);
async fn after_a_refusal_the_key_may_be_tried_again(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "", "roleIds": [app.role("auditor").await]});
    operator.post("/admin", body.clone()).await.wrong("realName");
    operator.post("/admin", body).await.wrong("realName");
    operator.post("/admin", json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]})).await.ok();
    for key in ["", &"x".repeat(101)] {
        app.sign_in("operator").await.with("idempotency-key", key).post("/admin", json!({})).await.refused("4000");
    }
}
