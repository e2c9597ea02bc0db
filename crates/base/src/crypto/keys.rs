//! The keys in use: sealing, opening, keyed hashes, and the keys of tokens.

use aes_gcm::Aes256Gcm;
use aes_gcm::aead::{Aead, Generate, Key, KeyInit, Nonce, Payload};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use jsonwebtoken::{DecodingKey, EncodingKey};
use sha2::Sha256;

use crate::config::Config;

use super::key_file::{Found, KeyError, Lines};
use super::place::{self, Place};

/// The prefix of a sealed value, which is not Base64: the kind of seal. Values of older versions have none, and are
/// not bound to a place.
const MARK: &str = "2.";

/// The row of a database's check of its data key.
const DATA_CHECK: &str = "data";

/// The keys of this installation. Every node of one database must hold the same.
pub struct Keys {
    /// Signs login tokens.
    pub signing: EncodingKey,
    /// All of them verify: the one that signs, and the second one.
    checking: Vec<DecodingKey>,
    /// All of them open; the first seals.
    seals: Vec<Seal>,
    /// Whether values of older versions, which are not bound to a place, are read.
    reads_unbound: bool,
    /// The key of the look-up hashes. Initially derived from the data key; the database keeps it when that changes.
    hash: [u8; 32],
    /// Distinguishes this data key from others and reveals nothing else.
    fingerprint: String,
    /// Likewise for the secrets: the one that signs, and all of them.
    secrets: Vec<String>,
}

/// A stored secret that this installation's key cannot open.
#[derive(Debug, thiserror::Error)]
#[error("a stored value cannot be decrypted with this data key, or was not sealed for where it stands")]
pub struct WrongKey;

impl Keys {
    /// Takes the keys from the settings, otherwise from the existing data folder, where they are made once.
    /// [`crate::key_check`] checks whether they belong to the database.
    pub fn load(config: &Config) -> Result<Keys, KeyError> {
        Found::look(config)?.or_make(config)
    }

    /// The keys from two settings or files in the right form.
    pub(super) fn of(secret: &Lines, data: &Lines) -> Keys {
        let bytes = |key: &String| <[u8; 32]>::try_from(hex::decode(key).expect("hex digits")).expect("64 of them");
        let mut keys = Keys::new(secret.current.as_bytes(), &bytes(&data.current));
        if let Some(other) = &secret.other {
            keys.checking.push(DecodingKey::from_secret(other.as_bytes()));
            keys.secrets.push(secret_fingerprint(other.as_bytes()));
        }
        keys.seals.extend(data.other.iter().map(|other| Seal::of(&bytes(other))));
        keys
    }

    /// Makes keys from bytes.
    pub fn new(secret: &[u8], data_key: &[u8; 32]) -> Keys {
        Keys {
            signing: EncodingKey::from_secret(secret),
            checking: vec![DecodingKey::from_secret(secret)],
            seals: vec![Seal::of(data_key)],
            reads_unbound: false,
            // A separate key for look-ups, so that hashes reveal nothing about the cipher's key.
            hash: hmac(data_key, b"leadlane look-up hash"),
            fingerprint: data_fingerprint(data_key),
            secrets: vec![secret_fingerprint(secret)],
        }
    }

    /// The keys that tokens may be signed with.
    pub fn checking(&self) -> impl Iterator<Item = &DecodingKey> {
        self.checking.iter()
    }

    /// Encrypts a text for its place: `2.` and, in Base64, a fresh nonce and the result of AES-256-GCM, with the
    /// place as associated data.
    pub fn seal(&self, place: &Place, text: &str) -> String {
        self.seals[0].seal(place, text)
    }

    /// Decrypts a result of [`Keys::seal`] for this place; also a value without a place, in a database that may hold
    /// such values.
    pub fn open(&self, place: &Place, sealed: &str) -> Result<String, WrongKey> {
        let unbound = || self.reads_unbound.then(|| self.seals.iter().find_map(|seal| seal.open_unbound(sealed))).flatten();
        self.seals.iter().find_map(|seal| seal.open(place, sealed)).or_else(unbound).ok_or(WrongKey)
    }

    /// Whether a value is sealed as now: bound to its place, and with the key in use.
    pub fn is_current(&self, place: &Place, sealed: &str) -> bool {
        self.seals[0].open(place, sealed).is_some()
    }

    /// Allows values of older versions, which are not bound to a place, from now on.
    pub fn read_unbound(&mut self) {
        self.reads_unbound = true;
    }

    /// Keyed hash for exact look-up of an encrypted value (HMAC-SHA256, hex). Values that could be mistaken for
    /// others begin with their kind, for example codes and visitors; phones, identity numbers and addresses differ by
    /// their form, and their hashes are stored forever.
    pub fn lookup_hash(&self, text: &str) -> String {
        hex::encode(hmac(&self.hash, text.as_bytes()))
    }

    /// The key of the audit trail's hashes.
    pub fn trail_key(&self) -> TrailKey {
        TrailKey(self.of_lookups(b"leadlane audit trail"))
    }

    /// The key of the ledger's hashes.
    pub fn ledger_key(&self) -> LedgerKey {
        LedgerKey(self.of_lookups(b"leadlane ledger"))
    }

    /// A key for a purpose, derived from the key of look-ups, so that it stays when the data key is changed.
    fn of_lookups(&self, purpose: &[u8]) -> [u8; 32] {
        let mut key = [0; 32];
        Hkdf::<Sha256>::new(None, &self.hash).expand(purpose, &mut key).expect("one block");
        key
    }

    /// The fingerprint of this data key: for people and for manifests.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The fingerprint of the secret that signs.
    pub fn secret_fingerprint(&self) -> &str {
        &self.secrets[0]
    }

    /// Whether a fingerprint belongs to a secret that verifies here.
    pub fn knows_secret(&self, fingerprint: &str) -> bool {
        self.secrets.iter().any(|known| known == fingerprint)
    }

    /// The key of the look-up hashes, sealed: a database stores it to recognise its data key.
    pub fn sealed_hash_key(&self) -> String {
        self.seal(&place::KEY_CHECK.of(DATA_CHECK), &hex::encode(self.hash))
    }

    /// Takes the look-up key that a database stores.
    pub fn take_hash_key(&mut self, sealed: &str) -> Result<(), WrongKey> {
        // In either form, since this is read before it is known which values the database may hold.
        let place = place::KEY_CHECK.of(DATA_CHECK);
        let text = self.seals.iter().find_map(|seal| seal.open_either(&place, sealed)).ok_or(WrongKey)?;
        self.hash = hex::decode(text).ok().and_then(|bytes| bytes.try_into().ok()).ok_or(WrongKey)?;
        Ok(())
    }
}

/// The key of the audit trail's hashes: derived from the key of look-ups, so that it stays when the data key is
/// changed.
#[derive(Clone)]
pub struct TrailKey([u8; 32]);

impl TrailKey {
    /// The keyed hash of bytes (HMAC-SHA256, hex).
    pub fn hash(&self, what: &[u8]) -> String {
        hex::encode(hmac(&self.0, what))
    }
}

/// The key of the ledger's hashes: likewise derived from the key of look-ups.
#[derive(Clone)]
pub struct LedgerKey([u8; 32]);

impl LedgerKey {
    /// The keyed hash of bytes (HMAC-SHA256, hex).
    pub fn hash(&self, what: &[u8]) -> String {
        hex::encode(hmac(&self.0, what))
    }

    /// The key itself, in hex, for an auditor who recomputes the hashes.
    pub fn text(&self) -> String {
        hex::encode(self.0)
    }
}

impl Lines {
    /// Whether one of these data keys opens a value, bound to its place or not.
    pub fn opens(&self, place: &Place, sealed: &str) -> bool {
        self.open(place, sealed).is_some()
    }

    /// Opens a value, bound to its place or from an older version, with one of these data keys.
    pub fn open(&self, place: &Place, sealed: &str) -> Option<String> {
        self.data_keys().find_map(|key| Seal::of(&key).open_either(place, sealed))
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

/// The cipher of one data key.
struct Seal {
    cipher: Aes256Gcm,
    /// The data key itself, for values that are not bound to a place.
    unbound: Aes256Gcm,
}

impl Seal {
    fn of(data_key: &[u8; 32]) -> Seal {
        let mut key = [0; 32];
        Hkdf::<Sha256>::new(None, data_key).expand(b"leadlane sealed values 2", &mut key).expect("one block");
        let cipher = |key: [u8; 32]| Aes256Gcm::new(&Key::<Aes256Gcm>::from(key));
        Seal { cipher: cipher(key), unbound: cipher(*data_key) }
    }

    fn seal(&self, place: &Place, text: &str) -> String {
        let nonce = Nonce::<Aes256Gcm>::generate();
        let mut sealed = nonce.to_vec();
        let payload = Payload { msg: text.as_bytes(), aad: place.bytes() };
        sealed.extend(self.cipher.encrypt(&nonce, payload).expect("a short text encrypts"));
        format!("{MARK}{}", BASE64.encode(sealed))
    }

    fn open(&self, place: &Place, sealed: &str) -> Option<String> {
        opened(&self.cipher, sealed.strip_prefix(MARK)?, place.bytes())
    }

    fn open_unbound(&self, sealed: &str) -> Option<String> {
        opened(&self.unbound, sealed, &[])
    }

    fn open_either(&self, place: &Place, sealed: &str) -> Option<String> {
        self.open(place, sealed).or_else(|| self.open_unbound(sealed))
    }
}

fn opened(cipher: &Aes256Gcm, sealed: &str, aad: &[u8]) -> Option<String> {
    let bytes = BASE64.decode(sealed).ok()?;
    let (nonce, msg) = bytes.split_at_checked(12)?;
    let nonce = Nonce::<Aes256Gcm>::try_from(nonce).ok()?;
    String::from_utf8(cipher.decrypt(&nonce, Payload { msg, aad }).ok()?).ok()
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

    fn somewhere() -> Place {
        place::APPLICANT_PHONE.of("U1")
    }

    #[test]
    fn what_is_encrypted_decrypts_only_with_its_key_and_untouched() {
        let (keys, place) = (Keys::new(b"s", &[1; 32]), somewhere());
        let sealed = keys.seal(&place, "13800138000");
        assert_ne!(sealed, keys.seal(&place, "13800138000"), "a fresh nonce each time");
        assert_eq!(keys.open(&place, &sealed).unwrap(), "13800138000");
        assert!(Keys::new(b"s", &[2; 32]).open(&place, &sealed).is_err());
        let mut touched = sealed.clone();
        touched.replace_range(20..21, if &sealed[20..21] == "A" { "B" } else { "A" });
        assert!(keys.open(&place, &touched).is_err());
        assert!(keys.open(&place, "").is_err() && keys.open(&place, MARK).is_err());
    }

    /// S-L6: a value opens in its own place, and nowhere else.
    #[test]
    fn a_value_is_bound_to_where_it_stands() {
        let mut keys = Keys::new(b"s", &[1; 32]);
        let sealed = keys.seal(&somewhere(), "13800138000");
        assert!(sealed.starts_with(MARK));
        keys.read_unbound();
        for elsewhere in [place::APPLICANT_PHONE.of("U2"), place::APPLICANT_NAME.of("U1"), place::APPLICANT_PHONE.of("U1\n")] {
            assert!(keys.open(&elsewhere, &sealed).is_err(), "{elsewhere:?}");
        }
        assert!(keys.open(&somewhere(), sealed.strip_prefix(MARK).unwrap()).is_err(), "it is not taken for one of before");
    }

    /// S-L6: a value of an older version opens if the database may hold such values, and is then sealed again.
    #[test]
    fn a_value_of_before_is_read_where_there_may_be_such() {
        // The result of another program's AES-256-GCM.
        let before = "AAECAwQFBgcICQoLipWtFhDPNUHOWtdiP1mhquLz+L5qf4ie/jrJ";
        let mut keys = Keys::new(b"s", &[1; 32]);
        assert!(keys.open(&somewhere(), before).is_err());
        keys.read_unbound();
        assert_eq!(keys.open(&somewhere(), before).unwrap(), "13800138000");
        assert!(!keys.is_current(&somewhere(), before));
        assert!(keys.is_current(&somewhere(), &keys.seal(&somewhere(), "13800138000")));
        let lines = lines(&"01".repeat(32), None);
        assert!(lines.opens(&somewhere(), before) && !lines.opens(&place::KEY_CHECK.of("x"), &keys.seal(&somewhere(), "y")));
    }

    #[test]
    fn look_up_hashes_depend_on_the_key_and_are_what_they_were() {
        let keys = Keys::new(b"s", &[1; 32]);
        assert_ne!(keys.lookup_hash("x"), Keys::new(b"s", &[2; 32]).lookup_hash("x"));
        // Stored forever in every existing database.
        assert_eq!(keys.lookup_hash("13800138000"), "07699526d35964493f50f6a304728f30ac48669521816abb168ecbd851bc074c");
    }

    /// S-L6: after a change of the data key, stored values are found and opened as before.
    #[test]
    fn a_key_beside_the_one_in_use_opens_and_seals_nothing() {
        let (old, new) = ("a1".repeat(32), "b2".repeat(32));
        let before = Keys::of(&lines("s", None), &lines(&old, None));
        let (sealed, hash, check) = (before.seal(&somewhere(), "x"), before.lookup_hash("x"), before.sealed_hash_key());

        let mut between = Keys::of(&lines("s", None), &lines(&new, Some(&old)));
        between.take_hash_key(&check).unwrap();
        assert_eq!((between.open(&somewhere(), &sealed).unwrap().as_str(), between.lookup_hash("x")), ("x", hash.clone()));
        assert!(!between.is_current(&somewhere(), &sealed));
        assert!(between.is_current(&somewhere(), &between.seal(&somewhere(), "x")));

        let mut after = Keys::of(&lines("s", None), &lines(&new, None));
        assert!(after.take_hash_key(&check).is_err(), "not before it is sealed anew");
        after.take_hash_key(&between.sealed_hash_key()).unwrap();
        assert_eq!(after.lookup_hash("x"), hash);
        assert_eq!(after.trail_key().hash(b"x"), before.trail_key().hash(b"x"));
        assert_eq!(after.ledger_key().text(), before.ledger_key().text());
        assert_ne!(after.ledger_key().hash(b"x"), after.trail_key().hash(b"x"));
        assert!(after.open(&somewhere(), &sealed).is_err());
    }

    #[test]
    fn fingerprints_distinguish_keys_without_revealing_them() {
        let (one, other) = (Keys::new(b"s", &[1; 32]), Keys::new(b"t", &[2; 32]));
        assert_ne!(one.fingerprint(), other.fingerprint());
        assert_ne!(one.secret_fingerprint(), other.secret_fingerprint());
        let both = Keys::of(&lines("t", Some("s")), &lines(&"02".repeat(32), None));
        assert_eq!(both.fingerprint(), other.fingerprint());
        assert!(both.knows_secret(one.secret_fingerprint()) && !one.knows_secret(both.secret_fingerprint()));
    }
}
