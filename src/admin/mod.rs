use crate::{
    access::{DataScope, Viewer},
    api::Calls,
    locale::Locale,
};
pub fn calls() -> Calls {
    Calls::new()
}
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ViewerInfo {
    id: i64,
    scope: DataScope,
}
pub fn viewer_info(v: &Viewer, _l: Locale) -> ViewerInfo {
    ViewerInfo { id: v.id, scope: v.role.scope }
}
