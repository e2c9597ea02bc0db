//! Applicants who are to agree on an organisation's own page before their lead is sent.

use base::db::Engine;
use futures_util::future::join_all;
use serde_json::{Value, json};
use trade::plan::market::Market;

use super::deliver::frozen;
use testing::feedback::signing;
use testing::lead::buyer::Buyer;
use testing::lead::deliver::by_api;
use testing::lead::{application, books, bring, plan, story};
use testing::open::{Call, Partner};
use testing::{Actor, Answer, TestApp, on_both, run};

const PAGE: &str = "https://north.example.com/agree?ts=1772296200000&t=s3cret";

/// A plan of North Star that asks first, and whose organisation names its page; and the signing key of the organisation.
async fn by_page(app: &TestApp) -> (Actor, Partner, Buyer, Partner) {
    let (admin, partner, buyer) = by_api(app, json!({"matchUrl": "https://api.example.com/match"}), json!({"matchRequired": true})).await;
    let north = signing(app, &admin, "north").await;
    buyer.answers(200, json!({"code": "0000", "data": {"authUrl": PAGE}}));
    bring(app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    // Asked, and nothing else.
    assert_eq!(buyer.received().len(), 1);
    buyer.answers(200, json!({"code": "0000", "data": {"orderNo": "A-1"}}));
    (admin, partner, buyer, north)
}

async fn signed(app: &TestApp, partner: &Partner, path: &'static str, body: Value) -> Answer {
    let nonce = format!("a-{}", app.count("SELECT COUNT(*) FROM nonce").await);
    Call { path, ..Call::of(app, partner, &nonce, &body) }.make(&app.stranger()).await
}

async fn report(app: &TestApp, org: &Partner, user_no: &Value, authorised: bool) -> Answer {
    signed(app, org, "/open/push/authorised", json!({"userNo": user_no, "authorised": authorised})).await
}

async fn progress(app: &TestApp, channel: &Partner) -> Value {
    signed(app, channel, "/open/user/status", json!({"requestId": "r-1"})).await.ok()
}

async fn push(admin: &Actor) -> Value {
    admin.post("/plan/push/page", json!({"sort": "createdAt", "order": "asc"})).await.ok()["list"][0].clone()
}

on_both!(a_lead_is_sent_once_its_applicant_has_agreed);
async fn a_lead_is_sent_once_its_applicant_has_agreed(app: TestApp) {
    let (admin, partner, buyer, north) = by_page(&app).await;
    let waiting = push(&admin).await;
    assert_eq!((&waiting["status"], &waiting["authStatus"], frozen(&app).await), (&json!("queued"), &json!("waiting"), 4500));
    let until = waiting["authUntil"].as_i64().unwrap();
    assert!((app.now() + 29 * 60_000..=app.now() + 30 * 60_000).contains(&until));
    // A person who opens the page acts for the applicant: only the channel reads its address.
    assert!(!story(&app, &admin).await.to_string().contains("s3cret"));
    assert_eq!(app.count("SELECT COUNT(*) FROM match_record WHERE response LIKE '%s3cret%'").await, 0);
    let other = testing::open::partner(&app, "other-chan", json!({})).await;
    signed(&app, &other, "/open/user/status", json!({"requestId": "r-1"})).await.wrong("requestId");
    let stands = progress(&app, &partner).await;
    assert_eq!(stands["status"], "distributed");
    assert_eq!((&stands["authorisations"][0]["url"], &stands["authorisations"][0]["expiresAt"]), (&json!(PAGE), &json!(until)));

    // A person who presses "try again" does not send it either.
    let again = json!({"id": waiting["id"], "status": "queued", "decision": "again"});
    admin.put("/plan/push/resolve", again).await.ok();
    app.distribute().await;
    assert_eq!((&push(&admin).await["status"], buyer.received().len()), (&json!("queued"), 0));

    let south = signing(&app, &admin, "south").await;
    report(&app, &south, &stands["no"], true).await.refused("1006");
    report(&app, &north, &json!("U20260101-NOBODY00"), true).await.refused("1006");
    report(&app, &north, &json!(" "), true).await.wrong("userNo");
    assert_eq!(report(&app, &north, &stands["no"], true).await.ok()["repeated"], false);
    assert_eq!(report(&app, &north, &stands["no"], true).await.ok()["repeated"], true);
    report(&app, &north, &stands["no"], false).await.refused("1006");
    app.distribute().await;
    let sold = push(&admin).await;
    assert_eq!((&sold["status"], &sold["authStatus"], &sold["upstreamNo"]), (&json!("accepted"), &json!("authorised"), &json!("A-1")));
    assert_eq!((progress(&app, &partner).await["authorisations"].clone(), frozen(&app).await), (json!([]), 0));
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE auth_url_enc IS NOT NULL").await, 0);
    assert_eq!(admin.post("/plan/push/page", json!({"authStatus": "authorised"})).await.ok()["total"], 1);
    assert_eq!(admin.post("/plan/push/page", json!({"authStatus": "waiting"})).await.ok()["total"], 0);
    books(&app).await;
}

on_both!(an_applicant_who_declines_or_stays_away_goes_to_the_next_plan);
async fn an_applicant_who_declines_or_stays_away_goes_to_the_next_plan(app: TestApp) {
    let (admin, partner, buyer, north) = by_page(&app).await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    let no = progress(&app, &partner).await["no"].clone();
    report(&app, &north, &no, false).await.ok();
    assert_eq!(report(&app, &north, &no, false).await.ok()["repeated"], true);
    app.distribute().await;
    let all = admin.post("/plan/push/page", json!({"sort": "createdAt", "order": "asc"})).await.ok()["list"].clone();
    assert_eq!(
        (&all[0]["status"], &all[0]["authStatus"], &all[0]["rejectReason"]),
        (&json!("failed"), &json!("declined"), &json!("auth_declined"))
    );
    assert_eq!((&all[1]["planName"], &all[1]["status"], frozen(&app).await), (&json!("south"), &json!("accepted"), 0));

    // A person does not push it again without the applicant's agreement.
    admin.post("/plan/push/again", json!({"id": all[0]["id"], "status": "failed"})).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE auth_url_enc IS NOT NULL").await, 0);

    // Of another, nothing is heard.
    buyer.answers(200, json!({"code": "0000", "authUrl": PAGE}));
    app.execute("UPDATE plan SET status = 'paused', version = version + 1 WHERE name = 'south'").await;
    app.app.service::<Market>().forget().await;
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(frozen(&app).await, 4500);
    app.advance(31 * 60_000);
    app.distribute().await;
    let last = app.sign_in("admin").await.post("/plan/push/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!((&last["status"], &last["authStatus"], frozen(&app).await), (&json!("failed"), &json!("expired"), 0));
    let late = progress(&app, &partner).await["no"].clone();
    report(&app, &north, &late, true).await.refused("1006");
    // It is not asked of the same organisation again.
    app.advance(3 * 3_600_000);
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 3);
    books(&app).await;
}

on_both!(a_page_that_cannot_be_opened_is_no_yes);
async fn a_page_that_cannot_be_opened_is_no_yes(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"matchUrl": "https://api.example.com/match"}), json!({"matchRequired": true})).await;
    buyer.answers(200, json!({"code": "0000", "authUrl": "javascript:alert(1)"}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!((&story(&app, &admin).await["status"], app.count("SELECT COUNT(*) FROM push_record").await), (&json!("unmatched"), 0));
}

/// Reports and the end of the time at once, on two nodes: sent once or given up once, and the hold released once.
#[tokio::test]
async fn a_report_and_the_end_of_the_time_at_once_end_it_once() {
    run(Engine::Postgres, |app| async move {
        let (admin, partner, buyer, north) = by_page(&app).await;
        let node = app.node().await;
        let no = progress(&app, &partner).await["no"].clone();
        app.advance(30 * 60_000);
        let reports = join_all((0..6).map(|number| {
            let (app, north, no) = (if number % 2 == 0 { &app } else { &node }, &north, &no);
            let body = json!({"userNo": no, "authorised": number % 3 != 0});
            async move {
                let nonce = format!("race-{number}");
                Call { path: "/open/push/authorised", ..Call::of(app, north, &nonce, &body) }.make(&app.stranger()).await.code().to_owned()
            }
        }));
        tokio::join!(reports, app.distribute(), node.distribute());
        app.advance(3_600_000);
        app.distribute().await;
        let ended = push(&app.sign_in("admin").await).await;
        drop(admin);
        let sent = buyer.received().len();
        match ended["authStatus"].as_str().unwrap() {
            "authorised" => assert_eq!((&ended["status"], sent), (&json!("accepted"), 1)),
            _ => assert_eq!((&ended["status"], sent), (&json!("failed"), 0)),
        }
        assert_eq!(frozen(&app).await, 0);
        books(&app).await;
    })
    .await;
}
