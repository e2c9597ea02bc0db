//! Adds the keyed hashes of phones, by which lists find them, to rows that were stored without them.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::{AssertSqlSafe, Row};
use tokio_util::sync::CancellationToken;

use base::clock;
use base::crypto::{Column, Keys, place};
use frame::api::App;
use trade::org;

/// Rows of one transaction: few, since other writers wait meanwhile; and the pause after it.
const BATCH: i64 = 200;
const PAUSE: Duration = Duration::from_millis(50);
/// How often the tables are searched: nodes of the previous version still write rows without a hash.
const EVERY: Duration = Duration::from_secs(600);

/// The content of a column.
#[derive(Clone, Copy)]
enum Holds {
    Phone,
    /// A JSON list of phones, each encrypted.
    Phones,
}

/// The encrypted phones and the columns of their hashes.
const PHONES: &[(Column, &str, Holds)] = &[
    (place::TEAM_PHONE, "phone_hash", Holds::Phone),
    (place::INVOICE_PHONE, "receiver_phone_hash", Holds::Phone),
    (place::ORGANISATION_ALERT_PHONES, "alert_phone_hashes", Holds::Phones),
];

impl Holds {
    /// The value of a row without phones.
    fn nothing(self) -> &'static str {
        match self {
            Holds::Phone => "",
            Holds::Phones => "[]",
        }
    }

    /// The hashes of a row's phones, as stored.
    fn hashes(self, keys: &Keys, column: Column, id: i64, text: &str) -> anyhow::Result<String> {
        let open = |text: &str| keys.open(&column.of(id), text);
        match self {
            Holds::Phone => Ok(keys.lookup_hash(&open(text)?)),
            Holds::Phones => {
                let sealed: Vec<String> = serde_json::from_str(text)?;
                let phones = sealed.iter().map(|one| open(one)).collect::<Result<Vec<String>, _>>()?;
                Ok(org::alert_phone_hashes(keys, &phones))
            }
        }
    }
}

/// Adds missing hashes until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(EVERY, stop.clone(), async || {
        if let Err(error) = add_missing(&app, &stop).await {
            tracing::error!(%error, "hashes of phones could not be added");
        }
    })
    .await;
}

/// Adds the hashes that are missing, and returns how many. An interrupted run is continued by the next.
pub async fn add_missing(app: &App, stop: &CancellationToken) -> Result<u64, sqlx::Error> {
    let mut count = 0;
    for phones in PHONES {
        let mut after = Some(0);
        while let Some(id) = after
            && !stop.is_cancelled()
        {
            let (last, added) = add_some(app, *phones, id).await?;
            (after, count) = (last, count + added);
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(count)
}

/// Adds some hashes after an id. Returns the id to continue from, none at the end, and how many were added.
async fn add_some(app: &App, (sealed, hash, holds): (Column, &str, Holds), after: i64) -> Result<(Option<i64>, u64), sqlx::Error> {
    let Column { table, name, .. } = sealed;
    let select = format!("SELECT id, {name} AS sealed FROM {table} WHERE {hash} IS NULL AND {name} <> $1 AND id > $2 ORDER BY id LIMIT $3");
    let rows = sqlx::query(AssertSqlSafe(select)).bind(holds.nothing()).bind(after).bind(BATCH).fetch_all(app.db.read()).await?;
    let mut hashes = Vec::new();
    let mut last = None;
    for row in &rows {
        let (id, text): (i64, String) = (row.try_get("id")?, row.try_get("sealed")?);
        last = Some(id);
        match holds.hashes(&app.keys, sealed, id, &text) {
            Ok(hash) => hashes.push((id, text, hash)),
            Err(error) => tracing::error!(table, id, %error, "a phone could not be decrypted"),
        }
    }
    let (update, hashes) = (&format!("UPDATE {table} SET {hash} = $1 WHERE id = $2 AND {name} = $3 AND {hash} IS NULL"), &hashes);
    let added = app
        .db
        .transact(|mut tx| {
            async move {
                let mut added = 0;
                for (id, text, hash) in hashes {
                    let update = sqlx::query(AssertSqlSafe(update.clone())).bind(hash).bind(id).bind(text);
                    added += update.execute(&mut **tx).await?.rows_affected();
                }
                Ok::<_, sqlx::Error>(added)
            }
            .boxed()
        })
        .await?;
    Ok((last, added))
}
