//! An external provider: one signed POST of JSON, and an answer that is checked completely.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::json;
use strum::IntoEnumIterator;

use super::model::{RiskFact, RiskHit, RiskLevel, RiskSection};
use super::provider::{Detail, Failure, Findings, Provider, Reason};
use crate::user::past::Subject;
use crate::user::person;
use base::clock::DAY;
use base::config::RiskConfig;
use base::crypto;
use base::mask;
use base::outside::{Answer, Caller};
use frame::api::{ApiError, App, signed};

/// The most hits, and the most facts of a section, that are kept of an answer.
const MOST: usize = 50;
/// Characters of each of its texts that are kept.
const LONGEST: usize = 200;
/// The codes of an answer with a report, and of one without.
const FOUND: &str = "0000";
const NO_DATA: &str = "1004";

/// The settings of an external provider.
pub struct Http {
    pub config: RiskConfig,
    pub days: i64,
    pub price_cents: i64,
    pub timeout_ms: i64,
}

impl Provider for Http {
    fn name(&self) -> &str {
        &self.config.host
    }

    fn price_cents(&self) -> Option<i64> {
        Some(self.price_cents)
    }

    fn valid_for(&self) -> i64 {
        self.days * DAY
    }

    fn report<'p>(&'p self, app: &'p App, subject: &'p Subject) -> BoxFuture<'p, Result<Option<Findings>, Failure>> {
        Box::pin(async move {
            let person =
                person::reveal(app.db.read(), &app.keys, subject.id).await.map_err(|error| Failure::Internal(ApiError::Internal(error)))?;
            let Some(person) = person else { return Ok(None) };
            let body = json!({ "requestId": crypto::random_text(32), "phone": person.phone, "name": person.name, "idNo": person.id_no })
                .to_string();
            let RiskConfig { url, app_id, key, .. } = &self.config;
            let address = signed::address(url, app_id, key, app.clock.now(), &crypto::random_text(32), &body);
            let within = Duration::from_millis(u64::try_from(self.timeout_ms).unwrap_or_default());
            let (answer, _) = Caller { private: app.config.private_calls }.post_json(&address, body, None, within).await;
            read(&answer?).map_err(Failure::Theirs)
        })
    }
}

/// The known fields of an answer.
#[derive(Deserialize)]
struct ReportReply {
    code: String,
    #[serde(default)]
    data: Option<Report>,
}

#[derive(Deserialize)]
struct Report {
    score: i64,
    level: Option<RiskLevel>,
    #[serde(default)]
    hits: Vec<Hit>,
    /// By the names of sections; unknown ones are ignored.
    #[serde(default)]
    sections: HashMap<String, Vec<Fact>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Hit {
    section: RiskSection,
    code: String,
    title: String,
    title_en: Option<String>,
    #[serde(default)]
    note: String,
    note_en: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fact {
    title: String,
    title_en: Option<String>,
    value: String,
    value_en: Option<String>,
}

fn read(answer: &Answer) -> Result<Option<Findings>, Reason> {
    if !(200..300).contains(&answer.status) {
        return Err(Reason::BadStatus);
    }
    let reply: ReportReply = serde_json::from_slice(&answer.body).map_err(|_| Reason::Unreadable)?;
    let report = match (reply.code.as_str(), reply.data) {
        (FOUND, Some(report)) => report,
        (FOUND | NO_DATA, None) => return Ok(None),
        (NO_DATA, Some(_)) => return Err(Reason::Unreadable),
        _ => return Err(Reason::Refused),
    };
    if !(0..=100).contains(&report.score) {
        return Err(Reason::Unreadable);
    }
    let Report { score, level, hits, mut sections } = report;
    let hits = hits.into_iter().take(MOST).map(|hit| RiskHit {
        section: hit.section,
        code: tidy(&hit.code),
        points: None,
        title_en: tidy(hit.title_en.as_ref().unwrap_or(&hit.title)),
        title_zh: tidy(&hit.title),
        note_en: tidy(hit.note_en.as_ref().unwrap_or(&hit.note)),
        note_zh: tidy(&hit.note),
    });
    let facts = RiskSection::iter().flat_map(|section| {
        let facts = sections.remove(<&str>::from(section)).unwrap_or_default();
        facts.into_iter().take(MOST).map(move |fact| RiskFact {
            section,
            title_en: tidy(fact.title_en.as_ref().unwrap_or(&fact.title)),
            title_zh: tidy(&fact.title),
            value_en: tidy(fact.value_en.as_ref().unwrap_or(&fact.value)),
            value_zh: tidy(&fact.value),
        })
    });
    let detail = Detail { hits: hits.collect(), facts: facts.collect() };
    Ok(Some(Findings { score, level: level.unwrap_or(RiskLevel::of(score)), detail }))
}

/// A text of the provider in a form that may be shown: shortened, on one line, long numbers masked.
fn tidy(text: &str) -> String {
    let plain: String = text.trim().chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    mask::beginning(&plain, LONGEST)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn answered(status: u16, body: &Value) -> Result<Option<Findings>, Reason> {
        read(&Answer { status, body: body.to_string().into_bytes() })
    }

    #[test]
    fn a_report_is_read_and_its_texts_are_tidied() {
        let body = json!({"code": "0000", "more": 1, "data": {
            "score": 61,
            "hits": [{"section": "multiLoan", "code": "M1", "title": " 7 天内\n申请 3 次 ", "titleEn": "3 in 7 days", "note": "手机 13812345678"}],
            "sections": {"contact": [{"title": "在网时长", "value": "36 个月"}], "moon": [{"title": "x", "value": "y"}]},
        }});
        let found = answered(200, &body).unwrap().unwrap();
        assert_eq!((found.score, found.level, found.detail.facts.len()), (61, RiskLevel::High, 1));
        let hit = &found.detail.hits[0];
        assert_eq!((hit.title_zh.as_str(), hit.title_en.as_str()), ("7 天内 申请 3 次", "3 in 7 days"));
        assert_eq!((hit.note_zh.as_str(), hit.note_en.as_str()), ("手机 138****5678", "手机 138****5678"));
        let fact = &found.detail.facts[0];
        assert_eq!((fact.section, fact.value_en.as_str()), (RiskSection::Contact, "36 个月"));
    }

    #[test]
    fn texts_beyond_the_limit_are_cut() {
        let hit = json!({"section": "basic", "code": "B", "title": "x".repeat(1000)});
        let body = json!({"code": "0000", "data": {"score": 10, "level": "reject", "hits": vec![hit; 400]}});
        let found = answered(200, &body).unwrap().unwrap();
        assert_eq!((found.level, found.detail.hits.len(), found.detail.hits[0].title_zh.len()), (RiskLevel::Reject, MOST, LONGEST));
    }

    #[test]
    fn a_number_is_masked_before_a_text_is_cut() {
        for number in ["13812345678", "138-1234-5678", "138 1234 5678", "１３８１２３４５６７８"] {
            let shown = tidy(&format!("{}{number}", "x".repeat(LONGEST - 8)));
            let begin: String = number.chars().take(5).collect();
            assert!(shown.chars().count() == LONGEST && shown.contains('*') && !shown.contains(&begin), "{shown}");
        }
    }

    #[test]
    fn no_data_is_no_failure() {
        assert_eq!(answered(200, &json!({"code": "1004", "data": null})), Ok(None));
        assert_eq!(answered(200, &json!({"code": "0000"})), Ok(None));
    }

    #[test]
    fn unreadable_answers_are_reported_as_such() {
        for (status, body, reason) in [
            (500, json!({"code": "0000"}), Reason::BadStatus),
            (302, json!({}), Reason::BadStatus),
            (200, json!("<html>"), Reason::Unreadable),
            (200, json!({"code": 0}), Reason::Unreadable),
            (200, json!({"code": "0000", "data": {"score": "61"}}), Reason::Unreadable),
            (200, json!({"code": "0000", "data": {"score": 101}}), Reason::Unreadable),
            (200, json!({"code": "0000", "data": {"score": -1}}), Reason::Unreadable),
            (
                200,
                json!({"code": "0000", "data": {"score": 1, "hits": [{"section": "moon", "code": "x", "title": "x"}]}}),
                Reason::Unreadable,
            ),
            (200, json!({"code": "3002", "data": null}), Reason::Refused),
        ] {
            assert_eq!(answered(status, &body), Err(reason), "{body}");
        }
        assert_eq!(read(&Answer { status: 200, body: b"\xff\xfe".to_vec() }), Err(Reason::Unreadable));
    }
}
