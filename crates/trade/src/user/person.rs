//! What other areas read of an applicant: the identity, opened for viewers who may see it, the answers, and the
//! hashes of the blacklist.

use std::collections::HashMap;

use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::model::RevealedUser;
use super::store::SCOPE;
use crate::blacklist::Suspect;
use crate::plan::push::people::withdrawn_at;
use base::crypto::{Column, Keys, place};
use base::db::{self, Connection, Sql};
use base::mask;
use frame::access::Scope;
use frame::places;
use frame::terms::applicant::in_one_form;

/// The answers of an applicant in one form: older rows hold names of cities.
pub(super) fn stored_said(row: &AnyRow) -> Result<Map<String, Value>, sqlx::Error> {
    let mut said = db::json(row, "said")?;
    in_one_form(&mut said);
    Ok(said)
}

/// What the channel of an applicant gets for the application, in fen.
pub async fn channel_cost<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT channel_cost_cents FROM applicant WHERE id = $1").bind(id).fetch_one(on).await
}

/// The name and numbers of an applicant, whole; none after erasure.
pub async fn reveal<'e>(on: impl Executor<'e, Database = Any>, keys: &Keys, id: i64) -> Result<Option<RevealedUser>, anyhow::Error> {
    let row =
        sqlx::query("SELECT no, phone_enc, name_enc, id_no_enc, device_enc FROM applicant WHERE id = $1").bind(id).fetch_one(on).await?;
    revealed(&row, keys)
}

/// The same for several ids, without erased applicants.
pub async fn reveal_all<'e>(
    on: impl Executor<'e, Database = Any>,
    keys: &Keys,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, RevealedUser>, anyhow::Error> {
    let mut sql = Sql::new("SELECT id, no, phone_enc, name_enc, id_no_enc, device_enc FROM applicant WHERE id IN ");
    sql.ids(ids);
    let mut people = HashMap::new();
    for row in sql.fetch_all(on).await? {
        if let Some(person) = revealed(&row, keys)? {
            people.insert(row.try_get("id")?, person);
        }
    }
    Ok(people)
}

/// The applicants among these ids that a viewer of this scope may reveal.
pub(super) async fn revealable<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, ids: &[i64]) -> Result<Vec<i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.phone_enc IS NOT NULL AND u.name_enc IS NOT NULL AND u.id IN ");
    sql.ids(ids.iter().copied());
    scope.apply(&mut sql, SCOPE);
    sql.fetch_all(on).await?.iter().map(|row| row.try_get("id")).collect()
}

fn revealed(row: &AnyRow, keys: &Keys) -> Result<Option<RevealedUser>, anyhow::Error> {
    let no: String = row.try_get("no")?;
    let open = |column: Column| -> Result<Option<String>, anyhow::Error> {
        let sealed: Option<String> = row.try_get(column.name)?;
        Ok(sealed.map(|sealed| keys.open(&column.of(&no), &sealed)).transpose()?)
    };
    let (phone, name) = (open(place::APPLICANT_PHONE)?, open(place::APPLICANT_NAME)?);
    let (id_no, device_id) = (open(place::APPLICANT_ID_NO)?, open(place::APPLICANT_DEVICE)?);
    Ok(phone.zip(name).map(|(phone, name)| RevealedUser { phone, name, id_no, device_id }))
}

/// A text without the name and the numbers of an applicant, which only a reveal shows; none after erasure.
pub async fn without_person<'e>(
    on: impl Executor<'e, Database = Any>,
    keys: &Keys,
    id: i64,
    text: &str,
) -> Result<Option<String>, anyhow::Error> {
    Ok(reveal(on, keys, id).await?.map(|person| person.hidden_in(text)))
}

/// A note about an applicant in its stored form: data that identifies them is masked.
pub async fn kept_note<'e>(on: impl Executor<'e, Database = Any>, keys: &Keys, id: i64, note: &str) -> Result<String, anyhow::Error> {
    Ok(without_person(on, keys, id, note).await?.unwrap_or_else(|| mask::numbers(note)))
}

/// The number, the province and the answers of an applicant; none after erasure.
pub async fn said<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<(String, String, Map<String, Value>)>, sqlx::Error> {
    let row =
        sqlx::query("SELECT no, province, said FROM applicant WHERE id = $1 AND status <> 'erased'").bind(id).fetch_optional(on).await?;
    row.map(|row| Ok((row.try_get("no")?, places::stored_province(&row, "province")?, stored_said(&row)?))).transpose()
}

/// The keyed hashes by which the blacklist names an applicant.
#[derive(Clone, Debug, Default)]
pub struct KnownBy {
    pub phone_hash: String,
    pub id_no_hash: Option<String>,
    pub ip_hash: Option<String>,
    pub device_hash: Option<String>,
}

impl KnownBy {
    /// The query for the blacklist.
    pub fn suspect(&self) -> Suspect<'_> {
        Suspect {
            phone_hash: Some(&self.phone_hash),
            id_no_hash: self.id_no_hash.as_deref(),
            ip_hash: self.ip_hash.as_deref(),
            device_hash: self.device_hash.as_deref(),
        }
    }
}

/// The hashes by which the blacklist names an applicant. For an erased applicant, the phone and the identity number
/// remain.
pub async fn known_by<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<KnownBy>, sqlx::Error> {
    let row = sqlx::query("SELECT phone_hash, id_no_hash, client_ip_hash, device_hash FROM applicant WHERE id = $1")
        .bind(id)
        .fetch_optional(on)
        .await?;
    row.as_ref().map(read_known_by).transpose()
}

pub(super) fn read_known_by(row: &AnyRow) -> Result<KnownBy, sqlx::Error> {
    Ok(KnownBy {
        phone_hash: row.try_get("phone_hash")?,
        id_no_hash: row.try_get("id_no_hash")?,
        ip_hash: row.try_get("client_ip_hash")?,
        device_hash: row.try_get("device_hash")?,
    })
}

/// When an applicant's consents were withdrawn, if none of them holds.
pub async fn consent_withdrawn_at(on: &mut Connection, id: i64) -> Result<Option<i64>, sqlx::Error> {
    const STATEMENT: &str = concat!("SELECT ", withdrawn_at!("u.id"), " FROM applicant u WHERE u.id = $1");
    sqlx::query_scalar(STATEMENT).bind(id).fetch_one(on).await
}
