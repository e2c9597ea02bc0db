//! The one table of routes, `js/routes.json`, as the server reads it: guard, loads and menu seed.

use std::sync::LazyLock;

use axum::http::Method;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::locale::{Locale, Text};

/// One entry of the table: a group of the menu, a screen, or a special page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Route {
    /// Where the page lives; special pages without an address have none.
    pub path: Option<String>,
    pub name: String,
    pub title: Text,
    pub icon: Option<String>,
    #[serde(default)]
    pub order: i64,
    /// Roles that may open it, by code; `*` is everyone.
    #[serde(default = "everyone")]
    pub roles: Vec<String>,
    /// The screen's file below `js/pages`; groups have none.
    pub page: Option<String>,
    /// Opens without signing in.
    #[serde(default)]
    pub public: bool,
    /// In every role's menu tree without being granted; what it shows is the viewer's own.
    #[serde(default)]
    pub everyone: bool,
    /// In the tree, so that it opens, but not among the menu's links.
    #[serde(default)]
    pub hidden: bool,
    /// A link out of the product instead of a page.
    pub external: Option<String>,
    /// Points of other screens: who holds one of them has this page too, without being granted it.
    #[serde(default)]
    pub needs: Vec<String>,
    /// The status that the page is sent with when nothing goes wrong.
    #[serde(default = "ok")]
    pub status: u16,
    /// The browser always loads it as a document: part of it only the server can draw.
    #[serde(default)]
    pub document: bool,
    /// What the page needs, by the name under which it reads it.
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

/// One call that a page's data comes from.
#[derive(Debug, PartialEq, Eq)]
pub struct Load {
    pub name: String,
    pub method: Method,
    /// Below `/api`; `{name}` in it is the page's query parameter of that name.
    pub path: String,
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

/// The table, read once. Its form is checked by this room's tests.
pub static ROUTES: LazyLock<Vec<Route>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../js/routes.json")).expect("js/routes.json has the form of Route"));

/// All entries, groups before their children.
pub fn all() -> impl Iterator<Item = &'static Route> {
    fn walk(routes: &'static [Route]) -> Box<dyn Iterator<Item = &'static Route>> {
        Box::new(routes.iter().flat_map(|route| std::iter::once(route).chain(walk(&route.children))))
    }
    walk(&ROUTES)
}

/// The screen at an address path.
pub fn by_path(path: &str) -> Option<&'static Route> {
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { path };
    all().find(|route| route.page.is_some() && route.path.as_deref() == Some(path))
}

/// The entries that have a place in the menu tree: all but the pages that stand outside it, the
/// screens that are not there yet, and groups of nothing else.
pub fn in_menu(routes: &'static [Route]) -> impl Iterator<Item = &'static Route> {
    fn leads_somewhere(route: &Route) -> bool {
        route.page.is_some() || route.external.is_some() || route.children.iter().any(leads_somewhere)
    }
    routes.iter().filter(|route| (!route.public || route.order > 0) && leads_somewhere(route))
}

/// What people call a screen or a permission point of one; what is not in the table goes by its name.
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

    #[test]
    fn a_trailing_slash_is_the_same_page() {
        assert_eq!(by_path("/channel/list/").unwrap().name, "channelList");
        assert!(by_path("/channel").is_none(), "a group is no page");
    }
}
