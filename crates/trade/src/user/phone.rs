//! The lock on a person, by the keyed hash of the phone, across nodes and until the transaction ends. Taken by every
//! transaction that takes in an application, makes a sale, or otherwise decides by other applications of the phone.
//! Before it only the row of the transaction's own applicant is locked (a sale locks that first); intake has locked
//! no such row, and after it no row of an applicant is waited for.

use base::db::{Db, Tx};

/// Locks one person.
pub async fn lock(db: &Db, tx: &mut Tx, phone_hash: &str) -> Result<(), sqlx::Error> {
    db.lock(tx, &name(phone_hash)).await
}

/// Locks several people at once; two calls of this never wait for each other in a circle.
pub async fn lock_all(db: &Db, tx: &mut Tx, phone_hashes: impl IntoIterator<Item = &str>) -> Result<(), sqlx::Error> {
    db.lock_all(tx, &phone_hashes.into_iter().map(name).collect::<Vec<_>>()).await
}

/// The name of the lock.
pub(super) fn name(phone_hash: &str) -> String {
    format!("phone:{phone_hash}")
}
