//! The text of a paper as a reader copies it, for tests.

use std::collections::HashMap;

/// The lines of a paper.
pub fn lines(file: &[u8]) -> Vec<String> {
    let letters = letters(between(file, b"begincmap", b"endcmap"));
    let page = between(file, b"4 0 obj", b"endstream");
    let mut lines = Vec::new();
    let mut rest = page;
    while let Some(start) = find(rest, b"BT\n") {
        let end = find(rest, b"\nET").expect("a text ends");
        lines.push(line(&rest[start..end], &letters));
        rest = &rest[end + 3..];
    }
    lines
}

/// The part of a file between two texts; none if they are missing.
pub fn between<'f>(file: &'f [u8], from: &[u8], to: &[u8]) -> &'f [u8] {
    let Some(start) = find(file, from) else { return &[] };
    let part = &file[start + from.len()..];
    &part[..find(part, to).unwrap_or(part.len())]
}

fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len()).position(|window| window == text)
}

/// The letters of the embedded font by their numbers.
fn letters(map: &[u8]) -> HashMap<u16, char> {
    let map = std::str::from_utf8(map).expect("a map is text");
    let pairs = map.lines().filter_map(|line| line.strip_prefix('<')?.strip_suffix('>')?.split_once("> <"));
    let number = |text: &str| u16::from_str_radix(text, 16).ok();
    pairs.filter_map(|(code, unit)| Some((number(code)?, char::from_u32(number(unit)?.into())?))).collect()
}

/// The text of a text object.
fn line(text: &[u8], letters: &HashMap<u16, char>) -> String {
    let mut line = String::new();
    let mut is_embedded = true;
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'/' => is_embedded = text[at + 1] == b'E',
            b'(' | b'<' => {
                let (bytes, length) = string(&text[at..]);
                let units: Vec<u16> = bytes.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
                match is_embedded {
                    true => line.extend(units.iter().map(|unit| letters[unit])),
                    false => line.push_str(&String::from_utf16(&units).expect("letters")),
                }
                at += length;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    line
}

/// The bytes of a string, and how long it is with its delimiters.
fn string(text: &[u8]) -> (Vec<u8>, usize) {
    if text[0] == b'<' {
        let end = find(text, b">").expect("a string ends");
        return (hex::decode(&text[1..end]).expect("hexadecimal digits"), end + 1);
    }
    let (mut bytes, mut depth, mut at) = (Vec::new(), 0, 0);
    loop {
        let byte = text[at];
        at += 1;
        match byte {
            b'\\' if text[at].is_ascii_digit() => {
                bytes.push(text[at..at + 3].iter().fold(0, |sum, digit| sum * 8 + (digit - b'0')));
                at += 3;
            }
            b'\\' => {
                bytes.push(match text[at] {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'b' => 8,
                    b'f' => 12,
                    other => other,
                });
                at += 1;
            }
            b'(' | b')' => {
                if depth > 0 && !(depth == 1 && byte == b')') {
                    bytes.push(byte);
                }
                depth = if byte == b'(' { depth + 1 } else { depth - 1 };
                if depth == 0 {
                    return (bytes, at);
                }
            }
            other => bytes.push(other),
        }
    }
}
