//! `PUT /project/audit`, `GET /project/reveal/{id}`: the side of those who decide.

use frame::access::audit::Action;
use serde_json::{Value, json};

use testing::project::{approve, file, form, seen, send_back, with};
use testing::{TestApp, on_both};

// S2.25 S4.09
on_both!(four_approvals_launch_a_project);
async fn four_approvals_launch_a_project(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let id = file(&operator, json!({})).await;
    let mut row = seen(&admin, id).await;
    for (stage, status) in [("certificate", "submitted"), ("safety_test", "submitted"), ("launch", "submitted"), ("launch", "launched")] {
        app.advance(60_000);
        row = approve(&admin, &row).await;
        assert_eq!((&row["stage"], &row["status"]), (&json!(stage), &json!(status)));
    }
    assert_eq!(row["launchedAt"], row["updatedAt"]);
    let detail = operator.get(&format!("/project/{id}")).await.ok();
    let told: Vec<(&str, &str)> = detail["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["stage"].as_str().unwrap(), step["action"].as_str().unwrap()))
        .collect();
    let approved = |stage| (stage, "approved");
    assert_eq!(
        told,
        [approved("launch"), approved("safety_test"), approved("certificate"), approved("review"), ("application", "submitted")]
    );
    assert_eq!(app.trail("project", id).await.len(), 5);
}

on_both!(every_move_from_every_place_is_tried);
async fn every_move_from_every_place_is_tried(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    // How to get there, and which of submit, approve, return, withdraw lead on.
    for (status, allowed) in [
        ("draft", [true, false, false, true]),
        ("submitted", [false, true, true, true]),
        ("returned", [true, false, false, true]),
        ("launched", [false; 4]),
        ("withdrawn", [false; 4]),
    ] {
        for (number, may) in allowed.into_iter().enumerate() {
            let mut row = match status {
                "draft" => operator.put("/project/draft", form()).await.ok(),
                _ => operator.post("/project", form()).await.ok(),
            };
            match status {
                "returned" => row = send_back(&admin, &row).await,
                "withdrawn" => row = operator.put("/project/withdraw", json!({"id": row["id"], "version": row["version"]})).await.ok(),
                "launched" => {
                    for _ in 0..4 {
                        row = approve(&admin, &row).await;
                    }
                }
                _ => {}
            }
            assert_eq!(row["status"], status);
            let about = json!({"id": row["id"], "version": row["version"]});
            let answer = match number {
                0 if status == "draft" => operator.post("/project", with(form(), json!({"version": row["version"]}))).await,
                0 => operator.put("/project", with(form(), about)).await,
                1 => admin.put("/project/audit", with(about, json!({"decision": "approve"}))).await,
                2 => admin.put("/project/audit", with(about, json!({"decision": "return", "reasons": ["terms_unclear"]}))).await,
                _ => operator.put("/project/withdraw", about).await,
            };
            assert_eq!(answer.code(), if may { "0000" } else { "1006" }, "{status}, move {number}: {}", answer.desc());
            if !may {
                assert_eq!(seen(&admin, row["id"].as_i64().unwrap()).await, row, "and nothing was changed");
                if status == "draft" {
                    operator.put("/project/withdraw", json!({"id": row["id"], "version": row["version"]})).await.ok();
                }
            }
        }
    }
}

on_both!(makers_do_not_decide_on_their_projects);
async fn makers_do_not_decide_on_their_projects(app: TestApp) {
    // Both hold every point, the built-in administrator too.
    for name in ["operator", "admin"] {
        let actor = app.sign_in(name).await;
        let id = file(&actor, json!({})).await;
        for decision in [json!({"decision": "approve"}), json!({"decision": "return", "reasons": ["other"], "note": "x"})] {
            let answer = actor.put("/project/audit", with(json!({"id": id, "version": 1}), decision)).await;
            answer.refused("1006");
            assert_eq!(answer.desc(), "不能审核自己提交的项目");
        }
        assert_eq!(seen(&actor, id).await["version"], 1);
    }
}

on_both!(a_return_says_why);
async fn a_return_says_why(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let id = file(&operator, json!({})).await;
    let decide = |decision: Value| with(json!({"id": id, "version": 1}), decision);
    let back = |reasons: Value, note: &str| decide(json!({"decision": "return", "reasons": reasons, "note": note}));
    admin.put("/project/audit", back(json!([]), "")).await.wrong("reasons");
    admin.put("/project/audit", back(json!(["other", "other"]), "x")).await.wrong("reasons");
    admin.put("/project/audit", back(json!(["other"]), " ")).await.wrong("note");
    admin.put("/project/audit", back(json!(["terms_unclear"]), &"x".repeat(501))).await.wrong("note");
    admin.put("/project/audit", decide(json!({"decision": "approve", "reasons": ["other"], "note": "x"}))).await.wrong("reasons");
    for malformed in [
        json!({"decision": "reject"}),
        json!({"decision": "return", "reasons": [1]}),
        json!({"reasons": []}),
        json!({"decision": "approve", "by": 1}),
    ] {
        admin.put("/project/audit", decide(malformed)).await.refused("4000");
    }
    admin.put("/project/audit", json!({"id": id, "version": 7, "decision": "approve"})).await.refused("1005");
    admin.put("/project/audit", back(json!(["domain_unregistered", "group_unauthorised"]), "请补充备案号")).await.ok();
    let step = &operator.get(&format!("/project/{id}")).await.ok()["steps"][0];
    assert_eq!((&step["stage"], &step["action"], &step["note"]), (&json!("review"), &json!("returned"), &json!("请补充备案号")));
    let reasons = json!([
        {"code": "domain_unregistered", "name": "当前域名未备案"}, {"code": "group_unauthorised", "name": "用户组没有进行此操作的权限"}
    ]);
    assert_eq!(step["reasons"], reasons);
}

on_both!(the_dictionary_says_why_a_project_may_be_returned);
async fn the_dictionary_says_why_a_project_may_be_returned(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let id = file(&operator, json!({})).await;
    let back = |reasons: Value| json!({"id": id, "version": 1, "decision": "return", "reasons": reasons});
    let words = admin.in_english().put("/project/audit", back(json!(["no_seal"]))).await.wrong("reasons");
    assert!(words.starts_with("Must be one of: domain_unregistered (The current domain name has not been registered), "), "{words}");
    let list = app.count("SELECT id FROM dict_type WHERE code = 'project_return_reason'").await;
    let item = json!({"typeId": list, "value": "no_seal", "labelZh": "未盖章", "labelEn": "No seal", "sort": 1, "tagColor": "red",
        "isDefault": false, "status": "enabled"});
    let item = admin.post("/dict/item", item).await.ok();
    admin.put("/project/audit", back(json!(["no_seal"]))).await.ok();
    let shown = async |who: &testing::Actor| who.get(&format!("/project/{id}")).await.ok()["steps"][0]["reasons"].clone();
    assert_eq!(shown(&operator).await, json!([{"code": "no_seal", "name": "未盖章"}]));
    // Switched off it is refused, and what was returned for it says so still.
    let off = json!({"id": item["id"], "version": item["version"], "labelZh": "未盖章", "labelEn": "No seal", "sort": 1, "tagColor": "red",
        "isDefault": false, "status": "disabled"});
    admin.put("/dict/item", off).await.ok();
    let other = file(&operator, json!({"name": "另一家", "licenceNo": "91310000MA1FL4XX11"})).await;
    admin.put("/project/audit", json!({"id": other, "version": 1, "decision": "return", "reasons": ["no_seal"]})).await.wrong("reasons");
    assert_eq!(shown(&operator.in_english()).await, json!([{"code": "no_seal", "name": "No seal"}]));
    admin.delete(&format!("/dict/item/{}", item["id"])).await.ok();
    assert_eq!(shown(&operator).await, json!([{"code": "no_seal", "name": "no_seal"}]));
}

on_both!(of_two_leaders_at_once_one_decides);
async fn of_two_leaders_at_once_one_decides(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let id = file(&operator, json!({})).await;
    let body = json!({"id": id, "version": 1, "decision": "approve"});
    let tries = futures_util::future::join_all((0..5).map(|_| admin.put("/project/audit", body.clone()))).await;
    let won: Vec<Value> = tries.iter().filter(|answer| answer.code() == "0000").map(|answer| answer.ok()).collect();
    assert_eq!(won.len(), 1);
    for lost in tries.iter().filter(|answer| answer.code() != "0000") {
        assert_eq!(lost.refused("1005")["current"], won[0]);
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM project_step WHERE action = 'approved'").await, 1);
}

on_both!(seeing_a_contacts_phone_is_written_down);
async fn seeing_a_contacts_phone_is_written_down(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = file(&operator, json!({})).await;
    assert_eq!(operator.get(&format!("/project/reveal/{id}")).await.ok(), json!({"contactPhone": "13612345678"}));
    let trail = app.trail("project", id).await;
    assert_eq!((trail.len(), trail[0].action), (2, Action::Reveal));
    assert!(!serde_json::to_string(&trail).unwrap().contains("13612345678"));
    app.sign_in("auditor").await.get(&format!("/project/reveal/{id}")).await.refused("1003");
    let draft = operator.put("/project/draft", json!({"partnerType": "channel", "settleMode": "uv"})).await.ok();
    assert_eq!(operator.get(&format!("/project/reveal/{}", draft["id"])).await.ok(), json!({"contactPhone": null}));
}
