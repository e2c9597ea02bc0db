//! The visits of channels' landing pages, by day: `/channel/uv-list`.

use crate::visit::{UvRow, UvSubject, columns, uv_list};
use frame::access::ScopeColumns;
use frame::access::audit::{Module, Target};
use frame::api::export::Sheet;
use frame::api::say;

/// Channels, for their list of visits.
pub struct ChannelUv;

impl UvSubject for ChannelUv {
    uv_list!("channel", "JOIN channel t ON t.id = s.subject_id", "t.code", "t.name", "CAST(NULL AS TEXT)");

    const SCOPE: ScopeColumns = ScopeColumns {
        owner: Some("s.subject_id IN (SELECT c.id FROM channel c WHERE c.owner_admin_id = ?)"),
        org: None,
        sub_org: None,
        myself: None,
    };

    fn sheet() -> Sheet<UvRow> {
        Sheet {
            target: Target { module: Module::Channel, kind: "channel_uv", id: None },
            title: say("渠道UV", "Channel visits"),
            columns: columns(
                ("渠道", "Channel"),
                &[
                    "day",
                    "subjectCode",
                    "subjectName",
                    "pv",
                    "uv",
                    "registered",
                    "applied",
                    "matched",
                    "sold",
                    "returned",
                    "costCents",
                    "incomeCents",
                    "marginCents",
                    "testPv",
                    "testUv",
                    "computedAt",
                ],
            ),
        }
    }
}
