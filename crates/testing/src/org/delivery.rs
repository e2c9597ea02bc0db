//! Delivery settings.

use serde_json::{Value, json};

pub const FIRST: &str = "00112233445566778899aabbccddeeff";

/// Settings that are accepted.
pub fn settings(id: i64, version: i64) -> Value {
    json!({
        "id": id, "version": version, "matchUrl": "https://api.example.com/check", "applyUrl": "https://api.example.com/apply",
        "queryUrl": null, "crypto": "aes", "key": FIRST, "overlapHours": 24, "fieldMap": {"name": "userName", "phone": "mobile"},
        "valueMap": {"sex": {"male": "1", "female": "0"}}, "matchOkExpr": "code == \"0000\" && data.result == 1",
        "applyOkExpr": "code in [\"0000\"]", "timeoutMs": 5000, "retryMax": 3, "status": "enabled"
    })
}
