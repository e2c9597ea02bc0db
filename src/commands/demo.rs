//! `demo`: fills an empty database with demo data.

use clap::Args;

use super::password::password_of;
use crate::installation::open;
use base::config::Config;
use demo::DemoOptions;

#[derive(Args)]
pub struct Options {
    /// How many channels
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    channels: u32,
    /// How many days of visits, until today
    #[arg(long, default_value_t = 730, value_parser = clap::value_parser!(u32).range(0..=3650))]
    days: u32,
    /// How many applicants
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    users: u32,
    /// Seed of the random numbers; the same seed makes the same data
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Refused: other users of the machine can read a command line. LEADLANE_PASSWORD is the password of all demo
    /// accounts; one is generated and printed if it is not set
    #[arg(long, hide = true)]
    password: Option<String>,
}

pub async fn run(Options { channels, days, users, seed, password }: Options, config: Config) -> anyhow::Result<()> {
    let password = password_of(&config, password)?;
    let app = open(config).await?;
    let accounts = demo::fill(&app, DemoOptions { channels, days, users, seed, password }).await?;
    println!("{accounts}");
    Ok(())
}
