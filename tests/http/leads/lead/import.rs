//! `POST /user/import`: applicants of a table come in as anybody does, once.

use serde_json::{Value, json};

use testing::lead::{application, bring, channel, phone, plan};
use testing::plan::begin;
use testing::{Actor, TestApp, on_both};

const PATH: &str = "/user/import";
const TRY: &[(&str, &str)] = &[("dryRun", "true")];
const TAKE: &[(&str, &str)] = &[("dryRun", "false")];
const TITLES: &str = "渠道编码,手机号,姓名,授权书编码,授权书版本,授权书摘要,授权时间,接收方,身份证号,年龄,城市,申请金额（元）,信用卡";

/// A line of somebody of North Star's kind.
fn line(number: u32, name: &str) -> String {
    format!("lead-chan,{},{name},LOAN,3,{},2027/1/6,全部合作机构,,30,上海市,50000.5,是", phone(number), "A".repeat(64))
}

fn table(lines: &[String]) -> String {
    format!("{TITLES}\n{}\n", lines.join("\n"))
}

async fn take(actor: &Actor, how: &[(&str, &str)], table: &str) -> Value {
    actor.upload(PATH, how, "用户.csv", table.as_bytes()).await.ok()
}

fn counts(report: &Value) -> [i64; 4] {
    ["total", "good", "duplicate", "wrong"].map(|name| report[name].as_i64().unwrap())
}

async fn applicants(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM applicant").await
}

on_both!(a_table_is_tried_taken_and_distributed);
async fn a_table_is_tried_taken_and_distributed(app: TestApp) {
    begin(&app);
    let (admin, _) = (app.sign_in("admin").await, channel(&app, json!({"settleMode": "registered"})).await);
    plan(&app, &admin, json!({})).await;
    let lines = [line(1, "张小三"), line(2, "李小四"), line(1, "张小三"), line(3, "").replace("上海市", "某地")];
    let tried = take(&admin, TRY, &table(&lines)).await;
    assert_eq!((counts(&tried), applicants(&app).await), ([4, 2, 1, 1], 0));
    let wrong: Vec<&Value> = tried["wrongCells"].as_array().unwrap().iter().map(|cell| &cell["column"]).collect();
    assert_eq!(wrong, ["城市", "姓名"]);

    let taken = take(&admin, TAKE, &table(&lines)).await;
    assert_eq!((counts(&taken), applicants(&app).await), ([4, 2, 1, 1], 2));
    let file = admin.get(&format!("/common/file/{}", taken["errorFile"]["id"])).await;
    assert!(String::from_utf8_lossy(&file.body).contains("姓名："));
    let rows = admin.post("/user/page", json!({"status": "completed"})).await.ok();
    assert_eq!((&rows["total"], &rows["list"][0]["amountCents"]), (&json!(2), &json!(5_000_050)));
    let id = rows["list"][1]["id"].as_i64().unwrap();
    let told = admin.get(&format!("/user/{id}")).await.ok();
    assert_eq!((&told["checks"][0]["noteEn"], &told["said"]["creditCard"]), (&json!("Entered by staff"), &json!(true)));
    assert_eq!((&told["consents"][0]["allPartners"], &told["consents"][0]["textHash"]), (&json!(true), &json!("a".repeat(64))));
    assert_eq!((&told["clientIp"], &told["channelCostCents"]), (&json!(""), &json!(1000)));

    app.distribute().await;
    assert_eq!(admin.get(&format!("/user/{id}")).await.ok()["status"], "distributed");
    // Brought again, all of it is there.
    assert_eq!((counts(&take(&admin, TAKE, &table(&lines)).await), applicants(&app).await), ([4, 0, 3, 1], 2));
    assert_eq!(
        app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'import' AND target_type = 'user'").await,
        3,
        "one of them tried"
    );
    assert!(!app.text("SELECT MIN(request_id) FROM applicant").await.contains("1000003"));
}

on_both!(everybody_is_held_against_the_same_checks);
async fn everybody_is_held_against_the_same_checks(app: TestApp) {
    begin(&app);
    let terms = json!({"caps": [{"window": "day", "weekday": null, "maxCount": 2, "maxCents": null}]});
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, terms).await);
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let entry = json!({"kind": "phone", "value": phone(2), "scope": "global", "source": "complaint", "reason": "投诉"});
    admin.post("/blacklist", entry).await.ok();
    app.advance(61_000);
    let lines: Vec<String> = (1..=4).map(|number| line(number, "王小五")).collect();
    assert_eq!(counts(&take(&admin, TAKE, &table(&lines)).await), [4, 4, 0, 0]);
    let page = admin.post("/user/page", json!({"sort": "createdAt", "order": "asc"})).await.ok();
    let ended = page["list"].as_array().unwrap().iter().map(|row| (row["phoneMask"].as_str().unwrap(), row["reason"].as_str()));
    let ended: std::collections::BTreeSet<_> = ended.collect();
    for one in [("100****0001", Some("dedup")), ("100****0002", Some("blacklist")), ("100****0003", None), ("100****0004", Some("caps"))] {
        assert!(ended.contains(&one), "{one:?}: {ended:?}");
    }
}

on_both!(each_wrong_cell_is_told_under_its_column);
async fn each_wrong_cell_is_told_under_its_column(app: TestApp) {
    begin(&app);
    channel(&app, json!({})).await;
    let admin = app.sign_in("admin").await.in_english();
    let good = line(1, "张小三");
    for (from, to, column) in [
        ("lead-chan", "nowhere", "渠道编码"),
        (phone(1).as_str(), "123", "手机号"),
        ("张小三", "", "姓名"),
        ("LOAN", "", "授权书编码"),
        (",3,", ",,", "授权书版本"),
        (&"A".repeat(64), "abc", "授权书摘要"),
        ("2027/1/6", "", "授权时间"),
        ("2027/1/6", "soon", "授权时间"),
        ("2027/1/6", "2026-01-06", "授权时间"),
        ("全部合作机构", "", "接收方"),
        ("全部合作机构", "nobody", "接收方"),
        (",,30", ",110105194912310021,30", "身份证号"),
        (",30,", ",17,", "年龄"),
        (",30,", ",thirty,", "年龄"),
        ("50000.5", "5.555", "申请金额（元）"),
        ("是", "maybe", "信用卡"),
    ] {
        let report = take(&admin, TRY, &table(&[good.replacen(from, to, 1)])).await;
        assert_eq!(counts(&report), [1, 0, 0, 1], "{column}: {to}");
        let cells = report["wrongCells"].as_array().unwrap();
        assert_eq!((cells.len(), &cells[0]["column"]), (1, &json!(column)), "{cells:?}");
    }
    // The organisations that the applicant agreed to, by their codes.
    let named = take(&admin, TRY, &table(&[good.replace("全部合作机构", "north、south")])).await;
    assert_eq!(counts(&named), [1, 1, 0, 0], "{named}");
    let many = table(&vec![good; 10_001]);
    assert_eq!(admin.upload(PATH, TRY, "a.csv", many.as_bytes()).await.wrong("file"), "At most 10000 rows: split the file");
    let template = admin.get("/user/template").await;
    assert!(template.header("content-disposition").unwrap().starts_with("attachment; filename=\"template.xlsx\""));
    admin.upload(PATH, TRY, "template.xlsx", &template.body).await.wrong("file");
}

on_both!(a_look_up_that_found_nothing_is_a_wrong_row);
async fn a_look_up_that_found_nothing_is_a_wrong_row(app: TestApp) {
    begin(&app);
    channel(&app, json!({})).await;
    let admin = app.sign_in("admin").await;
    let said = "渠道编码,手机号,姓名,授权书编码,授权书版本,授权书摘要,授权时间,接收方";
    let line = |idno: &str| format!("lead-chan,{},张小三,LOAN,3,{},2027/1/6,全部合作机构,{idno}", phone(1), "A".repeat(64));
    let report = take(&admin, TRY, &format!("{said},身份证号\n{}\n", line("#N/A"))).await;
    assert_eq!(
        (counts(&report), &report["wrongCells"][0]["row"], &report["wrongCells"][0]["column"]),
        ([1, 0, 0, 1], &json!(2), &json!("身份证号"))
    );
    // Another word for the same column is clear; one for none of them is named.
    let report = take(&admin, TAKE, &format!("{said},身份证号码\n{}\n", line("11010519491231002X"))).await;
    assert_eq!((counts(&report), &report["unusedColumns"]), ([1, 1, 0, 0], &json!([])));
    let rows = admin.post("/user/page", json!({})).await.ok();
    assert_eq!(rows["list"][0]["idNoMask"], "1101***********02X");
    let report = take(&admin, TRY, &format!("{said},证件\n{}\n", line("11010519491231002X"))).await;
    assert_eq!(report["unusedColumns"], json!(["证件"]));
}

on_both!(only_for_channels_within_the_scope);
async fn only_for_channels_within_the_scope(app: TestApp) {
    begin(&app);
    channel(&app, json!({})).await;
    app.sign_in("nobody").await.upload(PATH, TRY, "a.csv", table(&[line(1, "张小三")]).as_bytes()).await.refused("1003");
    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code IN ('channel_manager', 'org_manager') ON CONFLICT DO NOTHING").await;
    app.execute("UPDATE role SET version = version + 1").await;
    for who in ["channel.manager", "north.manager"] {
        let report = take(&app.sign_in(who).await, TAKE, &table(&[line(1, "张小三")])).await;
        assert_eq!((counts(&report), &report["wrongCells"][0]["column"]), ([1, 0, 0, 1], &json!("渠道编码")), "{who}");
    }
    assert_eq!(applicants(&app).await, 0);
}

on_both!(two_who_bring_the_same_bring_it_once);
async fn two_who_bring_the_same_bring_it_once(app: TestApp) {
    begin(&app);
    channel(&app, json!({})).await;
    let admin = app.sign_in("admin").await;
    let lines: Vec<String> = (1..=120).map(|number| line(number, "张小三")).collect();
    let backwards: Vec<String> = lines.iter().rev().cloned().collect();
    let (first, second) = (table(&lines), table(&backwards));
    let (one, other) = futures_util::future::join(take(&admin, TAKE, &first), take(&admin, TAKE, &second)).await;
    assert_eq!(one["good"].as_i64().unwrap() + other["good"].as_i64().unwrap(), 120, "{one} {other}");
    assert_eq!(applicants(&app).await, 120);
}

// H8: a table that is sent twice at once under one key is taken once, and leaves one line in the trail; each part
// of it is a transaction, of which the first takes the key.
on_both!(a_table_that_is_sent_twice_at_once_is_taken_once);
async fn a_table_that_is_sent_twice_at_once_is_taken_once(app: TestApp) {
    begin(&app);
    channel(&app, json!({})).await;
    let admin = app.sign_in("admin").await.with("idempotency-key", "6f1c");
    let mut lines: Vec<String> = (1..=120).map(|number| line(number, "张小三")).collect();
    lines.push(line(121, ""));
    let table = table(&lines);
    let send = || admin.upload(PATH, TAKE, "用户.csv", table.as_bytes());
    let (one, other) = futures_util::future::join(send(), send()).await;
    // The second is asked to try again while the first goes on, or gets its answer.
    let codes = [one.code(), other.code()];
    assert!(codes.iter().all(|code| ["0000", "5003"].contains(&code.as_str())) && codes.contains(&"0000".to_owned()), "{codes:?}");
    let answer = if codes[0] == "0000" { one.ok() } else { other.ok() };
    assert_eq!((counts(&answer), applicants(&app).await), ([121, 120, 0, 1], 120));
    assert_eq!(send().await.ok(), answer);
    if codes[0] == codes[1] {
        assert_eq!(one.ok(), other.ok());
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'import' AND target_type = 'user'").await, 1);
}
