//! `GET /crm/getNewUserCount`, and how leads come and go.

use crm::{self, NewLead};

use testing::{TestApp, on_both};

async fn arrive(app: &TestApp, clue_id: Option<i64>, org: &str, team: Option<&str>, owner: Option<&str>) {
    let lead = NewLead {
        clue_id,
        org_id: app.organisation(org).await,
        sub_org_id: match team {
            Some(team) => Some(app.team(team).await),
            None => None,
        },
        owner_admin_id: match owner {
            Some(owner) => Some(app.account(owner).await),
            None => None,
        },
    };
    let mut tx = app.app.db.begin().await.unwrap();
    crm::lead_arrived(&mut tx, lead, app.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn see(app: &TestApp, clue_id: i64) {
    let mut tx = app.app.db.begin().await.unwrap();
    crm::lead_seen(&mut tx, clue_id).await.unwrap();
    tx.commit().await.unwrap();
}

/// The count that each of these people gets.
async fn counts(app: &TestApp, people: [&str; 7]) -> Vec<i64> {
    let mut told = Vec::new();
    for person in people {
        let data = app.sign_in(person).await.get("/crm/getNewUserCount").await.ok();
        told.push(data.as_i64().expect("a number"));
    }
    told
}

const PEOPLE: [&str; 7] = ["operator", "channel.manager", "north.manager", "north.lead", "north.sales1", "north.sales2", "south.manager"];

// S7.29: each sees the leads of their scope, and none of another organisation.
on_both!(each_viewer_counts_the_leads_of_their_scope);
async fn each_viewer_counts_the_leads_of_their_scope(app: TestApp) {
    app.stranger().get("/crm/getNewUserCount").await.refused("2000");
    assert_eq!(counts(&app, PEOPLE).await, [0; 7]);
    arrive(&app, Some(1), "north", Some("First team"), Some("north.sales1")).await;
    arrive(&app, Some(2), "north", Some("First team"), None).await;
    arrive(&app, Some(3), "north", None, None).await;
    arrive(&app, Some(4), "south", Some("Harbour team"), Some("south.sales1")).await;
    arrive(&app, None, "north", None, None).await;
    arrive(&app, None, "north", None, None).await;
    assert_eq!(counts(&app, PEOPLE).await, [6, 0, 5, 2, 1, 0, 1]);
    // An account manager counts the leads of their organisations.
    app.execute(
        "UPDATE organisation SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager') WHERE code = 'north'",
    )
    .await;
    assert_eq!(counts(&app, PEOPLE).await, [6, 5, 5, 2, 1, 0, 1]);
}

on_both!(a_lead_counts_until_it_is_seen_and_moves_with_its_owner);
async fn a_lead_counts_until_it_is_seen_and_moves_with_its_owner(app: TestApp) {
    arrive(&app, Some(1), "north", Some("First team"), Some("north.sales1")).await;
    arrive(&app, Some(1), "north", Some("First team"), Some("north.sales2")).await;
    assert_eq!(counts(&app, PEOPLE).await, [1, 0, 1, 1, 0, 1, 0], "one lead, with its new owner");
    see(&app, 1).await;
    see(&app, 1).await;
    see(&app, 999).await;
    assert_eq!(counts(&app, PEOPLE).await, [0; 7]);
    assert_eq!(app.count("SELECT COUNT(*) FROM new_lead").await, 0, "no row is left of a lead that was seen");
}

// The count does not stick at a ceiling.
on_both!(more_than_a_thousand_are_counted);
async fn more_than_a_thousand_are_counted(app: TestApp) {
    app.execute(
        "INSERT INTO new_lead (org_id, arrived_at) WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1200) \
         SELECT o.id, n FROM number JOIN organisation o ON o.code = 'north'",
    )
    .await;
    assert_eq!(counts(&app, PEOPLE).await, [1200, 0, 1200, 0, 0, 0, 0]);
}
