//! Settings of the security of accounts: sign-in, passwords, and limits of what an account may read.

use crate::setting::model::SettingGroup::Security;
use crate::setting::model::SettingUnit::{Characters, Days, Minutes, Passwords, Times};
use crate::setting::model::{About, Setting};
use base::networks::Networks;

settings! {
    /// Read by `access::sign_in`.
    SECURITY_LOCK_THRESHOLD: i64 = Setting::int(Security, "security.lock_threshold", 5, (3, 50), Times).labelled(
        ("账号锁定次数", "Failed logins that lock an account"),
        (
            "同一账号在同一网段（IPv4 前三段、IPv6 /64）连续登录失败达到该次数后，该网段暂停登录此账号",
            "After this many failed logins in a row from one network (/24, for IPv6 /64), that network cannot log in to the account for a while",
        ),
    );
    /// Read by `access::sign_in`.
    SECURITY_LOCK_ACCOUNT_THRESHOLD: i64 = Setting::int(Security, "security.lock_account_threshold", 50, (10, 1000), Times).labelled(
        ("账号全局锁定次数", "Failed logins that lock an account everywhere"),
        (
            "同一账号在所有网段登录失败达到该次数后，只有 30 天内登录过的网段可以继续登录",
            "After this many failed logins from all networks together, only networks from which the account has logged in within 30 days can log in for a while",
        ),
    );
    /// Read by `access::sign_in`.
    SECURITY_LOCK_ADDRESS_THRESHOLD: i64 = Setting::int(Security, "security.lock_address_threshold", 20, (5, 1000), Times).labelled(
        ("IP 锁定次数", "Failed logins that lock an IP address"),
        ("同一 IP 登录失败达到该次数，或锁定了三个账号后暂停登录", "After this many failed logins from one IP address, or after it has locked three accounts, it cannot log in for a while"),
    );
    /// Read by `access::sign_in`.
    SECURITY_LOCK_MINUTES: i64 = Setting::int(Security, "security.lock_minutes", 15, (1, 1440), Minutes).labelled(
        ("锁定时长", "Lock duration"),
        ("失败次数在这段时间内累计，自第一次失败起满该时长后可再试", "Failed logins are counted over this time; once it has passed since the first one, login is possible again"),
    );
    /// Read by `access::password_rules`.
    SECURITY_PASSWORD_MIN_LENGTH: i64 = Setting::int(Security, "security.password_min_length", 8, (8, 64), Characters).labelled(
        ("密码最短长度", "Minimum password length"),
        ("新设的密码至少这么长；常见密码不论长短一律拒绝", "New passwords must be at least this long; common passwords are always refused"),
    );
    /// Read by `access::session`.
    SECURITY_PASSWORD_DAYS: i64 = Setting::int(Security, "security.password_days", 0, (0, 3650), Days).labelled(
        ("密码有效期", "Password validity"),
        ("到期后须先修改密码才能继续使用；0 为永不过期", "After this time the password must be changed before anything else; 0 for no expiry"),
    );
    /// Read by `access::password_rules`.
    SECURITY_PASSWORD_HISTORY: i64 = Setting::int(Security, "security.password_history", 1, (1, 10), Passwords).labelled(
        ("不得重复的密码数", "Password history"),
        ("新密码不能与最近使用的几个密码相同，包括当前密码", "A new password must differ from this many recent ones, including the current one"),
    );
    /// Read by `access::password_rules`.
    SECURITY_PASSWORD_WORDS: Vec<String> = Setting::list(Security, "security.password_words", &[], 100, 32).labelled(
        ("密码禁用词", "Words not allowed in passwords"),
        ("每行一个，不区分大小写，例如公司名称", "One per line, case is ignored; for example the company's name"),
    );
    /// Read by `access::session`.
    SECURITY_SECOND_FACTOR_ROLES: Vec<String> = Setting::roles(Security, "security.second_factor_roles", 50).labelled(
        ("必须两步验证的角色", "Roles that require two-step verification"),
        (
            "这些角色的平台账号登录后须先绑定身份验证器，才能继续使用",
            "Platform accounts with these roles must set up an authenticator app before anything else",
        ),
    );
    /// Read by `access::network`.
    SECURITY_SIGN_IN_DENY: Networks = Setting::networks(Security, "security.sign_in_deny", 200).labelled(
        ("禁止登录的 IP", "IP addresses that cannot log in"),
        (
            "每行一个 IP 地址或网段，如 203.0.113.9、10.0.0.0/8、2001:db8::/32；对所有账号有效，优先于下面的名单，已登录的会话随即失效",
            "One IP address or network per line, such as 203.0.113.9, 10.0.0.0/8 or 2001:db8::/32. It applies to all accounts and overrides the list below; open sessions from there end at once",
        ),
    );
    /// Read by `access::network`.
    SECURITY_SIGN_IN_ALLOW: Networks = Setting::networks(Security, "security.sign_in_allow", 200).labelled(
        ("允许登录的 IP", "IP addresses that can log in"),
        (
            "每行一个 IP 地址或网段；下面所选角色只能从这里登录和使用，留空则不限制",
            "One IP address or network per line. The roles chosen below can log in and work only from here; leave empty for no restriction",
        ),
    );
    /// Read by `access::network`.
    SECURITY_SIGN_IN_NETWORK_ROLES: Vec<String> = Setting::roles(Security, "security.sign_in_network_roles", 50).labelled(
        ("只能从允许的 IP 登录的角色", "Roles limited to these IP addresses"),
        (
            "上面的允许名单对这些角色的账号有效；未选择角色时名单不起作用",
            "The list of IP addresses that can log in applies to accounts with these roles; without a role it has no effect",
        ),
    );
    /// Read by `admin::sign_in`.
    SECURITY_LOGIN_BY_ADDRESS: bool = Setting::flag(Security, "security.login_by_address", true).labelled(
        ("允许地址栏参数登录", "Allow login by URL"),
        (
            "旧客户端用 GET /api/admin/login 登录，密码写在地址里，会留在代理日志中；没有旧客户端时应关闭",
            "Old clients log in with GET /api/admin/login and the password in the URL, which proxies log. Turn it off when no old client is left",
        ),
    );
    /// Read by `retention`.
    SECURITY_LOGIN_LOG_DAYS: i64 = Setting::int(Security, "security.login_log_days", 365, (180, 3650), Days).labelled(
        ("登录日志保留", "Keep the login log for"),
        ("到期后每晚删除；操作日志永久保留", "Older entries are deleted every night; the audit trail is kept forever"),
    );
    /// Read by `access::sign_in`.
    SECURITY_SINGLE_SESSION: bool = Setting::flag(Security, "security.single_session", false).labelled(
        ("只允许一处登录", "One session per account"),
        ("再次登录时结束该账号的其他会话", "A new login ends the account's other sessions"),
    );
    /// Read by `api::number_search`.
    SECURITY_NUMBER_SEARCHES: i64 = Setting::int(Security, "security.number_searches", 30, (1, 1000), Times).labelled(
        ("十分钟内按号码查找次数", "Searches by number per ten minutes"),
        ("同一账号按完整的手机号、身份证号等查找的次数上限；翻页和排序不计", "How often an account may search by a full phone number, ID number or the like; paging and sorting do not count"),
    );
    /// Read by `reveal`.
    SECURITY_REVEALS_TEN_MINUTES: i64 = Setting::int(Security, "security.reveals_ten_minutes", 60, (1, 10_000), Times).labelled(
        ("十分钟内查看明文次数", "Reveals per ten minutes"),
        ("同一账号在十分钟内最多查看多少条记录的完整号码，各列表合计；同一条一天只计一次", "Of how many records an account may reveal whole numbers per ten minutes, all lists together; the same record counts once a day"),
    );
    /// Read by `reveal`.
    SECURITY_REVEALS_DAY: i64 = Setting::int(Security, "security.reveals_day", 500, (1, 1_000_000), Times).labelled(
        ("每日查看明文次数", "Reveals per day"),
        ("同一账号每天最多查看多少条记录的完整号码，各列表和含完整号码的导出合计；同一条一天只计一次", "Of how many records an account may reveal whole numbers per day, all lists and exports with whole numbers together; the same record counts once a day"),
    );
    /// Read by `api::calls`.
    SECURITY_READS_MINUTE: i64 = Setting::int(Security, "security.reads_minute", 1200, (60, 1_000_000), Times).labelled(
        ("每分钟列表查询次数", "List queries per minute"),
        ("同一账号每分钟查询列表、导出和图表的次数上限", "How often an account may query lists, exports and charts per minute"),
    );
    /// Read by `open::partner`.
    SECURITY_PARTNER_SECOND: i64 = Setting::int(Security, "security.partner_second", 500, (1, 100_000), Times).labelled(
        ("合作方每秒调用次数", "Partner calls per second"),
        ("同一 appId 每秒的签名调用上限，短时可多一倍", "Signed calls per second for one appId; short bursts may be twice as many"),
    );
}
