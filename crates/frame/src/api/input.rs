//! The input of a handler: a JSON body, a query, an id of the path.

use std::borrow::Cow;

use axum::extract::RawPathParams;
use axum::http::{HeaderMap, header};
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::error::ApiError;
use super::form::Form;
use super::list;
use super::site::same_site;
use base::say::say;

/// A request's parts, as inputs read them.
pub struct Raw<'a> {
    pub headers: &'a HeaderMap,
    pub path: &'a RawPathParams,
    pub query: &'a str,
    pub body: &'a [u8],
    /// For calls with a form ([`Arrives::AsForm`]).
    pub form: Option<&'a Form>,
}

/// How the body of a call is received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrives {
    /// As a whole, at most [`super::calls::MAX_BODY`] bytes.
    Whole,
    /// In parts, one of them a file: `multipart/form-data`.
    AsForm,
}

/// The places of an input's fields, for the API's description.
pub struct InputDoc {
    pub place: Place,
    pub schema: schemars::Schema,
}

/// A place of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Nowhere,
    Body,
    Query,
    /// A body with a signature in the query.
    Signed,
    /// `multipart/form-data`.
    Form,
}

/// A handler's input.
pub trait Input: Sized + Send + 'static {
    /// How the body is received.
    const ARRIVES: Arrives = Arrives::Whole;
    /// Reads it; an input that does not fit is the caller's mistake.
    fn read(raw: &Raw<'_>) -> Result<Self, ApiError>;
    /// Describes it.
    fn doc(schemas: &mut SchemaGenerator) -> InputDoc;
}

/// No input.
pub struct Nothing;

impl Input for Nothing {
    fn read(_: &Raw<'_>) -> Result<Nothing, ApiError> {
        Ok(Nothing)
    }

    fn doc(_: &mut SchemaGenerator) -> InputDoc {
        InputDoc { place: Place::Nowhere, schema: schemars::Schema::default() }
    }
}

/// The `{id}` of the path.
pub struct Id(pub i64);

impl Input for Id {
    fn read(raw: &Raw<'_>) -> Result<Id, ApiError> {
        let text = raw.path.iter().find_map(|(name, value)| (name == "id").then_some(value)).unwrap_or_default();
        match text.parse::<i64>() {
            Ok(id) if id > 0 => Ok(Id(id)),
            _ => Err(ApiError::Malformed("id".to_owned())),
        }
    }

    fn doc(_: &mut SchemaGenerator) -> InputDoc {
        InputDoc { place: Place::Nowhere, schema: schemars::Schema::default() }
    }
}

/// The `{id}` of the path, and the query string.
pub struct IdQuery<T>(pub i64, pub T);

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for IdQuery<T> {
    fn read(raw: &Raw<'_>) -> Result<IdQuery<T>, ApiError> {
        Ok(IdQuery(Id::read(raw)?.0, Query::read(raw)?.0))
    }

    fn doc(schemas: &mut SchemaGenerator) -> InputDoc {
        Query::<T>::doc(schemas)
    }
}

/// A JSON object in the body. Types read with it deny unknown fields. If it cannot be read as it is, a whole number
/// may be a text, and an empty text counts as absent for optional fields.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for Body<T> {
    fn read(raw: &Raw<'_>) -> Result<Body<T>, ApiError> {
        read_body(raw.body).map(Body)
    }

    fn doc(schemas: &mut SchemaGenerator) -> InputDoc {
        InputDoc { place: Place::Body, schema: schemas.subschema_for::<T>() }
    }
}

/// A JSON object for a call that sets a cookie. It is accepted from our own pages and from programs, never from a
/// page of another site, and only as JSON: a page of another site cannot send JSON without permission.
pub struct OwnBody<T>(pub T);

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for OwnBody<T> {
    fn read(raw: &Raw<'_>) -> Result<OwnBody<T>, ApiError> {
        let kind = raw.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !same_site(raw.headers) {
            return Err(ApiError::Forbidden);
        }
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(ApiError::Malformed("Content-Type: application/json".to_owned()));
        }
        Ok(OwnBody(Body::read(raw)?.0))
    }

    fn doc(schemas: &mut SchemaGenerator) -> InputDoc {
        Body::<T>::doc(schemas)
    }
}

/// The query string, from our own pages and from programs.
pub struct OwnQuery<T>(pub T);

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for OwnQuery<T> {
    fn read(raw: &Raw<'_>) -> Result<OwnQuery<T>, ApiError> {
        match same_site(raw.headers) {
            true => Ok(OwnQuery(Query::read(raw)?.0)),
            false => Err(ApiError::Forbidden),
        }
    }

    fn doc(schemas: &mut SchemaGenerator) -> InputDoc {
        Query::<T>::doc(schemas)
    }
}

/// A JSON object in the body of a call of the specification: an empty text counts as absent for optional fields, a
/// whole number may be a text, and a text a number. An empty body is an object without fields. Clients fill such a
/// form from a record, and send all of the record back with their own fields: unknown ones are ignored. Anything else
/// is refused as by [`Body`].
pub struct Sent<T>(pub T);

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for Sent<T> {
    fn read(raw: &Raw<'_>) -> Result<Sent<T>, ApiError> {
        let body = match raw.body.trim_ascii() {
            b"" | b"null" => Value::Object(serde_json::Map::new()),
            body => json_object(body)?,
        };
        sent(body, Unknown::LeftOut).map(Sent)
    }

    fn doc(schemas: &mut SchemaGenerator) -> InputDoc {
        Body::<T>::doc(schemas)
    }
}

/// Reads the JSON object of a partner's call as [`Body`] does. A value of a wrong kind is a wrong field, and its text
/// names the right kind.
pub(super) fn partners_body<T: DeserializeOwned + JsonSchema>(body: &[u8]) -> Result<T, ApiError> {
    let body = json_object(body)?;
    match typed(&body) {
        Ok(read) => Ok(read),
        Err(_) => serde_path_to_error::deserialize(meant::<T>(body, Unknown::Refused))
            .map_err(|error| wrong_kind(&error).unwrap_or_else(|| malformed(&error))),
    }
}

/// The field whose value is of a wrong kind, if that is serde's error.
fn wrong_kind(error: &serde_path_to_error::Error<serde_json::Error>) -> Option<ApiError> {
    let message = error.inner().to_string();
    let (_, wanted) =
        message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "))?.rsplit_once(", expected ")?;
    let words = match wanted {
        "a string" => say("应为文字", "Must be a text"),
        "a boolean" => say("应为 true 或 false", "Must be true or false"),
        "a sequence" => say("应为列表", "Must be a list"),
        "i64" | "u64" | "i32" | "u32" => say("应为整数", "Must be a whole number"),
        "a map" => say("应为对象", "Must be an object"),
        wanted if wanted.starts_with("struct ") => say("应为对象", "Must be an object"),
        _ => return None,
    };
    Some(ApiError::field(&error.path().to_string(), words))
}

/// How fields that a form does not have are treated.
#[derive(Clone, Copy, PartialEq)]
enum Unknown {
    Refused,
    LeftOut,
}

fn read_body<T: DeserializeOwned + JsonSchema>(body: &[u8]) -> Result<T, ApiError> {
    let body = json_object(body)?;
    // The description of a type costs more than reading it, so only input that would be refused pays for it.
    typed(&body).or_else(|_| sent(body, Unknown::Refused))
}

fn sent<T: DeserializeOwned + JsonSchema>(body: Value, unknown: Unknown) -> Result<T, ApiError> {
    typed(meant::<T>(body, unknown))
}

/// A body with its values converted to the kinds of the form, if that is unambiguous.
fn meant<T: JsonSchema>(body: Value, unknown: Unknown) -> Value {
    let Value::Object(fields) = body else { return body };
    let form = Described::of::<T>();
    let fields = fields.into_iter().filter_map(|(name, value)| match form.kind(&name) {
        Some(kind) => Some((name, kind.read(value, unknown == Unknown::LeftOut)?)),
        None if unknown == Unknown::LeftOut => None,
        None => Some((name, value)),
    });
    Value::Object(fields.collect())
}

/// Whether a type has a field, by its name in requests.
pub(super) fn has_field<T: JsonSchema>(name: &str) -> bool {
    Described::of::<T>().0["properties"].get(name).is_some()
}

/// A type in its own description.
struct Described(Value);

impl Described {
    fn of<T: JsonSchema>() -> Described {
        Described(SchemaGenerator::default().into_root_schema_for::<T>().to_value())
    }

    fn kind(&self, name: &str) -> Option<Kind> {
        let is_required = |name: &str| self.0["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
        let field = self.0["properties"].get(name)?;
        let is = |schema: &Value, kind: &str| match &schema["type"] {
            Value::String(one) => one == kind,
            Value::Array(several) => several.iter().any(|one| one == kind),
            _ => false,
        };
        Some(Kind {
            optional: !is_required(name),
            integer: is(field, "integer"),
            integers: is(field, "array") && is(&field["items"], "integer"),
            text: is(field, "string"),
        })
    }
}

/// The kinds that a field accepts.
struct Kind {
    optional: bool,
    integer: bool,
    /// A list of whole numbers.
    integers: bool,
    text: bool,
}

impl Kind {
    /// A value converted to the kind of the field, if possible; none if it counts as absent. A number becomes a text
    /// only if `texts_of_numbers` is set.
    fn read(&self, value: Value, texts_of_numbers: bool) -> Option<Value> {
        let whole = |value: Value| list::integer(&value).map_or(value, Value::from);
        match value {
            Value::String(text) if self.optional && text.trim().is_empty() => None,
            value if self.integer => Some(whole(value)),
            Value::Array(items) if self.integers => Some(items.into_iter().map(whole).collect()),
            Value::Number(number) if texts_of_numbers && self.text && number.is_i64() => Some(number.to_string().into()),
            value => Some(value),
        }
    }
}

/// The query string. An empty value counts as absent for optional fields: forms and cleared choices send it so.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for Query<T> {
    fn read(raw: &Raw<'_>) -> Result<Query<T>, ApiError> {
        if raw.query.contains("%00") {
            return Err(ApiError::Malformed("NUL".to_owned()));
        }
        if let Some(name) = list::too_long(raw.query) {
            return Err(ApiError::Malformed(format!("{name}: longer than {} characters", list::MAX_FILTER)));
        }
        let query = without_empty::<T>(raw.query)?;
        Ok(Query(serde_urlencoded::from_str(&query).map_err(|error| malformed(&error))?))
    }

    fn doc(schemas: &mut SchemaGenerator) -> InputDoc {
        InputDoc { place: Place::Query, schema: schemas.subschema_for::<T>() }
    }
}

/// A query without the optional values that are empty.
fn without_empty<T: JsonSchema>(query: &str) -> Result<Cow<'_, str>, ApiError> {
    let mut pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).map_err(|error| malformed(&error))?;
    let is_empty = |value: &str| value.trim().is_empty();
    if !pairs.iter().any(|(_, value)| is_empty(value)) {
        return Ok(Cow::Borrowed(query));
    }
    let form = Described::of::<T>();
    pairs.retain(|(name, value)| !(is_empty(value) && form.kind(name).is_some_and(|kind| kind.optional)));
    serde_urlencoded::to_string(&pairs).map(Cow::Owned).map_err(|error| malformed(&error))
}

/// Parses a body that must be a JSON object; texts with NUL are refused, since no database stores them.
pub fn json_object(body: &[u8]) -> Result<Value, ApiError> {
    // Some libraries write a byte order mark first.
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let value: Value = serde_json::from_slice(body).map_err(|error| malformed(&error))?;
    match value {
        Value::Object(_) if has_nul(&value) => Err(ApiError::Malformed("NUL".to_owned())),
        Value::Object(_) => Ok(value),
        _ => Err(ApiError::Malformed("a JSON object is expected".to_owned())),
    }
}

/// The fields of a form from a page without scripts (`application/x-www-form-urlencoded`); texts with NUL are refused
/// as in JSON.
pub fn page_form<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    if body.contains(&0) || body.windows(3).any(|piece| piece == b"%00") {
        return Err(ApiError::Malformed("NUL".to_owned()));
    }
    serde_urlencoded::from_bytes(body).map_err(|error| malformed(&error))
}

fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_nul),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        _ => false,
    }
}

/// Reads a value's fields; an error begins with the field's name.
pub fn typed<'v, T: DeserializeOwned>(value: impl Deserializer<'v, Error = serde_json::Error>) -> Result<T, ApiError> {
    serde_path_to_error::deserialize(value).map_err(|error| malformed(&error))
}

/// For `#[serde(default, deserialize_with)]`: a field whose null is its default, as an absent one is.
pub fn null_is_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(input: D) -> Result<T, D::Error> {
    Option::<T>::deserialize(input).map(Option::unwrap_or_default)
}

/// Serde's message says what was expected; it is shortened, since it may repeat input.
pub fn malformed(error: &impl std::fmt::Display) -> ApiError {
    ApiError::Malformed(error.to_string().chars().take(160).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_field_is_named() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Form {
            #[expect(dead_code)]
            price: i64,
        }
        for (value, start) in [
            (serde_json::json!({"price": "1"}), "price: invalid type"),
            (serde_json::json!({}), "missing field `price`"),
            (serde_json::json!({"price": 1, "prize": 2}), "prize: unknown field"),
        ] {
            let Err(ApiError::Malformed(text)) = typed::<Form>(value) else { panic!("malformed") };
            assert!(text.starts_with(start), "{text}");
        }
    }

    /// X8: harmless input is read, and nothing else.
    #[test]
    fn a_record_sent_back_is_its_form() {
        #[derive(Debug, Default, PartialEq, serde::Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Form {
            id: Option<i64>,
            name: String,
            value: Option<String>,
            #[serde(default)]
            ids: Vec<i64>,
        }
        let read = |body| sent::<Form>(body, Unknown::LeftOut);
        let form = Form { id: Some(7), name: "a".to_owned(), value: Some("138".to_owned()), ids: vec![1, 2] };
        for good in [
            serde_json::json!({"id": 7, "name": "a", "value": "138", "ids": [1, 2]}),
            serde_json::json!({"id": "7", "name": "a", "value": 138, "ids": ["1", " 2 "], "valueMask": "1**"}),
            serde_json::json!({"id": 7.0, "name": "a", "value": "138", "ids": [1.0, "2"], "valueMask": {"x": 1}}),
        ] {
            assert_eq!(read(good.clone()).unwrap(), form, "{good}");
        }
        let empty = Form { name: String::new(), ..Form::default() };
        assert_eq!(read(serde_json::json!({"id": "", "name": "", "value": "  ", "ids": []})).unwrap(), empty);
        let other = serde_json::json!({"name": "a", "status": "x"});
        assert_eq!(read(other.clone()).unwrap().name, "a");
        assert!(matches!(sent::<Form>(other, Unknown::Refused), Err(ApiError::Malformed(_))));
        for bad in [
            serde_json::json!({"name": 1.5}),
            serde_json::json!({"name": "a", "id": "7x"}),
            serde_json::json!({"name": "a", "id": 7.5}),
            serde_json::json!({"name": "a", "id": [7]}),
            serde_json::json!({"name": "a", "ids": ["x"]}),
            serde_json::json!({"name": ["a"]}),
            serde_json::json!({"id": 1}),
        ] {
            assert!(matches!(read(bad.clone()), Err(ApiError::Malformed(_))), "{bad}");
        }
    }

    #[test]
    fn an_empty_value_of_an_address_is_absent_where_one_may_be() {
        #[derive(Debug, PartialEq, serde::Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Form {
            conversation_id: i64,
            content: String,
            before: Option<i64>,
            #[serde(default)]
            limit: i64,
        }
        let read = |query: &'static str| serde_urlencoded::from_str::<Form>(&without_empty::<Form>(query).unwrap());
        let form = |before| Form { conversation_id: 1, content: String::new(), before, limit: 0 };
        assert_eq!(read("conversationId=1&content=&before=&limit=").unwrap(), form(None));
        assert_eq!(read("conversationId=1&content=&before=+%20&limit").unwrap(), form(None));
        assert_eq!(read("conversationId=1&content=&before=7").unwrap(), form(Some(7)));
        for bad in ["conversationId=&content=", "conversationId=1&content=&before=x", "conversationId=1&content=&other="] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_body_is_read_as_it_is_and_else_as_an_old_client_means_it() {
        #[derive(Debug, PartialEq, serde::Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Form {
            org_id: i64,
            gift_cents: Option<i64>,
            remark: Option<String>,
        }
        let read = |body: &str| read_body::<Form>(body.as_bytes());
        let form = |remark: Option<&str>| Form { org_id: 1, gift_cents: None, remark: remark.map(str::to_owned) };
        // A text that can be empty stays what it is.
        assert_eq!(read(r#"{"orgId": 1, "remark": ""}"#).unwrap(), form(Some("")));
        assert_eq!(read(r#"{"orgId": "1", "giftCents": "", "remark": "x"}"#).unwrap(), form(Some("x")));
        for bad in [r#"{"orgId": "1x"}"#, r#"{"orgId": ""}"#, r#"{"orgId": "1", "other": 1}"#, "", "null"] {
            assert!(matches!(read(bad), Err(ApiError::Malformed(_))), "{bad}");
        }
    }

    #[test]
    fn only_objects_without_nul_are_bodies() {
        assert!(json_object(b"\xef\xbb\xbf{\"a\": 1}").is_ok(), "a byte order mark");
        assert!(json_object(br#"{"a": {"b": ["c\\u0000"]}}"#).is_ok(), "a backslash and u0000 typed by a person");
        for bad in [&br#"{"a": {"b": ["c\u0000"]}}"#[..], br#"{"\u0000": 1}"#, b"[]", b"1", b"", b"{", b"\xff"] {
            assert!(matches!(json_object(bad), Err(ApiError::Malformed(_))), "{:?}", String::from_utf8_lossy(bad));
        }
    }
}
