//! The query of a list: page, sort and filters, from a JSON body or an address. Lists accept any harmless input of
//! clients: see [`ListQuery::from_fields`].

use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde_json::{Map, Value};

use super::check::Check;
use super::error::ApiError;
use super::input::{self, Input, InputDoc, Place, Raw};
use crate::access::Viewer;
use base::canonical::{self, Moment};
use base::clock::{self, DAY};
use base::db::page::Sort;
use base::say::say;

/// The default number of rows of a page, and the most.
pub const PAGE_SIZE: i64 = 20;
pub const MAX_PAGE_SIZE: i64 = 200;
/// The most characters of a filter, and of other values in a query: a page repeats them in each of its links.
pub const MAX_FILTER: usize = 1000;
/// The furthest row at which a page may begin.
const MAX_OFFSET: i64 = 1_000_000;

/// A list's filters and the columns it can be sorted by.
pub trait ListFilters: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Sort names of the API and the columns they mean; the first is the default.
    const SORTS: &'static [(&'static str, &'static str)];
    /// The id column, which makes every order complete.
    const ID: &'static str;
    /// Whether the default sort begins with the smallest value: true for positions in an order, false for times.
    const ASCENDING: bool = false;

    /// Sets filters that a list needs besides the given ones: the default days, or the present moment.
    fn apply_defaults(&mut self, _now: i64) {}

    /// Sets filters that depend on the viewer.
    fn for_viewer(&mut self, _viewer: &Viewer) {}

    /// Refuses filters with impossible values, such as an unknown city, or a range that ends before it begins.
    fn check(&self, _check: &mut Check) {}

    /// The values that [`ListFilters::apply_defaults`] has set, by the names of the filters.
    fn settled(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The order in which rows with these filters are best read: the same order, possibly by another expression.
    fn order(&self, sort: Sort) -> Sort {
        sort
    }
}

/// One page of a list, as requested.
#[derive(Clone, Debug)]
pub struct ListQuery<F> {
    pub filters: F,
    pub sort: Sort,
    pub current: i64,
    pub page_size: i64,
    /// The other fields of the body; exports read `format` and `columns` from them.
    pub rest: Map<String, Value>,
    /// All fields as sent, from which the same query can be made again.
    pub asked: Map<String, Value>,
}

impl<F: ListFilters> ListQuery<F> {
    /// Reads a list's query. It may come from an address, from our pages, or from an old client's form: empty texts,
    /// blanks, nulls and empty lists do not filter; numbers may be texts, and texts numbers; unknown names are
    /// ignored. A page size above the maximum is the maximum, and one below 1 is 1.
    pub fn from_fields(fields: Map<String, Value>) -> Result<ListQuery<F>, ApiError> {
        let mut fields: Map<String, Value> = fields.into_iter().filter_map(|(name, value)| Some((name, meant(value)?))).collect();
        if let Some((name, _)) = fields.iter().find(|(_, value)| value.as_str().is_some_and(is_too_long)) {
            return Err(ApiError::Malformed(format!("{}: longer than {MAX_FILTER} characters", name.chars().take(64).collect::<String>())));
        }
        let asked = fields.clone();
        let mut number = |name: &str, default: i64| match fields.remove(name) {
            None => Ok(default),
            Some(value) => integer(&value).map(|number| number.max(1)).ok_or_else(|| ApiError::Malformed(name.to_owned())),
        };
        let page_size = number("pageSize", PAGE_SIZE)?.min(MAX_PAGE_SIZE);
        let current = number("current", 1)?;
        if current > MAX_OFFSET / page_size {
            return Err(ApiError::Malformed("current".to_owned()));
        }
        let sort = fields.remove("sort");
        let ascending = F::ASCENDING && sort.is_none();
        let column = match sort {
            None => F::SORTS[0].1,
            Some(name) => F::SORTS
                .iter()
                .find_map(|(known, column)| (name.as_str() == Some(known)).then_some(*column))
                .ok_or_else(|| ApiError::Malformed("sort".to_owned()))?,
        };
        let descending = match fields.remove("order").as_ref().map(Value::as_str) {
            None => !ascending,
            Some(Some("desc" | "descend")) => true,
            Some(Some("asc" | "ascend")) => false,
            Some(_) => return Err(ApiError::Malformed("order".to_owned())),
        };
        let filters: F = read_filters(&fields)?;
        let mut check = Check::new();
        check_ranges::<F>(&fields, &mut check);
        filters.check(&mut check);
        check.done()?;
        Ok(ListQuery { filters, sort: Sort { column, id: F::ID, descending }, current, page_size, rest: fields, asked })
    }
}

/// Reads filters; the error names all unknown values.
fn read_filters<F: ListFilters>(fields: &Map<String, Value>) -> Result<F, ApiError> {
    let read = |fields: Map<String, Value>| input::typed::<F>(Value::Object(fields));
    let detail = match read(fields.clone()) {
        Err(ApiError::Malformed(detail)) => detail,
        other => return other,
    };
    let is_wrong = |(name, value): &(&String, &Value)| read(Map::from_iter([((*name).clone(), (*value).clone())])).is_err();
    let mut names: Vec<String> = match read(Map::new()) {
        Ok(_) => fields.iter().filter(is_wrong).map(|(name, _)| name.clone()).collect(),
        Err(_) => Vec::new(),
    };
    names.sort_unstable();
    Err(match names.is_empty() {
        true => ApiError::Malformed(detail),
        false => ApiError::Filters { names, detail },
    })
}

/// Refuses each range of days or moments that ends before it begins, `createdFrom` after `createdTo`: one rule for
/// all lists. Names that a list does not have are ignored.
fn check_ranges<F: ListFilters>(fields: &Map<String, Value>, check: &mut Check) {
    let moment = |value: &Value| canonical::moment(value.as_str()?);
    for (name, from) in fields {
        let Some(stem) = name.strip_suffix("From").or_else(|| name.strip_suffix("_from")) else { continue };
        let to = format!("{stem}{}", if name.ends_with("_from") { "_to" } else { "To" });
        let Some((from, until)) = moment(from).zip(fields.get(&to).and_then(moment)) else { continue };
        // The description of the filters costs more than reading them, so only input that would be refused pays for
        // it.
        if end_of(until) <= from.at() && input::has_field::<F>(name) && input::has_field::<F>(&to) {
            check.that(&to, false, say("不能早于开始日期", "Must not be before the start"));
        }
    }
}

fn is_too_long(text: &str) -> bool {
    text.len() > MAX_FILTER && text.chars().count() > MAX_FILTER
}

/// The name of a field of a query that is longer than [`MAX_FILTER`] or has such a value, shortened.
pub fn too_long(query: &str) -> Option<String> {
    // A value is never longer than it is written.
    if query.len() <= MAX_FILTER {
        return None;
    }
    let fields = serde_urlencoded::from_str::<Vec<(String, String)>>(query).ok()?;
    let (name, _) = fields.into_iter().find(|(name, value)| is_too_long(name) || is_too_long(value))?;
    Some(name.chars().take(64).collect())
}

/// The meaning of a value in a query, without invisible characters; none if it does not filter. Numbers become texts,
/// which each filter reads in its own way.
pub fn meant(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(canonical::visible(&text)).filter(|text| !text.is_empty()).map(|text| text.into_owned().into()),
        Value::Number(number) => Some(whole(&number).map_or_else(|| number.to_string(), |number| number.to_string()).into()),
        Value::Bool(flag) => Some(flag.to_string().into()),
        Value::Array(items) => items.iter().any(|item| meant(item.clone()).is_some()).then_some(Value::Array(items)),
        Value::Object(_) => Some(value),
    }
}

/// A number that is whole, however it is written: `1.0` is 1.
fn whole(number: &serde_json::Number) -> Option<i64> {
    /// Beyond this not every whole number can be a floating-point number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    number.as_i64().or_else(|| number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < EXACT).map(|number| number as i64))
}

impl<F: ListFilters> Input for ListQuery<F> {
    fn read(raw: &Raw<'_>) -> Result<ListQuery<F>, ApiError> {
        match raw.body.is_empty() {
            true => ListQuery::from_fields(Map::new()),
            false => match input::json_object(raw.body)? {
                Value::Object(fields) => ListQuery::from_fields(fields),
                _ => unreachable!("json_object answers objects"),
            },
        }
    }

    fn doc(schemas: &mut SchemaGenerator) -> InputDoc {
        let sorts: Vec<&str> = F::SORTS.iter().map(|(name, _)| *name).collect();
        let filters = schemas.subschema_for::<F>();
        let schema = schemars::json_schema!({
            "allOf": [filters, {
                "type": "object",
                "properties": {
                    "current": { "type": "integer", "minimum": 1, "default": 1 },
                    "pageSize": { "type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE, "default": PAGE_SIZE },
                    "sort": { "type": "string", "enum": sorts, "default": sorts[0] },
                    "order": { "type": "string", "enum": ["asc", "desc"], "default": if F::ASCENDING { "asc" } else { "desc" } }
                }
            }]
        });
        InputDoc { place: Place::Body, schema }
    }
}

/// A whole number, or a text of one.
pub fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => whole(number),
        Value::String(text) => canonical::integer(text),
        _ => None,
    }
}

/// For `#[serde(deserialize_with)]`: an id or count that may come as a text.
pub fn lenient_integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    match Option::<Value>::deserialize(deserializer)?.and_then(meant) {
        None => Ok(None),
        Some(value) => integer(&value).map(Some).ok_or_else(|| D::Error::custom("a whole number is expected")),
    }
}

/// Reads yuan as people type them, `5000` or `5,000.50`, as fen.
pub fn yuan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    match Option::<Value>::deserialize(deserializer)?.and_then(meant) {
        None => Ok(None),
        Some(Value::String(text)) => canonical::amount(&text).map(Some).map_err(|_| D::Error::custom("an amount in yuan is expected")),
        Some(_) => Err(D::Error::custom("an amount in yuan is expected")),
    }
}

/// The form of a day or a moment, for clients.
const WANTED: &str = "a moment is a day (YYYY-MM-DD), a day and a time, or epoch milliseconds";

/// Reads a day, a date with a time, or epoch milliseconds of thirteen digits.
fn when<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Moment>, D::Error> {
    read_moment(Option::deserialize(deserializer)?).map_err(D::Error::custom)
}

fn read_moment(value: Option<Value>) -> Result<Option<Moment>, &'static str> {
    match value.and_then(meant) {
        None => Ok(None),
        Some(value) => value.as_str().and_then(canonical::moment).map(Some).ok_or(WANTED),
    }
}

/// For `#[serde(deserialize_with)]`: a day, as its first millisecond; or a moment, as it is.
pub fn day_from<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(when(deserializer)?.map(Moment::at))
}

/// Reads a moment of a form, in which a number is epoch milliseconds of any length; the error names the field.
fn moment_of_form<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Moment>, D::Error> {
    let value = Option::<Value>::deserialize(deserializer)?;
    if let Some(Value::Number(number)) = &value {
        return whole(number).map(|at| Some(Moment::At(at))).ok_or_else(|| D::Error::custom(WANTED));
    }
    read_moment(value).map_err(D::Error::custom)
}

/// For `#[serde(deserialize_with)]`: an optional moment of a form; a day is its first millisecond.
pub fn optional_moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(moment_of_form(deserializer)?.map(Moment::at))
}

/// For `#[serde(deserialize_with)]`: a required moment of a form; a day is its first millisecond.
pub fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    optional_moment(deserializer)?.ok_or_else(|| D::Error::custom(WANTED))
}

/// For `#[serde(deserialize_with)]`: a day, as the first millisecond after it; or a moment, as the first one after
/// the second or millisecond that it names.
pub fn day_to<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(when(deserializer)?.map(end_of))
}

/// The first millisecond after a day, or after the second or millisecond that a moment names.
fn end_of(when: Moment) -> i64 {
    match when {
        Moment::Day(start) => start + DAY,
        Moment::At(at) if at % 1000 == 0 => at + 1000,
        Moment::At(at) => at + 1,
    }
}

/// For `#[serde(deserialize_with)]`: an optional moment of a form; a day is its last millisecond.
pub fn day_end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(moment_of_form(deserializer)?.map(|when| match when {
        Moment::Day(start) => start + DAY - 1,
        Moment::At(at) => at,
    }))
}

/// For `#[serde(deserialize_with)]`: a day as `YYYY-MM-DD`, also if it is written in another form; or the day of a
/// moment.
pub fn day_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(when(deserializer)?.map(|when| clock::day(when.at()).to_string()))
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum YesNo {
    Yes,
    No,
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::clock::{HOUR, MINUTE};
    use serde_json::json;

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Filters {
        #[serde(default, deserialize_with = "lenient_integer")]
        owner: Option<i64>,
        #[serde(default, deserialize_with = "day_to")]
        #[schemars(with = "Option<String>")]
        created_to: Option<i64>,
    }

    impl ListFilters for Filters {
        const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "t.created_at"), ("name", "t.name")];
        const ID: &'static str = "t.id";
    }

    fn read(value: Value) -> Result<ListQuery<Filters>, ApiError> {
        ListQuery::from_fields(value.as_object().unwrap().clone())
    }

    #[test]
    fn an_address_reads_like_a_body() {
        let query = read(
            json!({"current": "3", "pageSize": "50", "sort": "name", "order": "asc", "owner": "7", "created_to": "2026-01-31", "utm": "x"}),
        )
        .unwrap();
        assert_eq!((query.current, query.page_size, query.filters.owner), (3, 50, Some(7)));
        assert_eq!(query.sort, Sort { column: "t.name", id: "t.id", descending: false });
        assert_eq!(query.filters.created_to, clock::day_start("2026-02-01"));
    }

    #[test]
    fn absent_and_empty_filters_do_not_filter() {
        let query = read(json!({"owner": "", "created_to": null})).unwrap();
        assert_eq!((query.current, query.page_size, query.filters.owner, query.filters.created_to), (1, PAGE_SIZE, None, None));
        assert_eq!(query.sort.column, "t.created_at");
    }

    /// X7: all rows of the table of input from old clients.
    #[test]
    fn what_an_old_client_sends_is_read() {
        let at = |value: Value| read(json!({"created_to": value})).unwrap().filters.created_to;
        let day = clock::day_start("2026-03-01").unwrap();
        for (said, meant) in [
            (json!("2026-03-01"), day + DAY),
            (json!(" 2026-03-01 "), day + DAY),
            (json!("2026-03-01 00:00:00"), day + 1000),
            (json!("2026-03-01T23:59:59"), day + DAY),
            (json!("2026-03-01T00:00:00+08:00"), day + 1000),
            (json!("2026-02-28T16:00:00.000Z"), day + 1000),
            (json!("2026-02-28T16:00:00.001Z"), day + 2),
            (json!(day), day + 1000),
            (json!(day.to_string()), day + 1000),
            (json!(day as f64), day + 1000),
            (json!("20260301"), day + DAY),
            (json!(20_260_301), day + DAY),
            (json!("2026/3/1"), day + DAY),
            (json!("2026年3月1日"), day + DAY),
            (json!("２０２６－０３－０１"), day + DAY),
            (json!("\u{200b}2026-03-01"), day + DAY),
            (json!("2026-03-01 9:05"), day + 9 * HOUR + 5 * MINUTE + 1000),
        ] {
            assert_eq!(at(said.clone()), Some(meant), "{said}");
        }
        for nothing in [json!(""), json!("  "), json!(null), json!([]), json!([null, ""]), json!("\u{3000}")] {
            let query = read(json!({"owner": nothing, "created_to": nothing, "sort": nothing, "current": nothing})).unwrap();
            assert_eq!((query.filters.owner, query.filters.created_to, query.current), (None, None, 1), "{nothing}");
            assert!(query.rest.is_empty() && query.asked.is_empty(), "{nothing}");
        }
        for seven in [json!(7), json!("7"), json!(" 7 "), json!(7.0), json!("7.0"), json!("７"), json!("\u{200b}7")] {
            let query = read(json!({"owner": seven, "current": seven, "pageSize": seven})).unwrap();
            assert_eq!((query.filters.owner, query.current, query.page_size), (Some(7), 7, 7), "{seven}");
        }
        for (said, size) in [(json!(500), 200), (json!("201"), 200), (json!(0), 1), (json!(-1), 1)] {
            assert_eq!(read(json!({"pageSize": said, "current": 0})).map(|query| (query.page_size, query.current)).unwrap(), (size, 1));
        }
        assert!(read(json!({"order": "descend"})).unwrap().sort.descending && !read(json!({"order": "ascend"})).unwrap().sort.descending);
    }

    #[test]
    fn nonsense_is_malformed() {
        for bad in [
            json!({"current": 1.5}),
            json!({"current": "x"}),
            json!({"pageSize": "1.5"}),
            json!({"pageSize": "1."}),
            json!({"pageSize": 1e300}),
            json!({"current": 1_000_000, "pageSize": 200}),
            json!({"sort": "password_hash"}),
            json!({"sort": ["name"]}),
            json!({"order": "sideways"}),
        ] {
            assert!(matches!(read(bad.clone()), Err(ApiError::Malformed(_))), "{bad}");
        }
    }

    #[test]
    fn filters_of_unknown_values_are_named() {
        for (name, bad) in [
            ("owner", json!(true)),
            ("owner", json!([1])),
            ("owner", json!("1 OR 1=1")),
            ("created_to", json!("2026-02-30 00:00:00")),
            ("created_to", json!("20260230")),
            ("created_to", json!(1)),
            ("created_to", json!(1_772_294_400)),
            ("created_to", json!(-1)),
            ("created_to", json!("9".repeat(19))),
            ("created_to", json!(["2026-03-01"])),
            ("created_to", json!("yesterday")),
        ] {
            let Err(ApiError::Filters { names, .. }) = read(json!({name: bad, "unknown": "x"})) else { panic!("{bad}") };
            assert_eq!(names, [name], "{bad}");
        }
        let Err(ApiError::Filters { names, .. }) = read(json!({"owner": "x", "created_to": "x"})) else { panic!("both") };
        assert_eq!(names, ["created_to", "owner"]);
    }
}
