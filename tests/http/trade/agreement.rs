//! `/agreement`: the register of texts that applicants consent to, and what consents must name of it.

use base::clock::{DAY, HOUR};
use serde_json::{Value, json};
use trade::agreement::digest;

use testing::lead::{application, bring, channel, story};
use testing::open::{Call, Partner};
use testing::org::with;
use testing::{Actor, Answer, TestApp, on_both};

fn form(changes: Value) -> Value {
    with(json!({"code": "CREDIT", "edition": "2026.1", "name": "征信授权书", "text": "第一条\r\n第二条"}), changes)
}

async fn made(admin: &Actor, changes: Value) -> Value {
    admin.post("/agreement", form(changes)).await.ok()
}

/// A consent to the agreement of [`form`].
fn consent(changes: Value) -> Value {
    let hash = digest("第一条\n第二条");
    json!({"consent": with(json!({"agreement": "CREDIT", "version": "2026.1", "textHash": hash, "allPartners": true}), changes)})
}

async fn offered(app: &TestApp, partner: &Partner, nonce: &str, body: Value) -> Answer {
    let call = Call { path: "/open/agreements", ..Call::of(app, partner, nonce, &body) };
    call.make(&app.stranger()).await
}

on_both!(an_agreement_is_entered_changed_and_deleted);
async fn an_agreement_is_entered_changed_and_deleted(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let row = made(&admin, json!({})).await;
    assert_eq!((&row["text"], &row["digest"]), (&json!("第一条\n第二条"), &json!(digest("第一条\n第二条"))));
    admin.post("/agreement", form(json!({"text": "another"}))).await.refused("1005");
    let id = row["id"].as_i64().unwrap();
    let seen = admin.get(&format!("/agreement/{id}")).await.ok();
    assert_eq!((&seen["state"], &seen["consents"], &seen["textKept"]), (&json!("valid"), &json!(0), &json!(true)));
    let change = |changes: Value| with(form(json!({"id": id, "version": row["version"], "text": "第三条"})), changes);
    let edited = admin.put("/agreement", change(json!({"validTo": app.now() + DAY}))).await.ok();
    assert_eq!(edited["digest"], json!(digest("第三条")));
    admin.put("/agreement", change(json!({}))).await.refused("1005");
    let history = admin.get(&format!("/agreement/history/{id}")).await.ok().to_string();
    assert!(history.contains("digest") && !history.contains("第三条"), "{history}");
    let states = async |state: &str| {
        let admin = app.sign_in("admin").await;
        admin.post("/agreement/page", json!({"state": state, "keyword": "credit"})).await.ok()["total"].clone()
    };
    assert_eq!((states("valid").await, states("ended").await), (json!(1), json!(0)));
    app.advance(2 * DAY);
    let admin = app.sign_in("admin").await;
    assert_eq!((states("valid").await, states("ended").await), (json!(0), json!(1)));
    made(&admin, json!({"edition": "2026.2", "validFrom": app.now() + DAY})).await;
    assert_eq!(states("waiting").await, json!(1));
    let file = admin.export("/agreement/page/export", json!({"format": "csv"})).await;
    assert!(String::from_utf8_lossy(&file.body).contains("未生效"));
    admin.delete(&format!("/agreement/{id}")).await.ok();
    admin.get(&format!("/agreement/{id}")).await.refused("1004");
}

on_both!(a_wrong_agreement_names_its_fields);
async fn a_wrong_agreement_names_its_fields(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (changes, field) in [
        (json!({"code": "a b"}), "code"),
        (json!({"edition": ""}), "edition"),
        (json!({"name": " "}), "name"),
        (json!({"text": " \n"}), "text"),
        (json!({"validFrom": -1}), "validFrom"),
        (json!({"validFrom": 2000, "validTo": 2000}), "validTo"),
    ] {
        admin.post("/agreement", form(changes)).await.wrong(field);
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM agreement").await, 1);
}

on_both!(what_a_consent_names_does_not_change);
async fn what_a_consent_names_does_not_change(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let row = made(&admin, json!({"validFrom": app.now() - DAY})).await;
    let partner = channel(&app, json!({})).await;
    bring(&app, &partner, "r-1", application(1, consent(json!({})))).await.ok();
    let story = story(&app, &admin).await;
    let consent = &story["consents"][0];
    assert_eq!((&consent["agreement"], &consent["version"], &consent["textHash"]), (&json!("CREDIT"), &json!("2026.1"), &row["digest"]));
    let change = |changes: Value| with(form(json!({"id": row["id"], "version": row["version"], "validFrom": row["validFrom"]})), changes);
    for (changes, field) in [
        (json!({"code": "X"}), "code"),
        (json!({"edition": "X"}), "edition"),
        (json!({"text": "X"}), "text"),
        (json!({"validFrom": app.now()}), "validFrom"),
        (json!({"validTo": app.now() - HOUR}), "validTo"),
    ] {
        admin.put("/agreement", change(changes)).await.wrong(field);
    }
    admin.delete(&format!("/agreement/{}", row["id"])).await.refused("1006");
    admin.put("/agreement", change(json!({"name": "征信授权", "validTo": app.now() + HOUR}))).await.ok();
    // The applicants who agreed are a filter of the list.
    let of = async |id: &Value| admin.post("/user/page", json!({"agreementId": id})).await.ok()["total"].clone();
    assert_eq!((of(&row["id"]).await, of(&json!(app.count("SELECT MIN(id) FROM agreement").await)).await), (json!(1), json!(0)));
}

on_both!(a_consent_names_an_agreement_of_the_register);
async fn a_consent_names_an_agreement_of_the_register(app: TestApp) {
    let admin = app.sign_in("admin").await;
    made(&admin, json!({"validFrom": app.now() - DAY, "validTo": app.now() + DAY})).await;
    let partner = channel(&app, json!({})).await;
    for (number, (changes, field, english)) in [
        (json!({"agreement": "X"}), "agreement", "Agreement X does not exist"),
        (json!({"version": "9"}), "version", "Agreement CREDIT has no version 9"),
        (json!({"textHash": "a".repeat(64)}), "textHash", "Not the digest of the agreement's text in the register"),
        (json!({"textHash": null}), "textHash", "Required"),
        (json!({"grantedAt": app.now() - 2 * DAY}), "grantedAt", "The agreement was not valid at that moment"),
    ]
    .into_iter()
    .enumerate()
    {
        let user = application(1, consent(changes));
        let nonce = format!("n-{number}");
        let call = Call { path: "/open/user", ..Call::of(&app, &partner, &nonce, &json!({"requestId": "r-1", "user": user})) };
        let answer = call.make(&app.stranger().in_english()).await;
        let data = answer.wrong(&format!("user.consent.{field}"));
        assert!(data.to_string().contains(english) || String::from_utf8_lossy(&answer.body).contains(english), "{field}: {data}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, 0);
    // By hand without a digest: the register has it. Once the agreement has ended, by no way.
    let id = app.count("SELECT id FROM channel").await;
    let by_hand = |number: u32| json!({"channelId": id, "user": application(number, consent(json!({"textHash": null})))});
    admin.post("/user", by_hand(1)).await.ok();
    assert_eq!(story(&app, &admin).await["consents"][0]["textHash"], json!(digest("第一条\n第二条")));
    app.advance(2 * DAY);
    app.sign_in("admin").await.post("/user", by_hand(2)).await.wrong("user.consent.grantedAt");
}

on_both!(partners_read_the_agreements_that_are_valid);
async fn partners_read_the_agreements_that_are_valid(app: TestApp) {
    let admin = app.sign_in("admin").await;
    made(&admin, json!({})).await;
    made(&admin, json!({"edition": "2026.2", "validFrom": app.now() + DAY})).await;
    let partner = channel(&app, json!({})).await;
    let all = offered(&app, &partner, "n-1", json!({})).await.ok();
    let codes: Vec<&str> = all["agreements"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["CREDIT", "LOAN"]);
    let one = offered(&app, &partner, "n-2", json!({"code": "CREDIT"})).await.ok()["agreements"].clone();
    assert_eq!((one.as_array().unwrap().len(), &one[0]["version"]), (1, &json!("2026.1")));
    assert_eq!(one[0]["textHash"], json!(digest(one[0]["text"].as_str().unwrap())));
    offered(&app, &partner, "n-2", json!({})).await.refused("3004");
}

on_both!(staff_choose_among_agreements);
async fn staff_choose_among_agreements(app: TestApp) {
    made(&app.sign_in("admin").await, json!({"validTo": app.now() + DAY})).await;
    app.advance(2 * DAY);
    let operator = app.sign_in("operator").await;
    let choices = operator.get("/agreement/options?keyword=credit").await.ok();
    assert_eq!((choices.as_array().unwrap().len(), &choices[0]["valid"]), (1, &json!(false)));
    assert_eq!(operator.get("/agreement/options?keyword=loan").await.ok()[0]["valid"], json!(true));
    app.sign_in("nobody").await.get("/agreement/options").await.refused("1003");
}

// An installation of before: consents named digests that staff or partners sent.
on_both!(earlier_consents_become_entries_without_a_text);
async fn earlier_consents_become_entries_without_a_text(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let partner = channel(&app, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    let text = digest("第一条\n第二条");
    for column in ["agreement_code", "agreement_version", "text_hash"] {
        app.execute(Box::leak(format!("ALTER TABLE consent_record ADD COLUMN {column} TEXT").into_boxed_str())).await;
    }
    let hash: &'static str = Box::leak(
        format!("UPDATE consent_record SET agreement_code = 'OLD', agreement_version = '1', text_hash = '{text}'").into_boxed_str(),
    );
    for sql in [hash, "DROP INDEX consent_agreement", "ALTER TABLE consent_record DROP COLUMN agreement_id", "DELETE FROM agreement"] {
        app.execute(sql).await;
    }
    let migration = include_str!("../../../migrations/0132_agreement.sql");
    app.migrate(&migration[migration.find("-- What consents named so far").unwrap()..]).await;
    let rows = admin.post("/agreement/page", json!({})).await.ok();
    let row = &rows["list"][0];
    assert_eq!(
        (rows["total"].clone(), &row["code"], &row["consents"], &row["textKept"]),
        (json!(1), &json!("OLD"), &json!(2), &json!(false))
    );
    assert_eq!(story(&app, &admin).await["consents"][0]["textHash"], json!(text));
    let id = &row["id"];
    let edit = |text: &str| json!({"id": id, "version": row["version"], "code": "OLD", "edition": "1", "name": "旧授权书", "text": text, "validFrom": row["validFrom"]});
    admin.put("/agreement", edit("第一条")).await.wrong("text");
    let filled = admin.put("/agreement", edit("第一条\n第二条")).await.ok();
    assert_eq!((&filled["textKept"], &filled["digest"]), (&json!(true), &json!(text)));
}
