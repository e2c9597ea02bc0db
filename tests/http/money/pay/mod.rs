//! Payments: channels, orders with their payer's page, what providers report, refunds, exceptions and the pool of links. The
//! provider is the demo's, on a port of its own.

mod channel;
mod exception;
mod histories;
mod link;
mod notice;
mod order;
mod page;
mod refund;
mod statement;

use testing::TestApp;

/// Does what is due, after so many milliseconds.
pub async fn sweep_after(app: &TestApp, milliseconds: i64) {
    app.advance(milliseconds);
    pay::sweep(&app.app).await.unwrap();
}

/// The balance of North Star.
pub async fn balance(app: &TestApp) -> i64 {
    app.count("SELECT CAST(COALESCE(SUM(a.balance_cents), 0) AS BIGINT) FROM org_account a JOIN organisation o ON o.id = a.org_id WHERE o.code = 'north'").await
}

/// What the books do not agree on.
pub async fn wrong(app: &TestApp) -> Vec<trade::ledger::verify::Discrepancy> {
    trade::ledger::verify::verify(&app.app.db).await.unwrap()
}
