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
pub struct ChoiceBook(Cached<Edition>);

/// The choices with the versions of their tables, if these were read before.
struct Edition {
    versions: Option<Vec<i64>>,
    choices: Arc<Choices>,
}

impl ChoiceBook {
    /// The current choices, at most a second old. Sentences use their labels from then on.
    pub async fn current(&self, db: &Db) -> Result<Arc<Choices>, sqlx::Error> {
        Ok(self.0.get(read(db, None)).await?.choices.clone())
    }

    /// The choices at versions of their tables, which were read before. They are read again only if one has changed.
    async fn current_at(&self, db: &Db, versions: Vec<i64>) -> Result<Arc<Choices>, sqlx::Error> {
        let is_current = |edition: &Edition| edition.versions.as_ref() == Some(&versions);
        Ok(self.0.get_current(is_current, read(db, Some(versions.clone()))).await?.choices.clone())
    }

    /// Drops the cache: call it after a change is committed.
    pub fn forget(&self) {
        self.0.forget();
    }
}

/// Reads the choices. Sentences use their labels from then on.
async fn read(db: &Db, versions: Option<Vec<i64>>) -> Result<Edition, sqlx::Error> {
    let choices = Arc::new(Choices::of(store::field_choices(db).await?));
    choices.publish();
    Ok(Edition { versions, choices })
}

/// `GET /dict/choices`: the choices of an applicant's fields that operators edit, by field; also those that are no longer
/// offered.
pub async fn fields(cx: Arc<Ctx>, _: Nothing) -> api::Result<BTreeMap<String, Vec<FieldChoice>>> {
    let book = cx.app.service::<ChoiceBook>();
    let choices = match cx.viewer()?.versions.of_all(TABLES) {
        Some(versions) => book.current_at(cx.db(), versions).await?,
        None => book.current(cx.db()).await?,
    };
    Ok(choices.all().clone())
}
