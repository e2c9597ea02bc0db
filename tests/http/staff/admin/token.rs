//! The header `token`: what it opens, and what ends it.

use base::clock::{HOUR, MINUTE};
use base::crypto::Keys;
use frame::access::session;
use serde_json::json;

use testing::world::PASSWORD;
use testing::{Actor, TestApp, keys, on_both};

/// The login is over: S8.04's code and text.
async fn is_out(who: &Actor) {
    let answer = who.get("/admin/me").await;
    answer.refused("2000");
    assert_eq!(answer.desc(), "登录过期，重新登录");
}

// S7.01 S4.01
on_both!(only_the_header_opens_calls);
async fn only_the_header_opens_calls(app: TestApp) {
    let north = app.sign_in("north.manager").await;
    north.get("/admin/me").await.ok();
    is_out(&app.stranger()).await;
    is_out(&app.stranger().with("cookie", &format!("token={}", north.token()))).await;
    is_out(&app.stranger().with("authorization", &format!("Bearer {}", north.token()))).await;
    is_out(&app.with_token("")).await;
    assert_eq!(app.stranger().in_english().get("/admin/me").await.desc(), "Login expired, log in again");
}

on_both!(forged_and_foreign_tokens_are_nobodys);
async fn forged_and_foreign_tokens_are_nobodys(app: TestApp) {
    let north = app.sign_in("north.manager").await;
    let (id, operator) = (app.account("north.manager").await, app.account("operator").await);
    let [head, claims, signature] = north.token().split('.').collect::<Vec<_>>().try_into().unwrap();
    let flipped = if signature.starts_with('A') { "B" } else { "A" };
    let foreign = Keys::new(b"the secret of some other house", &[7; 32]);
    for token in [
        format!("{head}.{claims}.{flipped}{}", &signature[1..]),
        format!("{head}.{claims}."),
        // {"alg":"none"}
        format!("eyJhbGciOiJub25lIn0.{claims}."),
        session::issue(&foreign, id, 1, app.now()),
        // Our signature under somebody else's session, and under none at all.
        session::issue(&keys(), operator, 1, app.now()),
        session::issue(&keys(), id, 4711, app.now()),
        "null".to_owned(),
        "x".repeat(4000),
    ] {
        is_out(&app.with_token(&token)).await;
    }
    north.get("/admin/me").await.ok();
}

on_both!(a_token_ends_after_twelve_hours_without_use);
async fn a_token_ends_after_twelve_hours_without_use(app: TestApp) {
    app.set("session.idle_minutes", json!(720)).await;
    let north = app.sign_in("north.manager").await;
    app.advance(12 * HOUR - MINUTE);
    north.get("/admin/me").await.ok();
    app.advance(MINUTE);
    is_out(&north).await;
}

on_both!(a_token_in_use_is_renewed);
async fn a_token_in_use_is_renewed(app: TestApp) {
    app.set("session.idle_minutes", json!(720)).await;
    let mut north = app.sign_in("north.manager").await;
    app.advance(HOUR - MINUTE);
    assert_eq!(north.get("/admin/me").await.header("token"), None, "young enough");
    for _ in 0..3 {
        app.advance(11 * HOUR);
        let answer = north.get("/admin/me").await;
        let renewed = answer.header("token").expect("a token older than an hour is renewed").to_owned();
        assert_eq!(answer.header("set-cookie").map(|cookie| cookie.starts_with(&format!("token={renewed};"))), Some(true));
        north = app.with_token(&renewed);
    }
    north.get("/admin/me").await.ok();
    app.advance(12 * HOUR);
    is_out(&north).await;
}

// S4.03
on_both!(logging_out_ends_this_session_alone);
async fn logging_out_ends_this_session_alone(app: TestApp) {
    let (one, other) = (app.sign_in("north.manager").await, app.sign_in("north.manager").await);
    let answer = one.post("/admin/logout", json!({})).await;
    answer.ok();
    assert_eq!(answer.header("set-cookie"), Some("token=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0"));
    is_out(&one).await;
    other.get("/admin/me").await.ok();
    one.post("/admin/logout", json!({})).await.refused("2000");
}

on_both!(a_new_password_ends_the_other_sessions);
async fn a_new_password_ends_the_other_sessions(app: TestApp) {
    let (here, there) = (app.sign_in("north.manager").await, app.sign_in("north.manager").await);
    here.put("/admin/password", json!({"old": PASSWORD, "new": "Green-Kettle-8"})).await.ok();
    here.get("/admin/me").await.ok();
    is_out(&there).await;
}

on_both!(disabling_or_deleting_an_account_ends_its_sessions);
async fn disabling_or_deleting_an_account_ends_its_sessions(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (sales, south) = (app.sign_in("north.sales1").await, app.sign_in("south.sales1").await);
    let id = app.account("north.sales1").await;
    operator.put("/admin/status", json!({"id": id, "version": 1, "status": "disabled"})).await.ok();
    is_out(&sales).await;
    operator.put("/admin/status", json!({"id": id, "version": 2, "status": "enabled"})).await.ok();
    is_out(&sales).await;
    operator.delete(&format!("/admin/{}", app.account("south.sales1").await)).await.ok();
    is_out(&south).await;
}

on_both!(a_change_of_roles_or_organisation_ends_the_sessions);
async fn a_change_of_roles_or_organisation_ends_the_sessions(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = app.account("north.sales1").await;
    let (north, south) = (app.organisation("north").await, app.organisation("south").await);
    let (team, sales, lead) = (app.team("First team").await, app.role("org_sales").await, app.role("team_lead").await);
    let put = async |version: i64, name: &str, org: i64, team: Option<i64>, roles: &[i64]| {
        let body = json!({"id": id, "version": version, "realName": name, "orgId": org, "subOrgId": team, "roleIds": roles});
        operator.put("/admin", body).await.ok();
    };
    let session = app.sign_in("north.sales1").await;
    put(1, "Another name", north, Some(team), &[sales]).await;
    assert_eq!(session.get("/admin/me").await.ok()["name"], "Another name", "a name ends nothing");
    put(2, "Another name", north, Some(team), &[sales, lead]).await;
    is_out(&session).await;

    let session = app.sign_in("north.sales1").await;
    put(3, "Another name", south, None, &[sales]).await;
    is_out(&session).await;
    assert_eq!(app.sign_in("north.sales1").await.get("/admin/me").await.ok()["orgName"], "南十字");
}

on_both!(a_role_that_is_switched_off_or_taken_away_opens_nothing);
async fn a_role_that_is_switched_off_or_taken_away_opens_nothing(app: TestApp) {
    let (north, auditor) = (app.sign_in("north.manager").await, app.sign_in("auditor").await);
    north.post("/admin/page", json!({})).await.ok();
    app.execute("DELETE FROM role_menu WHERE role_id = (SELECT id FROM role WHERE code = 'org_manager')").await;
    app.execute("UPDATE role SET version = version + 1 WHERE code = 'org_manager'").await;
    north.post("/admin/page", json!({})).await.refused("1003");
    app.execute("UPDATE role SET status = 'disabled' WHERE code = 'auditor'").await;
    is_out(&auditor).await;
}
