//! The password that a command gives to accounts.

use base::config::Config;

/// The password of the settings. One on the command line is refused: other users of the machine can read it, and shells keep it.
pub fn password_of(config: &Config, argument: Option<String>) -> anyhow::Result<Option<String>> {
    anyhow::ensure!(argument.is_none(), "others can see a command line: set the variable LEADLANE_PASSWORD instead of --password");
    Ok(config.password.clone())
}
