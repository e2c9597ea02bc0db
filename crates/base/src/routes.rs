//! The one table of routes, as the server reads it: guard, loads and menu seed. `js/app/routes.json` names the areas, whose
//! routes stand in `js/areas/AREA/routes.json`.

use std::sync::LazyLock;

use axum::http::Method;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::locale::{Locale, Text};

/// One entry of the table: a group of the menu, a screen, or a special page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Route {
    /// The page's path; special pages without an address have none. A segment `:id` is a parameter: the id of a
    /// record, in digits.
    pub path: Option<String>,
    pub name: String,
    pub title: Text,
    pub icon: Option<String>,
    #[serde(default)]
    pub order: i64,
    /// Roles that may open it, by code; `*` is everyone.
    #[serde(default = "everyone")]
    pub roles: Vec<String>,
    /// The screen's file below `js/areas`; groups have none.
    pub page: Option<String>,
    /// Opens without signing in.
    #[serde(default)]
    pub public: bool,
    /// In every role's menu tree without a grant; it shows the viewer's own data.
    #[serde(default)]
    pub everyone: bool,
    /// In the tree, so that it opens, but without a link in the menu.
    #[serde(default)]
    pub hidden: bool,
    /// An external link instead of a page.
    pub external: Option<String>,
    /// Points of other screens: a role with one of them has this page, too, without a grant.
    #[serde(default)]
    pub needs: Vec<String>,
    /// The status of the page if there is no error.
    #[serde(default = "ok")]
    pub status: u16,
    /// The browser always loads it as a document, since part of it is only drawn by the server.
    #[serde(default)]
    pub document: bool,
    /// For the page of one record: the route of its list, to which the page links back.
    pub parent: Option<String>,
    /// For the page of one record: the load and the field with the record's name, `receipt.no`.
    pub record_title: Option<String>,
    /// The page's data, by the names under which it reads them.
    #[serde(default, deserialize_with = "loads")]
    pub loads: Vec<Load>,
    #[serde(default)]
    pub points: Vec<Point>,
    #[serde(default)]
    pub children: Vec<Route>,
}

/// A permission point of a screen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    pub code: String,
    pub title: Text,
}

/// One call for a page's data.
#[derive(Debug, PartialEq, Eq)]
pub struct Load {
    pub name: String,
    pub method: Method,
    /// Below `/api`; `{name}` is replaced by the parameter of that name in the page's path, otherwise in its query.
    pub path: String,
}

/// The most digits of an id in a path: with more it is not an exact number in the browser.
const MOST_DIGITS: usize = 15;

/// Whether a text can be the parameter of a path.
fn is_id(text: &str) -> bool {
    (1..=MOST_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Route {
    /// The names of the parameters of its path, in their order.
    pub fn parameter_names(&self) -> impl Iterator<Item = &str> {
        self.path.as_deref().unwrap_or_default().split('/').filter_map(|segment| segment.strip_prefix(':'))
    }

    /// The parameters of `path` as an address of this route; none if it is not one.
    pub fn parameters<'p>(&self, path: &'p str) -> Option<Vec<(&str, &'p str)>> {
        let own = self.path.as_deref()?;
        let mut found = Vec::new();
        let (mut pattern, mut segments) = (own.split('/'), trimmed(path).split('/'));
        loop {
            match (pattern.next(), segments.next()) {
                (None, None) => return Some(found),
                (Some(name), Some(text)) => match name.strip_prefix(':') {
                    Some(name) if is_id(text) => found.push((name, text)),
                    None if name == text => (),
                    _ => return None,
                },
                _ => return None,
            }
        }
    }

    /// Its address: the parameters of its path are taken from `query`, and the rest of `query` follows. None for a
    /// page without an address, or if `query` lacks a parameter.
    pub fn address(&self, query: &[(impl AsRef<str>, impl AsRef<str>)]) -> Option<String> {
        let mut address = String::new();
        for segment in self.path.as_deref()?.split('/').skip(1) {
            let text = match segment.strip_prefix(':') {
                Some(name) => query.iter().find(|(given, value)| given.as_ref() == name && is_id(value.as_ref()))?.1.as_ref(),
                None => segment,
            };
            address.push('/');
            address.push_str(text);
        }
        let is_parameter = |name: &str| self.parameter_names().any(|parameter| parameter == name);
        let rest = query.iter().map(|(name, value)| (name.as_ref(), value.as_ref())).filter(|(name, _)| !is_parameter(name));
        let rest = serde_urlencoded::to_string(rest.collect::<Vec<(&str, &str)>>()).ok()?;
        if !rest.is_empty() {
            address.push('?');
            address.push_str(&rest);
        }
        Some(address)
    }
}

/// A path without the slash at its end.
fn trimmed(path: &str) -> &str {
    if path.len() > 1 { path.trim_end_matches('/') } else { path }
}

/// Reads `{"name": "METHOD /path"}`.
fn loads<'de, D: Deserializer<'de>>(table: D) -> Result<Vec<Load>, D::Error> {
    let calls = serde_json::Map::deserialize(table)?;
    let load = |(name, call): (String, serde_json::Value)| {
        let (method, path) = call.as_str()?.split_once(' ')?;
        Some(Load { name, method: Method::from_bytes(method.as_bytes()).ok()?, path: path.to_owned() })
    };
    calls.into_iter().map(load).collect::<Option<_>>().ok_or_else(|| D::Error::custom("a load is \"METHOD /path\""))
}

fn everyone() -> Vec<String> {
    vec!["*".to_owned()]
}

fn ok() -> u16 {
    200
}

/// The files of the areas, by name (`build.rs`).
const AREAS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/routes.rs"));

/// The table, read once. Its form is checked by this room's tests.
pub static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let entries: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../../js/app/routes.json")).expect("js/app/routes.json is a list");
    entries.into_iter().flat_map(routes_of).collect()
});

/// A route, or all those of an area, `{"area": "crm"}`.
fn routes_of(entry: serde_json::Value) -> Vec<Route> {
    match entry.get("area").and_then(serde_json::Value::as_str) {
        Some(area) => {
            let (_, routes) = AREAS.iter().find(|(name, _)| *name == area).unwrap_or_else(|| panic!("js/areas/{area} has no routes.json"));
            serde_json::from_str(routes).unwrap_or_else(|error| panic!("js/areas/{area}/routes.json: {error}"))
        }
        None => vec![serde_json::from_value(entry).unwrap_or_else(|error| panic!("js/app/routes.json: {error}"))],
    }
}

/// All entries, groups before their children.
pub fn all() -> impl Iterator<Item = &'static Route> {
    fn add(all: &mut Vec<&'static Route>, routes: &'static [Route]) {
        for route in routes {
            all.push(route);
            add(all, &route.children);
        }
    }
    // Each page and each call of the menu walks them.
    static ALL: LazyLock<Vec<&'static Route>> = LazyLock::new(|| {
        let mut all = Vec::new();
        add(&mut all, &ROUTES);
        all
    });
    ALL.iter().copied()
}

/// The screen at an address path. A plain path comes before one with parameters.
pub fn by_path(path: &str) -> Option<&'static Route> {
    let path = trimmed(path);
    let pages = || all().filter(|route| route.page.is_some());
    pages()
        .find(|route| route.path.as_deref() == Some(path))
        .or_else(|| pages().find(|route| route.parameter_names().next().is_some() && route.parameters(path).is_some()))
}

/// The entries with a place in the menu tree: all but the pages outside it, the screens that do not exist yet, and
/// groups of nothing else.
pub fn in_menu(routes: &'static [Route]) -> impl Iterator<Item = &'static Route> {
    fn leads_somewhere(route: &Route) -> bool {
        route.page.is_some() || route.external.is_some() || route.children.iter().any(leads_somewhere)
    }
    routes.iter().filter(|route| (!route.public || route.order > 0) && leads_somewhere(route))
}

/// The label of a screen or of one of its permission points; the name itself if it is not in the table.
pub fn title(code: &str, locale: Locale) -> String {
    let point = || {
        let of = |route: &'static Route| Some((route, route.points.iter().find(|point| point.code == code)?));
        all().find_map(of).map(|(route, point)| format!("{} / {}", route.title.get(locale), point.title.get(locale)))
    };
    by_name(code).map(|route| route.title.get(locale).to_owned()).or_else(point).unwrap_or_else(|| code.to_owned())
}

/// The entry of a route name.
pub fn by_name(name: &str) -> Option<&'static Route> {
    all().find(|route| route.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locale::Locale;
    use std::collections::HashSet;

    #[test]
    fn each_area_with_routes_is_in_the_table() {
        for (area, file) in AREAS {
            let routes: Vec<Route> = serde_json::from_str(file).unwrap();
            assert!(all().any(|route| route.name == routes[0].name), "js/app/routes.json does not name the area {area}");
        }
    }

    #[test]
    fn names_and_points_are_unique() {
        let mut names = HashSet::new();
        for route in all() {
            assert!(names.insert(route.name.clone()), "{} twice", route.name);
            for point in &route.points {
                assert!(names.insert(point.code.clone()), "{} twice", point.code);
            }
        }
    }

    #[test]
    fn what_a_page_needs_is_a_point_of_another() {
        let points: HashSet<&str> = all().flat_map(|route| &route.points).map(|point| point.code.as_str()).collect();
        for route in all() {
            for needed in &route.needs {
                assert!(points.contains(needed.as_str()), "{} needs {needed}", route.name);
            }
        }
    }

    #[test]
    fn every_address_of_the_specification_has_its_name_and_titles() {
        for (group, screens) in [
            ("/admin", "list test role-list setting"),
            ("/channel", "list uv-list"),
            ("/chart", "channel-list product-list system-list org-list org-d2d-list channel-d2d-list score-list"),
            ("/chartMon", "channel-list2 system-list2 org-list2 product-list2"),
            ("/chat", "group manage client conversation wechat reply"),
            ("/crm", "saleman clue achievements center"),
            ("/finance", "recharge account invoice"),
            ("/org", "list uv-list uv-list2 receipt"),
            ("/payConfig", "list order-list pool-list"),
            ("/plan", "list push-list uv-list bgList"),
            ("/product", "list uv-list"),
            ("/user", "list black-list mate-channel-list feedback-list"),
        ] {
            let group = all().find(|route| route.path.as_deref() == Some(group)).unwrap_or_else(|| panic!("no {group}"));
            assert!((1..=9).contains(&group.order) && group.icon.is_some(), "{}", group.name);
            for screen in screens.split(' ') {
                let path = format!("{}/{screen}", group.path.as_deref().unwrap());
                let route = group.children.iter().find(|route| route.path.as_ref() == Some(&path)).unwrap_or_else(|| panic!("no {path}"));
                let words: Vec<&str> = path.split(['/', '-']).skip(1).collect();
                let name: String = words[1..].iter().fold(words[0].to_owned(), |name, word| name + &word[..1].to_uppercase() + &word[1..]);
                assert_eq!(route.name, name);
                assert_eq!(route.roles, ["*"], "{path}");
                assert!(
                    route.order > 0 && !route.title.get(Locale::Chinese).is_empty() && !route.title.get(Locale::English).is_empty(),
                    "{path}"
                );
            }
        }
        assert_eq!(by_name("home").unwrap().order, 99);
    }

    #[test]
    fn a_screen_to_come_is_in_no_menu() {
        let named = |routes: &'static [Route]| in_menu(routes).map(|route| route.name.as_str()).collect::<Vec<_>>();
        let groups = named(&ROUTES);
        assert!(groups.contains(&"channel") && !groups.contains(&"notFound"));
        for route in ROUTES.iter().filter(|route| !route.children.is_empty()) {
            let children = named(&route.children);
            assert!(children.iter().all(|name| by_name(name).is_some_and(|child| child.page.is_some())), "{children:?}");
            assert_eq!(groups.contains(&route.name.as_str()), !children.is_empty(), "{}", route.name);
        }
    }

    /// A route of its own, with a path.
    fn route(path: &str) -> Route {
        serde_json::from_value(serde_json::json!({"path": path, "name": "n", "title": {"zh-CN": "", "en-US": ""}, "page": "n"})).unwrap()
    }

    #[test]
    fn a_parameter_is_one_segment_of_digits() {
        let page = route("/crm/clue/:id");
        assert_eq!(page.parameters("/crm/clue/7"), Some(vec![("id", "7")]));
        assert_eq!(page.parameters("/crm/clue/7/"), Some(vec![("id", "7")]));
        for other in
            ["/crm/clue", "/crm/clue/", "/crm/clue/x", "/crm/clue/7/8", "/crm/clue/-7", "/crm/clue/1234567890123456", "/crm/other/7"]
        {
            assert_eq!(page.parameters(other), None, "{other}");
        }
        assert_eq!(route("/crm/clue/:id/call/:callId").parameters("/crm/clue/7/call/8"), Some(vec![("id", "7"), ("callId", "8")]));
        assert_eq!(route("/crm/clue").parameters("/crm/clue"), Some(vec![]));
    }

    #[test]
    fn an_address_takes_its_parameters_from_a_query() {
        let page = route("/crm/clue/:id");
        assert_eq!(page.address(&[("tab", "calls"), ("id", "7")]).as_deref(), Some("/crm/clue/7?tab=calls"));
        assert_eq!(page.address(&[("id", "7")]).as_deref(), Some("/crm/clue/7"));
        assert_eq!(page.address(&[("id", "..")]), None);
        assert_eq!(page.address(&[("tab", "calls")]), None);
        assert_eq!(route("/crm/clue").address(&[("id", "7")]).as_deref(), Some("/crm/clue?id=7"));
    }

    #[test]
    fn a_page_with_a_parameter_is_out_of_the_menu_and_has_a_list() {
        for route in all().filter(|route| route.parameter_names().next().is_some()) {
            assert!(route.hidden, "{}", route.name);
            let list = route.parent.as_deref().and_then(by_name).unwrap_or_else(|| panic!("{} has no list", route.name));
            assert!(list.page.is_some() && list.parameter_names().next().is_none(), "{}", route.name);
            assert!(list.everyone || !route.everyone, "{} opens for more people than its list", route.name);
            let load = route.record_title.as_deref().and_then(|title| title.split_once('.')).map(|(load, _)| load);
            assert!(route.loads.iter().any(|own| Some(own.name.as_str()) == load), "{} has no load that names its record", route.name);
        }
    }

    #[test]
    fn a_trailing_slash_is_the_same_page() {
        assert_eq!(by_path("/channel/list/").unwrap().name, "channelList");
        assert!(by_path("/channel").is_none(), "a group is no page");
    }
}
