//! A growing SQL statement with numbered placeholders, the only way in which dynamic SQL is built.
//!
//! Text comes only from the program (`&'static str`); every value is bound.

use futures_util::stream::BoxStream;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{Any, Arguments, AssertSqlSafe, Encode, Type};

use crate::canonical;

/// The longest keyword of a search, in bytes: no searched column holds more.
const LONGEST_KEYWORD: usize = 2000;
/// The full-width letters, digits, marks and blank of Chinese input methods, and below them the half-width ones.
const FULL_WIDTH: &str = "　！＂＃＄％＆＇（）＊＋，－．／０１２３４５６７８９：；＜＝＞？＠ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ\
    ［＼］＾＿｀ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ｛｜｝～";
const HALF_WIDTH: &str = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ\
    [\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// A statement under construction.
pub struct Sql {
    text: String,
    arguments: AnyArguments,
    bound: usize,
}

impl Sql {
    /// Starts a statement.
    pub fn new(text: &'static str) -> Sql {
        Sql { text: text.to_owned(), arguments: AnyArguments::default(), bound: 0 }
    }

    /// Appends program text.
    pub fn push(&mut self, text: &'static str) -> &mut Sql {
        self.text.push_str(text);
        self
    }

    /// Appends a placeholder and binds `value` to it.
    pub fn bind<'v, V: Encode<'v, Any> + Type<Any> + 'v>(&mut self, value: V) -> &mut Sql {
        self.bound += 1;
        self.text.push('$');
        self.text.push_str(&self.bound.to_string());
        self.arguments.add(value).expect("values of this program's types encode");
        self
    }

    /// `, ` and a placeholder with `value`: the next of a list.
    pub fn then<'v, V: Encode<'v, Any> + Type<Any> + 'v>(&mut self, value: V) -> &mut Sql {
        self.push(", ").bind(value)
    }

    /// ` AND text value`, if there is a value: an absent filter does not filter.
    pub fn and<'v, V: Encode<'v, Any> + Type<Any> + 'v>(&mut self, text: &'static str, value: Option<V>) -> &mut Sql {
        if let Some(value) = value {
            self.push(" AND ").push(text).bind(value);
        }
        self
    }

    /// `($1, $2, …)` for a set after `IN`; an empty one matches nothing.
    pub fn ids(&mut self, ids: impl IntoIterator<Item = i64>) -> &mut Sql {
        self.push("(").bind(0i64);
        for id in ids {
            self.push(", ").bind(id);
        }
        self.push(")")
    }

    /// ` AND (a LIKE … OR b LIKE …)`: any column contains the keyword, in either case and with letters, digits and
    /// brackets of either width. It reads every row that the other conditions match: for lists of thousands of rows.
    pub fn and_contains(&mut self, columns: &[&'static str], keyword: Option<&str>) -> &mut Sql {
        self.and_named(columns, &[], keyword)
    }

    /// Like [`Sql::and_contains`], or one of our numbers begins with the keyword: their random ends contain any two
    /// letters.
    pub fn and_named(&mut self, names: &[&'static str], numbers: &[&'static str], keyword: Option<&str>) -> &mut Sql {
        let contains = names.iter().map(|column| (*column, "%"));
        let begins = numbers.iter().map(|column| (*column, ""));
        self.and_like(contains.chain(begins), keyword)
    }

    /// Like [`Sql::and_contains`], for the beginning of a column: for lists of millions of rows.
    pub fn and_prefix(&mut self, columns: &[&'static str], keyword: Option<&str>) -> &mut Sql {
        self.and_like(columns.iter().map(|column| (*column, "")), keyword)
    }

    /// Columns with the beginning of their pattern. Both sides are folded alike: PostgreSQL's LIKE distinguishes
    /// cases, SQLite's does not.
    fn and_like(&mut self, columns: impl Iterator<Item = (&'static str, &'static str)>, keyword: Option<&str>) -> &mut Sql {
        let Some(keyword) = typed(keyword) else { return self };
        if keyword.len() > LONGEST_KEYWORD {
            // No column contains it, and SQLite refuses longer patterns.
            return self.push(" AND 1 = 0");
        }
        let pattern = prefix_pattern(&canonical::half_width(&canonical::visible(keyword)));
        for (index, (column, beginning)) in columns.enumerate() {
            self.push(if index == 0 { " AND (" } else { " OR " });
            self.push("LOWER(translate(").push(column).push(", ").bind(FULL_WIDTH).then(HALF_WIDTH);
            self.push(")) LIKE LOWER(").bind(format!("{beginning}{pattern}")).push(") ESCAPE '!'");
        }
        self.push(")")
    }

    /// Runs the statement and returns all rows.
    pub async fn fetch_all<'e>(self, on: impl sqlx::Executor<'e, Database = Any>) -> Result<Vec<AnyRow>, sqlx::Error> {
        sqlx::query_with(AssertSqlSafe(self.text), self.arguments).fetch_all(on).await
    }

    /// Runs the statement and returns its rows as they arrive.
    pub fn fetch<'e, 'c: 'e>(self, on: impl sqlx::Executor<'c, Database = Any> + 'e) -> BoxStream<'e, Result<AnyRow, sqlx::Error>> {
        sqlx::query_with(AssertSqlSafe(self.text), self.arguments).fetch(on)
    }

    /// Runs the statement and returns its first row, if any.
    pub async fn fetch_optional<'e>(self, on: impl sqlx::Executor<'e, Database = Any>) -> Result<Option<AnyRow>, sqlx::Error> {
        sqlx::query_with(AssertSqlSafe(self.text), self.arguments).fetch_optional(on).await
    }

    /// Runs the statement and returns how many rows it touched.
    pub async fn execute<'e>(self, on: impl sqlx::Executor<'e, Database = Any>) -> Result<u64, sqlx::Error> {
        Ok(sqlx::query_with(AssertSqlSafe(self.text), self.arguments).execute(on).await?.rows_affected())
    }

    /// The text so far, for query-plan tests.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A typed text without the blanks and invisible characters around it; none if nothing is left.
pub fn typed(text: Option<&str>) -> Option<&str> {
    text.map(canonical::trimmed).filter(|text| !text.is_empty())
}

/// PostgreSQL's `translate`: each character of `from` becomes the one at its position in `to`, or is left out if `to`
/// is shorter. [`super::functions`] adds it to SQLite.
pub fn translate(text: &str, from: &str, to: &str) -> String {
    text.chars()
        .filter_map(|character| match from.chars().position(|wanted| wanted == character) {
            Some(place) => to.chars().nth(place),
            None => Some(character),
        })
        .collect()
}

/// The `LIKE` pattern of texts that begin with `keyword`, its wildcards taken literally.
fn prefix_pattern(keyword: &str) -> String {
    let mut pattern = String::with_capacity(keyword.len() + 1);
    for character in keyword.chars() {
        if matches!(character, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_numbered_and_absent_filters_leave_no_trace() {
        let mut sql = Sql::new("SELECT 1 FROM t WHERE 1=1");
        sql.and("a = ", Some(5i64)).and("b = ", None::<i64>).and_prefix(&["c", "d"], Some("x")).and_prefix(&["e"], Some("  "));
        assert_eq!(
            sql.text(),
            "SELECT 1 FROM t WHERE 1=1 AND a = $1 AND (LOWER(translate(c, $2, $3)) LIKE LOWER($4) ESCAPE '!' \
             OR LOWER(translate(d, $5, $6)) LIKE LOWER($7) ESCAPE '!')"
        );
    }

    #[test]
    fn an_endless_keyword_matches_nothing() {
        let mut sql = Sql::new("x");
        sql.and_prefix(&["a"], Some("x".repeat(2001).as_str()));
        assert_eq!(sql.text(), "x AND 1 = 0");
    }

    #[test]
    fn both_widths_are_one() {
        assert_eq!(FULL_WIDTH.chars().count(), HALF_WIDTH.chars().count());
        assert!(FULL_WIDTH.chars().skip(1).zip(HALF_WIDTH.chars().skip(1)).all(|(full, half)| full as u32 - 0xfee0 == half as u32));
        let text = "海豚（华南）　ＡＢｃ１２％";
        assert_eq!(translate(text, FULL_WIDTH, HALF_WIDTH), "海豚(华南) ABc12%");
        assert_eq!(canonical::half_width(text), "海豚(华南) ABc12%", "a keyword is folded as a column is");
        assert_eq!(translate("abc", "ab", "x"), "xc");
    }

    #[test]
    fn what_is_typed_shows_what_it_holds() {
        assert_eq!((typed(Some("\u{202a} ab \u{202c}")), typed(Some("\u{200b}\u{feff}"))), (Some("ab"), None));
    }

    #[test]
    fn wildcards_of_a_keyword_are_literal() {
        assert_eq!(prefix_pattern("50%_a!"), "50!%!_a!!%");
    }
}
