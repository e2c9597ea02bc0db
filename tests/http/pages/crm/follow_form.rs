//! `POST /crm/progress`: the follow-up forms of a clue's page and of the board, as browsers send them without a script.

use axum::http::Method;
use serde_json::json;

use crate::pages::browser::{Browser, Page};
use testing::crm::{clue, salesperson};
use testing::upload::png;
use testing::{TestApp, on_both};

const PATH: &str = "/crm/progress";

/// The fields of a form of a clue, as text.
fn fields<'f>(id: &'f str, note: &'f str) -> Vec<(&'f str, &'f str)> {
    vec![
        ("id", id),
        ("version", "1"),
        ("type", "call"),
        ("note", note),
        ("status", "following"),
        ("level", "c"),
        ("star", "0"),
        ("nextAt", ""),
    ]
}

/// The message beside the files of a form that was refused.
fn refusal(page: &Page) -> String {
    page.props()["formError"]["fields"]["fileIds"].as_str().unwrap_or_default().to_owned()
}

/// How many follow-ups and files there are.
async fn written(app: &TestApp) -> (i64, i64) {
    (app.count("SELECT COUNT(*) FROM clue_follow").await, app.count("SELECT COUNT(*) FROM file").await)
}

// S7.23 S7.30
on_both!(a_note_takes_files_without_a_script);
async fn a_note_takes_files_without_a_script(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let id = clue(&app, "north", Some(owner)).await.to_string();
    let browser = Browser::of(&app, "north.sales1").await;
    let page = browser.get(&format!("/crm/clue/{id}")).await;
    assert!(page.root().contains(r#"encType="multipart/form-data""#));
    let sent = browser.submit_files(PATH, &fields(&id, "见附件"), &[("合同.png", &png()), ("b.csv", b"a,b\n1,2\n")]).await;
    assert_eq!((sent.status, sent.redirect()), (303, format!("/crm/clue/{id}").as_str()));
    let sales = app.sign_in("north.sales1").await;
    let detail = sales.get(&format!("/crm/clue/{id}")).await.ok();
    let follow = &detail["follows"][0];
    let names: Vec<&str> = follow["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert_eq!((follow["content"].as_str(), names), (Some("见附件"), vec!["合同.png", "b.csv"]));
    let url = follow["files"][0]["url"].as_str().unwrap();
    assert_eq!(Browser::of(&app, "north.manager").await.get(url).await.status, 200);
    assert_eq!(Browser::of(&app, "south.manager").await.get(url).await.status, 404);
    assert_eq!(app.count("SELECT COUNT(*) FROM file WHERE biz_type <> 'clue_follow' OR biz_id IS NULL").await, 0);

    // A form without a chosen file brings one without name and content.
    let mut next = fields(&id, "再次联系");
    next[1] = ("version", "2");
    assert_eq!(browser.submit_files(PATH, &next, &[("", b"")]).await.status, 303);
    assert_eq!(written(&app).await, (2, 2));
}

// S7.23: bad input of the form names its field and writes nothing.
on_both!(refused_files_write_nothing);
async fn refused_files_write_nothing(app: TestApp) {
    let (owner, south) = (salesperson(&app, "north.sales1").await, salesperson(&app, "south.sales1").await);
    let (own, foreign) = (clue(&app, "north", Some(owner)).await.to_string(), clue(&app, "south", Some(south)).await.to_string());
    let browser = Browser::of(&app, "north.sales1").await;
    let picture = png();
    let mut large = png();
    large.resize((20 << 20) + 1, 0);
    let ten: Vec<(&str, &[u8])> = (0..10).map(|_| ("a.png", picture.as_slice())).collect();

    let page = browser.submit_files(PATH, &fields(&own, "十个附件"), &ten).await;
    page.is("crmClueDetail", 200);
    assert!(refusal(&page).contains("最多 9 个"), "{}", refusal(&page));
    assert_eq!(page.props()["formError"]["values"]["note"], "十个附件", "what was typed is kept");
    assert!(page.root().contains("十个附件") && page.root().contains("最多 9 个"));

    let page = browser.submit_files(PATH, &fields(&own, "太大"), &[("a.png", &large), ("b.png", &picture)]).await;
    assert!(refusal(&page).contains("20 MB"), "{}", refusal(&page));
    let page = browser.in_english().submit_files(PATH, &fields(&own, "large"), &[("a.png", &large)]).await;
    assert_eq!(refusal(&page), "Attach at most 9 files of 20 MB each, 60 MB in all");

    // The first file is taken, the second is not: neither stays.
    let page = browser.submit_files(PATH, &fields(&own, "类型不对"), &[("a.png", &picture), ("b.exe", b"MZ\x90\0")]).await;
    assert!(refusal(&page).starts_with("b.exe") && refusal(&page).contains("不支持的文件类型"), "{}", refusal(&page));

    // The files are good, and the follow-up is not.
    let lost = [fields(&own, "流失"), vec![("status", "lost")]].concat();
    let page = browser.submit_files(PATH, &lost, &[("a.png", &picture)]).await;
    assert_eq!((refusal(&page).as_str(), page.props()["formError"]["fields"]["lostReason"].is_string()), ("请重新选择附件", true));
    let long = "长".repeat(100_000);
    let page = browser.submit_files(PATH, &fields(&own, &long), &[("a.png", &picture)]).await;
    assert!(page.props()["formError"]["fields"]["note"].is_string(), "{}", page.props()["formError"]["fields"]);
    let page = browser.submit_files(PATH, &fields(&foreign, "外机构"), &[("a.png", &picture)]).await;
    assert_eq!(page.status, 404);
    assert_eq!(browser.with("content-type", "multipart/form-data").send(Method::POST, PATH, "x").await.status, 400);
    assert_eq!(written(&app).await, (0, 0));
}

on_both!(strangers_and_other_sites_send_no_files);
async fn strangers_and_other_sites_send_no_files(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let id = clue(&app, "north", Some(owner)).await.to_string();
    let picture = png();
    let files: [(&str, &[u8]); 1] = [("a.png", &picture)];
    let browser = Browser::of(&app, "north.sales1").await;
    for foreign in [browser.with("sec-fetch-site", "cross-site"), browser.with("origin", "https://evil.example")] {
        let sent = foreign.submit_files(PATH, &fields(&id, "x"), &files).await;
        assert_eq!((sent.status, sent.redirect()), (303, "/"));
    }
    let sent = Browser::stranger(&app).submit_files(PATH, &fields(&id, "x"), &files).await;
    assert_eq!(sent.redirect(), format!("/login?redirect=crmClueDetail&id={id}"));
    // The auditor reads clues and may not follow them up.
    let page = Browser::of(&app, "auditor").await.submit_files(PATH, &fields(&id, "x"), &files).await;
    assert_ne!(page.status, 303);
    assert_eq!(written(&app).await, (0, 0));
}

// S7.23
on_both!(a_card_of_the_board_moves_without_a_script);
async fn a_card_of_the_board_moves_without_a_script(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let id = clue(&app, "north", Some(owner)).await.to_string();
    let browser = Browser::of(&app, "north.sales1").await;
    let board = browser.get("/crm/board?level=c&keyword=").await;
    assert!(board.root().contains(r#"name="back" value="/crm/board?level=c""#), "the form leads back to the board as it is");
    let mut form = vec![("id", id.as_str()), ("version", "1"), ("back", "/crm/board?level=c"), ("status", "visited"), ("note", "")];
    let moved = browser.submit(PATH, &form).await;
    assert_eq!(moved.redirect(), format!("/crm/board?level=c&moved={id}"));
    let page = browser.get(moved.redirect()).await;
    page.is("crmBoard", 200);
    assert!(page.root().contains("CL-0 已移动到“已上门”"));
    assert!(page.root().contains(r#"name="back" value="/crm/board?level=c""#), "the message is not part of the board's address");

    // Pressed twice, it is moved once.
    assert_eq!(browser.submit(PATH, &form).await.redirect(), moved.redirect());
    assert_eq!(app.count("SELECT COUNT(*) FROM clue_follow").await, 1);

    // A second person was faster; a stage needs a reason: the page of the clue asks, with the stage chosen.
    form[4] = ("note", "too late");
    let stale = browser.submit(PATH, &form).await;
    stale.is("crmClueDetail", 200);
    assert!(!stale.props()["formError"]["desc"].as_str().unwrap().is_empty());
    form[1] = ("version", "2");
    form[3] = ("status", "lost");
    form[4] = ("note", "");
    let asked = browser.submit(PATH, &form).await;
    asked.is("crmClueDetail", 200);
    assert_eq!(asked.props()["formError"]["values"]["status"], "lost");
    assert!(asked.props()["formError"]["fields"]["lostReason"].is_string());
    assert_eq!(app.count("SELECT COUNT(*) FROM clue_follow").await, 1);
}

on_both!(a_saved_form_leads_to_the_next_clue);
async fn a_saved_form_leads_to_the_next_clue(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let (one, two) = (clue(&app, "north", Some(owner)).await.to_string(), clue(&app, "north", Some(owner)).await.to_string());
    let browser = Browser::of(&app, "north.sales1").await;
    let saved = browser.submit_files(PATH, &[fields(&one, "已联系"), vec![("then", "next")]].concat(), &[]).await;
    assert_eq!(saved.redirect(), format!("/crm/clue/{two}"));
    let last = browser.submit_files(PATH, &[fields(&two, "已联系"), vec![("then", "next")]].concat(), &[]).await;
    assert_eq!(last.redirect(), format!("/crm/clue/{two}"), "no other is due");
    assert_eq!(app.sign_in("north.sales1").await.get("/crm/clue/next").await.ok(), json!(null));
}
