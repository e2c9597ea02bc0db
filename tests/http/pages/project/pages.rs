//! A project's pages: whole before any script, and who may see them.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::project::{approve, file, seen, send_back};
use testing::{TestApp, on_both};

const HOSTILE: &str = "</script><script>alert(1)</script>";

// S2.25 S4.09
on_both!(the_success_page_tells_how_far_it_has_come);
async fn the_success_page_tells_how_far_it_has_come(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let id = file(&operator, json!({"name": HOSTILE})).await;
    approve(&admin, &seen(&admin, id).await).await;
    let page = Browser::of(&app, "operator").await.in_english().get(&format!("/result/success?id={id}")).await;
    page.is("resultSuccess", 200);
    let html = page.root();
    let mut from = 0;
    for (step, state) in [
        ("Submit application", "Done"),
        ("Leader review", "Done"),
        ("Purchase certificate", "Processing"),
        ("Safety test", "Waiting"),
        ("Officially launched", "Waiting"),
    ] {
        from += html[from..].find(step).unwrap_or_else(|| panic!("{step} follows"));
        from += html[from..].find(state).unwrap_or_else(|| panic!("{step} is {state}"));
    }
    assert!(html.contains("Print result") && html.contains(r#"href="/project/list">Back to project list</a>"#));
    assert!(!html.contains("<script>"), "a name is a text");
}

// S2.26 S8.10
on_both!(the_error_page_tells_why);
async fn the_error_page_tells_why(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let id = file(&operator, json!({})).await;
    let reasons = json!(["domain_unregistered", "group_unauthorised", "other"]);
    admin.put("/project/audit", json!({"id": id, "version": 1, "decision": "return", "reasons": reasons, "note": HOSTILE})).await.ok();
    let browser = Browser::of(&app, "operator").await.in_english();
    let page = browser.get(&format!("/result/error?id={id}")).await;
    page.is("resultError", 200);
    let html = page.root();
    assert!(html.contains("The current domain name has not been registered") && html.contains(">registration process</a>"));
    assert!(html.contains("The user group lacks authority for this operation</li>"));
    assert!(html.contains("<h2>Your submission has these problems:</h2>"), "the block of details");
    assert!(html.contains(">Go back</a>") && html.contains(&format!(r#"href="/project/form?id={id}">Return for correction</a>"#)));
    assert!(!html.contains("<script>"), "a note is a text");
    // Others read why; to correct it is its applicant's.
    let auditor = Browser::of(&app, "auditor").await.in_english().get(&format!("/result/error?id={id}")).await;
    assert!(auditor.root().contains("lacks authority") && !auditor.root().contains("Return for correction"));
}

on_both!(a_page_without_its_project_is_not_found);
async fn a_page_without_its_project_is_not_found(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = file(&operator, json!({})).await;
    let browser = Browser::of(&app, "operator").await;
    for path in ["/project/profile", "/result/success", "/result/error"] {
        assert_eq!(browser.get(&format!("{path}?id=4711")).await.status, 404, "{path}");
        for nothing in ["", "?id=", "?id=x", "?id=1%20OR%201=1"] {
            assert_eq!(browser.get(&format!("{path}{nothing}")).await.status, 400, "{path}{nothing}");
        }
    }
    assert_eq!(browser.get("/project/form?id=4711").await.status, 404);
    let form = browser.get(&format!("/project/form?id={id}")).await;
    form.is("projectForm", 200);
    assert!(!form.root().contains("<form class=\"ll-form-page"), "what is under way is not written in");
    // A stranger's project looks like none.
    app.execute("UPDATE role SET data_scope = 'self', version = version + 1 WHERE code = 'auditor'").await;
    assert_eq!(Browser::of(&app, "auditor").await.get(&format!("/project/profile?id={id}")).await.status, 404);
}

on_both!(the_form_is_whole_before_scripts_and_never_shows_a_phone);
async fn the_form_is_whole_before_scripts_and_never_shows_a_phone(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let browser = Browser::of(&app, "operator").await;
    let empty = browser.get("/project/form").await;
    empty.is("projectForm", 200);
    assert!(empty.root().contains("项目申请") && empty.root().contains("name=\"licenceNo\""));
    let draft =
        json!({"partnerType": "organisation", "settleMode": "share", "name": "半份草稿", "remark": HOSTILE, "contactPhone": "13612345678"});
    operator.put("/project/draft", draft).await.ok();
    let page = browser.get("/project/form").await;
    assert!(page.root().contains("value=\"半份草稿\"") && page.root().contains("136****5678"));
    assert!(!page.text().contains("13612345678") && !page.root().contains("<script>"));
}

on_both!(what_may_be_done_is_in_the_profile_of_who_may);
async fn what_may_be_done_is_in_the_profile_of_who_may(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let id = file(&operator, json!({})).await;
    let address = format!("/project/profile?id={id}");
    let shows = async |name: &str| {
        let page = Browser::of(&app, name).await.in_english().get(&address).await;
        page.is("projectProfile", 200);
        assert!(!page.text().contains("13612345678"));
        ["Approve<", "Return<", "Withdraw<", "Correct<", "Reveal<"].map(|label| page.root().contains(&format!(">{label}")))
    };
    assert_eq!(shows("operator").await, [false, false, true, false, true], "their own project");
    assert_eq!(shows("admin").await, [true, true, false, false, true]);
    assert_eq!(shows("auditor").await, [false; 5]);
    send_back(&admin, &seen(&admin, id).await).await;
    assert_eq!(shows("operator").await, [false, false, true, true, true]);
    assert_eq!(shows("admin").await, [false, false, false, false, true]);
}
