//! Settings of the distribution and the return of leads.

use crate::setting::model::SettingGroup::Lead;
use crate::setting::model::SettingUnit::{Days, Leads, Minutes, Organisations};
use crate::setting::model::{About, Setting};

settings! {
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
    .labelled(("分发方式", "Distribution method"), ("多个计划都可接收同一条线索时，先分给谁", "Which plan is offered a lead first when several would take it"));
    /// Read by `distribution::policy`.
    LEAD_AGAIN_MINUTES: i64 = Setting::int(Lead, "lead.again_minutes", 30, (0, 10_080), Minutes).labelled(
        ("再次分发", "Redistribute after"),
        ("没有计划接收的线索隔多久再次分发，最多三轮；0 为不再分发", "How long until plans are matched again for a lead that none took, at most three rounds; 0 for never"),
    );
    /// Read by `user::submission` and `distribution::policy`: how long a repeated applicant counts once,
    /// where the channel and the plan say nothing.
    LEAD_DEDUP_DAYS: i64 = Setting::int(Lead, "lead.dedup_days", 30, (0, 3650), Days).labelled(
        ("线索去重天数", "Lead deduplication days"),
        ("同一用户在该天数内只算一次；渠道或计划另有设置时以其为准", "An applicant counts once within these days, unless the channel or plan sets its own"),
    );
    /// Read by `user::reputation`.
    LEAD_PAST_DAYS: i64 = Setting::int(Lead, "lead.past_days", 180, (1, 3650), Days).labelled(
        ("历史星级与风险评分有效天数", "Days that past stars and risk scores count"),
        (
            "计划、价格和渠道的条件可使用同一手机号在该天数内最近一次反馈的星级和最近一次风险报告的评分；更早的视为没有",
            "Conditions of plans, prices and channels can use the stars of the last feedback and the score of the last risk report on the same phone within these days; older ones count as missing",
        ),
    );
    /// Read by `distribution::policy`.
    LEAD_MAX_BUYERS: i64 = Setting::int(Lead, "lead.max_buyers", 3, (1, 5), Organisations).labelled(
        ("共享线索最多机构数", "Maximum buyers of a shared lead"),
        ("一条共享线索最多推送给几家机构", "A shared lead is delivered to at most this many organisations"),
    );
    /// Read by `returns::record`.
    LEAD_RETURN_SHARE_DAYS: i64 = Setting::int(Lead, "lead.return_share_days", 30, (1, 365), Days).labelled(
        ("退单比例的统计天数", "Days that the return rate covers"),
        ("机构的退单比例按最近这些天内成交的线索计算", "An organisation's return rate is measured against the leads that it bought within these days"),
    );
    /// Read by `returns::record`.
    LEAD_RETURN_LEAST: i64 = Setting::int(Lead, "lead.return_least", 1, (0, 100), Leads).labelled(
        ("退单保底条数", "Minimum returns allowed"),
        ("无论成交多少，统计天数内都可以退这么多条", "However few leads were bought, this many may be returned within those days"),
    );
    /// Read by `returns::record`.
    LEAD_REPLACEMENT_DAYS: i64 = Setting::int(Lead, "lead.replacement_days", 7, (1, 90), Days).labelled(
        ("补发线索期限", "Replace returned leads within"),
        (
            "退单通过时选择补发的，其计划在该天数内优先获得一条线索，价格不高于退款金额",
            "When a return is approved with a replacement, its plan gets the next suitable lead before other plans within these days, for no more than was refunded",
        ),
    );
    /// Read by `retention`.
    LEAD_TRIES_DAYS: i64 = Setting::int(Lead, "lead.tries_days", 400, (90, 3650), Days).labelled(
        ("推送、回传和匹配记录保留", "Keep delivery, callback and match records for"),
        (
            "到期后每晚删除已结束线索的推送过程、回传过程和未成交的匹配记录；线索、金额和统计永久保留",
            "Every night, older delivery and callback attempts of finished leads and match records without a sale are deleted; leads, amounts and statistics are kept forever",
        ),
    );
}
