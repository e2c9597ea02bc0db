//! The plans that run, as they stand: what matching looks at. Read again every second, because
//! hundreds of leads a second look at the same plans; what a sale needs to be sure of it reads itself.

use std::sync::Arc;

use tokio::sync::Mutex;

use super::model::PlanNow;
use super::{now, store};
use crate::db::Db;

/// How old what is looked at may be.
const FRESH: i64 = 1000;
/// Running plans, at most.
const MOST: i64 = 10_000;

/// The running plans at a moment.
pub struct Book {
    pub at: i64,
    pub plans: Vec<PlanNow>,
}

/// Where the running plans are looked up.
#[derive(Default)]
pub struct Market(Mutex<Option<Arc<Book>>>);

impl Market {
    /// The running plans, as they stood at most a second ago.
    pub async fn book(&self, db: &Db, at: i64) -> Result<Arc<Book>, sqlx::Error> {
        // Whoever comes while they are read waits for them instead of reading them too.
        let mut held = self.0.lock().await;
        if let Some(book) = held.as_ref().filter(|book| (book.at..book.at + FRESH).contains(&at)) {
            return Ok(book.clone());
        }
        let plans = now::of(db, store::on_sale(db, MOST).await?, at).await?;
        let book = Arc::new(Book { at, plans });
        *held = Some(book.clone());
        Ok(book)
    }

    /// Has them read again by whoever asks next.
    pub async fn forget(&self) {
        *self.0.lock().await = None;
    }
}
