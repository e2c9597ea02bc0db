//! The command line: `serve`, `migrate`, `demo`, `admin create`, `ledger verify`, `stats rebuild`, `openapi`.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use jiff::civil::Date;
use leadlane::access::{Roles, menu};
use leadlane::api::App;
use leadlane::clock::Clock;
use leadlane::config::{Config, LogFormat};
use leadlane::crypto::Keys;
use leadlane::db::{self, Db};
use leadlane::demo::{self, DemoOptions};
use leadlane::handoff::Handoff;
use leadlane::meter::{self, Meter};
use leadlane::outbox::{self, SmsFile};
use leadlane::pages::document::Manifest;
use leadlane::pages::settings::{self, Settings};
use leadlane::pages::{Look, Site};
use leadlane::plan::market::Market;
use leadlane::render::{self, Bundle, RenderConfig, RenderPool};
use leadlane::server::{self, assets};
use leadlane::storage::Storage;
use leadlane::user::intake::Intake;
use leadlane::visit::{self, Rebuilt, Recorder};
use leadlane::{channel, compliance, dict, distribution, export, feedback, finance, plan, setting, upload};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

/// How long the end of the process waits, once requests are done, for what still runs.
const WIND_UP: Duration = Duration::from_secs(1);
/// And for the visits that wait to be written, before that.
const LAST_VISITS: Duration = Duration::from_secs(5);

/// The back-office of a lead and lending business. Settings are environment variables that begin
/// with LEADLANE_; the README lists them.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Bring the database up to date and serve
    Serve,
    /// Bring the database up to date and stop
    Migrate,
    /// Fill an empty database with a believable business
    Demo {
        /// How many channels
        #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        channels: u32,
        /// How many days of visits, until today
        #[arg(long, default_value_t = 730, value_parser = clap::value_parser!(u32).range(0..=3650))]
        days: u32,
        /// How many applicants
        #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(0..=100_000))]
        users: u32,
        /// Makes the same business again
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Password of all demo accounts; made and printed when absent
        #[arg(long)]
        password: Option<String>,
    },
    /// Manage administrators
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Daily figures
    Stats {
        #[command(subcommand)]
        command: StatsCommand,
    },
    /// The books
    Ledger {
        #[command(subcommand)]
        command: LedgerCommand,
    },
    /// Print the API's OpenAPI document
    Openapi,
}

#[derive(Subcommand)]
enum LedgerCommand {
    /// Compare every account with its entries and with the leads on their way; safe while serving
    Verify,
}

#[derive(Subcommand)]
enum StatsCommand {
    /// Make the figures of some days again from the visits, exposures and leads themselves; safe while serving
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

#[derive(Subcommand)]
enum AdminCommand {
    /// Create the built-in administrator, or give it a new password
    Create {
        #[arg(default_value = "admin")]
        username: String,
        /// Made and printed when absent
        #[arg(long)]
        password: Option<String>,
    },
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
        let outcome = runtime.block_on(run(arguments.command, config));
        // Whatever still computes on a thread of its own, a password or a file, is given up.
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

async fn run(command: Command, config: Config) -> anyhow::Result<()> {
    match command {
        Command::Openapi => {
            println!("{:#}", leadlane::api::openapi::document(&server::calls()));
            Ok(())
        }
        Command::Serve => serve(open(config).await?).await,
        Command::Migrate => open(config).await.map(drop),
        Command::Demo { channels, days, users, seed, password } => {
            let app = open(config).await?;
            let accounts = demo::fill(&app, DemoOptions { channels, days, users, seed, password }).await?;
            println!("{accounts}");
            Ok(())
        }
        Command::Stats { command: StatsCommand::Rebuild { from, to } } => {
            anyhow::ensure!(from <= to, "--from is after --to");
            let app = open(config).await?;
            let Rebuilt { days, corrected } = visit::rebuild(&app.db, &app.clock, from, to).await?;
            println!("{days} days, {corrected} rows corrected");
            Ok(())
        }
        Command::Ledger { command: LedgerCommand::Verify } => {
            let app = open(config).await?;
            let wrong = finance::verify::verify(&app.db).await?;
            for one in &wrong {
                println!("organisation {}: {} is {}, should be {}", one.org_id, one.what, one.found, one.expected);
            }
            anyhow::ensure!(wrong.is_empty(), "{} differences", wrong.len());
            println!("every account agrees with its entries");
            Ok(())
        }
        Command::Admin { command: AdminCommand::Create { username, password } } => {
            let app = open(config).await?;
            let password = demo::ensure_admin(&app, &username, password).await?;
            println!("administrator {username}, password {password}");
            Ok(())
        }
    }
}

/// Opens what every command works on, with the database up to date.
async fn open(config: Config) -> anyhow::Result<App> {
    config.make_data_folder().with_context(|| format!("the data folder {}", config.data.display()))?;
    let keys = Keys::load(&config).context("the keys in the data folder")?;
    let db = Db::connect(&config.database_url).await.context("the database")?;
    db::migrate::run(&db).await.context("the database's migrations")?;
    let clock = Clock::default();
    menu::seed(&db, clock.now()).await.context("the menu tree")?;
    dict::seed(&db, clock.now()).await.context("the dictionary")?;
    compliance::seed(&db, clock.now()).await.context("the compliance rules")?;
    let (roles, settings, storage) = (Roles::default(), setting::Settings::default(), Storage::open(&config.storage)?);
    let meter = Meter::new(clock.now());
    Ok(App {
        config,
        db,
        keys: Arc::new(keys),
        roles,
        settings,
        clock,
        storage,
        meter,
        visits: Recorder::default(),
        handoff: Handoff::default(),
        market: Market::default(),
        intake: Intake::default(),
    })
}

async fn serve(app: App) -> anyhow::Result<()> {
    let app = Arc::new(app);
    let settings = Settings::load(&app.config.data).with_context(|| app.config.data.join(settings::FILE).display().to_string())?;
    let renderer = RenderPool::start(
        Bundle { script: assets::SERVER_BUNDLE, source_map: Some(assets::SERVER_BUNDLE_MAP) },
        RenderConfig { isolates: app.config.isolates, memo_mb: app.config.render_memo_mb as u64, ..RenderConfig::default() },
    )?;
    let site = Arc::new(Site {
        api: server::api(app.clone()),
        look: Look::of(settings, &renderer).await.map_err(|failure| anyhow::anyhow!("the theme colour's shades: {failure}"))?,
        app: app.clone(),
        renderer: Arc::new(renderer),
        manifest: Manifest::parse(assets::MANIFEST).context("the front end's manifest")?,
    });

    let stop = CancellationToken::new();
    let outbox =
        tokio::spawn(outbox::work(app.db.clone(), app.keys.clone(), SmsFile::in_folder(&app.config.data), app.clock.clone(), stop.clone()));
    let exports = tokio::spawn(export::work(app.clone(), site.api.clone(), stop.clone()));
    let sweeper = tokio::spawn(upload::work(app.clone(), stop.clone()));
    let plans = tokio::spawn(plan::work(app.clone(), stop.clone()));
    let channels = tokio::spawn(channel::work(app.clone(), stop.clone()));
    let leads = tokio::spawn(distribution::work(app.clone(), stop.clone()));
    let callbacks = tokio::spawn(feedback::work(app.clone(), stop.clone()));
    tokio::spawn(distribution::check_nightly(app.clone(), stop.clone()));
    tokio::spawn(sample(app.clone(), stop.clone()));
    let retain = tokio::spawn(visit::work(app.clone(), stop.clone()));
    let figures = tokio::spawn(visit::lead::work(app.clone(), stop.clone()));
    // Requests that still run have their visits written too: it ends after them.
    let served = CancellationToken::new();
    let visits = {
        let (app, served) = (app.clone(), served.clone());
        tokio::spawn(async move { app.visits.work(app.db.clone(), app.clock.clone(), served).await })
    };
    let listener = TcpListener::bind(app.config.listen).await.with_context(|| format!("listening on {}", app.config.listen))?;
    println!("Leadlane is at http://{}", listener.local_addr()?);
    tokio::spawn(stop_on_signal(stop.clone()));
    server::serve(listener, server::router(site.clone()), stop).await?;
    served.cancel();
    match tokio::time::timeout(LAST_VISITS, visits).await {
        Ok(ended) => ended.context("the writer of visits")?,
        Err(_) => tracing::error!(waiting = app.visits.backlog(), "stopped before all visits were written"),
    }

    let wind_up = async {
        outbox.await.context("the outbox worker")?;
        sweeper.await.context("the sweeper of uploads")?;
        plans.await.context("the watch over plans")?;
        channels.await.context("the watch over channels")?;
        leads.await.context("the distribution of leads")?;
        callbacks.await.context("the word to channels")?;
        exports.await.context("the worker of exports")?;
        retain.await.context("the sweeper of visits")?;
        figures.await.context("the figures of leads")?;
        tokio::task::spawn_blocking(move || site.renderer.shutdown()).await.context("the isolates' end")?;
        app.storage.close().await;
        app.db.close().await;
        anyhow::Ok(())
    };
    match tokio::time::timeout(WIND_UP, wind_up).await {
        Ok(outcome) => outcome?,
        Err(_) => tracing::warn!("stopped with something still running"),
    }
    Ok(())
}

/// Takes the samples of the last hour until told to stop.
async fn sample(app: Arc<App>, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(meter::EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => app.meter.sample(app.clock.now()),
        }
    }
}

async fn stop_on_signal(stop: CancellationToken) {
    let mut terminate = signal(SignalKind::terminate()).expect("a signal handler can be set");
    let mut interrupt = signal(SignalKind::interrupt()).expect("a signal handler can be set");
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping");
    stop.cancel();
}
