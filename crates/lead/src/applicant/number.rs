//! A number in a message of the chat: who has applied with this phone, or under the number of an applicant or of a delivery.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::card::{self, ApplicationCard};
use base::canonical;
use chat::conversation::{MESSAGE, applicant_of, customers_message};
use frame::api::{ApiError, Check, Ctx, IdQuery, Result, say};
use trade::plan::push::rows as pushes;
use trade::user::list as users;

/// The most characters of a number.
const LONGEST: i64 = 40;

/// The place of a number in a message. The number itself is not sent: the page may show it masked.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct NumberPlace {
    /// Characters before it.
    pub from: i64,
    /// Its characters.
    pub length: i64,
}

/// What a number in a message leads to.
#[derive(Debug, Serialize, JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct FoundByNumber {
    /// None: no applicant in the viewer's scope has it.
    pub card: Option<ApplicationCard>,
    /// The page of the delivery or of the applicant, for viewers who may open it.
    pub address: Option<String>,
}

/// `GET /chat/number/{id}?from=&length=`, by message: counted and written to the audit trail as a search by the number is.
pub async fn find(cx: Arc<Ctx>, IdQuery(id, place): IdQuery<NumberPlace>) -> Result<FoundByNumber> {
    let (cx, viewer) = (&*cx, cx.viewer()?);
    let (conversation_id, message) = customers_message(cx, id).await?;
    Check::new().range("from", place.from, 0..=MESSAGE as i64).range("length", place.length, 1..=LONGEST).done()?;
    let text: String = message.chars().skip(place.from as usize).take(place.length as usize).collect();
    let (mut user_id, mut push_id) = (None, None);
    if let Some(phone) = canonical::phone(&text) {
        user_id = users::latest_of_phone(cx, phone).await?;
    } else {
        let no = text.to_ascii_uppercase();
        if no.starts_with("PS") {
            users::count_number(cx, &no).await?;
            if let Some(push) = pushes::with_number(cx.db().read(), viewer.scope(), &no).await? {
                (user_id, push_id) = (push.user_id, Some(push.id));
            }
        } else if no.starts_with('U') {
            user_id = users::with_number(cx, &no).await?;
        } else {
            return Err(ApiError::field("from", say("不是手机号或编号", "Neither a phone nor a number of a record")));
        }
    }
    let card = match user_id {
        Some(user_id) => {
            let proved = applicant_of(cx, conversation_id).await?.is_some_and(|(id, proved)| id == user_id && proved);
            card::of_applicant(cx, user_id, proved).await?
        }
        None => None,
    };
    let address = match (push_id, &card) {
        (Some(id), _) if viewer.has("plan/push-list/view") => Some(format!("/plan/push-list/{id}")),
        (_, Some(card)) if viewer.has("user/list/view") => Some(format!("/user/list/{}", card.user_id)),
        _ => None,
    };
    Ok(FoundByNumber { card, address })
}
