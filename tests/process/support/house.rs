//! An installation: a data folder, a database, and the settings that lead to them.

use std::path::PathBuf;
use std::process::Command;

use sqlx::Row;
use tempfile::TempDir;

use super::database::{Database, Engine};
use super::node::{Node, Outcome, Starting};

/// The password of every account of [`House::demo`].
pub const PASSWORD: &str = "Blue-Kettle-7";

/// An installation of one test. It begins empty.
pub struct House {
    pub database: Database,
    folder: TempDir,
}

impl House {
    /// Builds one; none when there is no server for its database.
    pub fn build(engine: Engine) -> Option<House> {
        let folder = tempfile::tempdir().expect("a folder for the test");
        Some(House { database: Database::create(engine, folder.path())?, folder })
    }

    /// The data folder. The program makes it.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The file of its database, on SQLite.
    pub fn database_file(&self) -> PathBuf {
        self.folder.path().join("leadlane.db")
    }

    /// The program with this installation's settings and no others.
    pub fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_leadlane"));
        command.args(arguments).current_dir(self.folder.path()).env_clear();
        command.env("LEADLANE_DATA", self.data()).env("LEADLANE_DATABASE_URL", &self.database.url);
        command.env("LEADLANE_LISTEN", "127.0.0.1:0").env("LEADLANE_ISOLATES", "1");
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(&mut self.program(arguments))
    }

    /// Runs a command to its end with more settings, or others.
    pub fn run_with(&self, arguments: &[&str], settings: &[(&str, &str)]) -> Outcome {
        Outcome::of(self.program(arguments).envs(settings.iter().copied()))
    }

    /// Fills the database with the demo's accounts and one channel.
    #[track_caller]
    pub fn demo(&self) {
        self.run_with(&["demo", "--channels", "1", "--days", "0", "--users", "0"], &[("LEADLANE_PASSWORD", PASSWORD)]).done();
    }

    /// Starts a node, with more settings.
    pub fn start(&self, settings: &[(&str, &str)]) -> Starting {
        let mut program = self.program(&["serve"]);
        program.envs(settings.iter().copied());
        Starting::of(program)
    }

    /// Starts a node and waits until it listens.
    #[track_caller]
    pub fn serve(&self) -> Node {
        self.start(&[]).listening()
    }

    /// The number that a `SELECT COUNT(*)` answers.
    pub fn count(&self, sql: &str) -> i64 {
        self.database.rows(sql)[0].get(0)
    }

    /// Changes the database behind the program's back.
    pub fn execute(&self, sql: &str) {
        self.database.execute(sql);
    }

    /// An account's id.
    pub fn account(&self, username: &str) -> i64 {
        self.count(&format!("SELECT id FROM administrator WHERE username = '{username}'"))
    }

    /// A role's id.
    pub fn role(&self, code: &str) -> i64 {
        self.count(&format!("SELECT id FROM role WHERE code = '{code}'"))
    }
}
