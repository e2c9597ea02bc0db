//! Clues change hands: assigned, split, claimed, released, reclaimed; every limit has its reader.

use serde_json::{Value, json};

use testing::crm::clue::follow;
use testing::crm::{clue, salesperson};
use testing::{TestApp, on_both};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// No clue is without an owner or a pool, none has both, and the counts of open clues are those of the rows.
pub async fn consistent(app: &TestApp) {
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE (owner_id IS NULL) = (pool_id IS NULL)").await, 0, "an owner or a pool");
    let wrong = "SELECT COUNT(*) FROM salesperson s WHERE s.held <> (SELECT COUNT(*) FROM clue k WHERE k.owner_id = s.id \
                 AND k.stage NOT IN ('disbursed', 'invalid', 'lost'))";
    assert_eq!(app.count(wrong).await, 0, "counts equal rows");
}

async fn work(app: &TestApp) -> usize {
    crm::run_clues(&app.app).await.unwrap()
}

on_both!(the_pool_is_narrowed_to_test_or_live_leads);
async fn the_pool_is_narrowed_to_test_or_live_leads(app: TestApp) {
    salesperson(&app, "north.sales1").await;
    let test = clue(&app, "north", None).await;
    app.execute("UPDATE applicant SET test = 1").await;
    app.execute("UPDATE clue SET test = 1").await;
    let live = clue(&app, "north", None).await;
    for who in ["north.sales1", "north.manager"] {
        let actor = app.sign_in(who).await;
        for (filter, id) in [("yes", test), ("no", live)] {
            let page = actor.post("/crm/poolClue/page", json!({"test": filter})).await.ok();
            assert_eq!((&page["total"], &page["list"][0]["id"]), (&json!(1), &json!(id)), "{who}: {filter}");
        }
        assert_eq!(actor.post("/crm/poolClue/page", json!({})).await.ok()["total"], 2, "{who}");
    }
    salesperson(&app, "south.sales1").await;
    assert_eq!(app.sign_in("south.sales1").await.post("/crm/poolClue/page", json!({"test": "yes"})).await.ok()["total"], 0);
}

// S7.24
on_both!(a_clue_is_claimed_once);
async fn a_clue_is_claimed_once(app: TestApp) {
    salesperson(&app, "north.sales1").await;
    salesperson(&app, "north.sales2").await;
    salesperson(&app, "south.sales1").await;
    let id = clue(&app, "north", None).await;
    let (one, two) = (app.sign_in("north.sales1").await, app.sign_in("north.sales2").await);
    assert_eq!(one.post("/crm/poolClue/page", json!({})).await.ok()["total"], 1);
    assert_eq!(app.sign_in("south.sales1").await.post("/crm/poolClue/page", json!({})).await.ok()["total"], 0);
    app.sign_in("south.sales1").await.get(&format!("/crm/updateStatus/{id}")).await.refused("1004");
    let row = one.get(&format!("/crm/updateStatus/{id}")).await.ok();
    assert_eq!(row["ownerName"], "north north.sales1");
    assert_eq!(one.get(&format!("/crm/updateStatus/{id}")).await.ok()["id"], id, "one's own is marked as read");
    two.post("/crm/clue/claim", json!({"id": id})).await.refused("1006");
    app.sign_in("north.manager").await.post("/crm/clue/claim", json!({"id": id})).await.refused("1006");
    consistent(&app).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM clue_owner_log WHERE way = 'claim'").await, 1);
}

// Two claim at the same moment, on two nodes.
on_both!(of_two_who_claim_at_once_one_gets_it);
async fn of_two_who_claim_at_once_one_gets_it(app: TestApp) {
    salesperson(&app, "north.sales1").await;
    salesperson(&app, "north.sales2").await;
    let other = app.node().await;
    for _ in 0..5 {
        let id = clue(&app, "north", None).await;
        let (one, two) = (app.sign_in("north.sales1").await, other.sign_in("north.sales2").await);
        let body = json!({"id": id});
        let (a, b) = tokio::join!(one.post("/crm/clue/claim", body.clone()), two.post("/crm/clue/claim", body));
        let got = [a, b].into_iter().filter(|answer| String::from_utf8_lossy(&answer.body).contains("\"0000\"")).count();
        assert_eq!(got, 1);
    }
    consistent(&app).await;
    other.app.db.close().await;
}

on_both!(each_limit_of_claiming_is_kept);
async fn each_limit_of_claiming_is_kept(app: TestApp) {
    let id = salesperson(&app, "north.sales1").await;
    let mut clues = Vec::new();
    for _ in 0..4 {
        clues.push(clue(&app, "north", None).await);
    }
    let claim = async |clue: i64| app.sign_in("north.sales1").await.post("/crm/clue/claim", json!({"id": clue})).await;
    app.execute("UPDATE clue_pool SET claim_per_day = 2").await;
    claim(clues[0]).await.ok();
    claim(clues[1]).await.ok();
    claim(clues[2]).await.refused("1006");
    app.advance(DAY);
    app.execute("UPDATE salesperson SET private_cap = 2").await;
    claim(clues[2]).await.refused("1006");
    assert_eq!(
        app.count("SELECT COUNT(*) FROM crm_day_count WHERE kind = 'claims' AND used > 0").await,
        1,
        "what was refused is not counted"
    );
    // One who gave a clue back waits for some days.
    let release = async |clue: i64| app.sign_in("north.sales1").await.post("/crm/release", json!({"ids": [clue]})).await.ok();
    release(clues[0]).await;
    claim(clues[0]).await.refused("1006");
    app.advance(4 * DAY);
    claim(clues[0]).await.ok();
    // A clue that is new in its pool waits for some minutes.
    app.execute("UPDATE salesperson SET private_cap = NULL").await;
    app.execute("UPDATE clue_pool SET new_delay_minutes = 30, former_owner_days = 0").await;
    release(clues[1]).await;
    claim(clues[1]).await.refused("1006");
    app.advance(HOUR);
    claim(clues[1]).await.ok();
    // One who is away claims nothing.
    app.execute("UPDATE salesperson SET status = 'away'").await;
    claim(clues[3]).await.refused("1006");
    consistent(&app).await;
    assert!(id > 0);
}

on_both!(clues_are_assigned_and_split_evenly);
async fn clues_are_assigned_and_split_evenly(app: TestApp) {
    let (one, two) = (salesperson(&app, "north.sales1").await, salesperson(&app, "north.sales2").await);
    let south = salesperson(&app, "south.sales1").await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(clue(&app, "north", None).await);
    }
    let manager = app.sign_in("north.manager").await;
    // The viewer sees who has how much, and who would get which clues; then each gets exactly those.
    let paused = format!("UPDATE salesperson SET receiving = 0, private_cap = 40 WHERE id = {two}");
    app.execute(Box::leak(paused.into_boxed_str())).await;
    let people = manager.get("/crm/assign/people").await.ok();
    let row = |id: i64| people.as_array().unwrap().iter().find(|person| person["id"] == id).unwrap().clone();
    assert_eq!((people.as_array().unwrap().len(), &row(one)["held"], &row(one)["receiving"]), (2, &json!(0), &json!(true)));
    assert_eq!((&row(two)["assignedToday"], &row(two)["privateCap"], &row(two)["receiving"]), (&json!(0), &json!(40), &json!(false)));
    app.sign_in("north.sales1").await.get("/crm/assign/people").await.refused("1003");
    let both = json!({"ids": ids, "salespersonIds": [one, two]});
    let plan = manager.post("/crm/assign/preview", both.clone()).await.ok();
    let shares = plan["shares"].as_array().unwrap();
    let sizes: Vec<usize> = shares.iter().map(|share| share["ids"].as_array().unwrap().len()).collect();
    assert_eq!((sizes, &plan["left"]), (vec![3, 2], &json!([])));
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE owner_id IS NOT NULL").await, 0, "a preview writes nothing");
    app.sign_in("south.manager").await.post("/crm/assign/preview", both).await.refused("1004");
    for wrong in [
        json!({"shares": [{"salespersonId": one, "ids": [ids[0]]}, {"salespersonId": two, "ids": [ids[0]]}]}),
        json!({"shares": shares, "salespersonId": one}),
        json!({"shares": [{"salespersonId": south, "ids": ids}]}),
        json!({"shares": [{"salespersonId": one, "ids": []}]}),
    ] {
        manager.post("/crm/assign", wrong).await.refused("1001");
    }
    let done = manager.post("/crm/assign", json!({"shares": shares})).await.ok();
    for share in shares {
        for id in share["ids"].as_array().unwrap() {
            let record = manager.get(&format!("/crm/clue/{id}")).await.ok();
            assert_eq!(record["ownerId"], share["salespersonId"]);
        }
    }
    assert_eq!((&done["done"], done["left"].as_array().unwrap().len()), (&json!(5), 0));
    let mut held =
        [app.count("SELECT MIN(held) FROM salesperson WHERE held > 0").await, app.count("SELECT MAX(held) FROM salesperson").await];
    held.sort_unstable();
    assert_eq!(held, [2, 3]);
    // A team lead transfers within the team, and no one assigns to another organisation.
    let lead = app.sign_in("north.lead").await;
    let moved = lead.post("/crm/assign", json!({"ids": ids, "salespersonId": one})).await.ok();
    assert_eq!(moved["done"].as_i64().unwrap() + moved["left"].as_array().unwrap().len() as i64, 5, "{moved}");
    assert_eq!(app.count("SELECT MAX(held) FROM salesperson").await, 5);
    manager.post("/crm/assign", json!({"ids": ids, "salespersonId": south})).await.refused("1001");
    app.sign_in("south.manager").await.post("/crm/assign", json!({"ids": ids, "salespersonId": south})).await.refused("1004");
    app.sign_in("north.sales1").await.post("/crm/assign", json!({"ids": ids, "salespersonId": one})).await.refused("1003");
    manager.post("/crm/assign", json!({"ids": [], "salespersonId": one})).await.refused("1001");
    // A full salesperson gets no more, and each that was left says why; so does the preview.
    app.execute("UPDATE salesperson SET private_cap = 1").await;
    let plan = manager.post("/crm/assign/preview", json!({"ids": ids, "salespersonIds": [one, two]})).await.ok();
    assert_eq!((&plan["shares"][0]["salespersonId"], plan["left"].as_array().unwrap().len()), (&json!(two), 4), "{plan}");
    let full = manager.post("/crm/assign", json!({"ids": ids, "salespersonId": two})).await.ok();
    assert_eq!((&full["done"], full["left"].as_array().unwrap().len()), (&json!(1), 4), "{full}");
    consistent(&app).await;
    let messages = app.sign_in("north.sales1").await.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("条新线索") && messages.contains("/crm/clue"), "{messages}");
}

on_both!(a_transfer_says_who_moved_which_clue);
async fn a_transfer_says_who_moved_which_clue(app: TestApp) {
    let (one, two) = (salesperson(&app, "north.sales1").await, salesperson(&app, "north.sales2").await);
    let id = clue(&app, "north", Some(one)).await;
    app.sign_in("north.manager").await.post("/crm/assign", json!({"ids": [id], "salespersonId": two})).await.ok();
    let list = app.sign_in("north.sales2").await.in_english().post("/message/page", json!({})).await.ok()["list"].clone();
    let content = "north north.manager moved lead CL-0 (王*) from north north.sales1 to north north.sales2.";
    assert!(list.to_string().contains(content), "{list}");
}

on_both!(clues_are_released_within_the_scope);
async fn clues_are_released_within_the_scope(app: TestApp) {
    let (one, two) = (salesperson(&app, "north.sales1").await, salesperson(&app, "north.sales2").await);
    let (mine, theirs) = (clue(&app, "north", Some(one)).await, clue(&app, "north", Some(two)).await);
    let sales = app.sign_in("north.sales1").await;
    sales.post("/crm/release", json!({"ids": [theirs]})).await.refused("1004");
    let done = sales.post("/crm/release", json!({"ids": [mine, theirs]})).await.ok();
    assert_eq!(done["done"], 1);
    sales.get(&format!("/crm/clue/{mine}")).await.refused("1004");
    assert_eq!(sales.post("/crm/poolClue/page", json!({})).await.ok()["list"][0]["id"], mine);
    consistent(&app).await;
}

on_both!(a_clue_that_nobody_follows_up_is_reminded_of_and_reclaimed);
async fn a_clue_that_nobody_follows_up_is_reminded_of_and_reclaimed(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let id = clue(&app, "north", None).await;
    let sales = app.sign_in("north.sales1").await;
    sales.post("/crm/clue/claim", json!({"id": id})).await.ok();
    let todos = async || app.sign_in("north.sales1").await.post("/message/page", json!({"type": "todo"})).await.ok()["list"].to_string();
    app.advance(6 * DAY + HOUR);
    work(&app).await;
    assert!(todos().await.contains("即将回收"), "{}", todos().await);
    let soon = async |body: Value| app.sign_in("north.sales1").await.post("/crm/pushPage", body).await.ok()["total"].clone();
    assert_eq!((soon(json!({"reclaim": "soon"})).await, soon(json!({"reclaim": "soon", "holder": "pool"})).await), (json!(1), json!(0)));
    let center = app.sign_in("north.sales1").await.get("/crm/center").await.ok();
    let figure = center["figures"].as_array().unwrap().iter().find(|figure| figure["href"] == "/crm/clue?reclaim=soon").unwrap();
    assert_eq!(figure["value"], 1);
    // A follow-up puts it off.
    let sales = app.sign_in("north.sales1").await;
    follow(&sales, id, json!({})).await;
    assert!(!todos().await.contains("即将回收"));
    app.advance(2 * DAY);
    work(&app).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE owner_id IS NOT NULL").await, 1);
    app.advance(6 * DAY);
    work(&app).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE pool_id IS NOT NULL AND owner_id IS NULL").await, 1);
    consistent(&app).await;
    let messages = app.sign_in("north.sales1").await.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("线索已回收"), "{messages}");
    app.sign_in("north.sales1").await.post("/crm/clue/claim", json!({"id": id})).await.refused("1006");
    assert!(owner > 0);
}

on_both!(an_overdue_contact_is_told_of_after_three_five_and_seven_days);
async fn an_overdue_contact_is_told_of_after_three_five_and_seven_days(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let id = clue(&app, "north", Some(owner)).await;
    let next_at = app.now() + HOUR;
    follow(&app.sign_in("north.sales1").await, id, json!({"nextAt": next_at, "status": "signed"})).await;
    let todos = async |who: &str| app.sign_in(who).await.post("/message/page", json!({"type": "todo"})).await.ok()["list"].to_string();
    let step = async |days: i64| {
        app.advance(days * DAY);
        work(&app).await;
    };
    app.advance(2 * HOUR);
    work(&app).await;
    assert!(todos("north.sales1").await.contains("待跟进"));
    step(3).await;
    assert!(todos("north.sales1").await.contains("逾期 3 天"));
    step(2).await;
    assert!(todos("north.lead").await.contains("逾期 5 天"));
    step(2).await;
    assert!(todos("north.manager").await.contains("逾期 7 天"));
    assert_eq!(app.sign_in("north.manager").await.post("/crm/pushPage", json!({"escalation": 4})).await.ok()["total"], 1);
    follow(&app.sign_in("north.sales1").await, id, json!({})).await;
    for who in ["north.sales1", "north.lead", "north.manager"] {
        assert!(!todos(who).await.contains("CL-0"), "what was done leaves the lists of all");
    }
    assert_eq!(app.count("SELECT escalation FROM clue").await, 0);
}

on_both!(a_clue_of_an_older_program_is_placed);
async fn a_clue_of_an_older_program_is_placed(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let (one, closed) = (clue(&app, "north", None).await, clue(&app, "north", None).await);
    app.execute("UPDATE clue SET pool_id = NULL, owner_id = NULL").await;
    app.execute("UPDATE clue SET stage = 'invalid' WHERE id = (SELECT MAX(id) FROM clue)").await;
    work(&app).await;
    consistent(&app).await;
    let of = |id: i64| json!({"keyword": format!("CL-{}", id - one)});
    let manager = app.sign_in("north.manager").await;
    let row = async |body: Value| manager.post("/crm/pushPage", body).await.ok()["list"][0].clone();
    assert_eq!(row(of(one)).await["ownerId"], owner);
    assert!(row(of(closed)).await["poolId"].is_i64());
}

/// Makes so many clues without an owner or a pool, and places them by the rules.
async fn place(app: &TestApp, count: usize) {
    let before = app.count("SELECT COALESCE(MAX(id), 0) FROM clue").await;
    for _ in 0..count {
        clue(app, "north", None).await;
    }
    let mut tx = app.app.db.begin().await.unwrap();
    let unplace = sqlx::query("UPDATE clue SET pool_id = NULL, pooled_at = NULL, claimable_at = NULL WHERE id > $1").bind(before);
    unplace.execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    work(app).await;
    consistent(app).await;
}

/// How many open clues the first and the second salesperson hold, and how many clues are in pools.
async fn placed(app: &TestApp) -> (i64, i64, i64) {
    (
        app.count("SELECT held FROM salesperson ORDER BY id LIMIT 1").await,
        app.count("SELECT held FROM salesperson ORDER BY id DESC LIMIT 1").await,
        app.count("SELECT COUNT(*) FROM clue WHERE pool_id IS NOT NULL").await,
    )
}

on_both!(the_daily_caps_of_a_salesperson_and_a_team_are_kept);
async fn the_daily_caps_of_a_salesperson_and_a_team_are_kept(app: TestApp) {
    salesperson(&app, "north.sales1").await;
    salesperson(&app, "north.sales2").await;
    app.execute("UPDATE salesperson SET daily_cap = 2").await;
    app.execute("UPDATE salesperson SET daily_cap = 1 WHERE id = (SELECT MIN(id) FROM salesperson)").await;
    place(&app, 5).await;
    assert_eq!(placed(&app).await, (1, 2, 2), "what no cap allows is pooled");
    let me = app.sign_in("north.sales2").await.get("/crm/center").await.ok()["me"].clone();
    assert_eq!((&me["assignedToday"], &me["dailyCap"]), (&json!(2), &json!(2)));

    // A new day counts from zero.
    app.advance(DAY);
    place(&app, 4).await;
    assert_eq!(placed(&app).await, (2, 4, 3));

    // The cap of a team holds for its people together.
    app.advance(DAY);
    app.execute("UPDATE salesperson SET daily_cap = NULL, sub_org_id = (SELECT MIN(s.sub_org_id) FROM salesperson s)").await;
    app.execute("UPDATE sub_organisation SET daily_cap = 3").await;
    place(&app, 4).await;
    let (one, two, pooled) = placed(&app).await;
    assert_eq!((one + two, pooled), (9, 4));

    // A cap of 0 keeps a salesperson from any lead.
    app.advance(DAY);
    app.execute("UPDATE salesperson SET daily_cap = 0").await;
    place(&app, 1).await;
    assert_eq!(placed(&app).await, (one, two, 5));
}

on_both!(a_lead_goes_to_a_salesperson_who_receives_and_works_in_its_city);
async fn a_lead_goes_to_a_salesperson_who_receives_and_works_in_its_city(app: TestApp) {
    salesperson(&app, "north.sales1").await;
    salesperson(&app, "north.sales2").await;
    app.execute("UPDATE salesperson SET receiving = 0 WHERE id = (SELECT MIN(id) FROM salesperson)").await;
    place(&app, 2).await;
    assert_eq!(placed(&app).await, (0, 2, 0));
    app.execute("UPDATE salesperson SET receiving = 1, cities = '[\"杭州\"]'").await;
    app.execute("UPDATE salesperson SET cities = '[\"上海\"]' WHERE id = (SELECT MIN(id) FROM salesperson)").await;
    place(&app, 2).await;
    assert_eq!(placed(&app).await, (2, 2, 0), "the clues are of 上海市");
    app.execute("UPDATE salesperson SET status = 'away'").await;
    place(&app, 1).await;
    assert_eq!(placed(&app).await, (2, 2, 1));
}

on_both!(leads_follow_the_weights_of_salespeople_and_the_terms_of_teams);
async fn leads_follow_the_weights_of_salespeople_and_the_terms_of_teams(app: TestApp) {
    salesperson(&app, "north.sales1").await;
    salesperson(&app, "north.sales2").await;
    app.execute("UPDATE salesperson SET sub_org_id = (SELECT MIN(s.sub_org_id) FROM salesperson s)").await;
    app.execute("UPDATE salesperson SET weight = 2 WHERE id = (SELECT MIN(id) FROM salesperson)").await;
    place(&app, 6).await;
    assert_eq!(placed(&app).await, (4, 2, 0));
    app.execute("UPDATE sub_organisation SET accept_leads = 0").await;
    place(&app, 1).await;
    assert_eq!(placed(&app).await, (4, 2, 1));
    app.execute("UPDATE sub_organisation SET accept_leads = 1, cities = '[\"杭州\"]'").await;
    place(&app, 1).await;
    assert_eq!(placed(&app).await, (4, 2, 2), "the clues are of 上海市");
}
