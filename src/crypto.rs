//! Secrets and personal data at rest: keys, encryption, keyed look-up hashes, passwords, random text.

use std::fs;
use std::io::Write;
use std::net::IpAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::LazyLock;

use aes_gcm::Aes256Gcm;
use aes_gcm::aead::{Aead, Generate, Key, KeyInit, Nonce};
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use hmac::{Hmac, Mac};
use jsonwebtoken::{DecodingKey, EncodingKey};
use md5::{Digest, Md5};
use sha2::Sha256;
use tokio::sync::Semaphore;

use crate::clock;
use crate::config::Config;

/// The keys of this installation. Every node of one database must hold the same.
pub struct Keys {
    /// Signs login tokens.
    pub signing: EncodingKey,
    /// Checks their signatures.
    pub checking: DecodingKey,
    cipher: Aes256Gcm,
    hash: Vec<u8>,
}

/// A stored secret that this installation's key does not open.
#[derive(Debug, thiserror::Error)]
#[error("a stored value cannot be decrypted with this data key")]
pub struct WrongKey;

impl Keys {
    /// Takes the keys from the settings, else from the data folder, which exists, where they are
    /// made once (mode 0600).
    pub fn load(config: &Config) -> std::io::Result<Keys> {
        let secret = match &config.secret {
            Some(secret) => secret.clone(),
            None => key_file(&config.data.join("secret.key"))?,
        };
        let data_key = match &config.data_key {
            Some(key) => key.clone(),
            None => key_file(&config.data.join("data.key"))?,
        };
        let bytes = hex::decode(data_key.trim())
            .ok()
            .filter(|bytes| bytes.len() == 32)
            .ok_or_else(|| std::io::Error::new(std::io::ErrorKind::InvalidData, "data.key must hold 64 hex digits"))?;
        Ok(Keys::new(secret.trim().as_bytes(), bytes.as_slice().try_into().expect("32 bytes")))
    }

    /// Makes keys of given bytes.
    pub fn new(secret: &[u8], data_key: &[u8; 32]) -> Keys {
        Keys {
            signing: EncodingKey::from_secret(secret),
            checking: DecodingKey::from_secret(secret),
            cipher: Aes256Gcm::new(&Key::<Aes256Gcm>::from(*data_key)),
            // A key of its own for look-ups, so that hashes tell nothing about the cipher's key.
            hash: hmac(data_key, b"leadlane look-up hash"),
        }
    }

    /// Encrypts a text (AES-256-GCM, a fresh nonce in front, Base64).
    pub fn encrypt(&self, text: &str) -> String {
        let nonce = Nonce::<Aes256Gcm>::generate();
        let mut sealed = nonce.to_vec();
        sealed.extend(self.cipher.encrypt(&nonce, text.as_bytes()).expect("a short text encrypts"));
        BASE64.encode(sealed)
    }

    /// Decrypts what [`Keys::encrypt`] made.
    pub fn decrypt(&self, sealed: &str) -> Result<String, WrongKey> {
        let bytes = BASE64.decode(sealed).map_err(|_| WrongKey)?;
        let (nonce, body) = bytes.split_at_checked(12).ok_or(WrongKey)?;
        let nonce = Nonce::<Aes256Gcm>::try_from(nonce).map_err(|_| WrongKey)?;
        let text = self.cipher.decrypt(&nonce, body).map_err(|_| WrongKey)?;
        String::from_utf8(text).map_err(|_| WrongKey)
    }

    /// Keyed hash for exact look-up of an encrypted value (HMAC-SHA256, hex).
    pub fn lookup_hash(&self, text: &str) -> String {
        hex::encode(hmac(&self.hash, text.as_bytes()))
    }
}

fn hmac(key: &[u8], text: &[u8]) -> Vec<u8> {
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(text);
    mac.finalize().into_bytes().to_vec()
}

fn key_file(path: &Path) -> std::io::Result<String> {
    // Created whole or not at all: two processes starting at once agree on one key.
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    if !path.exists() {
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
        file.write_all(hex::encode(rand::random::<[u8; 32]>()).as_bytes())?;
        file.sync_all()?;
        let made = fs::hard_link(&draft, path);
        fs::remove_file(&draft)?;
        if let Err(error) = made
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            return Err(error);
        }
    }
    fs::read_to_string(path)
}

/// How many passwords are hashed at once: each takes 19 MB and some 20 ms of one core.
static PASSWORD_SLOTS: Semaphore = Semaphore::const_new(2);

/// Hashes a password with argon2id, off the serving threads.
pub async fn hash_password(password: String) -> String {
    let _slot = PASSWORD_SLOTS.acquire().await.expect("never closed");
    tokio::task::spawn_blocking(move || hash_password_now(&password)).await.expect("hashing does not panic")
}

fn hash_password_now(password: &str) -> String {
    Argon2::default().hash_password(password.as_bytes()).expect("argon2's own parameters are valid").to_string()
}

/// Compares a password with a stored hash. With no hash it spends the same time and says no, so
/// that an unknown user name cannot be told from a wrong password.
pub async fn verify_password(password: String, hash: Option<String>) -> bool {
    static NOBODY: LazyLock<String> = LazyLock::new(|| hash_password_now("nobody's password"));
    let _slot = PASSWORD_SLOTS.acquire().await.expect("never closed");
    tokio::task::spawn_blocking(move || {
        let known = hash.is_some();
        let stored = hash.unwrap_or_else(|| NOBODY.clone());
        let matches =
            PasswordHash::new(&stored).is_ok_and(|parsed| Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok());
        matches && known
    })
    .await
    .expect("verifying does not panic")
}

/// Characters of made passwords, keys and secrets: nothing that is mistaken for another.
const ALPHABET: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// Random text of `length` unambiguous letters and digits (5.8 bits each).
pub fn random_text(length: usize) -> String {
    (0..length).map(|_| char::from(ALPHABET[rand::random_range(0..ALPHABET.len())])).collect()
}

/// A made password: 12 characters with at least one letter and one digit.
pub fn random_password() -> String {
    loop {
        let password = random_text(12);
        if password.bytes().any(|byte| byte.is_ascii_digit()) && password.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            return password;
        }
    }
}

/// A six-digit verification code.
pub fn random_code() -> String {
    format!("{:06}", rand::random_range(0..1_000_000u32))
}

/// Lower-case hex MD5, for the signs that partners and the specification ask for; never for secrecy.
pub fn md5_hex(text: &str) -> String {
    hex::encode(Md5::digest(text.as_bytes()))
}

/// Lower-case hex SHA-256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Compares two texts in time that depends on their length only.
pub fn same(a: &str, b: &str) -> bool {
    subtle::ConstantTimeEq::ct_eq(a.as_bytes(), b.as_bytes()).into()
}

/// Whether a text is as many digits as a mainland mobile number.
pub fn is_phone(text: &str) -> bool {
    text.len() == 11 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `138****1234`: the mask of a mainland mobile number.
pub fn mask_phone(phone: &str) -> String {
    let digits: Vec<char> = phone.chars().collect();
    match digits.len() {
        11 => digits[..3].iter().chain(&['*'; 4]).chain(&digits[7..]).collect(),
        _ => "*".repeat(digits.len()),
    }
}

/// Whether a text is a mainland identity number (GB 11643): its day of birth one that there is, its
/// check digit right. A region is not looked up.
pub fn is_id_no(text: &str) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    const CHECKS: &[u8; 11] = b"10X98765432";
    let Some((digits, [check])) = text.as_bytes().split_at_checked(17) else { return false };
    let sum: u32 = digits.iter().zip(WEIGHTS).map(|(digit, weight)| u32::from(digit.wrapping_sub(b'0')) * weight).sum();
    let born = || std::str::from_utf8(&digits[6..14]).ok().map(|day| format!("{}-{}-{}", &day[..4], &day[4..6], &day[6..]));
    digits.iter().all(u8::is_ascii_digit)
        && CHECKS[(sum % 11) as usize] == check.to_ascii_uppercase()
        && born().is_some_and(|day| clock::day_start(&day).is_some())
}

/// `1101***********023`: the mask of an identity number.
pub fn mask_id_no(id_no: &str) -> String {
    let letters: Vec<char> = id_no.chars().collect();
    match letters.len() {
        18 => letters[..4].iter().chain(&['*'; 11]).chain(&letters[15..]).collect(),
        _ => "*".repeat(letters.len()),
    }
}

/// `203.0.*.*`, `2001:db8:*`: the mask of an IP address.
pub fn mask_ip(ip: &str) -> String {
    match ip.parse() {
        Ok(IpAddr::V4(ip)) => format!("{}.{}.*.*", ip.octets()[0], ip.octets()[1]),
        Ok(IpAddr::V6(ip)) => format!("{:x}:{:x}:*", ip.segments()[0], ip.segments()[1]),
        Err(_) => "*".repeat(4),
    }
}

/// `a1b2****c3d4`: the mask of a device's identifier.
pub fn mask_device(device: &str) -> String {
    let letters: Vec<char> = device.chars().collect();
    let shown = if letters.len() < 12 { 1 } else { 4 };
    match letters.len() {
        0..4 => "*".repeat(4),
        length => letters[..shown].iter().chain(&['*'; 4]).chain(&letters[length - shown..]).collect(),
    }
}

/// `张*`, `欧***`: the mask of a name, its first character and a star for each other, three at most.
pub fn mask_name(name: &str) -> String {
    let length = name.chars().count();
    match name.chars().next() {
        Some(first) if length > 1 => std::iter::once(first).chain(std::iter::repeat_n('*', length.min(4) - 1)).collect(),
        _ => "*".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_identity_numbers_are_masked() {
        for (name, mask) in [("张三", "张*"), ("欧阳娜娜", "欧***"), ("A", "*"), ("Alexander", "A***"), ("", "*")] {
            assert_eq!(mask_name(name), mask, "{name}");
        }
        assert_eq!(mask_id_no("11010519491231002X"), "1101***********02X");
        assert_eq!(mask_id_no("123"), "***");
    }

    #[test]
    fn what_is_encrypted_decrypts_only_with_its_key_and_untouched() {
        let keys = Keys::new(b"s", &[1; 32]);
        let sealed = keys.encrypt("13800138000");
        assert_ne!(sealed, keys.encrypt("13800138000"), "a fresh nonce each time");
        assert_eq!(keys.decrypt(&sealed).unwrap(), "13800138000");
        assert!(Keys::new(b"s", &[2; 32]).decrypt(&sealed).is_err());
        assert!(keys.decrypt(&sealed.replace(&sealed[20..21], if &sealed[20..21] == "A" { "B" } else { "A" })).is_err());
        assert!(keys.decrypt("").is_err());
    }

    #[test]
    fn look_up_hashes_depend_on_the_key() {
        assert_ne!(Keys::new(b"s", &[1; 32]).lookup_hash("x"), Keys::new(b"s", &[2; 32]).lookup_hash("x"));
    }

    #[test]
    fn masks_leave_three_and_four_digits() {
        assert_eq!(mask_phone("13800138000"), "138****8000");
        assert_eq!(mask_phone("123"), "***");
    }

    #[test]
    fn masks_leave_a_place_and_the_end() {
        assert_eq!(mask_id_no("11010519491231002X"), "1101***********02X");
        assert_eq!(mask_id_no("1"), "*");
        assert_eq!(mask_ip("203.0.113.9"), "203.0.*.*");
        assert_eq!(mask_ip("2001:db8::1"), "2001:db8:*");
        assert_eq!(mask_ip("x"), "****");
        assert_eq!(mask_device("a1b2c3d4e5f6"), "a1b2****e5f6");
        assert_eq!(mask_device("abcdef"), "a****f");
        assert_eq!(mask_device("abc"), "****");
    }

    #[test]
    fn an_identity_number_ends_with_its_check_digit() {
        for good in ["11010519491231002X", "11010519491231002x", "990000199001010017"] {
            assert!(is_id_no(good), "{good}");
        }
        for bad in ["", "110105194912310021", "1101051949123100", "11010519491231002Xx", "1101051949123100２X", "a1010519491231002X"] {
            assert!(!is_id_no(bad), "{bad}");
        }
    }

    #[tokio::test]
    async fn passwords_verify_and_nobody_never_does() {
        let hash = hash_password("right".into()).await;
        assert!(hash.starts_with("$argon2id$"));
        assert!(verify_password("right".into(), Some(hash.clone())).await);
        assert!(!verify_password("wrong".into(), Some(hash)).await);
        assert!(!verify_password("nobody's password".into(), None).await);
    }
}
