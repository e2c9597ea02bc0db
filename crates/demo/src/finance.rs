//! The demo's recharges, adjustments, invoices and statements: most of them done, some of them waiting for a second person or for an
//! organisation's answer.

use futures_util::FutureExt;
use jiff::ToSpan;
use sqlx::Row;

use super::actor;
use super::people::{Account, of_role};
use base::clock::{self, DAY, HOUR};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Module, Stamp, Target};
use frame::api::{ApiError, App};
use frame::decision::{self, DecisionAction, Verdict};
use trade::finance::adjustment::model::{AccountPart, AdjustmentForm, AdjustmentRow, AdjustmentStatus};
use trade::finance::invoice::model::{InvoiceForm, InvoiceIssue, InvoiceRow, InvoiceSending, InvoiceStatus, InvoiceTitleType};
use trade::finance::invoice::store::NewInvoice;
use trade::finance::recharge::form::Form;
use trade::finance::recharge::model::{RechargeRow, RechargeStatus};
use trade::finance::{adjustment, invoice, recharge, statement};
use trade::ledger::incoming;
use trade::ledger::incoming::PayMethod;
use trade::ledger::invoiceable;
use trade::org::InvoiceKind;

/// The balance from which an organisation's account takes part, in fen: accounts that are short of money stay so.
const LEAST_CENTS: i64 = 1_000_000;

/// Adds recharges and adjustments of organisations that have money, and closes all months before this one.
pub async fn insert(app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    app.db
        .transact(|mut tx| {
            async move {
                let orgs = sqlx::query(
                    "SELECT o.id, o.payee_org_id FROM organisation o JOIN org_account a ON a.org_id = o.id \
                     WHERE o.status = 'active' AND o.payee_org_id IS NOT NULL AND a.balance_cents >= $1 ORDER BY o.id",
                )
                .bind(LEAST_CENTS)
                .fetch_all(&mut **tx)
                .await?;
                for (index, org) in orgs.iter().enumerate() {
                    let (org_id, payee_org_id) = (org.try_get("id")?, org.try_get("payee_org_id")?);
                    recharges(&mut tx, accounts, (org_id, payee_org_id), index as i64, now).await?;
                    if index < 4 {
                        adjust(&mut tx, accounts, org_id, index as i64, now).await?;
                    }
                }
                close_months(&mut tx, now).await?;
                invoices(&mut tx, app, accounts, now).await
            }
            .boxed()
        })
        .await
}

/// The recharges of one organisation: one that was credited with a gift, and for some one that waits, was refused or
/// cancelled.
async fn recharges(
    tx: &mut Connection,
    accounts: &[Account],
    (org_id, payee_org_id): (i64, i64),
    index: i64,
    now: i64,
) -> Result<(), ApiError> {
    let by_bank = index % 2 == 0;
    let form = |amount_cents: i64, gift_cents: i64, remark: &str| Form {
        org_id,
        payee_org_id,
        amount_cents,
        gift_cents,
        pay_method: if by_bank { PayMethod::Bank } else { PayMethod::Alipay },
        bank_serial: by_bank.then(|| format!("{:012}", 302_600_000_000 + index * 100_000 + amount_cents / 100)),
        proof_file_ids: Vec::new(),
        remark: remark.to_owned(),
    };
    let credited = form((index % 5 + 1) * 200_000, if index % 3 == 0 { 20_000 } else { 0 }, "");
    recharge(tx, accounts, &credited, now - (index % 20 + 1) * DAY, Some(RechargeStatus::Credited)).await?;
    match index % 5 {
        0 => recharge(tx, accounts, &form(500_000, 30_000, "季度活动赠送"), now - 3 * HOUR, None).await,
        1 => recharge(tx, accounts, &form(100_000, 0, ""), now - 2 * DAY, Some(RechargeStatus::Rejected)).await,
        2 => recharge(tx, accounts, &form(80_000, 0, "重复提交"), now - 2 * DAY, Some(RechargeStatus::Cancelled)).await,
        _ => Ok(()),
    }
}

async fn recharge(tx: &mut Connection, accounts: &[Account], form: &Form, at: i64, to: Option<RechargeStatus>) -> Result<(), ApiError> {
    let (by, reviewer) = (of_role(accounts, "operator"), of_role(accounts, "finance"));
    let id = recharge::store::insert(tx, &recharge::number(at), form, Stamp { admin_id: by.id, at }).await?;
    let target = Target { module: Module::Finance, kind: "recharge", id: Some(id) };
    let row = recharge::store::find(&mut *tx, Scope::All, id).await?.expect("it was just added");
    audit::record(tx, &actor(by.id, by.role_id, at), target, Action::Create, &audit::changes(None::<&RechargeRow>, Some(&row))).await?;
    decision::write_down(tx, &recharge::matter(&row, DecisionAction::ConfirmRecharge), Some(by.id), at).await?;
    let Some(status) = to else { return Ok(()) };
    let at = at + 2 * HOUR;
    let note = (status == RechargeStatus::Rejected).then_some("未收到款项");
    let who = if status == RechargeStatus::Cancelled { by } else { reviewer };
    if status == RechargeStatus::Cancelled {
        decision::withdraw(tx, "recharge", id, at).await?;
    } else {
        let verdict = Verdict { by: Some(who.id), approve: status == RechargeStatus::Credited, note, at };
        decision::decide(tx, &recharge::matter(&row, DecisionAction::ConfirmRecharge), &verdict).await?;
    }
    let step = recharge::store::Step { status, note, receipt_id: None };
    recharge::store::step(tx, id, 1, &step, Stamp { admin_id: who.id, at }).await?;
    if status == RechargeStatus::Credited {
        incoming::claim(tx, &recharge::payment_of(&row), at).await?;
        recharge::credit(tx, &row, None, Some(who.id), at).await?;
    }
    let after = recharge::store::find(&mut *tx, Scope::All, id).await?.expect("it is there");
    let action = if status == RechargeStatus::Cancelled { Action::Update } else { Action::Money };
    Ok(audit::record(tx, &actor(who.id, who.role_id, at), target, action, &audit::changes(Some(&row), Some(&after))).await?)
}

/// An adjustment of an account: two are approved, one is refused, one waits.
async fn adjust(tx: &mut Connection, accounts: &[Account], org_id: i64, index: i64, now: i64) -> Result<(), ApiError> {
    let (by, reviewer) = (of_role(accounts, "operator"), of_role(accounts, "finance"));
    let at = now - (index + 1) * 5 * HOUR;
    let form = AdjustmentForm {
        org_id,
        part: if index == 1 { AccountPart::Gift } else { AccountPart::Paid },
        amount_cents: [5_000, 10_000, -3_000, 8_800][index as usize % 4],
        reason: ["接口故障补偿", "新客赠送", "多收更正", "重复线索补偿"][index as usize % 4].to_owned(),
        proof_file_ids: Vec::new(),
    };
    let id = adjustment::store::insert(tx, &adjustment::number(at), &form, Stamp { admin_id: by.id, at }).await?;
    let target = Target { module: Module::Finance, kind: "account_adjustment", id: Some(id) };
    let row = adjustment::store::find(&mut *tx, Scope::All, id).await?.expect("it was just added");
    audit::record(tx, &actor(by.id, by.role_id, at), target, Action::Create, &audit::changes(None::<&AdjustmentRow>, Some(&row))).await?;
    decision::write_down(tx, &adjustment::matter(&row), Some(by.id), at).await?;
    if index == 0 {
        return Ok(());
    }
    let (approve, at) = (index < 3, at + HOUR);
    let note = (!approve).then_some("金额有误");
    let status = if approve { AdjustmentStatus::Approved } else { AdjustmentStatus::Rejected };
    decision::decide(tx, &adjustment::matter(&row), &Verdict { by: Some(reviewer.id), approve, note, at }).await?;
    adjustment::store::end(tx, id, 1, status, note, Stamp { admin_id: reviewer.id, at }).await?;
    if approve {
        adjustment::post(tx, &row, reviewer.id, at).await?;
    }
    let after = adjustment::store::find(&mut *tx, Scope::All, id).await?.expect("it is there");
    let changes = audit::changes(Some(&row), Some(&after));
    Ok(audit::record(tx, &actor(reviewer.id, reviewer.role_id, at), target, Action::Money, &changes).await?)
}

/// Invoices of organisations' spending: issued and sent, to be issued, waiting, refused. The first issued one is
/// partly counted back by a red-letter invoice.
async fn invoices(tx: &mut Connection, app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    let (by, reviewer) = (of_role(accounts, "operator"), of_role(accounts, "finance"));
    let rows = sqlx::query(
        "SELECT s.org_id, s.payee_org_id, o.name, a.total_spend_cents - a.spent_gift_cents AS spent_cents FROM org_payee_spend s \
         JOIN org_account a ON a.org_id = s.org_id JOIN organisation o ON o.id = s.org_id \
         WHERE s.to_cents IS NULL AND a.total_spend_cents - a.spent_gift_cents >= 20000 ORDER BY s.org_id",
    )
    .fetch_all(&mut *tx)
    .await?;
    for (index, row) in rows.iter().enumerate() {
        let (org_id, payee_org_id): (i64, i64) = (row.try_get("org_id")?, row.try_get("payee_org_id")?);
        let amount_cents = row.try_get::<i64, _>("spent_cents")? / 2;
        let kind = [InvoiceKind::Electronic, InvoiceKind::Special, InvoiceKind::Plain][index % 3];
        let text = |text: &str, needed: bool| needed.then(|| text.to_owned());
        let special = kind == InvoiceKind::Special;
        let paper = kind != InvoiceKind::Electronic;
        let form = InvoiceForm {
            org_id,
            payee_org_id,
            kind,
            title_type: InvoiceTitleType::Company,
            title: row.try_get("name")?,
            tax_no: Some(format!("91310000MA1F{:06}", org_id)),
            bank: text("招商银行上海分行", special),
            bank_account: text("121900001234567", special),
            reg_address: text("上海市浦东新区世纪大道 1 号", special),
            reg_phone: text("021-50000000", special),
            amount_cents,
            content: "信息服务费".to_owned(),
            receiver_name: text("邵明", paper).unwrap_or_default(),
            receiver_phone: text("10000090001", paper).unwrap_or_default(),
            receiver_address: text("上海市浦东新区世纪大道 1 号", paper).unwrap_or_default(),
            receiver_email: text("finance@example.com", !paper).unwrap_or_default(),
            remark: String::new(),
        };
        let at = now - (index as i64 % 9 + 1) * DAY;
        let stamp = |by: &Account, at: i64| Stamp { admin_id: by.id, at };
        invoiceable::take(tx, (org_id, payee_org_id), amount_cents, at).await?;
        let new = NewInvoice { no: &invoice::number(at), form: &form, refunded_cents: 0, red: None };
        let id = invoice::store::insert(tx, &app.keys, &new, stamp(by, at)).await?;
        let target = Target { module: Module::Finance, kind: "invoice", id: Some(id) };
        let before = invoice::store::find(&mut *tx, Scope::All, id).await?.expect("it was just added");
        audit::record(tx, &actor(by.id, by.role_id, at), target, Action::Create, &audit::changes(None::<&InvoiceRow>, Some(&before)))
            .await?;
        let matter = invoice::matter(&before, DecisionAction::ApproveInvoice);
        decision::write_down(tx, &matter, Some(by.id), at).await?;
        // The first one is issued, so that small demos have one.
        let (step, later) = ((index + 2) % 5, at + 3 * HOUR);
        if step == 0 {
            continue;
        }
        let refused = step == 4;
        let status = if refused { InvoiceStatus::Refused } else { InvoiceStatus::Approved };
        let note = refused.then_some("抬头与税号不符");
        decision::decide(tx, &matter, &Verdict { by: Some(reviewer.id), approve: !refused, note, at: later }).await?;
        invoice::store::step(tx, (id, 1), status, note, stamp(reviewer, later)).await?;
        if refused {
            invoiceable::give_back(tx, (org_id, payee_org_id), amount_cents, 0).await?;
        }
        if step == 2 || step == 3 {
            let issue = InvoiceIssue {
                id,
                version: 2,
                invoice_code: paper.then(|| "031002500111".to_owned()),
                invoice_number: format!("{:08}", 20_260_000 + id),
                issued_on: clock::day(later).to_string(),
                file_ids: Vec::new(),
            };
            invoice::store::issued(tx, &issue, &[], stamp(reviewer, later)).await?;
        }
        if step == 3 {
            let sending = InvoiceSending {
                id,
                version: 3,
                courier: paper.then(|| "顺丰速运".to_owned()),
                tracking_no: paper.then(|| format!("SF{:012}", 130_000_000 + id)),
            };
            invoice::store::sent(tx, &sending, stamp(reviewer, later + HOUR)).await?;
        }
        let after = invoice::store::find(&mut *tx, Scope::All, id).await?.expect("it is there");
        let changes = audit::changes(Some(&before), Some(&after));
        audit::record(tx, &actor(reviewer.id, reviewer.role_id, later), target, Action::Money, &changes).await?;
        if index == 0 {
            red_invoice(tx, app, (by, reviewer), &after, form).await?;
        }
    }
    Ok(())
}

/// A red-letter invoice that counts back a quarter of an issued invoice, on the same day.
async fn red_invoice(
    tx: &mut Connection,
    app: &App,
    (by, reviewer): (&Account, &Account),
    of: &InvoiceRow,
    form: InvoiceForm,
) -> Result<(), ApiError> {
    let (at, later) = (of.created_at + 6 * HOUR, of.created_at + 9 * HOUR);
    let stamp = |by: &Account, at: i64| Stamp { admin_id: by.id, at };
    let amount_cents = (of.amount_cents / 4).max(1);
    invoice::store::take_red(tx, of.id, amount_cents).await?;
    let form = InvoiceForm { amount_cents, ..form };
    let new = NewInvoice { no: &invoice::red::number(at), form: &form, refunded_cents: 0, red: Some((of.id, "退单退款")) };
    let id = invoice::store::insert(tx, &app.keys, &new, stamp(by, at)).await?;
    let target = Target { module: Module::Finance, kind: "invoice", id: Some(id) };
    let before = invoice::store::find(&mut *tx, Scope::All, id).await?.expect("it was just added");
    audit::record(tx, &actor(by.id, by.role_id, at), target, Action::Create, &audit::changes(None::<&InvoiceRow>, Some(&before))).await?;
    let matter = invoice::matter(&before, DecisionAction::ApproveInvoice);
    decision::write_down(tx, &matter, Some(by.id), at).await?;
    decision::decide(tx, &matter, &Verdict { by: Some(reviewer.id), approve: true, note: None, at: later }).await?;
    invoice::store::step(tx, (id, 1), InvoiceStatus::Approved, None, stamp(reviewer, later)).await?;
    let issue = InvoiceIssue {
        id,
        version: 2,
        invoice_code: of.invoice_code.clone(),
        invoice_number: format!("{:08}", 20_260_000 + id),
        issued_on: clock::day(later).to_string(),
        file_ids: Vec::new(),
    };
    invoice::store::issued(tx, &issue, &[], stamp(reviewer, later)).await?;
    invoiceable::count_back(tx, (of.org_id, of.payee_org_id), amount_cents).await?;
    let after = invoice::store::find(&mut *tx, Scope::All, id).await?.expect("it is there");
    let changes = audit::changes(Some(&before), Some(&after));
    Ok(audit::record(tx, &actor(reviewer.id, reviewer.role_id, later), target, Action::Money, &changes).await?)
}

/// Closes all months before this one. Their statements are confirmed; of the last one some are not sent, not answered, or
/// disputed.
async fn close_months(tx: &mut Connection, now: i64) -> Result<(), ApiError> {
    let Some(first) = statement::store::first_entry(&mut *tx).await? else { return Ok(()) };
    let (mut first, this_month) = (clock::day(first).first_of_month(), clock::day(now).first_of_month());
    let mut last = String::new();
    while first < this_month {
        let next = first.saturating_add(1.month());
        first.to_string()[..7].clone_into(&mut last);
        let closed_at = (clock::start(next) + 2 * HOUR).min(now);
        statement::store::close(tx, &last, (clock::start(first), clock::start(next)), closed_at).await?;
        first = next;
    }
    sqlx::query(
        "UPDATE org_statement SET status = 'confirmed', sent_at = created_at, answered_at = created_at, version = 3 WHERE month < $1",
    )
    .bind(&last)
    .execute(&mut *tx)
    .await?;
    for (rest, status) in [(0, "sent"), (1, "confirmed"), (2, "sent"), (3, "disputed")] {
        sqlx::query(
            "UPDATE org_statement SET status = $1, sent_at = created_at, version = 2, note = CASE WHEN $2 = 'disputed' THEN '少记一笔退单' END, \
               answered_at = CASE WHEN $3 IN ('confirmed', 'disputed') THEN created_at END WHERE month = $4 \
               AND (org_id - (SELECT MIN(id) FROM organisation)) % 5 = $5",
        )
        .bind(status)
        .bind(status)
        .bind(status)
        .bind(&last)
        .bind(rest)
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}
