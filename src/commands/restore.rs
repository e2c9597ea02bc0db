//! `restore`: checks a backup and restores it.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use crate::signals::stop_of_signal;
use base::clock::Clock;
use base::config::Config;
use site::backup;

#[derive(Args)]
pub struct Options {
    file: PathBuf,
    /// Replace the database and uploads of an installation that is not empty
    #[arg(long)]
    force: bool,
}

pub async fn run(Options { file, force }: Options, config: &Config) -> anyhow::Result<()> {
    config.make_data_folder().with_context(|| format!("the data folder {}", config.data.display()))?;
    let report = backup::restore(config, &Clock::default(), &file, force, &stop_of_signal()).await?;
    println!("restored from {}: {report}", file.display());
    Ok(())
}
