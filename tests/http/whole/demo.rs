//! `leadlane demo` on both databases, and what its people may do.

mod levers;

use std::collections::{BTreeMap, HashSet};

use demo::{self, DemoOptions};
use serde_json::{Value, json};
use sqlx::Row;

use testing::demo::{PASSWORD, emptied, filled};
use testing::{TestApp, on_both};

on_both!(the_demo_is_a_believable_business);
async fn the_demo_is_a_believable_business(app: TestApp) {
    filled(&app).await;
    let operator = app.sign_in("operator").await;
    let page = operator.post("/channel/page", json!({"pageSize": 200})).await.ok();
    let rows = page["list"].as_array().unwrap();
    assert_eq!(rows.len(), 40);
    for (field, values) in [
        ("type", json!(["ads", "h5", "api", "sms", "organic", "other"])),
        ("settleMode", json!(["none", "uv", "registered", "accepted_lead", "share"])),
        ("status", json!(["disabled", "enabled", "paused"])),
        ("mode", json!(["test", "live"])),
    ] {
        for value in values.as_array().unwrap() {
            assert!(rows.iter().any(|row| &row[field] == value), "{field} {value}");
        }
    }
    let created: Vec<i64> = rows.iter().map(|row| row["createdAt"].as_i64().unwrap()).collect();
    let (newest, oldest) = (created[0], created[39]);
    assert!(newest <= app.now() && newest - oldest > 500 * 86_400_000, "spread over two years");
    assert!(app.count("SELECT MAX(at) FROM operation_log").await <= app.now(), "nobody has done anything tomorrow");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%makerNames%'").await, 0, "the trail is told in words");
    assert_eq!(app.count("SELECT COUNT(*) FROM organisation").await, 25);
    assert_eq!(
        app.count(
            "SELECT COUNT(DISTINCT action) FROM decision WHERE status = 'open' AND action IN \
               ('change_payee_account', 'change_payee_channel', 'add_payment_links', 'change_delivery', 'change_org_terms')"
        )
        .await,
        5,
        "a proposal of each kind is open"
    );
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator WHERE must_change_pwd = 1").await, 0);
    let page = operator.post("/org/page", json!({"pageSize": 200})).await.ok();
    for (field, values) in [
        ("type", json!(["bank", "consumer_finance", "micro_loan", "broker", "other"])),
        ("status", json!(["pending", "active", "paused", "terminated"])),
        ("billMode", json!(["prepaid", "credit"])),
        ("mode", json!(["test", "live"])),
    ] {
        for value in values.as_array().unwrap() {
            assert!(page["list"].as_array().unwrap().iter().any(|row| &row[field] == value), "{field} {value}");
        }
    }

    let page = operator.post("/product/page", json!({"pageSize": 200})).await.ok();
    let products = page["list"].as_array().unwrap();
    assert_eq!(products.len(), 60);
    for (field, values) in [
        ("category", json!(["credit", "mortgage", "car", "business", "fund", "policy"])),
        ("applyMode", json!(["jump", "api", "lead", "download"])),
        ("status", json!(["draft", "online", "offline", "archived"])),
    ] {
        for value in values.as_array().unwrap() {
            assert!(products.iter().any(|row| &row[field] == value), "{field} {value}");
        }
    }
    let online: Vec<&Value> = products.iter().filter(|row| row["status"] == "online").collect();
    assert!(online.len() > 20, "{} are online", online.len());
    for row in online {
        assert!(row["annualRateMaxBp"].as_i64().unwrap() <= 2400 && row["lenderName"] != "", "{row}");
    }

    let page = operator.post("/blacklist/page", json!({"pageSize": 200})).await.ok();
    let entries = page["list"].as_array().unwrap();
    assert_eq!(entries.len(), 60);
    for (field, values) in [
        ("kind", json!(["phone", "id_no", "ip", "device"])),
        ("scope", json!(["global", "channel", "organisation"])),
        ("source", json!(["manual", "import", "complaint", "risk", "opt_out"])),
        ("status", json!(["active", "lifted"])),
    ] {
        for value in values.as_array().unwrap() {
            assert!(entries.iter().any(|row| &row[field] == value), "{field} {value}");
        }
    }
    let held_for = |row: &&Value| (row["scope"] == "global") == row["scopeName"].is_null();
    assert!(entries.iter().all(|row| held_for(&row)), "{page}");

    let page = operator.post("/user/feedback/page", json!({"pageSize": 200})).await.ok();
    let feedback = page["list"].as_array().unwrap();
    for (field, values) in [("source", json!(["buyer", "staff"])), ("handleStatus", json!(["open", "done"])), ("star", json!([0, 1, 3]))] {
        for value in values.as_array().unwrap() {
            assert!(feedback.iter().any(|row| &row[field] == value), "{field} {value}");
        }
    }

    for status in ["pending", "approved", "refused"] {
        let page = operator.post("/plan/push/page", json!({"returnStatus": status})).await.ok();
        assert!(page["total"].as_i64() > Some(0), "{status}");
    }
    assert_eq!(trade::ledger::verify::verify(&app.app.db).await.unwrap(), []);

    // Each channel's history ends with what it is.
    for row in rows {
        let history = operator.get(&format!("/channel/history/{}", row["id"])).await.ok();
        let entries = history.as_array().unwrap();
        assert_eq!(entries.len() as i64, row["version"].as_i64().unwrap());
        assert_eq!((&entries.last().unwrap()["at"], &entries[0]["at"]), (&row["createdAt"], &row["updatedAt"]));
        let told = |field: &str| {
            let changes = entries.iter().flat_map(|entry| entry["diff"].as_array().unwrap());
            changes.filter(|change| change["field"] == field).map(|change| change["after"].clone()).next()
        };
        assert_eq!((told("status"), told("mode")), (Some(row["status"].clone()), Some(row["mode"].clone())), "{row}");
    }
    // Its visits: the last days event by event, the days before as figures.
    for path in ["/channel/uv/page", "/product/uv/page", "/org/uv/page", "/org/uv2/page", "/plan/uv/page"] {
        let days = async |from: i64, to: i64| {
            let day = |back: i64| base::clock::day(app.now() - back * 86_400_000).to_string();
            operator.post(path, json!({"dayFrom": day(from), "dayTo": day(to)})).await.ok()["totals"].clone()
        };
        for (from, to) in [(39, 8), (6, 1)] {
            let totals = days(from, to).await;
            assert!(totals["pv"].as_i64() >= totals["uv"].as_i64() && totals["uv"].as_i64() > Some(10), "{path}: {totals}");
        }
        assert_eq!(days(60, 40).await["pv"], 0);
    }
    let channels = operator.post("/channel/uv/page", json!({"dayFrom": "2020-01-01"})).await.ok()["totals"].clone();
    assert!(channels["costCents"].as_i64() > Some(0) && channels["incomeCents"].as_i64() > channels["costCents"].as_i64(), "{channels}");
    for field in ["registered", "applied", "matched", "sold", "returned"] {
        assert!(channels[field].as_i64() > Some(0), "{field}: {channels}");
    }
    let (today, db) = (base::clock::day(app.now()), &app.app.db);
    let kept = trade::visit::kept_from(db.read()).await.unwrap().unwrap().parse().unwrap();
    let rebuilt = trade::visit::rebuild(db, &app.app.clock, kept, today).await.unwrap();
    assert_eq!((rebuilt.days, rebuilt.corrected), (7, 0), "the figures of the last days are those of their events");
    // A year's leads add up too, where single visits are gone.
    let rebuilt = trade::visit::rebuild(db, &app.app.clock, today.saturating_sub(jiff::ToSpan::days(370)), today).await.unwrap();
    assert_eq!((rebuilt.days, rebuilt.without_visits, rebuilt.corrected), (371, 364, 0));
    let sql = "SELECT CAST(SUM(registered) AS BIGINT) AS a, CAST(SUM(applied) AS BIGINT) AS b, CAST(SUM(matched) AS BIGINT) AS c, \
        CAST(SUM(contacted) AS BIGINT) AS d, CAST(SUM(sold) AS BIGINT) AS e, CAST(SUM(signed) AS BIGINT) AS f \
        FROM uv_stat_daily WHERE subject_type = 'channel' AND channel_id = 0 AND system = ''";
    let row = sqlx::query(sql).fetch_one(db.read()).await.unwrap();
    let sums = ["a", "b", "c", "d", "e", "f"].map(|name| row.get::<i64, _>(name));
    let [registered, applied, matched, contacted, sold, signed] = sums;
    assert!(registered >= applied && applied >= matched && sold >= contacted && contacted > signed && signed > 0, "{sums:?}");
    // Fewer at each step: who was shown a plan, chose it, applied, passed, found a buyer, was sold.
    let count = async |sql: &'static str| sqlx::query_scalar::<_, i64>(sql).fetch_one(db.read()).await.unwrap();
    let of_plans = async |figure: &'static str| {
        let all = operator.post("/plan/uv/page", json!({"dayFrom": "2020-01-01"})).await.ok()["totals"].clone();
        all[figure].as_i64().unwrap()
    };
    let funnel = [
        of_plans("exposureUv").await,
        of_plans("uv").await,
        registered,
        applied,
        matched,
        count("SELECT COUNT(DISTINCT user_id) FROM push_record WHERE sold_at IS NOT NULL AND test = 0").await,
    ];
    assert!(funnel.is_sorted_by(|before, after| before >= after) && funnel[5] > 0, "{funnel:?}");
    falls_in_each_channel(&app).await;
    falls_in_each_row(&app).await;

    let again = demo::fill(&app.app, DemoOptions { channels: 1, days: 0, users: 0, seed: 1, password: None }).await.unwrap_err();
    assert_eq!(again.to_string(), "the database is not empty; the demo fills only an empty one");
}

/// The same by channel: the visitors of each, its applicants at each step, and those who were sold; and of the days whose single
/// visits are kept, to how many its plans were shown and who chose one of them.
async fn falls_in_each_channel(app: &TestApp) {
    let mut steps: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let visited = "SELECT subject_id AS channel, CAST(SUM(uv) AS BIGINT) AS a, CAST(SUM(registered) AS BIGINT) AS b, \
        CAST(SUM(applied) AS BIGINT) AS c, CAST(SUM(matched) AS BIGINT) AS d FROM uv_stat_daily \
        WHERE subject_type = 'channel' AND channel_id = 0 AND system = '' GROUP BY subject_id";
    let channel = |row: &sqlx::any::AnyRow| row.get::<i64, _>("channel");
    for row in sqlx::query(visited).fetch_all(app.app.db.read()).await.unwrap() {
        steps.insert(channel(&row), ["a", "b", "c", "d"].map(|name| row.get(name)).to_vec());
    }
    let sold = "SELECT channel_id AS channel, COUNT(DISTINCT user_id) AS a FROM push_record WHERE sold_at IS NOT NULL AND test = 0 \
        GROUP BY channel_id";
    for row in sqlx::query(sold).fetch_all(app.app.db.read()).await.unwrap() {
        steps.get_mut(&channel(&row)).expect("a channel that sold has figures").push(row.get("a"));
    }
    let shown = "SELECT channel_id AS channel, CAST(SUM(exposure_uv) AS BIGINT) AS a, CAST(SUM(uv) AS BIGINT) AS b FROM uv_stat_daily \
        WHERE subject_type = 'plan' AND channel_id <> 0 AND system = '' GROUP BY channel_id";
    let shown = sqlx::query(shown).fetch_all(app.app.db.read()).await.unwrap();
    let of_plans: Vec<(i64, Vec<i64>)> = shown.iter().map(|row| (channel(row), vec![row.get("a"), row.get("b")])).collect();
    assert!(steps.values().filter(|figures| figures.len() == 5).count() > 10 && of_plans.len() > 10, "{steps:?} {of_plans:?}");
    for (channel, figures) in steps.into_iter().chain(of_plans) {
        assert!(figures.is_sorted_by(|before, after| before >= after), "{channel}: {figures:?}");
    }
}

/// Figures of the lists of visits and of statistics, each at least as great as the next where a row has both.
const FUNNELS: &[&[&str]] = &[
    &["exposurePv", "exposureUv", "uv"],
    &["pv", "uv"],
    &["exposures", "visitors", "applicants"],
    // Organisations match applicants who come without a visit to them.
    &["applicants", "passed", "matched"],
    &["visits", "visitors"],
    &["pushed", "sales", "returns"],
    &["sales", "contacted"],
];

/// The same in every row of the lists that show them.
async fn falls_in_each_row(app: &TestApp) {
    let operator = app.sign_in("operator").await;
    let day = |back: i64| base::clock::day(app.now() - back * 86_400_000).to_string();
    for path in ["/product/uv/page", "/chart/product/page", "/chart/org/page", "/plan/uv/page", "/chart/channel/page"] {
        let mut rows = Vec::new();
        for current in 1.. {
            let asked = json!({"dayFrom": day(400), "dayTo": day(0), "current": current, "pageSize": 200});
            let page = operator.post(path, asked).await.ok();
            rows.extend(page["list"].as_array().unwrap().clone());
            if rows.len() as i64 >= page["total"].as_i64().unwrap() {
                break;
            }
        }
        assert!(rows.len() > 10, "{path}: {}", rows.len());
        for row in rows {
            for funnel in FUNNELS {
                let figures: Vec<i64> = funnel.iter().filter_map(|name| row[*name].as_i64()).collect();
                assert!(figures.is_sorted_by(|before, after| before >= after), "{path}: {funnel:?} of {row}");
            }
            let rates = row.as_object().unwrap().iter().filter(|(name, _)| name.ends_with("Bp"));
            for (name, rate) in rates {
                assert!(rate.as_i64() <= Some(10_000), "{path}: {name} of {row}");
            }
        }
    }
}

on_both!(the_demo_stops_replaces_and_waits_for_applicants);
async fn the_demo_stops_replaces_and_waits_for_applicants(app: TestApp) {
    filled(&app).await;
    for (what, sql) in [
        ("an invalid applicant", "SELECT COUNT(*) FROM applicant WHERE status = 'invalid' AND invalid_reason = 'wrong_number'"),
        ("a consent withdrawn by staff", "SELECT COUNT(*) FROM consent_record WHERE revoked_via = 'staff'"),
        ("a consent withdrawn by a channel", "SELECT COUNT(*) FROM consent_record WHERE revoked_via = 'channel'"),
        ("a message to a buyer", "SELECT COUNT(*) FROM message WHERE biz_type = 'consent' AND org_id IS NOT NULL"),
        ("a push that waits for its applicant", "SELECT COUNT(*) FROM push_record WHERE status = 'queued' AND auth_status = 'waiting'"),
        ("a replacement that is due", "SELECT COUNT(*) FROM lead_replacement"),
    ] {
        assert!(app.count(sql).await > 0, "{what}");
    }
    testing::lead::books(&app).await;
}

// What the screens of four eyes and of doubt are for can be tried.
on_both!(there_is_something_to_decide_on_and_somebody_who_may);
async fn there_is_something_to_decide_on_and_somebody_who_may(app: TestApp) {
    filled(&app).await;
    let (operator, director) = (app.sign_in("operator").await, app.sign_in("director").await);
    let todo = director.post("/message/page", json!({"kind": "todo"})).await.ok()["list"].to_string();
    assert!(todo.contains("计划变更待审") && todo.contains("线索待核实"), "{todo}");

    let plans = director.post("/plan/page", json!({"pageSize": 200})).await.ok();
    let plans = plans["list"].as_array().unwrap();
    let asked = plans.iter().find(|plan| plan["change"].is_object()).expect("a change waits");
    let approve = json!({"id": asked["id"], "version": asked["version"], "approve": true});
    operator.put("/plan/audit", approve.clone()).await.refused("1003");
    assert_eq!(director.put("/plan/audit", approve).await.ok()["priceCents"], asked["change"]["priceCents"]);
    let pending = plans.iter().find(|plan| plan["status"] == "pending").expect("a plan waits");
    let reject = json!({"id": pending["id"], "version": pending["version"], "approve": false, "note": "单价偏低"});
    assert_eq!(director.put("/plan/audit", reject).await.ok()["status"], "rejected");

    let doubts = operator.post("/plan/push/page", json!({"status": "unconfirmed"})).await.ok();
    let doubts = doubts["list"].as_array().unwrap();
    assert_eq!(doubts.len(), 2);
    for (push, decision, status) in [(&doubts[0], "taken", "accepted"), (&doubts[1], "not_taken", "failed")] {
        let body = json!({"id": push["id"], "status": "unconfirmed", "decision": decision, "note": "电话核实"});
        assert_eq!(director.put("/plan/push/resolve", body).await.ok()["status"], status);
    }
    assert_eq!(trade::ledger::verify::verify(&app.app.db).await.unwrap(), []);
}

on_both!(an_administrator_is_made_on_an_empty_database);
async fn an_administrator_is_made_on_an_empty_database(app: TestApp) {
    emptied(&app).await;
    demo::ensure_admin(&app.app, "root", Some(PASSWORD.to_owned())).await.unwrap();
    app.stranger().post("/admin/login", json!({"username": "root", "password": PASSWORD})).await.ok();
    app.sign_in("root").await.post("/channel/page", json!({})).await.ok();
    let second = demo::ensure_admin(&app.app, "root", Some("Red-Kettle-8".to_owned())).await.unwrap();
    app.stranger().post("/admin/login", json!({"username": "root", "password": PASSWORD})).await.refused("1002");
    app.stranger().post("/admin/login", json!({"username": "root", "password": second})).await.ok();
}

// A count leads to what it counts.
on_both!(the_leads_that_wait_to_be_seen_are_there);
async fn the_leads_that_wait_to_be_seen_are_there(app: TestApp) {
    filled(&app).await;
    let manager = app.sign_in("north.manager").await;
    let today = manager.get("/workplace").await.ok();
    let queue = today["queues"].as_array().unwrap().iter().find(|queue| queue["href"] == "/plan/push-list?unseen=yes").unwrap();
    let counted = &queue["count"];
    assert_eq!(*counted, 5);
    assert_eq!(manager.post("/plan/push/page", json!({"unseen": "yes"})).await.ok()["total"], *counted);
    assert_ne!(app.sign_in("north.sales1").await.get("/crm/getNewUserCount").await.ok(), 0);
}

// Phones and identity numbers stay masked, in every list and page, for those who may not reveal them.
on_both!(nobody_without_the_point_sees_a_whole_number);
async fn nobody_without_the_point_sees_a_whole_number(app: TestApp) {
    filled(&app).await;
    let ids = app.count("SELECT MAX(id) FROM applicant").await;
    let mut whole = Vec::new();
    for id in 1..=ids {
        let shown = trade::user::person::reveal(app.app.db.read(), &app.app.keys, id).await.unwrap().unwrap();
        whole.extend([Some(shown.phone), shown.id_no].into_iter().flatten());
    }
    assert!(whole.len() >= 60);
    let lengths: HashSet<usize> = whole.iter().map(String::len).collect();
    let whole: HashSet<String> = whole.into_iter().collect();
    // Numbers may stand within longer ones.
    let found_in = |text: &str| {
        let runs = text.split(|one: char| !one.is_ascii_digit() && one != 'X').filter(|run| run.len() >= 11).collect::<Vec<_>>();
        let parts = |length: usize| runs.iter().flat_map(move |run| (length..=run.len()).map(move |end| &run[end - length..end]));
        lengths.iter().find_map(|length| parts(*length).find(|part| whole.contains(*part)).map(str::to_owned))
    };
    let calls = server::calls();
    let mut looked = 0;
    for username in ["operator", "finance", "service", "auditor", "channel.lin", "north.manager", "north.sales1", "south.manager"] {
        let who = app.sign_in(username).await;
        for call in calls.iter().filter(|call| !call.writes && !call.path.contains("/reveal/")) {
            let paths = match call.path.contains("{id}") {
                true => [1, ids / 2, ids].map(|id| call.path.replace("{id}", &id.to_string())).to_vec(),
                false => vec![call.path.to_owned()],
            };
            for path in paths {
                let body = (call.method != axum::http::Method::GET).then(|| json!({"pageSize": 200, "format": "csv"}));
                let who = if path.ends_with("/export") { who.with("accept", "application/octet-stream") } else { who.clone() };
                let answer = who.call(call.method.clone(), &path, body.as_ref()).await;
                let text = String::from_utf8_lossy(&answer.body);
                let found = found_in(&text);
                assert!(found.is_none(), "{username} finds {found:?} at {path}");
                looked += 1;
            }
        }
    }
    assert!(looked > 500, "{looked}");
}

/// One change by SQL that the check of the books finds: of the first row of a table for which a condition holds, what is set,
/// what sets it back, and the kind that is found.
type Falsified = (&'static str, &'static str, &'static str, &'static str, &'static str);

/// The paid order of the recharge that names none.
const UNLINKED: &str = "payment_order_id = (SELECT r.id FROM payment_order r WHERE r.biz_type = 'recharge' AND r.paid_cents IS NOT NULL \
     AND NOT EXISTS (SELECT 1 FROM recharge c WHERE c.payment_order_id = r.id))";

const FALSIFIED: &[Falsified] = &[
    (
        "payment_order",
        "status = 'success' AND biz_type = 'recharge'",
        "paid_cents = paid_cents + 1",
        "paid_cents = paid_cents - 1",
        "payment",
    ),
    ("payment_order", "status = 'success' AND biz_type = 'recharge'", "status = 'closed'", "status = 'success'", "payment"),
    ("payment_order", "status = 'success' AND biz_type = 'recharge'", "status = 'refunded'", "status = 'success'", "payment"),
    ("payment_order", "status = 'success' AND biz_type = 'recharge'", "biz_type = 'other'", "biz_type = 'recharge'", "payment"),
    ("payment_order", "status = 'success' AND biz_type = 'recharge'", "refunding_cents = 1", "refunding_cents = 0", "refunded"),
    ("payment_order", "status = 'success' AND biz_type = 'recharge'", "org_id = org_id + 1", "org_id = org_id - 1", "payment"),
    ("payment_order", "paid_cents IS NULL AND biz_type = 'recharge'", "paid_cents = 1", "paid_cents = NULL", "payment"),
    ("payment_order", "paid_cents IS NULL AND status = 'closed'", "status = 'success'", "status = 'closed'", "payment"),
    (
        "payment_order",
        "status = 'success' AND biz_type = 'service_fee'",
        "paid_cents = paid_cents + 1",
        "paid_cents = paid_cents - 1",
        "payment",
    ),
    ("payment_order", "status = 'success' AND biz_type = 'service_fee'", "biz_type = 'other'", "biz_type = 'service_fee'", "payment"),
    ("recharge", "payment_order_id IS NOT NULL", "amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1", "payment"),
    ("recharge", "payment_order_id IS NOT NULL", "status = 'reversed'", "status = 'credited'", "payment"),
    ("recharge", "payment_order_id IS NOT NULL", "payment_order_id = NULL", UNLINKED, "payment"),
    ("money_record", "payment_order_id IS NOT NULL", "amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1", "payment"),
    ("money_record", "payment_order_id IS NOT NULL", "status = 'pending'", "status = 'confirmed'", "payment"),
    ("money_record", "payment_order_id IS NOT NULL", "deleted_at = 1", "deleted_at = NULL", "payment"),
    ("payment_refund", "status = 'success'", "amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1", "refunded"),
    ("payment_refund", "status = 'success'", "status = 'failed'", "status = 'success'", "refunded"),
    ("payment_refund", "status = 'success'", "status = 'rejected'", "status = 'success'", "refunded"),
    ("payment_refund", "status = 'pending'", "status = 'success'", "status = 'pending'", "refunded"),
    ("payment_refund", "status = 'success'", "status = 'processing'", "status = 'success'", "outgoing"),
    ("outgoing_payment", "1 = 1", "amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1", "outgoing"),
    ("outgoing_payment", "1 = 1", "source_id = source_id + 90000", "source_id = source_id - 90000", "outgoing"),
    ("payment_exception", "status = 'open' AND resolution IS NULL", "status = 'settled'", "status = 'open'", "exception"),
    ("payment_exception", "status = 'open' AND resolution IS NULL", "resolution = 'accepted'", "resolution = NULL", "exception"),
    ("payment_statement", "1 = 1", "their_cents = their_cents + 1", "their_cents = their_cents - 1", "day"),
    ("payment_statement", "1 = 1", "our_cents = our_cents + 1", "our_cents = our_cents - 1", "day"),
    ("payment_statement_line", "direction = 'payment'", "cents = cents + 1", "cents = cents - 1", "day"),
    ("payment_difference", "status = 'settled'", "status = 'open'", "status = 'settled'", "day"),
    ("journal_transfer", "debit_kind = 'org_paid'", "amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1", "journal"),
    ("journal_transfer", "credit_kind = 'org_paid'", "credit_owner = credit_owner + 1", "credit_owner = credit_owner - 1", "journal"),
    ("journal_transfer", "credit_kind = 'org_gift'", "status = 'void'", "status = 'posted'", "journal"),
    ("journal_transfer", "debit_kind = 'provider_fees'", "amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1", "journal"),
    ("journal_transfer", "credit_kind = 'suspense'", "idem_key = 'x' || idem_key", "idem_key = substr(idem_key, 2)", "journal"),
    ("journal_transfer", "credit_kind = 'other_income'", "credit_kind = 'adjustments'", "credit_kind = 'other_income'", "journal"),
    ("partner_item", "1 = 1", "amount_cents = amount_cents + 7", "amount_cents = amount_cents - 7", "partner"),
    ("partner_item", "1 = 1", "idem_key = 'x' || idem_key", "idem_key = substr(idem_key, 2)", "partner"),
    (
        "journal_transfer",
        "credit_kind = 'channel_payable'",
        "amount_cents = amount_cents + 1",
        "amount_cents = amount_cents - 1",
        "journal",
    ),
    (
        "org_statement",
        "1 = 1",
        "spend_cents = spend_cents + 1, refund_cents = refund_cents + 1",
        "spend_cents = spend_cents - 1, refund_cents = refund_cents - 1",
        "statement",
    ),
    (
        "org_statement",
        "1 = 1",
        "opening_cents = opening_cents + 1, closing_cents = closing_cents + 1",
        "opening_cents = opening_cents - 1, closing_cents = closing_cents - 1",
        "statement",
    ),
    ("org_statement", "1 = 1", "last_seq = last_seq - 1", "last_seq = last_seq + 1", "statement"),
    ("org_statement", "1 = 1", "entries = entries + 1", "entries = entries - 1", "statement"),
    ("org_statement", "1 = 1", "month = '1999-01'", "month = (SELECT MIN(month) FROM closed_month)", "month"),
    ("closed_month", "1 = 1", "ends_at = ends_at - 1728000000", "ends_at = ends_at + 1728000000", "month"),
    ("closed_month", "1 = 1", "ends_at = ends_at - 1", "ends_at = ends_at + 1", "month"),
    ("closed_month", "1 = 1", "month = '1999-01'", "month = (SELECT MIN(month) FROM org_statement)", "month"),
    ("partner_item", "kind = 'adjust'", "amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1", "partner"),
    ("partner_adjustment", "status = 'approved'", "amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1", "partner"),
    ("partner_payout", "status = 'approved'", "amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1", "payout"),
    ("partner_payout", "status = 'approved'", "status = 'waiting'", "status = 'approved'", "journal"),
    ("invoice", "red_cents > 0", "amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1", "invoice"),
    ("invoice", "red_cents > 0", "red_cents = red_cents + 1", "red_cents = red_cents - 1", "invoice"),
    ("invoice", "red_cents > 0", "status = 'void'", "status = 'issued'", "invoice"),
    ("invoice", "red_of_id IS NOT NULL", "amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1", "invoice"),
    ("invoice", "red_of_id IS NOT NULL", "status = 'withdrawn'", "status = 'issued'", "invoice"),
    ("invoice", "red_of_id IS NOT NULL", "status = 'approved'", "status = 'issued'", "invoice"),
    (
        "invoice",
        "red_of_id IS NOT NULL",
        "red_of_id = NULL",
        "red_of_id = (SELECT MIN(i.id) FROM invoice i WHERE i.red_cents > 0)",
        "invoice",
    ),
];

// B3: none of these was noticed.
on_both!(each_change_of_payments_and_statements_is_found);
async fn each_change_of_payments_and_statements_is_found(app: TestApp) {
    filled(&app).await;
    app.unguard_the_ledger().await;
    app.execute("UPDATE payment_difference SET status = 'settled'").await;
    app.execute("UPDATE payment_statement SET status = 'closed'").await;
    let verify = || trade::ledger::verify::verify(&app.app.db);
    let run = |sql: String| app.execute(Box::leak(sql.into_boxed_str()));
    for (table, holds, change, back, kind) in FALSIFIED {
        let key = if *table == "closed_month" { "month" } else { "id" };
        let found = "CAST(MIN(id) AS TEXT)".replace("id", key);
        let id = app.text(Box::leak(format!("SELECT COALESCE({found}, 'none') FROM {table} WHERE {holds}").into_boxed_str())).await;
        assert_ne!(id, "none", "the demo has no {table} with {holds}");
        let one = if key == "id" { format!("id = {id}") } else { format!("ends_at = (SELECT MIN(ends_at) FROM {table})") };
        run(format!("UPDATE {table} SET {change} WHERE {one}")).await;
        let wrong = verify().await.unwrap();
        assert!(wrong.iter().any(|one| one.what == *kind), "{table}: {change}: {wrong:?}");
        run(format!("UPDATE {table} SET {back} WHERE {one}")).await;
        assert_eq!(verify().await.unwrap(), [], "{table}: {back}");
    }
}
