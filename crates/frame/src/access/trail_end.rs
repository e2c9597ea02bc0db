//! The end of the trail's chain that a node last found correct, in the file `trail-end` of its data folder. A person
//! with access to the database alone cannot write there, so a chain that is removed and built again by the program is
//! found.

use std::io;
use std::path::Path;

use super::kept;
use super::trail::ChainEnd;

const NAME: &str = "trail-end";

/// The end in a data folder; none before the first check.
pub fn read(data: &Path) -> io::Result<Option<ChainEnd>> {
    kept::read(data, NAME)
}

/// Stores an end in place of the one before, whole or not at all.
pub fn keep(data: &Path, end: &ChainEnd) -> io::Result<()> {
    kept::keep(data, NAME, end)
}

/// Deletes the end: the database comes from a backup, with an earlier chain.
pub fn forget(data: &Path) -> io::Result<()> {
    kept::forget(data, NAME)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn an_end_is_kept_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let end = |seq| ChainEnd { seq, hash: "ab".to_owned() };
        assert_eq!(read(folder.path()).unwrap(), None);
        for seq in [1, 2] {
            keep(folder.path(), &end(seq)).unwrap();
            assert_eq!(read(folder.path()).unwrap(), Some(end(seq)));
        }
        assert_eq!(fs::metadata(folder.path().join(NAME)).unwrap().permissions().mode() & 0o777, 0o600);
        forget(folder.path()).unwrap();
        forget(folder.path()).unwrap();
        assert_eq!(read(folder.path()).unwrap(), None);
        fs::write(folder.path().join(NAME), "x").unwrap();
        assert!(read(folder.path()).is_err(), "a file that cannot be read is no missing one");
    }
}
