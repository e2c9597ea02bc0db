//! Pictures.

/// A picture of two by three pixels, as far as its header goes.
pub fn png() -> Vec<u8> {
    png_with(&[])
}

/// The same with chunks of these names and contents in it.
pub fn png_with(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03\x08\x06\0\0\0\0\0\0\0".to_vec();
    for (name, content) in chunks {
        bytes.extend((content.len() as u32).to_be_bytes());
        bytes.extend([name.as_slice(), content, &[0; 4]].concat());
    }
    bytes.extend(b"\0\0\0\0IEND\xaeB`\x82");
    bytes
}

/// The same, of so many bytes.
pub fn png_of(size: usize) -> Vec<u8> {
    png_with(&[(b"IDAT", &vec![7; size - png().len() - 12])])
}
