//! Unpacks a workbook and measures what it unpacks to, so that a small file that holds a huge one is refused before it is read.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use memchr::{memchr, memchr2, memmem};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::hidden::HiddenRows;
use crate::api::{ApiError, Result, say};
use crate::import::budget::{Budget, too_much};
use crate::import::refusal::{broken, wrong};

/// Bytes that the tables, texts and formats of a workbook unpack to, at most.
const MOST_UNPACKED: u64 = 32 * 1024 * 1024;
/// Elements of a workbook, at most. What is kept of each costs memory, however little the file says of it.
const MOST_ELEMENTS: &[(&[u8], usize)] = &[
    (b"c", 2_000_000),
    (b"row", 1_100_000),
    (b"si", 400_000),
    (b"sheet", 500),
    (b"Relationship", 10_000),
    (b"definedName", 50_000),
    (b"mergeCell", 50_000),
    (b"xf", 20_000),
    (b"font", 20_000),
    (b"fill", 20_000),
    (b"border", 20_000),
    (b"numFmt", 20_000),
];
/// Bytes of an element of the formats: each cell's format holds copies of some.
pub const LONGEST_FORMAT: usize = 1024;

/// Copies the parts that are read into a file that is not compressed: reading it costs what its size says, and the
/// time is checked while it is read.
pub fn unpack(file: File, budget: &Rc<Budget>) -> Result<(File, HiddenRows)> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|_| broken())?;
    let mut copy = ZipWriter::new(tempfile::tempfile().map_err(fault)?);
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let (mut left, mut counts, mut hidden) = (MOST_UNPACKED, vec![0; MOST_ELEMENTS.len()], HiddenRows::default());
    for index in 0..archive.len() {
        budget.check()?;
        let part = archive.by_index(index).map_err(|_| broken())?;
        let name = part.name().map_err(|_| broken())?.to_string();
        let lower = name.to_ascii_lowercase();
        if !lower.ends_with(".xml") && !lower.ends_with(".rels") {
            continue;
        }
        // What its head says of its size is not believed.
        let mut content = Vec::new();
        part.take(left + 1).read_to_end(&mut content).map_err(|_| broken())?;
        left = left.checked_sub(content.len() as u64).ok_or_else(too_large)?;
        measure(&content, lower.ends_with("styles.xml"), &mut counts)?;
        hidden.note(&lower, &content);
        copy.start_file(name, plain).map_err(|_| broken())?;
        copy.write_all(&content).map_err(fault)?;
    }
    let mut copy = copy.finish().map_err(|_| broken())?;
    copy.seek(SeekFrom::Start(0)).map_err(fault)?;
    Ok((copy, hidden))
}

fn fault(error: std::io::Error) -> ApiError {
    ApiError::Internal(anyhow::Error::from(error).context("a workbook could not be unpacked"))
}

fn too_large() -> ApiError {
    wrong(say(
        "文件解压后过大，请删除多余的工作表或分成几个文件",
        "The file is too large when unpacked: remove unneeded sheets or split it",
    ))
}

/// Counts the elements of a part, and refuses it where what is kept of them would take too much memory.
fn measure(content: &[u8], formats: bool, counts: &mut [usize]) -> Result<()> {
    // Texts of two bytes to a sign would be counted wrongly.
    if memchr(0, content).is_some() || content.starts_with(b"\xfe\xff") || content.starts_with(b"\xff\xfe") {
        return Err(broken());
    }
    // Room for as many texts as the file claims is made before one is read.
    for at in memmem::find_iter(content, b"uniqueCount") {
        let claimed = content[at..].iter().skip("uniqueCount".len()).skip_while(|byte| matches!(byte, b' ' | b'=' | b'"' | b'\''));
        if claimed.take_while(|byte| byte.is_ascii_digit()).count() > 6 {
            return Err(too_much());
        }
    }
    let mut rest = content;
    while let Some(at) = memchr(b'<', rest) {
        rest = &rest[at..];
        let length = length(rest).ok_or_else(broken)?;
        if formats && length > LONGEST_FORMAT {
            return Err(too_much());
        }
        let name = &rest[1..length];
        let name = &name[..name.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')).unwrap_or(name.len())];
        let local = name.rsplit(|byte| *byte == b':').next().unwrap_or(name);
        if let Some(index) = MOST_ELEMENTS.iter().position(|(element, _)| *element == local) {
            counts[index] += 1;
            if counts[index] > MOST_ELEMENTS[index].1 {
                return Err(too_much());
            }
        }
        rest = &rest[length..];
    }
    Ok(())
}

/// Bytes of the tag or comment that a text begins with; none where it does not end, or is none of a workbook's.
pub fn length(text: &[u8]) -> Option<usize> {
    let end = |mark: &[u8]| memmem::find(text, mark).map(|at| at + mark.len());
    match text {
        [b'<', b'!', b'-', b'-', ..] => end(b"-->"),
        [b'<', b'!', b'[', ..] => end(b"]]>"),
        [b'<', b'?', ..] => end(b"?>"),
        [b'<', b'!', ..] => None,
        [b'<', b'/', ..] => end(b">"),
        _ => {
            let mut at = 1;
            loop {
                at += memchr::memchr3(b'>', b'"', b'\'', &text[at..])?;
                match text[at] {
                    b'>' => return Some(at + 1),
                    quote => at += 2 + memchr2(quote, quote, &text[at + 1..])?,
                }
            }
        }
    }
}
