//! The sources of the two keys: a variable, or a file of the data folder in the same form. A file that is empty, cut
//! or readable by others is an error and never used.
//!
//! A file has one line, or two while a key is being rotated: the first line is the key in use, the second one the
//! previous (or next) one, which opens and verifies but is not used for new values.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::config::{Config, DATA_KEY_FORM, Form, SECRET_FORM};

use super::Keys;

/// Longer than any key file.
const LONGEST: u64 = 4096;
/// Permissions that a key file must not have: only its owner may write it, and only its group may also read it (a
/// group of backups, or secrets of containers).
const FORBIDDEN: u32 = 0o037;

/// A key, and the second one during a rotation.
#[derive(Clone, PartialEq, Eq)]
pub struct Lines {
    /// The variable or the file, for messages.
    pub place: String,
    pub current: String,
    pub other: Option<String>,
}

/// The keys that exist before any is made.
#[derive(Clone)]
pub struct Found {
    pub secret: Option<Lines>,
    pub data: Option<Lines>,
}

/// Why a key is refused, in one line that does not repeat it.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("{0} is empty; it must hold {1}. Restore it from your copy of the keys")]
    Empty(String, &'static str),
    #[error("{0} must hold {1} in its line, or in each of two; it holds something else. Restore it from your copy of the keys")]
    Form(String, &'static str),
    #[error("{0} is open to others than its owner; close it: chmod 600 {0}")]
    Open(String),
    #[error("{0}: {1}")]
    File(String, io::Error),
}

impl Found {
    /// Finds the keys in the settings, otherwise in the data folder. Makes none.
    pub fn look(config: &Config) -> Result<Found, KeyError> {
        let given = |place: &str, current: &Option<String>, other: &Option<String>| {
            let trimmed = |text: &String| text.trim().to_owned();
            current.as_ref().map(|current| Lines { place: place.to_owned(), current: trimmed(current), other: other.as_ref().map(trimmed) })
        };
        let secret = match given("LEADLANE_SECRET", &config.secret, &config.secret_old) {
            None => read(&secret_file(config), &SECRET_FORM)?,
            secret => secret,
        };
        let data = match given("LEADLANE_DATA_KEY", &config.data_key, &config.data_key_old) {
            None => read(&data_file(config), &DATA_KEY_FORM)?,
            data => data,
        };
        Ok(Found { secret, data })
    }

    /// The keys, if none is missing.
    pub fn into_keys(self) -> Option<Keys> {
        Some(Keys::of(&self.secret?, &self.data?))
    }

    /// The keys; missing ones are made, once for all processes that share the data folder.
    pub fn or_make(self, config: &Config) -> Result<Keys, KeyError> {
        let secret = match self.secret {
            Some(secret) => secret,
            None => made(&secret_file(config), &SECRET_FORM)?,
        };
        let data = match self.data {
            Some(data) => data,
            None => made(&data_file(config), &DATA_KEY_FORM)?,
        };
        Ok(Keys::of(&secret, &data))
    }
}

/// The file of the secret that signs tokens.
pub fn secret_file(config: &Config) -> PathBuf {
    config.data.join("secret.key")
}

/// The file of the data key.
pub fn data_file(config: &Config) -> PathBuf {
    config.data.join("data.key")
}

/// Reads a key file; none if there is none.
fn read(path: &Path, form: &Form) -> Result<Option<Lines>, KeyError> {
    let place = path.display().to_string();
    let failed = |error| KeyError::File(place.clone(), error);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mode = file.metadata().map_err(failed)?.permissions().mode();
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    let lines = lines(&place, &bytes, form)?;
    match mode & FORBIDDEN {
        0 => Ok(Some(lines)),
        _ => Err(KeyError::Open(place)),
    }
}

fn lines(place: &str, bytes: &[u8], form: &Form) -> Result<Lines, KeyError> {
    let wrong = || KeyError::Form(place.to_owned(), form.expected);
    let text = std::str::from_utf8(bytes).map_err(|_| wrong())?.trim();
    if text.is_empty() {
        return Err(KeyError::Empty(place.to_owned(), form.expected));
    }
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    match lines.as_slice() {
        keys if !keys.iter().all(|key| (form.valid)(key)) => Err(wrong()),
        [current] => Ok(Lines { place: place.to_owned(), current: (*current).to_owned(), other: None }),
        [current, other] => Ok(Lines { place: place.to_owned(), current: (*current).to_owned(), other: Some((*other).to_owned()) }),
        _ => Err(wrong()),
    }
}

/// Makes a key file and reads it. It exists whole or not at all, even after a power cut, and never replaces another:
/// two processes that start at the same time agree on one key.
fn made(path: &Path, form: &Form) -> Result<Lines, KeyError> {
    let place = path.display().to_string();
    match make(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(KeyError::File(place, error)),
        _ => {}
    }
    read(path, form)?.ok_or_else(|| KeyError::File(place, io::ErrorKind::NotFound.into()))
}

fn make(path: &Path) -> io::Result<()> {
    let folder = path.parent().expect("it lies in the data folder");
    // Its permissions are for the owner alone.
    let mut draft = tempfile::Builder::new().prefix(".key").permissions(fs::Permissions::from_mode(0o600)).tempfile_in(folder)?;
    writeln!(draft, "{}", hex::encode(rand::random::<[u8; 32]>()))?;
    draft.as_file().sync_all()?;
    draft.persist_noclobber(path).map_err(|failed| failed.error)?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a file for its owner alone and reads it as a key.
    fn data_key(bytes: &[u8]) -> Result<Option<Lines>, KeyError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.key");
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        read(&path, &DATA_KEY_FORM)
    }

    #[test]
    fn a_file_holds_a_key_or_two() {
        let (new, old) = ("a1".repeat(32), "b2".repeat(32));
        for text in [new.clone(), format!("{new}\n"), format!("{new}\r\n\n")] {
            let lines = data_key(text.as_bytes()).unwrap().unwrap();
            assert_eq!((lines.current, lines.other), (new.clone(), None));
        }
        let lines = data_key(format!("{new}\n{old}\n").as_bytes()).unwrap().unwrap();
        assert_eq!((lines.current, lines.other), (new, Some(old)));
    }

    /// X1: the results of a bad restore, a full disk or an editor.
    #[test]
    fn a_bad_key_is_an_error_that_does_not_repeat_it() {
        let key = "a1".repeat(32);
        for empty in [&b""[..], b"\n", b"  \r\n "] {
            assert!(matches!(data_key(empty), Err(KeyError::Empty(..))), "{empty:?}");
        }
        let twice = format!("{key}\n{key}\n{key}");
        let second_cut = format!("{key}\n{}", &key[..63]);
        for wrong in [&key.as_bytes()[..63], b"abc", &[0; 64], &[0xff; 64], twice.as_bytes(), second_cut.as_bytes(), &[b'a'; 5000]] {
            let error = data_key(wrong).err().expect("refused");
            assert!(matches!(error, KeyError::Form(..)) && !error.to_string().contains(&key[..8]), "{error}");
        }
    }

    #[test]
    fn a_file_that_others_may_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.key");
        fs::write(&path, "a1".repeat(32)).unwrap();
        for (mode, taken) in [(0o600, true), (0o400, true), (0o640, true), (0o660, false), (0o604, false), (0o644, false), (0o602, false)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(read(&path, &DATA_KEY_FORM).is_ok(), taken, "{mode:o}");
        }
    }

    #[test]
    fn a_made_key_is_kept_and_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        let first = made(&path, &SECRET_FORM).unwrap();
        assert!(made(&path, &SECRET_FORM).unwrap() == first, "another is not put in its place");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
