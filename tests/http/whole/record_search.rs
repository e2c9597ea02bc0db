//! `POST /search`: records of all areas by number, by whole phone and by name, for those who may open them.

use base::clock::MINUTE;
use serde_json::{Value, json};

use testing::feedback::{grant, sold};
use testing::lead::phone;
use testing::private::withdraw;
use testing::{Actor, Answer, TestApp, channel, crm, finance, on_both, org, pay, plan, world};

async fn ask(who: &Actor, q: &str) -> Answer {
    who.post("/search", json!({"q": q})).await
}

/// What was found: the kind and the title of each record, in order.
async fn found(who: &Actor, q: &str) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let groups = ask(who, q).await.ok();
    let groups = groups.as_array().unwrap();
    groups
        .iter()
        .flat_map(|group| group["items"].as_array().unwrap().iter().map(|item| (text(&group["kind"]), text(&item["title"]))))
        .collect()
}

/// The kinds of what was found, in order.
async fn kinds(who: &Actor, q: &str) -> Vec<String> {
    let mut kinds: Vec<String> = found(who, q).await.into_iter().map(|(kind, _)| kind).collect();
    kinds.dedup();
    kinds
}

/// The searches by a number in the trail, the first first.
async fn trail(app: &TestApp) -> Vec<(String, String)> {
    sqlx::query_as("SELECT module, diff FROM operation_log WHERE action = 'search' ORDER BY id").fetch_all(app.app.db.read()).await.unwrap()
}

mod a_number {
    use super::*;

    on_both!(finds_its_record_for_those_who_may_open_it);
    async fn finds_its_record_for_those_who_may_open_it(app: TestApp) {
        let lead = sold(&app).await;
        let recharge = finance::credited(&app, json!({})).await;
        let order = pay::confirmed(&app, json!({})).await;
        let (user, clue) = (app.text("SELECT no FROM applicant").await, app.text("SELECT no FROM clue").await);
        let text = |row: &Value| row["no"].as_str().unwrap().to_owned();
        let numbers = [
            ("user", user.clone()),
            ("push", lead.no.clone()),
            ("clue", clue.clone()),
            ("recharge", text(&recharge)),
            ("paymentOrder", text(&order)),
        ];
        let (north, south) = (app.sign_in("north.manager").await, app.sign_in("south.manager").await);
        let (guest, auditor) = (app.sign_in("nobody").await, app.sign_in("auditor").await);
        for (kind, no) in &numbers {
            let only = vec![((*kind).to_owned(), no.clone())];
            assert_eq!(found(&lead.admin, no).await, only);
            assert_eq!(found(&lead.admin, &format!(" {} ", no.to_lowercase().replace('-', "—"))).await, only, "however it is written");
            let day = &no[..no.find("2027").unwrap() + 8];
            assert!(found(&lead.admin, day).await.contains(&only[0]), "{day}");
            assert!(found(&lead.admin, &no[..no.len() - 2]).await.contains(&only[0]));
            assert_eq!(found(&guest, no).await, [], "{kind}: no points");
            assert_eq!(found(&south, no).await, [], "{kind}: of another organisation");
            assert_eq!(found(&lead.admin, &format!("{}%", &no[..no.len() - 2])).await, [], "{kind}: no wildcards");
        }
        // An organisation sees what it sees in its lists: no applicants, and without the point no pushes.
        let mut seen = Vec::new();
        for (_, no) in &numbers {
            seen.extend(kinds(&north, no).await);
        }
        assert_eq!(seen, ["clue", "recharge", "paymentOrder"]);
        assert_eq!(kinds(&auditor, &user).await, ["user"]);
        grant(&app, "org_manager", "plan/push-list").await;
        assert_eq!((kinds(&north, &lead.no).await, kinds(&south, &lead.no).await), (vec!["push".to_owned()], vec![]));
        withdraw(&app, "org_manager", "crm/clue/view").await;
        assert_eq!(kinds(&north, &clue).await, [] as [&str; 0], "who cannot open the page does not find it");
    }

    on_both!(shows_what_its_list_shows);
    async fn shows_what_its_list_shows(app: TestApp) {
        let lead = sold(&app).await;
        let (user, clue) = (app.text("SELECT no FROM applicant").await, app.text("SELECT no FROM clue").await);
        let answer = ask(&lead.admin, &user).await.ok();
        assert_eq!((&answer[0]["kind"], &answer[0]["title"]), (&json!("user"), &json!("用户")));
        let item = &answer[0]["items"][0];
        let note = item["note"].as_str().unwrap();
        assert!(note.starts_with("张** · 1") && note.contains("****"), "{note}");
        let id = app.count("SELECT id FROM applicant").await;
        assert_eq!(item["address"], json!(format!("/user/list/{id}")));
        let english = ask(&lead.admin.in_english(), &clue).await.ok();
        assert_eq!(english[0]["title"], json!("Leads"));
        let id = app.count("SELECT id FROM clue").await;
        assert_eq!(english[0]["items"][0]["address"], json!(format!("/crm/clue/{id}")));
        let pushes = ask(&lead.admin, &lead.no).await.ok();
        assert_eq!(pushes[0]["items"][0]["address"], json!(format!("/plan/push-list/{}", lead.push_id)));
    }

    on_both!(of_a_day_is_searched_for_within_the_scope);
    async fn of_a_day_is_searched_for_within_the_scope(app: TestApp) {
        let (first, second) = (crm::salesperson(&app, "north.sales1").await, crm::salesperson(&app, "north.sales2").await);
        let (mine, other) = (crm::clue(&app, "north", Some(first)).await, crm::clue(&app, "north", Some(second)).await);
        crm::clue(&app, "south", None).await;
        app.execute("UPDATE clue SET no = 'CL20270107-' || CASE WHEN id < 10 THEN 'AAAAAAA' ELSE 'AAAAAA' END || CAST(id AS TEXT)").await;
        let of = async |who: &str| found(&app.sign_in(who).await, "cl20270107").await.len();
        assert_eq!((of("admin").await, of("north.manager").await, of("north.sales1").await, of("south.manager").await), (3, 2, 1, 1));
        let sales = app.sign_in("north.sales1").await;
        let address = |id: i64| json!(format!("/crm/clue/{id}"));
        assert_eq!(ask(&sales, "CL2027").await.ok()[0]["items"][0]["address"], address(mine));
        assert_eq!(found(&sales, &format!("CL20270107-AAAAAAA{other}")).await, [], "of a colleague");
    }
}

mod a_whole_phone {
    use super::*;

    on_both!(finds_people_and_is_counted_and_written_down);
    async fn finds_people_and_is_counted_and_written_down(app: TestApp) {
        let lead = sold(&app).await;
        let (number, north, south) = (phone(1), app.sign_in("north.manager").await, app.sign_in("south.manager").await);
        let written = format!("+86 {} {} {}", &number[..3], &number[3..7], &number[7..]);
        assert_eq!(kinds(&lead.admin, &written).await, ["user", "clue"]);
        let masked = trail(&app).await;
        let modules: Vec<&str> = masked.iter().map(|(module, _)| module.as_str()).collect();
        assert_eq!(modules, ["user", "clue"]);
        assert!(masked.iter().all(|(_, diff)| diff.contains("****") && !diff.contains(&number)), "{masked:?}");
        // Known within ten minutes, and the same search as that of the list.
        kinds(&lead.admin, &number).await;
        lead.admin.post("/user/page", json!({"keyword": number})).await.ok();
        assert_eq!(trail(&app).await.len(), 2);
        assert_eq!(kinds(&north, &number).await, ["clue"]);
        assert_eq!(kinds(&south, &number).await, [] as [&str; 0], "of another organisation");
        assert_eq!(trail(&app).await.len(), 4, "a search that finds nothing counts as well");
        assert_eq!(kinds(&app.sign_in("nobody").await, &number).await, [] as [&str; 0]);
        assert_eq!(trail(&app).await.len(), 4, "nothing was looked through");
        // A part of a phone finds no record, and is no search by a phone.
        for part in [&number[..10], &number[7..], &format!("{number}1"), "****"] {
            assert_eq!(kinds(&lead.admin, part).await, [] as [&str; 0], "{part}");
        }
        assert_eq!(trail(&app).await.len(), 4);
        assert_eq!(kinds(&app.sign_in("operator").await, world::PHONE).await, [] as [&str; 0], "accounts are not found by it");
    }

    on_both!(is_refused_beyond_the_needs_of_work);
    async fn is_refused_beyond_the_needs_of_work(app: TestApp) {
        app.set("security.number_searches", json!(3)).await;
        let manager = app.sign_in("north.manager").await;
        for number in ["13800000001", "13800000002"] {
            ask(&manager, number).await.ok();
        }
        manager.post("/crm/pushPage", json!({"keyword": "13800000003"})).await.ok();
        let refused = ask(&manager, "13800000004").await;
        assert_eq!(refused.code(), "4029", "the list and the search have one limit");
        assert!(refused.desc().contains("分钟后再试"), "{}", refused.desc());
        ask(&manager, "13800000003").await.ok();
        assert_eq!(trail(&app).await.len(), 3);
        app.advance(10 * MINUTE);
        ask(&manager, "13800000004").await.ok();
    }
}

mod a_name {
    use super::*;

    on_both!(is_found_by_a_part_and_by_first_letters);
    async fn is_found_by_a_part_and_by_first_letters(app: TestApp) {
        let admin = app.sign_in("admin").await;
        let plan = plan::make(&app, &admin, json!({"name": "华东 有房客户"})).await;
        let sales = crm::salesperson(&app, "north.sales1").await;
        app.execute("UPDATE administrator SET real_name = '乐重' WHERE username = 'north.sales1'").await;
        let one = |kind: &str, title: &str| (kind.to_owned(), title.to_owned());
        for text in ["北辰", "bc", "NORTH"] {
            assert!(found(&admin, text).await.contains(&one("org", "北辰")), "{text}");
        }
        for text in ["有房", "hdyf", "yfkh", plan["no"].as_str().unwrap()] {
            assert_eq!(found(&admin, text).await, [one("plan", "华东 有房客户")], "{text}");
        }
        // A character with several readings has each of their letters.
        for text in ["lz", "yc", "lc"] {
            let all = found(&admin, text).await;
            assert!(all.contains(&one("salesperson", "乐重")) && all.contains(&one("admin", "乐重")), "{text}: {all:?}");
        }
        assert!(found(&admin, "first tea").await.contains(&one("team", "First team")));
        let answer = ask(&admin, "north.sales1").await.ok();
        let group = answer.as_array().unwrap().iter().find(|group| group["kind"] == "salesperson").unwrap();
        assert_eq!(group["items"][0]["address"], json!(format!("/crm/saleman/{sales}")));
        assert_eq!(group["items"][0]["note"], json!("north.sales1 · 北辰 · First team"));
        let group = answer.as_array().unwrap().iter().find(|group| group["kind"] == "admin").unwrap();
        let account = app.account("north.sales1").await;
        assert_eq!(group["items"][0]["address"], json!(format!("/admin/list/{account}")));
        assert_eq!(found(&admin, "%%").await, []);
    }

    on_both!(is_found_within_the_scope);
    async fn is_found_within_the_scope(app: TestApp) {
        let admin = app.sign_in("admin").await;
        crm::salesperson(&app, "south.sales1").await;
        let code = channel::form("lead-chan");
        let id = channel::make(&app.sign_in("channel.manager").await, code.clone()).await;
        let name = code["name"].as_str().unwrap();
        assert_eq!(ask(&admin, name).await.ok()[0]["items"][0]["address"], json!(format!("/channel/list/{id}")));
        let of = async |who: &str, q: &str| kinds(&app.sign_in(who).await, q).await;
        assert_eq!(of("channel.manager", name).await, ["channel"]);
        assert_eq!(of("channel.second", name).await, [] as [&str; 0], "of another manager");
        assert_eq!(of("north.manager", name).await, [] as [&str; 0], "no point");
        assert_eq!(of("south.manager", "south.sales1").await, ["salesperson", "admin"]);
        assert_eq!(of("north.manager", "south.sales1").await, [] as [&str; 0]);
        assert_eq!(of("north.manager", "harbour").await, [] as [&str; 0]);
        assert_eq!(of("nobody", "北辰").await, [] as [&str; 0]);
        // What is kept in memory is that of the viewer's own scope.
        assert!(kinds(&admin, "south.sales1").await.contains(&"salesperson".to_owned()));
        assert_eq!(of("north.manager", "south.sales1").await, [] as [&str; 0]);
    }

    on_both!(is_found_as_it_is_now);
    async fn is_found_as_it_is_now(app: TestApp) {
        let admin = app.sign_in("admin").await;
        let other = app.node().await.sign_in("operator").await;
        org::make(&admin, org::with(org::form("new-moon"), json!({"name": "新月信贷", "shortName": "新月"}))).await;
        for who in [&admin, &other] {
            assert_eq!(found(who, "xyxd").await, [("org".to_owned(), "新月信贷".to_owned())]);
        }
        app.execute("UPDATE organisation SET name = '满月信贷' WHERE code = 'new-moon'").await;
        for who in [&admin, &other] {
            assert_eq!((found(who, "xyxd").await.len(), found(who, "myxd").await.len()), (0, 1));
        }
        app.execute("UPDATE organisation SET deleted_at = 1 WHERE code = 'new-moon'").await;
        assert_eq!(found(&admin, "myxd").await, []);
    }

    on_both!(finds_five_of_a_kind_the_best_first);
    async fn finds_five_of_a_kind_the_best_first(app: TestApp) {
        let admin = app.sign_in("admin").await;
        channel::list::many(&app, &admin, 30).await;
        app.execute("UPDATE channel SET name = '星芒' WHERE code = 'many-30'").await;
        let all = found(&admin, "星芒").await;
        let channels: Vec<&(String, String)> = all.iter().filter(|(kind, _)| kind == "channel").collect();
        assert_eq!((channels.len(), channels[0].1.as_str()), (5, "星芒"));
        assert_eq!(all[0].0, "channel", "the kind with exactly what was typed is first");
    }
}

on_both!(payees_channels_roles_checks_matches_and_exceptions_are_found);
async fn payees_channels_roles_checks_matches_and_exceptions_are_found(app: TestApp) {
    let lead = sold(&app).await;
    let bank = pay::channel(&app, "bank", "", json!({})).await;
    let order = pay::order(&app, &bank, json!({})).await;
    app.execute(
        "INSERT INTO payment_exception (payee_channel_id, payment_order_id, kind, order_no, channel_order_no, amount_cents, currency, paid_at, \
           status, created_at, updated_at) \
         SELECT payee_channel_id, id, 'amount', no, 'WX2027010742', 567000, 'CNY', created_at, 'open', created_at, created_at FROM payment_order",
    )
    .await;
    let exception = app.count("SELECT id FROM payment_exception").await;
    let request = json!({"targetType": "organisation", "targetId": app.organisation("north").await});
    let check = lead.admin.post("/compliance/check", request).await.ok();
    let round_no = app.text("SELECT MIN(no) FROM match_record").await;
    let round = app.count("SELECT id FROM match_record ORDER BY no LIMIT 1").await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let kinds_of = [
        ("payee", "lhsk".to_owned(), format!("/org/payee/{}", bank["payeeOrgId"])),
        ("payeeChannel", "bank 主商户".to_owned(), format!("/payConfig/list/{}", bank["id"])),
        ("role", "机构销售".to_owned(), format!("/admin/role-list/{}", app.role("org_sales").await)),
        ("check", text(&check["no"]), format!("/admin/test/{}", check["id"])),
        ("match", round_no, format!("/user/match-list/{round}")),
        ("paymentException", text(&order["no"]), format!("/payConfig/order-list/exceptions/{exception}")),
        ("paymentException", "WX2027010742".to_owned(), format!("/payConfig/order-list/exceptions/{exception}")),
    ];
    let guest = app.sign_in("nobody").await;
    for (kind, q, address) in kinds_of {
        let groups = ask(&lead.admin, &q).await.ok();
        let group = groups.as_array().unwrap().iter().find(|group| group["kind"] == kind);
        let group = group.unwrap_or_else(|| panic!("{kind}: {groups}"));
        assert_eq!(group["items"][0]["address"], json!(address), "{kind}");
        assert_eq!(found(&guest, &q).await, [], "{kind}: no points");
    }
    let english = ask(&lead.admin.in_english(), "org_sales").await.ok();
    let roles = english.as_array().unwrap().iter().find(|group| group["kind"] == "role").unwrap();
    assert_eq!(roles["items"][0]["title"], app.text("SELECT name_en FROM role WHERE code = 'org_sales'").await);
    // The platform's payees, and roles wider than their own, are not found by an organisation's people.
    let north = app.sign_in("north.manager").await;
    for point in ["org/payee", "admin/role-list"] {
        grant(&app, "org_manager", point).await;
    }
    assert_eq!(found(&north, "领航收款").await, []);
    assert_eq!(kinds(&north, "channel_manager").await, [] as [&str; 0]);
    let part = text(&order["no"]);
    assert!(!kinds(&lead.admin, &part[..part.len() - 2]).await.contains(&"paymentException".to_owned()), "not by a part");
}

on_both!(first_letters_find_a_page_of_the_viewers_menu);
async fn first_letters_find_a_page_of_the_viewers_menu(app: TestApp) {
    let menu = async |who: &str, q: &str| {
        let all = ask(&app.sign_in(who).await, q).await.ok();
        all.as_array().unwrap().iter().find(|group| group["kind"] == "menu").map(|group| group["items"].clone())
    };
    let users = json!([{"title": "用户列表", "note": "用户管理", "address": "/user/list"}]);
    assert_eq!(menu("operator", "yhlb").await, Some(users));
    assert_eq!(menu("channel.manager", "yhlb").await, None, "not in the menu of the role");
    assert_eq!(menu("operator", "用户列表").await, None, "browsers find titles by themselves");
}

on_both!(a_text_that_is_no_search_is_refused);
async fn a_text_that_is_no_search_is_refused(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for text in ["", " ", "\u{200b}\u{feff}", "a", "北", &"a".repeat(65)] {
        ask(&operator, text).await.wrong("q");
    }
    for body in [json!({}), json!({"q": null}), json!({"q": 1}), json!({"q": ["ab"]}), json!({"q": "ab", "kind": "user"})] {
        operator.post("/search", body).await.refused("4000");
    }
    for text in ["' OR 1=1 --", "U20270107-%", "\u{0}\u{0}", "CZ2027\u{202e}", &"北".repeat(64), &"z".repeat(64), "!!!", "\\\\"] {
        let code = ask(&operator, text).await.code();
        assert!(["0000", "1001", "4000"].contains(&code.as_str()), "{text:?}: {code}");
    }
    ask(&app.stranger(), "ab").await.refused("2000");
    assert_eq!(trail(&app).await, []);
}

on_both!(searches_are_so_many_a_minute);
async fn searches_are_so_many_a_minute(app: TestApp) {
    app.set("security.reads_minute", json!(60)).await;
    let operator = app.sign_in("operator").await;
    let mut refused = None;
    for _ in 0..200 {
        let answer = ask(&operator, "U2027").await;
        if answer.code() == "4029" {
            refused = Some(answer);
            break;
        }
    }
    assert!(refused.is_some_and(|answer| answer.header("retry-after").is_some()));
}
