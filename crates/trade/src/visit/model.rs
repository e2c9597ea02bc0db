//! The subjects, visitors and events.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use base::locale::Locale;

/// A kind of subject of visits and daily figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SubjectKind {
    Channel,
    Match,
    Org,
    Plan,
    Product,
    /// A product that was shown. Only events have this kind: the figures are those of the product.
    ProductShown,
    /// All channels, and all organisations: each has figures like one subject, with the id 0.
    AllChannels,
    AllOrgs,
}

impl SubjectKind {
    /// The kind of all subjects of a kind together.
    pub fn all(self) -> Option<SubjectKind> {
        match self {
            SubjectKind::Channel => Some(SubjectKind::AllChannels),
            SubjectKind::Org => Some(SubjectKind::AllOrgs),
            _ => None,
        }
    }
}

/// A visited record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject {
    pub kind: SubjectKind,
    pub id: i64,
}

/// The system of a visitor's device.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    EnumString,
    IntoStaticStr,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    ts_rs::TS,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(rename = "VisitorSystem")]
#[ts(export, export_to = "api-types.ts", rename = "VisitorSystem")]
pub enum System {
    Ios,
    Android,
    Wechat,
    Other,
}

impl System {
    /// By the user agent. WeChat is a system of its own, whatever it runs on.
    pub fn of(user_agent: &str) -> System {
        let says = |mark: &str| user_agent.contains(mark);
        if says("MicroMessenger") {
            System::Wechat
        } else if says("iPhone") || says("iPad") || says("iPod") {
            System::Ios
        } else if says("Android") {
            System::Android
        } else {
            System::Other
        }
    }

    /// The label.
    pub fn label(self, locale: Locale) -> &'static str {
        match self {
            System::Ios => "iOS",
            System::Android => "Android",
            System::Wechat => locale.pick("微信", "WeChat"),
            System::Other => locale.pick("其他", "Other"),
        }
    }
}

/// The origin of visitors: too many of them from one address do not count as visitors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Keyed hash of the address.
    pub address: String,
    /// The most visitors of one subject on a day that count.
    pub most: i64,
}

/// A view of a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    pub subject: Subject,
    /// Its channel; 0 for none, and for a channel's own visits.
    pub channel_id: i64,
    /// The organisation of the subject; 0 for none.
    pub org_id: i64,
    /// Keyed hash of the visitor.
    pub visitor: String,
    pub system: System,
    /// Epoch milliseconds.
    pub at: i64,
    /// The cost (for a channel) or income (for a product) of the visitor, in fen, at the present price.
    pub charge_cents: i64,
    /// From a channel in test mode, or of a test organisation: counted separately.
    pub test: bool,
    /// None if addresses are not counted.
    pub source: Option<Source>,
}

/// A plan or a product that was shown to a visitor, or chosen. An exposure of a plan with a product is one of the
/// product, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// None for a product alone.
    pub plan_id: Option<i64>,
    pub org_id: i64,
    /// None for a plan without one.
    pub product_id: Option<i64>,
    /// 0 for none.
    pub channel_id: i64,
    /// Keyed hash of the visitor.
    pub visitor: String,
    pub system: System,
    /// Epoch milliseconds.
    pub at: i64,
    /// Its position in the list, from 1. It is stored for plans.
    pub position: Option<i64>,
    pub client_ip: String,
    pub ua_hash: String,
    /// It was chosen rather than shown.
    pub clicked: bool,
    pub test: bool,
}

/// An event to be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    Visit(Visit),
    Exposure(Exposure),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_read_from_the_browsers_name() {
        for (name, system) in [
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.50",
                System::Wechat,
            ),
            ("Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15", System::Ios),
            ("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile", System::Android),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", System::Other),
            ("", System::Other),
        ] {
            assert_eq!(System::of(name), system, "{name}");
        }
    }
}
