//! The table of provinces, cities and counties, by code and by name.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use base::locale::Locale;

/// A province or a city.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    /// Six digits.
    pub code: String,
    /// The whole Chinese name: 上海市.
    pub name: String,
    pub english: String,
}

impl Place {
    /// Its name in a language.
    pub fn label(&self, locale: Locale) -> &str {
        locale.pick(&self.name, &self.english)
    }

    /// The province of a city.
    pub fn province(&self) -> &'static Place {
        TABLE.provinces[&self.code[..2]]
    }
}

/// Code, name, English name, pinyin.
type Line = (String, String, String, String);

#[derive(Deserialize)]
struct Lines {
    provinces: Vec<Line>,
    cities: Vec<Line>,
}

pub struct Table {
    /// By the first two digits.
    pub provinces: HashMap<&'static str, &'static Place>,
    pub province_names: HashMap<&'static str, &'static Place>,
    pub cities: HashMap<&'static str, &'static Place>,
    /// Whole and short names of cities.
    pub names: HashMap<&'static str, &'static Place>,
    /// Whole and short names of counties, each with its cities.
    pub counties: HashMap<&'static str, Vec<&'static Place>>,
}

/// The table, read once. It lives as long as the program.
pub static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let lines: Lines = serde_json::from_str(include_str!("../../../../js/places.json")).expect("js/places.json has the form of Lines");
    let places = |lines: Vec<Line>| -> &'static [Place] {
        lines.into_iter().map(|(code, name, english, _)| Place { code, name, english }).collect::<Vec<_>>().leak()
    };
    let (provinces, cities) = (places(lines.provinces), places(lines.cities));
    let mut province_names = HashMap::new();
    for province in provinces {
        province_names.insert(province.name.as_str(), province);
        province_names.insert(short_name(&province.name), province);
    }
    let mut names: HashMap<&'static str, &'static Place> = HashMap::new();
    for city in cities {
        names.insert(&city.name, city);
        let short = short_name(&city.name);
        // 海南 is the province, not the prefecture; 吉林 is the city, for a city is asked for; 北京 and 香港 are both.
        if short != "海南" {
            names.insert(short, city);
        }
    }
    let by_code: HashMap<&'static str, &'static Place> = cities.iter().map(|city| (city.code.as_str(), city)).collect();
    let read: HashMap<String, Vec<String>> =
        serde_json::from_str(include_str!("counties.json")).expect("counties.json has names by the codes of cities");
    let mut counties: HashMap<&'static str, Vec<&'static Place>> = HashMap::new();
    for (code, list) in read {
        let city = by_code[code.as_str()];
        for name in list {
            let name: &'static str = name.leak();
            let short = short_name(name.strip_suffix("新区").unwrap_or(name));
            let forms = [Some(name), Some(short).filter(|short| *short != name && short.chars().count() > 1)];
            for form in forms.into_iter().flatten().filter(|form| !names.contains_key(form) && !province_names.contains_key(form)) {
                let of = counties.entry(form).or_default();
                if !of.contains(&city) {
                    of.push(city);
                }
            }
        }
    }
    for cities in counties.values_mut() {
        cities.sort_by_key(|city| city.code.as_str());
    }
    let provinces = provinces.iter().map(|province| (&province.code[..2], province)).collect();
    Table { provinces, province_names, cities: by_code, names, counties }
});
/// Peoples in the names of autonomous areas.
const PEOPLES: &[&str] = &[
    "壮族",
    "回族",
    "维吾尔",
    "朝鲜族",
    "土家族",
    "苗族",
    "藏族",
    "羌族",
    "彝族",
    "布依族",
    "侗族",
    "哈尼族",
    "傣族",
    "白族",
    "景颇族",
    "傈僳族",
    "蒙古族",
    "蒙古",
    "柯尔克孜",
    "哈萨克",
    "黎族",
    "满族",
    "瑶族",
    "畲族",
    "仡佬族",
    "水族",
    "佤族",
    "纳西族",
    "拉祜族",
];

/// A name without its kind: 上海 of 上海市, 恩施 of 恩施土家族苗族自治州.
pub fn short_name(name: &str) -> &str {
    const KINDS: &[&str] = &["特别行政区", "自治区", "自治州", "自治县", "自治旗", "地区", "林区", "省", "市", "县", "盟"];
    let Some(mut short) = KINDS.iter().find_map(|kind| name.strip_suffix(kind)) else { return name };
    if name.contains("自治") && name != "内蒙古自治区" {
        while let Some(rest) = PEOPLES.iter().find_map(|people| short.strip_suffix(people)).filter(|rest| !rest.is_empty()) {
            short = rest;
        }
    }
    short
}
