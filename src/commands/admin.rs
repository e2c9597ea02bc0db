//! `admin create`: creates the built-in administrator, or gives it a new password.

use clap::Subcommand;

use super::password::password_of;
use crate::installation::open;
use base::config::Config;

#[derive(Subcommand)]
pub enum Command {
    /// Create the built-in administrator, or give it a new password
    Create {
        #[arg(default_value = "admin")]
        username: String,
        /// Refused: other users of the machine can read a command line. LEADLANE_PASSWORD is the password; one is generated
        /// and printed if it is not set
        #[arg(long, hide = true)]
        password: Option<String>,
    },
}

pub async fn run(Command::Create { username, password }: Command, config: Config) -> anyhow::Result<()> {
    let password = password_of(&config, password)?;
    let app = open(config).await?;
    let password = demo::ensure_admin(&app, &username, password).await?;
    println!("administrator {username}, password {password}");
    Ok(())
}
