//! Encrypted files: AES-256-GCM, in numbered pieces of which the last is marked, so that a file that was changed,
//! exchanged or cut is not read to its end. Each file has its own key. That of an export is derived from the
//! installation's key of hashes and the file's name; that of any other file is random ([`FileKey`]), and is stored
//! with the file's name, encrypted.

use std::io;

use aes_gcm::Aes256Gcm;
use aes_gcm::aead::{Aead, Key, KeyInit, Nonce};
use bytes::{Bytes, BytesMut};
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};

use super::{Storage, Stored, Writer};
use crate::crypto::Keys;

/// The beginning of a file whose key is derived from its name, and of one with a random key.
const MARK: &[u8] = b"LLSEALED1\n";
const MARK_OF_OWN_KEY: &[u8] = b"LLSEALED2\n";
const _: () = assert!(MARK.len() == MARK_OF_OWN_KEY.len());
/// Bytes of a piece before encryption, except the last one.
const PIECE: usize = 64 * 1024;
/// Bytes that encryption adds to a piece.
const TAG: usize = 16;

/// The key of one file. It encrypts one content once.
pub struct FileKey([u8; 32]);

impl FileKey {
    /// A new key.
    pub fn random() -> FileKey {
        FileKey(rand::random())
    }

    /// The key from [`FileKey::text`].
    pub fn of_text(text: &str) -> Option<FileKey> {
        hex::decode(text).ok()?.try_into().ok().map(FileKey)
    }

    /// 64 hex digits, which are stored encrypted.
    pub fn text(&self) -> String {
        hex::encode(self.0)
    }
}

/// Encrypts and decrypts the pieces of one file, one after the other.
struct Seal {
    cipher: Aes256Gcm,
    number: u64,
}

impl Seal {
    fn of(keys: &Keys, key: &str) -> Seal {
        let mut bytes = [0; 32];
        hex::decode_to_slice(keys.lookup_hash(&format!("sealed file\n{key}")), &mut bytes).expect("a hash is 64 hex digits");
        Seal::with(&FileKey(bytes))
    }

    fn with(key: &FileKey) -> Seal {
        Seal { cipher: Aes256Gcm::new(&Key::<Aes256Gcm>::from(key.0)), number: 0 }
    }

    /// The nonce of the next piece: no two pieces of a key have the same.
    fn nonce(&mut self, last: bool) -> Nonce<Aes256Gcm> {
        let mut nonce = [0; 12];
        nonce[3..11].copy_from_slice(&self.number.to_be_bytes());
        nonce[11] = u8::from(last);
        self.number += 1;
        Nonce::<Aes256Gcm>::from(nonce)
    }

    fn close(&mut self, piece: &[u8], last: bool) -> Bytes {
        let nonce = self.nonce(last);
        self.cipher.encrypt(&nonce, piece).expect("a short piece encrypts").into()
    }

    fn open(&mut self, piece: &[u8], last: bool) -> io::Result<Bytes> {
        let nonce = self.nonce(last);
        let opened = self.cipher.decrypt(&nonce, piece);
        opened.map(Bytes::from).map_err(|_| io::Error::other("an encrypted file was changed or cut short, or is another installation's"))
    }
}

/// An encrypted file that is being written. Dropping it before its end gives it up.
pub struct SealedWriter {
    writer: Writer,
    seal: Seal,
    held: BytesMut,
}

impl SealedWriter {
    /// Adds a piece.
    pub async fn put(&mut self, piece: Bytes) -> anyhow::Result<()> {
        self.held.extend_from_slice(&piece);
        // A piece that may be the last is held back.
        while self.held.len() > PIECE {
            let piece = self.held.split_to(PIECE);
            self.writer.put(self.seal.close(&piece, false)).await?;
        }
        Ok(())
    }

    /// See [`Writer::finish`].
    pub async fn finish(mut self) -> anyhow::Result<()> {
        self.writer.put(self.seal.close(&self.held, true)).await?;
        self.writer.finish().await
    }
}

impl Storage {
    /// Begins a file encrypted with a key that is derived from its name.
    pub async fn write_sealed(&self, keys: &Keys, key: &str) -> anyhow::Result<SealedWriter> {
        self.begin_sealed(key, MARK, Seal::of(keys, key)).await
    }

    /// Begins a file encrypted with its own key, which encrypts nothing else.
    pub async fn write_with(&self, file_key: &FileKey, key: &str) -> anyhow::Result<SealedWriter> {
        self.begin_sealed(key, MARK_OF_OWN_KEY, Seal::with(file_key)).await
    }

    async fn begin_sealed(&self, key: &str, mark: &'static [u8], seal: Seal) -> anyhow::Result<SealedWriter> {
        let mut writer = self.write(key).await?;
        writer.put(Bytes::from_static(mark)).await?;
        Ok(SealedWriter { writer, seal, held: BytesMut::new() })
    }

    /// Opens a file written by [`Storage::write_sealed`], or one of a version without encryption; none if there is no
    /// such key.
    pub async fn read_sealed(&self, keys: &Keys, key: &str) -> anyhow::Result<Option<Stored>> {
        let Some(Begun { size, begun, source }) = self.begun(key).await? else { return Ok(None) };
        if !begun.starts_with(MARK) {
            let whole = stream::iter([Ok(begun.freeze())]).chain(source).boxed();
            return Ok(Some(Stored { size, bytes: whole }));
        }
        Ok(Some(Begun { size, begun, source }.opened(Seal::of(keys, key))))
    }

    /// Opens a file written by [`Storage::write_with`] with this key, and no other; none if there is no such name.
    pub async fn read_with(&self, file_key: &FileKey, key: &str) -> anyhow::Result<Option<Stored>> {
        let Some(begun) = self.begun(key).await? else { return Ok(None) };
        anyhow::ensure!(begun.begun.starts_with(MARK_OF_OWN_KEY), "an encrypted file was replaced");
        Ok(Some(begun.opened(Seal::with(file_key))))
    }

    /// Opens a stored file and reads its mark.
    async fn begun(&self, key: &str) -> anyhow::Result<Option<Begun>> {
        let Some(Stored { size, bytes: mut source }) = self.read(key).await? else { return Ok(None) };
        let mut begun = BytesMut::new();
        while begun.len() < MARK.len() {
            match source.try_next().await? {
                Some(piece) => begun.extend_from_slice(&piece),
                None => break,
            }
        }
        Ok(Some(Begun { size, begun, source }))
    }
}

/// A file whose beginning is read.
struct Begun {
    size: u64,
    begun: BytesMut,
    source: BoxStream<'static, io::Result<Bytes>>,
}

impl Begun {
    /// The decrypted content behind the mark.
    fn opened(mut self, seal: Seal) -> Stored {
        let held = self.begun.split_off(MARK.len());
        let body = self.size.saturating_sub(MARK.len() as u64);
        let pieces = body.div_ceil((PIECE + TAG) as u64);
        let size = body.saturating_sub(pieces * TAG as u64);
        Stored { size, bytes: opened(Reading { source: Some(self.source), held, seal }) }
    }
}

/// An encrypted file as it is read.
struct Reading {
    /// Until its end.
    source: Option<BoxStream<'static, io::Result<Bytes>>>,
    held: BytesMut,
    seal: Seal,
}

fn opened(reading: Reading) -> BoxStream<'static, io::Result<Bytes>> {
    stream::try_unfold(Some(reading), |reading| async {
        let Some(mut reading) = reading else { return Ok(None) };
        while let Some(source) = reading.source.as_mut().filter(|_| reading.held.len() <= PIECE + TAG) {
            match source.try_next().await? {
                Some(piece) => reading.held.extend_from_slice(&piece),
                None => reading.source = None,
            }
        }
        if reading.held.len() <= PIECE + TAG {
            let last = reading.seal.open(&reading.held, true)?;
            return Ok(Some((last, None)));
        }
        let piece = reading.held.split_to(PIECE + TAG);
        let piece = reading.seal.open(&piece, false)?;
        Ok(Some((piece, Some(reading))))
    })
    .boxed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::StorageConfig;
    use crate::storage::new_key;

    async fn kept(storage: &Storage, keys: &Keys, content: &[u8], step: usize) -> String {
        let key = new_key("exports", 0);
        let mut writer = storage.write_sealed(keys, &key).await.unwrap();
        for piece in content.chunks(step.max(1)) {
            writer.put(Bytes::copy_from_slice(piece)).await.unwrap();
        }
        writer.finish().await.unwrap();
        key
    }

    async fn read(storage: &Storage, keys: &Keys, key: &str) -> io::Result<(u64, Vec<u8>)> {
        let stored = storage.read_sealed(keys, key).await.unwrap().unwrap();
        let pieces: Vec<Bytes> = stored.bytes.try_collect().await?;
        Ok((stored.size, pieces.concat()))
    }

    #[tokio::test]
    async fn a_file_is_read_as_it_was_written_and_lies_there_as_nobody_reads_it() {
        let (folder, keys) = (tempfile::tempdir().unwrap(), Keys::new(b"s", &[1; 32]));
        let storage = Storage::open(&StorageConfig::Folder(folder.path().to_owned())).unwrap();
        for (length, step) in [(0, 1), (1, 1), (PIECE - 1, 999), (PIECE, PIECE), (PIECE + 1, 70_000), (3 * PIECE, 1000), (200_001, 200_001)]
        {
            let content: Vec<u8> = "手机号,13800001234\n".bytes().cycle().take(length).collect();
            let key = kept(&storage, &keys, &content, step).await;
            assert_eq!(read(&storage, &keys, &key).await.unwrap(), (length as u64, content.clone()), "{length}");
            let lies = std::fs::read(folder.path().join(&key)).unwrap();
            assert!(!lies.windows(11).any(|window| window == b"13800001234"), "{length}");
        }
        assert!(storage.read_sealed(&keys, &new_key("exports", 0)).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_file_that_was_tampered_with_is_not_read_to_its_end() {
        let (folder, keys) = (tempfile::tempdir().unwrap(), Keys::new(b"s", &[1; 32]));
        let storage = Storage::open(&StorageConfig::Folder(folder.path().to_owned())).unwrap();
        let content = vec![7; 2 * PIECE + 10];
        let (key, other) = (kept(&storage, &keys, &content, 5000).await, kept(&storage, &keys, &content, 5000).await);
        let file = folder.path().join(&key);
        let whole = std::fs::read(&file).unwrap();
        let sealed = PIECE + TAG;
        let mut changed = whole.clone();
        changed[MARK.len() + 5] ^= 1;
        let swapped = [
            &whole[..MARK.len()],
            &whole[MARK.len() + sealed..MARK.len() + 2 * sealed],
            &whole[MARK.len()..MARK.len() + sealed],
            &whole[MARK.len() + 2 * sealed..],
        ]
        .concat();
        let of_another = std::fs::read(folder.path().join(&other)).unwrap();
        for (name, bad) in [
            ("changed", changed),
            ("cut after a piece", whole[..MARK.len() + 2 * sealed].to_vec()),
            ("cut within one", whole[..whole.len() - 1].to_vec()),
            ("swapped", swapped),
            ("another's", of_another),
        ] {
            std::fs::write(&file, bad).unwrap();
            assert!(read(&storage, &keys, &key).await.is_err(), "{name}");
        }
        std::fs::write(&file, &whole).unwrap();
        assert!(read(&storage, &Keys::new(b"s", &[2; 32]), &key).await.is_err());
        assert_eq!(read(&storage, &keys, &key).await.unwrap().1, content);
    }

    #[tokio::test]
    async fn a_file_with_a_key_of_its_own_is_read_with_that_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(&StorageConfig::Folder(folder.path().to_owned())).unwrap();
        let (key, file_key) = (new_key("files", 0), FileKey::random());
        let content = vec![b'x'; PIECE + 7];
        let mut writer = storage.write_with(&file_key, &key).await.unwrap();
        writer.put(Bytes::from(content.clone())).await.unwrap();
        writer.finish().await.unwrap();
        let read = async |file_key: &FileKey| {
            let stored = storage.read_with(file_key, &key).await?.unwrap();
            let pieces: Vec<Bytes> = stored.bytes.try_collect().await?;
            anyhow::Ok((stored.size, pieces.concat()))
        };
        let again = FileKey::of_text(&file_key.text()).unwrap();
        assert_eq!(read(&again).await.unwrap(), (content.len() as u64, content));
        assert!(read(&FileKey::random()).await.is_err());
        assert!(storage.read_with(&file_key, &new_key("files", 0)).await.unwrap().is_none());
        assert!(FileKey::of_text("ab").is_none() && FileKey::of_text("no digits").is_none());
        // Neither a file in clear nor one encrypted with another key is accepted.
        for other in [&b"\x89PNG"[..], b"LLSEALED1\nxxxxxxxxxxxxxxxxxxxxxxxxx"] {
            std::fs::write(folder.path().join(&key), other).unwrap();
            assert!(storage.read_with(&file_key, &key).await.is_err());
        }
    }

    #[tokio::test]
    async fn files_from_before_are_read_as_they_are() {
        let (folder, keys) = (tempfile::tempdir().unwrap(), Keys::new(b"s", &[1; 32]));
        let storage = Storage::open(&StorageConfig::Folder(folder.path().to_owned())).unwrap();
        for content in ["", "a", "编号,状态\n1,2\n"] {
            let key = new_key("files", 0);
            let mut writer = storage.write(&key).await.unwrap();
            if !content.is_empty() {
                writer.put(Bytes::from_static(content.as_bytes())).await.unwrap();
            }
            writer.finish().await.unwrap();
            assert_eq!(read(&storage, &keys, &key).await.unwrap(), (content.len() as u64, content.as_bytes().to_vec()));
        }
    }
}
