//! Rules of a payment order's fields.

use super::model::{OrderBiz, PaymentOrderForm};
use crate::channel::MOST_CENTS;
use crate::provider::is_plain;
use base::clock::MINUTE;
use base::form_limits;
use base::mask;
use frame::api::check::present;
use frame::api::{Check, Result, Say, say};

form_limits! {
    /// Of a payment order.
    paymentOrder {
        /// Minutes for which it can be paid.
        LEAST_MINUTES: i64 = 5,
        MOST_MINUTES: i64 = 7 * 24 * 60,
        REMARK: usize = 200,
        SUBJECT: usize = 100,
    }
}

/// A payment order's fields as people set them, without blanks around texts.
#[derive(Clone, Debug)]
pub struct Form {
    pub org_id: i64,
    pub payee_channel_id: i64,
    pub biz_type: OrderBiz,
    pub clue_no: Option<String>,
    pub subject: String,
    pub amount_cents: i64,
    /// Milliseconds.
    pub lives_for: i64,
    pub remark: String,
}

impl Form {
    /// Reads a form, or names every field that is wrong.
    pub fn of(body: PaymentOrderForm) -> Result<Form> {
        let clue_no = present(body.clue_no).map(|no| no.to_uppercase());
        let (subject, remark) = (body.subject.trim().to_owned(), body.remark.trim().to_owned());
        Check::new()
            .range("amountCents", body.amount_cents, 1..=MOST_CENTS)
            .range("minutes", body.minutes, LEAST_MINUTES..=MOST_MINUTES)
            .text("subject", &subject, 1..=SUBJECT)
            .that("subject", is_plain(&subject), not_plain())
            // A number in the subject could be taken for the payee's account, which needs two people to set.
            .that(
                "subject",
                mask::numbers(&subject) == subject,
                say("不能含账号、手机号等长号码", "Must not contain long numbers such as accounts or phones"),
            )
            .text("remark", &remark, 0..=REMARK)
            .that(
                "clueNo",
                (body.biz_type == OrderBiz::ServiceFee) == clue_no.is_some(),
                match body.biz_type {
                    OrderBiz::ServiceFee => say("请填写线索编号", "Enter the number of the lead"),
                    _ => say("只有服务费有线索", "Only a service fee has a lead"),
                },
            )
            .done()?;
        Ok(Form {
            org_id: body.org_id,
            payee_channel_id: body.payee_channel_id,
            biz_type: body.biz_type,
            clue_no,
            subject,
            amount_cents: body.amount_cents,
            lives_for: body.minutes * MINUTE,
            remark,
        })
    }
}

/// The error of a text with characters that providers do not accept.
pub fn not_plain() -> Say {
    say("不能含 &、= 或换行等控制字符", "Must not contain &, = or control characters such as line breaks")
}
