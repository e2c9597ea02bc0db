//! The partner's page of a statement, `GET` and `POST /v/statement/{token}`: its amounts, its files, and the answer.
//! It needs no account and works without scripts.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::routing::get;
use futures_util::FutureExt;
use serde::Deserialize;

use super::list::TARGET;
use super::model::{PartnerStatementRow, PartnerStatementStatus};
use super::store::{self, Answer};
use super::{confirmation, link, notices, pdf, record};
use base::canonical;
use base::locale::Locale;
use base::rate_limits::{Asker, Rate};
use base::sentence_page;
use base::sentence_page::nonce;
use base::{clock, fields};
use frame::access::Scope;
use frame::access::audit::{self, Action};
use frame::access::session::{self, Origin, Use};
use frame::api::ctx::RequestInfo;
use frame::api::input::page_form;
use frame::api::preferences::Preferences;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, App, Result, Say, say};

/// How often one statement may be answered or downloaded.
const USES: Rate = Rate { burst: 20, minute: 10 };
/// The longest note of a dispute.
const LONGEST_NOTE: usize = 500;
/// The longest form, in bytes: characters of four bytes each, written as `%XX`.
const MAX_FORM: usize = LONGEST_NOTE * 12 + 1000;

/// The partners' pages.
pub fn pages(app: Arc<App>) -> Router {
    Router::new()
        .route("/v/statement/{token}", get(show).post(answer))
        .route("/v/statement/{token}/file", get(file))
        .route("/v/statement/{token}/sheet", get(sheet))
        .with_state(app)
}

/// The language that the page's own links ask for.
#[derive(Deserialize)]
struct Language {
    lang: Option<String>,
}

#[derive(Deserialize)]
struct AnswerForm {
    /// The number of the statement that the form was shown for.
    statement: String,
    answer: String,
    #[serde(default)]
    note: String,
}

/// The caller, its address, and its language.
struct Asked {
    locale: Locale,
    origin: Origin,
    request_id: String,
    /// Tokens of a back-office session, as cookie or header.
    tokens: Vec<String>,
}

impl Asked {
    fn of(request: &Request, Query(language): &Query<Language>) -> Asked {
        let info = request.extensions().get::<RequestInfo>().expect("the outermost layer sets it");
        let cookie = Preferences::read(request.headers(), info.secure).token;
        let header = request.headers().get("token").and_then(|value| value.to_str().ok());
        let locale = Locale::of_link(language.lang.as_deref(), info.locale);
        let tokens = cookie.into_iter().chain(header).map(str::to_owned).collect();
        Asked { locale, origin: info.origin.clone(), request_id: info.request_id.clone(), tokens }
    }

    /// Whether the browser is signed in to the back-office.
    async fn is_signed_in(&self, app: &App) -> Result<bool> {
        for token in &self.tokens {
            if session::viewer(app.gate(), token, Use::Quiet, &self.origin, app.clock.now()).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// `GET /v/statement/{token}`.
async fn show(State(app): State<Arc<App>>, Path(token): Path<String>, language: Query<Language>, request: Request) -> Response<Body> {
    let asked = Asked::of(&request, &language);
    let shown = async {
        let row = statement_of(&app, &token, &asked.origin.ip).await?;
        let reader = if asked.is_signed_in(&app).await? { Reader::Staff } else { Reader::Partner("", None) };
        page(&row, &token, asked.locale, &reader)
    };
    shown.await.unwrap_or_else(|error| failed(&error, asked.locale))
}

/// `GET /v/statement/{token}/file`: the statement as a PDF.
async fn file(State(app): State<Arc<App>>, Path(token): Path<String>, language: Query<Language>, request: Request) -> Response<Body> {
    let asked = Asked::of(&request, &language);
    let made = async {
        let row = statement_of(&app, &token, &asked.origin.ip).await?;
        use_once(&app, &row)?;
        Ok(record::as_pdf(&row, asked.locale))
    };
    made.await.unwrap_or_else(|error| failed(&error, asked.locale))
}

/// `GET /v/statement/{token}/sheet`: the statement with its items as XLSX.
async fn sheet(State(app): State<Arc<App>>, Path(token): Path<String>, language: Query<Language>, request: Request) -> Response<Body> {
    let asked = Asked::of(&request, &language);
    let made = async {
        let row = statement_of(&app, &token, &asked.origin.ip).await?;
        use_once(&app, &row)?;
        record::as_xlsx(&app, &row, asked.locale, |_| too_many(&row)).await
    };
    made.await.unwrap_or_else(|error| failed(&error, asked.locale))
}

/// `POST /v/statement/{token}`: confirms the statement or disputes it with a note, once.
async fn answer(State(app): State<Arc<App>>, Path(token): Path<String>, language: Query<Language>, request: Request) -> Response<Body> {
    let asked = Asked::of(&request, &language);
    let answered = async {
        let row = statement_of(&app, &token, &asked.origin.ip).await?;
        use_once(&app, &row)?;
        let body = axum::body::to_bytes(request.into_body(), MAX_FORM).await.map_err(|_| ApiError::TooLarge)?;
        let form: AnswerForm = page_form(&body)?;
        if asked.is_signed_in(&app).await? {
            return Err(ApiError::State(say(
                "此浏览器已登录后台，不能代渠道答复。请让渠道在自己的设备上打开链接",
                "This browser is signed in to the back-office, which cannot answer for the channel. The channel must open the link on its own device",
            )));
        }
        if form.statement != row.statement_no {
            return Err(ApiError::State(say("此表单属于另一份对账单，未提交", "This form is of another statement: nothing was sent")));
        }
        let note = canonical::trimmed(&form.note);
        let status = match form.answer.as_str() {
            "confirm" => PartnerStatementStatus::Confirmed,
            "dispute" if (1..=LONGEST_NOTE).contains(&note.chars().count()) => PartnerStatementStatus::Disputed,
            "dispute" => {
                let error = say("请用 1 到 500 个字说明异议", "Describe the dispute in 1 to 500 characters");
                return page(&row, &token, asked.locale, &Reader::Partner(error.get(asked.locale), Some(note)));
            }
            _ => return Err(ApiError::Malformed("answer".to_owned())),
        };
        let note = (status == PartnerStatementStatus::Disputed).then_some(note);
        let answer = Answer { status, note, ip: &asked.origin.ip, user_agent: &asked.origin.user_agent };
        keep(&app, &row, &token, &answer, &asked.request_id).await?;
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SEE_OTHER;
        let to = HeaderValue::from_str(&format!("{}?lang={}", path(&token), asked.locale.tag())).expect("a token is plain text");
        response.headers_mut().insert(header::LOCATION, to);
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    };
    answered.await.unwrap_or_else(|error| failed(&error, asked.locale))
}

/// Why there is no file of the items, for a partner, who has no list with filters.
fn too_many(row: &PartnerStatementRow) -> Say {
    let (no, items) = (&row.statement_no, row.items);
    say(
        format!("对账单 {no} 有 {items} 条明细，超过此文件的上限。请返回上一页下载 PDF 核对各项合计，并向对接人索取明细文件"),
        format!(
            "Statement {no} has {items} items, more than this file can hold. Go back and download the PDF to check the sums, and ask your contact for the list of items"
        ),
    )
}

fn path(token: &str) -> String {
    format!("/v/statement/{token}")
}

fn use_once(app: &App, row: &PartnerStatementRow) -> Result<()> {
    app.limits.take(Asker::StatementLink(row.id), USES, app.clock.now()).map_err(|retry_after| ApiError::TooMany { retry_after })
}

/// The statement of a token whose link has not ended. Unknown tokens are counted by network, and limited.
async fn statement_of(app: &App, token: &str, ip: &str) -> Result<PartnerStatementRow> {
    let now = app.clock.now();
    let row = match link::hash(token) {
        Some(hash) => store::by_link(app.db.read(), &hash).await?,
        None => None,
    };
    let Some(row) = row else {
        app.limits.unknown_key(ip, now).map_err(|retry_after| ApiError::TooMany { retry_after })?;
        return Err(ApiError::Missing);
    };
    match row.link_ends_at.is_some_and(|ends_at| ends_at > now) {
        true => Ok(row),
        false => Err(ApiError::State(say("此链接已过期，请向对接人索取新链接", "This link has expired. Ask your contact for a new one"))),
    }
}

/// Stores the answer to the shown version of a statement, if it still waits for one by this link.
async fn keep(app: &App, shown: &PartnerStatementRow, token: &str, answer: &Answer<'_>, request_id: &str) -> Result<()> {
    let (now, hash) = (app.clock.now(), link::hash(token).ok_or(ApiError::Missing)?);
    let hash = hash.as_str();
    app.db
        .transact(|mut tx| {
            async move {
                versioned::hold::<PartnerStatementRow>(&mut tx, shown.id).await?;
                let before = store::by_link(&mut **tx, hash).await?.ok_or(ApiError::Missing)?;
                if before.status != PartnerStatementStatus::Sent {
                    return Err(ApiError::State(say(
                        format!("对账单已答复（{}），不能再次提交", before.status.label(Locale::Chinese)),
                        format!("The statement was answered already ({}): nothing was sent", before.status.label(Locale::English)),
                    )));
                }
                if !store::answer(&mut tx, (before.id, hash), answer, now).await? {
                    return Err(ApiError::Missing);
                }
                confirmation::end(&mut tx, before.id, now).await?;
                let after = store::find(&mut **tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
                let changes = PartnerStatementRow::diff(Some(&before), Some(&after));
                audit::record_visitor(&mut tx, (request_id, answer.ip), TARGET.of(before.id), Action::Update, &changes, now).await?;
                notices::answered(&mut tx, &after, answer.note, now).await?;
                Ok(())
            }
            .boxed()
        })
        .await
}

fn failed(error: &ApiError, locale: Locale) -> Response<Body> {
    let status = match error {
        ApiError::Missing => StatusCode::NOT_FOUND,
        ApiError::State(_) => StatusCode::CONFLICT,
        ApiError::Malformed(_) => StatusCode::BAD_REQUEST,
        ApiError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ApiError::TooMany { .. } | ApiError::TooOften { .. } => StatusCode::TOO_MANY_REQUESTS,
        error => error.status(),
    };
    if let ApiError::Internal(cause) = error {
        tracing::error!(cause = format!("{cause:#}"), "a partner's page failed");
    }
    let [chinese, english] = match error {
        ApiError::Missing => [
            "此链接无效，或已被新的链接替换。请检查链接是否完整，或向对接人索取新链接".to_owned(),
            "This link is not valid, or a newer one has replaced it. Check that it is complete, or ask your contact for a new one"
                .to_owned(),
        ],
        error => [error.text(Locale::Chinese), error.text(Locale::English)],
    };
    sentence_page::page(status, locale, &chinese, &english)
}

#[derive(Template)]
#[template(path = "statement.html")]
struct StatementPage<'p> {
    locale: &'static str,
    other_locale: &'static str,
    other_name: &'static str,
    nonce: &'p str,
    path: &'p str,
    title: &'p str,
    no: &'p str,
    state: String,
    tone: &'static str,
    facts: Vec<(String, String)>,
    amounts: Vec<(String, String, bool)>,
    /// Whether it waits for an answer.
    waits: bool,
    confirm_title: &'static str,
    confirm_text: &'static str,
    confirm: &'static str,
    dispute_title: &'static str,
    note_label: &'static str,
    dispute: &'static str,
    error: &'p str,
    note: &'p str,
}

/// The reader of the page.
enum Reader<'r> {
    /// The error in the note of a dispute, and that note.
    Partner(&'r str, Option<&'r str>),
    /// A browser that is signed in to the back-office, which cannot answer.
    Staff,
}

/// The page of a statement, for its reader.
fn page(row: &PartnerStatementRow, token: &str, locale: Locale, reader: &Reader<'_>) -> Result<Response<Body>> {
    let (error, note) = match *reader {
        Reader::Partner(error, note) => (error, note),
        Reader::Staff => ("", None),
    };
    let pick = |chinese, english| locale.pick(chinese, english);
    let heading = |key: &'static str| fields::heading("partnerStatement", key).get(locale).to_owned();
    let answered = row.answered_at.map(clock::date_time).unwrap_or_default();
    let (state, tone) = match row.status {
        PartnerStatementStatus::Confirmed => (format!("{} {answered}", pdf::state(row, locale)), "good"),
        PartnerStatementStatus::Disputed => (format!("{} {answered}", pick("已提交异议，等待处理", "Disputed, being looked into")), "bad"),
        _ => match reader {
            Reader::Partner(..) => (pick("请核对后确认，或提出异议", "Please check it, then confirm or dispute it").to_owned(), ""),
            Reader::Staff => (
                pick(
                    "此浏览器已登录后台，仅可查看，不能代渠道答复",
                    "This browser is signed in to the back-office: it can read, but not answer",
                )
                .to_owned(),
                "",
            ),
        },
    };
    let mut facts = vec![
        (heading("channelName"), row.channel_name.clone()),
        (heading("month"), row.month.clone()),
        (heading("statementNo"), row.statement_no.clone()),
        (heading("items"), row.items.to_string()),
        (heading("openingCents"), frame::pdf::two_decimals(row.opening_cents)),
        (heading("settledCents"), frame::pdf::two_decimals(row.settled_cents)),
        (heading("closingCents"), frame::pdf::two_decimals(row.closing_cents)),
        (pick("链接有效期至", "Link valid until").to_owned(), row.link_ends_at.map(clock::date_time).unwrap_or_default()),
    ];
    if let Some(note) = &row.answer_note {
        facts.push((heading("answerNote"), note.clone()));
    }
    let (nonce, other, path) = (nonce(), locale.pick(Locale::English, Locale::Chinese), path(token));
    let page = StatementPage {
        locale: locale.tag(),
        other_locale: other.tag(),
        other_name: other.pick("中文", "English"),
        nonce: &nonce,
        path: &path,
        title: pick("渠道对账单", "Channel statement"),
        no: &row.statement_no,
        state,
        tone,
        facts,
        amounts: pdf::amounts(row)
            .into_iter()
            .map(|(key, cents)| (heading(key), frame::pdf::two_decimals(cents), matches!(key, "totalCents" | "netCents")))
            .collect(),
        waits: row.status == PartnerStatementStatus::Sent && matches!(reader, Reader::Partner(..)),
        confirm_title: pick("确认对账单", "Confirm the statement"),
        confirm_text: pick("确认后将按应付净额付款，不能撤回。", "Once confirmed, the net amount is paid out. This cannot be undone."),
        confirm: pick("确认无误", "Confirm"),
        dispute_title: pick("提出异议", "Dispute the statement"),
        note_label: pick("哪里不对（1 到 500 字）", "What is wrong (1 to 500 characters)"),
        dispute: pick("提交异议", "Dispute"),
        error,
        note: note.unwrap_or_default(),
    };
    let html = page.render().map_err(|error| ApiError::Internal(error.into()))?;
    let status = if error.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(sentence_page::document(status, "'self'", &nonce, html))
}
