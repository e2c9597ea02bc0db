//! RSA keys of payment channels as staff enter them, and signatures by RSASSA-PKCS1-v1_5 with SHA-256, which both providers use.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rsa::pkcs1::{DecodeRsaPrivateKey, DecodeRsaPublicKey};
use rsa::pkcs1v15::{Signature, SigningKey, VerifyingKey};
use rsa::pkcs8::{DecodePrivateKey, DecodePublicKey};
use rsa::sha2::Sha256;
use rsa::signature::{SignatureEncoding, Signer, Verifier};
use rsa::traits::PublicKeyParts;
use rsa::{RsaPrivateKey, RsaPublicKey};

/// Bits of a key, at least.
const LEAST_BITS: usize = 2048;
/// Bytes of a key's text, at most.
const LONGEST: usize = 8000;

/// The bytes of a key: of a PEM or of its Base64 alone, as providers' tools give it.
fn der(text: &str) -> Option<Vec<u8>> {
    let body: String = text.lines().filter(|line| !line.starts_with("-----")).flat_map(str::chars).filter(|c| !c.is_whitespace()).collect();
    (text.len() <= LONGEST).then(|| BASE64.decode(body).ok()).flatten()
}

/// A private key, PKCS #8 or PKCS #1.
pub fn private(text: &str) -> Option<RsaPrivateKey> {
    let der = der(text)?;
    let key = RsaPrivateKey::from_pkcs8_der(&der).or_else(|_| RsaPrivateKey::from_pkcs1_der(&der)).ok()?;
    (key.n().bits() >= LEAST_BITS).then_some(key)
}

/// A public key, SubjectPublicKeyInfo or PKCS #1.
pub fn public(text: &str) -> Option<RsaPublicKey> {
    let der = der(text)?;
    let key = RsaPublicKey::from_public_key_der(&der).or_else(|_| RsaPublicKey::from_pkcs1_der(&der)).ok()?;
    (key.n().bits() >= LEAST_BITS).then_some(key)
}

/// The signature of a text, in Base64.
pub fn sign(key: &RsaPrivateKey, text: &str) -> String {
    BASE64.encode(SigningKey::<Sha256>::new(key.clone()).sign(text.as_bytes()).to_bytes())
}

/// Whether a signature in Base64 is that of a text.
pub fn verifies(key: &RsaPublicKey, text: &[u8], signature: &str) -> bool {
    let Ok(bytes) = BASE64.decode(signature) else { return false };
    let Ok(signature) = Signature::try_from(bytes.as_slice()) else { return false };
    VerifyingKey::<Sha256>::new(key.clone()).verify(text, &signature).is_ok()
}

#[cfg(test)]
mod tests {
    use rsa::pkcs1::EncodeRsaPrivateKey;
    use rsa::pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding};

    use super::*;

    #[test]
    fn keys_are_read_as_tools_write_them_and_sign_for_each_other() {
        let made = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048).unwrap();
        let pem = made.to_pkcs8_pem(LineEnding::CRLF).unwrap();
        let bare = BASE64.encode(made.to_pkcs1_der().unwrap().as_bytes());
        let public_pem = made.to_public_key().to_public_key_pem(LineEnding::LF).unwrap();
        let public_bare: String = public_pem.lines().filter(|line| !line.starts_with('-')).collect();
        for text in [pem.as_str(), bare.as_str()] {
            let signature = sign(&private(text).unwrap(), "文本");
            for text in [public_pem.as_str(), public_bare.as_str()] {
                let key = public(text).unwrap();
                assert!(verifies(&key, "文本".as_bytes(), &signature));
                assert!(!verifies(&key, "文".as_bytes(), &signature));
                assert!(!verifies(&key, "文本".as_bytes(), "AAAA") && !verifies(&key, "文本".as_bytes(), "&"));
            }
        }
        assert!(private(&public_pem).is_none() && public(&pem).is_none() && private("").is_none());
        let short = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 1024).unwrap();
        assert!(private(&short.to_pkcs8_pem(LineEnding::LF).unwrap()).is_none());
    }
}
