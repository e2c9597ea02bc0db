//! The list of invoices: a page of it, all of it as a file.

use std::sync::Arc;

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::invoiceable::Invoiceables;
use super::model::{InvoiceColor, InvoiceFilters, InvoiceRow, InvoiceStatus, InvoiceTitleType, InvoiceableFilters, InvoiceableState};
use super::store;
use crate::org::InvoiceKind;
use base::clock::DAY;
use base::crypto::Keys;
use base::db::Sql;
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::{Scope, role};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction, UNKNOWN};
use frame::api::search::{FoundRecord, Numbered, Search};
use frame::api::{self, Ctx, Exporting, Listing, Nothing, WholeNumber, hash_phone, say};
use frame::decision::{self, Reviewers};

/// The name of invoices in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Finance, kind: "invoice", id: None };

/// The list of invoices.
pub struct Invoices;

impl Listing for Invoices {
    type Filters = InvoiceFilters;
    type Row = InvoiceRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn conceal(filters: &mut InvoiceFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.phone_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &InvoiceFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<InvoiceRow, sqlx::Error> {
        InvoiceRow::from_row(row)
    }
}

/// Invoices that wait to be approved, and to be issued, and organisations that are invoiced above what they spent, for the
/// workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    const POINT: &str = "finance/invoice/audit";
    let of = |status| InvoiceFilters { status: Some(status), ..InvoiceFilters::default() };
    work.add::<Invoices>(
        of(InvoiceStatus::Waiting),
        Queue {
            point: POINT,
            title: say("待审核的发票", "Invoices awaiting approval"),
            action: QueueAction::Review,
            href: "/finance/invoice?status=waiting",
            since: "i.created_at",
            cents: Some("i.amount_cents"),
            within: DAY,
        },
    );
    work.add::<Invoices>(
        of(InvoiceStatus::Approved),
        Queue {
            point: POINT,
            title: say("待开具的发票", "Invoices to be issued"),
            action: QueueAction::Issue,
            href: "/finance/invoice?status=approved",
            since: "COALESCE(i.reviewed_at, i.created_at)",
            cents: Some("i.amount_cents"),
            within: DAY,
        },
    );
    let over = InvoiceableFilters { state: Some(InvoiceableState::Over), ..InvoiceableFilters::default() };
    work.add::<Invoiceables>(
        over,
        Queue {
            point: POINT,
            title: say("多开票的机构", "Over-invoiced organisations"),
            action: QueueAction::Handle,
            href: "/finance/invoice/invoiceable?state=over",
            since: UNKNOWN,
            cents: None,
            within: DAY,
        },
    );
}

/// Finds invoices by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<Invoices> {
        kind: "invoice",
        title: ("发票", "Invoices"),
        points: &["finance/invoice/list"],
        prefixes: &["FP", "HZ"],
        table: "invoice",
        column: "no",
        capitals: false,
        filters: InvoiceFilters::default(),
        found: |row, locale| FoundRecord::new(&row.no, &[&row.org_name, row.status.label(locale)], format!("/finance/invoice/{}", row.id)),
    };
    search.numbers(kind).await
}

/// `GET /finance/invoice/reviewers`: whether another person may approve invoices.
pub async fn reviewers(cx: Arc<Ctx>, _: Nothing) -> api::Result<Reviewers> {
    decision::reviewers(&cx, role::point_holders!("finance/invoice/audit")).await
}

impl Exporting for Invoices {
    fn sheet() -> Sheet<InvoiceRow> {
        Sheet {
            target: TARGET,
            title: say("发票", "Invoices"),
            columns: Columns::of("invoice")
                .text("no")
                .text("orgName")
                .text("payeeOrgName")
                .code::<InvoiceColor>("color")
                .code::<InvoiceKind>("kind")
                .code::<InvoiceTitleType>("titleType")
                .text("title")
                .text("taxNo")
                .money("amountCents")
                .money("redCents")
                .money("refundedCents")
                .text("redOfNo")
                .text("redOfNumber")
                .text("redReason")
                .text("content")
                .code::<InvoiceStatus>("status")
                .text("invoiceCode")
                .text("invoiceNumber")
                .text("issuedOn")
                .text("receiverName")
                .text("receiverPhoneMask")
                .text("receiverAddress")
                .text("receiverEmail")
                .text("courier")
                .text("trackingNo")
                .text("creatorName")
                .text("reviewerName")
                .time("reviewedAt")
                .text("reviewNote")
                .text("remark")
                .time("createdAt")
                .all(),
        }
    }
}
