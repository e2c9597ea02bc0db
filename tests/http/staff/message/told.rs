//! What people are told about their own accounts.

use serde_json::{Value, json};

use super::titles;
use testing::world::PASSWORD;
use testing::{TestApp, on_both};

on_both!(a_person_is_told_of_a_reset_password_and_of_other_roles);
async fn a_person_is_told_of_a_reset_password_and_of_other_roles(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = app.account("auditor").await;
    let role = app.role("auditor").await;
    operator.put("/admin/resetPwd", json!({"id": id, "version": 1})).await.ok();
    let roles = json!({"id": id, "version": 3, "realName": "Auditor", "roleIds": [role, app.role("channel_manager").await]});
    operator.put("/admin", roles.clone()).await.ok();
    // Only the name: nothing to be told.
    let mut named = roles;
    (named["version"], named["realName"]) = (json!(4), json!("Another name"));
    operator.put("/admin", named).await.ok();
    app.execute("UPDATE administrator SET must_change_pwd = 0").await;
    assert_eq!(titles(&app.sign_in("auditor").await, json!({"type": "message"})).await, ["角色或所属机构已变更", "密码已被重置"]);
    assert_eq!(titles(&app.sign_in("channel.manager").await, json!({})).await, [""; 0]);
}

on_both!(a_role_is_told_when_it_may_do_other_things);
async fn a_role_is_told_when_it_may_do_other_things(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let role = admin.get(&format!("/role/{}", app.role("auditor").await)).await.ok();
    let view = app.count("SELECT id FROM menu_node WHERE name = 'channel/list/view'").await;
    let kept: Vec<&Value> = role["menuIds"].as_array().unwrap().iter().filter(|id| **id != view).collect();
    app.advance(1000);
    admin.put("/role/menu", json!({"id": role["id"], "version": role["version"], "menuIds": kept})).await.ok();
    assert_eq!(titles(&app.sign_in("auditor").await, json!({})).await, ["角色权限已变更"]);
    assert_eq!(titles(&app.sign_in("operator").await, json!({})).await, [""; 0]);
}

on_both!(who_waited_for_an_export_is_told_of_its_end);
async fn who_waited_for_an_export_is_told_of_its_end(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let ask = async || operator.post("/channel/page/export", json!({"format": "csv"})).await.ok();
    ask().await;
    app.make_exports().await;
    assert_eq!(titles(&operator, json!({})).await, [""; 0], "who has the file at once is not told");
    ask().await;
    app.advance(11_000);
    app.make_exports().await;
    let list = operator.post("/message/page", json!({})).await.ok()["list"].clone();
    assert_eq!((list.as_array().unwrap().len(), &list[0]["title"]), (1, &json!("导出已完成：渠道列表")));
    assert_eq!(list[0]["link"], "/account/center?tab=exports");
    assert_eq!(titles(&app.sign_in("admin").await, json!({})).await, [""; 0]);
    // An export that comes to nothing is told as well.
    ask().await;
    app.advance(11_000);
    app.execute("DELETE FROM role_menu WHERE menu_id = (SELECT id FROM menu_node WHERE name = 'channel/list/export')").await;
    app.execute("UPDATE role SET version = version + 1").await;
    app.make_exports().await;
    assert_eq!(titles(&operator, json!({})).await[0], "导出失败：渠道列表");
}

on_both!(a_locked_account_is_told_once_and_from_where);
async fn a_locked_account_is_told_once_and_from_where(app: TestApp) {
    let stranger = app.stranger().from([203, 0, 113, 9]);
    for _ in 0..7 {
        stranger.post("/admin/login", json!({"username": "North.Sales1", "password": "wrong password"})).await;
    }
    let sales = app.sign_in("north.sales1").await;
    let list = sales.post("/message/page", json!({})).await.ok();
    assert_eq!(list["list"].as_array().unwrap().len(), 1, "{list}");
    assert_eq!(list["list"][0]["title"], "账号曾被临时锁定");
    assert!(list["list"][0]["content"].as_str().unwrap().contains("203.0.113.9"));
    // A single mistake is nobody's business.
    app.stranger().post("/admin/login", json!({"username": "north.sales2", "password": "wrong password"})).await.refused("1002");
    app.stranger().post("/admin/login", json!({"username": "north.sales2", "password": PASSWORD})).await.ok();
    assert_eq!(titles(&app.sign_in("north.sales2").await, json!({})).await, [""; 0]);
    app.stranger().post("/admin/login", json!({"username": "nobody-at-all", "password": "wrong password"})).await.refused("1002");
}

/// X12: what was refunded, and what else concerns an organisation's money and plans, was told to all its people.
mod of_an_organisation {
    use base::clock::DAY;

    use super::*;
    use testing::feedback::{grant, sold};
    use testing::returns::{ask, decide};

    /// Who of some people is told of something.
    async fn who(app: &TestApp, what: &str) -> Vec<&'static str> {
        let mut found = Vec::new();
        for name in ["north.manager", "north.lead", "north.sales1", "south.manager", "south.sales1", "channel.manager"] {
            if titles(&app.sign_in(name).await, json!({})).await.iter().any(|title| title.contains(what)) {
                found.push(name);
            }
        }
        found
    }

    on_both!(a_refund_is_told_to_who_sees_the_lead);
    async fn a_refund_is_told_to_who_sees_the_lead(app: TestApp) {
        let lead = sold(&app).await;
        app.set("lead.return_least", json!(100)).await;
        grant(&app, "org_manager", "plan/push-list/list").await;
        let row = ask(&lead.admin, lead.push_id, json!({})).await.ok();
        let operator = app.sign_in("operator").await;
        decide(&operator, &row, true, json!({})).await.ok();
        assert_eq!(who(&app, "退单通过").await, ["north.manager"]);
    }

    on_both!(a_team_is_told_of_its_own_leads);
    async fn a_team_is_told_of_its_own_leads(app: TestApp) {
        let lead = sold(&app).await;
        app.set("lead.return_least", json!(100)).await;
        for role in ["org_manager", "team_lead", "org_sales"] {
            grant(&app, role, "plan/push-list/list").await;
        }
        let operator = app.sign_in("operator").await;
        let row = ask(&lead.admin, lead.push_id, json!({})).await.ok();
        let done = decide(&operator, &row, false, json!({})).await.ok();
        assert_eq!(
            who(&app, "退单被驳回").await,
            ["north.manager", "north.lead"],
            "the team's is their lead's; those who see none are told nothing"
        );
        app.execute("UPDATE push_record SET sub_org_id = NULL").await;
        let again = ask(&lead.admin, lead.push_id, json!({"reasonCode": "duplicate"})).await.ok();
        assert_ne!(again["id"], done["id"]);
        decide(&operator, &again, true, json!({})).await.ok();
        assert_eq!(who(&app, "退单通过").await, ["north.manager"], "of another team's, or of none's, the team is not told");
    }

    on_both!(of_balances_plans_and_licences_who_sees_them);
    async fn of_balances_plans_and_licences_who_sees_them(app: TestApp) {
        let lead = sold(&app).await;
        app.execute("UPDATE organisation SET licence_expire_on = '2027-01-20', low_balance_cents = 1000000000 WHERE code = 'north'").await;
        for (point, what) in [("org/receipt/list", "余额不足"), ("org/list/list", "机构资质即将到期"), ("plan/list/list", "计划已暂停")]
        {
            grant(&app, "org_manager", point).await;
            trade::finance::warn_of_low_balances(&app.app).await.unwrap();
            trade::org::warn_of_licences(&app.app).await.unwrap();
            if what == "计划已暂停" {
                app.advance(20 * DAY);
                trade::plan::sweep(&app.app).await.unwrap();
            }
            assert_eq!(who(&app, what).await, ["north.manager"], "{what}");
            app.execute("UPDATE organisation SET low_balance_notified_at = NULL, licence_warned_for = NULL").await;
        }
        assert!(lead.push_id > 0);
    }
}
