//! The list of statements of partners: a page of it with its sums, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{PartnerStatementFilters, PartnerStatementRow, PartnerStatementStatus};
use super::store;
use base::clock::DAY;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::search::{FoundRecord, Numbered, Search};
use frame::api::{Exporting, Listing, say};
use frame::decision::{self, Awaits};

/// The name of partners' statements in the audit trail.
pub const TARGET: Target = Target { module: Module::Finance, kind: "partner_statement", id: None };

/// The list of statements of partners.
pub struct PartnerStatements;

impl Listing for PartnerStatements {
    type Filters = PartnerStatementFilters;
    type Row = PartnerStatementRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const TOTALS: Option<&'static str> = Some(store::TOTALS);

    fn narrow(sql: &mut Sql, filters: &PartnerStatementFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PartnerStatementRow, sqlx::Error> {
        PartnerStatementRow::from_row(row)
    }
}

/// Statements for the workplace: those that are still to be sent, those that are disputed, and those of which a confirmation
/// waits for a decision.
pub fn open_work(work: &mut OpenWork<'_>) {
    const SENDS: &str = "finance/partner/statement";
    let of = |status| PartnerStatementFilters { status: Some(status), ..PartnerStatementFilters::default() };
    work.add::<PartnerStatements>(
        of(PartnerStatementStatus::Draft),
        Queue {
            point: SENDS,
            title: say("待发送的渠道对账单", "Channel statements to send"),
            action: QueueAction::Send,
            href: "/finance/partner?status=draft",
            since: "m.created_at",
            cents: Some("m.total_cents"),
            within: 3 * DAY,
        },
    );
    work.add::<PartnerStatements>(
        of(PartnerStatementStatus::Disputed),
        Queue {
            point: SENDS,
            title: say("有异议的渠道对账单", "Disputed channel statements"),
            action: QueueAction::Handle,
            href: "/finance/partner?status=disputed",
            since: "COALESCE(m.answered_at, m.updated_at)",
            cents: Some("m.total_cents"),
            within: DAY,
        },
    );
    let waiting = PartnerStatementFilters { awaits: Some(Awaits::Decision), ..PartnerStatementFilters::default() };
    work.add::<PartnerStatements>(
        waiting,
        Queue {
            point: "finance/partner/audit",
            title: say("待审核的对账单确认", "Confirmations of channel statements awaiting approval"),
            action: QueueAction::Review,
            href: "/finance/partner?awaits=decision",
            since: decision::open_since!("partner_statement", "m.id"),
            cents: Some("m.total_cents"),
            within: DAY,
        },
    );
}

/// Finds channel statements by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<PartnerStatements> {
        kind: "partnerStatement",
        title: ("渠道对账单", "Channel statements"),
        points: &["finance/partner/list"],
        prefixes: &["DZ"],
        table: "partner_statement",
        column: "statement_no",
        capitals: false,
        filters: PartnerStatementFilters::default(),
        found: |row, locale| {
            FoundRecord::new(
                &row.statement_no,
                &[&row.channel_name, &row.month, row.status.label(locale)],
                format!("/finance/partner/{}", row.id),
            )
        },
    };
    search.numbers(kind).await
}

impl Exporting for PartnerStatements {
    fn sheet() -> Sheet<PartnerStatementRow> {
        Sheet {
            target: TARGET,
            title: say("渠道对账单", "Channel statements"),
            columns: Columns::of("partnerStatement")
                .text("statementNo")
                .text("channelName")
                .text("month")
                .money("openingCents")
                .money("visitCents")
                .money("registeredCents")
                .money("soldCents")
                .money("shareCents")
                .money("returnedCents")
                .money("shareBackCents")
                .money("adjustCents")
                .money("carriedCents")
                .money("totalCents")
                .percent("taxBp")
                .money("taxCents")
                .money("netCents")
                .money("paidCents")
                .money("settledCents")
                .money("closingCents")
                .number("items")
                .code::<PartnerStatementStatus>("status")
                .time("sentAt")
                .time("linkEndsAt")
                .time("answeredAt")
                .text("answerNote")
                .text("answerIp")
                .text("answerUserAgent")
                .text("confirmerName")
                .all(),
        }
    }
}
