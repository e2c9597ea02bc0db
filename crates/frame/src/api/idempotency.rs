//! Writing calls that are done once. With an `Idempotency-Key` a second identical call within 24 hours gets the first
//! one's answer. Without one, an identical call of the same session within five seconds does.
//!
//! The key is written in the transaction of the work ([`base::db::Claim`]), and so is the answer: every `POST` ends
//! its work by [`Ctx::commit`] or [`Ctx::keep_answer`], and so do changes by [`super::versioned`]. The answer of
//! another `PUT` or `DELETE` is stored right after its work. So a crash, a time-out or a hang-up at any moment leaves
//! either nothing of the work and a free key, or the work with its answer. If a handler writes several transactions
//! (uploads, imports), the first takes the key and the last stores the answer; if the process ends between the two, a
//! repetition is refused with a text that the work was begun.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Response, StatusCode};
use futures_util::FutureExt;

use super::ctx::Ctx;
use super::error::{self, ApiError};
use crate::access::Viewer;
use base::clock::{DAY, MINUTE, SECOND};
use base::crypto::{self, Keys, Place, place};
use base::db::{Claim, Db, Earlier, Stand};
use base::say::say;

/// The longest key.
const KEY_LENGTH: usize = 100;
/// How long a key is remembered.
const STANDS: i64 = DAY;
/// After this long a request without an answer is over: longer than any call may take.
const RUNS: i64 = 4 * MINUTE;
/// An identical call without a key within this time is the same one.
const SAME_WITHIN: i64 = 5 * SECOND;
/// The prefix of keys of calls that were sent without one: no header that [`claim`] accepts has this character.
const WITHOUT_KEY: &str = "≡";
/// How often a repetition looks for the answer of a call that is under way, and the pauses.
const LOOKS: u32 = 30;
const PAUSE: Duration = Duration::from_millis(100);
/// Keys deleted in one transaction.
const SWEPT: i64 = 2000;

/// The key of a request, with all that identifies the request: the account, the role, the input.
pub fn claim(keys: &Keys, viewer: &Viewer, key: &HeaderValue, parts: &Parts, body: &[u8], now: i64) -> super::Result<Claim> {
    let key = key
        .to_str()
        .ok()
        .filter(|key| !key.is_empty() && key.len() <= KEY_LENGTH)
        .ok_or_else(|| ApiError::Malformed("Idempotency-Key".to_owned()))?;
    Ok(Claim::new(viewer.id, key.to_owned(), request_hash(keys, viewer, parts, body), now, now - STANDS..=i64::MAX))
}

/// The key of a request that was sent without one: the request itself, in its session. A call that another node's
/// clock put into the future counts no longer than one in the past.
pub fn claim_without_key(keys: &Keys, viewer: &Viewer, parts: &Parts, body: &[u8], now: i64) -> Claim {
    let hash = request_hash(keys, viewer, parts, body);
    let key = format!("{WITHOUT_KEY} {} {hash}", viewer.session_id);
    Claim::new(viewer.id, key, hash, now, now - SAME_WITHIN..=now + SAME_WITHIN)
}

/// A hash of the input and the role. Keyed: a body may hold a password, which a plain hash would reveal.
fn request_hash(keys: &Keys, viewer: &Viewer, parts: &Parts, body: &[u8]) -> String {
    let (role, path) = (viewer.role.id.to_string(), parts.uri.path_and_query().map_or("", |path| path.as_str()));
    let request = [parts.method.as_str().as_bytes(), path.as_bytes(), role.as_bytes(), body].join(&b'\n');
    keys.lookup_hash(&format!("request {}", crypto::sha256_hex(&request)))
}

/// Runs a request, unless it was made before. After a refusal the same key may be used again.
pub async fn once(cx: &Ctx, claim: &Arc<Claim>, run: impl Future<Output = super::Result<Response<Body>>>) -> super::Result<Response<Body>> {
    if let Some(earlier) = claim.earlier(cx.db().read()).await? {
        return repeated(cx, claim, earlier).await;
    }
    let outcome = run.await;
    match (claim.stand(), outcome) {
        (Stand::Repeated(earlier), _) => repeated(cx, claim, earlier).await,
        (Stand::Answered, Err(refusal)) => Err(refusal),
        // Free: the request wrote nothing. Held: its work was committed without an answer. Answered: the call may
        // return something else than the stored record, for example a new secret.
        (stand @ (Stand::Free | Stand::Held | Stand::Answered), Ok(response)) => {
            let (parts, body) = response.into_parts();
            // It is in memory already.
            let bytes = axum::body::to_bytes(body, usize::MAX).await.map_err(|error| ApiError::Internal(error.into()))?;
            if matches!(stand, Stand::Answered) && claim.has_answer(&bytes) {
                return Ok(Response::from_parts(parts, Body::from(bytes)));
            }
            // Encrypted: an answer may contain a secret that is shown once.
            let sealed = cx.app.keys.seal(&place_of(claim), &String::from_utf8_lossy(&bytes));
            let kept = keep(&cx.app.db, claim, !matches!(stand, Stand::Free), &sealed).await;
            // The work is done: a repetition gets the information that it was, if not its answer.
            if let Err(error) = kept {
                tracing::error!(request.id = cx.request_id, %error, "the answer of a call with a key was not kept");
            }
            Ok(Response::from_parts(parts, Body::from(bytes)))
        }
        // The work has begun, and it is unknown how far it came.
        (Stand::Held, Err(error @ (ApiError::Internal(_) | ApiError::Unclear(_) | ApiError::Busy | ApiError::Full))) => Err(error),
        (Stand::Held, Err(refusal)) => {
            cx.app.db.transact(|mut tx| async move { claim.release(&mut tx).await }.boxed()).await?;
            Err(refusal)
        }
        // Another call may have done the work meanwhile, and be the reason for this refusal.
        (Stand::Free, Err(refusal)) => match claim.earlier(cx.db().read()).await? {
            Some(earlier) if earlier.answer.is_some() => repeated(cx, claim, earlier).await,
            _ => Err(refusal),
        },
    }
}

/// The place of the sealed answer of a request with a key.
pub(super) fn place_of(claim: &Claim) -> Place {
    place::IDEMPOTENT_ANSWER.of(format!("{} {}", claim.admin_id, claim.key))
}

/// The answer of an earlier request with this key. If that one is under way, waits for its answer.
async fn repeated(cx: &Ctx, claim: &Claim, mut earlier: Earlier) -> super::Result<Response<Body>> {
    if earlier.request_hash != claim.request_hash {
        return Err(ApiError::field("Idempotency-Key", say("该幂等键已用于其他请求", "This idempotency key was used for another request")));
    }
    for _ in 0..LOOKS {
        if earlier.answer.is_some() || cx.now - earlier.at >= RUNS {
            break;
        }
        tokio::time::sleep(PAUSE).await;
        // It was refused meanwhile, so the request may be made again.
        earlier = claim.earlier(cx.db().read()).await?.ok_or(ApiError::Busy)?;
    }
    match earlier.answer {
        Some(sealed) => Ok(error::json(StatusCode::OK, cx.app.keys.open(&place_of(claim), &sealed)?.into_bytes())),
        None if cx.now - earlier.at < RUNS => Err(ApiError::Busy),
        None => Err(ApiError::State(say(
            "该请求已执行过，但结果未能保存，请先查看结果；如需重新执行请更换幂等键",
            "This request was made before, but its result was not saved: check the result first, and use another key to repeat it",
        ))),
    }
}

/// Stores the answer of finished work, with its key if that is not stored yet.
async fn keep(db: &Db, claim: &Claim, held: bool, sealed: &str) -> Result<(), sqlx::Error> {
    db.transact(|mut tx| {
        async move {
            match held {
                true => claim.keep(&mut tx, sealed.to_owned()).await,
                false => claim.insert(&mut tx, Some(sealed.to_owned())).await.map(drop),
            }
        }
        .boxed()
    })
    .await
}

/// Deletes old keys, in small transactions. Returns how many.
pub async fn sweep(db: &Db, now: i64) -> Result<u64, sqlx::Error> {
    db.transact(|mut tx| async move { Claim::forget(&mut tx, now - STANDS, SWEPT).await }.boxed()).await
}
