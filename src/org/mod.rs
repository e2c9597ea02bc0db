pub fn calls() -> crate::api::Calls {
    crate::api::Calls::new()
}
