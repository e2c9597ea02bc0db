//! The head of the ledger: it leaves the database every night, and later proves that the entries of that day are still there.

use base::clock::{self, DAY};
use futures_util::TryStreamExt;
use serde_json::{Value, json};
use server::head_watch::{publish, storage_key};
use trade::ledger::head::{Difference, Fault, Head, Noted, compare, faults, kept, make};

use super::{hash_again, wrong};
use testing::finance::credited;
use testing::{TestApp, on_both};

/// The head of today.
async fn head(app: &TestApp) -> Head {
    publish(&app.app).await.unwrap().expect("it is this node's night")
}

/// Compares the books with a head as a person copies it.
async fn since(app: &TestApp, head: &Head) -> Vec<Difference> {
    compare(&app.app.db, &Noted::given(&head.to_string()).unwrap()).await.unwrap()
}

/// The file of a head.
async fn file(app: &TestApp, head: &Head) -> String {
    let stored = app.app.storage.read(&storage_key(&head.day.to_string())).await.unwrap().expect("its file");
    let pieces: Vec<bytes::Bytes> = stored.bytes.try_collect().await.unwrap();
    String::from_utf8(pieces.iter().flatten().copied().collect()).unwrap()
}

/// Makes all hashes again with the key, which only a person has who also has the data key.
async fn hash_with_key(app: &TestApp) {
    let key = app.app.keys.ledger_key();
    hash_again(app, |text| format!("1.{}", key.hash(text.as_bytes()))).await;
}

async fn account(app: &TestApp, code: &str) -> (i64, i64) {
    let org_id = app.organisation(code).await;
    (org_id, app.count(Box::leak(format!("SELECT id FROM org_account WHERE org_id = {org_id}").into_boxed_str())).await)
}

on_both!(the_head_is_published_once_a_night);
async fn the_head_is_published_once_a_night(app: TestApp) {
    credited(&app, json!({"amountCents": 100})).await;
    credited(&app, json!({"amountCents": 200})).await;
    let other = app.node().await;
    let published = futures_util::future::join_all([publish(&app.app), publish(&other.app)]).await;
    let published: Vec<Head> = published.into_iter().filter_map(|head| head.unwrap()).collect();
    let [first] = &published[..] else { panic!("one node publishes it: {published:?}") };
    let messages = app.sign_in("admin").await.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("账本摘要") && messages.contains(&first.to_string()), "{messages}");
    let north = app.sign_in("north.manager").await.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(!north.contains("账本摘要"), "{north}");
    assert_eq!(kept::read(&app.app.config.data).unwrap().as_ref(), Some(first));
    let whole: Noted = file(&app, first).await.parse().unwrap();
    assert_eq!((&whole.head, whole.text().lines().count()), (first, 2));
    assert_eq!(compare(&app.app.db, &whole).await.unwrap(), []);

    // What was cut off is made again, and is the same head.
    app.execute("UPDATE daily_task SET done_at = NULL, begun_at = begun_at - 3600001").await;
    credited(&app, json!({"amountCents": 300})).await;
    assert_eq!(publish(&other.app).await.unwrap().as_ref(), Some(first));
    app.advance(DAY);
    let second = head(&app).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM ledger_head").await, 2);
    assert_eq!((since(&app, first).await, since(&other, &second).await), (vec![], vec![]));
    // A night without an entry.
    app.advance(DAY);
    let third = head(&app).await;
    assert_eq!(third.to_string().split_once(':').unwrap().1, second.to_string().split_once(':').unwrap().1);
    assert_eq!(app.count("SELECT COUNT(*) FROM ledger_head_account").await, 2, "a row for each night with entries");
    assert_eq!(since(&app, &third).await, []);
}

on_both!(the_entries_of_a_head_are_proved_to_be_there);
async fn the_entries_of_a_head_are_proved_to_be_there(app: TestApp) {
    let south = app.organisation("south").await;
    for changes in [json!({"amountCents": 100}), json!({"amountCents": 200}), json!({"orgId": south, "amountCents": 300})] {
        credited(&app, changes).await;
    }
    let made = head(&app).await;
    let whole: Noted = file(&app, &made).await.parse().unwrap();
    credited(&app, json!({"amountCents": 400})).await;
    let started = app.node_that_starts().await;
    assert_eq!((since(&started, &made).await, wrong(&started).await), (vec![], vec![]), "later entries are none of its");
    app.unguard_the_ledger().await;
    app.unguard_the_heads().await;
    let (north, north_account) = account(&app, "north").await;
    let (_, south_account) = account(&app, "south").await;
    let in_north = vec![Difference::Account { org_id: north, account_id: north_account, seq: 2 }];

    // A changed entry.
    app.execute("UPDATE account_ledger SET remark = remark || 'x' WHERE amount_cents = 100").await;
    hash_with_key(&app).await;
    assert_eq!(wrong(&app).await, [], "the books agree");
    assert_eq!(since(&app, &made).await, in_north);
    assert_eq!(compare(&app.app.db, &whole).await.unwrap(), in_north);
    app.execute("UPDATE account_ledger SET remark = SUBSTR(remark, 1, LENGTH(remark) - 1) WHERE amount_cents = 100").await;
    hash_with_key(&app).await;
    assert_eq!(since(&app, &made).await, []);

    // One that was added in the middle.
    let number = |sql: &str| &*Box::leak(sql.replace("NORTH", &north_account.to_string()).into_boxed_str());
    app.execute(number("UPDATE account_ledger SET seq = seq + 100 WHERE account_id = NORTH AND seq >= 2")).await;
    app.execute(number("UPDATE account_ledger SET seq = seq - 99 WHERE account_id = NORTH AND seq > 100")).await;
    app.execute(number(
        "INSERT INTO account_ledger (account_id, seq, type, amount_cents, gift_part_cents, balance_after_cents, ref_type, ref_id, idem_key, at) \
         SELECT account_id, 2, type, 1, 0, 101, ref_type, ref_id, 'added', at FROM account_ledger WHERE account_id = NORTH AND seq = 1",
    ))
    .await;
    hash_with_key(&app).await;
    assert_eq!(since(&app, &made).await, in_north);
    app.execute("DELETE FROM account_ledger WHERE idem_key = 'added'").await;
    app.execute(number("UPDATE account_ledger SET seq = seq - 1 WHERE account_id = NORTH AND seq = 3")).await;
    app.execute(number("UPDATE account_ledger SET seq = seq - 1 WHERE account_id = NORTH AND seq = 4")).await;
    hash_with_key(&app).await;
    assert_eq!(since(&app, &made).await, []);

    // The last one of an account, which the chain does not miss.
    app.execute("DELETE FROM account_ledger WHERE amount_cents = 300").await;
    let in_south = vec![Difference::Account { org_id: south, account_id: south_account, seq: 1 }];
    assert_eq!(since(&app, &made).await, in_south);

    // The rows of the head itself.
    app.execute("UPDATE ledger_head_account SET seq = 1 WHERE seq = 2").await;
    assert_eq!(since(&app, &made).await, [Difference::Rows]);
    assert_eq!(compare(&app.app.db, &whole).await.unwrap(), in_south, "the file needs no rows");
    app.execute("DELETE FROM ledger_head_account").await;
    app.execute("DELETE FROM ledger_head").await;
    assert_eq!(since(&app, &made).await, [Difference::Unknown]);
}

on_both!(the_next_night_compares_with_the_head_before);
async fn the_next_night_compares_with_the_head_before(app: TestApp) {
    credited(&app, json!({"amountCents": 100})).await;
    credited(&app, json!({"amountCents": 200})).await;
    let first = head(&app).await;
    app.unguard_the_ledger().await;
    app.execute("UPDATE account_ledger SET remark = 'x' WHERE seq = 1").await;
    hash_with_key(&app).await;
    for _ in 0..2 {
        app.advance(DAY);
        head(&app).await;
        assert_eq!(kept::read(&app.app.config.data).unwrap().as_ref(), Some(&first), "it is compared with the same again");
    }
    let page: Value = app.sign_in("admin").await.post("/message/page", json!({})).await.ok();
    assert_eq!(page["list"].to_string().matches("账本与先前的摘要不符").count(), 2, "{page}");
    // A node without seals does not make them beside a head.
    assert_eq!(trade::ledger::seal_ledger(&app.app.db, true, app.now()).await.unwrap(), 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM ledger_seal").await, 0);
}

/// The texts of the messages of an administrator.
async fn messages(app: &TestApp) -> String {
    app.sign_in("admin").await.post("/message/page", json!({})).await.ok()["list"].to_string()
}

on_both!(a_head_that_was_written_by_hand_counts_for_nothing);
async fn a_head_that_was_written_by_hand_counts_for_nothing(app: TestApp) {
    credited(&app, json!({"amountCents": 100})).await;
    let first = head(&app).await;
    assert_eq!(faults(&app.app.db, app.now()).await.unwrap(), []);
    // Of a later day, with ends that the accounts never had.
    app.execute("INSERT INTO ledger_head (day, digest, created_at) VALUES ('2099-01-01', 'x', 0)").await;
    app.execute(
        "INSERT INTO ledger_head_account (account_id, head_id, seq, hash) \
         SELECT account_id, (SELECT MAX(id) FROM ledger_head), 9, 'x' FROM ledger_head_account",
    )
    .await;
    let forged = [Fault::Seal("2099-01-01:x".to_owned()), Fault::Later("2099-01-01:x".to_owned())];
    assert_eq!(faults(&app.app.db, app.now()).await.unwrap(), forged);
    credited(&app, json!({"amountCents": 200})).await;
    app.advance(DAY);
    let second = head(&app).await;
    assert_eq!(second.day, clock::day(app.now()));
    assert_eq!((since(&app, &first).await, since(&app, &second).await), (vec![], vec![]));
    assert_eq!(kept::read(&app.app.config.data).unwrap().as_ref(), Some(&second));
    assert!(messages(&app).await.contains("账本摘要有误"));

    // Of the day whose head is to be made: it is in all places but the database.
    app.advance(DAY);
    let today = clock::day(app.now());
    app.execute(format!("INSERT INTO ledger_head (day, digest, seal, created_at) VALUES ('{today}', 'y', 'z', 0)").leak()).await;
    let third = head(&app).await;
    let whole: Noted = file(&app, &third).await.parse().unwrap();
    assert_eq!((third.day, compare(&app.app.db, &whole).await.unwrap()), (today, vec![]));
    assert_eq!(since(&app, &third).await, [Difference::Unknown]);
    assert_eq!(kept::read(&app.app.config.data).unwrap().as_ref(), Some(&second), "the next night compares with one that has a row");
    assert!(faults(&app.app.db, app.now()).await.unwrap().contains(&Fault::Seal(format!("{today}:y"))));
    assert_eq!((since(&app, &first).await, since(&app, &second).await), (vec![], vec![]));
}

on_both!(the_head_of_a_clock_that_is_ahead_stops_no_other);
async fn the_head_of_a_clock_that_is_ahead_stops_no_other(app: TestApp) {
    credited(&app, json!({"amountCents": 100})).await;
    let ahead = make(&app.app.db, app.now() + 2 * DAY).await.unwrap().noted.head;
    credited(&app, json!({"amountCents": 200})).await;
    let today = head(&app).await;
    assert_eq!(today.day, clock::day(app.now()));
    assert_eq!(faults(&app.app.db, app.now()).await.unwrap(), [Fault::Later(ahead.to_string())]);
    assert_eq!((since(&app, &ahead).await, since(&app, &today).await), (vec![], vec![]));
    app.advance(2 * DAY);
    assert_eq!(faults(&app.app.db, app.now()).await.unwrap(), []);
    assert_eq!(head(&app).await, ahead);
}

on_both!(the_file_of_a_day_is_never_replaced);
async fn the_file_of_a_day_is_never_replaced(app: TestApp) {
    credited(&app, json!({"amountCents": 100})).await;
    let key = storage_key(&clock::day(app.now()).to_string());
    assert!(app.app.storage.write_once(&key, "another".into()).await.unwrap());
    let made = head(&app).await;
    assert_eq!(file(&app, &made).await, "another");
    let said = messages(&app).await;
    assert!(said.contains("账本摘要有误") && said.contains("未予覆盖") && said.contains(&made.to_string()), "{said}");
    // The next day has its own.
    app.advance(DAY);
    let next = head(&app).await;
    assert!(file(&app, &next).await.starts_with(&next.to_string()));
}

on_both!(an_auditor_recomputes_the_chain_from_the_file_of_entries);
async fn an_auditor_recomputes_the_chain_from_the_file_of_entries(app: TestApp) {
    for cents in [100, 200, 300] {
        credited(&app, json!({ "amountCents": cents, "remark": "含\"引号\"，逗号" })).await;
    }
    let admin = app.sign_in("admin").await;
    let page = admin.post("/finance/account/ledger/page", json!({})).await.ok();
    let mut rows = page["list"].as_array().unwrap().clone();
    rows.sort_by_key(|row| row["seq"].as_i64());
    let (_, account_id) = account(&app, "north").await;
    let (key, mut before) = (app.app.keys.ledger_key(), String::new());
    for row in &rows {
        assert_eq!(row["accountId"], account_id);
        let text = row["hashedText"].as_str().unwrap();
        let said: Value = serde_json::from_str(text).unwrap();
        assert_eq!((&said[0], &said[1][1], &said[1][2]), (&json!(before), &row["seq"], &row["amountCents"]));
        assert_eq!((&said[2][2], &said[2][3]), (&row["idemKey"], &row["refNo"]));
        before = format!("1.{}", key.hash(text.as_bytes()));
        assert_eq!(row["hash"], before);
    }
    assert_eq!(rows.len(), 3);
    let made = head(&app).await;
    let digest = base::crypto::sha256_hex(format!("{account_id}:3:{before}\n").as_bytes());
    assert_eq!(made.to_string(), format!("{}:{}", made.day, &digest[..32]));
    let csv = admin.export("/finance/account/ledger/page/export", json!({"format": "csv"})).await;
    let csv = String::from_utf8(csv.body.to_vec()).unwrap();
    let quoted = rows[0]["hashedText"].as_str().unwrap().replace('"', "\"\"");
    assert!(csv.contains("哈希原文") && csv.contains(&quoted) && csv.contains(&before), "{csv}");
}
