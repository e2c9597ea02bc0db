//! The follow-up forms of a clue's page and of the board without JavaScript: they make the same call, then show the
//! page again.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, Response, header};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::pages::plain::{form, local_address, see_other};
use crate::pages::{Site, guard, loads, show};
use base::canonical::{self, Moment};
use base::routes;
use crm::{FILES, MOST_FILES};
use frame::access::Viewer;
use frame::access::session::{self, Use};
use frame::api::ctx::RequestInfo;
use frame::api::form::{Bounds, Form, FormFields, FormFile, MAX_FILE, receive_files};
use frame::api::preferences::Preferences;
use frame::api::site::same_site;
use frame::api::{ApiError, Say, say};

/// The board, on which each card has a form.
const BOARD: &str = "/crm/board";

/// Why a form was refused, with its values; `FormError` of `js/lib/types.ts`.
#[derive(Clone, Serialize)]
pub(super) struct FormError {
    desc: String,
    /// Messages by field.
    fields: Map<String, Value>,
    values: FormFields,
}

/// The most bytes of all files of a form.
const ALL_FILES: u64 = 3 * MAX_FILE;
/// The most fields beside the files, and the most bytes of each.
const MOST_FIELDS: usize = 16;
const LONGEST_FIELD: usize = 16 * 1024;
/// The content type of a form with files.
const MULTIPART: &str = "multipart/form-data";

/// `POST /crm/progress`.
pub(super) async fn submit(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let info = parts.extensions.get::<RequestInfo>().cloned().expect("the outermost layer sets it");
    if !same_site(&parts.headers) {
        return see_other("/");
    }
    let preferences = Preferences::read(&parts.headers, info.secure);
    let viewer = match preferences.token {
        Some(token) => session::viewer(site.app.gate(), token, Use::Active, &info.origin, site.app.clock.now()).await,
        None => Ok(None),
    };
    // Files are accepted from signed-in viewers only.
    let (files, all_files) = if matches!(viewer, Ok(Some(_))) { (MOST_FILES, ALL_FILES) } else { (0, 0) };
    let (values, files) = match has_files(&parts.headers) {
        true => receive_files(&parts.headers, body, &Bounds { files, all_files, fields: MOST_FIELDS, field: LONGEST_FIELD }).await,
        false => (form(body).await, Ok(Vec::new())),
    };
    let path = format!("/crm/clue/{}", clue_id(&values));
    let viewer = match viewer {
        Ok(Some(viewer)) => Arc::new(viewer),
        Ok(None) => {
            let route = routes::by_path(&path).expect("the table has the page of a clue");
            return see_other(&guard::login_address(route, &path, ""));
        }
        Err(error) => {
            tracing::error!(request.id = info.request_id, %error, "a follow-up could not learn its viewer");
            return crate::pages::broken(&site, &info, &preferences, &path, "").await;
        }
    };
    let caller = Caller { api: &site.api, viewer: &viewer, info: &info };
    let saved = match files {
        Ok(files) => caller.save(&values, files).await,
        Err(ApiError::TooLarge) => Err(of_files(too_much().get(info.locale))),
        Err(error) => Err(Refusal { desc: error.text(info.locale), fields: Map::new() }),
    };
    match saved {
        Ok(()) => match values.get("then").map(String::as_str) {
            Some("next") => see_other(&caller.next(clue_id(&values)).await.unwrap_or(path)),
            _ => see_other(&after(&values, &path)),
        },
        Err(Refusal { desc, fields }) => show(&site, &info, &preferences, &path, "", Some(&FormError { desc, fields, values })).await,
    }
}

/// Whether a form brings files with it.
fn has_files(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.trim_start().get(..MULTIPART.len()).is_some_and(|kind| kind.eq_ignore_ascii_case(MULTIPART))
}

/// Why nothing was written.
struct Refusal {
    desc: String,
    /// Messages by field.
    fields: Map<String, Value>,
}

/// The refusal of a form for its files.
fn of_files(desc: &str) -> Refusal {
    Refusal { desc: desc.to_owned(), fields: Map::from_iter([("fileIds".to_owned(), desc.into())]) }
}

fn too_much() -> Say {
    let (each, all) = (MAX_FILE >> 20, ALL_FILES >> 20);
    say(
        format!("附件最多 {MOST_FILES} 个，每个不超过 {each} MB，合计不超过 {all} MB"),
        format!("Attach at most {MOST_FILES} files of {each} MB each, {all} MB in all"),
    )
}

/// Makes the calls of a form for its sender.
struct Caller<'c> {
    api: &'c Router,
    viewer: &'c Arc<Viewer>,
    info: &'c RequestInfo,
}

impl Caller<'_> {
    /// Uploads the files, and writes the follow-up with them. Files of a refused follow-up are removed.
    async fn save(&self, values: &FormFields, files: Vec<FormFile>) -> Result<(), Refusal> {
        let mut ids = Vec::new();
        let mut saved = Ok(());
        for file in files {
            match self.upload(file).await {
                Ok(id) => ids.push(id),
                Err(refusal) => {
                    saved = Err(refusal);
                    break;
                }
            }
        }
        if saved.is_ok() {
            saved = self.progress(values, &ids).await;
        }
        if saved.is_err() {
            for id in ids {
                loads::bare(self.api, Method::DELETE, &format!("/common/file/{id}"), self.viewer, self.info).await;
            }
        }
        saved
    }

    /// The page of the clue whose contact is due next; none if no other is due.
    async fn next(&self, after: u64) -> Option<String> {
        let answer = loads::bare(self.api, Method::GET, &format!("/crm/clue/next?after={after}"), self.viewer, self.info).await;
        let answer: Value = serde_json::from_str(&answer).ok()?;
        answer["data"].as_i64().map(|id| format!("/crm/clue/{id}"))
    }

    /// Uploads a file. Returns its id.
    async fn upload(&self, file: FormFile) -> Result<i64, Refusal> {
        let name = file.name.clone();
        let fields = Map::from_iter([("bizType".to_owned(), FILES.biz_type.into())]);
        let answer = loads::upload(self.api, Form::of(fields, file), self.viewer, self.info).await;
        let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
        answer["data"]["id"].as_i64().ok_or_else(|| of_files(&format!("{name}: {}", answer["desc"].as_str().unwrap_or_default())))
    }

    async fn progress(&self, values: &FormFields, file_ids: &[i64]) -> Result<(), Refusal> {
        let mut body = body_of(values);
        if !file_ids.is_empty() {
            body["fileIds"] = file_ids.into();
        }
        let answer = loads::post(self.api, "/crm/progress", self.viewer, self.info, body.to_string()).await;
        let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
        if answer["code"] == "0000" {
            return Ok(());
        }
        let mut fields = answer["data"].as_object().filter(|_| answer["code"] == "1001").cloned().unwrap_or_default();
        if !file_ids.is_empty() {
            // A page cannot put files back into a form.
            let again = self.info.locale.pick("请重新选择附件", "Choose the files again");
            fields.entry("fileIds").or_insert_with(|| again.into());
        }
        Err(Refusal { desc: answer["desc"].as_str().unwrap_or_default().to_owned(), fields })
    }
}

/// The clue of the form; 0, which is no clue, if the field is not an id for a page's address.
fn clue_id(values: &FormFields) -> u64 {
    values.get("id").and_then(|id| id.parse().ok()).filter(|id| *id < 1_000_000_000_000_000).unwrap_or(0)
}

/// The address after a saved form: the board with the moved clue, or the clue's page.
fn after(values: &FormFields, page: &str) -> String {
    let back = values.get("back").map_or("", |back| local_address(back));
    match back.strip_prefix(BOARD) {
        Some("") => format!("{BOARD}?moved={}", clue_id(values)),
        Some(query) if query.starts_with('?') => format!("{back}&moved={}", clue_id(values)),
        _ => page.to_owned(),
    }
}

/// The form as the call's body: numbers and moments are texts in a form, empty fields are absent.
fn body_of(values: &FormFields) -> Value {
    let text = |name: &str| values.get(name).map(|text| text.trim()).filter(|text| !text.is_empty());
    let number = |name: &str| text(name).and_then(|text| text.parse::<i64>().ok());
    let ends = matches!(text("status"), Some("invalid" | "lost"));
    let closes = ends || text("status") == Some("disbursed");
    let mut body = json!({
        "id": number("id").unwrap_or(0),
        "version": number("version"),
        "status": text("status"),
        "type": text("type"),
        "result": text("result"),
        "note": text("note"),
        "level": text("level"),
        "star": number("star"),
        // Without a script the form cannot hide the reason of other stages.
        "lostReason": text("lostReason").filter(|_| ends),
        "nextAt": text("nextAt").filter(|_| !closes).map(|at| canonical::moment(at).map_or(0, Moment::at)),
    });
    if let Some(fields) = body.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_of_a_form_has_a_page() {
        for (typed, id) in [("7", 7), ("-1", 0), ("999999999999999", 999_999_999_999_999), ("1000000000000000", 0), ("x", 0)] {
            let id_typed = FormFields::from([("id".to_owned(), typed.to_owned())]);
            assert_eq!(clue_id(&id_typed), id, "{typed}");
            assert!(routes::by_path(&format!("/crm/clue/{}", clue_id(&id_typed))).is_some(), "{typed}");
        }
    }

    #[test]
    fn a_saved_form_leads_to_the_board_or_to_the_clue() {
        for (back, to) in [
            ("/crm/board", "/crm/board?moved=7"),
            ("/crm/board?level=a", "/crm/board?level=a&moved=7"),
            ("/crm/boards", "/crm/clue/7"),
            ("//evil.example/crm/board", "/crm/clue/7"),
            ("/crm/board\r\nSet-Cookie: a=b", "/crm/clue/7"),
            ("", "/crm/clue/7"),
        ] {
            let values = FormFields::from([("id".to_owned(), "7".to_owned()), ("back".to_owned(), back.to_owned())]);
            assert_eq!(after(&values, "/crm/clue/7"), to, "{back}");
        }
    }

    #[test]
    fn a_form_becomes_the_body_of_the_call() {
        let form = |pairs: &[(&str, &str)]| pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let typed = form(&[
            ("id", "7"),
            ("version", "2"),
            ("note", " 已联系 "),
            ("star", "1"),
            ("nextAt", "2026-03-01T10:00"),
            ("lostReason", "other"),
        ]);
        assert_eq!(body_of(&typed), json!({"id": 7, "version": 2, "note": "已联系", "star": 1, "nextAt": 1_772_330_400_000_i64}));
        let disbursed = form(&[("id", "7"), ("status", "disbursed"), ("nextAt", "2026-03-01T10:00")]);
        assert_eq!(body_of(&disbursed), json!({"id": 7, "status": "disbursed"}));
        let ended = form(&[("id", "7"), ("status", "lost"), ("lostReason", "other"), ("nextAt", "2026-03-01T10:00")]);
        assert_eq!(body_of(&ended), json!({"id": 7, "status": "lost", "lostReason": "other"}));
    }
}
