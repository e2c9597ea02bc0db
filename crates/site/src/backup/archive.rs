//! The backup file: parts that are hashed as they are written and read.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::mem::ManuallyDrop;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use base::crypto::{self, Keys, Lines, place};

use super::{FORMAT, Manifest, Part, Stop, folder_of};

const MANIFEST: &str = "manifest.json";
/// The hash of the manifest, sealed with the data key.
const SEAL: &str = "manifest.seal";
/// More than any manifest.
const LONGEST_MANIFEST: u64 = 64 * 1024 * 1024;
/// The end of an upload's name while it is being written (`storage`).
const UNFINISHED: &str = "part";
const PIECE: usize = 256 * 1024;

/// How a part is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pack {
    Smaller,
    /// For what is compressed already.
    AsItIs,
}

/// An archive that is being written, under another name; removed if it is not finished.
pub struct Draft {
    file: NamedTempFile,
    /// Not dropped: unfinished, it would write its end, and log an error that was reported already.
    zip: ManuallyDrop<ZipWriter<BufWriter<File>>>,
    parts: Vec<Part>,
    target: PathBuf,
    stop: Stop,
}

impl Draft {
    pub fn begin(target: &Path, stop: Stop) -> anyhow::Result<Draft> {
        let folder = folder_of(target);
        let file = unfinished(&folder)?;
        let zip = ManuallyDrop::new(ZipWriter::new(BufWriter::with_capacity(PIECE, file.reopen()?)));
        Ok(Draft { file, zip, parts: Vec::new(), target: target.to_owned(), stop })
    }

    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// An empty file beside the archive, removed when dropped.
    pub fn scratch(&self) -> anyhow::Result<NamedTempFile> {
        unfinished(&folder_of(&self.target))
    }

    /// Adds a part.
    pub fn put(&mut self, name: &str, from: &mut impl Read, pack: Pack) -> anyhow::Result<()> {
        let part = self.entry(name, from, pack).with_context(|| name.to_owned())?;
        self.parts.push(part);
        Ok(())
    }

    pub fn put_file(&mut self, path: &Path, name: &str) -> anyhow::Result<()> {
        self.put(name, &mut File::open(path).with_context(|| path.display().to_string())?, Pack::AsItIs)
    }

    /// Adds every complete file of a folder. Returns how many there were. A file that is deleted meanwhile is left
    /// out.
    pub fn put_folder(&mut self, folder: &Path, prefix: &str) -> anyhow::Result<u64> {
        let (mut number, mut folders) = (0, vec![folder.to_owned()]);
        while let Some(inner) = folders.pop() {
            let entries = match fs::read_dir(&inner) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error).with_context(|| inner.display().to_string()),
            };
            for entry in entries {
                let path = entry?.path();
                if path.is_dir() && !path.is_symlink() {
                    folders.push(path);
                    continue;
                }
                if path.extension().is_some_and(|extension| extension == UNFINISHED) {
                    continue;
                }
                let mut file = match File::open(&path) {
                    Ok(file) => file,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(error).with_context(|| path.display().to_string()),
                };
                let inner = path.strip_prefix(folder).expect("it lies in the folder");
                let name = inner.to_str().with_context(|| format!("the name of {} is no text", path.display()))?;
                self.put(&format!("{prefix}{name}"), &mut file, Pack::AsItIs)?;
                number += 1;
            }
        }
        Ok(number)
    }

    pub fn parts(&self) -> Vec<Part> {
        self.parts.clone()
    }

    /// Ends the archive with its manifest and gives it its name, which must still be free. Returns its size in bytes.
    pub fn finish(mut self, manifest: &Manifest, keys: &Keys) -> anyhow::Result<u64> {
        let text = serde_json::to_vec_pretty(manifest).expect("a manifest serialises");
        self.entry(MANIFEST, &mut text.as_slice(), Pack::Smaller)?;
        self.entry(SEAL, &mut keys.seal(&place::MANIFEST.of(""), &crypto::sha256_hex(&text)).as_bytes(), Pack::AsItIs)?;
        let Draft { file, zip, target, .. } = self;
        let mut written = ManuallyDrop::into_inner(zip).finish()?;
        written.flush()?;
        written.get_ref().sync_all()?;
        file.persist_noclobber(&target).map_err(|failed| failed.error).with_context(|| target.display().to_string())?;
        File::open(folder_of(&target))?.sync_all()?;
        Ok(fs::metadata(&target)?.len())
    }

    fn entry(&mut self, name: &str, from: &mut impl Read, pack: Pack) -> anyhow::Result<Part> {
        let options = SimpleFileOptions::default().large_file(true).unix_permissions(0o600);
        let options = match pack {
            Pack::Smaller => options.compression_method(CompressionMethod::Deflated).compression_level(Some(3)),
            Pack::AsItIs => options.compression_method(CompressionMethod::Stored),
        };
        self.zip.start_file(name, options)?;
        let (bytes, sha256) = copy(from, &mut *self.zip, &self.stop)?;
        Ok(Part { name: name.to_owned(), bytes, sha256 })
    }
}

/// A finished archive, whose manifest has been read and is valid.
pub struct Archive {
    zip: ZipArchive<BufReader<File>>,
    pub manifest: Manifest,
    text: Vec<u8>,
    seal: String,
}

impl Archive {
    pub fn open(path: &Path) -> anyhow::Result<Archive> {
        let name = path.display();
        let file = File::open(path).with_context(|| name.to_string())?;
        let none = || format!("{name} is no backup of Leadlane, or not a whole one");
        let mut zip = ZipArchive::new(BufReader::with_capacity(PIECE, file)).with_context(none)?;
        let mut whole = |part: &str| -> anyhow::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            zip.by_name(part).with_context(none)?.take(LONGEST_MANIFEST).read_to_end(&mut bytes).with_context(none)?;
            Ok(bytes)
        };
        let (text, seal) = (whole(MANIFEST)?, whole(SEAL)?);
        // A file in another format may be of a newer program.
        let format = serde_json::from_slice::<serde_json::Value>(&text).ok().and_then(|manifest| manifest["format"].as_u64());
        match format {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => bail!("{name} is of the form {format}; this program reads {FORMAT}"),
            None => bail!(none()),
        }
        let manifest = serde_json::from_slice(&text).with_context(none)?;
        Ok(Archive { zip, manifest, text, seal: String::from_utf8(seal).with_context(none)? })
    }

    /// Refuses a manifest that this data key has not sealed.
    pub fn ensure_sealed_with(&self, key: &Lines) -> anyhow::Result<()> {
        let Manifest { data_key, .. } = &self.manifest;
        let known = key.data_fingerprints();
        ensure!(
            known.contains(data_key),
            "the backup was sealed with the data key of the fingerprint {data_key}, and the key in {} has {}",
            key.place,
            known.join(" and ")
        );
        let sealed = key.open(&place::MANIFEST.of(""), &self.seal).is_some_and(|hash| hash == crypto::sha256_hex(&self.text));
        ensure!(sealed, "the backup's manifest is not as it was written");
        Ok(())
    }

    /// Writes a part to its destination, and refuses it if it differs from the manifest.
    pub fn take(&mut self, name: &str, to: &mut impl Write, stop: &Stop) -> anyhow::Result<()> {
        let part = self.manifest.parts.iter().find(|part| part.name == name).with_context(|| format!("the backup has no {name}"))?.clone();
        let mut entry = self.zip.by_name(name).with_context(|| format!("the backup's part {name}"))?;
        // Never more than in the manifest, whatever it unpacks to.
        let (bytes, sha256) =
            copy(&mut (&mut entry).take(part.bytes + 1), to, stop).with_context(|| format!("the backup's part {name}"))?;
        ensure!((bytes, sha256) == (part.bytes, part.sha256), "the backup's part {name} is not as it was written");
        Ok(())
    }

    /// Writes every part under a prefix into a folder. Returns how many.
    pub fn take_folder(&mut self, prefix: &str, folder: &Path, stop: &Stop) -> anyhow::Result<u64> {
        let names: Vec<String> = self.manifest.parts.iter().map(|part| part.name.clone()).filter(|name| name.starts_with(prefix)).collect();
        for name in &names {
            let inner = Path::new(&name[prefix.len()..]);
            ensure!(inner.components().all(|part| matches!(part, Component::Normal(_))), "the backup's part {name} leads elsewhere");
            let path = folder.join(inner);
            private_folder(&folder_of(&path))?;
            let mut file = private_file(&path)?;
            self.take(name, &mut file, stop)?;
            file.sync_all()?;
        }
        Ok(names.len() as u64)
    }
}

/// A folder readable only by its owner.
pub fn private_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// A new file readable only by its owner.
pub fn private_file(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// An empty file readable only by its owner, removed when dropped.
pub fn unfinished(folder: &Path) -> anyhow::Result<NamedTempFile> {
    let begun = tempfile::Builder::new().prefix(".leadlane-").suffix(".part").tempfile_in(folder);
    begun.with_context(|| format!("a file in {}", folder.display()))
}

/// Copies to the end. Returns the number of bytes, and their hash.
fn copy(from: &mut impl Read, to: &mut impl Write, stop: &Stop) -> io::Result<(u64, String)> {
    let (mut hash, mut bytes, mut piece) = (Sha256::new(), 0, vec![0; PIECE]);
    loop {
        stop.check()?;
        match from.read(&mut piece) {
            Ok(0) => return Ok((bytes, hex::encode(hash.finalize()))),
            Ok(read) => {
                hash.update(&piece[..read]);
                to.write_all(&piece[..read])?;
                bytes += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
