//! Who sees which part of an applicant's story.

use serde_json::{Value, json};

use testing::feedback::{Sold, grant, sold};
use testing::private::withdraw;
use testing::returns::ask;
use testing::{Actor, TestApp, on_both};

/// The parts of a story that are not everybody's who sees applicants.
const PARTS: [&str; 5] = ["matches", "pushes", "money", "feedback", "returns"];

/// A lead that was sold, has feedback, and is asked to be taken back. Its channel belongs to `channel.manager`, who may see
/// applicants and nothing else.
async fn told_of(app: &TestApp) -> Sold {
    let sold = sold(app).await;
    app.set("lead.return_least", json!(100)).await;
    ask(&sold.admin, sold.push_id, json!({})).await.ok();
    sold.admin.post("/user/feedback", json!({"pushId": sold.push_id, "star": 2, "content": "接通"})).await.ok();
    app.execute("UPDATE channel SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager')").await;
    for point in ["user/list/list", "user/list/view"] {
        grant(app, "channel_manager", point).await;
    }
    sold
}

/// How much of each part a viewer gets; none of a part that they may not see.
async fn given(who: &Actor, sold: &Sold) -> Vec<Option<usize>> {
    let story = who.get(&format!("/user/{}", sold.user_id)).await.ok();
    assert!(!story.to_string().contains("balanceAfterCents"), "{story}");
    PARTS.iter().map(|part| story[part].as_array().map(Vec::len)).collect()
}

/// S-H3: an applicant's page showed organisations' prices, balances and addresses to who sees applicants.
mod each_part_is_for_who_holds_its_point_and_reaches_it {
    use super::*;

    on_both!(a_channels_manager);
    async fn a_channels_manager(app: TestApp) {
        let sold = told_of(&app).await;
        let manager = app.sign_in("channel.manager").await;
        let found = manager.post("/user/page", json!({"status": "distributed"})).await.ok();
        assert_eq!(found["list"][0]["id"], sold.user_id);
        manager.post("/plan/push/page", json!({})).await.refused("1003");
        manager.post("/user/push/page", json!({})).await.refused("1003");
        assert_eq!(given(&manager, &sold).await, [None; 5]);
        let story = manager.get(&format!("/user/{}", sold.user_id)).await.ok().to_string();
        for trace in ["tries", "priceCents", "北辰"] {
            assert!(!story.contains(trace), "{trace}: {story}");
        }

        // The manager sees feedback and questions as far as their channels reach; pushes and money as far as their organisations do.
        for (point, shown) in [
            ("user/feedback-list/view", [None, None, None, Some(1), None]),
            ("user/match-list/list", [Some(1), None, None, Some(1), None]),
            ("plan/push-list/view", [Some(1), Some(0), None, Some(1), Some(0)]),
            ("org/receipt/list", [Some(1), Some(0), Some(0), Some(1), Some(0)]),
        ] {
            grant(&app, "channel_manager", point).await;
            assert_eq!(given(&manager, &sold).await, shown, "{point}");
        }
        app.execute("UPDATE organisation SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager') WHERE code = 'north'").await;
        assert_eq!(given(&manager, &sold).await, [Some(1); 5]);
        let second = app.sign_in("channel.second").await;
        second.get(&format!("/user/{}", sold.user_id)).await.refused("1004");
    }

    on_both!(an_auditor);
    async fn an_auditor(app: TestApp) {
        let sold = told_of(&app).await;
        let auditor = app.sign_in("auditor").await;
        assert_eq!(given(&auditor, &sold).await, [Some(1); 5]);
        let story = auditor.get(&format!("/user/{}", sold.user_id)).await.ok();
        assert_eq!((&story["money"][0]["amountCents"], &story["pushes"][0]["priceCents"]), (&json!(-4500), &json!(4500)));
        for (point, part) in [("org/receipt/list", "money"), ("plan/push-list/view", "pushes"), ("user/match-list/list", "matches")] {
            withdraw(&app, "auditor", point).await;
            let story = auditor.get(&format!("/user/{}", sold.user_id)).await.ok();
            assert_eq!(story[part], Value::Null, "{point}");
        }
    }

    on_both!(people_of_organisations);
    async fn people_of_organisations(app: TestApp) {
        let sold = told_of(&app).await;
        for role in ["org_manager", "team_lead", "org_sales"] {
            for points in ["user/", "plan/push-list/", "org/receipt/"] {
                grant(&app, role, points).await;
            }
        }
        for (who, pushes) in [("north.manager", 1), ("north.lead", 1), ("north.sales1", 0), ("south.manager", 0)] {
            let actor = app.sign_in(who).await;
            actor.get(&format!("/user/{}", sold.user_id)).await.refused("1004");
            actor.get(&format!("/user/history/{}", sold.user_id)).await.refused("1004");
            assert_eq!(actor.post("/user/push/page", json!({})).await.ok()["total"], pushes, "{who}");
        }
    }
}

/// S-H3: what a risk provider was asked, and what that cost, is for who may ask one.
mod the_trail_tells_of_risk_to_who_may_ask {
    use super::*;

    on_both!(for_it);
    async fn for_it(app: TestApp) {
        let sold = told_of(&app).await;
        sold.admin.get(&format!("/user/riskSimple/{}", sold.user_id)).await.ok();
        let asked = async |who: &Actor| {
            let trail = who.get(&format!("/user/history/{}", sold.user_id)).await.ok();
            trail.to_string().contains("riskProvider")
        };
        assert!(asked(&sold.admin).await);
        assert!(!asked(&app.sign_in("channel.manager").await).await);
    }
}
