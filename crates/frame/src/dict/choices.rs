//! The dictionary's lists for choices of an applicant's fields, cached in each process.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::store;
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
        let read = async {
            let choices = Choices::of(store::field_choices(db).await?);
            choices.publish();
            Ok(choices)
        };
        self.0.get(read).await
    }

    /// Drops the cache: call it after a change is committed.
    pub fn forget(&self) {
        self.0.forget();
    }
}

/// `GET /dict/choices`: the choices of an applicant's fields that operators edit, by field; also those that are no longer
/// offered.
pub async fn fields(cx: Arc<Ctx>, _: Nothing) -> api::Result<BTreeMap<String, Vec<FieldChoice>>> {
    Ok(cx.app.service::<ChoiceBook>().current(cx.db()).await?.all().clone())
}
