//! The titles of columns: which cells of a row name which column, however a form tool or a person writes them.

use std::collections::{BTreeMap, HashMap};

use super::Column;
use base::canonical;
use base::locale::Locale;

/// Characters of a title that are compared; a longer text is not a title.
const LONGEST: usize = 200;
/// The most characters of a title in a message.
const SHOWN: usize = 40;
/// Marks that form tools and people add to the title of a required column.
const MARKS: &[&str] = &["(必填)", "[必填]", "【必填】", "(必填项)", "(选填)", "[选填]", "(可选)", "(required)", "(optional)", "*"];

/// A title without blanks, line ends and marks of required columns, in one width and case.
pub(super) fn plain(text: &str) -> String {
    let counts = |character: &char| !character.is_whitespace() && !canonical::is_invisible(*character) && *character != '`';
    let text: String = text.chars().take(LONGEST + 1).filter(counts).collect();
    let mut plain = canonical::half_width(&text).to_lowercase();
    for mark in MARKS {
        plain = plain.replace(mark, "");
    }
    plain.trim_end_matches(':').to_owned()
}

/// A title for a message: in one line, and cut.
pub(super) fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(SHOWN).collect()
}

/// The letters of a spreadsheet's column at a position, counted from 0.
pub(super) fn letters(place: usize) -> String {
    let (mut rest, mut letters) = (place + 1, Vec::new());
    while rest > 0 {
        letters.push(char::from(b'A' + u8::try_from((rest - 1) % 26).unwrap_or_default()));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// The names of columns.
pub(super) struct Names {
    /// The titles in both languages, former ones, and keys.
    exact: HashMap<String, usize>,
    /// Other words for the same, used if no cell has an exact title, and only one cell has such a word.
    other: HashMap<String, usize>,
}

/// The columns that the cells of a row name.
pub(super) struct Named {
    /// The positions of each column's cells; more than one if its title is repeated.
    pub places: Vec<Vec<usize>>,
    /// The titles that name no column, by position.
    pub unused: BTreeMap<usize, String>,
}

impl Names {
    pub fn of(columns: &[Column]) -> Names {
        let mut exact = HashMap::new();
        let mut other: HashMap<String, Option<usize>> = HashMap::new();
        for (index, column) in columns.iter().enumerate() {
            let titles = [column.title.get(Locale::Chinese), column.title.get(Locale::English)];
            for name in titles.into_iter().chain([column.key]).chain(column.former) {
                exact.entry(plain(name)).or_insert(index);
            }
        }
        // A word for two columns counts for neither.
        let mut claim = |name: String, index: usize| {
            if !exact.contains_key(&name) {
                other.entry(name).and_modify(|claimed| *claimed = claimed.filter(|known| *known == index)).or_insert(Some(index));
            }
        };
        for (index, column) in columns.iter().enumerate() {
            let chinese = plain(column.title.get(Locale::Chinese));
            let bare = without_unit(&chinese);
            claim(bare.to_owned(), index);
            claim(without_unit(&plain(column.title.get(Locale::English))).to_owned(), index);
            if bare.ends_with('号') {
                claim(format!("{bare}码"), index);
            }
            if let Some(stem) = bare.strip_suffix("编码") {
                claim(format!("{stem}编号"), index);
                claim(format!("{stem}代码"), index);
            }
        }
        let other = other.into_iter().filter_map(|(name, index)| Some((name, index?))).collect();
        Names { exact, other }
    }

    /// Which columns the cells of a row name; `cells` are those with a text.
    pub fn find(&self, count: usize, cells: &[(usize, &str)]) -> Named {
        let mut places = vec![Vec::new(); count];
        let mut rest: BTreeMap<usize, &str> = BTreeMap::new();
        let mut others = vec![Vec::new(); count];
        for (place, text) in cells {
            let name = plain(text);
            match (self.exact.get(&name), self.other.get(&name)) {
                (Some(index), _) => places[*index].push(*place),
                (None, found) => {
                    rest.insert(*place, text);
                    found.into_iter().for_each(|index| others[*index].push(*place));
                }
            }
        }
        for (index, found) in others.iter().enumerate() {
            if let ([], [place]) = (places[index].as_slice(), found.as_slice()) {
                rest.remove(place);
                places[index].push(*place);
            }
        }
        let unused = rest.into_iter().map(|(place, text)| (place, shortened(text))).collect();
        Named { places, unused }
    }
}

/// A title without the unit in brackets at its end. Another unit is another column.
fn without_unit(title: &str) -> &str {
    title.strip_suffix(')').and_then(|title| title.rsplit_once('(')).map_or(title, |(bare, _)| bare)
}

#[cfg(test)]
mod tests {
    use super::super::{required, title};
    use super::*;

    #[test]
    fn what_people_and_form_tools_add_to_titles_does_not_count() {
        for text in [
            "手机号",
            " *手机号",
            "手机号（必填）",
            "手机号(必填)\n",
            "＊ 手 机 号 ",
            "手机号 (Required)",
            "手机号：",
            "\u{feff}手机号",
            "手机\u{2060}号\u{ad}",
        ] {
            assert_eq!(plain(text), "手机号", "{text}");
        }
        assert_eq!((plain("Granted At"), plain("金额（元）")), ("grantedat".to_owned(), "金额(元)".to_owned()));
        assert_eq!([0, 25, 26, 701, 702].map(letters), ["A", "Z", "AA", "ZZ", "AAA"]);
    }

    #[test]
    fn other_words_count_only_when_they_are_clear() {
        let columns = [
            required("phone", "手机号", "Phone"),
            title("idNo", "身份证号", "ID number"),
            title("amount", "申请金额（元）", "Amount applied for (CNY)"),
            title("channel", "渠道编码", "Channel code"),
        ];
        let found = |titles: &[&str]| {
            let cells: Vec<(usize, &str)> = titles.iter().copied().enumerate().collect();
            let named = Names::of(&columns).find(columns.len(), &cells);
            (named.places, named.unused.into_values().collect::<Vec<_>>())
        };
        let one = |places: [usize; 4]| places.map(|place| vec![place]).to_vec();
        assert_eq!(found(&["手机号码", "身份证号码", "申请金额", "渠道编号"]), (one([0, 1, 2, 3]), vec![]));
        assert_eq!(found(&["申请金额（万元）", "金额"]).1, ["申请金额（万元）", "金额"], "another unit is another column");
        // An exact title comes first; of two other words neither counts.
        assert_eq!(found(&["手机号码", "手机号"]), (vec![vec![1], vec![], vec![], vec![]], vec!["手机号码".to_owned()]));
        assert_eq!(found(&["身份证号码", "身份证号 码"]).0, vec![Vec::<usize>::new(); 4]);
        assert_eq!(found(&["手机号", "*手机号"]).0[0], [0, 1]);
    }
}
