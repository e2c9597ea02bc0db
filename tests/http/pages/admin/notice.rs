//! The page of one announcement: who sees it and until when, its texts, and who may open it.

use base::clock::DAY;
use serde_json::json;

use crate::pages::browser::Browser;
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(an_announcement_has_a_page_that_says_who_sees_it);
async fn an_announcement_has_a_page_that_says_who_sees_it(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let north = app.organisation("north").await;
    let form = json!({"title": "系统维护", "content": "今晚 22 点维护。", "scope": "organisation", "scopeId": north});
    let id = operator.post("/notice", form).await.ok()["id"].as_i64().unwrap();
    let address = format!("/admin/notice/{id}");
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("adminNoticeDetail", 200);
    let html = page.root();
    assert!(html.contains("已发布：北辰可见。"), "{html}");
    assert!(html.contains(r#"<li><a href="/admin/notice">公告管理</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(r#"aria-current="page">系统维护</"#), "the tab and the breadcrumb name the announcement");
    assert!(html.contains("今晚 22 点维护。") && html.contains(&format!(r#"href="/org/list/{north}""#)), "{html}");
    assert!(html.contains(&format!(r#"href="/admin/list/{}""#, app.account("operator").await)), "its author is a link");
    assert!(!html.contains("ll-page-acts"), "an auditor has no actions");
    let own = Browser::of(&app, "operator").await.get(&address).await;
    assert!(own.root().contains("编辑</button>") && own.root().contains("撤回</button>") && !own.root().contains("删除</button>"));
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));
    assert!(auditor.get("/admin/notice").await.root().contains(&format!(r#"href="{address}""#)), "the list links to it");

    // The trail links to it; one for a role that waits; one that was withdrawn.
    let entry = app.count("SELECT MAX(id) FROM operation_log WHERE target_type = 'message'").await;
    assert!(auditor.get(&format!("/admin/audit/{entry}")).await.root().contains(&format!(r#"href="{address}""#)));
    let role = app.role("org_sales").await;
    let later = json!({"title": "稍后", "content": "稍后", "scope": "role", "scopeId": role, "publishAt": app.now() + DAY});
    let waits = operator.post("/notice", later).await.ok()["id"].clone();
    let waiting = auditor.get(&format!("/admin/notice/{waits}")).await;
    assert!(waiting.root().contains("起机构销售可见。") && waiting.root().contains(&format!(r#"href="/admin/role-list/{role}""#)));
    operator.put("/notice/withdraw", json!({"id": id, "version": 1})).await.ok();
    let gone = auditor.in_english().get(&address).await;
    assert!(gone.root().contains("Withdrawn. Its recipients no longer see it."), "{}", gone.root());

    // An announcement outside the scope and another message have no page, and nor has a role without the point.
    testing::feedback::grant(&app, "org_manager", "admin/notice/").await;
    Browser::of(&app, "south.manager").await.get(&address).await.is("adminNoticeDetail", 404);
    auditor.get("/admin/notice/999999").await.is("adminNoticeDetail", 404);
    withdraw(&app, "auditor", "admin/notice/list").await;
    auditor.get(&address).await.is("notFound", 404);
}
