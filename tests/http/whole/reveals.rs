//! Reveals of whole numbers: counted for an account over all lists, refused beyond the limits, and reported.

use base::clock::{DAY, MINUTE};
use serde_json::{Value, json};

use testing::crm::{clue, salesperson};
use testing::finance::invoice;
use testing::org::payee;
use testing::{Actor, ROOT, TestApp, feedback, on_both, pay};

/// How many of these records are shown before the first refusal; all after it are refused.
async fn shown(who: &Actor, paths: &[String]) -> usize {
    let mut number = 0;
    for path in paths {
        match who.get(path).await.code().as_str() {
            "0000" => number += 1,
            "4029" => break,
            other => panic!("{path}: {other}"),
        }
    }
    number
}

async fn clues(app: &TestApp, number: usize) -> Vec<String> {
    let owner = salesperson(app, "north.sales1").await;
    let mut paths = Vec::new();
    for _ in 0..number {
        paths.push(format!("/crm/reveal/{}", clue(app, "north", Some(owner)).await));
    }
    paths
}

on_both!(reveals_of_all_lists_share_one_limit);
async fn reveals_of_all_lists_share_one_limit(app: TestApp) {
    let paths = clues(&app, 5).await;
    app.set("security.reveals_ten_minutes", json!(4)).await;
    let manager = app.sign_in("north.manager").await;
    let account = format!("/admin/reveal/{}", app.account("north.sales1").await);
    manager.get(&account).await.ok();
    assert_eq!(shown(&manager, &paths).await, 3, "one was an account");
    let refused = manager.get(&paths[3]).await;
    assert!(refused.refused("4029").is_null());
    assert!(refused.desc().contains("10 分钟内 4 条") && refused.desc().contains("分钟后再试"), "{}", refused.desc());
    assert!(refused.headers["retry-after"].to_str().unwrap().parse::<i64>().unwrap() > 0);
    // What was shown today is shown again; others have limits of their own, on every node.
    manager.get(&paths[0]).await.ok();
    let elsewhere = app.node().await;
    elsewhere.with_token(manager.token()).get(&paths[4]).await.refused("4029");
    app.sign_in("north.sales1").await.get(&paths[4]).await.ok();

    // Reported once, to those who watch the trail.
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'other' AND diff LIKE '%revealLimit%'").await, 1);
    assert!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'reveals' AND content_zh LIKE '%north.manager%'").await > 0);
    let sent = "SELECT COUNT(*) - COUNT(DISTINCT scope_id) FROM message WHERE biz_type = 'reveals'";
    assert_eq!(app.count(sent).await, 0, "one to each role");
    let title = app.sign_in("auditor").await.post("/message/page", json!({})).await.ok()["list"][0]["title"].clone();
    assert_eq!(title, "查看明文达到上限");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'reveal'").await, 6, "each that was shown, and no other");

    app.advance(10 * MINUTE);
    manager.get(&paths[3]).await.ok();
}

on_both!(reveals_of_a_day_have_a_limit);
async fn reveals_of_a_day_have_a_limit(app: TestApp) {
    let paths = clues(&app, 4).await;
    app.set("security.reveals_day", json!(2)).await;
    let manager = app.sign_in("north.manager").await;
    assert_eq!(shown(&manager, &paths).await, 2);
    app.advance(11 * MINUTE);
    let refused = app.sign_in("north.manager").await.get(&paths[2]).await;
    // Near midnight the next day is minutes away.
    assert!(refused.code() == "4029" && refused.desc().contains("每天 2 条"), "{}", refused.desc());
    app.advance(DAY);
    assert_eq!(shown(&app.sign_in("north.manager").await, &paths[2..]).await, 2);
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal_limit").await, 1, "the report of the first day");
}

/// Calls that show what is hidden elsewhere, though their paths do not say so.
const MORE: [&str; 2] = ["/payOrder/notice/{id}", "/payOrder/payPage/{id}"];

/// A record that a call reveals.
async fn record(app: &TestApp, path: &str) -> i64 {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let id = |row: &Value| row["id"].as_i64().unwrap();
    match path {
        "/admin/reveal/{id}" => app.account("auditor").await,
        "/blacklist/reveal/{id}" => id(&testing::blacklist::make(&operator, json!({})).await),
        "/chat/client/reveal/{id}" => {
            let group = testing::chat::group(app, "咨询", json!({})).await;
            let begun = testing::chat::visitor(app, &group, 1, "你好").await;
            begun.send(&[("phone", "13812345678".to_owned())]).await;
            begun.customer(app).await
        }
        "/chat/conversation/reveal/{id}" => {
            let group = testing::chat::group(app, "贷后", json!({})).await;
            testing::chat::visitor(app, &group, 2, "我的电话是 13812345679").await;
            app.count("SELECT MAX(id) FROM chat_conversation").await
        }
        "/payPool/batch/reveal/{id}" => {
            pay::channel(app, "link_pool", "", json!({})).await;
            pay::link::bring(&operator, false, "通道编码,链接\nlink_pool-1,https://pay.example.com/l/1\n").await;
            app.count("SELECT MAX(id) FROM payment_link_import").await
        }
        "/crm/reveal/{id}" => clue(app, "north", Some(salesperson(app, "north.sales1").await)).await,
        "/finance/invoice/reveal/{id}" => {
            invoice::sold_with_a_payee(app, app.organisation("north").await).await;
            id(&operator.post("/finance/invoice", invoice::form(app, json!({"amountCents": 1})).await).await.ok())
        }
        "/org/payee/reveal/{id}" => id(&operator.post("/org/payee", payee::form("查看")).await.ok()),
        "/org/reveal/{id}" => app.organisation("north").await,
        "/payOrder/notice/{id}" => {
            let provider = pay::FakeProvider::start().await;
            pay::reachable(app).await;
            let channel = pay::channel(app, "wechat", &provider.address, json!({})).await;
            let made = pay::paid(app, &provider, &channel, json!({})).await;
            id(&admin.get(&format!("/payOrder/notices/{}", made["id"])).await.ok()[0])
        }
        "/payOrder/payPage/{id}" => {
            let bank = pay::channel(app, "bank", "", json!({})).await;
            id(&pay::order(app, &bank, json!({})).await)
        }
        "/plan/push/reveal/{id}" => app.count("SELECT MIN(id) FROM push_record").await,
        "/project/reveal/{id}" => testing::project::file(&operator, json!({})).await,
        "/user/reveal/{id}" => app.count("SELECT MIN(id) FROM applicant WHERE phone_enc IS NOT NULL").await,
        other => panic!("name a record that {other} reveals"),
    }
}

// Every call that shows what is hidden is counted: a new one has no row above and fails here.
on_both!(every_reveal_is_counted);
async fn every_reveal_is_counted(app: TestApp) {
    // The provider's clock is right: its report comes before the test's clock is set.
    const NOTICE: &str = "/payOrder/notice/{id}";
    let notice = record(&app, NOTICE).await;
    // The lead that was sold, and its applicant.
    feedback::sold(&app).await;
    let calls = server::calls();
    let mut paths = Vec::new();
    for path in calls.iter().map(|call| call.path).filter(|path| path.contains("reveal") || MORE.contains(path)) {
        let id = if path == NOTICE { notice } else { record(&app, path).await };
        paths.push(path.replace("{id}", &id.to_string()));
    }
    assert!(paths.len() >= 12, "{paths:?}");
    app.set("security.reveals_ten_minutes", json!(1)).await;
    let admin = app.sign_in("admin").await;
    admin.get(&format!("/admin/reveal/{}", app.account("operator").await)).await.ok();
    for path in paths {
        admin.get(&path).await.refused("4029");
    }
    let sources = [
        "admin/src/account",
        "lead/src/applicant/record",
        "trade/src/blacklist/record",
        "chat/src/conversation/record",
        "chat/src/customer/record",
        "crm/src/clue/reveal",
        "trade/src/finance/invoice/record",
        "trade/src/org/payee/mod",
        "trade/src/org/record",
        "pay/src/link/batch",
        "pay/src/notice",
        "pay/src/order/record",
        "trade/src/project/review",
    ];
    for source in sources {
        let text = std::fs::read_to_string(format!("{ROOT}/crates/{source}.rs")).unwrap();
        assert!(text.contains("reveal::written(") && !text.contains("Action::Reveal"), "{source} counts its reveals");
    }
}
