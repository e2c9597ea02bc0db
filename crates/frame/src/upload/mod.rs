//! Uploads: files of people, their kind by content, and who may read them.
//!
//! A file is uploaded before its record is saved. The record's area then takes it with [`settle`]; files that no
//! record has taken within a day are removed. The record's area decides who may read a taken file, by its [`Rule`].

mod kind;
mod metadata;
mod name;
mod record;
mod scan;
mod seal;
mod store;
mod text;

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::api::Access::SignedIn;
use crate::api::{AccessOf, App, Calls, FileForm, FileRules, Id};
use base::clock::{self, DAY};

pub use kind::{Kind, NoTable};
pub use record::{StoredFile, content, download, keep_for, keep_from_customer, keep_made, stored_file, upload_for};
pub use seal::seal;
pub use store::{files_of, release, settle, take_from_customer};
pub use text::{NoText, text_of};

/// The most files that one account uploads in a day, and their bytes together.
pub const DAY_FILES: i64 = 200;
pub const DAY_BYTES: i64 = 500 * 1024 * 1024;
/// The most bytes of the files that all customers send in a day.
pub const DAY_BYTES_OF_CUSTOMERS: i64 = 10 * 1024 * 1024 * 1024;
/// The most bytes of the files that customers of one network send in a day: a tenth of them.
pub const DAY_BYTES_OF_NETWORK: i64 = DAY_BYTES_OF_CUSTOMERS / 10;
/// And those of one IPv6 site: a half.
pub const DAY_BYTES_OF_SITE: i64 = DAY_BYTES_OF_CUSTOMERS / 2;
/// A file that no record has taken is removed after this.
pub const KEPT_UNTAKEN: i64 = DAY;
/// How often files are swept.
const SWEEP_EVERY: Duration = Duration::from_secs(600);
/// Files swept in one round.
const BATCH: i64 = 200;

/// The calls of this area. `rules` has every kind of record that takes files, `access_of` who may make
/// the calls that leave some.
pub fn calls(rules: FileRules, access_of: AccessOf) -> Calls {
    Calls::new()
        .post("/common/upload", SignedIn, move |cx, form: FileForm<record::UploadFields>| record::upload(cx, form, rules()))
        .get("/common/file/{id}", SignedIn, move |cx, id: Id| record::file(cx, id, rules, access_of))
        .delete("/common/file/{id}", SignedIn, record::discard)
}

/// Sweeps, and encrypts files of earlier versions, until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(SWEEP_EVERY, stop.clone(), || async {
        if let Err(error) = sweep(&app).await {
            tracing::error!(cause = format!("{error:#}"), "uploads: a sweep failed");
        }
        if let Err(error) = seal(&app, &stop).await {
            tracing::error!(cause = format!("{error:#}"), "uploads: files of before were not encrypted");
        }
    })
    .await;
}

/// Removes the files that no record has taken in time. Returns how many. A sweep that is cut off is continued by the
/// next one.
pub async fn sweep(app: &App) -> anyhow::Result<usize> {
    let mut swept = 0;
    loop {
        let due = store::doom(&app.db, app.clock.now() - KEPT_UNTAKEN, BATCH).await?;
        for file in &due {
            record::remove(app, file).await?;
            store::forget(&app.db, file.id).await?;
        }
        swept += due.len();
        if (due.len() as i64) < BATCH {
            return Ok(swept);
        }
    }
}
