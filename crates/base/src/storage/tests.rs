//! The common behaviour of both places of files, and of a bucket in trouble.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use axum::http::Method;
use futures_util::TryStreamExt;
use tempfile::TempDir;

use super::bucket::PART;
use super::fake::{BUCKET, FakeBucket, Trouble};
use super::*;
use crate::config::Config;

/// A place of files, and a view of it from outside.
enum House {
    Folder(TempDir),
    Bucket(FakeBucket),
}

impl House {
    fn storage(&self) -> Storage {
        match self {
            House::Folder(folder) => Storage::open(&StorageConfig::Folder(folder.path().join("files"))).unwrap(),
            House::Bucket(fake) => bucket(fake, "/below/here", Patience::default()),
        }
    }

    /// How many files, complete or not, are there.
    async fn count(&self, storage: &Storage) -> usize {
        storage.close().await;
        match self {
            House::Folder(folder) => files(folder.path()),
            House::Bucket(fake) => fake.keys().len() + fake.uploads().1,
        }
    }
}

fn files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
}

/// For a bucket on this machine that is in trouble.
const QUICK: Patience = Patience {
    connect: Duration::from_secs(5),
    answer: Duration::from_millis(700),
    slowest: 1 << 20,
    pause: Duration::from_millis(700),
    retries: 2,
    retrying: Duration::from_secs(30),
};

fn bucket(fake: &FakeBucket, place: &str, patience: Patience) -> Storage {
    match Config::read(fake.settings(place)).unwrap().storage {
        StorageConfig::Bucket(config) => Storage::bucket(&config, patience).unwrap(),
        StorageConfig::Folder(folder) => panic!("{}", folder.display()),
    }
}

async fn houses() -> [House; 2] {
    [House::Folder(tempfile::tempdir().unwrap()), House::Bucket(FakeBucket::start().await)]
}

async fn content(storage: &Storage, key: &str) -> Option<Vec<u8>> {
    let stored = storage.read(key).await.unwrap()?;
    let pieces: Vec<Bytes> = stored.bytes.try_collect().await.unwrap();
    assert_eq!(stored.size as usize, pieces.iter().map(Bytes::len).sum::<usize>());
    Some(pieces.concat())
}

async fn write(storage: &Storage, key: &str, pieces: &[Bytes]) -> anyhow::Result<()> {
    let mut writer = storage.write(key).await?;
    for piece in pieces {
        writer.put(piece.clone()).await?;
    }
    writer.finish().await
}

/// Bytes that are not the same everywhere.
fn bytes(size: usize) -> Bytes {
    (0..size).map(|place| (place / 7 + place / 1000) as u8).collect::<Vec<u8>>().into()
}

#[tokio::test]
async fn a_file_that_is_written_once_is_never_replaced() {
    for house in houses().await {
        let storage = house.storage();
        for (content, is_its) in [("one", true), ("one", true), ("two", false), ("o", false), ("one and more", false)] {
            assert_eq!(storage.write_once("heads/a", content.into()).await.unwrap(), is_its, "{content}");
        }
        assert_eq!(content(&storage, "heads/a").await.unwrap(), b"one");
        assert_eq!(house.count(&storage).await, 1);
    }
}

#[tokio::test]
async fn a_file_is_there_when_it_is_whole_and_not_before() {
    for house in houses().await {
        let (storage, key, piece) = (house.storage(), new_key("files", 0), bytes(128 * 1024 - 1));
        let mut writer = storage.write(&key).await.unwrap();
        writer.put(piece.clone()).await.unwrap();
        writer.put(Bytes::new()).await.unwrap();
        writer.put(piece.clone()).await.unwrap();
        assert!(content(&storage, &key).await.is_none());
        writer.finish().await.unwrap();
        assert_eq!(content(&storage, &key).await.unwrap(), [&piece[..], &piece].concat());
        write(&storage, "files/empty", &[]).await.unwrap();
        assert_eq!(content(&storage, "files/empty").await.unwrap(), b"");
        assert_eq!(house.count(&storage).await, 2);

        storage.delete(&key).await.unwrap();
        storage.delete(&key).await.unwrap();
        assert!(content(&storage, &key).await.is_none());
        assert_eq!(house.count(&storage).await, 1);
    }
}

#[tokio::test]
async fn a_file_of_any_size_comes_back_as_it_was() {
    for house in houses().await {
        let storage = house.storage();
        for (size, pieces, uploads) in [(PART, 1, 0), (PART + 1, 3, 1), (2 * PART, 1, 2), (2 * PART + PART / 2, 1000, 3)] {
            let whole = bytes(size);
            let pieces: Vec<Bytes> = whole.chunks(size.div_ceil(pieces)).map(Bytes::copy_from_slice).collect();
            write(&storage, "files/a", &pieces).await.unwrap();
            assert!(content(&storage, "files/a").await.unwrap() == whole, "{size} bytes");
            if let House::Bucket(fake) = &house {
                assert_eq!(fake.uploads(), (uploads, 0), "what fits into one part is put at once");
            }
        }
    }
}

#[tokio::test]
async fn a_writer_that_is_dropped_leaves_nothing() {
    for house in houses().await {
        let storage = house.storage();
        for size in [0, 1, PART, PART + 1, 3 * PART] {
            let mut given_up = storage.write("files/b").await.unwrap();
            given_up.put(bytes(size)).await.unwrap();
            drop(given_up);
            assert!(content(&storage, "files/b").await.is_none());
            assert_eq!(house.count(&storage).await, 0, "{size} bytes");
        }
    }
}

#[tokio::test]
async fn no_key_leads_elsewhere() {
    for house in houses().await {
        let storage = house.storage();
        if let House::Folder(folder) = &house {
            std::fs::write(folder.path().join("secret"), "x").unwrap();
        }
        for key in
            ["../secret", "a/../../secret", "/../secret", "", "/", "a//b", "a/", ".", "a.part", "a\\b", "a?uploads", "a#b", "a%2Fb", "ä"]
        {
            assert!(storage.read(key).await.is_err() && storage.write(key).await.is_err() && storage.delete(key).await.is_err(), "{key}");
        }
        if let House::Bucket(fake) = &house {
            assert_eq!(fake.take_requests(), [""; 0]);
        }
    }
}

#[tokio::test]
async fn a_folder_is_its_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Storage::open(&StorageConfig::Folder(folder.path().join("files"))).unwrap();
    write(&storage, "files/2026-11/a", &[bytes(9)]).await.unwrap();
    let mode = |path: &str| std::fs::metadata(folder.path().join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(["files", "files/files", "files/files/2026-11"].map(mode), [0o700; 3]);
    assert_eq!(mode("files/files/2026-11/a"), 0o600);
}

#[tokio::test]
async fn a_bucket_is_asked_below_its_prefix_and_by_its_path() {
    let fake = FakeBucket::start().await;
    for (place, key) in [("", "files/a"), ("/below", "below/files/a"), ("/below/h.e_r-e", "below/h.e_r-e/files/a")] {
        let storage = bucket(&fake, place, QUICK);
        write(&storage, "files/a", &[bytes(1)]).await.unwrap();
        content(&storage, "files/a").await.unwrap();
        assert_eq!(fake.keys(), [key]);
        storage.delete("files/a").await.unwrap();
        let asked = |method: &str| format!("{method} /{BUCKET}/{key}");
        assert_eq!(fake.take_requests(), ["PUT", "GET", "DELETE"].map(asked));
    }
}

#[tokio::test]
async fn passing_trouble_is_tried_again() {
    let fake = FakeBucket::start().await;
    let storage = bucket(&fake, "", QUICK);
    for trouble in [Trouble::Refused(500, "InternalError"), Trouble::Refused(503, "SlowDown"), Trouble::Hangs, Trouble::DoneUnheard] {
        for method in [Method::PUT, Method::POST, Method::GET, Method::DELETE] {
            // An upload whose beginning or end has no answer is tested elsewhere.
            if matches!((&method, trouble), (&Method::POST, Trouble::DoneUnheard)) {
                continue;
            }
            fake.trouble(method.clone(), 1, trouble);
            let whole = bytes(PART + 9);
            write(&storage, "files/a", std::slice::from_ref(&whole))
                .await
                .unwrap_or_else(|error| panic!("{method} {trouble:?}: {error:#}"));
            assert!(content(&storage, "files/a").await.unwrap() == whole, "{method} {trouble:?}");
            storage.delete("files/a").await.unwrap();
            assert!(fake.keys().is_empty() && fake.uploads().1 == 0, "{method} {trouble:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_taken_up_where_it_did() {
    let fake = FakeBucket::start().await;
    let storage = bucket(&fake, "", QUICK);
    let whole = bytes(PART);
    write(&storage, "files/a", std::slice::from_ref(&whole)).await.unwrap();
    for trouble in [Trouble::BreaksOff, Trouble::Stalls] {
        fake.trouble(Method::GET, 1, trouble);
        assert!(content(&storage, "files/a").await.unwrap() == whole, "{trouble:?}");
        fake.trouble(Method::GET, 9, trouble);
        let stored = storage.read("files/a").await.unwrap().unwrap();
        let pieces: Result<Vec<Bytes>, _> = stored.bytes.try_collect().await;
        assert!(pieces.is_err(), "a reader is not told that half a file is all of it");
        fake.take_requests();
    }
}

#[tokio::test]
async fn lasting_trouble_is_a_failure_that_leaves_nothing() {
    let fake = FakeBucket::start().await;
    let storage = bucket(&fake, "", Patience { retries: 1, ..QUICK });
    for trouble in [Trouble::Refused(500, "InternalError"), Trouble::Refused(403, "AccessDenied"), Trouble::Hangs, Trouble::DoneUnheard] {
        for (method, size) in [(Method::PUT, 9), (Method::PUT, PART + 9), (Method::POST, PART + 9)] {
            if matches!((&method, trouble), (&Method::POST, Trouble::DoneUnheard)) {
                continue;
            }
            fake.trouble(method.clone(), 9, trouble);
            let error = write(&storage, "files/a", &[bytes(size)]).await.unwrap_err();
            fake.take_requests();
            let text = format!("{error:#} {error:?}");
            assert!(text.starts_with("the bucket of files: ") && !text.contains("hush-hush"), "{text}");
            bucket_is_empty(&fake, &storage).await;
        }
        for method in [Method::GET, Method::DELETE] {
            fake.trouble(method.clone(), 9, trouble);
            let failed = match method {
                Method::GET => storage.read("files/a").await.is_err(),
                _ => storage.delete("files/a").await.is_err(),
            };
            assert!(failed, "{method} {trouble:?} is not the same as a file that is not there");
            fake.take_requests();
        }
    }
}

async fn bucket_is_empty(fake: &FakeBucket, storage: &Storage) {
    storage.close().await;
    assert_eq!((fake.keys(), fake.uploads().1), (vec![], 0));
}

#[tokio::test]
async fn a_writer_that_is_dropped_while_it_waits_leaves_nothing() {
    let fake = FakeBucket::start().await;
    let storage = bucket(&fake, "", Patience { retries: 0, ..QUICK });
    // The first part, the second, the end of an upload, and a file that is put at once; each is done, or begun, after
    // the caller has stopped waiting.
    for (method, before, size) in [(Method::PUT, 0, PART + 9), (Method::PUT, 1, PART + 9), (Method::POST, 1, PART + 9), (Method::PUT, 0, 9)]
    {
        fake.trouble(method.clone(), before, Trouble::Slow);
        fake.trouble(method.clone(), 1, Trouble::DoneUnheard);
        let pieces = [bytes(size)];
        let writing = write(&storage, "files/a", &pieces);
        let dropped = tokio::time::timeout(Duration::from_millis(200), writing).await;
        assert!(dropped.is_err(), "{method} {size}");
        fake.take_requests();
        bucket_is_empty(&fake, &storage).await;
    }
    // The beginning of an upload: its name comes later.
    fake.trouble(Method::POST, 1, Trouble::Slow);
    let pieces = [bytes(PART + 9)];
    let writing = write(&storage, "files/a", &pieces);
    assert!(tokio::time::timeout(Duration::from_millis(20), writing).await.is_err());
    bucket_is_empty(&fake, &storage).await;
    assert!(fake.take_requests().iter().any(|request| request.starts_with("DELETE")));
}

#[tokio::test]
async fn a_bucket_that_is_not_there_is_a_failure() {
    let fake = FakeBucket::start().await;
    let storage = bucket(&fake, "-of-nobody", QUICK);
    assert!(storage.read("files/a").await.is_err() && storage.delete("files/a").await.is_err());
    assert!(write(&storage, "files/a", &[bytes(1)]).await.is_err());

    let mut settings = fake.settings("");
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    settings.insert("LEADLANE_S3_ENDPOINT".to_owned(), format!("http://{closed}"));
    let StorageConfig::Bucket(config) = Config::read(settings.clone()).unwrap().storage else { panic!("a bucket") };
    assert!(Storage::bucket(&config, QUICK).unwrap().read("files/a").await.is_err());

    // TLS is not dropped to get an answer.
    let plain = settings.get_mut("LEADLANE_S3_ENDPOINT").unwrap();
    *plain = fake.settings("")["LEADLANE_S3_ENDPOINT"].replace("http:", "https:");
    fake.take_requests();
    let StorageConfig::Bucket(config) = Config::read(settings).unwrap().storage else { panic!("a bucket") };
    // On a machine without certificates it fails at once.
    if let Ok(storage) = Storage::bucket(&config, QUICK) {
        assert!(storage.read("files/a").await.is_err());
    }
    assert_eq!(fake.take_requests(), [""; 0]);
}

#[tokio::test]
async fn a_bucket_refuses_whoever_signs_as_another() {
    let fake = FakeBucket::start().await;
    let mut settings = fake.settings("");
    settings.insert("LEADLANE_S3_ACCESS_KEY_ID".to_owned(), "SOMEBODY".to_owned());
    let StorageConfig::Bucket(config) = Config::read(settings).unwrap().storage else { panic!("a bucket") };
    let storage = Storage::bucket(&config, QUICK).unwrap();
    let error = write(&storage, "files/a", &[bytes(1)]).await.unwrap_err();
    assert!(format!("{error:#}").contains("403"), "{error:#}");
    assert!(storage.read("files/a").await.is_err());
    assert!(fake.keys().is_empty());
}
