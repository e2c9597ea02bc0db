//! Lists and their items in the database.

use std::collections::{BTreeMap, HashMap, HashSet};

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::model::{DictItemEdit, DictItemRow, DictOption, DictStatus, DictTypeEdit, DictTypeRow, NewDictItem, NewDictType};
use crate::access::audit::Stamp;
use crate::api::{Say, say};
use crate::terms::applicant::Field;
use crate::terms::choices::FieldChoice;
use base::db::{self, Connection, Db, Sql};
use base::locale::Locale;

/// The most items of a list that are offered as choices.
const MOST_OPTIONS: i64 = 500;
/// The most lists that the screen of items shows.
const MOST_TYPES: i64 = 500;

pub const SELECT_TYPES: &str = "SELECT t.id, t.code, t.name_zh, t.name_en, t.remark, t.builtin, t.sort, t.version, t.created_at, t.updated_at, \
     (SELECT COUNT(*) FROM dict_item i WHERE i.type_id = t.id) AS items FROM dict_type t WHERE 1 = 1";
pub const COUNT_TYPES: &str = "SELECT t.id FROM dict_type t WHERE 1 = 1";
pub const SELECT_ITEMS: &str = "SELECT i.id, i.type_id, t.code AS type_code, i.value, i.label_zh, i.label_en, i.sort, i.tag_color, i.is_default, \
     i.builtin, i.status, i.version, i.created_at, i.updated_at FROM dict_item i JOIN dict_type t ON t.id = i.type_id WHERE 1 = 1";
pub const COUNT_ITEMS: &str = "SELECT i.id FROM dict_item i JOIN dict_type t ON t.id = i.type_id WHERE 1 = 1";

/// Reads a row of [`SELECT_TYPES`].
pub fn read_type(row: &AnyRow) -> Result<DictTypeRow, sqlx::Error> {
    Ok(DictTypeRow {
        id: row.try_get("id")?,
        code: row.try_get("code")?,
        name_zh: row.try_get("name_zh")?,
        name_en: row.try_get("name_en")?,
        remark: row.try_get("remark")?,
        builtin: db::flag(row, "builtin")?,
        sort: row.try_get("sort")?,
        items: row.try_get("items")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// Reads a row of [`SELECT_ITEMS`].
pub fn read_item(row: &AnyRow) -> Result<DictItemRow, sqlx::Error> {
    Ok(DictItemRow {
        id: row.try_get("id")?,
        type_id: row.try_get("type_id")?,
        type_code: row.try_get("type_code")?,
        value: row.try_get("value")?,
        label_zh: row.try_get("label_zh")?,
        label_en: row.try_get("label_en")?,
        sort: row.try_get("sort")?,
        tag_color: db::code(row, "tag_color")?,
        is_default: db::flag(row, "is_default")?,
        builtin: db::flag(row, "builtin")?,
        status: db::code(row, "status")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// All lists in order.
pub async fn types(db: &Db) -> Result<Vec<DictTypeRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT_TYPES);
    sql.push(" ORDER BY t.sort, t.id LIMIT ").bind(MOST_TYPES);
    sql.fetch_all(db.read()).await?.iter().map(read_type).collect()
}

/// One list.
pub async fn find_type<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<DictTypeRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT_TYPES);
    sql.and("t.id = ", Some(id));
    sql.fetch_optional(on).await?.as_ref().map(read_type).transpose()
}

/// One item.
pub async fn find_item<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<DictItemRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT_ITEMS);
    sql.and("i.id = ", Some(id));
    sql.fetch_optional(on).await?.as_ref().map(read_item).transpose()
}

/// The enabled items of a list, in order.
pub async fn options(db: &Db, code: &str, locale: Locale) -> Result<Vec<DictOption>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT i.value, i.label_zh, i.label_en, i.is_default FROM dict_item i JOIN dict_type t ON t.id = i.type_id \
         WHERE t.code = $1 AND i.status = 'enabled' ORDER BY i.sort, i.id LIMIT $2",
    )
    .bind(code)
    .bind(MOST_OPTIONS)
    .fetch_all(db.read())
    .await?;
    let label = locale.pick("label_zh", "label_en");
    let option = |row: &AnyRow| {
        Ok(DictOption { value: row.try_get("value")?, label: row.try_get(label)?, is_default: db::flag(row, "is_default")? })
    };
    rows.iter().map(option).collect()
}

/// The items of every list for choices of an applicant's field, including disabled ones, in order; by the list's
/// code.
pub async fn field_choices(db: &Db) -> Result<BTreeMap<String, Vec<FieldChoice>>, sqlx::Error> {
    let codes = Field::all().iter().filter_map(|field| field.dictionary.clone());
    let mut sql = Sql::new(
        "SELECT t.code, i.value, i.label_zh, i.label_en, i.status FROM dict_item i JOIN dict_type t ON t.id = i.type_id WHERE t.code IN (''",
    );
    for code in codes {
        sql.push(", ").bind(code);
    }
    sql.push(") ORDER BY i.sort, i.id");
    let mut lists: BTreeMap<String, Vec<FieldChoice>> = BTreeMap::new();
    for row in sql.fetch_all(db.read()).await? {
        lists.entry(row.try_get("code")?).or_default().push(FieldChoice {
            code: row.try_get("value")?,
            label_zh: row.try_get("label_zh")?,
            label_en: row.try_get("label_en")?,
            off: db::code::<DictStatus>(&row, "status")? == DictStatus::Disabled,
        });
    }
    Ok(lists)
}

/// The labels of values of a list, including those no longer offered, in one language; unknown values are left out.
pub async fn labels<'e>(on: impl Executor<'e, Database = Any>, code: &str, locale: Locale) -> Result<HashMap<String, String>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT i.value, i.label_zh, i.label_en FROM dict_item i JOIN dict_type t ON t.id = i.type_id WHERE t.code = $1 LIMIT $2",
    )
    .bind(code)
    .bind(MOST_OPTIONS)
    .fetch_all(on)
    .await?;
    rows.iter().map(|row| Ok((row.try_get("value")?, row.try_get(locale.pick("label_zh", "label_en"))?))).collect()
}

/// An error if a list does not offer all of some values, with those that it offers; none if it does.
pub async fn unknown(tx: &mut Connection, code: &str, values: &[String]) -> Result<Option<Say>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT i.value, i.label_zh, i.label_en FROM dict_item i JOIN dict_type t ON t.id = i.type_id \
         WHERE t.code = $1 AND i.status = 'enabled' ORDER BY i.sort, i.id LIMIT $2",
    )
    .bind(code)
    .bind(MOST_OPTIONS)
    .fetch_all(tx)
    .await?;
    let (mut offered, mut chinese, mut english) = (HashSet::new(), Vec::new(), Vec::new());
    for row in &rows {
        let (value, zh, en): (String, String, String) = (row.try_get("value")?, row.try_get("label_zh")?, row.try_get("label_en")?);
        chinese.push(format!("{value}（{zh}）"));
        english.push(format!("{value} ({en})"));
        offered.insert(value);
    }
    let words = || say(format!("应为以下之一：{}", chinese.join("、")), format!("Must be one of: {}", english.join(", ")));
    Ok(values.iter().any(|value| !offered.contains(value)).then(words))
}

/// Whether a list offers a value: the check for a form's choice.
pub async fn has<'e>(on: impl Executor<'e, Database = Any>, code: &str, value: &str) -> Result<bool, sqlx::Error> {
    let found = sqlx::query(
        "SELECT i.id FROM dict_item i JOIN dict_type t ON t.id = i.type_id WHERE t.code = $1 AND i.value = $2 AND i.status = 'enabled'",
    )
    .bind(code)
    .bind(value)
    .fetch_optional(on)
    .await?;
    Ok(found.is_some())
}

/// Adds a list and returns its id.
pub async fn insert_type(tx: &mut Connection, form: &NewDictType, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO dict_type (code, name_zh, name_en, remark, sort, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id",
    )
    .bind(&form.code)
    .bind(&form.name_zh)
    .bind(&form.name_en)
    .bind(&form.remark)
    .bind(form.sort)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Writes a list's fields over the given version. Returns whether that version existed.
pub async fn update_type(tx: &mut Connection, form: &DictTypeEdit, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let written = sqlx::query(
        "UPDATE dict_type SET name_zh = $1, name_en = $2, remark = $3, sort = $4, version = version + 1, updated_at = $5, updated_by = $6 \
         WHERE id = $7 AND version = $8",
    )
    .bind(&form.name_zh)
    .bind(&form.name_en)
    .bind(&form.remark)
    .bind(form.sort)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(form.id)
    .bind(form.version)
    .execute(tx)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// Removes a list that has no items.
pub async fn delete_type(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM dict_type WHERE id = $1").bind(id).execute(tx).await.map(drop)
}

/// Adds an item and returns its id.
pub async fn insert_item(tx: &mut Connection, form: &NewDictItem, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO dict_item (type_id, value, label_zh, label_en, sort, tag_color, is_default, status, created_at, updated_at, created_by, \
           updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id",
    )
    .bind(form.type_id)
    .bind(&form.value)
    .bind(&form.label_zh)
    .bind(&form.label_en)
    .bind(form.sort)
    .bind(<&str>::from(form.tag_color))
    .bind(i64::from(form.is_default))
    .bind(<&str>::from(form.status))
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Writes an item's fields over the given version. Returns whether that version existed.
pub async fn update_item(tx: &mut Connection, form: &DictItemEdit, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let written = sqlx::query(
        "UPDATE dict_item SET label_zh = $1, label_en = $2, sort = $3, tag_color = $4, is_default = $5, status = $6, version = version + 1, \
           updated_at = $7, updated_by = $8 WHERE id = $9 AND version = $10",
    )
    .bind(&form.label_zh)
    .bind(&form.label_en)
    .bind(form.sort)
    .bind(<&str>::from(form.tag_color))
    .bind(i64::from(form.is_default))
    .bind(<&str>::from(form.status))
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(form.id)
    .bind(form.version)
    .execute(tx)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// Leaves at most one default in a list: `id`.
pub async fn only_default(tx: &mut Connection, type_id: i64, id: i64, stamp: Stamp) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE dict_item SET is_default = 0, version = version + 1, updated_at = $1, updated_by = $2 \
         WHERE type_id = $3 AND id <> $4 AND is_default = 1",
    )
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(type_id)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Removes an item. Records with its value show the value itself from then on.
pub async fn delete_item(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM dict_item WHERE id = $1").bind(id).execute(tx).await.map(drop)
}
