//! The list of receipts: a page of it, all of it as a file.

use sqlx::any::AnyRow;

use super::model::{ReceiptFilters, ReceiptRow};
use super::store;
use crate::access::Scope;
use crate::access::audit::{Module, Target};
use crate::api::export::{Cell, Sheet, column};
use crate::api::figure::Figure;
use crate::api::{self, Ctx, Exporting, Listing, listing, say};
use crate::db::Sql;
use crate::decision::Awaits;
use crate::locale::Locale;

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
        store::read(row)
    }
}

/// What waits for whoever confirms payments.
pub async fn work(cx: &Ctx) -> api::Result<Vec<Figure>> {
    let waiting = ReceiptFilters { awaits: Some(Awaits::Decision), ..ReceiptFilters::default() };
    let title = say("待审核的收款单", "Receipts awaiting approval");
    let waits = listing::work::<Receipts>(cx, "org/receipt/audit", waiting, &title, "/org/receipt?awaits=decision").await?;
    Ok(waits.into_iter().collect())
}

impl Exporting for Receipts {
    fn sheet() -> Sheet<ReceiptRow> {
        Sheet {
            target: TARGET,
            title: say("收款单", "Receipts"),
            columns: vec![
                column("no", "收款单号", "Receipt number", |row, _| Cell::text(row.no.clone())),
                column("orgName", "机构", "Organisation", |row, _| Cell::text(row.org_name.clone())),
                column("payeeOrgName", "收款主体", "Payee", |row, _| Cell::text(row.payee_org_name.clone())),
                column("bizType", "类型", "Type", |row, locale| Cell::text(row.biz_type.label(locale).to_owned())),
                column("amountCents", "金额（元）", "Amount (CNY)", |row, _| Cell::Money(row.amount_cents)),
                column("payMethod", "付款方式", "Payment method", |row, locale| Cell::text(row.pay_method.label(locale).to_owned())),
                column("paidAt", "付款时间", "Paid at", |row, _| Cell::Time(row.paid_at)),
                column("payerName", "付款人", "Payer", |row, _| Cell::text(row.payer_name.clone())),
                column("bankSerial", "流水号", "Transaction number", |row, _| Cell::text(row.bank_serial.clone())),
                column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
                column("reviewerName", "确认人", "Reviewed by", |row, _| Cell::text(row.reviewer_name.clone())),
                column("reviewedAt", "确认时间", "Reviewed at", |row, _| row.reviewed_at.map_or(Cell::Empty, Cell::Time)),
                column("reviewNote", "审核说明", "Review note", |row, _| Cell::text(row.review_note.clone())),
                column("creatorName", "录入人", "Entered by", |row, _| Cell::text(row.creator_name.clone())),
                column("remark", "备注", "Remark", |row, _| Cell::text(row.remark.clone())),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
                column("updatedAt", "更新时间", "Updated", |row, _| Cell::Time(row.updated_at)),
            ],
        }
    }
}
