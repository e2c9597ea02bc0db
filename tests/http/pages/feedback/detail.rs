//! The page of one piece of feedback: how far it was handled, what it says, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::feedback::{Sold, grant, send_report, sold};
use testing::lead::phone;
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(feedback_has_a_page_that_says_how_far_it_was_handled);
async fn feedback_has_a_page_that_says_how_far_it_was_handled(app: TestApp) {
    let Sold { north, user_id, push_id, no, .. } = sold(&app).await;
    let report = json!({"requestId": "f-1", "no": no, "endCode": "disbursed", "loanCents": 2_000_000, "content": "下月再借"});
    send_report(&app, &north, report).await.ok();
    let id = app.count("SELECT id FROM feedback").await;
    let user_no = app.text("SELECT no FROM applicant").await;
    let address = format!("/user/feedback-list/{id}");

    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("userFeedbackDetail", 200);
    let html = page.root();
    assert!(html.contains("待处理：还没有人处理。") && html.contains("没有回调地址，无需回传。"), "{html}");
    assert!(html.contains(r#"<li><a href="/user/feedback-list">反馈列表</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(&format!(r#"aria-current="page">{user_no}</"#)), "the tab and the breadcrumb name the applicant");
    assert!(html.contains("20,000.00") && html.contains("下月再借") && html.contains("已放款"));
    let (org, channel) = (north.id, app.count("SELECT id FROM channel").await);
    for link in [
        format!("/user/list/{user_id}"),
        format!("/plan/push-list/{push_id}"),
        format!("/org/list/{org}"),
        format!("/channel/list/{channel}"),
    ] {
        assert!(html.contains(&format!(r#"href="{link}""#)), "{link}");
    }
    assert!(!page.text().contains(&phone(1)) && !html.contains("ll-page-acts"), "an auditor decides nothing");
    let operator = app.sign_in("operator").await;
    let handles = Browser::of(&app, "operator").await;
    for step in ["开始处理", "处理完成", "关闭"] {
        assert!(handles.get(&address).await.root().contains(&format!("{step}</button>")), "{step}");
    }
    operator.put("/user/feedback/handle", json!({"id": id, "version": 1, "status": "done", "reply": "已核实"})).await.ok();
    let done = auditor.get(&address).await;
    assert!(done.root().contains("处理完成。") && done.root().contains("已核实"), "{}", done.root());
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));
    let english = auditor.in_english().get(&address).await;
    assert!(english.root().contains("finished it at"), "{}", english.root());

    // A callback that needs a decision says so to people who decide.
    app.execute("UPDATE feedback SET callback_status = 'failed', callback_attempts = 4").await;
    assert!(!auditor.get(&address).await.root().contains("请重新回传"));
    let failed = handles.get(&address).await;
    assert!(failed.root().contains("回传失败，已尝试 4 次。") && failed.root().contains("请重新回传，或放弃回传。"), "{}", failed.root());

    // The list and the story of the applicant link to it, for viewers of feedback.
    let story = format!("/user/list/{user_id}");
    for other in ["/user/feedback-list", story.as_str()] {
        assert!(auditor.get(other).await.root().contains(&format!(r#"href="{address}""#)), "{other}");
    }
    auditor.get("/user/feedback-list/999999").await.is("userFeedbackDetail", 404);
    grant(&app, "org_manager", "user/feedback-list").await;
    Browser::of(&app, "north.manager").await.get(&address).await.is("userFeedbackDetail", 200);
    Browser::of(&app, "south.manager").await.get(&address).await.is("userFeedbackDetail", 404);
    grant(&app, "channel_manager", "user/feedback-list").await;
    Browser::of(&app, "channel.manager").await.get(&address).await.is("userFeedbackDetail", 404);
    withdraw(&app, "auditor", "user/feedback-list/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/user/feedback-list").await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the list");
}
