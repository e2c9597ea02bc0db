//! The commands besides `serve`, and what a first start leaves for the second.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use serde_json::{Value, json};

use base::crypto::sha256_hex;
use sqlx::Row;

use super::support::{Client, Engine, House, PASSWORD, on_both, until};

on_both!(a_database_is_migrated_once_and_served_after);
fn a_database_is_migrated_once_and_served_after(house: House) {
    house.run(&["migrate"]).done();
    let applied = house.count("SELECT COUNT(*) FROM _sqlx_migrations");
    assert!(applied > 0);
    house.run(&["migrate"]).done();
    house.serve();
    let again = house.serve();
    assert_eq!(house.count("SELECT COUNT(*) FROM _sqlx_migrations"), applied);
    assert_eq!(again.stranger().get("/readyz").body, "ready");
    // An optimised build takes a fifth of a second; this one may be slow and the machine crowded.
    assert!(again.took < Duration::from_secs(10), "{:?}", again.took);
}

on_both!(the_demo_fills_only_an_empty_database);
fn the_demo_fills_only_an_empty_database(house: House) {
    let told = house.run(&["demo", "--channels", "3", "--users", "3"]);
    let told = told.done();
    let password = told.split_once("(password of all: ").and_then(|(_, rest)| rest.split_once(')')).expect("a password").0;
    assert_eq!(house.count("SELECT COUNT(*) FROM channel"), 3);

    let again = house.run(&["demo"]);
    assert!(again.refused().contains("the database is not empty"), "{again:?}");
    assert_eq!(house.count("SELECT COUNT(*) FROM channel"), 3);

    let node = house.serve();
    for username in ["admin", "operator", "finance", "service", "auditor", "north.manager", "north.sales1", "south.manager", "south.sales1"]
    {
        assert!(told.contains(username), "{told}");
        node.stranger().post("/api/admin/login", &json!({"username": username, "password": password})).ok();
    }
}

#[test]
fn a_demo_that_cannot_be_leaves_nothing() {
    let house = House::build(Engine::Sqlite).expect("SQLite is always there");
    let weak = house.run_with(&["demo"], &[("LEADLANE_PASSWORD", "hush")]);
    assert!(!weak.refused().contains("hush"), "{weak:?}");
    assert_eq!(house.count("SELECT COUNT(*) FROM administrator"), 0);
}

on_both!(the_first_administrator_is_made_at_the_console);
fn the_first_administrator_is_made_at_the_console(house: House) {
    let made = house.run(&["admin", "create"]);
    let password = made.done().trim().strip_prefix("administrator admin, password ").expect("a password").to_owned();
    assert_eq!(house.count("SELECT COUNT(*) FROM role"), 10, "a new installation has the standard roles");
    let rights = "SELECT COUNT(*) FROM role_menu rm JOIN role r ON r.id = rm.role_id JOIN menu_node m ON m.id = rm.menu_id \
                  WHERE r.code = 'operator' AND m.name = 'plan/list/create'";
    assert_eq!(house.count(rights), 1);
    let node = house.serve();
    let log_in = |password: &str| node.stranger().post("/api/admin/login", &json!({"username": "admin", "password": password}));
    let signed_in = log_in(&password).ok();
    assert_eq!(signed_in["user"]["mustChangePwd"], true, "a made password is for one sign-in");
    let admin: Client = node.stranger().with_token(signed_in["token"].as_str().unwrap());

    // Somebody forgot it: the console gives another, and ends what the old one opened.
    let shown = house.run(&["admin", "create", "--password", PASSWORD]);
    assert!(shown.refused().contains("LEADLANE_PASSWORD"), "{shown:?}");
    house.run_with(&["admin", "create"], &[("LEADLANE_PASSWORD", PASSWORD)]).done();
    admin.get("/api/admin/me").refused("2000");
    log_in(&password).refused("1002");
    assert_eq!(log_in(PASSWORD).ok()["user"]["role"], "admin");
    assert_eq!(house.count("SELECT COUNT(*) FROM administrator"), 1);
    assert_eq!(house.count("SELECT COUNT(*) FROM role"), 10);
}

on_both!(who_is_locked_out_clears_the_rules_about_addresses_at_the_console);
fn who_is_locked_out_clears_the_rules_about_addresses_at_the_console(house: House) {
    house.run_with(&["admin", "create"], &[("LEADLANE_PASSWORD", PASSWORD)]).done();
    let node = house.serve();
    let log_in = || node.stranger().post("/api/admin/login", &json!({"username": "admin", "password": PASSWORD}));
    for (key, value) in [
        ("security.sign_in_deny", r#"["127.0.0.0/8", "::1"]"#),
        ("security.sign_in_allow", r#"["10.0.0.0/8"]"#),
        ("security.sign_in_network_roles", r#"["admin"]"#),
        // Tries that are denied count against their address.
        ("security.lock_address_threshold", "1000"),
    ] {
        house.execute(&format!("INSERT INTO general_setting (key, value, version, updated_at) VALUES ('{key}', '{value}', 1, 0)"));
    }
    until("the rules hold", || (log_in().code().as_deref() == Some("1002")).then_some(()));
    let cleared = house.run(&["sign-in-rules", "clear"]);
    assert_eq!(cleared.done().trim(), "cleared: security.sign_in_deny, security.sign_in_allow, security.sign_in_network_roles");
    until("the rules are gone", || (log_in().code().as_deref() == Some("0000")).then_some(()));
    assert_eq!(house.count("SELECT COUNT(*) FROM general_setting WHERE value IS NOT NULL"), 1, "other settings stay");
    const ENTRIES: &str = "SELECT COUNT(*) FROM operation_log WHERE module = 'setting' AND admin_id IS NULL AND diff LIKE '%10.0.0.0/8%'";
    assert_eq!(house.count(ENTRIES), 1);
    assert!(house.run(&["sign-in-rules", "clear"]).done().contains("no rules were set"));
    assert_eq!(house.count(ENTRIES), 1, "nothing to clear is no change");
}

#[test]
fn keys_and_data_are_the_owners_alone() {
    let house = House::build(Engine::Sqlite).expect("SQLite is always there");
    let mode = |name: &str| std::fs::metadata(house.data().join(name)).unwrap().permissions().mode() & 0o777;
    house.run(&["migrate"]).done();
    assert_eq!(mode(""), 0o700);
    for key in ["secret.key", "data.key"] {
        assert_eq!(mode(key), 0o600, "{key}");
    }
    // One that a program of before has left to others, too.
    let database = house.database_file();
    let mode_of = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode_of(&database), 0o600);
    std::fs::set_permissions(&database, std::fs::Permissions::from_mode(0o644)).unwrap();
    let node = house.serve();
    node.stranger().post("/api/admin/login", &json!({"username": "nobody", "password": "x"}));
    for suffix in ["", "-wal", "-shm"] {
        let file = database.with_file_name(format!("leadlane.db{suffix}"));
        assert_eq!(mode_of(&file), 0o600, "{}", file.display());
    }
    drop(node);
    let backup = house.data().join("a.backup");
    house.run(&["backup", backup.to_str().unwrap()]).done();
    assert_eq!(mode_of(&backup), 0o600);
    house.run(&["restore", "--force", backup.to_str().unwrap()]).done();
    assert_eq!(mode_of(&database), 0o600);
    let keys = || ["secret.key", "data.key"].map(|key| std::fs::read(house.data().join(key)).unwrap());
    let before = keys();
    house.run(&["migrate"]).done();
    assert!(keys() == before, "keys are made once");
}

#[test]
fn the_api_describes_itself() {
    let house = House::build(Engine::Sqlite).expect("SQLite is always there");
    let printed = house.run(&["openapi"]);
    let document: Value = serde_json::from_str(printed.done()).expect("JSON");
    assert!(document["openapi"].as_str().expect("a version").starts_with("3."));
    assert!(document["paths"].as_object().expect("paths").keys().any(|path| path.ends_with("/channel/page")));
    assert!(!house.data().exists(), "describing touches nothing");
}

on_both!(the_trail_is_verified_at_the_console);
fn the_trail_is_verified_at_the_console(house: House) {
    house.demo();
    let node = house.serve();
    let entries = house.count("SELECT COUNT(*) FROM operation_log");
    assert!(entries > 0);
    until("every entry in the chain", || (house.count("SELECT COUNT(*) FROM trail_link") == entries).then_some(()));
    let backup = house.data().join("now.leadlane");
    house.run(&["backup", backup.to_str().unwrap()]).done();
    let said = house.run(&["trail", "verify", "--backup", backup.to_str().unwrap()]);
    let end = said.done().trim().rsplit(' ').next().expect("the end of the chain").to_owned();
    house.run(&["trail", "verify", "--end", &end]).done();
    let other = house.run(&["trail", "verify", "--end", &format!("{entries}:00")]);
    assert!(other.code == Some(1) && other.stderr.contains("1 faults"), "{other:?}");

    drop(node);
    let on = if house.database.url.starts_with("sqlite:") { "" } else { " ON operation_log" };
    house.execute(&format!("DROP TRIGGER operation_log_fixed{on}"));
    house.execute("UPDATE operation_log SET ip = '10.0.0.1' WHERE id = (SELECT MIN(id) FROM operation_log)");
    let first = house.count("SELECT MIN(id) FROM operation_log");
    let changed = house.run(&["trail", "verify"]);
    assert!(changed.code == Some(1) && changed.stdout.contains(&format!("entry {first} was changed")), "{changed:?}");
}

on_both!(the_ledger_is_verified_since_a_head_at_the_console);
fn the_ledger_is_verified_since_a_head_at_the_console(house: House) {
    house.demo();
    // As a node publishes it at night.
    let ends = house.database.rows(
        "SELECT l.account_id, l.seq, l.hash FROM account_ledger l \
         WHERE l.seq = (SELECT MAX(e.seq) FROM account_ledger e WHERE e.account_id = l.account_id) ORDER BY l.account_id",
    );
    let line = |end: &sqlx::any::AnyRow| format!("{}:{}:{}\n", end.get::<i64, _>(0), end.get::<i64, _>(1), end.get::<String, _>(2));
    let lines: String = ends.iter().map(line).collect();
    let entries = house.count("SELECT COUNT(*) FROM account_ledger");
    assert!(entries > 0);
    let digest = sha256_hex(lines.as_bytes())[..32].to_owned();
    let head = format!("2026-03-01:{digest}");
    let file = house.data().join("head");
    std::fs::write(&file, format!("{head}\n{lines}")).unwrap();
    let verify = |since: &str| house.run(&["ledger", "verify", "--since", since]);
    let proved = format!("all entries of the head {head} are as they were");
    assert!(verify(file.to_str().unwrap()).done().contains(&proved));

    let unknown = verify(&head);
    assert!(unknown.code == Some(1) && unknown.stdout.contains("this database has no such head"), "{unknown:?}");
    for malformed in ["yesterday", &head[..40], "2026-03-01:x:00"] {
        let refused = verify(malformed);
        assert!(refused.code == Some(2) && refused.stderr.contains("DAY:DIGEST"), "{refused:?}");
    }
    let cut = house.data().join("cut");
    std::fs::write(&cut, format!("{head}\n")).unwrap();
    assert!(verify(cut.to_str().unwrap()).stderr.contains("not whole"));

    house.execute(&format!("INSERT INTO ledger_head (id, day, digest, created_at) VALUES (1, '2026-03-01', '{digest}', 0)"));
    for end in &ends {
        house.execute(&format!(
            "INSERT INTO ledger_head_account (account_id, head_id, seq, hash) VALUES ({}, 1, {}, '{}')",
            end.get::<i64, _>(0),
            end.get::<i64, _>(1),
            end.get::<String, _>(2)
        ));
    }
    assert!(verify(&head).done().contains(&proved));
    // The head that the node keeps is compared without being asked for.
    std::fs::write(house.data().join("ledger-head"), format!("{head}\n")).unwrap();
    house.run(&["ledger", "verify"]).done();

    let on = if house.database.url.starts_with("sqlite:") { "" } else { " ON account_ledger" };
    house.execute(&format!("DROP TRIGGER account_ledger_kept{on}"));
    let (account, last) = (ends[0].get::<i64, _>(0), ends[0].get::<i64, _>(1));
    house.execute(&format!("DELETE FROM account_ledger WHERE account_id = {account} AND seq = {last}"));
    let said = format!("entry number {last} of account {account} is not the one of this head");
    for removed in [verify(&head), verify(file.to_str().unwrap()), house.run(&["ledger", "verify"])] {
        assert!(removed.code == Some(1) && removed.stdout.matches(&said).count() >= 1, "{removed:?}");
    }
    let later = "INSERT INTO ledger_head (id, day, digest, created_at) VALUES (2, '2099-01-01', 'x', 0)";
    house.execute(later);
    let said = house.run(&["ledger", "verify"]);
    assert!(said.code == Some(1) && said.stdout.contains("head 2099-01-01:x: its day is later than today"), "{said:?}");
    // The changed file is no proof.
    std::fs::write(&file, format!("{head}\n{lines}9999:1:ab\n")).unwrap();
    assert_eq!(verify(file.to_str().unwrap()).code, Some(2));
}
