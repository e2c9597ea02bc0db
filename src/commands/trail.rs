//! `trail verify`: looks for entries of the audit trail that were changed, removed or inserted.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Subcommand;

use crate::installation::look_with_keys;
use base::clock::Clock;
use base::config::Config;
use frame::access::trail::{self, ChainEnd};
use frame::access::trail_end;
use site::backup;

#[derive(Subcommand)]
pub enum Command {
    /// Look for entries that were changed, removed or inserted in the database; safe while serving
    Verify {
        /// An end that the chain had before, SEQ:HASH, from the log or a backup; may be given again
        #[arg(long)]
        end: Vec<ChainEnd>,
        /// A backup whose manifest has the end that the chain had then; may be given again
        #[arg(long)]
        backup: Vec<PathBuf>,
    },
}

pub async fn run(Command::Verify { end, backup }: Command, config: &Config) -> anyhow::Result<()> {
    verify(config, end, &backup).await
}

/// Compares the audit trail with its chain and with ends that it had before, and prints what is wrong.
async fn verify(config: &Config, mut ends: Vec<ChainEnd>, backups: &[PathBuf]) -> anyhow::Result<()> {
    let (db, keys) = look_with_keys(config).await?;
    for file in backups {
        ends.extend(backup::trail_end(config, file)?);
    }
    ends.extend(trail_end::read(&config.data)?);
    let clock = Clock::default();
    db.set_right(&clock).await.context("the database's clock")?;
    let (faults, end) = trail::verify(&db, &keys.trail_key(), clock.now(), &ends).await?;
    for fault in &faults {
        println!("{fault}");
    }
    anyhow::ensure!(faults.is_empty(), "{} faults in the audit trail", faults.len());
    println!("every entry of the audit trail is as it was written; the end of its chain is {end}");
    Ok(())
}
