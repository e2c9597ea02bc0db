//! The chain of the ledger: an entry that was changed, removed or inserted by SQL is found and named.

use serde_json::json;

use super::{hash_again, plain, wrong, wrong_chains};
use testing::finance::credited;
use testing::{TestApp, on_both};

on_both!(an_entry_that_was_changed_removed_or_inserted_is_named);
async fn an_entry_that_was_changed_removed_or_inserted_is_named(app: TestApp) {
    for _ in 0..4 {
        credited(&app, json!({"amountCents": 100})).await;
    }
    assert_eq!(wrong(&app).await, []);
    app.unguard_the_ledger().await;
    let named = async || -> Vec<Option<i64>> { wrong(&app).await.iter().filter(|one| one.what == "chain").map(|one| one.id).collect() };
    let second = app.count("SELECT id FROM account_ledger WHERE seq = 2").await;
    for (change, back) in [
        ("remark = remark || 'x'", "remark = SUBSTR(remark, 1, LENGTH(remark) - 1)"),
        ("at = at + 1", "at = at - 1"),
        ("operator_id = operator_id + 1", "operator_id = operator_id - 1"),
        ("ref_id = ref_id + 1", "ref_id = ref_id - 1"),
        ("amount_cents = amount_cents + 1", "amount_cents = amount_cents - 1"),
    ] {
        let update = |change: &str| &*Box::leak(format!("UPDATE account_ledger SET {change} WHERE seq = 2").into_boxed_str());
        app.execute(update(change)).await;
        assert_eq!(named().await, [Some(second)], "{change}");
        app.execute(update(back)).await;
        assert_eq!(wrong(&app).await, [], "{back}");
    }
    // Of a removed one the next is named, and its number.
    app.execute("DELETE FROM account_ledger WHERE seq = 2").await;
    let third = app.count("SELECT id FROM account_ledger WHERE seq = 3").await;
    assert_eq!(named().await, [Some(third)]);
    assert!(wrong(&app).await.iter().any(|one| one.what == "seq" && one.id == Some(third)));
    app.execute(
        "INSERT INTO account_ledger (account_id, seq, type, amount_cents, balance_after_cents, ref_type, ref_id, idem_key, at) \
         SELECT account_id, 5, 'recharge', 100, 500, 'recharge', ref_id, 'by hand', at FROM account_ledger WHERE seq = 4",
    )
    .await;
    let inserted = app.count("SELECT id FROM account_ledger WHERE seq = 5").await;
    assert!(named().await.contains(&Some(inserted)));
}

on_both!(a_chain_that_was_made_again_without_the_key_is_found);
async fn a_chain_that_was_made_again_without_the_key_is_found(app: TestApp) {
    for _ in 0..3 {
        credited(&app, json!({"amountCents": 100})).await;
    }
    let entry = async |seq: i64| app.count(Box::leak(format!("SELECT id FROM account_ledger WHERE seq = {seq}").into_boxed_str())).await;
    assert!(app.text("SELECT hash FROM account_ledger WHERE seq = 3").await.starts_with("1."));
    // An older program writes nothing any more.
    let mut tx = app.app.db.begin().await.unwrap();
    let older = "INSERT INTO account_ledger (account_id, seq, type, amount_cents, balance_after_cents, ref_type, ref_id, idem_key, at, hash) \
                 SELECT account_id, 4, 'recharge', 100, 400, 'recharge', ref_id, 'older', at, 'ab' FROM account_ledger WHERE seq = 3";
    assert!(sqlx::query(older).execute(&mut *tx).await.is_err());
    tx.rollback().await.unwrap();

    app.unguard_the_ledger().await;
    app.execute("UPDATE account_ledger SET remark = 'another' WHERE seq = 2").await;
    hash_again(&app, plain).await;
    assert_eq!(wrong_chains(&app).await, [("chain", Some(entry(1).await))], "of those without a key the first");
    hash_again(&app, |text| format!("1.{}", plain(text))).await;
    assert_eq!(wrong_chains(&app).await.len(), 3);
    let key = app.app.keys.ledger_key();
    hash_again(&app, |text| format!("1.{}", key.hash(text.as_bytes()))).await;
    assert_eq!(wrong(&app).await, [], "with the key alone a chain can be made again");
}

/// Makes the seals as a node does that starts.
async fn seal(app: &TestApp) -> usize {
    trade::ledger::seal_ledger(&app.app.db, false, app.now()).await.unwrap()
}

on_both!(entries_from_before_hashes_had_a_key_are_sealed_once);
async fn entries_from_before_hashes_had_a_key_are_sealed_once(app: TestApp) {
    let south = app.organisation("south").await;
    for changes in [json!({"amountCents": 100}), json!({"amountCents": 200}), json!({"orgId": south, "amountCents": 300})] {
        credited(&app, changes).await;
    }
    app.unguard_the_ledger().await;
    app.unguard_the_heads().await;
    hash_again(&app, plain).await;
    assert_eq!(wrong_chains(&app).await.len(), 2, "without a seal the first of each account is named");

    // A start that fails half-way leaves nothing.
    app.execute(
        "INSERT INTO ledger_seal (account_id, seq, hash, seal, created_at) SELECT MAX(account_id), 1, 'x', 'x', 0 FROM account_ledger",
    )
    .await;
    trade::ledger::seal_ledger(&app.app.db, false, app.now()).await.unwrap_err();
    assert_eq!(app.count("SELECT COUNT(*) FROM ledger_seal").await, 1);
    app.execute("DELETE FROM ledger_seal").await;

    let (one, another) = (app.node().await, app.node().await);
    let made = futures_util::future::join_all([seal(&app), seal(&one), seal(&another)]).await;
    assert_eq!(made.iter().sum::<usize>(), 2, "one node makes them: {made:?}");
    assert_eq!(app.trail("ledger_seal", 0).await.len(), 1);
    assert_eq!(wrong(&app).await, []);
    credited(&one, json!({"amountCents": 400})).await;
    let started = app.node_that_starts().await;
    assert_eq!((seal(&started).await, wrong(&started).await), (0, vec![]));

    // What was sealed cannot be made again.
    let north = "account_id = (SELECT id FROM org_account WHERE org_id = (SELECT id FROM organisation WHERE code = 'north'))";
    let entry = async |seq: i64| {
        app.count(Box::leak(format!("SELECT id FROM account_ledger WHERE {north} AND seq = {seq}").into_boxed_str())).await
    };
    let (second, third) = (entry(2).await, entry(3).await);
    app.execute(Box::leak(format!("UPDATE account_ledger SET remark = remark || 'x' WHERE {north} AND seq = 1").into_boxed_str())).await;
    let key = app.app.keys.ledger_key();
    hash_again(&app, |text| if text.contains(",400,") { format!("1.{}", key.hash(text.as_bytes())) } else { plain(text) }).await;
    assert_eq!(wrong_chains(&app).await, [("seal", Some(second))], "not even with the key of the entries after it");
    hash_again(&app, plain).await;
    assert_eq!(wrong_chains(&app).await, [("seal", Some(second)), ("chain", Some(third))]);

    // Without the seals it is no database of before: the trail has when they were made.
    app.execute("DELETE FROM ledger_seal").await;
    assert_eq!(seal(&app).await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM ledger_seal").await, 0);
    assert_eq!(wrong_chains(&app).await.len(), 2);
}

on_both!(a_seal_that_was_changed_or_removed_is_found);
async fn a_seal_that_was_changed_or_removed_is_found(app: TestApp) {
    let south = app.organisation("south").await;
    credited(&app, json!({"amountCents": 100})).await;
    credited(&app, json!({"orgId": south, "amountCents": 300})).await;
    app.unguard_the_ledger().await;
    app.unguard_the_heads().await;
    hash_again(&app, plain).await;
    assert_eq!(seal(&app).await, 2);
    for (change, back) in [
        ("UPDATE ledger_seal SET seal = 'x' || seal WHERE seq = 1", "UPDATE ledger_seal SET seal = SUBSTR(seal, 2) WHERE seq = 1"),
        ("UPDATE ledger_seal SET seq = seq + 1 WHERE account_id > 0", "UPDATE ledger_seal SET seq = seq - 1 WHERE account_id > 0"),
        ("UPDATE ledger_seal SET account_id = -1 WHERE account_id = 0", "UPDATE ledger_seal SET account_id = 0 WHERE account_id = -1"),
    ] {
        app.execute(change).await;
        assert!(wrong_chains(&app).await.iter().any(|(what, _)| *what == "seal"), "{change}");
        app.execute(back).await;
        assert_eq!(wrong(&app).await, [], "{back}");
    }
    // An account that is gone with its seal.
    app.execute("DELETE FROM account_ledger WHERE amount_cents = 300").await;
    app.execute("DELETE FROM ledger_seal WHERE account_id NOT IN (SELECT account_id FROM account_ledger) AND account_id > 0").await;
    assert_eq!(wrong_chains(&app).await, [("seal", None)]);
}

on_both!(entries_from_before_the_chain_are_sealed_with_it);
async fn entries_from_before_the_chain_are_sealed_with_it(app: TestApp) {
    credited(&app, json!({"amountCents": 100})).await;
    credited(&app, json!({"amountCents": 200})).await;
    app.unguard_the_ledger().await;
    app.execute("UPDATE account_ledger SET hash = NULL").await;
    assert_eq!(seal(&app).await, 1);
    assert_eq!(wrong(&app).await, []);
    credited(&app, json!({"amountCents": 300})).await;
    assert_eq!(wrong(&app).await, []);
    app.execute("UPDATE account_ledger SET remark = 'x' WHERE seq = 1").await;
    let second = app.count("SELECT id FROM account_ledger WHERE seq = 2").await;
    let third = app.count("SELECT id FROM account_ledger WHERE seq = 3").await;
    assert_eq!(wrong_chains(&app).await, [("seal", Some(second)), ("chain", Some(third))], "the seal and the first hash cover all before");
}
