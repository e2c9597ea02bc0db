//! The built-in rules, in their initial state. Changes by operators stay.

use super::model::RuleKind::{self, AnnualRate, ForbiddenWords, Masked, NamedRecipients, NotExpired, PublicHttps, Required, Versioned};
use super::model::TargetType::{self, Channel, Consent, Organisation, Plan, Product, Script};
use super::model::{RuleParams, Severity};
use base::db::Db;

/// The initial state of a rule.
struct Builtin {
    code: &'static str,
    title: (&'static str, &'static str),
    targets: &'static [TargetType],
    kind: RuleKind,
    fields: &'static [&'static str],
    words: &'static [&'static str],
    days: i64,
    severity: Severity,
}

/// Promises that no lender may make.
const PROMISES: &[&str] = &[
    "包过",
    "必过",
    "必下款",
    "百分百下款",
    "100%下款",
    "百分百通过",
    "无视征信",
    "不看征信",
    "黑户可贷",
    "秒批",
    "秒下款",
    "内部渠道",
    "洗白征信",
    "无需审核",
    "零门槛",
    "最低利率",
    "guaranteed approval",
    "no credit check",
];
/// Money that is demanded before there is a loan.
const UPFRONT: &[&str] = &[
    "前期费用",
    "先交费",
    "先付费",
    "预付费",
    "解冻费",
    "验资",
    "刷流水",
    "工本费",
    "保证金",
    "激活费",
    "手续费先付",
    "upfront fee",
    "pay first",
];
/// Descriptions instead of names.
const VAGUE: &[&str] = &["合作机构", "合作伙伴", "第三方", "相关机构", "其他机构", "关联公司", "third party", "partners"];

const RULES: &[Builtin] = &[
    Builtin {
        code: "licence_number",
        title: ("登记经营许可证号", "Licence on record"),
        targets: &[Organisation, Plan, Product],
        kind: Required,
        fields: &["licenceNo"],
        words: &[],
        days: 0,
        severity: Severity::Fail,
    },
    Builtin {
        code: "licence_valid",
        title: ("许可证在有效期内", "Licence not expired"),
        targets: &[Organisation, Plan, Product],
        kind: NotExpired,
        fields: &["licenceExpireOn"],
        words: &[],
        days: 30,
        severity: Severity::Fail,
    },
    Builtin {
        code: "landing_page",
        title: ("填写落地页地址", "Landing page on record"),
        targets: &[Channel],
        kind: Required,
        fields: &["landingUrl"],
        words: &[],
        days: 0,
        severity: Severity::Warn,
    },
    Builtin {
        code: "channel_owner",
        title: ("有负责人", "Owner assigned"),
        targets: &[Channel],
        kind: Required,
        fields: &["owner"],
        words: &[],
        days: 0,
        severity: Severity::Warn,
    },
    Builtin {
        code: "landing_https",
        title: ("落地页使用 https 公网地址", "Landing page on a public https address"),
        targets: &[Channel],
        kind: PublicHttps,
        fields: &["landingUrl"],
        words: &[],
        days: 0,
        severity: Severity::Fail,
    },
    Builtin {
        code: "callback_https",
        title: ("回调使用 https 公网地址", "Callback URL on a public https address"),
        targets: &[Channel],
        kind: PublicHttps,
        fields: &["callbackUrl"],
        words: &[],
        days: 0,
        severity: Severity::Warn,
    },
    Builtin {
        code: "forbidden_words",
        title: ("不含违规承诺", "No forbidden promises"),
        targets: &[Channel, Plan, Product, Script, Consent],
        kind: ForbiddenWords,
        fields: &[],
        words: PROMISES,
        days: 0,
        severity: Severity::Fail,
    },
    Builtin {
        code: "upfront_fee",
        title: ("不含贷前收费", "No fees before the loan"),
        targets: &[Channel, Product, Script, Consent],
        kind: ForbiddenWords,
        fields: &[],
        words: UPFRONT,
        days: 0,
        severity: Severity::Fail,
    },
    Builtin {
        code: "annual_rate",
        title: ("标明年化利率且不高于上限", "Annual rate shown and within the limit"),
        targets: &[Product, Script],
        kind: AnnualRate,
        fields: &[],
        words: &[],
        days: 0,
        severity: Severity::Fail,
    },
    Builtin {
        code: "lender_named",
        title: ("写明放款机构", "Lender named"),
        targets: &[Product],
        kind: Required,
        fields: &["lenderName"],
        words: &[],
        days: 0,
        severity: Severity::Fail,
    },
    Builtin {
        code: "jump_https",
        title: ("跳转地址使用 https 公网地址", "Redirect URL on a public https address"),
        targets: &[Product],
        kind: PublicHttps,
        fields: &["jumpUrl"],
        words: &[],
        days: 0,
        severity: Severity::Warn,
    },
    Builtin {
        code: "agreement_version",
        title: ("协议有版本号", "Agreement has a version"),
        targets: &[Consent],
        kind: Versioned,
        fields: &["version"],
        words: &[],
        days: 0,
        severity: Severity::Fail,
    },
    Builtin {
        code: "named_recipients",
        title: ("列明信息接收方", "Recipients named"),
        targets: &[Consent],
        kind: NamedRecipients,
        fields: &["recipients"],
        words: VAGUE,
        days: 0,
        severity: Severity::Fail,
    },
    Builtin {
        code: "masked_display",
        title: ("手机号和身份证号已脱敏", "Phone and ID numbers masked"),
        targets: &[Channel, Product, Script, Consent],
        kind: Masked,
        fields: &[],
        words: &[],
        days: 0,
        severity: Severity::Fail,
    },
];

/// Adds the built-in rules that are missing. Several nodes may do it at the same time. A database that has them all is only
/// read, in one statement.
pub async fn seed(db: &Db, now: i64) -> Result<(), sqlx::Error> {
    let known: Vec<String> = sqlx::query_scalar("SELECT code FROM compliance_rule").fetch_all(db.read()).await?;
    if RULES.iter().all(|rule| known.iter().any(|code| code == rule.code)) {
        return Ok(());
    }
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let mut tx = db.begin().await?;
    for (position, rule) in (1..).zip(RULES) {
        let params = RuleParams { fields: owned(rule.fields), words: owned(rule.words), days: rule.days };
        sqlx::query(
            "INSERT INTO compliance_rule (code, title_zh, title_en, target_types, kind, params, severity, builtin, sort, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10) ON CONFLICT (code) DO NOTHING",
        )
        .bind(rule.code)
        .bind(rule.title.0)
        .bind(rule.title.1)
        .bind(serde_json::to_string(rule.targets).expect("codes serialise"))
        .bind(<&str>::from(rule.kind))
        .bind(serde_json::to_string(&params).expect("texts serialise"))
        .bind(<&str>::from(rule.severity))
        .bind(position * 10)
        .bind(now)
        .bind(now)
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await
}
