//! The payer's page of an order, `GET` and `POST /pay/{token}`: the amount, the payee, and the code, link or account to pay by. It
//! works without scripts, and reloads itself while a payment is expected.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::routing::get;
use futures_util::FutureExt;

use super::channel::PayProvider;
use super::link;
use super::notify_url;
use super::order::model::OrderStatus;
use super::order::store::{self, OpenOrder};
use super::order::{shown, watch};
use super::provider::{self, Charge, Reply};
use base::clock;
use base::locale::Locale;
use base::qr::{self, Picture};
use base::rate_limits::{Asker, Rate};
use base::sentence_page;
use base::sentence_page::nonce;
use frame::api::ctx::RequestInfo;
use frame::api::{ApiError, App, Result};
use frame::{setting, terms};

/// How often a payer can cause calls to a provider for one order.
const CALLS: Rate = Rate { burst: 5, minute: 6 };
/// Milliseconds from the start of a payment to the first query of its provider.
const FIRST_LOOK: i64 = 5_000;
/// Longest code that is shown.
const LONGEST_CODE: usize = 1000;
/// How long the payer waits for the provider before the page says that it takes longer.
const PATIENCE: Duration = Duration::from_secs(12);

/// The payers' pages.
pub fn pages(app: Arc<App>) -> Router {
    Router::new().route("/pay/{token}", get(show).post(begin)).with_state(app)
}

#[derive(Template)]
#[template(path = "pay.html")]
struct PayPage<'p> {
    locale: &'static str,
    nonce: &'p str,
    title: &'p str,
    subject: &'p str,
    amount: String,
    state: &'p str,
    tone: &'static str,
    facts: Vec<(&'static str, String)>,
    /// Whether the page reloads itself.
    waits: bool,
    code: Option<Picture>,
    code_label: &'static str,
    link: Option<&'p str>,
    link_label: &'static str,
    button: Option<&'static str>,
    note: String,
}

/// `GET /pay/{token}`.
async fn show(State(app): State<Arc<App>>, Path(token): Path<String>, request: Request) -> Response<Body> {
    let (locale, ip) = asked_by(&request);
    page(&app, &token, &ip, locale).await.unwrap_or_else(|error| failed(&error, locale))
}

/// `POST /pay/{token}`: requests the order's code from the provider, and shows the page again.
async fn begin(State(app): State<Arc<App>>, Path(token): Path<String>, request: Request) -> Response<Body> {
    let (locale, ip) = asked_by(&request);
    match ask_for_code(&app, &token, &ip).await {
        Ok(()) => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::SEE_OTHER;
            let to = HeaderValue::from_str(&format!("/pay/{token}")).unwrap_or(HeaderValue::from_static("/"));
            response.headers_mut().insert(header::LOCATION, to);
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            response
        }
        Err(error) => failed(&error, locale),
    }
}

/// The language of a request, and the address that it comes from.
fn asked_by(request: &Request) -> (Locale, String) {
    request.extensions().get::<RequestInfo>().map_or((Locale::Chinese, String::new()), |info| (info.locale, info.origin.ip.clone()))
}

fn failed(error: &ApiError, locale: Locale) -> Response<Body> {
    let status = match error {
        ApiError::Missing => StatusCode::NOT_FOUND,
        ApiError::TooMany { .. } | ApiError::TooOften { .. } => StatusCode::TOO_MANY_REQUESTS,
        error => error.status(),
    };
    if let ApiError::Internal(cause) = error {
        tracing::error!(cause = format!("{cause:#}"), "a payer's page failed");
    }
    let [chinese, english] = match error {
        ApiError::Missing => [
            "此付款页不存在，请检查链接是否完整，或向收款方索取新链接".to_owned(),
            "There is no such payment page. Check that the link is complete, or ask the payee for a new one".to_owned(),
        ],
        error => [error.text(Locale::Chinese), error.text(Locale::English)],
    };
    sentence_page::page(status, locale, &chinese, &english)
}

/// The order of a token. Unknown tokens are counted by network, and limited; a known one is always answered.
async fn order_of(app: &App, token: &str, ip: &str) -> Result<OpenOrder> {
    let found = find(app, token).await;
    if matches!(found, Err(ApiError::Missing)) {
        app.limits.unknown_key(ip, app.clock.now()).map_err(|retry_after| ApiError::TooMany { retry_after })?;
    }
    found
}

/// The order of a token. A text that cannot be a token is refused without a query.
async fn find(app: &App, token: &str) -> Result<OpenOrder> {
    if token.len() != 32 || !token.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(ApiError::Missing);
    }
    store::by_token(app.db.read(), token).await?.ok_or(ApiError::Missing)
}

async fn ask_for_code(app: &App, token: &str, ip: &str) -> Result<()> {
    let order = order_of(app, token, ip).await?;
    let now = app.clock.now();
    if !order.provider.is_online() || !order.status.is_open() || order.expires_at <= now || order.code_url.is_some() || order.cancel_asked {
        return Ok(());
    }
    app.limits.take(Asker::Payer(order.id), CALLS, now).map_err(|retry_after| ApiError::TooMany { retry_after })?;
    let Some((_, provider)) = provider::of_channel(app, order.payee_channel_id, now).await? else { return Ok(()) };
    // Set before the call: if the call's answer is lost, the order may still be paid, and is queried.
    if order.status == OrderStatus::Created {
        let (id, due_at) = (order.id, now + FIRST_LOOK);
        let begun = app.db.transact(|mut tx| async move { store::begin(&mut tx, id, now, due_at).await }.boxed()).await?;
        if !begun {
            return Ok(());
        }
    }
    let site = app.settings.get(&app.db, &setting::PAY_SITE_URL).await?;
    let url = notify_url(&site);
    let charge = Charge {
        no: &order.no,
        subject: &order.subject,
        cents: order.amount_cents,
        expires_at: order.expires_at,
        notify_url: url.as_deref(),
    };
    let asked = tokio::time::timeout(PATIENCE, provider.charge(&charge)).await;
    let (code, error) = match asked {
        Ok(Reply::Answer(code)) if code.len() > LONGEST_CODE => (None, Some("unreadable".to_owned())),
        Ok(Reply::Answer(code)) => (Some(code), None),
        Ok(Reply::Refused(why) | Reply::NotSent(why) | Reply::Unknown(why)) => (None, Some(why)),
        Err(_) => (None, Some("too_late".to_owned())),
    };
    let (id, code, error) = (order.id, code.as_deref(), error.as_deref());
    Ok(app.db.transact(|mut tx| async move { store::set_code(&mut tx, id, code, error).await }.boxed()).await?)
}

/// `1,000.00`
fn two_decimals(cents: i64) -> String {
    let yuan = terms::yuan(cents);
    if yuan.contains('.') { yuan } else { format!("{yuan}.00") }
}

/// The name of a payment method on the payer's page.
fn method(provider: PayProvider, locale: Locale) -> &'static str {
    match provider {
        PayProvider::LinkPool => locale.pick("付款链接", "Payment link"),
        provider => provider.label(locale),
    }
}

async fn page(app: &App, token: &str, ip: &str, locale: Locale) -> Result<Response<Body>> {
    let mut order = order_of(app, token, ip).await?;
    let now = app.clock.now();
    // The payer waits: query the provider now if it is due, ahead of the background watch.
    if order.status == OrderStatus::Paying {
        watch::look_at(app, order.id).await?;
        order = find(app, token).await?;
    }
    let payee = shown::of(&app.db, &app.keys, &order.no, order.payee_channel_id).await?;
    let pick = |chinese, english| locale.pick(chinese, english);
    let is_open = order.status.is_open() && order.expires_at > now && !order.cancel_asked;
    let (state, tone) = match order.status {
        OrderStatus::Success | OrderStatus::PartRefunded => (pick("已支付", "Paid"), "good"),
        OrderStatus::Refunded => (pick("已退款", "Refunded"), ""),
        OrderStatus::Failed => (pick("支付失败", "The payment failed"), "bad"),
        _ if order.is_claimed => (pick("已登记付款，等待确认", "The payment was registered and is being checked"), ""),
        OrderStatus::Cancelled | OrderStatus::Closed => (pick("订单已关闭，请勿付款", "This order is closed: do not pay"), "bad"),
        _ if !is_open => (pick("订单已到期，请勿付款", "This order has expired: do not pay"), "bad"),
        OrderStatus::Paying if order.code_url.is_some() => match order.provider {
            PayProvider::Wechat => {
                (pick("请用微信扫一扫支付，支付后本页自动更新", "Scan with WeChat to pay. This page updates itself"), "")
            }
            _ => (pick("请用支付宝扫一扫支付，支付后本页自动更新", "Scan with Alipay to pay. This page updates itself"), ""),
        },
        OrderStatus::Paying => (pick("暂时无法取得付款码，请重试", "No payment code could be obtained. Please try again"), "bad"),
        OrderStatus::Created => (pick("待支付", "Awaiting payment"), ""),
    };
    let mut facts = vec![
        (pick("订单号", "Order"), order.no.clone()),
        (pick("收款方", "Payee"), payee.name),
        (pick("付款方式", "Method"), method(order.provider, locale).to_owned()),
    ];
    let mut link = None;
    if is_open && !order.is_claimed {
        facts.push((pick("有效期至", "Valid until"), clock::date_time(order.expires_at)));
        match order.provider {
            PayProvider::Bank => {
                facts.push((pick("开户行", "Bank"), payee.bank_name));
                facts.push((pick("银行账号", "Account"), payee.bank_account));
                facts.push((pick("附言", "Reference"), order.no.clone()));
            }
            PayProvider::LinkPool => link = link::address_of(app.db.read(), &app.keys, order.id).await?,
            PayProvider::Wechat | PayProvider::Alipay | PayProvider::Unionpay => {}
        }
    }
    let address = order.code_url.as_deref().filter(|_| is_open).or(link.as_deref());
    let nonce = nonce();
    let needs_code = is_open && order.provider.is_online() && order.code_url.is_none();
    let page = PayPage {
        locale: locale.tag(),
        nonce: &nonce,
        title: pick("付款", "Payment"),
        subject: &order.subject,
        amount: two_decimals(order.amount_cents),
        state,
        tone,
        facts,
        waits: order.status.is_open() && !needs_code && (is_open || order.status == OrderStatus::Paying),
        code: address.map(qr::picture),
        code_label: pick("付款二维码", "Payment QR code"),
        link: link.as_deref(),
        link_label: pick("打开付款链接", "Open the payment link"),
        button: needs_code
            .then(|| if order.status == OrderStatus::Paying { pick("重试", "Try again") } else { pick("去支付", "Pay now") }),
        note: match is_open && !order.is_claimed {
            false => String::new(),
            true if payee.instructions.is_empty() && order.provider == PayProvider::Unionpay => {
                pick("请向收款方咨询刷卡或转账方式", "Ask the payee how to pay by card").to_owned()
            }
            true => payee.instructions,
        },
    };
    let html = page.render().map_err(|error| ApiError::Internal(error.into()))?;
    Ok(sentence_page::document(StatusCode::OK, "'self'", &nonce, html))
}
