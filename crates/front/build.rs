//! Builds the front end and embeds it.
//!
//! Runs `npm ci` in `js/` when its `node_modules` is missing or older than the lock file, then
//! `js/app/build.mjs`, which bundles, hashes, compresses and tries out the result. A front end that
//! does not build fails the cargo build with the bundler's own message.
//!
//! It runs again only when a file changes that has a part in the result, so not for a test of the front end.
//! Results are kept in the target folder by the content of their sources: debug and release builds, both
//! JavaScript engines and a branch that was built before share them. Release builds compress as hard as they
//! can; the others quickly.
//!
//! What it leaves in `$OUT_DIR/assets.rs`, for `include!`:
//!
//! - `struct Asset { name, content_type, br, gz }`: a file browsers fetch, by its hashed name, with its
//!   bytes compressed. There is no zstd: every browser that takes it takes brotli too, and brotli at its
//!   best is smaller. Nor are there plain bytes, which only tools ask for: the server unpacks them.
//! - `static ASSETS: &[Asset]`, sorted by name.
//! - `const MANIFEST: &str`: JSON, `{client, css, site, preload, start}`; see `js/app/build.mjs`.
//! - `const SERVER_BUNDLE: &str` and `const SERVER_BUNDLE_MAP: &str`: what an isolate evaluates,
//!   and its source map.

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../..");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let js = root.join("js");
    println!("cargo::rerun-if-changed=build.rs");

    if !packages_are_installed(&js) {
        // Whatever NODE_ENV says: the bundler is a development package.
        let npm = ["ci", "--include=dev", "--loglevel=error"];
        run(Command::new("npm").args(npm).current_dir(&js));
    }
    let web = out.join("web");
    let compress = if env::var("PROFILE").as_deref() == Ok("release") { "best" } else { "quick" };
    let build = ["--compress", compress, "--cache"];
    run(Command::new("node").arg(js.join("app/build.mjs")).arg("--out").arg(&web).args(build).arg(cache(&out)));
    watch(&js, &web.join("sources"));
    let table = table(&web.join("assets"));
    fs::write(out.join("assets.rs"), table).expect("OUT_DIR can be written");
}

/// Runs this program again when a source of the front end changes. Each file by itself: a folder also changes
/// when an editor puts its own files there. A new file is of no account before a known one names it.
fn watch(js: &Path, sources: &Path) {
    let sources = fs::read_to_string(sources).expect("js/app/build.mjs lists its sources");
    for source in sources.lines() {
        println!("cargo::rerun-if-changed={}", js.join(source).display());
    }
}

/// The folder that all profiles of a target folder share, above `PROFILE/build/PACKAGE/out`.
fn cache(out: &Path) -> PathBuf {
    out.ancestors().nth(4).unwrap_or(out).join("front-end")
}

fn packages_are_installed(js: &Path) -> bool {
    let changed = |path: PathBuf| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    let wanted = changed(js.join("package-lock.json"));
    let installed = changed(js.join("node_modules/.package-lock.json"));
    installed.is_some() && installed >= wanted
}

/// Runs a program whose own words explain its failure.
fn run(command: &mut Command) {
    let program = command.get_program().display().to_string();
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(_) => {
            eprintln!("\nthe front end does not build (js/): `{program}` says why above");
            exit(1);
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("`{program}` was not found: the front end needs Node.js 20 or newer");
            exit(1);
        }
        Err(error) => {
            eprintln!("`{program}` could not be run: {error}");
            exit(1);
        }
    }
}

/// The source text of `assets.rs`.
fn table(assets: &Path) -> String {
    let mut source = String::from(
        r#"/// A file of the front end that browsers fetch.
#[derive(Debug)]
pub struct Asset {
    /// File name with the hash of its content, below `/assets/`.
    pub name: &'static str,
    /// Its `Content-Type`.
    pub content_type: &'static str,
    /// Its bytes, `Content-Encoding: br`.
    pub br: &'static [u8],
    /// Its bytes, `Content-Encoding: gzip`.
    pub gz: &'static [u8],
}

/// Which assets a page's document links to, as JSON: `{client, css, site, preload, start}`.
pub const MANIFEST: &str = include_str!(concat!(env!("OUT_DIR"), "/web/manifest.json"));

/// The script that isolates evaluate.
pub const SERVER_BUNDLE: &str = include_str!(concat!(env!("OUT_DIR"), "/web/server.js"));

/// The source map of [`SERVER_BUNDLE`].
pub const SERVER_BUNDLE_MAP: &str = include_str!(concat!(env!("OUT_DIR"), "/web/server.js.map"));

/// Every asset, sorted by name.
pub static ASSETS: &[Asset] = &[
"#,
    );
    for path in entries(assets) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("ASCII names");
        let Some(content_type) = content_type(name) else {
            continue;
        };
        let bytes = |suffix| format!(r#"include_bytes!(concat!(env!("OUT_DIR"), "/web/assets/{name}{suffix}"))"#);
        let (br, gz) = (bytes(".br"), bytes(".gz"));
        writeln!(
            source,
            "    Asset {{\n        name: {name:?},\n        content_type: {content_type:?},\n        \
             br: {br},\n        gz: {gz},\n    }},"
        )
        .expect("a string can be written to");
    }
    source.push_str("];\n");
    source
}

/// The type of an asset; none for its compressed forms.
fn content_type(name: &str) -> Option<&'static str> {
    match name.rsplit_once('.')?.1 {
        "js" => Some("text/javascript; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        _ => None,
    }
}

/// What a folder holds, sorted, so that the same sources give the same program.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        eprintln!("{} is missing", folder.display());
        exit(1);
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
