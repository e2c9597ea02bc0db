//! The calls of people on the record of short messages: view one, send it again, give it up, and send a test. Every
//! change is one transaction with its audit row.

use std::sync::Arc;

use futures_util::FutureExt;

use super::kind::SmsKind;
use super::list::TARGET;
use super::model::{SmsRoute, SmsRow, SmsState, SmsTest, SmsVersion};
use super::queue::{NewSms, queue};
use super::store;
use crate::access::Scope;
use crate::access::audit::{self, AuditEntry, Change, Target};
use crate::api::versioned::{self, Versioned};
use crate::api::{ApiError, Body, Check, Ctx, Id, Nothing, Result, say};
use base::canonical;
use base::clock::{self, DAY, HOUR, MINUTE};
use base::crypto;
use base::db::Connection;
use base::locale::Locale;

/// Test messages an hour, and milliseconds between two to one phone.
const TESTS: i64 = 20;
const BETWEEN_TESTS: i64 = MINUTE;
/// A person waits for it.
const TEST_EXPIRES: i64 = 10 * MINUTE;

impl Versioned for SmsRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<SmsRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    /// The fields that people decide on, and the recipient.
    fn diff(before: Option<&SmsRow>, after: Option<&SmsRow>) -> Vec<Change> {
        let mut changes = audit::changes(before, after);
        changes.retain(|change| ["no", "kind", "phoneMask", "state"].contains(&change.field.as_str()));
        changes
    }
}

/// `GET /sms/route`: the destination of messages by the settings.
pub async fn route(cx: Arc<Ctx>, _: Nothing) -> Result<SmsRoute> {
    cx.overseer()?;
    super::route(&cx.app).await
}

/// `GET /sms/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<SmsRow> {
    seen(&cx, id).await
}

/// `GET /sms/history/{id}`.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<AuditEntry>> {
    seen(&cx, id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, id).await?)
}

/// `PUT /sms/again`: sends a message that failed or is in doubt again, with its number. An expired code is refused;
/// other messages are valid for a day from now on.
pub async fn again(cx: Arc<Ctx>, Body(body): Body<SmsVersion>) -> Result<SmsRow> {
    let (body, stamp) = (&body, cx.stamp()?);
    let after = versioned::change(&cx, body.id, body.version, |mut tx, before: &SmsRow| {
        async move {
            open(before)?;
            let expires_at = match before.kind {
                SmsKind::Code if before.expires_at.is_none_or(|at| at <= stamp.at) => {
                    return Err(ApiError::State(say("验证码已失效，请重新获取", "The code has expired: request a new one")));
                }
                SmsKind::Code => before.expires_at,
                _ => Some(stamp.at + DAY),
            };
            store::again(&mut tx, before, expires_at, stamp)
                .await?
                .ok_or_else(|| ApiError::State(say("正在发送，请稍后再试", "The message is being sent: try again in a moment")))
        }
        .boxed()
    })
    .await?;
    cx.app.outbox.wake.notify_one();
    Ok(after)
}

/// `PUT /sms/giveUp`: ends the tries of a message that failed or is in doubt.
pub async fn give_up(cx: Arc<Ctx>, Body(body): Body<SmsVersion>) -> Result<SmsRow> {
    let (body, stamp) = (&body, cx.stamp()?);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &SmsRow| {
        async move {
            open(before)?;
            Ok(store::give_up(&mut tx, before, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// Whether a person has to decide about it.
fn open(row: &SmsRow) -> Result<()> {
    match row.state {
        SmsState::Failed | SmsState::Unconfirmed => Ok(()),
        state => Err(ApiError::State(say(
            format!("短信当前为“{}”，不能重试或放弃", state.label(Locale::Chinese)),
            format!("The message is {}: it can be neither retried nor given up", state.label(Locale::English)),
        ))),
    }
}

/// `POST /sms/test`: sends a test message. Returns its row, which shows its state. 20 an hour altogether, one a
/// minute to a phone.
pub async fn test(cx: Arc<Ctx>, Body(SmsTest { phone }): Body<SmsTest>) -> Result<SmsRow> {
    let (viewer_id, phone) = (cx.overseer()?.id, &canonical::phone_or_text(&phone));
    Check::new().phone("phone", phone).done()?;
    let mut tx = cx.db().begin().await?;
    cx.db().lock(&mut tx, "test messages").await?;
    let (sent, last) = store::sent_since(&mut tx, SmsKind::Test, &cx.app.keys.lookup_hash(phone), cx.now - HOUR).await?;
    if let Some(last) = last.filter(|last| cx.now - last < BETWEEN_TESTS) {
        return Err(too_often((last + BETWEEN_TESTS - cx.now + 999) / 1000));
    }
    if sent >= TESTS {
        return Err(too_often(HOUR / 1000));
    }
    let new = NewSms {
        kind: SmsKind::Test,
        phone,
        params: &[("time", clock::date_time(cx.now))],
        idem_key: &format!("test:{}", crypto::random_text(20)),
        expires_at: cx.now + TEST_EXPIRES,
        created_by: Some(viewer_id),
    };
    let id = queue(&mut tx, &cx.app.keys, &new, cx.now).await?.ok_or(ApiError::Busy)?;
    let row = versioned::created(&cx, tx, id).await?;
    cx.app.outbox.wake.notify_one();
    Ok(row)
}

fn too_often(seconds: i64) -> ApiError {
    let retry_after = seconds.max(1);
    ApiError::TooOften {
        message: say(
            format!("每小时最多 {TESTS} 条测试短信，同一手机号每分钟一条，请 {retry_after} 秒后再试"),
            format!("At most {TESTS} test messages per hour and one per minute to each phone: try again in {retry_after} s"),
        ),
        retry_after,
    }
}

async fn seen(cx: &Ctx, id: i64) -> Result<SmsRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}
