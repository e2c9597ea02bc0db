//! Searches by the whole of somebody's number: counted, written down, and refused beyond what work needs.

use base::clock::MINUTE;
use serde_json::{Value, json};

use testing::lead::{application, bring, channel};
use testing::open::partner;
use testing::plan::begin;
use testing::{Actor, TestApp, on_both, world};

/// Every list that finds somebody by a whole number, and a number that it takes for one.
const LISTS: [(&str, &str); 10] = [
    ("/user", "13800001234"),
    ("/blacklist", "203.0.113.9"),
    ("/user/feedback", "13800001234"),
    ("/project", "13800001234"),
    ("/admin", "13800001234"),
    ("/sms", "13800001234"),
    ("/plan/push", "13800001234"),
    ("/user/match", "13800001234"),
    ("/org", "13800001234"),
    ("/finance/invoice", "13800001234"),
];

/// What the trail tells of searches, the first first.
async fn told(app: &TestApp) -> Vec<String> {
    let mut found = Vec::new();
    let rows = sqlx::query("SELECT module, diff FROM operation_log WHERE action = 'search' ORDER BY id")
        .fetch_all(app.app.db.read())
        .await
        .unwrap();
    for row in rows {
        found.push(format!("{} {}", sqlx::Row::get::<String, _>(&row, "module"), sqlx::Row::get::<String, _>(&row, "diff")));
    }
    found
}

async fn search(who: &Actor, keyword: &str) -> testing::Answer {
    who.post("/user/page", json!({"keyword": keyword, "pageSize": 1})).await
}

mod a_person_is_one {
    use super::*;

    on_both!(however_the_number_is_written);
    async fn however_the_number_is_written(app: TestApp) {
        begin(&app);
        let partner = channel(&app, json!({})).await;
        let changes =
            json!({"phone": "+86 100-0003 0001", "idNo": "110105 19491231 002x", "province": null, "applicant": {"city": "上海市"}});
        bring(&app, &partner, "r-1", application(31, changes)).await.ok();
        let auditor = app.sign_in("auditor").await;
        for keyword in [
            "10000030001",
            "+8610000030001",
            "0086-10000030001",
            "100 0003 0001",
            "１０００００３０００１",
            "\u{202a}100\u{a0}0003\u{a0}0001\u{202c}",
            "11010519491231002X",
            "110105 19491231 002x",
        ] {
            assert_eq!(search(&auditor, keyword).await.ok()["total"], 1, "{keyword:?}");
        }
        assert_eq!(told(&app).await.len(), 2, "a number counts once, however it is written");
    }
}

/// S-H4: ten thousand searches undid the mask of a phone, and the trail knew nothing of it.
mod a_mask_is_not_undone {
    use super::*;

    on_both!(by_trying_what_it_hides);
    async fn by_trying_what_it_hides(app: TestApp) {
        begin(&app);
        let partner = channel(&app, json!({})).await;
        bring(&app, &partner, "r-1", application(31, json!({"phone": "13800311234"}))).await.ok();
        let auditor = app.sign_in("auditor").await;
        // The trial of the finding: what `138****1234` leaves open, one after the other.
        let (mut found, mut refused) = (0, 0);
        for number in 0..60 {
            let answer = search(&auditor, &format!("138{number:04}1234")).await;
            match answer.code().as_str() {
                "0000" => found += answer.ok()["total"].as_i64().unwrap(),
                "4029" => {
                    assert!(answer.headers["retry-after"].to_str().unwrap().parse::<i64>().unwrap() > 0);
                    let desc = answer.desc();
                    assert!(desc.contains("30 次") && desc.contains("分钟后再试"), "{desc}");
                    refused += 1;
                }
                other => panic!("{other}"),
            }
        }
        assert_eq!((found, refused), (0, 30), "hits and misses count alike");
        let trail = told(&app).await;
        assert_eq!((trail.len(), trail[0].contains("138****1234"), trail[0].starts_with("user ")), (30, true, true), "{trail:?}");
        let who: i64 = app.count("SELECT COUNT(DISTINCT admin_id) FROM operation_log WHERE action = 'search'").await;
        assert_eq!(who, 1);
        // No number stands anywhere whole.
        assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%13800%'").await, 0);
        assert_eq!(app.count("SELECT COUNT(*) FROM number_search WHERE value_hash LIKE '%1234'").await, 0);

        // What needs no number goes on, and so does everybody else.
        auditor.post("/user/page", json!({})).await.ok();
        auditor.post("/user/page", json!({"keyword": "U20270107-AAAAAAAA"})).await.ok();
        assert_eq!(search(&app.sign_in("operator").await, "13800311234").await.ok()["total"], 1);
        app.advance(10 * MINUTE);
        assert_eq!(search(&auditor, "13800311234").await.ok()["total"], 1);
    }
}

/// S-H4: one piece counts for all lists and their files.
mod every_list_counts {
    use super::*;

    on_both!(searches_by_number);
    async fn searches_by_number(app: TestApp) {
        let operator = app.sign_in("operator").await;
        for (index, (path, number)) in LISTS.iter().enumerate() {
            operator.post(&format!("{path}/page"), json!({"keyword": number})).await.ok();
            assert_eq!(told(&app).await.len(), index + 1, "{path}");
            // Its file, asked for at once or made later, is no other search.
            operator.export(&format!("{path}/page/export"), json!({"format": "csv", "keyword": number})).await;
            operator.post(&format!("{path}/page/export"), json!({"format": "csv", "keyword": number})).await.ok();
            assert_eq!(told(&app).await.len(), index + 1, "{path}");
        }
        // A worker who comes late makes files of what was searched for long ago.
        app.advance(11 * MINUTE);
        app.set("security.number_searches", json!(1)).await;
        assert_eq!(app.make_exports().await, LISTS.len());
        assert_eq!(app.count("SELECT COUNT(*) FROM export_task WHERE status = 'success'").await, LISTS.len() as i64);
        assert_eq!(told(&app).await.len(), LISTS.len());
        // A file alone is a search as well, and one too many is refused on whatever list.
        operator.export("/user/page/export", json!({"format": "csv", "keyword": "13800009999"})).await;
        assert_eq!(told(&app).await.len(), LISTS.len() + 1);
        for (path, _) in LISTS {
            operator.post(&format!("{path}/page"), json!({"keyword": "13800008888"})).await.refused("4029");
            operator.post(&format!("{path}/page/export"), json!({"format": "csv", "keyword": "13800008888"})).await.refused("4029");
        }
        let whole: i64 = app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%1380000%' OR diff LIKE '%203.0.113.9%'").await;
        assert_eq!(whole, 0, "no trail of a search or of a file holds a whole number");
    }
}

/// S-H4: going through the results of a search is not counted again.
mod paging_is_no_search {
    use super::*;

    on_both!(nor_is_sorting);
    async fn nor_is_sorting(app: TestApp) {
        let operator = app.sign_in("operator").await;
        app.set("security.number_searches", json!(1)).await;
        for page in 1..=40 {
            let query =
                json!({"keyword": " 13800001234 ", "current": page, "sort": "age", "order": if page % 2 == 0 { "asc" } else { "desc" }});
            operator.post("/user/page", query).await.ok();
        }
        assert_eq!(told(&app).await.len(), 1);
        operator.post("/user/page", json!({"keyword": "13800001235"})).await.refused("4029");
        let in_english = operator.in_english().post("/user/page", json!({"keyword": "13800001235"})).await;
        assert_eq!(in_english.desc(), "You can search by 1 full numbers per ten minutes: try again in 10 min");
        // In another session of the same account it is the same account.
        search(&app.sign_in("operator").await, "13800001235").await.refused("4029");
    }
}

/// S-H4: many at once are no more than one after the other.
mod together {
    use super::*;

    on_both!(they_count_as_one_by_one);
    async fn they_count_as_one_by_one(app: TestApp) {
        let operator = app.sign_in("operator").await;
        let all = futures_util::future::join_all((0..50).map(|number| {
            let operator = operator.clone();
            async move { search(&operator, &format!("138{number:04}1234")).await.code() }
        }))
        .await;
        assert_eq!(all.iter().filter(|code| *code == "0000").count(), 30, "{all:?}");
        assert_eq!(told(&app).await.len(), 30);
    }
}

/// The list of administrators finds an account by its whole phone as before.
mod an_account {
    use super::*;

    on_both!(is_found_by_its_phone);
    async fn is_found_by_its_phone(app: TestApp) {
        let operator = app.sign_in("operator").await;
        let page: Value = operator.post("/admin/page", json!({"keyword": world::PHONE})).await.ok();
        assert_eq!((&page["total"], &page["list"][0]["username"]), (&json!(1), &json!("north.sales1")));
        let file = operator.export("/admin/page/export", json!({"format": "csv", "keyword": world::PHONE})).await;
        assert!(String::from_utf8_lossy(&file.body).contains("north.sales1"));
        assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%13800000001%'").await, 0);
    }
}

/// Lists of leads and of rounds find a person by the whole phone.
mod a_lead {
    use super::*;
    use testing::lead::plan;

    on_both!(is_found_by_its_phone);
    async fn is_found_by_its_phone(app: TestApp) {
        begin(&app);
        let admin = app.sign_in("admin").await;
        plan(&app, &admin, json!({})).await;
        let partner = channel(&app, json!({})).await;
        for (number, phone) in [(1, "13800311234"), (2, "13800311235")] {
            let no = format!("r-{number}");
            bring(&app, &partner, &no, application(number, json!({"phone": phone}))).await.ok();
        }
        app.distribute().await;
        let operator = app.sign_in("operator").await;
        for path in ["/plan/push/page", "/user/match/page"] {
            let page = operator.post(path, json!({"keyword": "13800311234"})).await.ok();
            assert!(page["total"] == 1 && page["list"][0]["phoneMask"] == "138****1234", "{path} {page}");
            assert_eq!(operator.post(path, json!({"keyword": "13800319999"})).await.ok()["total"], 0, "{path}");
        }
    }
}

/// Teams, invoices and organisations are found by a whole phone, also those that were stored before their phones had hashes.
mod a_phone_that_is_no_applicants {
    use server::phone_hashes;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use testing::crm::team;
    use testing::finance::invoice;
    use testing::org;

    async fn found(who: &Actor, keyword: &str) -> [i64; 3] {
        let mut found = [0; 3];
        for (index, path) in ["/crm/subOrgPage", "/finance/invoice/page", "/org/page"].into_iter().enumerate() {
            found[index] = who.post(path, json!({"keyword": keyword})).await.ok()["total"].as_i64().unwrap();
        }
        found
    }

    on_both!(is_found);
    async fn is_found(app: TestApp) {
        begin(&app);
        let admin = app.sign_in("admin").await;
        let north = app.organisation("north").await;
        invoice::sold_with_a_payee(&app, north).await;
        admin.post("/crm/addSubOrg", team::form(json!({"orgId": north}))).await.ok();
        admin.post("/finance/invoice", invoice::form(&app, json!({"amountCents": 100})).await).await.ok();
        // One organisation has it as the phone of its contact, the other as an alert phone.
        admin.post("/org", org::with(org::form("tianxuan"), json!({"alertPhones": ["13812340003", "13812340004"]}))).await.ok();
        admin
            .post("/org", org::with(org::form("another"), json!({"contactPhone": "13812340009", "alertPhones": ["13812340001"]})))
            .await
            .ok();
        assert_eq!(found(&admin, "+86 138-1234 0001").await, [1, 1, 2]);
        assert_eq!(found(&admin, "13812340002").await, [0, 0, 0]);
        assert_eq!(found(&admin, "13812340004").await, [0, 0, 1]);

        app.execute("UPDATE sub_organisation SET phone_hash = NULL").await;
        app.execute("UPDATE invoice SET receiver_phone_hash = NULL").await;
        app.execute("UPDATE organisation SET alert_phone_hashes = NULL").await;
        assert_eq!(found(&admin, "13812340001").await, [0, 0, 1]);
        // A value that does not open is passed over.
        app.execute("UPDATE sub_organisation SET phone_enc = 'x' WHERE phone_enc IS NULL").await;
        assert_eq!(phone_hashes::add_missing(&app.app, &CancellationToken::new()).await.unwrap(), 4);
        assert_eq!(found(&admin, "13812340001").await, [1, 1, 2]);
        assert_eq!(found(&admin, "13812340004").await, [0, 0, 1]);
        assert_eq!(phone_hashes::add_missing(&app.app, &CancellationToken::new()).await.unwrap(), 0);
        assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%13812340001%'").await, 0);
    }
}

/// Names are found by any part, in either case and width.
mod a_name {
    use super::*;

    on_both!(is_found_by_a_part);
    async fn is_found_by_a_part(app: TestApp) {
        let admin = app.sign_in("admin").await;
        partner(&app, "part-0001", json!({"name": "海豚召回短信（华南）"})).await;
        app.execute("UPDATE organisation SET name = '轸宿村镇银行（沪）', contact_name = '欧阳浩然' WHERE code = 'north'").await;
        app.execute("UPDATE administrator SET real_name = '王浩然' WHERE username = 'auditor'").await;
        for (path, keyword) in [
            ("/channel/page", "召回"),
            ("/channel/page", "华南"),
            ("/channel/page", "召回短信(华南)"),
            ("/channel/page", "PART-0001"),
            ("/channel/page", "ｒｔ－０００１"),
            ("/org/page", "村镇银行"),
            ("/org/page", "银行(沪"),
            ("/org/page", "浩然"),
            ("/admin/page", "浩然"),
        ] {
            let page = admin.post(path, json!({"keyword": keyword})).await.ok();
            assert_eq!(page["total"], 1, "{path} {keyword}");
        }
        for (path, keyword, label) in
            [("/channel/options", "华南", "华南"), ("/org/options", "村镇", "村镇"), ("/admin/options", "浩", "浩然")]
        {
            let choices = admin.get(&format!("{path}?keyword={keyword}")).await.ok();
            let labels: Vec<&str> = choices.as_array().unwrap().iter().map(|choice| choice["label"].as_str().unwrap()).collect();
            assert!(labels.len() == 1 && labels[0].contains(label), "{path} {labels:?}");
        }
        assert_eq!(admin.post("/channel/page", json!({"keyword": "召_短"})).await.ok()["total"], 0);
    }
}

/// The refusal of a listed number says that it is listed, so it counts as a search.
mod an_entry_that_is_there {
    use super::*;
    use testing::blacklist::{form, make};

    on_both!(is_searched_for);
    async fn is_searched_for(app: TestApp) {
        let admin = app.sign_in("admin").await;
        for number in 1..=3 {
            make(&admin, json!({"value": format!("1381234000{number}")})).await;
        }
        app.set("security.number_searches", json!(2)).await;
        let operator = app.sign_in("operator").await;
        let enter = async |number: i64| operator.post("/blacklist", form(json!({"value": format!("1381234000{number}")}))).await;
        for (number, code) in [(1, "1005"), (1, "1005"), (2, "1005"), (3, "4029"), (1, "1005"), (4, "0000")] {
            enter(number).await.refused(code);
        }
        let trail = told(&app).await;
        assert!(trail.len() == 2 && trail[0].contains("138****0001"), "{trail:?}");
    }
}
