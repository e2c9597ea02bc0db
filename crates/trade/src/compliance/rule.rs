//! Rules: view, creation, changes, deletion. They belong to the platform.

use std::collections::BTreeSet;
use std::sync::Arc;

use sqlx::any::AnyRow;

use super::model::{NewRule, RuleEdit, RuleFilters, RuleForm, RuleKind, RuleRow, TargetType};
use super::store;
use super::subject;
use base::canonical;
use base::db::{self, Sql};
use base::form_limits;
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::{Scope, ScopeColumns};
use frame::api::{ApiError, Body, Check, Ctx, Id, Listing, Result, say};

const TARGET: Target = Target { module: Module::Compliance, kind: "compliance_rule", id: None };

form_limits! {
    /// Of a rule.
    complianceRule {
        CODE: usize = 48,
        /// Furthest place in the order.
        LAST: i64 = 9999,
        MOST_DAYS: i64 = 3650,
        MOST_WORDS: usize = 500,
        /// Characters of a title, in either language.
        TITLE: usize = 64,
        /// Characters of each word.
        WORD: usize = 40,
    }
}

/// The list of rules.
pub struct Rules;

impl Listing for Rules {
    type Filters = RuleFilters;
    type Row = RuleRow;
    const SELECT: &'static str = store::SELECT_RULES;
    const COUNT: &'static str = store::COUNT_RULES;

    fn narrow(sql: &mut Sql, filters: &RuleFilters, scope: Scope) {
        sql.and_contains(&["r.code", "r.title_zh", "r.title_en"], filters.keyword.as_deref())
            .and("r.kind = ", filters.kind.map(<&str>::from))
            .and("r.status = ", filters.status.map(<&str>::from));
        scope.apply(sql, ScopeColumns::default());
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<RuleRow, sqlx::Error> {
        store::read_rule(row)
    }
}

/// `GET /compliance/rule/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<RuleRow> {
    cx.overseer()?;
    store::find_rule(cx.db().read(), id).await?.ok_or(ApiError::Missing)
}

/// `POST /compliance/rule`.
pub async fn create(cx: Arc<Ctx>, Body(rule): Body<NewRule>) -> Result<RuleRow> {
    cx.overseer()?;
    let stamp = cx.stamp()?;
    let (code, kind) = (rule.code.trim().to_owned(), rule.kind);
    let form = tidy(rule.into());
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let good = (2..=CODE).contains(&code.len()) && code.bytes().all(plain);
    let mut check = Check::new();
    check.that("code", good, say("2 到 48 位小写字母、数字或 _", "2 to 48 lower-case letters, digits or _"));
    check_form(&mut check, kind, &form)?;
    let mut tx = cx.db().begin().await?;
    let id = store::insert_rule(&mut tx, &code, kind, &form, stamp).await.map_err(|error| match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(format!("规则 {code} 已存在"), format!("Rule {code} already exists"))),
        false => error.into(),
    })?;
    let row = store::find_rule(&mut *tx, id).await?.ok_or(ApiError::Missing)?;
    cx.record(&mut tx, TARGET.of(id), None, Some(&row)).await?;
    cx.commit(tx, row).await
}

/// `PUT /compliance/rule`.
pub async fn update(cx: Arc<Ctx>, Body(rule): Body<RuleEdit>) -> Result<RuleRow> {
    cx.overseer()?;
    let stamp = cx.stamp()?;
    let (id, version) = (rule.id, rule.version);
    let form = tidy(rule.into());
    let mut tx = cx.db().begin().await?;
    let before = store::find_rule(&mut *tx, id).await?.ok_or(ApiError::Missing)?;
    check_form(&mut Check::new(), before.kind, &form)?;
    let written = before.version == version && store::update_rule(&mut tx, id, version, &form, stamp).await?;
    let after = store::find_rule(&mut *tx, id).await?.ok_or(ApiError::Missing)?;
    if !written {
        return Err(ApiError::stale(&after));
    }
    cx.record(&mut tx, TARGET.of(id), Some(&before), Some(&after)).await?;
    tx.commit().await?;
    Ok(after)
}

/// `DELETE /compliance/rule/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    cx.overseer()?;
    let mut tx = cx.db().begin().await?;
    let before = store::find_rule(&mut *tx, id).await?.ok_or(ApiError::Missing)?;
    if before.builtin {
        return Err(ApiError::State(say("内置规则不能删除，可以停用", "A built-in rule cannot be deleted; disable it instead")));
    }
    store::delete_rule(&mut tx, id).await?;
    cx.record(&mut tx, TARGET.of(id), Some(&before), None).await?;
    tx.commit().await?;
    Ok(())
}

/// Texts trimmed, empty ones and repetitions removed.
fn tidy(mut form: RuleForm) -> RuleForm {
    for text in [&mut form.title_zh, &mut form.title_en] {
        *text = canonical::trimmed(text).to_owned();
    }
    for list in [&mut form.params.fields, &mut form.params.words] {
        let mut seen = BTreeSet::new();
        *list = list.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty() && seen.insert(text.clone())).collect();
    }
    let mut targets: Vec<TargetType> = Vec::new();
    for target in form.target_types {
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    form.target_types = targets;
    form
}

fn check_form(check: &mut Check, kind: RuleKind, form: &RuleForm) -> Result<()> {
    let params = &form.params;
    let known = |name: &String| form.target_types.iter().any(|target| subject::names_of(*target).contains(&name.as_str()));
    let needs_fields = matches!(kind, RuleKind::Required | RuleKind::NotExpired | RuleKind::PublicHttps | RuleKind::Versioned);
    check
        .name("titleZh", &form.title_zh, 1..=TITLE)
        .name("titleEn", &form.title_en, 1..=TITLE)
        .range("sort", form.sort, 0..=LAST)
        .that("targetTypes", !form.target_types.is_empty(), say("请选择检测对象", "Choose what to check"))
        .that("params.fields", !needs_fields || !params.fields.is_empty(), say("必填", "Required"))
        .that("params.fields", params.fields.iter().all(known), say("所选对象没有这个字段", "What is checked has no such field"))
        .that("params.words", kind != RuleKind::ForbiddenWords || !params.words.is_empty(), say("必填", "Required"))
        .that("params.words", params.words.len() <= MOST_WORDS, say("词语过多", "Too many words"))
        .that(
            "params.words",
            params.words.iter().all(|word| word.chars().count() <= WORD),
            say("每个词最多 40 个字符", "At most 40 characters per word"),
        )
        .range("params.days", params.days, 0..=MOST_DAYS)
        .done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use frame::api::list_checks::every_sort_walks_an_index;

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Rules>(&[]).await;
    }
}
