//! Scans uploaded files with a virus scanner (clamd, by its `INSTREAM`).

use std::io::Error;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Limits for connecting to the scanner, and for a whole file.
const REACHED_WITHIN: Duration = Duration::from_secs(5);
const SCANNED_WITHIN: Duration = Duration::from_secs(60);
/// Bytes sent at a time.
const PIECE: usize = 64 * 1024;
/// The longest answer that is read.
const LONGEST: u64 = 1024;

/// The scanner's result.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Clean,
    /// A virus, by the scanner's name for it.
    Found(String),
}

/// Scans a file with the scanner at `HOST:PORT`. Fails if it gives no result.
pub async fn scan(scanner: &str, content: std::fs::File) -> Result<Verdict, Error> {
    let connection = tokio::time::timeout(REACHED_WITHIN, TcpStream::connect(scanner)).await??;
    tokio::time::timeout(SCANNED_WITHIN, ask(connection, content)).await?
}

async fn ask(mut scanner: TcpStream, content: std::fs::File) -> Result<Verdict, Error> {
    scanner.write_all(b"zINSTREAM\0").await?;
    let mut content = tokio::fs::File::from_std(content);
    let mut piece = vec![0; PIECE];
    loop {
        let size = content.read(&mut piece).await?;
        let length = u32::try_from(size).expect("a piece is small").to_be_bytes();
        scanner.write_all(&length).await?;
        scanner.write_all(&piece[..size]).await?;
        // An empty piece marks the end.
        if size == 0 {
            break;
        }
    }
    let mut answer = Vec::new();
    scanner.take(LONGEST).read_to_end(&mut answer).await?;
    verdict(&answer).ok_or_else(|| Error::other(format!("no verdict: {}", String::from_utf8_lossy(&answer))))
}

/// Reads `stream: OK` or `stream: NAME FOUND`.
fn verdict(answer: &[u8]) -> Option<Verdict> {
    let text = std::str::from_utf8(answer).ok()?.trim_end_matches(['\0', '\n']);
    match text.strip_prefix("stream: ")? {
        "OK" => Some(Verdict::Clean),
        found => found.strip_suffix(" FOUND").map(|name| Verdict::Found(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_verdict_is_one() {
        assert_eq!(verdict(b"stream: OK\0"), Some(Verdict::Clean));
        assert_eq!(verdict(b"stream: Eicar-Test-Signature FOUND\0"), Some(Verdict::Found("Eicar-Test-Signature".to_owned())));
        for none in [&b""[..], b"INSTREAM size limit exceeded. ERROR\0", b"stream: x ERROR\0", b"OK\0", b"\xff"] {
            assert_eq!(verdict(none), None, "{:?}", String::from_utf8_lossy(none));
        }
    }
}
