//! `stats rebuild`: recomputes the statistics of a range of days.

use clap::Subcommand;
use jiff::civil::Date;

use crate::installation::open;
use base::config::Config;
use trade::visit::{self, Rebuilt};

#[derive(Subcommand)]
pub enum Command {
    /// Recompute the statistics of a range of days from visits, exposures and leads; safe while serving
    Rebuild {
        /// The first day, YYYY-MM-DD in Asia/Shanghai
        #[arg(long, value_parser = day)]
        from: Date,
        /// The last day
        #[arg(long, value_parser = day)]
        to: Date,
    },
}

/// Reads a day; nothing but `YYYY-MM-DD`.
fn day(text: &str) -> Result<Date, String> {
    text.parse().ok().filter(|_| text.len() == 10).ok_or_else(|| "a day is YYYY-MM-DD".to_owned())
}

pub async fn run(Command::Rebuild { from, to }: Command, config: Config) -> anyhow::Result<()> {
    anyhow::ensure!(from <= to, "--from is after --to");
    let app = open(config).await?.for_workers();
    let Rebuilt { days, without_visits, corrected } = visit::rebuild(&app.db, &app.clock, from, to).await?;
    println!("{days} days, {corrected} rows corrected");
    if without_visits > 0 {
        println!("{without_visits} days whose visits are no longer kept: their visits, cost and income stay as they were");
    }
    Ok(())
}
