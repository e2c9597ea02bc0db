//! The inbox of providers' reports: verified, stored once under the provider's own number, and handled. The provider
//! gets its answer once a report is stored.
//!
//! A report only makes us query its provider: what was paid or refunded, and how much, is the provider's answer over
//! TLS for that order. A report whose provider cannot be queried waits and is tried again, after longer and longer
//! pauses; the order stays as it was. One that was tried too often is set aside for staff ([`super::stuck`]).

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use futures_util::FutureExt;
use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::json;
use sqlx::Row;

use super::channel::{ChannelFee, ChannelKeys, PayProvider, store as channels};
use super::order::paid::Repaid;
use super::order::watch::{NO_PROVIDER, pause};
use super::order::{self, KnownBy, paid};
use super::provider::{self, BadNotice, Notice, Payment, RefundFound, RefundStanding, Reply, Report, Standing};
use super::{refund, stuck};
use base::clock::MINUTE;
use base::crypto::place;
use base::db::{Connection, Tx};
use base::outside::Caller;
use frame::access::audit::Change;
use frame::api::calls::Download;
use frame::api::input::{Id, Input, InputDoc, Place, Raw};
use frame::api::{ApiError, App, Ctx, Result};
use frame::reveal;

/// Longest report that is read.
const LONGEST: usize = 64 * 1024;
/// How long the answer to a report is delayed while its provider is queried.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long one node has a report, in milliseconds; longer than its queries usually take. If two nodes have it, the
/// result is still written once.
const LEASE: i64 = MINUTE;
/// Tries after which a report that its provider contradicts is given up: some four minutes.
const MOST_DENIALS: i64 = 7;
/// Tries after which a report that cannot be handled is set aside: after about five hours.
const MOST_TRIES: i64 = 40;
/// The error of a try that has not ended, or that failed on our side.
const OWN_FAULT: &str = "own_fault";

/// A report as it came: its headers and its body.
pub struct RawReport {
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Input for RawReport {
    fn read(raw: &Raw<'_>) -> Result<RawReport> {
        if raw.body.len() > LONGEST {
            return Err(ApiError::TooLarge);
        }
        Ok(RawReport { headers: raw.headers.clone(), body: raw.body.to_vec() })
    }

    fn doc(_: &mut SchemaGenerator) -> InputDoc {
        InputDoc { place: Place::Nowhere, schema: schemars::Schema::default() }
    }
}

/// `POST /open/pay/notify`: a provider reports a payment or a refund. WeChat Pay sends JSON and signs in headers, Alipay
/// sends a form and signs in a field; each is answered as its documents say.
pub async fn receive(cx: Arc<Ctx>, report: RawReport) -> Result<Download> {
    let from = if report.headers.contains_key("wechatpay-signature") { PayProvider::Wechat } else { PayProvider::Alipay };
    let answer = match take(&cx, &report, from).await {
        Ok(()) => answer(from, None),
        Err(Refused::Bad(why)) => {
            if let Some(left_out) = cx.app.limits.line(cx.now) {
                tracing::warn!(provider = <&str>::from(from), %why, left_out, "payments: a report was refused");
            }
            answer(from, Some(why))
        }
        Err(Refused::Fault(error)) => return Err(error),
    };
    Ok(Download(answer))
}

/// Why a report is not taken.
enum Refused {
    Bad(BadNotice),
    Fault(ApiError),
}

impl<E: Into<ApiError>> From<E> for Refused {
    fn from(error: E) -> Refused {
        Refused::Fault(error.into())
    }
}

/// The answer to a report, in the form of the provider's documents.
fn answer(from: PayProvider, wrong: Option<BadNotice>) -> Response<Body> {
    let (status, kind, text) = match (from, wrong) {
        (PayProvider::Wechat, None) => (StatusCode::OK, "application/json", json!({ "code": "SUCCESS", "message": "" }).to_string()),
        (PayProvider::Wechat, Some(BadNotice::Unreadable)) => {
            (StatusCode::BAD_REQUEST, "application/json", json!({ "code": "FAIL", "message": "unreadable" }).to_string())
        }
        (PayProvider::Wechat, Some(why)) => {
            (StatusCode::UNAUTHORIZED, "application/json", json!({ "code": "FAIL", "message": why.to_string() }).to_string())
        }
        (_, None) => (StatusCode::OK, "text/plain; charset=utf-8", "success".to_owned()),
        (_, Some(_)) => (StatusCode::OK, "text/plain; charset=utf-8", "failure".to_owned()),
    };
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

async fn take(cx: &Ctx, report: &RawReport, from: PayProvider) -> std::result::Result<(), Refused> {
    let app = &cx.app;
    let channels = channels::keys_by_provider(app.db.read(), &app.keys, from).await?;
    let mut wrong = BadNotice::Foreign;
    let mut verified: Vec<(&ChannelKeys, Notice)> = Vec::new();
    for channel in channels.iter().filter(|channel| provider::may_be_for(channel, &report.headers, &report.body)) {
        let Some(provider) = provider::of(channel, Caller { private: app.config.private_calls }, cx.now) else { continue };
        match provider.notice(&report.headers, &report.body, cx.now) {
            Ok(notice) => verified.push((channel, notice)),
            Err(BadNotice::Foreign) => {}
            Err(why) => wrong = why,
        }
    }
    let body = &report.body;
    let kept = app
        .db
        .transact(|mut tx| {
            let verified = &verified;
            async move {
                let Some((channel, notice)) = of_order(&mut tx, verified).await? else { return Ok::<_, ApiError>(None) };
                keep(&mut tx, app, channel.id, notice, body, cx.now).await.map(Some)
            }
            .boxed()
        })
        .await?;
    match kept {
        None => Err(Refused::Bad(wrong)),
        Some(None) => Ok(()),
        Some(Some(id)) => {
            // The report is stored: if the rest fails, the worker does it again. A task of its own continues when the
            // provider answers slowly, because the provider waits for our answer meanwhile.
            let app = app.clone();
            let work = tokio::spawn(async move {
                if let Err(error) = work_on(&app, id).await {
                    tracing::warn!(?error, "payments: a report waits");
                }
            });
            _ = tokio::time::timeout(PATIENCE, work).await;
            Ok(())
        }
    }
}

/// Of channels that share keys, the channel with the order. The first channel if there is no such order; none if the
/// order belongs to a channel that is not among them.
async fn of_order<'v>(
    tx: &mut Connection,
    verified: &'v [(&'v ChannelKeys, Notice)],
) -> std::result::Result<Option<&'v (&'v ChannelKeys, Notice)>, sqlx::Error> {
    let Some(first) = verified.first() else { return Ok(None) };
    match order::store::by_number(tx, first.1.report.order_no()).await? {
        None => Ok(Some(first)),
        Some((_, channel_id)) => Ok(verified.iter().find(|(channel, _)| channel.id == channel_id)),
    }
}

/// Stores a report, and returns its id; none if it was stored before.
async fn keep(tx: &mut Connection, app: &App, channel_id: i64, notice: &Notice, body: &[u8], now: i64) -> Result<Option<i64>> {
    let place = place::PAYMENT_NOTICE.of(format!("{channel_id} {}", notice.no));
    Ok(sqlx::query_scalar(
        "INSERT INTO payment_notice (payee_channel_id, notice_no, order_no, body_enc, content, state, received_at, due_at) \
         VALUES ($1, $2, $3, $4, $5, 'new', $6, $7) ON CONFLICT (payee_channel_id, notice_no) DO NOTHING RETURNING id",
    )
    .bind(channel_id)
    .bind(&notice.no)
    .bind(notice.report.order_no())
    .bind(app.keys.seal(&place, &String::from_utf8_lossy(body)))
    .bind(serde_json::to_string(&notice.report).expect("a report serialises"))
    .bind(now)
    .bind(now)
    .fetch_optional(tx)
    .await?)
}

/// The ids of reports that are due, the oldest first.
pub async fn new_ones(app: &App, most: i64) -> std::result::Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT id FROM payment_notice WHERE state = 'new' AND due_at <= $1 ORDER BY received_at, id LIMIT $2")
        .bind(app.clock.now())
        .bind(most)
        .fetch_all(app.db.read())
        .await
}

/// The stored data of a report that this node has leased.
struct Held {
    content: String,
    channel_id: i64,
    fee_bp: i64,
    tries: i64,
}

/// A report that this node works on.
struct Leased {
    id: i64,
    report: Report,
    channel_id: i64,
    fee_bp: i64,
    tries: i64,
}

/// The provider's answer after a report.
enum Learnt {
    /// Nothing had to be queried.
    Nothing,
    /// The payment was known before.
    Known,
    Paid(Payment),
    Refund(RefundFound),
    /// Its answer on the payment, and on our open refunds of it.
    Repaid(Option<Payment>, Vec<(i64, RefundFound)>),
    /// The provider's answer contradicts its report.
    Denied,
    /// The provider was not queried, or its answer is unknown. With the reason.
    Unknown(String),
}

/// Handles a report, if it is due and no other node does: the provider is queried outside any transaction, and the
/// result is written.
pub async fn work_on(app: &App, id: i64) -> Result<()> {
    let now = app.clock.now();
    let Some(held) = app.db.transact(|mut tx| async move { lease(&mut tx, id, now).await }.boxed()).await? else { return Ok(()) };
    // Failures from here on are tried again later: the try is counted.
    let report = serde_json::from_str(&held.content).map_err(|error| sqlx::Error::Decode(error.into()))?;
    let leased = Leased { id, report, channel_id: held.channel_id, fee_bp: held.fee_bp, tries: held.tries };
    let learnt = ask(app, &leased).await?;
    let now = app.clock.now();
    let (leased, learnt) = (&leased, &learnt);
    let credited = app.db.transact(|mut tx| async move { apply(&mut tx, leased, learnt, now).await }.boxed()).await?;
    if credited {
        app.credited.notify_one();
    }
    Ok(())
}

/// Counts a try of a report that is due, and leases it to this node; none if another node has it. A report that was
/// tried too often is set aside.
async fn lease(tx: &mut Tx, id: i64, now: i64) -> Result<Option<Held>> {
    let row = sqlx::query(
        "SELECT n.content, n.payee_channel_id, n.tries, c.fee_bp FROM payment_notice n JOIN payee_channel c ON c.id = n.payee_channel_id \
         WHERE n.id = $1 AND n.state = 'new' AND n.due_at <= $2",
    )
    .bind(id)
    .bind(now)
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let tried: i64 = row.try_get("tries")?;
    if tried >= MOST_TRIES {
        stuck::set_aside(tx, id, now).await?;
        return Ok(None);
    }
    let tries = tried + 1;
    let held = sqlx::query(
        "UPDATE payment_notice SET tries = $1, due_at = $2, last_error = $3 WHERE id = $4 AND state = 'new' AND due_at <= $5 AND tries = $6",
    )
    .bind(tries)
    .bind(now + pause(tries).max(LEASE))
    .bind(OWN_FAULT)
    .bind(id)
    .bind(now)
    .bind(tried)
    .execute(&mut **tx)
    .await?;
    if held.rows_affected() == 0 {
        return Ok(None);
    }
    let (content, channel_id, fee_bp) = (row.try_get("content")?, row.try_get("payee_channel_id")?, row.try_get("fee_bp")?);
    Ok(Some(Held { content, channel_id, fee_bp, tries }))
}

/// Queries the provider about a report.
async fn ask(app: &App, leased: &Leased) -> Result<Learnt> {
    if matches!(leased.report, Report::Other { .. }) {
        return Ok(Learnt::Nothing);
    }
    let found = order::store::seen(app.db.read(), leased.report.order_no(), leased.channel_id).await?;
    if let (Report::Paid(payment), Some(order)) = (&leased.report, &found)
        && order.channel_order_no.as_deref() == Some(payment.channel_order_no.as_str())
    {
        return Ok(Learnt::Known);
    }
    let Some((_, provider)) = provider::of_channel(app, leased.channel_id, app.clock.now()).await? else {
        return Ok(Learnt::Unknown(NO_PROVIDER.to_owned()));
    };
    match &leased.report {
        Report::Paid(payment) => Ok(match provider.standing(&payment.order_no).await {
            Reply::Answer(Standing::Paid(payment)) => Learnt::Paid(payment),
            Reply::Answer(_) => Learnt::Denied,
            Reply::Refused(why) | Reply::NotSent(why) | Reply::Unknown(why) => Learnt::Unknown(why),
        }),
        Report::Refund { order_no, refund_no, .. } => Ok(match provider.refund_standing(order_no, refund_no).await {
            Reply::Answer(RefundFound { standing: RefundStanding::Missing, .. }) => Learnt::Denied,
            Reply::Answer(refund) => Learnt::Refund(refund),
            Reply::Refused(why) | Reply::NotSent(why) | Reply::Unknown(why) => Learnt::Unknown(why),
        }),
        Report::Repaid { order_no, refund_no, .. } => {
            let payment = match provider.standing(order_no).await {
                Reply::Answer(Standing::Paid(payment)) => Some(payment),
                // All of it is back with the payer.
                Reply::Answer(Standing::Closed) => None,
                Reply::Answer(_) => return Ok(Learnt::Denied),
                Reply::Refused(why) | Reply::NotSent(why) | Reply::Unknown(why) => return Ok(Learnt::Unknown(why)),
            };
            let mut refunds = Vec::new();
            if let Some(order) = found {
                for (id, no) in refund::store::to_ask(app.db.read(), order.id, refund_no.as_deref()).await? {
                    match provider.refund_standing(order_no, &no).await {
                        // It is not known whether the reported sum includes this refund.
                        Reply::Answer(RefundFound { standing: RefundStanding::Processing, .. }) => {
                            return Ok(Learnt::Unknown("refund_processing".to_owned()));
                        }
                        Reply::Answer(refund) => refunds.push((id, refund)),
                        Reply::Refused(why) | Reply::NotSent(why) | Reply::Unknown(why) => return Ok(Learnt::Unknown(why)),
                    }
                }
            }
            Ok(Learnt::Repaid(payment, refunds))
        }
        Report::Other { .. } => Ok(Learnt::Nothing),
    }
}

/// Writes the result of an answer. Returns whether an account was credited.
async fn apply(tx: &mut Tx, leased: &Leased, learnt: &Learnt, now: i64) -> Result<bool> {
    if let Learnt::Unknown(_) | Learnt::Denied = learnt
        && (leased.tries < MOST_DENIALS || matches!(learnt, Learnt::Unknown(_)))
    {
        let why = match learnt {
            Learnt::Unknown(why) => why.as_str(),
            _ => "denied",
        };
        tracing::debug!(id = leased.id, why, "payments: a report waits");
        sqlx::query("UPDATE payment_notice SET due_at = $1, last_error = $2 WHERE id = $3 AND state = 'new'")
            .bind(now + pause(leased.tries))
            .bind(why)
            .bind(leased.id)
            .execute(&mut **tx)
            .await?;
        return Ok(false);
    }
    let held = sqlx::query("UPDATE payment_notice SET state = 'done', last_error = NULL WHERE id = $1 AND state = 'new'");
    if held.bind(leased.id).execute(&mut **tx).await?.rows_affected() == 0 {
        return Ok(false);
    }
    let channel = ChannelFee { id: leased.channel_id, fee_bp: leased.fee_bp };
    let (result, credited) = match (&leased.report, learnt) {
        (_, Learnt::Paid(payment)) => pay(tx, channel, payment, now).await?,
        (Report::Refund { order_no, refund_no, .. }, Learnt::Refund(found)) => {
            (end_refund(tx, channel, (order_no, refund_no), found, now).await?, false)
        }
        (Report::Repaid { order_no, channel_order_no, total_cents, .. }, Learnt::Repaid(payment, refunds)) => {
            let credited = match payment {
                Some(payment) => pay(tx, channel, payment, now).await?.1,
                None => false,
            };
            for (id, found) in refunds {
                refund::watch::end(tx, *id, found, None, (now, now + MINUTE)).await?;
            }
            let is_ours = paid::repaid(tx, channel.id, order_no, channel_order_no, *total_cents, now).await?;
            (if is_ours { "refund" } else { "unknown_refund" }, credited)
        }
        (_, Learnt::Known) => ("known", false),
        (_, Learnt::Denied) => {
            tracing::warn!(id = leased.id, "payments: the provider does not confirm a report");
            ("unconfirmed", false)
        }
        _ => ("nothing", false),
    };
    sqlx::query("UPDATE payment_notice SET result = $1 WHERE id = $2").bind(result).bind(leased.id).execute(&mut **tx).await?;
    Ok(credited)
}

/// Books a payment by its provider's answer. Returns the result, and whether an account was credited.
async fn pay(tx: &mut Tx, channel: ChannelFee, payment: &Payment, now: i64) -> Result<(&'static str, bool)> {
    Ok(match paid::take(tx, channel, payment, KnownBy::Confirmed, now).await? {
        paid::Taken::Paid { credits_account } => ("paid", credits_account),
        paid::Taken::Known => ("known", false),
        paid::Taken::Exception(kind) => (kind.into(), false),
    })
}

/// Ends a refund by its provider's answer; a finished one without a record here is an exception.
async fn end_refund(
    tx: &mut Tx,
    channel: ChannelFee,
    (order_no, refund_no): (&str, &str),
    found: &RefundFound,
    now: i64,
) -> Result<&'static str> {
    if let Some(id) = refund::store::by_number(tx, refund_no, order_no, channel.id).await? {
        refund::watch::end(tx, id, found, None, (now, now + MINUTE)).await?;
        return Ok("refund");
    }
    if found.standing == RefundStanding::Done {
        let refund = Repaid { no: refund_no, channel_no: found.no.as_deref().unwrap_or_default(), cents: found.cents.unwrap_or_default() };
        paid::refund_of_nothing(tx, channel.id, order_no, &refund, now).await?;
    }
    Ok("unknown_refund")
}

/// A provider's report on an order.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentNoticeRow {
    pub id: i64,
    /// The provider's number of it.
    pub notice_no: String,
    /// Its result: `paid`, `known`, `refund`, `unknown_refund`, `nothing`, `unconfirmed` if the provider contradicts
    /// it, or the kind of exception; `stuck` if it is set aside for staff, `settled` if they ended it, none while it
    /// waits.
    pub result: Option<String>,
    /// Epoch milliseconds.
    pub received_at: i64,
}

/// The body of a report as it came.
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct RevealedNotice {
    pub body: String,
}

/// Most reports that are shown of an order.
const MOST_OF_ORDER: i64 = 100;

/// `GET /payOrder/notices/{id}`: what the provider reported of an order, the newest first; nothing for an organisation's people.
pub async fn of_order_id(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<PaymentNoticeRow>> {
    let scope = cx.viewer()?.scope();
    let order = order::store::find(cx.db().read(), scope, id).await?.ok_or(ApiError::Missing)?;
    if !scope.is_platforms() {
        return Ok(Vec::new());
    }
    Ok(sqlx::query_as(
        "SELECT id, notice_no, CASE WHEN state = 'stuck' THEN state ELSE result END AS result, received_at FROM payment_notice WHERE order_no = $1 AND payee_channel_id = $2 ORDER BY id DESC LIMIT $3",
    )
    .bind(order.no)
    .bind(order.payee_channel_id)
    .bind(MOST_OF_ORDER)
    .fetch_all(cx.db().read())
    .await?)
}

/// `GET /payOrder/notice/{id}`: the body of a report as it came. The audit records it first.
pub async fn reveal(cx: Arc<Ctx>, Id(id): Id) -> Result<RevealedNotice> {
    let row = sqlx::query(
        "SELECT n.payee_channel_id, n.notice_no, n.body_enc, r.id AS order_id FROM payment_notice n \
         JOIN payment_order r ON r.no = n.order_no AND r.payee_channel_id = n.payee_channel_id WHERE n.id = $1",
    )
    .bind(id)
    .fetch_optional(cx.db().read())
    .await?
    .ok_or(ApiError::Missing)?;
    let scope = cx.viewer()?.scope();
    let order = order::store::find(cx.db().read(), scope, row.try_get("order_id")?).await?;
    let order = order.filter(|_| scope.is_platforms()).ok_or(ApiError::Missing)?;
    let (channel_id, no): (i64, String) = (row.try_get("payee_channel_id")?, row.try_get("notice_no")?);
    let body = cx.app.keys.open(&place::PAYMENT_NOTICE.of(format!("{channel_id} {no}")), row.try_get("body_enc")?)?;
    let tx = cx.db().begin().await?;
    let seen = Change { field: "notice".to_owned(), before: None, after: Some(no) };
    reveal::written(&cx, tx, order::TARGET.of(order.id), &[seen]).await?;
    Ok(RevealedNotice { body })
}
