//! `POST /project/page`, its file, and who sees which projects.

use serde_json::{Value, json};

use testing::project::{approve, file, seen, send_back, with};
use testing::{Actor, TestApp, on_both};

async fn names(actor: &Actor, query: Value) -> Vec<String> {
    let page = actor.post("/project/page", query).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

on_both!(the_list_is_narrowed_and_sorted);
async fn the_list_is_narrowed_and_sorted(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    file(&operator, json!({"name": "one", "contactPhone": "13600000001", "dailyVolume": 5})).await;
    app.advance(1000);
    let two = file(&operator, json!({"name": "two", "contactName": "oneself", "dailyVolume": 50, "startDate": "2098-01-01"})).await;
    app.advance(1000);
    let organisation =
        json!({"name": "three", "partnerType": "organisation", "callbackUrl": "https://three.example.com/", "dailyVolume": 7});
    let three = file(&admin, organisation).await;
    approve(&admin, &seen(&admin, two).await).await;
    send_back(&operator, &seen(&operator, three).await).await;
    let applicant = app.account("admin").await;
    for (query, expected) in [
        (json!({}), vec!["three", "two", "one"]),
        (json!({"keyword": "one"}), vec!["two", "one"]),
        (json!({"keyword": "13600000001"}), vec!["one"]),
        (json!({"keyword": "13600000009"}), vec![]),
        (json!({"status": "returned"}), vec!["three"]),
        (json!({"stage": "certificate"}), vec!["two"]),
        (json!({"partnerType": "channel"}), vec!["two", "one"]),
        (json!({"applicantAdminId": applicant.to_string()}), vec!["three"]),
        (json!({"createdTo": "2025-01-01"}), vec![]),
        (json!({"sort": "dailyVolume", "order": "asc"}), vec!["one", "three", "two"]),
        (json!({"sort": "startDate", "order": "asc"}), vec!["two", "one", "three"]),
        (json!({"sort": "name"}), vec!["two", "three", "one"]),
        (json!({"pageSize": 1, "current": 2}), vec!["two"]),
    ] {
        assert_eq!(names(&admin, query.clone()).await, expected, "{query}");
    }
    for nonsense in
        [json!({"status": "gone"}), json!({"stage": "1"}), json!({"sort": "contactPhoneEnc"}), json!({"applicantAdminId": "1 OR 1=1"})]
    {
        admin.post("/project/page", nonsense).await.refused("4000");
    }
    // A phone that is searched for is masked in the trail.
    admin.export("/project/page/export", json!({"format": "csv", "keyword": "13600000001"})).await;
    let diff = app.text("SELECT diff FROM operation_log WHERE action = 'export'").await;
    assert!(diff.contains("136****0001") && !diff.contains("13600000001"), "{diff}");
}

on_both!(the_file_holds_masks);
async fn the_file_holds_masks(app: TestApp) {
    let operator = app.sign_in("operator").await;
    file(&operator, json!({})).await;
    let answer = operator.export("/project/page/export", json!({"format": "csv"})).await;
    let text = String::from_utf8_lossy(&answer.body);
    assert!(text.contains("136****5678") && !text.contains("13612345678"), "{text}");
    assert!(text.contains("领导审核") && text.contains("12.50"));
    app.sign_in("auditor").await.export("/project/page/export", json!({"format": "csv"})).await.refused("1003");
}

on_both!(who_sees_only_their_own_sees_what_they_filed);
async fn who_sees_only_their_own_sees_what_they_filed(app: TestApp) {
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
         WHERE r.code IN ('channel_manager', 'org_manager', 'team_lead', 'org_sales') AND m.path LIKE 'project/%' ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let (manager, second, operator) =
        (app.sign_in("channel.manager").await, app.sign_in("channel.second").await, app.sign_in("operator").await);
    let mine = file(&manager, json!({"name": "mine"})).await;
    let others = file(&second, json!({"name": "others"})).await;
    assert_eq!(names(&manager, json!({})).await, ["mine"]);
    assert_eq!(names(&operator, json!({})).await, ["others", "mine"]);
    for answer in [
        manager.get(&format!("/project/{others}")).await,
        manager.get(&format!("/project/draft/{others}")).await,
        manager.get(&format!("/project/reveal/{others}")).await,
        manager.put("/project", with(testing::project::form(), json!({"id": others, "version": 1}))).await,
        manager.put("/project/draft", with(testing::project::form(), json!({"id": others, "version": 1}))).await,
        manager.put("/project/audit", json!({"id": others, "version": 1, "decision": "approve"})).await,
        manager.put("/project/withdraw", json!({"id": others, "version": 1})).await,
    ] {
        answer.refused("1004");
    }
    manager.put("/project/audit", json!({"id": mine, "version": 1, "decision": "approve"})).await.refused("1006");

    // People of organisations file none. (A salesperson would see their own.)
    for name in ["north.manager", "north.lead"] {
        let staff = app.sign_in(name).await;
        assert!(names(&staff, json!({})).await.is_empty(), "{name}");
        staff.get(&format!("/project/{mine}")).await.refused("1004");
        staff.post("/project", testing::project::form()).await.refused("1003");
        staff.put("/project/draft", json!({"partnerType": "channel", "settleMode": "uv"})).await.refused("1003");
    }
}
