//! Settings of matching and pushing leads.

use crate::setting::model::SettingGroup::Push;
use crate::setting::model::SettingUnit::{Milliseconds, Minutes, Times};
use crate::setting::model::{About, Setting};

settings! {
    /// Read by `open::applicant`.
    MATCH_DAILY_QUESTIONS: i64 = Setting::int(Push, "match.daily_questions", 100_000, (0, 100_000_000), Times).labelled(
        ("渠道每日撞库上限", "Match queries per channel per day"),
        ("每个渠道每天最多可撞库的手机号数；0 为不允许撞库", "For how many phone numbers per day a channel may ask whether an organisation wants them; 0 for none"),
    );
    /// Read by `distribution::policy`.
    MATCH_TIMEOUT_MS: i64 = Setting::int(Push, "match.timeout_ms", 3000, (200, 30_000), Milliseconds).labelled(
        ("匹配超时", "Match timeout"),
        ("等待机构撞库结果的最长时间", "How long to wait for an organisation's match result"),
    );
    /// Read by `distribution::policy`.
    PUSH_TIMEOUT_MS: i64 = Setting::int(Push, "push.timeout_ms", 10_000, (500, 60_000), Milliseconds).labelled(
        ("推送超时", "Delivery timeout"),
        ("等待机构接收线索的最长时间", "How long to wait for an organisation to accept a lead"),
    );
    /// Read by `distribution::policy`.
    PUSH_RETRY: i64 = Setting::int(Push, "push.retry", 3, (0, 10), Times).labelled(
        ("推送重试上限", "Maximum delivery retries"),
        ("机构接口配置中的重试次数超过该值时以该值为准", "Applies where an organisation's delivery settings allow more retries"),
    );
    /// Read by `distribution::policy`.
    PUSH_WAIT_MINUTES: i64 = Setting::int(Push, "push.wait_minutes", 1440, (10, 10_080), Minutes).labelled(
        ("线索等待送达的最长时间", "Maximum wait for delivery"),
        ("机构接口在该时间内始终不可达时，线索改卖给下一个计划", "When an organisation cannot be reached for this long, the lead is offered to the next plan"),
    );
    /// Read by `distribution::authorise`.
    PUSH_AUTH_MINUTES: i64 = Setting::int(Push, "push.auth_minutes", 30, (5, 10_080), Minutes).labelled(
        ("等待申请人授权的最长时间", "Maximum wait for authorisation"),
        (
            "机构撞库结果带有授权页面时，线索等申请人在该页面授权后再推送；超过该时间未授权的，改卖给下一个计划",
            "When a match result names an authorisation page, the lead is sent once the applicant has agreed there; after this time it is offered to the next plan",
        ),
    );
}
