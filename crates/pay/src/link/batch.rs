//! An import of payment links: its links are used once a second person approves all of them together, which is
//! possible when the import is complete. Links of one that is rejected or withdrawn are deleted, so that they can be
//! imported again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::{Value, json};
use sqlx::Row;

use super::list::TARGET;
use super::model::{LinkBatch, LinkHost, LinkPageQuery, RevealedLink};
use super::store::{self, NewLink};
use base::crypto::place;
use base::db::page::Page;
use base::db::{Connection, Sql, Tx};
use frame::access::audit::{self, Action, Change, Stamp, Target};
use frame::access::{Scope, ScopeColumns, stamped};
use frame::api::{ApiError, Body, Ctx, Id, IdQuery, Result, say};
use frame::decision::{self, DecisionAction, DecisionForm};
use frame::proposal::{self, Proposal, ProposalKind, ProposalVersion};
use frame::reveal;

/// Links of a page that are shown whole.
const PAGE: i64 = 50;
/// A bound above the pages of any import.
const MOST_PAGES: i64 = 10_000;

/// Proposals of links.
const LINKS: ProposalKind = ProposalKind {
    action: DecisionAction::AddPaymentLinks,
    table: "payment_link_import",
    point: "payConfig/pool-list/audit",
    route: "payConfigPoolList",
    name: ("支付链接", "Payment links"),
};

/// Adds links to an import, and starts the import if it is new. Fails if the import was rejected or withdrawn
/// meanwhile.
pub(super) async fn grow(tx: &mut Tx, no: &str, added: &[&NewLink], stamp: Stamp) -> Result<()> {
    if added.is_empty() {
        return Ok(());
    }
    let is_new = begin(tx, no, added, stamp).await?;
    let batch = by_number(tx, no).await?;
    if !is_new && batch.decision.is_none() {
        return Err(ended_meanwhile());
    }
    proposal::keep(tx, &of(&batch), stamp).await
}

/// Submits an import for a decision, when all of its links are stored.
pub(super) async fn finish(tx: &mut Tx, no: &str, stamp: Stamp) -> Result<()> {
    complete(tx, no, stamp).await?;
    // There is no import if all of its links were in the pool already.
    let Some(batch) = find(tx, Scope::All, Key::No(no)).await? else { return Ok(()) };
    match batch.decision {
        Some(_) => proposal::submit(tx, &of(&batch), stamp).await,
        None => Err(ended_meanwhile()),
    }
}

/// Stores the hash of an import's links, which makes it complete.
pub async fn complete(tx: &mut Connection, no: &str, stamp: Stamp) -> std::result::Result<(), sqlx::Error> {
    // The row is locked first, so that no decision comes while its links are read.
    sqlx::query("UPDATE payment_link_import SET version = version + 1, updated_at = $1, updated_by = $2 WHERE no = $3")
        .bind(stamp.at)
        .bind(stamp.admin_id)
        .bind(no)
        .execute(&mut *tx)
        .await?;
    let hash = links_hash(tx, no).await?;
    sqlx::query("UPDATE payment_link_import SET links_hash = $1 WHERE no = $2").bind(hash).bind(no).execute(tx).await.map(drop)
}

/// A hash of the addresses, channels and amounts of the links of an import that await approval.
async fn links_hash(tx: &mut Connection, no: &str) -> std::result::Result<String, sqlx::Error> {
    let mut links: Vec<(String, i64, Option<i64>)> =
        sqlx::query_as("SELECT url_hash, payee_channel_id, amount_cents FROM payment_link WHERE batch_no = $1 AND status = 'proposed'")
            .bind(no)
            .fetch_all(tx)
            .await?;
    links.sort();
    Ok(decision::hash(&links))
}

fn ended_meanwhile() -> ApiError {
    ApiError::State(say("导入期间，这批链接已被驳回或撤回", "The import was rejected or withdrawn while it ran"))
}

/// Adds links to the counts of an import, and creates it if needed. Returns whether it is new.
pub async fn begin(tx: &mut Connection, no: &str, added: &[&NewLink], stamp: Stamp) -> std::result::Result<bool, sqlx::Error> {
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
    sqlx::query("UPDATE payment_link_import SET links = links + $1, cents = cents + $2, version = version + 1 WHERE no = $3")
        .bind(i64::try_from(added.len()).unwrap_or(i64::MAX))
        .bind(cents)
        .bind(no)
        .execute(tx)
        .await?;
    Ok(is_new.rows_affected() == 1)
}

/// `GET /payPool/batch/{id}`: an import for the person who decides on it.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<LinkBatch> {
    let mut on = cx.db().read().acquire().await?;
    let mut batch = find(&mut on, cx.viewer()?.scope(), Key::Id(id)).await?.ok_or(ApiError::Missing)?;
    batch.hosts = hosts(&mut on, &batch.no).await?;
    Ok(batch)
}

/// `GET /payPool/batch/reveal/{id}`: a page of an import's links that await approval, whole. The reveal is recorded
/// first.
pub async fn reveal(cx: Arc<Ctx>, IdQuery(id, query): IdQuery<LinkPageQuery>) -> Result<Page<RevealedLink>> {
    let current = query.current.unwrap_or(1).clamp(1, MOST_PAGES);
    let mut tx = cx.db().begin().await?;
    let batch = find(&mut tx, cx.viewer()?.scope(), Key::Id(id)).await?.ok_or(ApiError::Missing)?;
    let total = sqlx::query_scalar("SELECT COUNT(*) FROM payment_link WHERE batch_no = $1 AND status = 'proposed'")
        .bind(&batch.no)
        .fetch_one(&mut *tx)
        .await?;
    let rows = sqlx::query(
        "SELECT r.id, r.url_hash, r.url_enc, r.amount_cents, h.name AS payee_channel_name, h.code AS payee_channel_code, \
           p.name AS payee_org_name FROM payment_link r JOIN payee_channel h ON h.id = r.payee_channel_id \
         JOIN payee_organisation p ON p.id = h.payee_org_id WHERE r.batch_no = $1 AND r.status = 'proposed' ORDER BY r.id LIMIT $2 OFFSET $3",
    )
    .bind(&batch.no)
    .bind(PAGE)
    .bind((current - 1) * PAGE)
    .fetch_all(&mut *tx)
    .await?;
    let list = rows
        .iter()
        .map(|row| {
            let place = place::PAYMENT_LINK.of(row.try_get::<String, _>("url_hash")?);
            Ok(RevealedLink {
                id: row.try_get("id")?,
                url: cx.app.keys.open(&place, row.try_get("url_enc")?)?,
                amount_cents: row.try_get("amount_cents")?,
                payee_channel_name: row.try_get("payee_channel_name")?,
                payee_channel_code: row.try_get("payee_channel_code")?,
                payee_org_name: row.try_get("payee_org_name")?,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    let seen = |field: &str, value: String| Change { field: field.to_owned(), before: None, after: Some(value) };
    let fields = [seen("batchNo", batch.no.clone()), seen("page", current.to_string())];
    reveal::written(&cx, tx, target(batch.id), &fields).await?;
    Ok(Page { list, total, total_is_exact: true, current, page_size: PAGE, newest: None, totals: None, settled: BTreeMap::new() })
}

/// `PUT /payPool/batch/audit`: decides on an import.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<LinkBatch> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let batch = held(cx, &mut tx, body.id, body.version).await?;
                if body.approve {
                    check_complete(&mut tx, &batch).await?;
                }
                proposal::decide(cx, &mut tx, &of(&batch), batch.decision.as_ref(), body).await?;
                match body.approve {
                    true => free(&mut tx, &batch.no, cx.stamp()?).await?,
                    false => discard(&mut tx, &batch.no).await?,
                }
                let approved = json!({ "status": if body.approve { "approved" } else { "rejected" }, "batchNo": batch.no });
                let mut changes = audit::changes(None::<&Value>, Some(&approved));
                changes.extend(proposal::decided(body));
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
                let mut changes = audit::changes(None::<&Value>, Some(&withdrawn));
                changes.extend(proposal::withdrawn());
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

/// An import in the version that the request names, locked until the transaction ends.
async fn held(cx: &Ctx, tx: &mut Connection, id: i64, version: i64) -> Result<LinkBatch> {
    let scope = cx.overseer()?.scope();
    sqlx::query("UPDATE payment_link_import SET version = version WHERE id = $1").bind(id).execute(&mut *tx).await?;
    let batch = find(tx, scope, Key::Id(id)).await?.ok_or(ApiError::Missing)?;
    match batch.version == version {
        true => Ok(batch),
        false => Err(ApiError::stale(&batch)),
    }
}

/// Refuses an import that is not complete, or whose links differ from the submitted ones.
async fn check_complete(tx: &mut Connection, batch: &LinkBatch) -> Result<()> {
    let Some(submitted) = &batch.links_hash else {
        return Err(ApiError::State(say(
            "导入尚未完成，不能通过；已中断的导入请驳回或撤回后重新导入",
            "The import is not complete and cannot be approved. If it was cut off, reject or withdraw it and import the links again",
        )));
    };
    match *submitted == links_hash(tx, &batch.no).await? {
        true => Ok(()),
        false => Err(ApiError::State(say(
            "链接与提交审核时不一致，请驳回后重新导入",
            "The links differ from those that were submitted: reject the import and import them again",
        ))),
    }
}

/// Ends a decision on an import: the import as it is now.
async fn end(cx: &Ctx, tx: &mut Tx, batch: &LinkBatch) -> Result<LinkBatch> {
    stamped::touch(tx, LINKS.table, batch.id, batch.version, cx.stamp()?).await?;
    let batch = find(tx, Scope::All, Key::Id(batch.id)).await?.ok_or(ApiError::Missing)?;
    cx.keep_answer(tx, &batch).await?;
    Ok(batch)
}

/// Makes the links of an import usable. The caller must have a second person's approval.
pub async fn free(tx: &mut Connection, no: &str, stamp: Stamp) -> std::result::Result<(), sqlx::Error> {
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
pub async fn by_number(tx: &mut Connection, no: &str) -> Result<LinkBatch> {
    find(tx, Scope::All, Key::No(no)).await?.ok_or(ApiError::Missing)
}

#[derive(Clone, Copy)]
enum Key<'k> {
    Id(i64),
    No(&'k str),
}

async fn find(tx: &mut Connection, scope: Scope, key: Key<'_>) -> std::result::Result<Option<LinkBatch>, sqlx::Error> {
    let mut sql = Sql::new(concat!(
        "SELECT b.id, b.no, b.links, b.cents, b.links_hash, b.created_at, b.version, \
         (SELECT COUNT(*) FROM payment_link l WHERE l.batch_no = b.no AND l.amount_cents IS NULL) AS any_amount, a.real_name AS creator_name, ",
        decision::open_columns!("payConfig/pool-list/audit"),
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
            any_amount: row.try_get("any_amount")?,
            is_complete: row.try_get::<Option<&str>, _>("links_hash")?.is_some(),
            links_hash: row.try_get("links_hash")?,
            hosts: Vec::new(),
            decision: decision::read(&row)?,
            version: row.try_get("version")?,
        })
    })
    .transpose()
}

/// The hosts of an import's links that await approval, the most frequent first.
async fn hosts(tx: &mut Connection, no: &str) -> std::result::Result<Vec<LinkHost>, sqlx::Error> {
    let rows: Vec<(String, String)> = sqlx::query_as(
        "SELECT r.url_mask, h.name || ' (' || h.code || ')' FROM payment_link r JOIN payee_channel h ON h.id = r.payee_channel_id \
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

/// An import as a proposal to decide on.
pub fn of(batch: &LinkBatch) -> Proposal<'_> {
    let mut to = json!({ "no": batch.no, "links": batch.links, "cents": batch.cents });
    if let Some(hash) = &batch.links_hash {
        to["linksHash"] = json!(hash);
    }
    Proposal { kind: &LINKS, id: batch.id, record: &batch.no, from: Value::Null, to }
}
