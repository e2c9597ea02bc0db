//! `/v/statement/{token}`: what a partner sees of a statement without an account and without scripts, and the answer, once.

use axum::http::Method;
use serde_json::json;

use super::{made, page};
use testing::partner::{answer, channel, sent, version};
use testing::{TestApp, on_both};

on_both!(a_partner_reads_a_statement_and_has_its_files);
async fn a_partner_reads_a_statement_and_has_its_files(app: TestApp) {
    let id = channel(&app, "p-one").await;
    app.execute("UPDATE channel SET name = '<b>渠道</b>'").await;
    let row = made(&app, id).await;
    let admin = app.sign_in("admin").await;
    let link = admin.post("/partner/statement/send", version(&row)).await.ok();
    let path = link["path"].as_str().unwrap();
    assert_eq!((path.len(), &link["statement"]["status"]), ("/v/statement/".len() + 64, &json!("sent")));
    let token = path.rsplit('/').next().unwrap();
    for table in ["partner_statement", "operation_log", "idempotency_key"] {
        let text = format!(
            "SELECT COUNT(*) FROM {table} WHERE CAST({} AS TEXT) LIKE '%{token}%'",
            match table {
                "partner_statement" => "link_hash",
                "operation_log" => "diff",
                _ => "response",
            }
        );
        assert_eq!(app.count(Box::leak(text.into_boxed_str())).await, 0, "{table} holds the token");
    }
    let answer = app.stranger().ask(Method::GET, path, Vec::new()).await;
    assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    for (language, words) in [("zh-CN", ["渠道对账单", "确认无误", "提交异议"]), ("en-US", ["Channel statement", "Confirm", "Dispute"])]
    {
        let (status, text) = page(&app, &format!("{path}?lang={language}")).await;
        assert_eq!(status, 200);
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        assert!(
            text.contains("100.00") && text.contains("width=device-width") && !text.contains("<script") && !text.contains("<b>"),
            "{text}"
        );
        for (file, beginning) in [("file", &b"%PDF-"[..]), ("sheet", &b"PK"[..])] {
            let answer = app.stranger().ask(Method::GET, &format!("{path}/{file}?lang={language}"), Vec::new()).await;
            assert_eq!(answer.status.as_u16(), 200);
            assert!(answer.body.starts_with(beginning) && answer.header("content-disposition").unwrap().contains("attachment"));
            let own = admin.get(&format!("/partner/statement/{file}/{}", row["id"])).await;
            assert!(own.body.starts_with(beginning));
        }
    }
}

on_both!(a_statement_is_answered_once_and_only_by_its_own_open_link);
async fn a_statement_is_answered_once_and_only_by_its_own_open_link(app: TestApp) {
    let (one, other) = (channel(&app, "p-one").await, channel(&app, "p-two").await);
    let row = made(&app, one).await;
    let foreign = made(&app, other).await;
    let admin = app.sign_in("admin").await;
    let (old, foreign_path) = (sent(&admin, &row).await, sent(&admin, &foreign).await);
    app.advance(10_000);
    let path = sent(&admin, &row).await;
    let untouched = "SELECT COUNT(*) FROM partner_statement WHERE status = 'sent' AND answered_at IS NULL";
    let unknown = format!("/v/statement/{}", "0".repeat(64));
    for (path, fields, status) in [
        (&old, "answer=confirm", 404),
        (&unknown, "answer=confirm", 404),
        (&"/v/statement/x".to_owned(), "answer=confirm", 404),
        // The link of another channel.
        (&foreign_path, "answer=confirm", 409),
        (&path, "answer=perhaps", 400),
        (&path, "answer=dispute&note=++", 422),
        (&path, &format!("answer=dispute&note={}", "x".repeat(501)), 422),
        (&path, "answer=confirm&note=%00", 400),
    ] {
        let refused = answer(&app, path, &row, fields).await;
        assert_eq!(refused.status.as_u16(), status, "{path} {fields}");
        assert!(refused.header("content-type").unwrap().starts_with("text/html"));
        assert_eq!(app.count(untouched).await, 2, "{path} {fields}");
    }
    let (status, text) = page(&app, &old).await;
    assert!(status == 404 && text.contains("已被新的链接替换") && text.contains("a newer one has replaced it"), "{text}");
    // A withdrawn link answers no more.
    let now = admin.get(&format!("/partner/statement/{}", foreign["id"])).await.ok();
    let draft = admin.put("/partner/statement/withdraw", json!({"id": now["id"], "version": now["version"]})).await.ok();
    assert_eq!(draft["status"], "draft");
    assert_eq!(answer(&app, &foreign_path, &foreign, "answer=confirm").await.status.as_u16(), 404);
    // Of two answers at once on two nodes one is kept.
    let node = app.node().await;
    let (first, second) = tokio::join!(answer(&app, &path, &row, "answer=confirm"), answer(&node, &path, &row, "answer=dispute&note=x"));
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 409]);
    let again = answer(&app, &path, &row, "answer=confirm").await;
    assert!(again.status.as_u16() == 409 && String::from_utf8_lossy(&again.body).contains("不能再次提交"));
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE target_type = 'partner_statement' AND admin_id IS NULL").await, 1);
    let (status, text) = page(&app, &path).await;
    assert!(status == 200 && !text.contains("<form"), "{text}");
}

on_both!(a_partner_is_not_sent_to_a_list_that_partners_do_not_have);
async fn a_partner_is_not_sent_to_a_list_that_partners_do_not_have(app: TestApp) {
    app.set("export.row_cap", json!(1000)).await;
    let id = channel(&app, "p-one").await;
    let row = made(&app, id).await;
    let admin = app.sign_in("admin").await;
    let path = sent(&admin, &row).await;
    app.execute("UPDATE partner_statement SET items = 1001").await;
    let (status, text) = page(&app, &format!("{path}/sheet")).await;
    assert!(status == 409 && text.contains("1001 条明细") && text.contains("ask your contact for the list of items"), "{text}");
    assert!(!text.contains("筛选"), "{text}");
    let own = admin.get(&format!("/partner/statement/sheet/{}", row["id"])).await;
    own.refused("1006");
    assert!(own.desc().contains("筛选"), "{}", own.desc());
    let (status, _) = page(&app, &format!("{path}/file")).await;
    assert_eq!(status, 200, "the PDF has no rows");
}

on_both!(an_answer_keeps_where_it_came_from_and_is_not_given_by_staff);
async fn an_answer_keeps_where_it_came_from_and_is_not_given_by_staff(app: TestApp) {
    let app = app.behind(&["10.0.0.1"]).await;
    let id = channel(&app, "p-one").await;
    let row = made(&app, id).await;
    let admin = app.sign_in("admin").await;
    let path = sent(&admin, &row).await;
    let form = format!("statement={}&answer=confirm", row["statementNo"].as_str().unwrap()).into_bytes();
    // A session is known by its cookie, and by the header of calls.
    let browser = app.stranger().with("cookie", &format!("token={}", admin.token()));
    for staff in [&admin, &browser] {
        let refused = staff.ask(Method::POST, &path, form.clone()).await;
        let text = String::from_utf8_lossy(&refused.body).into_owned();
        assert!(refused.status.as_u16() == 409 && text.contains("已登录后台") && text.contains("cannot answer for the channel"), "{text}");
        let shown = staff.ask(Method::GET, &path, Vec::new()).await;
        let text = String::from_utf8_lossy(&shown.body).into_owned();
        assert!(shown.status.as_u16() == 200 && text.contains("已登录后台") && !text.contains("<form"), "{text}");
    }
    let shown = browser.ask(Method::GET, &format!("{path}?lang=en-US"), Vec::new()).await;
    assert!(String::from_utf8_lossy(&shown.body).contains("signed in to the back-office"));
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_statement WHERE status = 'sent' AND answered_at IS NULL").await, 1);
    // A session that has ended is none.
    let over = app.stranger().with("cookie", "token=x").at("10.0.0.1").with("x-forwarded-for", "6.6.6.6, 203.0.113.77");
    let over = over.with("user-agent", &"x".repeat(300));
    assert_eq!(over.ask(Method::POST, &path, form).await.status.as_u16(), 303);
    let answered = admin.get(&format!("/partner/statement/{}", row["id"])).await.ok();
    assert_eq!((&answered["status"], &answered["answerIp"]), (&json!("confirmed"), &json!("203.0.*.*")));
    assert_eq!(answered["answerUserAgent"], "x".repeat(200));
    let history = admin.get(&format!("/partner/statement/history/{}", row["id"])).await.ok();
    let kept =
        |field: &str| history[0]["diff"].as_array().unwrap().iter().any(|change| change["field"] == field && !change["after"].is_null());
    assert!(["answeredAt", "answerIp", "answerUserAgent"].iter().all(|field| kept(field)), "{history}");
    assert_eq!(app.text("SELECT ip FROM operation_log WHERE target_type = 'partner_statement' AND admin_id IS NULL").await, "203.0.113.77");
}

on_both!(a_link_ends_and_is_used_so_often);
async fn a_link_ends_and_is_used_so_often(app: TestApp) {
    let id = channel(&app, "p-one").await;
    app.set("partner.link_days", json!(2)).await;
    let row = made(&app, id).await;
    let path = sent(&app.sign_in("admin").await, &row).await;
    let mut statuses = Vec::new();
    for _ in 0..25 {
        statuses.push(app.stranger().ask(Method::GET, &format!("{path}/file"), Vec::new()).await.status.as_u16());
    }
    assert!(statuses[..20].iter().all(|status| *status == 200) && statuses[24] == 429, "{statuses:?}");
    assert_eq!(page(&app, &path).await.0, 200, "the page itself is shown");
    app.advance(2 * super::DAY);
    for ended in [page(&app, &path).await, page(&app, &format!("{path}/sheet")).await] {
        assert!(ended.0 == 409 && ended.1.contains("已过期") && ended.1.contains("expired"), "{}", ended.1);
    }
    assert_eq!(answer(&app, &path, &row, "answer=confirm").await.status.as_u16(), 409);
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_statement WHERE status = 'sent'").await, 1);
}
