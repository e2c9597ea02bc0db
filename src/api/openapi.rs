pub fn document(_: &super::Calls) -> serde_json::Value {
    serde_json::Value::Null
}
