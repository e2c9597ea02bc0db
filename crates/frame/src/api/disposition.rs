//! The header with a file's name, which says whether it is shown or saved.

use axum::http::HeaderValue;

/// Whether a browser shows a file or saves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    Inline,
    Attachment,
}

impl Disposition {
    /// The header's value: plain ASCII for old clients, the whole name for the others (RFC 6266). `ascii` is a text
    /// of this program; `name` may be anything.
    pub fn of(self, ascii: &str, name: &str) -> HeaderValue {
        let kind = match self {
            Disposition::Inline => "inline",
            Disposition::Attachment => "attachment",
        };
        let encoded: String = name
            .bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
                other => format!("%{other:02X}"),
            })
            .collect();
        HeaderValue::from_str(&format!("{kind}; filename=\"{ascii}\"; filename*=UTF-8''{encoded}")).expect("ASCII")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_ends_the_header_or_its_quotes() {
        let header = Disposition::Attachment.of("file-7.pdf", "a\"; x=\r\n../合同.pdf");
        assert_eq!(header, "attachment; filename=\"file-7.pdf\"; filename*=UTF-8''a%22%3B%20x%3D%0D%0A..%2F%E5%90%88%E5%90%8C.pdf");
    }
}
