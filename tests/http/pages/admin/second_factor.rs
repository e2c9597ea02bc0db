//! Pages and forms of a sign-in with a second factor.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::admin::second_factor::{MINE, enrol, login};
use testing::world::PASSWORD;
use testing::{TestApp, on_both};

on_both!(whose_role_asks_for_one_does_nothing_else_before);
async fn whose_role_asks_for_one_does_nothing_else_before(app: TestApp) {
    let before = app.sign_in("operator").await;
    app.set("security.second_factor_roles", json!(["operator", "org_manager"])).await;
    let data = login(&app.stranger(), "operator").await.ok();
    assert_eq!(data["user"]["mustEnrol"], true);
    let operator = app.with_token(data["token"].as_str().unwrap());
    for who in [&operator, &before] {
        let refused = who.in_english().post("/channel/page", json!({})).await;
        refused.refused("1006");
        assert_eq!(refused.desc(), "Set up two-step verification first");
        who.post("/admin/page", json!({})).await.refused("1006");
    }
    operator.get("/admin/me").await.ok();
    let page = Browser::stranger(&app).cookie("token", operator.token()).get("/channel/list").await;
    assert_eq!(page.redirect(), "/account/setting");
    // An organisation's staff is not of the platform, whatever its role is called.
    assert_eq!(login(&app.stranger(), "north.manager").await.ok()["user"]["mustEnrol"], false);

    let authenticator = enrol(&app, &operator).await;
    assert_eq!(operator.get("/admin/me").await.ok()["mustEnrol"], false);
    operator.post("/channel/page", json!({})).await.ok();
    before.get("/admin/me").await.refused("2000");
    // A person who turns it off has to set up another.
    let form = json!({"password": PASSWORD, "code": authenticator.code(&app, 0)});
    operator.post(&format!("{MINE}/remove"), form).await.ok();
    operator.post("/channel/page", json!({})).await.refused("1006");
    enrol(&app, &operator).await;
    operator.post("/channel/page", json!({})).await.ok();
}

on_both!(the_form_asks_for_the_code_without_scripts);
async fn the_form_asks_for_the_code_without_scripts(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let authenticator = enrol(&app, &operator).await;
    let browser = Browser::stranger(&app);
    let first = [("username", "operator"), ("password", PASSWORD), ("redirect", "channelList"), ("query", "current=2")];
    let asked = browser.submit("/login", &first).await;
    asked.is("login", 200);
    assert!(asked.set_cookie("token").is_none() && !asked.text().contains(PASSWORD));
    let ticket = asked.props()["loginError"]["ticket"].as_str().expect("a ticket").to_owned();
    let html = asked.root();
    assert!(html.contains(&format!(r#"name="ticket" value="{ticket}""#)) && html.contains(r#"name="code""#), "{html}");
    assert!(html.contains(r#"name="redirect" value="channelList""#) && !html.contains(r#"name="password""#));

    let wrong = authenticator.wrong(&app);
    let again = browser.submit("/login", &[("ticket", &ticket), ("code", &wrong), ("redirect", "channelList")]).await;
    assert_eq!(again.props()["loginError"]["kind"], "wrongCode");
    assert!(again.root().contains("验证码不正确"));
    let code = authenticator.code(&app, 0);
    let foreign = browser.with("sec-fetch-site", "cross-site").submit("/login", &[("ticket", &ticket), ("code", &code)]).await;
    assert_eq!(foreign.redirect(), "/login");
    let done = browser.submit("/login", &[("ticket", &ticket), ("code", &code), ("redirect", "channelList"), ("query", "current=2")]).await;
    assert_eq!((done.status, done.redirect()), (303, "/channel/list?current=2"));
    assert!(done.set_cookie("token").is_some());
    let lapsed = browser.submit("/login", &[("ticket", &ticket), ("code", &code)]).await;
    assert_eq!(lapsed.props()["loginError"]["kind"], "lapsed");
    assert!(lapsed.root().contains(r#"name="password""#), "back to the password");
}
