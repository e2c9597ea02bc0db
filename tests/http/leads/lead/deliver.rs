//! How a lead reaches an organisation's address, and what follows from its answer.

use std::time::Duration;

use base::crypto::place;
use base::db::Engine;
use base::outbox::{Destination, Seen};
use serde_json::{Value, json};
use server::dispatch;
use tokio_util::sync::CancellationToken;
use trade::handoff::Handoff;

use testing::feedback::grant;
use testing::lead::buyer::Buyer;
use testing::lead::deliver::by_api;
use testing::lead::{application, books, bring, channel, id_no, phone, plan, story};
use testing::plan::begin;
use testing::{TestApp, on_both};

const RETRY: i64 = 5 * 60_000 + 1000;

on_both!(a_lead_goes_out_under_the_organisations_names);
async fn a_lead_goes_out_under_the_organisations_names(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    let push = &told["pushes"][0];
    assert_eq!((&push["status"], &push["upstreamNo"], &push["attempts"]), (&json!("accepted"), &json!("A-1"), &json!(1)));
    let sent = buyer.received();
    assert_eq!(sent.len(), 1);
    assert_eq!((&sent[0]["userName"], &sent[0]["mobile"], &sent[0]["amount"]), (&json!("张小三"), &json!(phone(1)), &json!(50_000)));
    assert_eq!(sent[0]["leadNo"], push["no"]);
    // What is shown of the request does not identify the applicant.
    let request = push["tries"][0]["request"].as_str().unwrap();
    assert!(request.contains("张**") && request.contains("100****0001") && !request.contains("张小三"), "{request}");
    assert!(!request.contains(sent[0]["md5"].as_str().unwrap()));
    books(&app).await;
}

on_both!(a_refused_lead_goes_to_the_next_plan_and_costs_nothing);
async fn a_refused_lead_goes_to_the_next_plan_and_costs_nothing(app: TestApp) {
    let caps = json!([{"window": "day", "weekday": null, "maxCount": 1, "maxCents": null}]);
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({ "caps": caps })).await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    buyer.answers(200, json!({"code": "AGE", "msg": "年龄不符"}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    let (first, second) = (&told["pushes"][0], &told["pushes"][1]);
    assert_eq!((&first["status"], &first["rejectCode"], &first["rejectReason"]), (&json!("rejected"), &json!("AGE"), &json!("年龄不符")));
    assert_eq!((&second["status"], &second["planName"]), (&json!("accepted"), &json!("south")));
    assert_eq!(told["money"].as_array().unwrap().len(), 1);
    assert_eq!(app.count("SELECT CAST(SUM(frozen_cents) AS BIGINT) FROM org_account").await, 0);
    assert_eq!(app.count("SELECT used_count FROM cap_counter").await, 0, "its room is given back");
    buyer.answers(200, json!({"code": "X", "msg": "客户已存在"}));
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "duplicate");
    assert_eq!(buyer.received().len(), 2, "a refused lead is not sent again");
    // A reason that names the applicant is kept with the name and the phone masked.
    buyer.answers(200, json!({"code": "Y", "msg": format!("张小三 {} 不符", phone(3))}));
    bring(&app, &partner, "r-3", application(3, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["rejectReason"], "张** 100****0003 不符");
}

on_both!(a_server_that_cannot_be_reached_is_tried_again_and_given_up);
async fn a_server_that_cannot_be_reached_is_tried_again_and_given_up(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    app.execute("UPDATE org_api_config SET apply_url = 'http://127.0.0.1:1/'").await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["status"]), (&json!("retrying"), &json!("distributed")));
    assert_eq!((&told["pushes"][0]["lastError"], frozen(&app).await), (&json!("unreachable"), 4500));
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["attempts"], 1, "not before its time");
    for _ in 0..2 {
        app.advance(RETRY);
        app.distribute().await;
    }
    let told = story(&app, &admin).await;
    let push = &told["pushes"][0];
    assert_eq!(
        (&push["status"], &push["rejectCode"], &push["rejectReason"]),
        (&json!("failed"), &json!("no_delivery"), &json!("unreachable"))
    );
    assert_eq!((&push["attempts"], push["tries"].as_array().unwrap().len()), (&json!(3), 3));
    assert!(push["tries"].as_array().unwrap().iter().all(|one| one["outcome"] == "not_delivered"), "{push}");
    assert_eq!((buyer.received().len(), frozen(&app).await), (0, 0));
    assert_eq!((&told["status"], told["money"].as_array().unwrap().len()), (&json!("unmatched"), 0));
    books(&app).await;
}

// H5: a key that is not accepted is a fault of the line, not of the lead: it is tried again, counted
// against the plan, and offered again later, since the organisation never had the applicant.
on_both!(a_wrong_key_burns_no_lead);
async fn a_wrong_key_burns_no_lead(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(401, json!({"message": "bad key"}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "retrying");
    assert_eq!(app.count("SELECT delivery_errors FROM plan").await, 1);
    for _ in 0..2 {
        app.advance(RETRY);
        app.distribute().await;
    }
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["pushes"][0]["rejectReason"]), (&json!("failed"), &json!("http_401")));
    // The key is mended; an hour later the same organisation gets the same applicant.
    buyer.answers(200, json!({"code": "0000"}));
    app.advance(61 * 60_000);
    app.distribute().await;
    let admin = app.sign_in("admin").await;
    let told = story(&app, &admin).await;
    assert_eq!(told["pushes"][1]["status"], "accepted", "{}", told["pushes"]);
    books(&app).await;
}

// H5: a line that is never mended is tried for a day, and then the applicant is left alone.
on_both!(a_line_that_stays_wrong_is_left_after_a_day);
async fn a_line_that_stays_wrong_is_left_after_a_day(app: TestApp) {
    let (_, partner, buyer) = by_api(&app, json!({"retryMax": 0}), json!({})).await;
    buyer.answers(404, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    for _ in 0..30 {
        app.distribute().await;
        // The plan is paused after twenty failures; it is started again each time.
        app.execute("UPDATE plan SET status = 'running', delivery_errors = 0, version = version + 1").await;
        app.advance(61 * 60_000);
    }
    let pushes = app.count("SELECT COUNT(*) FROM push_record").await;
    assert!((20..=26).contains(&pushes), "{pushes}");
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE due_at IS NOT NULL").await, 0);
    books(&app).await;
}

// M7: leads that no key opens are put off, counted and ended; others of their organisation are not held up.
on_both!(what_cannot_be_read_holds_up_no_other_lead);
async fn what_cannot_be_read_holds_up_no_other_lead(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(401, json!({}));
    for number in 1..=9 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM outbox_item WHERE state = 'waiting'").await, 9);
    app.execute("UPDATE applicant SET phone_enc = 'x' WHERE id <> (SELECT MAX(id) FROM applicant)").await;
    buyer.answers(200, json!({"code": "0000"}));
    app.advance(RETRY);
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "accepted");
    let put_off =
        "SELECT COUNT(*) FROM outbox_item WHERE state = 'waiting' AND tries = 2 AND last_error = 'own_fault' AND due_at > updated_at";
    assert_eq!(app.count(put_off).await, 8);
    for _ in 0..25 {
        app.advance(12 * RETRY);
        app.distribute().await;
    }
    // Each waited for a day and ended. Later rounds may sell them again, so there may be more than eight.
    let ended = "SELECT COUNT(*) FROM push_record WHERE status = 'failed' AND reject_code = 'no_delivery' AND held_cents = 0";
    assert!(app.count(ended).await >= 8);
    books(&app).await;
}

// C1 (a): a buyer that keeps a lead and never answers may have it. It is sold to no other, its price stays held, and an
// answer that the applicant is known means that the buyer got them from us.
on_both!(a_lost_answer_sells_nothing_twice);
async fn a_lost_answer_sells_nothing_twice(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"timeoutMs": 500}), json!({})).await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    buyer.hangs(true);
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    let push = &told["pushes"][0];
    assert_eq!((&push["status"], &push["tries"][0]["outcome"]), (&json!("unconfirmed"), &json!("unknown")));
    assert_eq!((told["pushes"].as_array().unwrap().len(), frozen(&app).await), (1, 4500));
    let key = buyer.keys();
    assert_eq!(key, [push["no"].as_str().unwrap()], "the number goes along, whatever the field map has");

    buyer.hangs(false);
    buyer.answers(200, json!({"code": "2", "msg": "客户重复", "orderNo": "A-9"}));
    app.advance(RETRY);
    app.distribute().await;
    assert_eq!(buyer.keys()[1], key[0], "under the same number");
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["pushes"][0]["upstreamNo"]), (&json!("accepted"), &json!("A-9")));
    assert_eq!((told["pushes"].as_array().unwrap().len(), frozen(&app).await), (1, 0));
    assert_eq!(told["money"][0]["amountCents"], -4500);
    books(&app).await;
}

// C1 (b): the same with 409, after an error of theirs; where nothing was sent before, 409 is a refusal.
on_both!(a_conflict_after_an_error_confirms_the_lead);
async fn a_conflict_after_an_error_confirms_the_lead(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(500, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "unconfirmed");
    buyer.answers(409, json!({}));
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.advance(RETRY);
    app.distribute().await;
    let all = admin.post("/plan/push/page", json!({"sort": "createdAt", "order": "asc"})).await.ok();
    assert_eq!((&all["list"][0]["status"], &all["list"][1]["status"]), (&json!("accepted"), &json!("duplicate")));
    books(&app).await;
}

// After a try without an answer a refusal in words that are not known does not end the doubt: the organisation may
// have the lead from that try. It is sold to no one else and its price stays held until a person decides. Sent for
// the first time, the same words are a refusal.
on_both!(a_refusal_in_unknown_words_leaves_a_lead_in_doubt);
async fn a_refusal_in_unknown_words_leaves_a_lead_in_doubt(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"timeoutMs": 500}), json!({})).await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    for number in 1..=3 {
        match number {
            1 => buyer.answers(502, json!({})),
            2 => buyer.answers_rubbish(),
            _ => buyer.hangs(true),
        }
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
    }
    buyer.hangs(false);
    buyer.answers(200, json!({"code": "LIMIT", "msg": "今日名额已满"}));
    let pushes = async || {
        let admin = app.sign_in("admin").await;
        admin.post("/plan/push/page", json!({"sort": "createdAt", "order": "asc"})).await.ok()["list"].as_array().unwrap().clone()
    };
    for _ in 0..2 {
        app.advance(RETRY);
        app.distribute().await;
        let pushes = pushes().await;
        assert_eq!((pushes.len(), frozen(&app).await), (3, 3 * 4500), "sold to no one else");
        assert!(pushes.iter().all(|push| push["status"] == "unconfirmed"), "{pushes:?}");
    }
    // It was tried as often as is set; now a person decides.
    app.advance(60 * RETRY);
    app.distribute().await;
    let last = pushes().await[0].clone();
    assert_eq!((&last["nextRetryAt"], buyer.received().len()), (&Value::Null, 9));
    let admin = app.sign_in("admin").await;
    let detail = admin.get(&format!("/plan/push/{}", last["id"])).await.ok();
    assert_eq!((&detail["tries"][2]["outcome"], &detail["lastError"]), (&json!("answered"), &json!("refused")));
    let asked = "SELECT COUNT(DISTINCT biz_id) FROM message WHERE biz_type = 'push_record' AND type = 'todo' AND done_at IS NULL";
    assert_eq!(app.count(asked).await, 3);
    assert_eq!(app.count("SELECT delivery_errors FROM plan WHERE name = 'api'").await, 0, "its server answers");
    let decision = json!({"id": last["id"], "status": "unconfirmed", "decision": "not_taken", "note": "told by phone"});
    admin.put("/plan/push/resolve", decision).await.ok();
    app.distribute().await;
    assert_eq!((&pushes().await[3]["planName"], frozen(&app).await), (&json!("south"), 2 * 4500));
    // The same words to a first try.
    bring(&app, &partner, "r-4", application(4, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["pushes"][1]["planName"]), (&json!("rejected"), &json!("south")));
    books(&app).await;
}

// C1 (b): a process that is killed during its call leaves a lead that may have arrived. It is sent again, and the answer
// that the applicant is known then confirms the lead.
on_both!(a_killed_process_leaves_a_lead_that_may_have_arrived);
async fn a_killed_process_leaves_a_lead_that_may_have_arrived(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"timeoutMs": 10_000}), json!({})).await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    let answers = [(409, json!({})), (200, json!({"code": "2", "msg": "客户重复"}))];
    for (number, (status, body)) in (1..).zip(answers) {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        // An applicant who was handed to the killed process is found once its lease is over.
        app.advance(61_000);
        buyer.hangs(true);
        tokio::select! {
            () = app.distribute() => panic!("it hangs"),
            () = buyer.until_it_has(1) => {}
        }
        let left = "SELECT COUNT(*) FROM outbox_item WHERE state = 'sending' AND unanswered = 1";
        assert_eq!(app.count(left).await, 1, "as the killed process left it");
        let key = buyer.keys();
        buyer.hangs(false);
        buyer.answers(status, body);
        app.distribute().await;
        assert_eq!(buyer.keys(), key, "the process that has it may still be alive");
        app.advance(base::outbox::LEASE + 1000);
        app.distribute().await;
        assert_eq!(buyer.keys(), [key[0].clone(), key[0].clone()], "under one number");
        buyer.received();
        let told = story(&app, &admin).await;
        let pushes = told["pushes"].as_array().unwrap();
        assert_eq!((pushes.len(), &pushes[0]["status"]), (1, &json!("accepted")), "{status}");
        assert_eq!((told["money"].as_array().unwrap().len(), frozen(&app).await), (1, 0));
    }
    books(&app).await;
}

// C1 (c): what they answered is written again and again where that fails, instead of calling them again.
on_both!(an_answer_that_could_not_be_written_is_written_later);
async fn an_answer_that_could_not_be_written_is_written_later(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    // No lead can be paid.
    let drop = match app.app.db.engine() {
        Engine::Sqlite => {
            app.execute("CREATE TRIGGER unpaid BEFORE INSERT ON account_ledger BEGIN SELECT RAISE(ABORT, 'not now'); END").await;
            "DROP TRIGGER unpaid"
        }
        Engine::Postgres => {
            app.execute("CREATE FUNCTION unpaid() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$").await;
            app.execute("CREATE TRIGGER unpaid BEFORE INSERT ON account_ledger FOR EACH ROW EXECUTE FUNCTION unpaid()").await;
            "DROP TRIGGER unpaid ON account_ledger"
        }
    };
    let after_two_failures = async {
        buyer.until_it_has(1).await;
        let begun = || app.app.db.times().waits.counts().total();
        // The third has begun: two have failed since they answered.
        let before = begun();
        while begun() < before + 3 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        assert_eq!(frozen(&app).await, 4500);
        app.execute(drop).await;
    };
    tokio::join!(app.distribute(), after_two_failures);
    assert_eq!(buyer.received().len(), 1);
    let told = story(&app, &admin).await;
    let pushes = told["pushes"].as_array().unwrap();
    assert_eq!((pushes.len(), &pushes[0]["status"], &pushes[0]["upstreamNo"]), (1, &json!("accepted"), &json!("A-1")));
    assert_eq!((told["money"].as_array().unwrap().len(), frozen(&app).await), (1, 0));
    books(&app).await;
}

// C1: when the tries run out, a person with the permission says who has the lead, and only once.
on_both!(a_person_settles_a_lead_in_doubt);
async fn a_person_settles_a_lead_in_doubt(app: TestApp) {
    let (_, partner, buyer) = by_api(&app, json!({"retryMax": 1}), json!({})).await;
    buyer.answers_rubbish();
    for number in 1..=2 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    app.advance(RETRY);
    app.distribute().await;
    assert_eq!((buyer.received().len(), frozen(&app).await), (4, 9000));
    app.advance(24 * RETRY);
    app.distribute().await;
    assert_eq!(buyer.received().len(), 0, "tries ran out");
    let admin = app.sign_in("admin").await;
    let waiting = admin.post("/plan/push/page", json!({"status": "unconfirmed", "sort": "createdAt", "order": "asc"})).await.ok();
    assert_eq!(waiting["total"], 2);
    assert_eq!(
        app.count("SELECT COUNT(DISTINCT biz_id) FROM message WHERE biz_type = 'push_record' AND type = 'todo' AND done_at IS NULL").await,
        2
    );
    let (first, second) = (waiting["list"][0]["id"].clone(), waiting["list"][1]["id"].clone());
    let said =
        |id: &Value, decision: &str| json!({"id": id, "status": "unconfirmed", "decision": decision, "note": "told by phone: 13812345678"});

    assert_eq!(
        admin.put("/plan/push/resolve", json!({"id": first, "status": "unconfirmed", "decision": "taken"})).await.code(),
        "1001",
        "without a note"
    );
    assert_eq!(app.sign_in("auditor").await.put("/plan/push/resolve", said(&first, "taken")).await.code(), "1003");
    let taken = admin.put("/plan/push/resolve", said(&first, "taken")).await.ok();
    assert_eq!(taken["status"], "accepted");
    let refused = admin.put("/plan/push/resolve", said(&second, "not_taken")).await.ok();
    // Only people of the platform see how that is known, and who said so.
    assert_eq!((&refused["status"], &refused["rejectReason"]), (&json!("failed"), &json!("not_there")));
    let seen = admin.get(&format!("/plan/push/{second}")).await.ok();
    let said_so = &seen["verdicts"][0];
    assert_eq!((&said_so["decision"], &said_so["note"]), (&json!("not_taken"), &json!("told by phone: 138****5678")));
    assert!(said_so["adminName"].as_str().is_some_and(|name| !name.is_empty()) && seen["verdicts"][1].is_null(), "{seen}");
    grant(&app, "org_manager", "plan/push-list").await;
    let theirs = app.sign_in("north.manager").await.get(&format!("/plan/push/{second}")).await.ok();
    assert_eq!(theirs["verdicts"], json!([]));
    assert!(!theirs.to_string().contains("told by phone"), "{theirs}");
    assert_eq!(admin.put("/plan/push/resolve", said(&second, "taken")).await.code(), "1005", "it has moved");
    assert_eq!(frozen(&app).await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'push_record' AND type = 'todo' AND done_at IS NULL").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE target_type = 'push_record'").await, 2);
    app.distribute().await;
    books(&app).await;
}

// A dead letter is tried again when a person says so, with as many tries as at first.
on_both!(what_is_not_tried_any_more_is_tried_again_by_hand);
async fn what_is_not_tried_any_more_is_tried_again_by_hand(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"retryMax": 0}), json!({})).await;
    buyer.answers(502, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let push = story(&app, &admin).await["pushes"][0].clone();
    assert_eq!((&push["status"], &push["nextRetryAt"]), (&json!("unconfirmed"), &Value::Null));
    buyer.answers(200, json!({"code": "0000"}));
    admin.put("/plan/push/resolve", json!({"id": push["id"], "status": "unconfirmed", "decision": "again"})).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "accepted");
    let again = admin.put("/plan/push/resolve", json!({"id": push["id"], "status": "accepted", "decision": "again"})).await;
    assert_eq!(again.code(), "1006");
    books(&app).await;
}

// C1: an organisation that can be asked is asked before anything is sent again; what it has not is sent
// as if for the first time.
on_both!(an_organisation_is_asked_whether_it_has_a_lead);
async fn an_organisation_is_asked_whether_it_has_a_lead(app: TestApp) {
    let asking = json!({"queryUrl": "https://api.example.com/query", "queryOkExpr": "has == true", "queryNoneExpr": "has == false"});
    let (_, partner, buyer) = by_api(&app, asking, json!({})).await;
    buyer.answers(500, json!({}));
    for number in 1..=2 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    assert_eq!((buyer.received().len(), buyer.asked()), (2, 0));
    // No answer to the question is no answer: it goes on being asked, beyond the tries to send.
    buyer.knows(503, json!({}));
    for _ in 0..4 {
        app.advance(12 * RETRY);
        app.distribute().await;
    }
    assert_eq!((buyer.received().len(), buyer.asked(), frozen(&app).await), (0, 8, 9000));
    buyer.knows(200, json!({"has": true, "orderNo": "Q-1"}));
    app.advance(12 * RETRY);
    app.execute("UPDATE outbox_item SET due_at = due_at + 86400000 WHERE id = (SELECT MAX(id) FROM outbox_item)").await;
    app.distribute().await;
    let admin = app.sign_in("admin").await;
    let all = admin.post("/plan/push/page", json!({"sort": "createdAt", "order": "asc"})).await.ok();
    assert_eq!((&all["list"][0]["status"], &all["list"][0]["upstreamNo"]), (&json!("accepted"), &json!("Q-1")));
    assert_eq!(all["list"][1]["status"], "unconfirmed");
    // The organisation does not have the other lead, and its tries to send have run out: it goes to the next plan.
    buyer.knows(200, json!({"has": false}));
    app.advance(25 * 60 * 60_000);
    app.distribute().await;
    let last =
        app.sign_in("admin").await.post("/plan/push/page", json!({"sort": "createdAt", "order": "asc"})).await.ok()["list"][1].clone();
    assert_eq!((&last["status"], &last["rejectReason"]), (&json!("failed"), &json!("not_there")));
    assert_eq!(frozen(&app).await, 0);
    books(&app).await;
}

/// What an organisation has said that means that it knows the person.
fn known(expression: &str) -> Value {
    json!({"matchUrl": "https://api.example.com/match", "knownExpr": expression})
}

// C1: an organisation says by which answer of its own it knows a person; no common word is in it.
on_both!(an_organisations_own_word_for_a_known_person_is_understood);
async fn an_organisations_own_word_for_a_known_person_is_understood(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, known("data.state in [\"77\", 78]"), json!({"matchRequired": true})).await;
    let outcome = async |number: u32| {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
        let told = story(&app, &admin).await;
        let asked = told["matches"].as_array().unwrap().iter().find(|one| one["direction"] == "outbound").unwrap()["status"].clone();
        (asked, told["pushes"][0]["status"].clone())
    };
    // To the question, before anything is sold: as a text and as a number.
    for (number, state) in [(1, json!(77)), (2, json!("78"))] {
        buyer.answers(200, json!({"code": "NO", "data": {"state": state}}));
        assert_eq!(outcome(number).await, (json!("exists"), Value::Null));
    }
    buyer.answers(200, json!({"code": "NO", "data": {"state": 79}}));
    assert_eq!(outcome(3).await, (json!("not_qualified"), Value::Null));
    // The usual words are understood beside it, and a yes is a yes whatever else it says.
    buyer.answers(200, json!({"code": "NO", "msg": "客户重复"}));
    assert_eq!(outcome(4).await, (json!("exists"), Value::Null));
    buyer.answers(200, json!({"code": "0000", "data": {"state": 77}}));
    assert_eq!(outcome(5).await, (json!("matched"), json!("accepted")));
    books(&app).await;
}

// C1: when a lead is sent for the first time, the organisation's own word for a known applicant is a refusal that costs
// nothing; where it may have had the lead before, it confirms the lead.
on_both!(an_organisations_own_word_settles_a_lead_in_doubt);
async fn an_organisations_own_word_settles_a_lead_in_doubt(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"knownExpr": "data.state == 77"}), json!({})).await;
    let known = json!({"code": "NO", "data": {"state": 77}});
    for (number, status) in [(1, 200), (2, 400), (3, 422)] {
        buyer.answers(status, known.clone());
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
        assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "duplicate", "{status}");
    }
    // A wrong key, or a server of theirs that is broken, says nothing of anybody.
    for (number, status, then) in [(4, 401, "retrying"), (5, 500, "unconfirmed")] {
        buyer.answers(status, known.clone());
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
        assert_eq!(story(&app, &admin).await["pushes"][0]["status"], then);
    }
    buyer.answers(200, known);
    app.advance(RETRY);
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], told["money"].as_array().unwrap().len()), (&json!("accepted"), 1));
    assert_eq!(
        app.count("SELECT COUNT(*) FROM push_record WHERE status = 'duplicate'").await,
        4,
        "the one with a wrong key was never there"
    );
    books(&app).await;
}

// C1: the same word answers the question for a lead in doubt, unless the answer says that there is no such lead.
on_both!(an_organisations_own_word_answers_the_question_for_a_lead);
async fn an_organisations_own_word_answers_the_question_for_a_lead(app: TestApp) {
    // The word is so wide that every answer has it: what says 'no such lead' still does.
    let asking = json!({
        "queryUrl": "https://api.example.com/query", "queryOkExpr": "has == true", "queryNoneExpr": "has == false", "knownExpr": "seq exists"
    });
    let (_, partner, buyer) = by_api(&app, asking, json!({})).await;
    buyer.answers(500, json!({}));
    for number in 1..=2 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    buyer.knows(200, json!({"has": false, "seq": 1}));
    app.execute("UPDATE outbox_item SET due_at = due_at + 86400000 WHERE id = (SELECT MAX(id) FROM outbox_item)").await;
    buyer.answers(200, json!({"code": "0000", "seq": 1}));
    app.advance(12 * RETRY);
    app.distribute().await;
    let pushes = async || {
        let admin = app.sign_in("admin").await;
        admin.post("/plan/push/page", json!({"sort": "createdAt", "order": "asc"})).await.ok()["list"].clone()
    };
    // It was not there, was sent as if for the first time, and taken.
    assert_eq!((&pushes().await[0]["status"], buyer.received().len()), (&json!("accepted"), 3));
    buyer.knows(200, json!({"has": "maybe", "seq": 2, "orderNo": "Q-2"}));
    app.advance(25 * 60 * 60_000);
    app.distribute().await;
    let last = pushes().await[1].clone();
    assert_eq!((&last["status"], &last["upstreamNo"]), (&json!("accepted"), &json!("Q-2")));
    books(&app).await;
}

// A lead in doubt is tried after its expiry too, but not while the breaker of its organisation is open; one that was
// never delivered is ended meanwhile, which needs no call.
on_both!(an_expired_lead_in_doubt_waits_for_the_breaker);
async fn an_expired_lead_in_doubt_waits_for_the_breaker(app: TestApp) {
    let (_, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    for (number, status) in [(1, 500), (2, 401)] {
        buyer.answers(status, json!({}));
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
    }
    let statuses = "SELECT (SELECT status FROM push_record WHERE id = (SELECT MIN(id) FROM push_record)) || ' ' || status \
         FROM push_record WHERE id = (SELECT MAX(id) FROM push_record)";
    assert_eq!((app.text(statuses).await.as_str(), buyer.received().len()), ("unconfirmed retrying", 2));
    buyer.answers(200, json!({"code": "0000"}));
    app.advance(25 * 60 * 60_000);
    let line = Destination::Organisation(app.organisation("north").await).key();
    for _ in 0..5 {
        app.app.outbox.note(&line, Seen::Failing, app.app.clock.now());
    }
    carried_until(&app, statuses, "unconfirmed failed").await;
    assert_eq!(buyer.received().len(), 0, "no call while the breaker is open");
    app.advance(60_000);
    carried_until(&app, statuses, "accepted failed").await;
    assert_eq!(buyer.received().len(), 1);
    books(&app).await;
}

/// Runs the worker of the outbox until a query answers a text; what it has taken by then it brings to its end.
async fn carried_until(app: &TestApp, sql: &'static str, text: &str) {
    let stop = CancellationToken::new();
    let worker = tokio::spawn(dispatch::work(app.app.clone(), stop.clone()));
    let seen = async {
        while app.text(sql).await != text {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), seen).await.unwrap_or_else(|_| panic!("it never says {text}"));
    stop.cancel();
    worker.await.unwrap();
}

// M4: what was sold a while ago is asked about again before each try.
on_both!(a_lead_that_must_not_go_any_more_is_cancelled);
async fn a_lead_that_must_not_go_any_more_is_cancelled(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    app.execute("UPDATE org_api_config SET apply_url = 'http://127.0.0.1:1/'").await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "retrying");
    app.execute("UPDATE org_api_config SET status = 'disabled'").await;
    app.advance(RETRY);
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["pushes"][0]["rejectCode"]), (&json!("cancelled"), &json!("delivery_off")));
    assert_eq!((buyer.received().len(), frozen(&app).await), (0, 0));
    books(&app).await;
}

// M4: before each try the blacklist was asked for the phone alone.
on_both!(who_is_blacklisted_after_the_sale_is_not_delivered);
async fn who_is_blacklisted_after_the_sale_is_not_delivered(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    app.execute("UPDATE org_api_config SET apply_url = 'http://127.0.0.1:1/'").await;
    for (number, kind, value) in [(1, "id_no", id_no().as_str()), (2, "ip", "203.0.113.77")] {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({"ip": "203.0.113.77"}))).await.ok();
        app.distribute().await;
        assert_eq!(app.text("SELECT status FROM push_record WHERE id = (SELECT MAX(id) FROM push_record)").await, "retrying", "{kind}");
        let entry = json!({"kind": kind, "value": value, "scope": "organisation", "scopeId": app.organisation("north").await,
            "source": "complaint", "reason": "投诉", "expiresAt": null});
        let entry = admin.post("/blacklist", entry).await.ok();
        app.advance(RETRY);
        app.distribute().await;
        let ended = app.text("SELECT status || ' ' || reject_code FROM push_record WHERE id = (SELECT MAX(id) FROM push_record)").await;
        assert_eq!(ended, "cancelled blacklist", "{kind}");
        admin.delete(&format!("/blacklist/{}", entry["id"])).await.ok();
    }
    assert_eq!((buyer.received().len(), frozen(&app).await), (0, 0));
    books(&app).await;
}

pub(super) async fn frozen(app: &TestApp) -> i64 {
    app.count("SELECT CAST(COALESCE(SUM(frozen_cents), 0) AS BIGINT) FROM org_account").await
}

on_both!(a_server_that_comes_back_gets_the_lead);
async fn a_server_that_comes_back_gets_the_lead(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(503, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    buyer.answers(200, json!({"code": "0000"}));
    app.advance(RETRY);
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["money"][0]["amountCents"]), (&json!("accepted"), &json!(-4500)));
    assert_eq!(app.count("SELECT delivery_errors FROM plan").await, 0);
    books(&app).await;
}

on_both!(a_wrong_request_is_not_made_again);
async fn a_wrong_request_is_not_made_again(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(422, json!({"message": "no such city"}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["pushes"][0]["rejectReason"]), (&json!("failed"), &json!("no such city")));
    assert_eq!(buyer.received().len(), 1);
}

on_both!(a_plan_whose_deliveries_fail_is_paused);
async fn a_plan_whose_deliveries_fail_is_paused(app: TestApp) {
    let (_, partner, buyer) = by_api(&app, json!({"retryMax": 0}), json!({})).await;
    buyer.answers(500, json!({}));
    for number in 1..=20 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
        // After some failures it is left alone for a while, each time for longer.
        app.advance(RETRY);
    }
    let now = app.sign_in("admin").await.post("/plan/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!((&now["status"], &now["pauseReason"]), (&json!("paused"), &json!("api_errors")));
    assert!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'plan'").await > 0);
}

on_both!(what_a_crash_left_behind_is_finished);
async fn what_a_crash_left_behind_is_finished(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    // The process that had the applicant is gone: no other was notified, and its lease is not over.
    _ = app.app.service::<Handoff>().applicants();
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 0);
    app.advance(61_000);
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["status"], "distributed");
    // And one whose delivery was under way.
    app.execute("UPDATE push_record SET status = 'sending', held_cents = 4500, sold_at = NULL").await;
    app.execute("UPDATE outbox_item SET state = 'sending', due_at = 0, unanswered = 1").await;
    app.execute(
        "UPDATE org_account SET frozen_cents = 4500, balance_cents = balance_cents + 4500, seq = 0, total_spend_cents = 0 WHERE seq = 1",
    )
    .await;
    app.unguard_the_ledger().await;
    app.execute("DELETE FROM account_ledger WHERE type = 'lead_sale'").await;
    app.execute("DELETE FROM journal_transfer").await;
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["pushes"][0]["attempts"]), (&json!("accepted"), &json!(2)));
    assert_eq!(buyer.received().len(), 2, "at worst it is sent twice, under one number");
    books(&app).await;
}

on_both!(an_organisation_is_asked_before_it_is_told_who);
async fn an_organisation_is_asked_before_it_is_told_who(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"matchUrl": "https://api.example.com/match"}), json!({"matchRequired": true})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let sent = buyer.received();
    assert_eq!(sent.len(), 2, "the question and the lead");
    assert!(sent[0]["md5"].is_string() && sent[0]["mobile"].is_null() && sent[0]["userName"].is_null(), "{}", sent[0]);
    let asked = story(&app, &admin).await["matches"][0].clone();
    assert_eq!((&asked["direction"], &asked["status"], &asked["bidCents"]), (&json!("outbound"), &json!("matched"), &json!(4500)));

    buyer.answers(200, json!({"code": "9", "msg": "exist"}));
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["matches"][0]["status"], told["pushes"].as_array().unwrap().len()), (&json!("exists"), 0));
    assert_eq!(told["matches"][1]["passedOver"][0]["reason"], "declined");

    buyer.answers(500, json!({}));
    bring(&app, &partner, "r-3", application(3, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["matches"][1]["passedOver"][0]["reason"], "no_answer", "no answer is a no");
}

on_both!(a_short_message_tells_that_there_is_a_lead);
async fn a_short_message_tells_that_there_is_a_lead(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({"deliverMode": "sms"})).await;
    let sealed = app.app.keys.seal(&place::ORGANISATION_ALERT_PHONES.of(app.organisation("north").await), "10000010001");
    let sql = format!("UPDATE organisation SET alert_phones_enc = '[\"{sealed}\"]' WHERE code = 'north'");
    app.execute(Box::leak(sql.into_boxed_str())).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let sent = app.messages().await;
    assert_eq!(sent.len(), 1);
    assert!(sent[0].contains("10000010001") && sent[0].contains("新线索") && !sent[0].contains("张"), "{}", sent[0]);
}

// Leads that a program from before the outbox was sending when it stopped are taken over. Whether they arrived is not
// known, so an answer that the applicant is known means that they did.
on_both!(leads_of_an_older_program_are_taken_over);
async fn leads_of_an_older_program_are_taken_over(app: TestApp) {
    app.before_the_outbox().await;
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    app.execute("UPDATE org_api_config SET apply_url = 'http://127.0.0.1:1/'").await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    app.execute("DELETE FROM outbox_item").await;
    app.execute("UPDATE push_record SET status = 'sending', next_retry_at = 1").await;
    app.migrate(include_str!("../../../../migrations/0061_taken_over.sql")).await;
    let buyer_again = Buyer::of(&app, &admin, "north", json!({})).await;
    buyer_again.answers(409, json!({}));
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "accepted");
    assert_eq!((buyer.received().len(), buyer_again.received().len()), (0, 1));
    books(&app).await;
}
