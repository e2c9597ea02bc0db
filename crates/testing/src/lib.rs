//! What the tests of calls share: an application over the router, its people, and helpers by area.
//!
//! Not here: the tests (`tests/http/`), and helpers of the tests of one target, which stand beside them.
//! Used by tests alone.
//!
//! How to write a test:
//! ```
//! on_both!(a_channel_is_paused);
//! async fn a_channel_is_paused(app: TestApp) {
//!     let operator = app.sign_in("operator").await;
//!     let channel = operator.post("/channel", json!({…})).await.ok();      // the data; anything but 0000 panics
//!     let id = channel["id"].as_i64().unwrap();
//!     operator.put("/channel/status", json!({"id": id, "version": 9, "status": "paused"})).await.refused("1005");
//!     app.advance(HOUR);
//!     assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 1);
//! }
//! ```
//!
//! - `on_both!(name)` makes two tests of the function beneath it, `name::sqlite` and
//!   `name::postgres`. A function that is not named so is dead code, which the lint refuses.
//!   PostgreSQL is the server of `LEADLANE_TEST_POSTGRES_URL`; without one its half is skipped
//!   with a line of output, and fails under `CI=true`.
//! - Each test owns a fresh database with the people of [`world`], a clock that it alone can
//!   advance, keys and a data folder. Nothing is shared, nothing sleeps.
//! - [`TestApp::sign_in`] opens a session without a password; [`TestApp::stranger`] has none. Both
//!   give an [`Actor`], who makes calls below `/api` in Chinese unless `.in_english()`.
//! - Lists are exported by [`Actor::export`], at once; a `.post` of the same answers a task, which
//!   [`TestApp::make_exports`] makes.
//! - An [`Answer`] is taken by `.ok()` (data of a success), `.refused(code)` (data of that
//!   refusal), or looked at: `status`, `headers`, `body`.

mod actor;
pub mod admin;
pub mod bad_requests;
pub mod blacklist;
#[path = "../../base/src/storage/fake.rs"]
pub mod bucket;
pub mod channel;
pub mod chat;
pub mod crm;
mod database;
pub mod demo;
pub mod dict;
pub mod feedback;
pub mod finance;
pub mod lead;
pub mod limits;
pub mod open;
pub mod org;
pub mod partner;
pub mod pay;
pub mod plan;
pub mod private;
pub mod product;
pub mod project;
pub mod returns;
pub mod sms;
pub mod stats;
pub mod upload;
pub mod world;

use std::net::SocketAddr;
use std::sync::Arc;

use ::lead::distribution;
use axum::Router;
use base::clock::Clock;
use base::config::{Config, RiskConfig};
use base::crypto::{Keys, place};
use base::db::Db;
use base::key_check;
use base::storage::Storage;
use frame::access::audit;
use frame::access::session::{self, Origin};
use frame::api::App;
use frame::export;
use frame::meter::Meter;
use frame::setting;
use server::dispatch;
use sqlx::Row;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use trade::visit::Recorder;

pub use actor::{Actor, Answer, MULTIPART, multipart};
pub use base::db::Engine;

/// The folder of the workspace.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Makes the two tests of a function that takes a [`TestApp`].
#[macro_export]
macro_rules! on_both {
    ($name:ident) => {
        mod $name {
            #[tokio::test]
            async fn sqlite() {
                $crate::run($crate::Engine::Sqlite, super::$name).await;
            }

            #[tokio::test]
            async fn postgres() {
                $crate::run($crate::Engine::Postgres, super::$name).await;
            }
        }
    };
}

/// Runs a test on one engine; its database is gone afterwards, however the test ends.
pub async fn run<F: Future<Output = ()>>(engine: Engine, test: impl FnOnce(TestApp) -> F) {
    // What the application logs goes to the output of the test, which shows it when it fails.
    let _ = tracing_subscriber::fmt().with_test_writer().with_max_level(tracing::Level::WARN).try_init();
    let folder = tempfile::tempdir().expect("a folder for the test");
    let Some(database) = database::fresh(engine, folder.path()).await else { return };
    let app = TestApp::open(&database.url, folder).await;
    let db = app.app.db.clone();
    let outcome = futures_util::FutureExt::catch_unwind(std::panic::AssertUnwindSafe(test(app))).await;
    db.close().await;
    database.drop().await;
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}

/// One application with a database, a clock and a folder to itself.
pub struct TestApp {
    pub app: Arc<App>,
    router: Router,
    folder: TempDir,
    visits: JoinHandle<()>,
}

impl TestApp {
    async fn open(url: &str, folder: TempDir) -> TestApp {
        let settings = [
            ("LEADLANE_DATA", folder.path().display().to_string()),
            ("LEADLANE_DATABASE_URL", url.to_owned()),
            // The other side of a test's calls is on this machine.
            ("LEADLANE_PRIVATE_CALLS", "allow".to_owned()),
        ];
        let config =
            Config::read(settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()).expect("settings of a test");
        let db = Db::connect(url).await.expect("the test's database opens").sealing(&keys());
        let storage = Storage::open(&config.storage).expect("the test's folder of files");
        let clock = Clock::default();
        let meter = Meter::new(clock.now());
        let app = Arc::new(App {
            config,
            db,
            keys: Arc::new(keys()),
            roles: Arc::default(),
            settings: Arc::default(),
            clock,
            hashing: Arc::default(),
            storage,
            meter: Arc::new(meter),
            services: Arc::default(),
            move_to_team: ::admin::move_to_team,
            outbox: Arc::default(),
            doors: Arc::default(),
            polled: Arc::default(),
            limits: Arc::default(),
            credited: Arc::default(),
            payments: Arc::default(),
        });
        TestApp::of(app, folder)
    }

    fn of(app: Arc<App>, folder: TempDir) -> TestApp {
        // Ends with the test's runtime.
        let visits = app.clone();
        let visits = tokio::spawn(async move {
            visits.service::<Recorder>().work(visits.db.clone(), visits.clock.clone(), CancellationToken::new()).await
        });
        TestApp { router: server::api_router(app.clone()), app, folder, visits }
    }

    /// Another node on the same database, with what a process has to itself: connections, queues, caches.
    pub async fn node(&self) -> TestApp {
        self.node_wrong_by(0).await
    }

    /// The same on a machine whose clock is wrong by so many milliseconds.
    pub async fn node_wrong_by(&self, milliseconds: i64) -> TestApp {
        self.node_of(self.app.clock.wrong_by(milliseconds), self.app.keys.clone()).await
    }

    /// One that starts now, and asks the database what it may hold.
    pub async fn node_that_starts(&self) -> TestApp {
        let (db, config) = (&self.app.db, &self.app.config);
        let mut keys = keys();
        key_check::settle(db, config, &mut keys, key_check::Secrets::Known, self.now()).await.expect("the database's own keys");
        self.node_of(self.app.clock.wrong_by(0), Arc::new(keys)).await
    }

    /// Ends a node as when its process is killed: what it had begun is left where it is, and its connections are gone.
    pub async fn kill(self) {
        self.visits.abort();
        self.app.db.close().await;
    }

    async fn node_of(&self, clock: Clock, keys: Arc<Keys>) -> TestApp {
        let db = Db::connect(&self.app.config.database_url).await.expect("the test's database opens once more").sealing(&keys);
        let own = App {
            db,
            clock,
            keys,
            roles: Arc::default(),
            settings: Arc::default(),
            services: Arc::default(),
            outbox: Arc::default(),
            ..App::clone(&self.app)
        };
        TestApp::of(Arc::new(own), tempfile::tempdir().expect("a folder for the node"))
    }

    /// The same application with its files elsewhere. To be asked for first of all.
    pub async fn with_files_in(self, storage: Storage) -> TestApp {
        self.changed(|app| App { storage, ..app }).await
    }

    /// The same application that asks a provider outside about risks. To be asked for first of all.
    pub async fn asking_about_risks(self, provider: RiskConfig) -> TestApp {
        self.changed(|mut app| {
            app.config.risk = Some(provider);
            app
        })
        .await
    }

    /// The same application whose uploads a scanner looks at. To be asked for first of all.
    pub async fn scanned_by(self, scanner: &str) -> TestApp {
        let scanner = Some(scanner.to_owned());
        self.changed(|mut app| {
            app.config.clamd = scanner;
            app
        })
        .await
    }

    /// The same application whose official accounts call WeChat at an address. To be asked for first of all.
    pub async fn calling_wechat_at(self, address: &str) -> TestApp {
        let address = address.to_owned();
        self.changed(|mut app| {
            app.config.wechat_api = address;
            app
        })
        .await
    }

    /// The same application behind proxies at these addresses. To be asked for first of all.
    pub async fn behind(self, proxies: &[&str]) -> TestApp {
        let proxies = proxies.iter().map(|address| address.parse().expect("an address")).collect();
        self.changed(|mut app| {
            app.config.trusted_proxies = proxies;
            app
        })
        .await
    }

    async fn changed(self, change: impl FnOnce(App) -> App) -> TestApp {
        let TestApp { app, router, folder, visits } = self;
        drop(router);
        visits.abort();
        _ = visits.await;
        let app = Arc::into_inner(app).expect("the application has no other owner yet");
        // Its queue has lost who works on it.
        TestApp::of(Arc::new(App { services: Arc::default(), ..change(app) }), folder)
    }

    /// Serves the application, and returns its address, such as `http://127.0.0.1:40000`.
    pub async fn serve(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = format!("http://{}", listener.local_addr().expect("a bound port"));
        let router = server::api_router(self.app.clone());
        tokio::spawn(async move { axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>()).await });
        address
    }

    /// Sets the clock forward, in milliseconds.
    pub fn advance(&self, milliseconds: i64) {
        self.app.clock.advance(milliseconds);
    }

    /// The test's present, epoch milliseconds.
    pub fn now(&self) -> i64 {
        self.app.clock.now()
    }

    /// An account of [`world`] with an open session in its first role.
    pub async fn sign_in(&self, username: &str) -> Actor {
        let mut tx = self.app.db.begin().await.unwrap();
        let row = sqlx::query("SELECT a.id, MIN(ar.role_id) AS role_id FROM administrator a JOIN admin_role ar ON ar.admin_id = a.id WHERE a.username = $1 GROUP BY a.id")
            .bind(username)
            .fetch_one(&mut *tx)
            .await
            .unwrap_or_else(|error| panic!("{username} is no account: {error}"));
        let (id, role): (i64, i64) = (row.get("id"), row.get("role_id"));
        let origin = Origin { ip: "127.0.0.1".to_owned(), user_agent: "test".to_owned() };
        let token = session::open(&mut tx, &self.app.keys, id, role, &origin, self.now()).await.unwrap();
        tx.commit().await.unwrap();
        self.with_token(&token)
    }

    /// An actor without a token.
    pub fn stranger(&self) -> Actor {
        Actor::new(self.router.clone(), None)
    }

    /// The actor who holds a token.
    pub fn with_token(&self, token: &str) -> Actor {
        Actor::new(self.router.clone(), Some(token.to_owned()))
    }

    /// An account's id.
    pub async fn account(&self, username: &str) -> i64 {
        self.id("SELECT id FROM administrator WHERE username = $1", username).await
    }

    /// A role's id.
    pub async fn role(&self, code: &str) -> i64 {
        self.id("SELECT id FROM role WHERE code = $1", code).await
    }

    /// An organisation's id.
    pub async fn organisation(&self, code: &str) -> i64 {
        self.id("SELECT id FROM organisation WHERE code = $1", code).await
    }

    /// Approves what is proposed of a record, by someone who did not propose it; `path` is where its calls are.
    pub async fn approve(&self, path: &str, row: &serde_json::Value) -> serde_json::Value {
        let makers = row["decision"]["makers"].as_array().unwrap_or_else(|| panic!("nothing is proposed: {row}"));
        let admin = self.account("admin").await;
        let second = if makers.contains(&admin.into()) { "operator" } else { "admin" };
        let decision = serde_json::json!({"id": row["id"], "version": row["version"], "approve": true});
        self.sign_in(second).await.put(&format!("{path}/audit"), decision).await.ok()
    }

    /// A team's id.
    pub async fn team(&self, name: &str) -> i64 {
        self.id("SELECT id FROM sub_organisation WHERE name = $1", name).await
    }

    async fn id(&self, sql: &'static str, key: &str) -> i64 {
        let found = sqlx::query_scalar(sql).bind(key).fetch_optional(self.app.db.read()).await.unwrap();
        found.unwrap_or_else(|| panic!("there is no {key}"))
    }

    /// The number that a `SELECT COUNT(*)` answers.
    pub async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(self.app.db.read()).await.unwrap()
    }

    /// The only text that a query answers.
    pub async fn text(&self, sql: &'static str) -> String {
        sqlx::query_scalar(sql).fetch_one(self.app.db.read()).await.unwrap()
    }

    /// Changes the database behind the application's back.
    pub async fn execute(&self, sql: &'static str) {
        let mut tx = self.app.db.begin().await.unwrap();
        sqlx::query(sql).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Brings back the table and the column from which migration 61 took over; a later one has dropped them.
    pub async fn before_the_outbox(&self) {
        self.execute(
            "CREATE TABLE outbox (kind TEXT, idem_key TEXT PRIMARY KEY, payload_enc TEXT, status TEXT, attempts BIGINT DEFAULT 0, \
               next_at BIGINT, last_error TEXT, created_at BIGINT, sent_at BIGINT)",
        )
        .await;
        self.execute("ALTER TABLE feedback ADD COLUMN callback_due_at BIGINT").await;
    }

    /// Runs a part of a migration again, on rows that a test has put there as programs of before left them.
    pub async fn migrate(&self, text: &'static str) {
        for statement in text.split(";\n").map(str::trim).filter(|statement| !statement.is_empty()) {
            self.execute(statement).await;
        }
    }

    /// Makes transactions that write into the trail conflict, the first time and every second time after, on
    /// PostgreSQL alone: SQLite lets one writer in at a time.
    pub async fn stand_in_the_way(&self) {
        if self.app.db.engine() == Engine::Postgres {
            self.execute("CREATE SEQUENCE in_the_way").await;
            self.execute(
                "CREATE FUNCTION in_the_way() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('in_the_way') % 2 = 1 \
                 THEN RAISE EXCEPTION 'another was first' USING ERRCODE = '40001'; END IF; RETURN NEW; END $$",
            )
            .await;
            self.execute("CREATE TRIGGER in_the_way BEFORE INSERT ON operation_log FOR EACH ROW EXECUTE FUNCTION in_the_way()").await;
        }
    }

    /// Waits until one transaction waits for another, on PostgreSQL.
    pub async fn until_somebody_waits(&self) {
        let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while self.count(waiting).await == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    /// Takes the guards of the ledger away, for a test that plants what the database would refuse.
    pub async fn unguard_the_ledger(&self) {
        let postgres = self.app.db.engine() == Engine::Postgres;
        for (trigger, table) in [
            ("account_ledger_fixed", "account_ledger"),
            ("account_ledger_kept", "account_ledger"),
            ("account_ledger_keyed", "account_ledger"),
            ("org_account_kept", "org_account"),
            ("journal_transfer_fixed", "journal_transfer"),
            ("journal_transfer_kept", "journal_transfer"),
            ("journal_transfer_one_way", "journal_transfer"),
            ("journal_progress_kept", "journal_progress"),
            ("partner_item_fixed", "partner_item"),
            ("partner_item_kept", "partner_item"),
        ] {
            let on = if postgres { format!(" ON {table}") } else { String::new() };
            self.execute(Box::leak(format!("DROP TRIGGER {trigger}{on}").into_boxed_str())).await;
        }
    }

    /// Takes the guards of the ledger's seals and heads away, for a test that rewrites them.
    pub async fn unguard_the_heads(&self) {
        let postgres = self.app.db.engine() == Engine::Postgres;
        for table in ["ledger_seal", "ledger_head", "ledger_head_account"] {
            let on = if postgres { format!(" ON {table}") } else { String::new() };
            for trigger in ["fixed", "kept"] {
                self.execute(Box::leak(format!("DROP TRIGGER {table}_{trigger}{on}").into_boxed_str())).await;
            }
        }
    }

    /// Takes the guards of the audit trail away, for a test that rewrites it.
    pub async fn unguard_the_trail(&self) {
        let postgres = self.app.db.engine() == Engine::Postgres;
        for table in ["operation_log", "trail_link"] {
            let on = if postgres { format!(" ON {table}") } else { String::new() };
            for trigger in ["fixed", "kept"] {
                self.execute(Box::leak(format!("DROP TRIGGER {table}_{trigger}{on}").into_boxed_str())).await;
            }
        }
    }

    /// Entries of the audit trail about one row, newest first.
    pub async fn trail(&self, kind: &'static str, id: i64) -> Vec<audit::AuditEntry> {
        audit::history(&self.app.db, kind, id).await.unwrap()
    }

    /// Sets a general setting.
    pub async fn set(&self, key: &'static str, value: serde_json::Value) {
        let mut tx = self.app.db.begin().await.unwrap();
        let version = setting::stored::all(&mut *tx).await.unwrap().get(key).map_or(0, |stored| stored.version);
        assert!(setting::about(key).is_some(), "{key} is no setting");
        assert!(setting::stored::write(&mut tx, key, Some(&value.to_string()), version, Some(1), self.now()).await.unwrap());
        tx.commit().await.unwrap();
        self.app.settings.forget();
    }

    /// Sets a general setting that is a secret.
    pub async fn set_secret(&self, key: &'static str, secret: &str) {
        let mut tx = self.app.db.begin().await.unwrap();
        let sealed = self.app.keys.seal(&place::SETTING.of(key), secret);
        assert!(setting::stored::write(&mut tx, key, Some(&sealed), 0, Some(1), self.now()).await.unwrap());
        tx.commit().await.unwrap();
        self.app.settings.forget();
    }

    /// Where this house keeps its files.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Lets the worker make the files of all export tasks that are due; returns how many it took.
    pub async fn make_exports(&self) -> usize {
        export::run_due(&self.app, &server::api(self.app.clone())).await.unwrap()
    }

    /// Does what the workers do who distribute and deliver leads, until nothing is due.
    pub async fn distribute(&self) {
        distribution::settle_all(&self.app).await.unwrap();
    }

    /// All short messages sent so far, one a line, oldest first.
    pub async fn messages(&self) -> Vec<String> {
        self.set("sms.log_in_clear", serde_json::json!(true)).await;
        dispatch::send_all(&self.app).await.unwrap();
        let file = std::fs::read_to_string(self.folder.path().join("sms.log")).unwrap_or_default();
        file.lines().map(str::to_owned).collect()
    }
}

/// The keys of every test.
pub fn keys() -> Keys {
    Keys::new(b"the tests' secret, known to everybody", &[7; 32])
}
