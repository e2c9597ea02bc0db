//! Files outside the database: bytes under keys, in a folder or in an S3-compatible bucket. Whose a
//! file is and who may read it is decided by those who keep its key.

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

/// Where files are kept. Cheap to clone.
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
    /// Opens what the settings name. A folder is made, open to nobody but its owner; a bucket is
    /// there already, and is asked for nothing yet.
    pub fn open(config: &StorageConfig) -> anyhow::Result<Storage> {
        match config {
            StorageConfig::Folder(folder) => {
                let folder = Folder::open(folder).with_context(|| format!("the folder of files {}", folder.display()))?;
                Ok(Storage(Place::Folder(folder)))
            }
            StorageConfig::Bucket(bucket) => Storage::bucket(bucket, Patience::default()),
        }
    }

    /// Opens a bucket, to be waited for as long as `patience` says.
    pub fn bucket(config: &BucketConfig, patience: Patience) -> anyhow::Result<Storage> {
        Ok(Storage(Place::Bucket(Bucket::open(config, patience).context("the bucket of files")?)))
    }

    /// Begins a file. It is there when [`Writer::finish`] has returned, and before that it is not.
    pub async fn write(&self, key: &str) -> anyhow::Result<Writer> {
        let key = Key::of(key)?;
        Ok(Writer(match &self.0 {
            Place::Folder(folder) => Writing::Folder(folder.write(key).await?),
            Place::Bucket(bucket) => Writing::Bucket(bucket.write(key)),
        }))
    }

    /// Writes a small file unless there is one, which stays as it is; answers whether the file now has this content.
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

    /// Opens a file; none when there is no such key.
    pub async fn read(&self, key: &str) -> anyhow::Result<Option<Stored>> {
        let key = Key::of(key)?;
        match &self.0 {
            Place::Folder(folder) => Ok(folder.read(key).await?),
            Place::Bucket(bucket) => bucket.read(key).await,
        }
    }

    /// Removes a file, and of a folder what a killed process has left of it; one that is gone
    /// already is no failure.
    pub async fn delete(&self, key: &str) -> anyhow::Result<()> {
        let key = Key::of(key)?;
        match &self.0 {
            Place::Folder(folder) => Ok(folder.delete(key).await?),
            Place::Bucket(bucket) => bucket.delete(key).await,
        }
    }

    /// Waits until the files that were given up are gone. To be called when nothing writes any more.
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

/// A file on its way into the storage. Dropped before its end, it is given up.
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

    /// Ends the file and brings it to be; it then survives a power cut, as what the database says of it does.
    pub async fn finish(self) -> anyhow::Result<()> {
        match self.0 {
            Writing::Folder(writer) => Ok(writer.finish().await?),
            Writing::Bucket(writer) => writer.finish().await,
        }
    }
}

/// A key that leads nowhere but below the place of all files.
#[derive(Clone, Copy)]
struct Key<'a>(&'a str);

impl Key<'_> {
    fn of(key: &str) -> anyhow::Result<Key<'_>> {
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        anyhow::ensure!(key.split('/').all(plain), "a key is made by `new_key`");
        Ok(Key(key))
    }
}

/// A key that no file has: `files/2026-11/<32 hex digits>`.
pub fn new_key(kind: &str, now: i64) -> String {
    format!("{kind}/{}/{}", clock::day(now).strftime("%Y-%m"), hex::encode(rand::random::<[u8; 16]>()))
}
