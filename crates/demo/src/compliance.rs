//! The demo's compliance checks, and a rule of its own: the checks of staff so far, with the results of the real
//! rules.

use super::actor;
use super::people::Account;
use base::clock::{self, DAY, HOUR};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::Stamp;
use trade::compliance::check::keep;
use trade::compliance::evaluate::Terms;
use trade::compliance::subject::Subject;
use trade::compliance::{Fact, Facts, RuleForm, RuleKind, RuleParams, RuleStatus, Severity, TargetType, insert_rule};
use trade::{channel, org};

/// How many channels and organisations have been checked.
const RECORDS: i64 = 12;

/// A text that was checked: target, name, text; for an agreement its version and recipients.
type Text = (TargetType, &'static str, &'static str, Option<(&'static str, &'static [&'static str])>);

const TEXTS: &[Text] = &[
    (TargetType::Script, "电销开场白 第一版", "您好，我们这边包过，先交费锁定额度。", None),
    (TargetType::Script, "电销开场白 第二版", "您好，年化利率 7.2%-23.9%，额度和结果以审核为准，放款前不收取任何费用。", None),
    (TargetType::Consent, "个人信息授权书", "您授权以下机构处理您提交的信息，用于评估借款申请。", Some(("v1.0", &["合作机构"]))),
    (
        TargetType::Consent,
        "个人信息授权书",
        "您授权以下机构处理您提交的信息，用于评估借款申请。",
        Some(("v1.1", &["北辰金融信息服务有限公司"])),
    ),
];

/// Adds a rule of the platform's own, which is tried out before it is enabled.
async fn add_rule(tx: &mut Connection, by: &Account, at: i64) -> Result<(), sqlx::Error> {
    let form = RuleForm {
        title_zh: "不制造紧迫感".to_owned(),
        title_en: "No pressure to hurry".to_owned(),
        target_types: vec![TargetType::Script],
        params: RuleParams { words: vec!["仅限今天".to_owned(), "名额有限".to_owned()], ..RuleParams::default() },
        severity: Severity::Warn,
        status: RuleStatus::Disabled,
        sort: 200,
    };
    insert_rule(tx, "no_hurry", RuleKind::ForbiddenWords, &form, Stamp { admin_id: by.id, at }).await.map(drop)
}

/// Makes the checks, the oldest some weeks ago.
pub async fn insert(tx: &mut Connection, by: &Account, now: i64) -> Result<(), sqlx::Error> {
    add_rule(tx, by, now - 20 * DAY).await?;
    let mut subjects = Vec::new();
    for (target, name, text, agreement) in TEXTS {
        let mut facts = Facts::from([("name", Fact::Value((*name).to_owned())), ("text", Fact::Text((*text).to_owned()))]);
        if let Some((version, recipients)) = agreement {
            facts.insert("version", Fact::Value((*version).to_owned()));
            facts.insert("recipients", Fact::List(recipients.iter().map(ToString::to_string).collect()));
        }
        subjects.push(Subject { target: *target, id: None, name: (*name).to_owned(), facts });
    }
    for id in 1..=RECORDS {
        let records = [
            (TargetType::Channel, channel::compliance_facts(&mut *tx, Scope::All, id).await?),
            (TargetType::Organisation, org::compliance_facts(&mut *tx, Scope::All, id).await?),
        ];
        for (target, found) in records {
            let Some((name, mut facts)) = found else { continue };
            facts.insert("name", Fact::Value(name.clone()));
            subjects.push(Subject { target, id: Some(id), name, facts });
        }
    }
    let count = subjects.len() as i64;
    for (index, subject) in (0..).zip(&subjects) {
        let at = now - (count - index) * 20 * HOUR;
        let terms = Terms { max_rate_bp: 2400, today: clock::day(at) };
        keep(tx, subject, &terms, 90, &actor(by.id, by.role_id, at.min(now - DAY / 24))).await?;
    }
    Ok(())
}
