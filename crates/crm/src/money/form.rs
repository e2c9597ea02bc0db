//! Rules of the fields of a record of money.

use super::model::{MoneyForm, MoneyType};
use base::canonical;
use base::clock::DAY;
use base::form_limits;
use frame::api::check::present;
use frame::api::{Check, Result, say};
use trade::ledger::incoming::PayMethod;
use trade::ledger::outgoing;

form_limits! {
    /// Of a record of money.
    money {
        /// Highest amount, in fen: a hundred million yuan.
        MOST_CENTS: i64 = 10_000_000_000,
        /// Most files that prove a payment.
        MOST_PROOFS: usize = 5,
        REMARK: usize = 500,
    }
}

/// The field of the bank's number.
pub const SERIAL: &str = "bankSerial";

/// The fields of a record as people set them, without blanks around texts.
#[derive(Clone, Debug)]
pub struct Form {
    pub clue_id: Option<i64>,
    pub clue_no: Option<String>,
    pub kind: MoneyType,
    pub loan_cents: Option<i64>,
    pub amount_cents: i64,
    pub pay_method: PayMethod,
    pub bank_serial: Option<String>,
    pub paid_at: i64,
    /// None: the files stay.
    pub proof_file_ids: Option<Vec<i64>>,
    pub remark: String,
}

impl Form {
    /// Tidies a body.
    pub fn of(body: MoneyForm) -> Form {
        Form {
            clue_id: body.clue_id,
            clue_no: present(body.clue_no).map(|no| no.to_uppercase()),
            kind: body.kind,
            loan_cents: body.loan_cents,
            amount_cents: body.amount_cents,
            pay_method: body.pay_method,
            bank_serial: present(body.bank_serial.as_deref().map(canonical::payment_no)),
            paid_at: body.paid_at,
            proof_file_ids: body.proof_file_ids,
            remark: body.remark.unwrap_or_default().trim().to_owned(),
        }
    }

    /// Names every field that is wrong.
    pub fn check(&self, now: i64) -> Result<()> {
        let past = (now - 3650 * DAY..=now + DAY).contains(&self.paid_at);
        let mut check = Check::new();
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
            .that(
                "loanCents",
                self.loan_cents.is_none() || self.kind != MoneyType::Refund,
                say("退款没有放款额", "A refund has no loan amount"),
            )
            .that("proofFileIds", self.proof_file_ids.as_ref().is_none_or(|ids| ids.len() <= MOST_PROOFS), say("最多 5 个", "At most 5"))
            .text("remark", &self.remark, 0..=REMARK);
        check_serial(&mut check, self.kind, self.bank_serial.as_deref(), self.pay_method);
        if let Some(loan_cents) = self.loan_cents {
            check.range("loanCents", loan_cents, 1..=MOST_CENTS);
        }
        check.done()
    }
}

/// Reports the field `bankSerial` if the number is invalid, is missing for a refund by bank transfer, or is given for a
/// record that is no refund.
pub fn check_serial(check: &mut Check, kind: MoneyType, serial: Option<&str>, method: PayMethod) {
    match kind {
        MoneyType::Refund => outgoing::check_number(check, SERIAL, serial, method),
        _ => drop(check.that(SERIAL, serial.is_none(), say("只有退款填写流水号", "Only a refund has a transaction number"))),
    }
}
