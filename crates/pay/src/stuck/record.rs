//! One stuck report: set aside after too many tries, and tried again or settled by a person.

use std::sync::Arc;

use futures_util::FutureExt;

use super::list::TARGET;
use super::model::{PaymentReportRetry, PaymentReportSettlement};
use super::store;
use base::canonical;
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Change};
use frame::api::{ApiError, Body, Check, Ctx, Result, say};
use frame::decision;
use frame::message::{self, Link, MessageKind, MessageState, NewMessage};

/// The kind of record of messages about reports.
const BIZ: &str = "payment_notice";
/// The permission to retry and settle them.
const POINT: &str = "payConfig/order-list/settle";

/// Sets a report aside that was tried too often, and sends staff a message.
pub async fn set_aside(tx: &mut Connection, id: i64, now: i64) -> Result<()> {
    if !store::set_aside(&mut *tx, id, now).await? {
        return Ok(());
    }
    let Some(row) = store::find(&mut *tx, Scope::All, id).await? else { return Ok(()) };
    tracing::warn!(id, tries = row.tries, error = row.last_error.as_deref(), "payments: a report is set aside");
    let (no, channel, tries) = (&row.order_no, &row.payee_channel_name, row.tries);
    let title = say(format!("渠道通知多次核实失败：{no}"), format!("A provider's report failed: {no}"));
    let content = say(
        format!("收款通道“{channel}”的通知尝试 {tries} 次均未能核实，已暂停。请查明原因后重试，或说明原因后结束处理。"),
        format!(
            "A report of the channel {channel} could not be worked on in {tries} tries and is set aside. Find the cause, then retry or settle it."
        ),
    );
    let message = NewMessage {
        kind: MessageKind::Todo,
        state: Some(MessageState::NotStarted),
        biz_id: Some(id),
        link: Some(Link { route: "payConfigReports", query: vec![("keyword", row.notice_no.clone())] }),
        ..NewMessage::to_person(0, BIZ, title, content, now)
    };
    Ok(message::to_overseers(tx, POINT, message, now).await?)
}

/// `PUT /payReport/retry`: a stuck report is worked on again at once.
pub async fn retry(cx: Arc<Ctx>, Body(body): Body<PaymentReportRetry>) -> Result<()> {
    let scope = cx.viewer()?.scope();
    if !scope.is_platforms() {
        return Err(ApiError::Forbidden);
    }
    {
        let (cx, body) = (&*cx, &body);
        cx.db()
            .transact(|mut tx| {
                async move {
                    let row = store::find(&mut **tx, scope, body.id).await?.ok_or(ApiError::Missing)?;
                    if !store::retry(&mut tx, row.id, cx.now).await? {
                        return Err(ApiError::State(say("该通知已在核实", "The report is being worked on already")));
                    }
                    message::done(&mut tx, BIZ, row.id, cx.now).await?;
                    let retried = Change { field: "retried".to_owned(), before: None, after: Some(row.notice_no) };
                    audit::record(&mut tx, &cx.actor()?, TARGET.of(row.id), Action::Update, &[retried]).await?;
                    cx.keep_answer(&mut tx, &()).await
                }
                .boxed()
            })
            .await?;
    }
    cx.app.payments.notify_one();
    Ok(())
}

/// `PUT /payReport/settle`: a stuck report is not worked on any more, and a person says why. No money moves: an order that was paid
/// all the same is entered as paid by two people, and reconciliation compares with the provider's statement.
pub async fn settle(cx: Arc<Ctx>, Body(body): Body<PaymentReportSettlement>) -> Result<()> {
    let scope = cx.viewer()?.scope();
    if !scope.is_platforms() {
        return Err(ApiError::Forbidden);
    }
    let note = canonical::trimmed(&body.note);
    Check::new().text("note", note, 1..=decision::REASON).done()?;
    let (cx, id) = (&*cx, body.id);
    cx.db()
        .transact(|mut tx| {
            async move {
                let row = store::find(&mut **tx, scope, id).await?.ok_or(ApiError::Missing)?;
                if !store::settle(&mut tx, row.id).await? {
                    return Err(ApiError::State(say("该通知已在核实", "The report is being worked on already")));
                }
                message::done(&mut tx, BIZ, row.id, cx.now).await?;
                let change = |field: &str, after: String| Change { field: field.to_owned(), before: None, after: Some(after) };
                let changes = [change("settled", row.notice_no), change("settleNote", note.to_owned())];
                audit::record(&mut tx, &cx.actor()?, TARGET.of(row.id), Action::Update, &changes).await?;
                cx.keep_answer(&mut tx, &()).await
            }
            .boxed()
        })
        .await
}
