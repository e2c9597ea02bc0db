//! `GET /workplace`, and its screen, where everybody begins.

use base::clock::{self, DAY, HOUR};
use serde_json::{Value, json};

use testing::org::{payee, receipt};
use testing::world::PASSWORD;
use testing::{Actor, TestApp, feedback, lead, on_both, plan, returns};

fn queues(today: &Value) -> Vec<&str> {
    today["queues"].as_array().unwrap().iter().map(|queue| queue["href"].as_str().unwrap()).collect()
}

// S1.12
on_both!(each_part_is_for_who_may_see_it);
async fn each_part_is_for_who_may_see_it(app: TestApp) {
    let of = async |who: &str| app.sign_in(who).await.get("/workplace").await.ok();
    let (operator, manager, nobody) = (of("operator").await, of("channel.manager").await, of("nobody").await);
    assert_eq!((queues(&operator), queues(&manager), queues(&nobody)), (vec![], vec![], vec![]), "nothing waits");
    assert_eq!(nobody["operations"], Value::Null);
    assert_eq!(operator["operations"], json!([]));
    app.stranger().get("/workplace").await.refused("2000");
}

/// What a queue counts, and how many the list behind it has.
async fn work(who: &Actor, href: &str) -> (i64, i64) {
    let today = who.get("/workplace").await.ok();
    let queue = today["queues"].as_array().unwrap().iter().find(|queue| queue["href"] == href);
    let (path, filter) = href.split_once('?').unwrap();
    let (name, value) = filter.split_once('=').unwrap();
    let api = match path {
        "/plan/list" => "/plan/page".to_owned(),
        other => format!("{}/page", other.strip_suffix("-list").unwrap_or(other)),
    };
    let page = who.post(&api, json!({name: value})).await.ok();
    (queue.map_or(0, |queue| queue["count"].as_i64().unwrap()), page["total"].as_i64().unwrap())
}

// Every role finds its work on its first page: what waits is counted there, and leads to exactly that.
on_both!(what_waits_for_somebody_is_counted_for_who_may_decide);
async fn what_waits_for_somebody_is_counted_for_who_may_decide(app: TestApp) {
    const RECEIPTS: &str = "/org/receipt?awaits=decision";
    const PLANS: &str = "/plan/list?awaits=decision";
    const PAYEES: &str = "/org/payee?awaits=decision";
    const RETURNS: &str = "/plan/push-list?returnStatus=pending";
    const DOUBTS: &str = "/plan/push-list?status=unconfirmed";
    const FEEDBACK: &str = "/user/feedback-list?handleStatus=open";
    let sold = returns::lenient(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let paid = receipt::confirmed(&app).await;
    for href in [RECEIPTS, PAYEES, PLANS, RETURNS, DOUBTS] {
        assert_eq!(work(&operator, href).await, (0, 0), "{href}");
    }

    // A payment that came in, and one that is to be taken back; a plan that is to run, and one that is to change.
    let asked = json!({"id": paid["id"], "version": paid["version"], "note": "付款方撤回"});
    admin.put("/org/receipt/void", asked).await.ok();
    assert_eq!(work(&operator, RECEIPTS).await, (1, 1));
    let draft = plan::make(&app, &admin, json!({"name": "新计划"})).await["id"].clone();
    assert_eq!(work(&operator, PLANS).await, (0, 0), "nobody was asked");
    plan::step(&admin, &draft, "pending").await.ok();
    assert_eq!(work(&operator, PLANS).await, (1, 1));
    let runs = plan::running(&app, &admin, json!({"name": "在跑的"})).await;
    let row = admin.get(&format!("/plan/{runs}")).await.ok();
    let dearer = plan::form(&app, json!({"id": runs, "version": row["version"], "name": "在跑的", "priceCents": 5000})).await;
    admin.put("/plan", dearer).await.ok();
    assert_eq!(work(&operator, PLANS).await, (2, 2));
    plan::decide(&operator, &runs, true).await.ok();
    assert_eq!(work(&operator, PLANS).await, (1, 1));

    // The first account of a payee.
    let row = admin.post("/org/payee", payee::form("远山科技")).await.ok();
    assert_eq!(work(&operator, PAYEES).await, (1, 1));
    app.approve("/org/payee", &row).await;
    assert_eq!(work(&operator, PAYEES).await, (0, 0));

    let north = app.sign_in("north.manager").await;
    returns::ask(&north, sold.push_id, json!({})).await.ok();
    assert_eq!(work(&operator, RETURNS).await, (1, 1));
    app.execute("UPDATE push_record SET status = 'unconfirmed'").await;
    assert_eq!(work(&operator, DOUBTS).await, (1, 1));
    feedback::send_report(&app, &sold.north, json!([{"leadNo": sold.no, "star": 2}])).await;
    let (counted, listed) = work(&operator, FEEDBACK).await;
    assert_eq!(counted, listed);

    // A request is no work for the person who made it.
    assert_eq!(work(&admin, PLANS).await, (0, 0), "the plan and the change are the administrator's own");
    assert_eq!((work(&admin, RECEIPTS).await, work(&operator, RECEIPTS).await), ((0, 0), (1, 1)));

    // Who may not decide is not told.
    let manager = app.sign_in("channel.manager").await.get("/workplace").await.ok();
    assert_eq!(queues(&manager), Vec::<&str>::new());
}

on_both!(a_queue_shows_its_oldest_row_and_its_money);
async fn a_queue_shows_its_oldest_row_and_its_money(app: TestApp) {
    const RECEIPTS: &str = "/org/receipt?awaits=decision";
    const RETURNS: &str = "/plan/push-list?returnStatus=pending";
    let sold = returns::lenient(&app).await;
    let of = async |href: &str| {
        let today = app.sign_in("operator").await.get("/workplace").await.ok();
        let queues = today["queues"].as_array().unwrap().clone();
        let place = queues.iter().position(|queue| queue["href"] == href).unwrap();
        (place, queues[place].clone())
    };
    let between = |queue: &Value, from: i64, to: i64| (from..=to).contains(&queue["oldest"].as_i64().unwrap());

    let admin = app.sign_in("admin").await;
    let before = app.now();
    receipt::make(&app, &admin, json!({"amountCents": 70_000})).await;
    let after = app.now();
    app.advance(HOUR);
    let admin = app.sign_in("admin").await;
    let second = receipt::make(&app, &admin, json!({"amountCents": 5_000, "bankSerial": "SN-2"})).await;
    let asked = app.now();
    returns::ask(&app.sign_in("north.manager").await, sold.push_id, json!({})).await.ok();

    let (place, queue) = of(RECEIPTS).await;
    let shown = (&queue["action"], &queue["count"], &queue["overdue"], &queue["cents"]);
    assert_eq!(shown, (&json!("review"), &json!(2), &json!(false), &json!(75_000)));
    assert!(between(&queue, before, after), "{queue}");
    let (later, queue) = of(RETURNS).await;
    let price = app.count("SELECT price_cents FROM push_record").await;
    assert_eq!((&queue["count"], &queue["overdue"], &queue["cents"]), (&json!(1), &json!(false), &json!(price)));
    assert!(between(&queue, asked, app.now()) && place < later, "the receipts wait for longer: {queue}");

    // The first receipt waits for more than a day, the return does not yet.
    app.advance(DAY - HOUR / 2);
    assert_eq!((of(RECEIPTS).await.1["overdue"].clone(), of(RETURNS).await.1["overdue"].clone()), (json!(true), json!(false)));
    app.advance(HOUR);
    assert_eq!(of(RETURNS).await.1["overdue"], true);

    // A voiding waits since it was asked for.
    let row = app.sign_in("operator").await.put("/org/receipt/status", receipt::decision(&second, "confirmed")).await.ok();
    let asked = app.now();
    receipt::ask_void(&app.sign_in("admin").await, &row).await.ok();
    app.execute("UPDATE receipt SET deleted_at = 1 WHERE amount_cents = 70000").await;
    let (_, queue) = of(RECEIPTS).await;
    assert_eq!((&queue["count"], &queue["overdue"], &queue["cents"]), (&json!(1), &json!(false), &json!(5_000)));
    assert!(between(&queue, asked, app.now()), "{queue}");
}

// What the platform sold is new to its buyer alone.
on_both!(new_leads_are_a_queue_of_their_buyer);
async fn new_leads_are_a_queue_of_their_buyer(app: TestApp) {
    const UNSEEN: &str = "/plan/push-list?unseen=yes";
    let sold = returns::lenient(&app).await;
    let (north, south, admin) = (app.sign_in("north.manager").await, app.sign_in("south.manager").await, app.sign_in("admin").await);
    let today = north.get("/workplace").await.ok();
    let queue = today["queues"].as_array().unwrap().iter().find(|queue| queue["href"] == UNSEEN).unwrap().clone();
    assert_eq!((&queue["count"], &queue["action"]), (&json!(1), &json!("view")), "{}", sold.no);
    for other in [&south, &admin] {
        assert!(!queues(&other.get("/workplace").await.ok()).contains(&UNSEEN));
    }
}

/// What a line of what is unusual counts, and how many the list behind it has.
async fn unusual(who: &Actor, api: &str, href: &str) -> (i64, i64) {
    let today = who.get("/workplace").await.ok();
    let line = today["unusual"].as_array().unwrap().iter().find(|line| line["href"] == href);
    let filters = href.split_once('?').unwrap().1.split('&').map(|filter| filter.split_once('=').unwrap());
    let body: Value = filters.map(|(name, value)| (name.to_owned(), Value::from(value))).collect::<serde_json::Map<_, _>>().into();
    let page = who.post(api, body).await.ok();
    (line.map_or(0, |line| line["count"].as_i64().unwrap()), page["total"].as_i64().unwrap())
}

on_both!(what_is_unusual_leads_to_exactly_that);
async fn what_is_unusual_leads_to_exactly_that(app: TestApp) {
    const FULL: &str = "/plan/list?capsFull=yes";
    const UNPAID: &str = "/plan/list?status=paused&pauseReason=no_balance";
    const FAILING: &str = "/plan/list?status=paused&pauseReason=api_errors";
    const LOW: &str = "/finance/account?holds=low";
    plan::begin(&app);
    let (admin, web) = (app.sign_in("admin").await, lead::channel(&app, json!({})).await);
    let cap = |window: &str, weekday: Value, count: i64| json!({"window": window, "weekday": weekday, "maxCount": count, "maxCents": null});
    let caps = json!([cap("day", Value::Null, 1), cap("month", Value::Null, 50)]);
    lead::plan(&app, &admin, json!({"name": "限量", "caps": caps})).await;
    lead::plan(&app, &admin, json!({"name": "不限", "caps": []})).await;
    assert_eq!(unusual(&admin, "/plan/page", FULL).await, (0, 0));
    assert_eq!(app.count("SELECT COUNT(*) FROM plan WHERE status = 'running'").await, 2);

    // Another lead than these would be one too many for the first.
    app.execute("UPDATE cap_counter SET used_count = 1").await;
    app.execute(
        "INSERT INTO cap_counter (rule_id, window_start, used_count, used_cents) SELECT k.id, 0, 1, 0 FROM cap_rule k \
         WHERE NOT EXISTS (SELECT 1 FROM cap_counter c WHERE c.rule_id = k.id)",
    )
    .await;
    let day = clock::start(clock::day(app.now()));
    app.execute(leaked(format!(
        "UPDATE cap_counter SET window_start = {day} WHERE rule_id IN (SELECT id FROM cap_rule WHERE max_count = 1)"
    )))
    .await;
    assert_eq!(unusual(&admin, "/plan/page", FULL).await, (1, 1));
    let listed = admin.post("/plan/page", json!({"capsFull": "yes"})).await.ok()["list"][0].clone();
    assert_eq!((&listed["name"], &listed["holds"]), (&json!("限量"), &json!(["capped"])));
    // The cap of a weekday replaces that of every day.
    let today = clock::day(app.now()).weekday().to_monday_one_offset();
    let of_weekday = format!(
        "INSERT INTO cap_rule (subject_type, subject_id, \"window\", weekday, max_count, created_at, updated_at) \
         SELECT 'plan', subject_id, 'day', {today}, 9, 0, 0 FROM cap_rule WHERE max_count = 1"
    );
    app.execute(leaked(of_weekday)).await;
    assert_eq!(unusual(&admin, "/plan/page", FULL).await, (0, 0));
    app.execute("DELETE FROM cap_rule WHERE max_count = 9").await;
    assert_eq!(unusual(&admin, "/plan/page", FULL).await, (1, 1));

    app.execute("UPDATE plan SET status = 'paused', pause_reason = 'no_balance' WHERE name = '限量'").await;
    assert_eq!((unusual(&admin, "/plan/page", FULL).await, unusual(&admin, "/plan/page", UNPAID).await), ((0, 0), (1, 1)));
    app.execute("UPDATE plan SET pause_reason = 'api_errors' WHERE name = '限量'").await;
    assert_eq!((unusual(&admin, "/plan/page", UNPAID).await, unusual(&admin, "/plan/page", FAILING).await), ((0, 0), (1, 1)));
    app.execute("UPDATE plan SET pause_reason = 'manual' WHERE name = '限量'").await;
    assert_eq!(unusual(&admin, "/plan/page", FAILING).await, (0, 0), "a person wanted that");

    // A running plan whose organisation may not buy.
    const INACTIVE: &str = "/plan/list?stoppedBy=organisation";
    const UNLICENSED: &str = "/plan/list?stoppedBy=licence";
    for (change, back, href, hold) in [
        ("status = 'paused'", "status = 'active'", INACTIVE, "organisation"),
        ("licence_expire_on = '2020-01-31'", "licence_expire_on = '2099-01-31'", UNLICENSED, "licence"),
        ("licence_expire_on = NULL", "licence_expire_on = '2099-01-31'", UNLICENSED, "licence"),
    ] {
        assert_eq!(unusual(&admin, "/plan/page", href).await, (0, 0), "{href}");
        app.execute(leaked(format!("UPDATE organisation SET {change}"))).await;
        assert_eq!(unusual(&admin, "/plan/page", href).await, (1, 1), "{change}: the other plan is paused");
        let listed = admin.post("/plan/page", json!({"stoppedBy": hold})).await.ok()["list"][0].clone();
        assert_eq!((&listed["name"], &listed["holds"]), (&json!("不限"), &json!([hold])));
        app.execute(leaked(format!("UPDATE organisation SET {back}"))).await;
    }

    assert_eq!(unusual(&admin, "/finance/account/page", LOW).await, (0, 0));
    app.execute("UPDATE organisation SET low_balance_notified_at = 1 WHERE id = (SELECT MIN(org_id) FROM plan)").await;
    assert_eq!(unusual(&admin, "/finance/account/page", LOW).await, (1, 1));

    // Of twenty applicants of today half found no plan, of the twenty of yesterday a tenth.
    for number in 1..=40 {
        lead::bring(&app, &web, &format!("share-{number}"), lead::application(number, json!({}))).await.ok();
    }
    app.execute("UPDATE applicant SET status = 'distributed', due_at = NULL").await;
    app.execute("UPDATE applicant SET status = 'unmatched' WHERE id IN (SELECT id FROM applicant ORDER BY id LIMIT 10)").await;
    let href = format!("/user/list?status=unmatched&test=no&createdFrom={}", clock::day(app.now()));
    assert_eq!(unusual(&admin, "/user/page", &href).await, (0, 10), "there is nothing to compare with");
    let yesterday = app.now() - DAY;
    let earlier = format!("UPDATE applicant SET created_at = {yesterday} WHERE id IN (SELECT id FROM applicant ORDER BY id DESC LIMIT 20)");
    app.execute(leaked(earlier)).await;
    app.execute("UPDATE applicant SET status = 'unmatched' WHERE id IN (SELECT id FROM applicant ORDER BY id DESC LIMIT 2)").await;
    assert_eq!(unusual(&admin, "/user/page", &href).await, (10, 10));
    let today = admin.get("/workplace").await.ok();
    let line = today["unusual"].as_array().unwrap().iter().find(|line| line["href"] == *href).unwrap().clone();
    assert_eq!(line["title"], "今日未匹配率 50%（前 7 天 10%）");

    assert_eq!(app.sign_in("nobody").await.get("/workplace").await.ok()["unusual"], json!([]));
    let manager = app.sign_in("channel.manager").await.get("/workplace").await.ok();
    assert!(!manager["unusual"].to_string().contains("/plan/list"), "{manager}");
}

fn leaked(sql: String) -> &'static str {
    Box::leak(sql.into_boxed_str())
}

on_both!(destinations_that_are_not_called_are_unusual);
async fn destinations_that_are_not_called_are_unusual(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let paused = async || {
        let today = admin.get("/workplace").await.ok();
        let lines = today["unusual"].as_array().unwrap().clone();
        lines.into_iter().find(|line| line["title"] == "因连续失败暂停调用的接口")
    };
    assert_eq!(paused().await, None);
    for _ in 0..50 {
        app.app.outbox.breakers.note("org:1", false, app.now());
    }
    let line = paused().await.unwrap();
    assert_eq!((&line["count"], &line["href"]), (&json!(1), &json!("/dashboard/monitor")));
    assert_eq!(admin.get("/server/status").await.ok()["outbox"]["openBreakers"], 1);
    let today = admin.get("/workplace").await.ok();
    assert!(today["unusual"].to_string().contains("监控中需要关注的项目"), "{today}");
}

on_both!(what_was_done_lately_is_shown_within_the_scope);
async fn what_was_done_lately_is_shown_within_the_scope(app: TestApp) {
    let north = app.sign_in("north.manager").await;
    app.sign_in("operator").await.export("/channel/page/export", json!({"format": "csv"})).await;
    north.export("/admin/page/export", json!({"format": "csv"})).await;
    // Each export begins and ends.
    let seen = |today: Value| {
        let mut names = today["operations"].as_array().unwrap().iter().map(|row| row["username"].clone()).collect::<Vec<_>>();
        names.dedup();
        names
    };
    assert_eq!(seen(app.sign_in("admin").await.get("/workplace").await.ok()), ["north.manager", "operator"]);
    assert_eq!(seen(north.get("/workplace").await.ok()), ["north.manager"]);
}

on_both!(everyone_sees_the_attempts_on_their_own_name_and_no_others);
async fn everyone_sees_the_attempts_on_their_own_name_and_no_others(app: TestApp) {
    for (name, password) in [("nobody", PASSWORD), ("nobody", "wrong password"), ("admin", PASSWORD)] {
        app.stranger().post("/admin/login", json!({"username": name, "password": password})).await;
    }
    let today = app.sign_in("nobody").await.get("/workplace").await.ok();
    let results: Vec<&str> = today["signIns"].as_array().unwrap().iter().map(|row| row["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["wrong", "ok"]);
}
