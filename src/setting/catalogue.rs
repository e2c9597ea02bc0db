//! The catalogue: every setting there is, in the order in which they are shown. Whoever reads one
//! names its constant; the comment above it says where that is.

use super::model::SettingGroup::{Compliance, Export, Finance, Lead, Message, Push, Risk, Security, Session, Sms, Visit};
use super::model::SettingUnit::{
    BasisPoints, Cents, Characters, Days, Hours, Leads, Milliseconds, Minutes, Organisations, Passwords, Rows, Times, Visitors,
};
use super::model::{About, Placeholder, Secret, Setting};

const fn required(name: &'static str) -> Placeholder {
    Placeholder { name, required: true }
}

const fn optional(name: &'static str) -> Placeholder {
    Placeholder { name, required: false }
}

/// Makes the constants, and [`ALL`] of them: none is left out of the list.
macro_rules! settings {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $made:expr;)*) => {
        $($(#[$doc])* pub static $name: Setting<$type> = $made;)*

        /// Every setting.
        pub static ALL: &[&About] = &[$(&$name.about),*];

        /// Their constants' names.
        #[cfg(test)]
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

settings! {
    /// Read by `access::sign_in`.
    SECURITY_LOCK_THRESHOLD: i64 = Setting::int(Security, "security.lock_threshold", 5, (3, 50), Times).told(
        ("账号锁定次数", "Failures that lock an account"),
        (
            "同一账号在同一网段（IPv4 前三段、IPv6 /64）连续登录失败达到该次数后，该网段暂停登录此账号",
            "As many failed sign-ins in a row from one network (/24, of IPv6 /64) close the account's door to that network for a while",
        ),
    );
    /// Read by `access::sign_in`.
    SECURITY_LOCK_ACCOUNT_THRESHOLD: i64 = Setting::int(Security, "security.lock_account_threshold", 50, (10, 1000), Times).told(
        ("账号全局锁定次数", "Failures that lock an account everywhere"),
        (
            "同一账号在所有网段登录失败达到该次数后，只有 30 天内登录过的网段可以继续登录",
            "After as many failures from all networks together, only those from which the account signed in within 30 days are let in for a while",
        ),
    );
    /// Read by `access::sign_in`.
    SECURITY_LOCK_ADDRESS_THRESHOLD: i64 = Setting::int(Security, "security.lock_address_threshold", 20, (5, 1000), Times).told(
        ("地址锁定次数", "Failures that lock an address"),
        ("同一 IP 登录失败达到该次数，或锁定了三个账号后暂停登录", "As many failed sign-ins from one address, or three accounts locked by it, close its door for a while"),
    );
    /// Read by `access::sign_in`.
    SECURITY_LOCK_MINUTES: i64 = Setting::int(Security, "security.lock_minutes", 15, (1, 1440), Minutes).told(
        ("锁定时长", "Length of a lock"),
        ("失败次数在这段时间内累计，自第一次失败起满该时长后可再试", "Failures count within this time; once it has passed since the first of them, the door opens again"),
    );
    /// Read by `access::password`.
    SECURITY_PASSWORD_MIN_LENGTH: i64 = Setting::int(Security, "security.password_min_length", 8, (8, 64), Characters).told(
        ("密码最短长度", "Shortest password"),
        ("新设的密码至少这么长；常见密码不论长短一律拒绝", "New passwords are at least this long; common ones are refused however long"),
    );
    /// Read by `access::session`.
    SECURITY_PASSWORD_DAYS: i64 = Setting::int(Security, "security.password_days", 0, (0, 3650), Days).told(
        ("密码有效期", "Passwords expire after"),
        ("到期后须先修改密码才能继续使用；0 为永不过期", "Then the password must be changed before anything else; 0 for never"),
    );
    /// Read by `access::password`.
    SECURITY_PASSWORD_HISTORY: i64 = Setting::int(Security, "security.password_history", 1, (1, 10), Passwords).told(
        ("不得重复的密码数", "Passwords not to be used again"),
        ("新密码不能与最近使用的几个密码相同，包括当前密码", "A new password must differ from this many latest ones, the present one included"),
    );
    /// Read by `access::password`.
    SECURITY_PASSWORD_WORDS: Vec<String> = Setting::list(Security, "security.password_words", &[], 100, 32).told(
        ("密码禁用词", "Words no password may hold"),
        ("每行一个，不区分大小写，例如公司名称", "One a line, in either case: the company's name, for example"),
    );
    /// Read by `access::session`.
    SECURITY_SECOND_FACTOR_ROLES: Vec<String> = Setting::roles(Security, "security.second_factor_roles", 50).told(
        ("必须两步验证的角色", "Roles that need a second factor"),
        (
            "这些角色的平台账号登录后须先绑定身份验证器，才能继续使用",
            "The platform's accounts in these roles set up an authenticator before anything else",
        ),
    );
    /// Read by `admin::sign_in`.
    SECURITY_LOGIN_BY_ADDRESS: bool = Setting::flag(Security, "security.login_by_address", true).told(
        ("允许地址栏参数登录", "Sign-in by address"),
        (
            "旧客户端用 GET /api/admin/login 登录，密码写在地址里，会留在代理日志中；没有旧客户端时应关闭",
            "Old clients sign in by GET /api/admin/login, with the password in the address, where proxies log it. To be turned off where none is left",
        ),
    );
    /// Read by `retention`.
    SECURITY_LOGIN_LOG_DAYS: i64 = Setting::int(Security, "security.login_log_days", 365, (180, 3650), Days).told(
        ("登录日志保留", "The sign-in log is kept for"),
        ("到期后每晚删除；操作日志永久保留", "Then it is deleted, every night; the audit trail stays for ever"),
    );
    /// Read by `access::sign_in`.
    SECURITY_SINGLE_SESSION: bool = Setting::flag(Security, "security.single_session", false).told(
        ("只允许一处登录", "One session an account"),
        ("再次登录时结束该账号的其他会话", "A new sign-in ends the account's other sessions"),
    );
    /// Read by `api::number_search`.
    SECURITY_NUMBER_SEARCHES: i64 = Setting::int(Security, "security.number_searches", 30, (1, 1000), Times).told(
        ("十分钟内按号码查找次数", "Searches by number in ten minutes"),
        ("同一账号按完整的手机号、身份证号等查找的次数上限；翻页和排序不计", "How often an account may search by a whole phone, identity number or the like; paging and sorting do not count"),
    );
    /// Read by `api::calls`.
    SECURITY_READS_MINUTE: i64 = Setting::int(Security, "security.reads_minute", 1200, (60, 1_000_000), Times).told(
        ("每分钟列表查询次数", "Lists read in a minute"),
        ("同一账号每分钟查询列表、导出和图表的次数上限", "How often an account may ask for lists, exports and charts in a minute"),
    );
    /// Read by `open::partner`.
    SECURITY_PARTNER_SECOND: i64 = Setting::int(Security, "security.partner_second", 500, (1, 100_000), Times).told(
        ("合作方每秒调用次数", "Calls of a partner in a second"),
        ("同一 appId 每秒的签名调用上限，短时可多一倍", "How often one appId may call in a second; twice that for a moment"),
    );

    /// Read by `access::online`.
    SESSION_IDLE_MINUTES: i64 = Setting::int(Session, "session.idle_minutes", 30, (5, 720), Minutes).told(
        ("闲置退出", "Idle sessions end after"),
        ("超过该时间没有操作须重新登录；后台轮询不算操作", "Without use for this long a new sign-in is needed; what a page asks by itself is no use"),
    );
    /// Read by `access::online`.
    SESSION_MAX_HOURS: i64 = Setting::int(Session, "session.max_hours", 168, (1, 720), Hours).told(
        ("会话最长时间", "Longest session"),
        ("自登录起满该时间须重新登录，即使一直在使用", "A new sign-in is needed this long after the last one, used or not"),
    );

    /// Read by `distribution::policy`.
    LEAD_METHOD: String = Setting::choice(
        Lead,
        "lead.method",
        "priority",
        &[
            ("priority", ("按优先级", "By priority")),
            ("price", ("价高者得", "Highest price")),
            ("turns", ("轮流", "In turns")),
            ("weight", ("按权重", "By weight")),
        ],
    )
    .told(("分发方式", "Distribution"), ("几个计划都要同一条线索时先给谁", "Which plan is asked first when several take a lead"));
    /// Read by `distribution::policy`.
    LEAD_AGAIN_MINUTES: i64 = Setting::int(Lead, "lead.again_minutes", 30, (0, 10_080), Minutes).told(
        ("再次分发", "Distributed again after"),
        ("没有计划要的线索隔多久再找一次，最多三轮；0 为不再找", "When plans are looked for again for a lead that none took, three times at most; 0 for never"),
    );
    /// Read by `user::arrival` and `distribution::policy`: how long a repeated applicant counts once,
    /// where the channel and the plan say nothing.
    LEAD_DEDUP_DAYS: i64 = Setting::int(Lead, "lead.dedup_days", 30, (0, 3650), Days).told(
        ("线索去重天数", "Deduplication"),
        ("同一用户在该天数内只算一次；渠道或计划另有设置时以其为准", "A repeated applicant counts once within these days, unless channel or plan says otherwise"),
    );
    /// Read by `distribution::policy`.
    LEAD_MAX_BUYERS: i64 = Setting::int(Lead, "lead.max_buyers", 3, (1, 5), Organisations).told(
        ("共享线索最多机构数", "Buyers of a shared lead"),
        ("一条共享线索最多推送给几家机构", "A shared lead goes to at most this many organisations"),
    );
    /// Read by `returns::record`.
    LEAD_RETURN_SHARE_DAYS: i64 = Setting::int(Lead, "lead.return_share_days", 30, (1, 365), Days).told(
        ("退单比例的统计天数", "Days of the share of returns"),
        ("机构的退单比例按最近这些天内成交的线索计算", "How much an organisation may return is a share of what it bought within these days"),
    );
    /// Read by `returns::record`.
    LEAD_RETURN_LEAST: i64 = Setting::int(Lead, "lead.return_least", 1, (0, 100), Leads).told(
        ("退单保底条数", "Returns that are always allowed"),
        ("成交再少，统计天数内也可以退这么多条", "However little was bought, this many may be returned within those days"),
    );
    /// Read by `retention`.
    LEAD_TRIES_DAYS: i64 = Setting::int(Lead, "lead.tries_days", 400, (90, 3650), Days).told(
        ("推送、回传和匹配记录保留", "Tries and questions are kept for"),
        (
            "到期后每晚删除已结束线索的推送过程、回传过程和未成交的匹配记录；线索、金额和统计永久保留",
            "Then what was tried for leads that have ended, to tell channels, and questions and rounds that sold nothing go, every night; leads, money and figures stay",
        ),
    );

    /// Read by `open::applicant`.
    MATCH_DAILY_QUESTIONS: i64 = Setting::int(Push, "match.daily_questions", 100_000, (0, 100_000_000), Times).told(
        ("渠道每日撞库上限", "Questions of a channel a day"),
        ("每个渠道每天可以问多少个手机号是否有机构要；0 为不允许", "About how many phones a channel may ask in a day whether they are wanted; 0 for none"),
    );
    /// Read by `distribution::policy`.
    MATCH_TIMEOUT_MS: i64 = Setting::int(Push, "match.timeout_ms", 3000, (200, 30_000), Milliseconds).told(
        ("匹配超时", "Matching times out after"),
        ("等待机构撞库结果的最长时间", "How long an organisation's answer to a match is waited for"),
    );
    /// Read by `distribution::policy`.
    PUSH_TIMEOUT_MS: i64 = Setting::int(Push, "push.timeout_ms", 10_000, (500, 60_000), Milliseconds).told(
        ("推送超时", "Pushing times out after"),
        ("等待机构接收线索的最长时间", "How long an organisation's acceptance of a lead is waited for"),
    );
    /// Read by `distribution::policy`.
    PUSH_RETRY: i64 = Setting::int(Push, "push.retry", 3, (0, 10), Times).told(
        ("推送重试上限", "Most retries of a push"),
        ("机构接口配置中的重试次数超过该值时以该值为准", "Where an organisation's own settings say more, this counts"),
    );
    /// Read by `distribution::policy`.
    PUSH_WAIT_MINUTES: i64 = Setting::int(Push, "push.wait_minutes", 1440, (10, 10_080), Minutes).told(
        ("线索等待送达的最长时间", "A lead waits to be delivered for at most"),
        ("机构接口在该时间内始终不可达时，线索改卖给下一个计划", "Where an organisation's server cannot be reached for so long, the next plan is looked for"),
    );

    /// Read by `risk::provider`.
    RISK_OWN_MINUTES: i64 = Setting::int(Risk, "risk.own_minutes", 60, (1, 10_080), Minutes).told(
        ("内置风控报告有效期", "A report of our own holds for"),
        ("内置规则的报告在该时间内重复使用，之后按最新数据重新判断", "A report of the built-in rules is used again for so long, and then made anew"),
    );
    /// Read by `risk::provider`.
    RISK_VALID_DAYS: i64 = Setting::int(Risk, "risk.valid_days", 30, (1, 365), Days).told(
        ("外部风控报告有效期", "A provider's report holds for"),
        ("外部服务商的报告在该天数内重复使用，不再收费", "A report from outside is used again for so many days, and not paid for again"),
    );
    /// Read by `risk::provider`.
    RISK_PRICE_CENTS: i64 = Setting::int(Risk, "risk.price_cents", 0, (0, 1_000_000), Cents).told(
        ("外部风控查询单价", "Price of a provider's report"),
        ("查得报告时记一次费用；未查得或失败不计", "Written down for each report that is found; none for what is not found, or fails"),
    );
    /// Read by `risk::report`.
    RISK_DAILY_LIMIT: i64 = Setting::int(Risk, "risk.daily_limit", 1000, (0, 100_000), Times).told(
        ("外部风控每日查询上限", "Queries of a provider a day"),
        ("达到后当天不再向外部服务商查询；0 为不查询", "Beyond them no provider outside is asked that day; 0 for never"),
    );
    /// Read by `risk::provider`.
    RISK_TIMEOUT_MS: i64 = Setting::int(Risk, "risk.timeout_ms", 5000, (200, 20_000), Milliseconds).told(
        ("外部风控查询超时", "A provider times out after"),
        ("等待外部服务商应答的最长时间", "How long a provider's answer is waited for"),
    );

    /// Read by `plan::watch`.
    FINANCE_LOW_BALANCE_CENTS: i64 = Setting::int(Finance, "finance.low_balance_cents", 100_000, (0, 1_000_000_000), Cents).told(
        ("余额预警线", "Low balance"),
        ("机构余额低于该金额时提醒；机构另有设置时以其为准", "An organisation is warned below this balance, unless it has one of its own"),
    );

    /// Read by `sms`.
    SMS_SIGN_NAME: String = Setting::text(Sms, "sms.sign_name", "Leadlane", 16).told(
        ("短信签名", "Signature"),
        ("写在短信开头的【】里；空则不写", "Stands in brackets at the beginning of a message; none when empty"),
    );
    /// Read by `sms::provider`.
    SMS_PROVIDER_URL: String = Setting::address(Sms, "sms.provider_url", 300).told(
        ("短信服务商接口", "Provider's address"),
        ("以 https:// 开头；空则短信不发出，只写入短信日志文件", "Begins with https://; when empty no message leaves, they go to the log file only"),
    );
    /// Read by `sms::provider`.
    SMS_PROVIDER_ID: String = Setting::text(Sms, "sms.provider_id", "leadlane", 64).told(
        ("短信服务商账号", "Account at the provider"),
        ("随签名作为 appId 发送", "Goes along as appId with our signature"),
    );
    /// Read by `sms::provider`.
    SMS_PROVIDER_KEY: Secret = Setting::secret(Sms, "sms.provider_key", 256).told(
        ("短信服务商密钥", "Provider's key"),
        ("加密保存，保存后不再显示", "Kept encrypted and never shown again"),
    );

    /// Read by `sms`.
    SMS_LOG_IN_CLEAR: bool = Setting::flag(Sms, "sms.log_in_clear", false).told(
        ("日志文件保留明文", "Codes stay readable in the log file"),
        ("仅供试用：没有服务商时，手机号和验证码以明文写入日志文件", "For trying things out: without a provider, phones and codes are written to the file in clear"),
    );
    /// Read by `sms::kind`.
    SMS_CODE_TEXT: String =
        Setting::template(Sms, "sms.code_text", "验证码 {code}，{minutes} 分钟内有效。Your verification code is {code}.", 200, &[required("code"), optional("minutes")]).told(
            ("验证码短信内容", "Text of a verification code"),
            ("必须包含 {code}，可包含 {minutes}", "{code} must be in it, {minutes} may be"),
        );
    /// Read by `sms::kind`.
    SMS_CODE_TEMPLATE: String = Setting::text(Sms, "sms.code_template", "", 64).told(
        ("验证码短信模板编号", "Template number of a verification code"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The provider's number of the approved template, sent along as its template; empty where it has none"),
    );
    /// Read by `sms::kind`.
    SMS_NEW_LEAD_TEXT: String =
        Setting::template(Sms, "sms.new_lead_text", "您有一条新线索（{leadNo}），请登录后台查看。", 200, &[required("leadNo")]).told(
            ("新线索短信内容", "Text about a new lead"),
            ("必须包含 {leadNo}", "{leadNo} must be in it"),
        );
    /// Read by `sms::kind`.
    SMS_NEW_LEAD_TEMPLATE: String = Setting::text(Sms, "sms.new_lead_template", "", 64).told(
        ("新线索短信模板编号", "Template number about a new lead"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The provider's number of the approved template, sent along as its template; empty where it has none"),
    );
    /// Read by `sms::kind`.
    SMS_LOW_BALANCE_TEXT: String =
        Setting::template(Sms, "sms.low_balance_text", "{organisation}：账户余额 {balance} 元，已低于预警线，请及时充值。", 200, &[required("organisation"), required("balance")]).told(
            ("余额预警短信内容", "Text about a low balance"),
            ("必须包含 {organisation} 和 {balance}", "{organisation} and {balance} must be in it"),
        );
    /// Read by `sms::kind`.
    SMS_LOW_BALANCE_TEMPLATE: String = Setting::text(Sms, "sms.low_balance_template", "", 64).told(
        ("余额预警短信模板编号", "Template number about a low balance"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The provider's number of the approved template, sent along as its template; empty where it has none"),
    );
    /// Read by `sms::kind`.
    SMS_TEST_TEXT: String =
        Setting::template(Sms, "sms.test_text", "这是一条测试短信（{time}），无需回复。This is a test message.", 200, &[optional("time")]).told(
            ("测试短信内容", "Text of a test message"),
            ("可包含 {time}", "{time} may be in it"),
        );
    /// Read by `sms::kind`.
    SMS_TEST_TEMPLATE: String = Setting::text(Sms, "sms.test_template", "", 64).told(
        ("测试短信模板编号", "Template number of a test message"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The provider's number of the approved template, sent along as its template; empty where it has none"),
    );
    /// Read by `retention`.
    SMS_KEEP_DAYS: i64 = Setting::int(Sms, "sms.keep_days", 180, (30, 3650), Days).told(
        ("短信记录保留", "The record of messages is kept for"),
        (
            "到期后每晚删除已有结果的记录，以及已失效的验证码和测试短信；发送失败、待核实的其他短信保留到有人处理",
            "Then what has ended is deleted every night, and codes and tests in any state; other messages that failed or are in doubt stay until somebody has seen to them",
        ),
    );

    /// Read by `api::export`.
    EXPORT_ROW_CAP: i64 = Setting::int(Export, "export.row_cap", 50_000, (1000, 1_000_000), Rows).told(
        ("单次导出上限", "Rows of one export"),
        ("超过该行数须缩小查询范围", "Beyond them the filters must be narrowed"),
    );
    /// Read by `export::worker`.
    EXPORT_KEEP_DAYS: i64 = Setting::int(Export, "export.keep_days", 7, (1, 90), Days).told(
        ("导出文件保留", "Files are kept for"),
        ("到期后文件被删除，须重新导出", "Then a file is deleted and must be made again"),
    );

    /// Read by `compliance::check`.
    COMPLIANCE_MAX_RATE_BP: i64 = Setting::int(Compliance, "compliance.max_rate_bp", 2400, (100, 3600), BasisPoints).told(
        ("综合年化利率上限", "Highest annual rate"),
        ("高于该利率的产品不能上架，合规检测不通过", "A product above it cannot go online and fails the compliance check"),
    );
    /// Read by `compliance::check`.
    COMPLIANCE_VALID_DAYS: i64 = Setting::int(Compliance, "compliance.valid_days", 90, (1, 730), Days).told(
        ("检测结果有效期", "A check is good for"),
        ("到期后须重新检测", "Then it must be made again"),
    );
    /// Read by `channel::record`.
    COMPLIANCE_REQUIRED_FOR_CHANNELS: bool = Setting::flag(Compliance, "compliance.required_for_channels", false).told(
        ("渠道启用前须通过检测", "Channels need a check"),
        ("没有有效检测结果的渠道不能启用；最近一次不通过的始终不能启用", "Without a valid check a channel cannot be enabled; after a failed one it never can"),
    );

    /// Read by `visit::retain`.
    VISIT_EVENT_DAYS: i64 = Setting::int(Visit, "visit.event_days", 180, (35, 3650), Days).told(
        ("访问明细保留", "Events are kept for"),
        ("到期后删除访问和曝光明细，每日统计永久保留；重算统计只能从保留的明细开始", "Then single visits and exposures are deleted; daily figures stay for ever, and can be made again only from the events that are kept"),
    );
    /// Read by `open`.
    VISIT_ADDRESS_VISITORS: i64 = Setting::int(Visit, "visit.address_visitors", 200, (1, 100_000), Visitors).told(
        ("单个地址每日访客上限", "Visitors of one address a day"),
        ("同一 IP 每天给同一渠道或产品带来的访客超过该数后只计 PV，不计 UV 也不计费", "Beyond them one address's visits of a channel or product are views only: neither counted as visitors nor billed"),
    );

    /// Read by `message::inbox`.
    MESSAGE_KEEP_DAYS: i64 = Setting::int(Message, "message.keep_days", 90, (7, 3650), Days).told(
        ("消息保留", "Messages are kept for"),
        ("到期后从消息盒子中删除", "Then they leave the message box"),
    );
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::model::SettingValue;
    use super::*;

    #[test]
    fn every_setting_is_told_in_both_languages_and_takes_its_own_default() {
        let mut seen = HashSet::new();
        for about in ALL {
            assert!(seen.insert(about.key), "{} is there twice", about.key);
            for (chinese, english) in [about.title, about.help] {
                assert!(!chinese.is_empty() && !english.is_empty(), "{}", about.key);
            }
            if let Some(default) = about.default() {
                assert_eq!(about.check(default.clone()).unwrap(), default, "{}", about.key);
            }
        }
    }

    #[test]
    fn the_guide_lists_every_setting_with_its_default() {
        let guide = include_str!("../../docs/configuration.md");
        let rows = guide.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | ")).filter(|(key, _)| key.contains('.'));
        let mut listed: Vec<&str> = rows.clone().map(|(key, _)| key).collect();
        let mut known: Vec<&str> = ALL.iter().map(|about| about.key).collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
        for (key, rest) in rows {
            let default = rest.split(" | ").next().unwrap_or_default();
            let expected = match ALL.iter().find(|about| about.key == key).and_then(|about| about.default()) {
                Some(SettingValue::Number(number)) => number.to_string(),
                Some(SettingValue::Flag(flag)) => if flag { "on" } else { "off" }.to_owned(),
                _ => continue,
            };
            assert_eq!(default, expected, "{key}");
        }
    }

    #[test]
    fn settings_of_a_group_stand_together() {
        let mut groups: Vec<_> = ALL.iter().map(|about| about.group).collect();
        groups.dedup();
        let distinct: HashSet<&str> = groups.iter().map(|group| <&str>::from(*group)).collect();
        assert_eq!(groups.len(), distinct.len());
    }
}
