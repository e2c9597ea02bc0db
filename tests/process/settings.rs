//! Bad settings stop the start, with one line that names the setting and repeats no secret.

use std::net::TcpListener;

use super::support::{Engine, House};

/// Stands in every value that must not be repeated.
const SECRET: &str = "hush-hush";

fn house() -> House {
    House::build(Engine::Sqlite).expect("SQLite is always there")
}

#[test]
fn an_unknown_name_stops_the_start() {
    let house = house();
    for command in [&["serve"][..], &["migrate"], &["demo"], &["admin", "create"]] {
        let outcome = house.run_with(command, &[("LEADLANE_SECRTE", SECRET)]);
        let line = outcome.refused();
        assert!(line.contains("LEADLANE_SECRTE") && !line.contains(SECRET), "{line}");
    }
    assert!(!house.data().exists(), "nothing was begun");
}

#[test]
fn a_bad_value_stops_the_start() {
    for (name, value) in [
        ("LEADLANE_LISTEN", "8080"),
        ("LEADLANE_LISTEN", "localhost:http"),
        ("LEADLANE_ISOLATES", "0"),
        ("LEADLANE_ISOLATES", "65"),
        ("LEADLANE_ISOLATES", "two"),
        ("LEADLANE_RENDER_MEMO", "-1"),
        ("LEADLANE_MAX_CONNECTIONS", "15"),
        ("LEADLANE_HEAD_TIMEOUT", "0"),
        ("LEADLANE_IDLE_TIMEOUT", "an hour"),
        ("LEADLANE_LOG", "xml"),
        ("LEADLANE_TRUSTED_PROXIES", "10.0.0.1,proxy"),
        ("LEADLANE_SECRET", SECRET),
        ("LEADLANE_DATA_KEY", SECRET),
        ("LEADLANE_DATABASE_URL", "mysql://root:hush-hush@db/leadlane"),
        ("LEADLANE_STORAGE", "s3://key:hush-hush@host/leadlane"),
        ("LEADLANE_STORAGE", "s3:leadlane-files"),
        ("LEADLANE_S3_SECRET_ACCESS_KEY", SECRET),
    ] {
        let outcome = house().run_with(&["serve"], &[(name, value)]);
        let line = outcome.refused();
        assert!(line.contains(name) && !line.contains(SECRET), "{line}");
    }
}

#[test]
fn what_cannot_be_opened_is_named() {
    let house = house();
    std::fs::write(house.data(), "a file").unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let elsewhere = tempfile::tempdir().unwrap();
    let elsewhere = elsewhere.path().to_str().unwrap();
    for (settings, said) in [
        (&[][..], house.data().to_str().unwrap()),
        (&[("LEADLANE_DATA", elsewhere), ("LEADLANE_LISTEN", &taken)], &taken),
        (&[("LEADLANE_DATA", elsewhere), ("LEADLANE_DATABASE_URL", "sqlite:/no/such/folder/leadlane.db")], "the database"),
        (&[("LEADLANE_DATA", elsewhere), ("LEADLANE_DATABASE_URL", "postgres://root:hush-hush@127.0.0.1:port/leadlane")], "the database"),
    ] {
        let outcome = house.run_with(&["serve"], settings);
        let line = outcome.refused();
        assert!(line.contains(said) && !line.contains(SECRET), "{line}");
    }
}

#[test]
fn a_key_that_is_none_stops_the_start() {
    let house = house();
    house.run(&["migrate"]).done();
    std::fs::write(house.data().join("data.key"), SECRET).unwrap();
    let outcome = house.run(&["serve"]);
    let line = outcome.refused();
    assert!(line.contains("data.key") && !line.contains(SECRET), "{line}");
}

// S2.33: the file that the settings drawer's copy is put into.
#[test]
fn a_settings_file_that_cannot_be_stops_the_start() {
    for (text, named) in [(r#"{"navBar": true}"#, "navBar"), (r#"{"themeColor": "red"}"#, "themeColor"), ("{", "settings.json")] {
        let house = house();
        std::fs::create_dir_all(house.data()).unwrap();
        std::fs::write(house.data().join("settings.json"), text).unwrap();
        let outcome = house.run_with(&["serve"], &[]);
        let line = outcome.refused();
        assert!(line.contains("settings.json") && line.contains(named), "{line}");
    }
}
