//! One payment exception: view and settlement. Accepting it credits an account, and is requested by one person and
//! confirmed by another.

use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::json;

use super::list::TARGET;
use super::model::{
    ExceptionKind, ExceptionResolution, ExceptionStatus, PaymentExceptionRow, PaymentExceptionSettlement, PaymentExceptionVersion,
};
use super::notices::NOTICES;
use super::{notices, store};
use crate::channel;
use crate::link;
use crate::order::model::{KnownBy, OrderBiz, OrderStatus, PaymentOrderRow};
use crate::order::record::number_taken;
use crate::order::{paid, store as orders};
use crate::provider::Payment;
use base::db::Connection;
use base::locale::Locale;
use frame::access::audit::{self, Action, AuditEntry, Change, Target};
use frame::access::{Scope, stamped};
use frame::api::check::present;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, check_step, say};
use frame::decision::{self, DecisionAction, DecisionForm, Matter, Verdict};
use trade::finance::recharge;
use trade::ledger::journal;

/// Its name in messages.
const NAME: (&str, &str) = ("收款异常", "payment exception");

impl Versioned for PaymentExceptionRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PaymentExceptionRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    fn diff(before: Option<&PaymentExceptionRow>, after: Option<&PaymentExceptionRow>) -> Vec<Change> {
        let mut changes = audit::changes_without(&["decision"], before, after);
        let asked =
            |row: Option<&PaymentExceptionRow>| row.and_then(|row| row.decision.as_ref()).and_then(|decision| decision.note.clone());
        let (before, after) = (asked(before), asked(after));
        if before != after {
            changes.push(Change { field: "acceptance".to_owned(), before, after });
        }
        changes
    }
}

/// `GET /payException/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PaymentExceptionRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /payException/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `PUT /payException/settle`: records that the money was handled outside, or requests that the order counts as paid by
/// it, which another person must confirm.
pub async fn settle(cx: Arc<Ctx>, Body(body): Body<PaymentExceptionSettlement>) -> Result<PaymentExceptionRow> {
    let viewer = cx.viewer()?;
    let note = body.note.trim().to_owned();
    Check::new().text("note", &note, 1..=decision::REASON).done()?;
    let rest = link::rest(&cx.app).await?;
    let (cx, body, note) = (&*cx, &body, &note);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PaymentExceptionRow>(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, ExceptionStatus::Settled, NAME)?;
                check_unasked(&before)?;
                match body.resolution {
                    ExceptionResolution::Accepted => {
                        acceptable(&mut tx, &before).await?;
                        let written = stamped::touch(&mut tx, TARGET.kind, before.id, body.version, cx.stamp()?).await?;
                        if written {
                            let matter = Matter { version: before.version + 1, ..matter(&before, Some(note.as_str())) };
                            decision::write_down(&mut tx, &matter, Some(viewer.id), cx.now).await?;
                            notices::waits(&mut tx, &before, note, viewer.id, cx.now).await?;
                        }
                        versioned::changed_within(cx, &mut tx, before, written).await
                    }
                    ExceptionResolution::Handled => {
                        let written = store::settle(&mut tx, before.id, body.version, body.resolution, note, cx.stamp()?).await?;
                        if written {
                            journal::enter(&mut tx, journal::Source::Exception, before.id, cx.now).await?;
                            close(cx, &mut tx, &before, rest).await?;
                            NOTICES.close(&mut tx, before.id, cx.now).await?;
                        }
                        versioned::changed_as_within(cx, &mut tx, before, written, Action::Money).await
                    }
                }
            }
            .boxed()
        })
        .await
}

/// `PUT /payException/withdraw`: by the person who asked that it is accepted.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<PaymentExceptionVersion>) -> Result<PaymentExceptionRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PaymentExceptionRow>(cx, &mut tx, body.id, body.version).await?;
                let Some(asked) = before.decision.as_ref() else { return Err(nothing_asked()) };
                if !asked.makers.contains(&viewer.id) {
                    return Err(ApiError::State(say("只有申请人可以撤回", "Only the requester can withdraw it")));
                }
                let written = stamped::touch(&mut tx, TARGET.kind, before.id, body.version, cx.stamp()?).await?;
                if written {
                    decision::withdraw(&mut tx, TARGET.kind, before.id, cx.now).await?;
                    NOTICES.close(&mut tx, before.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /payException/audit`: by another person than the one who asked that it is accepted.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<PaymentExceptionRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    let row = cx
        .db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PaymentExceptionRow>(cx, &mut tx, body.id, body.version).await?;
                let Some(asked) = before.decision.as_ref() else { return Err(nothing_asked()) };
                let reason = asked.note.clone().unwrap_or_default();
                let note = present(body.note.clone());
                Check::new().text("note", note.as_deref().unwrap_or_default(), usize::from(!body.approve)..=decision::REASON).done()?;
                let verdict = Verdict { by: Some(viewer.id), approve: body.approve, note: note.as_deref(), at: cx.now };
                decision::decide(&mut tx, &matter(&before, asked.note.as_deref()), &verdict).await?;
                let stamp = cx.stamp()?;
                let written = match body.approve {
                    false => stamped::touch(&mut tx, TARGET.kind, before.id, body.version, stamp).await?,
                    true => store::settle(&mut tx, before.id, body.version, ExceptionResolution::Accepted, &reason, stamp).await?,
                };
                if written {
                    if body.approve {
                        journal::enter(&mut tx, journal::Source::Exception, before.id, cx.now).await?;
                        accept(cx, &mut tx, &before).await?;
                    }
                    notices::decided(&mut tx, &before, body.approve, note.as_deref(), viewer.id, cx.now).await?;
                }
                let action = if body.approve { Action::Money } else { Action::Update };
                let why = note.map(|note| Change { field: "reviewNote".to_owned(), before: None, after: Some(note) });
                versioned::changed_as_with_within(cx, &mut tx, before, written, action, why.into_iter().collect()).await
            }
            .boxed()
        })
        .await?;
    if body.approve {
        cx.app.credited.notify_one();
    }
    Ok(row)
}

fn check_unasked(row: &PaymentExceptionRow) -> Result<()> {
    match row.decision.is_none() {
        true => Ok(()),
        false => Err(ApiError::State(say("已申请入账，等待另一人确认", "Its acceptance awaits confirmation by another person"))),
    }
}

fn nothing_asked() -> ApiError {
    ApiError::State(say("没有待确认的入账申请", "No acceptance awaits confirmation"))
}

/// The order that can count as paid by the exception, locked; its clue is locked after it. Refused if there is none.
async fn acceptable(tx: &mut Connection, row: &PaymentExceptionRow) -> Result<PaymentOrderRow> {
    let Some(order_id) =
        row.payment_order_id.filter(|_| matches!(row.kind, ExceptionKind::Late | ExceptionKind::Amount | ExceptionKind::EndedClue))
    else {
        return Err(ApiError::State(say("该异常不能入账，请线下处理", "This payment cannot be accepted for an order: handle it outside")));
    };
    versioned::hold::<PaymentOrderRow>(tx, order_id).await?;
    let order = orders::find(&mut *tx, Scope::All, order_id).await?.ok_or(ApiError::Missing)?;
    if order.status.is_paid() {
        return Err(ApiError::State(say("订单已支付，请线下处理", "The order is paid already: handle this payment outside")));
    }
    // Exceptions under older rules may have an amount that no order can have.
    if !(1..=channel::MOST_CENTS).contains(&row.amount_cents) {
        return Err(ApiError::State(say("该金额不能入账，请线下处理", "This amount cannot be accepted: handle it outside")));
    }
    if order.biz_type == OrderBiz::Recharge {
        recharge::check_not_terminated(&mut *tx, order.org_id).await?;
    }
    paid::check_clue(tx, &order).await?;
    Ok(order)
}

/// Marks the order as paid, with the amount that came in.
async fn accept(cx: &Ctx, tx: &mut Connection, row: &PaymentExceptionRow) -> Result<()> {
    let order = acceptable(&mut *tx, row).await?;
    let payment = Payment {
        order_no: row.order_no.clone(),
        channel_order_no: row.channel_order_no.clone(),
        cents: row.amount_cents,
        currency: row.currency.clone(),
        paid_at: row.paid_at,
        payer_mask: row.payer_mask.clone(),
        is_refunded: false,
    };
    let fee = channel::fee_of(&mut *tx, row.payee_channel_id).await?;
    if let Some(other) = paid::claim(&mut *tx, &order, &payment, cx.now).await? {
        return Err(ApiError::State(other.refusal()));
    }
    paid::accept(tx, fee, &order, &payment, KnownBy::Staff, cx.now).await.map_err(number_taken)?;
    let after = orders::find(&mut *tx, Scope::All, order.id).await?;
    let changes = PaymentOrderRow::diff(Some(&order), after.as_ref());
    Ok(audit::record(tx, &cx.actor()?, PaymentOrderRow::TARGET.of(order.id), Action::Money, &changes).await?)
}

/// The acceptance of a payment as the matter of a decision.
fn matter<'n>(row: &PaymentExceptionRow, note: Option<&'n str>) -> Matter<'n> {
    let seen = json!({
        "kind": row.kind, "channel": row.payee_channel_id, "order": row.payment_order_id, "number": row.channel_order_no,
        "cents": row.amount_cents, "currency": row.currency, "paidAt": row.paid_at, "note": note,
    });
    Matter {
        action: DecisionAction::AcceptException,
        table: TARGET.kind,
        id: row.id,
        version: row.version,
        hash: decision::hash(&seen),
        payload: None,
        note,
    }
}

/// Closes an order that is still open: what came in for it was handled outside.
async fn close(cx: &Ctx, tx: &mut Connection, row: &PaymentExceptionRow, link_rest: i64) -> Result<()> {
    let Some(order_id) = row.payment_order_id else { return Ok(()) };
    versioned::hold::<PaymentOrderRow>(tx, order_id).await?;
    let Some(order) = orders::find(&mut *tx, Scope::All, order_id).await?.filter(|order| order.status.is_open()) else { return Ok(()) };
    paid::end_unpaid(tx, &order, (OrderStatus::Closed, None), link_rest, cx.now).await?;
    let after = orders::find(&mut *tx, Scope::All, order.id).await?;
    let changes = PaymentOrderRow::diff(Some(&order), after.as_ref());
    Ok(audit::record(tx, &cx.actor()?, PaymentOrderRow::TARGET.of(order.id), Action::Update, &changes).await?)
}
