//! Rules of a recharge's fields.

use super::model::RechargeForm;
use crate::ledger::incoming;
use crate::ledger::incoming::PayMethod;
use base::canonical;
use base::form_limits;
use frame::api::check::present;
use frame::api::{Check, Result, say};

form_limits! {
    /// Of a recharge.
    recharge {
        /// Highest amount, in fen: a hundred million yuan.
        MOST_CENTS: i64 = 10_000_000_000,
        /// Most files that prove a payment.
        MOST_PROOFS: usize = 5,
        REMARK: usize = 500,
    }
}

/// A recharge's fields as people set them, without blanks around texts.
#[derive(Clone, Debug)]
pub struct Form {
    pub org_id: i64,
    pub payee_org_id: i64,
    pub amount_cents: i64,
    pub gift_cents: i64,
    pub pay_method: PayMethod,
    pub bank_serial: Option<String>,
    pub proof_file_ids: Vec<i64>,
    pub remark: String,
}

impl Form {
    pub fn of(body: RechargeForm) -> Form {
        Form {
            org_id: body.org_id,
            payee_org_id: body.payee_org_id,
            amount_cents: body.amount_cents,
            gift_cents: body.gift_cents,
            pay_method: body.pay_method,
            bank_serial: present(body.bank_serial.map(|serial| canonical::payment_no(&serial))),
            proof_file_ids: body.proof_file_ids,
            remark: body.remark.trim().to_owned(),
        }
    }

    /// Names every field that is wrong. An organisation's own people give nothing.
    pub fn check(&self, by_platform: bool) -> Result<()> {
        let mut check = Check::new();
        incoming::check_number(&mut check, self.bank_serial.as_deref(), self.pay_method);
        check
            .range("amountCents", self.amount_cents, 1..=MOST_CENTS)
            .range("giftCents", self.gift_cents, 0..=MOST_CENTS)
            .that("giftCents", by_platform || self.gift_cents == 0, say("赠送金额由平台填写", "Only the platform can give a gift"))
            .that("proofFileIds", self.proof_file_ids.len() <= MOST_PROOFS, say("最多 5 个", "At most 5"))
            .text("remark", &self.remark, 0..=REMARK)
            .done()
    }
}
