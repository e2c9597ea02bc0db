//! What lies in files and tables without being read there, and who fetches what was made of it.

use serde_json::{Value, json};
use trade::user::addresses;

use testing::feedback::grant;
use testing::lead::{application, bring, channel};
use testing::plan::begin;
use testing::private::withdraw;
use testing::{Actor, TestApp, on_both};

/// All that lies in the storage.
fn lying(app: &TestApp) -> Vec<Vec<u8>> {
    fn all(folder: &std::path::Path, found: &mut Vec<Vec<u8>>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => all(&path, found),
                false => found.push(std::fs::read(path).unwrap()),
            }
        }
    }
    let mut found = Vec::new();
    all(&app.app.config.data.join("files"), &mut found);
    found
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// What the trail tells of downloads: area, and fields.
async fn downloads(app: &TestApp) -> Vec<String> {
    let rows = sqlx::query("SELECT module, diff FROM operation_log WHERE action = 'download' ORDER BY id")
        .fetch_all(app.app.db.read())
        .await
        .unwrap();
    rows.iter().map(|row| format!("{} {}", sqlx::Row::get::<String, _>(row, "module"), sqlx::Row::get::<String, _>(row, "diff"))).collect()
}

async fn asked(who: &Actor, path: &str, format: &str) -> String {
    let task = who.post(&format!("{path}/page/export"), json!({"format": format})).await.ok();
    format!("/export/{}/file", task["taskId"])
}

/// S-M8, S-M6, S-L1: files of exports lay in clear, were fetched unseen, and by who may not see their rows any more.
mod a_file_of_an_export {
    use super::*;

    on_both!(lies_encrypted_and_is_fetched_by_right);
    async fn lies_encrypted_and_is_fetched_by_right(app: TestApp) {
        begin(&app);
        let partner = channel(&app, json!({})).await;
        bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
        let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
        let paths = [asked(&operator, "/user", "csv").await, asked(&operator, "/channel", "xlsx").await];
        app.make_exports().await;
        let files = lying(&app);
        assert_eq!(files.len(), 2);
        for text in ["100****0001", "lead-chan", "PK\u{3}\u{4}", "用户编号"] {
            assert!(!files.iter().any(|file| holds(file, text)), "{text}");
        }
        let csv = operator.get(&paths[0]).await;
        assert!(holds(&csv.body, "100****0001"));
        assert_eq!(csv.header("content-length").unwrap(), csv.body.len().to_string());
        assert!(holds(&operator.get(&paths[1]).await.body[..4], "PK\u{3}\u{4}"));
        let told = downloads(&app).await;
        assert_eq!(told.len(), 2);
        assert!(told[0].starts_with("export ") && told[0].contains("用户列表") && told[0].contains("sha256"), "{told:?}");
        // Those who look after the trail find it.
        let page = admin.post("/audit/page", json!({"action": "download", "module": "export"})).await.ok();
        assert_eq!((&page["total"], &page["list"][0]["username"]), (&json!(2), &json!("operator")));

        // A file from before is read as it is.
        let key = app.text("SELECT file_key FROM export_task ORDER BY id LIMIT 1").await;
        std::fs::write(app.app.config.data.join("files").join(key), "编号\r\n1\r\n").unwrap();
        assert_eq!(operator.get(&paths[0]).await.body, "编号\r\n1\r\n");

        withdraw(&app, "operator", "user/list/export").await;
        operator.get(&paths[0]).await.refused("1003");
        assert_eq!(operator.get(&paths[1]).await.status, 200, "what the operator may still see they may still fetch");
        app.execute("UPDATE role SET data_scope = 'own', version = version + 1 WHERE code = 'operator'").await;
        operator.get(&paths[1]).await.refused("1003");
        app.execute("UPDATE role SET data_scope = 'all', version = version + 1 WHERE code = 'operator'").await;
        assert_eq!(operator.get(&paths[1]).await.status, 200);
        app.execute("DELETE FROM admin_role WHERE admin_id = (SELECT id FROM administrator WHERE username = 'operator')").await;
        app.execute("INSERT INTO admin_role (admin_id, role_id) SELECT a.id, r.id FROM administrator a, role r WHERE a.username = 'operator' AND r.code = 'admin'").await;
        app.sign_in("operator").await.get(&paths[1]).await.refused("1003");
        assert_eq!(downloads(&app).await.len(), 5, "who is refused has fetched nothing");
    }
}

/// S-M8, S-M6, S-L1: the wrong rows of an import, names and phones, lay in clear and were fetched unseen.
mod wrong_rows_of_an_import {
    use super::*;

    on_both!(lie_encrypted_and_are_fetched_by_right);
    async fn lie_encrypted_and_are_fetched_by_right(app: TestApp) {
        let operator = app.sign_in("operator").await;
        let table = "类型,名单值,原因\n手机号,13812345678,x\n身份证号,110105194912310021,张小三\n";
        let report = operator.upload("/blacklist/import", &[], "a.csv", table.as_bytes()).await.ok();
        assert_eq!((&report["good"], &report["wrong"]), (&json!(1), &json!(1)));
        let files = lying(&app);
        assert_eq!(files.len(), 1);
        for text in ["110105194912310021", "张小三", "名单值"] {
            assert!(!holds(&files[0], text), "{text}");
        }
        let path = format!("/common/file/{}", report["errorFile"]["id"]);
        let file = operator.get(&path).await;
        assert!(holds(&file.body, "110105194912310021") && holds(&file.body, "张小三"));
        assert_eq!(file.header("content-length").unwrap(), report["errorFile"]["size"].to_string());
        let told = downloads(&app).await;
        assert!(told.len() == 1 && told[0].starts_with("upload ") && told[0].contains("错误行"), "{told:?}");
        withdraw(&app, "operator", "user/black-list/import").await;
        operator.get(&path).await.refused("1004");
        assert_eq!(downloads(&app).await.len(), 1);
        // An uploaded file cannot be passed off as one that a call has made.
        let named = operator.upload("/common/upload", &[("bizType", "made by /blacklist/import")], "a.csv", b"a,b\n").await;
        named.wrong("bizType");
    }
}

/// S-L1: the person who uploaded a file could fetch it for good, whatever became of their rights.
mod an_upload_that_a_record_has {
    use super::*;

    on_both!(is_for_who_sees_the_record);
    async fn is_for_who_sees_the_record(app: TestApp) {
        grant(&app, "channel_manager", "org/list").await;
        let manager = app.sign_in("channel.manager").await;
        let file = manager.upload("/common/upload", &[("bizType", "org_licence")], "a.png", &testing::upload::png()).await;
        let file = match file.code().as_str() {
            "0000" => file.ok()["id"].clone(),
            _ => panic!("{}", file.desc()),
        };
        let path = format!("/common/file/{file}");
        assert_eq!(manager.get(&path).await.status, 200, "no record has it yet");
        let mut tx = app.app.db.begin().await.unwrap();
        let north = app.organisation("north").await;
        assert!(
            frame::upload::settle(
                &mut tx,
                "org_licence",
                north,
                &[file.as_i64().unwrap()],
                app.account("channel.manager").await,
                app.now()
            )
            .await
            .unwrap()
        );
        tx.commit().await.unwrap();
        app.execute("UPDATE organisation SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager') WHERE code = 'north'").await;
        assert_eq!(manager.get(&path).await.status, 200);
        app.execute("UPDATE organisation SET owner_admin_id = NULL").await;
        manager.get(&path).await.refused("1004");
    }
}

/// S-M8: where applicants came from lay in clear in the tables.
mod an_applicants_address {
    use super::*;

    /// How many addresses stand in clear.
    async fn clear(app: &TestApp) -> i64 {
        app.count("SELECT (SELECT COUNT(*) FROM applicant WHERE client_ip <> '' OR client_ip_enc LIKE '%203.0%') + (SELECT COUNT(*) FROM consent_record WHERE ip LIKE '%.%.%')").await
    }

    async fn shown(who: &Actor, id: i64) -> (Value, Value) {
        let story = who.get(&format!("/user/{id}")).await.ok();
        (story["clientIp"].clone(), story["consents"][0]["ip"].clone())
    }

    on_both!(is_kept_encrypted_and_still_counts);
    async fn is_kept_encrypted_and_still_counts(app: TestApp) {
        begin(&app);
        let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0})).await);
        for number in 1..=8 {
            bring(&app, &partner, &format!("r-{number}"), application(number, json!({"ip": "203.0.113.50", "idNo": null}))).await.ok();
        }
        let last = app.count("SELECT MAX(id) FROM applicant").await;
        assert_eq!(clear(&app).await, 0);
        assert_eq!(app.count("SELECT COUNT(DISTINCT client_ip_hash) FROM applicant").await, 1);
        assert_eq!(shown(&admin, last).await, (json!("203.0.113.50"), json!("203.0.113.50")));
        // Half of them as a node of before kept them.
        app.execute("UPDATE applicant SET client_ip = '203.0.113.50', client_ip_enc = NULL, client_ip_hash = NULL WHERE id % 2 = 0").await;
        app.execute("UPDATE consent_record SET ip = '203.0.113.50' WHERE user_id % 2 = 0").await;
        let found = async |id: i64| {
            app.execute("DELETE FROM risk_report").await;
            let facts = admin.get(&format!("/user/risk/{id}?type=device")).await.ok().to_string();
            facts.split("203.0.113.50").count() + usize::from(facts.contains('8'))
        };
        let (mixed, other) = (found(last).await, found(last - 1).await);
        for id in [last, last - 1] {
            assert_eq!(shown(&admin, id).await, (json!("203.0.113.50"), json!("203.0.113.50")));
        }
        assert_eq!(addresses::seal(&app.app).await.unwrap(), 4);
        assert_eq!(addresses::seal(&app.app).await.unwrap(), 0, "once");
        assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE client_ip <> ''").await, 0);
        assert_eq!(app.count("SELECT COUNT(DISTINCT client_ip_hash) FROM applicant").await, 1);
        assert_eq!((found(last).await, found(last - 1).await), (mixed, other), "all are found whichever way they are kept");
        assert_eq!(shown(&admin, last).await.0, json!("203.0.113.50"));

        // The blacklist by address holds, at the door and for an organisation.
        let entry = json!({"kind": "ip", "value": "203.0.113.50", "scope": "global", "source": "risk", "reason": "刷单"});
        admin.post("/blacklist", entry).await.ok();
        let next = bring(&app, &partner, "r-20", application(20, json!({"ip": "203.0.113.50"}))).await.ok();
        assert_eq!(next["status"], "blocked");
        app.distribute().await;
        admin.delete(&format!("/user/{last}")).await.ok();
        assert_eq!(
            app.count("SELECT COUNT(*) FROM applicant WHERE status = 'erased' AND client_ip_enc IS NULL AND client_ip_hash IS NULL").await,
            1
        );
    }

    on_both!(keeps_an_organisations_blacklist);
    async fn keeps_an_organisations_blacklist(app: TestApp) {
        begin(&app);
        let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
        testing::lead::plan(&app, &admin, json!({})).await;
        let north = app.organisation("north").await;
        let entry =
            json!({"kind": "ip", "value": "203.0.113.51", "scope": "organisation", "scopeId": north, "source": "risk", "reason": "刷单"});
        admin.post("/blacklist", entry).await.ok();
        bring(&app, &partner, "r-1", application(1, json!({"ip": "203.0.113.51"}))).await.ok();
        bring(&app, &partner, "r-2", application(2, json!({"ip": "203.0.113.51"}))).await.ok();
        bring(&app, &partner, "r-3", application(3, json!({"ip": "203.0.113.52"}))).await.ok();
        app.execute(
            "UPDATE applicant SET client_ip = '203.0.113.51', client_ip_enc = NULL, client_ip_hash = NULL WHERE request_id = 'r-2'",
        )
        .await;
        app.distribute().await;
        assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 1);
        assert_eq!(app.text("SELECT u.request_id FROM push_record h JOIN applicant u ON u.id = h.user_id").await, "r-3");
    }
}

/// S-M8: exposures keep the network alone; what was kept whole is masked.
mod an_exposures_address {
    use super::*;
    use testing::open::{Call, partner, sight, supply};

    on_both!(is_masked);
    async fn is_masked(app: TestApp) {
        let (_, plan) = supply(&app).await;
        let ads = partner(&app, "ads-0001", json!({})).await;
        let seen = sight("u1", json!([{"type": "exposure", "plan": "P0001"}]));
        Call::of(&app, &ads, "1", &seen).make(&app.stranger()).await.ok();
        assert_eq!(app.text("SELECT client_ip FROM plan_exposure").await, "203.0.113.*");
        app.execute("UPDATE plan_exposure SET client_ip = '203.0.113.9'").await;
        let last = trade::visit::mask_addresses(&app.app.db, 0, 10).await.unwrap();
        assert_eq!(app.text("SELECT client_ip FROM plan_exposure").await, "203.0.113.*");
        assert_eq!(trade::visit::mask_addresses(&app.app.db, last.unwrap(), 10).await.unwrap(), None);
        let page = app.sign_in("admin").await.post("/plan/exposure/page", json!({"planId": plan})).await;
        assert!(!page.body.windows(11).any(|window| window == b"203.0.113.9"), "{}", page.code());
    }
}
