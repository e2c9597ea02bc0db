//! The page of one entry of the audit trail: who did what, from what to what, and the page of the record.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::channel::{form, make, with};
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(an_entry_of_the_trail_has_a_page_that_links_to_the_record);
async fn an_entry_of_the_trail_has_a_page_that_links_to_the_record(app: TestApp) {
    let channel = make(&app.sign_in("channel.manager").await, with(form("trail-chan"), json!({"name": "addressed"}))).await;
    let who = app.account("channel.manager").await;
    let entry = app.count("SELECT MAX(id) FROM operation_log WHERE target_type = 'channel'").await;
    let address = format!("/admin/audit/{entry}");
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("adminAuditEntry", 200);
    let html = page.root();
    assert!(html.contains(r#"<li><a href="/admin/audit">操作日志</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains("platform channel.manager于 ") && html.contains("操作：新增 · 渠道。"), "{html}");
    assert!(html.contains(&format!(r#"<a class="ll-link" href="/channel/list/{channel}">addressed</a>"#)), "{html}");
    assert!(html.contains(&format!(r#"href="/admin/list/{who}""#)), "the person is a link");
    assert!(html.contains("变更前") && html.contains("变更后") && html.contains("渠道名称"), "{html}");
    assert!(html.contains(&format!(r#"href="/admin/audit?targetType=channel&amp;targetId={channel}""#)));
    assert!(html.contains(r#"href="/admin/audit?requestId="#));
    assert!(!html.contains("ll-page-acts"));
    let english = auditor.in_english().get(&address).await;
    assert!(english.root().contains("platform channel.manager: Created · Channels."), "{}", english.root());

    // The list links to the entry, the person and the record; without the points the names are text.
    let list = auditor.get("/admin/audit").await;
    for link in [address.clone(), format!("/channel/list/{channel}"), format!("/admin/list/{who}")] {
        assert!(list.root().contains(&format!(r#"href="{link}""#)), "{link}");
    }
    // A deleted account has no page to link to.
    app.execute("UPDATE administrator SET deleted_at = 1 WHERE username = 'channel.manager'").await;
    for page in ["/admin/audit", &address] {
        let deleted = auditor.get(page).await;
        assert!(deleted.root().contains("platform channel.manager"), "{page}");
        assert!(!deleted.root().contains(&format!(r#"href="/admin/list/{who}""#)), "{page}");
    }
    app.execute("UPDATE administrator SET deleted_at = NULL WHERE username = 'channel.manager'").await;
    withdraw(&app, "auditor", "channel/list/view").await;
    withdraw(&app, "auditor", "admin/list/view").await;
    for page in ["/admin/audit", &address] {
        let less = auditor.get(page).await;
        assert!(less.root().contains("addressed") && !less.root().contains(&format!(r#"href="/channel/list/{channel}""#)), "{page}");
        assert!(!less.root().contains(&format!(r#"href="/admin/list/{who}""#)), "{page}");
    }

    // A change of the program has no person; an organisation sees what its own people did.
    app.execute(
        "INSERT INTO operation_log (module, action, target_type, diff, request_id, ip, at, seal) \
         VALUES ('setting', 'update', 'general_setting', '[]', '', '', 0, '')",
    )
    .await;
    let own = app.count("SELECT MAX(id) FROM operation_log").await;
    let program = auditor.get(&format!("/admin/audit/{own}")).await;
    assert!(program.root().contains("系统于 ") && program.root().contains("没有记录变更内容"), "{}", program.root());
    Browser::of(&app, "north.manager").await.get(&address).await.is("adminAuditEntry", 404);
    auditor.get("/admin/audit/999999").await.is("adminAuditEntry", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "admin/audit/list").await;
    auditor.get(&address).await.is("notFound", 404);
}

on_both!(an_entry_is_read_within_the_scope);
async fn an_entry_is_read_within_the_scope(app: TestApp) {
    let seller = app.account("north.sales2").await;
    let north = app.sign_in("north.manager").await;
    north.put("/admin/status", json!({"id": seller, "version": 1, "status": "disabled"})).await.ok();
    let entry = app.count("SELECT MAX(id) FROM operation_log WHERE target_type = 'administrator'").await;
    let path = format!("/audit/{entry}");
    let row = north.get(&path).await.ok();
    assert_eq!((&row["targetType"], &row["targetId"]), (&json!("administrator"), &json!(seller)));
    assert_eq!((&row["targetName"], &row["action"]), (&json!("north north.sales2"), &json!("update")));
    assert_eq!(row["adminId"], app.account("north.manager").await);
    assert_eq!(row["diff"], json!([{"field": "status", "before": "enabled", "after": "disabled"}]));
    app.sign_in("admin").await.get(&path).await.ok();
    app.sign_in("south.manager").await.get(&path).await.refused("1004");
    app.sign_in("nobody").await.get(&path).await.refused("1003");
}
