//! The dictionary's lists for choices of an applicant's fields, cached in each process.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{TABLES, store};
use crate::api::{self, Ctx, Nothing};
use crate::terms::choices::{Choices, FieldChoice};
use base::cached::Cached;
use base::db::Db;

/// The choices of this process.
#[derive(Default)]
pub struct ChoiceBook(Cached<Choices>);

impl ChoiceBook {
    /// The current choices, at most a second old. Sentences use their labels from then on.
    pub async fn current(&self, db: &Db) -> Result<Arc<Choices>, sqlx::Error> {
        self.0.get(read(db)).await
    }

    /// Drops the cache: call it after a change is committed.
    pub fn forget(&self) {
        self.0.forget();
    }
}

/// Reads the choices. Sentences use their labels from then on.
async fn read(db: &Db) -> Result<Choices, sqlx::Error> {
    let choices = Choices::of(store::field_choices(db).await?);
    choices.publish();
    Ok(choices)
}

/// `GET /dict/choices`: the choices of an applicant's fields that operators edit, by field; also those that are no longer
/// offered.
pub async fn fields(cx: Arc<Ctx>, _: Nothing) -> api::Result<Arc<BTreeMap<String, Vec<FieldChoice>>>> {
    cx.choices(TABLES, None, (), async { read(cx.db()).await.map(Choices::into_all) }).await
}
