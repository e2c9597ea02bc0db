//! One record of money: view, entry, edit, decision, deletion. Every change is one transaction with its audit row.
//! The clue is locked first, then the record.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;

use super::clue::{self, MoneyClue};
use super::form::{Form, SERIAL, check_serial};
use super::model::{MoneyDecision, MoneyForm, MoneyRow, MoneyStatus, MoneyType};
use super::notices::NOTICES;
use super::store::NewMoney;
use super::{ENTER, notices, status, store};
use base::db::Connection;
use base::locale::Locale;
use base::{clock, crypto};
use frame::access::audit::{self, Action, AuditEntry, Change, Module, Target};
use frame::access::{Scope, stamped};
use frame::api::check::present;
use frame::api::input::Sent;
use frame::api::versioned::{self, Versioned};
use frame::api::{self, ApiError, Body, Check, Ctx, FileRule, Id, Result, say};
use frame::decision::{self, DecisionAction, Matter, Verdict};
use frame::{terms, upload};
use trade::ledger::outgoing::{self, Outgoing};

/// Records of money in the audit trail.
pub const TARGET: Target = Target { module: Module::ClueMoney, kind: "money_record", id: None };

/// Files that prove a payment: those who see the record see them.
pub const PROOF: FileRule = FileRule { biz_type: "money_proof", pictures_only: false, masks_names: false, sees: sees_proof };

fn sees_proof(cx: Arc<Ctx>, id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        Ok(viewer.has(ENTER) && store::find(cx.db().read(), viewer.scope(), id).await?.is_some())
    })
}

impl Versioned for MoneyRow {
    const TARGET: Target = TARGET;
    const LEFT_OUT: &'static [&'static str] = &["decision", "reviewedBy", "createdBy", "clueId", "orgId", "subOrgId", "salesId"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<MoneyRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /crm/getMoney/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<MoneyRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /crm/money/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `POST /crm/addMoney`: for a clue within the viewer's scope that is not given up.
pub async fn create(cx: Arc<Ctx>, Sent(body): Sent<MoneyForm>) -> Result<MoneyRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new record has none".to_owned()));
    }
    let form = Form::of(body);
    form.check(cx.now)?;
    let (cx, form) = (&*cx, &form);
    let scope = cx.viewer()?.scope();
    cx.db()
        .transact(|mut tx| {
            async move {
                let clue = chosen(&mut tx, scope, form).await?;
                clue.check_live()?;
                if form.kind != MoneyType::Refund {
                    clue.check_stage()?;
                }
                check_refund(&mut tx, form.kind, form.amount_cents, clue.id).await?;
                let form = &without_person(cx, &mut tx, clue.id, form).await?;
                let id = store::insert(&mut tx, &NewMoney::of(&number(cx.now), &clue), form, cx.stamp()?).await?;
                save(cx, &mut tx, id, 0, form).await?;
                written_by(cx, &mut tx, id).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `POST /crm/updateMoney`: corrects a pending record, or submits a rejected one again.
pub async fn update(cx: Arc<Ctx>, Sent(body): Sent<MoneyForm>) -> Result<MoneyRow> {
    let (id, version) = (body.id.ok_or_else(|| ApiError::Malformed("missing field `id`".to_owned()))?, body.version);
    let form = Form::of(body);
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let clue = clue_of(&mut tx, id).await?;
                let before = versioned::current_in_scope::<MoneyRow>(cx, &mut tx, id, version).await?;
                status::edit(before.status)?;
                if form.clue_id.is_some_and(|id| id != before.clue_id) {
                    return Err(ApiError::field("clueId", say("收款记录的线索不能修改", "The lead of a payment cannot be changed")));
                }
                form.check(cx.now)?;
                if form.kind != MoneyType::Refund {
                    clue.check_stage()?;
                }
                check_refund(&mut tx, form.kind, form.amount_cents, clue.id).await?;
                let form = &without_person(cx, &mut tx, clue.id, form).await?;
                let written = save(cx, &mut tx, id, before.version, form).await?;
                if written {
                    written_by(cx, &mut tx, id).await?;
                }
                versioned::changed_with_within(cx, &mut tx, before, written, versioned::unseen(cx, version)).await
            }
            .boxed()
        })
        .await
}

/// A form whose remark does not name the person of the clue.
async fn without_person(cx: &Ctx, tx: &mut Connection, clue_id: i64, form: &Form) -> Result<Form> {
    Ok(Form { remark: clue::without_person(cx, tx, clue_id, &form.remark).await?, ..form.clone() })
}

/// `PUT /crm/money/status`: confirms or rejects a record, by a person who did not write it; or voids it, by a person
/// who neither wrote nor confirmed it.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<MoneyDecision>) -> Result<MoneyRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let clue = clue_of(&mut tx, body.id).await?;
                let before = versioned::current_in_scope::<MoneyRow>(cx, &mut tx, body.id, Some(body.version)).await?;
                status::decide(before.status, body.status)?;
                let note = present(body.note.clone());
                let least = usize::from(body.status != MoneyStatus::Confirmed);
                let mut check = Check::new();
                check.text("note", note.as_deref().unwrap_or_default(), least..=decision::REASON);
                if body.status == MoneyStatus::Confirmed {
                    // Older versions entered refunds without the number.
                    check_serial(&mut check, before.kind, before.bank_serial.as_deref(), before.pay_method);
                }
                check.done()?;
                let note = match note {
                    Some(note) => Some(clue::without_person(cx, &mut tx, clue.id, &note).await?),
                    None => None,
                };
                let verdict =
                    Verdict { by: Some(viewer.id), approve: body.status != MoneyStatus::Rejected, note: note.as_deref(), at: cx.now };
                match body.status {
                    MoneyStatus::Void => {
                        check_void(&mut tx, &before).await?;
                        decision::decide_after(&mut tx, &matter(&before, DecisionAction::VoidMoney), &verdict).await?;
                    }
                    _ => {
                        if body.status == MoneyStatus::Confirmed {
                            if before.kind != MoneyType::Refund {
                                clue.check_stage()?;
                            }
                            check_refund(&mut tx, before.kind, before.amount_cents, before.clue_id).await?;
                        }
                        decision::decide(&mut tx, &matter(&before, DecisionAction::ConfirmMoney), &verdict).await?;
                    }
                }
                let written = store::decide(&mut tx, before.id, body.version, body.status, note.as_deref(), cx.stamp()?).await?;
                let mut more = None;
                if written && before.kind == MoneyType::Refund {
                    more = pay_out(&mut tx, &before, body).await?;
                }
                if written {
                    notices::decided(&mut tx, &before, body.status, note.as_deref(), viewer.id, cx.now).await?;
                }
                versioned::changed_as_with_within(cx, &mut tx, before, written, Action::Money, more.into_iter().collect()).await
            }
            .boxed()
        })
        .await
}

/// Records a confirmed refund as an outgoing payment; releases the payment if the refund is voided.
async fn pay_out(tx: &mut Connection, row: &MoneyRow, decision: &MoneyDecision) -> Result<Option<Change>> {
    match decision.status {
        MoneyStatus::Confirmed => {
            let payment = payment_of(&mut *tx, row).await?;
            outgoing::confirm(tx, &payment, SERIAL, decision.another_payment == Some(true)).await
        }
        MoneyStatus::Void => {
            outgoing::release(tx, TARGET.kind, row.id).await?;
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// The payment by which a refund that staff entered was made.
pub async fn payment_of<'m>(tx: &mut Connection, row: &'m MoneyRow) -> std::result::Result<Outgoing<'m>, sqlx::Error> {
    Ok(Outgoing {
        payee_org_id: store::payee_of(tx, row.org_id).await?,
        number: row.bank_serial.as_deref(),
        org_id: Some(row.org_id),
        amount_cents: row.amount_cents,
        paid_at: row.paid_at,
        source_table: TARGET.kind,
        source_id: row.id,
    })
}

/// `DELETE /crm/deleteMoney/{id}`: a record that was never confirmed.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let viewer = cx.viewer()?;
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current_in_scope::<MoneyRow>(cx, &mut tx, id, None).await?;
                status::edit(before.status)?;
                if !stamped::remove(&mut tx, TARGET.kind, id, cx.stamp()?).await? {
                    return Err(ApiError::Missing);
                }
                decision::withdraw(&mut tx, TARGET.kind, id, cx.now).await?;
                NOTICES.close(&mut tx, id, cx.now).await?;
                upload::settle(&mut tx, PROOF.biz_type, id, &[], viewer.id, cx.now).await?;
                versioned::deleted_within(cx, &mut tx, before).await
            }
            .boxed()
        })
        .await
}

/// A record as the matter of a decision, with all its data about the money.
pub fn matter(row: &MoneyRow, action: DecisionAction) -> Matter<'static> {
    let proofs: Vec<i64> = row.proof_files.iter().map(|file| file.id).collect();
    let mut seen = json!({
        "action": action, "no": row.no, "clue": row.clue_id, "sales": row.sales_id, "type": row.kind, "loan": row.loan_cents,
        "cents": row.amount_cents, "method": row.pay_method, "paidAt": row.paid_at, "proofs": proofs, "remark": row.remark,
    });
    // Records of older versions have no number. Their hash was made without it.
    if let Some(serial) = &row.bank_serial {
        seen["bankSerial"] = json!(serial);
    }
    Matter { action, table: TARGET.kind, id: row.id, version: row.version, hash: decision::hash(&seen), payload: None, note: None }
}

/// A new number: the day and six random letters or digits.
pub fn number(at: i64) -> String {
    format!("MR{}-{}", clock::day_compact(at), crypto::random_text(6).to_uppercase())
}

async fn clue_of(tx: &mut Connection, id: i64) -> Result<MoneyClue> {
    clue::hold_of(tx, id).await?.ok_or(ApiError::Missing)
}

/// The clue of a new record, by its id or its number.
async fn chosen(tx: &mut Connection, scope: Scope, form: &Form) -> Result<MoneyClue> {
    let (name, id) = match (form.clue_id, &form.clue_no) {
        (Some(id), _) => ("clueId", Some(id)),
        (None, Some(no)) => ("clueNo", clue::by_number(tx, no).await?),
        (None, None) => ("clueId", None),
    };
    let found = match id {
        Some(id) => clue::hold(tx, scope, id).await?,
        None => None,
    };
    found.ok_or_else(|| ApiError::field(name, say("没有这条线索", "There is no such lead")))
}

/// Refuses a refund above what was entered for the clue and confirmed.
async fn check_refund(tx: &mut Connection, kind: MoneyType, amount_cents: i64, clue_id: i64) -> Result<()> {
    if kind != MoneyType::Refund {
        return Ok(());
    }
    let received = store::received_by_hand(tx, clue_id).await?;
    match amount_cents <= received {
        true => Ok(()),
        false => Err(ApiError::field(
            "amountCents",
            say(
                format!("该线索人工录入且已确认的收款只剩 {} 元可退；在线收款请在支付订单中退款", terms::yuan(received.max(0))),
                format!(
                    "Only {} CNY of the payments that were entered and confirmed for the lead can be refunded; refund online payments at their orders",
                    terms::yuan(received.max(0))
                ),
            ),
        )),
    }
}

/// Refuses to void money that was partly refunded, and money of a payment order.
async fn check_void(tx: &mut Connection, row: &MoneyRow) -> Result<()> {
    if row.payment_order_id.is_some() {
        return Err(ApiError::State(say(
            "该记录来自支付订单，不能作废，请在支付订单中退款",
            "The payment comes from a payment order and cannot be voided: refund the order",
        )));
    }
    let left = store::received_by_hand(tx, row.clue_id).await? - row.net_cents();
    match left >= 0 || row.kind == MoneyType::Refund {
        true => Ok(()),
        false => Err(ApiError::State(say(
            "该线索的退款会超过其收款，请先作废退款",
            "The refunds of the lead would exceed its payments: void the refund first",
        ))),
    }
}

/// Records who wrote a pending record, and notifies those who may decide.
async fn written_by(cx: &Ctx, tx: &mut Connection, id: i64) -> Result<()> {
    let (row, by) = (store::find(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)?, cx.viewer()?.id);
    decision::write_down(tx, &matter(&row, DecisionAction::ConfirmMoney), Some(by), cx.now).await?;
    Ok(notices::waits(tx, &row, by, cx.now).await?)
}

/// Attaches the form's files to the record, and writes its fields.
async fn save(cx: &Ctx, tx: &mut Connection, id: i64, version: i64, form: &Form) -> Result<bool> {
    if let Some(ids) = &form.proof_file_ids
        && !upload::settle(tx, PROOF.biz_type, id, ids, cx.viewer()?.id, cx.now).await?
    {
        return Err(ApiError::field("proofFileIds", say("请重新上传凭证", "Upload the proof of payment again")));
    }
    let proofs = upload::files_of(tx, PROOF.biz_type, id).await?;
    Ok(store::write(tx, id, version, form, &proofs, cx.stamp()?).await?)
}
