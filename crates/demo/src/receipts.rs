//! The demo's receipts: payments of its organisations, month by month, most of them confirmed and credited.

use sqlx::Row;

use super::actor;
use super::people::Account;
use super::random::Random;
use base::clock::{DAY, HOUR};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Module, Stamp, Target};
use frame::api::ApiError;
use frame::decision::{self, DecisionAction, Verdict};
use trade::finance::receipt::form::Form;
use trade::finance::receipt::model::{ReceiptRow, ReceiptStatus, ReceiptType};
use trade::finance::receipt::{matter, number, payment_of, store};
use trade::ledger::incoming;
use trade::ledger::incoming::PayMethod;
use trade::ledger::{self, Entry, EntryKind};

const METHODS: &[PayMethod] = &[PayMethod::Bank, PayMethod::Bank, PayMethod::Bank, PayMethod::Online, PayMethod::Wechat, PayMethod::Alipay];

/// Adds receipts of every organisation that has a payee.
pub async fn insert(tx: &mut Connection, accounts: &[Account], random: &mut Random, now: i64) -> Result<(), ApiError> {
    let of_role = |role| accounts.iter().find(|account| account.role == role).expect("the demo has every role");
    let (operator, finance) = (of_role("operator"), of_role("finance"));
    let rows = sqlx::query(
        "SELECT id, short_name, payee_org_id, bill_mode, status, created_at FROM organisation \
         WHERE payee_org_id IS NOT NULL AND status <> 'pending' ORDER BY id",
    )
    .fetch_all(&mut *tx)
    .await?;
    for (index, row) in rows.iter().enumerate() {
        let credit = row.try_get::<&str, _>("bill_mode")? == "credit";
        let mut at = row.try_get::<i64, _>("created_at")? + 5 * DAY;
        let mut place = 0;
        while at < now {
            let method = *random.pick(METHODS);
            let form = Form {
                org_id: row.try_get("id")?,
                payee_org_id: row.try_get("payee_org_id")?,
                biz_type: if credit { ReceiptType::Settlement } else { ReceiptType::Recharge },
                amount_cents: random.between(10, 60) * 100_000,
                pay_method: method,
                paid_at: at,
                payer_name: row.try_get("short_name")?,
                bank_serial: (method == PayMethod::Bank).then(|| format!("{:012}", 202_600_000_000 + index as i64 * 1_000 + place)),
                proof_file_ids: Vec::new(),
                remark: String::new(),
            };
            // The latest ones are still to be decided on.
            let decided = if at > now - 4 * DAY {
                None
            } else {
                Some(if random.percent(94) { ReceiptStatus::Confirmed } else { ReceiptStatus::Rejected })
            };
            one(tx, &form, at, decided, operator, finance).await?;
            at += (25 + random.below(40)) * DAY;
            place += 1;
        }
        if row.try_get::<&str, _>("status")? == "active" && index % 5 == 1 {
            let form = Form {
                org_id: row.try_get("id")?,
                payee_org_id: row.try_get("payee_org_id")?,
                biz_type: ReceiptType::Recharge,
                amount_cents: 3_000_000,
                pay_method: PayMethod::Online,
                paid_at: now - 5 * HOUR,
                payer_name: row.try_get("short_name")?,
                bank_serial: None,
                proof_file_ids: Vec::new(),
                remark: "客户催办，请尽快确认".to_owned(),
            };
            one(tx, &form, now - 4 * HOUR, None, operator, finance).await?;
        }
    }
    Ok(())
}

async fn one(
    tx: &mut Connection,
    form: &Form,
    at: i64,
    decided: Option<ReceiptStatus>,
    by: &Account,
    reviewer: &Account,
) -> Result<(), ApiError> {
    let stamp = Stamp { admin_id: by.id, at };
    let no = number(at);
    let id = store::insert(tx, &no, form, stamp).await?;
    store::write(tx, id, 0, form, &[], stamp).await?;
    let target = Target { module: Module::Receipt, kind: "receipt", id: Some(id) };
    let row = store::find(&mut *tx, Scope::All, id).await?.expect("it was just added");
    audit::record(tx, &actor(by.id, by.role_id, at), target, Action::Create, &audit::changes(None::<&ReceiptRow>, Some(&row))).await?;
    decision::write_down(tx, &matter(&row, DecisionAction::ConfirmReceipt), Some(by.id), at).await?;
    let Some(status) = decided else { return Ok(()) };
    let at = at + 3 * HOUR;
    let note = (status == ReceiptStatus::Rejected).then_some("流水号与银行回单不一致");
    let verdict = Verdict { by: Some(reviewer.id), approve: status == ReceiptStatus::Confirmed, note, at };
    decision::decide(tx, &matter(&row, DecisionAction::ConfirmReceipt), &verdict).await?;
    store::decide(tx, id, 1, status, note, Stamp { admin_id: reviewer.id, at }).await?;
    let after = store::find(&mut *tx, Scope::All, id).await?.expect("it is there");
    audit::record(tx, &actor(reviewer.id, reviewer.role_id, at), target, Action::Money, &audit::changes(Some(&row), Some(&after))).await?;
    if status == ReceiptStatus::Confirmed {
        incoming::claim(tx, &payment_of(&row), at).await?;
        let entry = Entry {
            org_id: form.org_id,
            kind: EntryKind::Recharge,
            amount_cents: form.amount_cents,
            gift_cents: 0,
            reference: ("receipt", id),
            idem_key: &format!("receipt-{id}-confirmed"),
            operator_id: Some(reviewer.id),
            remark: &no,
            at,
        };
        ledger::post(tx, &entry).await?;
    }
    Ok(())
}
