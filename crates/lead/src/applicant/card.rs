//! The application of a customer of the chat, beside the conversation: when it was made, who bought the lead, and when the buyer plans
//! to be in touch.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use chat::conversation::model::ThreadQuery;
use frame::api::{ApiError, Ctx, Query, Result};
use trade::plan::push::model::{PushRow, PushStatus};
use trade::plan::push::rows as pushes;
use trade::user;
use trade::user::model::UserStatus;

/// Most sales on a card.
const MOST_SALES: usize = 5;

/// The latest application from the phone number of a customer. Nothing in it identifies the applicant.
#[derive(Debug, Serialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ApplicationCard {
    pub user_id: i64,
    /// The number of the applicant.
    pub no: String,
    pub status: UserStatus,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// The sales of the lead within the viewer's scope, the latest first, at most five. None if no code has proved the number and the
    /// viewer sees no deliveries: with the number of another person, a visitor could learn who bought that person's lead.
    pub sales: Option<Vec<ApplicationSale>>,
}

/// A sale of a lead.
#[derive(Debug, Serialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ApplicationSale {
    pub push_id: i64,
    pub org_name: String,
    /// Epoch milliseconds.
    pub sold_at: i64,
    /// The buyer has returned the lead.
    pub returned: bool,
    /// Epoch milliseconds; null: the buyer plans no contact.
    pub next_contact_at: Option<i64>,
}

/// `GET /chat/application`: the card of a conversation; none for the id 0, without a phone number, and without an application from it.
pub async fn view(cx: Arc<Ctx>, Query(query): Query<ThreadQuery>) -> Result<Option<ApplicationCard>> {
    if query.id == 0 {
        return Ok(None);
    }
    let Some((user_id, proved)) = chat::conversation::applicant_of(&cx, query.id).await? else { return Ok(None) };
    of_applicant(&cx, user_id, proved).await
}

/// The card of an applicant in the viewer's scope; `proved` says whether the person in the chat has proved to have the phone.
pub async fn of_applicant(cx: &Ctx, user_id: i64, proved: bool) -> Result<Option<ApplicationCard>> {
    let applicant = match user::seen(cx, user_id).await {
        Ok(applicant) => applicant,
        Err(ApiError::Missing) => return Ok(None),
        Err(error) => return Err(error),
    };
    let sales = match proved || cx.viewer()?.has("plan/push-list/view") {
        true => Some(sales_of(cx, user_id).await?),
        false => None,
    };
    Ok(Some(ApplicationCard { user_id, no: applicant.no, status: applicant.status, created_at: applicant.created_at, sales }))
}

async fn sales_of(cx: &Ctx, user_id: i64) -> Result<Vec<ApplicationSale>> {
    let on = cx.db().read();
    let mut sold = pushes::of_user_within(on, cx.viewer()?.scope(), user_id).await?;
    sold.retain(|push| push.sold_at.is_some());
    sold.reverse();
    sold.truncate(MOST_SALES);
    let ids: Vec<i64> = sold.iter().map(|push| push.id).collect();
    let planned = crm::next_contacts(on, &ids).await?;
    let sale = |push: PushRow| ApplicationSale {
        push_id: push.id,
        org_name: push.org_name,
        sold_at: push.sold_at.unwrap_or(push.created_at),
        returned: push.status == PushStatus::Returned,
        next_contact_at: planned.get(&push.id).copied(),
    };
    Ok(sold.into_iter().map(sale).collect())
}
