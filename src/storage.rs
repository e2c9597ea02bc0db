//! Files outside the database: bytes under keys, in a folder. Whose a file is and who may read it is
//! decided by those who keep its key.

use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use tokio::fs::{DirBuilder, File, OpenOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::clock;
use crate::config::StorageConfig;

/// Bytes read at a time.
const PIECE: u64 = 128 * 1024;
/// What a file's name ends with until it is whole.
const UNFINISHED: &str = "part";

/// Where files are kept. Cheap to clone.
#[derive(Clone)]
pub struct Storage {
    folder: Arc<PathBuf>,
}

/// A file's bytes as they are read.
pub struct Stored {
    pub size: u64,
    pub bytes: BoxStream<'static, io::Result<Bytes>>,
}

impl Storage {
    /// Opens what the settings name. A folder is made, open to nobody but its owner.
    pub fn open(config: &StorageConfig) -> anyhow::Result<Storage> {
        let StorageConfig::Folder(folder) = config;
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).and_then(|()| folder.canonicalize());
        let folder = made.with_context(|| format!("the folder of files {}", folder.display()))?;
        Ok(Storage { folder: Arc::new(folder) })
    }

    /// Begins a file. It is there when [`Writer::finish`] has returned, and before that it is not.
    pub async fn write(&self, key: &str) -> anyhow::Result<Writer> {
        let place = self.place(key)?;
        let folder = place.parent().context("a key lies in a folder")?;
        DirBuilder::new().recursive(true).mode(0o700).create(folder).await?;
        let unfinished = place.with_extension(UNFINISHED);
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished).await?;
        Ok(Writer { file, unfinished, place })
    }

    /// Opens a file; none when there is no such key.
    pub async fn read(&self, key: &str) -> anyhow::Result<Option<Stored>> {
        let file = match File::open(self.place(key)?).await {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let size = file.metadata().await?.len();
        let bytes = stream::try_unfold(file, |mut file| async {
            let mut piece = Vec::with_capacity(PIECE as usize);
            (&mut file).take(PIECE).read_to_end(&mut piece).await?;
            Ok((!piece.is_empty()).then(|| (Bytes::from(piece), file)))
        });
        Ok(Some(Stored { size, bytes: Box::pin(bytes) }))
    }

    /// Removes a file, and what a killed process has left of it; one that is gone already is no failure.
    pub async fn delete(&self, key: &str) -> anyhow::Result<()> {
        let place = self.place(key)?;
        for path in [place.with_extension(UNFINISHED), place] {
            match tokio::fs::remove_file(path).await {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// The place of a key: always inside the folder.
    fn place(&self, key: &str) -> anyhow::Result<PathBuf> {
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        anyhow::ensure!(key.split('/').all(plain), "a key is made by `new_key`");
        Ok(self.folder.join(key))
    }
}

/// A file on its way into the storage. Dropped before its end, it is given up.
pub struct Writer {
    file: File,
    unfinished: PathBuf,
    place: PathBuf,
}

impl Writer {
    /// Adds a piece.
    pub async fn put(&mut self, piece: Bytes) -> anyhow::Result<()> {
        Ok(self.file.write_all(&piece).await?)
    }

    /// Ends the file and brings it to be; it then survives a power cut, as what the database says of it does.
    pub async fn finish(mut self) -> anyhow::Result<()> {
        self.file.flush().await?;
        self.file.sync_all().await?;
        tokio::fs::rename(&self.unfinished, &self.place).await?;
        let folder = self.place.parent().unwrap_or(Path::new("/"));
        Ok(File::open(folder).await?.sync_all().await?)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Gone already when it has been finished.
        let _ = std::fs::remove_file(&self.unfinished);
    }
}

/// A key that no file has: `files/2026-11/<32 hex digits>`.
pub fn new_key(kind: &str, now: i64) -> String {
    format!("{kind}/{}/{}", clock::day(now).strftime("%Y-%m"), hex::encode(rand::random::<[u8; 16]>()))
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt;

    use super::*;

    async fn content(storage: &Storage, key: &str) -> Option<Vec<u8>> {
        let stored = storage.read(key).await.unwrap()?;
        let pieces: Vec<Bytes> = stored.bytes.try_collect().await.unwrap();
        assert_eq!(stored.size as usize, pieces.iter().map(Bytes::len).sum::<usize>());
        Some(pieces.concat())
    }

    #[tokio::test]
    async fn a_file_is_there_when_it_is_whole_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(&StorageConfig::Folder(folder.path().join("files"))).unwrap();
        let (piece, key) = (Bytes::from(vec![7; PIECE as usize - 1]), new_key("files", 0));
        let mut writer = storage.write(&key).await.unwrap();
        writer.put(piece.clone()).await.unwrap();
        writer.put(piece.clone()).await.unwrap();
        assert!(content(&storage, &key).await.is_none());
        writer.finish().await.unwrap();
        assert_eq!(content(&storage, &key).await.unwrap().len(), 2 * piece.len());

        let mut given_up = storage.write("files/b").await.unwrap();
        given_up.put(piece).await.unwrap();
        drop(given_up);
        assert!(content(&storage, "files/b").await.is_none());
        assert_eq!(std::fs::read_dir(folder.path().join("files/files")).unwrap().count(), 1, "nothing of it stays");

        storage.delete(&key).await.unwrap();
        storage.delete(&key).await.unwrap();
        assert!(content(&storage, &key).await.is_none());
    }

    #[tokio::test]
    async fn no_key_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secret"), "x").unwrap();
        let storage = Storage::open(&StorageConfig::Folder(folder.path().join("files"))).unwrap();
        for key in ["../secret", "a/../../secret", "/../secret", "", "a//b", "a.part", "a\\b"] {
            assert!(storage.read(key).await.is_err() && storage.write(key).await.is_err() && storage.delete(key).await.is_err(), "{key}");
        }
    }
}
