//! The forms of a visitor: the first message, messages with files, a phone number and its code, a rating.

use axum::body::Body;
use axum::http::{HeaderMap, header};
use futures_util::FutureExt;
use serde::Deserialize;
use serde_json::json;

use super::keys::{Group, Visitor, key_hash, last_of, visitor_by_key};
use crate::Feed;
use crate::codes::ChatMessageKind;
use crate::consent;
use crate::conversation::inbound::{self, Inbound};
use crate::conversation::store::{self, Held};
use crate::conversation::{FILES, MESSAGE, NUMBER, write};
use crate::customer::model::CustomerStatus;
use crate::customer::store as customers;
use crate::feed;
use crate::phone_code;
use base::address::{Sender, counted};
use base::canonical;
use base::crypto::{self, place};
use base::locale::Locale;
use base::mask;
use base::rate_limits::{Asker, Rate};
use frame::api::form::{Bounds, FormFile, MAX_FILE, receive_files};
use frame::api::input::page_form;
use frame::api::{ApiError, App, Check, Result, say};
use frame::upload;

/// How often one network may begin a conversation; how often one visitor, and all visitors of one network, may write.
const BEGINNINGS: Rate = Rate { burst: 5, minute: 5 };
const WRITINGS: Rate = Rate { burst: 10, minute: 30 };
const NETWORK_WRITINGS: Rate = Rate { burst: 30, minute: 60 };
/// How often one network may send a file; the files of a visitor in a day, and their bytes.
const FILES_SENT: Rate = Rate { burst: 5, minute: 5 };
const DAY_FILES: i64 = 30;
const DAY_BYTES: i64 = 100 * 1024 * 1024;
/// Bytes of a form without a file.
pub(super) const MAX_FORM: usize = 32 * 1024;

/// A first message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct BeginForm {
    pub(super) nickname: String,
    pub(super) content: String,
    /// The version of the words that were agreed to.
    pub(super) consent: Option<String>,
}

/// The actions of a visitor in their thread: a message, a phone number, its code, or the rating of a closed
/// conversation.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ActForm {
    pub(super) content: Option<String>,
    pub(super) number: String,
    pub(super) phone: Option<String>,
    /// Requests a code for the number.
    pub(super) ask_code: Option<String>,
    pub(super) code: Option<String>,
    pub(super) rating: Option<i64>,
    pub(super) note: String,
}

/// The typed values of refused forms of a thread.
#[derive(Default)]
pub(super) struct Typed {
    pub(super) content: String,
    pub(super) note: String,
}

pub(super) async fn first_message(app: &App, group: &Group, key: &str, form: &BeginForm, ip: &str, locale: Locale) -> Result<()> {
    let content = form.content.trim();
    let given = &*canonical::visible(&form.nickname);
    let agreed = form.consent.as_deref().and_then(consent::of);
    let unread = match form.consent {
        None => say("请先勾选同意", "Please agree first"),
        Some(_) => say("同意的内容已更新，请阅读后重新勾选", "What you agree to has changed: please read it and agree again"),
    };
    Check::new()
        // The page shows the first error above its two texts, so this one names the field.
        .that("nickname", given.chars().count() <= 20, say("称呼最多 20 个字符", "The name has at most 20 characters"))
        .text("nickname", given, 0..=20)
        .that("content", !content.is_empty(), say("请填写消息", "Write a message"))
        .text("content", content, 1..=MESSAGE)
        .that("consent", agreed.is_some(), unread)
        .done()?;
    let agreed = agreed.unwrap_or(locale);
    let (now, hash) = (app.clock.now(), key_hash(app, key));
    let network = counted(ip);
    app.limits
        .take(Asker::Visitor(format!("begin {network}")), BEGINNINGS, now)
        .map_err(|retry_after| ApiError::TooMany { retry_after })?;
    // Sent twice, the form makes one visitor.
    let visitor = match visitor_by_key(app, key).await? {
        Some((visitor, _)) => visitor.id,
        None => {
            let name = if given.is_empty() {
                format!("{}{}", locale.pick("访客", "Visitor "), crypto::random_code())
            } else {
                // Lists show names unmasked, so numbers in them are masked here.
                mask::numbers(given)
            };
            let (hash, name) = (&hash, &name);
            app.db.transact(|mut tx| async move { customers::insert_visitor(&mut tx, hash, name, agreed, now).await }.boxed()).await?
        }
    };
    let number = number_of(app, key, content);
    let inbound = Inbound {
        customer_id: visitor,
        group_id: group.id,
        kind: ChatMessageKind::Text,
        content,
        file_id: None,
        media_id: None,
        client_msg_id: &number,
    };
    inbound::receive(app, inbound).await.map(drop)
}

/// A form of fields, or one with a file, by its content type. A file is only received from visitors who may send one.
pub(super) async fn read_form(
    app: &App,
    visitor: &Visitor,
    headers: &HeaderMap,
    body: Body,
    ip: &str,
) -> Result<(ActForm, Option<FormFile>)> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("multipart/form-data") {
        let bytes = axum::body::to_bytes(body, MAX_FORM).await.map_err(|_| ApiError::TooLarge)?;
        return Ok((page_form(&bytes)?, None));
    }
    if visitor.status != CustomerStatus::Active {
        return Err(inbound::refused());
    }
    let sender = Sender::at(ip);
    app.limits
        .take(Asker::Visitor(format!("file {}", sender.network)), FILES_SENT, app.clock.now())
        .map_err(|retry_after| ApiError::TooMany { retry_after })?;
    let _place = app.service::<Feed>().uploads.take(&sender).ok_or(ApiError::Busy)?;
    let bounds = Bounds { files: 1, all_files: MAX_FILE, fields: 4, field: 4 * MESSAGE };
    let (mut fields, files) = receive_files(headers, body, &bounds).await;
    if fields.values().any(|text| text.contains('\0')) {
        return Err(ApiError::Malformed("NUL".to_owned()));
    }
    let form = ActForm { content: fields.remove("content"), number: fields.remove("number").unwrap_or_default(), ..ActForm::default() };
    Ok((form, files?.pop()))
}

pub(super) async fn done(app: &App, visitor: &Visitor, form: &ActForm, file: Option<FormFile>, ip: &str) -> Result<()> {
    let (now, sender) = (app.clock.now(), Sender::at(ip));
    app.limits
        .take(Asker::Visitor(format!("write {}", visitor.id)), WRITINGS, now)
        .and_then(|()| app.limits.take(Asker::Visitor(format!("write from {}", sender.network)), NETWORK_WRITINGS, now))
        .map_err(|retry_after| ApiError::TooMany { retry_after })?;
    if visitor.status != CustomerStatus::Active {
        return Err(inbound::refused());
    }
    let last = last_of(app, visitor.id).await?;
    if let Some(phone) = &form.phone {
        let phone = canonical::phone_or_text(phone);
        Check::new().phone("phone", &phone).done()?;
        return save_phone(app, &last.held, &phone).await;
    }
    if form.ask_code.is_some() {
        return phone_code::send(app, visitor.id, &sender).await;
    }
    if let Some(code) = &form.code {
        return phone_code::enter(app, &last.held, &canonical::code(code)).await;
    }
    if let Some(rating) = form.rating {
        Check::new().range("rating", rating, 1..=5).text("note", form.note.trim(), 0..=200).done()?;
        return rate(app, &last.held, rating, form.note.trim()).await;
    }
    if let Some(file) = file {
        return send_file(app, visitor, last.held.group_id, (&form.number, &sender), &file).await;
    }
    let content = form.content.as_deref().unwrap_or_default().trim();
    Check::new().text("content", content, 1..=MESSAGE).text("number", &form.number, NUMBER).done()?;
    let inbound = Inbound {
        customer_id: visitor.id,
        group_id: last.held.group_id,
        kind: ChatMessageKind::Text,
        content,
        file_id: None,
        media_id: None,
        client_msg_id: &number_of(app, &form.number, content),
    };
    inbound::receive(app, inbound).await.map(drop)
}

/// Takes a file that a visitor sends, as a message of its own.
pub(super) async fn send_file(
    app: &App,
    visitor: &Visitor,
    group_id: i64,
    (number, sender): (&str, &Sender),
    file: &FormFile,
) -> Result<()> {
    Check::new().text("number", number, NUMBER).done()?;
    let number = number_of(app, number, &file.sha256);
    if inbound::is_known(app, visitor.id, &number).await? {
        return Ok(());
    }
    let (files, bytes) = store::files_today(app.db.read(), visitor.id, app.clock.now()).await?;
    if files >= DAY_FILES || bytes + file.size as i64 > DAY_BYTES {
        return Err(ApiError::State(say("今天发送的文件已达上限，请明天再试", "Today's limit of files is reached. Try again tomorrow")));
    }
    let kept = upload::keep_from_customer(app, &FILES, file, Some(sender)).await?;
    let kind = if kept.mime.starts_with("image/") { ChatMessageKind::Image } else { ChatMessageKind::File };
    let inbound = Inbound {
        customer_id: visitor.id,
        group_id,
        kind,
        content: &kept.name,
        file_id: Some(kept.id),
        media_id: None,
        client_msg_id: &number,
    };
    inbound::receive(app, inbound).await.map(drop)
}

/// Stores a visitor's phone number. An applicant with this number counts as the same customer.
pub(super) async fn save_phone(app: &App, held: &Held, phone: &str) -> Result<()> {
    let now = app.clock.now();
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            // The customer is locked before the conversation, as for a message.
            if !customers::set_phone(&mut tx, &app.keys, held.customer_id, phone, now).await? {
                return Err(inbound::refused());
            }
            let held = store::hold(&mut tx, held.id).await?.ok_or(ApiError::Missing)?;
            write::system(&mut tx, &held, &json!({"event": "phone"}), events, now).await?;
            events.push(write::changed(&held));
            Ok(())
        }
        .boxed()
    })
    .await
}

/// Keeps the rating of a closed conversation, once.
pub(super) async fn rate(app: &App, held: &Held, rating: i64, note: &str) -> Result<()> {
    let now = app.clock.now();
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            let held = store::hold(&mut tx, held.id).await?.ok_or(ApiError::Missing)?;
            let words = crate::words::Words::of(&app.keys, &place::CHAT_RATING_NOTE.of(held.id), note);
            let rated = sqlx::query(
                "UPDATE chat_conversation SET rating = $1, rating_note = $2, rating_note_enc = $3, version = version + 1, updated_at = $4 \
                     WHERE id = $5 AND status = 'resolved' AND rating IS NULL",
            )
            .bind(rating)
            .bind(words.shown)
            .bind(words.sealed)
            .bind(now)
            .bind(held.id)
            .execute(&mut **tx)
            .await?;
            if rated.rows_affected() == 0 {
                return Err(ApiError::State(say("会话未结束或已评价", "The conversation is open or already rated")));
            }
            events.push(write::changed(&held));
            Ok(())
        }
        .boxed()
    })
    .await
}

/// The number of a visitor's message. The same form sent twice has the same number; changed content has another. It is
/// a hash, because the form may contain the visitor's key.
pub(super) fn number_of(app: &App, number: &str, content: &str) -> String {
    app.keys.lookup_hash(&format!("chat message {number} {content}"))
}
