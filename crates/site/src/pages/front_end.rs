//! The front end of pages: the one embedded by the build, or, in development, one in a folder that `js/app/build.mjs
//! --watch` writes.
//!
//! The folder exists in debug builds only: a release build reads no scripts from the disk, only their compiled code
//! (`crates/render/src/code.rs`).

use std::sync::{Arc, OnceLock};

#[cfg(debug_assertions)]
pub use self::development::Folder;
use super::assets;
use super::document::Manifest;
use render::RenderPool;

/// The source of a page's scripts and styles.
pub enum FrontEnd {
    Embedded(Embedded),
    #[cfg(debug_assertions)]
    Folder(Arc<Folder>),
}

/// The front end of the build.
pub struct Embedded {
    manifest: Arc<Manifest>,
    /// The text of the style sheet of all pages, unpacked when it is first needed.
    sheet: OnceLock<String>,
}

impl FrontEnd {
    /// The front end of the build.
    pub fn embedded(manifest: Manifest) -> FrontEnd {
        FrontEnd::Embedded(Embedded { manifest: Arc::new(manifest), sheet: OnceLock::new() })
    }

    /// The files for the next document. In development, a front end that has been written since is loaded first:
    /// `renderer` renders the document with it.
    #[cfg_attr(not(debug_assertions), expect(unused_variables, reason = "the embedded front end stays as it is"))]
    pub fn manifest(&self, renderer: &RenderPool) -> Arc<Manifest> {
        match self {
            FrontEnd::Embedded(embedded) => embedded.manifest.clone(),
            #[cfg(debug_assertions)]
            FrontEnd::Folder(folder) => folder.manifest(renderer),
        }
    }

    /// The text of the style sheet, for a document that carries it: a browser that has not loaded the sheet before paints a
    /// round trip earlier. `known` is the file that the browser names as loaded.
    pub fn sheet_for(&self, known: Option<&str>) -> Option<&str> {
        match self {
            FrontEnd::Embedded(embedded) if known == Some(&*embedded.manifest.css) => None,
            FrontEnd::Embedded(embedded) => Some(embedded.sheet.get_or_init(|| assets::text(&embedded.manifest.css))),
            // It may change at any time.
            #[cfg(debug_assertions)]
            FrontEnd::Folder(_) => None,
        }
    }
}

#[cfg(debug_assertions)]
mod development {
    use std::fs::Metadata;
    use std::path::{Path, PathBuf};
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::SystemTime;

    use axum::body::Body;
    use axum::http::{Response, StatusCode, header};

    use super::super::document::Manifest;
    use super::FrontEnd;
    use render::{Bundle, RenderPool};

    /// A front end in a folder, loaded again when its build has written it.
    pub struct Folder {
        path: PathBuf,
        taken: Mutex<Taken>,
    }

    struct Taken {
        stamp: Stamp,
        manifest: Arc<Manifest>,
    }

    /// Distinguishes one `manifest.json` from the next: a build replaces it, after all other files.
    #[derive(Clone, Copy, PartialEq, Eq)]
    struct Stamp {
        modified: Option<SystemTime>,
        size: u64,
    }

    impl FrontEnd {
        /// The front end in a folder, and the script that renders its pages.
        pub fn in_folder(path: &Path) -> std::io::Result<(FrontEnd, Bundle)> {
            let stamp = stamp(path)?;
            let (manifest, bundle) = read(path)?;
            let taken = Mutex::new(Taken { stamp, manifest: Arc::new(manifest) });
            Ok((FrontEnd::Folder(Arc::new(Folder { path: path.to_owned(), taken })), bundle))
        }
    }

    impl Folder {
        pub(super) fn manifest(&self, renderer: &RenderPool) -> Arc<Manifest> {
            let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            match stamp(&self.path) {
                Ok(stamp) if stamp != taken.stamp => {
                    // Not tried again before the next change, even if it cannot be read.
                    taken.stamp = stamp;
                    match read(&self.path) {
                        Ok((manifest, bundle)) => {
                            taken.manifest = Arc::new(manifest);
                            renderer.renew(bundle);
                        }
                        Err(error) => tracing::error!(%error, "the front end in {} cannot be read", self.path.display()),
                    }
                }
                _ => {}
            }
            taken.manifest.clone()
        }

        /// One file of the folder `assets`. It is never cached.
        pub async fn asset(&self, name: &str) -> Response<Body> {
            let answer = Response::builder().header(header::CACHE_CONTROL, "no-store");
            let content_type = match name.rsplit_once('.') {
                _ if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)) => None,
                Some((_, "js")) => Some("text/javascript; charset=utf-8"),
                Some((_, "css")) => Some("text/css; charset=utf-8"),
                Some((_, "json")) => Some("application/json"),
                _ => None,
            };
            let answer = match content_type {
                Some(content_type) => match tokio::fs::read(self.path.join("assets").join(name)).await {
                    Ok(bytes) => answer.header(header::CONTENT_TYPE, content_type).body(Body::from(bytes)),
                    Err(_) => answer.status(StatusCode::NOT_FOUND).body(Body::empty()),
                },
                None => answer.status(StatusCode::NOT_FOUND).body(Body::empty()),
            };
            answer.expect("headers of plain text")
        }
    }

    fn stamp(folder: &Path) -> std::io::Result<Stamp> {
        let metadata: Metadata = std::fs::metadata(folder.join("manifest.json"))?;
        Ok(Stamp { modified: metadata.modified().ok(), size: metadata.len() })
    }

    fn read(folder: &Path) -> std::io::Result<(Manifest, Bundle)> {
        let text = |name: &str| std::fs::read_to_string(folder.join(name));
        let manifest = Manifest::parse(&text("manifest.json")?)?;
        // An isolate uses the text in place, for as long as the process runs: one bundle per saved file.
        let kept = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
        let script = kept(text("server.js")?);
        let source_map = text("server.js.map").ok().map(kept);
        Ok((manifest, Bundle { script, source_map }))
    }
}
