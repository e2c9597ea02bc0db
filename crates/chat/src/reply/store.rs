//! Replies in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, FromRow, Row};

use super::form::Form;
use super::model::{ChatReplyFilters, ChatReplyRow};
use crate::SCOPE;
use crate::codes::ReplyKind;
use base::codes::UseStatus;
use base::db::{Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, stamped};

/// Characters of a content that are its name.
const NAME_LENGTH: usize = 20;

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT r.id, r.kind, r.group_id, g.name AS group_name, r.keyword, r.match_mode, r.shortcut, r.content, r.sort, r.use_count, \
     r.status, r.version, r.created_at, r.updated_at FROM chat_reply r LEFT JOIN chat_group g ON g.id = r.group_id WHERE r.deleted_at IS NULL";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT r.id FROM chat_reply r WHERE r.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &ChatReplyFilters, scope: Scope) {
    sql.and_contains(&["r.content", "r.keyword", "r.shortcut"], filters.keyword.as_deref())
        .and("r.kind = ", filters.kind)
        .and("r.group_id = ", filters.group_id)
        .and("r.status = ", filters.status);
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`], and names it.
pub fn read(row: &AnyRow) -> Result<ChatReplyRow, sqlx::Error> {
    let mut row = ChatReplyRow::from_row(row)?;
    row.name = match row.kind {
        ReplyKind::Keyword => row.keyword.clone(),
        ReplyKind::Quick => format!("/{}", row.shortcut),
        ReplyKind::Welcome | ReplyKind::Default | ReplyKind::OffHours => beginning(&row.content),
    };
    Ok(row)
}

/// The beginning of a text, with an ellipsis where it goes on.
fn beginning(text: &str) -> String {
    let mut characters = text.chars();
    let beginning: String =
        characters.by_ref().take(NAME_LENGTH).map(|character| if character.is_whitespace() { ' ' } else { character }).collect();
    if characters.next().is_some() { beginning + "…" } else { beginning }
}

/// One reply within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<ChatReplyRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// Adds a reply, and returns its id.
pub async fn insert(tx: &mut Connection, form: &Form, stamp: Stamp) -> Result<i64, sqlx::Error> {
    let mut sql = Sql::new(
        "INSERT INTO chat_reply (kind, group_id, keyword, match_mode, shortcut, content, sort, status, created_at, updated_at, created_by, \
           updated_by) VALUES (",
    );
    sql.bind(form.kind).then(form.group_id).then(form.keyword.clone()).then(form.match_mode).then(form.shortcut.clone());
    sql.then(form.content.clone()).then(form.sort).then(UseStatus::Enabled);
    sql.then(stamp.at).then(stamp.at).then(stamp.admin_id).then(stamp.admin_id).push(") RETURNING id");
    sql.fetch_optional(tx).await?.ok_or(sqlx::Error::RowNotFound)?.try_get("id")
}

/// Writes a reply's fields over the given version. Returns whether the reply had that version.
pub async fn write(tx: &mut Connection, id: i64, version: i64, form: &Form, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE chat_reply SET kind = ");
    sql.bind(form.kind).push(", group_id = ").bind(form.group_id).push(", keyword = ").bind(form.keyword.clone());
    sql.push(", match_mode = ").bind(form.match_mode).push(", shortcut = ").bind(form.shortcut.clone());
    sql.push(", content = ").bind(form.content.clone()).push(", sort = ").bind(form.sort);
    stamped::over(sql, id, version, stamp, tx).await
}

#[cfg(test)]
mod tests {
    use super::super::list::Replies;
    use super::*;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Replies>("chatReply");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Replies>(&[]).await;
    }

    #[test]
    fn a_long_content_is_named_by_its_beginning() {
        assert_eq!(beginning("您好\n请稍候"), "您好 请稍候");
        assert_eq!(beginning(&"长".repeat(20)), "长".repeat(20));
        assert_eq!(beginning(&"长".repeat(21)), "长".repeat(20) + "…");
    }
}
