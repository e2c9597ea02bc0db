//! How much, and for how long, may be given back.

use serde_json::json;

use testing::feedback::Sold;
use testing::lead::{application, bring};
use testing::returns::{ask, lenient};
use testing::{TestApp, on_both};

const DAY: i64 = 86_400_000;

on_both!(a_lead_is_returned_in_time_or_not_at_all);
async fn a_lead_is_returned_in_time_or_not_at_all(app: TestApp) {
    let Sold { push_id, .. } = lenient(&app).await;
    app.advance(7 * DAY + 1000);
    let north = app.sign_in("north.manager").await;
    let late = ask(&north, push_id, json!({})).await;
    late.refused("1006");
    // The same is said before anybody fills in the form.
    let before = north.get(&format!("/plan/return/ask/{push_id}")).await;
    before.refused("1006");
    assert_eq!(before.desc(), late.desc());
    app.sign_in("south.manager").await.get(&format!("/plan/return/ask/{push_id}")).await.refused("1004");
    app.execute("UPDATE organisation SET return_max_days = 8").await;
    app.execute("UPDATE organisation SET return_allowed = 0").await;
    ask(&north, push_id, json!({})).await.refused("1006");
    app.execute("UPDATE organisation SET return_allowed = 1").await;
    north.get(&format!("/plan/return/ask/{push_id}")).await.ok();
    ask(&north, push_id, json!({})).await.ok();
}

on_both!(no_more_than_the_share_is_returned);
async fn no_more_than_the_share_is_returned(app: TestApp) {
    let Sold { channel, .. } = lenient(&app).await;
    for number in 2..=5 {
        bring(&app, &channel, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE status = 'accepted'").await, 5);
    app.set("lead.return_least", json!(0)).await;
    let north = app.sign_in("north.manager").await;
    let first = app.count("SELECT MIN(id) FROM push_record").await;
    app.execute("UPDATE organisation SET return_max_bp = 1999").await;
    ask(&north, first, json!({})).await.refused("1006");
    app.execute("UPDATE organisation SET return_max_bp = 4000").await;
    let one = ask(&north, first, json!({})).await.ok();
    ask(&north, first + 1, json!({})).await.ok();
    ask(&north, first + 2, json!({})).await.refused("1006");
    north.get(&format!("/plan/return/ask/{}", first + 2)).await.refused("1006");
    // What was refused counts for nothing.
    testing::returns::decide(&app.sign_in("admin").await, &one, false, json!({})).await.ok();
    ask(&north, first + 2, json!({})).await.ok();
    ask(&north, first + 3, json!({})).await.refused("1006");
    app.set("lead.return_least", json!(3)).await;
    ask(&north, first + 3, json!({})).await.ok();
    // Only of the last days.
    app.set("lead.return_least", json!(1)).await;
    app.set("lead.return_share_days", json!(1)).await;
    app.execute("UPDATE organisation SET return_max_bp = 0").await;
    app.advance(2 * DAY);
    ask(&app.sign_in("north.manager").await, first + 4, json!({})).await.ok();
}
