//! What WeChat delivers to `/open/wechat/{id}`: the check of the address, messages and events of customers. A delivery
//! is acknowledged once the message is stored; until then WeChat delivers it again. Its number prevents that it is
//! stored twice.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body as HttpBody;
use axum::http::{HeaderValue, Response, header};
use futures_util::FutureExt;
use schemars::SchemaGenerator;
use serde::Deserialize;

use super::cipher::{MessageKey, signature};
use super::follower;
use super::store::{self, Account};
use super::{delivery, media, outgoing, xml};
use crate::auto_reply;
use crate::codes::ChatMessageKind;
use crate::conversation::inbound::{self, Inbound};
use base::clock::MINUTE;
use base::codes::UseStatus;
use base::crypto;
use base::nonce::{self, Nonce};
use frame::api::calls::Download;
use frame::api::input::{Input, InputDoc, Place, Raw};
use frame::api::{ApiError, App, Ctx, Result, say};

/// Bytes of a delivery, at most.
const LONGEST: usize = 64 * 1024;
/// How far WeChat's clock may be off.
const CLOCK: i64 = 10 * MINUTE;
/// How long the handling of a delivery is retried, the pause between tries, and how long after its arrival a failure is
/// answered.
const WAITED: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(500);
const HELD_BACK: Duration = Duration::from_secs(6);
/// Characters of an openid, and of the text that a check sends back.
const LONGEST_NAME: usize = 64;

/// A delivery as it came.
pub struct Delivered {
    id: i64,
    query: Query,
    body: Vec<u8>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Query {
    signature: String,
    timestamp: String,
    nonce: String,
    echostr: String,
    encrypt_type: String,
    msg_signature: String,
}

impl Input for Delivered {
    fn read(raw: &Raw<'_>) -> Result<Delivered> {
        if raw.body.len() > LONGEST {
            return Err(ApiError::TooLarge);
        }
        let id = raw.path.iter().find(|(name, _)| *name == "id").and_then(|(_, value)| value.parse().ok()).ok_or(ApiError::Missing)?;
        let query = serde_urlencoded::from_str(raw.query).map_err(|_| ApiError::Malformed("query".to_owned()))?;
        Ok(Delivered { id, query, body: raw.body.to_vec() })
    }

    fn doc(_: &mut SchemaGenerator) -> InputDoc {
        InputDoc { place: Place::Nowhere, schema: schemars::Schema::default() }
    }
}

fn wrong_signature() -> ApiError {
    ApiError::field("signature", say("签名错误", "The signature is wrong"))
}

fn unreadable() -> ApiError {
    ApiError::Malformed("xml".to_owned())
}

async fn account_of(cx: &Ctx, id: i64) -> Result<Account> {
    store::account(cx.db().read(), &cx.app.keys, id).await?.ok_or(ApiError::Missing)
}

fn check_signature(account: &Account, query: &Query, now: i64) -> Result<()> {
    let right = signature(&[&account.keys.token, &query.timestamp, &query.nonce]);
    if account.keys.token.is_empty() || !crypto::same(&right, &query.signature) {
        return Err(wrong_signature());
    }
    let at = query.timestamp.parse::<i64>().ok().and_then(|seconds| seconds.checked_mul(1000));
    match at.is_some_and(|at| (at - now).abs() <= CLOCK) {
        true => Ok(()),
        false => Err(ApiError::field("timestamp", say("时间相差超过 10 分钟", "The time is more than ten minutes off"))),
    }
}

/// Ties a signature to the first body that came with it: in plain mode a signature does not cover the body. WeChat may
/// deliver the same body again. In secure mode the signature covers the body, and this does nothing.
async fn claim_signature(cx: &Ctx, account: &Account, query: &Query, body: &[u8]) -> Result<()> {
    if account.encrypted {
        return Ok(());
    }
    let at = query.timestamp.parse::<i64>().ok().and_then(|seconds| seconds.checked_mul(1000)).unwrap_or(cx.now);
    // The claim does not contain the signature: it follows from these two, and could be written in other letter case.
    let signed = crypto::sha256_hex(format!("{} {}", query.timestamp, query.nonce).as_bytes());
    let of = |token: String| Nonce { owner: format!("wechat {}", account.id), token, expires_at: at + CLOCK + MINUTE };
    let (first, this_body) = (of(signed.clone()), of(format!("{signed} {}", crypto::sha256_hex(body))));
    let (first, this_body) = (&first, &this_body);
    let is_other = cx
        .app
        .db
        .transact(|mut tx| {
            async move {
                match nonce::claim(&mut tx, first).await? {
                    true => nonce::claim(&mut tx, this_body).await.map(|_| false),
                    false => nonce::is_claimed(&mut tx, this_body).await.map(|known| !known),
                }
            }
            .boxed()
        })
        .await?;
    match is_other {
        true => Err(ApiError::field("nonce", say("该签名已用于另一条消息", "The signature was used for another message"))),
        false => Ok(()),
    }
}

fn answer(text: String, kind: &'static str) -> Download {
    let mut response = Response::new(HttpBody::from(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    Download(response)
}

fn taken() -> Download {
    answer("success".to_owned(), "text/plain; charset=utf-8")
}

/// `GET /open/wechat/{id}`: WeChat checks the address when it is entered on its platform.
pub async fn verify(cx: Arc<Ctx>, delivered: Delivered) -> Result<Download> {
    let account = account_of(&cx, delivered.id).await?;
    let query = delivered.query;
    check_signature(&account, &query, cx.now)?;
    if query.echostr.len() > LONGEST_NAME || !query.echostr.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(ApiError::Malformed("echostr".to_owned()));
    }
    claim_signature(&cx, &account, &query, b"check").await?;
    store::verified(&cx.app.db, account.id, cx.now).await?;
    Ok(answer(query.echostr, "text/plain; charset=utf-8"))
}

/// `POST /open/wechat/{id}`: a message or an event of a customer. If our handling fails, the answer is delayed until
/// WeChat has timed out: it repeats only deliveries that were not answered within five seconds.
pub async fn receive(cx: Arc<Ctx>, delivered: Delivered) -> Result<Download> {
    let began = Instant::now();
    loop {
        let error = match take(&cx, &delivered).await {
            Ok(answer) => return Ok(answer),
            Err(error) if !is_fault(&error) => {
                note_refused(&cx, delivered.id, &error).await;
                return Err(error);
            }
            Err(error) => error,
        };
        tracing::warn!(request.id = cx.request_id, account = delivered.id, ?error, "chat: a delivery of WeChat could not be taken");
        if began.elapsed() > WAITED {
            tokio::time::sleep(HELD_BACK.saturating_sub(began.elapsed())).await;
            return Err(error);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Whether an error is a temporary one of our own.
fn is_fault(error: &ApiError) -> bool {
    matches!(error, ApiError::Internal(_) | ApiError::Busy | ApiError::State(_))
}

/// Records a refusal, which the page of the account shows: the keys here and at WeChat may differ.
async fn note_refused(cx: &Ctx, id: i64, error: &ApiError) {
    let why = match error {
        ApiError::Fields(fields) => fields.first().map_or("", |(field, _)| field.as_str()).to_owned(),
        ApiError::Malformed(what) => what.clone(),
        _ => return,
    };
    if let Err(error) = store::note_refused(&cx.app.db, id, &why, cx.now).await {
        tracing::warn!(%error, "chat: a refusal of a delivery could not be noted");
    }
}

async fn take(cx: &Ctx, delivered: &Delivered) -> Result<Download> {
    let account = account_of(cx, delivered.id).await?;
    check_signature(&account, &delivered.query, cx.now)?;
    let body = std::str::from_utf8(&delivered.body).map_err(|_| unreadable())?;
    let mut fields = xml::fields(body).map_err(|_| unreadable())?;
    if account.encrypted {
        fields = decrypted(&account, &delivered.query, &fields)?;
    }
    if account.status != UseStatus::Enabled {
        return Ok(taken());
    }
    let message = Message { fields };
    let openid = message.text("FromUserName");
    if !(1..=LONGEST_NAME).contains(&openid.len()) || !openid.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(unreadable());
    }
    claim_signature(cx, &account, &delivered.query, &delivered.body).await?;
    let answer = match message.text("MsgType") {
        "event" => event(&cx.app, &account, &message, cx.now).await?,
        kind => {
            take_message(&cx.app, &account, &message, kind).await?;
            taken()
        }
    };
    store::note_received(&cx.app.db, account.id, cx.now).await?;
    Ok(answer)
}

fn decrypted(account: &Account, query: &Query, fields: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>> {
    let sealed =
        fields.get("Encrypt").filter(|_| query.encrypt_type == "aes").ok_or_else(|| ApiError::Malformed("not encrypted".to_owned()))?;
    let right = signature(&[&account.keys.token, &query.timestamp, &query.nonce, sealed]);
    if !crypto::same(&right, &query.msg_signature) {
        return Err(wrong_signature());
    }
    let wrong_key = || ApiError::Malformed("AES key".to_owned());
    let key = MessageKey::of(&account.keys.aes_key).ok_or_else(wrong_key)?;
    let content = key.decrypt(sealed, &account.app_id).ok_or_else(wrong_key)?;
    xml::fields(&content).map_err(|_| unreadable())
}

/// A message by its fields.
struct Message {
    fields: BTreeMap<String, String>,
}

impl Message {
    fn text(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", |value| value.trim())
    }

    /// When it was written, in epoch milliseconds.
    fn at(&self, now: i64) -> i64 {
        self.text("CreateTime").parse::<i64>().ok().and_then(|seconds| seconds.checked_mul(1000)).map_or(now, |at| at.min(now))
    }

    /// Its number: WeChat's, else the hash of its fields.
    fn number(&self) -> String {
        match self.text("MsgId") {
            id if (1..=40).contains(&id.len()) => format!("wechat-{id}"),
            _ => crypto::sha256_hex(format!("{:?}", self.fields).as_bytes()),
        }
    }

    /// The text that staff read.
    fn content(&self, kind: &str) -> String {
        let named = |name: &str, text: &str| match text {
            "" => format!("[{name}]"),
            text => format!("[{name}] {text}"),
        };
        match kind {
            "text" => self.text("Content").to_owned(),
            "image" => media::PENDING.to_owned(),
            "voice" => named("语音", self.text("Recognition")),
            "video" | "shortvideo" => named("视频", ""),
            "location" => named("位置", &format!("{} ({}, {})", self.text("Label"), self.text("Location_X"), self.text("Location_Y"))),
            "link" => named("链接", &format!("{} {}", self.text("Title"), self.text("Url"))),
            _ => named("暂不支持的消息", ""),
        }
    }
}

async fn take_message(app: &App, account: &Account, message: &Message, kind: &str) -> Result<()> {
    let now = app.clock.now();
    let customer_id = follower::customer_of(app, account, message.text("FromUserName"), message.at(now)).await?;
    let content = message.content(kind);
    // Messages of a blocked customer are dropped.
    if content.is_empty() || !inbound::may_write(app, customer_id).await? {
        return Ok(());
    }
    let media_id = message.text("MediaId");
    let is_picture = kind == "image" && (1..=200).contains(&media_id.len());
    let number = message.number();
    let inbound = Inbound {
        customer_id,
        group_id: account.group_id,
        kind: if is_picture { ChatMessageKind::Image } else { ChatMessageKind::Text },
        content: &content,
        file_id: None,
        media_id: is_picture.then_some(media_id),
        client_msg_id: &number,
    };
    inbound::receive(app, inbound).await.map(drop)
}

async fn event(app: &App, account: &Account, message: &Message, now: i64) -> Result<Download> {
    let openid = message.text("FromUserName");
    match message.text("Event").to_ascii_lowercase().as_str() {
        "subscribe" => {
            follower::customer_of(app, account, openid, message.at(now)).await?;
            match auto_reply::welcome(app, account.group_id).await? {
                Some(text) => {
                    let text = delivery::beginning(&text, outgoing::LONGEST_TEXT);
                    Ok(answer(passive(account, message, text, now), "text/xml; charset=utf-8"))
                }
                None => Ok(taken()),
            }
        }
        "unsubscribe" => {
            follower::unfollowed(app, account, openid, message.at(now)).await?;
            Ok(taken())
        }
        "templatesendjobfinish" => {
            delivery::template_ended(app, account.id, openid, message.text("MsgID"), message.text("Status") == "success").await?;
            Ok(taken())
        }
        _ => Ok(taken()),
    }
}

/// The reply in the answer to a delivery, which counts in no quota of WeChat.
fn passive(account: &Account, message: &Message, text: &str, now: i64) -> String {
    let at = (now / 1000).to_string();
    let reply = xml::of(&[
        ("ToUserName", message.text("FromUserName")),
        ("FromUserName", message.text("ToUserName")),
        ("CreateTime", &at),
        ("MsgType", "text"),
        ("Content", text),
    ]);
    let Some(key) = MessageKey::of(&account.keys.aes_key).filter(|_| account.encrypted) else { return reply };
    let (sealed, nonce) = (key.encrypt(&reply, &account.app_id), crypto::random_text(16));
    let signed = signature(&[&account.keys.token, &at, &nonce, &sealed]);
    xml::of(&[("Encrypt", &sealed), ("MsgSignature", &signed), ("TimeStamp", &at), ("Nonce", &nonce)])
}
