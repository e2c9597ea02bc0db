//! Red invoices.

use serde_json::{Value, json};

/// A red-letter invoice of an invoice.
pub fn red(of: &Value, amount_cents: i64) -> Value {
    json!({"id": of["id"], "version": of["version"], "amountCents": amount_cents, "reason": "退单退款"})
}
