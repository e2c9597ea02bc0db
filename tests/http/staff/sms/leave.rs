//! How short messages leave: by the provider that is set, whatever it answers, or into the file.

use std::time::Duration;

use base::db::Engine;
use serde_json::json;
use server::dispatch;

use super::{ask_for_a_code, state};
use testing::sms::Provider;
use testing::world::PHONE;
use testing::{TestApp, on_both};

// S-M4: a code leaves by the provider, signed and under a number, once.
on_both!(a_code_leaves_by_the_provider);
async fn a_code_leaves_by_the_provider(app: TestApp) {
    let provider = Provider::of(&app).await;
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    dispatch::send_all(&app.app).await.unwrap();
    let sent = provider.sent();
    assert_eq!(sent.len(), 1);
    let (key, query, body) = &sent[0];
    assert!(key.starts_with("SMS-") && body["no"] == key.as_str(), "{body}");
    assert_eq!((&body["phone"], &body["signName"]), (&json!(PHONE), &json!("Leadlane")));
    assert!(body["text"].as_str().unwrap().contains("验证码"), "{body}");
    for part in ["appId=leadlane", "timestamp=", "nonce=", "sign="] {
        assert!(query.contains(part), "{query}");
    }
    assert!(!query.contains(PHONE));
    assert_eq!(state(&app).await, "done 1 0 ");
    assert_eq!(app.count("SELECT COUNT(*) FROM outbox_item WHERE payload_enc IS NOT NULL").await, 0);
    assert!(!app.folder().join("sms.log").exists());
}

// What the provider answered is written again and again where that fails, instead of sending the message again.
on_both!(an_outcome_that_could_not_be_written_is_written_later);
async fn an_outcome_that_could_not_be_written_is_written_later(app: TestApp) {
    let provider = Provider::of(&app).await;
    ask_for_a_code(&app).await;
    let drop = match app.app.db.engine() {
        Engine::Sqlite => {
            app.execute("CREATE TRIGGER unwritten BEFORE UPDATE OF way ON sms_message BEGIN SELECT RAISE(ABORT, 'not now'); END").await;
            "DROP TRIGGER unwritten"
        }
        Engine::Postgres => {
            app.execute("CREATE FUNCTION unwritten() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$").await;
            app.execute("CREATE TRIGGER unwritten BEFORE UPDATE OF way ON sms_message FOR EACH ROW EXECUTE FUNCTION unwritten()").await;
            "DROP TRIGGER unwritten ON sms_message"
        }
    };
    let after_two_failures = async {
        while provider.calls() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let begun = || app.app.db.times().waits.counts().total();
        // The third has begun: two have failed since the provider answered.
        let before = begun();
        while begun() < before + 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        app.execute(drop).await;
    };
    let (carried, ()) = tokio::join!(dispatch::send_all(&app.app), after_two_failures);
    carried.unwrap();
    assert_eq!(provider.sent().len(), 1);
    assert_eq!(state(&app).await, "done 1 0 ");
    assert_eq!(app.text("SELECT state || ' ' || provider_no FROM sms_message").await, "accepted P-1");
}

// S-M4: whether a message arrived may be unknown: it is sent again under its number, until it is worth nothing.
on_both!(a_lost_answer_sends_the_same_message_again);
async fn a_lost_answer_sends_the_same_message_again(app: TestApp) {
    let provider = Provider::of(&app).await;
    provider.answers(500, "{}");
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    assert_eq!(state(&app).await, "unconfirmed 1 1 http_500");
    app.advance(6_000);
    dispatch::send_all(&app.app).await.unwrap();
    assert_eq!(state(&app).await, "unconfirmed 2 2 http_500");
    let keys: Vec<String> = provider.sent().into_iter().map(|(key, _, _)| key).collect();
    assert_eq!((keys.len(), &keys[0]), (2, &keys[1]));
    // What was turned away later may have arrived before.
    provider.answers(401, "{}");
    app.advance(11_000);
    dispatch::send_all(&app.app).await.unwrap();
    assert_eq!(state(&app).await, "unconfirmed 3 2 http_401");
    app.advance(6 * 60_000);
    dispatch::send_all(&app.app).await.unwrap();
    assert_eq!((state(&app).await.as_str(), provider.sent().len()), ("unconfirmed 4 2 expired", 1));
    app.advance(60 * 60_000);
    dispatch::send_all(&app.app).await.unwrap();
    assert_eq!(provider.sent().len(), 0, "a code that is worth nothing goes out no more");
}

// C1, of messages: a number that is known after a lost answer has arrived; a refusal then leaves it in doubt.
on_both!(what_is_said_after_a_lost_answer_is_of_both_tries);
async fn what_is_said_after_a_lost_answer_is_of_both_tries(app: TestApp) {
    let provider = Provider::of(&app).await;
    for (answer, after) in [((409, "{}"), "done 2 0 "), ((200, r#"{"code":"17","msg":"no"}"#), "unconfirmed 2 1 17 no")] {
        provider.answers(500, "{}");
        ask_for_a_code(&app).await;
        dispatch::send_all(&app.app).await.unwrap();
        assert_eq!(state(&app).await, "unconfirmed 1 1 http_500");
        provider.answers(answer.0, answer.1);
        app.advance(6_000);
        dispatch::send_all(&app.app).await.unwrap();
        assert_eq!(state(&app).await, after);
        // Nothing is tried again by itself.
        app.advance(61_000);
        dispatch::send_all(&app.app).await.unwrap();
        assert_eq!((state(&app).await.as_str(), provider.sent().len()), (after, 2));
        app.execute("DELETE FROM sms_message").await;
        app.execute("DELETE FROM outbox_item").await;
        app.advance(60 * 60_000);
    }
    // Of what was never sent before it is a refusal.
    provider.answers(409, "{}");
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    assert_eq!(state(&app).await, "dead 1 0 http_409");
}

// S-M4: codes have hands of their own, and wait behind no other message.
on_both!(a_code_does_not_wait_behind_other_messages);
async fn a_code_does_not_wait_behind_other_messages(app: TestApp) {
    let _provider = Provider::of(&app).await;
    app.sign_in("admin").await.post("/sms/test", json!({"phone": PHONE})).await.ok();
    ask_for_a_code(&app).await;
    let of = "SELECT COUNT(*) FROM outbox_item i JOIN sms_message s ON s.id = i.ref_id WHERE s.kind = 'code' AND i.destination = ";
    assert_eq!(app.count(Box::leak(format!("{of} 'sms:code'").into_boxed_str())).await, 1);
    assert_eq!(app.count("SELECT COUNT(DISTINCT destination) FROM outbox_item WHERE kind = 'sms'").await, 2);
}

// S-M4: a wrong key is a fault of the line and is tried again; a number that does not exist is not.
on_both!(a_fault_of_the_line_is_no_refusal);
async fn a_fault_of_the_line_is_no_refusal(app: TestApp) {
    let provider = Provider::of(&app).await;
    provider.answers(403, "{}");
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    assert_eq!(state(&app).await, "waiting 1 0 http_403");
    provider.answers(200, r#"{"code":"17","msg":"13800000001 空号"}"#);
    app.advance(6_000);
    dispatch::send_all(&app.app).await.unwrap();
    assert_eq!(state(&app).await, "dead 2 0 17 138****0001 空号");
    app.advance(60_000);
    dispatch::send_all(&app.app).await.unwrap();
    assert_eq!(provider.sent().len(), 2);
}

// S-M4: without a provider nothing readable is kept, unless that is set.
on_both!(the_file_tells_no_codes);
async fn the_file_tells_no_codes(app: TestApp) {
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    let file = std::fs::read_to_string(app.folder().join("sms.log")).unwrap();
    assert!(file.contains("138****0001") && file.contains("验证码 ******"), "{file}");
}
