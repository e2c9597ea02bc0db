//! Texts that people write in the chat, as stored: the text with its long numbers masked, and beside it the whole
//! text, encrypted, if the two differ. Older texts are whole until [`super::masking`] has masked them.

use std::sync::Arc;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::codes::ChatDirection;
use base::crypto::{Keys, Place};
use base::mask;

/// A text as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// With its long numbers masked.
    pub shown: String,
    /// The whole text, sealed, where it has long numbers.
    pub sealed: Option<String>,
}

impl Words {
    /// A text for its place.
    pub fn of(keys: &Keys, place: &Place, text: &str) -> Words {
        Words::masked(keys, place, text, mask::numbers(text))
    }

    /// The content of a message. A message of the system is JSON, in which only the note is masked.
    pub fn of_message(keys: &Keys, place: &Place, direction: ChatDirection, content: &str) -> Words {
        match direction {
            ChatDirection::System => Words::masked(keys, place, content, masked_note(content)),
            _ => Words::of(keys, place, content),
        }
    }

    /// The beginning of a text for its place, of at most so many characters. It ends before a long number that it
    /// would cut. Without keys the text was not written by a person, and nothing is sealed.
    pub fn of_beginning(keys: Option<&Keys>, place: &Place, text: &str, longest: usize) -> Words {
        let longest = mask::whole_numbers_length(text, longest);
        let start: String = text.chars().take(longest).collect();
        match keys {
            Some(keys) => Words::masked(keys, place, &start, mask::beginning(text, longest)),
            None => Words { shown: start, sealed: None },
        }
    }

    fn masked(keys: &Keys, place: &Place, text: &str, shown: String) -> Words {
        Words { sealed: (shown != text).then(|| keys.seal(place, text)), shown }
    }
}

/// The content of a message of the system with its note masked.
pub fn masked_note(content: &str) -> String {
    if !content.contains("\"note\"") {
        return content.to_owned();
    }
    let Ok(serde_json::Value::Object(mut event)) = serde_json::from_str(content) else { return mask::numbers(content) };
    if let Some(serde_json::Value::String(note)) = event.get_mut("note") {
        let masked = mask::numbers(note);
        if masked == *note {
            return content.to_owned();
        }
        *note = masked;
    }
    serde_json::Value::Object(event).to_string()
}

/// The point that is needed to reveal whole numbers.
pub const POINT: &str = "chat/client/reveal";

/// A whole text, if a part of it is masked for other readers.
pub fn hidden(text: String) -> Option<String> {
    (mask::numbers(&text) != text).then_some(text)
}

/// [`hidden`] for the content of a message.
pub fn hidden_content(direction: ChatDirection, content: String) -> Option<String> {
    match direction {
        ChatDirection::System => (masked_note(&content) != content).then_some(content),
        _ => hidden(content),
    }
}

/// The keys that open whole texts: set for the customer's own page, and in calls that reveal texts; none by default.
#[derive(Clone, Default)]
pub struct Reveals(Option<Arc<Keys>>);

impl Reveals {
    /// Reads whole texts.
    pub fn with(keys: &Arc<Keys>) -> Reveals {
        Reveals(Some(keys.clone()))
    }

    /// Whether whole texts are read.
    pub fn whole(&self) -> bool {
        self.0.is_some()
    }

    /// The text of two columns of a row: the shown one, and the sealed one of the same name with `_enc`.
    pub fn text(&self, row: &AnyRow, column: &str, place: impl FnOnce() -> Place) -> Result<String, sqlx::Error> {
        let shown: String = row.try_get(column)?;
        let Some(keys) = &self.0 else { return Ok(mask::numbers(&shown)) };
        self.opened(keys, row, column, shown, place)
    }

    /// The content of a message.
    pub fn content(&self, row: &AnyRow, direction: ChatDirection, place: impl FnOnce() -> Place) -> Result<String, sqlx::Error> {
        match (&self.0, direction) {
            (None, ChatDirection::System) => Ok(masked_note(row.try_get("content")?)),
            _ => self.text(row, "content", place),
        }
    }

    fn opened(&self, keys: &Keys, row: &AnyRow, column: &str, shown: String, place: impl FnOnce() -> Place) -> Result<String, sqlx::Error> {
        let sealed: Option<String> = row.try_get(format!("{column}_enc").as_str())?;
        match sealed {
            Some(sealed) => keys.open(&place(), &sealed).map_err(|wrong| sqlx::Error::Decode(wrong.into())),
            None => Ok(shown),
        }
    }
}

impl std::fmt::Debug for Reveals {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Reveals").field(&self.whole()).finish()
    }
}

impl PartialEq for Reveals {
    fn eq(&self, other: &Reveals) -> bool {
        self.whole() == other.whole()
    }
}

impl Eq for Reveals {}

#[cfg(test)]
mod tests {
    use super::*;
    use base::crypto::place;

    #[test]
    fn a_whole_text_is_sealed_only_beside_a_masked_one() {
        let (keys, place) = (Keys::new(b"s", &[1; 32]), place::CHAT_MESSAGE.of("1 in x"));
        let words = Words::of(&keys, &place, "call 13812345678");
        assert_eq!(words.shown, "call 138****5678");
        assert_eq!(keys.open(&place, &words.sealed.unwrap()).unwrap(), "call 13812345678");
        assert_eq!(Words::of(&keys, &place, "call me"), Words { shown: "call me".to_owned(), sealed: None });
    }

    #[test]
    fn a_beginning_ends_before_a_number_that_it_would_part() {
        let (keys, place) = (Keys::new(b"s", &[1; 32]), place::CHAT_LAST_TEXT.of(1));
        for number in ["13812345678", "138-1234-5678", "138 1234 5678", "１３８－１２３４－５６７８"] {
            let length = number.chars().count();
            let text = |before: usize| format!("{}{number} later", "长".repeat(before));
            let parted = Words::of_beginning(Some(&keys), &place, &text(100 - 5), 100);
            assert_eq!(parted, Words { shown: "长".repeat(95), sealed: None }, "{number}");
            let whole = Words::of_beginning(Some(&keys), &place, &text(100 - length), 100);
            assert_eq!(whole.shown, mask::numbers(&text(100 - length)).chars().take(100).collect::<String>());
            assert!(keys.open(&place, &whole.sealed.unwrap()).unwrap().ends_with(number), "{number}");
            assert_eq!(Words::of_beginning(None, &place, &text(95), 100).shown, "长".repeat(95));
        }
        assert_eq!(Words::of_beginning(Some(&keys), &place, "hello", 100).shown, "hello");
        assert_eq!(Words::of_beginning(Some(&keys), &place, &"1".repeat(200), 100).shown, "");
    }

    #[test]
    fn of_the_system_the_note_alone_is_masked() {
        let event = r#"{"event":"snoozed","until":1795798034385}"#;
        assert_eq!(masked_note(event), event);
        let closed = masked_note(r#"{"event":"closed","note":"13812345678","until":1795798034385}"#);
        assert!(closed.contains(r#""note":"138****5678""#) && closed.contains("1795798034385"), "{closed}");
    }
}
