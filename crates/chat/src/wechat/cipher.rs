//! The signatures of WeChat's calls, and the encryption of messages in secure mode: AES-256-CBC with a key of 43 characters,
//! its first 16 bytes as the initial vector, and PKCS#7 padding to 32 bytes.

use aes::Aes256;
use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::STANDARD as BASE64;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use cbc::cipher::block_padding::NoPadding;
use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use sha1::{Digest, Sha1};

use base::crypto;

/// Bytes that padding fills up to.
const PADDED_TO: usize = 32;
/// Random bytes before the length of a message.
const SALT: usize = 16;

/// The last character of a key carries bits that belong to no byte.
const KEY_BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true).with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The signature of some parts: the SHA-1 of the sorted parts, in hexadecimal.
pub fn signature(parts: &[&str]) -> String {
    let mut parts = parts.to_vec();
    parts.sort_unstable();
    hex::encode(Sha1::digest(parts.concat().as_bytes()))
}

/// The key of messages.
pub struct MessageKey([u8; 32]);

impl MessageKey {
    /// A key as WeChat's platform shows it; none where it is not one.
    pub fn of(text: &str) -> Option<MessageKey> {
        KEY_BASE64.decode(text).ok()?.try_into().ok().map(MessageKey)
    }

    fn vector(&self) -> [u8; 16] {
        self.0[..16].try_into().expect("16 of 32 bytes")
    }

    /// A message for an account, encrypted and in base64.
    pub fn encrypt(&self, message: &str, app_id: &str) -> String {
        let mut content = crypto::random_text(SALT).into_bytes();
        content.extend(u32::try_from(message.len()).expect("a message is short").to_be_bytes());
        content.extend(message.as_bytes());
        content.extend(app_id.as_bytes());
        let padding = PADDED_TO - content.len() % PADDED_TO;
        content.extend(vec![padding as u8; padding]);
        let cipher = cbc::Encryptor::<Aes256>::new(&self.0.into(), &self.vector().into());
        BASE64.encode(cipher.encrypt_padded_vec::<NoPadding>(&content))
    }

    /// The message in an encrypted text; none where it is not one for this account.
    pub fn decrypt(&self, sealed: &str, app_id: &str) -> Option<String> {
        let sealed = BASE64.decode(sealed).ok()?;
        let cipher = cbc::Decryptor::<Aes256>::new(&self.0.into(), &self.vector().into());
        let content = cipher.decrypt_padded_vec::<NoPadding>(&sealed).ok()?;
        let padding = usize::from(*content.last()?);
        if !(1..=PADDED_TO).contains(&padding) {
            return None;
        }
        let content = content.get(SALT..content.len().checked_sub(padding)?)?;
        let (length, rest) = content.split_at_checked(4)?;
        let length = u32::from_be_bytes(length.try_into().ok()?) as usize;
        let (message, of) = rest.split_at_checked(length)?;
        (of == app_id.as_bytes()).then(|| String::from_utf8(message.to_vec()).ok())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key and the app id of the sample code that WeChat publishes with its documents.
    const KEY: &str = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG";
    const APP_ID: &str = "wxb11529c136998cb6";

    #[test]
    fn parts_are_signed_in_order() {
        let sorted = signature(&["pamtest", "1409304348", "xxxxxx"]);
        assert_eq!(sorted, signature(&["xxxxxx", "pamtest", "1409304348"]));
        assert_eq!(sorted, hex::encode(Sha1::digest(b"1409304348pamtestxxxxxx")));
    }

    #[test]
    fn the_sample_message_of_the_documents_is_read() {
        let sealed = "jn1L23DB+6ELqJ+6bruv21Y6MD7KeIfP82D6gU39rmkgczbWwt5+3bnyg5K55bgVtVzd832WzZGMhkP72vVOfg==";
        assert_eq!(MessageKey::of(KEY).unwrap().decrypt(sealed, APP_ID).as_deref(), Some("我是中文abcd123"));
    }

    #[test]
    fn a_message_is_read_by_its_account_alone() {
        let key = MessageKey::of(KEY).unwrap();
        for message in ["", "x", "<xml>你好</xml>", &"长".repeat(1000)] {
            let sealed = key.encrypt(message, APP_ID);
            assert_eq!(key.decrypt(&sealed, APP_ID).as_deref(), Some(message));
            assert_eq!(key.decrypt(&sealed, "wx0"), None);
            let other = MessageKey::of(&KEY.replace('a', "b")).unwrap();
            assert_eq!(other.decrypt(&sealed, APP_ID), None);
        }
        for bad in ["", "AAAA", "not base64", &BASE64.encode([0; 32])] {
            assert_eq!(key.decrypt(bad, APP_ID), None, "{bad}");
        }
        assert!(MessageKey::of("short").is_none());
    }
}
