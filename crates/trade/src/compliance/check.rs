//! Checks: run, view, list.

use sqlx::any::AnyRow;

use super::evaluate::{self, Terms};
use super::model::{CheckFilters, CheckNow, CheckResult, CheckRow};
use super::store::{self, NewCheck};
use super::subject::{self, Subject};
use base::clock::{self, DAY};
use base::crypto;
use base::db::{Connection, Sql};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, Actor, Change, Module, Target};
use frame::api::export::{Cell, Sheet, column};
use frame::api::search::{FoundRecord, Numbered, Search};
use frame::api::{ApiError, Ctx, Exporting, Listing, Result, say};
use frame::setting;

const TARGET: Target = Target { module: Module::Compliance, kind: "compliance_check", id: None };

/// The list of checks.
pub struct Checks;

impl Listing for Checks {
    type Filters = CheckFilters;
    type Row = CheckRow;
    const SELECT: &'static str = store::SELECT_CHECKS;
    const COUNT: &'static str = store::COUNT_CHECKS;

    fn narrow(sql: &mut Sql, filters: &CheckFilters, scope: Scope) {
        sql.and_named(&["k.target_name"], &["k.no"], filters.keyword.as_deref())
            .and("k.target_type = ", filters.target_type.map(<&str>::from))
            .and("k.target_id = ", filters.target_id)
            .and("k.result = ", filters.result.map(<&str>::from))
            .and("k.checked_at >= ", filters.checked_from)
            .and("k.checked_at < ", filters.checked_to);
        store::within(sql, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<CheckRow, sqlx::Error> {
        store::read_check(row)
    }
}

/// Finds checks by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> Result<()> {
    let kind = Numbered::<Checks> {
        kind: "check",
        title: ("合规检测", "Compliance checks"),
        points: &["admin/test/list", "admin/test/view"],
        prefixes: &["CC"],
        table: "compliance_check",
        column: "no",
        capitals: false,
        filters: CheckFilters::default(),
        found: |row, locale| {
            FoundRecord::new(
                &row.no,
                &[row.target_type.label(locale), &row.target_name, row.result.label(locale)],
                format!("/admin/test/{}", row.id),
            )
        },
    };
    search.numbers(kind).await
}

impl Exporting for Checks {
    fn sheet() -> Sheet<CheckRow> {
        Sheet {
            target: TARGET,
            title: say("合规检测", "Compliance checks"),
            columns: vec![
                column("no", "检测编号", "Check number", |row, _| Cell::text(row.no.clone())),
                column("targetType", "检测对象", "Target", |row, locale| Cell::text(row.target_type.label(locale).to_owned())),
                column("targetName", "名称", "Name", |row, _| Cell::text(row.target_name.clone())),
                column("result", "结果", "Result", |row, locale| Cell::text(row.result.label(locale).to_owned())),
                column("items", "未通过的项目", "Issues found", |row, locale| Cell::text(findings(row, locale))),
                // A failed check is valid for nothing.
                column("validUntil", "有效期至", "Valid until", |row, _| {
                    Cell::time((row.result != CheckResult::Fail).then_some(row.valid_until))
                }),
                column("checkedBy", "检测人", "Checked by", |row, _| Cell::text(row.checked_by.clone())),
                column("checkedAt", "检测时间", "Checked at", |row, _| Cell::Time(row.checked_at)),
            ],
        }
    }
}

/// The failed items, one line each.
fn findings(row: &CheckRow, locale: Locale) -> String {
    use super::model::CheckResult::{Fail, Warn};
    let line = |item: &super::model::CheckItem| {
        let words = locale.pick((&item.title_zh, &item.note_zh), (&item.title_en, &item.note_en));
        format!("{}: {}", words.0, words.1)
    };
    row.items.iter().filter(|item| matches!(item.result, Fail | Warn)).map(line).collect::<Vec<_>>().join("; ")
}

/// One check, and whether another one counts instead. Whether its record has changed is for the caller to find.
pub async fn now(cx: &Ctx, id: i64) -> Result<CheckNow> {
    let mut on = cx.db().read().acquire().await?;
    let check = store::find_check(&mut on, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    let latest = match check.target_id {
        Some(target_id) => store::latest(&mut on, check.target_type, target_id).await?,
        None => None,
    };
    let replaced = latest.is_some_and(|latest| latest.id != check.id);
    Ok(CheckNow { expired: check.valid_until <= cx.now, replaced, changed: false, check })
}

/// Checks a target by today's rules, and stores the result.
pub async fn run(cx: &Ctx, subject: &Subject) -> Result<CheckRow> {
    let terms = Terms { max_rate_bp: cx.setting(&setting::COMPLIANCE_MAX_RATE_BP).await?, today: clock::day(cx.now) };
    let valid_days = cx.setting(&setting::COMPLIANCE_VALID_DAYS).await?;
    let mut tx = cx.db().begin().await?;
    let id = keep(&mut tx, subject, &terms, valid_days, &cx.actor()?).await?;
    let Some(id) = id else { return Err(ApiError::State(say("没有适用的检测规则", "No rules apply to this target"))) };
    let row = store::find_check(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    cx.commit(tx, row).await
}

/// Makes a check at the actor's moment, stores it with its audit row, and returns its id; none if there are no rules
/// for such a target.
pub async fn keep(
    tx: &mut Connection,
    subject: &Subject,
    terms: &Terms,
    valid_days: i64,
    actor: &Actor,
) -> std::result::Result<Option<i64>, sqlx::Error> {
    let rules = store::rules_for(&mut *tx, subject.target).await?;
    if rules.is_empty() {
        return Ok(None);
    }
    let items: Vec<_> = rules.iter().map(|rule| evaluate::item(rule, &subject.facts, terms)).collect();
    let no = format!("CC{}-{}", clock::day_compact(actor.at), crypto::random_text(6));
    let result = evaluate::overall(&items);
    let facts_hash = subject.id.map(|_| subject::fingerprint(&subject.name, &subject.facts));
    let check = NewCheck {
        no: &no,
        target: subject.target,
        target_id: subject.id,
        target_name: &subject.name,
        result,
        items: &items,
        valid_until: actor.at + valid_days * DAY,
        facts_hash: facts_hash.as_deref(),
    };
    let id = store::insert_check(tx, check, actor.admin_id, actor.at).await?;
    let change = |field: &str, after: String| Change { field: field.to_owned(), before: None, after: Some(after) };
    let changes = [change("no", no.clone()), change("targetName", subject.name.clone()), change("result", <&str>::from(result).to_owned())];
    audit::record(tx, actor, TARGET.of(id), Action::Create, &changes).await?;
    Ok(Some(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use frame::api::list_checks::every_sort_walks_an_index;

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Checks>(&[]).await;
    }
}
