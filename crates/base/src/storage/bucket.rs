//! Files in an S3-compatible bucket. A file that fits into one part is put at once; a longer one is uploaded in
//! parts, one after the other, so that a writer holds no more than a part in memory.

use std::io;
use std::mem;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{Error, MultipartUpload, ObjectStore, ObjectStoreExt, PutMode, PutPayload, PutPayloadMut};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::task::TaskTracker;

use super::transport::{Patience, Transport};
use super::{Key, Stored};
use crate::config::BucketConfig;

/// Bytes of a part. Buckets take 10,000 parts, all of one size but the last, of 5 MiB at least.
pub const PART: usize = 8 << 20;
/// Bytes that a part in the making grows by.
const BLOCK: usize = 256 << 10;

#[derive(Clone)]
pub struct Bucket {
    store: AmazonS3,
    prefix: String,
    /// Files that are being given up.
    leaving: TaskTracker,
}

impl Bucket {
    pub fn open(config: &BucketConfig, patience: Patience) -> anyhow::Result<Bucket> {
        let store = AmazonS3Builder::new()
            .with_endpoint(&config.endpoint)
            .with_bucket_name(&config.bucket)
            .with_region(&config.region)
            .with_access_key_id(&config.access_key_id)
            .with_secret_access_key(&config.secret_access_key)
            .with_virtual_hosted_style_request(false)
            // Not every S3-compatible store can delete many files in one call.
            .with_disable_bulk_delete(true)
            .with_retry(patience.retry())
            .with_http_connector(Transport { patience, tls: config.endpoint.starts_with("https:") })
            .build()?;
        Ok(Bucket { store, prefix: config.prefix.clone(), leaving: TaskTracker::new() })
    }

    pub fn write(&self, key: Key<'_>) -> Writer {
        Writer { bucket: self.clone(), place: self.place(key), part: new_part(), upload: None, unheard: false }
    }

    /// Puts a small file unless it exists. Returns whether it was put. If the bucket does not support the condition,
    /// the file is put without it.
    pub async fn create(&self, key: Key<'_>, content: Bytes) -> anyhow::Result<bool> {
        let place = self.place(key);
        match self.store.put_opts(&place, content.clone().into(), PutMode::Create.into()).await {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => {
                tracing::warn!(cause = %error, "storage: a file was not put under the condition that there is none");
                self.store.put(&place, content.into()).await.map(|_| true).map_err(failure)
            }
        }
    }

    pub async fn read(&self, key: Key<'_>) -> anyhow::Result<Option<Stored>> {
        let found = match self.store.get(&self.place(key)).await {
            Ok(found) => found,
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(failure(error)),
        };
        Ok(Some(Stored { size: found.meta.size, bytes: found.into_stream().map_err(io::Error::other).boxed() }))
    }

    pub async fn delete(&self, key: Key<'_>) -> anyhow::Result<()> {
        remove(&self.store, &self.place(key)).await.map_err(failure)
    }

    pub async fn close(&self) {
        self.leaving.close();
        self.leaving.wait().await;
    }

    /// Begins an upload in parts. Its name comes with the answer: if the caller has stopped waiting, it is aborted
    /// then.
    async fn begin(&self, place: &Path) -> anyhow::Result<Upload> {
        let (bucket, place) = (self.clone(), place.clone());
        let (hand_over, begun) = oneshot::channel();
        self.leaving.spawn(async move {
            let upload = bucket.store.put_multipart(&place).await;
            drop(hand_over.send(upload.map(|parts| Upload { bucket, parts: Some(parts) })));
        });
        begun.await?.map_err(failure)
    }

    fn place(&self, key: Key<'_>) -> Path {
        Path::from_iter(self.prefix.split('/').chain(key.0.split('/')).filter(|part| !part.is_empty()))
    }
}

pub struct Writer {
    bucket: Bucket,
    place: Path,
    /// The part in the making.
    part: PutPayloadMut,
    upload: Option<Upload>,
    /// Whether the bucket was asked to complete the file and has not answered.
    unheard: bool,
}

impl Writer {
    pub async fn put(&mut self, mut piece: Bytes) -> anyhow::Result<()> {
        while !piece.is_empty() {
            // Only now is it known not to be the last.
            if self.part.content_length() == PART {
                self.send().await?;
            }
            let fitting = piece.split_to(piece.len().min(PART - self.part.content_length()));
            self.part.extend_from_slice(&fitting);
        }
        Ok(())
    }

    pub async fn finish(mut self) -> anyhow::Result<()> {
        if self.upload.is_some() {
            self.send().await?;
        }
        self.unheard = true;
        match &mut self.upload {
            Some(upload) => upload.complete().await,
            None => self.bucket.store.put(&self.place, mem::take(&mut self.part).freeze()).await.map(drop),
        }
        .map_err(failure)?;
        self.unheard = false;
        Ok(())
    }

    /// Sends the part in the making.
    async fn send(&mut self) -> anyhow::Result<()> {
        let upload = match &mut self.upload {
            Some(upload) => upload,
            None => self.upload.insert(self.bucket.begin(&self.place).await?),
        };
        let part = mem::replace(&mut self.part, new_part());
        upload.put(part.freeze()).await.map_err(failure)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Without a runtime no query is possible.
        if self.unheard && Handle::try_current().is_ok() {
            let (store, place) = (self.bucket.store.clone(), mem::take(&mut self.place));
            self.bucket.leaving.spawn(async move {
                if let Err(error) = remove(&store, &place).await {
                    tracing::warn!(cause = %error, "storage: a file that was given up could not be removed");
                }
            });
        }
    }
}

/// An upload in parts. Dropped before it is complete, it is aborted.
struct Upload {
    bucket: Bucket,
    /// None if it is complete.
    parts: Option<Box<dyn MultipartUpload>>,
}

impl Upload {
    async fn put(&mut self, part: PutPayload) -> object_store::Result<()> {
        match &mut self.parts {
            Some(parts) => parts.put_part(part).await,
            None => Ok(()),
        }
    }

    async fn complete(&mut self) -> object_store::Result<()> {
        if let Some(parts) = &mut self.parts {
            parts.complete().await?;
        }
        self.parts = None;
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        let Some(mut parts) = self.parts.take() else { return };
        if Handle::try_current().is_ok() {
            self.bucket.leaving.spawn(async move {
                match parts.abort().await {
                    Err(error) if !is_missing(&error) => {
                        tracing::warn!(cause = %error, "storage: an upload in parts could not be aborted");
                    }
                    _ => {}
                }
            });
        }
    }
}

async fn remove(store: &AmazonS3, place: &Path) -> object_store::Result<()> {
    match store.delete(place).await {
        Err(error) if !is_missing(&error) => Err(error),
        _ => Ok(()),
    }
}

/// Whether the object is missing; a missing bucket is a failure.
fn is_missing(error: &Error) -> bool {
    matches!(error, Error::NotFound { source, .. } if !source.to_string().contains("NoSuchBucket"))
}

/// Its text already contains its sources.
fn failure(error: Error) -> anyhow::Error {
    anyhow::anyhow!("the bucket of files: {error}")
}

fn new_part() -> PutPayloadMut {
    PutPayloadMut::new().with_block_size(BLOCK)
}
