//! One refund: view, request, withdraw, decide. An approved refund leaves the account at once, so that the money cannot
//! be spent meanwhile. It returns if the provider refuses.

use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::json;

use super::list::TARGET;
use super::model::{PaymentRefundDecision, PaymentRefundForm, PaymentRefundRow, PaymentRefundVersion, RefundStatus};
use super::notices::NOTICES;
use super::{notices, store};
use crate::channel::MOST_CENTS;
use crate::order::model::{OrderBiz, PaymentOrderRow};
use crate::order::{not_plain, paid, store as orders};
use crate::provider::is_plain;
use crate::statement;
use base::canonical;
use base::db::Connection;
use base::form_limits;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Change, Target};
use frame::api::check::present;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, Say, check_step, say};
use frame::decision::{self, DecisionAction, Matter, Verdict};
use frame::terms;
use trade::finance;
use trade::ledger::journal;
use trade::ledger::outgoing::{self, Outgoing};

/// Its name in messages.
const NAME: (&str, &str) = ("退款", "refund");
/// The field of a decision with the bank's number.
const NUMBER: &str = "channelRefundNo";

form_limits! {
    /// Of a refund.
    paymentRefund {
        REASON: usize = 80,
    }
}

impl Versioned for PaymentRefundRow {
    const TARGET: Target = TARGET;
    const LEFT_OUT: &'static [&'static str] = &[
        "decision",
        "orgId",
        "payeeChannelId",
        "paymentOrderId",
        "createdBy",
        "orderPaidCents",
        "orderRefundingCents",
        "orderRefundedCents",
    ];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PaymentRefundRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /payRefund/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PaymentRefundRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /payRefund/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `GET /payRefund/order/{id}`: the refunds of an order, the newest first.
pub async fn of_order(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<PaymentRefundRow>> {
    let order = orders::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    Ok(store::of_order(cx.db().read(), order.id).await?)
}

/// `POST /payRefund`: requests a refund of a paid order, or of a part of it.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<PaymentRefundForm>) -> Result<PaymentRefundRow> {
    let viewer = cx.viewer()?;
    let form = PaymentRefundForm { reason: body.reason.trim().to_owned(), ..body };
    Check::new()
        .range("amountCents", form.amount_cents, 1..=MOST_CENTS)
        .text("reason", &form.reason, 1..=REASON)
        .that("reason", is_plain(&form.reason), not_plain())
        .done()?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let order = versioned::hold_as_platform_staff::<PaymentOrderRow>(cx, &mut tx, form.payment_order_id).await?;
                if !orders::take_refund(&mut tx, order.id, form.amount_cents, cx.now).await? {
                    return Err(too_much(&order));
                }
                check_clue(&mut tx, &order).await?;
                let id = store::insert(&mut tx, &super::number(cx.now), form, cx.stamp()?).await?;
                let row = store::find(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
                decision::write_down(&mut tx, &matter(&row), Some(viewer.id), cx.now).await?;
                notices::waits(&mut tx, &row, viewer.id, cx.now).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// Refuses the refund of a service fee that staff already refunded in the CRM. The order counts the new refund by then.
async fn check_clue(tx: &mut Connection, order: &PaymentOrderRow) -> Result<()> {
    let Some(clue_id) = order.fee_clue_id() else { return Ok(()) };
    crm::hold_paid_clue(tx, clue_id).await?;
    match crm::refundable_online(tx, clue_id).await? {
        0.. => Ok(()),
        _ => Err(ApiError::State(say(
            "该线索的服务费已在线索收款中退还，不能再退",
            "The fee of the lead was refunded among its payments already: it cannot be refunded again",
        ))),
    }
}

fn too_much(order: &PaymentOrderRow) -> ApiError {
    if !order.status.is_paid() {
        return ApiError::State(say("订单未支付，不能退款", "The order is not paid: there is nothing to refund"));
    }
    let left = terms::yuan(order.paid_cents.unwrap_or_default() - order.refunding_cents);
    ApiError::field("amountCents", say(format!("最多可退 {left} 元"), format!("At most {left} CNY can be refunded")))
}

/// `PUT /payRefund/withdraw`: by the person who asked for it.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<PaymentRefundVersion>) -> Result<PaymentRefundRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = current(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, RefundStatus::Withdrawn, NAME)?;
                if before.created_by != Some(viewer.id) {
                    return Err(ApiError::State(say("只有申请人可以撤回", "Only the requester can withdraw it")));
                }
                let written = store::decide(&mut tx, before.id, body.version, RefundStatus::Withdrawn, (None, None), cx.stamp()?).await?;
                if written {
                    orders::give_back_refund(&mut tx, before.payment_order_id, before.amount_cents, cx.now).await?;
                    decision::withdraw(&mut tx, TARGET.kind, before.id, cx.now).await?;
                    NOTICES.close(&mut tx, before.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /payRefund/audit`: by another person than the requester. If no provider is called, the decision has the bank's
/// number of the payment that returned the money.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<PaymentRefundDecision>) -> Result<PaymentRefundRow> {
    let viewer = cx.viewer()?;
    let number = present(body.channel_refund_no.as_deref().map(canonical::serial_no));
    let (cx, body, number) = (&*cx, &body, number.as_deref());
    let row = cx
        .db()
        .transact(|mut tx| {
            async move {
                let before = current(cx, &mut tx, body.id, body.version).await?;
                let to = match body.approve {
                    false => RefundStatus::Rejected,
                    // Staff return the money themselves where no provider is called.
                    true if before.provider.is_online() => RefundStatus::Processing,
                    true => RefundStatus::Success,
                };
                check_step(before.status, to, NAME)?;
                let note = present(body.note.clone());
                let mut check = Check::new();
                check.text("note", note.as_deref().unwrap_or_default(), usize::from(!body.approve)..=decision::REASON);
                match to {
                    RefundStatus::Success => outgoing::check_number(&mut check, NUMBER, number, before.provider.pay_method()),
                    RefundStatus::Processing => drop(check.that(NUMBER, number.is_none(), not_by_hand())),
                    _ => {}
                }
                check.done()?;
                let verdict = Verdict { by: Some(viewer.id), approve: body.approve, note: note.as_deref(), at: cx.now };
                decision::decide(&mut tx, &matter(&before), &verdict).await?;
                let written = store::decide(&mut tx, before.id, body.version, to, (note.as_deref(), number), cx.stamp()?).await?;
                let mut more = None;
                if written && to == RefundStatus::Success {
                    more = paid_out(&mut tx, &before, number, body.another_payment == Some(true), cx.now).await?;
                }
                if written && body.approve {
                    approve(&mut tx, &before, to, Some(viewer.id), cx.now).await?;
                    NOTICES.close(&mut tx, before.id, cx.now).await?;
                } else if written {
                    orders::give_back_refund(&mut tx, before.payment_order_id, before.amount_cents, cx.now).await?;
                    notices::ended_as(&mut tx, &before, to, note.as_deref(), cx.now).await?;
                }
                versioned::changed_as_with_within(cx, &mut tx, before, written, Action::Money, more.into_iter().collect()).await
            }
            .boxed()
        })
        .await?;
    cx.app.payments.notify_one();
    Ok(row)
}

fn not_by_hand() -> Say {
    say("该退款由渠道完成，不填写流水号", "The provider makes this refund: leave the number empty")
}

/// Enters a refund that staff made as an outgoing payment, before [`approve`]. Locks its clue.
async fn paid_out(tx: &mut Connection, row: &PaymentRefundRow, number: Option<&str>, is_another: bool, at: i64) -> Result<Option<Change>> {
    let order = orders::find(&mut *tx, Scope::All, row.payment_order_id).await?.ok_or(ApiError::Missing)?;
    hold_clue(tx, &order).await?;
    let payment = payment_of(tx, row, number, at).await?;
    outgoing::confirm(tx, &payment, NUMBER, is_another).await
}

/// The outgoing payment of a refund.
pub async fn payment_of<'n>(
    tx: &mut Connection,
    row: &PaymentRefundRow,
    number: Option<&'n str>,
    paid_at: i64,
) -> std::result::Result<Outgoing<'n>, sqlx::Error> {
    Ok(Outgoing {
        payee_org_id: store::payee_of(tx, row.payee_channel_id).await?,
        number,
        org_id: Some(row.org_id),
        amount_cents: row.amount_cents,
        paid_at,
        source_table: TARGET.kind,
        source_id: row.id,
    })
}

/// A refund in the version that the request names. Its order is locked first, as in all changes of both.
async fn current(cx: &Ctx, tx: &mut Connection, id: i64, version: i64) -> Result<PaymentRefundRow> {
    let found = store::find(&mut *tx, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    versioned::hold::<PaymentOrderRow>(tx, found.payment_order_id).await?;
    versioned::current::<PaymentRefundRow>(cx, tx, id, version).await
}

/// Takes the money of an approved refund from the account that was credited. If the refund is already made, records
/// that in the order.
pub async fn approve(tx: &mut Connection, row: &PaymentRefundRow, to: RefundStatus, by: Option<i64>, at: i64) -> Result<()> {
    let order = orders::find(&mut *tx, Scope::All, row.payment_order_id).await?.ok_or(ApiError::Missing)?;
    if to == RefundStatus::Success {
        book(tx, &order, at, at).await?;
    }
    if order.biz_type == OrderBiz::Recharge {
        finance::recharge::refund_online(tx, (row.id, &row.no), order.org_id, -row.amount_cents, by, at).await?;
    }
    journal::enter(tx, journal::Source::Refund, row.id, at).await?;
    if to == RefundStatus::Success {
        made(tx, row, &order, (at, at)).await?;
    }
    Ok(())
}

/// Locks the clue of a service fee until the transaction ends. The caller must have locked the order.
pub(super) async fn hold_clue(tx: &mut Connection, order: &PaymentOrderRow) -> Result<()> {
    if let Some(clue_id) = order.fee_clue_id() {
        crm::hold_paid_clue(tx, clue_id).await?;
    }
    Ok(())
}

/// Records a refund that was made in its day ([`statement::booked`]): after its order and clue are locked, and before
/// its account is.
pub(super) async fn book(tx: &mut Connection, order: &PaymentOrderRow, done_at: i64, at: i64) -> Result<()> {
    hold_clue(tx, order).await?;
    statement::booked(tx, order.payee_channel_id, done_at, at).await
}

/// Records that a refund was returned to the payer.
pub(super) async fn made(tx: &mut Connection, row: &PaymentRefundRow, order: &PaymentOrderRow, (done_at, at): (i64, i64)) -> Result<()> {
    orders::set_refunded(tx, order.id, row.amount_cents, at).await?;
    if let Some(clue_id) = order.fee_clue_id() {
        crm::hold_paid_clue(tx, clue_id).await?;
        let refund = crm::OnlineMoney {
            clue_id,
            payment_order_id: order.id,
            is_refund: true,
            cents: row.amount_cents,
            pay_method: order.provider.pay_method(),
            paid_at: done_at,
            remark: &row.no,
        };
        crm::money_online(tx, &refund, at).await?;
    }
    paid::note(tx, order, Action::Money, at).await
}

/// A refund as the matter of a decision.
pub fn matter(row: &PaymentRefundRow) -> Matter<'static> {
    let seen = json!({ "no": row.no, "order": row.payment_order_id, "cents": row.amount_cents, "reason": row.reason });
    Matter {
        action: DecisionAction::RefundPayment,
        table: TARGET.kind,
        id: row.id,
        version: row.version,
        hash: decision::hash(&seen),
        payload: None,
        note: None,
    }
}
