//! Rules of an official account's fields.

use super::model::{WechatBody, WechatKeys};
use base::canonical;
use base::form_limits;
use frame::api::check::present;
use frame::api::{Check, Result, say};

form_limits! {
    /// Of an official account.
    wechat {
        /// Characters of an AES key as WeChat shows it.
        AES_KEY: usize = 43,
        APP_ID: usize = 32,
        APP_SECRET: usize = 32,
        NAME: usize = 32,
        TEMPLATE_FIELD: usize = 32,
        TEMPLATE_ID: usize = 64,
        TEMPLATE_TEXT: usize = 20,
        TOKEN: usize = 32,
    }
}

/// An official account's fields: texts are trimmed.
#[derive(Clone, Debug)]
pub struct Form {
    pub name: String,
    /// The app id of a new account; it does not change.
    pub app_id: String,
    pub encrypted: bool,
    pub group_id: i64,
    pub template_id: String,
    pub template_field: String,
    pub template_text: String,
    /// Keys that replace the stored ones. An empty key keeps the stored one.
    pub keys: WechatKeys,
}

impl Form {
    /// The fields of a body.
    pub fn of(body: WechatBody) -> Form {
        let text = |text: Option<String>| present(text).unwrap_or_default();
        Form {
            name: canonical::trimmed(&body.name).to_owned(),
            app_id: body.app_id.as_deref().unwrap_or_default().trim().to_owned(),
            encrypted: body.encrypted,
            group_id: body.group_id,
            template_id: body.template_id.trim().to_owned(),
            template_field: body.template_field.trim().to_owned(),
            template_text: body.template_text.trim().to_owned(),
            keys: WechatKeys { app_secret: text(body.app_secret), token: text(body.token), aes_key: text(body.aes_key) },
        }
    }

    /// Names every field that is wrong. `stored` are the keys as they are stored.
    pub fn check(&self, stored: &WechatKeys) -> Result<()> {
        let missing = || say("必填", "Required");
        let letters = |text: &str, least: usize, most: usize| {
            text.is_empty() || ((least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        };
        let has_template = !self.template_id.is_empty();
        let mut check = Check::new();
        check
            .name("name", &self.name, 1..=NAME)
            .that("appSecret", !(self.keys.app_secret.is_empty() && stored.app_secret.is_empty()), missing())
            .that(
                "appSecret",
                letters(&self.keys.app_secret, APP_SECRET, APP_SECRET),
                say("应为 32 位字母和数字", "Must be 32 letters and digits"),
            )
            .that("token", !(self.keys.token.is_empty() && stored.token.is_empty()), missing())
            .that("token", letters(&self.keys.token, 3, TOKEN), say("3 到 32 位字母和数字", "3 to 32 letters and digits"))
            .that("aesKey", !(self.encrypted && self.keys.aes_key.is_empty() && stored.aes_key.is_empty()), missing())
            .that("aesKey", letters(&self.keys.aes_key, AES_KEY, AES_KEY), say("应为 43 位字母和数字", "Must be 43 letters and digits"))
            .text("templateId", &self.template_id, 0..=TEMPLATE_ID)
            .that(
                "templateField",
                !has_template || is_field(&self.template_field),
                say("填写模板中的字段名，例如 thing1", "Enter the name of a field of the template, such as thing1"),
            )
            .that("templateField", self.template_field.len() <= TEMPLATE_FIELD, say("最多 32 个字符", "At most 32 characters"))
            .text("templateText", &self.template_text, if has_template { 1..=TEMPLATE_TEXT } else { 0..=TEMPLATE_TEXT });
        check.done()
    }
}

/// Whether a text may name a field of a template.
fn is_field(text: &str) -> bool {
    (1..=TEMPLATE_FIELD).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a text may be an app id.
pub fn is_app_id(text: &str) -> bool {
    (6..=APP_ID).contains(&text.len()) && text.starts_with("wx") && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn form(changes: Value) -> Form {
        let mut body = json!({"name": " Loans ", "groupId": 1, "appSecret": "a".repeat(32), "token": "abc"});
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        Form::of(serde_json::from_value(body).unwrap())
    }

    #[test]
    fn keys_are_needed_until_they_are_stored() {
        let none = WechatKeys::default();
        assert!(form(json!({})).check(&none).is_ok());
        assert!(form(json!({"appSecret": ""})).check(&none).is_err());
        assert!(form(json!({"token": " "})).check(&none).is_err());
        assert!(form(json!({"encrypted": true})).check(&none).is_err());
        let stored = WechatKeys { app_secret: "x".to_owned(), token: "y".to_owned(), aes_key: "z".to_owned() };
        assert!(form(json!({"appSecret": "", "token": "", "encrypted": true})).check(&stored).is_ok());
    }

    #[test]
    fn fields_have_limits() {
        let none = WechatKeys::default();
        for (changes, good) in [
            (json!({"name": ""}), false),
            (json!({"name": "长".repeat(33)}), false),
            (json!({"appSecret": "a".repeat(31)}), false),
            (json!({"appSecret": "-".repeat(32)}), false),
            (json!({"token": "ab"}), false),
            (json!({"token": "a".repeat(33)}), false),
            (json!({"encrypted": true, "aesKey": "a".repeat(43)}), true),
            (json!({"encrypted": true, "aesKey": "a".repeat(42)}), false),
            (json!({"templateId": "t", "templateField": "thing1", "templateText": "您有新消息"}), true),
            (json!({"templateId": "t", "templateField": "thing 1", "templateText": "您有新消息"}), false),
            (json!({"templateId": "t", "templateField": "thing1"}), false),
            (json!({"templateId": "t", "templateField": "thing1", "templateText": "长".repeat(21)}), false),
        ] {
            assert_eq!(form(changes.clone()).check(&none).is_ok(), good, "{changes}");
        }
        assert!(is_app_id("wx0123456789abcdef") && !is_app_id("gh_12345678") && !is_app_id("wx") && !is_app_id("wx-1234567"));
    }
}
