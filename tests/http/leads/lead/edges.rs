//! What happens at the edges of a sale: what was promised to a buyer, what changed since a plan was
//! chosen, organisations that do not answer, rounds that never end, people who leave half-way.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use testing::feedback::{report_call, send_report, signing};
use testing::lead::buyer::Buyer;
use testing::lead::deliver::by_api;
use testing::lead::{application, books, bring, channel, plan, story};
use testing::plan::begin;
use testing::{TestApp, on_both};
use trade::handoff::Handoff;
use trade::plan::market::Market;

/// The buyers of every lead there is, in the order of their sale.
async fn sold_to(app: &TestApp) -> Vec<String> {
    let all = app.sign_in("admin").await.post("/plan/push/page", json!({"sort": "createdAt", "order": "asc"})).await.ok();
    all["list"].as_array().unwrap().iter().map(|push| push["planName"].as_str().unwrap().to_owned()).collect()
}

// M1: a lead that was sold as exclusive is not sold again because the same person applies again.
on_both!(exclusive_is_exclusive_for_the_person);
async fn exclusive_is_exclusive_for_the_person(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0})).await);
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "north", "methodPriority": 1})).await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    for (request, days, buyers) in [("r-1", 0, vec!["north"]), ("r-2", 1, vec!["north"]), ("r-3", 31, vec!["north", "north"])] {
        app.advance(days * 24 * 3_600_000);
        bring(&app, &partner, request, application(1, json!({}))).await.ok();
        app.distribute().await;
        assert_eq!(sold_to(&app).await, buyers, "{request}");
    }
    books(&app).await;
}

// M1: a promise holds where people may be sold as often as one likes.
on_both!(exclusive_is_exclusive_without_a_limit);
async fn exclusive_is_exclusive_without_a_limit(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0})).await);
    app.set("lead.dedup_days", json!(0)).await;
    let south = app.organisation("south").await;
    let once = json!([{"window": "total", "weekday": null, "maxCount": 1, "maxCents": null}]);
    plan(&app, &admin, json!({"name": "north", "methodPriority": 1, "caps": once, "dedupDays": null})).await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2, "dedupDays": null})).await;
    for request in ["r-1", "r-2"] {
        bring(&app, &partner, request, application(1, json!({}))).await.ok();
        app.distribute().await;
        app.advance(24 * 3_600_000);
    }
    assert_eq!(sold_to(&app).await, ["north"]);
    books(&app).await;
}

// M1: promises are mutual: a plan that shares with few also limits plans that would share with more, and the other way
// round.
on_both!(a_plan_that_was_promised_few_shares_with_few);
async fn a_plan_that_was_promised_few_shares_with_few(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0})).await);
    let south = app.organisation("south").await;
    app.set("lead.max_buyers", json!(5)).await;
    let alone = plan(&app, &admin, json!({"name": "alone", "methodPriority": 1})).await;
    plan(&app, &admin, json!({"name": "shared", "orgId": south, "saleMode": "shared", "maxBuyers": 5, "methodPriority": 2})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(sold_to(&app).await, ["alone"]);
    // Once a plan that shares has bought a person, no other plan buys them exclusively.
    app.execute(Box::leak(format!("UPDATE plan SET method_priority = 9, version = version + 1 WHERE id = {alone}").into_boxed_str())).await;
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    bring(&app, &partner, "r-3", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(sold_to(&app).await, ["alone", "shared"]);
}

// M4: what a plan needs is asked again within the sale, however fresh the cached plans are.
on_both!(a_sale_asks_again_what_the_book_said);
async fn a_sale_asks_again_what_the_book_said(app: TestApp) {
    begin(&app);
    testing::product::ready(&app).await;
    let admin = app.sign_in("admin").await;
    let everybody = json!({"cities": [], "ruleSet": null, "onlineFrom": null, "onlineTo": null, "caps": []});
    let product = testing::product::make(&admin, testing::product::with(testing::product::form(&app, "named").await, everybody)).await;
    app.execute("UPDATE product SET status = 'online'").await;
    let (admin, partner, _) = by_api(&app, json!({}), json!({"productId": product})).await;
    for (number, (broken, mended, reason)) in (1..).zip([
        ("UPDATE organisation SET status = 'paused'", "UPDATE organisation SET status = 'active'", "organisation"),
        ("UPDATE organisation SET licence_expire_on = '2020-01-01'", "UPDATE organisation SET licence_expire_on = '2099-01-01'", "licence"),
        ("UPDATE product SET status = 'offline'", "UPDATE product SET status = 'online'", "product"),
        ("UPDATE org_api_config SET status = 'disabled'", "UPDATE org_api_config SET status = 'enabled'", "delivery"),
        ("UPDATE consent_record SET revoked_at = 1", "UPDATE consent_record SET revoked_at = 1", "consent"),
    ]) {
        app.app.service::<Market>().forget().await;
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.app.service::<Market>().running_plans(&app.app.db, app.now()).await.unwrap();
        app.execute(broken).await;
        lead::distribution::settle_handed(&app.app).await.unwrap();
        let told = story(&app, &admin).await;
        assert_eq!(
            (told["pushes"].as_array().unwrap().len(), &told["matches"][0]["passedOver"][0]["reason"]),
            (0, &json!(reason)),
            "{told}"
        );
        app.execute(mended).await;
    }
    bring(&app, &partner, "r-9", application(9, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(sold_to(&app).await, ["api"], "all of it is mended");
}

// M4: a plan whose last day, or whose hours, ended while its organisation was asked does not buy.
on_both!(a_plan_that_closed_during_the_question_does_not_buy);
async fn a_plan_that_closed_during_the_question_does_not_buy(app: TestApp) {
    let (_, partner, buyer) = by_api(&app, asked(), json!({"matchRequired": true})).await;
    buyer.takes(&app, 16_000);
    // The seventh is a Thursday.
    for (number, ends, hours, at, reason) in [
        (1, "NULL", "'{\"4\": [[540, 720]]}'", Some("2027-01-07 12"), "closed"),
        (2, "'2027-01-07'", "NULL", Some("2027-01-08 0"), "over"),
        (3, "NULL", "NULL", None, ""),
    ] {
        let sql = format!("UPDATE plan SET ends_on = {ends}, schedule = {hours}, version = version + 1");
        app.execute(Box::leak(sql.into_boxed_str())).await;
        if let Some((day, hour)) = at.map(|at| at.split_once(' ').unwrap()) {
            let end = base::clock::day_start(day).unwrap() + hour.parse::<i64>().unwrap() * 3_600_000;
            app.advance(end - 10_000 - app.now());
        }
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.app.service::<Market>().forget().await;
        lead::distribution::settle_handed(&app.app).await.unwrap();
        let told = story(&app, &app.sign_in("admin").await).await;
        let passed = told["matches"].as_array().unwrap().iter().find(|one| one["direction"] == "round").unwrap()["passedOver"].clone();
        let sold = told["pushes"].as_array().unwrap().len();
        match reason {
            "" => assert_eq!(sold, 1),
            reason => assert_eq!((sold, &passed[0]["reason"]), (0, &json!(reason)), "{told}"),
        }
    }
    assert_eq!(buyer.received().len(), 3, "each was asked for");
}

// M10: a plan that is saved while a round looks at it loses no lead: it is read again, and pays its new price.
on_both!(a_plan_that_was_saved_meanwhile_still_buys);
async fn a_plan_that_was_saved_meanwhile_still_buys(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "north", "methodPriority": 1})).await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.app.service::<Market>().running_plans(&app.app.db, app.now()).await.unwrap();
    app.execute("UPDATE plan SET price_cents = 7700, version = version + 1 WHERE name = 'north'").await;
    lead::distribution::settle_handed(&app.app).await.unwrap();
    let push = story(&app, &admin).await["pushes"][0].clone();
    assert_eq!((&push["planName"], &push["priceCents"]), (&json!("north"), &json!(7700)));
    books(&app).await;
}

// H3: an organisation that hangs on the question is left alone after some tries; the next buys at once.
on_both!(an_organisation_that_hangs_on_the_question_holds_up_no_other);
async fn an_organisation_that_hangs_on_the_question_holds_up_no_other(app: TestApp) {
    let settings = json!({"matchUrl": "https://api.example.com/match", "timeoutMs": 500});
    let (admin, partner, buyer) = by_api(&app, settings, json!({"matchRequired": true})).await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    buyer.hangs(true);
    for number in 1..=8 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
    }
    assert_eq!((buyer.received().len(), sold_to(&app).await), (5, vec!["south".to_owned(); 8]));
    // After a while it is asked again, once; and since it answers, always.
    buyer.hangs(false);
    app.advance(60_000);
    for number in 11..=12 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
    }
    assert_eq!(sold_to(&app).await[8..], ["api", "api"]);
}

/// An organisation with an address for questions.
fn asked() -> Value {
    json!({"matchUrl": "https://api.example.com/match"})
}

// H4: a round that asked for longer than the lease of its applicant was started again for ever, and sold nothing. Now it
// asks for half of the lease in total, and then sells to plans that need no question.
on_both!(a_round_asks_for_half_a_lease_and_ends);
async fn a_round_asks_for_half_a_lease_and_ends(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, asked(), json!({"matchRequired": true})).await;
    for (name, priority) in [("second", 2), ("third", 3), ("fourth", 4)] {
        plan(&app, &admin, json!({"name": name, "matchRequired": true, "methodPriority": priority})).await;
    }
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 9})).await;
    buyer.answers(200, json!({"code": "NO"}));
    buyer.takes(&app, 16_000);
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!((buyer.received().len(), sold_to(&app).await), (2, vec!["south".to_owned()]));
    let told = story(&app, &admin).await;
    assert_eq!((&told["status"], &told["rounds"]), (&json!("distributed"), &json!(1)));
    let passed =
        told["matches"].as_array().unwrap().iter().find_map(|record| record["passedOver"].as_array().filter(|all| !all.is_empty()));
    let of = |reason: &str| passed.unwrap().iter().filter(|one| one["reason"] == reason).count();
    assert_eq!((of("declined"), of("no_answer")), (1, 1), "{told}");
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE due_at IS NOT NULL").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM match_record WHERE direction = 'outbound'").await, 2);
    admin.delete(&format!("/user/{}", told["id"])).await.ok();
    books(&app).await;
}

// H4: the last question gets what is left of that time, and no more; an organisation that does not answer within it does
// not count as one that hangs.
on_both!(the_last_question_gets_what_is_left_of_the_time);
async fn the_last_question_gets_what_is_left_of_the_time(app: TestApp) {
    let (admin, partner, slow) = by_api(&app, asked(), json!({"matchRequired": true})).await;
    app.set("match.timeout_ms", json!(20_000)).await;
    let south = app.organisation("south").await;
    let last = Buyer::of(&app, &admin, "south", testing::org::with(asked(), json!({"timeoutMs": 20_000}))).await;
    plan(&app, &admin, json!({"name": "asked", "orgId": south, "matchRequired": true, "methodPriority": 2})).await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 3})).await;
    slow.answers(200, json!({"code": "NO"}));
    slow.takes(&app, 29_500);
    last.hangs(true);
    let began = Instant::now();
    for number in 1..=6 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
    }
    assert!(began.elapsed() < Duration::from_secs(20), "less than one whole question");
    assert_eq!(last.received().len(), 6, "it is asked each time");
    assert_eq!(sold_to(&app).await, vec!["south".to_owned(); 6]);
    // With time enough it answers.
    slow.takes(&app, 0);
    last.hangs(false);
    bring(&app, &partner, "r-7", application(7, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(sold_to(&app).await.last().unwrap(), "asked");
    books(&app).await;
}

// H4: an applicant whose rounds do not finish waits longer before each next one and is never given up; here no round
// can read the plans. Once the cause is mended, they are matched, at once where staff ask for it.
on_both!(rounds_that_do_not_finish_are_put_off);
async fn rounds_that_do_not_finish_are_put_off(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    app.execute("UPDATE plan SET schedule = 'unreadable'").await;
    let round = async || lead::distribution::settle_all(&app.app).await;
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        round().await.unwrap_err();
    }
    app.execute("UPDATE applicant SET due_at = due_at + 86400000 WHERE id > (SELECT MIN(id) FROM applicant)").await;
    let stands = "SELECT status || ' ' || begun || ' ' || COALESCE(reason, '') FROM applicant ORDER BY id LIMIT 1";
    for (begun, minutes) in (0..).zip([1, 1, 2, 4, 8, 16, 30, 30]) {
        if begun > 0 {
            round().await.unwrap_err();
        }
        assert_eq!(app.text(stands).await, format!("completed {begun} "));
        let pause = app.count("SELECT MIN(due_at) FROM applicant").await - app.now();
        assert!((minutes * 48_000 - 30_000..=minutes * 60_000).contains(&pause), "{pause} ms after round {begun}");
        app.advance(pause / 2);
        round().await.unwrap();
        assert_eq!(app.text(stands).await, format!("completed {begun} "), "not before its time");
        app.advance(pause / 2 + 2);
    }
    // An applicant who waits for the next round may be erased.
    let admin = app.sign_in("admin").await;
    let user = async |id: i64| admin.get(&format!("/user/{id}")).await;
    let last = app.count("SELECT MAX(id) FROM applicant").await;
    admin.delete(&format!("/user/{last}")).await.ok();

    app.execute("UPDATE plan SET schedule = NULL").await;
    round().await.unwrap();
    assert_eq!(app.text(stands).await, "distributed 0 ");
    let second = user(last - 1).await.ok();
    assert_eq!(second["status"], "completed");
    admin.put("/user/distribute", json!({"id": second["id"], "version": second["version"]})).await.ok();
    round().await.unwrap();
    assert_eq!(user(last - 1).await.ok()["status"], "distributed");
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE begun > 0").await, 0);
}

// A process that dies in a round says nothing of it: the next round is put off by whichever process finds that the
// time of the dead one is over.
on_both!(rounds_whose_process_died_are_put_off);
async fn rounds_whose_process_died_are_put_off(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    _ = app.app.service::<Handoff>().applicants();
    app.execute("UPDATE applicant SET begun = 6").await;
    app.advance(61_000);
    app.distribute().await;
    assert_eq!(app.text("SELECT status FROM applicant").await, "completed");
    let pause = app.count("SELECT due_at FROM applicant").await - app.now();
    assert!(
        (22 * 60_000..=29 * 60_000).contains(&pause),
        "half an hour at most from the round's beginning, less the minute that has passed: {pause}"
    );
    app.advance(pause + 1);
    app.distribute().await;
    assert_eq!(app.text("SELECT status || ' ' || begun FROM applicant").await, "distributed 0");
}

// M6: a lead that is refused while plans are looked for has them looked for once more; what the round
// found at its end does not hide it.
on_both!(a_refusal_during_a_round_is_not_lost);
async fn a_refusal_during_a_round_is_not_lost(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({"saleMode": "shared", "maxBuyers": 2})).await;
    // It has not been delivered, so that the buyer cannot have it when it says no later.
    buyer.answers(401, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    // A round looks for more plans while the buyer says no.
    app.execute("UPDATE applicant SET status = 'matching', due_at = 9000000000000").await;
    buyer.answers(200, json!({"code": "AGE"}));
    app.advance(6 * 60_000);
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "rejected");
    assert_eq!(app.count("SELECT look_again FROM applicant").await, 1);
    app.execute("UPDATE applicant SET due_at = 1").await;
    app.distribute().await;
    assert_eq!((app.count("SELECT look_again FROM applicant").await, &story(&app, &admin).await["status"]), (0, &json!("unmatched")));
}

// M9: when an applicant is erased while a lead about them is on its way, nothing about them comes back. A person finds out
// whether the organisation has them.
on_both!(who_is_erased_half_way_stays_erased);
async fn who_is_erased_half_way_stays_erased(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(500, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!(told["pushes"][0]["status"], "unconfirmed");
    admin.delete(&format!("/user/{}", told["id"])).await.ok();
    app.advance(6 * 60_000);
    app.distribute().await;
    assert_eq!(buyer.received().len(), 1, "an erased applicant is not sent");
    let push = admin.post("/plan/push/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!((&push["status"], &push["nameMask"], &push["nextRetryAt"]), (&json!("unconfirmed"), &json!("***"), &Value::Null));
    assert_eq!(admin.get(&format!("/plan/push/{}", push["id"])).await.ok()["lastError"], "erased", "why it is not tried any more");
    let taken = json!({"id": push["id"], "status": "unconfirmed", "decision": "taken", "note": "told by mail"});
    admin.put("/plan/push/resolve", taken).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE name_mask <> '***' OR phone_mask <> '***'").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM push_attempt WHERE req_masked <> '' OR resp_masked IS NOT NULL").await, 0);
    books(&app).await;
}

// M9: when an applicant is erased while the organisation looks at them, nothing of its answer is kept, whether it takes
// them or not; nor is anything of an earlier answer.
on_both!(who_is_erased_during_a_delivery_stays_erased);
async fn who_is_erased_during_a_delivery_stays_erased(app: TestApp) {
    let (_, partner, buyer) = by_api(&app, json!({"timeoutMs": 20_000}), json!({})).await;
    app.set("push.timeout_ms", json!(20_000)).await;
    let refused = json!({"code": "AGE", "msg": "张小三 不符"});
    for (number, body, status, while_it_looks) in [
        (1, json!({"code": "0000", "msg": "张小三 已收"}), "accepted", true),
        (2, refused.clone(), "rejected", true),
        (3, refused, "rejected", false),
    ] {
        buyer.answers(200, body);
        let answers = buyer.waits();
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        let erase = async || {
            let id = app.count("SELECT MAX(id) FROM applicant").await;
            app.sign_in("admin").await.delete(&format!("/user/{id}")).await.ok();
        };
        let looks = async {
            buyer.until_it_has(1).await;
            if while_it_looks {
                erase().await;
            }
            answers.notify_one();
        };
        tokio::join!(app.distribute(), looks);
        buyer.received();
        if !while_it_looks {
            assert_eq!(kept(&app, "张").await, 4, "masked in the try, the reason and the lead");
            erase().await;
        }
        assert_eq!(app.text("SELECT status FROM push_record WHERE id = (SELECT MAX(id) FROM push_record)").await, status);
        assert_eq!(kept(&app, "张").await, 0, "{status}");
        assert_eq!(app.count("SELECT COUNT(*) FROM push_attempt WHERE outcome <> 'answered'").await, 0, "that there was one is known");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM clue").await, 1);
    books(&app).await;
}

/// In how many places of leads, tries and clues a text stands.
async fn kept(app: &TestApp, text: &str) -> i64 {
    let places = [
        ("push_record", "name_mask"),
        ("push_record", "reject_code"),
        ("push_record", "reject_reason"),
        ("push_record", "upstream_no"),
        ("push_attempt", "req_masked"),
        ("push_attempt", "resp_masked"),
        ("push_attempt", "error"),
        ("outbox_item", "last_error"),
        ("clue", "name_mask"),
    ];
    let of = places.map(|(table, column)| format!("(SELECT COUNT(*) FROM {table} WHERE {column} LIKE '%{text}%')")).join(" + ");
    app.count(Box::leak(format!("SELECT {of}").into_boxed_str())).await
}

// C1: an organisation whose server speaks of a lead has it, whatever became of the answer; what it says that is
// refused has sold nothing.
on_both!(an_organisation_that_speaks_of_a_lead_has_it);
async fn an_organisation_that_speaks_of_a_lead_has_it(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"retryMax": 0}), json!({})).await;
    buyer.answers(504, json!({}));
    let mut numbers = Vec::new();
    for number in 1..=2 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
        let push = story(&app, &admin).await["pushes"][0].clone();
        assert_eq!((&push["status"], &push["nextRetryAt"]), (&json!("unconfirmed"), &Value::Null));
        numbers.push(push["no"].clone());
    }
    let (north, south) = (signing(&app, &admin, "north").await, signing(&app, &admin, "south").await);
    let of = |number: usize, request: &str, star: i64| json!({"requestId": request, "no": numbers[number], "star": star});
    let unconfirmed = async || app.count("SELECT COUNT(*) FROM push_record WHERE status = 'unconfirmed' AND held_cents = 4500").await;

    send_report(&app, &south, of(0, "f-1", 3)).await.refused("1004");
    send_report(&app, &north, of(0, "f-1", 9)).await.wrong("star");
    send_report(&app, &north, of(0, "", 3)).await.wrong("requestId");
    report_call(&app, &north, "forged", &of(0, "f-1", 3)).make_signed(&app.stranger(), &"0".repeat(64)).await.refused("3002");
    assert_eq!(unconfirmed().await, 2, "nothing of a refused call is kept");
    report_call(&app, &north, "once", &of(1, "f-1", 3)).make(&app.stranger()).await.ok();
    assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "accepted");
    report_call(&app, &north, "once", &of(0, "f-2", 3)).make(&app.stranger()).await.refused("3004");
    assert_eq!(unconfirmed().await, 1, "nor of one that is made again");

    for counted in [true, false] {
        assert_eq!(send_report(&app, &north, of(0, "f-3", 3)).await.ok(), json!({"no": numbers[0], "counted": counted}));
    }
    assert_eq!((unconfirmed().await, app.count("SELECT COUNT(*) FROM account_ledger WHERE type = 'lead_sale'").await), (0, 2));
    assert_eq!(app.count("SELECT COUNT(*) FROM feedback").await, 2);
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'push_record' AND type = 'todo' AND done_at IS NULL").await, 0);
    books(&app).await;
}

// C1: an organisation that speaks of a lead after it was taken back and sold to another is refused; those who decide are
// notified once.
on_both!(a_report_that_comes_too_late_is_settled_by_people);
async fn a_report_that_comes_too_late_is_settled_by_people(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"retryMax": 0}), json!({})).await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    buyer.answers(504, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let push = story(&app, &admin).await["pushes"][0].clone();
    let decision = json!({"id": push["id"], "status": "unconfirmed", "decision": "not_taken", "note": "told by phone"});
    admin.put("/plan/push/resolve", decision).await.ok();
    app.distribute().await;
    assert_eq!(sold_to(&app).await, ["api", "south"]);
    let north = signing(&app, &admin, "north").await;
    let messages = async || app.count("SELECT COUNT(*) FROM message WHERE title_zh LIKE '机构超时后确认接收%'").await;
    let report = |star: i64| json!({"requestId": "f-1", "no": push["no"], "star": star});
    send_report(&app, &north, report(9)).await.wrong("star");
    assert_eq!(messages().await, 0);
    send_report(&app, &north, report(3)).await.refused("1006");
    let told = messages().await;
    assert!(told > 0);
    send_report(&app, &north, report(3)).await.refused("1006");
    assert_eq!(messages().await, told);
    let after = story(&app, &admin).await;
    assert_eq!((&after["pushes"][0]["status"], after["money"].as_array().unwrap().len()), (&json!("failed"), 1));
    books(&app).await;
}

// H2: organisations that hang do not hold up other organisations' leads, however much waits for them. They hang to the end,
// so that each worker on them is lost: with one more than their share, the healthy one's leads would wait for ever.
on_both!(four_that_hang_hold_up_no_other);
async fn four_that_hang_hold_up_no_other(app: TestApp) {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use base::outbox::{self, Destination, Kind, LEASE, NewItem, Outbox, Seen};
    use tokio_util::sync::CancellationToken;

    let (db, clock) = (app.app.db.clone(), app.app.clock.clone());
    let now = db.now(&clock).await.unwrap();
    let mut tx = db.begin().await.unwrap();
    for number in 0..300 {
        let item = NewItem {
            kind: Kind::Delivery,
            ref_id: Some(number),
            // What hangs was due before the rest.
            destination: Destination::Organisation(if number < 240 { number % 4 } else { 9 }),
            idem_key: &format!("x-{number}"),
            payload_enc: None,
            due_at: now - 1000 + number,
            expires_at: None,
        };
        outbox::queue::enqueue(&mut tx, &item, now).await.unwrap();
    }
    tx.commit().await.unwrap();
    let (stop, done, hanging) = (CancellationToken::new(), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let worker = {
        let (db, clock, stop, done, hanging) = (db.clone(), clock.clone(), stop.clone(), done.clone(), hanging.clone());
        tokio::spawn(async move {
            let (of_carry, ended) = (db.clone(), stop.clone());
            let carry = move |due: outbox::Due| {
                let (db, done, hanging, ended) = (of_carry.clone(), done.clone(), hanging.clone(), ended.clone());
                async move {
                    let mut tx = db.begin().await.unwrap();
                    let leased = outbox::queue::claim(&mut tx, &due, due.seen + LEASE, due.seen).await.unwrap().unwrap();
                    if due.destination != "org:9" {
                        tx.commit().await.unwrap();
                        hanging.fetch_add(1, Ordering::SeqCst);
                        ended.cancelled().await;
                        return Seen::Failing;
                    }
                    outbox::queue::end(&mut tx, Kind::Delivery, leased.ref_id.unwrap(), outbox::State::Done, due.seen).await.unwrap();
                    tx.commit().await.unwrap();
                    done.fetch_add(1, Ordering::SeqCst);
                    Seen::Well
                }
            };
            outbox::work(&Outbox::default(), &db, &clock, stop, carry).await;
        })
    };
    let all_done = async {
        while done.load(Ordering::SeqCst) < 60 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(15), all_done).await.expect("the healthy one's are delivered");
    assert!(hanging.load(Ordering::SeqCst) <= 4 * 8, "each has its share of hands: {}", hanging.load(Ordering::SeqCst));
    stop.cancel();
    worker.await.unwrap();
}
