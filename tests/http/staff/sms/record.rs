//! `/sms`: the record of messages, and what people do with it.

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{ask_for_a_code, pass};
use base::clock::{self, DAY, HOUR};
use base::crypto::place;
use base::db::Engine;
use base::outbox::{self, Kind, LEASE};
use server::{dispatch, retention};
use testing::sms::{Provider, sent};
use testing::world::PHONE;
use testing::{Actor, TestApp, on_both};

/// What programs of before left behind.
const TAKEN_OVER: &str = include_str!("../../../../migrations/0061_taken_over.sql");

async fn rows(who: &Actor, filters: Value) -> Vec<Value> {
    who.post("/sms/page", filters).await.ok()["list"].as_array().unwrap().clone()
}

async fn latest(who: &Actor) -> Value {
    rows(who, json!({})).await.remove(0)
}

fn version(row: &Value) -> Value {
    json!({"id": row["id"], "version": row["version"]})
}

// S-M4: what became of a code is on record, and the code is not.
on_both!(a_code_is_on_record_without_itself);
async fn a_code_is_on_record_without_itself(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    ask_for_a_code(&app).await;
    let row = latest(&admin).await;
    assert_eq!((&row["kind"], &row["state"], &row["tries"], &row["way"]), (&json!("code"), &json!("waiting"), &json!(0), &Value::Null));
    dispatch::send_all(&app.app).await.unwrap();
    let (no, _, body) = provider.sent().pop().unwrap();
    let code = body["params"]["code"].as_str().unwrap().to_owned();
    let row = latest(&admin).await;
    assert_eq!((&row["no"], &row["phoneMask"], &row["creatorName"]), (&json!(no), &json!("138****0001"), &Value::Null));
    assert_eq!(
        (&row["state"], &row["way"], &row["providerNo"], &row["tries"]),
        (&json!("accepted"), &json!("provider"), &json!("P-1"), &json!(1))
    );
    assert_eq!(row["expiresAt"].as_i64().unwrap() - row["createdAt"].as_i64().unwrap(), 300_000);
    assert!(row["acceptedAt"].is_number());
    let detail = admin.get(&format!("/sms/{}", row["id"])).await.ok();
    assert_eq!(detail, row);
    // Nowhere in the row: neither the code, nor the phone, nor what either could be had from.
    let kept = app.text("SELECT no || phone_mask || COALESCE(last_error, '') || COALESCE(provider_no, '') FROM sms_message").await;
    assert!(!kept.contains(&code) && !kept.contains(PHONE), "{kept}");
    assert_eq!(app.count("SELECT COUNT(*) FROM outbox_item WHERE payload_enc IS NOT NULL").await, 0);
    // A phone of nobody is sent nothing, and nothing is on record of it.
    let sign = frame::sms::verification::sign("13500000009", app.now());
    app.stranger().get(&format!("/admin/sendCode?phone=13500000009&sign={sign}")).await.ok();
    assert_eq!(rows(&admin, json!({})).await.len(), 1);
}

// S-M4: a provider that repeats the code in its refusal does not bring it into the record.
on_both!(a_refusal_that_repeats_the_code_is_kept_without_it);
async fn a_refusal_that_repeats_the_code_is_kept_without_it(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    provider.answers(401, "{}");
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    let code = provider.sent()[0].2["params"]["code"].as_str().unwrap().to_owned();
    provider.answers(200, &json!({"code": "15", "msg": format!("{PHONE} 内容 {code} 违规")}).to_string());
    pass(&app, 6_000).await;
    let row = latest(&admin).await;
    assert_eq!((&row["state"], &row["lastError"], &row["tries"]), (&json!("failed"), &json!("15 138****0001 内容 *** 违规"), &json!(2)));
    assert_eq!(app.text("SELECT last_error FROM outbox_item").await, "15 138****0001 内容 *** 违规");
}

// S-M4: an item and its line stand for the same: unanswered, in doubt, expired.
on_both!(the_record_follows_the_outbox);
async fn the_record_follows_the_outbox(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    provider.answers(403, "{}");
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    let row = latest(&admin).await;
    assert_eq!((&row["state"], &row["lastError"], &row["tries"]), (&json!("waiting"), &json!("http_403"), &json!(1)));
    pass(&app, 6 * 60_000).await;
    let row = latest(&admin).await;
    assert_eq!((&row["state"], &row["lastError"], &row["tries"]), (&json!("expired"), &json!("expired"), &json!(1)));
    provider.answers(500, "{}");
    let row = sent(&app, &admin, "13612345678").await;
    assert_eq!(
        (&row["state"], &row["lastError"], &row["creatorName"]),
        (&json!("unconfirmed"), &json!("http_500"), &json!("platform admin"))
    );
}

// S-M4: whoever dies with a message in hand leaves a try that nobody has answered; the next one says so.
on_both!(a_try_that_was_cut_off_is_in_doubt);
async fn a_try_that_was_cut_off_is_in_doubt(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    admin.post("/sms/test", json!({"phone": "13612345678"})).await.ok();
    let db = &app.app.db;
    let now = db.now(&app.app.clock).await.unwrap();
    let due = outbox::queue::due_of(db.read(), Kind::Sms, now).await.unwrap();
    let mut tx = db.begin().await.unwrap();
    outbox::queue::claim(&mut tx, &due[0], now + LEASE, now).await.unwrap().expect("the item is free");
    tx.commit().await.unwrap();
    pass(&app, 1_000).await;
    assert_eq!(provider.sent().len(), 0, "it is somebody's");
    provider.answers(403, "{}");
    pass(&app, LEASE).await;
    let row = latest(&admin).await;
    assert_eq!((&row["state"], &row["lastError"]), (&json!("unconfirmed"), &json!("http_403")));
    provider.answers(200, r#"{"code":"0000"}"#);
    pass(&app, 11_000).await;
    assert_eq!((&latest(&admin).await["state"], provider.sent().len()), (&json!("accepted"), 2));
}

/// What the first page says of messages that wait for somebody: where it leads, and how many.
async fn waiting(who: &Actor) -> Vec<(String, i64)> {
    let today = who.get("/workplace").await.ok();
    let queues = today["queues"].as_array().unwrap().iter();
    let of_messages = queues.filter(|queue| queue["href"].as_str().unwrap().starts_with("/admin/sms"));
    of_messages.map(|queue| (queue["href"].as_str().unwrap().to_owned(), queue["count"].as_i64().unwrap())).collect()
}

// S-M4: what failed is tried again by a person, under its number; of two who decide the second is told.
on_both!(what_failed_is_tried_again_or_given_up_once);
async fn what_failed_is_tried_again_or_given_up_once(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    provider.answers(200, r#"{"code":"17","msg":"空号"}"#);
    let row = sent(&app, &admin, "13612345678").await;
    assert_eq!((&row["state"], &row["lastError"]), (&json!("failed"), &json!("17 空号")));
    assert_eq!(waiting(&admin).await, [("/admin/sms?state=failed".to_owned(), 1)]);
    // Two tabs show the same.
    let stale = version(&row);
    provider.answers(200, r#"{"code":"0000"}"#);
    let queued = admin.put("/sms/again", stale.clone()).await.ok();
    assert_eq!((&queued["state"], &queued["no"]), (&json!("waiting"), &row["no"]));
    let told = admin.put("/sms/giveUp", stale.clone()).await.refused("1005");
    assert_eq!(told["current"]["state"], "waiting");
    admin.put("/sms/again", version(&queued)).await.refused("1006");
    pass(&app, 0).await;
    let numbers: Vec<String> = provider.sent().into_iter().map(|(number, _, _)| number).collect();
    assert_eq!(numbers, [row["no"].as_str().unwrap(); 2], "the provider knows it by its number");
    let row = latest(&admin).await;
    assert_eq!((&row["state"], &row["tries"], &row["lastError"]), (&json!("accepted"), &json!(2), &Value::Null));
    admin.put("/sms/giveUp", version(&row)).await.refused("1006");

    provider.answers(200, r#"{"code":"17"}"#);
    let row = sent(&app, &admin, "13612345679").await;
    app.sign_in("auditor").await.put("/sms/giveUp", version(&row)).await.refused("1003");
    assert_eq!(admin.put("/sms/giveUp", version(&row)).await.ok()["state"], "given_up");
    admin.put("/sms/again", version(&row)).await.refused("1005");
    pass(&app, 60_000).await;
    assert_eq!(provider.sent().len(), 1);
    let trail = app.trail("sms_message", row["id"].as_i64().unwrap()).await;
    let told: Vec<_> = trail[0].diff.iter().map(|change| (change.field.as_str(), change.after.as_deref())).collect();
    assert_eq!((trail.len(), told), (2, vec![("state", Some("given_up"))]));
    assert_eq!(waiting(&admin).await, [], "nothing is left to decide");
    assert_eq!(admin.get(&format!("/sms/history/{}", row["id"])).await.ok().as_array().unwrap().len(), 2);
}

// S-M4: a code whose time is over is sent by nobody.
on_both!(a_code_whose_time_is_over_is_not_tried_again);
async fn a_code_whose_time_is_over_is_not_tried_again(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    provider.answers(200, r#"{"code":"17"}"#);
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    let row = latest(&admin).await;
    app.advance(290_000);
    let queued = admin.put("/sms/again", version(&row)).await.ok();
    assert_eq!(queued["expiresAt"], row["expiresAt"], "its time stays what it was");
    pass(&app, 0).await;
    let row = latest(&admin).await;
    app.advance(11_000);
    admin.put("/sms/again", version(&row)).await.refused("1006");
    assert_eq!(admin.put("/sms/giveUp", version(&row)).await.ok()["state"], "given_up");
    assert_eq!(provider.sent().len(), 2);
}

// S-M4: a phone is found by its whole number, counted, and a message by either of its numbers.
on_both!(a_message_is_found_by_phone_number_kind_state_and_day);
async fn a_message_is_found_by_phone_number_kind_state_and_day(app: TestApp) {
    let (_provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    ask_for_a_code(&app).await;
    let test = sent(&app, &admin, "13612345678").await;
    for (filters, found) in [
        (json!({"keyword": "13612345678"}), 1),
        (json!({"keyword": PHONE}), 1),
        (json!({"keyword": "13612345679"}), 0),
        (json!({"keyword": "1361234"}), 0),
        (json!({"keyword": test["no"].as_str().unwrap().to_lowercase()}), 1),
        (json!({"keyword": "P-1"}), 2),
        (json!({"kind": "test"}), 1),
        (json!({"kind": "code", "state": "accepted"}), 1),
        (json!({"state": "failed"}), 0),
        (json!({"createdFrom": clock::day(app.now()).to_string()}), 2),
        (json!({"createdTo": "2020-01-01"}), 0),
        (json!({"sort": "createdAt", "order": "asc", "pageSize": 1}), 1),
    ] {
        assert_eq!(rows(&admin, filters.clone()).await.len(), found, "{filters}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE module = 'sms' AND action = 'search'").await, 3);
    let file = admin.export("/sms/page/export", json!({"format": "csv", "kind": "test"})).await;
    let text = String::from_utf8(file.body.to_vec()).unwrap();
    assert!(text.contains("136****5678") && text.contains("测试") && !text.contains("13612345678"), "{text}");
}

// S-M4: a test is sent by who may, not too often, and its row says what became of it.
on_both!(a_test_message_shows_what_becomes_of_it);
async fn a_test_message_shows_what_becomes_of_it(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let row = sent(&app, &admin, "13612345678").await;
    assert_eq!((&row["kind"], &row["state"], &row["way"]), (&json!("test"), &json!("accepted"), &json!("file")));
    for wrong in ["", "1361234567", "23612345678", "1361234567x"] {
        admin.post("/sms/test", json!({ "phone": wrong })).await.wrong("phone");
    }
    let again = admin.post("/sms/test", json!({"phone": "13612345678"})).await;
    again.refused("4029");
    assert!((50..=60).contains(&again.header("retry-after").unwrap().parse::<i64>().unwrap()));
    for number in 1..20 {
        admin.post("/sms/test", json!({"phone": format!("136123400{number:02}")})).await.ok();
    }
    admin.post("/sms/test", json!({"phone": "13612349999"})).await.refused("4029");
    app.sign_in("auditor").await.post("/sms/test", json!({"phone": "13612349999"})).await.refused("1003");
    let trail = app.trail("sms_message", row["id"].as_i64().unwrap()).await;
    let told: Vec<_> = trail[0].diff.iter().map(|change| change.field.as_str()).collect();
    assert_eq!((told.contains(&"phoneMask"), trail[0].admin_name.as_str()), (true, "platform admin"));
    // The same request made twice is one message.
    app.advance(2 * HOUR);
    let once = app.sign_in("admin").await.with("idempotency-key", "t-1");
    let made = once.post("/sms/test", json!({"phone": "13612345678"})).await.ok();
    assert_eq!(once.post("/sms/test", json!({"phone": "13612345678"})).await.ok()["id"], made["id"]);
    assert_eq!(app.count("SELECT COUNT(*) FROM sms_message").await, 21);
}

// S-M4: what a program of before there was a record has queued is taken over and followed.
on_both!(messages_of_an_older_program_are_taken_over);
async fn messages_of_an_older_program_are_taken_over(app: TestApp) {
    app.before_the_outbox().await;
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    let text = json!({"phone": "13612345678", "text": "【Leadlane】验证码 123456"}).to_string();
    let sealed = |key: &str| app.app.keys.seal(&place::OUTBOX_PAYLOAD.of(key), &text);
    let run = async |statement: String| app.execute(Box::leak(statement.into_boxed_str())).await;
    let now = app.now();
    for (key, state, due) in [("code:900", "waiting", "1"), ("low-balance-1-1-0", "dead", "NULL"), ("push-1-sms-0", "done", "NULL")] {
        let payload = if state == "done" { "NULL".to_owned() } else { format!("'{}'", sealed(key)) };
        run(format!(
            "INSERT INTO outbox_item (kind, destination, idem_key, payload_enc, state, due_at, created_at, updated_at) \
             VALUES ('sms', 'sms', '{key}', {payload}, '{state}', {due}, {now}, {now})"
        ))
        .await;
    }
    // One of before the outbox, and one that was sent then.
    for (key, status) in [("push-2-sms-0", "waiting"), ("push-3-sms-0", "sent")] {
        let payload = sealed(key);
        run(format!(
            "INSERT INTO outbox (kind, idem_key, payload_enc, status, next_at, created_at) \
             VALUES ('sms', '{key}', '{payload}', '{status}', 1, {now})"
        ))
        .await;
    }
    for _ in 0..2 {
        app.migrate(TAKEN_OVER).await;
    }
    dispatch::send_all(&app.app).await.unwrap();
    let sent = provider.sent();
    assert_eq!(sent.len(), 2);
    for (key, _, body) in sent {
        assert_eq!((&body["text"], &body["params"], key.starts_with("SMS-")), (&json!("【Leadlane】验证码 123456"), &json!({}), true));
    }
    let mut seen: Vec<String> =
        rows(&admin, json!({})).await.iter().map(|row| format!("{} {} {}", row["kind"], row["state"], row["phoneMask"])).collect();
    seen.sort();
    assert_eq!(seen, [r#""code" "accepted" "***""#, r#""low_balance" "failed" "***""#, r#""new_lead" "accepted" "***""#]);
    assert_eq!(app.count("SELECT COUNT(*) FROM outbox").await, 0);
    // A person decides about it as about any other.
    let failed = rows(&admin, json!({"state": "failed"})).await.remove(0);
    admin.put("/sms/again", json!({"id": failed["id"], "version": failed["version"]})).await.ok();
    dispatch::send_all(&app.app).await.unwrap();
    assert_eq!(provider.sent().len(), 1);
}

// S-M4: what a program that keeps no record has carried is on record after the migration.
on_both!(what_an_older_node_has_carried_is_followed);
async fn what_an_older_node_has_carried_is_followed(app: TestApp) {
    app.before_the_outbox().await;
    let admin = app.sign_in("admin").await;
    for (number, ended) in ["done", "dead", "expired", "unconfirmed"].iter().enumerate() {
        let id = admin.post("/sms/test", json!({"phone": format!("1361234000{number}")})).await.ok()["id"].clone();
        let carried = format!("UPDATE outbox_item SET state = '{ended}', due_at = NULL, last_error = 'http_403' WHERE ref_id = {id}");
        app.execute(Box::leak(carried.into_boxed_str())).await;
    }
    app.migrate(TAKEN_OVER).await;
    let states: Vec<Value> =
        rows(&admin, json!({"sort": "createdAt", "order": "asc"})).await.iter().map(|row| row["state"].clone()).collect();
    assert_eq!(states, ["accepted", "failed", "expired", "unconfirmed"]);
}

// A message that fails in this program each time ends, and its record with it, in one transaction.
on_both!(a_message_that_cannot_be_made_ready_ends_with_its_record);
async fn a_message_that_cannot_be_made_ready_ends_with_its_record(app: TestApp) {
    let (_, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    let id = admin.post("/sms/test", json!({"phone": "13612345678"})).await.ok()["id"].clone();
    // It ends by its tries, not by its time.
    app.execute("UPDATE outbox_item SET expires_at = NULL").await;
    // Neither a try nor the end of the tries can be written down.
    let (guard, when) = ("BEFORE UPDATE ON sms_message", "WHEN (NEW.tries > OLD.tries OR NEW.last_error = 'too_many_tries')");
    match app.app.db.engine() {
        Engine::Sqlite => {
            let trigger = format!("CREATE TRIGGER unready {guard} {when} BEGIN SELECT RAISE(ABORT, 'not now'); END");
            app.execute(Box::leak(trigger.into_boxed_str())).await;
        }
        Engine::Postgres => {
            app.execute("CREATE FUNCTION unready() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$").await;
            let trigger = format!("CREATE TRIGGER unready {guard} FOR EACH ROW {when} EXECUTE FUNCTION unready()");
            app.execute(Box::leak(trigger.into_boxed_str())).await;
        }
    }
    for _ in 0..9 {
        dispatch::carry_due(&app.app, Kind::Sms).await.unwrap();
        app.advance(2 * HOUR);
    }
    let admin = app.sign_in("admin").await;
    assert_eq!(rows(&admin, json!({})).await[0]["state"], "waiting");
    dispatch::carry_due(&app.app, Kind::Sms).await.unwrap();
    let row = admin.get(&format!("/sms/{id}")).await.ok();
    assert_eq!((&row["state"], &row["lastError"]), (&json!("failed"), &json!("own_fault")));
}

// S-M4: what has ended goes after its days; what a person may still decide about stays.
on_both!(old_messages_go_at_night);
async fn old_messages_go_at_night(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    provider.answers(200, r#"{"code":"17"}"#);
    for phone in ["13612345678", "13612345679"] {
        sent(&app, &admin, phone).await;
    }
    // As an organisation's is.
    app.execute("UPDATE sms_message SET kind = 'new_lead' WHERE phone_mask = '136****5679'").await;
    let night = |days: i64| clock::start(clock::day(app.now() + days * DAY)) + 5 * HOUR - app.now();
    app.advance(night(100));
    retention::tonight(&app.app, &CancellationToken::new()).await.unwrap().expect("it is this node's night");
    assert_eq!(app.count("SELECT COUNT(*) FROM sms_message").await, 3, "within their days they stay");
    app.set("sms.keep_days", json!(90)).await;
    app.advance(night(1));
    retention::tonight(&app.app, &CancellationToken::new()).await.unwrap().expect("another night");
    assert_eq!(app.text("SELECT kind || ' ' || state FROM sms_message").await, "new_lead failed");
    assert_eq!(app.count("SELECT COUNT(*) FROM outbox_item WHERE state = 'dead'").await, 1, "and what would carry it");
}
