//! The catalogue: every setting, one file a group. Code that reads a setting names its constant; the comment of the constant says
//! where that code is.

use super::model::SettingGroup::{Chat, Compliance, Crm, Export, Finance, Lead, Message, Push, Risk, Security, Session, Sms, Visit};
use super::model::SettingUnit::{
    BasisPoints, Cents, Characters, Days, Hours, Leads, Milliseconds, Minutes, Organisations, Passwords, Rows, Times, Visitors,
};
use super::model::{About, Placeholder, Secret, Setting};
use base::networks::Networks;

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
        ("账号锁定次数", "Failed logins that lock an account"),
        (
            "同一账号在同一网段（IPv4 前三段、IPv6 /64）连续登录失败达到该次数后，该网段暂停登录此账号",
            "After this many failed logins in a row from one network (/24, for IPv6 /64), that network cannot log in to the account for a while",
        ),
    );
    /// Read by `access::sign_in`.
    SECURITY_LOCK_ACCOUNT_THRESHOLD: i64 = Setting::int(Security, "security.lock_account_threshold", 50, (10, 1000), Times).told(
        ("账号全局锁定次数", "Failed logins that lock an account everywhere"),
        (
            "同一账号在所有网段登录失败达到该次数后，只有 30 天内登录过的网段可以继续登录",
            "After this many failed logins from all networks together, only networks from which the account has logged in within 30 days can log in for a while",
        ),
    );
    /// Read by `access::sign_in`.
    SECURITY_LOCK_ADDRESS_THRESHOLD: i64 = Setting::int(Security, "security.lock_address_threshold", 20, (5, 1000), Times).told(
        ("IP 锁定次数", "Failed logins that lock an IP address"),
        ("同一 IP 登录失败达到该次数，或锁定了三个账号后暂停登录", "After this many failed logins from one IP address, or after it has locked three accounts, it cannot log in for a while"),
    );
    /// Read by `access::sign_in`.
    SECURITY_LOCK_MINUTES: i64 = Setting::int(Security, "security.lock_minutes", 15, (1, 1440), Minutes).told(
        ("锁定时长", "Lock duration"),
        ("失败次数在这段时间内累计，自第一次失败起满该时长后可再试", "Failed logins are counted over this time; once it has passed since the first one, login is possible again"),
    );
    /// Read by `access::password`.
    SECURITY_PASSWORD_MIN_LENGTH: i64 = Setting::int(Security, "security.password_min_length", 8, (8, 64), Characters).told(
        ("密码最短长度", "Minimum password length"),
        ("新设的密码至少这么长；常见密码不论长短一律拒绝", "New passwords must be at least this long; common passwords are always refused"),
    );
    /// Read by `access::session`.
    SECURITY_PASSWORD_DAYS: i64 = Setting::int(Security, "security.password_days", 0, (0, 3650), Days).told(
        ("密码有效期", "Password validity"),
        ("到期后须先修改密码才能继续使用；0 为永不过期", "After this time the password must be changed before anything else; 0 for no expiry"),
    );
    /// Read by `access::password`.
    SECURITY_PASSWORD_HISTORY: i64 = Setting::int(Security, "security.password_history", 1, (1, 10), Passwords).told(
        ("不得重复的密码数", "Password history"),
        ("新密码不能与最近使用的几个密码相同，包括当前密码", "A new password must differ from this many recent ones, including the current one"),
    );
    /// Read by `access::password`.
    SECURITY_PASSWORD_WORDS: Vec<String> = Setting::list(Security, "security.password_words", &[], 100, 32).told(
        ("密码禁用词", "Words not allowed in passwords"),
        ("每行一个，不区分大小写，例如公司名称", "One per line, case is ignored; for example the company's name"),
    );
    /// Read by `access::session`.
    SECURITY_SECOND_FACTOR_ROLES: Vec<String> = Setting::roles(Security, "security.second_factor_roles", 50).told(
        ("必须两步验证的角色", "Roles that require two-step verification"),
        (
            "这些角色的平台账号登录后须先绑定身份验证器，才能继续使用",
            "Platform accounts with these roles must set up an authenticator app before anything else",
        ),
    );
    /// Read by `access::network`.
    SECURITY_SIGN_IN_DENY: Networks = Setting::networks(Security, "security.sign_in_deny", 200).told(
        ("禁止登录的 IP", "IP addresses that cannot log in"),
        (
            "每行一个 IP 地址或网段，如 203.0.113.9、10.0.0.0/8、2001:db8::/32；对所有账号有效，优先于下面的名单，已登录的会话随即失效",
            "One IP address or network per line, such as 203.0.113.9, 10.0.0.0/8 or 2001:db8::/32. It applies to all accounts and overrides the list below; open sessions from there end at once",
        ),
    );
    /// Read by `access::network`.
    SECURITY_SIGN_IN_ALLOW: Networks = Setting::networks(Security, "security.sign_in_allow", 200).told(
        ("允许登录的 IP", "IP addresses that can log in"),
        (
            "每行一个 IP 地址或网段；下面所选角色只能从这里登录和使用，留空则不限制",
            "One IP address or network per line. The roles chosen below can log in and work only from here; leave empty for no restriction",
        ),
    );
    /// Read by `access::network`.
    SECURITY_SIGN_IN_NETWORK_ROLES: Vec<String> = Setting::roles(Security, "security.sign_in_network_roles", 50).told(
        ("只能从允许的 IP 登录的角色", "Roles limited to these IP addresses"),
        (
            "上面的允许名单对这些角色的账号有效；未选择角色时名单不起作用",
            "The list of IP addresses that can log in applies to accounts with these roles; without a role it has no effect",
        ),
    );
    /// Read by `admin::sign_in`.
    SECURITY_LOGIN_BY_ADDRESS: bool = Setting::flag(Security, "security.login_by_address", true).told(
        ("允许地址栏参数登录", "Allow login by URL"),
        (
            "旧客户端用 GET /api/admin/login 登录，密码写在地址里，会留在代理日志中；没有旧客户端时应关闭",
            "Old clients log in with GET /api/admin/login and the password in the URL, which proxies log. Turn it off when no old client is left",
        ),
    );
    /// Read by `retention`.
    SECURITY_LOGIN_LOG_DAYS: i64 = Setting::int(Security, "security.login_log_days", 365, (180, 3650), Days).told(
        ("登录日志保留", "Keep the login log for"),
        ("到期后每晚删除；操作日志永久保留", "Older entries are deleted every night; the audit trail is kept forever"),
    );
    /// Read by `access::sign_in`.
    SECURITY_SINGLE_SESSION: bool = Setting::flag(Security, "security.single_session", false).told(
        ("只允许一处登录", "One session per account"),
        ("再次登录时结束该账号的其他会话", "A new login ends the account's other sessions"),
    );
    /// Read by `api::number_search`.
    SECURITY_NUMBER_SEARCHES: i64 = Setting::int(Security, "security.number_searches", 30, (1, 1000), Times).told(
        ("十分钟内按号码查找次数", "Searches by number per ten minutes"),
        ("同一账号按完整的手机号、身份证号等查找的次数上限；翻页和排序不计", "How often an account may search by a full phone number, ID number or the like; paging and sorting do not count"),
    );
    /// Read by `reveal`.
    SECURITY_REVEALS_TEN_MINUTES: i64 = Setting::int(Security, "security.reveals_ten_minutes", 60, (1, 10_000), Times).told(
        ("十分钟内查看明文次数", "Reveals per ten minutes"),
        ("同一账号在十分钟内最多查看多少条记录的完整号码，各列表合计；同一条一天只计一次", "Of how many records an account may reveal whole numbers per ten minutes, all lists together; the same record counts once a day"),
    );
    /// Read by `reveal`.
    SECURITY_REVEALS_DAY: i64 = Setting::int(Security, "security.reveals_day", 500, (1, 1_000_000), Times).told(
        ("每日查看明文次数", "Reveals per day"),
        ("同一账号每天最多查看多少条记录的完整号码，各列表和含完整号码的导出合计；同一条一天只计一次", "Of how many records an account may reveal whole numbers per day, all lists and exports with whole numbers together; the same record counts once a day"),
    );
    /// Read by `api::calls`.
    SECURITY_READS_MINUTE: i64 = Setting::int(Security, "security.reads_minute", 1200, (60, 1_000_000), Times).told(
        ("每分钟列表查询次数", "List queries per minute"),
        ("同一账号每分钟查询列表、导出和图表的次数上限", "How often an account may query lists, exports and charts per minute"),
    );
    /// Read by `open::partner`.
    SECURITY_PARTNER_SECOND: i64 = Setting::int(Security, "security.partner_second", 500, (1, 100_000), Times).told(
        ("合作方每秒调用次数", "Partner calls per second"),
        ("同一 appId 每秒的签名调用上限，短时可多一倍", "Signed calls per second for one appId; short bursts may be twice as many"),
    );

    /// Read by `access::online`.
    SESSION_IDLE_MINUTES: i64 = Setting::int(Session, "session.idle_minutes", 30, (5, 720), Minutes).told(
        ("闲置退出", "Log out idle sessions after"),
        ("超过该时间没有操作须重新登录；后台轮询不算操作", "After this long without activity a new login is required; requests that a page makes by itself do not count"),
    );
    /// Read by `access::online`.
    SESSION_MAX_HOURS: i64 = Setting::int(Session, "session.max_hours", 168, (1, 720), Hours).told(
        ("会话最长时间", "Maximum session length"),
        ("自登录起满该时间须重新登录，即使一直在使用", "A new login is required this long after the last one, even if the session is in use"),
    );

    /// Read by `distribution::policy`.
    LEAD_METHOD: String = Setting::choice(
        Lead,
        "lead.method",
        "priority",
        &[
            ("priority", ("按优先级", "By priority")),
            ("price", ("价高者得", "Highest price")),
            ("turns", ("轮流", "In turn")),
            ("weight", ("按权重", "By weight")),
        ],
    )
    .told(("分发方式", "Distribution method"), ("多个计划都可接收同一条线索时，先分给谁", "Which plan is offered a lead first when several would take it"));
    /// Read by `distribution::policy`.
    LEAD_AGAIN_MINUTES: i64 = Setting::int(Lead, "lead.again_minutes", 30, (0, 10_080), Minutes).told(
        ("再次分发", "Redistribute after"),
        ("没有计划接收的线索隔多久再次分发，最多三轮；0 为不再分发", "How long until plans are matched again for a lead that none took, at most three rounds; 0 for never"),
    );
    /// Read by `user::arrival` and `distribution::policy`: how long a repeated applicant counts once,
    /// where the channel and the plan say nothing.
    LEAD_DEDUP_DAYS: i64 = Setting::int(Lead, "lead.dedup_days", 30, (0, 3650), Days).told(
        ("线索去重天数", "Lead deduplication days"),
        ("同一用户在该天数内只算一次；渠道或计划另有设置时以其为准", "An applicant counts once within these days, unless the channel or plan sets its own"),
    );
    /// Read by `user::reputation`.
    LEAD_PAST_DAYS: i64 = Setting::int(Lead, "lead.past_days", 180, (1, 3650), Days).told(
        ("历史星级与风险评分有效天数", "Days that past stars and risk scores count"),
        (
            "计划、价格和渠道的条件可使用同一手机号在该天数内最近一次反馈的星级和最近一次风险报告的评分；更早的视为没有",
            "Conditions of plans, prices and channels can use the stars of the last feedback and the score of the last risk report on the same phone within these days; older ones count as missing",
        ),
    );
    /// Read by `distribution::policy`.
    LEAD_MAX_BUYERS: i64 = Setting::int(Lead, "lead.max_buyers", 3, (1, 5), Organisations).told(
        ("共享线索最多机构数", "Maximum buyers of a shared lead"),
        ("一条共享线索最多推送给几家机构", "A shared lead is pushed to at most this many organisations"),
    );
    /// Read by `returns::record`.
    LEAD_RETURN_SHARE_DAYS: i64 = Setting::int(Lead, "lead.return_share_days", 30, (1, 365), Days).told(
        ("退单比例的统计天数", "Days that the return rate covers"),
        ("机构的退单比例按最近这些天内成交的线索计算", "An organisation's return rate is measured against the leads that it bought within these days"),
    );
    /// Read by `returns::record`.
    LEAD_RETURN_LEAST: i64 = Setting::int(Lead, "lead.return_least", 1, (0, 100), Leads).told(
        ("退单保底条数", "Minimum returns allowed"),
        ("无论成交多少，统计天数内都可以退这么多条", "However few leads were bought, this many may be returned within those days"),
    );
    /// Read by `returns::record`.
    LEAD_REPLACEMENT_DAYS: i64 = Setting::int(Lead, "lead.replacement_days", 7, (1, 90), Days).told(
        ("补发线索期限", "Replace returned leads within"),
        (
            "退单通过时选择补发的，其计划在该天数内优先获得一条线索，价格不高于退款金额",
            "When a return is approved with a replacement, its plan gets the next suitable lead before other plans within these days, for no more than was refunded",
        ),
    );
    /// Read by `retention`.
    LEAD_TRIES_DAYS: i64 = Setting::int(Lead, "lead.tries_days", 400, (90, 3650), Days).told(
        ("推送、回传和匹配记录保留", "Keep push, callback and match records for"),
        (
            "到期后每晚删除已结束线索的推送过程、回传过程和未成交的匹配记录；线索、金额和统计永久保留",
            "Every night, older delivery and callback attempts of finished leads and match records without a sale are deleted; leads, amounts and statistics are kept forever",
        ),
    );

    /// Read by `crm::clue::begin`.
    CRM_RESPONSE_MINUTES: i64 = Setting::int(Crm, "crm.response_minutes", 30, (1, 10_080), Minutes).told(
        ("首次响应时限", "First response within"),
        ("销售得到线索后应在该时间内首次跟进，逾期在列表中标出", "A salesperson should follow up on a new clue within this time; later ones are marked in the list"),
    );
    /// Read by `reveal`.
    CRM_DAILY_REVEALS: i64 = Setting::int(Crm, "crm.daily_reveals", 200, (1, 10_000), Times).told(
        ("每日查看线索明文上限", "Reveals of leads per day"),
        ("同一账号每天最多查看多少条线索的姓名和手机号，含导出；同一条一天只计一次", "How many clues an account may reveal the name and phone of per day, exports included; the same clue counts once a day"),
    );
    /// Read by `crm::clue::sms`.
    CRM_DAILY_MESSAGES: i64 = Setting::int(Crm, "crm.daily_messages", 2, (0, 20), Times).told(
        ("每条线索每日短信上限", "Text messages per clue per day"),
        ("同一条线索每天最多发送几条短信；0 为不发送", "How many text messages a clue may be sent per day; 0 for none"),
    );

    /// Read by `chat::work`.
    CHAT_OFFLINE_MINUTES: i64 = Setting::int(Chat, "chat.offline_minutes", 10, (1, 1440), Minutes).told(
        ("客服离线多久后会话重新排队", "Queue conversations of offline staff after"),
        (
            "客服离线超过该时间后，其等待回复的会话退回分组排队，并分配给其他在线客服",
            "When service staff have been offline for this long, their conversations in which the customer waits for an answer go back to the queue of the group and are assigned to others",
        ),
    );

    /// Read by `open::applicant`.
    MATCH_DAILY_QUESTIONS: i64 = Setting::int(Push, "match.daily_questions", 100_000, (0, 100_000_000), Times).told(
        ("渠道每日撞库上限", "Match queries per channel per day"),
        ("每个渠道每天最多可撞库的手机号数；0 为不允许撞库", "For how many phone numbers per day a channel may ask whether an organisation wants them; 0 for none"),
    );
    /// Read by `distribution::policy`.
    MATCH_TIMEOUT_MS: i64 = Setting::int(Push, "match.timeout_ms", 3000, (200, 30_000), Milliseconds).told(
        ("匹配超时", "Match timeout"),
        ("等待机构撞库结果的最长时间", "How long to wait for an organisation's match result"),
    );
    /// Read by `distribution::policy`.
    PUSH_TIMEOUT_MS: i64 = Setting::int(Push, "push.timeout_ms", 10_000, (500, 60_000), Milliseconds).told(
        ("推送超时", "Push timeout"),
        ("等待机构接收线索的最长时间", "How long to wait for an organisation to accept a lead"),
    );
    /// Read by `distribution::policy`.
    PUSH_RETRY: i64 = Setting::int(Push, "push.retry", 3, (0, 10), Times).told(
        ("推送重试上限", "Maximum push retries"),
        ("机构接口配置中的重试次数超过该值时以该值为准", "Applies where an organisation's delivery settings allow more retries"),
    );
    /// Read by `distribution::policy`.
    PUSH_WAIT_MINUTES: i64 = Setting::int(Push, "push.wait_minutes", 1440, (10, 10_080), Minutes).told(
        ("线索等待送达的最长时间", "Maximum wait for delivery"),
        ("机构接口在该时间内始终不可达时，线索改卖给下一个计划", "When an organisation cannot be reached for this long, the lead is offered to the next plan"),
    );

    /// Read by `distribution::authorise`.
    PUSH_AUTH_MINUTES: i64 = Setting::int(Push, "push.auth_minutes", 30, (5, 10_080), Minutes).told(
        ("等待申请人授权的最长时间", "Maximum wait for authorisation"),
        (
            "机构撞库结果带有授权页面时，线索等申请人在该页面授权后再推送；超过该时间未授权的，改卖给下一个计划",
            "When a match result names an authorisation page, the lead is sent once the applicant has agreed there; after this time it is offered to the next plan",
        ),
    );

    /// Read by `risk::provider`.
    RISK_OWN_MINUTES: i64 = Setting::int(Risk, "risk.own_minutes", 60, (1, 10_080), Minutes).told(
        ("内置风控报告有效期", "Built-in risk report validity"),
        ("内置规则的报告在该时间内重复使用，之后按最新数据重新判断", "A report of the built-in rules is reused for this long and then made again from current data"),
    );
    /// Read by `risk::provider`.
    RISK_VALID_DAYS: i64 = Setting::int(Risk, "risk.valid_days", 30, (1, 365), Days).told(
        ("外部风控报告有效期", "External risk report validity"),
        ("外部服务商的报告在该天数内重复使用，不再收费", "An external provider's report is reused for this many days without another charge"),
    );
    /// Read by `risk::provider`.
    RISK_PRICE_CENTS: i64 = Setting::int(Risk, "risk.price_cents", 0, (0, 1_000_000), Cents).told(
        ("外部风控查询单价", "Price of an external risk query"),
        ("查得报告时记一次费用；未查得或失败不计", "The cost recorded for each report found; queries without data and failed queries cost nothing"),
    );
    /// Read by `risk::report`.
    RISK_DAILY_LIMIT: i64 = Setting::int(Risk, "risk.daily_limit", 1000, (0, 100_000), Times).told(
        ("外部风控每日查询上限", "External risk queries per day"),
        ("达到后当天不再向外部服务商查询；0 为不查询", "Once reached, no external provider is queried that day; 0 for never"),
    );
    /// Read by `risk::provider`.
    RISK_TIMEOUT_MS: i64 = Setting::int(Risk, "risk.timeout_ms", 5000, (200, 20_000), Milliseconds).told(
        ("外部风控查询超时", "External risk query timeout"),
        ("等待外部服务商应答的最长时间", "How long to wait for an external provider's answer"),
    );

    /// Read by `plan::watch`.
    FINANCE_LOW_BALANCE_CENTS: i64 = Setting::int(Finance, "finance.low_balance_cents", 100_000, (0, 1_000_000_000), Cents).told(
        ("余额预警线", "Low-balance threshold"),
        ("机构余额低于该金额时提醒；机构另有设置时以其为准", "An organisation is alerted when its balance falls below this, unless it has its own threshold"),
    );
    /// Read by `distribution::policy`.
    FINANCE_SPEND_ORDER: String = Setting::choice(
        Finance,
        "finance.spend_order",
        "gift_first",
        &[("gift_first", ("先用赠送金额", "Gifts first")), ("paid_first", ("先用充值金额", "Paid money first"))],
    )
    .told(
        ("扣费顺序", "Spending order"),
        ("机构同时有充值和赠送金额时先扣哪一种；退单按原比例退回", "Which is charged first when an organisation has both; refunds go back to where they were taken from"),
    );
    /// Read by `pay`.
    PAY_SITE_URL: String = Setting::address(Finance, "pay.site_url", 300).told(
        ("后台公网地址", "Public address of this site"),
        ("支付渠道向该地址通知付款结果；空则只主动查询", "Providers report payments to this address; if empty, they are only queried"),
    );
    /// Read by `pay::link`.
    PAY_LINK_REST_MINUTES: i64 = Setting::int(Finance, "pay.link_rest_minutes", 30, (0, 10_080), Minutes).told(
        ("链接冷却时间", "Rest of payment links"),
        (
            "订单结束而未付款后，链接池里的链接隔多久才给下一笔订单：付款人可能仍打开着它；0 为立即",
            "How long a link of the pool is given to no other order once its order ended unpaid, since its payer may have it open; 0 for not at all",
        ),
    );

    /// Read by `partner::statement`.
    PARTNER_LINK_DAYS: i64 = Setting::int(Finance, "partner.link_days", 14, (1, 90), Days).told(
        ("渠道对账单链接有效期", "Validity of links to channel statements"),
        ("渠道用该链接查看、确认或提出异议；过期后须重新发送", "Partners see, confirm or dispute a statement by this link; once it has expired, the statement must be sent again"),
    );
    /// Read by `partner::statement`.
    PARTNER_TAX_BP: i64 = Setting::int(Finance, "partner.tax_bp", 0, (0, 10_000), BasisPoints).told(
        ("渠道代扣税率", "Tax withheld from channels"),
        ("生成对账单时记下，只影响之后的对账单", "Kept on a statement when it is made; a change affects later statements only"),
    );

    /// Read by `sms`.
    SMS_SIGN_NAME: String = Setting::text(Sms, "sms.sign_name", "Leadlane", 16).told(
        ("短信签名", "SMS signature"),
        ("写在短信开头的【】里；空则不写", "Placed in 【】 at the beginning of a message; leave empty for none"),
    );
    /// Read by `sms::provider`.
    SMS_PROVIDER_URL: String = Setting::address(Sms, "sms.provider_url", 300).told(
        ("短信服务商接口", "Provider URL"),
        ("以 https:// 开头；空则短信不发出，只写入短信日志文件", "Starts with https://; if empty, messages are not sent but only written to the log file"),
    );
    /// Read by `sms::provider`.
    SMS_PROVIDER_ID: String = Setting::text(Sms, "sms.provider_id", "leadlane", 64).told(
        ("短信服务商账号", "Provider account"),
        ("随签名作为 appId 发送", "Sent as appId with the request signature"),
    );
    /// Read by `sms::provider`.
    SMS_PROVIDER_KEY: Secret = Setting::secret(Sms, "sms.provider_key", 256).told(
        ("短信服务商密钥", "Provider key"),
        ("加密保存，保存后不再显示", "Stored encrypted and never shown again"),
    );

    /// Read by `sms`.
    SMS_LOG_IN_CLEAR: bool = Setting::flag(Sms, "sms.log_in_clear", false).told(
        ("日志文件保留明文", "Plain text in the log file"),
        ("仅供试用：没有服务商时，手机号和验证码以明文写入日志文件", "For trials only: without a provider, phone numbers and codes are written to the log file in plain text"),
    );
    /// Read by `sms::kind`.
    SMS_CODE_TEXT: String =
        Setting::template(Sms, "sms.code_text", "验证码 {code}，{minutes} 分钟内有效。Your verification code is {code}.", 200, &[required("code"), optional("minutes")]).told(
            ("验证码短信内容", "Verification code text"),
            ("必须包含 {code}，可包含 {minutes}", "Must contain {code}, may contain {minutes}"),
        );
    /// Read by `sms::kind`.
    SMS_CODE_TEMPLATE: String = Setting::text(Sms, "sms.code_template", "", 64).told(
        ("验证码短信模板编号", "Verification code template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_NEW_LEAD_TEXT: String =
        Setting::template(Sms, "sms.new_lead_text", "您有一条新线索（{leadNo}），请登录后台查看。", 200, &[required("leadNo")]).told(
            ("新线索短信内容", "New lead text"),
            ("必须包含 {leadNo}", "Must contain {leadNo}"),
        );
    /// Read by `sms::kind`.
    SMS_NEW_LEAD_TEMPLATE: String = Setting::text(Sms, "sms.new_lead_template", "", 64).told(
        ("新线索短信模板编号", "New lead template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_LOW_BALANCE_TEXT: String =
        Setting::template(Sms, "sms.low_balance_text", "{organisation}：账户余额 {balance} 元，已低于预警线，请及时充值。", 200, &[required("organisation"), required("balance")]).told(
            ("余额预警短信内容", "Low balance text"),
            ("必须包含 {organisation} 和 {balance}", "Must contain {organisation} and {balance}"),
        );
    /// Read by `sms::kind`.
    SMS_LOW_BALANCE_TEMPLATE: String = Setting::text(Sms, "sms.low_balance_template", "", 64).told(
        ("余额预警短信模板编号", "Low balance template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_CLUE_GREETING_TEXT: String =
        Setting::template(Sms, "sms.clue_greeting_text", "您好，我是{organisation}的{name}，您申请的服务由我负责，稍后与您联系。拒收请回复R", 200, &[required("organisation"), optional("name")]).told(
            ("首次联系短信内容", "First contact text"),
            ("必须包含 {organisation}，可包含 {name}（销售姓名）", "Must contain {organisation}, may contain {name}, the salesperson's name"),
        );
    /// Read by `sms::kind`.
    SMS_CLUE_GREETING_TEMPLATE: String = Setting::text(Sms, "sms.clue_greeting_template", "", 64).told(
        ("首次联系短信模板编号", "First contact template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_CLUE_MISSED_TEXT: String =
        Setting::template(Sms, "sms.clue_missed_text", "您好，我是{organisation}的{name}，刚才给您来电未接通，方便时请回电。拒收请回复R", 200, &[required("organisation"), optional("name")]).told(
            ("未接来电短信内容", "Missed call text"),
            ("必须包含 {organisation}，可包含 {name}（销售姓名）", "Must contain {organisation}, may contain {name}, the salesperson's name"),
        );
    /// Read by `sms::kind`.
    SMS_CLUE_MISSED_TEMPLATE: String = Setting::text(Sms, "sms.clue_missed_template", "", 64).told(
        ("未接来电短信模板编号", "Missed call template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_CLUE_APPOINTMENT_TEXT: String =
        Setting::template(Sms, "sms.clue_appointment_text", "您好，我是{organisation}的{name}，已为您预约到店时间，请携带身份证。拒收请回复R", 200, &[required("organisation"), optional("name")]).told(
            ("约访确认短信内容", "Appointment text"),
            ("必须包含 {organisation}，可包含 {name}（销售姓名）", "Must contain {organisation}, may contain {name}, the salesperson's name"),
        );
    /// Read by `sms::kind`.
    SMS_CLUE_APPOINTMENT_TEMPLATE: String = Setting::text(Sms, "sms.clue_appointment_template", "", 64).told(
        ("约访确认短信模板编号", "Appointment template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_TEST_TEXT: String =
        Setting::template(Sms, "sms.test_text", "这是一条测试短信（{time}），无需回复。This is a test message.", 200, &[optional("time")]).told(
            ("测试短信内容", "Test message text"),
            ("可包含 {time}", "May contain {time}"),
        );
    /// Read by `sms::kind`.
    SMS_TEST_TEMPLATE: String = Setting::text(Sms, "sms.test_template", "", 64).told(
        ("测试短信模板编号", "Test message template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `retention`.
    SMS_KEEP_DAYS: i64 = Setting::int(Sms, "sms.keep_days", 180, (30, 3650), Days).told(
        ("短信记录保留", "Keep the SMS log for"),
        (
            "到期后每晚删除已有结果的记录，以及已失效的验证码和测试短信；发送失败、待核实的其他短信保留到有人处理",
            "Every night, older messages with a final status and expired codes and tests are deleted; other failed or unconfirmed messages are kept until someone has handled them",
        ),
    );

    /// Read by `api::export`.
    EXPORT_ROW_CAP: i64 = Setting::int(Export, "export.row_cap", 50_000, (1000, 1_000_000), Rows).told(
        ("单次导出上限", "Maximum rows per export"),
        ("超过该行数须缩小查询范围", "Above this, the filters must be narrowed"),
    );
    /// Read by `export::plain`.
    EXPORT_PLAIN_ROWS: i64 = Setting::int(Export, "export.plain_rows", 2_000, (1, 100_000), Rows).told(
        ("含完整号码的导出上限", "Maximum rows per export with whole numbers"),
        ("超过该行数须缩小查询范围；显示的记录另计入每日查看明文次数", "Above this, the filters must be narrowed; the records shown also count towards the reveals per day"),
    );
    /// Read by `export::worker`.
    EXPORT_KEEP_DAYS: i64 = Setting::int(Export, "export.keep_days", 7, (1, 90), Days).told(
        ("导出文件保留", "Keep export files for"),
        ("到期后文件被删除，须重新导出", "After this time the file is deleted and must be exported again"),
    );

    /// Read by `compliance::check`.
    COMPLIANCE_MAX_RATE_BP: i64 = Setting::int(Compliance, "compliance.max_rate_bp", 2400, (100, 3600), BasisPoints).told(
        ("综合年化利率上限", "Maximum annual rate"),
        ("高于该利率的产品不能上架，合规检测不通过", "A product above it cannot go online and fails the compliance check"),
    );
    /// Read by `compliance::check`.
    COMPLIANCE_VALID_DAYS: i64 = Setting::int(Compliance, "compliance.valid_days", 90, (1, 730), Days).told(
        ("检测结果有效期", "Check validity"),
        ("到期后须重新检测", "After this time the check must be repeated"),
    );
    /// Read by `channel::record`.
    COMPLIANCE_REQUIRED_FOR_CHANNELS: bool = Setting::flag(Compliance, "compliance.required_for_channels", false).told(
        ("渠道启用前须通过检测", "Channels require a check"),
        ("没有有效检测结果的渠道不能启用；最近一次不通过的始终不能启用", "A channel without a valid check cannot be enabled; one whose latest check failed never can"),
    );

    /// Read by `user::retain`.
    APPLICANT_KEEP_DAYS: i64 = Setting::int(Compliance, "applicant.keep_days", 3650, (180, 36_500), Days).told(
        ("用户资料保留", "Keep applicants for"),
        (
            "用户及其推送、线索在该天数内没有任何变化时，每晚自动注销：清除个人信息，保留金额和统计。正在匹配、推送或退单的不会注销",
            "Applicants are erased at night when nothing has changed on them, their pushes and clues for this long: personal data goes, amounts and statistics stay. Those being matched, pushed or returned are left alone",
        ),
    );
    /// Read by `user::retain`.
    CONSENT_KEEP_DAYS: i64 = Setting::int(Compliance, "consent.keep_days", 3650, (1095, 36_500), Days).told(
        ("授权记录保留", "Keep consents for"),
        (
            "用户注销后，授权记录自失效起再保留该天数，至少三年，然后每晚删除",
            "After an applicant has been erased, records of consent are kept for this long from when they ended, at least three years, and are then deleted at night",
        ),
    );

    /// Read by `visit::retain`.
    VISIT_EVENT_DAYS: i64 = Setting::int(Visit, "visit.event_days", 180, (35, 3650), Days).told(
        ("访问明细保留", "Keep visit details for"),
        ("到期后删除访问和曝光明细，每日统计永久保留；重算统计只能从保留的明细开始", "After this time single visits and exposures are deleted; daily statistics are kept forever and can only be recomputed from the details that remain"),
    );
    /// Read by `open`.
    VISIT_ADDRESS_VISITORS: i64 = Setting::int(Visit, "visit.address_visitors", 200, (1, 100_000), Visitors).told(
        ("单个 IP 每日访客上限", "Visitors per IP address per day"),
        ("同一 IP 每天给同一渠道或产品带来的访客超过该数后只计 PV，不计 UV 也不计费", "Above this, visits to a channel or product from one IP address count only as page views: neither as visitors nor for billing"),
    );

    /// Read by `message::inbox`.
    MESSAGE_KEEP_DAYS: i64 = Setting::int(Message, "message.keep_days", 90, (7, 3650), Days).told(
        ("消息保留", "Keep messages for"),
        ("到期后从消息中心删除", "After this time they are deleted from the message box"),
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
        let guide = include_str!("../../../../docs/configuration.md");
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
