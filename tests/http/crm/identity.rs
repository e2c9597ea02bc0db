//! `GET /crm/get`.

use serde_json::json;

use testing::{TestApp, on_both};

// S6.07
on_both!(a_viewer_learns_who_they_are_in_the_crm);
async fn a_viewer_learns_who_they_are_in_the_crm(app: TestApp) {
    let mut lead = app.sign_in("north.lead").await.get("/crm/get").await.ok();
    let points = lead.as_object_mut().unwrap().remove("points").unwrap();
    let points: Vec<&str> = points.as_array().unwrap().iter().map(|point| point.as_str().unwrap()).collect();
    assert!(points.contains(&"crm/saleman/sales") && !points.contains(&"crm/saleman/pool") && points.is_sorted(), "{points:?}");
    assert_eq!(
        lead,
        json!({
            "adminId": app.account("north.lead").await, "name": "north north.lead", "role": "team_lead", "scope": "sub_org",
            "orgId": app.organisation("north").await, "orgName": "北辰", "subOrgId": app.team("First team").await,
            "subOrgName": "First team", "allowed": null
        })
    );
    let operator = app.sign_in("operator").await.get("/crm/get").await.ok();
    assert_eq!((&operator["orgId"], &operator["subOrgName"], &operator["scope"]), (&json!(null), &json!(null), &json!("all")));
    let lead = app.sign_in("north.lead").await;
    for (point, allowed) in [("crm/saleman/sales", true), ("crm/saleman/pool", false), ("crm/none", false)] {
        assert_eq!(lead.get(&format!("/crm/get?point={point}")).await.ok()["allowed"], allowed, "{point}");
    }
    app.stranger().get("/crm/get").await.refused("2000");
}

// S6.07: only what concerns the CRM.
on_both!(points_of_other_areas_are_left_out);
async fn points_of_other_areas_are_left_out(app: TestApp) {
    app.execute(
        "INSERT INTO menu_node (parent_id, type, name, path, title_zh, title_en, created_at, updated_at) \
         SELECT id, 'point', 'crm/test/list', 'crm/test/list', '查询', 'List', 0, 0 FROM menu_node WHERE name = 'adminList'",
    )
    .await;
    let admin = app.sign_in("admin").await.get("/crm/get").await.ok();
    let points = admin["points"].as_array().unwrap();
    assert!(points.contains(&json!("crm/test/list")), "{points:?}");
    assert!(points.iter().all(|point| point.as_str().unwrap().starts_with("crm/")), "{points:?}");
}
