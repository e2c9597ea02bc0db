//! The list of money: a page of it, all of it as a file.

use std::sync::Arc;

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{MoneyFilters, MoneyRow};
use super::record::TARGET;
use super::{DECIDE, store};
use base::clock::DAY;
use base::db::Sql;
use base::locale::Locale;
use frame::access::{Scope, role};
use frame::api::export::{Cell, Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::search::{FoundRecord, Numbered, Search};
use frame::api::{self, Ctx, Exporting, Listing, Nothing, say};
use frame::decision::{self, Awaits, Reviewers};

/// The list of money.
pub struct Money;

impl Listing for Money {
    type Filters = MoneyFilters;
    type Row = MoneyRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const TOTALS: Option<&'static str> = Some(store::TOTALS);
    const IDS_FIRST: bool = true;
    const NEWEST: Option<&'static str> = Some("m.created_at");

    /// All records of an organisation, a team or a salesperson can be sorted.
    fn newest(scope: Scope) -> Option<&'static str> {
        Self::NEWEST.filter(|_| scope.is_platforms())
    }

    fn narrow(sql: &mut Sql, filters: &MoneyFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<MoneyRow, sqlx::Error> {
        MoneyRow::from_row(row)
    }
}

/// A cell's text; empty in the row of totals.
fn unless_total(row: &MoneyRow, text: &str) -> Cell {
    if row.id == 0 { Cell::Empty } else { Cell::text(text.to_owned()) }
}

fn time_unless_total(row: &MoneyRow, at: i64) -> Cell {
    if row.id == 0 { Cell::Empty } else { Cell::Time(at) }
}

/// Payments that wait for a second person, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = MoneyFilters { awaits: Some(Awaits::Decision), ..MoneyFilters::default() };
    work.add::<Money>(
        waiting,
        Queue {
            point: DECIDE,
            title: say("待确认的收款记录", "Payments awaiting confirmation"),
            action: QueueAction::Confirm,
            href: "/crm/money?awaits=decision",
            since: concat!("COALESCE(", decision::open_since!("money_record", "m.id"), ", m.updated_at)"),
            cents: Some("CASE WHEN m.type = 'refund' THEN -m.amount_cents ELSE m.amount_cents END"),
            within: DAY,
        },
    );
}

/// Finds records of money by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<Money> {
        kind: "money",
        title: ("收款记录", "Payments"),
        points: &["crm/clue/money"],
        prefixes: &["MR"],
        table: "money_record",
        column: "no",
        capitals: true,
        filters: MoneyFilters::default(),
        found: |row, locale| {
            FoundRecord::new(&row.no, &[&row.name_mask, &row.org_name, row.status.label(locale)], format!("/crm/money/{}", row.id))
        },
    };
    search.numbers(kind).await
}

/// `GET /crm/money/reviewers`: whether another person may confirm payments of leads.
pub async fn reviewers(cx: Arc<Ctx>, _: Nothing) -> api::Result<Reviewers> {
    decision::reviewers(&cx, role::point_holders!("crm/clue/moneyAudit")).await
}

impl Exporting for Money {
    fn sheet() -> Sheet<MoneyRow> {
        Sheet {
            target: TARGET,
            title: say("收款记录", "Payments"),
            columns: Columns::of("money")
                .cell("no", |row: &MoneyRow, locale| match row.id {
                    0 => Cell::text(locale.pick("已确认合计", "Confirmed total").to_owned()),
                    _ => Cell::text(row.no.clone()),
                })
                .text("clueNo")
                .text("nameMask")
                .text("orgName")
                .text("subOrgName")
                .text("salesName")
                .cell("type", |row, locale| unless_total(row, row.kind.label(locale)))
                .money("loanCents")
                .cell("amountCents", |row, _| Cell::Money(row.net_cents()))
                .cell("payMethod", |row, locale| unless_total(row, row.pay_method.label(locale)))
                .text("bankSerial")
                .cell("paidAt", |row, _| time_unless_total(row, row.paid_at))
                .cell("status", |row, locale| unless_total(row, row.status.label(locale)))
                .text("reviewerName")
                .time("reviewedAt")
                .text("reviewNote")
                .text("creatorName")
                .text("remark")
                .cell("createdAt", |row, _| time_unless_total(row, row.created_at))
                .cell("updatedAt", |row, _| time_unless_total(row, row.updated_at))
                .all(),
        }
    }
}
