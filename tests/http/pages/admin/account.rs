//! The page of one account: whether its person can log in, its roles, its logins, and who sees which part.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::private::withdraw;
use testing::world::PASSWORD;
use testing::{TestApp, on_both};

/// Logs in as the account, which the log has.
async fn log_in(app: &TestApp) {
    app.stranger().post("/admin/login", json!({"username": "north.sales1", "password": PASSWORD})).await.ok();
}

on_both!(an_account_has_a_page_that_says_whether_it_can_log_in);
async fn an_account_has_a_page_that_says_whether_it_can_log_in(app: TestApp) {
    let (id, org) = (app.account("north.sales1").await, app.organisation("north").await);
    let address = format!("/admin/list/{id}");
    let (admin, auditor) = (Browser::of(&app, "admin").await, Browser::of(&app, "auditor").await);
    let page = auditor.get(&address).await;
    page.is("adminDetail", 200);
    let html = page.root();
    assert!(html.contains("启用：可以登录。 还没有登录过。"), "{html}");
    assert!(html.contains(r#"<li><a href="/admin/list">管理员列表</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(r#"aria-current="page">north north.sales1</"#), "the tab and the breadcrumb name the account");
    assert!(html.contains(&format!(r#"href="/org/list/{org}""#)), "the organisation is a link");
    assert!(html.contains("机构销售") && html.contains("138****0001") && !page.text().contains("13800000001"), "the phone is masked");
    assert!(!html.contains("ll-page-acts"), "an auditor has no actions");
    assert!(admin.get(&address).await.root().contains("重置密码</button>"));

    // What it may do, its logins and its history.
    let rights = auditor.get(&format!("{address}?tab=rights")).await;
    assert!(rights.root().contains("机构销售") && rights.root().contains("领取"), "{}", rights.root());
    assert!(auditor.get(&format!("{address}?tab=logins")).await.root().contains("还没有登录过。"));
    log_in(&app).await;
    assert!(auditor.get(&address).await.root().contains("启用：可以登录。</p>"));
    let logins = auditor.get(&format!("{address}?tab=logins")).await;
    assert!(logins.root().contains("成功") && logins.root().contains(r#"href="/admin/login-log?keyword=north.sales1""#));
    let mut version = 1;
    for (status, sentence) in [("disabled", "停用：不能登录。"), ("enabled", "启用：可以登录。")] {
        let changed = app.sign_in("admin").await.put("/admin/status", json!({"id": id, "version": version, "status": status})).await.ok();
        version = changed["version"].as_i64().unwrap();
        assert!(auditor.get(&address).await.root().contains(sentence), "{status}");
    }
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));
    app.execute("UPDATE administrator SET must_change_pwd = 1 WHERE username = 'north.sales1'").await;
    assert!(auditor.get(&address).await.root().contains("登录后须先修改密码"));
    let english = auditor.in_english().get(&address).await;
    assert!(english.root().contains("must then change its password"), "{}", english.root());

    // A manager sees own people, without tabs of points that the role lacks; other accounts have no page.
    let manager = Browser::of(&app, "north.manager").await;
    let own = manager.get(&address).await;
    own.is("adminDetail", 200);
    assert!(own.root().contains("tab=logins") && !own.root().contains("tab=rights"));
    assert!(manager.get("/admin/list").await.root().contains(&format!(r#"href="{address}""#)));
    Browser::of(&app, "south.manager").await.get(&address).await.is("adminDetail", 404);
    auditor.get("/admin/list/999999").await.is("adminDetail", 404);
    Browser::of(&app, "nobody").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "admin/list/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/admin/list").await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the list");
}

on_both!(rights_and_logins_of_an_account_need_the_points_of_their_lists);
async fn rights_and_logins_of_an_account_need_the_points_of_their_lists(app: TestApp) {
    let id = app.account("north.sales1").await;
    let (rights, logins) = (format!("/role/ofAccount/{id}"), format!("/admin/logins/{id}"));
    let auditor = app.sign_in("auditor").await;
    let held = auditor.in_english().get(&rights).await.ok();
    assert_eq!((held.as_array().unwrap().len(), &held[0]["label"], &held[0]["dataScope"]), (1, &json!("Salesperson"), &json!("self")));
    assert!(held[0]["menu"].to_string().contains("admin/list/list") && !held[0]["menu"].to_string().contains("admin/list/reveal"));
    assert_eq!(auditor.get(&logins).await.ok(), json!([]));
    log_in(&app).await;
    let seen = auditor.get(&logins).await.ok();
    assert_eq!((seen.as_array().unwrap().len(), &seen[0]["username"], &seen[0]["result"]), (1, &json!("north.sales1"), &json!("ok")));
    app.sign_in("north.manager").await.get(&logins).await.ok();
    app.sign_in("north.manager").await.get(&rights).await.refused("1003");
    app.sign_in("south.manager").await.get(&logins).await.refused("1004");
    app.sign_in("operator").await.get("/role/ofAccount/4711").await.refused("1004");
    withdraw(&app, "auditor", "admin/login-log/list").await;
    app.sign_in("auditor").await.get(&logins).await.refused("1003");
}
