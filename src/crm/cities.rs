//! Lists of cities: which leads a team or a salesperson takes.

use super::clue::holder::city_name;
use crate::api::{Check, say};

/// Most cities of one list.
const MOST: usize = 100;
/// Longest name of a city.
const LONGEST: usize = 32;

/// The names as they are stored: without 市, each once, in the order in which they were given.
pub fn tidy(cities: Vec<String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(cities.len().min(MOST));
    for city in cities {
        let name = city_name(&city);
        if !name.is_empty() && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Checks a list that [`tidy`] made.
pub fn check(check: &mut Check, field: &str, cities: &[String]) {
    check.that(field, cities.len() <= MOST, say(format!("最多 {MOST} 个城市"), format!("At most {MOST} cities")));
    for city in cities {
        check.text(field, city, 1..=LONGEST);
    }
}

/// The text of the column.
pub fn column(cities: &[String]) -> String {
    serde_json::to_string(cities).expect("texts serialise")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_city_is_stored_once_and_without_its_suffix() {
        let given = ["上海市", " 上海 ", "", "市", "杭州"].map(str::to_owned);
        assert_eq!(tidy(given.to_vec()), ["上海", "市", "杭州"]);
        assert_eq!(column(&["上海".to_owned()]), r#"["上海"]"#);
    }

    #[test]
    fn a_list_of_cities_is_bounded() {
        let refused = |cities: Vec<String>| {
            let mut form = Check::new();
            check(&mut form, "cities", &cities);
            form.done().is_err()
        };
        assert!(!refused((0..100).map(|number| number.to_string()).collect()));
        assert!(refused((0..101).map(|number| number.to_string()).collect()));
        assert!(refused(vec!["长".repeat(33)]));
    }
}
