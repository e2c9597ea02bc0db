//! RSA keys of payment channels as staff enter them, and signatures by RSASSA-PKCS1-v1_5 with SHA-256, which both
//! providers use.
//!
//! `ring` signs and verifies: it computes in constant time and checks its own result, so that neither the time nor a
//! wrong result reveals anything about a merchant's private key. The `rsa` crate only reads the public keys.

use base::form_limits;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey};
use rsa::RsaPublicKey;
use rsa::pkcs1::{DecodeRsaPublicKey, EncodeRsaPublicKey};
use rsa::pkcs8::DecodePublicKey;
use rsa::traits::PublicKeyParts;

/// Fewest bits of a public key. Private keys must have 2048 to 4096, which is what `ring` accepts.
const LEAST_BITS: usize = 2048;

form_limits! {
    /// Of a payee channel.
    payeeChannel {
        /// Bytes of a key's text.
        KEY: usize = 8000,
    }
}

/// The bytes of a key, from a PEM or from its Base64 without the PEM's lines, as providers' tools give it.
fn der(text: &str) -> Option<Vec<u8>> {
    let body: String = text.lines().filter(|line| !line.starts_with("-----")).flat_map(str::chars).filter(|c| !c.is_whitespace()).collect();
    (text.len() <= KEY).then(|| BASE64.decode(body).ok()).flatten()
}

/// A merchant's private key.
pub struct PrivateKey(RsaKeyPair);

/// A provider's public key, as the DER of its PKCS #1 form.
pub struct PublicKey(UnparsedPublicKey<Vec<u8>>);

/// A private key of 2048 to 4096 bits, PKCS #8 or PKCS #1.
pub fn private(text: &str) -> Option<PrivateKey> {
    let der = der(text)?;
    RsaKeyPair::from_pkcs8(&der).or_else(|_| RsaKeyPair::from_der(&der)).ok().map(PrivateKey)
}

/// A public key of 2048 to 4096 bits, SubjectPublicKeyInfo or PKCS #1.
pub fn public(text: &str) -> Option<PublicKey> {
    let der = der(text)?;
    let key = RsaPublicKey::from_public_key_der(&der).or_else(|_| RsaPublicKey::from_pkcs1_der(&der)).ok()?;
    let bytes = key.to_pkcs1_der().ok()?.into_vec();
    (key.n().bits() >= LEAST_BITS).then(|| PublicKey(UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, bytes)))
}

/// The signature of a text, in Base64.
pub fn sign(key: &PrivateKey, text: &str) -> String {
    let mut signature = vec![0; key.0.public().modulus_len()];
    key.0.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature).expect("a checked key signs");
    BASE64.encode(signature)
}

/// Whether a signature in Base64 is that of a text.
pub fn verifies(key: &PublicKey, text: &[u8], signature: &str) -> bool {
    BASE64.decode(signature).is_ok_and(|bytes| key.0.verify(text, &bytes).is_ok())
}

#[cfg(test)]
mod tests {
    use rsa::RsaPrivateKey;
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
