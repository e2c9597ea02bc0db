//! Settings of compliance checks, and of how long applicants and consents are kept.

use crate::setting::model::SettingGroup::Compliance;
use crate::setting::model::SettingUnit::{BasisPoints, Days};
use crate::setting::model::{About, Setting};

settings! {
    /// Read by `compliance::check`.
    COMPLIANCE_MAX_RATE_BP: i64 = Setting::int(Compliance, "compliance.max_rate_bp", 2400, (100, 3600), BasisPoints).labelled(
        ("综合年化利率上限", "Maximum annual rate"),
        ("高于该利率的产品不能上架，合规检测不通过", "A product above it cannot go online and fails the compliance check"),
    );
    /// Read by `compliance::check`.
    COMPLIANCE_VALID_DAYS: i64 = Setting::int(Compliance, "compliance.valid_days", 90, (1, 730), Days).labelled(
        ("检测结果有效期", "Check validity"),
        ("到期后须重新检测", "After this time the check must be repeated"),
    );
    /// Read by `channel::record`.
    COMPLIANCE_REQUIRED_FOR_CHANNELS: bool = Setting::flag(Compliance, "compliance.required_for_channels", false).labelled(
        ("渠道启用前须通过检测", "Channels require a check"),
        ("没有有效检测结果的渠道不能启用；最近一次不通过的始终不能启用", "A channel without a valid check cannot be enabled; one whose latest check failed never can"),
    );
    /// Read by `user::retain`.
    APPLICANT_KEEP_DAYS: i64 = Setting::int(Compliance, "applicant.keep_days", 3650, (180, 36_500), Days).labelled(
        ("用户资料保留", "Keep applicants for"),
        (
            "用户及其推送、线索在该天数内没有任何变化时，每晚自动注销：清除个人信息，保留金额和统计。正在匹配、推送或退单的不会注销",
            "Applicants are erased at night when nothing has changed on them, their deliveries and leads for this long: personal data goes, amounts and statistics stay. Those being matched, delivered or returned are left alone",
        ),
    );
    /// Read by `user::retain`.
    CONSENT_KEEP_DAYS: i64 = Setting::int(Compliance, "consent.keep_days", 3650, (1095, 36_500), Days).labelled(
        ("授权记录保留", "Keep consents for"),
        (
            "用户注销后，授权记录自失效起再保留该天数，至少三年，然后每晚删除",
            "After an applicant has been erased, records of consent are kept for this long from when they ended, at least three years, and are then deleted at night",
        ),
    );
}
