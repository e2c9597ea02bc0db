//! `/user/feedback` and `/open/push/status`: feedback on applicants, its sources and its messages.

mod callback;
mod entry;
mod list;
mod report;

use testing::TestApp;

/// How much feedback there is.
pub async fn entries(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM feedback").await
}
