//! One entry: made, seen, changed, lifted, put back, deleted.

use base::clock::{self, DAY};
use frame::access::audit::Action;
use serde_json::{Value, json};

use super::{ID_NO, edit, entries};
use testing::blacklist::{PHONE, channel, form, make};
use testing::{TestApp, on_both};

// S7.17 S7.19
on_both!(an_entry_is_made_masked_and_encrypted);
async fn an_entry_is_made_masked_and_encrypted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for (kind, value, mask) in [
        ("phone", " 138-1234 0001 ", "138****0001"),
        ("id_no", "11010519491231002x", "1101***********02X"),
        ("ip", "::ffff:203.0.113.9", "203.0.*.*"),
        ("device", "A1b2C3d4E5f6", "A1b2****E5f6"),
    ] {
        let row = make(&operator, json!({"kind": kind, "value": value})).await;
        let path = format!("/blacklist/{}", row["id"]);
        let seen = operator.get(&path).await.ok();
        for (name, value) in row.as_object().unwrap() {
            assert_eq!(&seen[name], value, "{name}");
        }
        assert_eq!(seen["expired"], false);
        assert_eq!((&row["valueMask"], &row["status"], &row["version"]), (&json!(mask), &json!("active"), &json!(1)));
        assert_eq!((&row["scopeId"], &row["scopeName"], &row["hitCount"]), (&Value::Null, &Value::Null, &json!(0)));
        assert_eq!(row["creatorName"], "platform operator");
        let trail = operator.get(&format!("/blacklist/history/{}", row["id"])).await.ok();
        assert!(trail[0]["diff"].to_string().contains(mask), "{trail}");
    }
    let kept = app.text("SELECT value_enc || value_hash || value_mask FROM blacklist_entry WHERE kind = 'phone'").await;
    assert!(!kept.contains(PHONE), "{kept}");
    assert!(!app.text("SELECT MAX(diff) FROM operation_log WHERE module = 'blacklist'").await.contains(PHONE));
}

// S-L: a number that somebody types into the reason is no way around the mask.
on_both!(a_number_in_a_reason_is_kept_masked);
async fn a_number_in_a_reason_is_kept_masked(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let row = make(&operator, json!({"reason": "本人退订 13812340001"})).await;
    assert_eq!(row["reason"], "本人退订 138****0001");
    let lifted = json!({"id": row["id"], "version": row["version"], "status": "lifted", "reason": "13812340001 又同意了"});
    assert_eq!(operator.put("/blacklist/status", lifted).await.ok()["liftReason"], "138****0001 又同意了");
    let trail = operator.get(&format!("/blacklist/history/{}", row["id"])).await.ok().to_string();
    assert!(trail.contains("138****0001") && !trail.contains("13812340001"), "{trail}");
}

on_both!(a_whole_value_is_revealed_and_written_down);
async fn a_whole_value_is_revealed_and_written_down(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for (kind, value, whole) in [("phone", PHONE, PHONE), ("id_no", "11010519491231002x", ID_NO), ("ip", "2001:DB8::1", "2001:db8::1")] {
        let id = make(&operator, json!({"kind": kind, "value": value})).await["id"].as_i64().unwrap();
        assert_eq!(operator.get(&format!("/blacklist/reveal/{id}")).await.ok(), json!({"value": whole}));
        let trail = app.trail("blacklist_entry", id).await;
        assert_eq!((trail[0].action, trail[0].diff[0].field.as_str()), (Action::Reveal, "value"));
        assert_eq!((&trail[0].diff[0].before, &trail[0].diff[0].after), (&None, &None));
        // Who only reads has no such point.
        app.sign_in("auditor").await.get(&format!("/blacklist/reveal/{id}")).await.refused("1003");
    }
    operator.get("/blacklist/reveal/999999").await.refused("1004");
}

on_both!(each_wrong_field_is_named);
async fn each_wrong_field_is_named(app: TestApp) {
    let admin = app.sign_in("admin").await.in_english();
    let org = app.organisation("north").await;
    for (field, changes) in [
        ("value", json!({"value": ""})),
        ("value", json!({"value": null})),
        ("value", json!({"value": "1381234000"})),
        ("value", json!({"kind": "id_no", "value": "110105194912310021"})),
        ("value", json!({"kind": "ip", "value": "203.0.113.0/24"})),
        ("value", json!({"kind": "device", "value": "a b c d e f"})),
        ("value", json!({"kind": "device", "value": "x".repeat(129)})),
        ("scopeId", json!({"scope": "global", "scopeId": 1})),
        ("scopeId", json!({"scope": "global", "scopeId": "1"})),
        ("scopeId", json!({"scope": "channel"})),
        ("scopeId", json!({"scope": "channel", "scopeId": 999_999})),
        ("scopeId", json!({"scope": "organisation", "scopeId": 999_999})),
        ("source", json!({"source": "import"})),
        ("reason", json!({"reason": " "})),
        ("reason", json!({"reason": "好".repeat(201)})),
        ("expiresAt", json!({"expiresAt": app.now() - 1000})),
        ("expiresAt", json!({"expiresAt": i64::MAX})),
        ("expiresAt", json!({"expiresAt": -1})),
    ] {
        let answer = admin.post("/blacklist", form(changes.clone())).await;
        assert!(!answer.wrong(field).is_empty(), "{changes}");
    }
    for changes in [
        json!({"kind": "email"}),
        json!({"scope": "planet"}),
        json!({"source": "gossip"}),
        json!({"scopeId": "1x"}),
        json!({"scopeId": 1.5}),
        json!({"expiresAt": "2030-02-30"}),
        json!({"expiresAt": "tomorrow"}),
        json!({"id": 1}),
        json!({"value": "1381234\u{0}0001"}),
    ] {
        admin.post("/blacklist", form(changes)).await.refused("4000");
    }
    assert_eq!(entries(&app).await, 0);
    let all = admin.post("/blacklist", form(json!({"value": "x", "reason": "", "scope": "organisation"}))).await.refused("1001");
    assert_eq!(all.as_object().unwrap().len(), 3, "{all}");
    make(&admin, json!({"scope": "organisation", "scopeId": org})).await;
}

// S7.20
on_both!(what_it_holds_for_and_why_is_changed_and_its_value_is_not);
async fn what_it_holds_for_and_why_is_changed_and_its_value_is_not(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let row = make(&operator, json!({})).await;
    let channel = channel(&app, "north-h5-1").await;
    let expires = app.now() + 30 * DAY;
    let changes = json!({"scope": "channel", "scopeId": channel, "source": "risk", "reason": "疑似中介", "expiresAt": expires});
    let after = operator.put("/blacklist", edit(&row, changes.clone())).await.ok();
    for (field, value) in changes.as_object().unwrap() {
        assert_eq!(&after[field], value);
    }
    assert_eq!((&after["scopeName"], &after["valueMask"], &after["version"]), (&json!("渠道 north-h5-1"), &row["valueMask"], &json!(2)));
    let trail = app.trail("blacklist_entry", row["id"].as_i64().unwrap()).await;
    let told: Vec<&str> = trail[0].diff.iter().map(|change| change.field.as_str()).collect();
    assert_eq!(told.len(), 5, "{told:?}");
    assert!(told.contains(&"scopeName") && !told.contains(&"scopeId"), "{told:?}");

    // The version that was read is the version that is changed.
    let stale = operator.put("/blacklist", edit(&row, json!({}))).await.refused("1005");
    assert_eq!(stale["current"], after);
    operator.put("/blacklist", edit(&after, json!({"kind": "ip"}))).await.wrong("kind");
    operator.put("/blacklist", edit(&after, json!({"value": "13812340002"}))).await.wrong("value");
    operator.put("/blacklist", edit(&after, json!({"source": "import"}))).await.wrong("source");
    operator.put("/blacklist", edit(&after, json!({"scope": "channel", "scopeId": 999_999}))).await.wrong("scopeId");
    operator.put("/blacklist", edit(&after, json!({"id": null}))).await.refused("4000");
    operator.put("/blacklist", edit(&after, json!({"version": "2x"}))).await.refused("4000");
    operator.put("/blacklist", edit(&after, json!({"id": 999_999}))).await.refused("1004");

    // What has expired meanwhile may be corrected otherwise.
    app.advance(31 * DAY);
    let operator = app.sign_in("operator").await;
    operator.put("/blacklist", edit(&after, json!({"expiresAt": expires, "reason": "多头借贷"}))).await.ok();
}

// X8: a client that fills its form from the record sends all of it back, as its form has it.
on_both!(a_record_is_taken_as_an_old_client_sends_it);
async fn a_record_is_taken_as_an_old_client_sends_it(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let made = json!({"id": "", "version": "", "scopeId": "", "expiresAt": "", "value": 13_812_340_001_i64});
    let row = make(&operator, made).await;
    assert_eq!((&row["valueMask"], &row["scopeId"], &row["expiresAt"]), (&json!("138****0001"), &Value::Null, &Value::Null));

    // The whole record with one field changed; its numbers as texts.
    let mut whole = row.clone();
    whole["reason"] = json!("一");
    assert_eq!(operator.put("/blacklist", whole.clone()).await.ok()["reason"], "一");
    for (name, value) in [("id", row["id"].to_string()), ("version", "2".to_owned()), ("expiresAt", (app.now() + DAY).to_string())] {
        whole[name] = json!(value);
    }
    whole["reason"] = json!("二");
    let after = operator.put("/blacklist", whole.clone()).await.ok();
    assert_eq!((&after["reason"], after["expiresAt"].to_string()), (&json!("二"), whole["expiresAt"].as_str().unwrap().to_owned()));
    // What it shows beside the form is nobody's to set by it.
    whole["version"] = json!(3);
    whole["hitCount"] = json!(99);
    whole["status"] = json!("lifted");
    let after = operator.put("/blacklist", whole.clone()).await.ok();
    assert_eq!((&after["hitCount"], &after["status"], &after["version"]), (&json!(0), &json!("active"), &json!(4)));
    operator.put("/blacklist", whole.clone()).await.refused("1005");

    // Without a version it is the newest, and the trail says that nobody had seen it.
    let id = row["id"].as_i64().unwrap();
    for (version, reason) in [(json!(null), "三"), (json!(""), "四")] {
        whole["version"] = version;
        whole["reason"] = json!(reason);
        assert_eq!(operator.put("/blacklist", whole.clone()).await.ok()["reason"], reason);
        let trail = app.trail("blacklist_entry", id).await;
        let told = trail[0].diff.iter().find(|change| change.field == "version").and_then(|change| change.after.clone());
        assert_eq!(told.as_deref(), Some("未指定，取最新"));
    }
    assert!(app.trail("blacklist_entry", id).await[2].diff.iter().all(|change| change.field != "version"));
}

// X8: an old client knows no scope and no source, writes the expiry as a day, and sends fields of its own.
on_both!(an_old_clients_form_is_taken);
async fn an_old_clients_form_is_taken(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let old = json!({"kind": "phone", "value": PHONE, "reason": "投诉", "expiresAt": "2030-01-05", "blackType": 3, "status": "lifted"});
    let row = operator.post("/blacklist", old).await.ok();
    let end_of_day = clock::day_start("2030-01-06").unwrap() - 1;
    assert_eq!([&row["scope"], &row["source"], &row["status"]], [&json!("global"), &json!("manual"), &json!("active")]);
    assert_eq!((&row["expiresAt"], &row["scopeId"]), (&json!(end_of_day), &Value::Null));

    // A change without scope and source leaves both as they are.
    let channel = channel(&app, "north-h5-1").await;
    let placed = operator.put("/blacklist", edit(&row, json!({"scope": "channel", "scopeId": channel, "source": "risk"}))).await.ok();
    let old = json!({"id": row["id"], "kind": "phone", "reason": "再次投诉", "expiresAt": "2030-01-06", "remark": "x"});
    let after = operator.put("/blacklist", old).await.ok();
    assert_eq!([&after["scope"], &after["scopeId"], &after["source"]], [&placed["scope"], &json!(channel), &json!("risk")]);
    assert_eq!((&after["reason"], &after["expiresAt"]), (&json!("再次投诉"), &json!(end_of_day + DAY)));
}

on_both!(a_value_is_there_once_for_each_range);
async fn a_value_is_there_once_for_each_range(app: TestApp) {
    let operator = app.sign_in("operator").await.in_english();
    let (channel, org) = (channel(&app, "north-h5-1").await, app.organisation("north").await);
    let row = make(&operator, json!({})).await;
    let again = operator.post("/blacklist", form(json!({"value": "+86 138 1234 0001"}))).await;
    again.refused("1005");
    assert!(again.desc().contains("already an active entry with this value and scope"), "{}", again.desc());
    make(&operator, json!({"scope": "channel", "scopeId": channel})).await;
    let second = make(&operator, json!({"scope": "organisation", "scopeId": org})).await;
    // Nor does a change make two of one.
    operator.put("/blacklist", edit(&second, json!({}))).await.refused("1005");
    // The same text of another kind is another value.
    make(&operator, json!({"kind": "device"})).await;
    let wanted = form(json!({"value": "13812340009"}));
    let answers = futures_util::future::join_all((0..4).map(|_| operator.post("/blacklist", wanted.clone()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 1);

    // What is lifted or deleted makes room, and comes back only while there is room.
    let body = json!({"id": row["id"], "version": 1, "status": "lifted", "reason": "误报"});
    let lifted = operator.put("/blacklist/status", body).await.ok();
    let newer = make(&operator, json!({})).await;
    let back = json!({"id": row["id"], "version": lifted["version"], "status": "active"});
    operator.put("/blacklist/status", back.clone()).await.refused("1005");
    operator.delete(&format!("/blacklist/{}", newer["id"])).await.ok();
    operator.put("/blacklist/status", back).await.ok();
}

on_both!(an_entry_is_lifted_with_a_reason_and_put_back);
async fn an_entry_is_lifted_with_a_reason_and_put_back(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let row = make(&operator, json!({"expiresAt": app.now() + DAY})).await;
    let to =
        |row: &Value, status: &str, reason: Value| json!({"id": row["id"], "version": row["version"], "status": status, "reason": reason});
    operator.put("/blacklist/status", to(&row, "lifted", json!(" "))).await.wrong("reason");
    operator.put("/blacklist/status", to(&row, "lifted", json!("好".repeat(201)))).await.wrong("reason");
    operator.put("/blacklist/status", to(&row, "gone", json!("x"))).await.refused("4000");
    operator.put("/blacklist/status", to(&row, "active", Value::Null)).await.refused("1006");
    let lifted = operator.put("/blacklist/status", to(&row, "lifted", json!("误报"))).await.ok();
    assert_eq!((&lifted["status"], &lifted["liftReason"], &lifted["version"]), (&json!("lifted"), &json!("误报"), &json!(2)));
    operator.put("/blacklist/status", to(&row, "lifted", json!("误报"))).await.refused("1005");
    operator.put("/blacklist/status", to(&lifted, "lifted", json!("误报"))).await.refused("1006");
    operator.put("/blacklist/status", to(&lifted, "active", json!("why"))).await.wrong("reason");
    let back = operator.put("/blacklist/status", to(&lifted, "active", Value::Null)).await.ok();
    assert_eq!((&back["status"], &back["liftReason"]), (&json!("active"), &Value::Null));
    let trail = app.trail("blacklist_entry", row["id"].as_i64().unwrap()).await;
    assert_eq!(trail.iter().map(|entry| entry.action).collect::<Vec<_>>(), [Action::Update, Action::Update, Action::Create]);

    let lifted = operator.put("/blacklist/status", to(&back, "lifted", json!("误报"))).await.ok();
    app.advance(2 * DAY);
    let late = app.sign_in("operator").await.in_english().put("/blacklist/status", to(&lifted, "active", Value::Null)).await;
    late.refused("1006");
    assert!(late.desc().starts_with("The entry has expired"), "{}", late.desc());
}

on_both!(what_has_expired_gives_way_to_a_new_entry);
async fn what_has_expired_gives_way_to_a_new_entry(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let old = make(&operator, json!({"expiresAt": app.now() + DAY})).await;
    operator.post("/blacklist", form(json!({}))).await.refused("1005");
    app.advance(2 * DAY);
    let operator = app.sign_in("operator").await;
    let new = make(&operator, json!({})).await;
    assert_ne!(new["id"], old["id"]);
    assert_eq!(operator.get(&format!("/blacklist/{}", old["id"])).await.ok()["status"], "lifted");
    let trail = app.trail("blacklist_entry", old["id"].as_i64().unwrap()).await;
    assert_eq!((trail.len(), trail[0].diff[0].field.as_str()), (2, "status"));
}

// S7.18
on_both!(an_entry_is_deleted);
async fn an_entry_is_deleted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let path = format!("/blacklist/{}", make(&operator, json!({})).await["id"]);
    operator.delete(&path).await.ok();
    for answer in [operator.get(&path).await, operator.delete(&path).await] {
        answer.refused("1004");
    }
    assert_eq!(entries(&app).await, 0);
    let id = app.count("SELECT id FROM blacklist_entry").await;
    assert_eq!(app.trail("blacklist_entry", id).await[0].action, Action::Delete);
    make(&operator, json!({})).await;
}

on_both!(what_an_entry_holds_for_is_not_deleted);
async fn what_an_entry_holds_for_is_not_deleted(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let (channel, org) = (channel(&app, "north-h5-1").await, app.organisation("south").await);
    let of_channel = make(&admin, json!({"scope": "channel", "scopeId": channel})).await;
    let of_org = make(&admin, json!({"scope": "organisation", "scopeId": org})).await;
    let desc = admin.delete(&format!("/channel/{channel}")).await.desc();
    assert!(desc.contains("黑名单"), "{desc}");
    admin.delete(&format!("/org/{org}")).await.refused("1006");
    for row in [of_channel, of_org] {
        admin.delete(&format!("/blacklist/{}", row["id"])).await.ok();
    }
    admin.delete(&format!("/channel/{channel}")).await.ok();
}
