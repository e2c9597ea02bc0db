//! The first steps of an installation on the workplace: their states follow the data, until the first lead is sold.

use serde_json::{Value, json};

use testing::lead::{application, bring, channel};
use testing::{Actor, TestApp, on_both, plan};

/// The titles and states of the steps that an account sees.
async fn steps(who: &Actor) -> Vec<(String, String)> {
    let today = who.get("/workplace").await.ok();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    today["firstSteps"].as_array().unwrap().iter().map(|step| (text(&step["title"]), text(&step["state"]))).collect()
}

async fn state(who: &Actor, title: &str) -> String {
    let steps = steps(who).await;
    steps.iter().find(|(shown, _)| shown == title).unwrap_or_else(|| panic!("no step {title} in {steps:?}")).1.clone()
}

on_both!(the_steps_follow_the_data_until_a_lead_is_sold);
async fn the_steps_follow_the_data_until_a_lead_is_sold(app: TestApp) {
    plan::begin(&app);
    let admin = app.sign_in("admin").await.in_english();
    assert_eq!(state(&admin, "A second approver").await, "done", "the operator may approve too");
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'operator'").await;
    assert_eq!(state(&admin, "A second approver").await, "begun", "there are other accounts, but none may approve plans");
    app.execute("UPDATE administrator SET status = 'enabled' WHERE username = 'operator'").await;

    assert_eq!(state(&admin, "A payee").await, "open");
    assert_eq!(state(&admin, "An organisation").await, "done");
    app.execute("UPDATE organisation SET mode = 'test'").await;
    assert_eq!(state(&admin, "An organisation").await, "begun");
    app.execute("UPDATE organisation SET mode = 'live'").await;
    assert_eq!(state(&admin, "A plan").await, "open");
    assert_eq!(state(&admin, "Funds of the organisation").await, "open");
    assert_eq!(state(&admin, "An agreement").await, "done");
    assert_eq!(state(&admin, "A channel").await, "open");
    assert_eq!(state(&admin, "The first applicant").await, "open");

    let web = channel(&app, json!({})).await;
    assert_eq!(state(&admin, "A channel").await, "done");
    bring(&app, &web, "first-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(state(&admin, "The first applicant").await, "begun");
    testing::lead::plan(&app, &admin, json!({"name": "anyone"})).await;
    assert_eq!(state(&admin, "A plan").await, "done");
    bring(&app, &web, "first-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(steps(&admin).await, [], "a lead was sold");
}

on_both!(steps_are_for_staff_who_may_take_them);
async fn steps_are_for_staff_who_may_take_them(app: TestApp) {
    for who in ["nobody", "channel.manager", "north.manager", "auditor"] {
        assert_eq!(steps(&app.sign_in(who).await).await, [], "{who}");
    }
    let operator = app.sign_in("operator").await;
    testing::private::withdraw(&app, "operator", "channel/list/create").await;
    let today = operator.get("/workplace").await.ok();
    let step = |title: &str| today["firstSteps"].as_array().unwrap().iter().find(|step| step["title"] == title).unwrap().clone();
    assert_eq!(step("渠道")["href"], Value::Null, "another person does it");
    assert_eq!(step("收款主体")["href"], "/org/payee");

    // They can be switched off.
    let admin = app.sign_in("admin").await;
    admin.put("/setting", json!({"changes": [{"key": "message.first_steps", "value": false, "version": 0}]})).await.ok();
    assert_eq!(steps(&admin).await, []);
}
