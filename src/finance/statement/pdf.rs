//! A statement as a PDF of one page. Chinese text is set in the reader's own song typeface, so that no font is in the file.

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};

use super::model::StatementRow;
use crate::fields;
use crate::locale::Locale;
use crate::{clock, terms};

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

/// The file, in a language.
pub fn document(row: &StatementRow, locale: Locale) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.catalog(CATALOG).pages(PAGES);
    pdf.pages(PAGES).kids([PAGE]).count(1);
    let mut page = pdf.page(PAGE);
    page.media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT)).parent(PAGES).contents(TEXT);
    page.resources().fonts().pair(LATIN_FONT, LATIN).pair(CHINESE_FONT, CHINESE);
    page.finish();
    pdf.stream(TEXT, &text(row, locale));
    fonts(&mut pdf);
    pdf.finish()
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

fn text(row: &StatementRow, locale: Locale) -> Vec<u8> {
    let heading = |key: &'static str| fields::heading("statement", key).get(locale).to_owned();
    let mut page = Content::new();
    let mut y = HEIGHT - 96.0;
    write(&mut page, LEFT, y, 20.0, locale.pick("对账单", "Statement of account"));
    y -= 34.0;
    for (key, value) in [("orgName", row.org_name.clone()), ("month", row.month.clone()), ("status", row.status.label(locale).to_owned())] {
        write(&mut page, LEFT, y, 11.0, &format!("{}: {value}", heading(key)));
        y -= 18.0;
    }
    y -= 14.0;
    let spent = [("spendCents", -row.spend_cents), ("refundCents", row.refund_cents)];
    let rows = [
        ("openingCents", row.opening_cents),
        ("rechargeCents", row.recharge_cents),
        ("giftCents", row.gift_cents),
        ("adjustCents", row.adjust_cents),
    ];
    for (key, cents) in rows.into_iter().chain(spent).chain([("closingCents", row.closing_cents)]) {
        line(&mut page, y + 17.0);
        write(&mut page, LEFT, y, 12.0, &heading(key));
        let amount = amount(cents);
        write(&mut page, RIGHT - width(&amount, 12.0), y, 12.0, &amount);
        y -= 24.0;
    }
    line(&mut page, y + 17.0);
    y -= 16.0;
    write(&mut page, LEFT, y, 11.0, &format!("{}: {}", heading("entries"), row.entries));
    if let Some((name, at)) = row.answered_name.as_ref().zip(row.answered_at) {
        y -= 18.0;
        write(&mut page, LEFT, y, 11.0, &format!("{}: {name}, {}", heading("answeredName"), clock::day(at)));
    }
    if let Some(note) = &row.note {
        y -= 18.0;
        let shown: String = note.chars().take(40).collect();
        write(&mut page, LEFT, y, 11.0, &format!("{}: {shown}", heading("note")));
    }
    if let Some(head) = &row.ledger_head {
        y -= 28.0;
        write(&mut page, LEFT, y, 9.0, &format!("{}: {head}", heading("ledgerHead")));
    }
    page.finish().into_vec()
}

/// An amount with its two decimals.
fn amount(cents: i64) -> String {
    let text = terms::yuan(cents);
    if text.contains('.') { text } else { format!("{text}.00") }
}

fn line(page: &mut Content, y: f32) {
    page.set_line_width(0.5).move_to(LEFT, y).line_to(RIGHT, y).stroke();
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
    use super::super::model::StatementStatus;
    use super::*;

    #[test]
    fn a_statement_is_a_pdf_with_its_amounts_in_both_languages() {
        let row = StatementRow {
            id: 1,
            org_id: 2,
            org_name: "北方银行 (North)".to_owned(),
            month: "2026-03".to_owned(),
            opening_cents: 10_000,
            recharge_cents: 1_234_567,
            gift_cents: 0,
            adjust_cents: 0,
            spend_cents: 8_800,
            refund_cents: 0,
            closing_cents: 1_235_767,
            entries: 3,
            status: StatementStatus::Sent,
            note: None,
            sent_at: None,
            ledger_head: Some("2026-04-01:0123456789abcdef0123456789abcdef".to_owned()),
            answered_name: None,
            answered_at: None,
            version: 1,
            created_at: 0,
        };
        for locale in [Locale::Chinese, Locale::English] {
            let file = document(&row, locale);
            assert!(file.starts_with(b"%PDF-") && file.trim_ascii_end().ends_with(b"%%EOF"));
            let content = String::from_utf8_lossy(&file);
            for text in
                ["STSong-Light", ": 2026-03)", ": 2026-04-01:0123456789abcdef0123456789abcdef)", "(12,345.67)", "(-88.00)", "(12,357.67)"]
            {
                assert!(content.contains(text), "{text}: {content}");
            }
        }
        assert_eq!(width("-1.00", 10.0), (333.0 + 278.0 + 3.0 * 556.0) / 100.0);
    }
}
