//! The page route of a file of wrong rows.

use frame::upload;

use crate::pages::browser::Browser;
use testing::blacklist::channel;
use testing::blacklist::import::{PATH, TABLE, TAKE, bring, counts};
use testing::{TestApp, on_both};

on_both!(the_wrong_rows_are_a_file_of_their_makers);
async fn the_wrong_rows_are_a_file_of_their_makers(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let report = bring(&operator, TAKE, TABLE).await;
    // Neither the channel nor a kind of that name is there.
    assert_eq!(counts(&report), [7, 3, 1, 3]);
    let stored = &report["errorFile"];
    assert!(stored["name"].as_str().unwrap().starts_with("黑名单-错误行-"), "{stored}");
    let path = format!("/common/file/{}", stored["id"]);
    let file = operator.get(&path).await;
    assert_eq!((file.header("content-type"), file.header("x-content-type-options")), (Some("text/csv"), Some("nosniff")));
    let text = String::from_utf8_lossy(&file.body).into_owned();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert_eq!(lines[0], "类型,名单值,原因,范围,渠道或机构编码,来源,到期时间,行号,错误");
    assert!(lines[1].ends_with(",4,渠道或机构编码：没有这个编码的渠道"), "{text}");
    assert_eq!(lines[2], "手机号,'=cmd|1,,,,,,7,名单值：请输入 11 位手机号；原因：必填");
    assert!(lines[3].starts_with("邮箱,a@example.com,投诉,"), "{text}");

    app.sign_in("admin").await.get(&path).await.refused("1004");
    app.stranger().get(&path).await.refused("2000");
    let page = stored["url"].as_str().unwrap();
    assert_eq!(Browser::of(&app, "operator").await.get(page).await.status, 200);
    assert_eq!(Browser::of(&app, "admin").await.get(page).await.status, 404);
    // The file itself can be brought again.
    channel(&app, "north-h5-1").await;
    let again = operator.upload(PATH, TAKE, "again.csv", text.as_bytes()).await.ok();
    assert_eq!(counts(&again), [3, 1, 0, 2]);
    app.advance(upload::KEPT_UNTAKEN + 1);
    upload::sweep(&app.app).await.unwrap();
    app.sign_in("operator").await.get(&path).await.refused("1004");
}
