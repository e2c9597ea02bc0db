//! What people are told of organisations' licences.

use base::clock::{DAY, day};
use trade::org::warn_of_licences;

use testing::plan::begin;
use testing::{TestApp, on_both};

on_both!(a_licence_that_ends_soon_is_told_once_for_its_last_day);
async fn a_licence_that_ends_soon_is_told_once_for_its_last_day(app: TestApp) {
    begin(&app);
    app.execute("UPDATE organisation SET licence_no = 'N-1', licence_expire_on = NULL").await;
    let until = async |days: i64| {
        let day = day(app.now() + days * DAY).to_string();
        let mut tx = app.app.db.begin().await.unwrap();
        sqlx::query("UPDATE organisation SET licence_expire_on = $1 WHERE code = 'north'").bind(day).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        warn_of_licences(&app.app).await.unwrap()
    };
    testing::feedback::grant(&app, "org_manager", "org/list/list").await;
    let told = async || app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'licence' AND org_id IS NOT NULL").await;
    assert_eq!((until(31).await, until(-1).await, told().await), (0, 0, 0), "far away, or over");
    assert_eq!((until(30).await, told().await), (1, 1));
    assert_eq!((until(30).await, told().await), (0, 1), "it was told");
    assert_eq!((until(0).await, told().await), (1, 2), "another last day: today");
    app.execute("UPDATE organisation SET status = 'terminated' WHERE code = 'north'").await;
    assert_eq!((until(7).await, told().await), (0, 2), "nobody has to renew it any more");
    app.execute("UPDATE organisation SET status = 'active' WHERE code = 'north'").await;
    let both = tokio::join!(warn_of_licences(&app.app), warn_of_licences(&app.app));
    assert_eq!(both.0.unwrap() + both.1.unwrap(), 1, "of several nodes, one tells");
}
