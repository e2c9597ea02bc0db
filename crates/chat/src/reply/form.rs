//! Rules of a reply's fields.

use super::model::ChatReplyBody;
use crate::codes::{KeywordMatch, ReplyKind};
use crate::group::MOST_SORT;
use base::canonical;
use base::form_limits;
use frame::api::{Check, Result, say};

form_limits! {
    /// Of a reply.
    chatReply {
        CONTENT: usize = 1000,
        KEYWORD: usize = 32,
        SHORTCUT: usize = 20,
    }
}

/// A reply's fields: texts are trimmed.
#[derive(Clone, Debug)]
pub struct Form {
    pub kind: ReplyKind,
    /// None: for all groups.
    pub group_id: Option<i64>,
    pub keyword: String,
    pub match_mode: KeywordMatch,
    pub shortcut: String,
    pub content: String,
    pub sort: i64,
}

impl Form {
    /// The fields of a body.
    pub fn of(body: ChatReplyBody) -> Form {
        let match_mode = body.match_mode.filter(|_| body.kind == ReplyKind::Keyword);
        Form {
            kind: body.kind,
            group_id: body.group_id,
            keyword: canonical::trimmed(&body.keyword).to_owned(),
            match_mode: match_mode.unwrap_or(KeywordMatch::Contains),
            shortcut: canonical::trimmed(&body.shortcut).to_owned(),
            content: body.content.trim().to_owned(),
            sort: body.sort,
        }
    }

    /// Names every field that is wrong.
    pub fn check(&self) -> Result<()> {
        let mut check = Check::new();
        match self.kind {
            ReplyKind::Keyword => check.name("keyword", &self.keyword, 1..=KEYWORD),
            _ => check.that("keyword", self.keyword.is_empty(), say("仅关键词回复有关键词", "Only a keyword reply has a keyword")),
        };
        match self.kind {
            ReplyKind::Quick => check.name("shortcut", &self.shortcut, 1..=SHORTCUT).that(
                "shortcut",
                self.shortcut.chars().all(is_typed),
                say("只能用汉字、字母和数字", "Only letters, digits and Chinese characters are allowed"),
            ),
            _ => check.that("shortcut", self.shortcut.is_empty(), say("仅快捷回复有快捷码", "Only a quick reply has a shortcut")),
        };
        check.text("content", &self.content, 1..=CONTENT).range("sort", self.sort, 0..=MOST_SORT).done()
    }
}

/// Whether a character may be part of a shortcut.
fn is_typed(character: char) -> bool {
    character.is_ascii_alphanumeric() || ('\u{4e00}'..='\u{9fff}').contains(&character)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn form(changes: Value) -> Form {
        let mut body = json!({"kind": "welcome", "content": " Hello "});
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        Form::of(serde_json::from_value(body).unwrap())
    }

    #[test]
    fn only_a_keyword_reply_has_a_keyword_and_a_match_mode() {
        let keyword = form(json!({"kind": "keyword", "keyword": " fee ", "matchMode": "exact"}));
        assert_eq!((keyword.keyword.as_str(), keyword.match_mode, keyword.content.as_str()), ("fee", KeywordMatch::Exact, "Hello"));
        assert!(keyword.check().is_ok());
        assert!(form(json!({"kind": "keyword"})).check().is_err());
        assert!(form(json!({"kind": "default", "keyword": "fee"})).check().is_err());
        assert_eq!(form(json!({"matchMode": "exact"})).match_mode, KeywordMatch::Contains);
    }

    #[test]
    fn only_a_quick_reply_has_a_shortcut() {
        assert!(form(json!({"kind": "quick"})).check().is_err());
        assert!(form(json!({"kind": "off_hours", "shortcut": "fee"})).check().is_err());
        for (shortcut, good) in
            [("fee2", true), ("利率", true), ("a b", false), ("/fee", false), ("a/b", false), ("fee!", false), ("长", true)]
        {
            assert_eq!(form(json!({"kind": "quick", "shortcut": shortcut})).check().is_ok(), good, "{shortcut}");
        }
    }

    #[test]
    fn fields_have_limits() {
        for (changes, good) in [
            (json!({"content": "长".repeat(1000)}), true),
            (json!({"content": "长".repeat(1001)}), false),
            (json!({"content": " "}), false),
            (json!({"sort": 9999}), true),
            (json!({"sort": 10_000}), false),
            (json!({"sort": -1}), false),
            (json!({"kind": "keyword", "keyword": "长".repeat(32)}), true),
            (json!({"kind": "keyword", "keyword": "长".repeat(33)}), false),
            (json!({"kind": "quick", "shortcut": "长".repeat(20)}), true),
            (json!({"kind": "quick", "shortcut": "长".repeat(21)}), false),
        ] {
            assert_eq!(form(changes.clone()).check().is_ok(), good, "{changes}");
        }
    }
}
