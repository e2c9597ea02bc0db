//! The keys in use: sealing, opening, keyed hashes, and the keys of tokens.

use aes_gcm::Aes256Gcm;
use aes_gcm::aead::{Aead, Generate, Key, KeyInit, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use hmac::{Hmac, Mac};
use jsonwebtoken::{DecodingKey, EncodingKey};
use sha2::Sha256;

use crate::config::Config;

use super::key_file::{Found, KeyError, Lines};

/// The keys of this installation. Every node of one database must hold the same.
pub struct Keys {
    /// Signs login tokens.
    pub signing: EncodingKey,
    /// Any of them verifies: the one that signs, and the one beside it.
    checking: Vec<DecodingKey>,
    /// Any of them opens; the first seals.
    ciphers: Vec<Aes256Gcm>,
    /// Keys the look-up hashes. Of the data key at first; the database keeps it when that changes.
    hash: [u8; 32],
    /// Tells this data key from another and nothing else of it.
    fingerprint: String,
    /// Likewise of the secrets: of the one that signs, and of all.
    secrets: Vec<String>,
}

/// A stored secret that this installation's key does not open.
#[derive(Debug, thiserror::Error)]
#[error("a stored value cannot be decrypted with this data key")]
pub struct WrongKey;

impl Keys {
    /// Takes the keys from the settings, else from the data folder, which exists, where they are
    /// made once. Whether they are the database's is asked by [`crate::key_check`].
    pub fn load(config: &Config) -> Result<Keys, KeyError> {
        Found::look(config)?.or_make(config)
    }

    /// The keys of two settings or files whose form is right.
    pub(super) fn of(secret: &Lines, data: &Lines) -> Keys {
        let bytes = |key: &String| <[u8; 32]>::try_from(hex::decode(key).expect("hex digits")).expect("64 of them");
        let mut keys = Keys::new(secret.current.as_bytes(), &bytes(&data.current));
        if let Some(other) = &secret.other {
            keys.checking.push(DecodingKey::from_secret(other.as_bytes()));
            keys.secrets.push(secret_fingerprint(other.as_bytes()));
        }
        keys.ciphers.extend(data.other.iter().map(|other| cipher(&bytes(other))));
        keys
    }

    /// Makes keys of given bytes.
    pub fn new(secret: &[u8], data_key: &[u8; 32]) -> Keys {
        Keys {
            signing: EncodingKey::from_secret(secret),
            checking: vec![DecodingKey::from_secret(secret)],
            ciphers: vec![cipher(data_key)],
            // A key of its own for look-ups, so that hashes tell nothing about the cipher's key.
            hash: hmac(data_key, b"leadlane look-up hash"),
            fingerprint: data_fingerprint(data_key),
            secrets: vec![secret_fingerprint(secret)],
        }
    }

    /// The keys that tokens may be signed with.
    pub fn checking(&self) -> impl Iterator<Item = &DecodingKey> {
        self.checking.iter()
    }

    /// Encrypts a text (AES-256-GCM, a fresh nonce in front, Base64).
    pub fn encrypt(&self, text: &str) -> String {
        let nonce = Nonce::<Aes256Gcm>::generate();
        let mut sealed = nonce.to_vec();
        sealed.extend(self.ciphers[0].encrypt(&nonce, text.as_bytes()).expect("a short text encrypts"));
        BASE64.encode(sealed)
    }

    /// Decrypts what [`Keys::encrypt`] made.
    pub fn decrypt(&self, sealed: &str) -> Result<String, WrongKey> {
        self.ciphers.iter().find_map(|cipher| opened(cipher, sealed)).ok_or(WrongKey)
    }

    /// Whether the key that seals now opens a value, and not only the one beside it.
    pub fn is_current(&self, sealed: &str) -> bool {
        opened(&self.ciphers[0], sealed).is_some()
    }

    /// Keyed hash for exact look-up of an encrypted value (HMAC-SHA256, hex).
    pub fn lookup_hash(&self, text: &str) -> String {
        hex::encode(hmac(&self.hash, text.as_bytes()))
    }

    /// What tells this data key from another: for people and for manifests.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// What tells the secret that signs from another.
    pub fn secret_fingerprint(&self) -> &str {
        &self.secrets[0]
    }

    /// Whether a fingerprint is that of a secret that verifies here.
    pub fn knows_secret(&self, fingerprint: &str) -> bool {
        self.secrets.iter().any(|known| known == fingerprint)
    }

    /// The key of the look-up hashes, sealed: what a database keeps to know its data key by.
    pub fn sealed_hash_key(&self) -> String {
        self.encrypt(&hex::encode(self.hash))
    }

    /// Takes the look-up key that a database keeps.
    pub fn take_hash_key(&mut self, sealed: &str) -> Result<(), WrongKey> {
        let text = self.decrypt(sealed)?;
        self.hash = hex::decode(text).ok().and_then(|bytes| bytes.try_into().ok()).ok_or(WrongKey)?;
        Ok(())
    }
}

impl Lines {
    /// Whether these are data keys of which one opens a value.
    pub fn opens(&self, sealed: &str) -> bool {
        self.open(sealed).is_some()
    }

    /// Opens a value with one of these data keys.
    pub fn open(&self, sealed: &str) -> Option<String> {
        self.data_keys().find_map(|key| opened(&cipher(&key), sealed))
    }

    /// The fingerprints of these data keys.
    pub fn data_fingerprints(&self) -> Vec<String> {
        self.data_keys().map(|key| data_fingerprint(&key)).collect()
    }

    fn data_keys(&self) -> impl Iterator<Item = [u8; 32]> {
        self.all().filter_map(|key| hex::decode(key).ok()?.try_into().ok())
    }

    /// The fingerprints of these secrets.
    pub fn fingerprints(&self) -> Vec<String> {
        self.all().map(|key| secret_fingerprint(key.as_bytes())).collect()
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.current).chain(&self.other)
    }
}

fn cipher(data_key: &[u8; 32]) -> Aes256Gcm {
    Aes256Gcm::new(&Key::<Aes256Gcm>::from(*data_key))
}

fn opened(cipher: &Aes256Gcm, sealed: &str) -> Option<String> {
    let bytes = BASE64.decode(sealed).ok()?;
    let (nonce, body) = bytes.split_at_checked(12)?;
    let nonce = Nonce::<Aes256Gcm>::try_from(nonce).ok()?;
    String::from_utf8(cipher.decrypt(&nonce, body).ok()?).ok()
}

fn data_fingerprint(data_key: &[u8; 32]) -> String {
    hex::encode(&hmac(data_key, b"leadlane fingerprint")[..8])
}

fn secret_fingerprint(secret: &[u8]) -> String {
    hex::encode(&hmac(secret, b"leadlane fingerprint")[..8])
}

fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(current: &str, other: Option<&str>) -> Lines {
        Lines { place: "a test".to_owned(), current: current.to_owned(), other: other.map(str::to_owned) }
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
    fn look_up_hashes_depend_on_the_key_and_are_what_they_were() {
        let keys = Keys::new(b"s", &[1; 32]);
        assert_ne!(keys.lookup_hash("x"), Keys::new(b"s", &[2; 32]).lookup_hash("x"));
        // Stored for good by every database that there is.
        assert_eq!(keys.lookup_hash("13800138000"), "07699526d35964493f50f6a304728f30ac48669521816abb168ecbd851bc074c");
    }

    /// S-L6: a data key is changed, and what is stored is found and opened as before.
    #[test]
    fn a_key_beside_the_one_in_use_opens_and_seals_nothing() {
        let (old, new) = ("a1".repeat(32), "b2".repeat(32));
        let before = Keys::of(&lines("s", None), &lines(&old, None));
        let (sealed, hash, check) = (before.encrypt("x"), before.lookup_hash("x"), before.sealed_hash_key());

        let mut between = Keys::of(&lines("s", None), &lines(&new, Some(&old)));
        between.take_hash_key(&check).unwrap();
        assert_eq!((between.decrypt(&sealed).unwrap().as_str(), between.lookup_hash("x")), ("x", hash.clone()));
        assert!(!between.is_current(&sealed) && between.is_current(&between.encrypt("x")));

        let mut after = Keys::of(&lines("s", None), &lines(&new, None));
        assert!(after.take_hash_key(&check).is_err(), "not before it is sealed anew");
        after.take_hash_key(&between.sealed_hash_key()).unwrap();
        assert_eq!(after.lookup_hash("x"), hash);
        assert!(after.decrypt(&sealed).is_err());
    }

    #[test]
    fn a_fingerprint_tells_keys_apart_and_not_what_they_are() {
        let (one, other) = (Keys::new(b"s", &[1; 32]), Keys::new(b"t", &[2; 32]));
        assert_ne!(one.fingerprint(), other.fingerprint());
        assert_ne!(one.secret_fingerprint(), other.secret_fingerprint());
        let both = Keys::of(&lines("t", Some("s")), &lines(&"02".repeat(32), None));
        assert_eq!(both.fingerprint(), other.fingerprint());
        assert!(both.knows_secret(one.secret_fingerprint()) && !one.knows_secret(both.secret_fingerprint()));
    }
}
