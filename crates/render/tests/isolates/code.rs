//! The compiled code of a bundle, from one pool to the next. QuickJS has none.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use super::{RenderConfig, bundle, config, start};

const SCRIPT: &str = "globalThis.render = (props) => { const double = (text) => text + text; return double(props); };";

/// Renders pages in a new pool, and gives it the time to make the code when it is idle.
async fn render_pages(file: &Path) {
    let pool = start(bundle(SCRIPT), RenderConfig { code_cache: Some(file.to_owned()), ..config(1) }).expect("the bundle starts");
    for _ in 0..20 {
        assert_eq!(*pool.render("ab".into()).await.expect("a page").html, "abab");
    }
    tokio::time::sleep(Duration::from_millis(1500)).await;
}

/// The file, which is another one when it is written again.
async fn number_of(file: &Path) -> u64 {
    let began = Instant::now();
    loop {
        match fs::metadata(file) {
            Ok(found) => return found.ino(),
            Err(error) => assert!(began.elapsed() < Duration::from_secs(10), "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(feature = "v8"), ignore = "QuickJS has no compiled code")]
async fn the_next_pool_starts_from_the_code_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("code");
    render_pages(&file).await;
    let first = number_of(&file).await;
    render_pages(&file).await;
    assert_eq!(number_of(&file).await, first, "the engine took it, so it was not made again");
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(feature = "v8"), ignore = "QuickJS has no compiled code")]
async fn code_that_the_engine_refuses_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("code");
    let code = vec![7; 4096];
    fs::write(&file, [&Sha256::digest(SCRIPT)[..], &Sha256::digest(&code)[..], &code].concat()).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let refused = number_of(&file).await;
    render_pages(&file).await;
    let began = Instant::now();
    while number_of(&file).await == refused {
        assert!(began.elapsed() < Duration::from_secs(10), "it is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
