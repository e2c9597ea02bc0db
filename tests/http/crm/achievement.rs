//! `/crm/achievements`: targets of a month, what was reached, ranks, and the rows behind each number.

use base::clock;
use crm::{AchievementObject, Month, month_of};
use serde_json::{Value, json};

use super::money::confirmed;
use testing::crm::money::form;
use testing::crm::{clue, salesperson};
use testing::{Actor, TestApp, on_both};

/// This month and the month before.
fn months(app: &TestApp) -> (Month, Month) {
    let this = Month::of(app.now());
    (this, this.plus(-1))
}

/// North Star's two salespeople, each with a clue: of 3,000 yuan less a refund of 500 and of 1,000 yuan this month, and
/// of 700 yuan last month. The first signed, both came.
async fn some_results(app: &TestApp) -> (i64, i64) {
    let (first, second) = (salesperson(app, "north.sales1").await, salesperson(app, "north.sales2").await);
    let clues = (clue(app, "north", Some(first)).await, clue(app, "north", Some(second)).await);
    let (this, last) = months(app);
    let at = |month: Month| json!({"paidAt": month.start() + 1});
    let with = |at: &Value, more: Value| {
        let mut all = at.clone();
        more.as_object().unwrap().iter().for_each(|(name, value)| all[name.as_str()] = value.clone());
        all
    };
    confirmed(app, clues.0, with(&at(this), json!({"amountCents": 300_000}))).await;
    confirmed(app, clues.0, with(&at(this), json!({"type": "refund", "loanCents": null, "amountCents": 50_000}))).await;
    confirmed(app, clues.1, with(&at(this), json!({"type": "deposit", "amountCents": 100_000}))).await;
    confirmed(app, clues.1, with(&at(last), json!({"type": "other", "amountCents": 70_000, "loanCents": null}))).await;
    // What waits, and what was paid in another month, counts for nothing here.
    app.sign_in("north.lead").await.post("/crm/addMoney", form(app, clues.0, with(&at(this), json!({})))).await.ok();
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query("UPDATE clue SET visited_at = $1, visited_by = owner_id, visited_sub_org_id = sub_org_id")
        .bind(this.start())
        .execute(&mut *tx)
        .await
        .unwrap();
    sqlx::query("UPDATE clue SET signed_at = $1, signed_by = owner_id, signed_sub_org_id = sub_org_id WHERE id = $2")
        .bind(this.start())
        .bind(clues.0)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    (first, second)
}

async fn page(who: &Actor, body: Value) -> Value {
    who.post("/crm/achievements/page", body).await.ok()
}

/// Names, values and ranks of a page.
fn values(page: &Value) -> Vec<(String, i64, Option<i64>)> {
    let rows = page["list"].as_array().unwrap().iter();
    rows.map(|row| (row["objectName"].as_str().unwrap().to_owned(), row["actual"].as_i64().unwrap(), row["rank"].as_i64())).collect()
}

fn target(month: Month, kind: &str, id: i64, metric: &str, value: Value) -> Value {
    json!({"month": month.to_string(), "objectType": kind, "objectId": id, "metric": metric, "target": value})
}

// S1.06 S2.10
on_both!(a_month_shows_what_was_reached_with_ranks);
async fn a_month_shows_what_was_reached_with_ranks(app: TestApp) {
    let (first, _) = some_results(&app).await;
    let manager = app.sign_in("north.manager").await;
    let fees = page(&manager, json!({"objectType": "person", "metric": "fee_received", "sort": "actual"})).await;
    let (one, two) = ("north north.sales1".to_owned(), "north north.sales2".to_owned());
    assert_eq!(values(&fees), [(one.clone(), 250_000, Some(1)), (two.clone(), 100_000, Some(2))]);
    assert_eq!((&fees["totals"]["actual"], &fees["totals"]["lastActual"]), (&json!(350_000), &json!(70_000)));
    assert_eq!((&fees["list"][1]["lastActual"], &fees["list"][1]["change"]), (&json!(70_000), &json!(30_000)));
    assert_eq!(fees["settled"]["month"], months(&app).0.to_string());
    let of = async |kind: &str, metric: &str| values(&page(&manager, json!({"objectType": kind, "metric": metric})).await);
    assert_eq!(of("company", "fee_received").await, [("北辰".to_owned(), 350_000, None)]);
    assert_eq!(of("company", "loan_amount").await, [("北辰".to_owned(), 40_000_000, None)]);
    assert_eq!(of("team", "visits").await, [("First team".to_owned(), 2, Some(1))]);
    assert_eq!(of("person", "signed").await, [(one.clone(), 1, Some(1)), (two.clone(), 0, Some(2))]);
    assert_eq!(of("person", "visits").await, [(one, 1, Some(1)), (two, 1, Some(1))], "equal values share a rank");
    // Four metrics of a company, a team and two people.
    let all = page(&manager, json!({})).await;
    assert_eq!((&all["total"], &all["totals"]), (&json!(16), &json!(null)));
    assert_eq!(page(&manager, json!({"pageSize": 5, "current": 4})).await["list"].as_array().unwrap().len(), 1);
    assert_eq!(page(&manager, json!({"subOrgId": app.team("First team").await})).await["total"], 12);
    assert_eq!(page(&manager, json!({"month": "2020-01"})).await["total"], 0);
    assert_eq!(page(&manager, json!({"month": "nonsense"})).await["total"], 0);
    let mine = month_of(&app.app.db, (AchievementObject::Person, first), months(&app).0).await.unwrap();
    assert_eq!(
        mine.iter().map(|figure| (figure.target, figure.actual)).collect::<Vec<_>>(),
        [(None, 20_000_000), (None, 250_000), (None, 1), (None, 1)]
    );
}

on_both!(each_role_sees_its_scope_of_achievements);
async fn each_role_sees_its_scope_of_achievements(app: TestApp) {
    let (first, _) = some_results(&app).await;
    let seen = async |name: &'static str| {
        let page = page(&app.sign_in(name).await, json!({"metric": "fee_received"})).await;
        values(&page).into_iter().map(|(name, _, rank)| (name, rank)).collect::<Vec<_>>()
    };
    let (one, two) = (("north north.sales1".to_owned(), Some(1)), ("north north.sales2".to_owned(), Some(2)));
    let team = ("First team".to_owned(), Some(1));
    assert_eq!(seen("north.sales2").await, std::slice::from_ref(&two), "their own row, with the rank among all");
    assert_eq!(seen("north.lead").await, [team.clone(), one.clone(), two.clone()]);
    assert_eq!(seen("north.manager").await, [("北辰".to_owned(), None), team.clone(), one.clone(), two.clone()]);
    assert_eq!(seen("operator").await, [("北辰".to_owned(), None), team, one, two]);
    assert!(seen("south.manager").await.is_empty());
    app.sign_in("nobody").await.post("/crm/achievements/page", json!({})).await.refused("1003");
    // Others' objects are not reached by their ids.
    let south = app.sign_in("south.manager").await;
    assert_eq!(page(&south, json!({"objectType": "person", "objectId": first})).await["total"], 0);
    let charts = south.post("/crm/achievements/charts", json!({"objectType": "person", "objectId": first})).await.ok();
    assert!(!charts.to_string().contains("north"), "{charts}");
    // A salesperson without results sees their own zeros.
    salesperson(&app, "south.sales1").await;
    assert_eq!(seen("south.sales1").await, [("south south.sales1".to_owned(), Some(1))]);
}

on_both!(those_who_are_furthest_behind_come_first);
async fn those_who_are_furthest_behind_come_first(app: TestApp) {
    let (first, second) = some_results(&app).await;
    let (this, _) = months(&app);
    let manager = app.sign_in("north.manager").await;
    let pace = async |name: &'static str| app.sign_in(name).await.get("/crm/center").await.ok()["pace"].clone();
    assert_eq!(pace("north.manager").await, json!([]), "there are no targets");
    // The first reached more than the whole target, the second nothing of theirs.
    let targets = json!([
        target(this, "person", first, "fee_received", json!(200_000)),
        target(this, "person", second, "fee_received", json!(100_000)),
        target(this, "person", second, "signed", json!(62)),
    ]);
    manager.put("/crm/achievements/target", json!({"targets": targets})).await.ok();
    let days = (this.end() - this.start()) / clock::DAY;
    let passed = (clock::start(clock::day(app.now())) + clock::DAY - this.start()) / clock::DAY;
    let due = 62 * passed / days;
    let seen = pace("north.manager").await;
    let people = seen.as_array().unwrap();
    assert_eq!(people.iter().map(|person| person["id"].as_i64().unwrap()).collect::<Vec<_>>(), [second, first], "{seen}");
    assert_eq!((&people[0]["behindBp"], &people[1]["behindBp"]), (&json!(5_000), &json!(0)));
    let signed = json!({"metric": "signed", "target": 62, "due": due, "actual": 0});
    assert_eq!(people[0]["figures"][1], signed);
    assert_eq!((&people[1]["name"], &people[1]["subOrgName"]), (&json!("north north.sales1"), &json!("First team")));

    assert_eq!(pace("north.lead").await, seen, "both are in the team");
    assert_eq!(pace("south.manager").await, json!([]));
    assert_eq!((pace("north.sales1").await, pace("operator").await), (Value::Null, Value::Null));
    app.execute("UPDATE salesperson SET status = 'left' WHERE id = (SELECT id FROM administrator WHERE username = 'north.sales2')").await;
    assert_eq!(pace("north.manager").await.as_array().unwrap().len(), 1, "who left is not behind");
}

on_both!(each_number_opens_the_rows_that_it_adds_up);
async fn each_number_opens_the_rows_that_it_adds_up(app: TestApp) {
    let (first, second) = some_results(&app).await;
    // A transfer moves neither what the former owner reached nor the rows behind it.
    let ids: Vec<i64> = app.sign_in("north.manager").await.post("/crm/pushPage", json!({"ownerId": first})).await.ok()["list"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["id"].as_i64().unwrap())
        .collect();
    app.sign_in("north.manager").await.post("/crm/assign", json!({"ids": ids, "salespersonId": second})).await.ok();
    let mut compared = 0;
    for name in ["north.sales1", "north.lead", "north.manager", "operator"] {
        let who = app.sign_in(name).await;
        for row in page(&who, json!({"pageSize": 200})).await["list"].as_array().unwrap() {
            let month = Month::read(row["month"].as_str().unwrap()).unwrap();
            for (month, number) in [(month, &row["actual"]), (month.plus(-1), &row["lastActual"])] {
                let days = (clock::day(month.start()).to_string(), clock::day(month.end() - 1).to_string());
                let (kind, metric) = (row["objectType"].as_str().unwrap(), row["metric"].as_str().unwrap());
                let whole = if kind == "company" { "orgId" } else { "subOrgId" };
                let found = match metric {
                    "loan_amount" | "fee_received" => {
                        let whose = if kind == "person" { "salesId" } else { whole };
                        let body = json!({"paidFrom": days.0, "paidTo": days.1, "status": "confirmed", whose: row["objectId"]});
                        let totals = who.post("/crm/moneyPage", body).await.ok()["totals"].clone();
                        totals[if metric == "loan_amount" { "loanCents" } else { "amountCents" }].clone()
                    }
                    _ => {
                        let event = if metric == "signed" { "signed" } else { "visited" };
                        let whose = match kind {
                            "person" => format!("{event}By"),
                            "team" => format!("{event}Team"),
                            _ => whole.to_owned(),
                        };
                        let body = json!({format!("{event}From"): days.0, format!("{event}To"): days.1, whose: row["objectId"]});
                        who.post("/crm/pushPage", body).await.ok()["total"].clone()
                    }
                };
                assert_eq!(&found, number, "{name}: {month} {row}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 2 * (4 + 12 + 16 + 16));
    // These filters widen the list of clues alone, not that of pools: this one belongs to another team.
    clue(&app, "north", None).await;
    app.execute("UPDATE clue_pool SET sub_org_ids = '[999]'").await;
    app.execute("UPDATE clue SET owner_id = NULL, pool_id = (SELECT MIN(id) FROM clue_pool) WHERE visited_at IS NOT NULL").await;
    let own = json!({"visitedTeam": app.team("First team").await});
    assert!(app.sign_in("north.manager").await.post("/crm/poolClue/page", own.clone()).await.ok()["total"].as_i64() > Some(0));
    let lead = app.sign_in("north.lead").await;
    assert_eq!(lead.post("/crm/poolClue/page", own).await.ok()["total"], 0);
}

on_both!(targets_are_set_within_the_scope_and_audited);
async fn targets_are_set_within_the_scope_and_audited(app: TestApp) {
    let (first, second) = some_results(&app).await;
    let (this, last) = months(&app);
    let (manager, lead, south) = (app.sign_in("north.manager").await, app.sign_in("north.lead").await, app.sign_in("south.manager").await);
    let north = app.organisation("north").await;
    let set = async |who: &Actor, targets: Value| who.put("/crm/achievements/target", json!({"targets": targets})).await;
    let targets = json!([
        target(this, "person", first, "fee_received", json!(500_000)),
        target(this, "person", first, "signed", json!(4)),
        target(this, "company", north, "fee_received", json!(1_000_000)),
    ]);
    assert_eq!(set(&manager, targets.clone()).await.ok(), json!({"written": 3}));
    assert_eq!(set(&manager, targets).await.ok(), json!({"written": 0}), "what is the same is not written again");
    let row = page(&manager, json!({"objectType": "person", "metric": "fee_received", "sort": "rateBp"})).await["list"][0].clone();
    assert_eq!((&row["target"], &row["rateBp"], &row["objectId"]), (&json!(500_000), &json!(5000), &json!(first)));
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE module = 'achievement' AND action = 'create'").await, 3);
    set(&manager, json!([target(this, "person", first, "fee_received", json!(600_000))])).await.ok();
    let diff = app.text("SELECT diff FROM operation_log WHERE module = 'achievement' ORDER BY id DESC LIMIT 1").await;
    assert!(diff.contains("\"6,000\"") && diff.contains("\"5,000\"") && diff.contains("north north.sales1"), "{diff}");
    // A target is taken away by none.
    set(&manager, json!([target(this, "person", first, "signed", json!(null))])).await.ok();
    assert_eq!(page(&manager, json!({"objectType": "person", "metric": "signed"})).await["list"][0]["target"], json!(null));

    // All of a month are read as a table, with those of the month before.
    let table = async |who: &Actor, more: &str| who.get(&format!("/crm/achievements/targets?month={this}{more}")).await.ok();
    let rows = table(&manager, "").await;
    let ids = |rows: &Value| rows["rows"].as_array().unwrap().iter().map(|row| row["objectId"].as_i64().unwrap()).collect::<Vec<_>>();
    assert_eq!(ids(&rows)[..2], [first, second], "people come first: {rows}");
    assert_eq!((&rows["rows"][0]["targets"], &rows["rows"][0]["subOrgName"]), (&json!([null, 600_000, null, null]), &json!("First team")));
    assert_eq!((rows["total"].as_u64(), ids(&rows).last()), (Some(ids(&rows).len() as u64), Some(&north)));
    let later = manager.get(&format!("/crm/achievements/targets?month={}&objectType=person", this.plus(1))).await.ok();
    assert_eq!((ids(&later), &later["rows"][0]["before"]), (vec![first, second], &json!([null, 600_000, null, null])));
    let of_lead = table(&lead, "").await;
    assert!(of_lead["rows"].as_array().unwrap().iter().all(|row| row["objectType"] != "company"), "a lead sets none of the organisation");
    assert_eq!(ids(&table(&manager, &format!("&objectType=person&objectId={second}")).await), [second]);
    assert!(!table(&south, "").await.to_string().contains("north"));
    app.sign_in("north.sales1").await.get(&format!("/crm/achievements/targets?month={this}")).await.refused("1003");
    manager.get("/crm/achievements/targets?month=nonsense").await.wrong("month");

    // One that is wrong refuses all of them.
    let good = target(this, "person", second, "signed", json!(1));
    for (field, bad) in [
        ("targets.1.target", target(this, "person", first, "signed", json!(-1))),
        ("targets.1.target", target(this, "person", first, "fee_received", json!(1_000_000_000_001i64))),
        ("targets.1.month", target(this.plus(13), "person", first, "signed", json!(1))),
        ("targets.1.objectId", target(this, "person", 999_999, "signed", json!(1))),
        ("targets.1.objectId", target(this, "team", app.team("Harbour team").await, "signed", json!(1))),
    ] {
        assert!(!set(&manager, json!([good, bad])).await.wrong(field).is_empty(), "{bad}");
    }
    set(&manager, json!([])).await.wrong("targets");
    set(&manager, Value::from(vec![good.clone(); 801])).await.wrong("targets");
    assert_eq!(page(&manager, json!({"objectType": "person", "metric": "signed"})).await["totals"]["target"], json!(null));
    // A lead sets those of the team, not the organisation's; another organisation sets neither.
    set(&lead, json!([good])).await.ok();
    set(&lead, json!([target(this, "company", north, "signed", json!(1))])).await.wrong("targets.0.objectId");
    set(&south, json!([good])).await.wrong("targets.0.objectId");
    set(&app.sign_in("north.sales1").await, json!([good])).await.refused("1003");

    // Last month's are copied to those who have none.
    set(&manager, json!([target(last, "person", first, "fee_received", json!(1)), target(last, "person", first, "visits", json!(9))]))
        .await
        .ok();
    set(&manager, json!([target(last, "company", north, "visits", json!(30))])).await.ok();
    let copy = json!({"month": this.to_string()});
    assert_eq!(south.post("/crm/achievements/copy", copy.clone()).await.ok(), json!({"written": 0}));
    assert_eq!(lead.post("/crm/achievements/copy", copy.clone()).await.ok(), json!({"written": 1}), "the team's own");
    assert_eq!(manager.post("/crm/achievements/copy", copy.clone()).await.ok(), json!({"written": 1}));
    assert_eq!(manager.post("/crm/achievements/copy", copy).await.ok(), json!({"written": 0}));
    let kept = page(&manager, json!({"objectType": "person", "metric": "fee_received"})).await["list"][0]["target"].clone();
    assert_eq!(kept, 600_000);
    manager.post("/crm/achievements/copy", json!({"month": "2026-13"})).await.wrong("month");
    app.execute("UPDATE salesperson SET status = 'left'").await;
    assert_eq!(
        manager.post("/crm/achievements/copy", json!({"month": this.plus(1).to_string()})).await.ok(),
        json!({"written": 2}),
        "the company's"
    );
    let months = manager.post("/crm/achievements/charts", json!({})).await.ok()["months"].clone();
    assert_eq!((months.as_array().unwrap().len(), &months[0]), (26, &json!(this.plus(1).to_string())), "a later month with targets");
}

on_both!(achievements_are_drawn_and_exported);
async fn achievements_are_drawn_and_exported(app: TestApp) {
    let (first, _) = some_results(&app).await;
    let (this, _) = months(&app);
    let manager = app.sign_in("north.manager").await.in_english();
    let body = json!({"targets": [target(this, "person", first, "fee_received", json!(500_000)), target(this, "company", app.organisation("north").await, "fee_received", json!(900_000))]});
    manager.put("/crm/achievements/target", body).await.ok();
    let around = manager.post("/crm/achievements/charts", json!({})).await.ok();
    let (objects, months) = (&around["charts"][0], &around["charts"][1]);
    assert_eq!(objects["labels"], json!(["north north.sales1", "north north.sales2"]));
    assert_eq!((&objects["series"][0]["values"], &objects["series"][1]["values"]), (&json!([5000, 0]), &json!([2500, 1000])));
    assert_eq!((months["labels"].as_array().unwrap().len(), &months["labels"][11]), (12, &json!(this.to_string())));
    assert_eq!((&months["series"][0]["values"][11], &months["series"][1]["values"][11]), (&json!(9000), &json!(3500)));
    assert_eq!(months["series"][1]["values"][10], 700);
    assert_eq!((around["months"].as_array().unwrap().len(), &around["months"][0]), (25, &json!(this.to_string())));
    // A row for each of two people, their team and the company, with all metrics; those without targets come last.
    let paces = around["paces"].as_array().unwrap();
    assert_eq!((paces.len(), paces[0]["figures"].as_array().unwrap().len()), (4, 4));
    assert_eq!(paces.iter().map(|pace| pace["behindBp"].is_null()).collect::<Vec<_>>(), [false, false, true, true]);
    let fees =
        manager.post("/crm/achievements/charts", json!({"metric": "fee_received", "objectType": "person"})).await.ok()["paces"].clone();
    assert_eq!((fees.as_array().unwrap().len(), fees[0]["figures"].as_array().unwrap().len()), (2, 1));
    assert_eq!((&fees[0]["figures"][0]["target"], &fees[1]["figures"][0]["due"]), (&json!(500_000), &json!(null)));
    let own = app.sign_in("north.sales2").await.in_english().post("/crm/achievements/charts", json!({"metric": "visits"})).await.ok();
    assert!(own["charts"][1]["title"].as_str().unwrap().contains("north.sales2") && own["paces"].as_array().unwrap().len() == 1, "{own}");
    let all = app.sign_in("operator").await.in_english().post("/crm/achievements/charts", json!({})).await.ok();
    assert!(all["charts"][1]["title"].as_str().unwrap().contains("All organisations"), "{all}");
    assert_eq!(all["charts"][1]["series"][0]["values"][11], 9000);
    let csv =
        manager.export("/crm/achievements/page/export", json!({"format": "csv", "objectType": "person", "metric": "fee_received"})).await;
    let csv = String::from_utf8_lossy(&csv.body).into_owned();
    assert!(csv.contains("5000.00") && csv.contains("50.00%") && csv.contains("Fees received") && csv.contains("Total"), "{csv}");
    app.sign_in("north.sales1").await.post("/crm/achievements/page/export", json!({})).await.refused("1003");
}
