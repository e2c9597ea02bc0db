//! `/common/upload`, `/common/file/{id}` and the page route `/files/{id}`: what is taken, what it
//! is called, and who gets it back.

use axum::http::Method;
use base::clock::{DAY, HOUR};
use frame::upload;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use testing::upload::{png, png_of, png_with};
use testing::{Actor, TestApp, on_both};

const PDF: &[u8] = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n";
const PATH: &str = "/common/upload";

async fn upload(who: &Actor, name: &str, content: &[u8]) -> Value {
    who.upload(PATH, &[], name, content).await.ok()
}

/// How many files lie in the storage.
fn stored(app: &TestApp) -> usize {
    fn count(folder: &std::path::Path) -> usize {
        let entries = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
        entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
    }
    count(&app.app.config.data.join("files"))
}

// S7.30
on_both!(a_file_comes_back_as_it_was_brought);
async fn a_file_comes_back_as_it_was_brought(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let made = upload(&operator, "合同 \"1\".PDF", PDF).await;
    let id = made["id"].as_i64().unwrap();
    assert_eq!(
        made,
        json!({"id": id, "name": "合同 %221%22.pdf", "size": PDF.len(), "mime": "application/pdf", "url": format!("/files/{id}")})
    );
    let file = operator.get(&format!("/common/file/{id}")).await;
    assert_eq!(&file.body[..], PDF);
    assert_eq!((file.header("content-type"), file.header("x-content-type-options")), (Some("application/pdf"), Some("nosniff")));
    assert_eq!(file.header("cache-control"), Some("private, no-cache"));
    assert_eq!(file.header("content-security-policy"), Some("default-src 'none'; frame-ancestors 'none'"));
    let name = file.header("content-disposition").unwrap();
    assert!(name.starts_with(&format!("attachment; filename=\"file-{id}.pdf\"; filename*=UTF-8''%E5%90%88%E5%90%8C")), "{name}");

    let trail = &app.trail("file", id).await[0].diff;
    let told = |field: &str| trail.iter().find(|change| change.field == field).and_then(|change| change.after.clone()).unwrap();
    assert_eq!((told("type").as_str(), told("sha256")), ("application/pdf", hex::encode(Sha256::digest(PDF))));
}

on_both!(content_decides_and_what_is_said_of_it_does_not);
async fn content_decides_and_what_is_said_of_it_does_not(app: TestApp) {
    let operator = app.sign_in("operator").await;
    // Each is sent as text/html.
    let gif = b"GIF89a\x01\0\x01\0\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x19<script>alert(1)</script>\0;".to_vec();
    for (name, content, kind, shown, place) in [
        ("photo.html", png(), "image/png", "photo.html.png", "inline"),
        ("page.html", gif, "image/gif", "page.html.gif", "inline"),
        ("picture.png", PDF.to_vec(), "application/pdf", "picture.png.pdf", "attachment"),
        ("../../../etc/passwd.csv", b"a,b\r\n1,2\r\n".to_vec(), "text/csv", "passwd.csv", "attachment"),
    ] {
        let made = upload(&operator, name, &content).await;
        assert_eq!((made["mime"].as_str(), made["name"].as_str()), (Some(kind), Some(shown)));
        let file = operator.get(&format!("/common/file/{}", made["id"])).await;
        assert_eq!((file.header("content-type"), &file.body[..]), (Some(kind), &content[..]));
        assert!(file.header("content-disposition").unwrap().starts_with(place));
    }
    assert!(!app.app.config.data.join("../etc").exists());
}

on_both!(what_is_of_no_kind_we_take_is_refused);
async fn what_is_of_no_kind_we_take_is_refused(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for (name, content) in [
        ("a.svg", &b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>"[..]),
        ("a.png", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
        ("a.html", b"<!doctype html><script>alert(1)</script>"),
        ("a.csv", b"<!doctype html><script>alert(1)</script>"),
        ("a.png", b"\x89PNG\r\n\x1a\n<script>alert(1)</script>"),
        ("a.png", b"MZ\x90\0"),
        ("a.xlsx", b"PK\x03\x04 no workbook"),
        ("a.pdf", b"%PDF-1.7 cut off"),
        ("a.txt", b"plain text"),
        ("a.png", b""),
    ] {
        let answer = operator.upload(PATH, &[], name, content).await;
        answer.refused("4013");
        assert_eq!(answer.status, 413);
    }
    let desc = operator.in_english().upload(PATH, &[], "a.txt", b"x").await.desc();
    assert!(desc.contains("PNG, JPG, WebP, GIF, PDF, XLSX, DOCX, CSV, MP3 or MP4"), "{desc}");
    assert_eq!((app.count("SELECT COUNT(*) FROM file").await, stored(&app)), (0, 0));
}

/// An archive whose parts all hold a text, with where each lies written behind them.
fn archive(names: &[&str], text: &str) -> Vec<u8> {
    let (mut bytes, mut places) = (Vec::new(), Vec::new());
    let mut crc = flate2::Crc::new();
    crc.update(text.as_bytes());
    for name in names {
        let (at, sizes) = (bytes.len() as u32, (text.len() as u32).to_le_bytes());
        let about = [&[0; 4][..], &[0; 4], &crc.sum().to_le_bytes(), &sizes, &sizes, &(name.len() as u16).to_le_bytes(), &[0; 2]].concat();
        bytes.extend([&b"PK\x03\x04\x14\0"[..], &about, name.as_bytes(), text.as_bytes()].concat());
        places.extend([&b"PK\x01\x02\x14\0\x14\0"[..], &about, &[0; 10], &at.to_le_bytes(), name.as_bytes()].concat());
    }
    let (count, at) = ((names.len() as u16).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
    let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &(places.len() as u32).to_le_bytes(), &at, &[0; 2]].concat();
    [bytes, places, end].concat()
}

on_both!(a_contract_of_word_is_taken_and_one_with_macros_is_not);
async fn a_contract_of_word_is_taken_and_one_with_macros_is_not(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let contract = archive(&["[Content_Types].xml", "word/document.xml"], "<x/>");
    for fields in [&[][..], &[("bizType", "receipt_proof")]] {
        let made = operator.upload(PATH, fields, "合同.docx", &contract).await.ok();
        assert_eq!(
            (made["name"].as_str(), made["mime"].as_str()),
            (Some("合同.docx"), Some("application/vnd.openxmlformats-officedocument.wordprocessingml.document"))
        );
        let file = operator.get(&format!("/common/file/{}", made["id"])).await;
        assert_eq!(file.body, contract);
        assert!(file.header("content-disposition").unwrap().starts_with("attachment"));
    }
    for (name, content) in [
        ("a.docm", archive(&["[Content_Types].xml", "word/document.xml"], "<x>application/vnd.ms-word.document.macroEnabled.main+xml</x>")),
        ("a.docx", archive(&["[Content_Types].xml", "word/document.xml", "word/vbaProject.bin"], "<x/>")),
    ] {
        operator.upload(PATH, &[], name, &content).await.refused("4013");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM file").await, 2);
}

on_both!(a_photo_of_an_iphone_is_refused_with_what_to_do);
async fn a_photo_of_an_iphone_is_refused_with_what_to_do(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for (name, fields) in [("IMG_0001.HEIC", &[][..]), ("IMG_0001.jpg", &[("bizType", "avatar")])] {
        let sent = operator.upload(PATH, fields, name, b"\0\0\0\x18ftypheic\0\0\0\0mif1heic").await;
        sent.refused("4013");
        assert!(sent.desc().contains("HEIC") && sent.desc().contains("兼容性最佳"), "{}", sent.desc());
        let sent = operator.in_english().upload(PATH, fields, name, b"\0\0\0\x18ftypheic\0\0\0\0mif1heic").await;
        assert!(sent.desc().contains("Most Compatible"), "{}", sent.desc());
    }
}

/// What lies in the storage, one after the other.
fn lies(app: &TestApp) -> Vec<u8> {
    fn all(folder: &std::path::Path, found: &mut Vec<u8>) {
        for path in std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => all(&path, found),
                false => found.extend(std::fs::read(path).unwrap()),
            }
        }
    }
    let mut found = Vec::new();
    all(&app.app.config.data.join("files"), &mut found);
    found
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

on_both!(a_picture_loses_where_it_was_taken);
async fn a_picture_loses_where_it_was_taken(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let brought = [png_with(&[(b"tEXt", b"GPS 31.2304"), (b"IDAT", b"image")]), b"behind".to_vec()].concat();
    let kept = png_with(&[(b"IDAT", b"image")]);
    let made = upload(&operator, "a.png", &brought).await;
    assert_eq!(made["size"], kept.len());
    let file = operator.get(&format!("/common/file/{}", made["id"])).await;
    assert_eq!(file.body, kept);
    assert_eq!(file.header("etag"), Some(format!("\"{}\"", hex::encode(Sha256::digest(&kept))).as_str()));
    let cut = operator.upload(PATH, &[], "a.png", &kept[..kept.len() - 5]).await;
    cut.refused("4013");
    assert!(cut.desc().contains("图片已损坏"), "{}", cut.desc());
}

on_both!(a_file_lies_encrypted_and_comes_back_as_it_was);
async fn a_file_lies_encrypted_and_comes_back_as_it_was(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let picture = png_with(&[(b"IDAT", b"the image itself")]);
    let made = upload(&operator, "a.png", &picture).await;
    let lying = lies(&app);
    assert!(!holds(&lying, b"the image itself") && !holds(&lying, b"PNG"), "{}", String::from_utf8_lossy(&lying));
    let file = operator.get(&format!("/common/file/{}", made["id"])).await;
    assert_eq!((&file.body[..], file.header("content-length")), (&picture[..], Some(picture.len().to_string().as_str())));
    let sealed = app.text("SELECT key_enc FROM file").await;
    assert!(sealed.starts_with("2."), "{sealed}");
    // What is put in its place is not given out.
    let key = app.text("SELECT storage_key FROM file").await;
    std::fs::write(app.app.config.data.join("files").join(key), png()).unwrap();
    operator.get(&format!("/common/file/{}", made["id"])).await.refused("5000");
}

/// Makes the only file one of before, which lies in clear.
async fn make_one_of_before(app: &TestApp, content: &[u8]) {
    app.execute("UPDATE file SET key_enc = NULL, sealed_at = NULL").await;
    let key = app.text("SELECT storage_key FROM file").await;
    std::fs::write(app.app.config.data.join("files").join(key), content).unwrap();
}

on_both!(a_file_of_before_is_read_and_then_encrypted);
async fn a_file_of_before_is_read_and_then_encrypted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let picture = png_with(&[(b"IDAT", b"the image itself")]);
    let path = format!("/common/file/{}", upload(&operator, "a.png", &picture).await["id"]);
    make_one_of_before(&app, &picture).await;
    assert_eq!(operator.get(&path).await.body, picture);
    assert!(holds(&lies(&app), b"the image itself"));

    let stopped = CancellationToken::new();
    stopped.cancel();
    assert_eq!(upload::seal(&app.app, &stopped).await.unwrap(), 0, "it is left to the next one");
    // A run that was cut off while it copied has left a part where the row says.
    app.execute("UPDATE file SET spare_key = 'files/2026-01/0123456789abcdef0123456789abcdef'").await;
    let going = CancellationToken::new();
    assert_eq!(upload::seal(&app.node().await.app, &going).await.unwrap(), 1);
    assert_eq!(app.text("SELECT storage_key FROM file").await, "files/2026-01/0123456789abcdef0123456789abcdef");
    assert_eq!(operator.get(&path).await.body, picture);
    // The copy in clear stays for a backup that is being made, and then goes.
    assert_eq!((upload::seal(&app.app, &going).await.unwrap(), stored(&app)), (0, 2));
    app.advance(6 * HOUR);
    assert_eq!((upload::seal(&app.app, &going).await.unwrap(), stored(&app)), (0, 1));
    assert!(!holds(&lies(&app), b"the image itself"));
    assert_eq!(app.sign_in("operator").await.get(&path).await.body, picture);
    app.advance(DAY + 1000);
    assert_eq!(upload::sweep(&app.app).await.unwrap(), 1);
    assert_eq!(stored(&app), 0);
}

on_both!(a_file_that_is_not_what_was_brought_is_left_as_it_is);
async fn a_file_that_is_not_what_was_brought_is_left_as_it_is(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let path = format!("/common/file/{}", upload(&operator, "a.png", &png()).await["id"]);
    make_one_of_before(&app, b"something else").await;
    assert_eq!(upload::seal(&app.app, &CancellationToken::new()).await.unwrap(), 0);
    assert_eq!((stored(&app), &operator.get(&path).await.body[..]), (1, &b"something else"[..]));
    operator.delete(&path).await.ok();
    assert_eq!(stored(&app), 0);
}

on_both!(twenty_megabytes_are_taken_and_twenty_one_are_not);
async fn twenty_megabytes_are_taken_and_twenty_one_are_not(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let made = upload(&operator, "a.png", &png_of(20 << 20)).await;
    assert_eq!(operator.get(&format!("/common/file/{}", made["id"])).await.body.len(), 20 << 20);
    for size in [(20 << 20) + 1, 21 << 20] {
        let answer = operator.upload(PATH, &[], "a.png", &png_of(size)).await;
        answer.refused("4013");
        assert_eq!(answer.status, 413);
    }
    assert_eq!((app.count("SELECT COUNT(*) FROM file").await, stored(&app)), (1, 1));
}

on_both!(a_record_that_has_taken_a_file_shows_it_by_its_own_rule);
async fn a_record_that_has_taken_a_file_shows_it_by_its_own_rule(app: TestApp) {
    let (operator, auditor) = (app.sign_in("operator").await, app.sign_in("auditor").await);
    let mut made = Vec::new();
    for _ in 0..2 {
        made.push(operator.upload(PATH, &[("bizType", "avatar")], "a.png", &png()).await.ok()["id"].as_i64().unwrap());
    }
    let (me, other) = (app.account("operator").await, app.account("auditor").await);
    let settle = async |record: i64, files: &[i64], uploader: i64| {
        let mut tx = app.app.db.begin().await.unwrap();
        let taken = upload::settle(&mut tx, "avatar", record, files, uploader, app.now()).await.unwrap();
        if taken {
            tx.commit().await.unwrap();
        }
        taken
    };
    assert!(!settle(other, &made[..1], other).await, "another's upload is not one's own to take");
    assert!(settle(me, &made[..1], me).await);
    assert_eq!(auditor.get(&format!("/common/file/{}", made[0])).await.status, 200);
    auditor.get(&format!("/common/file/{}", made[1])).await.refused("1004");
    assert!(!settle(other, &made[..1], me).await, "it is this record's and no other's");
    operator.delete(&format!("/common/file/{}", made[0])).await.refused("1006");

    // Another takes its place: it is nobody's now.
    assert!(settle(me, &made[1..], me).await);
    auditor.get(&format!("/common/file/{}", made[0])).await.refused("1004");
    assert_eq!(auditor.get(&format!("/common/file/{}", made[1])).await.status, 200);
    app.advance(DAY + 1000);
    assert_eq!(upload::sweep(&app.app).await.unwrap(), 1);
    assert_eq!(app.sign_in("auditor").await.get(&format!("/common/file/{}", made[1])).await.status, 200);
    assert_eq!(stored(&app), 1);
}

on_both!(what_nobody_has_taken_is_swept_after_a_day);
async fn what_nobody_has_taken_is_swept_after_a_day(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = upload(&operator, "a.png", &png()).await["id"].as_i64().unwrap();
    app.advance(DAY - 60_000);
    assert_eq!(upload::sweep(&app.app).await.unwrap(), 0);
    upload(&app.sign_in("operator").await, "b.png", &png()).await;
    app.advance(120_000);
    assert_eq!(upload::sweep(&app.app).await.unwrap(), 1);
    app.sign_in("operator").await.get(&format!("/common/file/{id}")).await.refused("1004");
    assert_eq!((app.count("SELECT COUNT(*) FROM file").await, stored(&app)), (1, 1));
}

on_both!(an_upload_can_be_taken_back_by_whoever_brought_it);
async fn an_upload_can_be_taken_back_by_whoever_brought_it(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let path = format!("/common/file/{}", upload(&operator, "a.png", &png()).await["id"]);
    app.sign_in("admin").await.delete(&path).await.refused("1004");
    operator.delete(&path).await.ok();
    operator.delete(&path).await.refused("1004");
    operator.get(&path).await.refused("1004");
    assert_eq!((app.count("SELECT COUNT(*) FROM file").await, stored(&app)), (0, 0));
}

on_both!(a_day_has_its_limit);
async fn a_day_has_its_limit(app: TestApp) {
    let operator = app.sign_in("operator").await;
    upload(&operator, "a.png", &png()).await;
    app.execute("UPDATE file SET size = 524288000 - 100").await;
    let desc = operator.upload(PATH, &[], "b.png", &png_of(png().len() + 60)).await;
    desc.refused("1006");
    assert!(desc.desc().contains("500 MB"), "{}", desc.desc());
    upload(&app.sign_in("admin").await, "b.png", &png()).await;
    app.advance(DAY);
    upload(&app.sign_in("operator").await, "b.png", &png_of(png().len() + 60)).await;
}

on_both!(a_portrait_is_a_picture);
async fn a_portrait_is_a_picture(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let refused = operator.upload(PATH, &[("bizType", "avatar")], "a.pdf", PDF).await;
    refused.refused("4013");
    assert_eq!(refused.desc(), "请上传 PNG、JPG、WebP 或 GIF 图片");
    operator.upload(PATH, &[("bizType", "nonsense")], "a.png", &png()).await.wrong("bizType");
    operator.upload(PATH, &[("bizId", "1")], "a.png", &png()).await.wrong("bizId");
    assert_eq!(app.count("SELECT COUNT(*) FROM file").await, 0);
}

/// A scanner on a port of its own that finds "EICAR", as clamd does.
async fn scanner() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut asked, _)) = listener.accept().await {
            let mut command = [0; 10];
            asked.read_exact(&mut command).await.unwrap();
            assert_eq!(&command, b"zINSTREAM\0");
            let mut content = Vec::new();
            loop {
                let size = asked.read_u32().await.unwrap() as usize;
                if size == 0 {
                    break;
                }
                let before = content.len();
                content.resize(before + size, 0);
                asked.read_exact(&mut content[before..]).await.unwrap();
            }
            let found = content.windows(5).any(|window| window == b"EICAR");
            asked.write_all(if found { &b"stream: Eicar-Test-Signature FOUND\0"[..] } else { b"stream: OK\0" }).await.unwrap();
        }
    });
    address
}

// S-L15
on_both!(a_scanner_looks_at_every_upload);
async fn a_scanner_looks_at_every_upload(app: TestApp) {
    let app = app.scanned_by(&scanner().await).await;
    let operator = app.sign_in("operator").await;
    let of = |filling: &[u8]| [&b"%PDF-1.7\n"[..], &[b' '; 300_000], filling, b"\ntrailer\n<<>>\n%%EOF\n"].concat();
    let clean = upload(&operator, "a.pdf", &of(b"nothing")).await;
    assert_eq!(operator.get(&format!("/common/file/{}", clean["id"])).await.body, of(b"nothing"));
    let infected = of(b"X5O!P%@AP EICAR");
    let refused = operator.in_english().upload(PATH, &[], "b.pdf", &infected).await;
    refused.refused("1006");
    assert_eq!(refused.desc(), "The file contains malicious code and was refused");
    assert_eq!((app.count("SELECT COUNT(*) FROM file").await, stored(&app)), (1, 1));
    let told = app.text("SELECT diff FROM operation_log WHERE action = 'other'").await;
    assert!(
        told.contains("Eicar-Test-Signature") && told.contains("b.pdf") && told.contains(&hex::encode(Sha256::digest(&infected))),
        "{told}"
    );
}

// S-L15: what nobody has looked at is not taken.
on_both!(nothing_is_taken_while_the_scanner_is_away);
async fn nothing_is_taken_while_the_scanner_is_away(app: TestApp) {
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().to_string();
    let app = app.scanned_by(&nobody).await;
    app.sign_in("operator").await.upload(PATH, &[], "a.pdf", PDF).await.refused("5003");
    assert_eq!((app.count("SELECT COUNT(*) FROM file").await, stored(&app)), (0, 0));
}

// Clients call the field as they like: what brings a file's name is the file, and there is one.
on_both!(a_file_may_come_in_a_field_of_another_name);
async fn a_file_may_come_in_a_field_of_another_name(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for field in ["upload", "files[]", "图片"] {
        let made = operator.upload_as(field, PATH, &[("bizType", "")], "a.png", &png()).await.ok();
        assert_eq!(operator.get(&format!("/common/file/{}", made["id"])).await.body, png());
    }
    let large = vec![b'x'; (20 << 20) + 1];
    operator.upload_as("upload", PATH, &[], "a.png", &large).await.refused("4013");
    operator.upload_as("upload", PATH, &[("file", "x")], "a.png", &png()).await.refused("4000");
    assert_eq!(app.count("SELECT COUNT(*) FROM file").await, 3);
}

// Clients of the specification send fields of their own beside the file; they are read by nothing.
on_both!(unknown_fields_beside_a_file_are_left_out);
async fn unknown_fields_beside_a_file_are_left_out(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let made = operator.upload(PATH, &[("path", "/etc/passwd"), ("uid", "rc-upload-1"), ("type", "")], "a.png", &png()).await.ok();
    assert_eq!(made["name"], "a.png");
    assert_eq!(operator.get(&format!("/common/file/{}", made["id"])).await.body, png());
    assert_eq!((app.count("SELECT COUNT(*) FROM file").await, stored(&app)), (1, 1));
}

on_both!(forms_that_are_none_are_malformed);
async fn forms_that_are_none_are_malformed(app: TestApp) {
    let operator = app.sign_in("operator").await;
    operator.post(PATH, json!({"file": "x"})).await.refused("4000");
    operator.upload(PATH, &[("bizId", "x")], "a.png", &png()).await.refused("4000");
    operator.upload(PATH, &[("bizType", "avatar"), ("bizType", "avatar")], "a.png", &png()).await.refused("4000");
    operator.upload(PATH, &[("file", "x")], "a.png", &png()).await.refused("4000");
    operator.upload(PATH, &[("bizType", &"x".repeat(2000))], "a.png", &png()).await.refused("4000");
    let multipart = operator.with("content-type", "multipart/form-data; boundary=x");
    for body in
        [&b""[..], b"--x--\r\n", b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n\x89PNG", b"\xff\xfe"]
    {
        multipart.send(Method::POST, PATH, body.to_vec()).await.refused("4000");
    }
    operator.with("content-type", "multipart/form-data").send(Method::POST, PATH, b"x".to_vec()).await.refused("4000");
    app.stranger().upload(PATH, &[], "a.png", &png()).await.refused("2000");
    assert_eq!((app.count("SELECT COUNT(*) FROM file").await, stored(&app)), (0, 0));
}

on_both!(an_upload_sent_twice_is_kept_once);
async fn an_upload_sent_twice_is_kept_once(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let first = upload(&operator, "a.png", &png()).await;
    assert_eq!(upload(&operator, "a.png", &png()).await, first);
    operator.upload(PATH, &[], "a.pdf", PDF).await.wrong("Idempotency-Key");
    assert_eq!((app.count("SELECT COUNT(*) FROM file").await, stored(&app)), (1, 1));
}
