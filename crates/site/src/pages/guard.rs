//! The route guard: which page an address opens for a viewer. Specification, sections 2 and 6.

use base::routes::{self, Route};
use frame::access::Viewer;

/// Pages that need no place in the menu tree.
const WHITELIST: &[&str] = &["notFound", "login", "home"];

/// The page on which a second factor is set up. If the role requires one, no other page opens before.
const ENROLMENT: &str = "accountSetting";

/// The result for an address.
#[derive(Debug)]
pub enum Verdict {
    /// This page, with its status.
    Page(&'static Route, u16),
    /// A page that this viewer may not open: for them it does not exist.
    Forbidden(&'static Route),
    /// Another address.
    Redirect(String),
}

/// Decides on the page of `path?query`.
pub fn decide(path: &str, query: &str, viewer: Option<&Viewer>) -> Verdict {
    if path == "/" {
        return Verdict::Redirect(viewer.and_then(first_page).unwrap_or_else(|| "/login".to_owned()));
    }
    let Some(route) = routes::by_path(path) else { return not_found() };
    if route.public {
        return Verdict::Page(route, route.status);
    }
    let Some(viewer) = viewer else { return Verdict::Redirect(login_address(route, path, query)) };
    if viewer.must_enrol && route.name != ENROLMENT {
        let page = routes::by_name(ENROLMENT).and_then(|route| route.path.clone()).expect("the table has its settings page");
        return Verdict::Redirect(page);
    }
    match reachable(route, viewer) || viewer.must_enrol {
        true => Verdict::Page(route, route.status),
        false => Verdict::Forbidden(route),
    }
}

/// Whether a route is in the viewer's menu tree or the whitelist, and its roles admit the viewer's.
pub fn reachable(route: &Route, viewer: &Viewer) -> bool {
    let in_menu = WHITELIST.contains(&route.name.as_str()) || viewer.role.routes.contains(&route.name);
    let by_role = route.roles.iter().any(|role| role == "*" || *role == viewer.role.code);
    in_menu && by_role
}

/// The first page of a viewer: the first one that the role opens, otherwise home.
pub fn first_page(viewer: &Viewer) -> Option<String> {
    first_accessible(viewer).or_else(|| routes::by_name("home").and_then(|route| route.path.clone()))
}

/// The first page that a role opens: its own, otherwise the first of the menu; none for a role without pages. If the
/// menu does not come from the server, a page that the viewer may not open leads here (specification, section 6).
pub fn first_accessible(viewer: &Viewer) -> Option<String> {
    let preferred = viewer.role.default_route.as_deref().and_then(routes::by_name);
    preferred
        .into_iter()
        .chain(routes::all())
        .find(|route| route.page.is_some() && !route.public && !route.hidden && reachable(route, viewer))
        .and_then(|route| route.path.clone())
}

/// The address after signing in: the requested route with its parameters and its query, if the route is in the table;
/// never an address of another site. A query that cannot be in an address is left out.
pub fn after_login(redirect: &str, query: &str) -> Option<String> {
    let route = routes::by_name(redirect).filter(|route| route.page.is_some() && route.name != "login")?;
    let query = query.trim_start_matches('?');
    let query = if query.bytes().all(|byte| byte.is_ascii_graphic()) { query } else { "" };
    if route.parameter_names().next().is_some() {
        return route.address(&pairs(query));
    }
    let path = route.path.as_deref()?;
    Some(if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") })
}

/// The login page, with the requested route, the parameters of its path and its query.
pub(super) fn login_address(route: &Route, path: &str, query: &str) -> String {
    let name = &route.name;
    let parameters = route.parameters(path).unwrap_or_default();
    if !parameters.is_empty() {
        let mut query = pairs(query);
        query.retain(|(name, _)| parameters.iter().all(|(parameter, _)| parameter != name));
        query.splice(0..0, parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        return format!("/login?redirect={name}&{}", serde_urlencoded::to_string(query).unwrap_or_default());
    }
    match query {
        "" => format!("/login?redirect={name}"),
        query => format!("/login?redirect={name}&{query}"),
    }
}

/// The pairs of a query.
fn pairs(query: &str) -> Vec<(String, String)> {
    serde_urlencoded::from_str(query).unwrap_or_default()
}

fn not_found() -> Verdict {
    Verdict::Page(not_found_page(), 404)
}

/// The page of an unknown address.
pub fn not_found_page() -> &'static Route {
    routes::by_name("notFound").expect("the table has its not-found page")
}

#[cfg(test)]
mod tests {
    use super::*;
    use frame::access::role::Role;
    use frame::access::versions::Versions;
    use std::sync::Arc;

    fn viewer(routes: &[&str]) -> Viewer {
        Viewer {
            id: 1,
            session_id: 1,
            username: "u".into(),
            name: "U".into(),
            avatar: None,
            org_id: None,
            org_name: None,
            sub_org_id: None,
            must_change_password: false,
            must_enrol: false,
            role: Arc::new(Role { routes: routes.iter().map(ToString::to_string).collect(), ..Role::default() }),
            token_issued_at: 0,
            versions: Versions::default(),
        }
    }

    fn opened(verdict: Verdict) -> String {
        match verdict {
            Verdict::Page(route, status) => format!("{} {status}", route.name),
            Verdict::Forbidden(route) => format!("not {}", route.name),
            Verdict::Redirect(to) => to,
        }
    }

    // S2.01 S2.02 S2.03 S2.04 S2.19
    #[test]
    fn a_stranger_sees_login_and_home_and_is_sent_to_login_from_the_rest() {
        assert_eq!(opened(decide("/", "", None)), "/login");
        assert_eq!(opened(decide("/login", "", None)), "login 200");
        assert_eq!(opened(decide("/home", "", None)), "home 200");
        assert_eq!(opened(decide("/channel/list", "", None)), "/login?redirect=channelList");
        assert_eq!(opened(decide("/channel/list", "keyword=a&current=2", None)), "/login?redirect=channelList&keyword=a&current=2");
        assert_eq!(opened(decide("/nowhere", "", None)), "notFound 404");
    }

    // S2.21 S6.02
    #[test]
    fn a_page_opens_only_from_the_viewers_menu() {
        let channels = viewer(&["channel", "channelList"]);
        assert_eq!(opened(decide("/channel/list", "current=2", Some(&channels))), "channelList 200");
        assert_eq!(opened(decide("/admin/list", "", Some(&channels))), "not adminList");
        assert_eq!(opened(decide("/nowhere", "", Some(&channels))), "notFound 404");
        assert_eq!(opened(decide("/", "", Some(&channels))), "/channel/list");
        assert_eq!(opened(decide("/", "", Some(&viewer(&[])))), "/home");
        assert_eq!((first_accessible(&channels).as_deref(), first_accessible(&viewer(&[]))), (Some("/channel/list"), None));
    }

    // S2.21 S5.03 S6.01
    #[test]
    fn a_page_opens_for_the_roles_of_its_list_alone() {
        let page = |name: &str, roles: &[&str]| -> Route {
            let title = serde_json::json!({"zh-CN": "页", "en-US": "Page"});
            serde_json::from_value(serde_json::json!({"path": "/p", "name": name, "title": title, "page": "p", "roles": roles})).unwrap()
        };
        let in_role = |code: &str| Viewer {
            role: Arc::new(Role { code: code.into(), routes: ["p".to_owned()].into(), ..Role::default() }),
            ..viewer(&[])
        };
        for (roles, admitted) in [(&["finance", "admin"][..], ["finance", "admin"]), (&["*"], ["finance", "sales"])] {
            for code in admitted {
                assert!(reachable(&page("p", roles), &in_role(code)), "{code} by {roles:?}");
                assert!(!reachable(&page("q", roles), &in_role(code)), "{code} by {roles:?}, but not in the menu");
            }
        }
        for roles in [&["finance", "admin"][..], &[], &["sale"]] {
            assert!(!reachable(&page("p", roles), &in_role("sales")), "sales by {roles:?}");
            assert!(!reachable(&page("home", roles), &in_role("sales")), "the whitelist does not pass the role check: {roles:?}");
        }
        for (name, whitelisted) in [("notFound", true), ("login", true), ("home", true), ("serverError", false)] {
            assert_eq!(reachable(&page(name, &["*"]), &in_role("sales")), whitelisted, "{name} without a place in the menu");
        }
    }

    /// S-M4
    #[test]
    fn a_required_second_factor_blocks_all_other_pages() {
        let mut owing = viewer(&["channel", "channelList"]);
        owing.must_enrol = true;
        assert_eq!(opened(decide("/channel/list", "current=2", Some(&owing))), "/account/setting");
        assert_eq!(opened(decide("/account/setting", "", Some(&owing))), "accountSetting 200");
        assert_eq!(opened(decide("/login", "", Some(&owing))), "login 200");
        assert_eq!(opened(decide("/nowhere", "", Some(&owing))), "notFound 404");
    }

    #[test]
    fn login_leads_back_only_to_our_own_pages() {
        assert_eq!(after_login("channelList", "current=2").as_deref(), Some("/channel/list?current=2"));
        assert_eq!(after_login("//evil.example", ""), None);
        assert_eq!(after_login("login", ""), None);
        assert_eq!(after_login("notFound", ""), None);
    }

    #[test]
    fn login_leads_back_to_a_record() {
        assert_eq!(opened(decide("/org/receipt/7", "tab=history&id=8", None)), "/login?redirect=orgReceiptDetail&id=7&tab=history");
        assert_eq!(after_login("orgReceiptDetail", "id=7&tab=history").as_deref(), Some("/org/receipt/7?tab=history"));
        assert_eq!(after_login("orgReceiptDetail", "id=..%2Fadmin"), None);
        assert_eq!(after_login("orgReceiptDetail", ""), None);
        let receipts = viewer(&["org", "orgReceipt", "orgReceiptDetail"]);
        assert_eq!(opened(decide("/org/receipt/7", "", Some(&receipts))), "orgReceiptDetail 200");
        assert_eq!(opened(decide("/org/receipt/x", "", Some(&receipts))), "notFound 404");
        assert_eq!(opened(decide("/org/receipt", "", Some(&receipts))), "orgReceipt 200");
    }
}
