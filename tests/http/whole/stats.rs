//! `/chart` and `/chartMon`: figures by channel, product, system and organisation.

use std::io::Cursor;

use base::clock::{self, DAY, HOUR, MINUTE};
use calamine::{Data, Reader, Xlsx};
use serde_json::{Value, json};
use stats::views;

use testing::stats::{day, some_figures};
use testing::{Actor, TestApp, on_both};

async fn page(who: &Actor, path: &str, body: Value) -> Value {
    who.post(path, body).await.ok()
}

// S2.07
on_both!(a_list_adds_up_its_days_and_compares_them);
async fn a_list_adds_up_its_days_and_compares_them(app: TestApp) {
    some_figures(&app).await;
    let operator = app.sign_in("operator").await;
    let list = page(&operator, "/chart/channel/page", json!({"sort": "sales", "order": "desc"})).await;
    let first = &list["list"][0];
    assert_eq!(
        (&first["subjectName"], &first["applicants"], &first["sales"], &first["marginCents"]),
        (&json!("Channel one"), &json!(15), &json!(6), &json!(12_000))
    );
    assert_eq!(
        (&first["passBp"], &first["returnBp"], &first["applyBp"], &first["before"]),
        (&json!(8000), &json!(1666), &json!(1000), &json!(null))
    );
    let totals = &list["totals"];
    assert_eq!((&totals["applicants"], &totals["costCents"], &totals["id"]), (&json!(19), &json!(3800), &json!(0)), "the sum of all rows");
    assert_eq!((&list["settled"]["dayFrom"], &list["total"]), (&json!(day(&app, 6)), &json!(2)));
    // A page is a part; the totals stay those of all.
    let part = page(&operator, "/chart/channel/page", json!({"pageSize": 1, "current": 2, "sort": "sales", "order": "desc"})).await;
    assert_eq!((&part["list"][0]["subjectName"], &part["totals"]["applicants"]), (&json!("Channel two"), &json!(19)));
    // A row that the other range alone has is a row of zeros.
    let body = json!({"dayFrom": day(&app, 2), "dayTo": day(&app, 2), "againstFrom": day(&app, 8), "againstTo": day(&app, 0)});
    let compared = page(&operator, "/chart/channel/page", body).await;
    let one = compared["list"].as_array().unwrap().iter().find(|row| row["subjectName"] == "Channel one").unwrap();
    assert_eq!((&one["applicants"], &one["before"]["applicants"], &one["passBp"]), (&json!(0), &json!(18), &json!(null)));
    assert_eq!(compared["totals"]["before"]["applicants"], 22);
    let systems = page(&operator, "/chart/system/page", json!({})).await;
    assert_eq!(
        (&systems["list"][0]["system"], &systems["list"][0]["applicants"], &systems["total"]),
        (&json!("ios"), &json!(19), &json!(1))
    );
    let none = page(&operator, "/chart/channel/page", json!({"system": "android"})).await;
    assert_eq!((&none["total"], &none["totals"]["sales"]), (&json!(0), &json!(0)));
}

// S1.11 S2.07 S2.08
on_both!(days_and_months_are_compared_with_those_before);
async fn days_and_months_are_compared_with_those_before(app: TestApp) {
    let (one, _) = some_figures(&app).await;
    let operator = app.sign_in("operator").await;
    let body = json!({"dayFrom": day(&app, 2), "dayTo": day(&app, 0), "subjectId": one, "sort": "part", "order": "desc"});
    let days = page(&operator, "/chart/channelD2d/page", body).await;
    let rows = days["list"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["part"].as_str().unwrap()).collect::<Vec<_>>(), [day(&app, 0), day(&app, 1), day(&app, 2)]);
    assert_eq!((&rows[0]["sales"], &rows[0]["before"]["sales"], &rows[0]["week"]["sales"]), (&json!(4), &json!(2), &json!(0)));
    assert_eq!((&rows[1]["sales"], &rows[1]["week"]["sales"]), (&json!(2), &json!(1)), "the same day last week");
    assert_eq!((&rows[2]["sales"], &rows[2]["before"]["sales"]), (&json!(0), &json!(0)), "a day without figures has a row");
    // In a month that has the figures of today, the month before is compared.
    let today = day(&app, 0);
    let months =
        page(&operator, "/chartMon/channel/page", json!({"dayFrom": today, "dayTo": today, "sort": "sales", "order": "desc"})).await;
    let first = &months["list"][0];
    let here = |before: i64| day(&app, before)[..7] == today[..7];
    let expected: i64 = [(0, 4), (1, 2), (8, 1)].iter().filter(|(before, _)| here(*before)).map(|(_, sales)| sales).sum();
    assert_eq!((&first["part"], &first["sales"]), (&json!(&today[..7]), &json!(expected)));
    assert_eq!(first["before"]["sales"], 7 - expected);
    // So do the months of systems and of organisations.
    for (path, sales, before) in [("/chartMon/system/page", expected, 7 - expected), ("/chartMon/org/page", 3, 0)] {
        let list = page(&operator, path, json!({"dayFrom": today, "dayTo": today, "sort": "sales", "order": "desc"})).await["list"].clone();
        let first = (&list[0]["part"], &list[0]["sales"], &list[0]["before"]["sales"]);
        assert_eq!(first, (&json!(&today[..7]), &json!(sales), &json!(before)), "{path}");
    }
}

on_both!(each_sees_the_figures_of_their_scope);
async fn each_sees_the_figures_of_their_scope(app: TestApp) {
    some_figures(&app).await;
    let manager = app.sign_in("channel.manager").await;
    let list = page(&manager, "/chart/channel/page", json!({})).await;
    assert_eq!((&list["total"], &list["totals"]["applicants"], &list["totals"]["costCents"]), (&json!(1), &json!(15), &json!(3000)));
    assert_eq!(page(&manager, "/chart/system/page", json!({})).await["totals"]["applicants"], 15);
    assert_eq!(page(&manager, "/chart/org/page", json!({})).await["total"], 0);
    let north = app.sign_in("north.manager").await;
    let list = page(&north, "/chart/org/page", json!({})).await;
    assert_eq!((&list["total"], &list["totals"]["sales"], &list["totals"]["incomeCents"]), (&json!(1), &json!(3), &json!(7000)));
    assert_eq!(page(&north, "/chart/orgD2d/page", json!({})).await["totals"]["sales"], 3);
    assert_eq!(page(&north, "/chart/system/page", json!({})).await["totals"]["sales"], 3);
    assert_eq!(page(&north, "/chart/channel/page", json!({})).await["total"], 0);
    // What channels get is no figure of an organisation's.
    let around = north.post("/chart/system/charts", json!({})).await.ok();
    assert!(!around["figures"].to_string().contains("cost") && around["figures"].to_string().contains("income"), "{around}");
    assert_eq!(page(&north, "/chart/system/page", json!({})).await["totals"]["costCents"], json!(null));
    app.sign_in("nobody").await.post("/chart/org/page", json!({})).await.refused("1003");
}

// A shared lead is one round and several sales.
on_both!(no_rate_is_above_the_whole);
async fn no_rate_is_above_the_whole(app: TestApp) {
    some_figures(&app).await;
    app.execute("UPDATE uv_stat_daily SET matched = 2, pushed = 6, uv = CASE WHEN uv > 0 THEN 1 ELSE 0 END").await;
    let operator = app.sign_in("operator").await;
    let row = page(&operator, "/chart/channel/page", json!({"sort": "sales", "order": "desc"})).await["list"][0].clone();
    assert_eq!((&row["matched"], &row["sales"]), (&json!(4), &json!(6)), "{row}");
    assert_eq!((&row["matchBp"], &row["acceptBp"], &row["applyBp"]), (&json!(3333), &json!(5000), &json!(null)), "{row}");
    let both = json!({"format": "csv", "columns": ["matched", "sales"]});
    let csv = operator.export("/chart/channel/page/export", both).await;
    assert!(String::from_utf8_lossy(&csv.body).contains("匹配轮次,成交条数"), "rounds and leads: {:?}", csv.body);
    let visits = json!({"format": "csv", "columns": ["matched", "sold"]});
    let csv = operator.export("/channel/uv/page/export", visits).await;
    assert!(String::from_utf8_lossy(&csv.body).contains("匹配轮次,成交条数"), "{:?}", csv.body);
}

on_both!(statistics_are_a_file_and_a_chart);
async fn statistics_are_a_file_and_a_chart(app: TestApp) {
    some_figures(&app).await;
    let operator = app.sign_in("operator").await;
    let csv = operator.export("/chart/channel/page/export", json!({"format": "csv", "sort": "sales", "order": "desc"})).await;
    let csv = String::from_utf8_lossy(&csv.body).into_owned();
    assert!(csv.contains("申请人数") && csv.contains("Channel one") && csv.contains("80.00%") && csv.contains("合计"), "{csv}");
    // The second sheet of a workbook explains the figures.
    let file =
        operator.export("/chart/channel/page/export", json!({"format": "xlsx", "columns": ["subjectName", "sales", "passBp"]})).await;
    let mut book = Xlsx::new(Cursor::new(file.body.as_ref())).expect("a workbook");
    assert_eq!(book.sheet_names(), ["渠道统计", "指标说明"]);
    let notes: Vec<Vec<Data>> = book.worksheet_range("指标说明").unwrap().rows().map(<[Data]>::to_vec).collect();
    let text = |text: &str| Data::String(text.to_owned());
    assert_eq!(notes[1], [text("通过率"), text("通过人数 ÷ 申请人数")]);
    assert_eq!((notes.len(), &notes[0][0]), (2, &text("成交条数")));
    // Beside a figure stands the one that it is compared with.
    let compared = json!({"format": "csv", "columns": ["subjectName", "sales"], "againstFrom": day(&app, 8), "againstTo": day(&app, 0)});
    let csv = operator.export("/chart/channel/page/export", compared).await;
    assert!(String::from_utf8_lossy(&csv.body).contains("成交条数,成交条数（对比日期）\r\n"), "{:?}", csv.body);
    let days = operator.export("/chart/channelD2d/page/export", json!({"format": "csv", "columns": ["part", "sales"]})).await;
    assert!(String::from_utf8_lossy(&days.body).contains("成交条数（前一天）,成交条数（上周同日）"), "{:?}", days.body);
    let chart = operator.post("/chart/channel/charts", json!({"sort": "marginCents", "order": "desc"})).await.ok()["charts"][0].clone();
    assert_eq!((&chart["labels"][0], &chart["series"][0]["values"][0]), (&json!("Channel one"), &json!(120)), "{chart}");
    let line = operator.post("/chart/channelD2d/charts", json!({})).await.ok()["charts"][0].clone();
    assert_eq!((&line["kind"], line["labels"].as_array().unwrap().len()), (&json!("line"), 30));
    app.sign_in("auditor").await.post("/chart/channel/page/export", json!({"format": "csv"})).await.refused("1003");
}

on_both!(bad_ranges_are_refused_clearly);
async fn bad_ranges_are_refused_clearly(app: TestApp) {
    let operator = app.sign_in("operator").await;
    operator.post("/chart/channel/page", json!({"dayFrom": "2016-01-01", "dayTo": "2026-01-01"})).await.wrong("dayTo");
    operator.post("/chart/channel/page", json!({"dayFrom": "2026-01-02", "dayTo": "2026-01-01"})).await.wrong("dayTo");
    operator.post("/chart/channel/page", json!({"againstFrom": "2010-01-01", "againstTo": "2026-01-01"})).await.wrong("againstTo");
    operator.post("/chart/channel/page", json!({"dayFrom": "2026-02-30"})).await.refused("4000");
    operator.post("/chart/channel/page", json!({"sort": "nothing"})).await.refused("4000");
    operator.post("/chart/channel/page", json!({"system": "moon"})).await.refused("4000");
    operator.post("/chart/channel/page", json!({"returnsBy": "weather"})).await.refused("4000");
    operator.post("/chart/nothing/page", json!({})).await.refused("4004");
    let empty = page(&operator, "/chart/product/page", json!({"subjectId": 999_999})).await;
    assert_eq!((&empty["total"], &empty["totals"]["sales"]), (&json!(0), &json!(0)));
}

fn with_all(mut form: Value, changes: Value) -> Value {
    for (name, value) in changes.as_object().unwrap() {
        form[name] = value.clone();
    }
    form
}

async fn operator_views(app: &TestApp) -> Value {
    app.sign_in("operator").await.get("/chart/channel/views").await.ok()
}

// A file holds what its reader may see, whatever its view shows; and it is sent while its owner may export it.
on_both!(a_sent_file_holds_what_its_reader_may_see);
async fn a_sent_file_holds_what_its_reader_may_see(app: TestApp) {
    some_figures(&app).await;
    app.advance(clock::start(clock::day(app.now())) + 22 * HOUR - app.now());
    testing::feedback::grant(&app, "org_manager", "chart/system-list").await;
    let operator = app.sign_in("operator").await;
    let role = app.count("SELECT id FROM role WHERE code = 'org_manager'").await;
    let form = json!({
        "name": "系统", "isDefault": false, "query": {"range": "days30"}, "columns": ["system", "sales", "costCents", "incomeCents"],
        "sendRoleId": role, "sendMinute": 480
    });
    operator.post("/chart/system/views", with_all(form.clone(), json!({"columns": ["star"]}))).await.refused("1001");
    operator.post("/chart/system/views", form).await.ok();
    app.advance(11 * HOUR);
    views::send_due(&app.app).await.unwrap();
    app.make_exports().await;
    let north = app.sign_in("north.manager").await;
    let file = north.post("/export/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!((&file["status"], &file["reason"]), (&json!("success"), &json!(null)));
    app.execute("UPDATE administrator SET org_id = (SELECT id FROM organisation WHERE code = 'north') WHERE username = 'operator'").await;
    app.advance(DAY);
    assert_eq!(views::send_due(&app.app).await.unwrap(), 0, "its owner is none of the platform's any more");
    app.execute("UPDATE administrator SET org_id = NULL WHERE username = 'operator'").await;
    app.execute(
        "DELETE FROM role_menu WHERE role_id = (SELECT id FROM role WHERE code = 'operator') AND menu_id IN \
         (SELECT id FROM menu_node WHERE path = 'chart/system-list/export')",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let tasks = app.count("SELECT COUNT(*) FROM export_task").await;
    views::send_due(&app.app).await.unwrap();
    assert_eq!(app.count("SELECT COUNT(*) FROM export_task").await, tasks, "nor may they export it");
    assert_eq!(app.count("SELECT COUNT(*) FROM saved_view WHERE send_role_id IS NOT NULL").await, 0);
}

on_both!(a_file_that_no_node_sent_on_its_day_is_made_up);
async fn a_file_that_no_node_sent_on_its_day_is_made_up(app: TestApp) {
    some_figures(&app).await;
    app.advance(clock::start(clock::day(app.now())) + 22 * HOUR - app.now());
    let missed = clock::day(app.now()).to_string();
    let operator = app.sign_in("operator").await;
    testing::feedback::grant(&app, "channel_manager", "chart/channel-list").await;
    let role = app.count("SELECT id FROM role WHERE code = 'channel_manager'").await;
    let form = json!({
        "name": "晚报", "isDefault": false, "query": {"range": "today"}, "columns": ["subjectName", "sales"], "sendRoleId": role,
        "sendMinute": 24 * 60 - 1
    });
    operator.post("/chart/channel/views", form).await.ok();
    let send = async || views::send_due(&app.app).await.unwrap();
    let people = app.count("SELECT COUNT(*) FROM admin_role r JOIN role o ON o.id = r.role_id WHERE o.code = 'channel_manager'").await;
    let tasks = async || app.count("SELECT COUNT(*) FROM export_task").await;
    assert_eq!(send().await, 0, "of the days before it there is nothing to make up");
    // No node was there at its minute. At ten of the next day two come back.
    app.advance(12 * HOUR);
    tokio::join!(send(), send());
    assert_eq!((send().await, tasks().await), (0, people));
    app.make_exports().await;
    let file = app.sign_in("channel.manager").await.post("/export/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!(
        (&file["title"], &file["status"], &file["rowCount"]),
        (&json!(format!("晚报（渠道统计，补发 {missed}）")), &json!("success"), &json!(1)),
        "it is of the day that was missed"
    );
    // Its own file comes at its minute; of two missed days the last one is made up.
    app.advance(13 * HOUR + 59 * MINUTE);
    assert_eq!((send().await, tasks().await), (1, 2 * people));
    app.advance(2 * DAY + 12 * HOUR);
    assert_eq!((send().await, send().await, tasks().await), (1, 0, 3 * people));
}

on_both!(a_view_whose_file_always_fails_is_tried_ever_more_rarely_and_then_stopped);
async fn a_view_whose_file_always_fails_is_tried_ever_more_rarely_and_then_stopped(app: TestApp) {
    some_figures(&app).await;
    app.advance(clock::start(clock::day(app.now())) + 22 * HOUR - app.now());
    testing::feedback::grant(&app, "channel_manager", "chart/channel-list").await;
    let role = app.count("SELECT id FROM role WHERE code = 'channel_manager'").await;
    let operator = app.sign_in("operator").await;
    let form = |name: &str| json!({"name": name, "isDefault": false, "query": {"range": "days30"}, "columns": ["subjectName"], "sendRoleId": role, "sendMinute": 60});
    for name in ["坏", "好"] {
        operator.post("/chart/channel/views", form(name)).await.ok();
    }
    app.execute("UPDATE saved_view SET query = 'x' WHERE name = '坏'").await;
    let send = async || views::send_due(&app.app).await.unwrap();
    let seen = async || {
        let views = operator_views(&app).await["views"].as_array().unwrap().clone();
        views.into_iter().find(|view| view["name"] == "坏").unwrap()
    };
    let tasks = async || app.count("SELECT COUNT(*) FROM export_task").await;
    // At half past one of the next day.
    app.advance(3 * HOUR + 30 * MINUTE);
    let people = app.count("SELECT COUNT(*) FROM admin_role r JOIN role o ON o.id = r.role_id WHERE o.code = 'channel_manager'").await;
    assert_eq!((send().await, tasks().await), (2, people), "the other one is sent all the same");
    for minutes in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
        assert_eq!(send().await, 0, "not at once");
        app.advance(minutes * MINUTE - 20_000);
        assert_eq!(send().await, 0, "not before {minutes} minutes");
        let view = seen().await;
        assert!(view["sendRoleId"] == role && view["sendFailures"].as_i64().unwrap() > 0, "{view}");
        app.advance(20_000);
        assert_eq!(send().await, 1);
    }
    let view = seen().await;
    assert_eq!((&view["sendRoleId"], &view["sendMinute"], &view["sendFailures"]), (&json!(null), &json!(null), &json!(10)));
    app.advance(HOUR);
    assert_eq!((send().await, tasks().await), (0, people));
    let operator = app.sign_in("operator").await;
    assert_eq!(operator.post("/message/page", json!({})).await.ok()["list"][0]["title"], "视图不再发送：坏");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE target_type = 'saved_view' AND admin_id IS NULL").await, 1);
    // Saved again it is sent from the next day on.
    let mut again = form("坏");
    again["id"] = view["id"].clone();
    let saved = operator.post("/chart/channel/views", again).await.ok();
    assert_eq!((&saved["sendFailures"], &saved["sendRoleId"]), (&json!(0), &json!(role)));
    app.advance(DAY);
    assert_eq!((send().await, tasks().await), (2, 3 * people));
}

on_both!(each_person_of_a_great_role_gets_a_file);
async fn each_person_of_a_great_role_gets_a_file(app: TestApp) {
    app.advance(clock::start(clock::day(app.now())) + 22 * HOUR - app.now());
    testing::feedback::grant(&app, "channel_manager", "chart/channel-list").await;
    app.execute(
        "INSERT INTO administrator (username, password_hash, real_name, status, pwd_changed_at, created_at, updated_at) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100) \
         SELECT 'many' || CAST(n.i AS TEXT), 'x', 'x', 'enabled', 0, 0, 0 FROM n",
    )
    .await;
    app.execute(
        "INSERT INTO admin_role (admin_id, role_id) SELECT a.id, r.id FROM administrator a CROSS JOIN role r \
         WHERE a.username LIKE 'many%' AND r.code = 'channel_manager'",
    )
    .await;
    let role = app.count("SELECT id FROM role WHERE code = 'channel_manager'").await;
    let form = json!({"name": "大家", "isDefault": false, "query": {}, "columns": [], "sendRoleId": role, "sendMinute": 60});
    app.sign_in("operator").await.post("/chart/channel/views", form).await.ok();
    app.advance(4 * HOUR);
    assert_eq!(views::send_due(&app.app).await.unwrap(), 1);
    assert_eq!(app.count("SELECT COUNT(DISTINCT admin_id) FROM export_task").await, 1102);
    assert_eq!(app.count("SELECT COUNT(*) FROM export_task").await, 1102);
}

// Each morning a role gets the file of a view: each person their own, once.
on_both!(a_role_gets_the_file_of_a_view_each_morning);
async fn a_role_gets_the_file_of_a_view_each_morning(app: TestApp) {
    some_figures(&app).await;
    let hour = |hour: i64| hour * 60;
    // Ten at night, after the minute of today.
    app.advance(clock::start(clock::day(app.now())) + 22 * HOUR - app.now());
    let operator = app.sign_in("operator").await;
    testing::feedback::grant(&app, "channel_manager", "chart/channel-list").await;
    let role = app.count("SELECT id FROM role WHERE code = 'channel_manager'").await;
    let roles = operator.get("/chart/channel/views").await.ok()["roles"].clone();
    assert!(roles.as_array().unwrap().iter().any(|one| one["value"] == role), "{roles}");
    let form = json!({
        "name": "早报", "isDefault": false, "query": {"range": "days30"}, "columns": ["subjectName", "sales"], "sendRoleId": role, "sendMinute": hour(8)
    });
    operator.post("/chart/channel/views", form.clone()).await.ok();
    // An organisation's people keep views, and send none.
    let north = app.sign_in("north.manager").await;
    assert_eq!(north.get("/chart/org/views").await.ok()["roles"], json!([]));
    north.post("/chart/org/views", with_all(form.clone(), json!({"query": {}}))).await.refused("1003");
    let send = async || views::send_due(&app.app).await.unwrap();
    assert_eq!(send().await, 0, "it is sent tomorrow");
    app.advance(9 * HOUR + 59 * MINUTE);
    assert_eq!(send().await, 0, "not yet");
    app.advance(MINUTE);
    // Two nodes look at once.
    tokio::join!(send(), send());
    assert_eq!(send().await, 0);
    let people = app.count("SELECT COUNT(*) FROM admin_role r JOIN role o ON o.id = r.role_id WHERE o.code = 'channel_manager'").await;
    assert_eq!(app.count("SELECT COUNT(*) FROM export_task").await, people, "one for each who holds the role");
    app.make_exports().await;
    let manager = app.sign_in("channel.manager").await;
    let file = manager.post("/export/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!(
        (&file["title"], &file["status"], &file["rowCount"]),
        (&json!("早报（渠道统计）"), &json!("success"), &json!(1)),
        "their own channel alone"
    );
    let told = manager.post("/message/page", json!({})).await.ok()["list"][0]["title"].clone();
    assert_eq!(told, "每日统计：早报（渠道统计）");
    assert_eq!(app.sign_in("operator").await.post("/export/page", json!({})).await.ok()["total"], 0);
    // At another time of the day it is not sent a second time.
    let sent = operator_views(&app).await;
    let id = sent["views"][0]["id"].clone();
    let later = json!({"id": id, "name": "早报", "isDefault": false, "sendRoleId": role, "sendMinute": hour(9)});
    app.sign_in("operator").await.post("/chart/channel/views", later).await.ok();
    app.advance(2 * HOUR);
    assert_eq!(send().await, 0, "it was sent today");
    // The next day again; once the role may not export it, no more, and its owner is told.
    app.advance(DAY);
    assert_eq!((send().await, app.count("SELECT COUNT(*) FROM export_task").await), (1, 2 * people));
    app.execute("DELETE FROM role_menu WHERE menu_id IN (SELECT id FROM menu_node WHERE path = 'chart/channel-list/export')").await;
    app.execute("UPDATE role SET version = version + 1").await;
    app.advance(DAY);
    assert_eq!((send().await, app.count("SELECT COUNT(*) FROM export_task").await), (1, 2 * people));
    assert_eq!(app.count("SELECT COUNT(*) FROM saved_view WHERE send_role_id IS NOT NULL").await, 0);
    let operator = app.sign_in("operator").await;
    assert_eq!(operator.post("/message/page", json!({})).await.ok()["list"][0]["title"], "视图不再发送：早报");
}

on_both!(a_view_of_a_list_is_its_owners_or_shared_with_a_role);
async fn a_view_of_a_list_is_its_owners_or_shared_with_a_role(app: TestApp) {
    const LIST: &str = "/chart/view?page=/channel/list";
    let (operator, auditor) = (app.sign_in("operator").await, app.sign_in("auditor").await);
    let form = json!({"page": "/channel/list", "name": "停用的", "query": {"status": "disabled", "code": ""}, "columns": ["code", "name"]});
    let own = operator.post("/chart/view", form.clone()).await.ok();
    assert_eq!((&own["search"], &own["columns"], &own["own"]), (&json!("?status=disabled"), &json!(["code", "name"]), &json!(true)));
    assert_eq!(auditor.get(LIST).await.ok()["views"], json!([]), "it is private");

    // The same name again takes its place, and is shared.
    let shared = with_all(form.clone(), json!({"query": {"status": "paused"}, "shareRoleId": app.role("auditor").await}));
    assert_eq!(operator.post("/chart/view", shared.clone()).await.ok()["id"], own["id"]);
    let seen = auditor.get(LIST).await.ok()["views"].clone();
    assert_eq!((&seen[0]["search"], &seen[0]["own"], &seen[1]), (&json!("?status=paused"), &json!(false), &json!(null)));
    auditor.delete(&format!("/chart/view/{}", own["id"])).await.refused("1004");
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'operator'").await;
    assert_eq!(auditor.get(LIST).await.ok()["views"], json!([]), "its owner is disabled");
    app.execute("UPDATE administrator SET status = 'enabled' WHERE username = 'operator'").await;
    let operator = app.sign_in("operator").await;
    operator.post("/chart/view", form.clone()).await.ok();
    assert_eq!(auditor.get(LIST).await.ok()["views"], json!([]), "it is shared no more");
    let role = app.role("auditor").await.to_string();
    let sql = "SELECT diff FROM operation_log WHERE target_type = 'saved_view' ORDER BY id";
    let diffs: Vec<String> = sqlx::query_scalar(sql).fetch_all(app.app.db.read()).await.unwrap();
    let shares = |before: Value, after: Value| json!({"field": "shareRoleId", "before": before, "after": after}).to_string();
    assert_eq!(diffs.len(), 2, "that of a private view is no entry: {diffs:?}");
    for (diff, (before, after)) in diffs.iter().zip([(Value::Null, json!(role)), (json!(role), Value::Null)]) {
        let changes: Value = serde_json::from_str(diff).unwrap();
        assert_eq!((&changes[0]["after"], changes[1].to_string()), (&json!("停用的"), shares(before, after)));
    }

    // What is refused: another page, a role without the page, the number of a person, and sharing by an organisation's people.
    operator.post("/chart/view", with_all(form.clone(), json!({"page": "/chart/channel-list"}))).await.refused("1004");
    let elsewhere = json!({"shareRoleId": app.role("org_manager").await});
    operator.post("/chart/view", with_all(form.clone(), elsewhere)).await.refused("1001");
    operator.post("/chart/view", with_all(form.clone(), json!({"query": {"keyword": "13812345678"}}))).await.refused("1006");
    let north = app.sign_in("north.manager").await;
    let clues = with_all(form.clone(), json!({"page": "/crm/clue", "columns": []}));
    assert_eq!(north.post("/chart/view", clues.clone()).await.ok()["own"], json!(true));
    north.post("/chart/view", with_all(clues, json!({"shareRoleId": app.role("org_manager").await}))).await.refused("1003");
    assert_eq!(north.get("/chart/view?page=/crm/clue").await.ok()["roles"], json!([]));

    operator.delete(&format!("/chart/view/{}", own["id"])).await.ok();
    assert_eq!(operator.get(LIST).await.ok()["views"], json!([]));
}
