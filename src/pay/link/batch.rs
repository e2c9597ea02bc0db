//! An import of payment links: its links are used once a second person approves all of them together. Links of one that is
//! rejected or withdrawn are deleted, so that they can be imported again.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::{Value, json};
use sqlx::Row;

use super::list::TARGET;
use super::model::{LinkBatch, LinkHost};
use super::store::{self, NewLink};
use crate::access::audit::{self, Action, Stamp, Target};
use crate::access::{Scope, ScopeColumns, stamped};
use crate::api::{ApiError, Body, Ctx, Id, Result};
use crate::db::{Connection, Sql, Tx};
use crate::decision::{self, DecisionAction, DecisionForm};
use crate::proposal::{self, Proposal, ProposalKind, ProposalVersion};

/// Proposals of links.
const LINKS: ProposalKind = ProposalKind {
    action: DecisionAction::AddPaymentLinks,
    table: "payment_link_import",
    point: "payConfig/pool-list/audit",
    route: "payConfigPoolList",
    name: ("支付链接", "Payment links"),
};

/// Adds links to an import, which they begin where it is new.
pub(super) async fn grow(tx: &mut Tx, no: &str, added: &[&NewLink], stamp: Stamp) -> Result<()> {
    if added.is_empty() {
        return Ok(());
    }
    let is_new = begin(tx, no, added, stamp).await?;
    let batch = by_number(tx, no).await?;
    match is_new {
        true => proposal::submit(tx, &of(&batch), stamp).await,
        false => proposal::keep(tx, &of(&batch), stamp).await,
    }
}

/// Counts links as an import's; tells whether it is new.
pub(crate) async fn begin(tx: &mut Connection, no: &str, added: &[&NewLink], stamp: Stamp) -> std::result::Result<bool, sqlx::Error> {
    let is_new = sqlx::query(
        "INSERT INTO payment_link_import (no, links, cents, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, 0, 0, $2, $3, $4, $5) ON CONFLICT (no) DO NOTHING",
    )
    .bind(no)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .execute(&mut *tx)
    .await?;
    let cents: i64 = added.iter().filter_map(|link| link.amount_cents).sum();
    sqlx::query("UPDATE payment_link_import SET links = links + $1, cents = cents + $2 WHERE no = $3")
        .bind(i64::try_from(added.len()).unwrap_or(i64::MAX))
        .bind(cents)
        .bind(no)
        .execute(tx)
        .await?;
    Ok(is_new.rows_affected() == 1)
}

/// `GET /payPool/batch/{id}`: what the decider sees of an import.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<LinkBatch> {
    let mut on = cx.db().read().acquire().await?;
    let mut batch = find(&mut on, cx.viewer()?.scope(), Key::Id(id)).await?.ok_or(ApiError::Missing)?;
    batch.hosts = hosts(&mut on, &batch.no).await?;
    Ok(batch)
}

/// `PUT /payPool/batch/audit`: decides on an import.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<LinkBatch> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let batch = held(cx, &mut tx, body.id, body.version).await?;
                proposal::decide(cx, &mut tx, &of(&batch), batch.decision.as_ref(), body).await?;
                match body.approve {
                    true => free(&mut tx, &batch.no, cx.stamp()?).await?,
                    false => discard(&mut tx, &batch.no).await?,
                }
                let approved = json!({ "status": if body.approve { "approved" } else { "rejected" }, "batchNo": batch.no });
                let mut changes = audit::changes(None::<&Value>, Some(&approved));
                changes.extend(proposal::note(body));
                audit::record(&mut tx, &cx.actor()?, target(batch.id), Action::Update, &changes).await?;
                end(cx, &mut tx, &batch).await
            }
            .boxed()
        })
        .await
}

/// `PUT /payPool/batch/withdraw`: takes back an import.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<ProposalVersion>) -> Result<LinkBatch> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let batch = held(cx, &mut tx, body.id, body.version).await?;
                proposal::withdraw(cx, &mut tx, &LINKS, batch.id, batch.decision.as_ref()).await?;
                discard(&mut tx, &batch.no).await?;
                let withdrawn = json!({ "status": "withdrawn", "batchNo": batch.no });
                let changes = audit::changes(None::<&Value>, Some(&withdrawn));
                audit::record(&mut tx, &cx.actor()?, target(batch.id), Action::Update, &changes).await?;
                end(cx, &mut tx, &batch).await
            }
            .boxed()
        })
        .await
}

fn target(id: i64) -> Target {
    Target { kind: LINKS.table, ..TARGET }.of(id)
}

/// An import in the version that is meant, held until the transaction ends.
async fn held(cx: &Ctx, tx: &mut Connection, id: i64, version: i64) -> Result<LinkBatch> {
    let scope = cx.overseer()?.scope();
    sqlx::query("UPDATE payment_link_import SET version = version WHERE id = $1").bind(id).execute(&mut *tx).await?;
    let batch = find(tx, scope, Key::Id(id)).await?.ok_or(ApiError::Missing)?;
    match batch.version == version {
        true => Ok(batch),
        false => Err(ApiError::stale(&batch)),
    }
}

/// Ends a decision on an import: the import as it is now.
async fn end(cx: &Ctx, tx: &mut Tx, batch: &LinkBatch) -> Result<LinkBatch> {
    stamped::touch(tx, LINKS.table, batch.id, batch.version, cx.stamp()?).await?;
    let batch = find(tx, Scope::All, Key::Id(batch.id)).await?.ok_or(ApiError::Missing)?;
    cx.keep_answer(tx, &batch).await?;
    Ok(batch)
}

/// Lets the links of an import be used. The callers have a second person's approval.
pub(crate) async fn free(tx: &mut Connection, no: &str, stamp: Stamp) -> std::result::Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE payment_link SET status = 'free', version = version + 1, updated_at = $1, updated_by = $2 \
         WHERE batch_no = $3 AND status = 'proposed'",
    )
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(no)
    .execute(tx)
    .await
    .map(drop)
}

async fn discard(tx: &mut Connection, no: &str) -> std::result::Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM payment_link WHERE batch_no = $1 AND status = 'proposed'").bind(no).execute(tx).await.map(drop)
}

/// The import with a number.
pub(crate) async fn by_number(tx: &mut Connection, no: &str) -> Result<LinkBatch> {
    find(tx, Scope::All, Key::No(no)).await?.ok_or(ApiError::Missing)
}

#[derive(Clone, Copy)]
enum Key<'k> {
    Id(i64),
    No(&'k str),
}

async fn find(tx: &mut Connection, scope: Scope, key: Key<'_>) -> std::result::Result<Option<LinkBatch>, sqlx::Error> {
    let mut sql = Sql::new(concat!(
        "SELECT b.id, b.no, b.links, b.cents, b.created_at, b.version, a.real_name AS creator_name, ",
        decision::open_columns!(),
        " FROM payment_link_import b LEFT JOIN administrator a ON a.id = b.created_by",
        decision::open_join!("payment_link_import", "b.id"),
        " WHERE 1 = 1"
    ));
    match key {
        Key::Id(id) => sql.push(" AND b.id = ").bind(id),
        Key::No(no) => sql.push(" AND b.no = ").bind(no.to_owned()),
    };
    scope.apply(&mut sql, ScopeColumns::default());
    let row = sql.fetch_optional(tx).await?;
    row.map(|row| {
        Ok(LinkBatch {
            id: row.try_get("id")?,
            no: row.try_get("no")?,
            creator_name: row.try_get("creator_name")?,
            created_at: row.try_get("created_at")?,
            links: row.try_get("links")?,
            cents: row.try_get("cents")?,
            hosts: Vec::new(),
            decision: decision::read(&row)?,
            version: row.try_get("version")?,
        })
    })
    .transpose()
}

/// Where the links of an import lead to that await approval, the most first.
async fn hosts(tx: &mut Connection, no: &str) -> std::result::Result<Vec<LinkHost>, sqlx::Error> {
    let rows: Vec<(String, String)> = sqlx::query_as(
        "SELECT r.url_mask, h.code FROM payment_link r JOIN payee_channel h ON h.id = r.payee_channel_id \
         WHERE r.batch_no = $1 AND r.status = 'proposed'",
    )
    .bind(no)
    .fetch_all(tx)
    .await?;
    let mut found: HashMap<&str, (usize, BTreeSet<&str>)> = HashMap::new();
    for (mask, channel) in &rows {
        let entry = found.entry(store::host(mask)).or_default();
        entry.0 += 1;
        entry.1.insert(channel);
    }
    let mut hosts: Vec<LinkHost> = found
        .into_iter()
        .map(|(host, (links, channels))| LinkHost {
            host: host.to_owned(),
            links,
            channels: channels.into_iter().map(str::to_owned).collect(),
        })
        .collect();
    hosts.sort_by(|one, other| other.links.cmp(&one.links).then_with(|| one.host.cmp(&other.host)));
    Ok(hosts)
}

/// An import as something to be decided on.
pub(crate) fn of(batch: &LinkBatch) -> Proposal<'_> {
    let to = json!({ "no": batch.no, "links": batch.links, "cents": batch.cents });
    Proposal { kind: &LINKS, id: batch.id, record: &batch.no, from: Value::Null, to }
}
