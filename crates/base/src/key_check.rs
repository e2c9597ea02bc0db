//! Whether the keys belong to the database. A database stores a check value that only its data key opens; a program
//! with another key stops before it changes anything, and none makes a new key for a database with sealed values.
//!
//! The check value is the sealed key of the look-up hashes. When the data key is changed, that key stays, and earlier
//! hashes are still found.

use std::collections::BTreeMap;

use serde_json::Value;
use sqlx::{AssertSqlSafe, Row};

use crate::config::Config;
use crate::crypto::{self, Column, Found, KeyError, Keys, Place, place};
use crate::db::{Connection, Db};

/// The names of `key_check`'s rows.
const DATA: &str = "data";
const SECRET: &str = "secret";
/// Present while the database may hold values that are not bound to a place.
const UNBOUND: &str = "unbound";
/// The lock for writing them.
const LOCK: &str = "key check";

/// Rows sealed again in one transaction.
const BATCH: u32 = 200;

/// The form of sealed values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A single one.
    Text,
    /// A JSON list of them.
    Texts,
    /// A JSON list of objects, one in the field `sealed` of each.
    Objects,
}

/// A column of sealed values, and how many of a table's rows hold one there.
#[derive(Clone, Copy, Debug)]
pub struct SealedColumn {
    pub table: &'static str,
    pub column: &'static str,
    pub holds: Holds,
    /// The condition of the rows, if not all with a value.
    pub only: &'static str,
    /// The id of a row; none if rows live only for a day and need not be sealed again.
    pub id: &'static str,
    /// The place of its values.
    pub bound: Column,
}

const fn sealed(bound: Column) -> SealedColumn {
    SealedColumn { table: bound.table, column: bound.name, holds: Holds::Text, only: "1 = 1", id: "id", bound }
}

/// Every column with results of [`Keys::seal`].
pub const SEALED: &[SealedColumn] = &[
    sealed(place::ADMINISTRATOR_PHONE),
    sealed(place::APPLICANT_ADDRESS),
    sealed(place::APPLICANT_DEVICE),
    sealed(place::APPLICANT_PHONE),
    sealed(place::APPLICANT_NAME),
    sealed(place::APPLICANT_ID_NO),
    sealed(place::BLACKLIST_VALUE),
    sealed(place::CHANNEL_SECRET),
    SealedColumn { column: "old_secret_enc", ..sealed(place::CHANNEL_SECRET) },
    sealed(place::CHAT_CLOSE_NOTE),
    sealed(place::CHAT_CUSTOMER_PHONE),
    sealed(place::CHAT_CUSTOMER_REMARK),
    sealed(place::CHAT_LAST_TEXT),
    sealed(place::CHAT_MESSAGE),
    sealed(place::CHAT_RATING_NOTE),
    sealed(place::CHAT_TRANSFER_NOTE),
    SealedColumn { only: "keys_enc <> ''", ..sealed(place::CHAT_WECHAT_KEYS) },
    sealed(place::CHAT_WECHAT_TOKEN),
    // Addresses of older versions are in clear, and shorter.
    SealedColumn { only: "LENGTH(ip) > 45", ..sealed(place::CONSENT_ADDRESS) },
    sealed(place::EXPORT_ASKED),
    sealed(place::FILE_KEY),
    SealedColumn { only: "key IN ('sms.provider_key')", ..sealed(place::SETTING) },
    SealedColumn { id: "", ..sealed(place::IDEMPOTENT_ANSWER) },
    SealedColumn { only: "receiver_phone_enc <> ''", ..sealed(place::INVOICE_PHONE) },
    SealedColumn { holds: Holds::Objects, id: "org_id", ..sealed(place::ORGANISATION_API_KEYS) },
    SealedColumn { id: "org_id", ..sealed(place::ORGANISATION_API_KEY_PROPOSED) },
    SealedColumn { id: "org_id", ..sealed(place::ORGANISATION_SECRET) },
    SealedColumn { column: "old_secret_enc", id: "org_id", ..sealed(place::ORGANISATION_SECRET) },
    sealed(place::ORGANISATION_PHONE),
    SealedColumn { holds: Holds::Texts, ..sealed(place::ORGANISATION_ALERT_PHONES) },
    sealed(place::OUTBOX_PAYLOAD),
    SealedColumn { only: "bank_account_enc <> ''", ..sealed(place::PAYEE_ACCOUNT) },
    sealed(place::PAYEE_ACCOUNT_PROPOSED),
    SealedColumn { only: "params_enc <> ''", ..sealed(place::PAYEE_CHANNEL_PARAMS) },
    sealed(place::PAYMENT_LINK),
    sealed(place::PAYMENT_NOTICE),
    sealed(place::PAYMENT_ORDER_PAYEE),
    sealed(place::TEAM_PHONE),
    sealed(place::PROJECT_PHONE),
    sealed(place::PUSH_AUTH_URL),
    sealed(place::PUSH_EDITED),
    sealed(place::RISK_DETAIL),
    SealedColumn { id: "admin_id", ..sealed(place::SECOND_FACTOR) },
];

/// Why these keys are refused for this database, in one line.
#[derive(Debug, thiserror::Error)]
pub enum KeyCheckError {
    #[error("the key in {0} is not the one that sealed this database's values; nothing was changed. Restore the right key")]
    OtherDataKey(String),
    #[error("{0} is missing, and the database holds values sealed with it, so no new key is made. Restore it from your copy of the keys")]
    NoDataKey(String),
    #[error(
        "the secret in {0} is not the one that signs this database's tokens. Restore the right one; or, if it was changed on purpose, \
         keep the old one as its second line (LEADLANE_SECRET_OLD), or run `leadlane keys accept-secret`: everyone must log in again"
    )]
    OtherSecret(String),
    #[error(
        "{0} is missing, and the database has tokens signed with it. Restore it from your copy of the keys, or run \
         `leadlane keys accept-secret`: everyone must log in again"
    )]
    NoSecret(String),
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Key(#[from] KeyError),
}

/// How the secret that signs tokens is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// It must be the database's, or the second one must be.
    Known,
    /// Whichever it is, it becomes the database's.
    Accepted,
}

/// Checks whether the keys belong to the database, whatever its schema; changes nothing.
pub async fn ask(db: &Db, config: &Config, found: &Found, secrets: Secrets) -> Result<(), KeyCheckError> {
    let kept = match db.has_table("key_check").await? {
        true => Kept::read(&mut db.read().acquire().await?).await?,
        false => Kept::default(),
    };
    let sealed = match kept.data {
        Some(check) => vec![(place::KEY_CHECK.of(DATA), check)],
        None => samples(db, &db.tables().await?).await?,
    };
    match &found.data {
        None if !sealed.is_empty() => return Err(KeyCheckError::NoDataKey(place(config, Which::Data))),
        // Most of them: a database that was once served with a wrong key holds values of both.
        Some(key) if 2 * sealed.iter().filter(|(place, sealed)| key.opens(place, sealed)).count() < sealed.len() => {
            return Err(KeyCheckError::OtherDataKey(key.place.clone()));
        }
        _ => {}
    }
    match (&kept.secret, &found.secret) {
        _ if secrets == Secrets::Accepted => Ok(()),
        (Some(_), None) => Err(KeyCheckError::NoSecret(crypto::secret_file(config).display().to_string())),
        (Some(known), Some(secret)) if !secret.fingerprints().contains(known) => Err(KeyCheckError::OtherSecret(secret.place.clone())),
        _ => Ok(()),
    }
}

/// The keys, for a command that only reads: nothing is written. They belong to the database, see [`ask`].
pub async fn look(db: &Db, config: &Config, found: Found) -> Result<Option<Keys>, KeyCheckError> {
    let kept = Kept::read(&mut db.read().acquire().await?).await?;
    let Some(mut keys) = found.into_keys() else { return Ok(None) };
    if let Some(check) = kept.data {
        keys.take_hash_key(&check).map_err(|_| KeyCheckError::OtherDataKey(place(config, Which::Data)))?;
    }
    Ok(Some(keys))
}

/// Stores the check values of the keys in a database with the current schema; checks once more, since another node
/// may have been faster, and takes the key of look-up hashes that applies here.
pub async fn settle(db: &Db, config: &Config, keys: &mut Keys, secrets: Secrets, now: i64) -> Result<(), KeyCheckError> {
    let mut tx = db.begin().await?;
    db.lock(&mut tx, LOCK).await?;
    let kept = Kept::read(&mut tx).await?;
    match kept.data {
        Some(check) => keys.take_hash_key(&check).map_err(|_| KeyCheckError::OtherDataKey(place(config, Which::Data)))?,
        None => write(&mut tx, DATA, &keys.sealed_hash_key(), now).await?,
    }
    if kept.unbound {
        keys.read_unbound();
    }
    match kept.secret {
        Some(known) if known == keys.secret_fingerprint() => {}
        Some(known) if !keys.knows_secret(&known) && secrets == Secrets::Known => {
            return Err(KeyCheckError::OtherSecret(place(config, Which::Secret)));
        }
        _ => write(&mut tx, SECRET, keys.secret_fingerprint(), now).await?,
    }
    Ok(tx.commit().await?)
}

/// Seals all values again with the key in use, each for its place: those sealed with the second key, and those of
/// versions that did not bind values to places; in small transactions, while others work. At the end it replaces the
/// check value, so that the second key may be removed; nodes that start from then on do not read unbound values.
/// Returns how many values.
///
/// Stored answers of repeated requests, which live for a day, are left to expire.
pub async fn rotate(db: &Db, keys: &Keys, now: i64) -> Result<u64, RotateError> {
    let mut resealed = 0;
    for column in SEALED.iter().filter(|sealed| !sealed.id.is_empty()) {
        let mut after = 0;
        while let Some(batch) = Batch::read(db, column, after).await? {
            after = batch.last;
            resealed += batch.write(db, keys).await?;
        }
    }
    let mut tx = db.begin().await?;
    db.lock(&mut tx, LOCK).await?;
    write(&mut tx, DATA, &keys.sealed_hash_key(), now).await?;
    sqlx::query("DELETE FROM key_check WHERE name = $1").bind(UNBOUND).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(resealed)
}

/// Why a rotation of the data key has not finished.
#[derive(Debug, thiserror::Error)]
pub enum RotateError {
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("{table}.{column} of the id {id} opens with neither key; nothing after it was sealed anew")]
    Unreadable { table: &'static str, column: &'static str, id: i64 },
}

/// Some rows of a column, in the order of their ids.
struct Batch {
    of: &'static SealedColumn,
    /// For each its id, the identity of its place, and its value.
    rows: Vec<(i64, String, String)>,
    last: i64,
}

impl Batch {
    /// The next rows after an id; none if there are no more.
    async fn read(db: &Db, of: &'static SealedColumn, after: i64) -> Result<Option<Batch>, sqlx::Error> {
        let SealedColumn { table, column, only, id, bound, .. } = of;
        let sql = format!(
            "SELECT {id} AS id, CAST({row} AS TEXT) AS place, {column} AS value FROM {table} WHERE {id} > $1 AND {column} IS NOT NULL AND {only} ORDER BY {id} LIMIT {BATCH}",
            row = bound.row
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(after).fetch_all(db.read()).await?;
        let rows = rows.iter().map(|row| Ok((row.try_get("id")?, row.try_get("place")?, row.try_get("value")?)));
        let rows = rows.collect::<Result<Vec<_>, sqlx::Error>>()?;
        Ok(rows.last().map(|(id, ..)| *id).map(|last| Batch { of, rows, last }))
    }

    /// Writes the values that are not sealed as they would be now, unless they were changed meanwhile.
    async fn write(self, db: &Db, keys: &Keys) -> Result<u64, RotateError> {
        let SealedColumn { table, column, holds, id: key, bound, .. } = *self.of;
        let sql = format!("UPDATE {table} SET {column} = $1 WHERE {key} = $2 AND {column} = $3");
        let mut tx = db.begin().await?;
        let mut resealed = 0;
        for (id, row, before) in self.rows {
            let (mut after, place) = (before.clone(), bound.of(row));
            for sealed in holds.values(&before).iter().filter(|sealed| !sealed.is_empty() && !keys.is_current(&place, sealed)) {
                let text = keys.open(&place, sealed).map_err(|_| RotateError::Unreadable { table, column, id })?;
                after = after.replace(sealed, &keys.seal(&place, &text));
            }
            if after != before {
                let written = sqlx::query(AssertSqlSafe(sql.clone())).bind(after).bind(id).bind(before).execute(&mut *tx).await?;
                resealed += written.rows_affected();
            }
        }
        tx.commit().await?;
        Ok(resealed)
    }
}

#[derive(Default)]
struct Kept {
    data: Option<String>,
    secret: Option<String>,
    unbound: bool,
}

impl Kept {
    async fn read(on: &mut Connection) -> Result<Kept, sqlx::Error> {
        let mut kept = Kept::default();
        for row in sqlx::query("SELECT name, value FROM key_check").fetch_all(on).await? {
            match row.try_get("name")? {
                DATA => kept.data = row.try_get("value")?,
                SECRET => kept.secret = row.try_get("value")?,
                UNBOUND => kept.unbound = true,
                _ => {}
            }
        }
        Ok(kept)
    }
}

async fn write(tx: &mut Connection, name: &str, value: &str, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO key_check (name, value, created_at, updated_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
    )
    .bind(name)
    .bind(value)
    .bind(now)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// The first sealed value of every column that has any, with its place.
async fn samples(db: &Db, tables: &BTreeMap<String, Vec<String>>) -> Result<Vec<(Place, String)>, sqlx::Error> {
    let mut samples = Vec::new();
    for SealedColumn { table, column, holds, only, id, bound } in SEALED {
        if !tables.get(*table).is_some_and(|columns| columns.iter().any(|known| known == column)) {
            continue;
        }
        let order = if id.is_empty() { "created_at" } else { id };
        let sql = format!(
            "SELECT CAST({row} AS TEXT) AS place, {column} AS value FROM {table} WHERE {column} IS NOT NULL AND {column} NOT IN ('', '[]') \
               AND {only} ORDER BY {order} LIMIT 1",
            row = bound.row
        );
        let Some(row) = sqlx::query(AssertSqlSafe(sql)).fetch_optional(db.read()).await? else { continue };
        let place = bound.of(row.try_get::<String, _>("place")?);
        samples.extend(holds.values(row.try_get("value")?).into_iter().next().map(|value| (place, value)));
    }
    Ok(samples)
}

impl Holds {
    /// The sealed values that a column's text holds.
    pub fn values(self, text: &str) -> Vec<String> {
        let texts = |pick: fn(&Value) -> &Value| match serde_json::from_str(text) {
            Ok(Value::Array(list)) => list.iter().filter_map(|one| pick(one).as_str().map(str::to_owned)).collect(),
            _ => Vec::new(),
        };
        match self {
            Holds::Text => vec![text.to_owned()],
            Holds::Texts => texts(|one| one),
            Holds::Objects => texts(|one| &one["sealed"]),
        }
    }
}

enum Which {
    Data,
    Secret,
}

/// The source of a key, for messages.
fn place(config: &Config, which: Which) -> String {
    match which {
        Which::Data if config.data_key.is_some() => "LEADLANE_DATA_KEY".to_owned(),
        Which::Data => crypto::data_file(config).display().to_string(),
        Which::Secret if config.secret.is_some() => "LEADLANE_SECRET".to_owned(),
        Which::Secret => crypto::secret_file(config).display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X2: a column that is missing here is neither checked nor sealed again.
    #[tokio::test]
    async fn every_sealed_column_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::connect(&format!("sqlite:{}", folder.path().join("leadlane.db").display())).await.unwrap();
        crate::db::migrate::run(&db).await.unwrap();
        let tables = db.tables().await.unwrap();
        for (table, column) in tables.iter().flat_map(|(table, columns)| columns.iter().map(move |column| (table, column))) {
            let listed = SEALED.iter().any(|sealed| sealed.table == table && sealed.column == column);
            assert!(listed || !column.ends_with("_enc"), "{table}.{column}");
        }
        for sealed in SEALED {
            let has = |name: &str| tables[sealed.table].iter().any(|column| column == name);
            assert!(sealed.bound.row.contains(' ') || has(sealed.bound.row), "{sealed:?}");
            assert!(has(sealed.column) && (has(sealed.id) || (sealed.id.is_empty() && !has("id"))), "{sealed:?}");
        }
    }

    #[test]
    fn sealed_values_are_found_where_they_stand() {
        assert_eq!(Holds::Text.values("a"), ["a"]);
        assert_eq!(Holds::Texts.values(r#"["a","b"]"#), ["a", "b"]);
        assert_eq!(Holds::Objects.values(r#"[{"fingerprint":"f","sealed":"a"},{"sealed":"b"}]"#), ["a", "b"]);
        assert_eq!(Holds::Objects.values("[]"), [""; 0]);
        assert_eq!(Holds::Texts.values("no JSON"), [""; 0]);
    }
}
