//! Demo data, the first administrator, and what plays payment providers, WeChat and visitors.
//!
//! Not here: the commands (`src/commands/`), and the database that tests begin with (`testing::world`). Used by the
//! program (`leadlane demo`, `leadlane admin create`) and by tests.

mod agreements;
mod applicants;
mod blacklist;
mod channels;
mod chat;
mod clue_money;
mod clues;
mod compliance;
mod conversations;
mod dictionary;
mod doubts;
mod feedback;
mod finance;
mod leads;
mod messages;
mod partners;
mod payments;
mod people;
mod pictures;
mod plans;
mod products;
mod projects;
mod proposals;
pub mod provider;
mod pushes;
mod questions;
mod random;
mod receipts;
mod repeats;
mod returns;
mod salespeople;
mod sms;
mod stopped;
mod test_leads;
mod users;
pub mod visitors;
mod visits;
pub mod wechat;

use std::fmt;

use anyhow::{bail, ensure};
use futures_util::future::BoxFuture;
use sqlx::Row;

pub use self::payments::PROVIDER;
use self::people::{Account, Staff};
use self::random::Random;
use admin::{menu, standard_roles};
use base::canonical;
use base::crypto;
use base::db::Connection;
use base::password_hashing;
use frame::access::audit::Actor;
use frame::access::password_rules::{LONGEST, Policy};
use frame::access::session::Origin;
use frame::access::{role, second_factor, sign_in};
use frame::api::App;
use frame::setting;
use trade::visit::{applied, lead};

/// The options of `leadlane demo`.
pub struct DemoOptions {
    pub channels: u32,
    /// Days of visits, until today.
    pub days: u32,
    /// How many applicants.
    pub users: u32,
    /// The same seed makes the same business again, keys and secrets aside.
    pub seed: u64,
    /// For all demo accounts; generated if absent.
    pub password: Option<String>,
}

/// The accounts of the demo.
#[derive(Debug)]
pub struct Accounts {
    pub password: String,
    /// User name, name and role of each.
    pub people: Vec<(String, String, &'static str)>,
}

impl fmt::Display for Accounts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "Accounts (password of all: {}):", self.password)?;
        for (username, name, role) in &self.people {
            writeln!(out, "  {username:<16} {role:<16} {name}")?;
        }
        Ok(())
    }
}

/// Fills an empty database: all of the business in one transaction, or nothing; then its applicants. Boxed, so that this crate compiles
/// it and not the program.
pub fn fill(app: &App, options: DemoOptions) -> BoxFuture<'_, anyhow::Result<Accounts>> {
    Box::pin(insert_all(app, options))
}

async fn insert_all(app: &App, options: DemoOptions) -> anyhow::Result<Accounts> {
    let now = app.clock.now();
    let password = options.password.unwrap_or_else(crypto::random_password);
    ensure_acceptable(app, &password, "").await?;
    let hash = password_hashing::hash_now(&password);
    menu::seed(&app.db, now).await?;

    let mut tx = app.db.begin().await?;
    app.db.lock(&mut tx, "demo").await?;
    if !is_empty(&mut tx).await? {
        bail!("the database is not empty; the demo fills only an empty one");
    }
    let mut random = Random::new(options.seed);
    let roles = standard_roles::insert(&mut tx, now).await?;
    let mut staff = Staff { app, tx: &mut tx, keys: &app.keys, roles: &roles, password_hash: &hash, now };
    let mut accounts = staff.insert(&mut random).await?;
    salespeople::insert(&mut staff, &mut accounts, &mut Random::new(options.seed)).await?;
    // There is no SMS provider for a trial: codes are read in the file.
    setting::stored::write(&mut tx, setting::SMS_LOG_IN_CLEAR.about.key, Some("true"), 0, Some(accounts[0].id), now).await?;
    agreements::insert(&mut tx, accounts[0].id, now).await?;
    dictionary::insert(&mut tx, accounts[0].id, now).await?;
    channels::insert(&mut tx, &app.keys, &accounts, options.channels, &mut random, now).await?;
    products::insert(app, &mut tx, &accounts, &mut random, now).await?;
    receipts::insert(&mut tx, &accounts, &mut random, now).await.map_err(|error| anyhow::anyhow!("the receipts: {error:?}"))?;
    plans::insert(&mut tx, &accounts, &mut random, now).await.map_err(|error| anyhow::anyhow!("the plans: {error:?}"))?;
    plans::ask(&mut tx, &accounts, now).await.map_err(|error| anyhow::anyhow!("the change of a plan: {error:?}"))?;
    pushes::insert(&mut tx, &app.keys, &mut random, now).await?;
    visits::insert(&mut tx, &mut random, i64::from(options.days), now).await?;
    messages::insert(&mut tx, &accounts, now).await?;
    projects::insert(&mut tx, &app.keys, &accounts, now).await?;
    compliance::insert(&mut tx, &accounts[0], now).await?;
    blacklist::insert(&mut tx, &app.keys, &accounts, &mut random, now).await?;
    sms::insert(&mut tx, &app.keys, &accounts, &mut Random::new(options.seed), now).await?;
    tx.commit().await?;
    // Applicants come through the real intake, each in its own transactions.
    users::bring(app, options.users, &mut random, now).await.map_err(|error| anyhow::anyhow!("the applicants: {error:?}"))?;
    doubts::insert(app, &accounts, now).await.map_err(|error| anyhow::anyhow!("the leads in doubt: {error:?}"))?;
    repeats::insert(app, &accounts, now).await.map_err(|error| anyhow::anyhow!("the repeated push: {error:?}"))?;
    stopped::insert(app, &accounts, now).await.map_err(|error| anyhow::anyhow!("the applicants who are sold no more: {error:?}"))?;
    leads::insert(app, now).await.map_err(|error| anyhow::anyhow!("the new leads: {error:?}"))?;
    // Without applicants no clue can be entered.
    if options.users > 0 {
        clues::insert(&app.db, &app.keys, &mut Random::new(options.seed), now).await?;
    }
    returns::insert(app, &accounts, now).await.map_err(|error| anyhow::anyhow!("the returns: {error:?}"))?;
    feedback::insert(app, &accounts, &mut random, now).await.map_err(|error| anyhow::anyhow!("the feedback: {error:?}"))?;
    clue_money::insert(app, options.seed, now).await.map_err(|error| anyhow::anyhow!("the money of clues: {error:?}"))?;
    finance::insert(app, &accounts, now).await.map_err(|error| anyhow::anyhow!("the recharges: {error:?}"))?;
    payments::insert(app, &accounts, now).await.map_err(|error| anyhow::anyhow!("the payments: {error:?}"))?;
    proposals::insert(app, &accounts, now).await.map_err(|error| anyhow::anyhow!("the proposals: {error:?}"))?;
    chat::insert(app, &accounts, now).await.map_err(|error| anyhow::anyhow!("the chat: {error:?}"))?;
    conversations::insert(app, options.seed, now).await.map_err(|error| anyhow::anyhow!("the conversations: {error:?}"))?;
    test_leads::insert(app, &accounts, now).await.map_err(|error| anyhow::anyhow!("the test leads: {error:?}"))?;
    questions::insert(app, options.users, &mut random, now).await?;
    lead::add_up(&app.db, &app.clock).await?;
    partners::insert(app, &accounts, now).await.map_err(|error| anyhow::anyhow!("the statements of channels: {error:?}"))?;
    applied::mark(&app.db).await?;
    salespeople::leave(app, &accounts, now).await.map_err(|error| anyhow::anyhow!("the leave of a salesperson: {error:?}"))?;
    messages::warned(&app.db, now).await?;

    let people = accounts.into_iter().map(|Account { username, name, role, .. }| (username, name, role)).collect();
    Ok(Accounts { password, people })
}

/// Makes the built-in administrator, in a new database with the standard roles, or gives it a new password and unlocks it.
/// Returns the password. A generated password must be changed at the first sign-in.
pub async fn ensure_admin(app: &App, username: &str, given: Option<String>) -> anyhow::Result<String> {
    let now = app.clock.now();
    let username = canonical::account_name(username).to_lowercase();
    ensure!(people::is_username(&username), "{username:?} is not a username: 3 to 32 letters, digits, dots, - or _");
    let must_change = given.is_none();
    let password = given.unwrap_or_else(crypto::random_password);
    ensure_acceptable(app, &password, &username).await?;
    let hash = password_hashing::hash_now(&password);

    let mut tx = app.db.begin().await?;
    app.db.lock(&mut tx, "demo").await?;
    let role_id = match role_id(&mut tx, role::BUILTIN_ADMIN).await? {
        Some(id) => id,
        None if has_roles(&mut tx).await? => standard_roles::insert_builtin(&mut tx, now).await?,
        None => standard_roles::insert(&mut tx, now).await?[role::BUILTIN_ADMIN],
    };
    let known = sqlx::query("SELECT id, builtin FROM administrator WHERE username = $1").bind(&username).fetch_optional(&mut *tx).await?;
    match known {
        Some(row) if row.try_get::<i64, _>("builtin")? == 1 => {
            let id: i64 = row.try_get("id")?;
            sqlx::query("UPDATE administrator SET status = 'enabled', deleted_at = NULL WHERE id = $1").bind(id).execute(&mut *tx).await?;
            sign_in::set_password(&mut tx, id, &hash, must_change, None, now).await?;
            // The person who can run this command is trusted: there is no other way to remove a lost second factor.
            second_factor::remove(&mut tx, id).await?;
            sign_in::unlock(&mut tx, &username, &Origin { ip: "console".to_owned(), user_agent: String::new() }, now).await?;
        }
        Some(_) => bail!("{username} is already an account and not the built-in administrator"),
        None => {
            let id = people::insert_builtin(&mut tx, &username, &hash, role_id, now).await?;
            if must_change {
                sqlx::query("UPDATE administrator SET must_change_pwd = 1 WHERE id = $1").bind(id).execute(&mut *tx).await?;
            }
        }
    }
    tx.commit().await?;
    Ok(password)
}

async fn has_roles(tx: &mut Connection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM role").fetch_one(tx).await.map(|count| count > 0)
}

async fn ensure_acceptable(app: &App, password: &str, username: &str) -> anyhow::Result<()> {
    let policy = Policy::of(&*app.settings.values(&app.db).await?);
    let shortest = policy.shortest;
    ensure!(
        policy.accepts(password, username),
        "the password must have {shortest} to {LONGEST} characters, not be a common password or the username, and contain no forbidden word"
    );
    Ok(())
}

async fn is_empty(tx: &mut Connection) -> Result<bool, sqlx::Error> {
    let rows: i64 = sqlx::query_scalar(
        "SELECT (SELECT COUNT(*) FROM administrator) + (SELECT COUNT(*) FROM role) + (SELECT COUNT(*) FROM organisation) \
           + (SELECT COUNT(*) FROM channel)",
    )
    .fetch_one(tx)
    .await?;
    Ok(rows == 0)
}

async fn role_id(tx: &mut Connection, code: &str) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT id FROM role WHERE code = $1").bind(code).fetch_optional(tx).await
}

/// An account as the audit trail's author of something in the past.
fn actor(admin_id: i64, role_id: i64, at: i64) -> Actor {
    Actor { admin_id, role_id, ip: "127.0.0.1".to_owned(), request_id: "demo".to_owned(), at }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use base::clock::Clock;
    use base::config::Config;
    use base::crypto::Keys;
    use base::db::{Db, migrate};
    use base::storage::Storage;
    use frame::meter::Meter;

    async fn app(folder: &tempfile::TempDir) -> App {
        let config = Config::read([("LEADLANE_DATA".to_owned(), folder.path().display().to_string())].into()).unwrap();
        let db = Db::connect(&config.database_url).await.unwrap();
        migrate::run(&db).await.unwrap();
        let (keys, storage) = (Arc::new(Keys::load(&config).unwrap()), Storage::open(&config.storage).unwrap());
        let db = db.sealing(&keys);
        App {
            keys,
            config,
            db,
            roles: Arc::default(),
            settings: Arc::default(),
            clock: Clock::default(),
            hashing: Arc::default(),
            storage,
            meter: Arc::new(Meter::new(0)),
            services: Arc::default(),
            move_to_team: admin::move_to_team,
            outbox: Arc::default(),
            doors: Arc::default(),
            polled: Arc::default(),
            limits: Arc::default(),
            credited: Arc::default(),
            payments: Arc::default(),
        }
    }

    async fn names(app: &App) -> Vec<String> {
        sqlx::query_scalar("SELECT code || name || status || mode FROM channel ORDER BY id").fetch_all(app.db.read()).await.unwrap()
    }

    #[tokio::test]
    async fn a_seed_makes_the_same_business_and_only_in_an_empty_database() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let apps = [app(&folders[0]).await, app(&folders[1]).await, app(&folders[2]).await];
        for (app, seed) in apps.iter().zip([1, 1, 2]) {
            let made =
                fill(app, DemoOptions { channels: 40, days: 9, users: 20, seed, password: Some("Blue-Kettle-7".into()) }).await.unwrap();
            assert_eq!(made.people.len(), 29);
        }
        assert_eq!(names(&apps[0]).await, names(&apps[1]).await);
        assert_ne!(names(&apps[0]).await, names(&apps[2]).await);

        let again = fill(&apps[0], DemoOptions { channels: 1, days: 0, users: 0, seed: 1, password: None }).await.unwrap_err();
        assert_eq!(again.to_string(), "the database is not empty; the demo fills only an empty one");
        let weak =
            fill(&apps[0], DemoOptions { channels: 1, days: 0, users: 0, seed: 1, password: Some("short".into()) }).await.unwrap_err();
        assert!(weak.to_string().starts_with("the password must have"));
    }

    #[tokio::test]
    async fn the_administrator_is_made_once_and_then_gets_new_passwords() {
        let folder = tempfile::tempdir().unwrap();
        let app = app(&folder).await;
        assert_eq!(ensure_admin(&app, " Admin ", Some("Blue-Kettle-7".into())).await.unwrap(), "Blue-Kettle-7");
        let made = ensure_admin(&app, "admin", None).await.unwrap();
        let row = sqlx::query("SELECT password_hash, must_change_pwd FROM administrator").fetch_one(app.db.read()).await.unwrap();
        assert!(password_hashing::matches(&made, row.get("password_hash")));
        let must_change: i64 = row.get("must_change_pwd");
        assert_eq!(must_change, 1, "a made password is for one sign-in");
        assert!(ensure_admin(&app, "a b", None).await.is_err());
        assert!(ensure_admin(&app, "root", Some("weak".into())).await.is_err());
    }
}
