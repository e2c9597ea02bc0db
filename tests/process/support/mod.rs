//! How to write a test.
//!
//! ```
//! on_both!(a_channel_survives);
//! fn a_channel_survives(house: House) {
//!     house.demo();                                               // accounts; everybody's password is PASSWORD
//!     let node = house.serve();                                   // ready when this returns
//!     let operator = node.sign_in("operator");
//!     let channel = operator.post("/api/channel", &json!({…})).ok();
//!     node.kill();
//!     assert_eq!(house.count("SELECT COUNT(*) FROM channel"), 2);
//! }
//! ```
//!
//! - `on_both!(name)` makes two tests of a function, `name::sqlite` and `name::postgres`. PostgreSQL
//!   is the server of `LEADLANE_TEST_POSTGRES_URL`; without one its half is skipped with a line of
//!   output, and fails under `CI=true`.
//! - A [`House`] is an installation: a data folder, an empty database and settings, both gone with
//!   it. [`House::serve`] starts a [`Node`] on a free port; a node still running at the end is killed.
//! - Tests wait for what they see, never for a time.

mod client;
mod database;
mod house;
mod node;
mod sales;

use std::time::{Duration, Instant};

pub use client::{Answer, Client};
pub use database::Engine;
pub use house::{House, PASSWORD};
pub use node::{Node, Outcome};
pub use sales::{Buyer, Partner, leads};

/// Longest wait for what should happen soon, on a crowded machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Makes the two tests of a function that takes a [`House`].
macro_rules! on_both {
    ($name:ident) => {
        mod $name {
            #[test]
            fn sqlite() {
                $crate::support::run($crate::support::Engine::Sqlite, super::$name);
            }

            #[test]
            fn postgres() {
                $crate::support::run($crate::support::Engine::Postgres, super::$name);
            }
        }
    };
}
pub(crate) use on_both;

/// Runs a test in an installation of its own, unless there is no server for its database.
pub fn run(engine: Engine, test: impl FnOnce(House)) {
    if let Some(house) = House::build(engine) {
        test(house);
    }
}

/// Asks again and again until there is an answer; the test fails if there never is.
#[track_caller]
pub fn until<T>(what: &str, ask: impl FnMut() -> Option<T>) -> T {
    until_within(PATIENCE, what, ask)
}

/// The same for what takes its time.
#[track_caller]
pub fn until_within<T>(patience: Duration, what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(since.elapsed() < patience, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
