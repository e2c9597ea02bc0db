//! Sealed values and where they stand.

use aes_gcm::Aes256Gcm;
use aes_gcm::aead::{Aead, Generate, Key, KeyInit, Nonce};
use base::key_check;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use serde_json::json;

use testing::lead::{application, bring, channel};
use testing::plan::begin;
use testing::{TestApp, on_both};

/// A text as programs sealed it before values were bound to their places.
fn sealed_before(text: &str) -> String {
    let nonce = Nonce::<Aes256Gcm>::generate();
    let body = Aes256Gcm::new(&Key::<Aes256Gcm>::from([7; 32])).encrypt(&nonce, text.as_bytes()).unwrap();
    BASE64.encode([nonce.as_slice(), &body].concat())
}

async fn run(app: &TestApp, sql: String) {
    app.execute(Box::leak(sql.into_boxed_str())).await;
}

// S-L6: whoever wrote the database put one person's number with another, and it opened there.
on_both!(what_is_moved_to_another_person_or_column_does_not_open);
async fn what_is_moved_to_another_person_or_column_does_not_open(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    for number in [1, 2] {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({"ip": "203.0.113.9"}))).await.ok();
    }
    let ids = [app.count("SELECT MIN(id) FROM applicant").await, app.count("SELECT MAX(id) FROM applicant").await];
    let reveal = async |id: i64| admin.get(&format!("/user/reveal/{id}")).await;
    let [one, two] = [reveal(ids[0]).await.ok(), reveal(ids[1]).await.ok()];
    assert_ne!(one["phone"], two["phone"]);

    let phone = app.text("SELECT phone_enc FROM applicant ORDER BY id LIMIT 1").await;
    assert!(phone.starts_with("2."), "it says how it was sealed");
    for column in ["phone_enc", "name_enc"] {
        let held = format!("SELECT {column} FROM applicant ORDER BY id DESC LIMIT 1");
        let before = app.text(Box::leak(held.into_boxed_str())).await;
        run(&app, format!("UPDATE applicant SET {column} = '{phone}' WHERE id = {}", ids[1])).await;
        assert_eq!(reveal(ids[1]).await.status, 500, "{column}");
        run(&app, format!("UPDATE applicant SET {column} = '{before}' WHERE id = {}", ids[1])).await;
        assert_eq!(reveal(ids[1]).await.ok(), two);
    }
    run(&app, format!("UPDATE applicant SET name_enc = phone_enc WHERE id = {}", ids[0])).await;
    assert_eq!(reveal(ids[0]).await.status, 500, "another column of one person");
}

// S-L6: a database of before is read as it was, until everything is sealed anew.
on_both!(what_was_sealed_before_is_read_until_it_is_sealed_anew);
async fn what_was_sealed_before_is_read_until_it_is_sealed_anew(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let consent = json!({"agreement": "LOAN", "version": "3", "textHash": "a".repeat(64), "allPartners": true});
    bring(&app, &partner, "r-1", application(1, json!({"ip": "203.0.113.9", "consent": consent}))).await.ok();
    let id = app.count("SELECT id FROM applicant").await;
    let (revealed, detail) = (admin.get(&format!("/user/reveal/{id}")).await.ok(), admin.get(&format!("/user/{id}")).await.ok());
    let north = app.organisation("north").await;
    for (column, text) in
        [("phone_enc", revealed["phone"].as_str()), ("name_enc", revealed["name"].as_str()), ("client_ip_enc", Some("203.0.113.9"))]
    {
        run(&app, format!("UPDATE applicant SET {column} = '{}'", sealed_before(text.unwrap()))).await;
    }
    run(&app, format!("UPDATE consent_record SET ip = '{}'", sealed_before("203.0.113.9"))).await;
    let alerts = json!([sealed_before("10000010001"), sealed_before("10000010002")]);
    run(
        &app,
        format!(
            "UPDATE organisation SET contact_phone_enc = '{}', alert_phones_enc = '{alerts}' WHERE id = {north}",
            sealed_before("10000010003")
        ),
    )
    .await;
    run(&app, format!("UPDATE channel SET old_secret_enc = '{}'", sealed_before("an old secret"))).await;
    assert_eq!(admin.get(&format!("/user/reveal/{id}")).await.status, 500, "a new database holds no such values");

    // What the migration writes in a database that is not new.
    let before = app.node_that_starts().await;
    app.execute("INSERT INTO key_check (name, value, created_at, updated_at) VALUES ('unbound', '', 0, 0)").await;
    let node = app.node_that_starts().await;
    let reader = node.sign_in("admin").await;
    assert_eq!(reader.get(&format!("/user/reveal/{id}")).await.ok(), revealed);
    assert_eq!(reader.get(&format!("/user/{id}")).await.ok()["consents"], detail["consents"]);
    let phones = reader.get(&format!("/org/reveal/{north}")).await.ok();
    assert_eq!(phones, json!({"contactPhone": "10000010003", "alertPhones": ["10000010001", "10000010002"]}));

    assert_eq!(key_check::rotate(&node.app.db, &node.app.keys, app.now()).await.unwrap(), 7);
    assert_eq!(key_check::rotate(&node.app.db, &node.app.keys, app.now()).await.unwrap(), 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM key_check WHERE name = 'unbound'").await, 0);
    // Now whoever reads no such values reads everything.
    for node in [&app, &before, &app.node_that_starts().await] {
        let reader = node.sign_in("admin").await;
        assert_eq!(reader.get(&format!("/user/reveal/{id}")).await.ok(), revealed);
        assert_eq!(reader.get(&format!("/user/{id}")).await.ok()["clientIp"], detail["clientIp"]);
        assert_eq!(reader.get(&format!("/org/reveal/{north}")).await.ok(), phones);
    }
    app.execute("UPDATE organisation SET contact_phone_enc = NULL").await;
    run(&app, format!("UPDATE applicant SET phone_enc = '{}'", sealed_before("10000010009"))).await;
    assert_eq!(app.node_that_starts().await.sign_in("admin").await.get(&format!("/user/reveal/{id}")).await.status, 500);
}
