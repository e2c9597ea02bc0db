//! The head of the ledger that a node last found in order, in the file `ledger-head` of its data folder. A person with access to
//! the database alone does not write there.

use std::io;
use std::path::Path;

use super::Head;
use frame::access::kept;

const NAME: &str = "ledger-head";

/// The head that is kept in a data folder; none before the first.
pub fn read(data: &Path) -> io::Result<Option<Head>> {
    kept::read(data, NAME)
}

/// Keeps a head in place of the one before.
pub fn keep(data: &Path, head: &Head) -> io::Result<()> {
    kept::keep(data, NAME, head)
}

/// Forgets the head: the database comes from a backup.
pub fn forget(data: &Path) -> io::Result<()> {
    kept::forget(data, NAME)
}
