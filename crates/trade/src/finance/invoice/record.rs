//! One invoice: view, request, withdrawal, approval or refusal, issue, sending, voiding. Its amount is taken from the
//! invoiceable amount with the request, and given back if the invoice is not made. The same for red-letter invoices.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;

use super::list::TARGET;
use super::model::{
    InvoiceColor, InvoiceDecision, InvoiceForm, InvoiceIssue, InvoiceRow, InvoiceSending, InvoiceStatus, InvoiceVersion, RevealedReceiver,
};
use super::notices::NOTICES;
use super::store::NewInvoice;
use super::{form, notices, red, store};
use crate::ledger::invoiceable;
use crate::org::{self, InvoiceKind, payee};
use base::canonical;
use base::clock::DAY;
use base::crypto::place;
use base::db::Connection;
use base::form_limits;
use base::locale::Locale;
use base::{clock, crypto, db};
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Change, Target};
use frame::api::check::{present, present_paper_no};
use frame::api::versioned::{self, Versioned};
use frame::api::{self, ApiError, Body, Check, Ctx, FileRule, Id, Result, check_step, say};
use frame::decision::{self, DecisionAction, Matter, Verdict};
use frame::{reveal, upload};

/// Its name in messages.
const NAME: (&str, &str) = ("发票", "invoice");

form_limits! {
    /// Of an issued invoice.
    invoice {
        /// Digits of its code.
        CODE: usize = 12,
        /// Characters of the courier's name.
        COURIER: usize = 32,
        MOST_FILES: usize = 5,
        /// Digits of its number.
        NUMBER: usize = 20,
        TRACKING_NO: usize = 32,
    }
}

/// The issued invoices themselves: those who see the record see them.
pub const FILE: FileRule = FileRule { biz_type: "invoice_file", pictures_only: false, masks_names: false, sees: sees_file };

fn sees_file(cx: Arc<Ctx>, id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        Ok(viewer.has("finance/invoice/list") && store::find(cx.db().read(), viewer.scope(), id).await?.is_some())
    })
}

impl Versioned for InvoiceRow {
    const TARGET: Target = TARGET;
    const LEFT_OUT: &'static [&'static str] = &["orgId", "payeeOrgId", "redOfId", "createdBy", "decision", "bankAccount", "regPhone"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<InvoiceRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /finance/invoice/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<InvoiceRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /finance/invoice/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `GET /finance/invoice/reveal/{id}`: the receiver's whole phone. The reveal is recorded first.
pub async fn reveal(cx: Arc<Ctx>, Id(id): Id) -> Result<RevealedReceiver> {
    let mut tx = cx.db().begin().await?;
    store::find(&mut *tx, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    let sealed = store::sealed_phone(&mut tx, id).await?;
    let receiver_phone = if sealed.is_empty() { sealed } else { cx.app.keys.open(&place::INVOICE_PHONE.of(id), &sealed)? };
    let seen = Change { field: "receiverPhone".to_owned(), before: None, after: None };
    reveal::written(&cx, tx, TARGET.of(id), &[seen]).await?;
    Ok(RevealedReceiver { receiver_phone })
}

/// `POST /finance/invoice`: for the viewer's own organisation, or by platform staff for any.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<InvoiceForm>) -> Result<InvoiceRow> {
    let viewer = cx.viewer()?;
    let form = form::tidied(body);
    form::check(&form)?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                if org::find(&mut **tx, viewer.scope(), form.org_id).await?.is_none() {
                    return Err(ApiError::field("orgId", say("请选择机构", "Choose an organisation")));
                }
                let paid = invoiceable::has_paid(&mut tx, (form.org_id, form.payee_org_id)).await?;
                let Some(kinds) = payee::invoice_kinds(&mut tx, form.payee_org_id).await?.filter(|_| paid) else {
                    return Err(ApiError::field(
                        "payeeOrgId",
                        say("请选择该机构付过款的收款主体", "Choose a payee that the organisation has paid"),
                    ));
                };
                if !kinds.contains(&form.kind) {
                    return Err(ApiError::field("kind", say("该收款主体不开具这种发票", "The payee does not issue invoices of this kind")));
                }
                let of = (form.org_id, form.payee_org_id);
                let Some(refunded_cents) = invoiceable::take(&mut tx, of, form.amount_cents, cx.now).await? else {
                    return Err(ApiError::field("amountCents", super::invoiceable::shortage(&mut tx, of).await?));
                };
                let new = NewInvoice { no: &number(cx.now), form, refunded_cents, red: None };
                let id = store::insert(&mut tx, &cx.app.keys, &new, cx.stamp()?).await?;
                let row = store::find(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
                decision::write_down(&mut tx, &matter(&row, DecisionAction::ApproveInvoice), Some(viewer.id), cx.now).await?;
                notices::waits(&mut tx, &row, viewer.id, cx.now).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /finance/invoice/withdraw`: by the person who requested it, while it waits.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<InvoiceVersion>) -> Result<InvoiceRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current_in_scope::<InvoiceRow>(cx, &mut tx, body.id, Some(body.version)).await?;
                check_step(before.status, InvoiceStatus::Withdrawn, NAME)?;
                if before.created_by != Some(viewer.id) {
                    return Err(ApiError::State(say("只有申请人可以撤回", "Only the applicant can withdraw it")));
                }
                let written = store::step(&mut tx, (before.id, body.version), InvoiceStatus::Withdrawn, None, cx.stamp()?).await?;
                if written {
                    red::release(cx, &mut tx, &before).await?;
                    decision::withdraw(&mut tx, TARGET.kind, before.id, cx.now).await?;
                    NOTICES.close(&mut tx, before.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// An invoice as the subject of a decision: its approval, or its voiding.
pub fn matter(row: &InvoiceRow, action: DecisionAction) -> Matter<'static> {
    let seen = json!({
        "no": row.no, "org": row.org_id, "payee": row.payee_org_id, "redOf": row.red_of_id, "redReason": row.red_reason, "kind": row.kind,
        "titleType": row.title_type, "title": row.title, "taxNo": row.tax_no, "cents": row.amount_cents, "content": row.content,
        "bank": row.bank, "bankAccount": row.bank_account, "regAddress": row.reg_address, "regPhone": row.reg_phone,
        "receiver": [&row.receiver_name, &row.receiver_phone_mask, &row.receiver_address, &row.receiver_email], "remark": row.remark,
    });
    Matter { action, table: TARGET.kind, id: row.id, version: row.version, hash: decision::hash(&seen), payload: None, note: None }
}

/// `PUT /finance/invoice/status`: approved, refused or void, by another person than the one who requested it.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<InvoiceDecision>) -> Result<InvoiceRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<InvoiceRow>(cx, &mut tx, body.id, body.version).await?;
                if !matches!(body.status, InvoiceStatus::Approved | InvoiceStatus::Refused | InvoiceStatus::Void) {
                    return Err(ApiError::Malformed("status: approved, refused or void".to_owned()));
                }
                check_step(before.status, body.status, NAME)?;
                if body.status == InvoiceStatus::Void {
                    red::check_voidable(&before, cx.now)?;
                }
                let note = present(body.note.clone());
                let least = usize::from(body.status != InvoiceStatus::Approved);
                Check::new().text("note", note.as_deref().unwrap_or_default(), least..=decision::REASON).done()?;
                decide_on(&mut tx, &before, body.status, note.as_deref(), viewer.id, cx.now).await?;
                let written = store::step(&mut tx, (before.id, body.version), body.status, note.as_deref(), cx.stamp()?).await?;
                if written && !body.status.counts() {
                    red::release(cx, &mut tx, &before).await?;
                }
                if written {
                    notices::decided(&mut tx, &before, body.status, note.as_deref(), viewer.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// Records the decision: on the request while it waits, later on its voiding. The person who requested it may not
/// make either.
async fn decide_on(tx: &mut Connection, row: &InvoiceRow, to: InvoiceStatus, note: Option<&str>, by: i64, at: i64) -> Result<()> {
    let waits = row.status == InvoiceStatus::Waiting;
    let verdict = Verdict { by: Some(by), approve: !waits || to == InvoiceStatus::Approved, note, at };
    if waits {
        return decision::decide(tx, &matter(row, DecisionAction::ApproveInvoice), &verdict).await;
    }
    let matter = matter(row, DecisionAction::VoidInvoice);
    decision::write_down(tx, &matter, row.created_by, at).await?;
    decision::decide(tx, &matter, &verdict).await
}

/// `PUT /finance/invoice/issue`: the number, the day and the file of the invoice.
pub async fn issue(cx: Arc<Ctx>, Body(body): Body<InvoiceIssue>) -> Result<InvoiceRow> {
    let viewer = cx.viewer()?;
    let body = InvoiceIssue {
        invoice_code: present_paper_no(body.invoice_code),
        invoice_number: canonical::paper_no(&body.invoice_number),
        issued_on: canonical::day_or_text(&body.issued_on),
        ..body
    };
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<InvoiceRow>(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, InvoiceStatus::Issued, NAME)?;
                let of = red::hold_of(&mut tx, &before).await?;
                check_issue(body, of.and_then(|of| of.issued_on).as_deref(), cx.now)?;
                if !upload::settle(&mut tx, FILE.biz_type, body.id, &body.file_ids, viewer.id, cx.now).await? {
                    return Err(ApiError::field("fileIds", say("请重新上传发票文件", "Upload the file of the invoice again")));
                }
                let files = upload::files_of(&mut tx, FILE.biz_type, body.id).await?;
                let written = store::issued(&mut tx, body, &files, cx.stamp()?).await.map_err(|error| match db::is_duplicate(&error) {
                    true => ApiError::field("invoiceNumber", say("该发票号码已登记", "This invoice number is already recorded")),
                    false => error.into(),
                })?;
                if written && before.color == InvoiceColor::Red {
                    invoiceable::count_back(&mut tx, (before.org_id, before.payee_org_id), -before.amount_cents).await?;
                }
                if written {
                    notices::issued(&mut tx, &before, viewer.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// A red-letter invoice is not issued before the invoice that it counts back.
fn check_issue(body: &InvoiceIssue, not_before: Option<&str>, now: i64) -> Result<()> {
    let digits = |text: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let code = &body.invoice_code;
    let day = clock::day_start(&body.issued_on);
    Check::new()
        .that(
            "invoiceCode",
            code.as_deref().is_none_or(|code| digits(code, 10..=CODE)),
            say("发票代码为 10 至 12 位数字", "10 to 12 digits"),
        )
        .that("invoiceNumber", digits(&body.invoice_number, 8..=NUMBER), say("发票号码为 8 至 20 位数字", "8 to 20 digits"))
        .that(
            "issuedOn",
            day.is_some_and(|day| day <= now && day > now - 400 * DAY),
            say("请填写一年内且不晚于今天的日期", "Enter a day within the last year and not after today"),
        )
        .that(
            "issuedOn",
            not_before.is_none_or(|first| first <= body.issued_on.as_str()),
            say("不能早于原发票的开票日期", "Not before the day of the invoice that it counts back"),
        )
        .that("fileIds", body.file_ids.len() <= MOST_FILES, say("最多 5 个", "At most 5"))
        .done()
}

/// `PUT /finance/invoice/send`: a paper invoice by courier, an electronic one by mail.
pub async fn send(cx: Arc<Ctx>, Body(body): Body<InvoiceSending>) -> Result<InvoiceRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<InvoiceRow>(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, InvoiceStatus::Sent, NAME)?;
                let paper = usize::from(before.kind != InvoiceKind::Electronic);
                let text = |text: &Option<String>| present(text.clone()).unwrap_or_default();
                Check::new()
                    .text("courier", &text(&body.courier), paper..=COURIER)
                    .text("trackingNo", &text(&body.tracking_no), paper..=TRACKING_NO)
                    .done()?;
                let written = store::sent(&mut tx, body, cx.stamp()?).await?;
                if written {
                    notices::sent(&mut tx, &before, body, viewer.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// A number that no request has: its day, and six letters or digits.
pub fn number(at: i64) -> String {
    format!("FP{}-{}", clock::day_compact(at), crypto::random_text(6))
}
