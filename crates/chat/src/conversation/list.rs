//! The list of conversations: a page of it, all of it as a file.

use std::sync::Arc;

use sqlx::any::AnyRow;

use super::model::{ConversationBox, ConversationFilters, ConversationRow, ConversationState};
use super::store;
use crate::access::{ChatAccess, access_of};
use crate::codes::{ConversationStatus, CustomerSource, PhoneState};
use crate::customer::model::phone_text;
use crate::targets::due;
use base::clock::MINUTE;
use base::crypto::Keys;
use base::db::Sql;
use base::db::page::Page;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Cell, Columns, Exported, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::{Ctx, Exporting, ListQuery, Listing, Result, WholeNumber, hash_phone, listing, say};

/// Conversations in the audit trail.
pub const TARGET: Target = Target { module: Module::Conversation, kind: "chat_conversation", id: None };

/// The list of conversations.
pub struct Conversations;

impl Listing for Conversations {
    type Filters = ConversationFilters;
    type Row = ConversationRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const IDS_FIRST: bool = true;

    fn conceal(filters: &mut ConversationFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.phone_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &ConversationFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    /// Numbers in texts are masked, because this function has no viewer.
    fn read(row: &AnyRow, _: Locale) -> std::result::Result<ConversationRow, sqlx::Error> {
        store::read(row, &ChatAccess::default())
    }
}

/// The list of the queued conversations.
pub const QUEUED: &str = "/chat/conversation?box=unassigned";

/// For the workplace: conversations past their target for viewers who see all groups, the viewer's customers who wait for an answer, and
/// the queued conversations that the viewer sees. Returns whether the viewer answers customers, but gets none.
pub async fn open_work(cx: &Ctx, work: &mut OpenWork<'_>) -> Result<bool> {
    const POINT: &str = "chat/conversation/send";
    const ALL: &str = "chat/conversation/all";
    let viewer = cx.viewer()?;
    if !viewer.has(POINT) && !viewer.has(ALL) {
        return Ok(false);
    }
    let access = access_of(cx).await?;
    let overdue = ConversationFilters { access: access.clone(), state: Some(ConversationState::Overdue), ..ConversationFilters::default() };
    work.add::<Conversations>(
        overdue,
        Queue {
            point: ALL,
            title: say("超过时限的会话", "Conversations past their target"),
            action: QueueAction::View,
            href: "/chat/conversation?state=overdue",
            since: due!(),
            cents: None,
            within: 0,
        },
    );
    if !viewer.has(POINT) {
        return Ok(false);
    }
    if access.staff.is_none() {
        return Ok(false);
    }
    let is_offline = access.is_offline(cx.now);
    let mine = ConversationFilters {
        access: access.clone(),
        box_of: Some(ConversationBox::Mine),
        state: Some(ConversationState::Waiting),
        ..ConversationFilters::default()
    };
    work.add::<Conversations>(
        mine,
        Queue {
            point: POINT,
            title: say("等待您回复的客户", "Customers waiting for your answer"),
            action: QueueAction::Answer,
            href: "/chat/conversation?box=mine&state=waiting",
            since: "c.waiting_since",
            cents: None,
            within: 10 * MINUTE,
        },
    );
    let queued = ConversationFilters { access, box_of: Some(ConversationBox::Unassigned), ..ConversationFilters::default() };
    work.add::<Conversations>(
        queued,
        Queue {
            point: POINT,
            title: say("排队中的会话", "Queued conversations"),
            action: QueueAction::Answer,
            href: QUEUED,
            since: "COALESCE(c.waiting_since, c.created_at)",
            cents: None,
            within: 10 * MINUTE,
        },
    );
    Ok(is_offline)
}

impl Exporting for Conversations {
    fn sheet() -> Sheet<ConversationRow> {
        Sheet {
            target: TARGET,
            title: say("会话", "Conversations"),
            columns: Columns::<ConversationRow>::of("conversation")
                .text("customerName")
                .cell("phoneMask", |row, locale| Cell::text(phone_text(&row.phone_mask, row.phone_state, locale)))
                .code::<PhoneState>("phoneState")
                .time("phoneVerifiedAt")
                .code::<CustomerSource>("source")
                .text("groupName")
                .text("staffName")
                .code::<ConversationStatus>("status")
                .number("priority")
                .number("unread")
                .time("waitingSince")
                .time("firstReplyAt")
                .time("dueAt")
                .time("lastMessageAt")
                .text("lastText")
                .number("rating")
                .text("ratingNote")
                .text("closeNote")
                .text("closedByName")
                .time("closedAt")
                .time("createdAt")
                .all(),
        }
    }
}

/// `POST /chat/user/page`: conversations that the viewer sees.
pub async fn page(cx: Arc<Ctx>, mut query: ListQuery<ConversationFilters>) -> Result<Page<ConversationRow>> {
    complete(&cx, &mut query).await?;
    listing::page::<Conversations>(cx, query).await
}

/// `POST /chat/user/page/export`.
pub async fn export(cx: Arc<Ctx>, mut query: ListQuery<ConversationFilters>) -> Result<Exported> {
    complete(&cx, &mut query).await?;
    listing::export::<Conversations>(cx, query).await
}

/// Adds the viewer's access to the filters. Leaves out closed conversations unless a status, a customer, a rating or a
/// date is filtered.
async fn complete(cx: &Ctx, query: &mut ListQuery<ConversationFilters>) -> Result<()> {
    let filters = &mut query.filters;
    filters.access = access_of(cx).await?;
    let any = filters.status.is_some() || filters.customer_id.is_some() || filters.rating.is_some() || filters.created_from.is_some();
    if !any {
        filters.state.get_or_insert(ConversationState::Current);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Conversations>(&["waitingSince", "rating"]).await;
    }

    #[test]
    fn columns_have_headings() {
        columns_are_fields::<Conversations>("conversation");
    }
}
