//! Notices about channels: a cap is nearly full.

use base::clock::DAY;
use serde_json::json;
use trade::channel::warn_of_caps;

use testing::lead::{application, bring, channel};
use testing::plan::begin;
use testing::{TestApp, on_both};

on_both!(a_cap_that_is_nearly_full_gives_one_notice_in_its_window);
async fn a_cap_that_is_nearly_full_gives_one_notice_in_its_window(app: TestApp) {
    begin(&app);
    let caps = json!([{"window": "day", "weekday": null, "maxCount": 5, "maxCents": null}, {"window": "total", "weekday": null, "maxCount": 100, "maxCents": null}]);
    let partner = channel(&app, json!({ "caps": caps })).await;
    app.execute("UPDATE channel SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'operator') WHERE code = 'lead-chan'")
        .await;
    let notices = async || app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'channel_cap'").await;
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    assert_eq!((warn_of_caps(&app.app).await.unwrap(), notices().await), (0, 0), "three of five");
    bring(&app, &partner, "r-4", application(4, json!({}))).await.ok();
    assert_eq!((warn_of_caps(&app.app).await.unwrap(), notices().await), (1, 1));
    bring(&app, &partner, "r-5", application(5, json!({}))).await.ok();
    assert_eq!((warn_of_caps(&app.app).await.unwrap(), notices().await), (0, 1), "the notice was sent before");
    let to_manager = "SELECT COUNT(*) FROM message m JOIN administrator a ON a.id = m.scope_id AND m.scope = 'person' \
        WHERE m.biz_type = 'channel_cap' AND a.username = 'operator'";
    assert_eq!(app.count(to_manager).await, 1, "its manager was notified");

    app.advance(DAY);
    for number in 6..=9 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    assert_eq!((warn_of_caps(&app.app).await.unwrap(), notices().await), (1, 2), "a new day");
    // For a channel without a manager, those who may change channels are notified.
    app.execute("UPDATE channel SET owner_admin_id = NULL WHERE code = 'lead-chan'").await;
    app.execute("UPDATE cap_counter SET warned_at = NULL").await;
    assert!(warn_of_caps(&app.app).await.unwrap() >= 1);
    assert!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'channel_cap' AND scope = 'role'").await >= 1);
}
