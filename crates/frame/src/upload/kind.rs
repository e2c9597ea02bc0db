//! The kind of a file, by its content. Its name and the media type sent with it do not count, except that a text is a
//! table only with a table's name.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use imagesize::ImageType;

use super::text::{NoText, text_of};

/// A kind of file that is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Png,
    Jpeg,
    Webp,
    Gif,
    Pdf,
    Xlsx,
    Docx,
    Csv,
    Mp3,
    Mp4,
}

/// Why a file is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTable {
    /// A workbook that ends too early.
    CutWorkbook,
    /// A workbook of Excel 97 to 2003, or one with a password.
    OldWorkbook,
    Text(NoText),
    Other,
}

/// The most pixels of a picture's side: larger ones only harm people who open them.
const LONGEST_SIDE: usize = 16_384;
/// The most parts of a workbook.
const MAX_PARTS: usize = 10_000;
/// The part of an office file that lists the types of its parts, and the most bytes of it.
const CONTENT_TYPES: &str = "[Content_Types].xml";
const LARGEST_TYPES: u64 = 1024 * 1024;
/// The bytes of a file's beginning and end that are read.
const EDGE: u64 = 1024;

impl Kind {
    /// The media type.
    pub fn mime(self) -> &'static str {
        match self {
            Kind::Png => "image/png",
            Kind::Jpeg => "image/jpeg",
            Kind::Webp => "image/webp",
            Kind::Gif => "image/gif",
            Kind::Pdf => "application/pdf",
            Kind::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Kind::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Kind::Csv => "text/csv",
            Kind::Mp3 => "audio/mpeg",
            Kind::Mp4 => "video/mp4",
        }
    }

    /// The extensions of this kind, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Kind::Png => &["png"],
            Kind::Jpeg => &["jpg", "jpeg"],
            Kind::Webp => &["webp"],
            Kind::Gif => &["gif"],
            Kind::Pdf => &["pdf"],
            Kind::Xlsx => &["xlsx"],
            Kind::Docx => &["docx"],
            Kind::Csv => &["csv"],
            Kind::Mp3 => &["mp3"],
            Kind::Mp4 => &["mp4"],
        }
    }

    /// Whether browsers show it in a page.
    pub fn is_picture(self) -> bool {
        matches!(self, Kind::Png | Kind::Jpeg | Kind::Webp | Kind::Gif)
    }

    /// The kind of a table to import: a workbook, or a text with any extension of a spreadsheet.
    pub fn of_table(file: &mut (impl Read + Seek), name: &str) -> io::Result<Result<Kind, NoTable>> {
        match Kind::of(file, name)? {
            Some(kind @ (Kind::Xlsx | Kind::Csv)) => return Ok(Ok(kind)),
            Some(_) => return Ok(Err(NoTable::Other)),
            None => {}
        }
        let head = edge(file, SeekFrom::Start(0))?;
        if head.starts_with(b"PK\x03\x04") {
            file.seek(SeekFrom::Start(0))?;
            let is_cut = zip::ZipArchive::new(BufReader::new(file)).is_err();
            return Ok(Err(if is_cut { NoTable::CutWorkbook } else { NoTable::Other }));
        }
        if head.starts_with(b"\xd0\xcf\x11\xe0") {
            return Ok(Err(NoTable::OldWorkbook));
        }
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
        if !["csv", "txt", "tsv", "xls", "xlsx"].contains(&extension.as_str()) {
            return Ok(Err(NoTable::Other));
        }
        Ok(no_text(file)?.map_or(Ok(Kind::Csv), |why| Err(NoTable::Text(why))))
    }

    /// The kind of a content; none if it is of no accepted kind.
    pub fn of(file: &mut (impl Read + Seek), name: &str) -> io::Result<Option<Kind>> {
        let head = edge(file, SeekFrom::Start(0))?;
        if let Some(kind) = picture(file, &head)? {
            return Ok(kind.ok());
        }
        if head.starts_with(b"%PDF-") {
            let length = file.seek(SeekFrom::End(0))?;
            let tail = edge(file, SeekFrom::Start(length.saturating_sub(EDGE)))?;
            return Ok(memchr::memmem::find(&tail, b"%%EOF").map(|_| Kind::Pdf));
        }
        if head.starts_with(b"PK\x03\x04") {
            return office(file);
        }
        if is_mp4(&head) {
            return Ok(Some(Kind::Mp4));
        }
        if is_mp3(file, &head)? {
            return Ok(Some(Kind::Mp3));
        }
        let called_csv = name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("csv"));
        Ok((called_csv && no_text(file)?.is_none()).then_some(Kind::Csv))
    }
}

fn edge(file: &mut (impl Read + Seek), from: SeekFrom) -> io::Result<Vec<u8>> {
    file.seek(from)?;
    let mut bytes = Vec::with_capacity(EDGE as usize);
    file.by_ref().take(EDGE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A picture whose header has its size; an error if it only begins like one.
fn picture(file: &mut (impl Read + Seek), head: &[u8]) -> io::Result<Option<Result<Kind, ()>>> {
    let kind = match imagesize::image_type(head) {
        Ok(ImageType::Png) => Kind::Png,
        Ok(ImageType::Jpeg) => Kind::Jpeg,
        Ok(ImageType::Gif) => Kind::Gif,
        Ok(ImageType::Webp) => Kind::Webp,
        _ => return Ok(None),
    };
    file.seek(SeekFrom::Start(0))?;
    let side = 1..=LONGEST_SIDE;
    let whole = imagesize::reader_size(BufReader::new(file)).is_ok_and(|size| side.contains(&size.width) && side.contains(&size.height));
    let headed = kind != Kind::Png || head.get(12..16) == Some(b"IHDR");
    Ok(Some(if whole && headed { Ok(kind) } else { Err(()) }))
}

/// A workbook or a document of Word, without macros.
fn office(file: &mut (impl Read + Seek)) -> io::Result<Option<Kind>> {
    file.seek(SeekFrom::Start(0))?;
    let Ok(mut archive) = zip::ZipArchive::new(BufReader::new(file)) else { return Ok(None) };
    if archive.len() > MAX_PARTS {
        return Ok(None);
    }
    // A part name that is not text does not belong to a workbook.
    let Ok(names) = archive.file_names().map(|name| name.map(|name| name.into_owned())).collect::<Result<Vec<_>, _>>() else {
        return Ok(None);
    };
    let has = |name: &str| names.iter().any(|one| one == name);
    let kind = match () {
        () if has("xl/workbook.xml") => Kind::Xlsx,
        () if has("word/document.xml") => Kind::Docx,
        () => return Ok(None),
    };
    let macros = names.iter().any(|one| one.to_ascii_lowercase().ends_with("vbaproject.bin"));
    let Ok(part) = archive.by_name(CONTENT_TYPES) else { return Ok(None) };
    let mut types = Vec::new();
    if part.take(LARGEST_TYPES).read_to_end(&mut types).is_err() {
        return Ok(None);
    }
    // A file with macros has another type of its main part, even if the macros have another name.
    let macros =
        macros || types.len() as u64 == LARGEST_TYPES || memchr::memmem::find(&types.to_ascii_lowercase(), b"macroenabled").is_some();
    Ok((!macros).then_some(kind))
}

/// Whether a content is a picture in the default format of iPhones (HEIC), or AVIF, whatever its name.
pub fn is_heic(file: &mut (impl Read + Seek)) -> io::Result<bool> {
    const BRANDS: &[&[u8; 4]] =
        &[b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"mif2", b"msf1", b"avif", b"avis"];
    let head = edge(file, SeekFrom::Start(0))?;
    let brand = head.get(8..12).unwrap_or_default();
    Ok(head.get(4..8) == Some(b"ftyp") && BRANDS.iter().any(|known| known.as_slice() == brand))
}

fn is_mp4(head: &[u8]) -> bool {
    const BRANDS: &[&[u8; 4]] =
        &[b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V ", b"M4VP", b"MSNV", b"dash", b"mmp4"];
    let brand = head.get(8..12).unwrap_or_default();
    head.get(4..8) == Some(b"ftyp") && BRANDS.iter().any(|known| known.as_slice() == brand)
}

/// An ID3 tag, or two frames one after the other.
fn is_mp3(file: &mut (impl Read + Seek), head: &[u8]) -> io::Result<bool> {
    if let [b'I', b'D', b'3', version, _, _, a, b, c, d, ..] = *head {
        return Ok((2..=4).contains(&version) && [a, b, c, d].iter().all(|byte| *byte < 0x80));
    }
    let Some(length) = frame_length(head) else { return Ok(false) };
    Ok(frame_length(&edge(file, SeekFrom::Start(length))?).is_some())
}

/// Bytes of the MPEG layer III frame that begins here.
fn frame_length(bytes: &[u8]) -> Option<u64> {
    const KILOBITS_1: [u64; 15] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
    const KILOBITS_2: [u64; 15] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
    let &[0xff, second, third, _, ..] = bytes else { return None };
    let (version, layer) = ((second >> 3) & 3, (second >> 1) & 3);
    let (kilobits, hertz) = ((third >> 4) as usize, (third >> 2) & 3);
    if second & 0xe0 != 0xe0 || version == 1 || layer != 1 || kilobits == 0 || kilobits == 15 || hertz == 3 {
        return None;
    }
    let (table, slots) = if version == 3 { (KILOBITS_1, 144) } else { (KILOBITS_2, 72) };
    let hertz = [44_100, 48_000, 32_000][hertz as usize] / [4, 1, 2, 1][version as usize];
    Some(slots * table[kilobits] * 1000 / hertz + u64::from((third >> 1) & 1))
}

/// Why a content is not a text of lines; none if it is one.
fn no_text(file: &mut (impl Read + Seek)) -> io::Result<Option<NoText>> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(text_of(&bytes).err())
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;

    fn of(content: &[u8], name: &str) -> Option<Kind> {
        Kind::of(&mut Cursor::new(content), name).unwrap()
    }

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    fn zip_of(names: &[&str]) -> Vec<u8> {
        zip_with(names, "<x/>")
    }

    /// An archive whose parts all hold a text.
    fn zip_with(names: &[&str], text: &str) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            archive.start_file(*name, zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored)).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn content_decides_and_names_do_not() {
        assert_eq!(of(&png(2, 3), "a.exe"), Some(Kind::Png));
        assert_eq!(of(b"GIF89a\x01\0\x01\0\x80\0\0", "a"), Some(Kind::Gif));
        assert_eq!(of(b"%PDF-1.7\n...\n%%EOF\n", "a.png"), Some(Kind::Pdf));
        assert_eq!(of(&zip_of(&["[Content_Types].xml", "xl/workbook.xml"]), "a.zip"), Some(Kind::Xlsx));
        assert_eq!(of(&zip_of(&["[Content_Types].xml", "word/document.xml"]), "合同.zip"), Some(Kind::Docx));
        assert_eq!(of(b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "a"), Some(Kind::Mp4));
        assert_eq!(of(b"ID3\x04\0\0\0\0\0\x0aTIT2", "a"), Some(Kind::Mp3));
        assert_eq!(of("姓名,电话\n王,1\n".as_bytes(), "a.CSV"), Some(Kind::Csv));
        assert_eq!(of(b"\xd0\xd5\xc3\xfb,1\r\n", "a.csv"), Some(Kind::Csv), "GB18030");
    }

    #[test]
    fn what_only_looks_like_it_is_nothing() {
        for (content, name) in [
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), "a.svg"),
            (b"<?xml version='1.0'?><svg/>".to_vec(), "a.png"),
            (b"<!doctype html><script>alert(1)</script>".to_vec(), "a.csv"),
            (b"\xef\xbb\xbf  <html>".to_vec(), "a.csv"),
            (b"a,b\n1,2\n".to_vec(), "a.txt"),
            (b"a,b\0".to_vec(), "a.csv"),
            (b"".to_vec(), "a.csv"),
            (b"\x89PNG\r\n\x1a\n".to_vec(), "a.png"),
            (b"\x89PNG\r\n\x1a\n<script>alert(1)</script> and more text".to_vec(), "a.png"),
            (png(0, 5), "a.png"),
            (png(100_000, 100_000), "a.png"),
            (b"GIF89a".to_vec(), "a.gif"),
            (b"\xff\xd8\xff\xe0<script>".to_vec(), "a.jpg"),
            (b"RIFF\x10\0\0\0WAVEfmt ".to_vec(), "a.webp"),
            (b"%PDF-1.7 and no end".to_vec(), "a.pdf"),
            (zip_of(&["a.txt"]), "a.xlsx"),
            (zip_of(&["[Content_Types].xml", "ppt/presentation.xml"]), "a.docx"),
            (zip_of(&["word/document.xml"]), "a.docx"),
            (zip_of(&["[Content_Types].xml", "word/document.xml", "word/vbaProject.bin"]), "a.docx"),
            (zip_with(&["[Content_Types].xml", "word/document.xml"], "<x>vnd.ms-word.document.macroEnabled.main+xml</x>"), "a.docx"),
            (zip_of(&["[Content_Types].xml", "xl/workbook.xml", "xl/vbaProject.bin"]), "a.xlsx"),
            (b"PK\x03\x04 and then nothing".to_vec(), "a.xlsx"),
            (b"\0\0\0\x18ftypheic\0\0\0\0".to_vec(), "a.mp4"),
            (b"\xff\xfb\x90\x64 a single frame's head".to_vec(), "a.mp3"),
            (b"MZ\x90\0".to_vec(), "a.exe"),
            (b"#!/bin/sh\n".to_vec(), "a.png"),
        ] {
            assert_eq!(of(&content, name), None, "{name}: {:?}", String::from_utf8_lossy(&content));
        }
    }

    #[test]
    fn a_table_may_be_a_text_of_a_spreadsheet() {
        let kind = |content: &[u8], name: &str| Kind::of_table(&mut Cursor::new(content), name).unwrap();
        let utf_16: Vec<u8> = "\u{feff}姓名\t电话\r\n王\t1\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (content, name) in
            [(&utf_16[..], "a.txt"), (&utf_16, "a.CSV"), (&utf_16[2..], "a.txt"), (b"a,b", "a.TXT"), (b"a,b", "a.xlsx"), (b"a\tb", "a.xls")]
        {
            assert_eq!(kind(content, name), Ok(Kind::Csv), "{name}");
        }
        let book = zip_of(&["[Content_Types].xml", "xl/workbook.xml"]);
        assert_eq!(kind(&book, "a.txt"), Ok(Kind::Xlsx));
        for (content, name, wrong) in [
            (&b"<html>"[..], "a.txt", NoTable::Text(NoText::Page)),
            (b"<html>", "a.xls", NoTable::Text(NoText::Page)),
            (b"a\0b", "a.txt", NoTable::Text(NoText::Control { row: 1, character: '\0' })),
            (b" \n", "a.csv", NoTable::Text(NoText::Blank)),
            (b"a,b", "a.doc", NoTable::Other),
            (&png(2, 3), "a.csv", NoTable::Other),
            (&book[..book.len() / 2], "a.xlsx", NoTable::CutWorkbook),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.xls", NoTable::OldWorkbook),
        ] {
            assert_eq!(kind(content, name), Err(wrong), "{name}");
        }
    }

    #[test]
    fn a_photo_of_an_iphone_is_known_whatever_it_is_called() {
        for (content, is_it) in [
            (&b"\0\0\0\x18ftypheic\0\0\0\0"[..], true),
            (b"\0\0\0\x18ftypmif1\0\0\0\0", true),
            (b"\0\0\0\x18ftypmp42\0\0\0\0", false),
            (b"\0\0\0\x18ftyp", false),
            (b"", false),
        ] {
            assert_eq!(is_heic(&mut Cursor::new(content)).unwrap(), is_it);
        }
    }

    #[test]
    fn two_frames_are_sound() {
        let mut bytes = vec![0; 417 * 2];
        for at in [0, 417] {
            bytes[at..at + 4].copy_from_slice(b"\xff\xfb\x90\x64");
        }
        assert_eq!(of(&bytes, "a"), Some(Kind::Mp3));
    }
}
