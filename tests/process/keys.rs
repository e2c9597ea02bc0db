//! The two keys: taken only as they were made, and only beside the database that knows them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;

use super::support::{Engine, House, PASSWORD, on_both, run};

const OTHER: &str = "a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90";

/// Puts a key into a file that is its owner's alone.
fn put(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

/// X1: an empty secret signed tokens that anybody could make.
#[test]
fn a_key_file_that_is_empty_or_cut_stops_every_command() {
    let house = House::build(Engine::Sqlite).expect("SQLite is always there");
    house.run(&["admin", "create"]).done();
    for name in ["secret.key", "data.key"] {
        let path = house.data().join(name);
        let whole = fs::read_to_string(&path).unwrap();
        for bad in ["", "\n", "abc", &whole[..20], "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"] {
            put(&path, bad);
            for command in [&["serve"][..], &["migrate"], &["demo"], &["admin", "create"]] {
                let outcome = house.run(command);
                let line = outcome.refused();
                assert!(line.contains(name) && !line.contains(whole.trim()), "{line}");
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), bad, "it is not made anew");
        }
        put(&path, &whole);
    }
    house.run(&["migrate"]).done();
}

/// X1: the copy of a key that `cp` made is everybody's.
#[test]
fn a_key_file_that_others_may_read_is_refused() {
    let house = House::build(Engine::Sqlite).expect("SQLite is always there");
    house.run(&["migrate"]).done();
    for name in ["secret.key", "data.key"] {
        let path = house.data().join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let outcome = house.run(&["serve"]);
        let line = outcome.refused();
        assert!(line.contains("chmod 600") && line.contains(name), "{line}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    house.run(&["migrate"]).done();
}

// X2: a wrong key sealed new rows beside the old ones, and no search found anybody.
on_both!(another_data_key_is_refused_by_every_command);
fn another_data_key_is_refused_by_every_command(house: House) {
    house.demo();
    let path = house.data().join("data.key");
    let right = fs::read_to_string(&path).unwrap();
    let messages = "SELECT COUNT(*) FROM outbox_item WHERE tries > 0";
    let before = house.count(messages);
    put(&path, OTHER);
    for command in
        [&["serve"][..], &["migrate"], &["demo"], &["admin", "create"], &["stats", "rebuild", "--from", "2026-01-01", "--to", "2026-01-01"]]
    {
        let outcome = house.run(command);
        let line = outcome.refused();
        assert!(line.contains("data.key") && line.contains("not the one"), "{line}");
    }
    let outcome = house.run_with(&["serve"], &[("LEADLANE_DATA_KEY", OTHER)]);
    assert!(outcome.refused().contains("LEADLANE_DATA_KEY"), "{outcome:?}");
    assert_eq!(house.count(messages), before);

    put(&path, &right);
    house.serve().sign_in("admin").get("/api/admin/me").ok();
}

// X2: a missing key was made anew beside a full database.
on_both!(no_key_is_made_beside_sealed_values);
fn no_key_is_made_beside_sealed_values(house: House) {
    house.demo();
    let (data, secret) = (house.data().join("data.key"), house.data().join("secret.key"));
    let (key, signing) = (fs::read_to_string(&data).unwrap(), fs::read_to_string(&secret).unwrap());
    fs::remove_file(&data).unwrap();
    for command in [&["serve"][..], &["migrate"], &["admin", "create"]] {
        let outcome = house.run(command);
        assert!(outcome.refused().contains("data.key is missing"), "{outcome:?}");
    }
    assert!(!data.exists());
    put(&data, &key);

    fs::remove_file(&secret).unwrap();
    let outcome = house.run(&["serve"]);
    assert!(outcome.refused().contains("secret.key is missing"), "{outcome:?}");
    assert!(!secret.exists());
    put(&secret, &signing);
    house.serve();
}

// X2: a database from before there was a check value is asked by what it holds.
on_both!(an_older_database_is_known_by_what_it_holds);
fn an_older_database_is_known_by_what_it_holds(house: House) {
    house.demo();
    let older = || house.execute("DROP TABLE key_check; DELETE FROM _sqlx_migrations WHERE version = 44");
    let path = house.data().join("data.key");
    let right = fs::read_to_string(&path).unwrap();
    older();
    put(&path, OTHER);
    let outcome = house.run(&["serve"]);
    assert!(outcome.refused().contains("not the one"), "{outcome:?}");
    fs::remove_file(&path).unwrap();
    let outcome = house.run(&["serve"]);
    assert!(outcome.refused().contains("is missing"), "{outcome:?}");
    assert_eq!(house.count("SELECT COUNT(*) FROM _sqlx_migrations WHERE version = 44"), 0, "it is not even migrated");

    put(&path, &right);
    house.run(&["migrate"]).done();
    assert_eq!(house.count("SELECT COUNT(*) FROM key_check"), 2);
    // Now it is known by the check alone.
    for (table, column) in [("administrator", "phone_enc"), ("project", "contact_phone_enc"), ("organisation", "contact_phone_enc")] {
        house.execute(&format!("UPDATE {table} SET {column} = NULL"));
    }
    put(&path, OTHER);
    assert!(house.run(&["serve"]).refused().contains("not the one"));
}

/// X2: two nodes, each of which would make keys of its own.
#[test]
fn a_node_with_other_keys_is_refused() {
    run(Engine::Postgres, |house| {
        let node = house.serve();
        let elsewhere = tempfile::tempdir().unwrap();
        let elsewhere = elsewhere.path().to_str().unwrap();
        let outcome = house.run_with(&["serve"], &[("LEADLANE_DATA", elsewhere)]);
        assert!(outcome.refused().contains("data.key is missing"), "{outcome:?}");

        let data_key = fs::read_to_string(house.data().join("data.key")).unwrap();
        let settings = [("LEADLANE_DATA", elsewhere), ("LEADLANE_DATA_KEY", data_key.trim())];
        let outcome = house.run_with(&["serve"], &[settings[0], settings[1], ("LEADLANE_SECRET", OTHER)]);
        assert!(outcome.refused().contains("LEADLANE_SECRET"), "{outcome:?}");
        assert_eq!(node.stranger().get("/readyz").status, 200);

        let secret = fs::read_to_string(house.data().join("secret.key")).unwrap();
        house.start(&[settings[0], settings[1], ("LEADLANE_SECRET", secret.trim())]).listening();
    });
}

// S-L6: a data key that somebody else knows could not be changed.
on_both!(the_data_key_is_changed_and_everything_is_found);
fn the_data_key_is_changed_and_everything_is_found(house: House) {
    house.run_with(&["demo", "--channels", "2", "--days", "0", "--users", "8"], &[("LEADLANE_PASSWORD", PASSWORD)]).done();
    let path = house.data().join("data.key");
    let old = fs::read_to_string(&path).unwrap();
    let applicant = format!("/api/user/reveal/{}", house.count("SELECT MIN(id) FROM applicant"));
    let node = house.serve();
    let admin = node.sign_in("admin");
    let person = admin.get(&applicant).ok();
    let ledger_key = house.run(&["ledger", "key"]).done().to_owned();
    assert_eq!(ledger_key.trim().len(), 64);
    let found = |admin: &super::support::Client| {
        let found = admin.post("/api/user/page", &json!({"keyword": person["phone"]})).ok();
        assert!(found["total"].as_i64().unwrap() >= 1, "{found}");
    };
    found(&admin);
    node.kill();

    put(&path, &format!("{OTHER}\n{old}"));
    let node = house.serve();
    let admin = admin.at(&node);
    assert_eq!(admin.get(&applicant).ok(), person);
    found(&admin);
    node.kill();
    put(&path, OTHER);
    assert!(house.run(&["serve"]).refused().contains("not the one"), "before all is sealed anew");
    assert_eq!(house.count("SELECT COUNT(*) FROM key_check WHERE name = 'unbound'"), 0, "a new database holds no values of before");

    // As a program of before left it: such a database may hold values that are bound to no place.
    put(&path, &format!("{OTHER}\n{old}"));
    house.execute("DELETE FROM _sqlx_migrations WHERE version = 57");
    house.run(&["migrate"]).done();
    let unbound = "SELECT COUNT(*) FROM key_check WHERE name = 'unbound'";
    assert_eq!(house.count(unbound), 1);
    let said = house.run(&["keys", "rotate"]);
    assert!(!said.done().starts_with("0 values"), "{said:?}");
    assert_eq!(house.count(unbound), 0);
    assert!(house.run(&["keys", "rotate"]).done().starts_with("0 values"));
    put(&path, &old);
    assert!(house.run(&["serve"]).refused().contains("not the one"));
    put(&path, OTHER);
    let node = house.serve();
    let admin = admin.at(&node);
    assert_eq!(admin.get(&applicant).ok(), person);
    found(&admin);
    house.run(&["keys", "rotate"]).done();
    // The ledger's key stays, and with it every hash.
    assert_eq!(house.run(&["ledger", "key"]).done(), ledger_key);
    house.run(&["ledger", "verify"]).done();
}

// S-L6: a leaked secret could not be changed without signing everybody out.
on_both!(the_secret_is_changed_and_nobody_is_signed_out);
fn the_secret_is_changed_and_nobody_is_signed_out(house: House) {
    house.demo();
    let path = house.data().join("secret.key");
    let old = fs::read_to_string(&path).unwrap();
    let node = house.serve();
    let operator = node.sign_in("operator");
    node.kill();

    put(&path, &format!("{OTHER}\n{old}"));
    let node = house.serve();
    operator.at(&node).get("/api/admin/me").ok();
    let later = node.sign_in("operator");
    node.kill();

    put(&path, OTHER);
    let node = house.serve();
    later.at(&node).get("/api/admin/me").ok();
    operator.at(&node).get("/api/admin/me").refused("2000");
    node.kill();

    put(&path, &old);
    assert!(house.run(&["serve"]).refused().contains("accept-secret"));
    house.run(&["keys", "accept-secret"]).done();
    let node = house.serve();
    operator.at(&node).get("/api/admin/me").ok();
    node.stranger().post("/api/admin/login", &json!({"username": "admin", "password": PASSWORD})).ok();
}
