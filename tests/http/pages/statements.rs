//! How many statements lists and the first page cost. Each is a trip to the database.

use testing::demo::filled;
use testing::{TestApp, on_both};

use super::browser::Browser;

/// A page, and the most statements outside transactions: the session, the rows with their count and what belongs to the rows.
/// Choices are kept. The workplace counts all open work in one, with what is unusual in lists.
const PAGES: &[(&str, u64)] = &[
    ("/channel/list", 3),
    ("/org/list", 2),
    ("/plan/push-list", 3),
    ("/product/list", 2),
    ("/user/list", 3),
    ("/crm/clue", 3),
    ("/dashboard/workplace", 15),
];

on_both!(a_list_page_makes_few_statements);
async fn a_list_page_makes_few_statements(app: TestApp) {
    filled(&app).await;
    let browser = Browser::of(&app, "admin").await;
    let reads = || app.app.db.times().reads.counts().total();
    for (page, most) in PAGES {
        browser.get(page).await;
        // The second page has another statement, and the settings were read more than a second ago.
        tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
        let before = reads();
        assert_eq!(browser.get(page).await.status, 200);
        let made = reads() - before;
        assert!(made <= *most, "{page} made {made} statements");
    }
}
