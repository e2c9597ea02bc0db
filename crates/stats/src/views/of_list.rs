//! Saved views of lists: filters, order and columns of a page under a name, for oneself and, if platform staff share them, for
//! the people of a role. They are rows of the same table as the views of statistics.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::store::{self, Stored};
use super::{MOST, NAME, StatView, record_sharing, send};
use base::canonical;
use base::mask;
use base::routes::{self, Route};
use frame::access::{Scope, Viewer};
use frame::api::options::SelectOption;
use frame::api::{ApiError, Body, Check, Ctx, Query, Result, say};

/// Filters of a view, and columns, at most.
const MOST_PARTS: usize = 120;
/// Characters of a filter's name, of its value and of a column's key, at most.
const LONGEST: usize = 200;
/// So many digits in a row may be the number of a person.
const NUMBER: usize = 7;
/// The digits of a phone number.
const PHONE: usize = 11;

/// A saved view of a list.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ListView {
    pub id: i64,
    pub name: String,
    /// The query part of its address: empty, or with its `?`.
    pub search: String,
    /// Keys of the columns that are shown.
    pub columns: Vec<String>,
    /// The role whose people have it as well.
    pub share_role_id: Option<i64>,
    /// Whether the viewer has saved it, and may delete it.
    pub own: bool,
}

/// The views of a list, and the roles with which a view can be shared: none for viewers who may not share.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ListViews {
    pub views: Vec<ListView>,
    pub roles: Vec<SelectOption>,
}

/// A view to be saved. It takes the place of the viewer's own view of the same name.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ListViewForm {
    /// The address of the list's page, `/user/list`.
    pub page: String,
    pub name: String,
    /// Filters and order by the names of the list's call.
    #[schemars(with = "std::collections::BTreeMap<String, String>")]
    #[ts(type = "Record<string, string>")]
    pub query: Map<String, Value>,
    pub columns: Vec<String>,
    pub share_role_id: Option<i64>,
}

/// The page of the views.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
pub struct ListViewQuery {
    #[serde(default)]
    pub page: String,
}

/// `GET /chart/view?page=`: the viewer's own views of a list, and those that are shared with their role.
pub async fn list(cx: Arc<Ctx>, Query(query): Query<ListViewQuery>) -> Result<ListViews> {
    let viewer = cx.viewer()?;
    let Some(route) = list_at(viewer, &query.page) else { return Ok(ListViews::default()) };
    let views = store::of_list(cx.db().read(), viewer, &query.page).await?;
    let roles = match viewer.scope() {
        Scope::All => send::roles(&cx, &route.name, |role, name| role.routes.contains(name)).await?,
        _ => Vec::new(),
    };
    Ok(ListViews { views, roles })
}

/// `POST /chart/view`: saves a view of a list.
pub async fn save(cx: Arc<Ctx>, Body(form): Body<ListViewForm>) -> Result<ListView> {
    let viewer = cx.viewer()?;
    let route = list_at(viewer, &form.page).ok_or(ApiError::Missing)?;
    let mut check = Check::new();
    check.name("name", canonical::trimmed(&form.name), 1..=NAME);
    if let Some(role_id) = form.share_role_id {
        // A role's people may be anywhere on the platform.
        if viewer.scope() != Scope::All {
            return Err(ApiError::Forbidden);
        }
        let roles = send::roles(&cx, &route.name, |role, name| role.routes.contains(name)).await?;
        let may = roles.iter().any(|role| role.value == role_id);
        check.that("shareRoleId", may, say("该角色没有此页面", "This role does not have this page"));
    }
    let is_right = form.columns.len() <= MOST_PARTS && form.columns.iter().all(|key| is_short(key));
    check.that("columns", is_right, say("列不存在", "There is no such column"));
    check.done()?;
    let query = kept(form.query)?;
    let (cx, page, name, share) = (&*cx, form.page.as_str(), canonical::trimmed(&form.name), form.share_role_id);
    let (query, columns) = (&query, &form.columns);
    cx.db()
        .transact(|mut tx| {
            async move {
                cx.db().lock(&mut tx, &format!("views of {}", viewer.id)).await?;
                let views = store::of_person(&mut **tx, viewer.id, page).await?;
                let before = views.iter().find(|stored| stored.view.name == name);
                if before.is_none() && views.len() >= MOST {
                    return Err(ApiError::State(say(format!("最多保存 {MOST} 个视图"), format!("At most {MOST} views"))));
                }
                let after = Stored {
                    view: StatView {
                        id: before.map_or(0, |before| before.view.id),
                        name: name.to_owned(),
                        search: String::new(),
                        columns: columns.clone(),
                        is_default: false,
                        send_role_id: None,
                        send_minute: None,
                        send_failures: 0,
                    },
                    query: query.clone(),
                };
                let shared = match before {
                    Some(before) => store::shared_with(&mut tx, before.view.id).await?,
                    None => None,
                };
                store::write(&mut tx, viewer.id, page, &after, cx.locale, cx.now).await?;
                store::share(&mut tx, viewer.id, page, name, share).await?;
                record_sharing(cx, &mut tx, name, (shared, share)).await?;
                let views = store::of_list(&mut **tx, viewer, page).await?;
                let kept = views.into_iter().find(|view| view.own && view.name == name).ok_or(ApiError::Missing)?;
                cx.keep_answer(&mut tx, &kept).await?;
                Ok(kept)
            }
            .boxed()
        })
        .await
}

/// The page of a list at an address, for viewers who have it. Statistics have views of their own.
fn list_at(viewer: &Viewer, page: &str) -> Option<&'static Route> {
    routes::all().find(|route| {
        route.path.as_deref() == Some(page) && loads(route, "list") && !loads(route, "views") && viewer.role.routes.contains(&route.name)
    })
}

fn loads(route: &Route, name: &str) -> bool {
    route.loads.iter().any(|load| load.name == name)
}

/// The stored part of a query. The list itself says what it does not know when the view is opened.
fn kept(query: Map<String, Value>) -> Result<Map<String, Value>> {
    let query: Map<String, Value> = query.into_iter().filter(|(_, value)| value.as_str().is_some_and(|text| !text.is_empty())).collect();
    let texts = || query.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
    if query.len() > MOST_PARTS || !query.keys().all(|name| is_short(name)) || !texts().all(|(_, text)| is_short(text)) {
        return Err(ApiError::Malformed("query".to_owned()));
    }
    if texts().any(|(name, text)| has_number(name, text)) {
        let refusal = say("筛选条件含有号码，不能保存为视图", "A filter has the number of a person; it cannot be saved");
        return Err(ApiError::State(refusal));
    }
    Ok(query)
}

fn is_short(text: &str) -> bool {
    text.chars().count() <= LONGEST
}

/// Whether a filter may hold the number of a phone or a paper, however it is written. Only keywords are typed freely.
fn has_number(name: &str, text: &str) -> bool {
    let text = canonical::half_width(text);
    let letters = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '-');
    let is_number = letters.clone().all(|letter| letter.is_ascii_digit());
    mask::longest_number(&text) >= PHONE || name == "keyword" && is_number && letters.count() >= NUMBER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_with_the_number_of_a_person_is_not_kept() {
        for text in ["13812345678", "+86 138 12345678", "138-1234-5678", "１３８１２３４５６７８", "王 13812345678", "1234567"]
        {
            assert!(has_number("keyword", text), "{text}");
        }
        assert!(has_number("phone", "138 1234 5678"));
        for (name, text) in [
            ("keyword", "TZ20260131-AB12CD34"),
            ("createdFrom", "2026-11-30"),
            ("amountMin", "1000000"),
            ("keyword", "123456"),
            ("status", "pending"),
            ("keyword", ""),
        ] {
            assert!(!has_number(name, text), "{text}");
        }
    }
}
