//! Import of entries from a table: the columns, the rules of a line, and the storage of good ones.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::form::Form;
use super::list::TARGET;
use super::model::{BlacklistForm, BlacklistScope, BlacklistSource};
use super::record::not_everywhere;
use super::store::{self, NewEntry, Place};
use crate::channel;
use crate::org;
use base::clock::DAY;
use base::codes::Codes;
use base::crypto::Keys;
use base::db::{Db, Tx};
use frame::access::Scope;
use frame::access::audit::{Stamp, Target};
use frame::api::calls::Download;
use frame::api::owner::require_platform_staff;
use frame::api::{ApiError, Ctx, FileForm, Nothing, Result, Say, number_search, say};
use frame::import::cell::{self, Moment};
use frame::import::{self, Column, ImportFields, ImportReport, Importing, Line};

/// The data with which lines are read.
struct Entries {
    keys: Arc<Keys>,
    channels: HashMap<String, i64>,
    orgs: HashMap<String, i64>,
    /// Whether a line may be for everywhere.
    everywhere: bool,
    /// Whether the viewer may reveal whole values.
    reveals: bool,
    now: i64,
}

impl Entries {
    async fn open(cx: &Ctx) -> Result<Entries> {
        let viewer = cx.viewer()?;
        let (scope, reveals) = (viewer.scope(), viewer.has("user/black-list/reveal"));
        let channels = channel::codes(cx.db().read(), scope).await?;
        let orgs = org::codes_within(cx.db().read(), scope).await?;
        Ok(Entries { keys: cx.app.keys.clone(), channels, orgs, everywhere: scope == Scope::All, reveals, now: cx.now })
    }
}

impl Importing for Entries {
    type Row = NewEntry;
    type Place = Place;
    const TARGET: Target = TARGET;

    fn title() -> Say {
        say("黑名单", "Blacklist")
    }

    fn columns() -> Vec<Column> {
        vec![
            Column::required("blacklist", "kind"),
            Column::required("blacklist", "value"),
            Column::required("blacklist", "reason"),
            Column::optional("blacklist", "scope").formerly("Holds for"),
            Column::optional("blacklist", "scopeId"),
            Column::optional("blacklist", "source"),
            Column::optional("blacklist", "expiresAt"),
        ]
    }

    /// A trial that reports known numbers is a search for each: it counts for all of them, or does not report them.
    async fn may_show_held(&self, cx: &Ctx, rows: &[NewEntry]) -> Result<bool> {
        let hashes: HashSet<&str> = rows.iter().map(|row| row.value_hash.as_str()).collect();
        Ok(self.reveals && number_search::count_all(cx, TARGET, &hashes).await?)
    }

    fn read(&self, line: &Line<'_>) -> Result<NewEntry> {
        let kind = coded(line.text("kind"), "kind")?;
        let scope = match line.text("scope") {
            "" => BlacklistScope::Global,
            text => coded(text, "scope")?,
        };
        let source = match line.text("source") {
            "" => BlacklistSource::Import,
            text => coded(text, "source")?,
        };
        let code = line.text("scopeId");
        let scope_id = match scope {
            BlacklistScope::Global if !self.everywhere => return Err(ApiError::field("scope", not_everywhere())),
            BlacklistScope::Global if code.is_empty() => None,
            BlacklistScope::Global => Some(0),
            BlacklistScope::Channel => Some(found(&self.channels, code, say("没有这个编码的渠道", "There is no channel with this code"))?),
            BlacklistScope::Organisation => {
                Some(found(&self.orgs, code, say("没有这个编码的机构", "There is no organisation with this code"))?)
            }
        };
        if scope == BlacklistScope::Global && scope_id.is_some() {
            return Err(ApiError::field("scopeId", say("全局名单不填编码", "A global entry takes no code")));
        }
        let form = Form::of_new(BlacklistForm {
            id: None,
            version: None,
            kind,
            value: Some(line.text("value").to_owned()),
            scope: Some(scope),
            scope_id,
            source: Some(source),
            reason: line.text("reason").to_owned(),
            expires_at: expiry(line.text("expiresAt"))?,
        });
        form.check_new(self.now)?;
        NewEntry::of(&self.keys, form).ok_or(ApiError::Missing)
    }

    fn place(row: &NewEntry) -> Place {
        row.place()
    }

    async fn held(&self, db: &Db, rows: &[NewEntry]) -> std::result::Result<Vec<bool>, sqlx::Error> {
        let held = store::held(db.read(), rows, self.now).await?;
        Ok(rows.iter().map(|row| held.contains(&row.place())).collect())
    }

    async fn write(&self, tx: &mut Tx, rows: &[NewEntry], stamp: Stamp) -> Result<usize> {
        store::lift_expired(tx, rows, stamp).await?;
        Ok(store::insert(tx, &self.keys, rows, stamp).await?.len())
    }
}

/// The code in a cell of a column.
fn coded<C: Codes>(text: &str, column: &'static str) -> Result<C> {
    cell::code(text).map_err(|wanted| ApiError::field(column, wanted))
}

fn found(codes: &HashMap<String, i64>, code: &str, wrong: Say) -> Result<i64> {
    codes.get(code).copied().ok_or_else(|| ApiError::field("scopeId", wrong))
}

/// The last moment of a day, or a moment, on Shanghai's clock; a cell may be empty.
fn expiry(text: &str) -> Result<Option<i64>> {
    let wrong = say("请按 2030-12-31 或 2030-12-31 18:00 填写", "Use the form 2030-12-31 or 2030-12-31 18:00");
    match cell::moment(text) {
        _ if text.is_empty() => Ok(None),
        Some(Moment::Day(start)) => Ok(Some(start + DAY - 1)),
        Some(Moment::At(at)) => Ok(Some(at)),
        None => Err(ApiError::field("expiresAt", wrong)),
    }
}

/// `POST /blacklist/import`: a table of entries, as a trial or for real.
pub async fn import(cx: Arc<Ctx>, form: FileForm<ImportFields>) -> Result<ImportReport> {
    require_platform_staff(cx.viewer()?)?;
    let entries = Entries::open(&cx).await?;
    import::run(cx, form, entries).await
}

/// `GET /blacklist/template`: an empty table with the columns of an import.
pub async fn template(cx: Arc<Ctx>, _: Nothing) -> Result<Download> {
    import::template::<Entries>(&cx)
}

#[cfg(test)]
mod tests {
    use super::super::model::BlacklistKind;
    use super::*;
    use base::clock;
    use base::locale::Locale;

    #[test]
    fn a_code_is_named_in_either_language() {
        for text in ["身份证号", "id number", "ID_NO", "id_no"] {
            let kind: BlacklistKind = coded(text, "kind").unwrap();
            assert_eq!(kind, BlacklistKind::IdNo, "{text}");
        }
        let Err(ApiError::Fields(wrong)) = coded::<BlacklistKind>("邮箱", "kind") else { panic!("no kind") };
        assert_eq!(wrong[0].1.get(Locale::English), "Must be one of: Phone, ID number, IP address, Device");
    }

    #[test]
    fn a_day_is_meant_to_its_end() {
        let start = clock::day_start("2030-01-05").unwrap();
        for (text, at) in [("", None), ("2030/1/5", Some(start + DAY - 1)), ("2030-01-05 18:00", Some(start + 18 * clock::HOUR))] {
            assert_eq!(expiry(text).unwrap(), at, "{text}");
        }
        assert!(expiry("明天").is_err());
    }
}
