//! The rules of an agreement's fields, and the digest of its text.

use super::model::{AgreementDetail, AgreementForm};
use base::canonical;
use base::clock::DAY;
use base::crypto;
use base::form_limits;
use frame::api::{Check, Result, Say, say};

form_limits! {
    /// Of an agreement.
    agreement {
        /// Characters of a code and of an edition.
        CODE: usize = 32,
        NAME: usize = 64,
        TEXT: usize = 20_000,
    }
}

/// The furthest that validity may begin or end, in days.
const FURTHEST_DAYS: i64 = 36_500;

/// SHA-256 of a text in UTF-8, in hex.
pub fn digest(text: &str) -> String {
    crypto::sha256_hex(text.as_bytes())
}

/// An agreement's fields as people enter them, tidied.
#[derive(Clone, Debug)]
pub struct Form {
    pub code: String,
    pub edition: String,
    pub name: String,
    /// Lines end with `\n`.
    pub text: String,
    pub valid_from: i64,
    pub valid_to: Option<i64>,
}

/// The consents that name an agreement; its named fields can no longer change.
#[derive(Clone, Copy, Debug)]
pub struct Consents {
    pub count: i64,
    /// When the last was given; none without consents.
    pub last: Option<i64>,
}

impl Form {
    /// Tidies a form; without a moment validity begins as before, or now.
    pub fn of(body: AgreementForm, before: Option<&AgreementDetail>, now: i64) -> Form {
        Form {
            code: canonical::trimmed(&body.code).to_owned(),
            edition: canonical::trimmed(&body.edition).to_owned(),
            name: canonical::trimmed(&body.name).to_owned(),
            text: canonical::trimmed(&body.text.replace("\r\n", "\n").replace('\r', "\n")).to_owned(),
            valid_from: body.valid_from.unwrap_or_else(|| before.map_or(now, |before| before.agreement.valid_from)),
            valid_to: body.valid_to,
        }
    }

    /// Reports every wrong field. Fields that consents name cannot change, except that a missing text with the
    /// recorded digest may be added.
    pub fn check(&self, before: Option<(&AgreementDetail, Consents)>, now: i64) -> Result<()> {
        let used = before.filter(|(_, consents)| consents.count > 0);
        let kept_without_text = before.is_some_and(|(before, _)| !before.agreement.text_kept);
        let mut check = Check::new();
        for (field, text, old) in [
            ("code", &self.code, before.map(|(before, _)| &before.agreement.code)),
            ("edition", &self.edition, before.map(|(before, _)| &before.agreement.edition)),
        ] {
            check.that(field, old == Some(text) || is_code(text), code_wanted());
        }
        check.name("name", &self.name, 1..=NAME).text("text", &self.text, usize::from(!kept_without_text)..=TEXT);
        let moments = 0..=now + FURTHEST_DAYS * DAY;
        check.that("validFrom", moments.contains(&self.valid_from), moment_wanted());
        if let Some(end) = self.valid_to {
            check.that("validTo", moments.contains(&end), moment_wanted()).that(
                "validTo",
                end > self.valid_from,
                say("必须晚于生效时间", "Must be later than the start"),
            );
        }
        if let Some((before, consents)) = used {
            let fits = self.text == before.text || (!before.agreement.text_kept && digest(&self.text) == before.agreement.digest);
            check
                .that("code", self.code == before.agreement.code, fixed())
                .that("edition", self.edition == before.agreement.edition, fixed())
                .that("text", fits, if before.agreement.text_kept { fixed() } else { other_digest() })
                .that("validFrom", self.valid_from == before.agreement.valid_from, fixed())
                .that(
                    "validTo",
                    self.valid_to.is_none_or(|end| consents.last.is_none_or(|last| end > last)),
                    say("已有在此之后作出的授权", "Consents were given after that moment"),
                );
        }
        check.done()
    }
}

/// Whether a text can be a code or an edition.
fn is_code(text: &str) -> bool {
    (1..=CODE).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
}

fn code_wanted() -> Say {
    say("1 到 32 位字母、数字、点、短横线或下划线", "1 to 32 letters, digits, dots, dashes or underscores")
}

fn moment_wanted() -> Say {
    say("应在一百年之内", "Must be within a hundred years")
}

fn fixed() -> Say {
    say("已有授权引用，不能修改，请新增一个版本", "Consents name this agreement: it cannot change, add a new version instead")
}

fn other_digest() -> Say {
    say("文本的摘要与已有授权的摘要不一致", "The text does not have the digest of the existing consents")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_does_not_depend_on_line_ends() {
        let body = |text: &str| AgreementForm {
            id: None,
            version: None,
            code: " LOAN ".into(),
            edition: "1".into(),
            name: "x".into(),
            text: text.into(),
            valid_from: None,
            valid_to: None,
        };
        let read = |text: &str| Form::of(body(text), None, 7);
        assert_eq!((read("a\r\nb\r").text.as_str(), read("x").code.as_str(), read("x").valid_from), ("a\nb", "LOAN", 7));
        assert_eq!(digest(&read("a\r\nb").text), digest("a\nb"));
        assert_eq!(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        for code in ["", "a b", "授权", &"a".repeat(33)] {
            assert!(!is_code(code), "{code}");
        }
    }
}
