//! Text messages to the person of a clue: previews, the messages that were sent, and sending through the outbox.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::list::TARGET;
use super::model::ClueRow;
use super::{record, store};
use crate::quota::{self, Quota};
use base::clock::HOUR;
use base::codes;
use base::db::Connection;
use frame::access::audit::{self, Action, Change};
use frame::api::{ApiError, Body, Ctx, Id, Result, say};
use frame::setting::{self, Values};
use frame::sms::{self, NewSms, SmsKind, SmsState};
use trade::user;

codes! {
    /// Which text is sent.
    pub enum ClueText {
        /// First contact.
        Greeting("首次联系", "First contact"),
        /// A call was not answered.
        Missed("未接来电", "Missed call"),
        /// An appointment is confirmed.
        Appointment("约访确认", "Appointment"),
    }
}

impl ClueText {
    fn kind(self) -> SmsKind {
        match self {
            ClueText::Greeting => SmsKind::ClueGreeting,
            ClueText::Missed => SmsKind::ClueMissed,
            ClueText::Appointment => SmsKind::ClueAppointment,
        }
    }
}

/// After this long a message is not sent any more.
const EXPIRES: i64 = 2 * HOUR;
/// Messages shown, at most.
const MOST: i64 = 50;

/// A text that can be sent.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct TextPreview {
    pub template: ClueText,
    pub text: String,
}

/// A message that was sent.
#[derive(Debug, Serialize, FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ClueMessage {
    pub id: i64,
    pub template: ClueText,
    pub text: String,
    pub admin_name: String,
    /// Its state; none once the record of messages was deleted.
    pub state: Option<SmsState>,
    pub at: i64,
}

/// The answer of `GET /crm/getMsg/{id}`.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ClueMessages {
    pub previews: Vec<TextPreview>,
    /// The latest first.
    pub history: Vec<ClueMessage>,
    /// How many may be sent today.
    pub left_today: i64,
    pub opted_out: bool,
}

/// `GET /crm/getMsg/{id}`.
pub async fn preview(cx: Arc<Ctx>, Id(id): Id) -> Result<ClueMessages> {
    use base::codes::Codes as _;
    let clue = record::seen(&cx, id).await?;
    let values = cx.app.settings.values(cx.db()).await?;
    let previews =
        ClueText::ALL.iter().map(|template| TextPreview { template: *template, text: text(&cx, &values, &clue, *template) }).collect();
    let mut on = cx.db().read().acquire().await?;
    let used = quota::used(&mut on, Quota::messages(id), cx.now).await?;
    let (_, phone_hash) = store::person(&mut on, id).await?;
    let opted_out = match phone_hash {
        Some(hash) => store::opted_out(&mut on, clue.org_id, &hash).await?,
        None => false,
    };
    Ok(ClueMessages {
        previews,
        history: sent(&mut on, id).await?,
        left_today: (values.get(&setting::CRM_DAILY_MESSAGES) - used).max(0),
        opted_out,
    })
}

async fn sent(on: &mut Connection, clue_id: i64) -> Result<Vec<ClueMessage>> {
    let rows = sqlx::query(
        "SELECT m.id, m.template, m.text, a.real_name AS admin_name, s.state, m.at FROM clue_sms m JOIN administrator a ON a.id = m.admin_id \
         LEFT JOIN sms_message s ON s.id = m.sms_id WHERE m.clue_id = $1 ORDER BY m.at DESC, m.id DESC LIMIT $2",
    )
    .bind(clue_id)
    .bind(MOST)
    .fetch_all(on)
    .await?;
    Ok(rows.iter().map(ClueMessage::from_row).collect::<std::result::Result<_, _>>()?)
}

/// A message to be sent.
#[derive(Clone, Copy, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct SendForm {
    pub id: i64,
    /// By default the first contact.
    pub template: Option<ClueText>,
}

/// `GET /crm/sendMsg/{id}`: sends the text of a first contact.
pub async fn send_default(cx: Arc<Ctx>, Id(id): Id) -> Result<ClueMessage> {
    send_text(&cx, id, ClueText::Greeting).await
}

/// `POST /crm/sendMsg`.
pub async fn send(cx: Arc<Ctx>, Body(form): Body<SendForm>) -> Result<ClueMessage> {
    send_text(&cx, form.id, form.template.unwrap_or(ClueText::Greeting)).await
}

async fn send_text(cx: &Ctx, id: i64, template: ClueText) -> Result<ClueMessage> {
    let values = cx.app.settings.values(cx.db()).await?;
    let values = &*values;
    cx.db()
        .transact(|mut tx| {
            async move {
                let clue = store::find(&mut **tx, cx.viewer()?.scope(), id, cx.locale).await?.ok_or(ApiError::Missing)?;
                let phone = receiver(cx, &mut tx, &clue).await?;
                let most = values.get(&setting::CRM_DAILY_MESSAGES);
                if !quota::take(&mut tx, Quota::messages(id), Some(most), cx.now).await? {
                    return Err(ApiError::State(say(
                        format!("今天给这条线索的短信已达上限 {most} 条"),
                        format!("Today's limit of {most} text messages for this lead has been reached"),
                    )));
                }
                let message = queue(cx, &mut tx, values, &clue, template, &phone).await?;
                let change = Change { field: "sms".to_owned(), before: None, after: Some(message.text.clone()) };
                audit::record(&mut tx, &cx.actor()?, TARGET.of(id), Action::Other, &[change]).await?;
                cx.keep_answer(&mut tx, &message).await?;
                Ok(message)
            }
            .boxed()
        })
        .await
}

/// The phone for a message of a clue, or why none may be sent.
async fn receiver(cx: &Ctx, tx: &mut Connection, clue: &ClueRow) -> Result<String> {
    if clue.owner_id.is_none() || !clue.stage.is_open() {
        return Err(ApiError::State(say("只能给进行中且有负责人的线索发短信", "Only open leads with an owner can be sent text messages")));
    }
    let (user_id, phone_hash) = store::person(&mut *tx, clue.id).await?;
    if let Some(hash) = phone_hash
        && store::opted_out(&mut *tx, clue.org_id, &hash).await?
    {
        return Err(ApiError::State(say("客户已拒收短信", "The person has opted out of text messages")));
    }
    if user::person::consent_withdrawn_at(&mut *tx, user_id).await?.is_some() {
        return Err(ApiError::State(say(
            "申请人已撤回授权，不能再发短信",
            "The applicant has withdrawn the consent: no text messages may be sent",
        )));
    }
    let person = user::person::reveal(&mut *tx, &cx.app.keys, user_id).await.map_err(ApiError::Internal)?;
    person.map(|person| person.phone).ok_or_else(|| ApiError::State(say("该申请人已注销", "The applicant has been erased")))
}

async fn queue(cx: &Ctx, tx: &mut Connection, values: &Values, clue: &ClueRow, template: ClueText, phone: &str) -> Result<ClueMessage> {
    let (by, now) = (cx.viewer()?, cx.now);
    let text = text(cx, values, clue, template);
    let id: i64 =
        sqlx::query_scalar("INSERT INTO clue_sms (clue_id, admin_id, template, text, at) VALUES ($1, $2, $3, $4, $5) RETURNING id")
            .bind(clue.id)
            .bind(by.id)
            .bind(template)
            .bind(&text)
            .bind(now)
            .fetch_one(&mut *tx)
            .await?;
    let new = NewSms {
        kind: template.kind(),
        phone,
        params: &[("organisation", clue.org_name.clone()), ("name", by.name.clone())],
        idem_key: &format!("clue-sms-{id}"),
        expires_at: now + EXPIRES,
        created_by: Some(by.id),
    };
    let sms_id = sms::queue(&mut *tx, &cx.app.keys, &new, now).await?;
    sqlx::query("UPDATE clue_sms SET sms_id = $1 WHERE id = $2").bind(sms_id).bind(id).execute(&mut *tx).await?;
    sqlx::query("UPDATE clue SET sms_count = sms_count + 1, updated_at = $1 WHERE id = $2")
        .bind(now)
        .bind(clue.id)
        .execute(&mut *tx)
        .await?;
    Ok(ClueMessage { id, template, text, admin_name: by.name.clone(), state: Some(SmsState::Waiting), at: now })
}

/// The text as it is sent: with the organisation's and the salesperson's name.
fn text(cx: &Ctx, values: &Values, clue: &ClueRow, template: ClueText) -> String {
    let name = cx.viewer().map(|viewer| viewer.name.clone()).unwrap_or_default();
    let params = [("organisation".to_owned(), clue.org_name.clone()), ("name".to_owned(), name)].into();
    template.kind().text(values, &params)
}

/// Whether a person wants no text messages.
#[derive(Clone, Copy, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct OptOutForm {
    pub id: i64,
    pub opted_out: bool,
}

/// `PUT /crm/optOut`: stores that the person of a clue wants no text messages of the organisation, or accepts them
/// again.
pub async fn opt_out(cx: Arc<Ctx>, Body(form): Body<OptOutForm>) -> Result<()> {
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let clue = store::find(&mut **tx, cx.viewer()?.scope(), form.id, cx.locale).await?.ok_or(ApiError::Missing)?;
                let (_, phone_hash) = store::person(&mut **tx, clue.id).await?;
                let Some(hash) = phone_hash else { return Err(ApiError::Missing) };
                let written =
                    match form.opted_out {
                        true => sqlx::query(
                            "INSERT INTO clue_opt_out (org_id, phone_hash, admin_id, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
                        )
                        .bind(clue.org_id)
                        .bind(hash)
                        .bind(cx.viewer()?.id)
                        .bind(cx.now)
                        .execute(&mut **tx)
                        .await?,
                        false => {
                            sqlx::query("DELETE FROM clue_opt_out WHERE org_id = $1 AND phone_hash = $2")
                                .bind(clue.org_id)
                                .bind(hash)
                                .execute(&mut **tx)
                                .await?
                        }
                    };
                if written.rows_affected() == 0 {
                    return Ok(());
                }
                let change = Change {
                    field: "optedOut".to_owned(),
                    before: Some((!form.opted_out).to_string()),
                    after: Some(form.opted_out.to_string()),
                };
                Ok(audit::record(&mut tx, &cx.actor()?, TARGET.of(clue.id), Action::Update, &[change]).await?)
            }
            .boxed()
        })
        .await
}
