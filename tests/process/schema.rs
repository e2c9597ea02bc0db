//! Programs and databases that do not go together, and those that only look.

use super::support::{Engine, House, on_both, run};

on_both!(who_only_looks_changes_nothing);
fn who_only_looks_changes_nothing(house: House) {
    // An empty database stays empty, and of SQLite not even a file is made.
    let early = house.run(&["ledger", "verify"]);
    assert!(early.refused().contains("leadlane migrate") || early.refused().contains("there is no file"), "{early:?}");
    assert!(!house.data().exists(), "no keys are made for it");
    house.run(&["openapi"]).done();
    assert!(!house.data().exists());

    house.run(&["migrate"]).done();
    assert_eq!(house.run(&["ledger", "verify"]).done(), "every account agrees with its entries, and they with leads, receipts and caps\n");
    // Of a program that is newer than the database it is said what is to be done, and not done.
    let newest = house.count("SELECT MAX(version) FROM _sqlx_migrations");
    house.execute("DROP INDEX push_record_held");
    house.execute(&format!("DELETE FROM _sqlx_migrations WHERE version = {newest}"));
    let behind = house.run(&["ledger", "verify"]);
    assert!(behind.refused().contains("run `leadlane migrate` first"), "{behind:?}");
    assert!(house.count("SELECT MAX(version) FROM _sqlx_migrations") < newest);
}

on_both!(an_older_program_stops_and_does_not_start_again);
fn an_older_program_stops_and_does_not_start_again(house: House) {
    let node = house.serve();
    // What a newer program only adds does not concern it.
    house.execute("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) SELECT 9998, 'more', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1");
    house.run(&["migrate"]).done();
    house.run(&["ledger", "verify"]).done();
    // What it takes away does.
    house.execute("UPDATE schema_fence SET least = 9999");
    let (code, log) = node.end_and_log();
    assert_eq!(code, Some(1));
    assert_eq!(log.matches("install a newer one").count(), 1, "{log}");
    for command in [&["serve"][..], &["migrate"], &["ledger", "verify"], &["admin", "create"]] {
        let refused = house.run(command);
        assert!(refused.refused().contains("install a newer one"), "{refused:?}");
    }
}

#[test]
fn an_index_that_was_left_half_built_is_built_anew() {
    run(Engine::Postgres, |house| {
        house.run(&["migrate"]).done();
        let valid = "SELECT COUNT(*) FROM pg_index WHERE indexrelid = 'push_record_held'::regclass AND indisvalid";
        assert_eq!(house.count(valid), 1);
        // As a crash leaves it: the index is there, is of no use, and its migration is not noted.
        house.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'push_record_held'::regclass");
        house.execute("DELETE FROM _sqlx_migrations WHERE version = 36");
        house.run(&["migrate"]).done();
        assert_eq!(house.count(valid), 1);
        // Or between the two: the index is whole, and only not noted.
        house.execute("DELETE FROM _sqlx_migrations WHERE version = 36");
        house.run(&["migrate"]).done();
        assert_eq!(house.count(valid), 1);
    });
}

/// Small: what is no database is refused at once, in one line.
#[test]
fn a_file_that_is_no_database_is_refused_at_once() {
    let house = House::build(Engine::Sqlite).expect("SQLite is always there");
    house.run(&["migrate"]).done();
    let file = house.database_file();
    let whole = std::fs::read(&file).unwrap();
    for (content, said) in [
        (
            &b"a text, and a long one, that has nothing of a database about it; it goes on and on, for more than a hundred bytes"[..],
            "not a database",
        ),
        (&whole[..whole.len() / 2], "cut short"),
    ] {
        for beside in ["-wal", "-shm"] {
            _ = std::fs::remove_file(format!("{}{beside}", file.display()));
        }
        std::fs::write(&file, content).unwrap();
        let began = std::time::Instant::now();
        let refused = house.run(&["serve"]);
        assert!(refused.refused().contains(said), "{refused:?}");
        assert!(began.elapsed() < std::time::Duration::from_secs(4), "{:?}", began.elapsed());
        assert_eq!(std::fs::read(&file).unwrap(), content, "it is left as it is");
    }
}
