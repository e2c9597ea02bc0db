//! Who decides on a plan, and on a change of what of it binds money.

use base::db::Engine;
use serde_json::{Value, json};

use testing::blacklist::channel;
use testing::org::with;
use testing::plan::{begin, decide, form, make, running, step};
use testing::{Actor, Answer, TestApp, on_both};

async fn read(actor: &Actor, id: &Value) -> Value {
    actor.get(&format!("/plan/{id}")).await.ok()
}

/// Saves a plan as its form would: everything as it is, but some of it.
async fn edit(app: &TestApp, actor: &Actor, id: &Value, changes: Value) -> Answer {
    let row = read(actor, id).await;
    let mut body = form(app, json!({"id": id, "version": row["version"]})).await;
    for (name, value) in body.as_object_mut().unwrap() {
        *value = row[name].clone();
    }
    actor.put("/plan", with(body, changes)).await
}

async fn todo(actor: &Actor) -> String {
    actor.post("/message/page", json!({"kind": "todo"})).await.ok()["list"].to_string()
}

on_both!(makers_do_not_decide_on_their_plans);
/// S-H2: neither its author nor who edited it lets a plan run.
async fn makers_do_not_decide_on_their_plans(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await.in_english(), app.sign_in("operator").await);
    let id = make(&app, &admin, json!({})).await["id"].clone();
    // Another hands it in; that is no writing.
    step(&operator, &id, "pending").await.ok();
    let own = decide(&admin, &id, true).await;
    own.refused("1006");
    assert!(own.desc().contains("that you created or changed"), "{}", own.desc());
    decide(&admin, &id, false).await.refused("1006");
    edit(&app, &operator, &id, json!({"remark": "only a word"})).await.ok();
    decide(&operator, &id, true).await.refused("1006");
    let row = read(&admin, &id).await;
    assert_eq!(row["decision"]["makers"], json!([app.account("admin").await, app.account("operator").await]));
    assert_eq!(row["status"], "pending");
}

on_both!(a_plan_that_is_edited_after_it_was_looked_at_does_not_run);
/// S-H2: what a decider looked at is what is decided on.
async fn a_plan_that_is_edited_after_it_was_looked_at_does_not_run(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let id = make(&app, &admin, json!({})).await["id"].clone();
    step(&admin, &id, "pending").await.ok();
    let seen = read(&operator, &id).await;
    edit(&app, &admin, &id, json!({"priceCents": 1})).await.ok();
    let meant = json!({"id": id, "version": seen["version"], "approve": true});
    assert_eq!(operator.put("/plan/audit", meant).await.refused("1005")["current"]["priceCents"], 1);
    // Its caps lie in a table of their own, which no version tells of.
    app.execute("UPDATE cap_rule SET max_count = 999").await;
    decide(&operator, &id, true).await.refused("1006");
    assert_eq!(read(&operator, &id).await["status"], "pending");
    edit(&app, &admin, &id, json!({})).await.ok();
    decide(&operator, &id, true).await.ok();
}

on_both!(terms_of_a_running_plan_change_by_a_decision);
/// S-H2, on plans: a running plan's terms change by another person's decision; until then the old ones sell.
async fn terms_of_a_running_plan_change_by_a_decision(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let id = running(&app, &admin, json!({})).await;
    let asked = edit(&app, &admin, &id, json!({"priceCents": 9900, "caps": [], "remark": "dearer"})).await.ok();
    assert_eq!((&asked["priceCents"], &asked["caps"][0]["maxCount"], &asked["remark"]), (&json!(4500), &json!(100), &json!("dearer")));
    assert_eq!((&asked["change"]["priceCents"], &asked["change"]["caps"], &asked["status"]), (&json!(9900), &json!([]), &json!("running")));
    assert_eq!(asked["decision"]["makers"], json!([app.account("admin").await]));
    assert!(todo(&operator).await.contains("计划变更待审") && !todo(&admin).await.contains("计划变更待审"));
    let history = admin.get(&format!("/plan/history/{id}")).await.ok();
    let told = history[0]["diff"].as_array().unwrap();
    assert!(told.contains(&json!({"field": "asked.priceCents", "before": null, "after": "9900"})), "{told:?}");
    assert!(!told.iter().any(|change| change["field"] == "priceCents"), "{told:?}");

    decide(&admin, &id, true).await.refused("1006");
    // A name changes at once, and leaves what is asked for where it is.
    let named = edit(&app, &operator, &id, json!({"name": "another"})).await.ok();
    assert_eq!((&named["name"], &named["change"]), (&json!("another"), &asked["change"]));
    assert_eq!(named["decision"]["makers"].as_array().unwrap().len(), 1);
    let done = decide(&operator, &id, true).await.ok();
    assert_eq!(
        (&done["priceCents"], &done["caps"], &done["change"], &done["decision"]),
        (&json!(9900), &json!([]), &json!(null), &json!(null))
    );
    assert_eq!(done["status"], "running");
    assert!(!todo(&operator).await.contains("计划变更待审"));
    assert!(admin.post("/message/page", json!({})).await.ok().to_string().contains("计划变更已生效"));
    decide(&operator, &id, true).await.refused("1006");
    let history = admin.get(&format!("/plan/history/{id}")).await.ok();
    let told = history[0]["diff"].as_array().unwrap();
    assert!(told.contains(&json!({"field": "priceCents", "before": "4500", "after": "9900"})), "{told:?}");
    assert_eq!(app.text("SELECT status FROM decision WHERE action = 'change_plan'").await, "approved");
}

// S-H2: channels, deduplication and the team of a running plan changed at once, and so did everything else that decides
// which plan buys an applicant first.
on_both!(every_term_of_a_running_plan_changes_by_a_decision);
async fn every_term_of_a_running_plan_changes_by_a_decision(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let partner = testing::lead::channel(&app, json!({})).await;
    let id = running(&app, &admin, json!({})).await;
    let before = read(&admin, &id).await;
    testing::product::ready(&app).await;
    let product = testing::product::make(&admin, testing::product::form(&app, "cash-1").await).await;
    let wanted = json!({
        "subOrgId": null, "productId": product, "deliverMode": "back_office", "saleMode": "exclusive", "maxBuyers": 1, "priceCents": 9900,
        "priceRules": [], "methodPriority": 1, "weight": 9, "exposureWeight": 7, "cities": [], "channelAllow": [partner.id],
        "channelDeny": [], "ruleSet": null, "dedupDays": 0, "schedule": null, "outOfSchedule": "skip", "startsOn": null,
        "endsOn": "2028-12-31", "caps": [], "matchRequired": true, "ownPriceLeastCents": 4000, "ownPriceMostCents": 6000, "ownDayMost": 50,
        "ownHours": true, "ownCities": true, "ownPause": true
    });
    for (name, value) in wanted.as_object().unwrap() {
        // Those say nothing alone.
        if ["maxBuyers", "channelDeny", "ownPriceLeastCents", "ownPriceMostCents"].contains(&name.as_str()) {
            continue;
        }
        let asked = edit(&app, &admin, &id, json!({name: value})).await.ok();
        assert_eq!((&asked[name], &asked["change"][name]), (&before[name], value), "{name}");
        decide(&admin, &id, true).await.refused("1006");
        admin.put("/plan/change/withdraw", json!({"id": id, "version": asked["version"]})).await.ok();
    }
    let asked = edit(&app, &admin, &id, json!({"channelAllow": [], "channelDeny": [partner.id]})).await.ok();
    assert_eq!((&asked["channelDeny"], &asked["change"]["channelDeny"]), (&json!([]), &json!([partner.id])));

    // Of a form nothing is left out but what it is called, and whose it is.
    let asked = edit(&app, &admin, &id, wanted.clone()).await.ok();
    assert_eq!(asked["change"], wanted);
    assert_eq!(asked["decision"]["makers"], json!([app.account("admin").await]));
    let mut terms = form(&app, json!({})).await;
    terms.as_object_mut().unwrap().retain(|name, _| !["name", "orgId", "remark"].contains(&name.as_str()));
    assert!(
        terms.as_object().unwrap().keys().eq(wanted.as_object().unwrap().keys()),
        "a new field of the form is a term, or is said not to be"
    );
    let seen = read(&operator, &id).await;
    assert_eq!(seen["changeNames"], json!({"subOrgName": null, "productName": seen["changeNames"]["productName"]}));
    assert!(seen["changeNames"]["productName"].is_string());
    let told = admin.get(&format!("/plan/history/{id}")).await.ok()[0]["diff"].to_string();
    for name in ["subOrgId", "channelAllow", "dedupDays", "schedule"] {
        assert!(told.contains(&format!("asked.{name}")), "{name}: {told}");
    }
    let done = decide(&operator, &id, true).await.ok();
    for (name, value) in wanted.as_object().unwrap() {
        assert_eq!(done[name], *value, "{name}");
    }
    assert_eq!((&done["change"], &done["status"]), (&json!(null), &json!("running")));
}

// S-H2: a channel that is to be denied goes on until another person has decided so, and not after.
on_both!(a_denied_channel_sells_until_that_is_decided);
async fn a_denied_channel_sells_until_that_is_decided(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let partner = testing::lead::channel(&app, json!({})).await;
    let id = json!(testing::lead::plan(&app, &admin, json!({})).await);
    let sold = async |number: u32| {
        testing::lead::bring(&app, &partner, &format!("r-{number}"), testing::lead::application(number, json!({}))).await.ok();
        app.distribute().await;
        app.count("SELECT COUNT(*) FROM push_record").await
    };
    edit(&app, &admin, &id, json!({"channelDeny": [partner.id]})).await.ok();
    assert_eq!(sold(1).await, 1);
    decide(&operator, &id, true).await.ok();
    assert_eq!(sold(2).await, 1);
}

// S-H2: what was there to be chosen when it was asked for may be gone when it is decided on.
on_both!(a_change_that_names_what_is_gone_is_not_approved);
async fn a_change_that_names_what_is_gone_is_not_approved(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let partner = testing::lead::channel(&app, json!({})).await;
    let id = running(&app, &admin, json!({"subOrgId": null})).await;
    for changes in [json!({"channelAllow": [partner.id]}), json!({"subOrgId": app.team("First team").await})] {
        edit(&app, &admin, &id, changes).await.ok();
        app.execute("UPDATE channel SET deleted_at = 1").await;
        app.execute("UPDATE sub_organisation SET deleted_at = 1").await;
        decide(&operator, &id, true).await.refused("1006");
        app.execute("UPDATE channel SET deleted_at = NULL").await;
        app.execute("UPDATE sub_organisation SET deleted_at = NULL").await;
        let refused = decide(&operator, &id, false).await.ok();
        assert_eq!((&refused["change"], &refused["channelAllow"], &refused["subOrgId"]), (&json!(null), &json!([]), &json!(null)));
    }
}

// S-H2: a change that waits since a program of before, which knew fewer terms, is decided on as it was
// asked for; terms that it does not speak of stay.
on_both!(a_change_of_an_older_program_is_decided_on);
async fn a_change_of_an_older_program_is_decided_on(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let id = running(&app, &admin, json!({})).await;
    let row = read(&admin, &id).await;
    let known = ["saleMode", "maxBuyers", "priceCents", "priceRules", "cities", "ruleSet", "caps"];
    let from = serde_json::Map::from_iter(known.map(|name| (name.to_owned(), row[name].clone())));
    let mut to = from.clone();
    to.insert("priceCents".to_owned(), json!(8800));
    let hash = frame::decision::hash(&json!({"from": from, "to": to}));
    let sql = "INSERT INTO decision (action, target_type, target_id, version, payload_hash, payload, makers, status, created_at, updated_at) \
               SELECT 'change_plan', 'plan', id, version, $1, $2, $3, 'open', 0, 0 FROM plan";
    let mut tx = app.app.db.begin().await.unwrap();
    let made = sqlx::query(sql).bind(hash).bind(json!(to).to_string()).bind(format!(",{},", app.account("admin").await));
    made.execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let waits = read(&operator, &id).await;
    assert_eq!((&waits["change"]["priceCents"], &waits["change"]["dedupDays"]), (&json!(8800), &row["dedupDays"]));
    decide(&admin, &id, true).await.refused("1006");
    let done = decide(&operator, &id, true).await.ok();
    assert_eq!((&done["priceCents"], &done["dedupDays"], &done["change"]), (&json!(8800), &row["dedupDays"], &json!(null)));
}

on_both!(a_change_of_terms_is_refused_withdrawn_or_asked_for_again);
async fn a_change_of_terms_is_refused_withdrawn_or_asked_for_again(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let id = running(&app, &admin, json!({})).await;
    for changes in [
        json!({"priceRules": []}),
        json!({"saleMode": "exclusive", "maxBuyers": null}),
        json!({"maxBuyers": 5}),
        json!({"cities": ["上海市"]}),
        json!({"ruleSet": {"all": [{"field": "age", "op": "gte", "value": 40}]}}),
        json!({"caps": [{"window": "hour", "weekday": null, "maxCount": 1, "maxCents": null}]}),
    ] {
        let asked = edit(&app, &admin, &id, changes.clone()).await.ok();
        assert!(asked["change"].is_object(), "{changes}");
        let version = asked["version"].clone();
        operator.put("/plan/change/withdraw", json!({"id": id, "version": version})).await.refused("1006");
        let gone = admin.put("/plan/change/withdraw", json!({"id": id, "version": version})).await.ok();
        assert_eq!((&gone["change"], &gone["priceRules"], &gone["ruleSet"]), (&json!(null), &asked["priceRules"], &asked["ruleSet"]));
        admin.put("/plan/change/withdraw", json!({"id": id, "version": gone["version"]})).await.refused("1006");
    }
    edit(&app, &admin, &id, json!({"priceCents": 100})).await.ok();
    let seen = read(&operator, &id).await;
    let body = json!({"id": id, "version": seen["version"], "approve": false});
    operator.put("/plan/audit", body).await.wrong("note");
    // Between look and decision, another price is asked for.
    edit(&app, &admin, &id, json!({"priceCents": 1})).await.ok();
    operator.put("/plan/audit", json!({"id": id, "version": seen["version"], "approve": true})).await.refused("1005");
    let refused = decide(&operator, &id, false).await.ok();
    assert_eq!((&refused["priceCents"], &refused["change"], &refused["status"]), (&json!(4500), &json!(null), &json!("running")));
    assert!(admin.post("/message/page", json!({})).await.ok().to_string().contains("太便宜"));
    // The history tells it from a change that was withdrawn, and why.
    let told = admin.get(&format!("/plan/history/{id}")).await.ok()[0]["diff"].to_string();
    assert!(told.contains(r#""field":"verdict","before":null,"after":"refused""#) && told.contains("太便宜"), "{told}");
    // Who adds to what is asked for is one of its makers; a plan that is paused is bound as well.
    step(&admin, &id, "paused").await.ok();
    edit(&app, &admin, &id, json!({"priceCents": 7000})).await.ok();
    edit(&app, &operator, &id, json!({"priceCents": 7001})).await.ok();
    decide(&operator, &id, true).await.refused("1006");
    decide(&admin, &id, true).await.refused("1006");
    // With the plan, what is asked of it ends.
    assert_eq!(step(&admin, &id, "ended").await.ok()["change"], json!(null));
    assert!(!todo(&operator).await.contains("计划变更待审"));
    assert_eq!(app.count("SELECT COUNT(*) FROM decision WHERE status = 'open'").await, 0);
}

on_both!(a_history_tells_names_and_not_ids);
async fn a_history_tells_names_and_not_ids(app: TestApp) {
    begin(&app);
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code = 'org_manager' AND m.path LIKE 'plan/%'",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let (admin, manager) = (app.sign_in("admin").await, app.sign_in("north.manager").await);
    let channel = channel(&app, "asked-for").await;
    let id = running(&app, &admin, json!({})).await;
    edit(&app, &admin, &id, json!({"subOrgId": null, "channelAllow": [channel]})).await.ok();
    let told = async |actor: &Actor, entry: usize| actor.get(&format!("/plan/history/{id}")).await.ok()[entry]["diff"].clone();
    let asked = told(&admin, 0).await;
    let tells = |diff: &Value, change: Value| assert!(diff.as_array().unwrap().contains(&change), "{change} in {diff}");
    tells(&asked, json!({"field": "asked.subOrgId", "before": "First team", "after": null}));
    tells(&asked, json!({"field": "asked.channelAllow", "before": null, "after": "渠道 asked-for"}));
    // An organisation does not learn what channels are called.
    tells(&told(&manager, 0).await, json!({"field": "asked.channelAllow", "before": null, "after": format!("#{channel}")}));
    let entries = admin.get(&format!("/plan/history/{id}")).await.ok().as_array().unwrap().len();
    let made = told(&admin, entries - 1).await;
    tells(&made, json!({"field": "subOrgName", "before": null, "after": "First team"}));
    for field in ["orgId", "subOrgId", "productId"] {
        assert!(made.as_array().unwrap().iter().all(|change| change["field"] != field), "{field} beside its name: {made}");
    }
}

// C2: what others stood in the way of is done again, and once.
on_both!(a_plan_that_others_stand_in_the_way_of_is_decided_on_once);
async fn a_plan_that_others_stand_in_the_way_of_is_decided_on_once(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    form(&app, json!({})).await;
    app.stand_in_the_way().await;
    let id = make(&app, &admin, json!({})).await["id"].clone();
    step(&admin, &id, "pending").await.ok();
    decide(&operator, &id, true).await.ok();
    let asked = edit(&app, &admin, &id, json!({"priceCents": 5000})).await.ok();
    admin.put("/plan/change/withdraw", json!({"id": id, "version": asked["version"]})).await.ok();
    edit(&app, &admin, &id, json!({"priceCents": 5100})).await.ok();
    assert_eq!(decide(&operator, &id, true).await.ok()["priceCents"], 5100);
    step(&admin, &id, "ended").await.ok();
    assert_eq!(app.trail("plan", id.as_i64().unwrap()).await.len(), 8, "each once");
    let draft = make(&app, &admin, json!({})).await["id"].clone();
    admin.delete(&format!("/plan/{draft}")).await.ok();
}

on_both!(of_many_who_decide_at_once_one_does);
async fn of_many_who_decide_at_once_one_does(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let id = running(&app, &admin, json!({})).await;
    let asked = edit(&app, &admin, &id, json!({"priceCents": 5000})).await.ok();
    let body = |approve: bool| json!({"id": id, "version": asked["version"], "approve": approve, "note": "同时"});
    let answers = futures_util::future::join_all((0..6).map(|number| operator.put("/plan/audit", body(number % 2 == 0)))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 1);
    let row = read(&admin, &id).await;
    let approved = app.text("SELECT status FROM decision WHERE action = 'change_plan'").await == "approved";
    assert_eq!((&row["priceCents"], &row["change"]), (&json!(if approved { 5000 } else { 4500 }), &json!(null)));
}

// S-H2: a plan without a known maker can still be edited; its editor is its maker from then on.
on_both!(a_plan_without_a_known_maker_can_be_edited);
async fn a_plan_without_a_known_maker_can_be_edited(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let id = make(&app, &admin, json!({})).await["id"].clone();
    // As an older program left it: the row names no maker, so the decision names none.
    app.execute("UPDATE plan SET created_by = NULL, updated_by = NULL").await;
    step(&admin, &id, "pending").await.ok();
    match app.app.db.engine() {
        Engine::Sqlite => app.execute("DROP TRIGGER decision_kept").await,
        Engine::Postgres => app.execute("DROP TRIGGER decision_kept ON decision").await,
    }
    app.execute("DELETE FROM decision").await;
    app.execute(
        "INSERT INTO decision (action, target_type, target_id, version, payload_hash, makers, status, created_at, updated_at) \
         SELECT 'start_plan', 'plan', id, version, 'x', ',,', 'open', 0, 0 FROM plan",
    )
    .await;
    edit(&app, &operator, &id, json!({"remark": "a word"})).await.ok();
    edit(&app, &admin, &id, json!({"remark": "another"})).await.ok();
    assert_eq!(read(&admin, &id).await["decision"]["makers"], json!([app.account("operator").await, app.account("admin").await]));
    // No known maker is taken out of the list, not even by a number that begins like theirs.
    for makers in [",,".to_owned(), format!(",{}0,", app.account("operator").await)] {
        let taken_out = sqlx::query("UPDATE decision SET makers = $1").bind(makers);
        let mut tx = app.app.db.begin().await.unwrap();
        assert!(taken_out.execute(&mut *tx).await.unwrap_err().to_string().contains("not rewritten"));
    }
}
