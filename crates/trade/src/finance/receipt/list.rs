//! The list of receipts: a page of it, all of it as a file.

use std::sync::Arc;

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{LatestReceiptsQuery, ReceiptFilters, ReceiptRow, ReceiptStatus, ReceiptType};
use super::store;
use crate::ledger::incoming::PayMethod;
use base::clock::DAY;
use base::db::Sql;
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::{Scope, role};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::search::{FoundRecord, Numbered, Search};
use frame::api::{self, Ctx, Exporting, Listing, Nothing, Query, say};
use frame::decision::{self, Awaits, Reviewers};

/// What the audit trail calls receipts.
pub(super) const TARGET: Target = Target { module: Module::Receipt, kind: "receipt", id: None };

/// The list of receipts.
pub struct Receipts;

impl Listing for Receipts {
    type Filters = ReceiptFilters;
    type Row = ReceiptRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &ReceiptFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<ReceiptRow, sqlx::Error> {
        ReceiptRow::from_row(row)
    }
}

/// Receipts that wait for a decision, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = ReceiptFilters { awaits: Some(Awaits::Decision), ..ReceiptFilters::default() };
    work.add::<Receipts>(
        waiting,
        Queue {
            point: "org/receipt/audit",
            title: say("待审核的收款单", "Receipts awaiting approval"),
            action: QueueAction::Review,
            href: "/org/receipt?awaits=decision",
            since: concat!("COALESCE(", decision::open_since!("receipt", "r.id"), ", r.created_at)"),
            cents: Some("r.amount_cents"),
            within: DAY,
        },
    );
}

/// Finds receipts by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<Receipts> {
        kind: "receipt",
        title: ("收款单", "Receipts"),
        points: &["org/receipt/list"],
        prefixes: &["RC"],
        table: "receipt",
        column: "no",
        capitals: false,
        filters: ReceiptFilters::default(),
        found: |row, locale| FoundRecord::new(&row.no, &[&row.org_name, row.status.label(locale)], format!("/org/receipt/{}", row.id)),
    };
    search.numbers(kind).await
}

/// The most receipts of [`latest`].
const LATEST: i64 = 5;

/// `GET /org/receipt/latest?orgId=`: the newest receipts of an organisation, for its page.
pub async fn latest(cx: Arc<Ctx>, Query(query): Query<LatestReceiptsQuery>) -> api::Result<Vec<ReceiptRow>> {
    let filters = ReceiptFilters { org_id: Some(query.org_id), ..ReceiptFilters::default() };
    let mut sql = Sql::new(store::SELECT);
    store::narrow(&mut sql, &filters, cx.viewer()?.scope());
    sql.push(" ORDER BY r.created_at DESC, r.id DESC LIMIT ").bind(LATEST);
    let rows = sql.fetch_all(cx.db().read()).await?;
    Ok(rows.iter().map(ReceiptRow::from_row).collect::<Result<Vec<_>, _>>()?)
}

/// `GET /org/receipt/reviewers`: whether another person may confirm receipts.
pub async fn reviewers(cx: Arc<Ctx>, _: Nothing) -> api::Result<Reviewers> {
    decision::reviewers(&cx, role::point_holders!("org/receipt/audit")).await
}

impl Exporting for Receipts {
    fn sheet() -> Sheet<ReceiptRow> {
        Sheet {
            target: TARGET,
            title: say("收款单", "Receipts"),
            columns: Columns::of("receipt")
                .text("no")
                .text("orgName")
                .text("payeeOrgName")
                .code::<ReceiptType>("bizType")
                .money("amountCents")
                .code::<PayMethod>("payMethod")
                .time("paidAt")
                .text("payerName")
                .text("bankSerial")
                .code::<ReceiptStatus>("status")
                .text("reviewerName")
                .time("reviewedAt")
                .text("reviewNote")
                .text("creatorName")
                .text("remark")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
