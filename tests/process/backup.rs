//! `leadlane backup` beside staff who work, and `leadlane restore`: all of it or nothing.

use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use serde_json::{Value, json};

use super::support::{Engine, House, Node, Outcome, PASSWORD, on_both, until};

/// Clients that write at once.
const WRITERS: i64 = 4;
const UPLOAD: &[u8] = b"a portrait";

/// A house with a business, an upload, and a layout.
fn business(house: &House) {
    house.run_with(&["demo", "--channels", "2", "--days", "1", "--users", "12"], &[("LEADLANE_PASSWORD", PASSWORD)]).done();
    let folder = house.data().join("files/ab");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("portrait"), UPLOAD).unwrap();
    fs::write(folder.join("unfinished.part"), "half").unwrap();
}

/// Another house of the same engine, with the keys of this one when they are asked for.
fn another(house: &House, keys: bool) -> House {
    let engine = if house.database.url.starts_with("sqlite:") { Engine::Sqlite } else { Engine::Postgres };
    let other = House::build(engine).expect("a server is there");
    fs::create_dir_all(other.data()).unwrap();
    for name in ["secret.key", "data.key"].iter().filter(|_| keys) {
        fs::copy(house.data().join(name), other.data().join(name)).unwrap();
    }
    other
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn entry(number: i64) -> Value {
    json!({"kind": "phone", "value": format!("139{number:08}"), "scope": "global", "scopeId": null, "source": "complaint",
        "reason": "投诉被多次联系", "expiresAt": null})
}

/// Adds entries of the blacklist as fast as they are answered until told to stop; counts them.
fn write_on(node: &Node, writer: i64, stop: &AtomicBool, written: &AtomicI64) {
    let admin = node.sign_in("admin");
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        admin.post("/api/blacklist", &entry(number * WRITERS + writer)).ok();
        written.fetch_add(1, Ordering::Relaxed);
    }
}

/// The rows of every table, by the manifest.
fn manifest(file: &Path) -> Value {
    let mut archive = zip::ZipArchive::new(fs::File::open(file).unwrap()).unwrap();
    let mut text = String::new();
    archive.by_name("manifest.json").unwrap().read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// What is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

// X3: SQLite's own online copy began anew whenever somebody wrote, and did not end.
on_both!(a_backup_beside_writers_comes_back_whole);
fn a_backup_beside_writers_comes_back_whole(house: House) {
    business(&house);
    let node = house.serve();
    let admin = node.sign_in("admin");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("today.leadlane");
    let entries = house.count("SELECT COUNT(*) FROM blacklist_entry");
    let (stop, written) = (AtomicBool::new(false), AtomicI64::new(0));
    let (before, after) = std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (node, stop, written) = (&node, &stop, &written);
            scope.spawn(move || write_on(node, writer, stop, written));
        }
        until("writers", || (written.load(Ordering::Relaxed) > 20).then_some(()));
        let before = written.load(Ordering::Relaxed);
        let outcome = house.run(&["backup", text(&file)]);
        let after = written.load(Ordering::Relaxed);
        stop.store(true, Ordering::Relaxed);
        outcome.done();
        (before, after)
    });
    assert!(after > before, "they wrote on meanwhile: {before}, {after}");
    assert_eq!(names(folder.path()), ["today.leadlane"], "nothing else is left");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let manifest = manifest(&file);
    let kept = manifest["rows"]["blacklist_entry"].as_i64().unwrap() - entries;
    assert!(kept >= before, "what was acknowledged before is there: {kept}, {before}");
    let key = fs::read_to_string(house.data().join("data.key")).unwrap();
    assert!(!manifest.to_string().contains(key.trim()));
    let applicant = house.count("SELECT MIN(id) FROM applicant");
    let phone = admin.get(&format!("/api/user/reveal/{applicant}")).ok();
    node.kill();

    let other = another(&house, true);
    let said = other.run(&["restore", text(&file)]);
    // The pictures of the demo, and the portrait.
    let files = house.count("SELECT COUNT(*) FROM file") + 1;
    assert!(said.done().contains(&format!(", {files} files,")), "{said:?}");
    for (table, rows) in manifest["rows"].as_object().unwrap() {
        // The restored database knows its keys anew and is up to date.
        assert_eq!(other.count(&format!("SELECT COUNT(*) FROM \"{table}\"")), rows.as_i64().unwrap(), "{table}");
    }
    assert_eq!(names(&other.data().join("files/ab")), ["portrait"]);
    assert_eq!(fs::read(other.data().join("files/ab/portrait")).unwrap(), UPLOAD);
    other.run(&["ledger", "verify"]).done();
    let node = other.serve();
    admin.at(&node).get("/api/admin/me").ok();
    assert_eq!(admin.at(&node).get(&format!("/api/user/reveal/{applicant}")).ok(), phone);
}

// X3: what is not whole, not ours or not of this key is refused, and what there was stays.
on_both!(what_is_no_whole_backup_is_refused);
fn what_is_no_whole_backup_is_refused(house: House) {
    business(&house);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("today.leadlane");
    house.run(&["backup", text(&file)]).done();
    assert!(house.run(&["backup", text(&file)]).refused().contains("is there already"));
    let whole = fs::read(&file).unwrap();
    let bad = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };

    let other = another(&house, true);
    other.run(&["admin", "create"]).done();
    let state = || (other.count("SELECT COUNT(*) FROM administrator"), other.count("SELECT COUNT(*) FROM applicant"), names(&other.data()));
    let before = state();
    let refused = |path: &Path, said: &str| {
        for force in [&["--force"][..], &[]] {
            let outcome = other.run(&[&["restore", text(path)], force].concat());
            let line = outcome.refused();
            assert!(line.contains("nothing was restored"), "{line}");
            assert!(force.is_empty() || line.contains(said), "{line}");
            assert_eq!(state(), before, "{line}");
        }
    };
    refused(&file.with_extension("gone"), "No such file");
    refused(&bad("empty", b""), "no backup of Leadlane");
    refused(&bad("text", &[b'x'; 4096]), "no backup of Leadlane");
    for cut in [whole.len() / 3, whole.len() - 1] {
        refused(&bad("cut", &whole[..cut]), "no backup of Leadlane");
    }
    // One bit of the database's part, past the part's own head.
    let mut flipped = whole.clone();
    flipped[whole.len() / 3] ^= 1;
    refused(&bad("flipped", &flipped), "the backup's part");

    let keys = other.data().join("data.key");
    let right = fs::read(&keys).unwrap();
    fs::write(&keys, "a1".repeat(32)).unwrap();
    refused(&file, "sealed with the data key");
    fs::remove_file(&keys).unwrap();
    let outcome = other.run(&["restore", text(&file), "--force"]);
    assert!(outcome.refused().contains("data.key is missing"), "{outcome:?}");
    fs::write(&keys, right).unwrap();
    fs::set_permissions(&keys, fs::Permissions::from_mode(0o600)).unwrap();

    let outcome = other.run(&["restore", text(&file)]);
    assert!(outcome.refused().contains("is not empty"), "{outcome:?}");
    let node = other.serve();
    refused(&file, "in use");
    assert_eq!(node.stranger().get("/readyz").status, 200);
    node.kill();

    other.run(&["restore", text(&file), "--force"]).done();
    assert_eq!(other.count("SELECT COUNT(*) FROM applicant"), house.count("SELECT COUNT(*) FROM applicant"));
    other.serve().sign_in("operator").get("/api/admin/me").ok();
}

// X3: books that do not agree are told before it says yes.
on_both!(wrong_books_are_not_brought_back_unasked);
fn wrong_books_are_not_brought_back_unasked(house: House) {
    business(&house);
    house.execute("UPDATE org_account SET balance_cents = balance_cents + 1");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("today.leadlane");
    house.run(&["backup", text(&file)]).done();
    let other = another(&house, true);
    assert!(other.run(&["restore", text(&file)]).refused().contains("in the books"));
    let said = other.run(&["restore", text(&file), "--force"]);
    assert!(said.done().contains("in the books"), "{said:?}");
}

on_both!(messages_that_waited_in_a_backup_wait_for_a_person);
fn messages_that_waited_in_a_backup_wait_for_a_person(house: House) {
    business(&house);
    house.execute(
        "UPDATE chat_wechat_send SET state = 'waiting', due_at = 1 WHERE message_id = (SELECT MAX(message_id) FROM chat_wechat_send)",
    );
    // One that may be sent, and one whose time is over.
    house.execute(
        "UPDATE outbox_item SET state = 'waiting', due_at = 1, unanswered = 0, last_error = NULL, \
           expires_at = CASE WHEN id = (SELECT MAX(id) FROM outbox_item WHERE kind = 'sms') THEN 4102444800000 ELSE 1 END \
         WHERE id IN (SELECT id FROM outbox_item WHERE kind = 'sms' ORDER BY id DESC LIMIT 2)",
    );
    house
        .execute("UPDATE sms_message SET state = 'waiting' WHERE id IN (SELECT ref_id FROM outbox_item WHERE kind = 'sms' AND due_at = 1)");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("today.leadlane");
    house.run(&["backup", text(&file)]).done();
    let other = another(&house, true);
    let said = other.run(&["restore", text(&file)]);
    assert!(said.done().contains("1 short messages and 1 WeChat messages waited"), "{said:?}");
    assert_eq!(other.count("SELECT COUNT(*) FROM chat_wechat_send WHERE state = 'waiting'"), 0);
    assert_eq!(other.count("SELECT COUNT(*) FROM chat_wechat_send WHERE state = 'unknown' AND reason = 'restored'"), 1);
    let held = "SELECT COUNT(*) FROM sms_message s JOIN outbox_item i ON i.kind = 'sms' AND i.ref_id = s.id \
         WHERE s.state = 'unconfirmed' AND s.last_error = 'restored' AND i.state = 'unconfirmed' AND i.due_at IS NULL";
    assert_eq!(other.count(held), 1);
    // Where nothing waited there is nothing to say.
    house.execute("UPDATE chat_wechat_send SET state = 'sent' WHERE state = 'waiting'");
    house.execute("UPDATE outbox_item SET state = 'done', due_at = NULL WHERE kind = 'sms' AND due_at = 1");
    let file = folder.path().join("later.leadlane");
    house.run(&["backup", text(&file)]).done();
    let said = another(&house, true).run(&["restore", text(&file)]);
    assert!(!said.done().contains("WeChat"), "{said:?}");
}

// X3: a lost secret costs the sessions and nothing else.
on_both!(a_backup_comes_back_without_the_secret);
fn a_backup_comes_back_without_the_secret(house: House) {
    business(&house);
    let operator = house.serve().sign_in("operator");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("today.leadlane");
    house.run(&["backup", text(&file)]).done();
    let other = another(&house, true);
    fs::remove_file(other.data().join("secret.key")).unwrap();
    let said = other.run(&["restore", text(&file)]);
    assert!(said.done().contains("everyone must log in again"), "{said:?}");
    let node = other.serve();
    operator.at(&node).get("/api/admin/me").refused("2000");
    node.sign_in("operator");
}

/// A tool that complains at length while it writes its dump waits until its complaints are read.
#[test]
fn a_tool_that_complains_at_length_makes_its_backup() {
    let Some(house) = House::build(Engine::Postgres) else { return };
    house.demo();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("today.leadlane");
    let path = std::env::var("PATH").unwrap();
    let tool = folder.path().join("pg_dump");
    // Far more than a pipe holds; where it is not read within half a minute, the tool gives up.
    let script = format!(
        "#!/bin/sh\nPATH='{path}'\nif [ \"$1\" != --version ]; then\n  {{ head -c 1000000 /dev/zero | tr '\\0' x; }} >&2 &\n  tries=0\n  \
         while kill -0 $! 2>/dev/null; do tries=$((tries + 1)); [ $tries -lt 300 ] || exit 3; sleep 0.1; done\nfi\nexec pg_dump \"$@\"\n"
    );
    fs::write(&tool, script).unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{path}", folder.path().display());
    house.run_with(&["backup", text(&file)], &[("PATH", &path)]).done();
    assert!(manifest(&file)["rows"]["administrator"].as_i64().unwrap() > 0);
}

// X3: room for a part of it only, as a disk that is filling up has.
on_both!(a_full_disk_leaves_nothing_behind);
fn a_full_disk_leaves_nothing_behind(house: House) {
    business(&house);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("today.leadlane");
    let limited = |arguments: &[&str], house: &House, bytes: u64| {
        let mut program = house.program(arguments);
        // SAFETY: both calls are safe between fork and exec.
        unsafe {
            program.pre_exec(move || {
                libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
                let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
                match libc::setrlimit(libc::RLIMIT_FSIZE, &limit) {
                    0 => Ok(()),
                    _ => Err(std::io::Error::last_os_error()),
                }
            });
        }
        Outcome::of(&mut program)
    };
    let outcome = limited(&["backup", text(&file)], &house, 100_000);
    let line = outcome.refused();
    assert!(line.contains("is full") && line.contains("nothing of it is left"), "{line}");
    assert_eq!(names(folder.path()), [""; 0]);

    house.run(&["backup", text(&file)]).done();
    let other = another(&house, true);
    let before = names(&other.data());
    let outcome = limited(&["restore", text(&file)], &other, 100_000);
    let line = outcome.refused();
    assert!(line.contains("is full") && line.contains("nothing was restored"), "{line}");
    assert_eq!(names(&other.data()), before);
    other.run(&["restore", text(&file)]).done();
}

/// X3: whoever has the file and no key can neither change what it says nor put something else in.
#[test]
fn a_manifest_that_was_changed_is_refused() {
    let house = House::build(Engine::Sqlite).expect("SQLite is always there");
    business(&house);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("today.leadlane");
    house.run(&["backup", text(&file)]).done();
    let forged = folder.path().join("forged.leadlane");
    let mut old = zip::ZipArchive::new(fs::File::open(&file).unwrap()).unwrap();
    let mut new = zip::ZipWriter::new(fs::File::create(&forged).unwrap());
    for index in 0..old.len() {
        let mut entry = old.by_index(index).unwrap();
        let (name, mut bytes) = (entry.name().unwrap().into_owned(), Vec::new());
        entry.read_to_end(&mut bytes).unwrap();
        if name == "manifest.json" {
            let mut manifest: Value = serde_json::from_slice(&bytes).unwrap();
            manifest["madeAt"] = json!(1);
            bytes = serde_json::to_vec(&manifest).unwrap();
        }
        new.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        new.write_all(&bytes).unwrap();
    }
    new.finish().unwrap().seek(SeekFrom::Start(0)).unwrap();
    let other = another(&house, true);
    assert!(other.run(&["restore", text(&forged)]).refused().contains("not as it was written"));
}
