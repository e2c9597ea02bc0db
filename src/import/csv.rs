//! CSV: UTF-8 with or without its mark, or what office programs write in Chinese.

use std::fs::File;
use std::io::Read;

use csv::ReaderBuilder;
use memchr::memchr_iter;

use super::table::{Draft, broken};
use crate::api::Result;

/// Reads the rows of a file into a table.
pub(super) fn read(mut file: File, draft: &mut Draft) -> Result<()> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|_| broken())?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    // GB18030 holds all of GBK.
    let text = encoding_rs::UTF_8
        .decode_without_bom_handling_and_without_replacement(bytes)
        .or_else(|| encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(bytes))
        .ok_or_else(broken)?;
    let mut rows = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let (mut number, mut counted) = (1, 0);
    for row in rows.records() {
        let row = row.map_err(|_| broken())?;
        // Where its first cell begins: empty lines are no rows, but count as people count.
        let begins = row.position().and_then(|position| usize::try_from(position.byte()).ok()).unwrap_or(counted).max(counted);
        let ends = text.as_bytes()[begins..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        number += memchr_iter(b'\n', &text.as_bytes()[counted..begins + ends]).count();
        counted = begins + ends;
        draft.row(number, row.iter().enumerate())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, SeekFrom, Write};

    use super::super::table::tests::{draft, texts};
    use super::*;

    fn of(content: &[u8]) -> Vec<(usize, String)> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        let mut draft = draft();
        read(file, &mut draft).unwrap();
        texts(draft)
    }

    #[test]
    fn every_way_of_writing_chinese_is_read() {
        let wanted = [(2, "手机号|13800138000|投诉, 多次".to_owned()), (4, "ip|=1+1|".to_owned())];
        let text = "类型,值,备注\r\n手机号,13800138000,\"投诉, 多次\"\r\n\r\nip,=1+1\r\n";
        assert_eq!(of(text.as_bytes()), wanted);
        assert_eq!(of(format!("\u{feff}{text}").as_bytes()), wanted);
        assert_eq!(of(&encoding_rs::GBK.encode(text).0), wanted);
    }
}
