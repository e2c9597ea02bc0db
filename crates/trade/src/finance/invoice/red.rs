//! Red-letter invoices: each counts an issued invoice back, in full or in part. It is requested, approved, issued and
//! sent like any invoice. Its amount is taken from its invoice with the request, so that concurrent requests never
//! exceed it; the invoiceable amount grows by it once it is issued.

use std::sync::Arc;

use futures_util::FutureExt;

use super::list::TARGET;
use super::model::{InvoiceColor, InvoiceForm, InvoiceRow, InvoiceStatus, RedInvoiceForm};
use super::store::{self, NewInvoice};
use super::{notices, record};
use crate::ledger::invoiceable;
use crate::org::InvoiceKind;
use base::crypto::place;
use base::db::Connection;
use base::form_limits;
use base::{clock, crypto};
use frame::access::Scope;
use frame::api::versioned;
use frame::api::{ApiError, Body, Check, Ctx, Result, say};
use frame::decision::{self, DecisionAction};
use frame::terms;

form_limits! {
    /// Of a red-letter invoice.
    invoice {
        RED_REASON: usize = 500,
    }
}

/// `POST /finance/invoice/red`: by those who may ask for the invoice itself.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<RedInvoiceForm>) -> Result<InvoiceRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let of = versioned::current_in_scope::<InvoiceRow>(cx, &mut tx, body.id, Some(body.version)).await?;
                check(&of, body)?;
                if !store::take_red(&mut tx, of.id, body.amount_cents).await? {
                    return Err(not_left(&of));
                }
                let form = form_of(cx, &mut tx, &of, body.amount_cents).await?;
                let no = &number(cx.now);
                let new = NewInvoice { no, form: &form, refunded_cents: 0, red: Some((of.id, body.reason.trim())) };
                let id = store::insert(&mut tx, &cx.app.keys, &new, cx.stamp()?).await?;
                let row = store::find(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
                record_of(cx, &mut tx, &of).await?;
                decision::write_down(&mut tx, &record::matter(&row, DecisionAction::ApproveInvoice), Some(viewer.id), cx.now).await?;
                notices::waits(&mut tx, &row, viewer.id, cx.now).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

fn check(of: &InvoiceRow, body: &RedInvoiceForm) -> Result<()> {
    if of.color == InvoiceColor::Red || !matches!(of.status, InvoiceStatus::Issued | InvoiceStatus::Sent) {
        return Err(ApiError::State(say("只有已开具的蓝字发票可以红冲", "Only an ordinary invoice that was issued can be counted back")));
    }
    if of.red_cents >= of.amount_cents {
        return Err(ApiError::State(say("该发票已全部红冲", "All of this invoice is counted back already")));
    }
    if !(1..=of.amount_cents - of.red_cents).contains(&body.amount_cents) {
        return Err(not_left(of));
    }
    Check::new().text("reason", &body.reason, 1..=RED_REASON).done()
}

fn not_left(of: &InvoiceRow) -> ApiError {
    let left = terms::yuan(of.amount_cents - of.red_cents);
    ApiError::field("amountCents", say(format!("最多可红冲 {left} 元"), format!("At most {left} CNY are left of the invoice")))
}

/// The same invoice with another amount.
async fn form_of(cx: &Ctx, tx: &mut Connection, of: &InvoiceRow, amount_cents: i64) -> Result<InvoiceForm> {
    let sealed = store::sealed_phone(tx, of.id).await?;
    let receiver_phone = if sealed.is_empty() { sealed } else { cx.app.keys.open(&place::INVOICE_PHONE.of(of.id), &sealed)? };
    let of = of.clone();
    Ok(InvoiceForm {
        org_id: of.org_id,
        payee_org_id: of.payee_org_id,
        kind: of.kind,
        title_type: of.title_type,
        title: of.title,
        tax_no: of.tax_no,
        bank: of.bank,
        bank_account: of.bank_account,
        reg_address: of.reg_address,
        reg_phone: of.reg_phone,
        amount_cents,
        content: of.content,
        receiver_name: of.receiver_name,
        receiver_phone,
        receiver_address: of.receiver_address,
        receiver_email: of.receiver_email,
        remark: String::new(),
    })
}

/// Writes to an invoice's history which amount red-letter invoices count back now.
async fn record_of(cx: &Ctx, tx: &mut Connection, before: &InvoiceRow) -> Result<()> {
    let after = store::find(&mut *tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
    cx.record(tx, TARGET.of(before.id), Some(before), Some(&after)).await
}

/// The invoice that a red-letter invoice counts back, locked until the transaction ends.
pub(super) async fn hold_of(tx: &mut Connection, row: &InvoiceRow) -> Result<Option<InvoiceRow>> {
    let Some(id) = row.red_of_id else { return Ok(None) };
    versioned::hold::<InvoiceRow>(tx, id).await?;
    Ok(store::find(tx, Scope::All, id).await?)
}

/// Gives back the amount of an invoice that is not made: to its invoice if it is a red-letter invoice, otherwise to
/// the invoiceable amount.
pub(super) async fn release(cx: &Ctx, tx: &mut Connection, row: &InvoiceRow) -> Result<()> {
    match hold_of(tx, row).await? {
        Some(of) => {
            store::give_back_red(tx, of.id, -row.amount_cents).await?;
            record_of(cx, tx, &of).await
        }
        None => Ok(invoiceable::give_back(tx, (row.org_id, row.payee_org_id), row.amount_cents, row.refunded_cents).await?),
    }
}

/// Refuses to void an invoice that only a red-letter invoice may count back: an electronic one, one of an earlier
/// month, and one that is partly counted back already. Red-letter invoices cannot be voided.
pub(super) fn check_voidable(row: &InvoiceRow, now: i64) -> Result<()> {
    let this_month = clock::day(now).to_string();
    let is_of_this_month = row.issued_on.as_deref().is_some_and(|day| day.get(..7) == this_month.get(..7));
    let refusal = if row.color == InvoiceColor::Red {
        say("红字发票不能作废", "A red-letter invoice cannot be voided")
    } else if row.red_cents > 0 {
        say("该发票已申请或开具红字发票，不能作废", "The invoice has red-letter invoices and cannot be voided")
    } else if row.kind == InvoiceKind::Electronic {
        say("电子发票开具后不能作废，请申请红字发票", "An electronic invoice cannot be voided: ask for a red-letter invoice")
    } else if !is_of_this_month {
        say("只能作废当月开具的发票，请申请红字发票", "Only an invoice issued this month can be voided: ask for a red-letter invoice")
    } else {
        return Ok(());
    };
    Err(ApiError::State(refusal))
}

/// A number that no request has: its day, and six letters or digits.
pub fn number(at: i64) -> String {
    format!("HZ{}-{}", clock::day_compact(at), crypto::random_text(6))
}
