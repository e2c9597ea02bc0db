//! A database that the demo has filled.

use demo::{self, DemoOptions};

use crate::TestApp;

pub const PASSWORD: &str = "Blue-Kettle-7";

/// Takes all accounts and all else out of a test's database, its menu aside.
pub async fn emptied(app: &TestApp) {
    for statement in [
        "DELETE FROM admin_role",
        "DELETE FROM administrator",
        "DELETE FROM role_menu",
        "DELETE FROM role",
        "DELETE FROM product",
        "DELETE FROM sub_organisation",
        "DELETE FROM organisation",
    ] {
        app.execute(statement).await;
    }
}

/// Fills a test's database with the demo.
pub async fn filled(app: &TestApp) {
    emptied(app).await;
    let options = DemoOptions { channels: 40, days: 40, users: 60, seed: 1, password: Some(PASSWORD.to_owned()) };
    demo::fill(&app.app, options).await.unwrap();
}
