//! Codes of an authenticator: time-based one-time passwords (RFC 6238) of six digits, every thirty seconds, by
//! HMAC-SHA-1, which every authenticator supports.

use hmac::{Hmac, Mac};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha1::Sha1;

use base::crypto;

/// How long a code is valid, in milliseconds.
pub const STEP: i64 = 30_000;
/// Clocks may differ by so many steps.
const SKEW: i64 = 1;
const DIGITS: usize = 6;

/// A secret shared with an authenticator: 160 bits, as RFC 4226 requires.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 20]);

impl Secret {
    /// Generates a secret.
    pub fn random() -> Secret {
        Secret(rand::random())
    }

    /// Reads what [`Secret::base32`] wrote.
    pub fn parse(text: &str) -> Option<Secret> {
        let (mut bytes, mut bits, mut held) = (Vec::with_capacity(20), 0u32, 0u32);
        for character in text.bytes() {
            let value = BASE32.iter().position(|known| *known == character)?;
            held = held << 5 | value as u32;
            bits += 5;
            if bits >= 8 {
                bits -= 8;
                bytes.push((held >> bits) as u8);
                held &= (1 << bits) - 1;
            }
        }
        bytes.try_into().ok().map(Secret)
    }

    /// The form for authenticators: 32 letters and digits.
    pub fn base32(&self) -> String {
        let five_bits = |chunk: &[u8]| {
            let all = chunk.iter().fold(0u64, |all, byte| all << 8 | u64::from(*byte));
            (0..8).rev().map(move |place| char::from(BASE32[(all >> (5 * place) & 31) as usize])).collect::<String>()
        };
        self.0.chunks_exact(5).map(five_bits).collect()
    }

    /// The code of a step.
    pub fn code(&self, step: i64) -> String {
        format!("{:0DIGITS$}", truncated(&self.0, step) % 10u32.pow(DIGITS as u32))
    }

    /// The step of this code, at a time or as near to it as clocks may differ.
    pub fn step_of(&self, code: &str, now: i64) -> Option<i64> {
        let present = now / STEP;
        // All are compared, so that the time does not show which one it was.
        let matching = (present - SKEW..=present + SKEW).map(|step| (step, crypto::same(&self.code(step), code)));
        matching.fold(None, |found, (step, same)| if same { Some(step) } else { found })
    }

    /// The address in the QR code for an authenticator.
    pub fn address(&self, issuer: &str, account: &str) -> String {
        let written = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let (issuer, account, secret) = (written(issuer), written(account), self.base32());
        format!("otpauth://totp/{issuer}:{account}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits={DIGITS}&period={}", STEP / 1000)
    }
}

const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The 31 bits of RFC 4226's dynamic truncation.
fn truncated(key: &[u8], step: i64) -> u32 {
    let mut mac = <Hmac<Sha1> as hmac::KeyInit>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let offset = usize::from(digest[19] & 15);
    u32::from_be_bytes(digest[offset..offset + 4].try_into().expect("four bytes")) & 0x7fff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B: the vectors of SHA-1, which have eight digits.
    #[test]
    fn the_codes_are_those_of_the_standard() {
        let secret = Secret(*b"12345678901234567890");
        for (seconds, code) in [
            (59, 94_287_082),
            (1_111_111_109, 7_081_804),
            (1_111_111_111, 14_050_471),
            (1_234_567_890, 89_005_924),
            (2_000_000_000, 69_279_037),
            (20_000_000_000, 65_353_130),
        ] {
            let step = seconds * 1000 / STEP;
            assert_eq!(truncated(&secret.0, step) % 100_000_000, code, "{seconds}");
            assert_eq!(secret.code(step), format!("{:06}", code % 1_000_000), "{seconds}");
        }
    }

    /// RFC 4226, appendix D.
    #[test]
    fn the_counters_are_those_of_the_standard() {
        let secret = Secret(*b"12345678901234567890");
        let codes = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"];
        for (step, code) in codes.into_iter().enumerate() {
            assert_eq!(secret.code(step as i64), code);
        }
    }

    #[test]
    fn a_secret_is_written_and_read() {
        let secret = Secret(*b"12345678901234567890");
        assert_eq!(secret.base32(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert!(Secret::parse(&secret.base32()) == Some(secret));
        for bad in ["", "GEZDGNBVGY3TQOJQ", "1EZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "gezdgnbvgy3tqojqgezdgnbvgy3tqojq"] {
            assert!(Secret::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_code_is_taken_a_step_early_or_late() {
        let (secret, now) = (Secret::random(), 1_800_000_000_000);
        let step = now / STEP;
        for near in [step - 1, step, step + 1] {
            assert_eq!(secret.step_of(&secret.code(near), now), Some(near));
        }
        for (code, why) in [(secret.code(step - 2), "long ago"), (secret.code(step + 2), "not yet"), (String::new(), "none")] {
            // One code in 300,000 is that of another step.
            assert!(secret.step_of(&code, now).is_none() || (step - 1..=step + 1).any(|near| secret.code(near) == code), "{why}");
        }
    }

    #[test]
    fn an_authenticator_reads_the_address() {
        let secret = Secret(*b"12345678901234567890");
        let address = secret.address("Leadlane", "north.sales1");
        assert_eq!(
            address,
            "otpauth://totp/Leadlane:north%2Esales1?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Leadlane&algorithm=SHA1&digits=6&period=30"
        );
        let picture = base::qr::picture(&address);
        // The finder in the corner, behind the quiet border: seven dark units.
        assert!(picture.path.starts_with("M4 4h7v1h-7z"), "{}", picture.path);
        assert_eq!((picture.size - 8 - 17) % 4, 0, "a size that codes have");
    }
}
