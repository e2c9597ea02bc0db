//! The chain of the ledger: an entry that was changed, removed or inserted by SQL is found and named.

use serde_json::json;

use super::{credited, wrong};
use crate::support::{TestApp, on_both};

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

on_both!(entries_from_before_the_chain_are_taken_into_it);
async fn entries_from_before_the_chain_are_taken_into_it(app: TestApp) {
    credited(&app, json!({"amountCents": 100})).await;
    credited(&app, json!({"amountCents": 200})).await;
    app.unguard_the_ledger().await;
    app.execute("UPDATE account_ledger SET hash = NULL").await;
    assert_eq!(wrong(&app).await, []);
    credited(&app, json!({"amountCents": 300})).await;
    assert_eq!(wrong(&app).await, []);
    app.execute("UPDATE account_ledger SET remark = 'x' WHERE seq = 1").await;
    let third = app.count("SELECT id FROM account_ledger WHERE seq = 3").await;
    let named: Vec<_> = wrong(&app).await.into_iter().filter(|one| one.what == "chain").map(|one| one.id).collect();
    assert_eq!(named, [Some(third)], "the first hash after them tells of all before");
}
