//! The lock on a person, by the keyed hash of the phone: whoever takes one in, sells one, or otherwise
//! decides by what else is known of the phone holds it until the end of the transaction, on every node.
//! Before it nothing is held but the row of the applicant whom the transaction is about (a sale has that
//! first); whoever takes in holds no such row, and no row of an applicant is waited for after it.

use base::db::{Db, Tx};

/// Holds the lock on one person.
pub async fn lock(db: &Db, tx: &mut Tx, phone_hash: &str) -> Result<(), sqlx::Error> {
    db.lock(tx, &name(phone_hash)).await
}

/// Holds the locks on several people at once; nobody who does the same waits for this one meanwhile.
pub async fn lock_all(db: &Db, tx: &mut Tx, phone_hashes: impl IntoIterator<Item = &str>) -> Result<(), sqlx::Error> {
    db.lock_all(tx, &phone_hashes.into_iter().map(name).collect::<Vec<_>>()).await
}

/// What the lock is called.
pub(super) fn name(phone_hash: &str) -> String {
    format!("phone:{phone_hash}")
}
