//! The page of one compliance check: what it found, whether it still counts, and the way back to its target.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(a_check_has_a_page_that_leads_back_to_its_target);
async fn a_check_has_a_page_that_leads_back_to_its_target(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let north = app.organisation("north").await;
    let request = json!({"targetType": "organisation", "targetId": north});
    let failed = admin.post("/compliance/check", request.clone()).await.ok();
    assert_eq!(failed["result"], "fail");
    let address = format!("/admin/test/{}", failed["id"]);
    let no = failed["no"].as_str().unwrap();

    // A failed check is valid for nothing, and leads back to the organisation.
    let viewer = Browser::of(&app, "admin").await;
    let page = viewer.get(&address).await;
    page.is("adminTestDetail", 200);
    let html = page.root();
    assert!(html.contains("不通过：") && html.contains("修正后请重新检测。"), "{html}");
    assert!(!html.contains("有效期至"), "{html}");
    assert!(html.contains(&format!(r#"href="/org/list/{north}""#)) && html.contains("打开机构"));
    assert!(html.contains(&format!(r#"href="/admin/test?targetType=organisation&amp;targetId={north}""#)));
    assert!(html.contains(r#"<li><a href="/admin/test">合规检测</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(&format!(r#"aria-current="page">{no}</"#)), "the tab and the breadcrumb name the check");
    assert!(html.contains("ll-checks") && html.contains("重新检测</button>"));
    assert!(viewer.in_english().get(&address).await.root().contains("Correct this and check again."));

    // An organisation that waits for its activation leads to it.
    app.execute("UPDATE organisation SET status = 'pending' WHERE code = 'north'").await;
    let org = viewer.get(&format!("/org/list/{north}")).await;
    assert!(org.root().contains(&format!(r#"href="{address}""#)), "{}", org.root());
    app.execute("UPDATE organisation SET status = 'active' WHERE code = 'north'").await;

    // A later check counts instead, until it is no longer valid.
    app.execute("UPDATE organisation SET licence_no = 'L1', licence_expire_on = '2099-12-31' WHERE code = 'north'").await;
    app.advance(1000);
    let passed = admin.post("/compliance/check", request).await.ok();
    assert!(viewer.get(&address).await.root().contains("之后又检测过，以最近一次为准。"));
    let later = format!("/admin/test/{}", passed["id"]);
    let holds = viewer.get(&later).await;
    assert!(holds.root().contains("通过：各项都符合，有效期至") && !holds.root().contains("之后又检测过"), "{}", holds.root());
    app.execute("UPDATE compliance_check SET valid_until = 0").await;
    assert!(viewer.get(&later).await.root().contains("有效期已过"));
    let file = admin.export("/compliance/page/export", json!({"format": "csv", "result": "fail"})).await;
    let file = String::from_utf8_lossy(&file.body).into_owned();
    assert!(file.contains(no) && !file.contains("1970"), "{file}");

    // A text has no page to go back to.
    let script = json!({"targetType": "script", "name": "开场白", "text": "年化利率 12%"});
    let text = admin.post("/compliance/check", script).await.ok();
    let shown = viewer.get(&format!("/admin/test/{}", text["id"])).await;
    assert!(shown.root().contains("开场白") && !shown.root().contains("重新检测</button>"), "{}", shown.root());

    // The list links to it, for viewers of checks; others see their own only.
    assert!(viewer.get("/admin/test").await.root().contains(&format!(r#"href="{address}""#)));
    viewer.get("/admin/test/999999").await.is("adminTestDetail", 404);
    testing::feedback::grant(&app, "channel_manager", "admin/test/").await;
    Browser::of(&app, "channel.manager").await.get(&address).await.is("adminTestDetail", 404);
    let auditor = Browser::of(&app, "auditor").await;
    auditor.get(&address).await.is("adminTestDetail", 200);
    withdraw(&app, "auditor", "admin/test/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/admin/test").await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the list");
}
