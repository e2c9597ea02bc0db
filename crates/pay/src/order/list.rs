//! The list of payment orders: a page of it, all of it as a file.

use std::sync::Arc;

use sqlx::any::AnyRow;

use super::model::{KnownBy, OrderBiz, OrderStatus, PaymentOrderFilters, PaymentOrderRow};
use super::store;
use crate::channel::PayProvider;
use base::clock::DAY;
use base::db::Sql;
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::{Scope, role};
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::search::{FoundRecord, Numbered, Search};
use frame::api::{self, Ctx, Exporting, Listing, Nothing, say};
use frame::decision::{self, Awaits, Reviewers};

/// The name of payment orders in the audit trail.
pub const TARGET: Target = Target { module: Module::Payment, kind: "payment_order", id: None };

/// The list of payment orders.
pub struct Orders;

impl Listing for Orders {
    type Filters = PaymentOrderFilters;
    type Row = PaymentOrderRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &PaymentOrderFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PaymentOrderRow, sqlx::Error> {
        store::read(row)
    }
}

/// Payments that wait for a second person, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = PaymentOrderFilters { awaits: Some(Awaits::Decision), ..PaymentOrderFilters::default() };
    work.add::<Orders>(
        waiting,
        Queue {
            point: "payConfig/order-list/confirm",
            title: say("待确认的付款", "Payments awaiting confirmation"),
            action: QueueAction::Confirm,
            href: "/payConfig/order-list?awaits=decision",
            since: decision::open_since!("payment_order", "r.id"),
            cents: Some("r.amount_cents"),
            within: DAY,
        },
    );
}

/// Finds payment orders by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<Orders> {
        kind: "paymentOrder",
        title: ("支付订单", "Payment orders"),
        points: &["payConfig/order-list/list"],
        prefixes: &["PO"],
        table: "payment_order",
        column: "no",
        capitals: true,
        filters: PaymentOrderFilters::default(),
        found: |row, locale| {
            FoundRecord::new(&row.no, &[&row.org_name, &row.subject, row.status.label(locale)], format!("/payConfig/order-list/{}", row.id))
        },
    };
    search.numbers(kind).await
}

/// `GET /payOrder/reviewers`: whether another person may confirm entered payments.
pub async fn reviewers(cx: Arc<Ctx>, _: Nothing) -> api::Result<Reviewers> {
    decision::reviewers(&cx, role::point_holders!("payConfig/order-list/confirm")).await
}

impl Exporting for Orders {
    fn sheet() -> Sheet<PaymentOrderRow> {
        Sheet {
            target: TARGET,
            title: say("支付订单", "Payment orders"),
            columns: Columns::of("paymentOrder")
                .text("no")
                .text("orgName")
                .code::<OrderBiz>("bizType")
                .text("subject")
                .money("amountCents")
                .code::<OrderStatus>("status")
                .money("paidCents")
                .money("refundedCents")
                .money("feeCents")
                .text("payeeChannelName")
                .code::<PayProvider>("provider")
                .text("payeeOrgName")
                .text("channelOrderNo")
                .text("payerMask")
                .code::<KnownBy>("knownBy")
                .time("paidAt")
                .text("rechargeNo")
                .text("clueNo")
                .text("creatorName")
                .text("remark")
                .text("error")
                .time("expiresAt")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
