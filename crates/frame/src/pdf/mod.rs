//! Papers as PDF files of one page. The file contains the letters in use, so that it is the same on every machine.

mod font;
#[cfg(test)]
pub mod reader;

use pdf_writer::{Content, Finish, Pdf, Rect, Ref, Str};

use self::font::{Fonts, width};
use crate::terms;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const TEXT: Ref = Ref::new(4);

/// A4, in points, and its margins.
const WIDTH: f32 = 595.0;
const HEIGHT: f32 = 842.0;
const LEFT: f32 = 64.0;
const RIGHT: f32 = WIDTH - 64.0;

/// A page that is written from top to bottom.
pub struct Page {
    content: Content,
    fonts: Fonts,
    y: f32,
}

impl Page {
    /// A page with a title.
    pub fn titled(title: &str) -> Page {
        let mut page = Page { content: Content::new(), fonts: Fonts::default(), y: HEIGHT - 96.0 };
        page.write(LEFT, 20.0, title);
        page.y -= 34.0;
        page
    }

    /// A line of text: a heading and a value.
    pub fn fact(&mut self, heading: &str, text: &str) {
        self.write(LEFT, 11.0, &format!("{heading}: {text}"));
        self.y -= 18.0;
    }

    /// An empty space of so many points.
    pub fn space(&mut self, points: f32) {
        self.y -= points;
    }

    /// A ruled line with a heading, and an amount in fen on the right.
    pub fn amount(&mut self, heading: &str, cents: i64) {
        self.rule();
        self.write(LEFT, 12.0, heading);
        let text = two_decimals(cents);
        self.write(RIGHT - width(&text, 12.0), 12.0, &text);
        self.y -= 24.0;
    }

    /// A rule above the next line.
    pub fn rule(&mut self) {
        let y = self.y + 17.0;
        self.content.set_line_width(0.5).move_to(LEFT, y).line_to(RIGHT, y).stroke();
    }

    /// The file.
    pub fn file(self) -> Vec<u8> {
        let mut pdf = Pdf::new();
        pdf.catalog(CATALOG).pages(PAGES);
        pdf.pages(PAGES).kids([PAGE]).count(1);
        let mut page = pdf.page(PAGE);
        page.media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT)).parent(PAGES).contents(TEXT);
        self.fonts.name(&mut page.resources());
        page.finish();
        pdf.stream(TEXT, &self.content.finish().into_vec());
        self.fonts.write(&mut pdf);
        pdf.finish()
    }

    /// Writes a text, each stretch of it in the font that has its letters.
    fn write(&mut self, x: f32, size: f32, text: &str) {
        self.content.begin_text().next_line(x, self.y);
        for (font, codes) in self.fonts.stretches(text) {
            self.content.set_font(font, size).show(Str(&codes));
        }
        self.content.end_text();
    }
}

/// An amount with its two decimals.
pub fn two_decimals(cents: i64) -> String {
    let text = terms::yuan(cents);
    if text.contains('.') { text } else { format!("{text}.00") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::reader::{between, lines};

    #[test]
    fn amounts_have_two_decimals_and_their_width() {
        assert_eq!((two_decimals(1_234_567).as_str(), two_decimals(-8_800).as_str()), ("12,345.67", "-88.00"));
        // By the font: 555 for a digit, 347 for the sign, 278 for the point; a Chinese letter is one em.
        assert_eq!(width("-1.00", 10.0), (347.0 + 278.0 + 3.0 * 555.0) / 100.0);
        assert_eq!((width("对账单", 12.0), width("㛃", 12.0)), (36.0, 12.0));
    }

    /// A paper with a line of text.
    fn paper(text: &str) -> Vec<u8> {
        let mut page = Page::titled("对账单");
        page.fact("渠道", text);
        page.amount("应付（元）", -8_800);
        page.file()
    }

    #[test]
    fn a_paper_has_its_letters_in_it_and_they_can_be_copied() {
        let text = r"北方银行 (North) \ 第3号“€¥￥”，《2026－03》";
        let file = paper(text);
        assert_eq!(lines(&file), ["对账单", &format!("渠道: {text}"), "应付（元）", "-88.00"]);
        let font = between(&file, b"8 0 obj", b"stream");
        let font = String::from_utf8_lossy(font);
        assert!(font.contains("/CIDFontType0C") && font.contains("/FlateDecode"), "{font}");
        assert!(String::from_utf8_lossy(&file).contains("/ToUnicode 9 0 R"));
        assert!(!String::from_utf8_lossy(&file).contains("STSong"), "the reader's typeface is not asked for");
        assert!((4_000..30_000).contains(&file.len()), "{}", file.len());
    }

    #[test]
    fn a_letter_that_the_font_lacks_is_in_the_typeface_of_the_reader() {
        let file = paper("王㛃𠮷 (3)");
        assert_eq!(lines(&file)[1], "渠道: 王㛃𠮷 (3)");
        let content = String::from_utf8_lossy(&file);
        assert!(content.contains("/STSong-Light") && content.contains("/UniGB-UTF16-H") && content.contains("+NotoSansSC-Regular"));
    }

    #[test]
    fn a_full_page_is_small() {
        let mut page = Page::titled("对账单");
        // Letters of GB 2312, row by row, each once.
        let letters: Vec<char> = (0xb0..0xf7).flat_map(|row| (0xa1..0xfe).map(move |cell| [row, cell])).map(chinese).step_by(11).collect();
        for some in letters.chunks(10).take(24) {
            page.fact("备注", &some.iter().collect::<String>());
        }
        let file = page.file();
        assert!((30_000..60_000).contains(&file.len()), "{}", file.len());
        assert!(!String::from_utf8_lossy(&file).contains("STSong"), "the font has GB 2312");
    }

    fn chinese(bytes: [u8; 2]) -> char {
        encoding_rs::GBK.decode(&bytes).0.chars().next().unwrap()
    }
}
