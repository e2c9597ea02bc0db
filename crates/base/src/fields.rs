//! Headings of fields. Screens, files, imports and the audit trail read the same ones, `headings.zh.json` and
//! `headings.en.json` in the folder of a record below `js/areas/`: `"receipt.no": "收款单号"` is the field `no` of a receipt.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::say::{Say, say};

/// The files of each record, Chinese and English (`build.rs`).
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/headings.rs"));

/// Headings in one language, by record and field.
type Table = HashMap<String, String>;

static CHINESE: LazyLock<Table> = LazyLock::new(|| read(FILES.iter().map(|(chinese, _)| *chinese)));
static ENGLISH: LazyLock<Table> = LazyLock::new(|| read(FILES.iter().map(|(_, english)| *english)));

fn read(files: impl Iterator<Item = &'static str>) -> Table {
    files.flat_map(|file| serde_json::from_str::<Table>(file).expect("headings are JSON")).collect()
}

/// The heading of a record's field, in both languages. A field without one gets its key as heading; tests of lists
/// and imports fail for such a field.
pub fn heading(record: &str, key: &'static str) -> Say {
    let name = format!("{record}.{key}");
    let of = |table: &'static Table| table.get(&name).map_or(key, String::as_str);
    say(of(&CHINESE), of(&ENGLISH))
}

/// Whether a record's field has a heading.
pub fn is_named(record: &str, key: &str) -> bool {
    CHINESE.contains_key(&format!("{record}.{key}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locale::Locale;

    #[test]
    fn both_languages_name_the_same_fields() {
        let keys = |table: &'static Table| {
            let mut keys: Vec<_> = table.keys().collect();
            keys.sort_unstable();
            keys
        };
        assert_eq!(keys(&CHINESE), keys(&ENGLISH));
    }

    #[test]
    fn a_heading_is_read_from_the_folder_of_its_record() {
        assert_eq!(heading("receipt", "orgName").get(Locale::Chinese), "机构");
        assert_eq!(heading("receipt", "orgName").get(Locale::English), "Organisation");
        assert_eq!(heading("receipt", "unheard").get(Locale::English), "unheard");
    }
}
