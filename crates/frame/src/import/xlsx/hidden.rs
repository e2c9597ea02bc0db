//! The hidden rows of the sheets of a workbook.

use std::collections::{HashMap, HashSet};

use memchr::memmem;

use super::unpack::length;

/// The rows that are hidden in the sheets of a workbook, which the library does not name.
#[derive(Default)]
pub struct HiddenRows {
    /// By the name of a part, without its folder.
    rows: HashMap<String, HashSet<usize>>,
    /// The part of each relationship, by its id.
    parts: HashMap<String, String>,
    /// The relationship of each sheet, by the sheet's name.
    sheets: HashMap<String, String>,
}

impl HiddenRows {
    /// Notes what a part says, by its name in small letters. The part has been measured.
    pub fn note(&mut self, name: &str, content: &[u8]) {
        let file = |path: &str| path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        if name.ends_with("workbook.xml.rels") {
            let of = |tag: &str| Some((attribute(tag, "Id")?, file(&attribute(tag, "Target")?)));
            self.parts.extend(tags(content, "Relationship").filter_map(|tag| of(&tag)));
        } else if name.ends_with("workbook.xml") {
            let of = |tag: &str| Some((attribute(tag, "name")?, attribute(tag, "r:id")?));
            self.sheets.extend(tags(content, "sheet").filter_map(|tag| of(&tag)));
        } else if name.contains("worksheets/") && memmem::find(content, b" hidden=").is_some() {
            let mut number = 0;
            let rows = tags(content, "row").filter_map(|tag| {
                number = attribute(&tag, "r").and_then(|text| text.parse().ok()).unwrap_or(number + 1);
                matches!(attribute(&tag, "hidden").as_deref(), Some("1" | "true")).then_some(number)
            });
            self.rows.insert(file(name), rows.collect());
        }
    }

    /// The hidden rows of a sheet, as people count them.
    pub fn of_sheet(&self, name: &str) -> Option<&HashSet<usize>> {
        self.rows.get(self.parts.get(self.sheets.get(name)?)?)
    }
}

/// The tags of an element in a part, from their name on.
fn tags(content: &[u8], element: &str) -> impl Iterator<Item = String> {
    let open = format!("<{element} ").into_bytes();
    let mut rest = content;
    std::iter::from_fn(move || {
        let at = memmem::find(rest, &open)?;
        rest = &rest[at..];
        let end = length(rest)?;
        let tag = String::from_utf8_lossy(&rest[1..end]).into_owned();
        rest = &rest[end..];
        Some(tag)
    })
}

/// The value of an attribute of a tag, with the signs that XML writes as names.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let rest = [" ", "\n", "\t"].iter().find_map(|blank| tag.split_once(&format!("{blank}{name}=")))?.1;
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let value = rest[1..].split_once(quote)?.0;
    let named = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    Some(named.iter().fold(value.to_owned(), |value, (name, sign)| value.replace(name, sign)))
}
