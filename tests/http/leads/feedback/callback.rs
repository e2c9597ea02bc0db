//! Word to the channel that brought an applicant.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::routing::post;
use base::outbox::Kind;
use serde_json::{Value, json};
use server::dispatch;
use tokio::net::TcpListener;

use testing::feedback::{Sold, send_report, sold};
use testing::open::Call;
use testing::{TestApp, on_both};

const MINUTE: i64 = 60_000;

/// A channel's server that answers what it is told to.
#[derive(Clone)]
struct Supplier(Arc<Mutex<Heard>>);

/// The status that it answers, and what it was sent: query and body.
struct Heard {
    status: u16,
    sent: Vec<(String, String)>,
}

impl Supplier {
    /// Starts it, and has the only channel told there.
    async fn of(app: &TestApp) -> Supplier {
        let supplier = Supplier(Arc::new(Mutex::new(Heard { status: 200, sent: Vec::new() })));
        let state = supplier.clone();
        let answer = move |RawQuery(query): RawQuery, body: Bytes| {
            let mut held = state.0.lock().unwrap();
            held.sent.push((query.unwrap_or_default(), String::from_utf8(body.to_vec()).unwrap()));
            let status = held.status;
            async move { (StatusCode::from_u16(status).unwrap(), "拨打 13812345678") }
        };
        let router = Router::new().route("/back/status", post(answer));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        // No form takes an address of this machine.
        let sql = format!("UPDATE channel SET callback_url = 'http://{}/back/status?k=1'", listener.local_addr().unwrap());
        app.execute(Box::leak(sql.into_boxed_str())).await;
        tokio::spawn(async move { axum::serve(listener, router).await });
        supplier
    }

    fn answers(&self, status: u16) {
        self.0.lock().unwrap().status = status;
    }

    fn received(&self) -> Vec<(String, String)> {
        std::mem::take(&mut self.0.lock().unwrap().sent)
    }
}

async fn tell_channels(app: &TestApp) {
    lead::feedback::notify_all(&app.app).await.unwrap();
}

on_both!(a_channel_is_told_once_signed_and_nothing_of_buyers);
async fn a_channel_is_told_once_signed_and_nothing_of_buyers(app: TestApp) {
    let Sold { admin, channel, north, no, .. } = sold(&app).await;
    let supplier = Supplier::of(&app).await;
    let report = json!({"requestId": "f-1", "no": no, "star": 3, "endCode": "disbursed", "loanCents": 500, "content": "北辰已放款"});
    send_report(&app, &north, report.clone()).await.ok();
    send_report(&app, &north, report).await.ok();
    tell_channels(&app).await;
    tell_channels(&app).await;
    let sent = supplier.received();
    assert_eq!(sent.len(), 1);
    let (query, body) = &sent[0];
    let told: Value = serde_json::from_str(body).unwrap();
    let user_no = app.text("SELECT no FROM applicant").await;
    assert_eq!((&told["event"], &told["no"], &told["requestId"]), (&json!("feedback"), &json!(user_no), &json!("r-1")));
    assert_eq!((&told["star"], &told["endCode"], &told["loanCents"]), (&json!(3), &json!("disbursed"), &json!(500)));
    assert!(!body.contains("北辰") && !body.contains(&no) && !body.contains("4500"), "{body}");
    // As the channel signs what it tells us.
    let pairs: Vec<(&str, &str)> = query.split('&').map(|pair| pair.split_once('=').unwrap()).collect();
    let of = |name: &str| pairs.iter().find(|(key, _)| *key == name).unwrap().1.to_owned();
    let call = Call {
        path: "/back/status",
        app_id: channel.app_key,
        secret: channel.secret,
        timestamp: of("timestamp").parse().unwrap(),
        nonce: of("nonce"),
        body: body.clone(),
    };
    assert_eq!((of("sign"), of("k"), of("appId")), (call.sign(), "1".to_owned(), call.app_id.clone()));

    let id = app.count("SELECT id FROM feedback").await;
    let detail = admin.get(&format!("/user/feedback/{id}")).await.ok();
    assert_eq!((&detail["callbackStatus"], &detail["tries"][0]["httpStatus"]), (&json!("sent"), &json!(200)));
    assert_eq!(detail["tries"][0]["response"], "拨打 138****5678");
    assert!(detail["sentToChannelAt"].is_i64() && !detail["tries"][0]["url"].as_str().unwrap().contains("sign"));
    // How channels are told is nothing for organisations.
    testing::feedback::grant(&app, "org_manager", "user/feedback-list").await;
    let theirs = app.sign_in("north.manager").await.get(&format!("/user/feedback/{id}")).await.ok();
    assert_eq!(theirs["tries"], json!([]));
}

on_both!(a_callback_on_a_test_lead_says_that_it_is_one);
async fn a_callback_on_a_test_lead_says_that_it_is_one(app: TestApp) {
    let Sold { admin, user_id, .. } = sold(&app).await;
    let supplier = Supplier::of(&app).await;
    for (test, expected) in [(0, None), (1, Some(json!(true)))] {
        app.execute(if test == 1 { "UPDATE applicant SET test = 1" } else { "UPDATE applicant SET test = 0" }).await;
        admin.post("/user/feedback", json!({"userId": user_id, "star": 2 + test})).await.ok();
        tell_channels(&app).await;
        let told: Value = serde_json::from_str(&supplier.received()[0].1).unwrap();
        assert_eq!(told.get("test"), expected.as_ref());
    }
}

on_both!(a_server_that_fails_is_told_again_and_given_up);
async fn a_server_that_fails_is_told_again_and_given_up(app: TestApp) {
    let Sold { admin, user_id, .. } = sold(&app).await;
    let supplier = Supplier::of(&app).await;
    supplier.answers(503);
    let row = admin.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.ok();
    assert_eq!(row["callbackStatus"], "waiting");
    tell_channels(&app).await;
    tell_channels(&app).await;
    assert_eq!(supplier.received().len(), 1, "not before its time");
    for minutes in [1, 5, 30] {
        app.advance(minutes * MINUTE + 1);
        tell_channels(&app).await;
        assert_eq!(supplier.received().len(), 1, "after {minutes} minutes");
    }
    app.advance(60 * MINUTE);
    tell_channels(&app).await;
    assert_eq!(supplier.received().len(), 0);
    let admin = app.sign_in("admin").await;
    let detail = admin.get(&format!("/user/feedback/{}", row["id"])).await.ok();
    assert_eq!((&detail["callbackStatus"], detail["tries"].as_array().unwrap().len()), (&json!("unconfirmed"), 4));
    assert_eq!((&detail["tries"][3]["error"], &detail["lastError"]), (&json!("bad_status"), &json!("bad_status")));

    supplier.answers(200);
    let version = json!({"id": row["id"], "version": detail["version"]});
    admin.put("/user/feedback/resend", version.clone()).await.ok();
    admin.put("/user/feedback/resend", version).await.refused("1005");
    tell_channels(&app).await;
    let detail = admin.get(&format!("/user/feedback/{}", row["id"])).await.ok();
    assert_eq!((&detail["callbackStatus"], detail["tries"].as_array().unwrap().len()), (&json!("sent"), 5));
    admin.put("/user/feedback/resend", json!({"id": row["id"], "version": detail["version"]})).await.refused("1006");
}

// H2, of callbacks: what could not be told is tried again by a person, or given up by one.
on_both!(what_cannot_be_told_is_given_up_by_a_person);
async fn what_cannot_be_told_is_given_up_by_a_person(app: TestApp) {
    let Sold { admin, user_id, .. } = sold(&app).await;
    let supplier = Supplier::of(&app).await;
    supplier.answers(404);
    let row = admin.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.ok();
    let version = json!({"id": row["id"], "version": row["version"]});
    admin.put("/user/feedback/giveUp", version).await.refused("1006");
    for _ in 0..4 {
        tell_channels(&app).await;
        app.advance(60 * MINUTE);
    }
    let admin = app.sign_in("admin").await;
    let failed = admin.get(&format!("/user/feedback/{}", row["id"])).await.ok();
    assert_eq!((&failed["callbackStatus"], &failed["lastError"]), (&json!("failed"), &json!("bad_status")));
    assert_eq!(app.text("SELECT state FROM outbox_item WHERE kind = 'callback'").await, "dead");
    let version = json!({"id": row["id"], "version": failed["version"]});
    app.sign_in("auditor").await.put("/user/feedback/giveUp", version.clone()).await.refused("1003");
    assert_eq!(admin.put("/user/feedback/giveUp", version.clone()).await.ok()["callbackStatus"], "given_up");
    admin.put("/user/feedback/giveUp", version).await.refused("1005");
    assert_eq!(app.text("SELECT state FROM outbox_item WHERE kind = 'callback'").await, "given_up");
    let trail = app.trail("feedback", row["id"].as_i64().unwrap()).await;
    let change = trail[0].diff.iter().find(|change| change.field == "callbackStatus").expect("it is in the trail");
    assert_eq!((change.before.as_deref(), change.after.as_deref()), (Some("failed"), Some("given_up")));
    // Nobody is told, and it is no dead letter any more.
    app.advance(60 * MINUTE);
    supplier.received();
    tell_channels(&app).await;
    let given_up = app.sign_in("admin").await.get(&format!("/user/feedback/{}", row["id"])).await.ok();
    assert_eq!((supplier.received().len(), &given_up["lastError"]), (0, &json!(null)));
}

// C1, of callbacks: after a try without an answer 409 says that it had arrived; where no try has one, a person decides.
on_both!(word_that_may_have_arrived_is_in_doubt);
async fn word_that_may_have_arrived_is_in_doubt(app: TestApp) {
    let Sold { admin, user_id, .. } = sold(&app).await;
    let supplier = Supplier::of(&app).await;
    let id = admin.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.ok()["id"].clone();
    supplier.answers(409);
    tell_channels(&app).await;
    let stands = "SELECT state || ' ' || unanswered FROM outbox_item WHERE kind = 'callback'";
    assert_eq!(app.text(stands).await, "waiting 0", "of what was never sent it says nothing");
    supplier.answers(500);
    app.advance(2 * MINUTE);
    tell_channels(&app).await;
    assert_eq!(app.text(stands).await, "unconfirmed 1");
    // What does not arrive later does not take that back.
    supplier.answers(404);
    for _ in 0..2 {
        app.advance(60 * MINUTE);
        tell_channels(&app).await;
    }
    let admin = app.sign_in("admin").await;
    let row = admin.get(&format!("/user/feedback/{id}")).await.ok();
    assert_eq!((&row["callbackStatus"], app.text(stands).await.as_str()), (&json!("unconfirmed"), "unconfirmed 1"));
    let waits = admin.post("/user/feedback/page", json!({"callbackStatus": "unconfirmed"})).await.ok();
    assert_eq!(waits["total"], 1);
    let counted = admin.get("/workplace").await.ok().to_string();
    assert!(counted.contains("callbackStatus=unconfirmed"), "it is on the first page");
    admin.put("/user/feedback/resend", json!({"id": id, "version": row["version"]})).await.ok();
    supplier.answers(409);
    tell_channels(&app).await;
    assert_eq!(app.text("SELECT callback_status FROM feedback").await, "sent");
}

// A callback that waited for longer than three days is not sent any more. A person decides, and may send it again.
on_both!(a_callback_is_not_sent_after_its_expiry);
async fn a_callback_is_not_sent_after_its_expiry(app: TestApp) {
    let Sold { admin, user_id, .. } = sold(&app).await;
    let supplier = Supplier::of(&app).await;
    let mut ids = Vec::new();
    for status in [404, 500] {
        supplier.answers(status);
        ids.push(admin.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.ok()["id"].clone());
        tell_channels(&app).await;
    }
    assert_eq!(supplier.received().len(), 2);
    supplier.answers(200);
    app.advance(3 * 24 * 60 * MINUTE + MINUTE);
    tell_channels(&app).await;
    assert_eq!(supplier.received().len(), 0);
    let admin = app.sign_in("admin").await;
    for (id, status) in ids.iter().zip(["failed", "unconfirmed"]) {
        let row = admin.get(&format!("/user/feedback/{id}")).await.ok();
        let seen = (&row["callbackStatus"], &row["lastError"], row["tries"].as_array().unwrap().len());
        assert_eq!(seen, (&json!(status), &json!("expired"), 1));
        admin.put("/user/feedback/resend", json!({"id": id, "version": row["version"]})).await.ok();
    }
    tell_channels(&app).await;
    assert_eq!((supplier.received().len(), app.count("SELECT COUNT(*) FROM feedback WHERE callback_status = 'sent'").await), (2, 2));
}

// M7, of callbacks: what fails in us each time is put off, ends, and holds up nobody.
on_both!(word_that_we_cannot_make_ready_is_put_off_and_ends);
async fn word_that_we_cannot_make_ready_is_put_off_and_ends(app: TestApp) {
    let Sold { admin, user_id, .. } = sold(&app).await;
    let supplier = Supplier::of(&app).await;
    let row = admin.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.ok();
    let stands = "SELECT state || ' ' || tries || ' ' || COALESCE(last_error, '') FROM outbox_item WHERE kind = 'callback'";
    app.execute("ALTER TABLE feedback_attempt RENAME TO feedback_attempt_away").await;
    let carry = async || dispatch::carry_due(&app.app, Kind::Callback).await.unwrap();
    carry().await;
    carry().await;
    assert_eq!(app.text(stands).await, "waiting 1 own_fault", "not due again at once");
    for _ in 0..12 {
        app.advance(24 * 60 * MINUTE);
        carry().await;
    }
    app.execute("ALTER TABLE feedback_attempt_away RENAME TO feedback_attempt").await;
    assert!(app.text(stands).await.starts_with("dead "), "{}", app.text(stands).await);
    let admin = app.sign_in("admin").await;
    let failed = admin.get(&format!("/user/feedback/{}", row["id"])).await.ok();
    assert_eq!((&failed["callbackStatus"], supplier.received().len()), (&json!("failed"), 0));
    // It is seen, and tried again.
    admin.put("/user/feedback/resend", json!({"id": row["id"], "version": failed["version"]})).await.ok();
    carry().await;
    assert_eq!((app.text("SELECT callback_status FROM feedback").await.as_str(), supplier.received().len()), ("sent", 1));
}

on_both!(what_a_crash_left_behind_is_told);
async fn what_a_crash_left_behind_is_told(app: TestApp) {
    let Sold { admin, user_id, .. } = sold(&app).await;
    let supplier = Supplier::of(&app).await;
    admin.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.ok();
    // Somebody was about to tell it, and is gone.
    let lease = format!(
        "UPDATE outbox_item SET state = 'sending', tries = 1, unanswered = 1, due_at = {} WHERE kind = 'callback'",
        app.now() + 2 * MINUTE
    );
    app.execute(Box::leak(lease.into_boxed_str())).await;
    tell_channels(&app).await;
    assert_eq!(supplier.received().len(), 0);
    app.advance(2 * MINUTE + 1);
    tell_channels(&app).await;
    assert_eq!(supplier.received().len(), 1);
    assert_eq!(app.text("SELECT callback_status FROM feedback").await, "sent");
}

on_both!(callbacks_from_before_the_outbox_are_taken_over);
async fn callbacks_from_before_the_outbox_are_taken_over(app: TestApp) {
    app.before_the_outbox().await;
    let Sold { admin, user_id, .. } = sold(&app).await;
    let supplier = Supplier::of(&app).await;
    admin.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.ok();
    // One that is due for longer than a callback is sent has expired; one that is due now is sent.
    for (due_at, sent) in [(1, 0), (app.now(), 1)] {
        app.execute("DELETE FROM outbox_item").await;
        let due = format!("UPDATE feedback SET callback_status = 'waiting', callback_due_at = {due_at}");
        app.execute(Box::leak(due.into_boxed_str())).await;
        app.migrate(include_str!("../../../../migrations/0061_taken_over.sql")).await;
        tell_channels(&app).await;
        assert_eq!(supplier.received().len(), sent);
        assert_eq!(app.text("SELECT callback_status FROM feedback").await, if sent == 1 { "sent" } else { "failed" });
    }
    // A callback that an older node has given up has the status that says so.
    for (item, status) in [("dead", "failed"), ("unconfirmed", "unconfirmed")] {
        app.execute("UPDATE feedback SET callback_status = 'waiting'").await;
        app.execute(Box::leak(format!("UPDATE outbox_item SET state = '{item}', due_at = NULL").into_boxed_str())).await;
        app.migrate(include_str!("../../../../migrations/0061_taken_over.sql")).await;
        assert_eq!(app.text("SELECT callback_status FROM feedback").await, status);
    }
}

on_both!(nobody_is_told_without_an_address);
async fn nobody_is_told_without_an_address(app: TestApp) {
    let Sold { admin, channel, user_id, .. } = sold(&app).await;
    let row = admin.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.ok();
    assert_eq!(row["callbackStatus"], "none");
    // The form takes addresses of public hosts alone.
    let now = admin.get(&format!("/channel/{}", channel.id)).await.ok();
    for address in ["http://example.com/a", "https://127.0.0.1/", "https://user@example.com/", "https://intranet/"] {
        let mut form = testing::channel::form("lead-chan");
        form["id"] = json!(channel.id);
        form["version"] = now["version"].clone();
        form["callbackUrl"] = json!(address);
        admin.put("/channel", form).await.wrong("callbackUrl");
    }
}
