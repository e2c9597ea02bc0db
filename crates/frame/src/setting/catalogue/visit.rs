//! Settings of visits.

use crate::setting::model::SettingGroup::Visit;
use crate::setting::model::SettingUnit::{Days, Visitors};
use crate::setting::model::{About, Setting};

settings! {
    /// Read by `visit::retain`.
    VISIT_EVENT_DAYS: i64 = Setting::int(Visit, "visit.event_days", 180, (35, 3650), Days).labelled(
        ("访问明细保留", "Keep visit details for"),
        ("到期后删除访问和曝光明细，每日统计永久保留；重算统计只能从保留的明细开始", "After this time single visits and exposures are deleted; daily statistics are kept forever and can only be recomputed from the details that remain"),
    );
    /// Read by `open`.
    VISIT_ADDRESS_VISITORS: i64 = Setting::int(Visit, "visit.address_visitors", 200, (1, 100_000), Visitors).labelled(
        ("单个 IP 每日访客上限", "Visitors per IP address per day"),
        ("同一 IP 每天给同一渠道或产品带来的访客超过该数后只计 PV，不计 UV 也不计费", "Above this, visits to a channel or product from one IP address count only as page views: neither as visitors nor for billing"),
    );
}
