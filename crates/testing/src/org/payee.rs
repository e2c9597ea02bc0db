//! Payees.

use serde_json::{Value, json};

/// A form that is accepted.
pub fn form(name: &str) -> Value {
    json!({
        "name": name, "taxNo": "91310115ma1demo001", "bankName": "示例银行", "bankAccount": "6222 0212 3456 7890", "address": "上海",
        "phone": "021-50000000", "invoiceTypes": ["plain", "electronic"], "status": "enabled"
    })
}
