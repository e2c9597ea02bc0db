//! `sign-in-rules clear`: clears the settings that say from which addresses people sign in.

use clap::Subcommand;

use crate::installation::open;
use base::config::Config;

#[derive(Subcommand)]
pub enum Command {
    /// Clear them when they lock you out: every address may sign in again; safe while serving
    Clear,
}

pub async fn run(Command::Clear: Command, config: Config) -> anyhow::Result<()> {
    let app = open(config).await?;
    match admin::clear_sign_in_rules(&app.db, app.clock.now()).await?.as_slice() {
        [] => println!("no rules were set: every address may sign in"),
        cleared => println!("cleared: {}", cleared.join(", ")),
    }
    Ok(())
}
