//! The commands of the program, one file a command.

mod admin;
mod backup;
mod demo;
mod demo_provider;
mod demo_visitors;
mod demo_wechat;
mod keys;
mod ledger;
mod password;
mod restore;
mod serve;
mod sign_in_rules;
mod stats;
mod trail;

use base::config::Config;
use clap::Subcommand;

use crate::installation::open;

#[derive(Subcommand)]
pub enum Command {
    /// Bring the database up to date and serve
    Serve,
    /// Bring the database up to date and stop
    Migrate,
    /// Fill an empty database with demo data
    Demo(demo::Options),
    /// Serve a provider of payments to try the demo's WeChat Pay and Alipay with
    DemoProvider(demo_provider::Options),
    /// Serve WeChat's calls to try the demo's official account with
    DemoWechat(demo_wechat::Options),
    /// Play visitors who write on the visitors' page of a service group
    DemoVisitors(demo_visitors::Options),
    /// Manage administrators
    Admin {
        #[command(subcommand)]
        command: admin::Command,
    },
    /// The settings that say from which addresses people sign in
    SignInRules {
        #[command(subcommand)]
        command: sign_in_rules::Command,
    },
    /// Daily statistics
    Stats {
        #[command(subcommand)]
        command: stats::Command,
    },
    /// The ledger
    Ledger {
        #[command(subcommand)]
        command: ledger::Command,
    },
    /// The audit trail
    Trail {
        #[command(subcommand)]
        command: trail::Command,
    },
    /// Back up the database and the uploads, with checksums, to a new file; safe while serving
    Backup(backup::Options),
    /// Check a backup and restore it into an empty installation
    Restore(restore::Options),
    /// The keys of this installation
    Keys {
        #[command(subcommand)]
        command: keys::Command,
    },
    /// Print the API's OpenAPI document
    Openapi,
}

impl Command {
    pub async fn run(self, config: Config) -> anyhow::Result<()> {
        match self {
            Command::Openapi => {
                println!("{:#}", frame::api::openapi::document(&server::calls()));
                Ok(())
            }
            Command::Serve => serve::run(config).await,
            Command::Migrate => open(config).await.map(drop),
            Command::Demo(options) => demo::run(options, config).await,
            Command::DemoProvider(options) => demo_provider::run(options).await,
            Command::DemoWechat(options) => demo_wechat::run(options).await,
            Command::DemoVisitors(options) => demo_visitors::run(options, config).await,
            Command::Stats { command } => stats::run(command, config).await,
            Command::Ledger { command } => ledger::run(command, &config).await,
            Command::Trail { command } => trail::run(command, &config).await,
            Command::Backup(options) => backup::run(options, &config).await,
            Command::Restore(options) => restore::run(options, &config).await,
            Command::Keys { command } => keys::run(command, config).await,
            Command::SignInRules { command } => sign_in_rules::run(command, config).await,
            Command::Admin { command } => admin::run(command, config).await,
        }
    }
}
