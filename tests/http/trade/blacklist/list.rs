//! The list: its filters, its orders, its file.

use base::clock::{self, DAY};
use serde_json::{Value, json};

use super::ID_NO;
use testing::blacklist::{PHONE, channel, make};
use testing::{Actor, TestApp, on_both};

async fn reasons(actor: &Actor, query: Value) -> Vec<String> {
    let page = actor.post("/blacklist/page", query).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["reason"].as_str().unwrap().to_owned()).collect()
}

/// Four entries, a day apart, `a` the oldest.
async fn four(app: &TestApp) {
    let channel = channel(app, "north-h5-1").await;
    for changes in [
        json!({"reason": "a 100%", "expiresAt": app.now() + 40 * DAY}),
        json!({"kind": "id_no", "value": ID_NO, "reason": "b", "scope": "channel", "scopeId": channel, "source": "risk"}),
        json!({"kind": "ip", "value": "203.0.113.9", "reason": "c", "source": "manual", "expiresAt": app.now() + 30 * DAY}),
        json!({"kind": "device", "value": "device-0001", "reason": "d", "source": "opt_out"}),
    ] {
        make(&app.sign_in("operator").await, changes).await;
        app.advance(DAY);
    }
    app.execute("UPDATE blacklist_entry SET hit_count = 5, last_hit_at = 2000 WHERE reason = 'c'").await;
    app.execute("UPDATE blacklist_entry SET hit_count = 9, last_hit_at = 1000 WHERE reason = 'b'").await;
    app.execute("UPDATE blacklist_entry SET status = 'lifted' WHERE reason = 'd'").await;
}

// S7.16
on_both!(the_list_is_narrowed_and_sorted);
async fn the_list_is_narrowed_and_sorted(app: TestApp) {
    four(&app).await;
    let operator = app.sign_in("operator").await;
    let day = |back: i64| clock::day(app.now() - back * DAY).to_string();
    for (query, found) in [
        (json!({}), "d c b a"),
        (json!({"keyword": ""}), "d c b a"),
        (json!({"kind": "ip"}), "c"),
        (json!({"scope": "channel"}), "b"),
        (json!({"source": "opt_out"}), "d"),
        (json!({"status": "lifted"}), "d"),
        (json!({"status": "active", "scope": "global"}), "c a"),
        (json!({"createdFrom": day(2)}), "d c"),
        (json!({"createdTo": day(3)}), "b a"),
        (json!({"createdFrom": day(3), "createdTo": day(3)}), "b"),
        // A whole value however it is written, and the beginning of a reason; never a part of a value.
        (json!({"keyword": "138 1234-0001"}), "a"),
        (json!({"keyword": PHONE[..8]}), ""),
        (json!({"keyword": ID_NO.to_lowercase()}), "b"),
        (json!({"keyword": "::ffff:203.0.113.9"}), "c"),
        (json!({"keyword": "device-0001"}), "d"),
        (json!({"keyword": "138****0001"}), ""),
        (json!({"keyword": "A 1"}), "a"),
        (json!({"keyword": "a %"}), ""),
        (json!({"sort": "hitCount"}), "b c d a"),
        (json!({"sort": "lastHitAt"}), "c b d a"),
        (json!({"sort": "expiresAt", "order": "asc"}), "c a b d"),
        (json!({"sort": "createdAt", "order": "asc", "pageSize": 2, "current": 2}), "c d"),
    ] {
        let letters: Vec<String> = reasons(&operator, query.clone()).await.iter().map(|reason| reason[..1].to_owned()).collect();
        assert_eq!(letters.join(" "), found, "{query}");
    }
    for query in [json!({"kind": "email"}), json!({"sort": "value"}), json!({"createdFrom": "yesterday"}), json!({"status": "x"})] {
        operator.post("/blacklist/page", query).await.refused("4000");
    }
}

// S7.34
on_both!(its_file_has_masks_and_no_formulas);
async fn its_file_has_masks_and_no_formulas(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, json!({"reason": "=1+1"})).await;
    make(&operator, json!({"kind": "id_no", "value": ID_NO})).await;
    let file = operator.export("/blacklist/page/export", json!({"format": "csv"})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.contains("138****0001") && text.contains("1101***********02X") && text.contains("'=1+1"), "{text}");
    assert!(!text.contains(PHONE) && !text.contains(ID_NO), "{text}");
    assert!(text.contains("手机号") && text.contains("生效") && text.contains("投诉"), "{text}");
    let english = operator.in_english().export("/blacklist/page/export", json!({"format": "csv", "keyword": PHONE})).await;
    assert_eq!(String::from_utf8_lossy(&english.body).lines().count(), 2);
    // The trail tells what was looked for by its mask.
    let diff = app.text("SELECT diff FROM operation_log WHERE action = 'export' ORDER BY id DESC LIMIT 1").await;
    assert!(diff.contains("138****0001") && !diff.contains(PHONE), "{diff}");
    let task = operator.post("/blacklist/page/export", json!({"format": "xlsx", "keyword": PHONE})).await.ok()["taskId"].clone();
    assert_eq!(app.make_exports().await, 1);
    assert_eq!(operator.get(&format!("/export/{task}")).await.ok()["rowCount"], 1);
}
