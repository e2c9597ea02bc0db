//! `POST /open/push/status`: what an organisation's server tells of the leads that it bought.

use serde_json::json;

use super::entries;
use testing::feedback::{Sold, report_call, send_report, signing, sold};
use testing::lead::{application, bring, id_no, phone};
use testing::{TestApp, on_both};

on_both!(a_report_is_kept_and_sets_the_stars);
async fn a_report_is_kept_and_sets_the_stars(app: TestApp) {
    let Sold { admin, north, user_id, no, .. } = sold(&app).await;
    let content = format!("张小三 {} 已放款，证件 {}", phone(1), id_no());
    let report = json!({"requestId": "f-1", "no": no, "star": 3, "endCode": "disbursed", "loanCents": 500_000, "content": content});
    assert_eq!(send_report(&app, &north, report).await.ok(), json!({"no": no, "counted": true}));
    let story = admin.get(&format!("/user/{user_id}")).await.ok();
    let said = &story["feedback"][0];
    assert_eq!((&story["star"], &said["star"], &said["source"]), (&json!(3), &json!(3), &json!("buyer")));
    assert_eq!((&said["endCode"], &said["endName"], &said["loanCents"]), (&json!("disbursed"), &json!("已放款"), &json!(500_000)));
    let shown = format!("张** 100****0001 已放款，证件 {}***********{}", &id_no()[..4], &id_no()[15..]);
    assert_eq!(said["content"], shown, "it names nobody");
    assert_eq!((&said["pushNo"], &said["orgName"], &said["handleStatus"]), (&json!(no), &json!("北辰"), &json!("open")));
    // What is said last counts.
    send_report(&app, &north, json!({"requestId": "f-2", "no": no, "star": 1})).await.ok();
    assert_eq!(admin.get(&format!("/user/{user_id}")).await.ok()["star"], 1);
    send_report(&app, &north, json!({"requestId": "f-3", "no": no, "endCode": "considering"})).await.ok();
    assert_eq!(admin.get(&format!("/user/{user_id}")).await.ok()["star"], 1, "an outcome alone leaves them");
    assert_eq!(entries(&app).await, 3);
}

on_both!(the_same_report_counts_once);
async fn the_same_report_counts_once(app: TestApp) {
    let Sold { north, no, .. } = sold(&app).await;
    let report = |id: &str, star: i64| json!({"requestId": id, "no": no, "star": star});
    assert_eq!(send_report(&app, &north, report("f-1", 1)).await.ok()["counted"], true);
    assert_eq!(send_report(&app, &north, report("f-1", 1)).await.ok()["counted"], false, "under its number");
    assert_eq!(send_report(&app, &north, report("f-2", 1)).await.ok()["counted"], false, "and under another");
    assert_eq!(send_report(&app, &north, report("f-3", 2)).await.ok()["counted"], true);
    assert_eq!(send_report(&app, &north, report("f-1", 1)).await.ok()["counted"], false, "one that comes late sets nothing back");
    assert_eq!(app.count("SELECT star FROM applicant").await, 2);
    assert_eq!(send_report(&app, &north, report("f-4", 1)).await.ok()["counted"], true, "what was said before may be said again");
    assert_eq!(entries(&app).await, 3);
}

on_both!(a_lead_is_named_by_either_number);
async fn a_lead_is_named_by_either_number(app: TestApp) {
    let Sold { channel, north, no, .. } = sold(&app).await;
    app.execute("UPDATE push_record SET upstream_no = 'A-1'").await;
    let report = json!({"requestId": "f-1", "upstreamNo": "A-1", "star": 2});
    assert_eq!(send_report(&app, &north, report).await.ok()["no"], json!(no));
    bring(&app, &channel, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    app.execute("UPDATE push_record SET upstream_no = 'A-1'").await;
    send_report(&app, &north, json!({"requestId": "f-2", "upstreamNo": "A-1", "star": 2})).await.wrong("upstreamNo");
    send_report(&app, &north, json!({"requestId": "f-3", "upstreamNo": "A-2", "star": 2})).await.refused("1004");
}

on_both!(nothing_of_a_refused_call_is_kept);
async fn nothing_of_a_refused_call_is_kept(app: TestApp) {
    let Sold { admin, channel, north, no, .. } = sold(&app).await;
    let stranger = app.stranger();
    let body = json!({"requestId": "f-1", "no": no, "star": 3});
    let nonces = app.count("SELECT COUNT(*) FROM nonce").await;
    let mut call = report_call(&app, &north, "one", &body);
    call.make_signed(&stranger, &"0".repeat(64)).await.refused("3002");
    let sign = call.sign();
    call.body = body.to_string().replace('3', "2");
    call.make_signed(&stranger, &sign).await.refused("3002");
    call.body = body.to_string();
    call.timestamp -= 6 * 60_000;
    call.make(&stranger).await.refused("3003");
    call.timestamp += 12 * 60_000;
    call.make(&stranger).await.refused("3003");
    let mut call = report_call(&app, &north, "two", &body);
    call.app_id = "nobody".to_owned();
    call.make(&stranger).await.refused("3001");
    // A channel's key is none of an organisation, nor the other way round.
    send_report(&app, &channel, body.clone()).await.refused("3001");
    // The lead of somebody else looks like none.
    let south = signing(&app, &admin, "south").await;
    send_report(&app, &south, body.clone()).await.refused("1004");
    send_report(&app, &north, json!({"requestId": "f-1", "no": "PS20270107-NONE", "star": 3})).await.refused("1004");
    app.execute("UPDATE organisation SET status = 'terminated' WHERE code = 'north'").await;
    send_report(&app, &north, body.clone()).await.refused("3001");
    app.execute("UPDATE organisation SET status = 'paused' WHERE code = 'north'").await;
    assert_eq!((entries(&app).await, app.count("SELECT COUNT(*) FROM nonce").await), (0, nonces));

    let call = report_call(&app, &north, "three", &body);
    call.make(&stranger).await.ok();
    call.make(&stranger).await.refused("3004");
    assert_eq!(entries(&app).await, 1);
}

on_both!(a_report_that_makes_no_sense_is_refused);
async fn a_report_that_makes_no_sense_is_refused(app: TestApp) {
    let Sold { north, no, .. } = sold(&app).await;
    for (wrong, field) in [
        (json!({"requestId": " "}), "requestId"),
        (json!({"requestId": "x".repeat(65)}), "requestId"),
        (json!({"no": null}), "no"),
        (json!({"upstreamNo": "A-1"}), "no"),
        (json!({"star": null}), "star"),
        (json!({"star": 4}), "star"),
        (json!({"star": -1}), "star"),
        (json!({"endCode": "rich"}), "endCode"),
        (json!({"loanCents": 100}), "loanCents"),
        (json!({"endCode": "disbursed", "loanCents": 0}), "loanCents"),
        (json!({"content": "长".repeat(501)}), "content"),
    ] {
        let report = testing::org::with(json!({"requestId": "f-1", "no": no, "star": 3}), wrong.clone());
        send_report(&app, &north, report).await.wrong(field);
    }
    send_report(&app, &north, json!({"requestId": "f-1", "no": no, "star": 3, "phone": phone(1)})).await.refused("4000");
    send_report(&app, &north, json!({"no": no, "star": 3})).await.refused("4000");
    app.execute("UPDATE push_record SET status = 'rejected'").await;
    send_report(&app, &north, json!({"requestId": "f-1", "no": no, "star": 3})).await.refused("1006");
    assert_eq!(entries(&app).await, 0);
}
