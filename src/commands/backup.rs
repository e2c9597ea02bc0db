//! `backup`: saves the database and the uploads to a new file.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use crate::signals::stop_of_signal;
use base::clock::Clock;
use base::config::Config;
use base::crypto;
use base::db::{self, Db, Engine};
use base::key_check::{self, Secrets};
use site::backup;

#[derive(Args)]
pub struct Options {
    file: PathBuf,
}

pub async fn run(Options { file }: Options, config: &Config) -> anyhow::Result<()> {
    let report = save(config, &file).await?;
    println!("{}: {report}", file.display());
    Ok(())
}

/// Saves an installation, which is there already and is not changed.
async fn save(config: &Config, file: &Path) -> anyhow::Result<backup::Report> {
    let found = crypto::Found::look(config)?;
    let database = db::file_of(&config.database_url);
    anyhow::ensure!(db::engine_of(&config.database_url) == Engine::Postgres || database.exists(), "{} is not there", database.display());
    let db = Db::connect(&config.database_url).await.context("the database")?;
    backup::ensure_whole(&db).await?;
    key_check::ask(&db, config, &found, Secrets::Known).await?;
    db.close().await;
    let keys = found.into_keys().context("there are no keys: this installation has never been started")?;
    backup::make(config, &keys, &Clock::default(), file, &stop_of_signal()).await
}
