//! Projects: `/project`.

mod apply;
mod hostile;
mod list;
mod messages;
mod review;

use testing::TestApp;

/// How many projects there are.
pub async fn rows(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM project").await
}
