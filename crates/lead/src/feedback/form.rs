//! The rules of feedback, the same for all who enter it.

use base::db::Connection;
use base::form_limits;
use frame::api::check::present;
use frame::api::{Check, Result, say};
use frame::dict;
use trade::user::RevealedUser;

form_limits! {
    /// Of feedback.
    feedback {
        /// The most that is lent, in fen: a hundred million yuan.
        MOST_CENTS: i64 = 10_000_000_000,
        MOST_STARS: i64 = 3,
        /// Characters of feedback and of a reply.
        TEXT: usize = 500,
    }
}

/// The outcome that names a loan.
pub const DISBURSED: &str = "disbursed";

/// The outcome of an applicant, tidied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub star: Option<i64>,
    pub end_code: Option<String>,
    pub loan_cents: Option<i64>,
    pub content: String,
}

impl Outcome {
    /// Trims the fields, and turns empty ones into none.
    pub fn of(star: Option<i64>, end_code: Option<String>, loan_cents: Option<i64>, content: &str) -> Outcome {
        Outcome { star, end_code: present(end_code), loan_cents, content: content.trim().to_owned() }
    }

    /// Reports every wrong field.
    pub async fn check(&self, tx: &mut Connection) -> Result<()> {
        let mut check = Check::new();
        check
            .that("star", self.star.is_some() || self.end_code.is_some(), say("请填写星级或结果", "Enter stars or an outcome"))
            .range("star", self.star.unwrap_or_default(), 0..=MOST_STARS)
            .that(
                "loanCents",
                self.loan_cents.is_none() || self.end_code.as_deref() == Some(DISBURSED),
                say("只有结果为“已放款”时才有放款金额", "Only the outcome “Disbursed” has a loan amount"),
            )
            .range("loanCents", self.loan_cents.unwrap_or(1), 1..=MOST_CENTS)
            .text("content", &self.content, 0..=TEXT);
        if let Some(code) = &self.end_code {
            let known = code.len() <= dict::CHOSEN_VALUE && dict::has(tx, dict::FEEDBACK_END_CODE, code).await?;
            check.that("endCode", known, say("没有这个结果", "This outcome does not exist"));
        }
        check.done()
    }

    /// The same without data that identifies the applicant. For an erased applicant the text is dropped.
    pub fn about(mut self, person: Option<&RevealedUser>) -> Outcome {
        self.content = person.map(|person| person.hidden_in(&self.content)).unwrap_or_default();
        self
    }
}

/// Checks the length of a reply.
pub fn check_reply(reply: &str) -> Result<()> {
    Check::new().text("reply", reply, 0..=TEXT).done()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feedback_on_an_erased_applicant_has_no_text() {
        let person = RevealedUser { phone: "10000030001".into(), name: "张小三".into(), id_no: None, device_id: None };
        let outcome = Outcome::of(Some(1), None, None, " 张小三 ");
        assert_eq!(outcome.clone().about(Some(&person)).content, "张**");
        assert_eq!(outcome.about(None).content, "");
    }
}
