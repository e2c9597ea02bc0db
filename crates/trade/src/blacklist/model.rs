//! The types of blacklist entries, for the wire and the database, with labels.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use base::mask;
use base::{canonical, codes, crypto};
use frame::api::list::{day_end, day_from, day_to};
use frame::api::{ListFilters, Say, say};

codes! {
    /// The kind of value that is refused.
    pub enum BlacklistKind {
        Phone("手机号", "Phone"),
        IdNo("身份证号", "ID number"),
        Ip("IP 地址", "IP address"),
        Device("设备", "Device"),
    }
}

/// Lengths of a device's identifier.
const DEVICE_LENGTH: std::ops::RangeInclusive<usize> = 6..=128;

impl BlacklistKind {
    /// A value in its stored form, however it was written; none if it does not fit this kind.
    pub fn canonical(self, text: &str) -> Option<String> {
        let text = &*canonical::visible(text);
        match self {
            BlacklistKind::Phone => canonical::phone(text),
            BlacklistKind::IdNo => canonical::id_no(text).filter(|id_no| crypto::is_id_no(id_no)),
            BlacklistKind::Ip => canonical::half_width(text).parse::<IpAddr>().ok().map(|ip| ip.to_canonical().to_string()),
            BlacklistKind::Device => {
                let plain = text.bytes().all(|byte| byte.is_ascii_graphic());
                (plain && DEVICE_LENGTH.contains(&text.len())).then(|| text.to_owned())
            }
        }
    }

    /// The part of a value that lists show.
    pub fn mask(self, value: &str) -> String {
        match self {
            BlacklistKind::Phone => mask::phone(value),
            BlacklistKind::IdNo => mask::id_no(value),
            BlacklistKind::Ip => mask::ip(value),
            BlacklistKind::Device => mask::device(value),
        }
    }

    /// The form of a value of this kind.
    pub fn wanted(self) -> Say {
        match self {
            BlacklistKind::Phone => say("请输入 11 位手机号", "Enter an 11-digit mobile number"),
            BlacklistKind::IdNo => say("请输入正确的 18 位身份证号", "Enter a valid 18-character ID number"),
            BlacklistKind::Ip => say("请输入一个 IP 地址", "Enter one IP address"),
            BlacklistKind::Device => {
                say("请输入 6 到 128 位的设备标识，不含空格", "Enter a device ID of 6 to 128 characters without spaces")
            }
        }
    }
}

codes! {
    /// The scope of an entry.
    pub enum BlacklistScope {
        Global("全局", "Global"),
        Channel("渠道", "Channel"),
        Organisation("机构", "Organisation"),
    }
}

codes! {
    /// The source of an entry.
    pub enum BlacklistSource {
        Manual("手工", "Manual"),
        Import("导入", "Import"),
        Complaint("投诉", "Complaint"),
        Risk("风控", "Risk control"),
        /// The person does not want to be contacted any more.
        OptOut("退订", "Opt-out"),
    }
}

codes! {
    /// Whether an entry is active.
    pub enum BlacklistStatus {
        Active("生效", "Active") -> [Lifted],
        Lifted("已解除", "Lifted") -> [Active],
    }
}

/// An entry as lists and details show it. Its value is masked.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct BlacklistRow {
    pub id: i64,
    pub kind: BlacklistKind,
    pub value_mask: String,
    pub scope: BlacklistScope,
    /// The channel or the organisation of its scope; none for everywhere.
    pub scope_id: Option<i64>,
    pub scope_name: Option<String>,
    pub source: BlacklistSource,
    pub reason: String,
    /// Epoch milliseconds; from then on it is not active.
    pub expires_at: Option<i64>,
    pub status: BlacklistStatus,
    pub lift_reason: Option<String>,
    /// How often it blocked a person, and when last.
    pub hit_count: i64,
    pub last_hit_at: Option<i64>,
    pub creator_name: Option<String>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// An entry, and whether it has expired.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct BlacklistNow {
    #[serde(flatten)]
    #[ts(flatten)]
    pub entry: BlacklistRow,
    /// Its status is active, but its expiry has passed: it no longer refuses applicants.
    pub expired: bool,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct BlacklistFilters {
    /// A whole value, or the beginning of a reason.
    pub keyword: Option<String>,
    pub kind: Option<BlacklistKind>,
    pub scope: Option<BlacklistScope>,
    pub source: Option<BlacklistSource>,
    pub status: Option<BlacklistStatus>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
    /// The hash of the keyword, if it may be a value.
    #[serde(skip)]
    pub value_hash: Option<String>,
}

impl ListFilters for BlacklistFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "b.created_at"),
        ("hitCount", "b.hit_count"),
        ("lastHitAt", "COALESCE(b.last_hit_at, 0)"),
        // Entries without an expiry come last.
        ("expiresAt", "COALESCE(b.expires_at, 9007199254740991)"),
    ];
    const ID: &'static str = "b.id";
}

/// The form of an entry.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct BlacklistForm {
    /// Absent for a new one.
    pub id: Option<i64>,
    /// As read; absent for a new one. Without one, the newest version is changed, and the audit trail records that.
    pub version: Option<i64>,
    /// Never changes.
    pub kind: BlacklistKind,
    /// For a new one; it never changes.
    pub value: Option<String>,
    /// Absent: `global` for a new one, unchanged for an existing one.
    pub scope: Option<BlacklistScope>,
    /// The channel or the organisation of its scope; none for everywhere. Read only together with a scope.
    pub scope_id: Option<i64>,
    /// `import` only if it is that already. Absent: `manual` for a new one, unchanged for an existing one.
    pub source: Option<BlacklistSource>,
    pub reason: String,
    /// Epoch milliseconds, or a day in Shanghai for its last millisecond; absent: it does not expire.
    #[serde(default, deserialize_with = "day_end")]
    pub expires_at: Option<i64>,
}

/// An entry is lifted, which needs a reason, or made active again.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct BlacklistStatusChange {
    pub id: i64,
    pub version: i64,
    pub status: BlacklistStatus,
    pub reason: Option<String>,
}

/// An entry's whole value.
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct RevealedBlacklist {
    pub value: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_kept_in_one_form() {
        use BlacklistKind::{Device, IdNo, Ip, Phone};
        for (kind, written, kept) in [
            (Phone, " 138 0013-8000 ", Some("13800138000")),
            (Phone, "+8613800138000", Some("13800138000")),
            (Phone, "0086-１３８００１３８０００", Some("13800138000")),
            (Phone, "23800138000", None),
            (Phone, "1380013800", None),
            (IdNo, "11010519491231002x", Some("11010519491231002X")),
            (IdNo, "110105 19491231 002x", Some("11010519491231002X")),
            (IdNo, "110105194912310021", None),
            (Ip, "::FFFF:203.0.113.9", Some("203.0.113.9")),
            (Ip, "2001:DB8:0:0::1", Some("2001:db8::1")),
            (Ip, "２０３.0.113.9", Some("203.0.113.9")),
            (Ip, "\u{200b}203.0.113.9", Some("203.0.113.9")),
            (Ip, "203.0.\u{200b}113.9", Some("203.0.113.9")),
            (Ip, "203.0.113.0/24", None),
            (Device, "A1b2-C3d4", Some("A1b2-C3d4")),
            (Device, "a1b2 c3d4", None),
            (Device, "a1b2c", None),
            (Device, "设备一二三四五", None),
        ] {
            assert_eq!(kind.canonical(written).as_deref(), kept, "{written}");
        }
    }
}
