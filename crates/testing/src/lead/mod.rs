//! Applicants, the channel that brings them and the plan that buys them.

pub mod buyer;
pub mod deliver;

use base::clock::{self, Clock};
use base::crypto;
use serde_json::{Value, json};

use crate::open::{Call, Partner, partner};
use crate::org::with;
use crate::plan::running;
use crate::{Actor, Answer, TestApp};

/// A phone of a range that no operator has given out.
pub fn phone(number: u32) -> String {
    format!("1000003{number:04}")
}

/// An ID number of Beijing with an age: born on the first of January or of July.
pub fn id_no_aged(age: i64) -> String {
    id_no_at(age, Clock::default().now())
}

/// The same of a person who has that age at a moment.
pub fn id_no_at(age: i64, now: i64) -> String {
    let today = clock::day(now);
    let (year, born) = match today.month() < 7 {
        true => (i64::from(today.year()) - age, "0101"),
        false => (i64::from(today.year()) - age, "0701"),
    };
    let mut numbers = "0123456789X".chars().map(|check| format!("110105{year}{born}002{check}"));
    numbers.find(|number| crypto::is_id_no(number)).expect("one check digit is right")
}

/// The ID number of [`application`], which fits its age.
pub fn id_no() -> String {
    id_no_aged(30)
}

/// An application that North Star's plan takes.
pub fn application(number: u32, changes: Value) -> Value {
    let form = json!({
        "phone": phone(number), "name": "张小三", "province": "上海", "ip": "203.0.113.9",
        "userAgent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)", "sourceUrl": "https://ads.example.com/a",
        "consent": {"agreement": "LOAN", "version": "3", "textHash": "a".repeat(64), "allPartners": true},
        "applicant": {"age": 30, "sex": "male", "city": "上海市", "applyAmountCents": 5_000_000, "applyTermMonths": 12, "house": "none"}
    });
    let mut form = with(form, changes);
    if form.get("idNo").is_none() {
        form["idNo"] = json!(id_no_aged(form["applicant"]["age"].as_i64().unwrap_or(30)));
    }
    form
}

/// Brings an applicant by a channel's server.
pub async fn bring(app: &TestApp, partner: &Partner, request_id: &str, user: Value) -> Answer {
    let nonce = format!("{}-{}", request_id.trim(), app.count("SELECT COUNT(*) FROM nonce").await);
    let call = Call { path: "/open/user", ..Call::of(app, partner, &nonce, &json!({"requestId": request_id, "user": user})) };
    call.make(&app.stranger()).await
}

/// A live channel that is paid ten yuan for an accepted lead.
pub async fn channel(app: &TestApp, changes: Value) -> Partner {
    let terms = json!({"settleMode": "accepted_lead", "unitPriceCents": 1000, "dedupDays": 30});
    partner(app, "lead-chan", with(terms, changes)).await
}

/// A running plan of North Star that takes all applicants, around the clock, at 45 yuan.
pub async fn plan(app: &TestApp, admin: &Actor, changes: Value) -> i64 {
    let anybody = json!({
        "saleMode": "exclusive", "maxBuyers": null, "priceRules": [], "cities": [], "ruleSet": null, "schedule": null, "caps": [],
        "startsOn": null, "endsOn": null, "deliverMode": "crm", "subOrgId": null
    });
    running(app, admin, with(anybody, changes)).await.as_i64().unwrap()
}

/// The story of the only applicant there is.
pub async fn story(app: &TestApp, admin: &Actor) -> Value {
    let id = app.count("SELECT MAX(id) FROM applicant").await;
    admin.get(&format!("/user/{id}")).await.ok()
}

/// Checks that what is held and spent is what happened. Balances of tests are set without entries.
pub async fn books(app: &TestApp) {
    let mut wrong = trade::ledger::verify::verify(&app.app.db).await.unwrap();
    wrong.retain(|one| !["balance", "running"].contains(&one.what));
    assert_eq!(wrong, []);
}
