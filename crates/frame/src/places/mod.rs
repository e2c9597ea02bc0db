//! Provinces and cities by the codes of GB/T 2260: one table for both sides, `js/places.json`, which `js/places.mjs` writes.
//!
//! A city is stored as its code. What people and partners send is [`read`]: a code, or a name in any usual form. Texts from
//! before that no city has stay as they are ([`code_or_text`]).

mod columns;
mod table;

use std::borrow::Cow;
use std::collections::HashSet;

use self::table::{TABLE, short_name};
use crate::api::{Check, Say, say};
use base::canonical;
use base::db::sql::typed;
use base::locale::Locale;

pub use self::columns::{Stored, StoredList, cities, code, column, listed, spellings, stored, stored_list, stored_province};
pub use self::table::Place;

/// Longest name of a city, in characters.
pub const LONGEST: usize = 32;
/// The value of a filter for cities that are none of the table.
pub const UNKNOWN: &str = "unknown";

/// Why a text names no city.
#[derive(Debug, PartialEq, Eq)]
pub enum Unread {
    Unknown,
    /// A county of several cities.
    Ambiguous(Vec<&'static Place>),
    /// A province of several cities.
    Province(&'static Place),
}

impl Unread {
    /// The refusal of a text.
    pub fn message(&self, text: &str) -> Say {
        let text: String = text.chars().take(LONGEST).collect();
        match self {
            Unread::Unknown => say(format!("没有“{text}”这个城市"), format!("There is no city “{text}”")),
            Unread::Ambiguous(cities) => {
                let list = |locale: Locale| cities.iter().map(|city| city.label(locale)).collect::<Vec<_>>();
                say(
                    format!("“{text}”不止一个：{}，请写明城市", list(Locale::Chinese).join("、")),
                    format!("“{text}” is in several cities: {}. Name the city", list(Locale::English).join(", ")),
                )
            }
            Unread::Province(_) => say(format!("“{text}”是省份，请写明城市"), format!("“{text}” is a province. Name the city")),
        }
    }
}

/// All cities, in no order.
pub fn all() -> impl Iterator<Item = &'static Place> {
    TABLE.cities.values().copied()
}

/// The city of a code.
pub fn city(code: &str) -> Option<&'static Place> {
    TABLE.cities.get(code).copied()
}

/// The city that a text names: by a code (of a county, too), by its name with or without 市, 地区, 自治州 or 盟, after the name of
/// its province or not, or by a county that no other city has. Blanks and full-width letters do not count.
pub fn read(text: &str) -> Result<&'static Place, Unread> {
    if let Some(city) = TABLE.names.get(text).or_else(|| TABLE.cities.get(text)) {
        return Ok(city);
    }
    let text: String = canonical::half_width(text)
        .chars()
        .filter(|character| !character.is_whitespace() && !canonical::is_invisible(*character))
        .collect();
    if text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return of_code(&text);
    }
    if let Some(city) = TABLE.names.get(text.as_str()) {
        return Ok(city);
    }
    if let Some(province) = TABLE.province_names.get(text.as_str()) {
        return Err(Unread::Province(province));
    }
    let whole = of_county(&text, None);
    if !matches!(whole, Err(Unread::Unknown)) {
        return whole;
    }
    // Names have at most 14 characters: a longer text is looked at no further than that.
    let ends = text.char_indices().map(|(at, _)| at).skip(2).take(16);
    for at in ends.collect::<Vec<_>>().into_iter().rev() {
        let (first, rest) = text.split_at(at);
        if let Some(province) = TABLE.province_names.get(first) {
            match of_province(rest, province) {
                Err(Unread::Unknown) => {}
                read => return read,
            }
        }
        if let Some(city) = TABLE.names.get(first).filter(|city| has_county(rest, city)) {
            return Ok(city);
        }
    }
    Err(Unread::Unknown)
}

fn of_code(code: &str) -> Result<&'static Place, Unread> {
    let undivided = format!("{}0000", &code[..2]);
    let of_county = if code.starts_with("5002") { "500100".to_owned() } else { format!("{}00", &code[..4]) };
    let municipality = format!("{}0100", &code[..2]);
    let own = city(code).or_else(|| city(&undivided)).or_else(|| city(&of_county));
    if let Some(city) = own {
        return Ok(city);
    }
    match TABLE.provinces.get(&code[..2]) {
        Some(province) if province.code == code && province.name.ends_with('市') => city(&municipality).ok_or(Unread::Unknown),
        Some(province) if province.code == code => Err(Unread::Province(province)),
        _ => Err(Unread::Unknown),
    }
}

/// The city of a name after its province: a city, a county, or a city and its county.
fn of_province(text: &str, province: &'static Place) -> Result<&'static Place, Unread> {
    let within = |city: &&&'static Place| city.province() == province;
    if let Some(city) = TABLE.names.get(text).filter(within) {
        return Ok(city);
    }
    // 海南 of 青海.
    if let Some(city) = all().find(|city| city.province() == province && short_name(&city.name) == text) {
        return Ok(city);
    }
    match of_county(text, Some(province)) {
        Err(Unread::Unknown) => {}
        read => return read,
    }
    let ends = text.char_indices().map(|(at, _)| at).skip(2).take(16);
    ends.filter_map(|at| TABLE.names.get(&text[..at]).filter(within).filter(|city| has_county(&text[at..], city)))
        .last()
        .copied()
        .ok_or(Unread::Unknown)
}

fn of_county(text: &str, province: Option<&'static Place>) -> Result<&'static Place, Unread> {
    let cities: Vec<&'static Place> = TABLE
        .counties
        .get(text)
        .into_iter()
        .flatten()
        .filter(|city| province.is_none_or(|province| city.province() == province))
        .copied()
        .collect();
    match cities.as_slice() {
        [] => Err(Unread::Unknown),
        [city] => Ok(city),
        _ => Err(Unread::Ambiguous(cities)),
    }
}

fn has_county(text: &str, city: &'static Place) -> bool {
    TABLE.counties.get(text).is_some_and(|cities| cities.contains(&city))
}

/// The province that a text names, by its code or its name.
pub fn province(text: &str) -> Option<&'static Place> {
    let text: String = canonical::half_width(text).chars().filter(|character| !character.is_whitespace()).collect();
    let of_code = text.strip_suffix("0000").and_then(|digits| TABLE.provinces.get(digits));
    TABLE.province_names.get(text.as_str()).or(of_code).copied()
}

/// A city as it is stored and compared: its code, or the text as it is where no city has it.
pub fn code_or_text(text: &str) -> String {
    match read(text) {
        Ok(city) => city.code.clone(),
        Err(_) => canonical::trimmed(text).to_owned(),
    }
}

/// A province as it is stored: its code, or the text as it is.
pub fn province_or_text(text: &str) -> String {
    province(text).map_or_else(|| canonical::trimmed(text).to_owned(), |province| province.code.clone())
}

/// The code of the province of a city; empty where the city is none of the table.
pub fn province_of(city_code: &str) -> &'static str {
    city(city_code).map_or("", |city| &city.province().code)
}

/// What people read for a code of a city or a province; another text is shown as it is.
pub fn label(code: &str, locale: Locale) -> Cow<'_, str> {
    match city(code).or_else(|| province(code)) {
        Some(place) => Cow::Borrowed(place.label(locale)),
        None => Cow::Borrowed(code),
    }
}

/// What people read for a list of cities.
pub fn labels(codes: &[String], locale: Locale) -> String {
    codes.iter().map(|code| label(code, locale)).collect::<Vec<_>>().join(", ")
}

/// The Chinese name that buyers and partners are sent: 上海市.
pub fn sent_name(text: &str) -> String {
    match read(text).ok().or_else(|| province(text)) {
        Some(place) => place.name.clone(),
        None => text.to_owned(),
    }
}

/// The Chinese name of a city without 市: 上海.
pub fn short(code: &str) -> &str {
    city(code).map_or(code, |city| short_name(&city.name))
}

/// A list as it is stored and compared: codes, each once, in the order in which they were given.
pub fn tidy(cities: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let codes = cities.iter().map(|city| code_or_text(city)).filter(|code| !code.is_empty());
    codes.filter(|code| seen.insert(code.clone())).collect()
}

/// Why a text that [`code_or_text`] made is no city; nothing where it is one.
pub fn wrong(code: &str) -> Option<Say> {
    if city(code).is_some() {
        return None;
    }
    Some(read(code).map_or_else(|unread| unread.message(code), |_| Unread::Unknown.message(code)))
}

/// Checks a city that may be missing.
pub fn check(check: &mut Check, field: &str, code: &str) {
    if let Some(message) = wrong(code).filter(|_| !code.is_empty()) {
        check.that(field, false, message);
    }
}

/// Checks the city of a filter, as it was typed.
pub fn check_typed(check: &mut Check, field: &str, text: Option<&str>) {
    if let Some(text) = typed(text)
        && let Err(unread) = read(text)
    {
        check.that(field, false, unread.message(text));
    }
}

/// Checks a list that [`tidy`] made.
pub fn check_list(check: &mut Check, field: &str, cities: &[String], most: usize) {
    check.that(field, cities.len() <= most, say(format!("最多 {most} 个城市"), format!("At most {most} cities")));
    if let Some(message) = cities.iter().find_map(|city| wrong(city)) {
        check.that(field, false, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_code(text: &str) -> Option<&'static str> {
        read(text).ok().map(|city| city.code.as_str())
    }

    #[test]
    fn every_city_is_read_by_code_and_by_each_form_of_its_name() {
        assert!(TABLE.cities.len() > 360);
        for city in TABLE.cities.values() {
            let is = Some(city.code.as_str());
            assert_eq!(read_code(&city.code), is);
            assert_eq!(read_code(&city.name), is, "{}", city.name);
            let short = short_name(&city.name);
            if short != "海南" {
                assert_eq!(read_code(short), is, "{short}");
            }
            let province = city.province();
            for first in [province.name.as_str(), short_name(&province.name)] {
                for second in [city.name.as_str(), short] {
                    assert_eq!(read_code(&format!("{first}{second}")), is, "{first}{second}");
                    assert_eq!(read_code(&format!(" {first}　{second} ")), is, "{first} {second}");
                }
            }
            assert_eq!(province_of(&city.code), province.code);
        }
    }

    #[test]
    fn every_county_names_its_city_or_is_ambiguous() {
        for (name, cities) in &TABLE.counties {
            match cities.as_slice() {
                [city] => assert_eq!(read_code(name), Some(city.code.as_str()), "{name}"),
                _ => assert_eq!(read(name), Err(Unread::Ambiguous(cities.clone())), "{name}"),
            }
        }
        for (text, is) in [
            ("昆山市", "320500"),
            ("昆山", "320500"),
            ("江苏昆山", "320500"),
            ("江苏省苏州市昆山市", "320500"),
            ("浦东", "310100"),
            ("北京市朝阳区", "110100"),
            ("广东省深圳市南山区", "440300"),
            ("恩施", "422800"),
            ("延边", "222400"),
            ("仙桃", "429004"),
            ("吉林", "220200"),
            ("３１０１００", "310100"),
            ("310000", "310100"),
            ("310115", "310100"),
            ("500235", "500100"),
            ("810101", "810000"),
            ("香港", "810000"),
            ("台北市", "710000"),
        ] {
            assert_eq!(read_code(text), Some(is), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_city_and_the_refusal_says_why() {
        let words = |text: &str| wrong(text).map(|message| message.get(Locale::English).to_owned());
        assert_eq!(words("Atlantis").unwrap(), "There is no city “Atlantis”");
        assert_eq!(words("广东").unwrap(), "“广东” is a province. Name the city");
        assert_eq!(words("朝阳区").unwrap(), "“朝阳区” is in several cities: Beijing, Changchun. Name the city");
        assert_eq!(words("310100"), None);
        for text in ["", " ", "市", "999999", "440000", "海南", "江苏深圳", "上海滩", "1", &"长".repeat(10_000)] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_list_holds_each_city_once() {
        let given = ["上海市", " 上海 ", "", "某地", "杭州", "310100"].map(str::to_owned);
        let codes = tidy(given.to_vec());
        assert_eq!(codes, ["310100", "某地", "330100"]);
        assert_eq!(labels(&codes, Locale::Chinese), "上海市, 某地, 杭州市");
        assert_eq!(column(&codes[..1]), r#"["310100"]"#);
        let refused = |cities: &[String], most: usize| {
            let mut form = Check::new();
            check_list(&mut form, "cities", cities, most);
            form.done().is_err()
        };
        assert!(!refused(&tidy(vec!["上海".into(), "杭州".into()]), 2));
        assert!(refused(&tidy(vec!["上海".into(), "杭州".into()]), 1));
        assert!(refused(&codes, 9));
    }

    #[test]
    fn partners_are_sent_the_whole_chinese_name() {
        assert_eq!(["310100", "上海", "310000", "某地"].map(sent_name), ["上海市", "上海市", "上海市", "某地"]);
        assert_eq!((label("330000", Locale::English), label("某地", Locale::English)), ("Zhejiang".into(), "某地".into()));
        assert_eq!(spellings("422800"), ["422800", "恩施土家族苗族自治州", "恩施"]);
        assert_eq!(listed("50%_!\""), "%\"50!%!_!!\\\"\"%");
    }
}
