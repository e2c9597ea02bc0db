//! The table of files.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::record::{StoredFile, stored_file};
use base::clock;
use base::db::{Connection, Db, Sql};

/// The kind of record of a file that is being swept: no real kind.
const DOOMED: &str = "-";

/// A file as stored.
#[derive(Clone, Debug)]
pub struct FileRow {
    pub id: i64,
    pub storage_key: String,
    /// The sealed key of its content; none for a file of an older version, which is in clear.
    pub key_enc: Option<String>,
    /// The place of the second copy while a file of an older version is being encrypted: see [`super::seal`].
    pub spare_key: Option<String>,
    pub name: String,
    pub size: i64,
    pub mime: String,
    pub sha256: String,
    pub biz_type: String,
    /// The record that has taken it.
    pub biz_id: Option<i64>,
    /// None if a customer, who has no account, has sent it.
    pub uploader_id: Option<i64>,
}

const SELECT: &str = "SELECT id, storage_key, key_enc, spare_key, name, size, mime, sha256, biz_type, biz_id, uploader_id FROM file WHERE ";

fn read(row: &AnyRow) -> Result<FileRow, sqlx::Error> {
    Ok(FileRow {
        id: row.try_get("id")?,
        storage_key: row.try_get("storage_key")?,
        key_enc: row.try_get("key_enc")?,
        spare_key: row.try_get("spare_key")?,
        name: row.try_get("name")?,
        size: row.try_get("size")?,
        mime: row.try_get("mime")?,
        sha256: row.try_get("sha256")?,
        biz_type: row.try_get("biz_type")?,
        biz_id: row.try_get("biz_id")?,
        uploader_id: row.try_get("uploader_id")?,
    })
}

/// A file, unless it is being swept.
pub async fn find(db: &Db, id: i64) -> Result<Option<FileRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.push("id = ").bind(id).push(" AND biz_type <> ").bind(DOOMED);
    sql.fetch_optional(db.read()).await?.as_ref().map(read).transpose()
}

/// Writes a new file that no record has taken. Its `id` and `biz_id` are ignored.
pub async fn insert(tx: &mut Connection, file: &FileRow, now: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO file (storage_key, key_enc, sealed_at, name, size, mime, sha256, biz_type, uploader_id, untaken_since, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id",
    )
    .bind(&file.storage_key)
    .bind(&file.key_enc)
    .bind(now)
    .bind(&file.name)
    .bind(file.size)
    .bind(&file.mime)
    .bind(&file.sha256)
    .bind(&file.biz_type)
    .bind(file.uploader_id)
    .bind(now)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// How many files an account has uploaded on this Asia/Shanghai day, and their bytes.
pub async fn today(tx: &mut Connection, uploader_id: i64, now: i64) -> Result<(i64, i64), sqlx::Error> {
    let start = clock::day_start(&clock::day(now).to_string()).unwrap_or(now);
    let row = sqlx::query(
        "SELECT COUNT(*) AS files, CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM file WHERE uploader_id = $1 AND created_at >= $2",
    )
    .bind(uploader_id)
    .bind(start)
    .fetch_one(tx)
    .await?;
    Ok((row.try_get("files")?, row.try_get("bytes")?))
}

/// Files that customers have sent.
#[derive(Clone, Copy, Debug)]
pub enum CustomerFiles<'h> {
    All,
    /// Those of one network, by its hash.
    OfNetwork(&'h str),
    /// Those of one site, by its hash.
    OfSite(&'h str),
}

/// Bytes of such files of this Asia/Shanghai day.
pub async fn customers_today(db: &Db, files: CustomerFiles<'_>, now: i64) -> Result<i64, sqlx::Error> {
    let start = clock::day_start(&clock::day(now).to_string()).unwrap_or(now);
    let mut sql = Sql::new("SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM file WHERE uploader_id IS NULL AND created_at >= ");
    sql.bind(start);
    match files {
        CustomerFiles::All => {}
        CustomerFiles::OfNetwork(hash) => drop(sql.push(" AND network_hash = ").bind(hash.to_owned())),
        CustomerFiles::OfSite(hash) => drop(sql.push(" AND site_hash = ").bind(hash.to_owned())),
    }
    sql.fetch_optional(db.read()).await?.map_or(Ok(0), |row| row.try_get("bytes"))
}

/// Stores the network and the site of a file's sender.
pub async fn set_network(tx: &mut Connection, id: i64, network_hash: &str, site_hash: Option<&str>) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE file SET network_hash = $1, site_hash = $2 WHERE id = $3")
        .bind(network_hash)
        .bind(site_hash)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// The files of a record, in the order of their upload.
pub async fn files_of(tx: &mut Connection, biz_type: &'static str, biz_id: i64) -> Result<Vec<StoredFile>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.push("biz_type = ").bind(biz_type).push(" AND biz_id = ").bind(biz_id).push(" ORDER BY id");
    let rows = sql.fetch_all(tx).await?;
    rows.iter().map(|row| read(row).map(|FileRow { id, name, size, mime, .. }| stored_file(id, name, size, mime))).collect()
}

/// Makes `files` the files of a record, in the transaction that saves it: new ones are taken, and must have been
/// uploaded for this kind of record by `uploader_id`; former ones that are not among them are released. False if one
/// of them cannot be taken: the transaction must then be dropped.
pub async fn settle(
    tx: &mut Connection,
    biz_type: &'static str,
    biz_id: i64,
    files: &[i64],
    uploader_id: i64,
    now: i64,
) -> Result<bool, sqlx::Error> {
    for id in files {
        let taken = sqlx::query(
            "UPDATE file SET biz_id = $1, untaken_since = NULL WHERE id = $2 AND biz_type = $3 \
             AND (biz_id = $4 OR (biz_id IS NULL AND uploader_id = $5))",
        )
        .bind(biz_id)
        .bind(id)
        .bind(biz_type)
        .bind(biz_id)
        .bind(uploader_id)
        .execute(&mut *tx)
        .await?;
        if taken.rows_affected() == 0 {
            return Ok(false);
        }
    }
    let mut sql = Sql::new("UPDATE file SET biz_id = NULL, untaken_since = ");
    sql.bind(now).push(" WHERE biz_type = ").bind(biz_type).push(" AND biz_id = ").bind(biz_id);
    for id in files {
        sql.push(" AND id <> ").bind(*id);
    }
    sql.execute(tx).await?;
    Ok(true)
}

/// Makes a file that a customer has sent for this kind of record a file of the record; false if it cannot be taken.
pub async fn take_from_customer(tx: &mut Connection, biz_type: &'static str, biz_id: i64, file_id: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE file SET biz_id = $1, untaken_since = NULL WHERE id = $2 AND biz_type = $3 AND biz_id IS NULL AND uploader_id IS NULL",
    )
    .bind(biz_id)
    .bind(file_id)
    .bind(biz_type)
    .execute(tx)
    .await
    .map(|taken| taken.rows_affected() == 1)
}

/// Releases the files of some records, which are then swept.
pub async fn release(tx: &mut Connection, biz_type: &'static str, biz_ids: &[i64], now: i64) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new("UPDATE file SET biz_id = NULL, untaken_since = ");
    sql.bind(now).push(" WHERE biz_type = ").bind(biz_type).push(" AND biz_id IN ").ids(biz_ids.iter().copied());
    sql.execute(tx).await.map(drop)
}

/// Marks a file that no record has taken for removal, if it is the uploader's.
pub async fn discard(tx: &mut Connection, id: i64, uploader_id: i64) -> Result<bool, sqlx::Error> {
    let doomed = sqlx::query("UPDATE file SET biz_type = $1 WHERE id = $2 AND uploader_id = $3 AND biz_id IS NULL AND biz_type <> $4")
        .bind(DOOMED)
        .bind(id)
        .bind(uploader_id)
        .bind(DOOMED)
        .execute(tx)
        .await?;
    Ok(doomed.rows_affected() == 1)
}

/// Marks up to `limit` files that no record has taken since `before`, so that none can take them any more. Returns
/// them with those left by an earlier sweep.
pub async fn doom(db: &Db, before: i64, limit: i64) -> Result<Vec<FileRow>, sqlx::Error> {
    let mut tx = db.begin().await?;
    sqlx::query(
        "UPDATE file SET biz_type = $1 WHERE id IN (SELECT id FROM file WHERE untaken_since < $2 AND biz_type <> $3 \
         ORDER BY untaken_since LIMIT $4) AND untaken_since IS NOT NULL",
    )
    .bind(DOOMED)
    .bind(before)
    .bind(DOOMED)
    .bind(limit)
    .execute(&mut *tx)
    .await?;
    let mut sql = Sql::new(SELECT);
    sql.push("biz_type = ").bind(DOOMED).push(" ORDER BY id LIMIT ").bind(limit);
    let rows = sql.fetch_all(&mut *tx).await?;
    tx.commit().await?;
    rows.iter().map(read).collect()
}

/// Some files of older versions after an id that still have to be encrypted, and those whose copy in clear is to be
/// deleted.
pub async fn unsealed(db: &Db, after: i64, limit: i64) -> Result<Vec<(FileRow, Option<i64>)>, sqlx::Error> {
    unsealed_after(after, limit).fetch_all(db.read()).await?.iter().map(|row| Ok((read(row)?, row.try_get("sealed_at")?))).collect()
}

fn unsealed_after(after: i64, limit: i64) -> Sql {
    let mut sql = Sql::new(
        "SELECT id, storage_key, key_enc, spare_key, name, size, mime, sha256, biz_type, biz_id, uploader_id, sealed_at FROM file \
         WHERE (key_enc IS NULL OR spare_key IS NOT NULL) AND id > ",
    );
    sql.bind(after).push(" AND biz_type <> ").bind(DOOMED).push(" ORDER BY id LIMIT ").bind(limit);
    sql
}

/// Stores the place of the encrypted copy of a file before it is made; false if the file was removed.
pub async fn set_spare(tx: &mut Connection, id: i64, spare_key: &str) -> Result<bool, sqlx::Error> {
    let set = sqlx::query("UPDATE file SET spare_key = $1 WHERE id = $2 AND key_enc IS NULL AND biz_type <> $3")
        .bind(spare_key)
        .bind(id)
        .bind(DOOMED)
        .execute(tx)
        .await?;
    Ok(set.rows_affected() == 1)
}

/// Makes the encrypted copy the file, and the one in clear its spare; false if the file was removed.
pub async fn exchange(tx: &mut Connection, file: &FileRow, sealed: (&str, &str), now: i64) -> Result<bool, sqlx::Error> {
    let (storage_key, key_enc) = sealed;
    let exchanged = sqlx::query(
        "UPDATE file SET storage_key = $1, key_enc = $2, sealed_at = $3, spare_key = $4 \
         WHERE id = $5 AND storage_key = $6 AND key_enc IS NULL AND biz_type <> $7",
    )
    .bind(storage_key)
    .bind(key_enc)
    .bind(now)
    .bind(&file.storage_key)
    .bind(file.id)
    .bind(&file.storage_key)
    .bind(DOOMED)
    .execute(tx)
    .await?;
    Ok(exchanged.rows_affected() == 1)
}

/// Clears the place of a second copy that is deleted.
pub async fn forget_spare(tx: &mut Connection, id: i64, spare_key: &str) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE file SET spare_key = NULL WHERE id = $1 AND spare_key = $2").bind(id).bind(spare_key).execute(tx).await.map(drop)
}

/// Deletes a file's row, after its content.
pub async fn forget(db: &Db, id: i64) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    sqlx::query("DELETE FROM file WHERE id = $1").bind(id).execute(&mut *tx).await?;
    tx.commit().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn what_is_to_be_encrypted_is_found_by_an_index() {
        let plan = Plans::open().await.of(unsealed_after(0, 20)).await;
        assert!(plan.contains("file_unsealed") && !plan.contains("TEMP B-TREE"), "{plan}");
    }
}
