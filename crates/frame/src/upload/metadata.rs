//! Removes from pictures what cameras and programs write beside the image: the place, the time, the device,
//! thumbnails, comments, and appended data. The image's own bytes stay as they are. Orientation and colour profile
//! are kept.

use super::kind::Kind;

/// A picture that ends too early, or is not built like its kind.
#[derive(Debug, PartialEq, Eq)]
pub struct Damaged;

type Result<T> = std::result::Result<T, Damaged>;

/// The content without metadata; none for a kind that is not a picture.
pub fn without(kind: Kind, content: &[u8]) -> Result<Option<Vec<u8>>> {
    let mut bytes = Bytes(content);
    let mut kept = Vec::with_capacity(content.len());
    match kind {
        Kind::Jpeg => jpeg(&mut bytes, &mut kept)?,
        Kind::Png => png(&mut bytes, &mut kept)?,
        Kind::Webp => webp(&mut bytes, &mut kept)?,
        Kind::Gif => gif(&mut bytes, &mut kept)?,
        _ => return Ok(None),
    }
    Ok(Some(kept))
}

/// Bytes that are still to be read.
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| Damaged)
    }

    fn byte(&mut self) -> Result<u8> {
        self.array().map(|[byte]| byte)
    }

    fn expect(&mut self, wanted: &[u8]) -> Result<()> {
        if self.take(wanted.len())? == wanted { Ok(()) } else { Err(Damaged) }
    }
}

/// Segments, each behind a marker; behind the marker of a scan also the image, up to the next marker.
fn jpeg(bytes: &mut Bytes, kept: &mut Vec<u8>) -> Result<()> {
    const START: u8 = 0xd8;
    const END: u8 = 0xd9;
    const SCAN: u8 = 0xda;
    const COMMENT: u8 = 0xfe;
    bytes.expect(&[0xff, START])?;
    kept.extend([0xff, START]);
    let mut is_turned = false;
    loop {
        let marker = marker(bytes)?;
        match marker {
            END => {
                kept.extend([0xff, END]);
                return Ok(());
            }
            0x01 | 0xd0..=0xd7 => {
                kept.extend([0xff, marker]);
                continue;
            }
            0x00 | START => return Err(Damaged),
            _ => {}
        }
        let length = u16::from_be_bytes(bytes.array()?);
        let content = bytes.take(usize::from(length).checked_sub(2).ok_or(Damaged)?)?;
        match marker {
            0xe0 if content.starts_with(b"JFIF\0") && content.len() >= 14 => {
                // Without its thumbnail.
                segment(kept, marker, &[&content[..12], &[0, 0]]);
            }
            0xe1 if !is_turned && content.starts_with(b"Exif\0\0") => {
                if let Some(turned) = orientation(&content[6..]) {
                    segment(kept, marker, &[b"Exif\0\0", &exif(turned)]);
                    is_turned = true;
                }
            }
            0xe2 if content.starts_with(b"ICC_PROFILE\0") => segment(kept, marker, &[content]),
            0xee if content.starts_with(b"Adobe") => segment(kept, marker, &[content]),
            0xe0..=0xef | COMMENT => {}
            _ => segment(kept, marker, &[content]),
        }
        if marker == SCAN {
            scan(bytes, kept)?;
        }
    }
}

fn marker(bytes: &mut Bytes) -> Result<u8> {
    bytes.expect(&[0xff])?;
    loop {
        match bytes.byte()? {
            0xff => {}
            marker => return Ok(marker),
        }
    }
}

fn segment(kept: &mut Vec<u8>, marker: u8, parts: &[&[u8]]) {
    let length = 2 + parts.iter().map(|part| part.len()).sum::<usize>();
    kept.extend([0xff, marker]);
    // No part is longer than in the original.
    kept.extend(u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes());
    parts.iter().for_each(|part| kept.extend_from_slice(part));
}

/// The image's own bytes, up to the marker that ends them.
fn scan(bytes: &mut Bytes, kept: &mut Vec<u8>) -> Result<()> {
    let mut end = 0;
    loop {
        end += memchr::memchr(0xff, bytes.0.get(end..).ok_or(Damaged)?).ok_or(Damaged)?;
        match bytes.0.get(end + 1).ok_or(Damaged)? {
            0x00 | 0xd0..=0xd7 => end += 2,
            0xff => end += 1,
            _ => break,
        }
    }
    kept.extend_from_slice(bytes.take(end)?);
    Ok(())
}

/// Chunks, each with its length in front and its checksum behind.
fn png(bytes: &mut Bytes, kept: &mut Vec<u8>) -> Result<()> {
    const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
    /// Chunks that are not part of the image but change how it looks.
    const LOOK: &[&[u8; 4]] = &[
        b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP", b"mDCV", b"cLLI", b"bKGD", b"hIST", b"pHYs", b"sPLT", b"acTL",
        b"fcTL", b"fdAT",
    ];
    bytes.expect(SIGNATURE)?;
    kept.extend(SIGNATURE);
    loop {
        let length = u32::from_be_bytes(bytes.array()?);
        let name: [u8; 4] = bytes.array()?;
        let content = bytes.take(usize::try_from(length).map_err(|_| Damaged)?)?;
        let check: [u8; 4] = bytes.array()?;
        let is_of_image = name[0].is_ascii_uppercase();
        if is_of_image || LOOK.contains(&&name) {
            kept.extend(length.to_be_bytes());
            kept.extend(name);
            kept.extend_from_slice(content);
            kept.extend(check);
        } else if &name == b"eXIf"
            && let Some(turned) = orientation(content)
        {
            let exif = exif(turned);
            kept.extend((exif.len() as u32).to_be_bytes());
            kept.extend(b"eXIf");
            kept.extend(exif);
            kept.extend(crc32(&[b"eXIf", &exif]).to_be_bytes());
        }
        if &name == b"IEND" {
            return Ok(());
        }
    }
}

/// The checksum of a PNG chunk.
fn crc32(parts: &[&[u8]]) -> u32 {
    let bytes = parts.iter().flat_map(|part| part.iter());
    !bytes.fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

/// Chunks, each with its length in front, in one chunk with the length of all.
fn webp(bytes: &mut Bytes, kept: &mut Vec<u8>) -> Result<()> {
    const IMAGE: &[&[u8; 4]] = &[b"VP8 ", b"VP8L", b"VP8X", b"ANIM", b"ANMF", b"ALPH", b"ICCP"];
    const HAS_EXIF: u8 = 0x08;
    const HAS_XMP: u8 = 0x04;
    bytes.expect(b"RIFF")?;
    let length = u32::from_le_bytes(bytes.array()?);
    let mut chunks = Bytes(bytes.take(usize::try_from(length).map_err(|_| Damaged)?)?);
    chunks.expect(b"WEBP")?;
    kept.extend(b"RIFF\0\0\0\0WEBP");
    let mut features = None;
    let mut has_image = false;
    let chunk = |kept: &mut Vec<u8>, name: &[u8; 4], content: &[u8]| {
        kept.extend(name);
        kept.extend((content.len() as u32).to_le_bytes());
        kept.extend_from_slice(content);
        kept.extend(std::iter::repeat_n(0, content.len() % 2));
    };
    while !chunks.0.is_empty() {
        let name: [u8; 4] = chunks.array()?;
        let length = usize::try_from(u32::from_le_bytes(chunks.array()?)).map_err(|_| Damaged)?;
        let content = chunks.take(length)?;
        // Some writers leave out the padding of the last one.
        if length % 2 == 1 && !chunks.0.is_empty() {
            chunks.byte()?;
        }
        if &name == b"VP8X" && features.is_none() && length >= 10 {
            features = Some(kept.len() + 8);
        }
        if IMAGE.contains(&&name) {
            has_image |= matches!(&name, b"VP8 " | b"VP8L" | b"ANMF");
            chunk(kept, &name, content);
        } else if &name == b"EXIF"
            && let Some(at) = features
            && let Some(turned) = orientation(content.strip_prefix(b"Exif\0\0").unwrap_or(content))
        {
            chunk(kept, &name, &exif(turned));
            kept[at] |= HAS_EXIF;
            features = None;
            continue;
        }
        if let Some(at) = features {
            kept[at] &= !(HAS_EXIF | HAS_XMP);
        }
    }
    if !has_image {
        return Err(Damaged);
    }
    let length = u32::try_from(kept.len() - 8).map_err(|_| Damaged)?;
    kept[4..8].copy_from_slice(&length.to_le_bytes());
    Ok(())
}

/// A head, colours, and blocks; the content of a block comes in short pieces, each with its length in front.
fn gif(bytes: &mut Bytes, kept: &mut Vec<u8>) -> Result<()> {
    const EXTENSION: u8 = 0x21;
    const IMAGE: u8 = 0x2c;
    const END: u8 = 0x3b;
    const CONTROL: u8 = 0xf9;
    const APPLICATION: u8 = 0xff;
    /// How often it is repeated, and the colour profile.
    const LOOK: &[&[u8; 11]] = &[b"NETSCAPE2.0", b"ANIMEXTS1.0", b"ICCRGBG1012"];
    let head = bytes.take(13)?;
    if !head.starts_with(b"GIF87a") && !head.starts_with(b"GIF89a") {
        return Err(Damaged);
    }
    kept.extend_from_slice(head);
    kept.extend_from_slice(bytes.take(colours(head[10]))?);
    loop {
        let whole = bytes.0;
        match bytes.byte()? {
            END => {
                kept.push(END);
                return Ok(());
            }
            EXTENSION => {
                let label = bytes.byte()?;
                let first = bytes.0;
                pieces(bytes)?;
                let is_look = label == APPLICATION && LOOK.iter().any(|name| first.get(1..12) == Some(name.as_slice()));
                if label == CONTROL || is_look {
                    kept.extend_from_slice(&whole[..whole.len() - bytes.0.len()]);
                }
            }
            IMAGE => {
                let place = bytes.take(9)?;
                bytes.take(colours(place[8]))?;
                bytes.byte()?;
                pieces(bytes)?;
                kept.extend_from_slice(&whole[..whole.len() - bytes.0.len()]);
            }
            _ => return Err(Damaged),
        }
    }
}

/// Bytes of the table of colours that a byte of flags announces.
fn colours(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

fn pieces(bytes: &mut Bytes) -> Result<()> {
    loop {
        match bytes.byte()? {
            0 => return Ok(()),
            length => drop(bytes.take(usize::from(length))?),
        }
    }
}

/// The orientation of a picture, 2 to 8, by its EXIF; none if it is upright or has none.
fn orientation(tiff: &[u8]) -> Option<u8> {
    const ORIENTATION: u16 = 0x0112;
    let is_big = match tiff.get(..4)? {
        b"MM\0\x2a" => true,
        b"II\x2a\0" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let long = |at: usize| Some(if is_big { (short(at)?, short(at + 2)?) } else { (short(at + 2)?, short(at)?) });
    let (high, low) = long(4)?;
    let start = (usize::from(high) << 16) + usize::from(low);
    let entries = usize::from(short(start)?);
    let at = (0..entries)
        .map(|entry| start + 2 + 12 * entry)
        .take_while(|at| short(*at).is_some())
        .find(|at| short(*at) == Some(ORIENTATION))?;
    u8::try_from(short(at + 8)?).ok().filter(|turned| (2..=8).contains(turned))
}

/// An EXIF with the orientation and nothing else.
fn exif(turned: u8) -> [u8; 26] {
    let mut exif = *b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0";
    exif[19] = turned;
    exif
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EXIF with a place and an orientation, in either byte order.
    fn full_exif(turned: u8, is_big: bool) -> Vec<u8> {
        let mut tiff = exif(turned).to_vec();
        if !is_big {
            tiff = b"II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
            tiff.extend([turned, 0, 0, 0, 0, 0, 0, 0]);
        }
        tiff.extend(b"GPS 31.2304 N 121.4737 E");
        tiff
    }

    fn part(marker: u8, content: &[u8]) -> Vec<u8> {
        let mut made = Vec::new();
        segment(&mut made, marker, &[content]);
        made
    }

    fn a_jpeg(parts: &[Vec<u8>]) -> Vec<u8> {
        let image = [
            part(0xdb, &[1; 65]),
            part(0xc0, &[8, 0, 1, 0, 1, 1, 1, 0x11, 0]),
            part(0xda, &[1, 1, 0, 0, 63, 0]),
            vec![0x12, 0xff, 0, 0x34, 0xff, 0xd0, 0x56],
            part(0xfe, b"between"),
            part(0xda, &[1, 1, 0, 0, 63, 0]),
            vec![0x78, 0xff, 0xff, 0xd9],
        ];
        [&[vec![0xff, 0xd8]], parts, &image].concat().concat()
    }

    fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
        [&(content.len() as u32).to_be_bytes(), name.as_slice(), content, &crc32(&[name, content]).to_be_bytes()].concat()
    }

    fn a_png(parts: &[Vec<u8>]) -> Vec<u8> {
        let head = [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])];
        [&head, parts, &[chunk(b"IDAT", b"image"), chunk(b"IEND", b"")]].concat().concat()
    }

    fn riff(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut body = b"WEBP".to_vec();
        for (name, content) in chunks {
            body.extend_from_slice(name.as_slice());
            body.extend((content.len() as u32).to_le_bytes());
            body.extend_from_slice(content);
            body.extend(std::iter::repeat_n(0, content.len() % 2));
        }
        [b"RIFF", (body.len() as u32).to_le_bytes().as_slice(), &body].concat()
    }

    fn a_gif(parts: &[&[u8]]) -> Vec<u8> {
        let head = [b"GIF89a\x01\0\x01\0\x80\0\0".as_slice(), &[0; 6]].concat();
        let image = b"\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0;";
        [&head, parts.concat().as_slice(), image].concat()
    }

    fn stripped(kind: Kind, content: &[u8]) -> Vec<u8> {
        without(kind, content).unwrap().unwrap()
    }

    #[test]
    fn a_jpeg_keeps_its_image_its_colours_and_how_it_is_turned() {
        let jfif = part(0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01thumbnail");
        let kept = part(0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
        let (profile, adobe) = (part(0xe2, b"ICC_PROFILE\0\x01\x01rgb"), part(0xee, b"Adobe\0d"));
        let seen = |exif: Vec<u8>| part(0xe1, &[b"Exif\0\0".as_slice(), &exif].concat());
        for (exif_of, turned) in [
            (full_exif(6, true), Some(6)),
            (full_exif(3, false), Some(3)),
            (full_exif(1, true), None),
            (full_exif(9, true), None),
            (b"MM\0\x2a\xff\xff\xff\xff".to_vec(), None),
            (b"MM\0\x2a\0\0\0\x08\xff\xff".to_vec(), None),
            (b"no TIFF".to_vec(), None),
        ] {
            let picture = a_jpeg(&[
                jfif.clone(),
                seen(exif_of),
                part(0xe1, b"http://ns.adobe.com/xap/1.0/\0<x>31.2304</x>"),
                profile.clone(),
                part(0xe2, b"MPF\0another picture"),
                part(0xed, b"Photoshop 3.0\0IPTC"),
                adobe.clone(),
                part(0xfe, b"a comment"),
            ]);
            let picture = [picture, b"and a film behind it".to_vec()].concat();
            let mut parts = vec![kept.clone()];
            parts.extend(turned.map(|turned| seen(exif(turned).to_vec())));
            parts.extend([profile.clone(), adobe.clone()]);
            let mut wanted = a_jpeg(&parts);
            let between = memchr::memmem::find(&wanted, &part(0xfe, b"between")).unwrap();
            wanted.drain(between..between + 11);
            // The padding in front of a marker does not belong to the image.
            assert_eq!(stripped(Kind::Jpeg, &picture), wanted, "{turned:?}");
            assert_eq!(stripped(Kind::Jpeg, &wanted), wanted);
        }
    }

    #[test]
    fn a_png_keeps_its_image_its_colours_and_how_it_is_turned() {
        let colours = [chunk(b"gAMA", &[0, 0, 1, 0]), chunk(b"iCCP", b"p\0\0x"), chunk(b"tRNS", b"t")];
        let comments =
            [chunk(b"tEXt", b"Comment\x0031.2304"), chunk(b"iTXt", b"XML:com.adobe.xmp"), chunk(b"zTXt", b"z"), chunk(b"tIME", b"1234567")];
        let turned = chunk(b"eXIf", &exif(8));
        let picture =
            a_png(&[colours.to_vec(), comments.to_vec(), vec![chunk(b"eXIf", &full_exif(8, false)), chunk(b"prVt", b"own")]].concat());
        let wanted = a_png(&[colours.to_vec(), vec![turned]].concat());
        assert_eq!(stripped(Kind::Png, &[picture, b"behind".to_vec()].concat()), wanted);
        let upright = a_png(&[chunk(b"eXIf", &full_exif(1, true))]);
        assert_eq!(stripped(Kind::Png, &upright), a_png(&[]));
        assert_eq!(crc32(&[b"IEND"]), 0xae42_6082);
    }

    #[test]
    fn a_webp_keeps_its_image_its_colours_and_how_it_is_turned() {
        let (profile, image) = ((b"ICCP", b"rgb".as_slice()), (b"VP8 ", b"image".as_slice()));
        let head = |flags: u8| [flags, 0, 0, 0, 1, 0, 0, 1, 0, 0];
        let full = full_exif(5, true);
        let picture = riff(&[(b"VP8X", &head(0x2c)), profile, image, (b"EXIF", &full), (b"XMP ", b"<x>31.2304</x>"), (b"OWN ", b"x")]);
        let turned = exif(5);
        let wanted = riff(&[(b"VP8X", &head(0x28)), profile, image, (b"EXIF", &turned)]);
        assert_eq!(stripped(Kind::Webp, &[picture, b"behind".to_vec()].concat()), wanted);
        let prefixed = [b"Exif\0\0".as_slice(), &full].concat();
        assert_eq!(stripped(Kind::Webp, &riff(&[(b"VP8X", &head(0x28)), profile, image, (b"EXIF", &prefixed)])), wanted);
        let upright = riff(&[(b"VP8X", &head(0x0c)), image, (b"EXIF", &full_exif(1, true)), (b"XMP ", b"x")]);
        assert_eq!(stripped(Kind::Webp, &upright), riff(&[(b"VP8X", &head(0)), image]));
        assert_eq!(stripped(Kind::Webp, &riff(&[image])), riff(&[image]));
    }

    #[test]
    fn a_gif_keeps_its_image_and_how_often_it_moves() {
        let again = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0".as_slice();
        let control = b"\x21\xf9\x04\0\0\0\0\0".as_slice();
        let comments = [b"\x21\xfe\x0731.2304\0".as_slice(), b"\x21\xff\x0bXMP DataXMP\x031.2\0", b"\x21\x01\x01x\0"].concat();
        let picture = a_gif(&[again, &comments, control]);
        assert_eq!(stripped(Kind::Gif, &[picture, b"behind".to_vec()].concat()), a_gif(&[again, control]));
    }

    #[test]
    fn what_is_cut_or_not_built_so_is_damaged() {
        let whole = [
            (Kind::Jpeg, a_jpeg(&[part(0xe1, &[b"Exif\0\0".as_slice(), &full_exif(6, true)].concat())])),
            (Kind::Png, a_png(&[chunk(b"eXIf", &full_exif(6, true))])),
            (Kind::Webp, riff(&[(b"VP8X", &[8, 0, 0, 0, 1, 0, 0, 1, 0, 0]), (b"VP8 ", b"image!"), (b"EXIF", &full_exif(6, false))])),
            (Kind::Gif, a_gif(&[b"\x21\xfe\x01x\0"])),
        ];
        for (kind, picture) in whole {
            assert!(without(kind, &picture).is_ok(), "{kind:?}");
            for length in 0..picture.len() {
                assert_eq!(without(kind, &picture[..length]), Err(Damaged), "{kind:?} {length}");
            }
            // With any changed byte, it is read to its end or refused.
            for at in 0..picture.len() {
                for byte in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut changed = picture.clone();
                    changed[at] = byte;
                    let _ = without(kind, &changed);
                }
            }
        }
        let no_lengths = [0xff, 0xd8, 0xff, 0xdb, 0, 1, 0xff, 0xd9];
        assert_eq!(without(Kind::Jpeg, &no_lengths), Err(Damaged));
        assert_eq!(without(Kind::Png, b"\x89PNG\r\n\x1a\n\xff\xff\xff\xffIHDR"), Err(Damaged));
        assert_eq!(without(Kind::Webp, &riff(&[(b"EXIF", b"x")])), Err(Damaged));
        assert_eq!(without(Kind::Gif, b"GIF89a\x01\0\x01\0\x00\0\0<script>"), Err(Damaged));
        assert_eq!(without(Kind::Pdf, b"%PDF"), Ok(None));
    }
}
