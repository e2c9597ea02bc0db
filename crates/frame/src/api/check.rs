//! Checking a form's fields: all messages at once, each under its field's name.

use std::ops::RangeInclusive;

use super::error::ApiError;
use base::canonical;
use base::codes::Codes;
use base::crypto;
use base::form_limits;
use base::locale::Locale;
use base::networks::{Network, is_public_host};
use base::say::{Say, say};

form_limits! {
    /// Of fields that many records have.
    field {
        /// Characters of a web address.
        pub ADDRESS: usize = 500,
        /// Characters of an e-mail address.
        pub EMAIL: usize = 128,
    }
}

/// Allows a record the step from one status to another, or refuses it and names the present status. `record` is what it is
/// called, in Chinese and in English.
pub fn check_step<C: Codes>(from: C, to: C, record: (&str, &str)) -> Result<(), ApiError> {
    if from.may_become(to) {
        return Ok(());
    }
    let (chinese, english) = record;
    Err(ApiError::State(say(
        format!("{chinese}当前为“{}”，不能改为“{}”", from.label(Locale::Chinese), to.label(Locale::Chinese)),
        format!("The {english} is {}; it cannot become {}", from.label(Locale::English), to.label(Locale::English)),
    )))
}

/// Collects the errors of a form.
#[derive(Default)]
pub struct Check {
    wrong: Vec<(String, Say)>,
}

impl Check {
    /// Begins without errors.
    pub fn new() -> Check {
        Check::default()
    }

    /// Adds this error to the field unless the condition holds.
    pub fn that(&mut self, field: &str, holds: bool, message: Say) -> &mut Check {
        if !holds && !self.wrong.iter().any(|(name, _)| name == field) {
            self.wrong.push((field.to_owned(), message));
        }
        self
    }

    /// A text's length in characters; with a minimum of 1 or more the text is required. Characters that turn the
    /// direction of writing are refused: they make a name look like another.
    pub fn text(&mut self, field: &str, text: &str, length: RangeInclusive<usize>) -> &mut Check {
        let characters = text.trim().chars().count();
        let blank = text.chars().all(|character| character.is_whitespace() || canonical::is_invisible(character));
        if blank && *length.start() > 0 {
            return self.that(field, false, say("必填", "Required"));
        }
        let (least, most) = length.clone().into_inner();
        let message = match least {
            0 | 1 => {
                say(format!("最多 {most} 个字符，现在有 {characters} 个"), format!("At most {most} characters; there are {characters}"))
            }
            _ => say(
                format!("{least} 到 {most} 个字符，现在有 {characters} 个"),
                format!("{least} to {most} characters; there are {characters}"),
            ),
        };
        self.that(field, length.contains(&characters), message);
        self.that(field, !text.contains(turns), say("不能含文字方向控制符", "Text direction marks are not allowed"))
    }

    /// A name: a text without invisible characters.
    pub fn name(&mut self, field: &str, name: &str, length: RangeInclusive<usize>) -> &mut Check {
        self.text(field, name, length);
        let shown = !name.chars().any(canonical::is_invisible);
        self.that(field, shown, say("不能含不可见字符", "Invisible characters are not allowed"))
    }

    /// A number's range.
    pub fn range(&mut self, field: &str, number: i64, range: RangeInclusive<i64>) -> &mut Check {
        let (least, most) = range.clone().into_inner();
        self.that(
            field,
            range.contains(&number),
            say(format!("必须在 {least} 到 {most} 之间"), format!("Must be between {least} and {most}")),
        )
    }

    /// An address: absent, or a complete `http(s)` one of at most 500 characters.
    pub fn address(&mut self, field: &str, address: Option<&str>) -> &mut Check {
        let Some(address) = address else { return self };
        let valid = address.len() <= ADDRESS
            && address
                .parse::<axum::http::Uri>()
                .is_ok_and(|uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty()));
        self.that(field, valid, say("请输入以 http:// 或 https:// 开头的网址", "Enter a URL that starts with http:// or https://"))
    }

    /// An address that this program calls: absent, or a complete `https` one of a public host.
    pub fn public_https(&mut self, field: &str, address: Option<&str>) -> &mut Check {
        let valid = address.is_none_or(|address| is_public(address, &["https"]));
        self.that(field, valid, say("请输入以 https:// 开头的公网网址", "Enter a public URL that starts with https://"))
    }

    /// An address to which people are sent: absent, or a complete `http(s)` one of a public host.
    pub fn public_address(&mut self, field: &str, address: Option<&str>) -> &mut Check {
        let valid = address.is_none_or(|address| is_public(address, &["http", "https"]));
        let message = say("请输入以 http:// 或 https:// 开头的公网网址", "Enter a public URL that starts with http:// or https://");
        self.that(field, valid, message)
    }

    /// A mainland mobile number.
    pub fn phone(&mut self, field: &str, phone: &str) -> &mut Check {
        self.that(field, crypto::is_phone(phone), say("请输入 11 位手机号", "Enter an 11-digit mobile number"))
    }

    /// An e-mail address.
    pub fn email(&mut self, field: &str, email: &str) -> &mut Check {
        self.text(field, email, 0..=EMAIL);
        self.that(field, is_email(email), say("请输入正确的邮箱", "Enter a valid email address"))
    }

    /// At most so many IP addresses and networks.
    pub fn networks(&mut self, field: &str, addresses: &[String], most: usize) -> &mut Check {
        self.that(field, addresses.len() <= most, say(format!("最多 {most} 个"), format!("At most {most}")));
        if let Some(wrong) = addresses.iter().find(|address| address.parse::<Network>().is_err()) {
            let shown: String = wrong.chars().take(50).collect();
            self.that(field, false, say(format!("不是 IP 或网段：{shown}"), format!("Not an IP address or range: {shown}")));
        }
        self
    }

    /// The result.
    pub fn done(&mut self) -> Result<(), ApiError> {
        match self.wrong.is_empty() {
            true => Ok(()),
            false => Err(ApiError::Fields(std::mem::take(&mut self.wrong))),
        }
    }
}

/// Whether a character embeds, overrides or isolates a direction of writing.
fn turns(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The error of a number that is written with a unit, as `5万`; `ui.rule.unit` has the same words.
pub fn with_unit() -> Say {
    say("请写出完整数字，不要用“万”等单位", "Write the number out, without a unit such as 万")
}

/// A number on paper in its one form ([`canonical::paper_no`]); none if it is absent or blank.
pub fn present_paper_no(text: Option<String>) -> Option<String> {
    text.map(|text| canonical::paper_no(&text)).filter(|text| !text.is_empty())
}

/// A text in its stored form: without blanks and invisible characters around it; an empty one is none.
pub fn present(text: Option<String>) -> Option<String> {
    text.map(|text| canonical::trimmed(&text).to_owned()).filter(|text| !text.is_empty())
}

/// A day as `YYYY-MM-DD`; none if it is absent or blank. A text that is no day stays, for a later check.
pub fn present_day(text: Option<String>) -> Option<String> {
    text.map(|text| canonical::day_or_text(&text)).filter(|text| !text.is_empty())
}

/// A phone in its one form; none if it is absent or blank. A text that is no phone stays, for [`Check::phone`].
pub fn present_phone(text: Option<String>) -> Option<String> {
    present(text).map(|text| canonical::phone_or_text(&text))
}

/// Whether an address with one of these schemes has a public host, and no user name or password.
pub fn is_public(address: &str, schemes: &[&str]) -> bool {
    address.len() <= ADDRESS
        && address.parse::<axum::http::Uri>().is_ok_and(|uri| {
            let named = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
            uri.scheme_str().is_some_and(|scheme| schemes.contains(&scheme)) && named && uri.host().is_some_and(is_public_host)
        })
}

fn is_email(text: &str) -> bool {
    let plain = !text.chars().any(|character| character.is_whitespace() || character.is_control() || "<>()[],;:\\\"".contains(character));
    plain
        && text.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && host.contains('.') && host.split('.').all(|part| !part.is_empty()) && !host.contains('@')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(check: &mut Check) -> Vec<String> {
        match check.done() {
            Err(ApiError::Fields(fields)) => fields.into_iter().map(|(name, _)| name).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn no_text_turns_the_direction_of_writing() {
        for (text, fields) in
            [("a\u{202e}gnp.exe", vec!["name"]), ("\u{2066}a", vec!["name"]), ("a\u{200d}\u{2028}b 😀", vec![]), ("אב", vec![])]
        {
            let mut check = Check::new();
            check.text("name", text, 1..=32);
            assert_eq!(wrong(&mut check), fields, "{text:?}");
        }
    }

    #[test]
    fn every_wrong_field_is_named_once() {
        let mut check = Check::new();
        check.text("name", "  ", 1..=8).text("code", "abc", 8..=32).text("remark", "好".repeat(9).as_str(), 0..=8).range(
            "bp",
            10_001,
            0..=10_000,
        );
        check.that("name", false, say("二", "two")).address("url", Some("javascript:alert(1)")).phone("phone", "1380013800");
        assert_eq!(wrong(&mut check), ["name", "code", "remark", "bp", "url", "phone"]);
    }

    #[test]
    fn only_public_addresses_are_called() {
        let mut check = Check::new();
        check.public_https("a", Some("http://example.com")).public_https("b", Some("https://user@example.com")).public_https("c", None);
        check.public_https("d", Some("https://example.com/x?y=1"));
        assert_eq!(wrong(&mut check), ["a", "b"]);
    }

    #[test]
    fn good_fields_pass() {
        let mut check = Check::new();
        check
            .text("name", "好".repeat(8).as_str(), 1..=8)
            .address("url", Some("https://example.com/a?b=1"))
            .address("none", None)
            .phone("phone", "13800138000");
        assert!(check.done().is_ok());
    }
}
