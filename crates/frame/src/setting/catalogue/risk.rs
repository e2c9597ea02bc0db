//! Settings of risk reports.

use crate::setting::model::SettingGroup::Risk;
use crate::setting::model::SettingUnit::{Cents, Days, Milliseconds, Minutes, Times};
use crate::setting::model::{About, Setting};

settings! {
    /// Read by `risk::provider`.
    RISK_OWN_MINUTES: i64 = Setting::int(Risk, "risk.own_minutes", 60, (1, 10_080), Minutes).labelled(
        ("内置风控报告有效期", "Built-in risk report validity"),
        ("内置规则的报告在该时间内重复使用，之后按最新数据重新判断", "A report of the built-in rules is reused for this long and then made again from current data"),
    );
    /// Read by `risk::provider`.
    RISK_VALID_DAYS: i64 = Setting::int(Risk, "risk.valid_days", 30, (1, 365), Days).labelled(
        ("外部风控报告有效期", "External risk report validity"),
        ("外部服务商的报告在该天数内重复使用，不再收费", "An external provider's report is reused for this many days without another charge"),
    );
    /// Read by `risk::provider`.
    RISK_PRICE_CENTS: i64 = Setting::int(Risk, "risk.price_cents", 0, (0, 1_000_000), Cents).labelled(
        ("外部风控查询单价", "Price of an external risk query"),
        ("查得报告时记一次费用；未查得或失败不计", "The cost recorded for each report found; queries without data and failed queries cost nothing"),
    );
    /// Read by `risk::report`.
    RISK_DAILY_LIMIT: i64 = Setting::int(Risk, "risk.daily_limit", 1000, (0, 100_000), Times).labelled(
        ("外部风控每日查询上限", "External risk queries per day"),
        ("达到后当天不再向外部服务商查询；0 为不查询", "Once reached, no external provider is queried that day; 0 for never"),
    );
    /// Read by `risk::provider`.
    RISK_TIMEOUT_MS: i64 = Setting::int(Risk, "risk.timeout_ms", 5000, (200, 20_000), Milliseconds).labelled(
        ("外部风控查询超时", "External risk query timeout"),
        ("等待外部服务商应答的最长时间", "How long to wait for an external provider's answer"),
    );
}
