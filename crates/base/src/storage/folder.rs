//! Files in a folder, which several nodes may share.

use std::fs::{OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::spawn_blocking;

use super::{Key, Stored};

/// Bytes read at a time.
const PIECE: u64 = 128 * 1024;
/// The end of a file's name until it is complete.
const UNFINISHED: &str = "part";

#[derive(Clone)]
pub struct Folder(Arc<PathBuf>);

impl Folder {
    pub fn open(folder: &Path) -> io::Result<Folder> {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        Ok(Folder(Arc::new(folder.canonicalize()?)))
    }

    pub async fn write(&self, key: Key<'_>) -> io::Result<Writer> {
        let place = self.0.join(key.0);
        let begin = move || {
            std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder_of(&place))?;
            let unfinished = place.with_extension(UNFINISHED);
            let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
            Ok(Writer { file: File::from_std(file), unfinished, place, kept: false })
        };
        // It makes the writer, too: if the caller has stopped waiting, dropping that removes the file again.
        spawn_blocking(begin).await.map_err(io::Error::other)?
    }

    /// Writes a whole file unless it exists. Returns whether it was written.
    pub async fn create(&self, key: Key<'_>, content: Bytes) -> io::Result<bool> {
        let place = self.0.join(key.0);
        let create = move || {
            let folder = folder_of(&place);
            std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            // A temporary file, which is removed at the end: a process that is killed leaves no half file under its
            // key.
            let mut draft = tempfile::Builder::new().prefix(".once").permissions(Permissions::from_mode(0o600)).tempfile_in(folder)?;
            draft.write_all(&content)?;
            draft.as_file().sync_all()?;
            match draft.persist_noclobber(&place) {
                Ok(_) => std::fs::File::open(folder)?.sync_all().map(|()| true),
                Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                Err(failed) => Err(failed.error),
            }
        };
        spawn_blocking(create).await.map_err(io::Error::other)?
    }

    pub async fn read(&self, key: Key<'_>) -> io::Result<Option<Stored>> {
        let file = match File::open(self.0.join(key.0)).await {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let size = file.metadata().await?.len();
        let bytes = stream::try_unfold(file, |mut file| async {
            let mut piece = Vec::with_capacity(PIECE as usize);
            (&mut file).take(PIECE).read_to_end(&mut piece).await?;
            Ok((!piece.is_empty()).then(|| (Bytes::from(piece), file)))
        });
        Ok(Some(Stored { size, bytes: Box::pin(bytes) }))
    }

    pub async fn delete(&self, key: Key<'_>) -> io::Result<()> {
        let place = self.0.join(key.0);
        for path in [place.with_extension(UNFINISHED), place] {
            match tokio::fs::remove_file(path).await {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

pub struct Writer {
    file: File,
    unfinished: PathBuf,
    place: PathBuf,
    /// Whether the file is complete.
    kept: bool,
}

impl Writer {
    pub async fn put(&mut self, piece: Bytes) -> io::Result<()> {
        self.file.write_all(&piece).await
    }

    pub async fn finish(mut self) -> io::Result<()> {
        self.file.flush().await?;
        self.file.sync_all().await?;
        tokio::fs::rename(&self.unfinished, &self.place).await?;
        File::open(folder_of(&self.place)).await?.sync_all().await?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.kept {
            // In this order: it may be renamed at this moment, on another thread.
            let _ = std::fs::remove_file(&self.unfinished);
            let _ = std::fs::remove_file(&self.place);
        }
    }
}

/// The folder of a file.
fn folder_of(place: &Path) -> &Path {
    place.parent().unwrap_or(Path::new("/"))
}
