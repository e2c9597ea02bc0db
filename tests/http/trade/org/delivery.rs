//! `/org/api`: how leads reach an organisation.

use base::clock::HOUR;
use serde_json::{Value, json};

use testing::org::delivery::{FIRST, settings};
use testing::org::with;
use testing::{TestApp, on_both};

/// An RSA key of 1024 bits.
const SHORT_KEY: &str = "-----BEGIN PUBLIC KEY-----\n\
    MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDGxoJlgXzI0OVvt6L0koXdURu6\n\
    vJL3mR851y+gGH447itcLkDPT19t40z1Wp2t5TfUnmrDYIjWS0aLXiTZDltMBzbo\n\
    Hy/zeJ2QFShCDJkTp8WM9QZIUxbMwh9XAvJxh4uM9Cpla8g4P+43h/aKCn2kkX95\n\
    TKcrCLGO5HZ+x/iBZwIDAQAB\n-----END PUBLIC KEY-----";

const SECOND: &str = "ffeeddccbbaa99887766554433221100";

/// The administrator proposes settings, and another person approves them.
pub async fn save(app: &TestApp, settings: Value) -> Value {
    let row = app.sign_in("admin").await.put("/org/api", settings).await.ok();
    app.approve("/org/api", &row).await
}

on_both!(keys_come_in_and_never_go_out);
async fn keys_come_in_and_never_go_out(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let north = app.organisation("north").await;
    let blank = admin.get(&format!("/org/api/{north}")).await.ok();
    assert_eq!((&blank["version"], &blank["status"], &blank["keys"]), (&json!(0), &json!("disabled"), &json!([])));

    let saved = save(&app, settings(north, 0)).await;
    assert_eq!((&saved["version"], &saved["valueMap"]["sex"]["male"]), (&json!(3), &json!("1")));
    assert_eq!(saved["keys"].as_array().unwrap().len(), 1);
    // Without a key the one there is stays.
    let kept = admin.put("/org/api", with(settings(north, 3), json!({"key": null, "retryMax": 5}))).await.ok();
    assert_eq!(kept["keys"], saved["keys"]);
    // Another one, and for a day both are valid.
    let rotated = save(&app, with(settings(north, 4), json!({"key": SECOND}))).await;
    assert_eq!(rotated["keys"].as_array().unwrap().len(), 2);
    assert_eq!((&rotated["keys"][1]["fingerprint"], &rotated["keys"][0]["validUntil"]), (&saved["keys"][0]["fingerprint"], &Value::Null));
    app.advance(25 * HOUR);
    let admin = app.sign_in("admin").await;
    let later = admin.get(&format!("/org/api/{north}")).await.ok();
    assert_eq!(later["keys"].as_array().unwrap().len(), 1);

    let history = admin.get(&format!("/org/history/{north}")).await.ok();
    let fields: Vec<&str> = history[0]["diff"].as_array().unwrap().iter().map(|change| change["field"].as_str().unwrap()).collect();
    assert!(fields.contains(&"api.key") && fields.contains(&"api.retryMax"), "{fields:?}");
    assert!(history.to_string().contains("phone = mobile"));
    for text in [
        saved.to_string(),
        rotated.to_string(),
        later.to_string(),
        history.to_string(),
        admin.get(&format!("/org/{north}")).await.ok().to_string(),
        app.text("SELECT keys_enc FROM org_api_config").await,
    ] {
        assert!(!text.contains(FIRST) && !text.contains(SECOND), "{text}");
    }
    assert_eq!(admin.put("/org/api", settings(north, 1)).await.refused("1005")["current"]["version"], 7);
}

on_both!(where_leads_go_changes_once_a_second_person_agrees);
async fn where_leads_go_changes_once_a_second_person_agrees(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let north = app.organisation("north").await;
    let used = save(&app, settings(north, 0)).await;
    let now = async |actor: &testing::Actor| actor.get(&format!("/org/api/{north}")).await.ok();
    let decision = |row: &Value, approve: bool| json!({"id": north, "version": row["version"], "approve": approve, "note": "原因"});
    let change = |row: &Value, changes: Value| with(settings(north, 0), with(json!({"version": row["version"], "key": null}), changes));
    // The address, the encryption and the key, each alone, and what is changed with them.
    for changes in [
        json!({"applyUrl": "https://collect.evil.example.com/apply"}),
        json!({"matchUrl": "https://collect.evil.example.com/check"}),
        json!({"queryUrl": "https://collect.evil.example.com/q", "queryOkExpr": "a == 1"}),
        json!({"crypto": "none"}),
        json!({"key": SECOND, "retryMax": 9}),
    ] {
        let row = operator.put("/org/api", change(&now(&operator).await, changes.clone())).await.ok();
        let kept = ["matchUrl", "applyUrl", "queryUrl", "crypto", "keys", "retryMax", "status"];
        assert!(kept.iter().all(|field| row[field] == used[field]), "{changes}: {row}");
        assert!(row["proposed"].is_object() && row["decision"]["action"] == "change_delivery", "{row}");
        let makers = app.count("SELECT id FROM administrator WHERE username = 'operator'").await;
        assert_eq!(operator.get(&format!("/org/{north}")).await.ok()["deliveryMakers"], json!([makers]));
        operator.put("/org/api/audit", decision(&row, true)).await.refused("1006");
        // Nothing else is written over it; with a key it goes on being proposed.
        if changes["key"].is_null() {
            operator.put("/org/api", change(&row, json!({"timeoutMs": 600}))).await.refused("1006");
        }
        operator.put("/org/api", change(&row, json!({"timeoutMs": 600, "status": "disabled"}))).await.refused("1006");
        let row = admin.put("/org/api/audit", decision(&row, false)).await.ok();
        assert!(row["proposed"].is_null() && row["applyUrl"] == used["applyUrl"]);
    }
    let row = operator.put("/org/api", change(&now(&operator).await, json!({"applyUrl": "https://api.example.com/v1b"}))).await.ok();
    let row = operator.put("/org/api", change(&row, json!({"status": "disabled"}))).await.ok();
    assert!(row["status"] == "disabled" && row["proposed"].is_object(), "one person is enough to stop: {row}");
    let row = admin.put("/org/api/audit", decision(&row, false)).await.ok();
    assert_eq!((&row["status"], &row["proposed"]), (&json!("disabled"), &Value::Null));
    // Approved, all of it holds, with the key that was proposed.
    let row = operator.put("/org/api", change(&row, json!({"applyUrl": "https://api.example.com/v2", "key": SECOND}))).await.ok();
    // The review has the new key, and for how long the one in use stays.
    let shown = &row["proposed"]["keys"];
    assert_eq!((&shown[0]["isProposed"], &shown[0]["overlapHours"]), (&json!(true), &Value::Null));
    assert_eq!((&shown[1]["fingerprint"], &shown[1]["overlapHours"]), (&row["keys"][0]["fingerprint"], &json!(24)));
    assert!(!app.text("SELECT proposed_enc FROM org_api_config").await.contains(SECOND));
    let todo = app.text("SELECT link_query FROM message WHERE biz_type = 'org_api_config' AND done_at IS NULL AND type = 'todo'").await;
    assert!(!todo.is_empty());
    let proposed = row["proposed"]["keys"][0]["fingerprint"].clone();
    let row = admin.put("/org/api/audit", decision(&row, true)).await.ok();
    assert_eq!(
        (&row["applyUrl"], &row["status"], &row["keys"][0]["fingerprint"]),
        (&json!("https://api.example.com/v2"), &json!("enabled"), &proposed)
    );
    assert_eq!(app.count("SELECT COUNT(*) FROM org_api_config WHERE proposed_enc IS NOT NULL").await, 0);
    // The one who proposed it takes it back; people of the organisation do neither.
    let row = operator.put("/org/api", change(&row, json!({"crypto": "none"}))).await.ok();
    let version = json!({"id": north, "version": row["version"]});
    admin.put("/org/api/withdraw", version.clone()).await.refused("1006");
    operator.put("/org/api/withdraw", version).await.ok();
    let history = admin.get(&format!("/org/history/{north}")).await.ok().to_string();
    assert!(history.contains("asked.api.applyUrl") && history.contains("collect.evil.example.com"), "{history}");
    assert!(!history.contains(SECOND));
    // Roles that may not see the settings do not read them in the history.
    let seen = app.sign_in("auditor").await.get(&format!("/org/history/{north}")).await.ok().to_string();
    assert!(!seen.contains("api.") && !seen.contains("example.com"), "{seen}");
}

on_both!(an_empty_key_keeps_the_one_that_is_proposed);
async fn an_empty_key_keeps_the_one_that_is_proposed(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let north = app.organisation("north").await;
    let used = save(&app, settings(north, 0)).await["keys"][0]["fingerprint"].clone();
    let put = async |changes: Value| {
        let version = operator.get(&format!("/org/api/{north}")).await.ok()["version"].clone();
        operator.put("/org/api", with(settings(north, 0), with(json!({"version": version, "key": null}), changes))).await.ok()
    };
    let fingerprint = |row: &Value| row["proposed"]["keys"][0]["fingerprint"].clone();
    let row = put(json!({"key": SECOND, "overlapHours": 48})).await;
    let proposed = fingerprint(&row);
    assert_ne!(proposed, used);
    // Saved again with the field of the key empty: also where the key is all that is proposed.
    for changes in [json!({"key": "", "applyUrl": "https://api.example.com/v2"}), json!({"timeoutMs": 600}), json!({"retryMax": 4})] {
        let row = put(changes.clone()).await;
        assert_eq!((&fingerprint(&row), &row["proposed"]["keys"][0]["isProposed"]), (&proposed, &json!(true)), "{changes}");
        assert!(changes.as_object().unwrap().iter().all(|(field, value)| field == "key" || row["proposed"][field] == *value), "{row}");
    }
    // Delivery is stopped at once, and what is proposed stays.
    let row = put(json!({"status": "disabled"})).await;
    assert_eq!((&row["status"], &fingerprint(&row)), (&json!("disabled"), &proposed));
    // A key is for one encryption: another one asks for its own, and without one there is none.
    let version = row["version"].clone();
    let other = with(settings(north, 0), json!({"version": version, "crypto": "rsa_aes", "key": null}));
    operator.put("/org/api", other).await.wrong("key");
    let open = put(json!({"crypto": "none"})).await;
    assert!(open["proposed"]["keys"].as_array().unwrap().iter().all(|key| key["isProposed"] == false), "{open}");
    // Approved, it is the one in use.
    put(json!({"key": SECOND})).await;
    let row = put(json!({"applyUrl": "https://api.example.com/v3"})).await;
    let row = admin.put("/org/api/audit", json!({"id": north, "version": row["version"], "approve": true, "note": null})).await.ok();
    assert_eq!((&row["keys"][0]["fingerprint"], &row["applyUrl"]), (&proposed, &json!("https://api.example.com/v3")));
    // Without a proposal the one in use stays.
    let row = put(json!({"applyUrl": "https://api.example.com/v4"})).await;
    assert_eq!(fingerprint(&row), proposed);
    assert_eq!(row["proposed"]["keys"][0]["isProposed"], false);
}

on_both!(what_is_called_is_public_and_understood);
async fn what_is_called_is_public_and_understood(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let north = app.organisation("north").await;
    for (field, value) in [
        ("matchUrl", json!("http://api.example.com")),
        ("applyUrl", json!("https://127.0.0.1/a")),
        ("applyUrl", json!("https://169.254.169.254/latest")),
        ("applyUrl", json!("https://localhost:8080")),
        ("applyUrl", json!("https://user:pass@api.example.com")),
        ("applyUrl", json!(null)),
        ("queryOkExpr", json!("code = 1")),
        ("queryNoneExpr", json!("process.exit()")),
        ("knownExpr", json!("process.exit()")),
        ("knownExpr", json!("code in [\"2001\"")),
        ("knownExpr", json!("a.b.c.d.e.f.g exists")),
        ("knownExpr", json!("a exists && b exists && c exists && d exists && e exists && f exists")),
        ("knownExpr", json!(format!("code == \"{}\"", "0".repeat(300)))),
        ("knownExpr", json!("code in [\"0000\"]")),
        ("key", json!("short")),
        ("key", json!("")),
        ("overlapHours", json!(721)),
        ("fieldMap", json!({"password": "x"})),
        ("fieldMap", json!({"name": "a b"})),
        ("fieldMap", json!({})),
        ("valueMap", json!({"sex": {"male": ""}})),
        ("matchOkExpr", json!("process.exit()")),
        ("applyOkExpr", json!("code = 1")),
        ("applyOkExpr", json!("")),
        ("timeoutMs", json!(499)),
        ("timeoutMs", json!(30_001)),
        ("retryMax", json!(11)),
    ] {
        admin.put("/org/api", with(settings(north, 0), json!({ field: value }))).await.wrong(field);
    }
    let asked =
        |changes: Value| with(with(settings(north, 0), json!({"queryUrl": "https://api.example.com/q", "queryOkExpr": "a == 1"})), changes);
    admin.put("/org/api", asked(json!({"queryUrl": "https://[::1]/"}))).await.wrong("queryUrl");
    admin.put("/org/api", asked(json!({"queryOkExpr": ""}))).await.wrong("queryOkExpr");
    // A key for another kind of seal is none.
    save(&app, settings(north, 0)).await;
    admin.put("/org/api", with(settings(north, 3), json!({"crypto": "rsa_aes", "key": null}))).await.wrong("key");
    // S-L9: nor is one of 1024 bits.
    admin.put("/org/api", with(settings(north, 3), json!({"crypto": "rsa_aes", "key": SHORT_KEY}))).await.wrong("key");
    admin.put("/org/api", with(settings(north, 3), json!({"crypto": "none"}))).await.wrong("key");
    let open = save(&app, with(settings(north, 3), json!({"crypto": "none", "key": null}))).await;
    assert_eq!(open["keys"], json!([]));
    admin.put("/org/api", with(settings(north, 6), json!({"secret": "x"}))).await.refused("4000");
    assert_eq!(app.count("SELECT COUNT(*) FROM org_api_config").await, 1);
}
