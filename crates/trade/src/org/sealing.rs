//! Sealing of messages to an organisation, the same for the test of its settings and for delivery.
//!
//! - `none`: the JSON as it is.
//! - `aes`: `{"data": D}`, D the Base64 of a fresh nonce of 12 bytes, the JSON under AES-GCM with the organisation's
//!   key (128, 192 or 256 bits), and the tag of 16 bytes.
//! - `rsa_aes`: `{"key": K, "data": D}`: D under a key of 256 bits made for this message, K the Base64 of that key
//!   under the organisation's public key (RSA-OAEP, SHA-256).

use aes_gcm::aead::consts::U12;
use aes_gcm::aead::{Aead, KeyInit, Nonce};
use aes_gcm::aes::Aes192;
use aes_gcm::{Aes128Gcm, Aes256Gcm, AesGcm};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rsa::pkcs8::DecodePublicKey;
use rsa::traits::PublicKeyParts;
use rsa::{Oaep, RsaPublicKey};

use super::delivery::OrgCrypto;
use base::form_limits;

form_limits! {
    /// Of the delivery by API.
    delivery {
        /// Bytes of an RSA key's text.
        KEY: usize = 2000,
    }
}

/// Bytes of a nonce.
const NONCE: usize = 12;
/// Bytes of a key that is made for one message.
const MESSAGE_KEY: usize = 32;

/// The fewest bits of an organisation's RSA key.
const LEAST_BITS: usize = 2048;

/// A key that cannot be used for sealing.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    #[error("there is no key")]
    NoKey,
    #[error("the key is none of its kind")]
    WrongKey,
}

/// The body of a request whose JSON is `plain`; `key` is the organisation's key in use, as it was
/// entered: hex for AES, PEM for RSA.
pub fn seal(crypto: OrgCrypto, key: Option<&str>, plain: &str) -> Result<String, SealError> {
    match crypto {
        OrgCrypto::None => Ok(plain.to_owned()),
        OrgCrypto::Aes => {
            let key = hex::decode(key.ok_or(SealError::NoKey)?.trim()).map_err(|_| SealError::WrongKey)?;
            Ok(serde_json::json!({ "data": data(&key, plain)? }).to_string())
        }
        OrgCrypto::RsaAes => {
            let public = RsaPublicKey::from_public_key_pem(key.ok_or(SealError::NoKey)?.trim()).map_err(|_| SealError::WrongKey)?;
            let message_key: [u8; MESSAGE_KEY] = rand::random();
            let wrapped = public.encrypt(&mut rsa::rand_core::OsRng, Oaep::new::<rsa::sha2::Sha256>(), &message_key);
            let wrapped = BASE64.encode(wrapped.map_err(|_| SealError::WrongKey)?);
            Ok(serde_json::json!({ "key": wrapped, "data": data(&message_key, plain)? }).to_string())
        }
    }
}

/// Whether a text is the PEM of an RSA key that may be entered: complete, and of 2048 bits or more. One of more than
/// 4096 cannot be used.
pub fn is_public_key(text: &str) -> bool {
    text.len() <= KEY && RsaPublicKey::from_public_key_pem(text.trim()).is_ok_and(|key| key.n().bits() >= LEAST_BITS)
}

fn data(key: &[u8], plain: &str) -> Result<String, SealError> {
    let nonce: [u8; NONCE] = rand::random();
    let mut sealed = nonce.to_vec();
    sealed.extend(gcm(key, nonce, plain.as_bytes()).ok_or(SealError::WrongKey)?);
    Ok(BASE64.encode(sealed))
}

/// AES-GCM by the key's length: the text under it, and the tag.
fn gcm(key: &[u8], nonce: [u8; NONCE], plain: &[u8]) -> Option<Vec<u8>> {
    fn under<C: Aead + KeyInit>(key: &[u8], nonce: [u8; NONCE], plain: &[u8]) -> Option<Vec<u8>> {
        let nonce = Nonce::<C>::try_from(nonce.as_slice()).ok()?;
        C::new_from_slice(key).ok()?.encrypt(&nonce, plain).ok()
    }
    match key.len() {
        16 => under::<Aes128Gcm>(key, nonce, plain),
        24 => under::<AesGcm<Aes192, U12>>(key, nonce, plain),
        32 => under::<Aes256Gcm>(key, nonce, plain),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rsa::RsaPrivateKey;
    use rsa::pkcs8::{EncodePublicKey, LineEnding};
    use serde_json::Value;

    use super::*;

    fn opened(key: &[u8], data: &str) -> String {
        let bytes = BASE64.decode(data).unwrap();
        let (nonce, body) = bytes.split_at(NONCE);
        let nonce = Nonce::<Aes256Gcm>::try_from(nonce).unwrap();
        String::from_utf8(Aes256Gcm::new_from_slice(key).unwrap().decrypt(&nonce, body).unwrap()).unwrap()
    }

    /// The test cases 1, 3, 7 and 13 of "The Galois/Counter Mode of Operation" (McGrew, Viega).
    #[test]
    fn known_vectors() {
        let bytes = |text: &str| hex::decode(text).unwrap();
        let zero = [0; NONCE];
        for (key, tag) in
            [(16, "58e2fccefa7e3061367f1d57a4e7455a"), (24, "cd33b28ac773f74ba00ed1f312572435"), (32, "530f8afbc74536b9a963b4f1c4cb738b")]
        {
            assert_eq!(gcm(&vec![0; key], zero, b""), Some(bytes(tag)), "{key}");
        }
        let plain = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255";
        let sealed = "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985";
        let nonce: [u8; NONCE] = bytes("cafebabefacedbaddecaf888").try_into().unwrap();
        let found = gcm(&bytes("feffe9928665731c6d6a8f9467308308"), nonce, &bytes(plain)).unwrap();
        assert_eq!(hex::encode(found), format!("{sealed}4d5c2af327cd64a62cf35abd2ba6fab4"));
    }

    #[test]
    fn what_is_not_sealed_stays_as_it_is() {
        assert_eq!(seal(OrgCrypto::None, None, r#"{"a":1}"#).unwrap(), r#"{"a":1}"#);
    }

    #[test]
    fn each_message_has_its_own_nonce() {
        let key = "00".repeat(32);
        let body = |_| serde_json::from_str::<Value>(&seal(OrgCrypto::Aes, Some(&key), "你好").unwrap()).unwrap();
        let (first, second) = (body(1), body(2));
        assert_ne!(first["data"], second["data"]);
        assert_eq!(opened(&[0; 32], first["data"].as_str().unwrap()), "你好");
    }

    /// S-L9: keys of 1024 bits were once accepted, by their frame and length.
    #[test]
    fn a_short_or_broken_public_key_is_refused() {
        let pem = |bits| {
            let private = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, bits).unwrap();
            private.to_public_key().to_public_key_pem(LineEnding::LF).unwrap()
        };
        let good = pem(2048);
        assert!(is_public_key(&good) && is_public_key(&format!("\n{good}\n")));
        assert!(!is_public_key(&pem(1024)) && !is_public_key(&pem(2040)));
        for bad in
            ["", "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----", &good[..good.len() - 40], &good.replace("PUBLIC", "PRIVATE")]
        {
            assert!(!is_public_key(bad), "{bad}");
        }
    }

    #[test]
    fn a_message_key_goes_along_under_the_public_key() {
        let private = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048).unwrap();
        let pem = private.to_public_key().to_public_key_pem(LineEnding::LF).unwrap();
        let body: Value = serde_json::from_str(&seal(OrgCrypto::RsaAes, Some(&pem), "你好").unwrap()).unwrap();
        let wrapped = BASE64.decode(body["key"].as_str().unwrap()).unwrap();
        let key = private.decrypt(Oaep::new::<rsa::sha2::Sha256>(), &wrapped).unwrap();
        assert_eq!(opened(&key, body["data"].as_str().unwrap()), "你好");
    }

    #[test]
    fn a_wrong_key_is_an_error() {
        assert_eq!(seal(OrgCrypto::Aes, None, "{}"), Err(SealError::NoKey));
        for key in ["xyz", "00", &"00".repeat(31)] {
            assert_eq!(seal(OrgCrypto::Aes, Some(key), "{}"), Err(SealError::WrongKey), "{key}");
        }
        assert_eq!(
            seal(OrgCrypto::RsaAes, Some("-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"), "{}"),
            Err(SealError::WrongKey)
        );
    }
}
