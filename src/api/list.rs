//! How a list is asked for: page, sort and filters, from a JSON body or an address's query.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde_json::{Map, Value};

use super::error::ApiError;
use super::input::{self, Input, InputDoc, Place, Raw};
use crate::clock::{self, DAY};
use crate::db::page::Sort;

/// Rows of a page when none are asked for, and at most.
pub const PAGE_SIZE: i64 = 20;
pub const MAX_PAGE_SIZE: i64 = 200;
/// The furthest row a page may begin at.
const MAX_OFFSET: i64 = 1_000_000;

/// A list's filters and the columns it can be sorted by.
pub trait ListFilters: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Sort names of the API and the columns they mean; the first is the default.
    const SORTS: &'static [(&'static str, &'static str)];
    /// The id column, which makes every order total.
    const ID: &'static str;
    /// Whether the first of the sorts, when none is asked for, begins with the smallest: places in an
    /// order do, moments do not.
    const ASCENDING: bool = false;

    /// Sets what a list does not go without: the days that are meant when none are asked for.
    fn settle(&mut self, _now: i64) {}

    /// What [`ListFilters::settle`] has set, by the names of the filters.
    fn settled(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The order in which these filters' rows are best read: the same one, perhaps by another
    /// expression.
    fn order(&self, sort: Sort) -> Sort {
        sort
    }
}

/// One page of a list, as asked for.
#[derive(Clone, Debug)]
pub struct ListQuery<F> {
    pub filters: F,
    pub sort: Sort,
    pub current: i64,
    pub page_size: i64,
    /// What else the body held; exports read `format` and `columns` from it.
    pub rest: Map<String, Value>,
    /// All of it, as it was asked: what makes the same query again.
    pub asked: Map<String, Value>,
}

impl<F: ListFilters> ListQuery<F> {
    /// Reads a list's query. Empty values do not filter; numbers may come as texts, because they
    /// come from addresses; names a list does not know are left alone.
    pub fn from_fields(mut fields: Map<String, Value>) -> Result<ListQuery<F>, ApiError> {
        fields.retain(|_, value| !matches!(value, Value::Null) && value.as_str() != Some(""));
        let asked = fields.clone();
        let mut number = |name: &str, default: i64, most: i64| match fields.remove(name) {
            None => Ok(default),
            Some(value) => integer(&value).filter(|number| (1..=most).contains(number)).ok_or_else(|| ApiError::Malformed(name.to_owned())),
        };
        let page_size = number("pageSize", PAGE_SIZE, MAX_PAGE_SIZE)?;
        let current = number("current", 1, MAX_OFFSET / page_size)?;
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
            Some(Some("desc")) => true,
            Some(Some("asc")) => false,
            Some(_) => return Err(ApiError::Malformed("order".to_owned())),
        };
        let filters = input::typed(Value::Object(fields.clone()))?;
        Ok(ListQuery { filters, sort: Sort { column, id: F::ID, descending }, current, page_size, rest: fields, asked })
    }
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

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// For `#[serde(deserialize_with)]`: an id or count that may come as a text.
pub fn lenient_integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    match Option::<Value>::deserialize(deserializer)? {
        None => Ok(None),
        Some(value) => integer(&value).map(Some).ok_or_else(|| D::Error::custom("a whole number is expected")),
    }
}

/// For `#[serde(deserialize_with)]`: a `YYYY-MM-DD` day, read as its first millisecond.
pub fn day_from<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    text.map(|text| clock::day_start(&text).ok_or_else(|| D::Error::custom("a day is YYYY-MM-DD"))).transpose()
}

/// For `#[serde(deserialize_with)]`: a `YYYY-MM-DD` day, read as the first millisecond after it.
pub fn day_to<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(day_from(deserializer)?.map(|start| start + DAY))
}

/// For `#[serde(deserialize_with)]`: a `YYYY-MM-DD` day, as it is.
pub fn day_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    match text.as_deref().map(clock::day_start) {
        Some(None) => Err(D::Error::custom("a day is YYYY-MM-DD")),
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    #[test]
    fn nonsense_is_malformed() {
        for bad in [
            json!({"current": 0}),
            json!({"current": "x"}),
            json!({"pageSize": 201}),
            json!({"current": 1_000_000, "pageSize": 200}),
            json!({"sort": "password_hash"}),
            json!({"sort": ["name"]}),
            json!({"order": "sideways"}),
            json!({"owner": "1 OR 1=1"}),
            json!({"created_to": "yesterday"}),
        ] {
            assert!(matches!(read(bad.clone()), Err(ApiError::Malformed(_))), "{bad}");
        }
    }
}
