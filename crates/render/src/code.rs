//! The compiled code of a bundle: made by an isolate that has rendered pages, used by isolates that are made later and,
//! from a file, by the next start of the program. It spares an isolate most of its start.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use sha2::{Digest as _, Sha256};

use super::Bundle;

/// Larger files are not read.
const LARGEST: u64 = 32 << 20;

/// Bytes of a SHA-256 sum. The file has two, of the script and of the code: the engine compares only the length of the
/// script, its own version and its flags.
const SUM: usize = 32;

/// The compiled code of a bundle. Cheap to clone.
#[derive(Clone)]
pub(super) struct Code {
    /// The content of the file: both sums, then the code. Some megabytes, which are read once and never copied.
    file: Arc<Vec<u8>>,
}

impl Code {
    fn new(bundle: Bundle, code: &[u8]) -> Self {
        let sums = [Sha256::digest(bundle.script), Sha256::digest(code)].concat();
        Self { file: Arc::new([&sums, code].concat()) }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.file[2 * SUM..]
    }
}

/// The compiled code of the newest bundle.
pub(super) struct CodeCache {
    file: Option<PathBuf>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    kept: Option<(Bundle, Code)>,
    /// The bundle whose code was last read or made, or could not be made.
    tried: Option<Bundle>,
}

impl CodeCache {
    /// With the code in the file, or else in that which came with the program, if it is that of this bundle.
    pub fn open(file: Option<PathBuf>, shipped: Option<&Path>, bundle: Bundle) -> Self {
        // SAFETY: it has no conditions.
        let own_user = unsafe { libc::geteuid() };
        let own = || read(file.as_deref()?, &[own_user], bundle).ok()?;
        // The system's administrator may have installed the program.
        let shipped = || read(shipped?, &[own_user, 0], bundle).ok()?;
        let kept = own().or_else(shipped).map(|code| (bundle, code));
        let tried = kept.as_ref().map(|(bundle, _)| *bundle);
        Self { file, state: Mutex::new(State { kept, tried }) }
    }

    /// The code of a bundle, if it is known.
    pub fn code_of(&self, bundle: Bundle) -> Option<Code> {
        self.state().kept.as_ref().filter(|(kept, _)| kept.is_same_as(bundle)).map(|(_, code)| code.clone())
    }

    /// Forgets the code of a bundle, which the engine refuses: it is made again.
    pub fn forget(&self, bundle: Bundle) {
        if self.code_of(bundle).is_some() {
            *self.state() = State::default();
        }
    }

    /// Keeps what `make` makes of a bundle, once for each bundle. The file is written on a thread of its own, since a disk may
    /// hang.
    pub fn keep(&self, bundle: Bundle, make: impl FnOnce() -> Option<Vec<u8>>) {
        {
            let mut state = self.state();
            if state.tried.is_some_and(|tried| tried.is_same_as(bundle)) {
                return;
            }
            state.tried = Some(bundle);
        }
        let Some(code) = make() else { return };
        let code = Code::new(bundle, &code);
        self.state().kept = Some((bundle, code.clone()));
        let Some(file) = self.file.clone() else { return };
        let written = thread::Builder::new().name("pages-code".into()).spawn(move || {
            if let Err(error) = write(&file, &code) {
                tracing::warn!(%error, file = %file.display(), "the compiled code of the pages could not be kept; the next start takes longer");
            }
        });
        if let Err(error) = written {
            tracing::warn!(%error, "no thread to keep the compiled code of the pages");
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The code in a file, if it is whole and that of this bundle. Compiled code is run unchecked, so the file must belong to
/// one of these users, and no other may write it.
fn read(file: &Path, owners: &[u32], bundle: Bundle) -> io::Result<Option<Code>> {
    // Neither a link nor a pipe is followed or waited for.
    let opened = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(file)?;
    let found = opened.metadata()?;
    if !found.is_file() || !owners.contains(&found.uid()) || found.mode() & 0o022 != 0 || found.len() > LARGEST {
        return Ok(None);
    }
    let mut content = Vec::with_capacity(usize::try_from(found.len()).unwrap_or(0));
    opened.take(LARGEST).read_to_end(&mut content)?;
    let Some((sums, code)) = content.split_at_checked(2 * SUM) else { return Ok(None) };
    let is_whole = sums == [Sha256::digest(bundle.script), Sha256::digest(code)].concat();
    Ok(is_whole.then(|| Code { file: Arc::new(content) }))
}

fn write(file: &Path, code: &Code) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut draft = tempfile::Builder::new().prefix(".pages").permissions(fs::Permissions::from_mode(0o600)).tempfile_in(folder)?;
    draft.write_all(&code.file)?;
    draft.persist(file).map(drop).map_err(|failed| failed.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUNDLE: Bundle = Bundle { script: "1", source_map: None };
    const OTHER: Bundle = Bundle { script: "2", source_map: None };

    fn bytes_of(cache: &CodeCache, bundle: Bundle) -> Option<Vec<u8>> {
        cache.code_of(bundle).map(|code| code.bytes().to_vec())
    }

    fn opened(file: &Path, bundle: Bundle) -> Option<Vec<u8>> {
        bytes_of(&CodeCache::open(Some(file.to_owned()), None, bundle), bundle)
    }

    #[test]
    fn a_file_is_read_for_its_own_bundle_and_only_if_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("code");
        assert!(opened(&file, BUNDLE).is_none(), "there is none");
        write(&file, &Code::new(BUNDLE, b"code")).unwrap();
        assert_eq!(opened(&file, BUNDLE).as_deref(), Some(&b"code"[..]));
        assert!(opened(&file, OTHER).is_none());

        let mut content = fs::read(&file).unwrap();
        *content.last_mut().unwrap() ^= 1;
        fs::write(&file, &content).unwrap();
        assert!(opened(&file, BUNDLE).is_none(), "one bit is another");
        fs::write(&file, &content[..10]).unwrap();
        assert!(opened(&file, BUNDLE).is_none(), "it is cut off");
        write(&file, &Code::new(BUNDLE, b"code")).unwrap();
        assert_eq!(opened(&file, BUNDLE).as_deref(), Some(&b"code"[..]), "it is replaced");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
    }

    #[test]
    fn a_file_that_others_may_write_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("code");
        write(&file, &Code::new(BUNDLE, b"code")).unwrap();
        for mode in [0o620, 0o602, 0o666] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            assert!(opened(&file, BUNDLE).is_none(), "{mode:o}");
        }
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(opened(&link, BUNDLE).is_none());
        assert!(opened(&file, BUNDLE).is_some());
    }

    #[test]
    fn code_that_came_with_the_program_is_used_until_there_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let (file, shipped) = (folder.path().join("code"), folder.path().join("shipped"));
        write(&shipped, &Code::new(BUNDLE, b"shipped")).unwrap();
        let opened = |bundle| bytes_of(&CodeCache::open(Some(file.clone()), Some(&shipped), bundle), bundle);
        assert_eq!(opened(BUNDLE).as_deref(), Some(&b"shipped"[..]));
        assert!(opened(OTHER).is_none(), "that is another one's");
        write(&file, &Code::new(BUNDLE, b"own")).unwrap();
        assert_eq!(opened(BUNDLE).as_deref(), Some(&b"own"[..]));
    }

    #[test]
    fn code_is_made_once_for_each_bundle_and_again_if_the_engine_refuses_it() {
        let cache = CodeCache::open(Some("/nowhere/code".into()), None, BUNDLE);
        cache.keep(BUNDLE, || Some(b"code".to_vec()));
        cache.keep(BUNDLE, || panic!("it is known"));
        assert_eq!((bytes_of(&cache, BUNDLE).as_deref(), bytes_of(&cache, OTHER)), (Some(&b"code"[..]), None));
        cache.keep(OTHER, || None);
        cache.keep(OTHER, || panic!("it could not be made"));

        cache.keep(BUNDLE, || Some(b"again".to_vec()));
        cache.forget(OTHER);
        assert_eq!(bytes_of(&cache, BUNDLE).as_deref(), Some(&b"again"[..]), "that is another one's");
        cache.forget(BUNDLE);
        assert!(cache.code_of(BUNDLE).is_none());
        cache.keep(BUNDLE, || Some(b"third".to_vec()));
        assert!(cache.code_of(BUNDLE).is_some());
    }
}
