//! QR codes as drawings.

use qrcodegen::{QrCode, QrCodeEcc};

/// A QR code, to be drawn as one path on a square of so many units, including its quiet border.
#[derive(Debug)]
pub struct Picture {
    pub size: i64,
    pub path: String,
}

/// Draws an address of at most 2,000 bytes.
pub fn picture(address: &str) -> Picture {
    const BORDER: i32 = 4;
    let code = QrCode::encode_text(address, QrCodeEcc::Medium).expect("an address fits");
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let dark = (x..code.size()).take_while(|x| code.get_module(*x, y)).count() as i32;
            if dark > 0 {
                path.push_str(&format!("M{} {}h{dark}v1h-{dark}z", x + BORDER, y + BORDER));
            }
            x += dark.max(1);
        }
    }
    Picture { size: i64::from(code.size() + 2 * BORDER), path }
}
