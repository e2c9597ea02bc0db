//! Papers as PDF files of one page. Chinese text is set in the reader's own song typeface, so that no font is in the file.

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};

use crate::terms;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const TEXT: Ref = Ref::new(4);
const LATIN: Ref = Ref::new(5);
const CHINESE: Ref = Ref::new(6);
const CHINESE_GLYPHS: Ref = Ref::new(7);
const CHINESE_SHAPE: Ref = Ref::new(8);

/// Names of the fonts on the page.
const LATIN_FONT: Name<'static> = Name(b"L");
const CHINESE_FONT: Name<'static> = Name(b"C");
/// One of the typefaces that readers of PDF files have for Chinese.
const SONG: Name<'static> = Name(b"STSong-Light");

/// A4, in points, and its margins.
const WIDTH: f32 = 595.0;
const HEIGHT: f32 = 842.0;
const LEFT: f32 = 64.0;
const RIGHT: f32 = WIDTH - 64.0;

/// A page that is written from top to bottom.
pub struct Page {
    content: Content,
    y: f32,
}

impl Page {
    /// A page with a title.
    pub fn titled(title: &str) -> Page {
        let mut page = Page { content: Content::new(), y: HEIGHT - 96.0 };
        write(&mut page.content, LEFT, page.y, 20.0, title);
        page.y -= 34.0;
        page
    }

    /// A line of text: a heading and what it is.
    pub fn fact(&mut self, heading: &str, text: &str) {
        write(&mut self.content, LEFT, self.y, 11.0, &format!("{heading}: {text}"));
        self.y -= 18.0;
    }

    /// So many points of nothing.
    pub fn space(&mut self, points: f32) {
        self.y -= points;
    }

    /// A ruled line with a heading, and an amount in fen on the right.
    pub fn amount(&mut self, heading: &str, cents: i64) {
        self.rule();
        write(&mut self.content, LEFT, self.y, 12.0, heading);
        let text = two_decimals(cents);
        write(&mut self.content, RIGHT - width(&text, 12.0), self.y, 12.0, &text);
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
        page.resources().fonts().pair(LATIN_FONT, LATIN).pair(CHINESE_FONT, CHINESE);
        page.finish();
        pdf.stream(TEXT, &self.content.finish().into_vec());
        fonts(&mut pdf);
        pdf.finish()
    }
}

fn fonts(pdf: &mut Pdf) {
    pdf.type1_font(LATIN).base_font(Name(b"Helvetica"));
    pdf.type0_font(CHINESE).base_font(SONG).encoding_predefined(Name(b"UniGB-UCS2-H")).descendant_font(CHINESE_GLYPHS);
    pdf.cid_font(CHINESE_GLYPHS)
        .subtype(CidFontType::Type0)
        .base_font(SONG)
        .system_info(SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"GB1"), supplement: 4 })
        .font_descriptor(CHINESE_SHAPE)
        .default_width(1000.0);
    pdf.font_descriptor(CHINESE_SHAPE)
        .name(SONG)
        .flags(FontFlags::SYMBOLIC | FontFlags::SERIF)
        .bbox(Rect::new(-25.0, -254.0, 1000.0, 880.0))
        .italic_angle(0.0)
        .ascent(880.0)
        .descent(-120.0)
        .cap_height(880.0)
        .stem_v(93.0);
}

/// An amount with its two decimals.
pub fn two_decimals(cents: i64) -> String {
    let text = terms::yuan(cents);
    if text.contains('.') { text } else { format!("{text}.00") }
}

/// Writes a text, each stretch of it in the font that has its letters.
fn write(page: &mut Content, x: f32, y: f32, size: f32, text: &str) {
    page.begin_text().next_line(x, y);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter: char| letter.is_ascii() != first.is_ascii()).unwrap_or(rest.len());
        let (stretch, after) = rest.split_at(end);
        if first.is_ascii() {
            page.set_font(LATIN_FONT, size).show(Str(stretch.as_bytes()));
        } else {
            let units: Vec<u8> = stretch.encode_utf16().flat_map(u16::to_be_bytes).collect();
            page.set_font(CHINESE_FONT, size).show(Str(&units));
        }
        rest = after;
    }
    page.end_text();
}

/// The width of an amount in points: digits, commas and points of Helvetica.
fn width(amount: &str, size: f32) -> f32 {
    let units: f32 = amount
        .chars()
        .map(|letter| match letter {
            '.' | ',' => 278.0,
            '-' => 333.0,
            _ => 556.0,
        })
        .sum();
    units * size / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_two_decimals_and_their_width() {
        assert_eq!((two_decimals(1_234_567).as_str(), two_decimals(-8_800).as_str()), ("12,345.67", "-88.00"));
        assert_eq!(width("-1.00", 10.0), (333.0 + 278.0 + 3.0 * 556.0) / 100.0);
    }
}
