//! `POST /admin`.

use frame::access::audit::Action;
use serde_json::{Value, json};

use testing::world::PHONE;
use testing::{TestApp, on_both};

/// A form with some fields replaced.
fn form(role: i64, fields: Value) -> Value {
    let mut form = json!({"username": "new.person", "realName": "New Person", "roleIds": [role]});
    form.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    form
}

on_both!(a_new_account_signs_in_with_the_password_shown_once);
async fn a_new_account_signs_in_with_the_password_shown_once(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (org, team, sales) = (app.organisation("north").await, app.team("First team").await, app.role("org_sales").await);
    let body = json!({
        "username": " Ｎew.Person ", "realName": " 新人 ", "phone": "13811112222", "email": "new@example.com", "orgId": org, "subOrgId": team,
        "roleIds": [sales, sales]
    });
    let made = operator.post("/admin", body).await.ok();
    let (id, password) = (made["id"].as_i64().unwrap(), made["password"].as_str().unwrap());

    let row = operator.get(&format!("/admin/{id}")).await.ok();
    assert_eq!((&row["username"], &row["realName"], &row["phoneMask"]), (&json!("new.person"), &json!("新人"), &json!("138****2222")));
    assert_eq!((&row["email"], &row["orgId"], &row["subOrgId"]), (&json!("new@example.com"), &json!(org), &json!(team)));
    assert_eq!((&row["status"], &row["mustChangePwd"], &row["builtin"]), (&json!("enabled"), &json!(true), &json!(false)));
    assert_eq!(row["roles"], json!([{"id": sales, "name": "机构销售"}]));

    let login = app.stranger().post("/admin/login", json!({"username": "new.person", "password": password})).await.ok();
    assert_eq!(login["user"]["mustChangePwd"], true);

    let trail = app.trail("administrator", id).await;
    assert_eq!((trail.len(), trail[0].action, trail[0].admin_name.as_str()), (1, Action::Create, "platform operator"));
    let told = serde_json::to_string(&trail).unwrap();
    for secret in [password, "13811112222", "argon2"] {
        assert!(!told.contains(secret), "the trail tells {secret}");
    }
    assert!(told.contains("138****2222") && told.contains("机构销售") && told.contains("北辰"), "{told}");
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator WHERE phone_enc LIKE '%13811112222%'").await, 0);
}

on_both!(an_organisations_manager_makes_accounts_of_their_organisation);
async fn an_organisations_manager_makes_accounts_of_their_organisation(app: TestApp) {
    let (manager, sales) = (app.sign_in("north.manager").await, app.role("org_sales").await);
    let made = manager.post("/admin", form(sales, json!({"orgId": null}))).await.ok();
    let row = manager.get(&format!("/admin/{}", made["id"])).await.ok();
    assert_eq!((&row["orgName"], &row["subOrgId"]), (&json!("北辰"), &Value::Null));

    // Another organisation, and one that there is not, are refused alike.
    let foreign = manager.post("/admin", form(sales, json!({"username": "second", "orgId": app.organisation("south").await}))).await;
    let unknown = manager.post("/admin", form(sales, json!({"username": "second", "orgId": 4711}))).await;
    assert_eq!(foreign.wrong("orgId"), "请选择您管理的机构");
    assert_eq!(foreign.body, unknown.body);
    let team = app.team("Harbour team").await;
    manager.post("/admin", form(sales, json!({"username": "second", "subOrgId": team}))).await.wrong("orgId");
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator WHERE username = 'second'").await, 0);
}

on_both!(staff_cannot_grant_what_they_do_not_hold);
async fn staff_cannot_grant_what_they_do_not_hold(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let refusal = operator.post("/admin", form(app.role("admin").await, json!({}))).await;
    assert_eq!(refusal.wrong("roleIds"), "不能授予该角色");
    assert_eq!(operator.post("/admin", form(4711, json!({}))).await.body, refusal.body);
    operator.post("/admin", form(app.role("org_manager").await, json!({"orgId": app.organisation("north").await}))).await.wrong("roleIds");

    let manager = app.sign_in("north.manager").await;
    for role in ["admin", "operator", "auditor", "channel_manager"] {
        manager.post("/admin", form(app.role(role).await, json!({}))).await.wrong("roleIds");
    }
    let both = json!({"roleIds": [app.role("org_sales").await, app.role("operator").await]});
    manager.post("/admin", form(0, both)).await.wrong("roleIds");
    app.execute("UPDATE role SET status = 'disabled' WHERE code = 'org_sales'").await;
    manager.post("/admin", form(app.role("org_sales").await, json!({}))).await.wrong("roleIds");
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 12);
}

on_both!(a_role_fits_the_organisation_of_its_account);
async fn a_role_fits_the_organisation_of_its_account(app: TestApp) {
    let (admin, north) = (app.sign_in("admin").await, app.organisation("north").await);
    for role in ["operator", "auditor", "channel_manager"] {
        let refusal = admin.post("/admin", form(app.role(role).await, json!({"orgId": north}))).await;
        assert_eq!(refusal.wrong("roleIds"), "角色的数据范围与账号所属机构不符", "{role} sees past an organisation");
    }
    admin.post("/admin", form(app.role("org_manager").await, json!({}))).await.wrong("roleIds");
    admin.post("/admin", form(app.role("team_lead").await, json!({"orgId": north}))).await.wrong("roleIds");
    admin.post("/admin", form(app.role("org_sales").await, json!({"subOrgId": app.team("First team").await}))).await.wrong("subOrgId");
    admin.post("/admin", form(app.role("org_manager").await, json!({"orgId": north}))).await.ok();
}

on_both!(wrong_fields_are_all_named);
async fn wrong_fields_are_all_named(app: TestApp) {
    let (operator, role) = (app.sign_in("operator").await.in_english(), app.role("auditor").await);
    for username in ["", "ab", &"a".repeat(33), "two words", "张三", "a/../b", "<script>"] {
        operator.post("/admin", form(role, json!({"username": username}))).await.wrong("username");
    }
    for phone in ["1380000000", "138000000012", "23800000001", "1380000000a", "<script>"] {
        assert_eq!(operator.post("/admin", form(role, json!({"phone": phone}))).await.wrong("phone"), "Enter an 11-digit mobile number");
    }
    for email in ["x", "@example.com", "a@b", "a@b..c", "a b@example.com", "a@b.c,d@e.f", &format!("{}@example.com", "a".repeat(128))] {
        operator.post("/admin", form(role, json!({"email": email}))).await.wrong("email");
    }
    assert_eq!(operator.post("/admin", form(role, json!({"realName": " "}))).await.wrong("realName"), "Required");
    assert_eq!(
        operator.post("/admin", form(role, json!({"realName": "好".repeat(33)}))).await.wrong("realName"),
        "At most 32 characters; there are 33"
    );
    assert_eq!(operator.post("/admin", form(role, json!({"roleIds": []}))).await.wrong("roleIds"), "Choose a role");

    let all = operator.post("/admin", json!({"username": "", "realName": "", "phone": "1", "email": "1", "roleIds": []})).await;
    let mut names: Vec<String> = all.refused("1001").as_object().unwrap().keys().cloned().collect();
    names.sort();
    assert_eq!(names, ["email", "phone", "realName", "roleIds", "username"]);
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 12);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 0);
}

on_both!(user_names_and_phones_are_nobody_elses);
async fn user_names_and_phones_are_nobody_elses(app: TestApp) {
    let (operator, role) = (app.sign_in("operator").await, app.role("auditor").await);
    let taken = operator.post("/admin", form(role, json!({"username": "North.Sales1"}))).await;
    taken.refused("1005");
    assert_eq!(taken.desc(), "用户名已存在");
    let taken = operator.post("/admin", form(role, json!({"phone": PHONE}))).await;
    taken.refused("1005");
    assert_eq!(taken.desc(), "手机号已被其他管理员使用");
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 12, "nothing is half made");

    // The trail names the deleted account, so its name stays its own; its phone is free.
    operator.delete(&format!("/admin/{}", app.account("north.sales1").await)).await.ok();
    operator.post("/admin", form(role, json!({"username": "north.sales1"}))).await.refused("1005");
    operator.post("/admin", form(role, json!({"phone": PHONE}))).await.ok();
}

on_both!(of_two_at_once_one_gets_the_name);
async fn of_two_at_once_one_gets_the_name(app: TestApp) {
    let (operator, role) = (app.sign_in("operator").await, app.role("auditor").await);
    let (one, other) = tokio::join!(operator.post("/admin", form(role, json!({}))), operator.post("/admin", form(role, json!({}))));
    let mut codes = [one.code(), other.code()];
    codes.sort();
    assert_eq!(codes, ["0000", "1005"]);
}
