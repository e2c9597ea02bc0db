//! Files outside the database: bytes by key, in a folder or in an S3-compatible bucket. The owner of a key decides
//! who may read its file.

mod bucket;
mod folder;
mod sealed;
mod transport;

#[cfg(test)]
mod fake;
#[cfg(test)]
mod tests;

use std::io;

use anyhow::Context as _;
use bytes::Bytes;
use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;

use crate::clock;
use crate::config::{BucketConfig, StorageConfig};

use bucket::Bucket;
use folder::Folder;
pub use sealed::{FileKey, SealedWriter};
pub use transport::Patience;

/// The place of files. Cheap to clone.
#[derive(Clone)]
pub struct Storage(Place);

#[derive(Clone)]
enum Place {
    Folder(Folder),
    Bucket(Bucket),
}

/// A file's bytes as they are read.
pub struct Stored {
    pub size: u64,
    pub bytes: BoxStream<'static, io::Result<Bytes>>,
}

impl Storage {
    /// Opens the place in the settings. A folder is made, readable only by its owner; a bucket must exist, and no
    /// request is made yet.
    pub fn open(config: &StorageConfig) -> anyhow::Result<Storage> {
        match config {
            StorageConfig::Folder(folder) => {
                let folder = Folder::open(folder).with_context(|| format!("the folder of files {}", folder.display()))?;
                Ok(Storage(Place::Folder(folder)))
            }
            StorageConfig::Bucket(bucket) => Storage::bucket(bucket, Patience::default()),
        }
    }

    /// Opens a bucket, with the timeouts in `patience`.
    pub fn bucket(config: &BucketConfig, patience: Patience) -> anyhow::Result<Storage> {
        Ok(Storage(Place::Bucket(Bucket::open(config, patience).context("the bucket of files")?)))
    }

    /// Begins a file. It exists when [`Writer::finish`] has returned, and not before.
    pub async fn write(&self, key: &str) -> anyhow::Result<Writer> {
        let key = Key::of(key)?;
        Ok(Writer(match &self.0 {
            Place::Folder(folder) => Writing::Folder(folder.write(key).await?),
            Place::Bucket(bucket) => Writing::Bucket(bucket.write(key)),
        }))
    }

    /// Writes a small file unless it exists; an existing one stays as it is. Returns whether the file now has this
    /// content.
    pub async fn write_once(&self, key: &str, content: Bytes) -> anyhow::Result<bool> {
        let is_there = match self.read(key).await? {
            Some(stored) => return is_of(stored, &content).await,
            None => match &self.0 {
                Place::Folder(folder) => !folder.create(Key::of(key)?, content.clone()).await?,
                Place::Bucket(bucket) => !bucket.create(Key::of(key)?, content.clone()).await?,
            },
        };
        match is_there {
            false => Ok(true),
            // Another process wrote it at the same moment.
            true => is_of(self.read(key).await?.context("a file that another process removed")?, &content).await,
        }
    }

    /// Opens a file; none if there is no such key.
    pub async fn read(&self, key: &str) -> anyhow::Result<Option<Stored>> {
        let key = Key::of(key)?;
        match &self.0 {
            Place::Folder(folder) => Ok(folder.read(key).await?),
            Place::Bucket(bucket) => bucket.read(key).await,
        }
    }

    /// Removes a file, and in a folder also the rest left by a killed process; a missing file is no failure.
    pub async fn delete(&self, key: &str) -> anyhow::Result<()> {
        let key = Key::of(key)?;
        match &self.0 {
            Place::Folder(folder) => Ok(folder.delete(key).await?),
            Place::Bucket(bucket) => bucket.delete(key).await,
        }
    }

    /// Waits until files that were given up are removed. Call it when nothing writes any more.
    pub async fn close(&self) {
        if let Place::Bucket(bucket) = &self.0 {
            bucket.close().await;
        }
    }
}

/// Whether a file has a content.
async fn is_of(mut stored: Stored, content: &[u8]) -> anyhow::Result<bool> {
    let mut rest = content;
    if stored.size != rest.len() as u64 {
        return Ok(false);
    }
    while let Some(piece) = stored.bytes.try_next().await? {
        match rest.strip_prefix(&piece[..]) {
            Some(left) => rest = left,
            None => return Ok(false),
        }
    }
    Ok(rest.is_empty())
}

/// A file that is being written. Dropping it before its end gives it up.
pub struct Writer(Writing);

enum Writing {
    Folder(folder::Writer),
    Bucket(bucket::Writer),
}

impl Writer {
    /// Adds a piece.
    pub async fn put(&mut self, piece: Bytes) -> anyhow::Result<()> {
        match &mut self.0 {
            Writing::Folder(writer) => Ok(writer.put(piece).await?),
            Writing::Bucket(writer) => writer.put(piece).await,
        }
    }

    /// Completes the file; it then survives a power cut, like the database's record of it.
    pub async fn finish(self) -> anyhow::Result<()> {
        match self.0 {
            Writing::Folder(writer) => Ok(writer.finish().await?),
            Writing::Bucket(writer) => writer.finish().await,
        }
    }
}

/// A key that only leads below the place of all files.
#[derive(Clone, Copy)]
struct Key<'a>(&'a str);

impl Key<'_> {
    fn of(key: &str) -> anyhow::Result<Key<'_>> {
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        anyhow::ensure!(key.split('/').all(plain), "a key is made by `new_key`");
        Ok(Key(key))
    }
}

/// A new key: `files/2026-11/<32 hex digits>`.
pub fn new_key(kind: &str, now: i64) -> String {
    format!("{kind}/{}/{}", clock::day(now).strftime("%Y-%m"), hex::encode(rand::random::<[u8; 16]>()))
}
