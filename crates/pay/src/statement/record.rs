//! One statement, one difference: seen, settled, closed by two people.

use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::json;

use super::compare;
use super::list::{DIFFERENCE, STATEMENT};
use super::model::{
    DifferenceStatus, PaymentDifferenceRow, PaymentDifferenceSettlement, PaymentStatementRow, PaymentStatementVersion, StatementDayStatus,
};
use super::store;
use base::db::Connection;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Target};
use frame::api::check::present;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, check_step, say};
use frame::decision::{self, DecisionAction, DecisionForm, Matter, Verdict};
use frame::message::{self, Link, NewMessage};

/// The kind of record of messages about closing days.
pub(super) const BIZ: &str = "payment_statement";

impl Versioned for PaymentStatementRow {
    const TARGET: Target = STATEMENT;
    const LEFT_OUT: &'static [&'static str] = &["decision", "payeeChannelId", "payeeOrgId"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PaymentStatementRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

impl Versioned for PaymentDifferenceRow {
    const TARGET: Target = DIFFERENCE;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PaymentDifferenceRow>, sqlx::Error> {
        store::find_difference(tx, scope, id).await
    }
}

/// `GET /payStatement/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PaymentStatementRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /payStatement/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), STATEMENT.kind, row.id).await?)
}

/// `GET /payDifference/{id}`.
pub async fn view_difference(cx: Arc<Ctx>, Id(id): Id) -> Result<PaymentDifferenceRow> {
    store::find_difference(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /payDifference/history/{id}`.
pub async fn history_of_difference(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view_difference(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), DIFFERENCE.kind, row.id).await?)
}

/// `PUT /payDifference/settle`: settles a difference with an explanation.
pub async fn settle(cx: Arc<Ctx>, Body(body): Body<PaymentDifferenceSettlement>) -> Result<PaymentDifferenceRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let found = store::find_difference(&mut **tx, cx.viewer()?.scope(), body.id).await?.ok_or(ApiError::Missing)?;
                versioned::hold::<PaymentStatementRow>(&mut tx, found.payment_statement_id).await?;
                let before = versioned::current::<PaymentDifferenceRow>(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, DifferenceStatus::Settled, ("差异", "difference"))?;
                let note = body.note.trim();
                Check::new().text("note", note, 1..=decision::REASON).done()?;
                let written = store::settle(&mut tx, before.id, body.version, note, cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /payStatement/close`: requests to close a day that has no open difference after another comparison. Another
/// person decides.
pub async fn ask_close(cx: Arc<Ctx>, Body(body): Body<PaymentStatementVersion>) -> Result<PaymentStatementRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let viewer = cx.viewer()?;
                let before = versioned::current::<PaymentStatementRow>(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, StatementDayStatus::Closed, ("对账日", "day"))?;
                if before.decision.is_some() {
                    return Err(ApiError::State(say("已申请关账，等待另一人确认", "Closing is already awaiting confirmation")));
                }
                if let Some(why) = not_closable(cx, &mut tx, &before).await? {
                    return Ok(Err(why));
                }
                let written = store::touch(&mut tx, before.id, body.version, cx.stamp()?).await?;
                if written {
                    let matter = Matter { version: before.version + 1, ..matter(&before) };
                    decision::write_down(&mut tx, &matter, Some(viewer.id), cx.now).await?;
                    let name = &before.payee_channel_name;
                    let title = say(format!("关账待确认：{name} {}", before.day), format!("Day awaiting closing: {name} {}", before.day));
                    let content = say(
                        "差异已全部处理，请由申请人以外的人确认关账。",
                        "All differences are settled. Someone other than the requester must close the day.",
                    );
                    let message = NewMessage {
                        biz_id: Some(before.id),
                        link: Some(Link { route: "payConfigStatement", query: vec![("id", before.id.to_string())] }),
                        ..NewMessage::to_person(0, BIZ, title, content, cx.now)
                    };
                    message::to_overseers(&mut tx, "payConfig/order-list/reconcile", message.asked_by(viewer.id), cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await.map(Ok)
            }
            .boxed()
        })
        .await?
}

/// `PUT /payStatement/close/withdraw`: by the person who requested it.
pub async fn withdraw_close(cx: Arc<Ctx>, Body(body): Body<PaymentStatementVersion>) -> Result<PaymentStatementRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let viewer = cx.viewer()?;
                let before = versioned::current::<PaymentStatementRow>(cx, &mut tx, body.id, body.version).await?;
                let Some(asked) = before.decision.as_ref() else { return Err(nothing_asked()) };
                if !asked.makers.contains(&viewer.id) {
                    return Err(ApiError::State(say("只有申请人可以撤回", "Only the requester can withdraw it")));
                }
                let written = store::touch(&mut tx, before.id, body.version, cx.stamp()?).await?;
                if written {
                    decision::withdraw(&mut tx, STATEMENT.kind, before.id, cx.now).await?;
                    message::done(&mut tx, BIZ, before.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /payStatement/audit`: compares a day again and closes it, by another person than the one who requested it.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<PaymentStatementRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let viewer = cx.viewer()?;
                let before = versioned::current::<PaymentStatementRow>(cx, &mut tx, body.id, body.version).await?;
                if before.decision.is_none() {
                    return Err(nothing_asked());
                }
                let note = present(body.note.clone());
                Check::new().text("note", note.as_deref().unwrap_or_default(), usize::from(!body.approve)..=decision::REASON).done()?;
                if body.approve {
                    check_step(before.status, StatementDayStatus::Closed, ("对账日", "day"))?;
                    if let Some(why) = not_closable(cx, &mut tx, &before).await? {
                        return Ok(Err(why));
                    }
                }
                let verdict = Verdict { by: Some(viewer.id), approve: body.approve, note: note.as_deref(), at: cx.now };
                decision::decide(&mut tx, &matter(&before), &verdict).await?;
                let written = match body.approve {
                    false => store::touch(&mut tx, before.id, body.version, cx.stamp()?).await?,
                    true => store::close(&mut tx, before.id, body.version, cx.stamp()?).await?,
                };
                message::done(&mut tx, BIZ, before.id, cx.now).await?;
                versioned::changed_within(cx, &mut tx, before, written).await.map(Ok)
            }
            .boxed()
        })
        .await?
}

fn nothing_asked() -> ApiError {
    ApiError::State(say("没有待确认的关账申请", "No closing awaits confirmation"))
}

/// Compares a day with our present records. Writes changes, and then withdraws a request to close the day, which was
/// for other numbers. Returns why the day cannot be closed; none if it can.
async fn not_closable(cx: &Ctx, tx: &mut Connection, before: &PaymentStatementRow) -> Result<Option<ApiError>> {
    let changed = compare::compare_again(tx, before, cx.now).await?;
    if changed {
        decision::withdraw(tx, STATEMENT.kind, before.id, cx.now).await?;
        message::done(tx, BIZ, before.id, cx.now).await?;
    }
    let after = store::find(&mut *tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
    if changed {
        let changes = PaymentStatementRow::diff(Some(before), Some(&after));
        audit::record(tx, &cx.actor()?, STATEMENT.of(before.id), Action::Update, &changes).await?;
    }
    Ok(match after.open_count {
        0 if changed => Some(ApiError::State(say(
            "导入后该日的收款或退款有变化，数据已更新，请核对后重新申请关账",
            "Payments or refunds of that day have changed and the numbers are updated: check them and ask again",
        ))),
        0 => None,
        open => Some(ApiError::State(say(format!("还有 {open} 条差异待处理"), format!("{open} differences are not settled yet")))),
    })
}

/// The closing of a day as the matter of a decision.
fn matter(row: &PaymentStatementRow) -> Matter<'static> {
    let seen = json!({
        "channel": row.payee_channel_id, "day": row.day, "ours": [row.our_count, row.our_cents], "theirs": [row.their_count, row.their_cents],
        "matched": row.matched_count,
    });
    Matter {
        action: DecisionAction::CloseStatement,
        table: STATEMENT.kind,
        id: row.id,
        version: row.version,
        hash: decision::hash(&seen),
        payload: None,
        note: None,
    }
}
