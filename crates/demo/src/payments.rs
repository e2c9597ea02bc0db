//! The demo's payments: a channel of each kind under the keys of the demo's provider ([`super::provider`]), orders in every state,
//! refunds, payments that fit no order, and a pool of links.

use futures_util::FutureExt;
use jiff::ToSpan;
use sqlx::Row;

use super::people::{Account, of_role};
use super::{actor, provider};
use base::clock::{self, HOUR, MINUTE};
use base::crypto::{Keys, place};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Module, Stamp, Target};
use frame::api::{ApiError, App, Versioned};
use frame::decision::{self, Verdict};
use pay::channel::model::PayeeChannelForm;
use pay::channel::{self, ChannelFormChecked, PayProvider, PayeeChannelRow, PayeeChannelStatus, store as channels};
use pay::link;
use pay::order::model::{PaymentClaim, PaymentOrderForm};
use pay::order::{self, Form, KnownBy, OrderBiz, OrderStatus, PaymentOrderRow, paid, store as orders};
use pay::provider::{Payment, Report};
use pay::refund;
use pay::refund::model::{PaymentRefundForm, RefundStatus};
use pay::statement::matching::StatementLine;
use pay::statement::model::MoneyDirection;
use pay::statement::reconcile;
use trade::ledger::outgoing;

/// Where the demo's provider listens.
pub const PROVIDER: &str = "127.0.0.1:7998";

/// Milliseconds for which a link rests after its order has ended.
const LINK_REST: i64 = 30 * MINUTE;

/// Adds everything about payments.
pub async fn insert(app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    app.db
        .transact(|mut tx| {
            async move {
                let payees: Vec<i64> = sqlx::query_scalar("SELECT id FROM payee_organisation WHERE status = 'enabled' ORDER BY id LIMIT 2")
                    .fetch_all(&mut **tx)
                    .await?;
                let (Some(first), Some(last)) = (payees.first(), payees.last()) else { return Ok(()) };
                let mut made = Vec::new();
                for (index, kind) in KINDS.iter().enumerate() {
                    let payee = if index == 4 { *last } else { *first };
                    let made_at = now - 60 * clock::DAY;
                    let row = channel(&mut tx, &app.keys, accounts, (payee, 10 * (index as i64 + 1)), kind, made_at).await?;
                    made.push(enabled(&mut tx, accounts, row, made_at + HOUR).await?);
                }
                // One that awaits the second person.
                channel(&mut tx, &app.keys, accounts, (*last, 60), &NEW_CHANNEL, now - 2 * clock::DAY).await?;
                links(&mut tx, &app.keys, accounts, made[4].id, now).await?;
                let orgs: Vec<i64> = sqlx::query(
                    "SELECT o.id FROM organisation o JOIN org_account a ON a.org_id = o.id WHERE o.status = 'active' AND a.balance_cents >= 1000000 \
                     ORDER BY o.id",
                )
                .fetch_all(&mut **tx)
                .await?
                .iter()
                .map(|row| row.try_get("id"))
                .collect::<Result<_, _>>()?;
                if orgs.is_empty() {
                    return Ok(());
                }
                for (index, state) in STATES.iter().enumerate() {
                    let at = (now - (STATES.len() - index) as i64 * 7 * MINUTE).max(month_start(now));
                    let made = OrderOf { org_id: orgs[index % orgs.len()], channel: &made[state.channel], state, index: index as i64 };
                    order(&mut tx, &app.keys, accounts, &made, at, now).await?;
                }
                stuck_report(&mut tx, &app.keys, now).await?;
                statement(&mut tx, accounts, made[0].id, now).await
            }
            .boxed()
        })
        .await
}

/// A report that failed until it was set aside, of an order that is being paid.
async fn stuck_report(tx: &mut Connection, keys: &Keys, now: i64) -> Result<(), sqlx::Error> {
    let row = sqlx::query("SELECT no, payee_channel_id, amount_cents FROM payment_order WHERE status = 'paying' ORDER BY id LIMIT 1")
        .fetch_optional(&mut *tx)
        .await?;
    let Some(row) = row else { return Ok(()) };
    let (no, channel_id): (String, i64) = (row.try_get("no")?, row.try_get("payee_channel_id")?);
    let report = Report::Paid(Payment {
        order_no: no.clone(),
        channel_order_no: "4200002026007900000001".to_owned(),
        cents: row.try_get("amount_cents")?,
        currency: "CNY".to_owned(),
        paid_at: now - 6 * HOUR,
        payer_mask: "oUpF****eS6o".to_owned(),
        is_refunded: false,
    });
    let notice_no = "DEMO-REPORT-1";
    let content = serde_json::to_string(&report).expect("a report serialises");
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO payment_notice (payee_channel_id, notice_no, order_no, body_enc, content, state, tries, last_error, received_at, due_at) \
         VALUES ($1, $2, $3, $4, $5, 'stuck', 40, 'unreachable', $6, $7) RETURNING id",
    )
    .bind(channel_id)
    .bind(notice_no)
    .bind(&no)
    .bind(keys.seal(&place::PAYMENT_NOTICE.of(format!("{channel_id} {notice_no}")), &content))
    .bind(&content)
    .bind(now - 6 * HOUR)
    .bind(now)
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query("INSERT INTO payment_stuck_report (payment_notice_id, created_at) VALUES ($1, $2)")
        .bind(id)
        .bind(now - HOUR)
        .execute(tx)
        .await
        .map(drop)
}

/// The first moment of this month: earlier ones are closed.
fn month_start(now: i64) -> i64 {
    clock::start(clock::day(now).first_of_month())
}

/// A channel to be made: its code, its name, its provider and what it keeps.
type Kind = (&'static str, &'static str, PayProvider, i64);

const KINDS: [Kind; 5] = [
    ("WX-MAIN", "微信支付（主商户）", PayProvider::Wechat, 60),
    ("ALI-MAIN", "支付宝（主商户）", PayProvider::Alipay, 60),
    ("UP-POS", "银联 POS", PayProvider::Unionpay, 45),
    ("BANK-CMB", "对公转账（招行）", PayProvider::Bank, 0),
    ("LINK-01", "收款链接池", PayProvider::LinkPool, 38),
];

/// A channel that is not enabled yet.
const NEW_CHANNEL: Kind = ("ALI-2", "支付宝（第二商户）", PayProvider::Alipay, 55);

/// An order to be made: its channel, and its state.
struct State {
    channel: usize,
    biz: OrderBiz,
    cents: i64,
    to: Ending,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Created,
    Paying,
    Paid,
    Claimed,
    Confirmed,
    Cancelled,
    Closed,
    Late,
    OtherAmount,
    RefundAsked,
    PartRefunded,
    Refunded,
}

const fn state(channel: usize, cents: i64, to: Ending) -> State {
    State { channel, biz: OrderBiz::Recharge, cents, to }
}

const STATES: [State; 16] = [
    state(0, 500_000, Ending::Paid),
    state(1, 300_000, Ending::Paid),
    State { biz: OrderBiz::ServiceFee, ..state(0, 20_000, Ending::Paid) },
    state(3, 2_000_000, Ending::Confirmed),
    state(1, 120_000, Ending::PartRefunded),
    State { biz: OrderBiz::Other, ..state(0, 9_900, Ending::Refunded) },
    state(0, 60_000, Ending::RefundAsked),
    state(0, 88_000, Ending::Closed),
    state(1, 50_000, Ending::Cancelled),
    state(0, 100_000, Ending::Late),
    state(1, 66_600, Ending::OtherAmount),
    state(4, 100_000, Ending::Confirmed),
    state(3, 800_000, Ending::Claimed),
    state(4, 100_000, Ending::Created),
    state(2, 150_000, Ending::Created),
    state(0, 200_000, Ending::Paying),
];

/// A channel as one person makes it, for a payee and at a place in lists.
async fn channel(
    tx: &mut Connection,
    keys: &Keys,
    accounts: &[Account],
    (payee_org_id, sort): (i64, i64),
    &(code, name, provider, fee_bp): &Kind,
    at: i64,
) -> Result<PayeeChannelRow, ApiError> {
    let by = &accounts[0];
    let (params, mch_no, gateway): (&[(&str, &str)], &str, String) = match provider {
        PayProvider::Wechat => (
            &[
                ("appId", provider::WECHAT_APP_ID),
                ("serialNo", "DEMOMERCHANT01"),
                ("privateKey", provider::MERCHANT_KEY),
                ("apiV3Key", provider::API_V3_KEY),
                ("platformSerial", provider::SERIAL),
                ("platformKey", provider::PROVIDER_PUBLIC_KEY),
                ("oldPlatformSerial", "DEMOPLATFORM00"),
                ("oldPlatformKey", provider::PROVIDER_PUBLIC_KEY),
            ],
            provider::MCH_NO,
            format!("http://{PROVIDER}"),
        ),
        PayProvider::Alipay => (
            &[("appId", provider::APP_ID), ("privateKey", provider::MERCHANT_KEY), ("alipayPublicKey", provider::PROVIDER_PUBLIC_KEY)],
            provider::SELLER_ID,
            format!("http://{PROVIDER}/gateway.do"),
        ),
        PayProvider::Unionpay | PayProvider::Bank | PayProvider::LinkPool => (&[], "", String::new()),
    };
    let form = PayeeChannelForm {
        id: None,
        version: None,
        code: None,
        provider: None,
        name: name.to_owned(),
        payee_org_id,
        mch_no: mch_no.to_owned(),
        params: params.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        gateway_url: gateway,
        instructions: if provider == PayProvider::Bank { "转账时请在附言中填写订单号。".to_owned() } else { String::new() },
        fee_bp,
        min_cents: 100,
        max_cents: if provider == PayProvider::Bank { 500_000_000 } else { 5_000_000 },
        day_cap_cents: (provider == PayProvider::Wechat).then_some(100_000_000),
        sort,
        cert_expire_on: (provider == PayProvider::Wechat).then(|| clock::day(at).saturating_add(5.months()).to_string()),
        old_key_until: (provider == PayProvider::Wechat).then(|| clock::day(at).saturating_add(6.months()).to_string()),
    };
    let form = ChannelFormChecked::of(form, provider, true)?;
    let stamp = Stamp { admin_id: by.id, at };
    let id = channels::insert(tx, code, provider, &form, stamp).await?;
    channels::set_params(tx, keys, id, &form.params, by.id).await?;
    let target = Target { module: Module::Payment, kind: "payee_channel", id: Some(id) };
    let row = channels::find(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    let created = PayeeChannelRow::diff(None, Some(&row));
    audit::record(tx, &actor(by.id, by.role_id, at), target, Action::Create, &created).await?;
    Ok(row)
}

/// Has a second person enable a channel.
async fn enabled(tx: &mut Connection, accounts: &[Account], before: PayeeChannelRow, at: i64) -> Result<PayeeChannelRow, ApiError> {
    let (id, second) = (before.id, of_role(accounts, "finance"));
    let target = Target { module: Module::Payment, kind: "payee_channel", id: Some(id) };
    channels::set_status(tx, id, 1, PayeeChannelStatus::Enabled, Stamp { admin_id: second.id, at }).await?;
    let row = channels::find(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    let changes = PayeeChannelRow::diff(Some(&before), Some(&row));
    audit::record(tx, &actor(second.id, second.role_id, at), target, Action::Update, &changes).await?;
    Ok(row)
}

/// Links of the pool: of one amount, and of any.
async fn links(tx: &mut Connection, keys: &Keys, accounts: &[Account], channel_id: i64, now: i64) -> Result<(), ApiError> {
    let (by, second) = (of_role(accounts, "operator"), of_role(accounts, "finance"));
    let links: Vec<link::store::NewLink> = (0..30)
        .map(|index| {
            let url = format!("https://pay.example.com/l/{:08x}", 0x9e37_79b9_u32.wrapping_mul(index + 1));
            link::store::NewLink {
                payee_channel_id: channel_id,
                url_hash: keys.lookup_hash(&url),
                url,
                amount_cents: (index % 3 != 0).then_some(100_000),
                expires_at: Some(now + 30 * clock::DAY),
                remark: String::new(),
            }
        })
        .collect();
    let at = now - 10 * clock::DAY;
    // One import was approved, another awaits approval.
    let (approved, waiting) = links.split_at(24);
    for (links, number, is_approved) in [(approved, 1, true), (waiting, 2, false)] {
        let no = format!("PL{}-demo{number:02}", clock::day_compact(at));
        let stamp = Stamp { admin_id: by.id, at };
        let added = link::store::insert(tx, keys, links, &no, stamp).await?;
        link::batch::begin(tx, &no, &added, stamp).await?;
        link::batch::complete(tx, &no, stamp).await?;
        let batch = link::batch::by_number(tx, &no).await?;
        decision::write_down(tx, &link::batch::of(&batch).matter(), Some(by.id), at).await?;
        if is_approved {
            let verdict = Verdict { by: Some(second.id), approve: true, note: None, at: at + HOUR };
            decision::decide(tx, &link::batch::of(&batch).matter(), &verdict).await?;
            link::batch::free(tx, &no, Stamp { admin_id: second.id, at: at + HOUR }).await?;
        }
    }
    Ok(())
}

/// An order that is made.
struct OrderOf<'o> {
    org_id: i64,
    channel: &'o PayeeChannelRow,
    state: &'o State,
    index: i64,
}

async fn order(tx: &mut Connection, keys: &Keys, accounts: &[Account], made: &OrderOf<'_>, at: i64, now: i64) -> Result<(), ApiError> {
    let (by, second) = (of_role(accounts, "operator"), of_role(accounts, "finance"));
    let OrderOf { org_id, channel, state, index } = *made;
    let clue = match state.biz {
        OrderBiz::ServiceFee => fee_clue(tx).await?,
        _ => None,
    };
    let biz_type = if state.biz == OrderBiz::ServiceFee && clue.is_none() { OrderBiz::Other } else { state.biz };
    let org_id = clue.as_ref().map_or(org_id, |clue| clue.org_id);
    let (clue_id, clue_no) = clue.map(|clue| (clue.id, clue.no)).unzip();
    let form = Form::of(PaymentOrderForm {
        org_id,
        payee_channel_id: channel.id,
        biz_type,
        clue_no,
        subject: if state.biz == OrderBiz::Recharge { "账户充值" } else { "数据服务费" }.to_owned(),
        amount_cents: state.cents,
        minutes: 7 * 24 * 60,
        remark: String::new(),
    })?;
    // Numbers and addresses that are the same in every demo.
    let (no, token) = (format!("PO{}DEMO{index:04}", clock::day_compact(at)), format!("demo{index:028}"));
    let id = orders::insert(tx, keys, (&no, &token), channel, &form, clue_id, Stamp { admin_id: by.id, at }).await?;
    order::record::hold(tx, channel, id, state.cents, at + form.lives_for, at).await?;
    let target = Target { module: Module::Payment, kind: "payment_order", id: Some(id) };
    let row = found(tx, id).await?;
    let created = PaymentOrderRow::diff(None, Some(&row));
    audit::record(tx, &actor(by.id, by.role_id, at), target, Action::Create, &created).await?;
    let fee = channel::fee_of(tx, channel.id).await?;
    let at = (at + 2 * MINUTE).min(now);
    let payment = Payment {
        order_no: no.clone(),
        channel_order_no: format!("4200002026{:018}", 7_000_000_001 + index),
        cents: if state.to == Ending::OtherAmount { state.cents - 100 } else { state.cents },
        currency: "CNY".to_owned(),
        paid_at: at,
        payer_mask: "oUpF****eS6o".to_owned(),
        is_refunded: false,
    };
    match state.to {
        Ending::Created => {}
        Ending::Paying => {
            orders::begin(tx, id, at, now + 10 * MINUTE).await?;
            orders::set_code(tx, id, None, Some("unreachable")).await?;
        }
        Ending::Cancelled => drop(paid::end_unpaid(tx, &row, (OrderStatus::Cancelled, None), LINK_REST, at).await?),
        Ending::Closed => drop(paid::end_unpaid(tx, &row, (OrderStatus::Closed, None), LINK_REST, at).await?),
        Ending::Late => {
            paid::end_unpaid(tx, &row, (OrderStatus::Closed, None), LINK_REST, at).await?;
            paid::take(tx, fee, &payment, KnownBy::Confirmed, at).await?;
        }
        Ending::Paid | Ending::OtherAmount => drop(paid::take(tx, fee, &payment, KnownBy::Confirmed, at).await?),
        Ending::Claimed | Ending::Confirmed => {
            let claim = PaymentClaim { channel_order_no: format!("C{:012}", 77_000 + index), paid_at: at };
            decision::write_down(tx, &order::record::matter(&row, &claim), Some(by.id), at).await?;
            if state.to == Ending::Confirmed {
                let verdict = Verdict { by: Some(second.id), approve: true, note: None, at };
                decision::decide(tx, &order::record::matter(&row, &claim), &verdict).await?;
                let payment = Payment { channel_order_no: claim.channel_order_no, payer_mask: String::new(), ..payment };
                paid::check_clue(tx, &row).await?;
                paid::claim(tx, &row, &payment, at).await?;
                paid::accept(tx, fee, &row, &payment, KnownBy::Staff, at).await?;
            }
        }
        Ending::RefundAsked | Ending::PartRefunded | Ending::Refunded => {
            paid::take(tx, fee, &payment, KnownBy::Query, at).await?;
            let cents = if state.to == Ending::Refunded { state.cents } else { state.cents / 4 };
            repay(tx, accounts, (id, cents), state.to != Ending::RefundAsked, at).await?;
        }
    }
    Ok(())
}

/// The clue that a service fee is paid for.
#[derive(sqlx::FromRow)]
struct FeeClue {
    id: i64,
    no: String,
    org_id: i64,
}

/// The clue that has come furthest; none where no applicants were made.
async fn fee_clue(tx: &mut Connection) -> Result<Option<FeeClue>, ApiError> {
    const FURTHEST: &str = "SELECT id, no, org_id FROM clue WHERE test = 0 AND stage NOT IN ('invalid', 'lost') \
         ORDER BY CASE WHEN signed_at IS NULL THEN 1 ELSE 0 END, id LIMIT 1";
    Ok(sqlx::query_as(FURTHEST).fetch_optional(tx).await?)
}

/// Today's statement of a channel: all of our payments but one, and one that we do not have.
async fn statement(tx: &mut Connection, accounts: &[Account], channel_id: i64, now: i64) -> Result<(), ApiError> {
    let by = of_role(accounts, "finance");
    let start = clock::start(clock::day(now));
    let rows = sqlx::query(
        "SELECT channel_order_no, paid_cents FROM payment_order WHERE payee_channel_id = $1 AND paid_at >= $2 AND channel_order_no IS NOT NULL ORDER BY id",
    )
    .bind(channel_id)
    .bind(start)
    .fetch_all(&mut *tx)
    .await?;
    let mut lines = vec![StatementLine { number: "4200002026999000001".to_owned(), direction: MoneyDirection::Payment, cents: 10_000 }];
    for row in rows.iter().skip(1) {
        let (number, cents) = (row.try_get("channel_order_no")?, row.try_get("paid_cents")?);
        lines.push(StatementLine { number, direction: MoneyDirection::Payment, cents });
    }
    let stamp = Stamp { admin_id: by.id, at: now };
    let id = reconcile(tx, channel_id, start, &lines, "微信支付账单.csv", stamp).await?;
    let target = Target { module: Module::Payment, kind: "payment_statement", id: Some(id) };
    Ok(audit::record(tx, &actor(by.id, by.role_id, now), target, Action::Create, &[]).await?)
}

/// A refund of an order, requested and, unless it waits, made.
async fn repay(tx: &mut Connection, accounts: &[Account], (order_id, cents): (i64, i64), done: bool, at: i64) -> Result<(), ApiError> {
    let (by, second) = (of_role(accounts, "operator"), of_role(accounts, "finance"));
    orders::take_refund(tx, order_id, cents, at).await?;
    let form =
        PaymentRefundForm { payment_order_id: order_id, amount_cents: cents, reason: "重复付款，退回多付部分".to_owned() };
    let id = refund::store::insert(tx, &refund::number(at), &form, Stamp { admin_id: by.id, at }).await?;
    let row = refund::store::find(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    let created = refund::model::PaymentRefundRow::diff(None, Some(&row));
    audit::record(tx, &actor(by.id, by.role_id, at), refund::TARGET.of(id), Action::Create, &created).await?;
    decision::write_down(tx, &refund::matter(&row), Some(by.id), at).await?;
    if done {
        decision::decide(tx, &refund::matter(&row), &Verdict { by: Some(second.id), approve: true, note: None, at }).await?;
        refund::store::decide(tx, id, 1, RefundStatus::Success, (None, None), Stamp { admin_id: second.id, at }).await?;
        let payment = refund::payment_of(tx, &row, Some(&row.no), at).await?;
        outgoing::claim(tx, &payment).await?;
        refund::approve(tx, &row, RefundStatus::Success, Some(second.id), at).await?;
        let after = refund::store::find(&mut *tx, Scope::All, id).await?;
        let changes = refund::model::PaymentRefundRow::diff(Some(&row), after.as_ref());
        audit::record(tx, &actor(second.id, second.role_id, at), refund::TARGET.of(id), Action::Money, &changes).await?;
    }
    Ok(())
}

async fn found(tx: &mut Connection, id: i64) -> Result<PaymentOrderRow, ApiError> {
    orders::find(tx, Scope::All, id).await?.ok_or(ApiError::Missing)
}
