//! Finds names by a part of them, and Chinese ones by the first letters of their pinyin: `yhlb` finds 用户列表. A character
//! with several readings has the first letters of all of them.

use pinyin::ToPinyinMulti;

use crate::canonical;

/// How a text is found in a name; the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// It is the whole name.
    Whole,
    /// The name begins with it.
    Beginning,
    /// The name contains it.
    Part,
    /// The first letters of the name's pinyin begin with it.
    FirstInitials,
    /// The first letters of the name's pinyin contain it.
    Initials,
}

/// A typed text, to be looked for in many names.
#[derive(Clone, Debug)]
pub struct Typed {
    text: String,
    /// Its characters, if it can be first letters: two or more, one of them a letter.
    letters: Option<Vec<char>>,
}

impl Typed {
    /// Reads a text as it was typed, in either case and width.
    pub fn new(text: &str) -> Typed {
        let text = folded(text);
        let letters: Vec<char> = text.chars().filter(|character| !character.is_whitespace()).collect();
        let can_be_initials = letters.len() >= 2 && letters.iter().any(char::is_ascii_lowercase);
        Typed { text, letters: can_be_initials.then_some(letters) }
    }

    /// How a name holds the text, if it does. No name holds an empty text.
    pub fn find(&self, name: &str) -> Option<Match> {
        if self.text.is_empty() {
            return None;
        }
        let name = folded(name);
        match name.find(&self.text) {
            Some(0) if name.len() == self.text.len() => Some(Match::Whole),
            Some(0) => Some(Match::Beginning),
            Some(_) => Some(Match::Part),
            None => self.find_initials(&name),
        }
    }

    fn find_initials(&self, name: &str) -> Option<Match> {
        let letters = self.letters.as_deref()?;
        if name.is_ascii() {
            return None;
        }
        // Blanks, brackets and dashes are not typed.
        let name: Vec<char> = name.chars().filter(|character| character.is_alphanumeric()).collect();
        let fits = |part: &[char]| part.iter().zip(letters).all(|(character, letter)| has_initial(*character, *letter));
        match name.windows(letters.len()).position(fits)? {
            0 => Some(Match::FirstInitials),
            _ => Some(Match::Initials),
        }
    }
}

fn folded(text: &str) -> String {
    canonical::half_width(&canonical::visible(text)).to_lowercase()
}

/// Whether a character is the letter, or one of its readings begins with it.
fn has_initial(character: char, letter: char) -> bool {
    character == letter
        || character.to_pinyin_multi().is_some_and(|readings| readings.into_iter().any(|reading| reading.plain().starts_with(letter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(typed: &str, name: &str) -> Option<Match> {
        Typed::new(typed).find(name)
    }

    #[test]
    fn a_part_finds_a_name_in_either_case_and_width() {
        assert_eq!(find("北辰", "北辰"), Some(Match::Whole));
        assert_eq!(find("ＮＯＲＴＨ", "North Star"), Some(Match::Beginning));
        assert_eq!(find("(华南)", "海豚（华南）"), Some(Match::Part));
        assert_eq!(find("辰北", "北辰"), None);
        assert_eq!(find(" \u{200b}", "北辰"), None, "nothing is typed");
    }

    #[test]
    fn first_letters_of_pinyin_find_a_name() {
        assert_eq!(find("yhlb", "用户列表"), Some(Match::FirstInitials));
        assert_eq!(find("YH", "用户列表"), Some(Match::FirstInitials));
        assert_eq!(find("lb", "用户列表"), Some(Match::Initials));
        assert_eq!(find("htHn", "海豚（华南）"), Some(Match::FirstInitials), "brackets are not typed");
        assert_eq!(find("a组", "A组"), Some(Match::Whole));
        assert_eq!(find("xsa", "销售 A 组"), Some(Match::FirstInitials), "letters match as they are");
        assert_eq!(find("yhlbx", "用户列表"), None);
        assert_eq!(find("y", "用户列表"), None, "one letter is in too many names");
        assert_eq!(find("12", "用户列表"), None);
        assert_eq!(find("ns", "north star"), None, "only Chinese names have first letters");
    }

    #[test]
    fn every_reading_of_a_character_counts() {
        for typed in ["cqyh", "zqyh", "cqyx"] {
            assert_eq!(find(typed, "重庆银行"), Some(Match::FirstInitials), "{typed}");
        }
        assert_eq!(find("dqyh", "重庆银行"), None);
    }
}
