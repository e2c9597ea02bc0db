//! The list of payee channels: a page of it, all of it as a file.

use sqlx::any::AnyRow;

use super::model::{PayProvider, PayeeChannelFilters, PayeeChannelRow, PayeeChannelStatus};
use super::store;
use base::clock::DAY;
use base::db::Sql;
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::versions::Table;
use frame::access::{Scope, ScopeColumns};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::search::{Names, Search};
use frame::api::{Exporting, Listing, say};
use frame::decision::{self, Awaits};

/// The name of payee channels in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Payment, kind: "payee_channel", id: None };

/// The list of payee channels.
pub struct Channels;

impl Listing for Channels {
    type Filters = PayeeChannelFilters;
    type Row = PayeeChannelRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &PayeeChannelFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PayeeChannelRow, sqlx::Error> {
        store::read(row)
    }
}

/// Payee channels in the search of the whole back office: like the list, for viewers who see everything.
const NAMES: Names = Names {
    kind: "payeeChannel",
    title: ("收款通道", "Payee channels"),
    points: &["payConfig/list/list", "payConfig/list/view"],
    tables: &[Table::PayeeChannel, Table::PayeeOrganisation],
    select: "SELECT c.id, c.name, c.code, '' AS also, p.name AS note FROM payee_channel c \
         JOIN payee_organisation p ON p.id = c.payee_org_id WHERE c.deleted_at IS NULL",
    columns: &["c.name", "c.code"],
    scope: ScopeColumns { owner: None, org: None, sub_org: None, myself: None },
    address: |named| format!("/payConfig/list/{}", named.id),
};

/// Finds payee channels by their names.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    search.names(&NAMES).await
}

/// Channels that wait for the viewer to approve another payee or other instructions.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = PayeeChannelFilters { awaits: Some(Awaits::Decision), ..PayeeChannelFilters::default() };
    work.add::<Channels>(
        waiting,
        Queue {
            point: "payConfig/list/status",
            title: say("待审核的收款通道", "Payee channels awaiting approval"),
            action: QueueAction::Review,
            href: "/payConfig/list?awaits=decision",
            since: decision::open_since!("payee_channel", "c.id"),
            cents: None,
            within: DAY,
        },
    );
}

impl Exporting for Channels {
    fn sheet() -> Sheet<PayeeChannelRow> {
        Sheet {
            target: TARGET,
            title: say("收款通道", "Payee channels"),
            columns: Columns::of("payeeChannel")
                .text("code")
                .text("name")
                .code::<PayProvider>("provider")
                .text("payeeOrgName")
                .text("mchNo")
                .number("feeBp")
                .money("minCents")
                .money("maxCents")
                .money("dayCapCents")
                .text("certExpireOn")
                .text("oldKeyUntil")
                .code::<PayeeChannelStatus>("status")
                .number("sort")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
