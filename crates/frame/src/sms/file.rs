//! The destination of short messages without a provider: a file in the data folder that only its owner can read. When
//! it is long a new one is begun.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use base::clock;
use base::mask;

/// The most bytes of the file; then it is put aside and a new one is begun.
const LONGEST_FILE: u64 = 1_000_000;

/// The file.
#[derive(Clone)]
pub struct SmsFile(PathBuf);

impl SmsFile {
    /// The file of a data folder.
    pub fn in_folder(data: &Path) -> SmsFile {
        SmsFile(data.join("sms.log"))
    }

    /// Appends a message to the file; unless in clear, without the phone's middle and without digits of the text.
    pub fn write(&self, phone: &str, text: &str, in_clear: bool, at: i64) -> std::io::Result<()> {
        if std::fs::metadata(&self.0).is_ok_and(|file| file.len() > LONGEST_FILE) {
            std::fs::rename(&self.0, self.0.with_extension("log.1"))?;
        }
        let (phone, text) = match in_clear {
            true => (phone.to_owned(), text.to_owned()),
            false => (mask::phone(phone), text.chars().map(|char| if char.is_ascii_digit() { '*' } else { char }).collect()),
        };
        let mut file = std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(&self.0)?;
        writeln!(file, "{}\t{}\t{}", clock::date_time(at), phone, text.replace('\n', " "))
    }
}
