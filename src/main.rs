//! The command line: `serve`, `migrate`, `demo`, `admin create`, `sign-in-rules clear`, `ledger verify`, `ledger key`, `trail verify`,
//! `stats rebuild`, `keys accept-secret`, `keys rotate`, `backup`, `restore`, `openapi`.

mod commands;
mod installation;
mod signals;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use tracing_subscriber::EnvFilter;

use crate::commands::Command;
use base::config::{Config, LogFormat};

/// How long the end of the process waits for what computes on a thread of its own.
const WIND_UP: Duration = Duration::from_secs(1);

/// The back-office of a lead and lending business. Settings are environment variables that begin
/// with LEADLANE_; docs/configuration.md lists them.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Before any other thread, see `render::init_platform`.
    if matches!(arguments.command, Command::Serve) {
        render::init_platform();
    }
    let outcome = Config::from_env().map_err(anyhow::Error::from).and_then(|config| {
        start_log(config.log);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(serving_threads()).enable_all().build()?;
        let outcome = runtime.block_on(arguments.command.run(config));
        // Work that still computes on a thread of its own, a password or a file, is given up.
        runtime.shutdown_timeout(WIND_UP);
        outcome
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("leadlane: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Threads for all but rendering, which has its own: half as many as there are cores. A page is
/// rendered three times as long as it is served, and more threads would wake each other for nothing
/// and take the caches from the isolates (14 % fewer pages a second on two cores).
fn serving_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2))
}

fn start_log(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
}
