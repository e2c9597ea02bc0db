//! The fonts of a paper: Noto Sans SC, reduced to the letters in use, and the reader's own song typeface for letters
//! that it lacks, such as rare ones in names.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::writers::Resources;
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use sha2::{Digest, Sha256};
use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, GlyphId, MetadataProvider, Tag};
use subsetter::GlyphRemapper;

/// See `README.md` beside it. An em has 1000 units, as in a PDF file.
const FILE: &[u8] = include_bytes!("NotoSansSC-Regular.otf");
const NAME: &str = "NotoSansSC-Regular";
/// One of the typefaces that readers of PDF files have for Chinese.
const SONG: Name<'static> = Name(b"STSong-Light");
/// Names of the fonts on the page.
const EMBEDDED_FONT: Name<'static> = Name(b"E");
const SONG_FONT: Name<'static> = Name(b"S");
/// The width of a letter of the reader's typeface, in thousandths of its size.
const EM: f32 = 1000.0;

const EMBEDDED: Ref = Ref::new(5);
const EMBEDDED_GLYPHS: Ref = Ref::new(6);
const EMBEDDED_SHAPE: Ref = Ref::new(7);
const EMBEDDED_FILE: Ref = Ref::new(8);
const EMBEDDED_TEXT: Ref = Ref::new(9);
const READERS: Ref = Ref::new(10);
const READERS_GLYPHS: Ref = Ref::new(11);
const READERS_SHAPE: Ref = Ref::new(12);

static TYPEFACE: LazyLock<Typeface> = LazyLock::new(|| {
    let font = FontRef::new(FILE).expect("the font is whole");
    Typeface { letters: font.charmap(), metrics: font.glyph_metrics(Size::unscaled(), LocationRef::default()) }
});

struct Typeface {
    letters: Charmap<'static>,
    metrics: GlyphMetrics<'static>,
}

impl Typeface {
    /// The glyph of a letter, if the font has it.
    fn glyph(&self, letter: char) -> Option<GlyphId> {
        self.letters.map(letter).filter(|glyph| *glyph != GlyphId::NOTDEF)
    }

    fn advance(&self, glyph: GlyphId) -> f32 {
        self.metrics.advance_width(glyph).unwrap_or(EM)
    }
}

/// The width of a text in points.
pub fn width(text: &str, size: f32) -> f32 {
    let of = |letter| TYPEFACE.glyph(letter).map_or(EM, |glyph| TYPEFACE.advance(glyph));
    text.chars().map(of).sum::<f32>() * size / EM
}

/// The used parts of the fonts of a file.
#[derive(Default)]
pub struct Fonts {
    glyphs: GlyphRemapper,
    /// Letters with their widths by their numbers in the file. Glyph 0 is not a letter.
    letters: BTreeMap<u16, (char, f32)>,
    uses_readers: bool,
}

impl Fonts {
    /// A text as stretches of one font each: the font's name, and the codes of the text.
    pub fn stretches(&mut self, text: &str) -> Vec<(Name<'static>, Vec<u8>)> {
        let mut stretches: Vec<(Name<'static>, Vec<u8>)> = Vec::new();
        for letter in text.chars() {
            let (font, codes) = self.codes(letter);
            match stretches.last_mut() {
                Some((last, bytes)) if *last == font => bytes.extend(codes),
                _ => stretches.push((font, codes)),
            }
        }
        stretches
    }

    fn codes(&mut self, letter: char) -> (Name<'static>, Vec<u8>) {
        let Some(glyph) = TYPEFACE.glyph(letter) else {
            self.uses_readers = true;
            return (SONG_FONT, letter.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_be_bytes()).collect());
        };
        let number = self.glyphs.remap(glyph.to_u32() as u16);
        self.letters.entry(number).or_insert((letter, TYPEFACE.advance(glyph)));
        (EMBEDDED_FONT, number.to_be_bytes().to_vec())
    }

    /// Names the fonts on a page.
    pub fn name(&self, resources: &mut Resources<'_>) {
        let mut fonts = resources.fonts();
        fonts.pair(EMBEDDED_FONT, EMBEDDED);
        if self.uses_readers {
            fonts.pair(SONG_FONT, READERS);
        }
    }

    /// Adds the fonts to a file.
    pub fn write(&self, pdf: &mut Pdf) {
        self.write_embedded(pdf);
        if self.uses_readers {
            write_readers(pdf);
        }
    }

    fn write_embedded(&self, pdf: &mut Pdf) {
        let name = format!("{}+{NAME}", self.tag());
        let with_encoding = format!("{name}-Identity-H");
        pdf.type0_font(EMBEDDED)
            .base_font(Name(with_encoding.as_bytes()))
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(EMBEDDED_GLYPHS)
            .to_unicode(EMBEDDED_TEXT);
        let mut glyphs = pdf.cid_font(EMBEDDED_GLYPHS);
        glyphs
            .subtype(CidFontType::Type0)
            .base_font(Name(name.as_bytes()))
            .system_info(SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 })
            .font_descriptor(EMBEDDED_SHAPE)
            .default_width(EM);
        // Numbers are given from 1 on, one after another.
        glyphs.widths().consecutive(1, self.letters.values().map(|(_, advance)| *advance));
        glyphs.finish();
        pdf.font_descriptor(EMBEDDED_SHAPE)
            .name(Name(name.as_bytes()))
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(-1002.0, -1048.0, 2928.0, 1808.0))
            .italic_angle(0.0)
            .ascent(1160.0)
            .descent(-288.0)
            .cap_height(733.0)
            .stem_v(80.0)
            .font_file3(EMBEDDED_FILE);
        let font = subsetter::subset(FILE, 0, &self.glyphs).expect("the font can be reduced");
        let outlines = FontRef::new(&font).ok().and_then(|font| font.table_data(Tag::new(b"CFF "))).expect("the font has outlines");
        pdf.stream(EMBEDDED_FILE, &deflated(outlines.as_bytes()))
            .filter(Filter::FlateDecode)
            .pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
        let mut text = UnicodeCmap::new(Name(b"Letters"), SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"UCS"), supplement: 0 });
        for (number, (letter, _)) in &self.letters {
            text.pair(*number, *letter);
        }
        pdf.cmap(EMBEDDED_TEXT, &text.finish());
    }

    /// Six capitals that distinguish the subsets of a font in several files.
    fn tag(&self) -> String {
        let letters: String = self.letters.values().map(|(letter, _)| letter).collect();
        Sha256::digest(letters).iter().take(6).map(|byte| char::from(b'A' + byte % 26)).collect()
    }
}

fn write_readers(pdf: &mut Pdf) {
    pdf.type0_font(READERS).base_font(SONG).encoding_predefined(Name(b"UniGB-UTF16-H")).descendant_font(READERS_GLYPHS);
    pdf.cid_font(READERS_GLYPHS)
        .subtype(CidFontType::Type0)
        .base_font(SONG)
        .system_info(SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"GB1"), supplement: 5 })
        .font_descriptor(READERS_SHAPE)
        .default_width(EM);
    pdf.font_descriptor(READERS_SHAPE)
        .name(SONG)
        .flags(FontFlags::SYMBOLIC | FontFlags::SERIF)
        .bbox(Rect::new(-25.0, -254.0, 1000.0, 880.0))
        .italic_angle(0.0)
        .ascent(880.0)
        .descent(-120.0)
        .cap_height(880.0)
        .stem_v(93.0);
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory can be written")
}
