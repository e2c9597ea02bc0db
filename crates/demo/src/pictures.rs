//! The demo's pictures: logos of products and licences of organisations. They are drawn here, as PNG, and stored like uploads.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use base::db::Connection;
use frame::access::audit::Stamp;
use frame::api::App;
use frame::api::FileRule;
use frame::upload::{self, Kind};

type Colour = [u8; 3];

const WHITE: Colour = [255, 255, 255];
const GREY: Colour = [196, 200, 206];
const RED: Colour = [190, 38, 38];
/// Grounds of logos, dark enough for white figures.
const GROUNDS: [Colour; 8] =
    [[28, 93, 153], [178, 71, 46], [35, 120, 87], [112, 72, 160], [148, 101, 18], [18, 122, 134], [166, 48, 104], [72, 84, 102]];

/// Pixels of a logo's field. A logo has five fields in each direction, and a margin of one field.
const FIELD: usize = 9;
const LOGO_SIDE: usize = 7 * FIELD;
/// Pixels of a licence.
const LICENCE_SIZE: (usize, usize) = (240, 170);

/// Stores a picture for a record and answers the file's id. The record takes the file with [`upload::settle`].
pub async fn keep(app: &App, tx: &mut Connection, rule: &FileRule, (name, content): (&str, Vec<u8>), stamp: Stamp) -> anyhow::Result<i64> {
    upload::keep_for(app, tx, rule, (name, Kind::Png, content), stamp).await
}

/// The logo of a product by the product's number: a white figure, the same on its left and its right, on a coloured ground.
pub fn logo(number: usize) -> Vec<u8> {
    let ground = GROUNDS[number % GROUNDS.len()];
    // Bits that differ from one number to the next: each says whether a field is white.
    let fields = 0x9e37_79b9_u32.wrapping_mul(number as u32 + 1) >> 8;
    png(LOGO_SIDE, LOGO_SIDE, |x, y| {
        let (column, line) = (x / FIELD, y / FIELD);
        if !(1..=5).contains(&column) || !(1..=5).contains(&line) {
            return ground;
        }
        let field = (column - 1).min(5 - column) * 5 + line - 1;
        if (fields >> field) & 1 == 1 { WHITE } else { ground }
    })
}

/// The licence of an organisation: a page with a frame, lines and a red stamp.
pub fn licence() -> Vec<u8> {
    let (width, height) = LICENCE_SIZE;
    png(width, height, |x, y| {
        let is_frame = x.min(width - 1 - x).min(y.min(height - 1 - y)) == 6;
        let is_title = (80..160).contains(&x) && (22..32).contains(&y);
        let is_line = (30..150).contains(&x) && (50..130).contains(&y) && y % 16 < 3;
        let is_stamp = (170..210).contains(&x) && (105..145).contains(&y);
        match () {
            () if is_stamp || is_title => RED,
            () if is_frame || is_line => GREY,
            () => WHITE,
        }
    })
}

/// A picture as PNG: eight bits of red, green and blue for each pixel.
fn png(width: usize, height: usize, colour_at: impl Fn(usize, usize) -> Colour) -> Vec<u8> {
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::default());
    for y in 0..height {
        // Each line begins with its filter: none.
        let line: Vec<u8> = std::iter::once(0).chain((0..width).flat_map(|x| colour_at(x, y))).collect();
        pixels.write_all(&line).expect("a vector takes all bytes");
    }
    let pixels = pixels.finish().expect("a vector takes all bytes");
    let mut header = Vec::new();
    header.extend((width as u32).to_be_bytes());
    header.extend((height as u32).to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, content) in [(b"IHDR", header), (b"IDAT", pixels), (b"IEND", Vec::new())] {
        let mut check = Crc::new();
        check.update(name);
        check.update(&content);
        png.extend((content.len() as u32).to_be_bytes());
        png.extend(name);
        png.extend(&content);
        png.extend(check.sum().to_be_bytes());
    }
    png
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::io::{Cursor, Read as _};

    use super::*;

    #[test]
    fn each_picture_is_a_small_png_that_an_upload_may_be() {
        let pictures: Vec<Vec<u8>> = (0..60).map(logo).chain([licence()]).collect();
        for picture in &pictures {
            assert_eq!(Kind::of(&mut Cursor::new(picture), "a").unwrap(), Some(Kind::Png));
            assert!(picture.len() < 4096, "{}", picture.len());
        }
        assert_eq!(pictures.iter().collect::<HashSet<_>>().len(), pictures.len(), "each is another picture");
    }

    #[test]
    fn a_picture_holds_every_pixel() {
        let picture = png(3, 2, |x, y| [x as u8, y as u8, 7]);
        // The content of the chunk behind the signature (8 bytes) and the header (25 bytes).
        let length = u32::from_be_bytes(picture[33..37].try_into().unwrap()) as usize;
        let mut pixels = Vec::new();
        flate2::read::ZlibDecoder::new(&picture[41..41 + length]).read_to_end(&mut pixels).unwrap();
        assert_eq!(pixels, [0, 0, 0, 7, 1, 0, 7, 2, 0, 7, 0, 0, 1, 7, 1, 1, 7, 2, 1, 7]);
    }
}
