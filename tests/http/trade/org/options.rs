//! `/org/options` and `/org/subOptions`.

use serde_json::{Value, json};

use testing::{TestApp, on_both};

fn labels(options: &Value) -> Vec<&str> {
    options.as_array().unwrap().iter().map(|option| option["label"].as_str().unwrap()).collect()
}

on_both!(the_platform_chooses_among_all);
async fn the_platform_chooses_among_all(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (north, south) = (app.organisation("north").await, app.organisation("south").await);
    let mut all: Vec<i64> =
        operator.get("/org/options").await.ok().as_array().unwrap().iter().map(|option| option["value"].as_i64().unwrap()).collect();
    all.sort();
    assert_eq!(all, [north, south]);
    assert_eq!(labels(&operator.get("/org/options?keyword=%E5%8D%97").await.ok()), ["南十字"]);
    assert_eq!(labels(&operator.get("/org/options?keyword=north").await.ok()), ["北辰"], "by its code");
    assert_eq!(labels(&operator.get(&format!("/org/subOptions?orgId={south}")).await.ok()), ["Harbour team"]);
    assert_eq!(labels(&operator.get(&format!("/org/subOptions?orgId={north}&keyword=fi")).await.ok()), ["First team"]);
    assert_eq!(operator.get("/org/subOptions?orgId=999999").await.ok(), json!([]));
    for bad in ["", "?orgId=", "?orgId=x", "?orgId=1%20OR%201=1"] {
        operator.get(&format!("/org/subOptions{bad}")).await.refused("4000");
    }
}

on_both!(an_organisations_staff_choose_their_own);
async fn an_organisations_staff_choose_their_own(app: TestApp) {
    let (north, south) = (app.organisation("north").await, app.organisation("south").await);
    let (manager, lead) = (app.sign_in("north.manager").await, app.sign_in("north.lead").await);
    app.execute("INSERT INTO sub_organisation (org_id, name, created_at, updated_at) SELECT id, 'Second team', 1, 1 FROM organisation WHERE code = 'north'").await;
    for staff in [&manager, &lead] {
        assert_eq!(labels(&staff.get("/org/options").await.ok()), ["北辰"]);
        assert_eq!(staff.get(&format!("/org/subOptions?orgId={south}")).await.ok(), json!([]));
    }
    assert_eq!(labels(&manager.get(&format!("/org/subOptions?orgId={north}")).await.ok()), ["First team", "Second team"]);
    assert_eq!(labels(&lead.get(&format!("/org/subOptions?orgId={north}")).await.ok()), ["First team"]);
}

on_both!(whoever_manages_no_accounts_chooses_no_organisations);
async fn whoever_manages_no_accounts_chooses_no_organisations(app: TestApp) {
    let (nobody, manager) = (app.sign_in("nobody").await, app.sign_in("channel.manager").await);
    nobody.get("/org/options").await.refused("1003");
    manager.get("/org/subOptions?orgId=1").await.refused("1003");
    app.stranger().get("/org/options").await.refused("2000");
}
