//! What became of applicants, in the daily figures and the lists of visits.

use base::clock::{self, DAY};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Row};
use trade::visit::{self, lead};

use testing::crm::clue::follow;
use testing::crm::salesperson;
use testing::lead::buyer::Buyer;
use testing::lead::{application, bring, channel, phone, plan};
use testing::open::{Partner, partner, supply};
use testing::plan::begin;
use testing::returns::{ask, decide};
use testing::{Actor, TestApp, on_both};

/// Columns of figures of applicants and leads.
const COLUMNS: [&str; 27] = [
    "registered",
    "applied",
    "matched",
    "sold",
    "returned",
    "cost_cents",
    "income_cents",
    "pushed",
    "duplicates",
    "failed",
    "refused",
    "refund_cents",
    "charged_cents",
    "decided",
    "decided_refund_cents",
    "decided_charged_cents",
    "stars_0",
    "stars_1",
    "stars_2",
    "stars_3",
    "contacted",
    "visited",
    "signed",
    "disbursed",
    "money_cents",
    "test_pushed",
    "test_sold",
];

/// Every figure that is stored and is not 0, as one text for each row.
async fn stored(app: &TestApp) -> Vec<String> {
    let mut all = Vec::new();
    for (table, key) in [
        ("uv_stat_daily", "day || subject_type || '.' || subject_id || '.' || channel_id || system || ' ' || org_id"),
        ("star_stat_daily", "day || 'star' || star || '.' || channel_id || ' ' || org_id"),
    ] {
        let sql = format!("SELECT {key} AS of_what, {} FROM {table} ORDER BY of_what", COLUMNS.join(", "));
        for row in sqlx::query(AssertSqlSafe(sql)).fetch_all(app.app.db.read()).await.unwrap() {
            let figures = COLUMNS.map(|column| (column, row.get::<i64, _>(column)));
            let figures: Vec<String> =
                figures.iter().filter(|(_, value)| *value != 0).map(|(column, value)| format!("{column} {value}")).collect();
            if !figures.is_empty() {
                all.push(format!("{}: {}", row.get::<String, _>("of_what"), figures.join(" ")));
            }
        }
    }
    all
}

/// Checks that months are the sums of their days.
async fn months_add_up(app: &TestApp) {
    for (days, months, key) in [
        ("uv_stat_daily", "uv_stat_monthly", "subject_type || '.' || subject_id || '.' || channel_id || system"),
        ("star_stat_daily", "star_stat_monthly", "star || '.' || channel_id || '.' || org_id"),
    ] {
        let sums = COLUMNS.map(|column| format!("CAST(SUM({column}) AS BIGINT)")).join(" || ' ' || ");
        let of = async |table: &str, month: &str| {
            let rows = format!("SELECT {month} || {key} AS of_what, {} FROM {table}", COLUMNS.join(", "));
            let sql = format!("SELECT of_what || ': ' || {sums} FROM ({rows}) t GROUP BY of_what ORDER BY 1");
            sqlx::query_scalar::<_, String>(AssertSqlSafe(sql)).fetch_all(app.app.db.read()).await.unwrap()
        };
        let is_some = |row: &String| row.split(": ").nth(1).is_some_and(|figures| figures.split(' ').any(|figure| figure != "0"));
        let (by_day, by_month) = (of(days, "SUBSTR(day, 1, 7)").await, of(months, "month").await);
        let some = |rows: Vec<String>| rows.into_iter().filter(is_some).collect::<Vec<_>>();
        assert_eq!(some(by_month), some(by_day));
    }
}

async fn add_up(app: &TestApp) {
    lead::add_up(&app.app.db, &app.app.clock).await.unwrap();
    assert_eq!(app.count("SELECT COUNT(*) FROM lead_event").await, 0);
}

/// How many rows a rebuilding of the last four days had to correct.
async fn corrected(app: &TestApp) -> usize {
    corrected_since(app, app.now() - 3 * DAY).await
}

/// How many rows a rebuilding of the days since a time had to correct.
async fn corrected_since(app: &TestApp, since: i64) -> usize {
    visit::rebuild(&app.app.db, &app.app.clock, clock::day(since), clock::day(app.now())).await.unwrap().corrected
}

/// The figures of a list's row, or of its totals.
fn told(row: &Value) -> [i64; 8] {
    ["registered", "applied", "matched", "sold", "returned", "costCents", "incomeCents", "marginCents"]
        .map(|field| row[field].as_i64().unwrap())
}

struct Business {
    admin: Actor,
    /// Paid ten yuan for an accepted lead; two for an applicant; in test mode.
    channels: [Partner; 3],
    /// South's server, which is asked first.
    south: Buyer,
}

/// Two plans that share applicants: South's over the wire at 30 yuan, and North Star's product's at 45.
async fn business(app: &TestApp) -> Business {
    begin(app);
    let admin = app.sign_in("admin").await;
    supply(app).await;
    let paid = |cents: i64| json!({"settleMode": "registered", "unitPriceCents": cents, "dedupDays": 30});
    let channels =
        [channel(app, json!({})).await, partner(app, "paid-by-head", paid(200)).await, partner(app, "in-test-mode", paid(700)).await];
    app.execute("UPDATE channel SET mode = 'test' WHERE code = 'in-test-mode'").await;
    let south = Buyer::of(app, &admin, "south", json!({})).await;
    let shared = |name: &str, priority: i64| json!({"name": name, "saleMode": "shared", "maxBuyers": 2, "methodPriority": priority});
    let mut by_wire = testing::org::with(shared("south", 1), json!({"deliverMode": "api", "priceCents": 3000}));
    by_wire["orgId"] = json!(app.organisation("south").await);
    plan(app, &admin, by_wire).await;
    plan(app, &admin, shared("north", 2)).await;
    app.execute("UPDATE plan SET product_id = (SELECT id FROM product), version = version + 1 WHERE name = 'north'").await;
    app.execute("UPDATE plan SET status = 'ended', version = version + 1 WHERE no = 'P0001'").await;
    Business { admin, channels, south }
}

/// The push of a plan about the applicant with a number of the channel's.
async fn push_of(app: &TestApp, plan: &str, request: &str) -> i64 {
    let sql = format!(
        "SELECT h.id FROM push_record h JOIN plan p ON p.id = h.plan_id JOIN applicant u ON u.id = h.user_id \
         WHERE p.name = '{plan}' AND u.request_id = '{request}'"
    );
    app.count(Box::leak(sql.into_boxed_str())).await
}

/// A day with a sale to two, one that is refused by the first, an applicant paid by head, one who comes
/// twice, one on the blacklist, one in test mode; and a day on which a lead comes back and two are erased.
async fn busy(app: &TestApp, Business { admin, channels: [leads, heads, test], south }: &Business) {
    let entry = json!({"kind": "phone", "value": phone(3), "scope": "global", "source": "manual",
        "reason": "投诉", "expiresAt": null});
    admin.post("/blacklist", entry).await.ok();
    bring(app, leads, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    south.answers(200, json!({"code": "AGE", "msg": "年龄不符"}));
    bring(app, leads, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    south.answers(200, json!({"code": "0000"}));
    bring(app, leads, "r-3", application(3, json!({}))).await.ok();
    bring(app, heads, "r-4", application(4, json!({"userAgent": "Mozilla/5.0 (Linux; Android 14)"}))).await.ok();
    bring(app, test, "r-5", application(5, json!({}))).await.ok();
    app.advance(61_000);
    bring(app, leads, "r-6", application(1, json!({}))).await.ok();
    // Sent once more.
    bring(app, leads, "r-6", application(1, json!({}))).await.ok();
    app.distribute().await;
    worked_on(app).await;
    app.advance(DAY);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    app.set("lead.return_least", json!(100)).await;
    for (request, approve) in [("r-1", true), ("r-2", false)] {
        let row = ask(&operator, push_of(app, "north", request).await, json!({})).await.ok();
        decide(&admin, &row, approve, json!({})).await.ok();
    }
    for request in ["r-2", "r-6"] {
        let sql = format!("SELECT id FROM applicant WHERE request_id = '{request}'");
        admin.delete(&format!("/user/{}", app.count(Box::leak(sql.into_boxed_str())).await)).await.ok();
    }
}

/// Feedback on three applicants. One of them is rated again after the first rating was added up. North Star's people
/// follow up a clue, sign it, and receive money and a refund; one payment turns out to be void.
async fn worked_on(app: &TestApp) {
    let admin = app.sign_in("admin").await;
    let rate = async |request: &str, star: i64| {
        let sql = format!("SELECT id FROM applicant WHERE request_id = '{request}'");
        let user_id = app.count(Box::leak(sql.into_boxed_str())).await;
        admin.post("/user/feedback", json!({"userId": user_id, "star": star})).await.ok();
    };
    rate("r-1", 3).await;
    rate("r-3", 0).await;
    lead::add_up(&app.app.db, &app.app.clock).await.unwrap();
    admin.post("/user/feedback", json!({"pushId": push_of(app, "north", "r-1").await, "star": 2})).await.ok();
    rate("r-1", 1).await;
    rate("r-4", 2).await;

    let owner = salesperson(app, "north.sales1").await;
    let (sales, manager) = (app.sign_in("north.sales1").await, app.sign_in("north.manager").await);
    let mut clues = Vec::new();
    for request in ["r-1", "r-4"] {
        let sql = format!("SELECT id FROM clue WHERE push_id = {}", push_of(app, "north", request).await);
        let id = app.count(Box::leak(sql.into_boxed_str())).await;
        manager.post("/crm/assign", json!({"ids": [id], "salespersonId": owner})).await.ok();
        clues.push(id);
    }
    follow(&sales, clues[0], json!({})).await;
    for stage in ["appointment", "visited", "signed"] {
        follow(&sales, clues[1], json!({"status": stage})).await;
    }
    let paid = |changes: Value| testing::crm::money::form(app, clues[1], changes);
    for changes in [
        json!({}),
        json!({"type": "deposit", "loanCents": null, "amountCents": 70_000}),
        json!({"type": "refund", "loanCents": null, "amountCents": 20_000}),
    ] {
        let row = sales.post("/crm/addMoney", paid(changes)).await.ok();
        let verdict = json!({"id": row["id"], "version": row["version"], "status": "confirmed"});
        let row = manager.put("/crm/money/status", verdict).await.ok();
        if row["type"] == "deposit" {
            let void = json!({"id": row["id"], "version": row["version"], "status": "void", "note": "对不上"});
            app.sign_in("admin").await.put("/crm/money/status", void).await.ok();
        }
    }
}

/// The number of a figure as the list behind it has it: the count of people or leads, or the total of daily figures.
async fn behind(who: &Actor, by: &str, figure: &str, row: &Value) -> i64 {
    let days = |name: &str| json!({format!("{name}From"): row["firstDay"], format!("{name}To"): row["lastDay"]});
    let whole = row["subjectId"] == 0;
    let of = |name: String, filters: Value| if whole { filters } else { testing::org::with(filters, json!({name: row["subjectId"]})) };
    let total = async |path: &str, filters: Value| who.post(path, filters).await.ok()["total"].as_i64().unwrap();
    // Leads without a product are in no row of products.
    let has_leads = by != "product" || !whole;
    let star = row["star"].as_i64();
    let leads = |filters: Value| match (by, star) {
        ("score", Some(star)) => testing::org::with(filters, json!({"userStar": star})),
        ("score", None) => filters,
        _ => of(format!("{by}Id"), filters),
    };
    let with = testing::org::with;
    match figure {
        "applicants" if by == "channel" => {
            total("/user/page", of("channelId".to_owned(), with(days("created"), json!({"test": "no"})))).await
        }
        "applicants" if by == "score" => {
            let of_star = star.map_or(json!({}), |star| json!({"star": star}));
            total("/user/page", with(with(days("created"), json!({"test": "no"})), of_star)).await
        }
        "sales" if has_leads => total("/plan/push/page", leads(days("sold"))).await,
        "returns" if has_leads => total("/plan/push/page", leads(with(days("sold"), json!({"returnStatus": "approved"})))).await,
        "pushed" if has_leads => total("/plan/push/page", leads(days("created"))).await,
        "duplicates" | "failed" | "refused" if has_leads => {
            let status = match figure {
                "duplicates" => "duplicate",
                "refused" => "rejected",
                same => same,
            };
            total("/plan/push/page", leads(with(days("created"), json!({"status": status})))).await
        }
        "refundCents" if has_leads => {
            let page = who.post("/plan/push/page", leads(with(days("sold"), json!({"returnStatus": "approved"})))).await.ok();
            page["list"].as_array().unwrap().iter().map(|row| row["priceCents"].as_i64().unwrap()).sum()
        }
        "stars0" | "stars1" | "stars2" | "stars3" => {
            let stars = figure[5..].parse::<i64>().unwrap();
            total("/user/feedback/page", leads(with(days("created"), json!({"star": stars})))).await
        }
        "contacted" | "visited" | "signed" | "disbursed" => {
            total("/crm/pushPage", leads(with(days("created"), json!({"reached": figure})))).await
        }
        "moneyCents" => {
            let page = who.post("/crm/moneyPage", leads(with(days("paid"), json!({"status": "confirmed"})))).await.ok();
            page["totals"]["amountCents"].as_i64().unwrap()
        }
        _ => {
            let name = match figure {
                "exposures" => "exposurePv",
                "visits" => "pv",
                "visitors" => "uv",
                "passed" => "applied",
                "sales" => "sold",
                "returns" => "returned",
                other => other,
            };
            let page = who.post(&format!("/{by}/uv/page"), of("subjectId".to_owned(), days("day"))).await.ok();
            page["totals"][name].as_i64().unwrap_or_else(|| panic!("{by} {name}: {page}"))
        }
    }
}

// S1.11 S2.07 S2.08
on_both!(each_number_of_statistics_is_that_of_the_list_behind_it);
async fn each_number_of_statistics_is_that_of_the_list_behind_it(app: TestApp) {
    let business = business(&app).await;
    busy(&app, &business).await;
    add_up(&app).await;
    let admin = app.sign_in("admin").await;
    let mut compared = 0;
    for (by, screen) in [
        ("channel", "/chart/channel"),
        ("product", "/chart/product"),
        ("org", "/chart/org"),
        ("channel", "/chart/channelD2d"),
        ("org", "/chart/orgD2d"),
        ("channel", "/chartMon/channel"),
        ("product", "/chartMon/product"),
        ("org", "/chartMon/org"),
        ("score", "/chart/score"),
    ] {
        let around = admin.post(&format!("{screen}/charts"), json!({})).await.ok();
        assert_eq!(around["opensLeads"], true, "{screen}");
        let page = admin.post(&format!("{screen}/page"), json!({"pageSize": 100})).await.ok();
        // S1.11: a day stands beside the day before, a month beside the month before.
        let length = if screen.ends_with("D2d") {
            10
        } else if screen.starts_with("/chartMon") {
            7
        } else {
            0
        };
        for row in page["list"].as_array().unwrap() {
            assert_eq!((row["part"].as_str().unwrap().len(), row["before"].is_object()), (length, length > 0), "{screen}: {row}");
        }
        let rows = page["list"].as_array().unwrap().iter().chain([&page["totals"]]);
        for row in rows {
            for figure in around["figures"].as_array().unwrap().iter().filter(|figure| figure["kind"] != "rate") {
                let key = figure["key"].as_str().unwrap();
                // Averages open nothing.
                let Some(value) = row[key].as_i64().filter(|value| *value != 0 && !key.ends_with("EachCents")) else { continue };
                // By stars neither rounds nor money have rows of their own; leads without a product are in no row of products.
                let has_rows = by != "score" || !["passed", "matched", "costCents", "incomeCents", "marginCents"].contains(&key);
                let is_daily = ["pushed", "duplicates", "failed", "refused", "refundCents"].contains(&key);
                // Feedback without a lead is no organisation's.
                let is_feedback = by == "org" && key.starts_with("stars");
                if !has_rows || row["subjectId"] == 0 && (by == "product" && is_daily || is_feedback) {
                    continue;
                }
                assert_eq!(value, behind(&admin, by, key, row).await, "{screen} {key}: {row}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
    // An account manager's leads are those of their organisations, not those of their channels.
    let manager = app.sign_in("channel.manager").await;
    assert_eq!(manager.post("/chart/channel/charts", json!({})).await.ok()["opensLeads"], false);
    assert_eq!(manager.post("/chart/org/charts", json!({})).await.ok()["opensLeads"], true);
    assert_eq!(admin.post("/chart/system/charts", json!({})).await.ok()["opensLeads"], false);
    admin.post("/plan/push/page", json!({"soldFrom": "2026-02-30"})).await.refused("4000");
}

// S2.06, S2.12, S2.14, S2.15
on_both!(lists_tell_what_became_of_applicants);
async fn lists_tell_what_became_of_applicants(app: TestApp) {
    let business = business(&app).await;
    busy(&app, &business).await;
    add_up(&app).await;
    let admin = app.sign_in("admin").await;
    let [leads, heads, test] = &business.channels;
    let days = [1, 0].map(|back| clock::day(app.now() - back * DAY).to_string());
    let of = async |path: &str, narrowed: Value| {
        let page = admin.post(path, testing::org::with(json!({"dayFrom": days[0], "dayTo": days[0]}), narrowed)).await.ok();
        told(&page["totals"])
    };
    // One came back the day after, and counts on the day of its sale: its price is gone, and what its channel got
    // is not. Two buyers of one applicant cost the channel's price once, and so does one buyer after a refusal.
    assert_eq!(of("/channel/uv/page", json!({"subjectId": leads.id})).await, [4, 2, 2, 3, 1, 2000, 7500, 5500]);
    assert_eq!(of("/channel/uv/page", json!({"subjectId": heads.id})).await, [1, 1, 1, 2, 0, 200, 7500, 7300]);
    assert_eq!(of("/channel/uv/page", json!({"subjectId": test.id})).await, [0; 8]);
    assert_eq!(of("/channel/uv/page", json!({"system": "android"})).await, [1, 1, 1, 2, 0, 200, 7500, 7300]);
    // What is sold is its buyers' too; a round is that of its first buyer.
    assert_eq!(of("/plan/uv/page", json!({})).await, [0, 0, 3, 5, 1, 0, 15_000, 15_000]);
    assert_eq!(of("/org/uv2/page", json!({"orgId": app.organisation("south").await})).await, [0, 0, 3, 2, 0, 0, 6000, 6000]);
    assert_eq!(of("/org/uv/page", json!({"channelId": heads.id})).await, [0, 0, 1, 2, 0, 0, 7500, 7500]);
    assert_eq!(of("/product/uv/page", json!({})).await, [0, 0, 0, 3, 1, 0, 9000, 9000]);
    // Nothing of it counts on the day of the decision.
    for (path, narrowed) in [
        ("/channel/uv/page", json!({"subjectId": leads.id})),
        ("/plan/uv/page", json!({})),
        ("/org/uv/page", json!({"channelId": leads.id})),
        ("/org/uv2/page", json!({})),
        ("/product/uv/page", json!({})),
    ] {
        let next = testing::org::with(json!({"dayFrom": days[1], "dayTo": days[1]}), narrowed);
        let page = admin.post(path, next).await.ok();
        assert_eq!(told(&page["totals"]), [0; 8], "{path}");
    }
    let asked = json!({"format": "csv", "dayFrom": days[0], "dayTo": days[0], "subjectId": leads.id,
        "columns": ["subjectName", "registered", "applied", "matched", "sold", "returned", "incomeCents"]});
    let file = admin.in_english().export("/channel/uv/page/export", asked).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], "Channel,Registrations,Applications,Matched rounds,Sales,Returns,Income (CNY)");
    assert!(lines[1].ends_with(",4,2,2,3,1,75.00"), "{text}");
}

on_both!(figures_made_again_from_leads_are_the_same);
async fn figures_made_again_from_leads_are_the_same(app: TestApp) {
    let business = business(&app).await;
    busy(&app, &business).await;
    // What waits to be added up is not counted twice.
    assert_eq!(corrected(&app).await, 0);
    add_up(&app).await;
    let right = stored(&app).await;
    assert!(right.len() > 25, "{right:#?}");
    months_add_up(&app).await;
    assert_eq!(corrected(&app).await, 0);
    months_add_up(&app).await;

    app.execute("UPDATE uv_stat_daily SET sold = sold + 1, income_cents = 7 WHERE subject_type = 'channel'").await;
    app.execute("DELETE FROM uv_stat_daily WHERE subject_type = 'plan'").await;
    app.execute("UPDATE uv_stat_daily SET subject_id = 99 WHERE subject_type = 'product'").await;
    app.execute("UPDATE star_stat_daily SET signed = 5 WHERE star = 2").await;
    app.execute("DELETE FROM star_stat_daily WHERE star = 0").await;
    app.execute("UPDATE uv_stat_monthly SET sold = 77").await;
    assert!(corrected(&app).await > 0);
    assert_eq!(stored(&app).await, right);
    months_add_up(&app).await;

    // Again and again, while more come and are added up.
    let leads = &business.channels[0];
    let more = async {
        for number in 10..22 {
            bring(&app, leads, &format!("m-{number}"), application(number, json!({}))).await.ok();
            app.distribute().await;
        }
    };
    let again = async {
        for _ in 0..8 {
            assert_eq!(corrected(&app).await, 0);
            lead::add_up(&app.app.db, &app.app.clock).await.unwrap();
            tokio::task::yield_now().await;
        }
    };
    tokio::join!(more, again);
    add_up(&app).await;
    months_add_up(&app).await;
    assert_eq!(corrected(&app).await, 0);
    assert_eq!(
        app.count("SELECT CAST(SUM(registered) AS BIGINT) FROM uv_stat_daily WHERE subject_type = 'channel' AND system = ''").await,
        17
    );
}

on_both!(a_channel_is_paid_once_for_an_applicant_that_two_take_at_once);
async fn a_channel_is_paid_once_for_an_applicant_that_two_take_at_once(app: TestApp) {
    let business = business(&app).await;
    let leads = &business.channels[0];
    for number in 1..=6 {
        bring(&app, leads, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE status = 'accepted'").await, 12);
    // Several add up at once, as nodes do.
    let add = || lead::add_up(&app.app.db, &app.app.clock);
    let (one, other, third) = tokio::join!(add(), add(), add());
    one.and(other).and(third).unwrap();
    let row = app
        .text("SELECT sold || ' ' || cost_cents || ' ' || income_cents FROM uv_stat_daily WHERE subject_type = 'channel' AND system = ''");
    assert_eq!(row.await, "12 6000 45000");
    let story = business.admin.get(&format!("/user/{}", app.count("SELECT MAX(id) FROM applicant").await)).await.ok();
    assert_eq!(story["channelCostCents"], 1000, "as the applicant's story has it");
}

on_both!(a_channel_that_is_charged_gets_nothing_for_the_applicant);
async fn a_channel_that_is_charged_gets_nothing_for_the_applicant(app: TestApp) {
    let business = business(&app).await;
    let [leads, heads, _] = &business.channels;
    app.execute("UPDATE organisation SET return_allowed = 1, return_max_bp = 10000").await;
    app.set("lead.return_least", json!(100)).await;
    for (channel, request, number) in [(leads, "r-1", 1), (heads, "r-2", 2), (leads, "r-3", 3)] {
        bring(&app, channel, request, application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    app.advance(DAY);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    // Both buyers of the first applicant give them back: the channel is charged once. The third's channel is not charged.
    for (plan, request, charge) in [("north", "r-1", true), ("south", "r-1", true), ("north", "r-2", true), ("north", "r-3", false)] {
        let row = ask(&operator, push_of(&app, plan, request).await, json!({})).await.ok();
        decide(&admin, &row, true, json!({"chargeChannel": charge})).await.ok();
    }
    add_up(&app).await;
    // On the day of the sale, less what it had cost then.
    let day = clock::day(app.now() - DAY).to_string();
    for (channel, costs) in [(leads, 1000), (heads, 0)] {
        let body = json!({"dayFrom": day, "dayTo": day, "subjectId": channel.id});
        assert_eq!(admin.post("/channel/uv/page", body).await.ok()["totals"]["costCents"], costs);
    }
    for (request, cost) in [("r-1", 0), ("r-2", 0), ("r-3", 1000)] {
        let sql = format!("SELECT id FROM applicant WHERE request_id = '{request}'");
        let story = admin.get(&format!("/user/{}", app.count(Box::leak(sql.into_boxed_str())).await)).await.ok();
        assert_eq!(story["channelCostCents"], cost, "{request}");
    }
    assert_eq!(corrected(&app).await, 0);
}

// S2.07
on_both!(returns_count_on_the_day_of_the_sale_or_of_the_decision);
async fn returns_count_on_the_day_of_the_sale_or_of_the_decision(app: TestApp) {
    let business = business(&app).await;
    busy(&app, &business).await;
    add_up(&app).await;
    let admin = app.sign_in("admin").await;
    let [yesterday, today] = [1, 0].map(|back| clock::day(app.now() - back * DAY).to_string());
    let of = async |day: &String, by: &str| {
        let totals = admin.post("/chart/channel/page", json!({"dayFrom": day, "dayTo": day, "returnsBy": by})).await.ok()["totals"].clone();
        ["returns", "refundCents", "incomeCents", "costCents"].map(|key| totals[key].as_i64().unwrap())
    };
    assert_eq!(of(&yesterday, "sale").await, [1, 4500, 15_000, 2200]);
    assert_eq!(of(&today, "sale").await, [0, 0, 0, 0]);
    assert_eq!(of(&yesterday, "decision").await, [0, 0, 19_500, 2200]);
    assert_eq!(of(&today, "decision").await, [1, 4500, -4500, 0]);
    for (day, count) in [(&yesterday, 0), (&today, 1)] {
        let decided = json!({"returnStatus": "approved", "decidedFrom": day, "decidedTo": day});
        assert_eq!(admin.post("/plan/push/page", decided).await.ok()["total"], count, "{day}");
    }
}

// S1.11 S2.07 S2.08
on_both!(figures_by_stars_follow_the_last_feedback_and_the_scope);
async fn figures_by_stars_follow_the_last_feedback_and_the_scope(app: TestApp) {
    let business = business(&app).await;
    busy(&app, &business).await;
    add_up(&app).await;
    let of = async |who: &str, filters: Value, key: &str| -> Vec<(i64, i64)> {
        let asked = testing::org::with(filters, json!({"sort": "star", "order": "asc"}));
        let page = app.sign_in(who).await.post("/chart/score/page", asked).await.ok();
        let rows = page["list"].as_array().unwrap();
        rows.iter().map(|row| (row["star"].as_i64().unwrap(), row[key].as_i64().unwrap_or(0))).filter(|(_, value)| *value != 0).collect()
    };
    // r-1 was given three stars, then two, then one: all of it counts under the last.
    assert_eq!(of("admin", json!({}), "sales").await, [(-1, 1), (1, 2), (2, 2)]);
    assert_eq!(of("admin", json!({}), "applicants").await, [(-1, 2), (0, 1), (1, 1), (2, 1)]);
    assert_eq!(of("admin", json!({}), "signed").await, [(2, 1)]);
    let heads = business.channels[1].id;
    assert_eq!(of("admin", json!({"channelId": heads}), "sales").await, [(2, 2)]);
    let north = app.organisation("north").await;
    assert_eq!(of("admin", json!({"orgId": north}), "sales").await, [(-1, 1), (1, 1), (2, 1)]);
    assert_eq!(of("north.manager", json!({}), "sales").await, [(-1, 1), (1, 1), (2, 1)]);
    assert_eq!(of("north.manager", json!({}), "applicants").await, [], "who applied is no figure of an organisation's");
    assert_eq!(of("north.manager", json!({"orgId": app.organisation("south").await}), "sales").await, []);
    assert_eq!(of("channel.manager", json!({}), "sales").await, [], "they own none of these channels");
    // They see what organisations bought of their channels only for their own organisations.
    for channel in &business.channels {
        let owner = app.account("channel.manager").await;
        let sql = format!("UPDATE channel SET owner_admin_id = {owner} WHERE id = {}", channel.id);
        app.execute(Box::leak(sql.into_boxed_str())).await;
    }
    assert_eq!(of("channel.manager", json!({}), "sales").await, of("admin", json!({}), "sales").await);
    assert_eq!(of("channel.manager", json!({"orgId": north}), "sales").await, []);
    app.execute(
        "UPDATE organisation SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager') WHERE code = 'north'",
    )
    .await;
    assert_eq!(of("channel.manager", json!({"orgId": north}), "sales").await, [(-1, 1), (1, 1), (2, 1)]);
    app.sign_in("nobody").await.post("/chart/score/page", json!({})).await.refused("1003");
}

// S1.12 S2.07
on_both!(the_overview_compares_today_and_the_week);
async fn the_overview_compares_today_and_the_week(app: TestApp) {
    let business = business(&app).await;
    busy(&app, &business).await;
    add_up(&app).await;
    let admin = app.sign_in("admin").await;
    let overview = admin.get("/chart/overview").await.ok();
    let today = |overview: &Value| -> Vec<(String, i64, i64)> {
        let figure =
            |one: &Value| (one["key"].as_str().unwrap().to_owned(), one["value"].as_i64().unwrap(), one["before"].as_i64().unwrap());
        overview["today"].as_array().unwrap().iter().map(figure).collect()
    };
    let figures =
        |list: &[(&str, i64, i64)]| list.iter().map(|(key, value, before)| ((*key).to_owned(), *value, *before)).collect::<Vec<_>>();
    // All of it was yesterday before this time of day; test channels do not count.
    let whole = [("applicants", 0, 5), ("passed", 0, 3), ("pushed", 0, 6), ("sales", 0, 5), ("soldCents", 0, 19_500)];
    assert_eq!(today(&overview), figures(&whole));
    assert_eq!(admin.get("/workplace").await.ok()["business"], overview["today"]);
    assert_eq!(admin.post("/visualization", json!({})).await.ok()["overview"]["change"], overview["change"]);
    let funnel: Vec<i64> = overview["funnel"].as_array().unwrap().iter().map(|step| step["value"].as_i64().unwrap()).collect();
    assert_eq!(funnel[..5], [0, 5, 3, 3, 5]);
    assert_eq!(overview["funnel"].as_array().unwrap().last().unwrap()["key"], "disbursed", "it ends with the paid loan");
    // The screen has one range for all its parts: yesterday, and the day before, on which nothing was sold.
    let yesterday = clock::day(app.now() - DAY).to_string();
    let around = admin.post("/visualization", json!({"from": yesterday, "to": yesterday})).await.ok();
    let shown = &around["overview"];
    assert_eq!((&shown["firstDay"], &shown["lastDay"]), (&json!(yesterday), &json!(yesterday)));
    assert_eq!((&shown["funnel"], &shown["change"]), (&overview["funnel"], &overview["change"]));
    let past = clock::day(app.now() - 3 * DAY).to_string();
    let around = admin.post("/visualization", json!({"from": past, "to": past})).await.ok();
    assert_eq!((&around["overview"]["best"], &around["overview"]["change"]["cents"]), (&json!([]), &json!(0)));
    assert_eq!(overview["best"].as_array().unwrap().len(), 2, "{overview}");
    let sum = |list: &Value| list.as_array().unwrap().iter().map(|part| part["cents"].as_i64().unwrap()).sum::<i64>();
    let change = &overview["change"];
    let margin = 15_000 - 2_200;
    assert_eq!((change["cents"].as_i64(), sum(&change["reasons"])), (Some(margin), margin));
    assert_eq!(sum(&change["subjects"]) + change["othersCents"].as_i64().unwrap(), margin);

    // An organisation sees what it spends; an account manager has no reasons by plan.
    let north = app.sign_in("north.manager").await.get("/chart/overview").await.ok();
    assert_eq!(today(&north), figures(&[("pushed", 0, 3), ("sales", 0, 3), ("soldCents", 0, 13_500)]));
    assert_eq!((&north["ofChannels"], north["change"]["cents"].as_i64()), (&json!(false), Some(9000)));
    let own = app.sign_in("channel.manager").await.get("/chart/overview").await.ok();
    assert_eq!((&own["ofChannels"], &own["change"]["reasons"]), (&json!(true), &json!([])));
    // Their channels' leads are not those of their list.
    assert_eq!((&own["today"][3]["opensLeads"], &overview["today"][3]["opensLeads"]), (&json!(false), &json!(true)));
    let nobody = app.sign_in("nobody").await;
    nobody.get("/chart/overview").await.refused("1003");
    assert_eq!(nobody.get("/workplace").await.ok()["business"], json!([]));
}

/// Numbers that a phone of the tests can have.
const PHONES: u32 = 9999;

/// How many applicants come: few in each run of the tests, 20,000 in `make stress`.
fn histories() -> u32 {
    std::env::var("LEADLANE_HISTORIES").ok().and_then(|count| count.parse().ok()).unwrap_or(70)
}

/// The id of any row of a table that fits a condition.
async fn any(app: &TestApp, rows: &str, below: &mut impl FnMut(u64) -> u64) -> Option<i64> {
    let number = async |sql: String| sqlx::query_scalar::<_, i64>(AssertSqlSafe(sql)).fetch_one(app.app.db.read()).await.unwrap();
    match number(format!("SELECT COUNT(*) FROM {rows}")).await {
        0 => None,
        count => Some(number(format!("SELECT id FROM {rows} ORDER BY id LIMIT 1 OFFSET {}", below(count as u64))).await),
    }
}

// Whatever happens to applicants, and whenever it is added up, figures are those of a plain count.
on_both!(figures_of_random_histories_are_those_of_a_count);
async fn figures_of_random_histories_are_those_of_a_count(app: TestApp) {
    let business = business(&app).await;
    app.set("lead.return_least", json!(100_000)).await;
    app.execute("UPDATE organisation SET return_allowed = 1, return_max_bp = 10000").await;
    let mut seed = 11_u64;
    let mut below = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    let began = app.now();
    for number in 1..=histories() {
        // Hours go by: sessions end meanwhile.
        let admin = app.sign_in("admin").await;
        let reply = if below(4) == 0 { json!({"code": "AGE", "msg": "年龄不符"}) } else { json!({"code": "0000"}) };
        business.south.answers(200, reply);
        let channel = &business.channels[below(3) as usize];
        bring(&app, channel, &format!("x-{number}"), application((number - 1) % PHONES + 1, json!({}))).await.ok();
        if below(3) > 0 {
            app.distribute().await;
        }
        let user = any(&app, "applicant WHERE status <> 'erased'", &mut below).await.unwrap();
        match below(8) {
            0..3 => drop(admin.post("/user/feedback", json!({"userId": user, "star": below(4)})).await),
            3..5 => {
                if let Some(sold) = any(&app, "push_record WHERE status = 'accepted'", &mut below).await {
                    let operator = app.sign_in("operator").await;
                    let asked = ask(&operator, sold, json!({})).await;
                    if asked.code() == "0000" {
                        let approve = below(3) > 0;
                        let charge = json!({"chargeChannel": approve && below(2) == 0});
                        decide(&admin, &asked.ok(), approve, charge).await.ok();
                    }
                }
            }
            5 => drop(admin.delete(&format!("/user/{user}")).await),
            6 => lead::add_up(&app.app.db, &app.app.clock).await.unwrap(),
            _ => assert_eq!(corrected(&app).await, 0, "what waits is counted once, at {number}"),
        }
        app.advance(below(2_500_000) as i64);
    }
    app.distribute().await;
    add_up(&app).await;
    assert_eq!(corrected_since(&app, began).await, 0);
    months_add_up(&app).await;
    let happened = ["sold", "refused", "returned", "decided", "stars_0", "charged_cents"];
    for column in happened {
        let sql = format!("SELECT CAST(SUM({column}) AS BIGINT) FROM star_stat_daily WHERE channel_id = 0 AND org_id = 0");
        assert!(app.count(Box::leak(sql.into_boxed_str())).await > 0, "{column}");
    }
}
