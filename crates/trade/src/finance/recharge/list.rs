//! The list of recharges: a page of it with its sums, all of it as a file.

use std::sync::Arc;

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{RechargeFilters, RechargeRow, RechargeStatus};
use super::store;
use crate::ledger::incoming::PayMethod;
use base::clock::DAY;
use base::db::Sql;
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::{Scope, role};
use frame::api::export::{Columns, Sheet};
use frame::api::first_steps::{FirstSteps, Step};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::search::{FoundRecord, Numbered, Search};
use frame::api::{self, Ctx, Exporting, Listing, Nothing, say};
use frame::decision::{self, Awaits, Reviewers};

/// What the audit trail calls recharges.
pub const TARGET: Target = Target { module: Module::Finance, kind: "recharge", id: None };

/// The list of recharges.
pub struct Recharges;

impl Listing for Recharges {
    type Filters = RechargeFilters;
    type Row = RechargeRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &RechargeFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<RechargeRow, sqlx::Error> {
        RechargeRow::from_row(row)
    }
}

/// Recharges that wait for a decision, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = RechargeFilters { awaits: Some(Awaits::Decision), ..RechargeFilters::default() };
    work.add::<Recharges>(
        waiting,
        Queue {
            point: "finance/recharge/audit",
            title: say("待审核的充值", "Recharges awaiting approval"),
            action: QueueAction::Review,
            href: "/finance/recharge?awaits=decision",
            since: concat!("COALESCE(", decision::open_since!("recharge", "r.id"), ", r.created_at)"),
            cents: Some("r.amount_cents"),
            within: DAY,
        },
    );
}

/// Finds recharges by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<Recharges> {
        kind: "recharge",
        title: ("充值", "Recharges"),
        points: &["finance/recharge/list"],
        prefixes: &["CZ"],
        table: "recharge",
        column: "no",
        capitals: false,
        filters: RechargeFilters::default(),
        found: |row, locale| FoundRecord::new(&row.no, &[&row.org_name, row.status.label(locale)], format!("/finance/recharge/{}", row.id)),
    };
    search.numbers(kind).await
}

/// The step of an installation that gives an organisation money to spend, or credit.
pub fn first_step(steps: &mut FirstSteps<'_>) {
    steps.add(Step {
        point: "finance/recharge/create",
        href: "/finance/recharge",
        title: say("机构的余额", "Funds of the organisation"),
        open: say("为机构申请充值，由另一人审核后入账", "Request a recharge of the organisation; another person approves it"),
        begun: say("充值已申请：由另一人审核后入账", "A recharge was requested: another person approves it"),
        has_begun: "EXISTS (SELECT 1 FROM recharge WHERE status = 'pending')",
        is_done: "EXISTS (SELECT 1 FROM org_account WHERE balance_cents > 0) \
           OR EXISTS (SELECT 1 FROM organisation WHERE deleted_at IS NULL AND bill_mode = 'credit' AND credit_limit_cents > 0)",
    });
}

/// `GET /finance/recharge/reviewers`: whether another person may approve recharges.
pub async fn reviewers(cx: Arc<Ctx>, _: Nothing) -> api::Result<Reviewers> {
    decision::reviewers(&cx, role::point_holders!("finance/recharge/audit")).await
}

impl Exporting for Recharges {
    fn sheet() -> Sheet<RechargeRow> {
        Sheet {
            target: TARGET,
            title: say("充值", "Recharges"),
            columns: Columns::of("recharge")
                .text("no")
                .text("orgName")
                .money("amountCents")
                .money("giftCents")
                .code::<RechargeStatus>("status")
                .code::<PayMethod>("payMethod")
                .text("bankSerial")
                .text("payeeOrgName")
                .text("receiptNo")
                .text("paymentOrderNo")
                .time("creditedAt")
                .text("creatorName")
                .text("reviewerName")
                .time("reviewedAt")
                .text("reviewNote")
                .text("remark")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
