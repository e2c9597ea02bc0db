//! One clue: its page, its history, and the next one that is due.

use std::sync::Arc;

use serde::Deserialize;

use super::list::TARGET;
use super::model::{ClueApplicant, ClueDetail, ClueRow};
use super::store;
use crate::money::{self, MoneyRow};
use crate::new_lead::lead_opened;
use base::db::Sql;
use frame::access::audit::{self, AuditEntry};
use frame::api::{ApiError, Ctx, Id, Query, Result};
use trade::plan::push::edited::{self, Edited};
use trade::user;

/// The clue, if the viewer may see it.
pub async fn seen(cx: &Ctx, id: i64) -> Result<ClueRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id, cx.locale).await?.ok_or(ApiError::Missing)
}

/// `GET /crm/clue/{id}`. Once a person of its scope has opened it, it is not new any more.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ClueDetail> {
    let scope = cx.viewer()?.scope();
    let mut clue = seen(&cx, id).await?;
    if clue.is_new && !scope.is_platforms() {
        lead_opened(cx.db(), id).await?;
        clue.is_new = false;
    }
    let on = cx.db().read();
    let (user_id, phone_hash) = store::person(on, id).await?;
    let sale = match clue.push_id {
        Some(push_id) => store::sale(on, push_id).await?,
        None => None,
    };
    let (push_no, sold_at, price_cents) = sale.map_or((None, None, None), |(no, sold_at, price)| (Some(no), sold_at, Some(price)));
    let (same_person, opted_out) = match phone_hash {
        Some(hash) => (store::same_person(on, scope, clue.org_id, &hash, id).await?, store::opted_out(on, clue.org_id, &hash).await?),
        None => (Vec::new(), false),
    };
    Ok(ClueDetail {
        applicant: applicant(&cx, user_id, clue.push_id).await?,
        push_no,
        sold_at,
        price_cents,
        follows: store::follows(on, id).await?,
        owners: store::owners(on, id).await?,
        same_person,
        opted_out,
        clue,
    })
}

/// The applicant's answers, or the edited ones of a push; without data that identifies them.
pub(super) async fn applicant(cx: &Ctx, user_id: i64, push_id: Option<i64>) -> Result<ClueApplicant> {
    let user = user::find(cx.db().read(), frame::access::Scope::All, user_id).await?.ok_or(ApiError::Missing)?;
    let said = user::person::said(cx.db().read(), user_id).await?;
    if let (Some(_), Some(Edited { province, said, .. })) = (&said, edited(cx, cx.db().read(), push_id).await?) {
        let number = |field: &str| said.get(field).and_then(serde_json::Value::as_i64);
        return Ok(ClueApplicant {
            consent_withdrawn_at: user.consent_withdrawn_at,
            erased: false,
            sex: said.get("sex").and_then(serde_json::Value::as_str).map(str::to_owned),
            age: number("age"),
            province,
            amount_cents: number("applyAmountCents"),
            product_name: user.product_name,
            applied_at: user.created_at,
            said,
        });
    }
    Ok(ClueApplicant {
        consent_withdrawn_at: user.consent_withdrawn_at,
        erased: said.is_none(),
        said: said.map(|(_, _, said)| said).unwrap_or_default(),
        sex: user.sex,
        age: user.age,
        province: user.province,
        amount_cents: user.amount_cents,
        product_name: user.product_name,
        applied_at: user.created_at,
    })
}

/// The edited answers of a push, if it has any.
pub(super) async fn edited<'e>(
    cx: &Ctx,
    on: impl sqlx::Executor<'e, Database = sqlx::Any>,
    push_id: Option<i64>,
) -> Result<Option<Edited>> {
    match push_id {
        Some(id) => edited::of(on, &cx.app.keys, id).await.map_err(ApiError::Internal),
        None => Ok(None),
    }
}

/// `GET /crm/clue/history/{id}`.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<AuditEntry>> {
    seen(&cx, id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, id).await?)
}

/// `GET /crm/clue/money/{id}`: the money of a clue, within the viewer's scope of money.
pub async fn money(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<MoneyRow>> {
    seen(&cx, id).await?;
    Ok(money::of_clue(cx.db().read(), cx.viewer()?.scope(), id).await?)
}

/// The clue after which the next is requested.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NextQuery {
    /// The id of the present clue, which is left out.
    pub after: Option<i64>,
}

/// `GET /crm/clue/next`: the viewer's own open clue whose contact is due first. A clue without a first follow-up counts
/// as due when its first response is due. None if nothing is due today.
pub async fn next(cx: Arc<Ctx>, Query(query): Query<NextQuery>) -> Result<Option<i64>> {
    let viewer = cx.viewer()?;
    let end_of_day = base::clock::start(base::clock::day(cx.now)) + base::clock::DAY;
    let due = |after: Option<(i64, i64)>| {
        let mut sql = Sql::new("SELECT k.id FROM clue k WHERE k.stage NOT IN ('disbursed', 'invalid', 'lost') AND k.owner_id = ");
        sql.bind(viewer.id).push(" AND (k.next_follow_at < ").bind(end_of_day);
        sql.push(" OR (k.next_follow_at IS NULL AND k.first_follow_at IS NULL))").and("k.id <> ", query.after);
        if let Some((moment, id)) = after {
            sql.push(" AND (COALESCE(k.next_follow_at, k.response_due_at, 0) > ").bind(moment);
            sql.push(" OR (COALESCE(k.next_follow_at, k.response_due_at, 0) = ").bind(moment).push(" AND k.id > ").bind(id).push("))");
        }
        sql.push(" ORDER BY COALESCE(k.next_follow_at, k.response_due_at, 0), k.id LIMIT 1");
        sql
    };
    // Looks after the given clue, and after the last one starts again at the first.
    let at = match query.after {
        Some(id) => seen(&cx, id).await.ok().map(|clue| (clue.next_follow_at.or(clue.response_due_at).unwrap_or(0), id)),
        None => None,
    };
    let mut row = due(at).fetch_optional(cx.db().read()).await?;
    if row.is_none() && at.is_some() {
        row = due(None).fetch_optional(cx.db().read()).await?;
    }
    Ok(row.map(|row| sqlx::Row::try_get(&row, "id")).transpose()?)
}
