//! One line that a node keeps in a file of its data folder, where a person with access to the database alone cannot
//! write.

use std::fmt::Display;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::str::FromStr;
use std::{fs, fs::File};

/// The stored value of a name; none if there is no such file.
pub fn read<T: FromStr<Err = String>>(data: &Path, name: &str) -> io::Result<Option<T>> {
    match fs::read_to_string(data.join(name)) {
        Ok(text) => text.trim().parse().map(Some).map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, format!("{name}: {reason}"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Stores a value in place of the one before, whole or not at all.
pub fn keep(data: &Path, name: &str, what: &impl Display) -> io::Result<()> {
    let prefix = format!(".{name}");
    let mut draft = tempfile::Builder::new().prefix(&prefix).permissions(fs::Permissions::from_mode(0o600)).tempfile_in(data)?;
    writeln!(draft, "{what}")?;
    draft.as_file().sync_all()?;
    draft.persist(data.join(name)).map_err(|failed| failed.error)?;
    File::open(data)?.sync_all()
}

/// Removes the file.
pub fn forget(data: &Path, name: &str) -> io::Result<()> {
    match fs::remove_file(data.join(name)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
