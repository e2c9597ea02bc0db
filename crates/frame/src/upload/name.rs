//! A file's name as people see it: only text, whatever was sent.

use super::kind::Kind;
use base::canonical;

/// The most characters of a name before its extension.
const LONGEST: usize = 100;

/// The name under which a file of this kind is shown and saved: the last part of the sent path, without characters
/// that names may not have, with the extension of its content.
pub fn clean(sent: &str, kind: Kind) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible: String = last.chars().filter(|character| !is_trick(*character)).collect();
    let (stem, extension) = visible.rsplit_once('.').unwrap_or((&visible, ""));
    let known = kind.extensions().iter().any(|one| extension.eq_ignore_ascii_case(one));
    let stem = if known { stem } else { visible.as_str() };
    let stem: String = stem.trim().trim_matches('.').chars().take(LONGEST).collect();
    let stem = if stem.is_empty() { "file" } else { stem.as_str() };
    format!("{stem}.{}", kind.extensions()[0])
}

/// Control characters and invisible ones: some turn the direction of writing, so that `gpj.exe` reads as `exe.jpg`.
fn is_trick(character: char) -> bool {
    character.is_control() || canonical::is_invisible(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_path_and_ends_as_its_content_says() {
        for (sent, kind, shown) in [
            ("合同 2026.PDF", Kind::Pdf, "合同 2026.pdf"),
            ("photo.jpeg", Kind::Jpeg, "photo.jpg"),
            ("../../etc/passwd", Kind::Png, "passwd.png"),
            ("C:\\Users\\x\\a.png", Kind::Png, "a.png"),
            ("page.html", Kind::Gif, "page.html.gif"),
            ("\u{202e}gnp.exe", Kind::Png, "gnp.exe.png"),
            ("\u{3164}合\u{ad}同\u{2800}.png", Kind::Png, "合同.png"),
            ("a\0b\r\n.csv", Kind::Csv, "ab.csv"),
            ("..", Kind::Mp3, "file.mp3"),
            (".png", Kind::Png, "file.png"),
            ("", Kind::Xlsx, "file.xlsx"),
        ] {
            assert_eq!(clean(sent, kind), shown, "{sent:?}");
        }
        assert_eq!(clean(&"好".repeat(300), Kind::Png).chars().count(), LONGEST + 4);
    }
}
