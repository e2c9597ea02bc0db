//! The lists of the dictionary: view, creation, changes, deletion. They belong to the platform.

use std::sync::Arc;

use sqlx::any::AnyRow;

use super::model::{DictTypeEdit, DictTypeFilters, DictTypeRow, NewDictType};
use super::store;
use crate::access::audit::{Module, Target};
use crate::access::{Scope, ScopeColumns};
use crate::api::{ApiError, Body, Check, Ctx, Id, Listing, Nothing, Result, say};
use crate::terms::choices::is_code;
use base::canonical;
use base::db::{self, Sql};
use base::form_limits;
use base::locale::Locale;

const TARGET: Target = Target { module: Module::Dictionary, kind: "dict_type", id: None };
form_limits! {
    /// Of a list and of an item.
    dictionary {
        /// Furthest place in an order.
        pub(super) LAST: i64 = 9999,
        /// Characters of a name and of an item's label.
        pub(super) NAME: usize = 64,
        REMARK: usize = 200,
    }
}

/// The list of lists.
pub struct Types;

impl Listing for Types {
    type Filters = DictTypeFilters;
    type Row = DictTypeRow;
    const SELECT: &'static str = store::SELECT_TYPES;
    const COUNT: &'static str = store::COUNT_TYPES;

    fn narrow(sql: &mut Sql, filters: &DictTypeFilters, scope: Scope) {
        sql.and_contains(&["t.code", "t.name_zh", "t.name_en"], filters.keyword.as_deref());
        scope.apply(sql, ScopeColumns::default());
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<DictTypeRow, sqlx::Error> {
        store::read_type(row)
    }
}

/// `GET /dict/types`: all of them, for the screen that shows one beside the others.
pub async fn all(cx: Arc<Ctx>, _: Nothing) -> Result<Vec<DictTypeRow>> {
    cx.overseer()?;
    Ok(store::types(cx.db()).await?)
}

/// `GET /dict/type/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<DictTypeRow> {
    cx.overseer()?;
    store::find_type(cx.db().read(), id).await?.ok_or(ApiError::Missing)
}

/// `POST /dict/type`.
pub async fn create(cx: Arc<Ctx>, Body(mut form): Body<NewDictType>) -> Result<DictTypeRow> {
    cx.overseer()?;
    for text in [&mut form.code, &mut form.name_zh, &mut form.name_en, &mut form.remark] {
        *text = canonical::trimmed(text).to_owned();
    }
    let mut check = Check::new();
    check.that(
        "code",
        is_code(&form.code),
        say("2 到 48 位小写字母、数字或 _，以字母开头", "2 to 48 lower-case letters, digits or _, starting with a letter"),
    );
    names(&mut check, &form.name_zh, &form.name_en, &form.remark, form.sort)?;
    let mut tx = cx.db().begin().await?;
    let id = store::insert_type(&mut tx, &form, cx.stamp()?).await.map_err(|error| match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(format!("字典 {} 已存在", form.code), format!("List {} already exists", form.code))),
        false => error.into(),
    })?;
    let row = store::find_type(&mut *tx, id).await?.ok_or(ApiError::Missing)?;
    cx.record(&mut tx, TARGET.of(id), None, Some(&row)).await?;
    cx.commit(tx, row).await
}

/// `PUT /dict/type`.
pub async fn update(cx: Arc<Ctx>, Body(mut form): Body<DictTypeEdit>) -> Result<DictTypeRow> {
    cx.overseer()?;
    for text in [&mut form.name_zh, &mut form.name_en, &mut form.remark] {
        *text = canonical::trimmed(text).to_owned();
    }
    let mut tx = cx.db().begin().await?;
    let before = store::find_type(&mut *tx, form.id).await?.ok_or(ApiError::Missing)?;
    names(&mut Check::new(), &form.name_zh, &form.name_en, &form.remark, form.sort)?;
    let written = before.version == form.version && store::update_type(&mut tx, &form, cx.stamp()?).await?;
    let after = store::find_type(&mut *tx, form.id).await?.ok_or(ApiError::Missing)?;
    if !written {
        return Err(ApiError::stale(&after));
    }
    cx.record(&mut tx, TARGET.of(form.id), Some(&before), Some(&after)).await?;
    tx.commit().await?;
    Ok(after)
}

/// `DELETE /dict/type/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    cx.overseer()?;
    let mut tx = cx.db().begin().await?;
    let before = store::find_type(&mut *tx, id).await?.ok_or(ApiError::Missing)?;
    if before.builtin {
        return Err(ApiError::State(say("内置字典不能删除", "A built-in list cannot be deleted")));
    }
    if before.items > 0 {
        let count = before.items;
        return Err(ApiError::State(say(
            format!("该字典还有 {count} 个字典项，请先删除"),
            format!("The list still has {count} items: delete them first"),
        )));
    }
    store::delete_type(&mut tx, id).await?;
    cx.record(&mut tx, TARGET.of(id), Some(&before), None).await?;
    tx.commit().await?;
    Ok(())
}

fn names(check: &mut Check, chinese: &str, english: &str, remark: &str, sort: i64) -> Result<()> {
    check
        .name("nameZh", chinese, 1..=NAME)
        .name("nameEn", english, 1..=NAME)
        .text("remark", remark, 0..=REMARK)
        .range("sort", sort, 0..=LAST)
        .done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::list_checks::every_sort_walks_an_index;

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Types>(&[]).await;
    }
}
