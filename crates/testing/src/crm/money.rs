//! What customers pay.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::TestApp;

/// Numbers of bank transfers, each once.
static SERIALS: AtomicUsize = AtomicUsize::new(1);

/// A form of money of a clue, with changes. Each refund by bank has another number.
pub fn form(app: &TestApp, clue_id: i64, changes: Value) -> Value {
    let mut form = json!({
        "clueId": clue_id, "type": "service", "loanCents": 20_000_000, "amountCents": 300_000, "payMethod": "bank",
        "paidAt": app.now() - 3_600_000, "proofFileIds": [], "remark": "首期"
    });
    for (name, value) in changes.as_object().into_iter().flatten() {
        form[name.as_str()] = value.clone();
    }
    if form["type"] == "refund" && form["payMethod"] == "bank" && form.get("bankSerial").is_none() {
        form["bankSerial"] = json!(format!("MB-{}", SERIALS.fetch_add(1, Ordering::Relaxed)));
    }
    form
}

/// A decision on money.
pub fn decision(row: &Value, status: &str) -> Value {
    json!({"id": row["id"], "version": row["version"], "status": status, "note": if status == "confirmed" { "" } else { "对不上" }})
}
