//! `serve`: serves pages and calls, and runs the workers behind them.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::installation::open;
use crate::signals::stop_on_signal;
use base::config::Config;
use base::{clock, db};
use frame::api::App;
use frame::meter;
use frame::workers::Workers;
use render::{Bundle, RenderConfig, RenderPool, StartError};
use site::pages::document::Manifest;
use site::pages::front_end::FrontEnd;
use site::pages::settings::{self, Settings};
use site::pages::{self, Look, Site};
use trade::visit::Recorder;

/// Connections of those who ask for the status alone, at most.
const STATUS_CONNECTIONS: usize = 32;
/// The file in the data folder that holds the compiled code of the pages; it may be deleted at any time. That of `make dist`
/// stands beside the program under the same name.
const CODE_CACHE: &str = "pages.code";
/// How often the process's clock is compared with the database's.
const COMPARE_CLOCKS: Duration = Duration::from_secs(10);
/// How long after the start of the server the workers start.
const WORKERS_AFTER: Duration = Duration::from_millis(200);
/// How long the end of the process waits for the visits that are still to be written.
const LAST_VISITS: Duration = Duration::from_secs(5);

pub async fn run(config: Config) -> anyhow::Result<()> {
    let (front_end, bundle) = front_end(&config)?;
    let limits = server::Limits::of(&config)?;
    let renderer = start_renderer(&config, bundle)?;
    let app = match open(config).await {
        Ok(app) => Arc::new(app),
        Err(error) => {
            // The process must not end while the engine starts.
            drop(renderer.await);
            return Err(error);
        }
    };
    let settings = Settings::load(&app.config.data).with_context(|| app.config.data.join(settings::FILE).display().to_string())?;
    // While the engine starts.
    let api = server::api(app.clone());
    let renderer = renderer.await.context("the isolates' start")??;
    let site = Arc::new(Site {
        api,
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
    let for_workers = Arc::new(app.for_workers());
    let workers = tokio::spawn(start_workers(for_workers.clone(), stop.clone()));
    tokio::spawn(sample(app.clone(), stop.clone()));
    // Requests that still run have their visits written too: it ends after them.
    let served = CancellationToken::new();
    let visits = {
        let (app, served) = (for_workers, served.clone());
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
        workers.await.context("the workers' start")?.ended().await?;
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

/// Starts the workers when the first pages are out: what they do at first takes the threads that pages need.
async fn start_workers(app: Arc<App>, stop: CancellationToken) -> Workers {
    tokio::time::sleep(WORKERS_AFTER).await;
    let mut workers = Workers::new(app, stop);
    server::start_workers(&mut workers);
    workers.start(keep_time);
    workers
}

/// Starts the isolates beside the caller, who opens the database meanwhile.
fn start_renderer(config: &Config, bundle: Bundle) -> anyhow::Result<JoinHandle<Result<RenderPool, StartError>>> {
    config.make_data_folder().with_context(|| format!("the data folder {}", config.data.display()))?;
    let config = RenderConfig {
        // QuickJS ends the process if several isolates begin and end beside one another.
        isolates: if render::ENGINE == "quickjs" { 1 } else { config.isolates },
        memo_mb: config.render_memo_mb as u64,
        code_cache: (render::ENGINE == "v8").then(|| config.data.join(CODE_CACHE)),
        shipped_code: std::env::current_exe().ok().filter(|_| render::ENGINE == "v8").map(|program| program.with_file_name(CODE_CACHE)),
        ..RenderConfig::default()
    };
    Ok(tokio::task::spawn_blocking(move || RenderPool::start(bundle, config)))
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

/// Takes the samples of the last hour until it is to stop.
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

/// Keeps the process's clock right by the database's until it is to stop.
async fn keep_time(app: Arc<App>, stop: CancellationToken) {
    clock::every(COMPARE_CLOCKS, stop, async || {
        // A database that does not answer gives no time.
        if let Err(error) = app.db.set_right(&app.clock).await {
            tracing::debug!(%error, "the clock could not be compared with the database's");
        }
    })
    .await;
}
