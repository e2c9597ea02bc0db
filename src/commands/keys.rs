//! `keys accept-secret` and `keys rotate`: the keys of an installation.

use clap::Subcommand;

use crate::installation::{open, open_with};
use base::config::Config;
use base::key_check::{self, Secrets};

#[derive(Subcommand)]
pub enum Command {
    /// Accept the current secret, or a new one, for this database: everyone must log in again
    AcceptSecret,
    /// Reseal with the current data key what the old key sealed; safe while serving
    Rotate,
}

pub async fn run(command: Command, config: Config) -> anyhow::Result<()> {
    match command {
        Command::AcceptSecret => {
            let app = open_with(config, Secrets::Accepted).await?;
            println!("tokens are signed with the secret {}", app.keys.secret_fingerprint());
            Ok(())
        }
        Command::Rotate => {
            let app = open(config).await?;
            let resealed = key_check::rotate(&app.db, &app.keys, app.clock.now()).await?;
            println!("{resealed} values sealed with the data key {}", app.keys.fingerprint());
            Ok(())
        }
    }
}
