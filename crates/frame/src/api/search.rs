//! The search of the whole back office: records of all areas by their numbers, by whole phones and by names, within the
//! viewer's permission points and scope.
//!
//! An area adds its kinds of records in turn. Which kinds are looked through depends on the typed text: a phone is looked for among
//! people alone, a number among the records whose numbers begin so, and any other text in names. Not here: the kinds, their SQL and
//! their pages.

use serde::Serialize;
use sqlx::{FromRow, Row};

use super::Result;
use super::check::Check;
use super::ctx::Ctx;
use super::list::ListFilters;
use super::listing::{self, Listing};
use super::number_search;
use crate::access::menu::MenuNode;
use crate::access::versions::Table;
use crate::access::{Scope, ScopeColumns, Viewer};
use base::canonical;
use base::db::Sql;
use base::db::page::{self, Sort};
use base::initials::{Match, Typed};
use base::locale::Locale;

/// The fewest and the most characters of a search.
const LEAST: usize = 2;
const LONGEST: usize = 64;
/// The most records of a kind in an answer.
const MOST: usize = 5;
/// How many records whose number begins as typed are checked for the viewer's scope, those with the greatest numbers first: it bounds
/// the work for a viewer who sees few of them. More of the number finds the others.
const CANDIDATES: i64 = 5000;
/// The most names of a kind that are kept in memory; those beyond are found by a statement.
const MOST_NAMES: i64 = 5000;
/// The digits that a number has after its letters, at least: the year.
const FEWEST_DIGITS: usize = 4;
/// The digits that a whole number of the product or of a payment provider has, at least.
const DIGITS_OF_WHOLE: usize = 8;

/// The title of a kind, in Chinese and in English.
pub type Title = (&'static str, &'static str);

/// Records of a kind that were found, the best first.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct FoundGroup {
    pub kind: &'static str,
    pub title: String,
    /// At most five.
    pub items: Vec<FoundRecord>,
}

/// A record that was found.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct FoundRecord {
    /// Its number or name.
    pub title: String,
    /// What tells it from others, as its list shows it: masked.
    pub note: String,
    /// Its page, or its list narrowed by its number or code.
    pub address: String,
}

impl FoundRecord {
    /// A record with the parts of its note; empty ones are left out.
    pub fn new(title: &str, note: &[&str], address: String) -> FoundRecord {
        let note: Vec<&str> = note.iter().copied().filter(|part| !part.is_empty()).collect();
        FoundRecord { title: title.to_owned(), note: note.join(" · "), address }
    }
}

/// The address of a list with the records that a keyword finds.
pub fn listed(path: &str, keyword: &str) -> String {
    format!("{path}?{}", serde_urlencoded::to_string([("keyword", keyword)]).unwrap_or_default())
}

/// A kind of records with numbers such as `CZ20260131-g9Y2m3`.
pub struct Numbered<L: Listing> {
    pub kind: &'static str,
    pub title: Title,
    /// The points of the list and of the page; the viewer holds all of them.
    pub points: &'static [&'static str],
    /// The letters that the numbers begin with.
    pub prefixes: &'static [&'static str],
    /// The table of the records, and its column with the number, which has an index.
    pub table: &'static str,
    pub column: &'static str,
    /// Whether the letters in the numbers are capitals; otherwise both cases occur.
    pub capitals: bool,
    /// Filters that match every record.
    pub filters: L::Filters,
    pub found: fn(&L::Row, Locale) -> FoundRecord,
}

/// A kind of records that have no number of their own and are found by the whole number of something else.
pub struct ByWhole<L: Listing> {
    pub kind: &'static str,
    pub title: Title,
    /// See [`Numbered::points`].
    pub points: &'static [&'static str],
    /// The filters of the list for a number.
    pub filters: fn(String) -> L::Filters,
    pub found: fn(&L::Row, Locale) -> FoundRecord,
}

/// A kind of people who are found by a whole phone.
pub struct Phones<L: Listing> {
    pub kind: &'static str,
    pub title: Title,
    /// See [`Numbered::points`].
    pub points: &'static [&'static str],
    /// The filters of the list for a phone.
    pub filters: fn(String) -> L::Filters,
    pub found: fn(&L::Row, Locale) -> FoundRecord,
}

/// A kind of records with names, of which there are thousands at most.
pub struct Names {
    pub kind: &'static str,
    pub title: Title,
    /// See [`Numbered::points`].
    pub points: &'static [&'static str],
    /// The tables that the names are made from.
    pub tables: &'static [Table],
    /// `SELECT … FROM … WHERE` and a first condition, with the columns of [`Named`].
    pub select: &'static str,
    /// The columns that `name`, `code` and `also` are read from.
    pub columns: &'static [&'static str],
    pub scope: ScopeColumns,
    pub address: fn(&Named) -> String,
}

/// A record with a name.
#[derive(Clone, Debug, Serialize, FromRow)]
pub struct Named {
    pub id: i64,
    pub name: String,
    /// Its code or number, shown beside the name; may be empty.
    pub code: String,
    /// Another name of it, which is not shown; may be empty.
    pub also: String,
    /// What else is shown beside the name; may be empty.
    pub note: String,
}

impl Named {
    /// How the best of its texts holds the typed one.
    fn find(&self, typed: &Typed) -> Option<Match> {
        [&self.name, &self.code, &self.also].into_iter().filter_map(|text| typed.find(text)).min()
    }
}

/// One search, to which areas add what they find.
pub struct Search<'c> {
    cx: &'c Ctx,
    viewer: &'c Viewer,
    /// In plain width, without blanks around it.
    text: String,
    /// The whole phone that the text is.
    phone: Option<String>,
    typed: Typed,
    /// Each with whether one of its records is exactly what was typed.
    groups: Vec<(bool, FoundGroup)>,
}

impl<'c> Search<'c> {
    /// A search for a text as it was typed, 2 to 64 characters; `field` names it in the message.
    pub fn new(cx: &'c Ctx, field: &str, text: &str) -> Result<Search<'c>> {
        let text = tidied(text);
        Check::new().text(field, &text, LEAST..=LONGEST).done()?;
        let (phone, typed) = (canonical::phone(&text), Typed::new(&text));
        Ok(Search { cx, viewer: cx.viewer()?, text, phone, typed, groups: Vec::new() })
    }

    /// What was found: kinds with exactly what was typed first, then in the order in which areas added them.
    pub fn found(mut self) -> Vec<FoundGroup> {
        self.groups.sort_by_key(|(exact, _)| !exact);
        self.groups.into_iter().map(|(_, group)| group).collect()
    }

    /// The call that the search answers.
    pub fn cx(&self) -> &'c Ctx {
        self.cx
    }

    fn scope(&self) -> Scope {
        self.viewer.scope()
    }

    fn holds(&self, points: &[&str]) -> bool {
        points.iter().all(|point| self.viewer.has(point))
    }

    fn add(&mut self, exact: bool, kind: &'static str, title: Title, items: Vec<FoundRecord>) {
        if !items.is_empty() {
            let title = self.cx.locale.pick(title.0, title.1).to_owned();
            self.groups.push((exact, FoundGroup { kind, title, items }));
        }
    }

    /// Adds the records whose number is the text or begins with it.
    pub async fn numbers<L: Listing>(&mut self, kind: Numbered<L>) -> Result<()> {
        if !self.holds(kind.points) {
            return Ok(());
        }
        let Some(number) = number(&self.text, kind.prefixes) else { return Ok(()) };
        let ids = self.numbered::<L>(&kind, &number).await?;
        let items = self.rows::<L>(kind.filters, &ids, kind.found).await?;
        let is_exact = |item: &FoundRecord| item.title.eq_ignore_ascii_case(&number);
        let exact = items.iter().any(is_exact);
        self.add(exact, kind.kind, kind.title, items);
        Ok(())
    }

    /// The ids of the records in the viewer's scope whose number begins so, the greatest numbers first. The range of numbers is read first
    /// and in the order of its index, whatever the scope. Under each collation of PostgreSQL it holds all numbers with the prefix.
    async fn numbered<L: Listing>(&self, kind: &Numbered<L>, number: &str) -> Result<Vec<i64>> {
        let capitals = number.to_uppercase();
        let head = match kind.capitals {
            true => capitals.as_str(),
            false => fixed_part(&capitals),
        };
        let (id, rest) = L::COUNT.split_once(" FROM ").expect("a statement has a table");
        let mut sql = Sql::new(id);
        sql.push(" FROM (SELECT x.id AS number_id, x.").push(kind.column).push(" AS number_place FROM ").push(kind.table);
        sql.push(" x WHERE x.").push(kind.column).push(" >= ").bind(head.to_owned());
        sql.push(" AND x.").push(kind.column).push(" <= ").bind(format!("{head}zzzzzzzzzzzzzzzz"));
        if !kind.capitals {
            sql.push(" AND LOWER(x.").push(kind.column).push(") LIKE ").bind(format!("{}%", number.to_lowercase()));
        }
        sql.push(" ORDER BY x.").push(kind.column).push(" DESC LIMIT ").bind(CANDIDATES);
        sql.push(") y CROSS JOIN ").push(rest).push(" AND ").push(L::Filters::ID).push(" = y.number_id");
        L::narrow(&mut sql, &kind.filters, self.scope());
        sql.push(" ORDER BY y.number_place DESC LIMIT ").bind(MOST as i64);
        let rows = sql.fetch_all(self.cx.db().read()).await?;
        Ok(rows.iter().map(|row| row.try_get(0)).collect::<std::result::Result<_, _>>()?)
    }

    /// The rows of some ids as their list shows them.
    async fn rows<L: Listing>(
        &self,
        filters: L::Filters,
        ids: &[i64],
        found: fn(&L::Row, Locale) -> FoundRecord,
    ) -> Result<Vec<FoundRecord>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let (scope, locale) = (self.scope(), self.cx.locale);
        let filter = |sql: &mut Sql| L::narrow(sql, &filters, scope);
        let read = |row: &_| L::read(row, locale).map(|row| found(&row, locale));
        Ok(page::by_ids(self.cx.db(), &listing::source::<L>(&filter, scope), newest_first::<L>(), ids, read).await?)
    }

    /// Adds the records with the number, if the text is a whole one.
    pub async fn by_whole<L: Listing>(&mut self, kind: ByWhole<L>) -> Result<()> {
        if self.phone.is_some() || !is_whole(&self.text) || !self.holds(kind.points) {
            return Ok(());
        }
        let rows = listing::first::<L>(self.cx, (kind.filters)(self.text.clone()), newest_first::<L>(), MOST as i64).await?;
        let items = rows.iter().map(|row| (kind.found)(row, self.cx.locale)).collect();
        self.add(false, kind.kind, kind.title, items);
        Ok(())
    }

    /// Adds the people with the phone, if the text is a whole one. As in the list, the search is counted and stands in the audit trail.
    pub async fn phones<L: Listing>(&mut self, kind: Phones<L>) -> Result<()> {
        let Some(phone) = self.phone.clone().filter(|_| self.holds(kind.points)) else { return Ok(()) };
        let mut filters = (kind.filters)(phone);
        // A list that does not count the number must not be looked through for it.
        let Some(number) = L::conceal(&mut filters, &self.cx.app.keys) else { return Ok(()) };
        number_search::count(self.cx, &number).await?;
        let rows = listing::first::<L>(self.cx, filters, newest_first::<L>(), MOST as i64).await?;
        let items = rows.iter().map(|row| (kind.found)(row, self.cx.locale)).collect();
        self.add(true, kind.kind, kind.title, items);
        Ok(())
    }

    /// Adds the records whose name or code contains the text, or whose name has its letters as first letters of pinyin.
    pub async fn names(&mut self, kind: &'static Names) -> Result<()> {
        self.names_within(kind, self.scope(), None).await
    }

    /// The same of some records, which the area has chosen for the viewer, in place of those in the viewer's scope.
    pub async fn names_among(&mut self, kind: &'static Names, ids: &[i64]) -> Result<()> {
        self.names_within(kind, Scope::All, Some(ids)).await
    }

    async fn names_within(&mut self, kind: &'static Names, scope: Scope, ids: Option<&[i64]>) -> Result<()> {
        if self.phone.is_some() || !self.holds(kind.points) {
            return Ok(());
        }
        let is_seen = |named: &Named| ids.is_none_or(|ids| ids.contains(&named.id));
        let all = self.cx.choices(kind.tables, None, ("search", kind.kind), self.read_names(kind, scope, None)).await?;
        let seen = all.iter().filter(|&named| is_seen(named));
        let mut found: Vec<(Match, &Named)> = seen.filter_map(|named| Some((named.find(&self.typed)?, named))).collect();
        found.sort_by_key(|(how, _)| *how);
        let mut found: Vec<(Option<Match>, Named)> = found.into_iter().take(MOST).map(|(how, named)| (Some(how), named.clone())).collect();
        if found.len() < MOST && all.len() as i64 == MOST_NAMES {
            let others = self.read_names(kind, scope, Some(&self.text)).await?;
            let others = others.into_iter().filter(|other| is_seen(other) && !all.iter().any(|named| named.id == other.id));
            found.extend(others.take(MOST - found.len()).map(|named| (named.find(&self.typed), named)));
        }
        let exact = found.iter().any(|(how, _)| *how == Some(Match::Whole));
        let item = |(_, named): &(_, Named)| FoundRecord::new(&named.name, &[&named.code, &named.note], (kind.address)(named));
        let items = found.iter().map(item).collect();
        self.add(exact, kind.kind, kind.title, items);
        Ok(())
    }

    /// The names in a scope, all or those that contain a text.
    async fn read_names(&self, kind: &'static Names, scope: Scope, keyword: Option<&str>) -> Result<Vec<Named>> {
        let mut sql = Sql::new(kind.select);
        scope.apply(&mut sql, kind.scope);
        sql.and_contains(kind.columns, keyword);
        sql.push(" ORDER BY 2, 1 LIMIT ").bind(if keyword.is_some() { MOST as i64 } else { MOST_NAMES });
        let rows = sql.fetch_all(self.cx.db().read()).await?;
        Ok(rows.iter().map(Named::from_row).collect::<std::result::Result<_, _>>()?)
    }

    /// Adds the pages of the viewer's menu whose titles have the letters of the text as first letters of pinyin. Pages whose titles
    /// contain the text are left out: the browser finds those.
    pub fn menu(&mut self, title: Title) {
        let mut found = Vec::new();
        if self.phone.is_none() {
            find_pages(&self.viewer.role.menu(self.cx.locale), "", &self.typed, &mut found);
        }
        found.sort_by_key(|(how, _)| *how);
        let items = found.into_iter().take(MOST).map(|(_, item)| item).collect();
        self.add(false, "menu", title, items);
    }
}

fn find_pages(nodes: &[MenuNode], group: &str, typed: &Typed, found: &mut Vec<(Match, FoundRecord)>) {
    for node in nodes.iter().filter(|node| node.kind == 1) {
        let below = node.children.as_deref().unwrap_or_default();
        if below.iter().any(|child| child.kind == 1) {
            find_pages(below, &node.title, typed, found);
        } else if !node.hidden
            && node.external.is_none()
            && let Some(how @ (Match::FirstInitials | Match::Initials)) = typed.find(&node.title)
        {
            found.push((how, FoundRecord::new(&node.title, &[group], node.path.clone())));
        }
    }
}

/// A list's default order, the newest first.
fn newest_first<L: Listing>() -> Sort {
    Sort { column: L::Filters::SORTS[0].1, id: L::Filters::ID, descending: true }
}

/// A typed text in plain width, with plain dashes, without invisible characters and without blanks around it.
fn tidied(text: &str) -> String {
    let text = canonical::half_width(text);
    canonical::visible(&text).chars().map(|character| if canonical::is_dash(character) { '-' } else { character }).collect()
}

/// The text, if it is a number with one of the prefixes or the beginning of one: the prefix, four digits or more, and then letters,
/// digits and dashes.
fn number(text: &str, prefixes: &[&str]) -> Option<String> {
    let is_one = |prefix: &&str| {
        let (Some(head), Some(rest)) = (text.get(..prefix.len()), text.get(prefix.len()..)) else { return false };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        head.eq_ignore_ascii_case(prefix) && digits >= FEWEST_DIGITS
    };
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_plain && prefixes.iter().any(is_one)).then(|| text.to_owned())
}

/// Whether a text may be a whole number of the product or of a payment provider.
fn is_whole(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    is_plain && text.bytes().filter(u8::is_ascii_digit).count() >= DIGITS_OF_WHOLE
}

/// The part of a number in capitals before the letters that may be of either case: its prefix, its day and the dash.
fn fixed_part(capitals: &str) -> &str {
    let letters = capitals.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = capitals[letters..].bytes().take_while(|byte| byte.is_ascii_digit()).count();
    let dash = usize::from(capitals[letters + rest..].starts_with('-'));
    &capitals[..letters + rest + dash]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_its_prefix_and_a_year() {
        for text in ["CZ2026", "cz20260131-g9Y2m3", "CZ20260131-", "CZ20260131G9"] {
            assert_eq!(number(text, &["CZ"]).as_deref(), Some(text));
        }
        for text in ["CZ", "CZ202", "U20260131", "CZ2026 1", "CZ2026%", "C", "CZ二〇二六", "北辰"] {
            assert_eq!(number(text, &["CZ", "M"]), None, "{text}");
        }
        assert!(number("HZ20260131-ab", &["FP", "HZ"]).is_some());
        assert_eq!(number("PL20260131", &["P"]), None, "another kind's");
    }

    #[test]
    fn a_whole_number_has_the_digits_of_a_day() {
        for text in ["PO20260131-g9Y2m3", "4200001234202601311234567890", "wx_20260131"] {
            assert!(is_whole(text), "{text}");
        }
        for text in ["PO2026", "20260131%", "北辰20260131", "20260131 1"] {
            assert!(!is_whole(text), "{text}");
        }
    }

    #[test]
    fn texts_are_tidied_before_they_are_looked_for() {
        assert_eq!(tidied(" ＣＺ２０２６０１３１—g9\u{200b}Y2m3 "), "CZ20260131-g9Y2m3");
    }

    #[test]
    fn the_fixed_part_of_a_number_has_no_random_letters() {
        assert_eq!(fixed_part("CZ20260131-G9Y2M3"), "CZ20260131-");
        assert_eq!(fixed_part("DZ202601"), "DZ202601");
        assert_eq!(fixed_part("CZ20260131"), "CZ20260131");
    }

    #[test]
    fn a_keyword_stands_in_an_address() {
        assert_eq!(listed("/org/list", "a&b 北"), "/org/list?keyword=a%26b+%E5%8C%97");
    }

    #[test]
    fn empty_parts_of_a_note_are_left_out() {
        assert_eq!(FoundRecord::new("x", &["a", "", "b"], String::new()).note, "a · b");
    }
}
