//! Items of the dictionary.

use serde_json::{Value, json};

pub fn item(type_id: i64, value: &str, more: Value) -> Value {
    let mut body = json!({
        "typeId": type_id, "value": value, "labelZh": "中文", "labelEn": "English", "sort": 5, "tagColor": "red",
        "isDefault": false, "status": "enabled"
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// The particulars of an item as an edit sends them.
pub fn edit(row: &Value, more: Value) -> Value {
    let mut body = json!({});
    for field in ["id", "version", "labelZh", "labelEn", "sort", "tagColor", "isDefault", "status"] {
        body[field] = row[field].clone();
    }
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}
