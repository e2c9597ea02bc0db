//! Errors of the bundle in terms of the sources it was built from.

use std::fmt::Write;

use deno_core::error::JsError;
use sourcemap::SourceMap;

use super::isolate::SCRIPT;

/// The longest text taken from JavaScript into a log or an error, in bytes.
const LONGEST: usize = 1000;

/// The error's message, and its stack with every place in the bundle mapped to its source.
pub(super) fn explain(error: &JsError, source_map: Option<&str>) -> (String, String) {
    let mut frames = String::new();
    for frame in &error.frames {
        let name = frame.function_name.as_deref().unwrap_or("<anonymous>");
        let file = frame.file_name.as_deref().unwrap_or("<native>");
        let (line, column) = (frame.line_number.unwrap_or(0), frame.column_number.unwrap_or(0));
        let _ = writeln!(frames, "    at {name} ({file}:{line}:{column})");
    }
    let stack = match &error.stack {
        _ if !frames.is_empty() => frames,
        // The first line of a stack repeats the message.
        Some(stack) => stack.lines().filter(|line| line.trim_start().starts_with("at ")).map(|line| format!("{line}\n")).collect(),
        None => frames,
    };
    let message = error.exception_message.strip_prefix("Uncaught ").unwrap_or(&error.exception_message);
    (shorten(message).to_owned(), map(stack.trim_end(), source_map))
}

/// Replaces every `server.js:line:column` by the place in the sources.
///
/// The map is read again each time: a page that throws is a fault to be fixed, and a map kept ready would cost memory
/// in every process.
fn map(stack: &str, source_map: Option<&str>) -> String {
    let Some(map) = source_map.and_then(|map| SourceMap::from_slice(map.as_bytes()).ok()) else {
        return stack.to_owned();
    };
    let mut mapped = String::with_capacity(stack.len());
    let mut rest = stack;
    while let Some(at) = rest.find(SCRIPT) {
        let (before, place) = rest.split_at(at);
        mapped.push_str(before);
        let after = &place[SCRIPT.len()..];
        match position(after).and_then(|(line, column, end)| {
            let token = map.lookup_token(line.checked_sub(1)?, column.checked_sub(1)?)?;
            Some((token, end))
        }) {
            Some((token, end)) => {
                let source = token.get_source().unwrap_or(SCRIPT);
                let (line, column) = (token.get_src_line() + 1, token.get_src_col() + 1);
                let _ = write!(mapped, "{}:{line}:{column}", readable(source));
                rest = &after[end..];
            }
            None => {
                mapped.push_str(SCRIPT);
                rest = after;
            }
        }
    }
    mapped.push_str(rest);
    mapped
}

/// Reads `:line:column` at the start of the text; returns also where it ends.
fn position(text: &str) -> Option<(u32, u32, usize)> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let line = text.strip_prefix(':')?;
    let line_len = digits(line);
    let column = line[line_len..].strip_prefix(':')?;
    let column_len = digits(column);
    Some((line[..line_len].parse().ok()?, column[..column_len].parse().ok()?, 2 + line_len + column_len))
}

/// A source's path from `js/` on, without the way there from the build folder.
fn readable(source: &str) -> &str {
    source.trim_start_matches("../")
}

/// At most [`LONGEST`] bytes of the text.
pub(super) fn shorten(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}
