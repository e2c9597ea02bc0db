//! The installation that a command works on: its database, its keys and its storage.

use std::sync::Arc;

use anyhow::Context as _;

use admin::menu;
use base::clock::Clock;
use base::config::Config;
use base::crypto::{self, Keys};
use base::db::{self, Db};
use base::key_check::{self, Secrets};
use base::storage::Storage;
use frame::api::App;
use frame::dict;
use frame::meter::Meter;
use site::backup;
use trade::compliance;
use trade::ledger::{self, head};

/// Opens the database for a command that only looks at it: nothing is made, and nothing brought up to date.
async fn look(config: &Config) -> anyhow::Result<Db> {
    let db = Db::existing(&config.database_url).await.context("the database")?;
    db::migrate::check(&db).await?;
    Ok(db.for_workers())
}

/// Opens the database and its keys for a command that only looks at them.
pub async fn look_with_keys(config: &Config) -> anyhow::Result<(Db, Keys)> {
    let (db, found) = (look(config).await?, crypto::Found::look(config)?);
    key_check::ask(&db, config, &found, Secrets::Known).await?;
    let keys = key_check::look(&db, config, found).await?.context("there are no keys: this installation has never been started")?;
    Ok((db, keys))
}

/// Opens the installation, with the database up to date.
pub async fn open(config: Config) -> anyhow::Result<App> {
    open_with(config, Secrets::Known).await
}

pub async fn open_with(config: Config, secrets: Secrets) -> anyhow::Result<App> {
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
