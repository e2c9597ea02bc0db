//! The inbox of what providers report: verified, kept once under the provider's own number, and worked on. It is answered as
//! taken as soon as it is kept.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use futures_util::FutureExt;
use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::json;
use sqlx::Row;

use super::channel::{ChannelFee, ChannelKeys, PayProvider, store as channels};
use super::order::paid::Repaid;
use super::order::{self, KnownBy, paid};
use super::provider::{self, BadNotice, Notice, RefundStanding, Report};
use super::refund;
use crate::access::audit::Change;
use crate::api::calls::Download;
use crate::api::input::{Id, Input, InputDoc, Place, Raw};
use crate::api::{ApiError, App, Ctx, Result};
use crate::clock::MINUTE;
use crate::crypto::place;
use crate::db::{Connection, Tx};
use crate::outside::Caller;
use crate::reveal;

/// Longest report that is read.
const LONGEST: usize = 64 * 1024;

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

/// The answer to a report, as the provider's documents ask for it.
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
            // It is kept: what fails from here on is done again by the worker.
            if let Err(error) = work_on(app, id).await {
                tracing::warn!(?error, "payments: a report waits");
            }
            Ok(())
        }
    }
}

/// Of channels that share keys, the one whose order it is; the first where there is no such order, and none where it is the
/// order of another channel.
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

/// Keeps a report; none where it was kept before.
async fn keep(tx: &mut Connection, app: &App, channel_id: i64, notice: &Notice, body: &[u8], now: i64) -> Result<Option<i64>> {
    let place = place::PAYMENT_NOTICE.of(format!("{channel_id} {}", notice.no));
    Ok(sqlx::query_scalar(
        "INSERT INTO payment_notice (payee_channel_id, notice_no, order_no, body_enc, content, state, received_at) \
         VALUES ($1, $2, $3, $4, $5, 'new', $6) ON CONFLICT (payee_channel_id, notice_no) DO NOTHING RETURNING id",
    )
    .bind(channel_id)
    .bind(&notice.no)
    .bind(notice.report.order_no())
    .bind(app.keys.seal(&place, &String::from_utf8_lossy(body)))
    .bind(serde_json::to_string(&notice.report).expect("a report serialises"))
    .bind(now)
    .fetch_optional(tx)
    .await?)
}

/// The ids of reports that are kept and not worked on, the oldest first.
pub async fn new_ones(app: &App, most: i64) -> std::result::Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT id FROM payment_notice WHERE state = 'new' ORDER BY received_at, id LIMIT $1")
        .bind(most)
        .fetch_all(app.db.read())
        .await
}

/// Works on a report, if it is new.
pub async fn work_on(app: &App, id: i64) -> Result<()> {
    let now = app.clock.now();
    let credited = app.db.transact(|mut tx| async move { apply(&mut tx, id, now).await }.boxed()).await?;
    if credited {
        app.credited.notify_one();
    }
    Ok(())
}

async fn apply(tx: &mut Tx, id: i64, now: i64) -> Result<bool> {
    let held = sqlx::query("UPDATE payment_notice SET state = 'done' WHERE id = $1 AND state = 'new'").bind(id).execute(&mut **tx).await?;
    if held.rows_affected() == 0 {
        return Ok(false);
    }
    let row = sqlx::query(
        "SELECT n.content, n.payee_channel_id, c.fee_bp FROM payment_notice n JOIN payee_channel c ON c.id = n.payee_channel_id WHERE n.id = $1",
    )
    .bind(id)
    .fetch_one(&mut **tx)
    .await?;
    let report: Report = serde_json::from_str(row.try_get("content")?).map_err(|error| sqlx::Error::Decode(error.into()))?;
    let channel = ChannelFee { id: row.try_get("payee_channel_id")?, fee_bp: row.try_get("fee_bp")? };
    let (result, credited) = match &report {
        Report::Paid(payment) => match paid::take(tx, channel, payment, KnownBy::Notice, now).await? {
            paid::Taken::Paid { credits_account } => ("paid", credits_account),
            paid::Taken::Known => ("known", false),
            paid::Taken::Exception(kind) => (<&str>::from(kind), false),
        },
        Report::Refund { order_no, refund_no, channel_refund_no, cents, standing } => {
            match refund::store::by_number(tx, refund_no, order_no, channel.id).await? {
                Some(refund_id) => {
                    let no = Some(channel_refund_no.as_str()).filter(|no| !no.is_empty());
                    refund::watch::end(tx, refund_id, standing, no, None, (now, now + MINUTE)).await?;
                    ("refund", false)
                }
                None if *standing == RefundStanding::Done => {
                    let refund = Repaid { no: refund_no, channel_no: channel_refund_no, cents: *cents };
                    paid::refund_of_nothing(tx, channel.id, order_no, &refund, now).await?;
                    ("unknown_refund", false)
                }
                None => ("unknown_refund", false),
            }
        }
        Report::Other { .. } => ("nothing", false),
    };
    sqlx::query("UPDATE payment_notice SET result = $1 WHERE id = $2").bind(result).bind(id).execute(&mut **tx).await?;
    Ok(credited)
}

/// What a provider reported of an order.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentNoticeRow {
    pub id: i64,
    /// The provider's number of it.
    pub notice_no: String,
    /// What came of it: `paid`, `known`, `refund`, `unknown_refund`, `nothing`, or the kind of exception; none while it waits.
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
        "SELECT id, notice_no, result, received_at FROM payment_notice WHERE order_no = $1 AND payee_channel_id = $2 ORDER BY id DESC LIMIT $3",
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
