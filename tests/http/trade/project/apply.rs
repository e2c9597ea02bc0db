//! The applicant's side: `GET` and `PUT /project/draft`, `POST` and `PUT /project`, `PUT /project/withdraw`.

use serde_json::{Value, json};

use super::rows;
use testing::project::{file, form, seen, send_back, with};
use testing::{TestApp, on_both};

const PHONE: &str = "13612345678";

on_both!(a_submitted_project_is_at_the_leaders);
async fn a_submitted_project_is_at_the_leaders(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let row = operator.post("/project", form()).await.ok();
    assert_eq!((&row["status"], &row["stage"], &row["version"]), (&json!("submitted"), &json!("review"), &json!(1)));
    assert_eq!((&row["contactPhoneMask"], &row["applicantName"]), (&json!("136****5678"), &json!("platform operator")));
    let no = row["no"].as_str().unwrap();
    assert!(no.starts_with('P') && no.ends_with(&format!("-{:04}", row["id"].as_i64().unwrap())), "{no}");
    let detail = operator.get(&format!("/project/{}", row["id"])).await.ok();
    assert_eq!(detail["project"], row);
    assert_eq!(detail["previous"], Value::Null);
    let steps = detail["steps"].as_array().unwrap();
    assert_eq!((steps.len(), &steps[0]["stage"], &steps[0]["action"]), (1, &json!("application"), &json!("submitted")));
    assert_eq!((&steps[0]["byName"], &steps[0]["at"]), (&json!("platform operator"), &row["submittedAt"]));

    let queues = app.sign_in("admin").await.get("/workplace").await.ok()["queues"].to_string();
    assert!(queues.contains("/project/list?status=submitted"), "{queues}");

    // The phone is stored encrypted, and is whole nowhere else.
    assert_eq!(app.count("SELECT COUNT(*) FROM project WHERE contact_phone_enc LIKE '%13612345678%'").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM project_step WHERE content LIKE '%13612345678%'").await, 0);
    let trail = app.trail("project", row["id"].as_i64().unwrap()).await;
    assert_eq!((trail.len(), format!("{:?}", trail[0].action)), (1, "Create".to_owned()));
    assert!(!serde_json::to_string(&trail).unwrap().contains(PHONE));
    assert!(!detail.to_string().contains(PHONE));
}

on_both!(a_draft_is_kept_half_written_and_goes_in_whole);
async fn a_draft_is_kept_half_written_and_goes_in_whole(app: TestApp) {
    let operator = app.sign_in("operator").await;
    assert_eq!(operator.get("/project/draft/0").await.ok(), Value::Null);
    let half = json!({"partnerType": "channel", "settleMode": "uv", "name": "半份", "licenceNo": "9131", "landingUrl": "https:", "ipAllow": ["10.0."]});
    let first = operator.put("/project/draft", half.clone()).await.ok();
    assert_eq!((&first["status"], &first["version"], &first["no"]), (&json!("draft"), &json!(1), &Value::Null));
    assert_eq!((&first["licenceNo"], &first["ipAllow"]), (&json!("9131"), &json!(["10.0."])));
    assert_eq!(operator.get("/project/draft/0").await.ok(), first);
    assert_eq!(operator.get(&format!("/project/draft/{}", first["id"])).await.ok(), first);

    // Nothing new changes nothing; something new is another version.
    assert_eq!(operator.put("/project/draft", with(half.clone(), json!({"version": 1}))).await.ok(), first);
    let more = with(half.clone(), json!({"version": 1, "contactPhone": PHONE, "city": "330100"}));
    let second = operator.put("/project/draft", more).await.ok();
    assert_eq!((&second["version"], &second["contactPhoneMask"]), (&json!(2), &json!("136****5678")));
    assert_eq!(app.trail("project", first["id"].as_i64().unwrap()).await.len(), 2);

    // As it stands it is not whole. Every wrong field is named.
    let mut wrong = operator.post("/project", with(half, json!({"version": 2}))).await.refused("1001");
    let mut names: Vec<String> = wrong.as_object_mut().unwrap().keys().cloned().collect();
    names.sort();
    assert_eq!(names, ["city", "contactName", "dailyVolume", "ipAllow", "landingUrl", "licenceNo", "startDate", "unitPriceCents"]);
    assert_eq!(operator.get("/project/draft/0").await.ok(), second, "and nothing was written");

    let whole = with(form(), json!({"version": 2, "contactPhone": null}));
    let submitted = operator.post("/project", whole).await.ok();
    assert_eq!((&submitted["id"], &submitted["status"]), (&first["id"], &json!("submitted")));
    assert_eq!(submitted["contactPhoneMask"], "136****5678", "the stored phone stays");
    assert_eq!(operator.get("/project/draft/0").await.ok(), Value::Null);
    assert_eq!(rows(&app).await, 1);
}

on_both!(an_account_has_one_draft_and_nobody_elses);
async fn an_account_has_one_draft_and_nobody_elses(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let draft = json!({"partnerType": "channel", "settleMode": "uv", "name": "我的"});
    let mine = operator.put("/project/draft", draft.clone()).await.ok();
    // Another window without the version, or with an old one, gets the stored draft.
    for version in [json!(null), json!(0), json!(7)] {
        let stale = operator.put("/project/draft", with(draft.clone(), json!({"version": version, "name": "另一份"}))).await;
        assert_eq!(stale.refused("1005"), json!({"current": mine}));
        assert_eq!(operator.post("/project", with(form(), json!({"version": version}))).await.refused("1005"), json!({"current": mine}));
    }
    // Another account has its own draft, and cannot write in this one.
    assert_eq!(admin.get("/project/draft/0").await.ok(), Value::Null);
    let id = mine["id"].as_i64().unwrap();
    admin.get(&format!("/project/draft/{id}")).await.refused("1006");
    admin.put("/project/draft", with(draft.clone(), json!({"id": id, "version": 1}))).await.refused("1006");
    admin.put("/project", with(form(), json!({"id": id, "version": 1}))).await.refused("1006");
    admin.put("/project/withdraw", json!({"id": id, "version": 1})).await.refused("1006");
    let other = admin.put("/project/draft", draft).await.ok();
    assert_ne!(other["id"], mine["id"]);
    assert_eq!(seen(&operator, id).await, mine);

    // A draft that is gone is not filed a second time.
    operator.put("/project/withdraw", json!({"id": id, "version": 1})).await.ok();
    operator.post("/project", with(form(), json!({"version": 2}))).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM project WHERE status = 'submitted'").await, 0);
}

on_both!(of_two_first_drafts_at_once_one_wins);
async fn of_two_first_drafts_at_once_one_wins(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let draft = |name: usize| json!({"partnerType": "channel", "settleMode": "uv", "name": format!("n{name}")});
    let tries = futures_util::future::join_all((0..6).map(|number| operator.put("/project/draft", draft(number)))).await;
    assert_eq!(tries.iter().filter(|answer| answer.code() == "0000").count(), 1);
    for lost in tries.iter().filter(|answer| answer.code() != "0000") {
        assert_eq!(lost.code(), "1005");
    }
    assert_eq!(rows(&app).await, 1);
}

on_both!(a_returned_project_is_corrected_and_tells_what_it_was);
async fn a_returned_project_is_corrected_and_tells_what_it_was(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let id = file(&operator, json!({})).await;
    // While it is being decided, it cannot be edited.
    operator.get(&format!("/project/draft/{id}")).await.refused("1006");
    operator.put("/project/draft", with(form(), json!({"id": id, "version": 1}))).await.refused("1006");
    operator.put("/project", with(form(), json!({"id": id, "version": 1}))).await.refused("1006");

    let returned = send_back(&admin, &seen(&operator, id).await).await;
    assert_eq!((&returned["status"], &returned["stage"]), (&json!("returned"), &json!("application")));
    assert_eq!(operator.get(&format!("/project/draft/{id}")).await.ok(), returned);
    assert_eq!(operator.get("/project/draft/0").await.ok(), Value::Null, "it is no draft of a new one");

    let change = json!({"id": id, "version": 2, "contactPhone": null, "city": "320500", "landingUrl": "https://new.example.com/"});
    let saved = operator.put("/project/draft", with(form(), change.clone())).await.ok();
    assert_eq!((&saved["status"], &saved["city"], &saved["version"]), (&json!("returned"), &json!("320500"), &json!(3)));
    assert_eq!(operator.put("/project", with(form(), change.clone())).await.refused("1005"), json!({"current": saved}));
    let again = operator.put("/project", with(with(form(), change), json!({"version": 3}))).await.ok();
    assert_eq!((&again["status"], &again["stage"], &again["no"]), (&json!("submitted"), &json!("review"), &returned["no"]));

    let detail = admin.get(&format!("/project/{id}")).await.ok();
    assert_eq!((&detail["previous"]["city"], &detail["previous"]["landingUrl"]), (&json!("310100"), &form()["landingUrl"]));
    let actions: Vec<&str> = detail["steps"].as_array().unwrap().iter().map(|step| step["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["submitted", "returned", "submitted"]);
    assert_eq!(detail["steps"][1]["reasons"][0]["code"], "domain_unregistered");
}

on_both!(only_its_applicant_withdraws_a_project);
async fn only_its_applicant_withdraws_a_project(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let id = file(&operator, json!({})).await;
    admin.put("/project/withdraw", json!({"id": id, "version": 1})).await.refused("1006");
    operator.put("/project/withdraw", json!({"id": id, "version": 1, "note": "x".repeat(501)})).await.wrong("note");
    assert_eq!(operator.put("/project/withdraw", json!({"id": id, "version": 9})).await.refused("1005")["current"]["version"], 1);
    let row = operator.put("/project/withdraw", json!({"id": id, "version": 1, "note": "合作取消"})).await.ok();
    assert_eq!((&row["status"], &row["stage"]), (&json!("withdrawn"), &json!("review")));
    let detail = operator.get(&format!("/project/{id}")).await.ok();
    assert_eq!((&detail["steps"][0]["action"], &detail["steps"][0]["note"]), (&json!("withdrawn"), &json!("合作取消")));
    operator.put("/project/withdraw", json!({"id": id, "version": 2})).await.refused("1006");
}

on_both!(each_wrong_field_is_named);
async fn each_wrong_field_is_named(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for (field, value) in [
        ("name", json!(" ")),
        ("name", json!("好".repeat(65))),
        ("city", json!("")),
        ("licenceNo", json!("")),
        ("licenceNo", json!("91310000MA1FL0XX-X")),
        ("contactName", json!("x".repeat(33))),
        ("contactPhone", json!(null)),
        ("contactPhone", json!("1361234567")),
        ("contactEmail", json!("bai at example")),
        ("unitPriceCents", json!(0)),
        ("unitPriceCents", json!(-1)),
        ("unitPriceCents", json!(100_000_001)),
        ("shareBp", json!(10_001)),
        ("dailyVolume", json!(0)),
        ("dailyVolume", json!(1_000_001)),
        ("dailyVolume", json!(null)),
        ("startDate", json!("2020-01-01")),
        ("startDate", json!("2099-02-30")),
        ("startDate", json!("tomorrow")),
        ("landingUrl", json!("javascript:alert(1)")),
        ("landingUrl", json!(null)),
        ("callbackUrl", json!("nowhere")),
        ("ipAllow", json!(["999.1.1.1"])),
        ("ipAllow", json!(vec!["10.0.0.1"; 51])),
        ("remark", json!("x".repeat(501))),
    ] {
        operator.post("/project", with(form(), json!({ field: value.clone() }))).await.wrong(field);
    }
    let organisation = json!({"partnerType": "organisation", "landingUrl": null});
    operator.post("/project", with(form(), organisation)).await.wrong("callbackUrl");
    operator.post("/project", with(form(), json!({"settleMode": "share", "unitPriceCents": 0}))).await.wrong("shareBp");
    for malformed in [
        json!({"partnerType": "friend"}),
        json!({"settleMode": null}),
        json!({"dailyVolume": "3e2"}),
        json!({"dailyVolume": 1.5}),
        json!({"ipAllow": "10.0.0.1"}),
        json!({"status": "launched"}),
        json!({"applicantAdminId": 1}),
        json!({"id": 1}),
        json!({"name": "a\u{0}b"}),
    ] {
        operator.post("/project", with(form(), malformed)).await.refused("4000");
    }
    operator.put("/project", form()).await.refused("4000");
    // A draft may be wrong, but not endless, and no phone is kept that is none.
    let draft = |changes: Value| with(json!({"partnerType": "channel", "settleMode": "uv"}), changes);
    for (field, value) in [
        ("name", json!("x".repeat(65))),
        ("remark", json!("x".repeat(501))),
        ("landingUrl", json!("x".repeat(501))),
        ("contactPhone", json!("136")),
        ("dailyVolume", json!(-1)),
        ("startDate", json!("soon")),
        ("ipAllow", json!(["x".repeat(65)])),
        ("ipAllow", json!(vec!["10.0.0.1"; 51])),
    ] {
        operator.put("/project/draft", draft(json!({ field: value }))).await.wrong(field);
    }
    assert_eq!(rows(&app).await, 0);
}

on_both!(each_side_needs_its_points);
async fn each_side_needs_its_points(app: TestApp) {
    let auditor = app.sign_in("auditor").await;
    auditor.get("/project/draft/0").await.refused("1003");
    auditor.put("/project/draft", json!({"partnerType": "channel", "settleMode": "uv"})).await.refused("1003");
    auditor.post("/project", form()).await.refused("1003");
    auditor.put("/project/withdraw", json!({"id": 1, "version": 1})).await.refused("1003");
    // One half of the form's points is not the other.
    app.execute(
        "DELETE FROM role_menu WHERE role_id = (SELECT id FROM role WHERE code = 'operator') \
         AND menu_id = (SELECT id FROM menu_node WHERE name = 'project/list/create')",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let operator = app.sign_in("operator").await;
    operator.put("/project/draft", json!({"partnerType": "channel", "settleMode": "uv"})).await.refused("1003");
    operator.post("/project", form()).await.refused("1003");
    assert_eq!(rows(&app).await, 0);
}
