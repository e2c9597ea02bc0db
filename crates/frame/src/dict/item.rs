//! The items of a list: view, creation, changes, deletion. They belong to the platform.

use std::sync::Arc;

use sqlx::any::AnyRow;

use super::model::{DictItemEdit, DictItemFilters, DictItemRow, NewDictItem};
use super::store;
use super::types::{LAST, NAME};
use crate::access::audit::{Module, Target};
use crate::access::{Scope, ScopeColumns};
use crate::api::{ApiError, Body, Check, Ctx, Id, Listing, Result, say};
use crate::dict::ChoiceBook;
use crate::terms::applicant::Field;
use crate::terms::choices::is_code;
use base::canonical;
use base::db::{self, Sql};
use base::locale::Locale;

const TARGET: Target = Target { module: Module::Dictionary, kind: "dict_item", id: None };

/// The list of items.
pub struct Items;

impl Listing for Items {
    type Filters = DictItemFilters;
    type Row = DictItemRow;
    const SELECT: &'static str = store::SELECT_ITEMS;
    const COUNT: &'static str = store::COUNT_ITEMS;

    fn narrow(sql: &mut Sql, filters: &DictItemFilters, scope: Scope) {
        sql.and_contains(&["i.value", "i.label_zh", "i.label_en"], filters.keyword.as_deref())
            .and("t.code = ", filters.code.clone())
            .and("i.status = ", filters.status.map(<&str>::from));
        scope.apply(sql, ScopeColumns::default());
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<DictItemRow, sqlx::Error> {
        store::read_item(row)
    }
}

/// `GET /dict/item/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<DictItemRow> {
    cx.overseer()?;
    store::find_item(cx.db().read(), id).await?.ok_or(ApiError::Missing)
}

/// `POST /dict/item`.
pub async fn create(cx: Arc<Ctx>, Body(mut form): Body<NewDictItem>) -> Result<DictItemRow> {
    cx.overseer()?;
    let stamp = cx.stamp()?;
    for text in [&mut form.value, &mut form.label_zh, &mut form.label_en] {
        *text = canonical::trimmed(text).to_owned();
    }
    let mut check = Check::new();
    check.that(
        "value",
        is_code(&form.value),
        say("2 到 48 位小写字母、数字或 _，以字母开头", "2 to 48 lower-case letters, digits or _, starting with a letter"),
    );
    labels(&mut check, &form.label_zh, &form.label_en, form.sort)?;
    let mut tx = cx.db().begin().await?;
    let Some(list) = store::find_type(&mut *tx, form.type_id).await? else {
        return Err(ApiError::field("typeId", say("请选择字典", "Choose a list")));
    };
    check_default(&list.code, form.is_default)?;
    let id = store::insert_item(&mut tx, &form, stamp).await.map_err(|error| match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(format!("该字典已有 {}", form.value), format!("The list already has {}", form.value))),
        false => error.into(),
    })?;
    if form.is_default {
        store::only_default(&mut tx, form.type_id, id, stamp).await?;
    }
    let row = store::find_item(&mut *tx, id).await?.ok_or(ApiError::Missing)?;
    cx.record(&mut tx, TARGET.of(id), None, Some(&row)).await?;
    let made = cx.commit(tx, row).await;
    cx.app.service::<ChoiceBook>().forget();
    made
}

/// A form begins with the default of its list. Answers of applicants are never assumed, so the lists of their fields
/// have no default.
fn check_default(list: &str, is_default: bool) -> Result<()> {
    let of_applicants = Field::all().iter().any(|field| field.dictionary.as_deref() == Some(list));
    match is_default && of_applicants {
        true => Err(ApiError::field("isDefault", say("申请人资料不能默认选中", "Facts about applicants have no default"))),
        false => Ok(()),
    }
}

/// `PUT /dict/item`.
pub async fn update(cx: Arc<Ctx>, Body(mut form): Body<DictItemEdit>) -> Result<DictItemRow> {
    cx.overseer()?;
    let stamp = cx.stamp()?;
    for text in [&mut form.label_zh, &mut form.label_en] {
        *text = canonical::trimmed(text).to_owned();
    }
    let mut tx = cx.db().begin().await?;
    let before = store::find_item(&mut *tx, form.id).await?.ok_or(ApiError::Missing)?;
    labels(&mut Check::new(), &form.label_zh, &form.label_en, form.sort)?;
    check_default(&before.type_code, form.is_default)?;
    let written = before.version == form.version && store::update_item(&mut tx, &form, stamp).await?;
    let after = store::find_item(&mut *tx, form.id).await?.ok_or(ApiError::Missing)?;
    if !written {
        return Err(ApiError::stale(&after));
    }
    if form.is_default {
        store::only_default(&mut tx, before.type_id, form.id, stamp).await?;
    }
    cx.record(&mut tx, TARGET.of(form.id), Some(&before), Some(&after)).await?;
    tx.commit().await?;
    cx.app.service::<ChoiceBook>().forget();
    Ok(after)
}

/// `DELETE /dict/item/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    cx.overseer()?;
    let mut tx = cx.db().begin().await?;
    let before = store::find_item(&mut *tx, id).await?.ok_or(ApiError::Missing)?;
    if before.builtin {
        return Err(ApiError::State(say("内置字典项不能删除，可以停用", "A built-in item cannot be deleted; disable it instead")));
    }
    store::delete_item(&mut tx, id).await?;
    cx.record(&mut tx, TARGET.of(id), Some(&before), None).await?;
    tx.commit().await?;
    cx.app.service::<ChoiceBook>().forget();
    Ok(())
}

fn labels(check: &mut Check, chinese: &str, english: &str, sort: i64) -> Result<()> {
    check.name("labelZh", chinese, 1..=NAME).name("labelEn", english, 1..=NAME).range("sort", sort, 0..=LAST).done()
}
