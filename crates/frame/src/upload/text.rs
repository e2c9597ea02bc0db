//! The text of a table that is not a workbook, in any usual encoding, or why it is not a text.

use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};

/// Why bytes are not a text of lines. Rows count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoText {
    /// Only blanks.
    Blank,
    /// HTML or XML: content that a browser would show as a page is not stored as a table.
    Page,
    /// In none of the encodings, or in several.
    Encoding { row: usize },
    /// A character that tables do not have.
    Control { row: usize, character: char },
}

/// The text of a table's bytes: UTF-8 or UTF-16 with or without a mark, or GB18030, which includes GBK.
pub fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>, NoText> {
    let (encoding, bytes) = match bytes {
        [0xff, 0xfe, rest @ ..] => (UTF_16LE, rest),
        [0xfe, 0xff, rest @ ..] => (UTF_16BE, rest),
        [0xef, 0xbb, 0xbf, rest @ ..] => (UTF_8, rest),
        bytes => (unmarked(bytes), bytes),
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    let text = match text {
        None if encoding == UTF_8 => GB18030.decode_without_bom_handling_and_without_replacement(bytes),
        text => text,
    };
    // The encoding that can be read further is the right one.
    let text = text.ok_or_else(|| {
        let tried = if encoding == UTF_8 { [UTF_8, GB18030] } else { [encoding; 2] };
        NoText::Encoding { row: tried.map(|encoding| failing_row(encoding, bytes)).into_iter().max().unwrap_or(1) }
    })?;
    if let Some((at, character)) = text.char_indices().find(|(_, character)| is_control(*character)) {
        return Err(NoText::Control { row: rows_in(&text[..at]), character });
    }
    match text.trim_start().chars().next() {
        None => Err(NoText::Blank),
        Some('<') => Err(NoText::Page),
        Some(_) => Ok(text),
    }
}

fn is_control(character: char) -> bool {
    character < ' ' && !matches!(character, '\t' | '\r' | '\n')
}

/// UTF-16 in the byte order in which the bytes are lines of cells, otherwise UTF-8. Digits, commas and line ends have
/// a zero byte beside them.
fn unmarked(bytes: &[u8]) -> &'static Encoding {
    let zeros = |from: usize| bytes.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let encoding = match (zeros(0), zeros(1)) {
        (0, 1..) => UTF_16LE,
        (1.., 0) => UTF_16BE,
        _ => return UTF_8,
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes).unwrap_or_default();
    let is_lines = text.contains([',', ';', '\t']) && text.contains(['\r', '\n']) && !text.contains(is_control);
    if is_lines { encoding } else { UTF_8 }
}

/// The row at which an encoding fails.
fn failing_row(encoding: &'static Encoding, bytes: &[u8]) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or_default());
    match decoder.decode_to_string_without_replacement(bytes, &mut text, true) {
        (DecoderResult::Malformed(..), _) => rows_in(&text),
        _ => 1,
    }
}

/// The row at the end of a text.
fn rows_in(text: &str) -> usize {
    1 + text.replace("\r\n", "\n").matches(['\r', '\n']).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, big: bool) -> Vec<u8> {
        let of = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(of).collect()
    }

    #[test]
    fn every_encoding_is_read_with_its_mark_and_without() {
        let text = "姓名,电话\r\n王小明,13800138000\r\n";
        for bytes in [
            text.as_bytes().to_vec(),
            GB18030.encode(text).0.into_owned(),
            utf_16(text, false),
            utf_16(text, true),
            utf_16(&format!("\u{feff}{text}"), false),
            utf_16(&format!("\u{feff}{text}"), true),
        ] {
            assert_eq!(text_of(&bytes).as_deref(), Ok(text), "{bytes:?}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_text_is_said_with_its_row() {
        let gbk = GB18030.encode("王\r\n").0.into_owned();
        let mixed = [b"a\r\n\xe5\xbc\xa0\r\n\xe5\xbc\xa0\r\n".to_vec(), gbk, b"\xff\xff\r\n".to_vec()].concat();
        for (bytes, wrong) in [
            (b" \r\n\t\n".to_vec(), NoText::Blank),
            (b"\xef\xbb\xbf".to_vec(), NoText::Blank),
            (b"\r\n <html><table>".to_vec(), NoText::Page),
            (b"a,b\r\n1,\x01\r\n".to_vec(), NoText::Control { row: 2, character: '\u{1}' }),
            (b"a,b\n\n1,\0x\n".to_vec(), NoText::Control { row: 3, character: '\0' }),
            (b"a,b\0".to_vec(), NoText::Control { row: 1, character: '\0' }),
            (mixed, NoText::Encoding { row: 4 }),
        ] {
            assert_eq!(text_of(&bytes), Err(wrong), "{bytes:?}");
        }
    }
}
