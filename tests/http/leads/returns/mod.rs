//! `/plan/return`: leads that organisations give back, and what is decided.

mod between;
mod decide;
mod limits;
mod replace;
mod request;

use testing::TestApp;

/// What North Star has, in fen.
pub async fn balance(app: &TestApp) -> i64 {
    app.count("SELECT balance_cents FROM org_account WHERE org_id = (SELECT id FROM organisation WHERE code = 'north')").await
}
