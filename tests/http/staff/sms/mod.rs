//! Short messages: how they leave, what is recorded of them, and what their provider reports.

mod leave;
mod record;
mod report;
mod template;

use frame::sms::verification;
use server::dispatch;
use testing::TestApp;
use testing::world::PHONE;

/// Has a code sent to `north.sales1`.
pub async fn ask_for_a_code(app: &TestApp) {
    let sign = verification::sign(PHONE, app.now());
    app.stranger().get(&format!("/admin/sendCode?phone={PHONE}&sign={sign}")).await.ok();
}

/// The state of the one item of the outbox, its tries, its tries without an answer, and its error.
pub async fn state(app: &TestApp) -> String {
    app.text("SELECT state || ' ' || tries || ' ' || unanswered || ' ' || COALESCE(last_error, '') FROM outbox_item WHERE kind = 'sms'")
        .await
}

/// Lets so many milliseconds pass, and what is due then be sent.
pub async fn pass(app: &TestApp, milliseconds: i64) {
    app.advance(milliseconds);
    dispatch::send_all(&app.app).await.unwrap();
}
