//! The API's description, OpenAPI 3.1, built from the calls themselves.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::calls::{Access, Call, Calls};
use super::input::Place;
use super::signed::{SIGNING, Signature};

/// The codes of the envelope and their meaning (`ApiError::code`).
const CODES: &[(&str, &str)] = &[
    ("0000", "done"),
    ("1001", "a field is wrong; data is {field: message}"),
    ("1002", "incorrect username or password, or incorrect or expired verification code"),
    ("1003", "not allowed: the role lacks the permission point"),
    ("1004", "no such record, or not in the viewer's data scope"),
    ("1005", "conflict: a duplicate, or the record changed since it was read (data.current)"),
    ("1006", "the state does not allow it"),
    ("1007", "the password was right, and a code is owed; data.ticket is for giving it"),
    ("2000", "the login has expired, was revoked, or is missing"),
    ("3001", "signed calls: unknown or disabled appId"),
    ("3002", "signed calls: wrong signature"),
    ("3003", "signed calls: the timestamp is more than 5 minutes off"),
    ("3004", "signed calls: the nonce has been used"),
    ("3005", "signed calls: the caller's address is not allowed"),
    ("3006", "signed calls: the requestId was used for another application; nothing was taken"),
    ("4000", "the request is malformed"),
    ("4004", "no such call"),
    ("4013", "body or file too large, or a file of the wrong type"),
    ("4029", "too many tries; see Retry-After (HTTP 429 for partners' calls)"),
    ("5000", "our fault; data.requestId finds it in the log"),
    ("5001", "the database was lost while the work was committed: it is done or not, look before you try again"),
    ("5003", "busy, shutting down, or out of room on the disk, try again"),
];

/// The whole document.
pub fn document(calls: &Calls) -> Value {
    // OpenAPI 3.1 takes JSON Schema 2020-12 as it is.
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut schemas = SchemaGenerator::new(settings);
    let mut paths = Map::new();
    for call in calls.iter() {
        let path = paths.entry(format!("/api{}", call.path)).or_insert_with(|| json!({}));
        path[call.method.as_str().to_lowercase()] = operation(call, &mut schemas);
    }
    let mut components: Map<String, Value> = schemas.take_definitions(true).into_iter().collect();
    components.insert("Failure".to_owned(), failure());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Leadlane",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Every answer is an envelope {code, desc, data}; business outcomes travel with HTTP 200. Where a proxy \
                forbids PUT and DELETE, the same call works as POST with ?_method=PUT or ?_method=DELETE in its query, or with the \
                header X-HTTP-Method-Override, as long as it carries the header token."
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": { "token": { "type": "apiKey", "in": "header", "name": "token" } }
        }
    })
}

fn operation(call: &Call, schemas: &mut SchemaGenerator) -> Value {
    let (input, output, is_file) = (call.describe)(schemas);
    let mut parameters: Vec<Value> = path_parameters(call.path);
    let mut operation = json!({
        "operationId": operation_id(call),
        "tags": [call.path.split('/').nth(1).unwrap_or_default()],
        "responses": { "200": answer(output, is_file), "default": failed() }
    });
    match input.place {
        Place::Nowhere => {}
        Place::Query => parameters.extend(query_parameters(&input.schema, schemas)),
        Place::Form => {
            operation["requestBody"] = json!({ "required": true, "content": { "multipart/form-data": { "schema": input.schema } } })
        }
        Place::Signed => {
            parameters.extend(query_parameters(&schemas.subschema_for::<Signature>(), schemas));
            operation["description"] = SIGNING.into();
            operation["requestBody"] = json!({ "required": true, "content": { "application/json": { "schema": input.schema } } })
        }
        Place::Body => {
            operation["requestBody"] = json!({ "required": true, "content": { "application/json": { "schema": input.schema } } })
        }
    }
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    match call.access {
        Access::Open => {}
        Access::SignedIn => operation["security"] = json!([{ "token": [] }]),
        Access::Point(point) => {
            operation["security"] = json!([{ "token": [] }]);
            operation["x-permission-point"] = json!([point]);
        }
        Access::AnyPoint(points) | Access::EveryPoint(points) => {
            operation["security"] = json!([{ "token": [] }]);
            operation["x-permission-point"] = json!(points);
        }
    }
    operation
}

/// `putChannelStatus` of `PUT /channel/status`.
fn operation_id(call: &Call) -> String {
    let mut id = call.method.as_str().to_lowercase();
    for word in call.path.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        id.push_str(&word[..1].to_uppercase());
        id.push_str(&word[1..]);
    }
    id
}

fn path_parameters(path: &str) -> Vec<Value> {
    path.split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "integer", "minimum": 1 } }))
        .collect()
}

/// A query's fields, one parameter each.
fn query_parameters(schema: &Schema, schemas: &SchemaGenerator) -> Vec<Value> {
    let whole = resolved(schema, schemas);
    let required = |name: &str| whole.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|one| one == name));
    let fields = whole.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    fields.into_iter().map(|(name, schema)| json!({ "name": name, "in": "query", "required": required(&name), "schema": schema })).collect()
}

/// The schema behind a reference.
fn resolved(schema: &Schema, schemas: &SchemaGenerator) -> Value {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next());
    name.and_then(|name| schemas.definitions().get(name).cloned()).unwrap_or_else(|| schema.clone().to_value())
}

fn answer(data: Option<Schema>, is_file: bool) -> Value {
    let mut described = match data {
        None => json!({
            "description": "the file, or the envelope when it fails",
            "content": {}
        }),
        Some(data) => json!({
            "description": "the envelope; data as described when code is 0000, else as Failure",
            "content": { "application/json": { "schema": { "oneOf": [
                {
                    "type": "object",
                    "required": ["code", "desc", "data"],
                    "properties": { "code": { "const": "0000" }, "desc": { "type": "string" }, "data": data }
                },
                { "$ref": "#/components/schemas/Failure" }
            ] } } }
        }),
    };
    if is_file {
        described["headers"] = json!({ "X-Total-Rows": { "description": "of exports", "schema": { "type": "integer" } } });
        described["content"]["application/octet-stream"] = json!({});
    }
    described
}

fn failed() -> Value {
    json!({
        "description": "the envelope of a failure that has an HTTP status of its own",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Failure" } } }
    })
}

fn failure() -> Value {
    let codes: Vec<&str> = CODES.iter().map(|(code, _)| *code).filter(|code| *code != "0000").collect();
    let meanings: Vec<String> = CODES.iter().map(|(code, meaning)| format!("{code} {meaning}")).collect();
    json!({
        "type": "object",
        "required": ["code", "desc", "data"],
        "description": meanings.join("\n"),
        "properties": { "code": { "enum": codes }, "desc": { "type": "string" }, "data": {} }
    })
}
