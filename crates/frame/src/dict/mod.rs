//! The dictionary: lists of words that operators edit, such as the reasons for a return. Records of other areas store
//! an item's value; this area provides choices and labels. Calls under `/dict`.

mod builtin;
mod choices;
mod item;
mod model;
mod store;
mod types;

use std::sync::Arc;

use serde::Deserialize;

use crate::access::versions::Table;
use crate::api::Access::{Point, SignedIn};
use crate::api::{self, Calls, Ctx, Query, listing};
use base::db::Db;
use base::form_limits;
use base::locale::Locale;

pub use builtin::seed;
pub use choices::ChoiceBook;
pub use model::{DictOption, TagColor};
pub use model::{DictStatus, NewDictItem, NewDictType};
pub use store::{has, labels, unknown};
pub use store::{insert_item, insert_type};

/// Lists that the program refers to by code; they exist from the beginning.
pub const LEAD_RETURN_REASON: &str = "lead_return_reason";
pub const LEAD_LOST_REASON: &str = "lead_lost_reason";
pub const OCCUPATION: &str = "occupation";
pub const FEEDBACK_END_CODE: &str = "feedback_end_code";
pub const PROJECT_RETURN_REASON: &str = "project_return_reason";

form_limits! {
    /// Of the dictionary.
    dictionary {
        /// Characters of a value that the form of another record chooses.
        pub CHOSEN_VALUE: usize = 64,
    }
}

/// The tables of the choices.
const TABLES: &[Table] = &[Table::DictItem, Table::DictType];

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .get("/dict/types", Point("admin/dictionary/list"), types::all)
        .list("/dict/type/page", Point("admin/dictionary/list"), listing::page::<types::Types>)
        .get("/dict/type/{id}", Point("admin/dictionary/list"), types::view)
        .post("/dict/type", Point("admin/dictionary/create"), types::create)
        .put("/dict/type", Point("admin/dictionary/update"), types::update)
        .delete("/dict/type/{id}", Point("admin/dictionary/delete"), types::delete)
        .list("/dict/item/page", Point("admin/dictionary/list"), listing::page::<item::Items>)
        .get("/dict/item/{id}", Point("admin/dictionary/list"), item::view)
        .post("/dict/item", Point("admin/dictionary/create"), item::create)
        .put("/dict/item", Point("admin/dictionary/update"), item::update)
        .delete("/dict/item/{id}", Point("admin/dictionary/delete"), item::delete)
        .get("/dict/options", SignedIn, offered)
        .get("/dict/choices", SignedIn, choices::fields)
}

/// The enabled items of a list in order, in one language; empty for an unknown list.
pub async fn options(db: &Db, code: &str, locale: Locale) -> Result<Vec<DictOption>, sqlx::Error> {
    store::options(db, code, locale).await
}

/// The list of a request.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct OptionsOf {
    /// Its code, e.g. `lead_return_reason`.
    #[serde(rename = "type")]
    pub code: String,
}

/// `GET /dict/options`.
async fn offered(cx: Arc<Ctx>, Query(asked): Query<OptionsOf>) -> api::Result<Arc<Vec<DictOption>>> {
    cx.choices(TABLES, None, &asked.code, options(cx.db(), &asked.code, cx.locale)).await
}
