//! The command line: `serve`, `migrate`, `demo`, `admin create`, `sign-in-rules clear`, `ledger verify`, `ledger key`, `trail verify`,
//! `stats rebuild`, `keys accept-secret`, `keys rotate`, `backup`, `restore`, `openapi`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use base::clock::{self, Clock};
use base::config::{Config, LogFormat};
use base::crypto::{self, Keys};
use base::db::{self, Db, Engine};
use base::key_check::{self, Secrets};
use clap::{Parser, Subcommand};
use demo::visitors::Play;
use demo::{self, DemoOptions};
use frame::access::menu;
use frame::access::trail::{self, ChainEnd};
use frame::access::trail_end;
use frame::api::App;
use frame::meter::{self, Meter};
use jiff::civil::Date;
use render::{self, Bundle, RenderConfig, RenderPool};
use site::backup::{self, Stop};
use site::pages::document::Manifest;
use site::pages::front_end::FrontEnd;
use site::pages::settings::{self, Settings};
use site::pages::{self, Look, Site};
use trade::ledger::head::{self, Noted};

use base::storage::Storage;
use frame::{dict, export, upload};
use lead::distribution;
use server::{city_codes, dispatch, head_watch, phone_hashes, retention, trail_watch};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;
use trade::visit::Recorder;
use trade::visit::{self, Rebuilt};
use trade::{channel, compliance, ledger, partner, plan, user};

/// Connections of those who ask for the status alone, at most.
const STATUS_CONNECTIONS: usize = 32;
/// How often the process's clock is compared with the database's.
const COMPARE_CLOCKS: Duration = Duration::from_secs(10);
/// How long the end of the process waits for what computes on a thread of its own.
const WIND_UP: Duration = Duration::from_secs(1);
/// And for the visits that wait to be written, before that.
const LAST_VISITS: Duration = Duration::from_secs(5);

/// The back-office of a lead and lending business. Settings are environment variables that begin
/// with LEADLANE_; docs/configuration.md lists them.
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
    /// Fill an empty database with demo data
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
        /// Seed of the random numbers; the same seed makes the same data
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Refused: other users of the machine can read a command line. LEADLANE_PASSWORD is the password of all demo
        /// accounts; one is generated and printed if it is not set
        #[arg(long, hide = true)]
        password: Option<String>,
    },
    /// Serve a provider of payments to try the demo's WeChat Pay and Alipay with
    DemoProvider {
        /// Where it listens; the demo's channels call 127.0.0.1:7998
        #[arg(long, default_value = demo::PROVIDER)]
        listen: SocketAddr,
    },
    /// Serve WeChat's calls to try the demo's official account with
    DemoWechat {
        /// Where it listens: the server's LEADLANE_WECHAT_API
        #[arg(long, default_value = "127.0.0.1:7997")]
        listen: SocketAddr,
        /// Where the server is
        #[arg(long, default_value = "http://127.0.0.1:8080")]
        site: String,
        /// The id of the official account
        #[arg(long, default_value_t = 1)]
        account: i64,
    },
    /// Play visitors who write on the visitors' page of a service group
    DemoVisitors {
        /// Where the server is
        #[arg(long, default_value = "http://127.0.0.1:8080")]
        site: String,
        /// The key of the group's page; that of the first group in use if not given
        #[arg(long)]
        group: Option<String>,
        /// How many are there at the same time
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
        visitors: u32,
        /// Seconds between two messages of a visitor
        #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=3600))]
        pause: u64,
        /// Conversations of each visitor; without end if not given
        #[arg(long)]
        conversations: Option<u32>,
    },
    /// Manage administrators
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// The settings that say from which addresses people sign in
    SignInRules {
        #[command(subcommand)]
        command: SignInRulesCommand,
    },
    /// Daily statistics
    Stats {
        #[command(subcommand)]
        command: StatsCommand,
    },
    /// The ledger
    Ledger {
        #[command(subcommand)]
        command: LedgerCommand,
    },
    /// The audit trail
    Trail {
        #[command(subcommand)]
        command: TrailCommand,
    },
    /// Back up the database and the uploads, with checksums, to a new file; safe while serving
    Backup { file: PathBuf },
    /// Check a backup and restore it into an empty installation
    Restore {
        file: PathBuf,
        /// Replace the database and uploads of an installation that is not empty
        #[arg(long)]
        force: bool,
    },
    /// The keys of this installation
    Keys {
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// Print the API's OpenAPI document
    Openapi,
}

#[derive(Subcommand)]
enum SignInRulesCommand {
    /// Clear them when they lock you out: every address may sign in again; safe while serving
    Clear,
}

#[derive(Subcommand)]
enum KeysCommand {
    /// Accept the current secret, or a new one, for this database: everyone must log in again
    AcceptSecret,
    /// Reseal with the current data key what the old key sealed; safe while serving
    Rotate,
}

#[derive(Subcommand)]
enum LedgerCommand {
    /// Compare every account with its ledger entries and with the leads in delivery; safe while serving
    Verify {
        /// A head that was sent, DAY:DIGEST, or its file: the entries of that day must be there as they were; may be
        /// given again
        #[arg(long, value_name = "HEAD", value_parser = Noted::given)]
        since: Vec<Noted>,
    },
    /// Print the key of the ledger's hashes, for an auditor who recomputes them
    Key,
}

#[derive(Subcommand)]
enum TrailCommand {
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

#[derive(Subcommand)]
enum StatsCommand {
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

#[derive(Subcommand)]
enum AdminCommand {
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
            println!("{:#}", frame::api::openapi::document(&server::calls()));
            Ok(())
        }
        Command::Serve => serve(open(config).await?).await,
        Command::Migrate => open(config).await.map(drop),
        Command::Demo { channels, days, users, seed, password } => {
            let password = password_of(&config, password)?;
            let app = open(config).await?;
            let accounts = demo::fill(&app, DemoOptions { channels, days, users, seed, password }).await?;
            println!("{accounts}");
            Ok(())
        }
        Command::DemoProvider { listen } => {
            let listener = TcpListener::bind(listen).await.with_context(|| format!("listening on {listen}"))?;
            let address = format!("http://{}", listener.local_addr()?);
            println!("The demo's provider of payments is at {address}");
            Ok(axum::serve(listener, demo::provider::router(&address)).await?)
        }
        Command::DemoWechat { listen, site, account } => {
            let listener = TcpListener::bind(listen).await.with_context(|| format!("listening on {listen}"))?;
            println!("The demo's WeChat is at http://{}", listener.local_addr()?);
            Ok(axum::serve(listener, demo::wechat::router(&site, account)).await?)
        }
        Command::DemoVisitors { site, group, visitors, pause, conversations } => {
            let group_key = match group {
                Some(key) => key,
                None => chat::first_page_key(&open(config).await?.db).await?.context("there is no service group in use")?,
            };
            let site = site.trim_end_matches('/').to_owned();
            demo::visitors::play(&Play { site, group_key, visitors, pause: Duration::from_secs(pause), conversations }).await
        }
        Command::Stats { command: StatsCommand::Rebuild { from, to } } => {
            anyhow::ensure!(from <= to, "--from is after --to");
            let app = open(config).await?.for_workers();
            let Rebuilt { days, without_visits, corrected } = visit::rebuild(&app.db, &app.clock, from, to).await?;
            println!("{days} days, {corrected} rows corrected");
            if without_visits > 0 {
                println!("{without_visits} days whose visits are no longer kept: their visits, cost and income stay as they were");
            }
            Ok(())
        }
        Command::Ledger { command: LedgerCommand::Verify { since } } => verify_ledger(&config, since).await,
        Command::Ledger { command: LedgerCommand::Key } => {
            println!("{}", look_with_keys(&config).await?.1.ledger_key().text());
            Ok(())
        }
        Command::Trail { command: TrailCommand::Verify { end, backup } } => verify_trail(&config, end, &backup).await,
        Command::Backup { file } => {
            let report = save(&config, &file).await?;
            println!("{}: {report}", file.display());
            Ok(())
        }
        Command::Restore { file, force } => {
            config.make_data_folder().with_context(|| format!("the data folder {}", config.data.display()))?;
            let report = backup::restore(&config, &Clock::default(), &file, force, &stop_of_signal()).await?;
            println!("restored from {}: {report}", file.display());
            Ok(())
        }
        Command::Keys { command: KeysCommand::AcceptSecret } => {
            let app = open_with(config, Secrets::Accepted).await?;
            println!("tokens are signed with the secret {}", app.keys.secret_fingerprint());
            Ok(())
        }
        Command::Keys { command: KeysCommand::Rotate } => {
            let app = open(config).await?;
            let resealed = key_check::rotate(&app.db, &app.keys, app.clock.now()).await?;
            println!("{resealed} values sealed with the data key {}", app.keys.fingerprint());
            Ok(())
        }
        Command::SignInRules { command: SignInRulesCommand::Clear } => {
            let app = open(config).await?;
            match admin::clear_sign_in_rules(&app.db, app.clock.now()).await?.as_slice() {
                [] => println!("no rules were set: every address may sign in"),
                cleared => println!("cleared: {}", cleared.join(", ")),
            }
            Ok(())
        }
        Command::Admin { command: AdminCommand::Create { username, password } } => {
            let password = password_of(&config, password)?;
            let app = open(config).await?;
            let password = demo::ensure_admin(&app, &username, password).await?;
            println!("administrator {username}, password {password}");
            Ok(())
        }
    }
}

/// The password of the settings. One on the command line is refused: other users of the machine can read it, and shells keep it.
fn password_of(config: &Config, argument: Option<String>) -> anyhow::Result<Option<String>> {
    anyhow::ensure!(argument.is_none(), "others can see a command line: set the variable LEADLANE_PASSWORD instead of --password");
    Ok(config.password.clone())
}

/// Compares the books with each other and with heads of before, and prints what is wrong.
async fn verify_ledger(config: &Config, since: Vec<Noted>) -> anyhow::Result<()> {
    let (db, keys) = look_with_keys(config).await?;
    let db = db.sealing(&keys);
    let wrong = ledger::verify::verify(&db).await?;
    for one in &wrong {
        let (row, words) = (one.id.map(|id| format!(" {id}")).unwrap_or_default(), ledger::verify::words(one.what));
        match (one.what, one.id) {
            ("chain", Some(id)) => println!(
                "organisation {}: entry {id} does not follow the one before it: one of them was changed, removed or inserted",
                one.org_id
            ),
            ("seal", Some(id)) => println!(
                "organisation {}: entry {id} is not the one that was sealed: an entry before it was changed, removed or inserted",
                one.org_id
            ),
            _ => println!("organisation {}: {}{row} is {}, should be {} ({words})", one.org_id, one.what, one.found, one.expected),
        }
    }
    let mut differences = wrong.len();
    let kept = head::kept::read(&config.data)?.map(Noted::from).filter(|kept| since.iter().all(|noted| noted.head != kept.head));
    for noted in since.iter().chain(&kept) {
        let found = head::compare(&db, noted).await?;
        differences += found.len();
        for difference in &found {
            println!("head {}: {difference}", noted.head);
        }
    }
    let clock = Clock::default();
    db.set_right(&clock).await.context("the database's clock")?;
    let faults = head::faults(&db, clock.now()).await?;
    differences += faults.len();
    for fault in &faults {
        println!("{fault}");
    }
    anyhow::ensure!(differences == 0, "{differences} differences");
    println!("every account agrees with its entries, and they with leads, receipts and caps");
    for Noted { head, .. } in &since {
        println!("all entries of the head {head} are as they were");
    }
    Ok(())
}

/// Compares the audit trail with its chain and with ends that it had before, and prints what is wrong.
async fn verify_trail(config: &Config, mut ends: Vec<ChainEnd>, backups: &[PathBuf]) -> anyhow::Result<()> {
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

/// Saves an installation, which is there already and is not changed.
async fn save(config: &Config, file: &Path) -> anyhow::Result<backup::Report> {
    let found = crypto::Found::look(config)?;
    let database = db::file_of(&config.database_url);
    anyhow::ensure!(db::engine_of(&config.database_url) == Engine::Postgres || database.exists(), "{} is not there", database.display());
    let db = Db::connect(&config.database_url).await.context("the database")?;
    backup::ensure_whole(&db).await?;
    key_check::ask(&db, config, &found, Secrets::Known).await?;
    db.close().await;
    let keys = found.into_keys().context("there are no keys: this installation has never been started")?;
    backup::make(config, &keys, &Clock::default(), file, &stop_of_signal()).await
}

/// Set by the signals that end a process, for commands that must leave nothing half done.
fn stop_of_signal() -> Stop {
    let (stop, signalled) = (Stop::default(), CancellationToken::new());
    tokio::spawn(stop_on_signal(signalled.clone()));
    let asked = stop.clone();
    tokio::spawn(async move {
        signalled.cancelled().await;
        asked.stop();
    });
    stop
}

/// Opens the database for a command that only looks at it: nothing is made, and nothing brought up to date.
async fn look(config: &Config) -> anyhow::Result<Db> {
    let db = Db::existing(&config.database_url).await.context("the database")?;
    db::migrate::check(&db).await?;
    Ok(db.for_workers())
}

/// The same with the keys of the database.
async fn look_with_keys(config: &Config) -> anyhow::Result<(Db, Keys)> {
    let (db, found) = (look(config).await?, crypto::Found::look(config)?);
    key_check::ask(&db, config, &found, Secrets::Known).await?;
    let keys = key_check::look(&db, config, found).await?.context("there are no keys: this installation has never been started")?;
    Ok((db, keys))
}

/// Opens what every command works on, with the database up to date.
async fn open(config: Config) -> anyhow::Result<App> {
    open_with(config, Secrets::Known).await
}

async fn open_with(config: Config, secrets: Secrets) -> anyhow::Result<App> {
    config.make_data_folder().with_context(|| format!("the data folder {}", config.data.display()))?;
    let found = crypto::Found::look(&config)?;
    if let Some(warning) = config.database_warning() {
        tracing::warn!("{warning}");
    }
    let db = Db::connect(&config.database_url).await.context("the database")?;
    backup::ensure_whole(&db).await?;
    // Before anything is written, and again when there is where to write it down.
    key_check::ask(&db, &config, &found, secrets).await?;
    db::migrate::run(&db).await.context("the database's migrations")?;
    let clock = Clock::default();
    db.set_right(&clock).await.context("the database's clock")?;
    let mut keys = found.or_make(&config)?;
    key_check::settle(&db, &config, &mut keys, secrets, clock.now()).await?;
    let db = db.sealing(&keys);
    ledger::seal_ledger(&db, head::kept::read(&config.data)?.is_some(), clock.now()).await.context("the seals of the ledger")?;
    menu::seed(&db, clock.now()).await.context("the menu tree")?;
    dict::seed(&db, clock.now()).await.context("the dictionary")?;
    compliance::seed(&db, clock.now()).await.context("the compliance rules")?;
    let storage = Storage::open(&config.storage)?;
    let meter = Meter::new(clock.now());
    Ok(App {
        config,
        db,
        keys: Arc::new(keys),
        roles: Arc::default(),
        settings: Arc::default(),
        clock,
        hashing: Arc::default(),
        storage,
        meter: Arc::new(meter),
        services: Arc::default(),
        move_to_team: admin::move_to_team,
        outbox: Arc::default(),
        doors: Arc::default(),
        polled: Arc::default(),
        limits: Arc::default(),
        credited: Arc::default(),
        payments: Arc::default(),
    })
}

async fn serve(app: App) -> anyhow::Result<()> {
    let app = Arc::new(app);
    let limits = server::Limits::of(&app.config)?;
    let settings = Settings::load(&app.config.data).with_context(|| app.config.data.join(settings::FILE).display().to_string())?;
    let (front_end, bundle) = front_end(&app.config)?;
    let renderer = RenderPool::start(
        bundle,
        RenderConfig { isolates: app.config.isolates, memo_mb: app.config.render_memo_mb as u64, ..RenderConfig::default() },
    )?;
    let site = Arc::new(Site {
        api: server::api(app.clone()),
        look: Look::of(settings, &renderer).await.map_err(|failure| anyhow::anyhow!("the theme colour's shades: {failure}"))?,
        app: app.clone(),
        renderer: Arc::new(renderer),
        front_end,
    });

    // Before any worker: a start that fails leaves nothing running behind it.
    let listener = TcpListener::bind(app.config.listen).await.with_context(|| format!("listening on {}", app.config.listen))?;
    let status = match app.config.status_listen {
        Some(address) => Some(TcpListener::bind(address).await.with_context(|| format!("listening on {address}"))?),
        None => None,
    };
    let stop = CancellationToken::new();
    let workers = Arc::new(app.for_workers());
    let outbox = tokio::spawn(dispatch::work(workers.clone(), stop.clone()));
    let exports = tokio::spawn(export::work(workers.clone(), server::api(workers.clone()), stop.clone()));
    let sweeper = tokio::spawn(upload::work(workers.clone(), stop.clone()));
    let plans = tokio::spawn(plan::work(workers.clone(), stop.clone()));
    let clues = tokio::spawn(crm::work_on_clues(workers.clone(), stop.clone()));
    tokio::spawn(pay::watch(workers.clone(), stop.clone()));
    tokio::spawn(chat::listen(workers.clone(), stop.clone()));
    let conversations = tokio::spawn(chat::work(workers.clone(), stop.clone()));
    let wechat = tokio::spawn(chat::work_wechat(workers.clone(), stop.clone()));
    let channels = tokio::spawn(channel::work(workers.clone(), stop.clone()));
    let leads = tokio::spawn(distribution::work(workers.clone(), stop.clone()));
    tokio::spawn(chat::work_masking(workers.clone(), stop.clone()));
    tokio::spawn(user::addresses::work(workers.clone(), stop.clone()));
    tokio::spawn(phone_hashes::work(workers.clone(), stop.clone()));
    tokio::spawn(city_codes::work(workers.clone(), stop.clone()));
    tokio::spawn(ledger::journal::work(workers.clone(), stop.clone()));
    tokio::spawn(ledger::journal::work_checkpoints(workers.clone(), stop.clone()));
    tokio::spawn(distribution::check_nightly(workers.clone(), stop.clone()));
    tokio::spawn(partner::work_on_statements(workers.clone(), stop.clone()));
    tokio::spawn(stats::views::work(workers.clone(), stop.clone()));
    let trail = tokio::spawn(trail_watch::work(workers.clone(), stop.clone()));
    tokio::spawn(head_watch::work(workers.clone(), stop.clone()));
    let retention = tokio::spawn(retention::work(workers.clone(), stop.clone()));
    tokio::spawn(sample(app.clone(), stop.clone()));
    tokio::spawn(keep_time(workers.clone(), stop.clone()));
    let retain = tokio::spawn(visit::work(workers.clone(), stop.clone()));
    let figures = tokio::spawn(visit::lead::work(workers.clone(), stop.clone()));
    tokio::spawn(visit::work_on_charges(workers.clone(), stop.clone()));
    tokio::spawn(visit::work_on_earlier(workers.clone(), stop.clone()));
    // Requests that still run have their visits written too: it ends after them.
    let served = CancellationToken::new();
    let visits = {
        let (app, served) = (workers.clone(), served.clone());
        tokio::spawn(async move { app.service::<Recorder>().work(app.db.clone(), app.clock.clone(), served).await })
    };
    println!("Leadlane is at http://{}", listener.local_addr()?);
    if let Some(listener) = status {
        let limits = server::Limits { connections: STATUS_CONNECTIONS, ..limits.clone() };
        tokio::spawn(server::serve(listener, pages::status_router(site.clone()), limits, stop.clone()));
    }
    let fence = tokio::spawn(db::migrate::watch(app.db.clone(), stop.clone()));
    tokio::spawn(stop_on_signal(stop.clone()));
    server::serve(listener, pages::router(site.clone()), limits, stop).await?;
    served.cancel();
    match tokio::time::timeout(LAST_VISITS, visits).await {
        Ok(ended) => ended.context("the writer of visits")?,
        Err(_) => tracing::error!(waiting = app.service::<Recorder>().backlog(), "stopped before all visits were written"),
    }

    let drain = app.config.drain;
    let wind_up = async {
        outbox.await.context("the outbox worker")?;
        sweeper.await.context("the sweeper of uploads")?;
        plans.await.context("the watch over plans")?;
        channels.await.context("the watch over channels")?;
        clues.await.context("the work on clues")?;
        conversations.await.context("the work on conversations")?;
        wechat.await.context("the messages of WeChat")?;
        leads.await.context("the distribution of leads")?;
        exports.await.context("the worker of exports")?;
        retain.await.context("the sweeper of visits")?;
        retention.await.context("the sweeper of old rows")?;
        figures.await.context("the figures of leads")?;
        trail.await.context("the chain of the audit trail")?;
        tokio::task::spawn_blocking(move || site.renderer.shutdown()).await.context("the isolates' end")?;
        app.storage.close().await;
        app.db.close().await;
        anyhow::Ok(())
    };
    // Calls that are on their way end first: what they answer is worth money.
    match tokio::time::timeout(drain, wind_up).await {
        Ok(outcome) => outcome?,
        Err(_) => tracing::warn!(?drain, "stopped with something still running"),
    }
    fence.await.context("the watch over the schema")??;
    Ok(())
}

/// The front end that pages link to, and the script that renders them.
#[cfg_attr(not(debug_assertions), expect(unused_variables, reason = "only a debug build can be set to another one"))]
fn front_end(config: &Config) -> anyhow::Result<(FrontEnd, Bundle)> {
    #[cfg(debug_assertions)]
    if let Some(folder) = &config.dev_assets {
        return FrontEnd::in_folder(folder).with_context(|| format!("the front end in {}", folder.display()));
    }
    let manifest = Manifest::parse(front::MANIFEST).context("the front end's manifest")?;
    let bundle = Bundle { script: front::SERVER_BUNDLE, source_map: Some(front::SERVER_BUNDLE_MAP) };
    Ok((FrontEnd::embedded(manifest), bundle))
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

/// Keeps the process's clock right by the database's until told to stop.
async fn keep_time(app: Arc<App>, stop: CancellationToken) {
    clock::every(COMPARE_CLOCKS, stop, async || {
        // A database that does not answer tells no time.
        if let Err(error) = app.db.set_right(&app.clock).await {
            tracing::debug!(%error, "the clock could not be compared with the database's");
        }
    })
    .await;
}

async fn stop_on_signal(stop: CancellationToken) {
    let mut terminate = signal(SignalKind::terminate()).expect("a signal handler can be set");
    let mut interrupt = signal(SignalKind::interrupt()).expect("a signal handler can be set");
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping: what is on its way is brought to its end; another signal stops at once");
    stop.cancel();
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::warn!("stopped at once, with what was on its way");
    std::process::exit(1);
}
