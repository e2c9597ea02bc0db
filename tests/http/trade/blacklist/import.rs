//! `POST /blacklist/import`: a table is tried, then taken; what it may not be.

use std::io::Write;

use base::clock::{self, DAY, MINUTE};
use frame::access::audit::Action;
use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{ID_NO, entries};
use testing::blacklist::import::{PATH, TABLE, TAKE, bring, counts};
use testing::blacklist::{PHONE, channel, make};
use testing::{Answer, TestApp, on_both};

const TRY: &[(&str, &str)] = &[("dryRun", "true")];

on_both!(a_table_is_tried_and_nothing_is_written);
async fn a_table_is_tried_and_nothing_is_written(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, json!({})).await;
    channel(&app, "north-h5-1").await;
    let trail = app.count("SELECT COUNT(*) FROM operation_log").await;
    let report = bring(&operator, TRY, TABLE).await;
    assert_eq!((counts(&report), &report["dryRun"], &report["errorFile"]), ([7, 3, 2, 2], &json!(true), &Value::Null));
    let wrong = report["wrongCells"].as_array().unwrap();
    assert_eq!(wrong[0], json!({"row": 7, "column": "名单值", "message": "请输入 11 位手机号"}));
    assert_eq!(wrong[1], json!({"row": 7, "column": "原因", "message": "必填"}));
    assert_eq!((&report["unusedColumns"], &report["sheet"], &report["unsearched"]), (&json!(["别的"]), &Value::Null, &json!(false)));
    assert_eq!(wrong[2], json!({"row": 8, "column": "类型", "message": "应为：手机号、身份证号、IP 地址、设备"}));
    let english = bring(&operator.in_english(), TRY, TABLE).await;
    assert_eq!(english["wrongCells"][0], json!({"row": 7, "column": "名单值", "message": "Enter an 11-digit mobile number"}));
    assert_eq!((entries(&app).await, app.count("SELECT COUNT(*) FROM operation_log").await), (1, trail + 2), "but that it was tried");
    assert!(app.text("SELECT diff FROM operation_log ORDER BY id DESC LIMIT 1").await.contains("tried"));
    assert_eq!(app.count("SELECT COUNT(*) FROM file").await, 0);
}

on_both!(a_table_is_taken_and_told_once);
async fn a_table_is_taken_and_told_once(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, json!({})).await;
    let channel = channel(&app, "north-h5-1").await;
    let trail = app.count("SELECT COUNT(*) FROM operation_log").await;
    let report = bring(&operator, TAKE, TABLE).await;
    assert_eq!((counts(&report), &report["dryRun"]), ([7, 3, 2, 2], &json!(false)));
    assert_eq!(entries(&app).await, 4);

    let page = operator.post("/blacklist/page", json!({"sort": "expiresAt", "order": "asc"})).await.ok();
    let rows = page["list"].as_array().unwrap();
    let of = |kind: &str| rows.iter().find(|row| row["kind"] == kind && row["reason"] != "投诉被多次联系").unwrap();
    assert_eq!(
        (&of("phone")["source"], &of("phone")["scope"], &of("phone")["valueMask"]),
        (&json!("import"), &json!("global"), &json!("138****0002"))
    );
    let id_no = of("id_no");
    assert_eq!((&id_no["source"], &id_no["scopeId"], &id_no["valueMask"]), (&json!("risk"), &json!(channel), &json!("1101***********02X")));
    assert_eq!(id_no["expiresAt"], json!(clock::day_start("2099-12-31").unwrap() + DAY - 1));
    assert_eq!((&of("ip")["reason"], &of("ip")["scopeName"]), (&json!("=1+1"), &json!("北辰")));

    // One entry of the trail, with what was brought and what came of it.
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, trail + 1);
    let diff = app.text("SELECT diff FROM operation_log WHERE action = 'import'").await;
    let diff: Vec<Value> = serde_json::from_str(&diff).unwrap();
    let told = |field: &str| diff.iter().find(|change| change["field"] == field).unwrap()["after"].as_str().unwrap().to_owned();
    assert_eq!(["rows", "good", "duplicate", "wrong"].map(told), ["7", "3", "2", "2"]);
    assert_eq!(["name", "sha256"].map(told), ["名单.csv".to_owned(), hex::encode(Sha256::digest(TABLE))]);
    assert!(!diff.iter().any(|change| change.to_string().contains("13812340002")));
    assert_eq!(app.text("SELECT action FROM operation_log ORDER BY id DESC LIMIT 1").await, <&str>::from(Action::Import));

    // Brought again, all of it is there.
    assert_eq!(counts(&bring(&operator, TAKE, TABLE).await), [7, 0, 5, 2]);
    assert_eq!(entries(&app).await, 4);
}

on_both!(tables_of_office_programs_are_read);
async fn tables_of_office_programs_are_read(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let table = "类型,名单值,原因\r\n手机号,13812340001,投诉\r\n设备,device-0001,多次申请\r\n";
    let gbk = encoding_rs::GBK.encode(table).0.into_owned();
    let mut marked = "\u{feff}".as_bytes().to_vec();
    marked.extend(table.as_bytes());
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (row, cells) in
        [["Reason", "Kind", "Value"], ["complained", "phone", ""], ["again and again", "Device", "device-0001"]].iter().enumerate()
    {
        for (column, text) in cells.iter().enumerate() {
            sheet.write_string(row as u32, column as u16, *text).unwrap();
        }
    }
    // As a spreadsheet keeps it when nobody says that it is a text.
    sheet.write_number(1, 2, 13_812_340_001.0).unwrap();
    let book = book.save_to_buffer().unwrap();
    for (name, content) in [("a.csv", table.as_bytes()), ("b.csv", &marked), ("c.CSV", &gbk), ("d.xlsx", &book)] {
        assert_eq!(counts(&operator.upload(PATH, TRY, name, content).await.ok()), [2, 2, 0, 0], "{name}");
    }
    assert_eq!(counts(&operator.upload(PATH, TAKE, "d.xlsx", &book).await.ok()), [2, 2, 0, 0]);
    let found = operator.post("/blacklist/page", json!({"keyword": PHONE})).await.ok();
    assert_eq!(found["list"][0]["reason"], "complained");

    // What the template says is what an import takes.
    for (actor, title) in [(operator.clone(), "类型"), (operator.in_english(), "Kind")] {
        let template = actor.get("/blacklist/template").await;
        assert!(template.header("content-disposition").unwrap().starts_with("attachment; filename=\"template.xlsx\""));
        let mut read: calamine::Xlsx<_> = calamine::Reader::new(std::io::Cursor::new(template.body.to_vec())).unwrap();
        let range = calamine::Reader::worksheet_range_at(&mut read, 0).unwrap().unwrap();
        assert_eq!((range.get_size(), range.get((0, 0)).unwrap().to_string().as_str()), ((1, 7), title));
        let empty = actor.upload(PATH, TRY, "template.xlsx", &template.body).await;
        empty.wrong("file");
    }
}

/// A workbook of given parts.
fn zipped(parts: &[(&str, &[u8])], times: usize) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        for _ in 0..times {
            archive.write_all(content).unwrap();
        }
    }
    archive.finish().unwrap().into_inner()
}

on_both!(hostile_files_get_one_clear_answer);
async fn hostile_files_get_one_clear_answer(app: TestApp) {
    let operator = app.sign_in("operator").await.in_english();
    let bomb = zipped(&[("[Content_Types].xml", b"<x/>"), ("xl/workbook.xml", &vec![b' '; 1 << 20])], 200);
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    let hollow = zipped(&[("[Content_Types].xml", b"<x/>"), ("xl/workbook.xml", b"<x/>")], 1);
    let line = "phone,13812340001,x\n";
    let many = format!("kind,value,reason\n{}", line.repeat(50_001));
    for (name, content, said) in [
        ("a.csv", &b""[..], "The file is empty"),
        ("a.xlsx", b"", "The file is empty"),
        ("a.csv", b"kind,reason\nphone,x\n", "Row 1: columns missing: Value"),
        ("a.csv", "手机号,13812340001\n".as_bytes(), "No column headings in the first 20 rows; needed: Kind, Value, Reason"),
        ("a.csv", b"kind,value,reason,VALUE\nphone,1,x,1\n", "Row 1: duplicate column \u{201c}value\u{201d}: columns B and D"),
        ("a.csv", b"kind,value,reason\n,,\n\n", "The file has no data rows (the column headings are in row 1)"),
        ("a.csv", many.as_bytes(), "At most 50000 rows: split the file"),
        ("a.xlsx", &bomb, "The file is too large when unpacked: remove unneeded sheets or split it"),
        ("a.xlsx", &hollow, "The file is damaged and cannot be read"),
    ] {
        for how in [TRY, TAKE] {
            assert_eq!(operator.upload(PATH, how, name, content).await.wrong("file"), said, "{name}");
        }
    }
    let refused = async |name: &str, content: &[u8]| -> Answer { operator.upload(PATH, TAKE, name, content).await };
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03\x08\x06\0\0\0\0\0\0\0";
    for (name, content, said) in [
        ("a.csv", &png[..], "Upload an XLSX or CSV file"),
        ("a.txt", b"<p>", "This is a web page (HTML) or XML, not a table: open it in a spreadsheet program and save it as XLSX"),
        ("a.xlsx", b"PK\x03\x04 cut off", "The workbook is incomplete: download it again, or save it again and import that"),
        ("a.xls", b"\xd0\xcf\x11\xe0", "This is a file of an old Excel (XLS), or one with a password: save it as XLSX without a password"),
        (
            "a.csv",
            b"a,b\0",
            "Row 1 holds a control character (U+0000), which no table has: open it in a spreadsheet program and save it as XLSX",
        ),
    ] {
        let answer = refused(name, content).await;
        answer.refused("4013");
        assert_eq!(answer.desc(), said, "{name}");
    }
    refused("a.csv", &vec![b'a'; (20 << 20) + 1]).await.refused("4013");
    for fields in [&[("dryRun", "maybe")][..], &[("dryrun", "true")], &[("kind", "phone")]] {
        operator.upload(PATH, fields, "a.csv", many.as_bytes()).await.refused("4000");
    }
    operator.post(PATH, json!({"dryRun": true})).await.refused("4000");
    assert_eq!((entries(&app).await, app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'import'").await), (0, 0));
}

on_both!(each_wrong_cell_is_told_under_its_column);
async fn each_wrong_cell_is_told_under_its_column(app: TestApp) {
    let operator = app.sign_in("operator").await.in_english();
    let long = "x".repeat(201);
    for (line, column) in [
        ("email,a@b.c,x,,,,".to_owned(), "kind"),
        ("phone,138,x,,,,".to_owned(), "value"),
        ("id_no,110105194912310021,x,,,,".to_owned(), "value"),
        ("ip,203.0.113.0/24,x,,,,".to_owned(), "value"),
        (format!("phone,{PHONE},,,,,"), "reason"),
        (format!("phone,{PHONE},{long},,,,"), "reason"),
        (format!("phone,{PHONE},x,planet,,,"), "scope"),
        (format!("phone,{PHONE},x,global,north,,"), "scopeId"),
        (format!("phone,{PHONE},x,,north,,"), "scopeId"),
        (format!("phone,{PHONE},x,channel,,,"), "scopeId"),
        (format!("phone,{PHONE},x,organisation,nowhere,,"), "scopeId"),
        (format!("phone,{PHONE},x,,,gossip,"), "source"),
        (format!("phone,{PHONE},x,,,,tomorrow"), "expiresAt"),
        (format!("phone,{PHONE},x,,,,2020-01-01"), "expiresAt"),
    ] {
        let report = bring(&operator, TRY, &format!("kind,value,reason,scope,scopeId,source,expiresAt\n{line}\n")).await;
        assert_eq!(counts(&report), [1, 0, 0, 1], "{line}");
        let cells = report["wrongCells"].as_array().unwrap();
        assert_eq!((cells.len(), &cells[0]["column"], &cells[0]["row"]), (1, &json!(column), &json!(2)), "{line}");
    }
    let all = format!("kind,value,reason\n{}", "phone,1,x\n".repeat(30));
    assert_eq!(bring(&operator, TRY, &all).await["wrongCells"].as_array().unwrap().len(), 20, "the first ones");
}

on_both!(nothing_is_widened_by_what_is_not_read);
async fn nothing_is_widened_by_what_is_not_read(app: TestApp) {
    let operator = app.sign_in("operator").await.in_english();
    // Such a row means one channel until a day, and not all channels for ever.
    let table = "kind,value,reason,holds where,until\nphone,13812340002,x,north-h5-1,2099-12-31\n";
    assert_eq!(bring(&operator, TRY, table).await["unusedColumns"], json!(["holds where", "until"]));
    let said = operator.upload(PATH, &[("dryRun", "false")], "a.csv", table.as_bytes()).await.wrong("acceptUnused");
    assert_eq!(said, "These columns are not imported: holds where, until. Check their headings, and confirm to import without them");
    assert_eq!(entries(&app).await, 0);
    let taken = bring(&operator, TAKE, table).await;
    assert_eq!((counts(&taken), &taken["unusedColumns"]), ([1, 1, 0, 0], &json!(["holds where", "until"])));
    // An optional cell that cannot be read is wrong, and its row is not taken with the wide default.
    let table = "kind,value,reason,scope,expiresAt\nphone,13812340003,x,#N/A,\nphone,13812340004,x,,#REF!\nphone,1.38E+10,x,,\n";
    let report = bring(&operator, TAKE, table).await;
    assert_eq!(counts(&report), [3, 0, 0, 3]);
    let places: Vec<_> = report["wrongCells"].as_array().unwrap().iter().map(|cell| (&cell["row"], &cell["column"])).collect();
    assert_eq!(places, [(&json!(2), &json!("scope")), (&json!(3), &json!("expiresAt")), (&json!(4), &json!("value"))]);
    let file = operator.get(&format!("/common/file/{}", report["errorFile"]["id"])).await;
    assert!(String::from_utf8_lossy(&file.body).contains("#N/A"), "the wrong row as it came");
    assert_eq!(entries(&app).await, 1);
}

// A trial that shows which numbers are known is a search for each. It shows them to people who may see whole numbers, as far
// as they may search.
on_both!(a_trial_is_no_search_for_thousands_of_numbers);
async fn a_trial_is_no_search_for_thousands_of_numbers(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, json!({})).await;
    let lines: String = (0..1000).map(|number| format!("手机号,1381234{number:04},批量\n")).collect();
    let table = format!("类型,名单值,原因\n{lines}");
    let tried = bring(&operator, TRY, &table).await;
    assert_eq!((counts(&tried), &tried["unsearched"]), ([1000, 1000, 0, 0], &json!(true)));
    let few = |first: usize| {
        let lines: String = (first..first + 20).map(|number| format!("手机号,1381234{number:04},批量\n")).collect();
        format!("类型,名单值,原因\n{lines}")
    };
    for _ in 0..2 {
        let tried = bring(&operator, TRY, &few(0)).await;
        assert_eq!((counts(&tried), &tried["unsearched"]), ([20, 19, 1, 0], &json!(false)), "the same numbers count once");
    }
    let tried = bring(&operator, TRY, &few(20)).await;
    assert_eq!((counts(&tried), &tried["unsearched"]), ([20, 20, 0, 0], &json!(true)), "30 searches in ten minutes, 20 are made");
    assert_eq!(app.count("SELECT COUNT(*) FROM number_search").await, 20);
    app.advance(10 * MINUTE);
    assert_eq!(bring(&operator, TRY, &few(20)).await["unsearched"], json!(false));
    testing::private::withdraw(&app, "operator", "user/black-list/reveal").await;
    let operator = app.sign_in("operator").await;
    for _ in 0..3 {
        let tried = bring(&operator, TRY, &table).await;
        assert_eq!((counts(&tried), &tried["unsearched"]), ([1000, 1000, 0, 0], &json!(true)));
    }
    // The clerk's work goes on: one import of all, the known ones left out.
    let taken = bring(&operator, TAKE, &table).await;
    assert_eq!((counts(&taken), &taken["unsearched"]), ([1000, 999, 1, 0], &json!(false)));
}

on_both!(a_large_table_is_taken_in_batches);
async fn a_large_table_is_taken_in_batches(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let lines: String = (0..1234).map(|number| format!("手机号,1381235{number:04},批量\n")).collect();
    let table = format!("类型,名单值,原因\n{lines}身份证号,{ID_NO},批量\n");
    let (first, second) = futures_util::future::join(bring(&operator, TAKE, &table), bring(&operator, TAKE, &table)).await;
    assert_eq!(first["good"].as_i64().unwrap() + second["good"].as_i64().unwrap(), 1235, "{first} {second}");
    assert_eq!((counts(&first)[0], first["duplicate"].as_i64().unwrap() + second["duplicate"].as_i64().unwrap()), (1235, 1235));
    assert_eq!(entries(&app).await, 1235);
}

on_both!(what_has_expired_is_no_duplicate);
async fn what_has_expired_is_no_duplicate(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let old = make(&operator, json!({"expiresAt": app.now() + DAY})).await;
    let table = format!("kind,value,reason\nphone,{PHONE},again\n");
    assert_eq!(counts(&bring(&operator, TRY, &table).await), [1, 0, 1, 0]);
    app.advance(2 * DAY);
    let operator = app.sign_in("operator").await;
    assert_eq!(counts(&bring(&operator, TAKE, &table).await), [1, 1, 0, 0]);
    assert_eq!(operator.get(&format!("/blacklist/{}", old["id"])).await.ok()["status"], "lifted");
}
