//! Migrations: the SQL files of `migrations/`, run in order at start and never edited once released.
//!
//! One text serves both engines: `{{id}}` is replaced by each engine's key with automatic numbers, and statements
//! that only one of them understands (triggers, for example) are between a line `-- @sqlite` or `-- @postgres` and a
//! line `-- @end`. Nodes with the previous version run beside new ones while these start, so a migration only
//! expands: tables, columns that are empty or have a default, indexes. Parts that the previous version still uses are
//! removed with a later version, in a migration that contracts, and that raises `least` of `schema_fence` in the same
//! file: a program that does not have so many migrations stops, and does not start again.

use std::borrow::Cow;
use std::fmt;
use std::time::{Duration, Instant};

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, Executor, SqlSafeStr};
use tokio_util::sync::CancellationToken;

use super::{Db, Engine, is_contention};

/// Every file of `migrations/`, by number and what it brings.
const FILES: &[(i64, &str, &str)] = &[
    (1, "access", include_str!("../../../../migrations/0001_access.sql")),
    (2, "channel", include_str!("../../../../migrations/0002_channel.sql")),
    (3, "logs", include_str!("../../../../migrations/0003_logs.sql")),
    (4, "new_lead", include_str!("../../../../migrations/0004_new_lead.sql")),
    (5, "setting", include_str!("../../../../migrations/0005_setting.sql")),
    (6, "roles", include_str!("../../../../migrations/0006_roles.sql")),
    (7, "file", include_str!("../../../../migrations/0007_file.sql")),
    (8, "export_task", include_str!("../../../../migrations/0008_export_task.sql")),
    (9, "profile", include_str!("../../../../migrations/0009_profile.sql")),
    (10, "message", include_str!("../../../../migrations/0010_message.sql")),
    (11, "project", include_str!("../../../../migrations/0011_project.sql")),
    (12, "dictionary", include_str!("../../../../migrations/0012_dictionary.sql")),
    (13, "compliance", include_str!("../../../../migrations/0013_compliance.sql")),
    (14, "organisation", include_str!("../../../../migrations/0014_organisation.sql")),
    (15, "caps", include_str!("../../../../migrations/0015_caps.sql")),
    (16, "product", include_str!("../../../../migrations/0016_product.sql")),
    (17, "plan", include_str!("../../../../migrations/0017_plan.sql")),
    (18, "visit", include_str!("../../../../migrations/0018_visit.sql")),
    (19, "channel_finish", include_str!("../../../../migrations/0019_channel_finish.sql")),
    (20, "ledger", include_str!("../../../../migrations/0020_ledger.sql")),
    (21, "push", include_str!("../../../../migrations/0021_push.sql")),
    (22, "plan_rules", include_str!("../../../../migrations/0022_plan_rules.sql")),
    (23, "user", include_str!("../../../../migrations/0023_user.sql")),
    (24, "blacklist", include_str!("../../../../migrations/0024_blacklist.sql")),
    (25, "feedback", include_str!("../../../../migrations/0025_feedback.sql")),
    (26, "risk", include_str!("../../../../migrations/0026_risk.sql")),
    (27, "return", include_str!("../../../../migrations/0027_return.sql")),
    (28, "warnings", include_str!("../../../../migrations/0028_warnings.sql")),
    (29, "lead_figures", include_str!("../../../../migrations/0029_lead_figures.sql")),
    (30, "round", include_str!("../../../../migrations/0030_round.sql")),
    (31, "newest", include_str!("../../../../migrations/0031_newest.sql")),
    (32, "charged", include_str!("../../../../migrations/0032_charged.sql")),
    (33, "outbox", include_str!("../../../../migrations/0033_outbox.sql")),
    (34, "promises", include_str!("../../../../migrations/0034_promises.sql")),
    (35, "fence", include_str!("../../../../migrations/0035_fence.sql")),
    (36, "held", include_str!("../../../../migrations/0036_held.sql")),
    (37, "decision", include_str!("../../../../migrations/0037_decision.sql")),
    (38, "ledger_fixed", include_str!("../../../../migrations/0038_ledger_fixed.sql")),
    (39, "cap_taken", include_str!("../../../../migrations/0039_cap_taken.sql")),
    (40, "doors", include_str!("../../../../migrations/0040_doors.sql")),
    (41, "second_factor", include_str!("../../../../migrations/0041_second_factor.sql")),
    (42, "searches", include_str!("../../../../migrations/0042_searches.sql")),
    (43, "private", include_str!("../../../../migrations/0043_private.sql")),
    (44, "key_check", include_str!("../../../../migrations/0044_key_check.sql")),
    (48, "push_attempt_at", include_str!("../../../../migrations/0048_push_attempt_at.sql")),
    (49, "push_record_match", include_str!("../../../../migrations/0049_push_record_match.sql")),
    (50, "feedback_attempt_at", include_str!("../../../../migrations/0050_feedback_attempt_at.sql")),
    (51, "login_log_network", include_str!("../../../../migrations/0051_login_log_network.sql")),
    (52, "code_network", include_str!("../../../../migrations/0052_code_network.sql")),
    (53, "applicant_address", include_str!("../../../../migrations/0053_applicant_address.sql")),
    (54, "sms_message", include_str!("../../../../migrations/0054_sms_message.sql")),
    (57, "bound", include_str!("../../../../migrations/0057_bound.sql")),
    (58, "known_answer", include_str!("../../../../migrations/0058_known_answer.sql")),
    (59, "not_there", include_str!("../../../../migrations/0059_not_there.sql")),
    (60, "failing_rounds", include_str!("../../../../migrations/0060_failing_rounds.sql")),
    (61, "taken_over", include_str!("../../../../migrations/0061_taken_over.sql")),
    (62, "crm", include_str!("../../../../migrations/0062_crm.sql")),
    (63, "sub_organisation_created", include_str!("../../../../migrations/0063_sub_organisation_created.sql")),
    (64, "sub_organisation_sort", include_str!("../../../../migrations/0064_sub_organisation_sort.sql")),
    (65, "sub_organisation_name", include_str!("../../../../migrations/0065_sub_organisation_name.sql")),
    (66, "clue_created", include_str!("../../../../migrations/0066_clue_created.sql")),
    (67, "clue_stage", include_str!("../../../../migrations/0067_clue_stage.sql")),
    (68, "clue_owner", include_str!("../../../../migrations/0068_clue_owner.sql")),
    (69, "clue_owner_stage", include_str!("../../../../migrations/0069_clue_owner_stage.sql")),
    (70, "clue_sub_org_stage", include_str!("../../../../migrations/0070_clue_sub_org_stage.sql")),
    (71, "clue_in_pool", include_str!("../../../../migrations/0071_clue_in_pool.sql")),
    (72, "clue_person", include_str!("../../../../migrations/0072_clue_person.sql")),
    (73, "clue_plan", include_str!("../../../../migrations/0073_clue_plan.sql")),
    (74, "clue_channel", include_str!("../../../../migrations/0074_clue_channel.sql")),
    (75, "clue_next_follow", include_str!("../../../../migrations/0075_clue_next_follow.sql")),
    (76, "clue_escalated", include_str!("../../../../migrations/0076_clue_escalated.sql")),
    (79, "clue_org_signed", include_str!("../../../../migrations/0079_clue_org_signed.sql")),
    (80, "clue_org_visited", include_str!("../../../../migrations/0080_clue_org_visited.sql")),
    (81, "clue_signed", include_str!("../../../../migrations/0081_clue_signed.sql")),
    (82, "clue_visited", include_str!("../../../../migrations/0082_clue_visited.sql")),
    (83, "clue_unplaced", include_str!("../../../../migrations/0083_clue_unplaced.sql")),
    (84, "clue_reclaim", include_str!("../../../../migrations/0084_clue_reclaim.sql")),
    (85, "clue_remind", include_str!("../../../../migrations/0085_clue_remind.sql")),
    (86, "clue_escalate", include_str!("../../../../migrations/0086_clue_escalate.sql")),
    (87, "lead_outcomes", include_str!("../../../../migrations/0087_lead_outcomes.sql")),
    (88, "stat_monthly", include_str!("../../../../migrations/0088_stat_monthly.sql")),
    (89, "saved_view", include_str!("../../../../migrations/0089_saved_view.sql")),
    (90, "stat_of_all", include_str!("../../../../migrations/0090_stat_of_all.sql")),
    (91, "ledger_gift", include_str!("../../../../migrations/0091_ledger_gift.sql")),
    (92, "recharge", include_str!("../../../../migrations/0092_recharge.sql")),
    (93, "account", include_str!("../../../../migrations/0093_account.sql")),
    (94, "ledger_at", include_str!("../../../../migrations/0094_ledger_at.sql")),
    (95, "invoice", include_str!("../../../../migrations/0095_invoice.sql")),
    (96, "payment", include_str!("../../../../migrations/0096_payment.sql")),
    (97, "payment_statement", include_str!("../../../../migrations/0097_payment_statement.sql")),
    (98, "recharge_order", include_str!("../../../../migrations/0098_recharge_order.sql")),
    (99, "chat", include_str!("../../../../migrations/0099_chat.sql")),
    (100, "file_uploader", include_str!("../../../../migrations/0100_file_uploader.sql")),
    (101, "chat_wechat", include_str!("../../../../migrations/0101_chat_wechat.sql")),
    (102, "visitor_application", include_str!("../../../../migrations/0102_visitor_application.sql")),
    (103, "exposure_visitor", include_str!("../../../../migrations/0103_exposure_visitor.sql")),
    (104, "exposure_applied", include_str!("../../../../migrations/0104_exposure_applied.sql")),
    (105, "payment_asked", include_str!("../../../../migrations/0105_payment_asked.sql")),
    (110, "chat_frame_sites", include_str!("../../../../migrations/0110_chat_frame_sites.sql")),
    (111, "file_network", include_str!("../../../../migrations/0111_file_network.sql")),
    (113, "reveal", include_str!("../../../../migrations/0113_reveal.sql")),
    (114, "trail_chain", include_str!("../../../../migrations/0114_trail_chain.sql")),
    (115, "sealed_files", include_str!("../../../../migrations/0115_sealed_files.sql")),
    (116, "file_unsealed", include_str!("../../../../migrations/0116_file_unsealed.sql")),
    (117, "chat_masked", include_str!("../../../../migrations/0117_chat_masked.sql")),
    (118, "chat_visitor", include_str!("../../../../migrations/0118_chat_visitor.sql")),
    (119, "proposal", include_str!("../../../../migrations/0119_proposal.sql")),
    (120, "phone_hash", include_str!("../../../../migrations/0120_phone_hash.sql")),
    (121, "link_import_hash", include_str!("../../../../migrations/0121_link_import_hash.sql")),
    (122, "alert_phone_hashes", include_str!("../../../../migrations/0122_alert_phone_hashes.sql")),
    (124, "site", include_str!("../../../../migrations/0124_site.sql")),
    (125, "test_lead", include_str!("../../../../migrations/0125_test_lead.sql")),
    (126, "match_record_test", include_str!("../../../../migrations/0126_match_record_test.sql")),
    (127, "device", include_str!("../../../../migrations/0127_device.sql")),
    (128, "applicant_device", include_str!("../../../../migrations/0128_applicant_device.sql")),
    (129, "unread", include_str!("../../../../migrations/0129_unread.sql")),
    (130, "places", include_str!("../../../../migrations/0130_places.sql")),
    (132, "agreement", include_str!("../../../../migrations/0132_agreement.sql")),
    (133, "consent_agreement", include_str!("../../../../migrations/0133_consent_agreement.sql")),
    (135, "repeat", include_str!("../../../../migrations/0135_repeat.sql")),
    (136, "push_repeats", include_str!("../../../../migrations/0136_push_repeats.sql")),
    (139, "plain_export", include_str!("../../../../migrations/0139_plain_export.sql")),
    (143, "channel_intake", include_str!("../../../../migrations/0143_channel_intake.sql")),
    (144, "stopped", include_str!("../../../../migrations/0144_stopped.sql")),
    (145, "consent_revoked", include_str!("../../../../migrations/0145_consent_revoked.sql")),
    (146, "lead_replacement", include_str!("../../../../migrations/0146_lead_replacement.sql")),
    (147, "push_authorisation", include_str!("../../../../migrations/0147_push_authorisation.sql")),
    (148, "push_auth_status", include_str!("../../../../migrations/0148_push_auth_status.sql")),
    (149, "money_payment", include_str!("../../../../migrations/0149_money_payment.sql")),
    (150, "incoming_payment", include_str!("../../../../migrations/0150_incoming_payment.sql")),
    (153, "exposure_test", include_str!("../../../../migrations/0153_exposure_test.sql")),
    (154, "money_payment_index", include_str!("../../../../migrations/0154_money_payment_index.sql")),
    (155, "chat_offline", include_str!("../../../../migrations/0155_chat_offline.sql")),
    (156, "closing", include_str!("../../../../migrations/0156_closing.sql")),
    (157, "red_invoice", include_str!("../../../../migrations/0157_red_invoice.sql")),
    (158, "red_invoice_index", include_str!("../../../../migrations/0158_red_invoice_index.sql")),
    (165, "journal", include_str!("../../../../migrations/0165_journal.sql")),
    (166, "payment_order_clue", include_str!("../../../../migrations/0166_payment_order_clue.sql")),
    (167, "payment_guards", include_str!("../../../../migrations/0167_payment_guards.sql")),
    (168, "ledger_chain", include_str!("../../../../migrations/0168_ledger_chain.sql")),
    (169, "partner_item", include_str!("../../../../migrations/0169_partner_item.sql")),
    (170, "partner", include_str!("../../../../migrations/0170_partner.sql")),
    (172, "partner_statement", include_str!("../../../../migrations/0172_partner_statement.sql")),
    (173, "partner_payout", include_str!("../../../../migrations/0173_partner_payout.sql")),
    (174, "partner_item_at", include_str!("../../../../migrations/0174_partner_item_at.sql")),
    (175, "outgoing_payment", include_str!("../../../../migrations/0175_outgoing_payment.sql")),
    (176, "journal_checkpoint", include_str!("../../../../migrations/0176_journal_checkpoint.sql")),
    (178, "push_city", include_str!("../../../../migrations/0178_push_city.sql")),
    (179, "payout_returned", include_str!("../../../../migrations/0179_payout_returned.sql")),
    (181, "partner_answer", include_str!("../../../../migrations/0181_partner_answer.sql")),
    (182, "partner_adjustment_next", include_str!("../../../../migrations/0182_partner_adjustment_next.sql")),
    (183, "money_guards", include_str!("../../../../migrations/0183_money_guards.sql")),
    (184, "lesser_faults", include_str!("../../../../migrations/0184_lesser_faults.sql")),
];

/// What a file begins with that PostgreSQL runs outside any transaction: one index, which is built beside
/// those who write. SQLite, whose writers wait for each other anyhow, builds it as any other.
const ALONE: &str = "-- @alone\n";

/// The lock for changes of the schema; a number without other uses.
const LOCK: i64 = 0x6c65_6164_6c61_6e65;
/// How often a node checks whether another is done with it.
const LOOK: Duration = Duration::from_millis(50);
/// How long a change of a table that others read and write is tried. Each try waits some seconds, since later
/// statements wait behind it as well.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often a serving node checks whether the database still allows its program.
const WATCH: Duration = Duration::from_secs(5);

/// The number of the newest migration that this program has.
pub fn newest() -> i64 {
    FILES.iter().map(|(version, ..)| *version).max().unwrap_or(0)
}

/// Why a program and a database do not fit.
#[derive(Debug)]
pub enum SchemaError {
    /// The program is older than the database allows.
    TooOld {
        newest: i64,
        least: i64,
    },
    /// The database is older than the program, which may not change it.
    Behind {
        at: i64,
        newest: i64,
    },
    Failed(MigrateError),
}

impl fmt::Display for SchemaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SchemaError::TooOld { newest, least } => {
                write!(
                    out,
                    "the database requires a program that knows migration {least}, and this one knows only up to {newest}: install a newer one"
                )
            }
            SchemaError::Behind { at, newest } => {
                write!(out, "the database is at migration {at}, and this program needs {newest}: run `leadlane migrate` first")
            }
            SchemaError::Failed(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for SchemaError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SchemaError::Failed(error) => error.source(),
            SchemaError::TooOld { .. } | SchemaError::Behind { .. } => None,
        }
    }
}

impl From<MigrateError> for SchemaError {
    fn from(error: MigrateError) -> SchemaError {
        SchemaError::Failed(error)
    }
}

impl From<sqlx::Error> for SchemaError {
    fn from(error: sqlx::Error) -> SchemaError {
        SchemaError::Failed(error.into())
    }
}

/// Migrates the database to this program's schema, unless it is for newer programs. It may be called on several nodes
/// at the same time, and again after a crash half-way.
pub async fn run(db: &Db) -> Result<(), SchemaError> {
    fence(db).await?;
    let mut connection = db.read.pool().acquire().await?;
    if db.engine() == Engine::Sqlite {
        return Ok(migrator(Engine::Sqlite).run(&mut *connection).await?);
    }
    // A repeated query: a statement that waits for another node would be logged as a slow one.
    while sqlx::query_scalar::<_, i64>("SELECT CASE WHEN pg_try_advisory_lock($1) THEN 1::BIGINT ELSE 0 END")
        .bind(LOCK)
        .fetch_one(&mut *connection)
        .await?
        == 0
    {
        tokio::time::sleep(LOOK).await;
    }
    let ran = run_on_postgres(&mut connection).await;
    // Closed, it holds nothing, whatever came of it.
    connection.close().await?;
    ran
}

async fn run_on_postgres(connection: &mut AnyConnection) -> Result<(), SchemaError> {
    const UNHURRIED: &str = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '3s'";
    connection.execute(UNHURRIED).await?;
    let migrator = migrator(Engine::Postgres);
    for (index, (version, _, text)) in FILES.iter().enumerate().filter(|(_, (.., text))| text.starts_with(ALONE)) {
        run_to(connection, &migrator, Some(FILES[index - 1].0)).await?;
        drop_half_built(connection, text).await?;
        // It waits for every transaction that is older than itself, and nobody waits for it.
        connection.execute("SET lock_timeout = 0").await?;
        run_to(connection, &migrator, Some(*version)).await?;
        connection.execute("SET lock_timeout = '3s'").await?;
    }
    run_to(connection, &migrator, None).await
}

/// Runs missing migrations, up to some number, each as soon as no lock is in the way.
async fn run_to(connection: &mut AnyConnection, migrator: &Migrator, version: Option<i64>) -> Result<(), SchemaError> {
    let began = Instant::now();
    loop {
        match migrator.run_direct(version, connection, false).await {
            Err(MigrateError::ExecuteMigration(error, _)) if is_contention(&error) && began.elapsed() < PATIENCE => {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            ran => return Ok(ran?),
        }
    }
}

/// Drops the index of a file if a crash left it half-built: PostgreSQL would accept it as the wanted one.
async fn drop_half_built(connection: &mut AnyConnection, text: &'static str) -> Result<(), SchemaError> {
    let name = index_of(text);
    let half = sqlx::query_scalar::<_, i64>(
        "SELECT COUNT(*) FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relname = $1 AND NOT i.indisvalid \
           AND pg_table_is_visible(c.oid)",
    )
    .bind(name)
    .fetch_one(&mut *connection)
    .await?;
    if half > 0 {
        connection.execute(AssertSqlSafe(format!("DROP INDEX CONCURRENTLY {name}"))).await?;
    }
    Ok(())
}

/// The index that a file makes by itself.
fn index_of(text: &'static str) -> &'static str {
    let name = text.split_once("INDEX CONCURRENTLY IF NOT EXISTS ").and_then(|(_, rest)| rest.split_whitespace().next());
    name.expect("such a file makes an index that may be there")
}

/// The text of a migration for an engine: without the blocks of the other, with its own keys.
fn text_for(engine: Engine, text: &str) -> String {
    let key = match engine {
        // AUTOINCREMENT: an id is never used twice, not even after its row was deleted.
        Engine::Sqlite => "INTEGER PRIMARY KEY AUTOINCREMENT",
        Engine::Postgres => "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
    };
    let mut whose = None;
    let mut read = String::with_capacity(text.len());
    // With their line ends: a text without marks stays exactly the same, and so does its checksum.
    for line in text.split_inclusive('\n') {
        match line.trim() {
            "-- @sqlite" => whose = Some(Engine::Sqlite),
            "-- @postgres" => whose = Some(Engine::Postgres),
            "-- @end" => whose = None,
            _ if whose.is_none_or(|whose| whose == engine) => read.push_str(line),
            _ => {}
        }
    }
    let read = read.replace("{{id}}", key);
    match engine {
        Engine::Sqlite => read.replace("INDEX CONCURRENTLY", "INDEX"),
        Engine::Postgres => read,
    }
}

fn migrator(engine: Engine) -> Migrator {
    let migrations = FILES.iter().map(|(version, description, text)| {
        let alone = text.starts_with(ALONE) && engine == Engine::Postgres;
        let sql = AssertSqlSafe(text_for(engine, text)).into_sql_str();
        Migration::new(*version, Cow::Borrowed(*description), MigrationType::Simple, sql, alone)
    });
    // Additions of a newer program do not stop this one: the fence would.
    Migrator { migrations: migrations.collect(), locking: false, ignore_missing: true, ..Migrator::DEFAULT }
}

/// Whether the database has everything that this program needs, and allows it.
pub async fn check(db: &Db) -> Result<(), SchemaError> {
    fence(db).await?;
    let at = match has_table(db, "_sqlx_migrations").await? {
        true => sqlx::query_scalar("SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations WHERE success").fetch_one(db.read()).await?,
        false => 0,
    };
    match at < newest() {
        true => Err(SchemaError::Behind { at, newest: newest() }),
        false => Ok(()),
    }
}

/// Whether the database allows this program.
async fn fence(db: &Db) -> Result<(), SchemaError> {
    if !has_table(db, "schema_fence").await? {
        return Ok(());
    }
    let least: i64 = sqlx::query_scalar("SELECT least FROM schema_fence WHERE id = 1").fetch_one(db.read()).await?;
    match newest() < least {
        true => Err(SchemaError::TooOld { newest: newest(), least }),
        false => Ok(()),
    }
}

async fn has_table(db: &Db, name: &str) -> Result<bool, SchemaError> {
    let asked = match db.engine() {
        Engine::Sqlite => "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = $1",
        Engine::Postgres => "SELECT COUNT(*) FROM pg_class WHERE relname = $1 AND relkind = 'r' AND pg_table_is_visible(oid)",
    };
    Ok(sqlx::query_scalar::<_, i64>(asked).bind(name).fetch_one(db.read()).await? > 0)
}

/// Checks regularly whether the database still allows this program. If it does not, stops the program and returns the
/// reason.
pub async fn watch(db: Db, stop: CancellationToken) -> Result<(), SchemaError> {
    loop {
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(WATCH) => {}
        }
        // A database that does not answer is not a reason to stop.
        if let Err(error @ SchemaError::TooOld { .. }) = fence(&db).await {
            stop.cancel();
            return Err(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALONE, Engine, FILES, text_for};

    #[test]
    fn each_engine_reads_its_own_blocks_alone() {
        let text = "CREATE TABLE a (id {{id}});\n-- @sqlite\nlite;\n-- @end\nboth;\n-- @postgres\nbig;\n-- @end\n-- a word\nlast;\n";
        assert_eq!(
            text_for(Engine::Sqlite, text),
            "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT);\nlite;\nboth;\n-- a word\nlast;\n"
        );
        assert_eq!(
            text_for(Engine::Postgres, text),
            "CREATE TABLE a (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY);\nboth;\nbig;\n-- a word\nlast;\n"
        );
    }

    /// The instructions for an upgrade name the migration at which older programs stop.
    #[test]
    fn the_upgrade_instructions_name_the_newest_fence() {
        let raised = FILES.iter().filter_map(|(_, _, text)| text.split_once("SET least = ")?.1.split_whitespace().next());
        let newest: i64 = raised.map(|number| number.parse().unwrap()).max().unwrap();
        let sentence = format!("The newest fence is migration {newest}.");
        assert!(include_str!("../../../../docs/operations.md").contains(&sentence), "{sentence}");
    }

    /// A mark that is misspelt or never ended would silently drop statements.
    #[test]
    fn every_mark_in_the_files_is_one_and_ended() {
        for (version, _, text) in FILES {
            let marks: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("-- @") && *line != ALONE.trim()).collect();
            for pair in marks.chunks(2) {
                assert!(matches!(pair, ["-- @sqlite" | "-- @postgres", "-- @end"]), "{version}: {pair:?}");
            }
        }
    }

    #[test]
    fn every_file_of_the_folder_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
        let files = std::fs::read_dir(folder).unwrap().count();
        assert_eq!(files, FILES.len());
    }

    #[test]
    fn what_runs_alone_is_one_index_that_may_be_there() {
        for (version, _, text) in FILES {
            let alone = text.starts_with(ALONE);
            assert_eq!(alone, text.contains("CONCURRENTLY"), "{version}");
            if alone {
                assert_eq!(text.matches(';').count(), 1, "{version}");
                assert!(!super::index_of(text).is_empty(), "{version}");
            }
        }
    }

    /// C2: an index of a table with writers blocks them until it is built.
    #[test]
    fn a_table_that_was_there_gets_its_indexes_alone() {
        for (version, _, text) in FILES.iter().filter(|(version, ..)| *version >= 35) {
            // On SQLite writers wait for each other anyway.
            let text = text_for(Engine::Postgres, text);
            let words: Vec<&str> =
                text.lines().filter(|line| !line.trim_start().starts_with("--")).flat_map(str::split_whitespace).collect();
            let made: Vec<&str> = words.windows(3).filter(|three| three[..2] == ["CREATE", "TABLE"]).map(|three| three[2]).collect();
            let is_made = |place: usize| words[place] == "INDEX" && (place == 0 || words[place - 1] != "DROP");
            for place in (0..words.len()).filter(|place| is_made(*place)) {
                let table = words[place..].iter().skip_while(|word| **word != "ON").nth(1).expect("an index is one of a table");
                assert!(text.starts_with(ALONE) || made.contains(table), "{version}: {table} was there before");
            }
        }
    }
}
