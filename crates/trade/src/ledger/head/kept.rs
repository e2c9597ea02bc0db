//! The head of the ledger that a node last found correct, in the file `ledger-head` of its data folder. A person with
//! access to the database alone cannot write there.

use std::io;
use std::path::Path;

use super::Head;
use frame::access::kept;

const NAME: &str = "ledger-head";

/// The head in a data folder; none before the first.
pub fn read(data: &Path) -> io::Result<Option<Head>> {
    kept::read(data, NAME)
}

/// Stores a head in place of the one before.
pub fn keep(data: &Path, head: &Head) -> io::Result<()> {
    kept::keep(data, NAME, head)
}

/// Deletes the head: the database comes from a backup.
pub fn forget(data: &Path) -> io::Result<()> {
    kept::forget(data, NAME)
}
