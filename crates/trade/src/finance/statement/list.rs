//! The list of statements: a page of it with their sums, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{StatementFilters, StatementRow, StatementStatus};
use super::store;
use base::clock::DAY;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::{Exporting, Listing, say};

/// The name of statements in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Finance, kind: "org_statement", id: None };

/// The list of statements.
pub struct Statements;

impl Listing for Statements {
    type Filters = StatementFilters;
    type Row = StatementRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &StatementFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<StatementRow, sqlx::Error> {
        StatementRow::from_row(row)
    }
}

/// Statements for the workplace: for an organisation those to be answered, for the platform those disputed.
pub fn open_work(work: &mut OpenWork<'_>) {
    let of = |status| StatementFilters { status: Some(status), ..StatementFilters::default() };
    // Platform staff cannot answer for an organisation.
    if !work.scope().is_platforms() {
        work.add::<Statements>(
            of(StatementStatus::Sent),
            Queue {
                point: "finance/account/confirm",
                title: say("待确认的对账单", "Statements to confirm"),
                action: QueueAction::Confirm,
                href: "/finance/account/statements?status=sent",
                since: "COALESCE(m.sent_at, m.created_at)",
                cents: Some("m.spend_cents"),
                within: 3 * DAY,
            },
        );
    }
    work.add::<Statements>(
        of(StatementStatus::Disputed),
        Queue {
            point: "finance/account/statement",
            title: say("有异议的对账单", "Disputed statements"),
            action: QueueAction::Handle,
            href: "/finance/account/statements?status=disputed",
            since: "COALESCE(m.answered_at, m.updated_at)",
            cents: Some("m.spend_cents"),
            within: DAY,
        },
    );
}

impl Exporting for Statements {
    fn sheet() -> Sheet<StatementRow> {
        Sheet {
            target: TARGET,
            title: say("对账单", "Statements"),
            columns: Columns::of("statement")
                .text("orgName")
                .text("month")
                .money("openingCents")
                .money("rechargeCents")
                .money("giftCents")
                .money("adjustCents")
                .money("spendCents")
                .money("refundCents")
                .money("closingCents")
                .number("entries")
                .code::<StatementStatus>("status")
                .time("sentAt")
                .text("ledgerHead")
                .text("answeredName")
                .time("answeredAt")
                .text("note")
                .all(),
        }
    }
}
