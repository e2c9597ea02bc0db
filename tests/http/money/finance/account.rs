//! `/finance/account`: what accounts hold, frozen and released, adjusted by two people.

use serde_json::{Value, json};

use super::{account, refusal, wrong};
use testing::finance::{approval, credited};
use testing::lead::{application, bring, channel, plan, story};
use testing::org::with;
use testing::plan::begin;
use testing::{TestApp, on_both};

on_both!(accounts_are_listed_with_their_sums_within_a_scope);
async fn accounts_are_listed_with_their_sums_within_a_scope(app: TestApp) {
    let (admin, north, south) = (app.sign_in("admin").await, app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    credited(&app, json!({"giftCents": 100})).await;
    let (north_id, south_id) = (app.organisation("north").await, app.organisation("south").await);
    credited(&app, json!({"orgId": south_id, "amountCents": 700})).await;
    let page = admin.post("/finance/account/page", json!({"sort": "balanceCents", "order": "desc"})).await.ok();
    assert_eq!(
        (&page["list"][0]["id"], &page["totals"]["balanceCents"], &page["totals"]["giftCents"]),
        (&json!(north_id), &json!(500_800), &json!(100))
    );
    let own = south.post("/finance/account/page", json!({})).await.ok();
    assert_eq!((&own["total"], &own["totals"]["balanceCents"]), (&json!(1), &json!(700)));
    assert_eq!(admin.post("/finance/account/page", json!({"holds": "gifts"})).await.ok()["total"], 1);
    assert_eq!(admin.post("/finance/account/page", json!({"holds": "owes"})).await.ok()["total"], 0);
    north.get(&format!("/finance/account/{south_id}")).await.refused("1004");
    assert_eq!(south.post("/finance/account/ledger/page", json!({"orgId": north_id})).await.ok()["total"], 0);
    assert_eq!(south.post("/finance/account/ledger/page", json!({})).await.ok()["total"], 1);
    let filters = json!({"kind": "gift", "atFrom": "2020-01-01", "atTo": "2099-12-31"});
    assert_eq!(admin.post("/finance/account/ledger/page", filters).await.ok()["total"], 1);
}

on_both!(the_overview_tells_what_moved_and_what_is_held);
async fn the_overview_tells_what_moved_and_what_is_held(app: TestApp) {
    let (admin, south) = (app.sign_in("admin").await, app.sign_in("south.manager").await);
    credited(&app, json!({"giftCents": 100})).await;
    let south_id = app.organisation("south").await;
    credited(&app, json!({"orgId": south_id, "amountCents": 700})).await;
    app.execute("UPDATE org_account SET balance_cents = -700 WHERE balance_cents = 700").await;
    let all = admin.get("/finance/overview").await.ok();
    assert_eq!((&all["month"]["rechargeCents"], &all["month"]["giftCents"]), (&json!(500_700), &json!(100)));
    assert_eq!(
        (&all["holds"]["balanceCents"], &all["holds"]["owedCents"], &all["holds"]["giftCents"]),
        (&json!(500_100), &json!(700), &json!(100))
    );
    assert_eq!(all["charts"][0]["labels"].as_array().unwrap().len(), 12);
    assert_eq!(all["charts"][0]["series"][0]["values"][11], 5007);
    let own = south.get("/finance/overview").await.ok();
    assert_eq!(
        (&own["month"]["rechargeCents"], &own["holds"]["owedCents"], &own["holds"]["balanceCents"]),
        (&json!(700), &json!(700), &json!(0))
    );
}

on_both!(from_a_frozen_account_nothing_is_paid_until_it_is_released);
async fn from_a_frozen_account_nothing_is_paid_until_it_is_released(app: TestApp) {
    begin(&app);
    let org_id = app.organisation("north").await;
    credited(&app, json!({})).await;
    let (admin, north, partner) = (app.sign_in("admin").await, app.sign_in("north.manager").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    let status = |status: &str, note: &str| json!({"id": org_id, "status": status, "note": note});
    admin.put("/finance/account/status", status("frozen", "")).await.wrong("note");
    admin.put("/finance/account/status", status("normal", "x")).await.refused("1006");
    north.put("/finance/account/status", status("frozen", "x")).await.refused("1003");
    let row = admin.put("/finance/account/status", status("frozen", "核实中")).await.ok();
    assert_eq!((&row["status"], &row["statusNote"]), (&json!("frozen"), &json!("核实中")));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["matches"][0]["passedOver"][0]["reason"], "balance");
    let row = admin.put("/finance/account/status", status("normal", "已核实")).await.ok();
    assert_eq!((&row["status"], &row["statusNote"]), (&json!("normal"), &Value::Null));
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE status = 'accepted'").await, 1);
    assert_eq!(admin.get(&format!("/finance/account/history/{org_id}")).await.ok().as_array().unwrap().len(), 2);
    app.execute("UPDATE organisation SET status = 'terminated' WHERE code = 'north'").await;
    admin.put("/finance/account/status", status("frozen", "x")).await.ok();
    admin.put("/finance/account/status", status("normal", "x")).await.refused("1006");
}

on_both!(an_account_is_adjusted_by_two_people);
async fn an_account_is_adjusted_by_two_people(app: TestApp) {
    let (admin, operator, south) = (app.sign_in("admin").await, app.sign_in("operator").await, app.sign_in("south.manager").await);
    let org_id = app.organisation("north").await;
    let form =
        |changes: Value| with(json!({"orgId": org_id, "part": "paid", "amountCents": 1000, "reason": "补差", "proofFileIds": []}), changes);
    for (field, value) in
        [("amountCents", json!(0)), ("amountCents", json!(i64::MAX)), ("reason", json!(" ")), ("proofFileIds", json!([9]))]
    {
        operator.post("/finance/account/adjust", form(json!({ field: value }))).await.wrong(field);
    }
    operator.post("/finance/account/adjust", form(json!({"amountCents": 1.005}))).await.refused("4000");
    let row = operator.post("/finance/account/adjust", form(json!({}))).await.ok();
    assert_eq!(account(&admin, org_id).await["adjustmentsOpen"], 1);
    operator.put("/finance/account/adjust/audit", approval(&row)).await.refused("1006");
    admin.put("/finance/account/adjust/withdraw", json!({"id": row["id"], "version": row["version"]})).await.refused("1006");
    let row = admin.put("/finance/account/adjust/audit", approval(&row)).await.ok();
    assert_eq!(row["status"], "approved");
    admin.put("/finance/account/adjust/audit", approval(&row)).await.refused("1006");
    let row = operator.post("/finance/account/adjust", form(json!({"part": "gift", "amountCents": 500}))).await.ok();
    admin.put("/finance/account/adjust/audit", approval(&row)).await.ok();
    let held = account(&admin, org_id).await;
    assert_eq!((&held["balanceCents"], &held["giftCents"], &held["totalAdjustCents"]), (&json!(1500), &json!(500), &json!(1500)));
    // No more is taken out than there is of the part.
    let row = operator.post("/finance/account/adjust", form(json!({"amountCents": -1001}))).await.ok();
    admin.put("/finance/account/adjust/audit", approval(&row)).await.refused("1006");
    let row = admin.put("/finance/account/adjust/audit", refusal(&row)).await.ok();
    assert_eq!(row["status"], "rejected");
    let row = operator.post("/finance/account/adjust", form(json!({"part": "gift", "amountCents": -500}))).await.ok();
    admin.put("/finance/account/adjust/audit", approval(&row)).await.ok();
    let row = operator.post("/finance/account/adjust", form(json!({"amountCents": -1000}))).await.ok();
    let row = operator.put("/finance/account/adjust/withdraw", json!({"id": row["id"], "version": row["version"]})).await.ok();
    assert_eq!(row["status"], "withdrawn");
    assert_eq!(account(&admin, org_id).await["balanceCents"], 1000);
    assert_eq!(admin.post("/finance/account/adjust/page", json!({"status": "approved"})).await.ok()["total"], 3);
    assert_eq!(south.post("/finance/account/adjust/page", json!({})).await.ok()["total"], 0);
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_balance_below_its_line_is_shown_where_its_organisation_begins);
async fn a_balance_below_its_line_is_shown_where_its_organisation_begins(app: TestApp) {
    credited(&app, json!({"amountCents": 12_300})).await;
    let north = app.organisation("north").await;
    let shown = async |who: &'static str| app.sign_in(who).await.get("/crm/center").await.ok()["lowBalanceCents"].clone();
    let low = async || app.sign_in("north.manager").await.get(&format!("/finance/account/{north}")).await.ok()["low"].clone();
    assert_eq!((shown("north.manager").await, low().await), (json!(null), json!(false)));
    app.execute("UPDATE organisation SET low_balance_notified_at = 1, status = 'active', mode = 'live' WHERE code = 'north'").await;
    assert_eq!((shown("north.manager").await, low().await), (json!(12_300), json!(true)));
    // Who may not see the account, and other organisations.
    for other in ["north.lead", "north.sales1", "south.manager"] {
        assert_eq!(shown(other).await, json!(null), "{other}");
    }
}
