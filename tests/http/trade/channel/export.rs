//! `POST /channel/page/export`: read back as a spreadsheet program would.

use std::io::Cursor;

use axum::body::{Body, Bytes};
use axum::http::Request;
use calamine::{Data, Reader, Xlsx};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tower::ServiceExt;

use testing::channel::list::many;
use testing::channel::{form, make, with};
use testing::{Actor, Answer, TestApp, on_both};

/// The lines of a CSV file, its head first.
fn csv_lines(file: &Answer) -> Vec<Vec<String>> {
    assert_eq!(&file.body[..3], b"\xef\xbb\xbf", "a byte order mark");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&file.body[3..]);
    reader.records().map(|line| line.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// The name and the cells of an XLSX file's only sheet.
fn xlsx_cells(body: &Bytes) -> (String, Vec<Vec<Data>>) {
    let mut book = Xlsx::new(Cursor::new(body.as_ref())).expect("a workbook");
    let names = book.sheet_names();
    assert_eq!(names.len(), 1);
    let cells = book.worksheet_range(&names[0]).unwrap().rows().map(<[Data]>::to_vec).collect();
    (names[0].clone(), cells)
}

on_both!(a_csv_file_shows_what_people_read);
async fn a_csv_file_shows_what_people_read(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let owner = app.account("channel.manager").await;
    make(&operator, with(form("share-0001"), json!({"settleMode": "share", "shareBp": 1250, "remark": "a,\"b\"\nc"}))).await;
    make(&operator, with(form("price-0002"), json!({"ownerAdminId": owner, "dedupDays": null}))).await;
    app.execute("UPDATE channel SET created_at = 1772294400000, updated_at = 1772294400000").await;

    let columns = [
        "code",
        "name",
        "type",
        "status",
        "mode",
        "settleMode",
        "unitPriceCents",
        "shareBp",
        "ownerName",
        "ipAllow",
        "dedupDays",
        "remark",
        "createdAt",
    ];
    let file = operator.export("/channel/page/export", json!({"format": "csv", "columns": columns, "sort": "code", "order": "asc"})).await;
    assert_eq!(
        csv_lines(&file),
        [
            [
                "渠道编码",
                "渠道名称",
                "渠道类型",
                "状态",
                "模式",
                "结算方式",
                "结算单价（元）",
                "分成比例",
                "负责人",
                "IP 白名单",
                "去重天数",
                "备注",
                "创建时间"
            ],
            [
                "price-0002",
                "星芒信息流（华东）",
                "信息流",
                "启用",
                "测试",
                "按注册（CPA）",
                "12.50",
                "",
                "platform channel.manager",
                "203.0.113.7, 10.0.0.0/8, 2001:db8::/32",
                "",
                "周结",
                "2026-03-01 00:00:00"
            ],
            [
                "share-0001",
                "星芒信息流（华东）",
                "信息流",
                "启用",
                "测试",
                "按放款比例（CPS）",
                "",
                "12.50%",
                "",
                "203.0.113.7, 10.0.0.0/8, 2001:db8::/32",
                "30",
                "a,\"b\"\nc",
                "2026-03-01 00:00:00"
            ],
        ]
    );
    let english = operator.in_english().export("/channel/page/export", json!({"format": "csv", "columns": ["type", "status"]})).await;
    assert_eq!(csv_lines(&english)[..2], [["Type", "Status"], ["Feed ads", "Enabled"]]);

    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(file.header("cache-control"), Some("no-store"));
    assert_eq!(file.header("x-total-rows"), Some("2"));
    let name = file.header("content-disposition").unwrap();
    assert!(name.starts_with("attachment; filename=\"channel-20") && name.is_ascii(), "{name}");
    assert!(name.contains(".csv\"; filename*=UTF-8''%E6%B8%A0%E9%81%93%E5%88%97%E8%A1%A8-20"), "{name}");
}

on_both!(a_workbook_holds_numbers_as_numbers);
async fn a_workbook_holds_numbers_as_numbers(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, with(form("share-0001"), json!({"settleMode": "share", "shareBp": 1250}))).await;
    make(&operator, form("price-0002")).await;
    let columns = ["code", "unitPriceCents", "shareBp", "dedupDays", "createdAt"];
    let file = operator.export("/channel/page/export", json!({"format": "xlsx", "columns": columns, "sort": "code", "order": "asc"})).await;
    assert_eq!(file.header("content-type"), Some("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"));
    assert_eq!(file.header("x-total-rows"), Some("2"));
    let (name, cells) = xlsx_cells(&file.body);
    assert_eq!(name, "渠道列表");
    assert_eq!(cells.len(), 3);
    assert_eq!(cells[0][0], Data::String("渠道编码".to_owned()));
    assert_eq!(cells[1][..4], [Data::String("price-0002".to_owned()), Data::Float(12.5), Data::Empty, Data::Float(30.0)]);
    assert_eq!(cells[2][..3], [Data::String("share-0001".to_owned()), Data::Empty, Data::Float(0.125)]);
    assert!(matches!(&cells[1][4], Data::String(time) if time.len() == 19));
}

on_both!(no_cell_is_a_formula);
async fn no_cell_is_a_formula(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let texts = ["=1+1", "+86", "-1", "@SUM(A1)", "=HYPERLINK(\"http://x\")", "＝1", "a=1", "<script>alert(1)</script>", "</script>"];
    for (number, text) in texts.iter().enumerate() {
        make(&operator, with(form(&format!("code-{number:04}")), json!({"name": text, "remark": text}))).await;
    }
    let safe = |text: &str| if text.starts_with(['a', '<']) { text.to_owned() } else { format!("'{text}") };
    let body = |format: &str| json!({"format": format, "columns": ["name", "remark"], "sort": "code", "order": "asc"});
    let csv = operator.export("/channel/page/export", body("csv")).await;
    let (_, cells) = xlsx_cells(&operator.export("/channel/page/export", body("xlsx")).await.body);
    for (number, text) in texts.iter().enumerate() {
        assert_eq!(csv_lines(&csv)[number + 1], [safe(text), safe(text)]);
        assert_eq!(cells[number + 1], [Data::String(safe(text)), Data::String(safe(text))]);
    }
}

on_both!(what_is_asked_for_wrongly_is_refused);
async fn what_is_asked_for_wrongly_is_refused(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, form("code-0001")).await;
    for bad in [
        json!({"format": "pdf"}),
        json!({"format": 1}),
        json!({"format": "csv", "columns": "code"}),
        json!({"format": "csv", "columns": ["code", "appSecret"]}),
        json!({"format": "csv", "columns": ["app_secret_enc"]}),
        json!({"format": "csv", "columns": ["code", "code"]}),
        json!({"format": "csv", "type": "tv"}),
        json!({"format": "csv", "sort": "nonsense"}),
    ] {
        operator.export("/channel/page/export", bad).await.refused("4000");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'export'").await, 0);
}

on_both!(an_export_leaves_its_trail);
async fn an_export_leaves_its_trail(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, form("code-0001")).await;
    make(&operator, with(form("code-0002"), json!({"type": "api"}))).await;
    for format in ["csv", "xlsx"] {
        let file = operator.export("/channel/page/export", json!({"format": format, "type": "api", "keyword": "code"})).await;
        assert_eq!(file.header("x-total-rows"), Some("1"));
        let told: Value =
            serde_json::from_str(&app.text("SELECT diff FROM operation_log WHERE action = 'export' ORDER BY id DESC LIMIT 1").await)
                .unwrap();
        let told =
            |field: &str| told.as_array().unwrap().iter().find(|change| change["field"] == field).map(|change| change["after"].clone());
        assert_eq!((told("format"), told("type"), told("keyword")), (Some(json!(format)), Some(json!("api")), Some(json!("code"))));
        assert_eq!((told("rows"), told("ended")), (Some(json!("1")), None));
        assert_eq!(told("sha256"), Some(json!(hex::encode(Sha256::digest(&file.body)))));
    }
    let who = "SELECT COUNT(*) FROM operation_log l JOIN administrator a ON a.id = l.admin_id \
               WHERE l.action = 'export' AND l.module = 'channel' AND l.target_id IS NULL AND a.username = 'operator' AND l.ip = '127.0.0.1'";
    assert_eq!(app.count(who).await, 4, "as each begins and as it ends");
}

on_both!(an_empty_list_is_a_head_alone);
async fn an_empty_list_is_a_head_alone(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let csv = operator.export("/channel/page/export", json!({"format": "csv"})).await;
    assert_eq!((csv_lines(&csv).len(), csv_lines(&csv)[0].len(), csv.header("x-total-rows")), (1, 21, Some("0")));
    let (_, cells) = xlsx_cells(&operator.export("/channel/page/export", json!({"format": "xlsx"})).await.body);
    assert_eq!(cells.len(), 1);
}

on_both!(each_row_of_many_comes_once_and_in_order);
async fn each_row_of_many_comes_once_and_in_order(app: TestApp) {
    let operator = app.sign_in("operator").await;
    many(&app, &operator, 3_210).await;
    let body = |format: &str| json!({"format": format, "columns": ["unitPriceCents", "code"], "sort": "unitPriceCents", "order": "asc", "current": 7, "pageSize": 2});
    let csv = operator.export("/channel/page/export", body("csv")).await;
    let lines = csv_lines(&csv);
    assert_eq!((lines.len(), csv.header("x-total-rows")), (3_211, Some("3210")), "all pages, whatever page was asked for");
    let prices: Vec<f64> = lines[1..].iter().map(|line| line[0].parse().unwrap()).collect();
    assert!(prices.is_sorted());
    let (_, cells) = xlsx_cells(&operator.export("/channel/page/export", body("xlsx")).await.body);
    assert_eq!(cells.len(), 3_211);
    assert!(cells[1..].iter().zip(&lines[1..]).all(|(cells, line)| cells[1] == Data::String(line[1].clone())));
}

/// Begins an export and leaves its body to be read.
async fn begun(app: &TestApp, actor: &Actor, body: Value) -> Body {
    let request = Request::post("/api/channel/page/export")
        .header("token", actor.token())
        .header("accept", "application/octet-stream")
        .body(Body::from(body.to_string()))
        .unwrap();
    server::api_router(app.app.clone()).oneshot(request).await.unwrap().into_body()
}

/// The next bytes of a file.
async fn next(file: &mut Body) -> Option<Bytes> {
    file.frame().await.map(|frame| frame.unwrap().into_data().unwrap())
}

on_both!(rows_that_move_or_go_meanwhile_come_once_or_not);
async fn rows_that_move_or_go_meanwhile_come_once_or_not(app: TestApp) {
    let operator = app.sign_in("operator").await;
    many(&app, &operator, 4_000).await;
    let body = json!({"format": "csv", "columns": ["code"], "sort": "unitPriceCents", "order": "asc"});
    let mut file = begun(&app, &operator, body).await;
    let mut text = next(&mut file).await.unwrap().to_vec();
    // All turn round in the order of the list, and two that are still to come go.
    app.execute("UPDATE channel SET unit_price_cents = 10000 - unit_price_cents").await;
    app.execute("UPDATE channel SET deleted_at = 1 WHERE code IN ('many-3990', 'many-3991')").await;
    while let Some(bytes) = next(&mut file).await {
        text.extend(bytes);
    }
    let codes: Vec<&str> = std::str::from_utf8(&text[3..]).unwrap().lines().skip(1).collect();
    let expected: Vec<String> =
        (2..=4_000).filter(|number| !(3990..=3991).contains(number)).map(|number| format!("many-{number}")).collect();
    assert_eq!(codes.iter().filter(|code| code.starts_with("many")).collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
    assert_eq!(codes.len(), 3_998);
}

on_both!(who_leaves_half_way_is_in_the_trail_with_what_they_got);
async fn who_leaves_half_way_is_in_the_trail_with_what_they_got(app: TestApp) {
    let operator = app.sign_in("operator").await;
    many(&app, &operator, 4_000).await;
    let mut file = begun(&app, &operator, json!({"format": "csv"})).await;
    next(&mut file).await.unwrap();
    next(&mut file).await.unwrap();
    drop(file);
    let trail = async {
        while app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'export'").await < 2 {
            tokio::task::yield_now().await;
        }
        app.text("SELECT diff FROM operation_log WHERE action = 'export' ORDER BY id DESC LIMIT 1").await
    };
    let told: Value = serde_json::from_str(&tokio::time::timeout(std::time::Duration::from_secs(20), trail).await.unwrap()).unwrap();
    let told = |field: &str| {
        told.as_array().unwrap().iter().find(|change| change["field"] == field).unwrap()["after"].as_str().unwrap().to_owned()
    };
    let rows: i64 = told("rows").parse().unwrap();
    assert!((500..4_000).contains(&rows), "{rows}");
    assert_eq!((told("ended").as_str(), told("sha256").len()), ("left", 64));
}

on_both!(an_export_breaks_off_when_the_account_is_disabled);
async fn an_export_breaks_off_when_the_account_is_disabled(app: TestApp) {
    let operator = app.sign_in("operator").await;
    many(&app, &operator, 4_000).await;
    let mut file = begun(&app, &operator, json!({"format": "csv"})).await;
    let started = app.text("SELECT diff FROM operation_log WHERE action = 'export'").await;
    assert!(started.contains("\"started\"") && started.contains("\"4000\""), "it is in the trail before its first byte: {started}");
    next(&mut file).await.unwrap();
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'operator'").await;
    let mut is_broken = false;
    while let Some(piece) = file.frame().await {
        is_broken = piece.is_err();
    }
    assert!(is_broken, "it does not end as a whole file does");
    let ended = app.text("SELECT diff FROM operation_log WHERE action = 'export' ORDER BY id DESC LIMIT 1").await;
    assert!(ended.contains("\"rights\"") && !ended.contains("\"4000\""), "{ended}");
}
