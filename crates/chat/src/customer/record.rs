//! One customer: seen, described, blocked, and their phone number shown.

use std::sync::Arc;

use futures_util::FutureExt;

use super::list::TARGET;
use super::model::{CustomerBody, CustomerRow, CustomerStatus, CustomerStatusChange, RevealedCustomer};
use super::store;
use crate::words::{self, Reveals, Words};
use base::canonical;
use base::crypto::place;
use base::db::Connection;
use base::form_limits;
use base::locale::Locale;
use base::mask;
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Change, Target};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, check_step, say};
use frame::reveal;

form_limits! {
    /// Of a customer.
    customer {
        MOST_TAGS: usize = 20,
        NICKNAME: usize = 32,
        REMARK: usize = 500,
        /// Characters of a tag.
        TAG: usize = 20,
    }
}

impl Versioned for CustomerRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<CustomerRow>, sqlx::Error> {
        store::find(tx, &Reveals::default(), scope, id).await
    }

    /// Changes by staff; actions of the customer are no change of the record.
    fn diff(before: Option<&CustomerRow>, after: Option<&CustomerRow>) -> Vec<Change> {
        let mut changes = audit::changes(before, after);
        changes.retain(|change| ["nickname", "remark", "tags", "status"].contains(&change.field.as_str()));
        changes
    }
}

/// `GET /chat/client/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<CustomerRow> {
    store::find(cx.db().read(), &Reveals::default(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /chat/client/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `PUT /chat/client`.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<CustomerBody>) -> Result<CustomerRow> {
    let mut tags: Vec<String> = Vec::new();
    // Lists show names and tags unmasked, so numbers in them are masked here.
    for tag in body.tags.iter().map(|tag| mask::numbers(&canonical::visible(tag).replace(['"', '\\'], ""))).filter(|tag| !tag.is_empty()) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    let nickname = canonical::visible(&body.nickname).into_owned();
    Check::new()
        .text("nickname", &nickname, 1..=NICKNAME)
        .text("remark", body.remark.trim(), 0..=REMARK)
        .that(
            "tags",
            tags.len() <= MOST_TAGS && tags.iter().all(|tag| tag.chars().count() <= TAG),
            say(format!("最多 {MOST_TAGS} 个标签，每个最多 {TAG} 字"), format!("At most {MOST_TAGS} tags of at most {TAG} characters")),
        )
        .done()?;
    let may_reveal = cx.viewer()?.has(words::POINT);
    let (cx, body, nickname, tags) = (&*cx, &body, &mask::numbers(&nickname), tags.as_slice());
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: CustomerRow = versioned::current(cx, &mut tx, body.id, body.version).await?;
                if before.status == CustomerStatus::Erased {
                    return Err(erased());
                }
                let remark = body.remark.trim();
                // A masked text that comes back masked changes nothing.
                let is_kept = remark == before.remark;
                if !is_kept && store::has_number_in_remark(&mut tx, body.id).await? {
                    if !may_reveal {
                        return Err(ApiError::field(
                            "remark",
                            say("备注中有您看不到的号码，不能修改", "The remark holds numbers that you may not see: it cannot be changed"),
                        ));
                    }
                    if remark.contains('*') {
                        return Err(ApiError::field(
                            "remark",
                            say("请填写完整号码，或删除隐藏的号码", "Write the whole number, or delete the hidden one"),
                        ));
                    }
                }
                let remark = (!is_kept).then(|| Words::of(&cx.app.keys, &place::CHAT_CUSTOMER_REMARK.of(body.id), remark));
                let written = store::write(&mut tx, (body.id, body.version), (nickname, remark, tags), cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /chat/client/status`: blocks a customer, whose messages are refused from then on, or unblocks them.
pub async fn set_status(cx: Arc<Ctx>, Body(body): Body<CustomerStatusChange>) -> Result<CustomerRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: CustomerRow = versioned::current(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, body.status, ("该客户", "customer"))?;
                let written = store::set_status(&mut tx, body.id, body.version, body.status, cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `GET /chat/client/reveal/{id}`: the phone number that a customer has given, and the whole remark about them; written into the
/// trail.
pub async fn reveal(cx: Arc<Ctx>, Id(id): Id) -> Result<RevealedCustomer> {
    let cx = &*cx;
    let row = store::find(cx.db().read(), &Reveals::with(&cx.app.keys), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    if row.status == CustomerStatus::Erased {
        return Err(erased());
    }
    let mut tx = cx.db().begin().await?;
    let opened = |sealed: String| cx.app.keys.open(&place::CHAT_CUSTOMER_PHONE.of(id), &sealed);
    let phone = store::sealed_phone(&mut tx, id).await?.map(opened).transpose().map_err(|error| ApiError::Internal(error.into()))?;
    let remark = words::hidden(row.remark);
    if phone.is_none() && remark.is_none() {
        return Err(ApiError::State(say("该客户未留手机号", "The customer has given no phone number")));
    }
    reveal::written(cx, tx, TARGET.of(id), &[]).await?;
    Ok(RevealedCustomer { phone, remark })
}

/// `DELETE /chat/client/{id}`: deletes a customer's personal data and messages.
pub async fn erase(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: CustomerRow = versioned::hold_as_platform_staff(cx, &mut tx, id).await?;
                if before.status == CustomerStatus::Erased {
                    return Err(erased());
                }
                if before.conversation_status.is_some_and(|status| status != crate::codes::ConversationStatus::Resolved) {
                    return Err(ApiError::State(say("请先结束进行中的会话", "Close the open conversation first")));
                }
                store::erase(&mut tx, &[id], cx.now).await?;
                audit::record(&mut tx, &cx.actor()?, Target { id: Some(id), ..TARGET }, Action::Delete, &[]).await?;
                cx.keep_answer(&mut tx, &()).await
            }
            .boxed()
        })
        .await
}

fn erased() -> ApiError {
    ApiError::State(say("该客户的信息已清除", "The customer's data was deleted"))
}
