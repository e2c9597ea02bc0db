//! The page of one agreement: whether new consents may name it, its text, and who may open it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(an_agreement_has_a_page_that_says_whether_consents_may_name_it);
async fn an_agreement_has_a_page_that_says_whether_consents_may_name_it(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let form =
        json!({"code": "PRIVACY", "edition": "2027.1", "name": "隐私政策", "text": "第一条 目的", "validFrom": null, "validTo": null});
    let row = admin.post("/agreement", form).await.ok();
    let address = format!("/admin/agreement/{}", row["id"]);
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("adminAgreementDetail", 200);
    let html = page.root();
    assert!(html.contains("有效：新的授权可以引用它。") && html.contains("第一条 目的"), "{html}");
    assert!(html.contains(r#"<li><a href="/admin/agreement">授权书</a></li>"#), "the breadcrumb leads to the list");
    assert!(!html.contains("ll-page-acts"), "an auditor has no actions");
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));
    assert!(auditor.get("/admin/agreement").await.root().contains(&format!(r#"href="{address}""#)), "the list links to it");
    let entry = app.count("SELECT MAX(id) FROM operation_log WHERE target_type = 'agreement'").await;
    assert!(auditor.get(&format!("/admin/audit/{entry}")).await.root().contains(&format!(r#"href="{address}""#)), "and the trail");
    let own = Browser::of(&app, "admin").await.get(&address).await;
    assert!(own.root().contains("编辑</button>") && own.root().contains("删除</button>"));

    app.advance(10_000);
    let ends = json!({
        "id": row["id"], "version": row["version"], "code": "PRIVACY", "edition": "2027.1", "name": "隐私政策", "text": "第一条 目的",
        "validFrom": row["validFrom"], "validTo": app.now() - 5_000
    });
    admin.put("/agreement", ends).await.ok();
    let ended = auditor.in_english().get(&address).await;
    assert!(ended.root().contains("New consents cannot name it since"), "{}", ended.root());

    auditor.get("/admin/agreement/999999").await.is("adminAgreementDetail", 404);
    withdraw(&app, "auditor", "admin/agreement/list").await;
    auditor.get(&address).await.is("notFound", 404);
}
