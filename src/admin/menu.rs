//! `GET /menu/listByToken`.

use std::sync::Arc;

use crate::access::menu::MenuNode;
use crate::api::{self, Ctx, Nothing};

/// The menu tree of the active role, with its permission points, in the viewer's language.
pub async fn list_by_token(cx: Arc<Ctx>, _: Nothing) -> api::Result<Vec<MenuNode>> {
    Ok(cx.viewer()?.role.menu(cx.locale))
}
