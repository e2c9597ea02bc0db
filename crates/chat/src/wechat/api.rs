//! Calls to WeChat under an official account: its token, messages to customers, and pictures in both directions.

use std::time::Duration;

use axum::http::{Method, Request, Response, StatusCode, header};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use sqlx::Row;

use super::store::Account;
use crate::codes::DeliveryReason;
use base::clock::MINUTE;
use base::crypto::{self, place};
use base::mask;
use base::outside::{Caller, Fault};
use frame::api::{App, Result};

/// The time limit of a call.
const WITHIN: Duration = Duration::from_secs(10);
/// Bytes of a picture, at most, in both directions.
pub const LARGEST_PICTURE: usize = 10 * 1024 * 1024;
/// How long a picture may take, in either direction.
const PICTURE_WITHIN: Duration = Duration::from_secs(60);
/// How long before its expiry a token is renewed; how long one node has for that; how long no node tries after a
/// refusal.
const RENEWED_BEFORE: i64 = 5 * MINUTE;
const RENEWING: i64 = 20_000;
const REFUSED_FOR: i64 = MINUTE;
/// How often, and how many milliseconds apart, a task checks whether another one has renewed the token.
const LOOKS: u32 = 20;
const LOOK_PAUSE: Duration = Duration::from_millis(500);
/// WeChat's errors for a token that is no longer valid.
const TOKEN_ENDED: [i64; 3] = [40001, 40014, 42001];
/// WeChat's errors after which the same call may succeed: busy, too many calls.
const PASSING: [i64; 3] = [-1, 45009, 45011];

/// Characters that are kept of WeChat's error texts.
const LONGEST_WHY: usize = 120;

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<T> {
    Done(T),
    /// WeChat refused it, with the number and the text of the error.
    Refused(i64, String),
    /// Nothing was done, and another try may succeed. With the reason.
    NotSent(String),
    /// It is not known whether it was done. With the reason.
    Unknown(String),
}

impl<T> Reply<T> {
    fn then<U>(self, follow: impl FnOnce(T) -> Reply<U>) -> Reply<U> {
        match self {
            Reply::Done(done) => follow(done),
            Reply::Refused(code, why) => Reply::Refused(code, why),
            Reply::NotSent(why) => Reply::NotSent(why),
            Reply::Unknown(why) => Reply::Unknown(why),
        }
    }

    /// Why it was not done; empty where it was.
    pub fn why(&self) -> String {
        match self {
            Reply::Done(_) => String::new(),
            Reply::Refused(code, why) => format!("{code} {why}"),
            Reply::NotSent(why) | Reply::Unknown(why) => why.clone(),
        }
    }
}

/// A valid token of an account: the stored one, or a new one. Waits while another task renews it.
async fn token(app: &App, account: &Account) -> Result<Reply<String>> {
    for _ in 0..LOOKS {
        if let Some(token) = stored_token(app, account).await? {
            return Ok(Reply::Done(token));
        }
        match renew_token(app, account).await? {
            Some(renewed) => return Ok(renewed),
            None => tokio::time::sleep(LOOK_PAUSE).await,
        }
    }
    Ok(Reply::NotSent("the token is not renewed".to_owned()))
}

async fn stored_token(app: &App, account: &Account) -> Result<Option<String>> {
    let row = sqlx::query("SELECT access_token_enc, token_expires_at FROM chat_wechat WHERE id = $1")
        .bind(account.id)
        .fetch_one(app.db.read())
        .await?;
    let (sealed, expires_at): (Option<String>, i64) = (row.try_get("access_token_enc")?, row.try_get("token_expires_at")?);
    match sealed {
        Some(sealed) if expires_at > app.clock.now() + RENEWED_BEFORE => {
            Ok(Some(app.keys.open(&place::CHAT_WECHAT_TOKEN.of(account.id), &sealed)?))
        }
        _ => Ok(None),
    }
}

/// Requests a new token and stores it. Returns `None` if another task is renewing it, or if the secret was refused
/// within the last minute.
pub async fn renew_token(app: &App, account: &Account) -> Result<Option<Reply<String>>> {
    let (id, now) = (account.id, app.clock.now());
    let claimed = app
        .db
        .transact(|mut tx| {
            async move {
                sqlx::query("UPDATE chat_wechat SET token_claimed_until = $1 WHERE id = $2 AND token_claimed_until < $3")
                    .bind(now + RENEWING)
                    .bind(id)
                    .bind(now)
                    .execute(&mut **tx)
                    .await
            }
            .boxed()
        })
        .await?;
    if claimed.rows_affected() == 0 {
        return Ok(None);
    }
    let asked = json!({ "grant_type": "client_credential", "appid": account.app_id, "secret": account.keys.app_secret });
    let reply = post(app, "/cgi-bin/stable_token".to_owned(), &asked).await.then(|answer| {
        match (answer["access_token"].as_str(), answer["expires_in"].as_i64()) {
            (Some(token), Some(seconds)) => Reply::Done((token.to_owned(), seconds.clamp(0, 24 * 3600))),
            _ => Reply::Unknown("an answer without a token".to_owned()),
        }
    });
    let stored = match &reply {
        Reply::Done((token, seconds)) => Some((app.keys.seal(&place::CHAT_WECHAT_TOKEN.of(id), token), now + seconds * 1000)),
        _ => None,
    };
    let why = match &reply {
        Reply::NotSent(_) => <&str>::from(DeliveryReason::Unreachable).to_owned(),
        Reply::Unknown(_) => <&str>::from(DeliveryReason::NoAnswer).to_owned(),
        reply => reply.why(),
    };
    let free_at = if matches!(reply, Reply::Refused(..)) { now + REFUSED_FOR } else { 0 };
    let (stored, why) = (&stored, &why);
    app.db
        .transact(|mut tx| {
            async move {
                match stored {
                    Some((sealed, expires_at)) => {
                        sqlx::query(
                            "UPDATE chat_wechat SET access_token_enc = $1, token_expires_at = $2, token_error = '', token_claimed_until = 0 WHERE id = $3",
                        )
                        .bind(sealed)
                        .bind(expires_at)
                        .bind(id)
                        .execute(&mut **tx)
                        .await?;
                    }
                    None => {
                        sqlx::query(
                            "UPDATE chat_wechat SET token_claimed_until = $1, token_error = $2 WHERE id = $3",
                        )
                        .bind(free_at)
                        .bind(why)
                        .bind(id)
                        .execute(&mut **tx)
                        .await?;
                    }
                }
                Ok::<_, sqlx::Error>(())
            }
            .boxed()
        })
        .await?;
    Ok(Some(reply.then(|(token, _)| Reply::Done(token))))
}

/// Drops a token that WeChat no longer accepts, unless it was renewed meanwhile.
async fn give_up_token(app: &App, account: &Account, token: &str) -> Result<()> {
    if stored_token(app, account).await?.is_none_or(|stored| stored != token) {
        return Ok(());
    }
    let id = account.id;
    app.db
        .transact(|mut tx| {
            async move {
                sqlx::query("UPDATE chat_wechat SET token_expires_at = 0 WHERE id = $1").bind(id).execute(&mut **tx).await.map(drop)
            }
            .boxed()
        })
        .await?;
    Ok(())
}

/// Makes a call with a token, and repeats it once if the token has expired.
async fn with_token<'c, T>(
    app: &App,
    account: &Account,
    call: impl Fn(String) -> BoxFuture<'c, Reply<T>> + Send + Sync,
) -> Result<Reply<T>> {
    for _ in 0..2 {
        let token = match token(app, account).await? {
            Reply::Done(token) => token,
            Reply::Refused(code, why) => return Ok(Reply::NotSent(format!("no token: {code} {why}"))),
            Reply::NotSent(why) | Reply::Unknown(why) => return Ok(Reply::NotSent(why)),
        };
        match call(token.clone()).await {
            Reply::Refused(code, _) if TOKEN_ENDED.contains(&code) => give_up_token(app, account, &token).await?,
            other => return Ok(other),
        }
    }
    Ok(Reply::NotSent("the token is not accepted".to_owned()))
}

/// Sends a text to a customer.
pub async fn send_text(app: &App, account: &Account, openid: &str, text: &str) -> Result<Reply<String>> {
    let message = json!({ "touser": openid, "msgtype": "text", "text": { "content": text } });
    send(app, account, "/cgi-bin/message/custom/send", &message).await
}

/// Sends a picture to a customer.
pub async fn send_picture(app: &App, account: &Account, openid: &str, picture: &[u8], mime: &str) -> Result<Reply<String>> {
    let media_id = match with_token(app, account, |token| upload(app, token, picture, mime).boxed()).await? {
        Reply::Done(media_id) => media_id,
        // Only the upload is unknown: no message was sent to the customer.
        Reply::Unknown(why) => return Ok(Reply::NotSent(why)),
        not_uploaded => return Ok(not_uploaded),
    };
    let message = json!({ "touser": openid, "msgtype": "image", "image": { "media_id": media_id } });
    send(app, account, "/cgi-bin/message/custom/send", &message).await
}

/// Sends the account's template message to a customer. Repeated with the same `number` it is delivered once.
pub async fn send_template(app: &App, account: &Account, openid: &str, text: &str, number: &str) -> Result<Reply<String>> {
    let Account { template_id, template_field, .. } = account;
    let message = json!({
        "touser": openid, "template_id": template_id, "client_msg_id": number, "data": { template_field: { "value": text } },
    });
    send(app, account, "/cgi-bin/message/template/send", &message).await
}

/// Sends a message, and returns WeChat's number of it; empty where it has none.
async fn send(app: &App, account: &Account, path: &str, message: &Value) -> Result<Reply<String>> {
    let sent = with_token(app, account, |token| post(app, format!("{path}?access_token={token}"), message).boxed()).await?;
    Ok(sent.then(|answer| Reply::Done(answer.get("msgid").map(Value::to_string).unwrap_or_default())))
}

/// Fetches a picture that a customer has sent.
pub async fn picture(app: &App, account: &Account, media_id: &str) -> Result<Reply<Vec<u8>>> {
    with_token(app, account, |token| fetch(app, token, media_id).boxed()).await
}

async fn fetch(app: &App, token: String, media_id: &str) -> Reply<Vec<u8>> {
    let query = serde_urlencoded::to_string([("access_token", token.as_str()), ("media_id", media_id)]).expect("texts encode");
    let request = Request::builder().method(Method::GET).uri(format!("{}/cgi-bin/media/get?{query}", app.config.wechat_api));
    let Ok(request) = request.body(String::new()) else { return Reply::NotSent("the request could not be made".to_owned()) };
    match caller(app).send_for(request, PICTURE_WITHIN, LARGEST_PICTURE).await {
        Ok(answer) if is_picture(&answer) => Reply::Done(answer.into_body()),
        Ok(answer) => read(&answer).then(|_| Reply::Refused(0, "no picture".to_owned())),
        // Other faults are [`Reply::NotSent`]: fetching again does no harm.
        Err(Fault::TooLarge) => Reply::Refused(0, "too large".to_owned()),
        Err(fault) => Reply::NotSent(fault.to_string()),
    }
}

fn is_picture(answer: &Response<Vec<u8>>) -> bool {
    let kind = answer.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    answer.status() == StatusCode::OK && kind.starts_with("image/")
}

async fn upload(app: &App, token: String, picture: &[u8], mime: &str) -> Reply<String> {
    let boundary = crypto::random_text(32);
    let name = format!("picture.{}", mime.strip_prefix("image/").unwrap_or("jpeg"));
    let mut body =
        format!("--{boundary}\r\nContent-Disposition: form-data; name=\"media\"; filename=\"{name}\"\r\nContent-Type: {mime}\r\n\r\n")
            .into_bytes();
    body.extend_from_slice(picture);
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    let request = Request::builder()
        .method(Method::POST)
        .uri(format!("{}/cgi-bin/media/upload?access_token={token}&type=image", app.config.wechat_api))
        .header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={boundary}"));
    let Ok(request) = request.body(body) else { return Reply::NotSent("the request could not be made".to_owned()) };
    answered(caller(app).send(request, PICTURE_WITHIN).await).then(|answer| match answer["media_id"].as_str() {
        Some(media_id) => Reply::Done(media_id.to_owned()),
        None => Reply::Unknown("an answer without a media id".to_owned()),
    })
}

async fn post(app: &App, path: String, message: &Value) -> Reply<Value> {
    let request = Request::builder()
        .method(Method::POST)
        .uri(format!("{}{path}", app.config.wechat_api))
        .header(header::CONTENT_TYPE, "application/json; charset=utf-8");
    let Ok(request) = request.body(message.to_string()) else { return Reply::NotSent("the request could not be made".to_owned()) };
    answered(caller(app).send(request, WITHIN).await)
}

fn caller(app: &App) -> Caller {
    Caller { private: app.config.private_calls }
}

fn answered(answer: std::result::Result<Response<Vec<u8>>, Fault>) -> Reply<Value> {
    match answer {
        Ok(answer) => read(&answer),
        Err(fault @ (Fault::NotPublic | Fault::Unreachable)) => Reply::NotSent(fault.to_string()),
        Err(fault @ (Fault::TooLate | Fault::TooLarge | Fault::Cut)) => Reply::Unknown(fault.to_string()),
    }
}

/// Reads an answer: JSON, with an error's number where something was wrong.
fn read(answer: &Response<Vec<u8>>) -> Reply<Value> {
    let Ok(content) = serde_json::from_slice::<Value>(answer.body()) else {
        return Reply::Unknown(format!("an answer of the status {} that cannot be read", answer.status().as_u16()));
    };
    if !answer.status().is_success() {
        return Reply::Unknown(format!("an answer of the status {}", answer.status().as_u16()));
    }
    match content["errcode"].as_i64() {
        None | Some(0) => Reply::Done(content),
        Some(code) if PASSING.contains(&code) => Reply::NotSent(format!("{code}")),
        Some(code) => Reply::Refused(code, mask::beginning(content["errmsg"].as_str().unwrap_or_default(), LONGEST_WHY)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_masked_before_the_words_of_an_error_are_cut() {
        for number in ["13812345678", "138-1234-5678", "138 1234 5678", "１３８１２３４５６７８"] {
            let words = format!("{}{number}", "x".repeat(LONGEST_WHY - 8));
            let answer = Response::new(json!({"errcode": 1, "errmsg": words}).to_string().into_bytes());
            let Reply::Refused(1, kept) = read(&answer) else { panic!("a refusal") };
            let begin: String = number.chars().take(5).collect();
            assert!(kept.chars().count() == LONGEST_WHY && kept.contains('*') && !kept.contains(&begin), "{kept}");
        }
    }
}
