//! The built-in provider: rules over our own data. Each rule may have a finding, with its points and a text; the
//! score is the sum, at most 100.

use futures_util::future::BoxFuture;
use serde_json::Value;

use super::evidence::{Evidence, Listed, gather};
use super::model::RiskSection::{self, Basic, Blacklist, Contact, Device, MultiLoan};
use super::model::{RiskFact, RiskHit, RiskLevel};
use super::provider::{Detail, Failure, Findings, Provider};
use crate::blacklist::{BlacklistKind, BlacklistScope};
use crate::user::past::Subject;
use base::clock::{self, MINUTE};
use base::locale::Locale::{Chinese, English};
use frame::api::{App, Say, say};
use frame::terms::applicant::Field;

/// The provider's name in reports of the built-in rules.
pub const BUILT_IN: &str = "built_in";
/// The highest score.
const HIGHEST: i64 = 100;

/// The built-in rules.
pub struct Rules {
    /// How long a report is reused.
    pub minutes: i64,
}

impl Provider for Rules {
    fn name(&self) -> &str {
        BUILT_IN
    }

    fn price_cents(&self) -> Option<i64> {
        None
    }

    fn valid_for(&self) -> i64 {
        self.minutes * MINUTE
    }

    fn report<'p>(&'p self, app: &'p App, subject: &'p Subject) -> BoxFuture<'p, Result<Option<Findings>, Failure>> {
        Box::pin(async move { Ok(Some(judge(&gather(app, subject, app.clock.now()).await?))) })
    }
}

/// A rule: its section, its points, and its finding.
struct Rule {
    section: RiskSection,
    code: &'static str,
    title: (&'static str, &'static str),
    points: i64,
    finds: fn(&Evidence) -> Option<Say>,
}

const fn rule(
    section: RiskSection,
    code: &'static str,
    points: i64,
    title: (&'static str, &'static str),
    finds: fn(&Evidence) -> Option<Say>,
) -> Rule {
    Rule { section, code, title, points, finds }
}

const RULES: &[Rule] = &[
    rule(Blacklist, "blacklisted", 100, ("本人在黑名单中", "On the blacklist"), |known| {
        entries(known, |one| one.holds && names_person(one))
    }),
    rule(
        Blacklist,
        "blacklisted_elsewhere",
        40,
        ("本人在其他渠道或机构的黑名单中", "On the blacklist of another channel or organisation"),
        |known| entries(known, |one| !one.holds && names_person(one)),
    ),
    rule(Blacklist, "blacklisted_address", 30, ("来访 IP 在黑名单中", "The IP address is on the blacklist"), |known| {
        entries(known, |one| one.kind == BlacklistKind::Ip)
    }),
    rule(Blacklist, "blacklisted_device", 60, ("申请设备在黑名单中", "The device is on the blacklist"), |known| {
        entries(known, |one| one.kind == BlacklistKind::Device)
    }),
    rule(Blacklist, "blocked_before", 20, ("曾因黑名单被拦截", "Blocked by the blacklist before"), |known| {
        least(known.past.blocked, 1, |times| say(format!("180 天内 {times} 次"), format!("{times} times within 180 days")))
    }),
    rule(Basic, "overdue_now", 35, ("自述当前逾期", "Currently overdue, according to the application"), |known| {
        says(known, "overdue", "current")
    }),
    rule(Basic, "overdue_some", 10, ("自述有少量逾期", "Slightly overdue, according to the application"), |known| {
        says(known, "overdue", "minor")
    }),
    rule(
        Basic,
        "beyond_income",
        15,
        ("每月应还本金超过自述月收入的一半", "Monthly repayment is more than half of the stated income"),
        |known| {
            let (amount, term, income) =
                (number(known, "applyAmountCents")?, number(known, "applyTermMonths")?, number(known, "incomeCentsMonth")?);
            let monthly = amount / term.max(1);
            (monthly * 2 > income).then(|| {
                let (monthly, income) = (monthly / 100, income / 100);
                say(format!("每月 {monthly} 元，月收入 {income} 元"), format!("{monthly} CNY per month, income {income} CNY"))
            })
        },
    ),
    rule(Basic, "no_id_no", 5, ("没有身份证号", "No ID number"), |known| (!known.has_id_no).then(nothing)),
    rule(Basic, "no_consent", 10, ("没有有效授权", "No valid consent"), |known| (!known.has_consent).then(nothing)),
    rule(MultiLoan, "applied_often_week", 15, ("一周内多次申请", "Frequent applications within a week"), |known| {
        least(known.past.applied_week, 3, |times| say(format!("7 天内 {times} 次"), format!("{times} times within 7 days")))
    }),
    rule(MultiLoan, "applied_often_month", 15, ("一个月内多次申请", "Frequent applications within a month"), |known| {
        least(known.past.applied_month, 5, |times| say(format!("30 天内 {times} 次"), format!("{times} times within 30 days")))
    }),
    rule(MultiLoan, "several_channels", 15, ("从多个渠道申请", "Applications through several channels"), |known| {
        least(known.past.channels_month, 3, |many| say(format!("30 天内 {many} 个渠道"), format!("{many} channels within 30 days")))
    }),
    rule(MultiLoan, "known_to_several", 20, ("多家机构已有该用户", "Already known to several organisations"), |known| {
        least(known.known_to, 2, |many| say(format!("{many} 家机构"), format!("{many} organisations")))
    }),
    rule(MultiLoan, "taken_by_several", 10, ("线索已被多家机构接收", "Lead accepted by several organisations"), |known| {
        least(known.takers_month, 4, |many| say(format!("30 天内 {many} 家"), format!("{many} within 30 days")))
    }),
    rule(Contact, "several_id_nos", 35, ("同一手机号用过多个身份证号", "Several ID numbers with this phone number"), |known| {
        least(known.past.id_nos, 2, |many| say(format!("{many} 个身份证号"), format!("{many} ID numbers")))
    }),
    rule(Contact, "several_phones", 20, ("同一身份证号用过多个手机号", "Several phone numbers with this ID number"), |known| {
        least(known.phones.of_id_no, 2, |many| say(format!("{many} 个手机号"), format!("{many} phone numbers")))
    }),
    rule(Contact, "several_names", 15, ("同一手机号用过多个姓名", "Several names with this phone number"), |known| {
        least(known.past.names, 2, |many| say(format!("至少 {many} 个姓名"), format!("At least {many} names")))
    }),
    rule(Contact, "several_cities", 10, ("申请城市经常变化", "City changes often between applications"), |known| {
        least(known.past.cities, 3, |many| say(format!("180 天内 {many} 个城市"), format!("{many} cities within 180 days")))
    }),
    rule(Contact, "unreachable", 10, ("机构曾联系不上", "Could not be reached by organisations"), |known| {
        least(known.past.unreachable, 1, |times| say(format!("{times} 次申请"), format!("{times} applications")))
    }),
    rule(
        Device,
        "busy_address",
        15,
        ("同一 IP 一天内有多人申请", "Several applicants from this IP address within a day"),
        |known| least(known.phones.of_address_day, 5, |many| say(format!("{many} 个手机号"), format!("{many} phone numbers"))),
    ),
    rule(
        Device,
        "busy_browser",
        20,
        ("同一 IP 和浏览器有多人申请", "Several applicants with this IP address and browser"),
        |known| {
            least(known.phones.of_browser_month, 5, |many| {
                say(format!("30 天内 {many} 个手机号"), format!("{many} phone numbers within 30 days"))
            })
        },
    ),
    rule(Device, "busy_device", 25, ("同一设备有多人申请", "Several applicants with this device"), |known| {
        least(known.phones.of_device_month, 3, |many| {
            say(format!("30 天内 {many} 个手机号"), format!("{many} phone numbers within 30 days"))
        })
    }),
];

/// The findings of the rules.
fn judge(known: &Evidence) -> Findings {
    let hits: Vec<RiskHit> = RULES
        .iter()
        .filter_map(|rule| {
            let note = (rule.finds)(known)?;
            Some(RiskHit {
                section: rule.section,
                code: rule.code.to_owned(),
                points: Some(rule.points),
                title_zh: rule.title.0.to_owned(),
                title_en: rule.title.1.to_owned(),
                note_zh: note.get(Chinese).to_owned(),
                note_en: note.get(English).to_owned(),
            })
        })
        .collect();
    let score = hits.iter().filter_map(|hit| hit.points).sum::<i64>().min(HIGHEST);
    Findings { score, level: RiskLevel::of(score), detail: Detail { hits, facts: facts(known) } }
}

/// The facts, section by section, including those without a finding.
fn facts(known: &Evidence) -> Vec<RiskFact> {
    let count =
        |section, chinese, english, number: i64| RiskFact::new(section, (chinese, english), &say(number.to_string(), number.to_string()));
    let yes_or_no = |section, chinese, english, yes: bool| {
        let value = if yes { say("有", "Yes") } else { say("没有", "No") };
        RiskFact::new(section, (chinese, english), &value)
    };
    let (past, phones) = (&known.past, &known.phones);
    let mut facts: Vec<RiskFact> =
        ["age", "occupation", "education", "overdue", "zhima"].iter().filter_map(|name| said(known, name)).collect();
    facts.push(yes_or_no(Basic, "身份证号", "ID number", known.has_id_no));
    facts.push(yes_or_no(Basic, "有效授权", "Valid consent", known.has_consent));
    facts.extend(known.blacklist.iter().map(|entry| {
        let Listed { kind, scope, created_at, .. } = *entry;
        let day = clock::day(created_at);
        let value = say(format!("{}，{day} 登记", scope.label(Chinese)), format!("{}, since {day}", scope.label(English)));
        RiskFact::new(Blacklist, (kind.label(Chinese), kind.label(English)), &value)
    }));
    facts.extend([
        count(MultiLoan, "7 天内申请次数", "Applications within 7 days", past.applied_week),
        count(MultiLoan, "30 天内申请次数", "Applications within 30 days", past.applied_month),
        count(MultiLoan, "180 天内申请次数", "Applications within 180 days", past.applied),
        count(MultiLoan, "30 天内申请渠道数", "Channels within 30 days", past.channels_month),
        count(MultiLoan, "30 天内接收机构数", "Organisations that accepted the lead within 30 days", known.takers_month),
        count(MultiLoan, "180 天内接收机构数", "Organisations that accepted the lead within 180 days", known.takers),
        count(MultiLoan, "答复已有该用户的机构数", "Organisations that already know the applicant", known.known_to),
        count(Contact, "该手机号的身份证号数", "ID numbers with this phone number", past.id_nos),
        count(Contact, "该手机号的城市数", "Cities with this phone number", past.cities),
        count(Contact, "联系不上的申请数", "Applications with no contact", past.unreachable),
    ]);
    if known.has_id_no {
        facts.push(count(Contact, "该身份证号的手机号数", "Phone numbers with this ID number", phones.of_id_no));
    }
    if known.has_address {
        facts.extend([
            count(Device, "该 IP 一天内的手机号数", "Phone numbers from this IP address within a day", phones.of_address_day),
            count(Device, "该 IP 30 天内的手机号数", "Phone numbers from this IP address within 30 days", phones.of_address_month),
            count(
                Device,
                "该 IP 和浏览器 30 天内的手机号数",
                "Phone numbers with this IP address and browser within 30 days",
                phones.of_browser_month,
            ),
        ]);
    }
    if known.has_device {
        let (chinese, english) = ("该设备 30 天内的手机号数", "Phone numbers with this device within 30 days");
        facts.push(count(Device, chinese, english, phones.of_device_month));
    }
    facts
}

/// The answer in a field, as a text.
fn said(known: &Evidence, name: &str) -> Option<RiskFact> {
    let field = Field::find(name)?;
    let value = match known.said.get(name)? {
        Value::String(code) => say(field.label(code, Chinese).into_owned(), field.label(code, English).into_owned()),
        Value::Number(number) => say(number.to_string(), number.to_string()),
        _ => return None,
    };
    Some(RiskFact::new(Basic, (field.title.get(Chinese), field.title.get(English)), &value))
}

fn nothing() -> Say {
    say("", "")
}

/// A text for a number that reaches a threshold.
fn least(number: i64, threshold: i64, words: fn(i64) -> Say) -> Option<Say> {
    (number >= threshold).then(|| words(number))
}

fn number(known: &Evidence, field: &str) -> Option<i64> {
    known.said.get(field).and_then(Value::as_i64)
}

fn says(known: &Evidence, field: &str, code: &str) -> Option<Say> {
    (known.said.get(field).and_then(Value::as_str) == Some(code)).then(nothing)
}

/// Whether an entry names the person, and not the address or the device of the application.
fn names_person(entry: &Listed) -> bool {
    matches!(entry.kind, BlacklistKind::Phone | BlacklistKind::IdNo)
}

/// The kinds of some entries, as a text.
fn entries(known: &Evidence, which: fn(&Listed) -> bool) -> Option<Say> {
    let mut found: Vec<(BlacklistKind, BlacklistScope)> = Vec::new();
    for one in known.blacklist.iter().filter(|one| which(one)) {
        if !found.contains(&(one.kind, one.scope)) {
            found.push((one.kind, one.scope));
        }
    }
    let words = |locale| {
        let each = found.iter().map(|(kind, scope)| format!("{} ({})", kind.label(locale), scope.label(locale)));
        each.collect::<Vec<_>>().join(locale.pick("、", ", "))
    };
    (!found.is_empty()).then(|| say(words(Chinese), words(English)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use serde_json::json;

    use super::super::evidence::Past;
    use super::*;
    use crate::user::past::Phones;

    /// A change of an unremarkable applicant, the findings then, and the score.
    type Case = (fn(&mut Evidence), &'static [&'static str], i64);

    /// An applicant without findings.
    fn decent() -> Evidence {
        let said =
            json!({"age": 30, "overdue": "none", "applyAmountCents": 5_000_000, "applyTermMonths": 12, "incomeCentsMonth": 1_000_000});
        Evidence {
            said: said.as_object().unwrap().clone(),
            has_id_no: true,
            has_consent: true,
            past: Past {
                applied: 1,
                applied_week: 1,
                applied_month: 1,
                channels_month: 1,
                id_nos: 1,
                names: 1,
                cities: 1,
                ..Past::default()
            },
            phones: Phones { of_id_no: 1, of_address_day: 1, of_address_month: 1, of_browser_month: 1, of_device_month: 1 },
            has_address: true,
            has_device: true,
            ..Evidence::default()
        }
    }

    fn listed(kind: BlacklistKind, holds: bool) -> Listed {
        let scope = if holds { BlacklistScope::Global } else { BlacklistScope::Organisation };
        Listed { kind, scope, holds, created_at: 0 }
    }

    fn found(known: &Evidence) -> (i64, Vec<String>) {
        let Findings { score, detail, .. } = judge(known);
        (score, detail.hits.into_iter().map(|hit| hit.code).collect())
    }

    #[test]
    fn an_applicant_without_findings_has_score_zero() {
        let findings = judge(&decent());
        assert_eq!((findings.score, findings.level, findings.detail.hits), (0, RiskLevel::Low, Vec::new()));
    }

    #[test]
    fn rules_have_names_of_their_own_and_words_in_both_languages() {
        let mut codes = HashSet::new();
        for rule in RULES {
            assert!(codes.insert(rule.code), "{} is there twice", rule.code);
            assert!((1..=HIGHEST).contains(&rule.points) && !rule.title.0.is_empty() && !rule.title.1.is_empty(), "{}", rule.code);
        }
    }

    #[test]
    fn every_rule_finds_what_it_is_for_and_nothing_below_its_threshold() {
        let case = |change: fn(&mut Evidence)| {
            let mut known = decent();
            change(&mut known);
            found(&known)
        };
        let cases: &[Case] = &[
            (|known| known.blacklist = vec![listed(BlacklistKind::Phone, true)], &["blacklisted"], 100),
            (|known| known.blacklist = vec![listed(BlacklistKind::IdNo, false)], &["blacklisted_elsewhere"], 40),
            (|known| known.blacklist = vec![listed(BlacklistKind::Ip, true)], &["blacklisted_address"], 30),
            (|known| known.blacklist = vec![listed(BlacklistKind::Device, true)], &["blacklisted_device"], 60),
            (|known| known.past.blocked = 1, &["blocked_before"], 20),
            (|known| drop(known.said.insert("overdue".into(), json!("current"))), &["overdue_now"], 35),
            (|known| drop(known.said.insert("overdue".into(), json!("minor"))), &["overdue_some"], 10),
            (|known| drop(known.said.insert("applyAmountCents".into(), json!(6_000_012))), &["beyond_income"], 15),
            (|known| drop(known.said.insert("applyAmountCents".into(), json!(6_000_000))), &[], 0),
            (|known| drop(known.said.remove("incomeCentsMonth")), &[], 0),
            (|known| known.has_id_no = false, &["no_id_no"], 5),
            (|known| known.has_consent = false, &["no_consent"], 10),
            (|known| known.past.applied_week = 2, &[], 0),
            (|known| known.past.applied_week = 3, &["applied_often_week"], 15),
            (|known| known.past.applied_month = 4, &[], 0),
            (|known| known.past.applied_month = 5, &["applied_often_month"], 15),
            (|known| known.past.channels_month = 2, &[], 0),
            (|known| known.past.channels_month = 3, &["several_channels"], 15),
            (|known| known.known_to = 1, &[], 0),
            (|known| known.known_to = 2, &["known_to_several"], 20),
            (|known| known.takers_month = 3, &[], 0),
            (|known| known.takers_month = 4, &["taken_by_several"], 10),
            (|known| known.past.id_nos = 2, &["several_id_nos"], 35),
            (|known| known.phones.of_id_no = 2, &["several_phones"], 20),
            (|known| known.past.names = 2, &["several_names"], 15),
            (|known| known.past.cities = 2, &[], 0),
            (|known| known.past.cities = 3, &["several_cities"], 10),
            (|known| known.past.unreachable = 1, &["unreachable"], 10),
            (|known| known.phones.of_address_day = 4, &[], 0),
            (|known| known.phones.of_address_day = 5, &["busy_address"], 15),
            (|known| known.phones.of_browser_month = 5, &["busy_browser"], 20),
            (|known| known.phones.of_device_month = 2, &[], 0),
            (|known| known.phones.of_device_month = 3, &["busy_device"], 25),
        ];
        for (change, codes, score) in cases {
            let (sum, hits) = case(*change);
            assert_eq!((hits.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), sum), (*codes, *score));
        }
    }

    #[test]
    fn a_score_has_an_end() {
        let mut known = decent();
        known.blacklist = vec![listed(BlacklistKind::Phone, true), listed(BlacklistKind::Ip, true)];
        known.past.id_nos = 3;
        let findings = judge(&known);
        assert_eq!((findings.score, findings.level, findings.detail.hits.len()), (HIGHEST, RiskLevel::Reject, 3));
        assert_eq!(findings.detail.hits[0].note_en, "Phone (Global)");
    }

    #[test]
    fn what_is_not_known_is_no_fact() {
        let sections = |known: &Evidence| judge(known).detail.facts.into_iter().map(|fact| fact.section).collect::<HashSet<_>>();
        assert!(sections(&decent()).contains(&Device) && !sections(&decent()).contains(&Blacklist));
        let by_staff = Evidence { has_address: false, has_device: false, ..decent() };
        assert!(!sections(&by_staff).contains(&Device));
    }
}
