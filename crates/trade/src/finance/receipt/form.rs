//! Rules of a receipt's fields.

use super::model::{ReceiptForm, ReceiptType};
use crate::ledger::incoming;
use crate::ledger::incoming::PayMethod;
use base::canonical;
use base::clock::DAY;
use base::form_limits;
use frame::api::check::present;
use frame::api::{Check, Result, say};

form_limits! {
    /// Of a receipt.
    receipt {
        /// Highest amount, in fen: a hundred million yuan.
        MOST_CENTS: i64 = 10_000_000_000,
        /// Most files that prove a payment.
        MOST_PROOFS: usize = 5,
        /// Characters of the payer's name.
        PAYER_NAME: usize = 64,
        REMARK: usize = 500,
    }
}

/// A receipt's fields as people set them, tidied: no blanks around texts, empty ones absent.
#[derive(Clone, Debug)]
pub struct Form {
    pub org_id: i64,
    pub payee_org_id: i64,
    pub biz_type: ReceiptType,
    pub amount_cents: i64,
    pub pay_method: PayMethod,
    pub paid_at: i64,
    pub payer_name: String,
    pub bank_serial: Option<String>,
    pub proof_file_ids: Vec<i64>,
    pub remark: String,
}

impl Form {
    /// Tidies a body.
    pub fn of(body: ReceiptForm) -> Form {
        Form {
            org_id: body.org_id,
            payee_org_id: body.payee_org_id,
            biz_type: body.biz_type,
            amount_cents: body.amount_cents,
            pay_method: body.pay_method,
            paid_at: body.paid_at,
            payer_name: canonical::trimmed(&body.payer_name).to_owned(),
            bank_serial: present(body.bank_serial.map(|serial| canonical::payment_no(&serial))),
            proof_file_ids: body.proof_file_ids,
            remark: body.remark.trim().to_owned(),
        }
    }

    /// Names every field that is wrong.
    pub fn check(&self, now: i64) -> Result<()> {
        let mut check = Check::new();
        incoming::check_number(&mut check, self.bank_serial.as_deref(), self.pay_method);
        let past = (now - 3650 * DAY..=now + DAY).contains(&self.paid_at);
        check
            .range("amountCents", self.amount_cents, 1..=MOST_CENTS)
            .that(
                "paidAt",
                past,
                say(
                    "付款时间应在近十年内，且不晚于明天",
                    "The time of payment must be within the last ten years and no later than tomorrow",
                ),
            )
            .name("payerName", &self.payer_name, 1..=PAYER_NAME)
            .that("proofFileIds", self.proof_file_ids.len() <= MOST_PROOFS, say("最多 5 个", "At most 5"))
            .text("remark", &self.remark, 0..=REMARK)
            .done()
    }
}
