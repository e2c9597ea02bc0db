//! Sending, and closing todos: other areas call this in their own transactions.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::model::{Audience, NewMessage};
use crate::access::role;
use base::db::Connection;
use base::locale::Locale::{Chinese, English};

/// Sends a message: one row, whatever the number of its readers. Returns its id.
pub async fn send(tx: &mut Connection, new: &NewMessage, now: i64) -> Result<i64, sqlx::Error> {
    let (scope, scope_id) = new.audience.columns();
    let query: Map<String, Value> = match &new.link {
        Some(link) => link.query.iter().map(|(name, value)| ((*name).to_owned(), Value::from(value.as_str()))).collect(),
        None => Map::new(),
    };
    let sub_title = |locale| new.sub_title.as_ref().map_or("", |text| text.get(locale));
    sqlx::query_scalar(
        "INSERT INTO message (type, title_zh, title_en, sub_title_zh, sub_title_en, content_zh, content_en, avatar, link_route, link_query, \
         state, biz_type, biz_id, sender_id, scope, scope_id, org_id, publish_at, expires_at, due_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22) RETURNING id",
    )
    .bind(<&str>::from(new.kind))
    .bind(new.title.get(Chinese))
    .bind(new.title.get(English))
    .bind(sub_title(Chinese))
    .bind(sub_title(English))
    .bind(new.content.get(Chinese))
    .bind(new.content.get(English))
    .bind(&new.avatar)
    .bind(new.link.as_ref().map(|link| link.route))
    .bind(Value::Object(query).to_string())
    .bind(new.state.map(<&str>::from))
    .bind(new.biz_type)
    .bind(new.biz_id)
    .bind(new.sender_id)
    .bind(scope)
    .bind(scope_id)
    .bind(new.org_id)
    .bind(new.publish_at)
    .bind(new.expires_at)
    .bind(new.due_at)
    .bind(now)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// Closes the todos about a record on which `by` decided, and sends the decision to the people who requested it, each
/// once, and not to `by`. The audience of `new` is ignored.
pub async fn decided(
    tx: &mut Connection,
    askers: impl IntoIterator<Item = i64>,
    by: i64,
    new: NewMessage,
    now: i64,
) -> Result<(), sqlx::Error> {
    let askers: BTreeSet<i64> = askers.into_iter().filter(|asker| *asker != by).collect();
    if let Some(biz_id) = new.biz_id {
        done(tx, new.biz_type, biz_id, now).await?;
    }
    for asker in askers {
        send(tx, &NewMessage { audience: Audience::Person(asker), ..new.clone() }, now).await?;
    }
    Ok(())
}

/// Sends a message to people who hold a permission point and see everything, one to each of their roles. The audience
/// of `new` is ignored.
pub async fn to_overseers(tx: &mut Connection, point: &str, new: NewMessage, now: i64) -> Result<(), sqlx::Error> {
    for role in role::overseers(tx, point).await? {
        send(tx, &NewMessage { audience: Audience::Role(role), ..new.clone() }, now).await?;
    }
    Ok(())
}

/// Sends a message to people of an organisation who hold a permission point and whose scope includes its subject:
/// `sub_org_id` is the subject's team, if it has one. The audience of `new` is ignored.
pub async fn to_holders(
    tx: &mut Connection,
    point: &str,
    (org_id, sub_org_id): (i64, Option<i64>),
    new: NewMessage,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (roles, people) = role::holders(tx, point, org_id, sub_org_id).await?;
    for audience in roles.into_iter().map(Audience::Role).chain(people.into_iter().map(Audience::Person)) {
        send(tx, &NewMessage { audience, org_id: Some(org_id), ..new.clone() }, now).await?;
    }
    Ok(())
}

/// Closes the to-dos about a record in every message box.
pub async fn done(tx: &mut Connection, biz_type: &str, biz_id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE message SET done_at = $1, updated_at = $2 WHERE biz_type = $3 AND biz_id = $4 AND type = 'todo' AND done_at IS NULL",
    )
    .bind(now)
    .bind(now)
    .bind(biz_type)
    .bind(biz_id)
    .execute(tx)
    .await
    .map(drop)
}
