//! Files with whole numbers, as they are asked for: `"plain": true` and `"reason": "…"` in the body of an export. Which lists
//! have them, and who may see them, is in `crate::export::plain`; other lists refuse the call.

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use crate::access::audit::Change;
use crate::api::Result;
use crate::api::error::ApiError;
use base::form_limits;
use base::say::{Say, say};

form_limits! {
    /// Of a file with whole numbers.
    plainExport {
        /// Characters of a reason.
        LEAST_REASON: usize = 5,
        MOST_REASON: usize = 200,
    }
}

/// What a file with whole numbers has besides what every file has.
pub struct Plain {
    /// Why it is needed, as [`reason`] reads it.
    pub reason: String,
    /// Rows of the file, at most.
    pub most: i64,
    pub begin: Begin,
}

/// Counts the records that the file shows and writes its first entry into the trail; without it there is no file.
pub type Begin = Box<dyn FnOnce(Beginning) -> BoxFuture<'static, Result<()>> + Send>;

/// A file before its first byte.
pub struct Beginning {
    /// Of its rows, in order.
    pub ids: Vec<i64>,
    /// The list's name.
    pub title: Say,
    pub reason: String,
    /// What the entry in the trail says.
    pub changes: Vec<Change>,
}

/// Why a body asks for whole numbers; none where it asks for masks.
pub fn reason(body: &Map<String, Value>) -> Result<Option<String>> {
    // A list's body has truths as texts.
    let is_plain = match body.get("plain") {
        None => false,
        Some(Value::Bool(is_plain)) => *is_plain,
        Some(text) => text.as_str().and_then(|text| text.parse().ok()).ok_or_else(|| ApiError::Malformed("plain".to_owned()))?,
    };
    if !is_plain {
        return Ok(None);
    }
    let reason = body.get("reason").and_then(Value::as_str).unwrap_or_default().trim();
    match (LEAST_REASON..=MOST_REASON).contains(&reason.chars().count()) {
        true => Ok(Some(reason.to_owned())),
        false => Err(ApiError::field("reason", say("请填写导出原因，5 至 200 个字", "Give a reason of 5 to 200 characters"))),
    }
}

/// Refuses a body that asks for whole numbers, of a list that has none.
pub fn refuse(body: &Map<String, Value>) -> Result<()> {
    match reason(body) {
        Ok(None) => Ok(()),
        Err(error @ ApiError::Malformed(_)) => Err(error),
        _ => Err(ApiError::field("plain", say("这个列表没有完整号码可以导出", "This list has no whole numbers to export"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: Value) -> Result<Option<String>> {
        reason(body.as_object().unwrap())
    }

    #[test]
    fn whole_numbers_need_a_reason_of_five_characters() {
        for masked in [json!({}), json!({"reason": "x"}), json!({"plain": false}), json!({"plain": "false", "reason": ""})] {
            assert_eq!(read(masked).unwrap(), None);
        }
        for plain in [json!(true), json!("true")] {
            assert_eq!(read(json!({"plain": plain, "reason": " 监管检查用 "})).unwrap().as_deref(), Some("监管检查用"));
        }
        assert!(read(json!({"plain": true, "reason": "由".repeat(200)})).is_ok());
        for reason in [json!(null), json!(""), json!("  监管检查  "), json!("由".repeat(201)), json!(["监管检查用"]), json!(12345)]
        {
            assert!(
                matches!(read(json!({"plain": true, "reason": reason})), Err(ApiError::Fields(fields)) if fields[0].0 == "reason"),
                "{reason}"
            );
        }
        for nonsense in [json!(1), json!("yes"), json!([true])] {
            assert!(matches!(read(json!({"plain": nonsense})), Err(ApiError::Malformed(_))), "{nonsense}");
        }
    }

    #[test]
    fn a_list_of_masks_alone_refuses() {
        let refused = |body: Value| refuse(body.as_object().unwrap());
        assert!(refused(json!({"plain": "false"})).is_ok());
        for body in [json!({"plain": "true"}), json!({"plain": "true", "reason": "监管检查用"})] {
            assert!(matches!(refused(body), Err(ApiError::Fields(fields)) if fields[0].0 == "plain"));
        }
    }
}
