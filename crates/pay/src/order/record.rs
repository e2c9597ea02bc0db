//! One payment order: view, create, cancel, query, and, where no provider confirms payments, entry of a payment by one person
//! and confirmation by another.

use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::json;

use super::form::Form;
use super::list::TARGET;
use super::model::{
    KnownBy, OrderBiz, OrderStatus, PaymentClaim, PaymentClaimDecision, PaymentClaimForm, PaymentOrderForm, PaymentOrderMade,
    PaymentOrderRow, PaymentOrderStep, PaymentOrderVersion, PaymentPage,
};
use super::notices::NOTICES;
use super::paid::{self, Taken};
use super::{notices, store};
use crate::channel::record::payable_by;
use crate::channel::{self, PayProvider, PayeeChannelRow, PayeeChannelStatus, store as channels};
use crate::link;
use crate::provider::Payment;
use base::canonical;
use base::clock::{self, DAY, MINUTE};
use base::crypto;
use base::db::{self, Connection, Sql, Tx};
use base::form_limits;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Change, Target};
use frame::api::check::present;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, Say, check_step, say};
use frame::decision::{self, DecisionAction, Matter, Verdict};
use frame::{reveal, terms};
use trade::finance;
use trade::finance::receipt;
use trade::ledger::incoming;
use trade::org::{self, payee};

/// Its name in messages.
const NAME: (&str, &str) = ("订单", "order");
/// Most open orders of an organisation when its own staff create one.
const MOST_OPEN: i64 = 20;
/// How long ago an entered payment may have been made, in milliseconds: 400 days.
const OLDEST: i64 = 400 * DAY;

form_limits! {
    /// Of a payment that is entered.
    paymentOrder {
        /// Characters of the channel's number.
        CHANNEL_ORDER_NO: usize = 64,
    }
}

impl Versioned for PaymentOrderRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PaymentOrderRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    fn diff(before: Option<&PaymentOrderRow>, after: Option<&PaymentOrderRow>) -> Vec<Change> {
        const LEFT_OUT: &[&str] = &["decision", "claim", "orgId", "payeeChannelId", "clueId", "rechargeId", "payeeOrgId", "payeeOrgName"];
        let mut changes = audit::changes_without(LEFT_OUT, before, after);
        let entered = |row: Option<&PaymentOrderRow>| row.and_then(|row| row.claim.as_ref()).map(|claim| claim.channel_order_no.clone());
        let (before, after) = (entered(before), entered(after));
        if before != after {
            changes.push(Change { field: "claim".to_owned(), before, after });
        }
        changes
    }
}

/// `GET /payOrder/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PaymentOrderRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /payOrder/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `GET /payOrder/payPage/{id}`: the key of an order's page. This counts as a reveal, because the page shows the whole
/// account or link to pay by.
pub async fn pay_page(cx: Arc<Ctx>, id: Id) -> Result<PaymentPage> {
    let row = view(cx.clone(), id).await?;
    let token = store::token(cx.db().read(), row.id).await?;
    let tx = cx.db().begin().await?;
    let seen = Change { field: "payPage".to_owned(), before: None, after: Some(row.no) };
    reveal::written(&cx, tx, TARGET.of(row.id), &[seen]).await?;
    Ok(PaymentPage { token })
}

/// `POST /payOrder`: platform staff create orders for any organisation, others for their own. The answer has the key of
/// the payer's page.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<PaymentOrderForm>) -> Result<PaymentOrderMade> {
    let viewer = cx.viewer()?;
    let form = Form::of(body)?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                if org::find(&mut **tx, viewer.scope(), form.org_id).await?.is_none() {
                    return Err(ApiError::field("orgId", say("请选择机构", "Choose an organisation")));
                }
                finance::recharge::check_not_terminated(&mut tx, form.org_id).await?;
                if !viewer.scope().is_platforms() {
                    check_open(cx, &mut tx, form.org_id).await?;
                }
                let channel = chosen_channel(&mut tx, viewer.scope(), form.payee_channel_id).await?;
                check_amount(&channel, form.amount_cents)?;
                let clue_id = match &form.clue_no {
                    Some(no) => Some(clue_of(&mut tx, form.org_id, no).await?),
                    None => None,
                };
                let (no, token) = (super::number(cx.now), crypto::random_text(32));
                let id = store::insert(&mut tx, &cx.app.keys, (&no, &token), &channel, form, clue_id, cx.stamp()?).await?;
                hold(&mut tx, &channel, id, form.amount_cents, cx.now + form.lives_for, cx.now).await?;
                let order = PaymentOrderRow::find(&mut tx, Scope::All, id, cx.locale).await?.ok_or(ApiError::Missing)?;
                audit::record(&mut tx, &cx.actor()?, TARGET.of(id), Action::Create, &PaymentOrderRow::diff(None, Some(&order))).await?;
                let made = PaymentOrderMade { order, token };
                cx.keep_answer(&mut tx, &made).await?;
                Ok(made)
            }
            .boxed()
        })
        .await
}

/// Refuses an order if its organisation has too many open ones. Under the lock, orders of an organisation are counted
/// one at a time. The lock is the first one of the transaction, so that it cannot cause a deadlock.
async fn check_open(cx: &Ctx, tx: &mut Tx, org_id: i64) -> Result<()> {
    cx.db().lock(tx, &format!("open payment orders {org_id}")).await?;
    if store::open_of(tx, org_id).await? < MOST_OPEN {
        return Ok(());
    }
    Err(ApiError::State(say(
        format!("待支付的订单最多 {MOST_OPEN} 笔，请先支付或撤销"),
        format!("At most {MOST_OPEN} orders can await payment: pay or cancel some first"),
    )))
}

/// Takes the amount of a new order from the daily limit of its channel, and reserves a link if the channel is a pool of
/// links.
pub async fn hold(tx: &mut Connection, channel: &PayeeChannelRow, order_id: i64, cents: i64, until: i64, at: i64) -> Result<()> {
    if !channels::take_day(tx, channel.id, &clock::day(at).to_string(), cents).await? {
        let cap = terms::yuan(channel.day_cap_cents.unwrap_or_default());
        let full = say(format!("超出该通道当日限额 {cap} 元"), format!("The channel takes at most {cap} CNY a day"));
        return Err(ApiError::field("amountCents", full));
    }
    if channel.provider == PayProvider::LinkPool && !link::reserve(tx, channel.id, order_id, cents, until, at).await? {
        let none = match link::free_from(&mut *tx, channel.id, cents, until, at).await? {
            None => say("链接池里没有适合该金额的可用链接", "The pool has no free link for this amount"),
            Some(free_from) => {
                let from = clock::date_time(free_from);
                say(
                    format!("链接池里没有适合该金额的可用链接，最早 {from} 可用"),
                    format!("The pool has no free link for this amount until {from}"),
                )
            }
        };
        return Err(ApiError::field("amountCents", none));
    }
    Ok(())
}

async fn chosen_channel(tx: &mut Connection, scope: Scope, id: i64) -> Result<PayeeChannelRow> {
    let mut sql = Sql::new("SELECT c.id FROM payee_channel c WHERE c.deleted_at IS NULL AND c.status = 'enabled' AND c.id = ");
    sql.bind(id);
    payable_by(&mut sql, scope);
    let found = match sql.fetch_optional(&mut *tx).await? {
        // Locked, so that it is not deleted or disabled meanwhile.
        Some(_) => {
            versioned::hold::<PayeeChannelRow>(tx, id).await?;
            let found = channels::find(&mut *tx, Scope::All, id).await?;
            found.filter(|channel| channel.status == PayeeChannelStatus::Enabled)
        }
        None => None,
    };
    let channel =
        found.ok_or_else(|| ApiError::field("payeeChannelId", say("请选择启用中的收款通道", "Choose an enabled payee channel")))?;
    match payee::is_enabled(tx, channel.payee_org_id).await? {
        true => Ok(channel),
        false => {
            let wrong = say("该通道的收款主体已停用，请选择其他通道", "The payee of this channel is disabled: choose another channel");
            Err(ApiError::field("payeeChannelId", wrong))
        }
    }
}

fn check_amount(channel: &PayeeChannelRow, cents: i64) -> Result<()> {
    let (least, most) = (terms::yuan(channel.min_cents), terms::yuan(channel.max_cents));
    let within = (channel.min_cents..=channel.max_cents).contains(&cents);
    let wrong = say(format!("该通道单笔 {least} 到 {most} 元"), format!("This channel takes {least} to {most} CNY for a payment"));
    Check::new().that("amountCents", within, wrong).done()
}

async fn clue_of(tx: &mut Connection, org_id: i64, no: &str) -> Result<i64> {
    match crm::hold_payable_clue(tx, no).await? {
        Some(clue) if clue.org_id == org_id => Ok(clue.id),
        _ => Err(ApiError::field("clueNo", say("该机构没有这个编号的线索", "The organisation has no lead with this number"))),
    }
}

/// `PUT /payOrder/status`: cancels an open order. If the payer has begun to pay, the order is cancelled once the
/// provider answers that it is not paid.
pub async fn change_status(cx: Arc<Ctx>, Body(body): Body<PaymentOrderStep>) -> Result<PaymentOrderRow> {
    let rest = link::rest(&cx.app).await?;
    let (cx, body) = (&*cx, &body);
    let row = cx
        .db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current_in_scope::<PaymentOrderRow>(cx, &mut tx, body.id, Some(body.version)).await?;
                if body.status != OrderStatus::Cancelled {
                    return Err(ApiError::field("status", say("只能撤销订单", "An order can only be cancelled")));
                }
                check_step(before.status, OrderStatus::Cancelled, NAME)?;
                check_unclaimed(&before)?;
                let written = match before.status {
                    OrderStatus::Paying if before.cancel_asked => {
                        return Err(ApiError::State(say("已申请撤销，等待渠道确认", "Cancelling: waiting for the provider")));
                    }
                    OrderStatus::Paying => store::ask_cancel(&mut tx, before.id, body.version, cx.stamp()?).await?,
                    _ => paid::end_unpaid(&mut tx, &before, (OrderStatus::Cancelled, None), rest, cx.now).await?,
                };
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await?;
    cx.app.payments.notify_one();
    Ok(row)
}

/// `PUT /payOrder/query`: queries the provider at once.
pub async fn query(cx: Arc<Ctx>, Body(body): Body<PaymentOrderVersion>) -> Result<PaymentOrderRow> {
    let row = {
        let (cx, body) = (&*cx, &body);
        cx.db()
            .transact(|mut tx| {
                async move {
                    let before = versioned::current_in_scope::<PaymentOrderRow>(cx, &mut tx, body.id, Some(body.version)).await?;
                    if before.status != OrderStatus::Paying {
                        return Err(ApiError::State(say("只有支付中的订单可以查询", "Only an order that is being paid can be queried")));
                    }
                    store::ask_again(&mut tx, before.id, cx.now, before.error.as_deref()).await?;
                    Ok(before)
                }
                .boxed()
            })
            .await?
    };
    // The reply has the provider's answer if it came in time.
    super::watch::look_at(&cx.app, row.id).await?;
    store::find(cx.db().read(), cx.viewer()?.scope(), row.id).await?.ok_or(ApiError::Missing)
}

/// `PUT /payOrder/claim`: a person has seen the payment arrive; another confirms it.
pub async fn claim(cx: Arc<Ctx>, Body(body): Body<PaymentClaimForm>) -> Result<PaymentOrderRow> {
    let viewer = cx.viewer()?;
    let claim = PaymentClaim { channel_order_no: canonical::serial_no(&body.channel_order_no), paid_at: body.paid_at };
    let (cx, body, claim) = (&*cx, &body, &claim);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PaymentOrderRow>(cx, &mut tx, body.id, body.version).await?;
                check_claimable(&before)?;
                check_unclaimed(&before)?;
                let recent = (cx.now - OLDEST..=cx.now + MINUTE).contains(&claim.paid_at);
                Check::new()
                    .text("channelOrderNo", &claim.channel_order_no, 1..=CHANNEL_ORDER_NO)
                    .that(
                        "paidAt",
                        recent,
                        say("付款时间不能晚于现在，也不能早于 400 天前", "The time must not be in the future or more than 400 days ago"),
                    )
                    .done()?;
                if store::by_payment(&mut tx, before.payee_channel_id, &claim.channel_order_no).await? {
                    return Err(ApiError::field("channelOrderNo", used_number()));
                }
                check_not_entered(&mut tx, before.payee_channel_id, &claim.channel_order_no).await?;
                let written = store::touch(&mut tx, before.id, body.version, cx.stamp()?).await?;
                if written {
                    let matter = Matter { version: before.version + 1, ..matter(&before, claim) };
                    decision::write_down(&mut tx, &matter, Some(viewer.id), cx.now).await?;
                    notices::waits(&mut tx, &before, viewer.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /payOrder/claim/withdraw`: by the person who entered the payment.
pub async fn withdraw_claim(cx: Arc<Ctx>, Body(body): Body<PaymentOrderVersion>) -> Result<PaymentOrderRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PaymentOrderRow>(cx, &mut tx, body.id, body.version).await?;
                let Some(asked) = before.decision.as_ref() else { return Err(nothing_entered()) };
                if !asked.makers.contains(&viewer.id) {
                    return Err(ApiError::State(say("只有登记人可以撤回", "Only the person who entered the payment can withdraw it")));
                }
                let written = store::touch(&mut tx, before.id, body.version, cx.stamp()?).await?;
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

/// `PUT /payOrder/confirm`: by another person than the one who entered the payment.
pub async fn confirm(cx: Arc<Ctx>, Body(body): Body<PaymentClaimDecision>) -> Result<PaymentOrderRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    let row = cx
        .db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PaymentOrderRow>(cx, &mut tx, body.id, body.version).await?;
                let Some(claim) = before.claim.clone() else { return Err(nothing_entered()) };
                let note = present(body.note.clone());
                Check::new().text("note", note.as_deref().unwrap_or_default(), usize::from(!body.approve)..=decision::REASON).done()?;
                let verdict = Verdict { by: Some(viewer.id), approve: body.approve, note: note.as_deref(), at: cx.now };
                decision::decide(&mut tx, &matter(&before, &claim), &verdict).await?;
                let mut more = None;
                let written = match body.approve {
                    false => store::touch(&mut tx, before.id, body.version, cx.stamp()?).await?,
                    true => {
                        check_claimable(&before)?;
                        if before.biz_type == OrderBiz::Recharge {
                            finance::recharge::check_not_terminated(&mut tx, before.org_id).await?;
                        }
                        let fee = channel::fee_of(&mut tx, before.payee_channel_id).await?;
                        let payment = Payment {
                            order_no: before.no.clone(),
                            channel_order_no: claim.channel_order_no,
                            cents: before.amount_cents,
                            currency: "CNY".to_owned(),
                            paid_at: claim.paid_at,
                            payer_mask: String::new(),
                            is_refunded: false,
                        };
                        paid::check_clue(&mut tx, &before).await?;
                        let answer = incoming::Answer { is_another: body.another_payment == Some(true), excluded_receipts: &[] };
                        let entered = paid::payment_of(&mut tx, &before, &payment).await?;
                        more = incoming::confirm(&mut tx, &entered, "channelOrderNo", answer, cx.now).await?;
                        let taken = paid::accept(&mut tx, fee, &before, &payment, KnownBy::Staff, cx.now).await.map_err(number_taken)?;
                        matches!(taken, Taken::Paid { .. })
                    }
                };
                if written {
                    notices::decided(&mut tx, &before, body.approve, note.as_deref(), viewer.id, cx.now).await?;
                }
                match body.approve {
                    true => {
                        let more = more.into_iter().collect();
                        versioned::changed_as_with_within(cx, &mut tx, before, written, Action::Money, more).await
                    }
                    false => {
                        let why = Change { field: "reviewNote".to_owned(), before: None, after: note };
                        versioned::changed_with_within(cx, &mut tx, before, written, vec![why]).await
                    }
                }
            }
            .boxed()
        })
        .await?;
    if row.recharge_id.is_some() {
        cx.app.credited.notify_one();
    }
    Ok(row)
}

/// Allows the entry of a payment only for channels without a provider's API, also after the order was closed.
fn check_claimable(row: &PaymentOrderRow) -> Result<()> {
    if row.provider.is_online() {
        return Err(ApiError::State(say("该渠道的付款由渠道通知确认", "Payments of this provider are confirmed by the provider")));
    }
    check_step(row.status, OrderStatus::Success, NAME)
}

/// Refuses a payment that another record or an open receipt has.
async fn check_not_entered(tx: &mut Connection, channel_id: i64, number: &str) -> Result<()> {
    let payee_id = channels::find(&mut *tx, Scope::All, channel_id).await?.map_or(0, |channel| channel.payee_org_id);
    if let Some(other) = incoming::by_number(&mut *tx, payee_id, number).await? {
        return Err(ApiError::field("channelOrderNo", other.refusal()));
    }
    match receipt::by_serial(tx, payee_id, number).await? {
        None => Ok(()),
        Some(no) => Err(ApiError::field(
            "channelOrderNo",
            say(format!("该流水号已登记为收款单 {no}"), format!("This payment was entered as the receipt {no}")),
        )),
    }
}

fn check_unclaimed(row: &PaymentOrderRow) -> Result<()> {
    match row.claim {
        None => Ok(()),
        Some(_) => Err(ApiError::State(say("已登记付款，等待确认", "A payment was entered and awaits confirmation"))),
    }
}

fn nothing_entered() -> ApiError {
    ApiError::State(say("没有待确认的付款登记", "No payment awaits confirmation"))
}

/// The error if the number of a payment belongs to another order.
pub(crate) fn number_taken(error: ApiError) -> ApiError {
    match error {
        ApiError::Internal(cause) if cause.downcast_ref::<sqlx::Error>().is_some_and(db::is_duplicate) => ApiError::State(used_number()),
        error => error,
    }
}

fn used_number() -> Say {
    say("该渠道流水号已用于其他订单", "Another order of the channel has this transaction number")
}

/// An entered payment as the matter of a decision.
pub fn matter(row: &PaymentOrderRow, claim: &PaymentClaim) -> Matter<'static> {
    let seen = json!({ "no": row.no, "org": row.org_id, "channel": row.payee_channel_id, "cents": row.amount_cents, "claim": claim });
    Matter {
        action: DecisionAction::ConfirmPayment,
        table: TARGET.kind,
        id: row.id,
        version: row.version,
        hash: decision::hash(&seen),
        payload: Some(serde_json::to_string(claim).expect("a claim serialises")),
        note: None,
    }
}
