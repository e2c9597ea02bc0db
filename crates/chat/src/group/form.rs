//! Rules of a service group's fields.

use super::model::ChatGroupBody;
use crate::codes::AssignMode;
use base::canonical;
use base::form_limits;
use frame::api::check::present;
use frame::api::{Check, Result, say};
use frame::terms::{self, Schedule};

form_limits! {
    /// Of a service group.
    chatGroup {
        /// A week, in minutes.
        MOST_MINUTES: i64 = 7 * 24 * 60,
        /// Sites that may frame a group's page, at most.
        MOST_SITES: usize = 20,
        /// The last place in lists, also of replies.
        pub MOST_SORT: i64 = 9999,
        NAME: usize = 32,
    }
}

/// Characters of a site.
const LONGEST_SITE: usize = 260;

/// A service group's fields: the name is trimmed, the schedule is tidy.
#[derive(Clone, Debug)]
pub struct Form {
    pub name: String,
    /// None: always open.
    pub working_hours: Option<Schedule>,
    pub assign_mode: AssignMode,
    pub idle_minutes: i64,
    /// 0: no target.
    pub reply_minutes: i64,
    pub resolve_minutes: i64,
    /// Origins, such as `https://www.example.com`.
    pub frame_sites: Vec<String>,
    pub sort: i64,
}

impl Form {
    /// The fields of a body. The schedule is tidied, but what [`Form::check`] rejects stays as it was sent.
    pub fn of(body: ChatGroupBody) -> Form {
        Form {
            name: canonical::trimmed(&body.name).to_owned(),
            working_hours: body.working_hours.map(Schedule::tidy),
            assign_mode: body.assign_mode,
            idle_minutes: body.idle_minutes,
            reply_minutes: body.reply_minutes,
            resolve_minutes: body.resolve_minutes,
            frame_sites: sites(body.frame_sites),
            sort: body.sort,
        }
    }

    /// Names every field that is wrong.
    pub fn check(&self) -> Result<()> {
        let mut check = Check::new();
        check
            .name("name", &self.name, 1..=NAME)
            .range("idleMinutes", self.idle_minutes, 0..=MOST_MINUTES)
            .range("replyMinutes", self.reply_minutes, 0..=MOST_MINUTES)
            .range("resolveMinutes", self.resolve_minutes, 0..=MOST_MINUTES)
            .range("sort", self.sort, 0..=MOST_SORT);
        if let Some(hours) = &self.working_hours {
            terms::add_faults(&mut check, "workingHours", &hours.wrong());
        }
        let most = MOST_SITES;
        check.that("frameSites", self.frame_sites.len() <= most, say(format!("最多 {most} 个"), format!("At most {most}")));
        if let Some(wrong) = self.frame_sites.iter().find(|site| !is_origin(site)) {
            let shown: String = wrong.chars().take(50).collect();
            check.that("frameSites", false, say(format!("不是网站地址：{shown}"), format!("Not the address of a site: {shown}")));
        }
        check.done()
    }

    /// The sites as they are stored.
    pub fn sites_column(&self) -> String {
        serde_json::to_string(&self.frame_sites).expect("texts serialise")
    }

    /// The schedule as it is stored.
    pub fn hours_column(&self) -> Option<String> {
        self.working_hours.as_ref().map(|hours| serde_json::to_string(hours).expect("a schedule serialises"))
    }
}

/// Sites without blanks, repetitions and the slash at their end, as browsers write origins.
fn sites(given: Vec<String>) -> Vec<String> {
    let mut sites = Vec::new();
    for site in given.into_iter().filter_map(|site| present(Some(site))) {
        let site = site.strip_suffix('/').unwrap_or(&site).to_ascii_lowercase();
        let usual = match site.split_once("://") {
            Some(("https", _)) => site.strip_suffix(":443"),
            _ => site.strip_suffix(":80"),
        };
        let site = usual.unwrap_or(&site).to_owned();
        if !sites.contains(&site) {
            sites.push(site);
        }
    }
    sites
}

/// Whether a text is a scheme, a host and perhaps a port. Anything else could add to the policy header.
fn is_origin(site: &str) -> bool {
    let Some((scheme, rest)) = site.split_once("://") else { return false };
    let (host, port) = rest.split_once(':').map_or((rest, None), |(host, port)| (host, Some(port)));
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    matches!(scheme, "https" | "http") && site.len() <= LONGEST_SITE && host.split('.').all(is_label) && port.is_none_or(is_port)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn form(changes: Value) -> Form {
        let mut body =
            json!({"name": " Loans ", "workingHours": {"1": [[540, 1080]]}, "assignMode": "least_busy", "idleMinutes": 30, "sort": 1});
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        Form::of(serde_json::from_value(body).unwrap())
    }

    #[test]
    fn texts_are_trimmed_and_spans_that_meet_become_one() {
        let form = form(json!({"workingHours": {"1": [[720, 1080], [540, 720]], "2": []}}));
        assert_eq!(form.name, "Loans");
        assert_eq!(form.hours_column().unwrap(), r#"{"1":[[540,1080]]}"#);
        assert!(form.check().is_ok());
    }

    #[test]
    fn a_group_without_hours_is_always_open() {
        let form = form(json!({"workingHours": null}));
        assert!(form.check().is_ok());
        assert_eq!(form.hours_column(), None);
    }

    #[test]
    fn sites_are_origins() {
        let tidy = form(
            json!({"frameSites": [" https://WWW.Example.com/ ", "https://www.example.com", "", "http://a.test:8080", "https://b.test:443"]}),
        );
        assert_eq!(tidy.frame_sites, ["https://www.example.com", "http://a.test:8080", "https://b.test"]);
        assert!(tidy.check().is_ok());
        for wrong in [
            "example.com",
            "https://",
            "https://*",
            "https://*.example.com",
            "*",
            "https://example.com/page",
            "https://example.com; script-src *",
            "https://a.test b.test",
            "javascript://example.com",
            "https://例子.com",
            "https://user@example.com",
            "https://example.com:0",
            "https://example.com:99999",
            "https://example..com",
            "'self'",
        ] {
            assert!(form(json!({"frameSites": [wrong]})).check().is_err(), "{wrong}");
        }
        assert!(form(json!({"frameSites": (0..21).map(|number| format!("https://s{number}.test")).collect::<Vec<_>>()})).check().is_err());
    }

    #[test]
    fn fields_have_limits() {
        for (field, bad) in [
            ("name", json!(" ")),
            ("name", json!("长".repeat(33))),
            ("idleMinutes", json!(-1)),
            ("idleMinutes", json!(10_081)),
            ("replyMinutes", json!(-1)),
            ("resolveMinutes", json!(10_081)),
            ("sort", json!(-1)),
            ("sort", json!(10_000)),
            ("workingHours", json!({})),
            ("workingHours", json!({"1": [[600, 540]]})),
            ("workingHours", json!({"8": [[540, 600]]})),
            ("workingHours", json!({"1": [[540, 700], [600, 800]]})),
        ] {
            assert!(form(json!({field: bad})).check().is_err(), "{field} {bad}");
        }
        assert!(form(json!({"name": "长".repeat(32), "idleMinutes": 10_080, "sort": 9999})).check().is_ok());
    }
}
