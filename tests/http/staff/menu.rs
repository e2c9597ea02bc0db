//! `GET /menu/listByToken`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use testing::{TestApp, on_both};

/// A tree as lines: name, type, path; children indented.
fn outline(nodes: &Value, indent: usize) -> Vec<String> {
    let nodes = nodes.as_array().map(Vec::as_slice).unwrap_or_default();
    nodes
        .iter()
        .flat_map(|node| {
            let line = format!("{:indent$}{} {} {}", "", node["name"].as_str().unwrap(), node["type"], node["path"].as_str().unwrap());
            std::iter::once(line).chain(outline(&node["children"], indent + 1))
        })
        .collect()
}

// S1.02 S7.04 S3.03 S6.03
on_both!(the_tree_holds_what_the_role_holds);
async fn the_tree_holds_what_the_role_holds(app: TestApp) {
    let tree = app.sign_in("auditor").await.get("/menu/listByToken").await.ok();
    assert_eq!(
        outline(&tree, 0),
        [
            "dashboard 1 /dashboard",
            " dashboardWorkplace 1 /dashboard/workplace",
            " dashboardServer 1 /dashboard/server",
            "  dashboard/server/list 2 dashboard/server/list",
            " dashboardMonitor 1 /dashboard/monitor",
            "  dashboard/monitor/list 2 dashboard/monitor/list",
            " visualization 1 /visualization",
            "  visualization/list 2 visualization/list",
            "channel 1 /channel",
            " channelList 1 /channel/list",
            "  channel/list/list 2 channel/list/list",
            "  channel/list/view 2 channel/list/view",
            " channelDetail 1 /channel/list/:id",
            " channelUvList 1 /channel/uv-list",
            "  channel/uv-list/list 2 channel/uv-list/list",
            "product 1 /product",
            " productList 1 /product/list",
            "  product/list/list 2 product/list/list",
            "  product/list/view 2 product/list/view",
            " productDetail 1 /product/list/:id",
            " productUvList 1 /product/uv-list",
            "  product/uv-list/list 2 product/uv-list/list",
            "org 1 /org",
            " orgList 1 /org/list",
            "  org/list/list 2 org/list/list",
            "  org/list/view 2 org/list/view",
            " orgDetail 1 /org/list/:id",
            " orgPayee 1 /org/payee",
            "  org/payee/list 2 org/payee/list",
            " orgPayeeDetail 1 /org/payee/:id",
            " orgUvList 1 /org/uv-list",
            "  org/uv-list/list 2 org/uv-list/list",
            " orgUvList2 1 /org/uv-list2",
            "  org/uv-list2/list 2 org/uv-list2/list",
            " orgReceipt 1 /org/receipt",
            "  org/receipt/list 2 org/receipt/list",
            " orgReceiptDetail 1 /org/receipt/:id",
            "plan 1 /plan",
            " planList 1 /plan/list",
            "  plan/list/list 2 plan/list/list",
            "  plan/list/view 2 plan/list/view",
            " planDetail 1 /plan/list/:id",
            " planPushList 1 /plan/push-list",
            "  plan/push-list/list 2 plan/push-list/list",
            "  plan/push-list/view 2 plan/push-list/view",
            " planPushDetail 1 /plan/push-list/:id",
            " planUvList 1 /plan/uv-list",
            "  plan/uv-list/list 2 plan/uv-list/list",
            " planBgList 1 /plan/bgList",
            "  plan/bgList/list 2 plan/bgList/list",
            "user 1 /user",
            " userList 1 /user/list",
            "  user/list/list 2 user/list/list",
            "  user/list/view 2 user/list/view",
            " userDetail 1 /user/list/:id",
            " userBlackList 1 /user/black-list",
            "  user/black-list/list 2 user/black-list/list",
            "  user/black-list/view 2 user/black-list/view",
            " userBlackListDetail 1 /user/black-list/:id",
            " userMateChannelList 1 /user/mate-channel-list",
            "  user/mate-channel-list/list 2 user/mate-channel-list/list",
            " userMatchList 1 /user/match-list",
            "  user/match-list/list 2 user/match-list/list",
            " userMatchDetail 1 /user/match-list/:id",
            " userFeedbackList 1 /user/feedback-list",
            "  user/feedback-list/list 2 user/feedback-list/list",
            "  user/feedback-list/view 2 user/feedback-list/view",
            " userFeedbackDetail 1 /user/feedback-list/:id",
            "crm 1 /crm",
            " crmSaleman 1 /crm/saleman",
            "  crm/saleman/list 2 crm/saleman/list",
            " crmTeam 1 /crm/team",
            " crmSalesperson 1 /crm/saleman/:id",
            " crmTeamDetail 1 /crm/team/:id",
            " crmPoolDetail 1 /crm/pool-setting/:id",
            " crmPoolSetting 1 /crm/pool-setting",
            " crmClue 1 /crm/clue",
            "  crm/clue/list 2 crm/clue/list",
            "  crm/clue/view 2 crm/clue/view",
            " crmClueDetail 1 /crm/clue/:id",
            " crmBoard 1 /crm/board",
            " crmAchievements 1 /crm/achievements",
            "  crm/achievements/list 2 crm/achievements/list",
            " crmCenter 1 /crm/center",
            "  crm/center/view 2 crm/center/view",
            "finance 1 /finance",
            " financeRecharge 1 /finance/recharge",
            "  finance/recharge/list 2 finance/recharge/list",
            " financeRechargeDetail 1 /finance/recharge/:id",
            " financeAccount 1 /finance/account",
            "  finance/account/list 2 finance/account/list",
            " financeAccountDetail 1 /finance/account/:id",
            " financeOverview 1 /finance/account/overview",
            " financeEntries 1 /finance/account/entries",
            " financeAdjustments 1 /finance/account/adjustments",
            " financeAdjustment 1 /finance/account/adjustments/:id",
            " financeStatements 1 /finance/account/statements",
            " financeStatement 1 /finance/statement/:id",
            " financeInvoice 1 /finance/invoice",
            "  finance/invoice/list 2 finance/invoice/list",
            " financeInvoiceDetail 1 /finance/invoice/:id",
            " financeInvoiceable 1 /finance/invoice/invoiceable",
            " financePartner 1 /finance/partner",
            "  finance/partner/list 2 finance/partner/list",
            " financePartnerStatement 1 /finance/partner/:id",
            " financePartnerItems 1 /finance/partner/items",
            " financePartnerAdjustments 1 /finance/partner/adjustments",
            " financePayouts 1 /finance/partner/payouts",
            " financePayout 1 /finance/partner/payouts/:id",
            "payConfig 1 /payConfig",
            " payConfigList 1 /payConfig/list",
            "  payConfig/list/list 2 payConfig/list/list",
            "  payConfig/list/view 2 payConfig/list/view",
            " payConfigChannel 1 /payConfig/list/:id",
            " payConfigOrderList 1 /payConfig/order-list",
            "  payConfig/order-list/list 2 payConfig/order-list/list",
            " payConfigOrder 1 /payConfig/order-list/:id",
            " payConfigRefunds 1 /payConfig/order-list/refunds",
            " payConfigRefund 1 /payConfig/order-list/refunds/:id",
            " payConfigExceptions 1 /payConfig/order-list/exceptions",
            " payConfigException 1 /payConfig/order-list/exceptions/:id",
            " payConfigReports 1 /payConfig/order-list/reports",
            " payConfigStatements 1 /payConfig/order-list/statements",
            " payConfigStatement 1 /payConfig/order-list/statements/:id",
            " payConfigDifferences 1 /payConfig/order-list/differences",
            " payConfigDifference 1 /payConfig/order-list/differences/:id",
            " payConfigPoolList 1 /payConfig/pool-list",
            "  payConfig/pool-list/list 2 payConfig/pool-list/list",
            " payConfigLink 1 /payConfig/pool-list/:id",
            "chat 1 /chat",
            " chatGroup 1 /chat/group",
            "  chat/group/list 2 chat/group/list",
            " chatGroupDetail 1 /chat/group/:id",
            " chatManage 1 /chat/manage",
            "  chat/manage/list 2 chat/manage/list",
            " chatManageDetail 1 /chat/manage/:id",
            " chatFigures 1 /chat/manage/figures",
            " chatClient 1 /chat/client",
            "  chat/client/list 2 chat/client/list",
            " chatClientDetail 1 /chat/client/:id",
            " chatConversation 1 /chat/conversation",
            "  chat/conversation/list 2 chat/conversation/list",
            " chatWechat 1 /chat/wechat",
            "  chat/wechat/list 2 chat/wechat/list",
            " chatWechatDetail 1 /chat/wechat/:id",
            " chatReply 1 /chat/reply",
            "  chat/reply/list 2 chat/reply/list",
            " chatReplyDetail 1 /chat/reply/:id",
            "chart 1 /chart",
            " chartChannelList 1 /chart/channel-list",
            "  chart/channel-list/list 2 chart/channel-list/list",
            " chartProductList 1 /chart/product-list",
            "  chart/product-list/list 2 chart/product-list/list",
            " chartSystemList 1 /chart/system-list",
            "  chart/system-list/list 2 chart/system-list/list",
            " chartOrgList 1 /chart/org-list",
            "  chart/org-list/list 2 chart/org-list/list",
            " chartOrgD2dList 1 /chart/org-d2d-list",
            "  chart/org-d2d-list/list 2 chart/org-d2d-list/list",
            " chartChannelD2dList 1 /chart/channel-d2d-list",
            "  chart/channel-d2d-list/list 2 chart/channel-d2d-list/list",
            " chartScoreList 1 /chart/score-list",
            "  chart/score-list/list 2 chart/score-list/list",
            "chartMon 1 /chartMon",
            " chartMonChannelList2 1 /chartMon/channel-list2",
            "  chartMon/channel-list2/list 2 chartMon/channel-list2/list",
            " chartMonSystemList2 1 /chartMon/system-list2",
            "  chartMon/system-list2/list 2 chartMon/system-list2/list",
            " chartMonOrgList2 1 /chartMon/org-list2",
            "  chartMon/org-list2/list 2 chartMon/org-list2/list",
            " chartMonProductList2 1 /chartMon/product-list2",
            "  chartMon/product-list2/list 2 chartMon/product-list2/list",
            "project 1 /project",
            " projectList 1 /project/list",
            "  project/list/list 2 project/list/list",
            "  project/list/view 2 project/list/view",
            " projectProfile 1 /project/profile",
            " resultSuccess 1 /result/success",
            " resultError 1 /result/error",
            "admin 1 /admin",
            " adminList 1 /admin/list",
            "  admin/list/list 2 admin/list/list",
            "  admin/list/view 2 admin/list/view",
            " adminDetail 1 /admin/list/:id",
            " adminRoleList 1 /admin/role-list",
            "  admin/role-list/list 2 admin/role-list/list",
            "  admin/role-list/view 2 admin/role-list/view",
            " adminRoleDetail 1 /admin/role-list/:id",
            " adminSetting 1 /admin/setting",
            "  admin/setting/list 2 admin/setting/list",
            " adminTest 1 /admin/test",
            "  admin/test/list 2 admin/test/list",
            "  admin/test/view 2 admin/test/view",
            " adminTestDetail 1 /admin/test/:id",
            " adminTestRules 1 /admin/test-rules",
            " adminDictionary 1 /admin/dictionary",
            "  admin/dictionary/list 2 admin/dictionary/list",
            " adminAgreement 1 /admin/agreement",
            "  admin/agreement/list 2 admin/agreement/list",
            " adminAgreementDetail 1 /admin/agreement/:id",
            " adminMenu 1 /admin/menu",
            "  admin/menu/list 2 admin/menu/list",
            " adminNotice 1 /admin/notice",
            "  admin/notice/list 2 admin/notice/list",
            " adminNoticeDetail 1 /admin/notice/:id",
            " adminAudit 1 /admin/audit",
            "  admin/audit/list 2 admin/audit/list",
            " adminAuditEntry 1 /admin/audit/:id",
            " adminLoginLog 1 /admin/login-log",
            "  admin/login-log/list 2 admin/login-log/list",
            " adminSession 1 /admin/session",
            "  admin/session/list 2 admin/session/list",
            " adminSms 1 /admin/sms",
            "  admin/sms/list 2 admin/sms/list",
            "  admin/sms/view 2 admin/sms/view",
            " adminSmsDetail 1 /admin/sms/:id",
            "exception 1 /exception",
            " exception403 1 /exception/403",
            " exception404 1 /exception/404",
            " exception500 1 /exception/500",
            "accountCenter 1 /account/center",
            "accountSetting 1 /account/setting",
            "accountMessage 1 /account/message",
            "accountMessageDetail 1 /account/message/:id",
            "designSystem 1 ",
            "faq 1 ",
            "home 1 /home",
        ]
    );
    let names =
        |tree: &Value| -> Vec<String> { tree.as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap().to_owned()).collect() };
    assert_eq!(
        names(&app.sign_in("channel.manager").await.get("/menu/listByToken").await.ok()),
        [
            "dashboard",
            "channel",
            "chart",
            "chartMon",
            "exception",
            "accountCenter",
            "accountSetting",
            "accountMessage",
            "accountMessageDetail",
            "designSystem",
            "faq",
            "home"
        ]
    );
    assert_eq!(
        names(&app.sign_in("north.manager").await.get("/menu/listByToken").await.ok()),
        [
            "dashboard",
            "crm",
            "finance",
            "payConfig",
            "chart",
            "chartMon",
            "admin",
            "exception",
            "accountCenter",
            "accountSetting",
            "accountMessage",
            "accountMessageDetail",
            "designSystem",
            "faq",
            "home"
        ]
    );
    // What everyone has needs no grant.
    assert_eq!(
        names(&app.sign_in("nobody").await.get("/menu/listByToken").await.ok()),
        [
            "dashboard",
            "exception",
            "accountCenter",
            "accountSetting",
            "accountMessage",
            "accountMessageDetail",
            "designSystem",
            "faq",
            "home"
        ]
    );
}

// S2.17 S2.18: two links out of the product, and home at the end of all.
on_both!(two_links_lead_out_and_home_is_last);
async fn two_links_lead_out_and_home_is_last(app: TestApp) {
    let tree = app.sign_in("admin").await.get("/menu/listByToken").await.ok();
    let top = tree.as_array().unwrap();
    let external: Vec<&str> = top.iter().filter_map(|node| node["external"].as_str()).collect();
    assert_eq!(external, ["https://arco.design", "https://arco.design/vue/docs/pro/faq"]);
    assert_eq!((top.last().unwrap()["name"].as_str(), top.last().unwrap()["order"].as_i64()), (Some("home"), Some(99)));
    let orders: BTreeSet<i64> = top[..top.len() - 1].iter().map(|node| node["order"].as_i64().unwrap()).collect();
    assert_eq!(orders, (1..=9).collect());
}

// S3.03 S3.04: a node has the fields that clients read; none has an empty list of children.
on_both!(nodes_have_their_form_in_both_languages);
async fn nodes_have_their_form_in_both_languages(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let (chinese, english) = (admin.get("/menu/listByToken").await.ok(), admin.in_english().get("/menu/listByToken").await.ok());
    assert_eq!(outline(&chinese, 0), outline(&english, 0));
    let channel = &chinese[1];
    assert_eq!((&channel["title"], &english[1]["title"]), (&json!("渠道管理"), &json!("Channels")));
    assert_eq!((&channel["icon"], &channel["order"], &channel["external"]), (&json!("channel"), &json!(2), &Value::Null));
    let point = &channel["children"][0]["children"][0];
    assert_eq!((&point["title"], &point["children"]), (&json!("查询"), &Value::Null));
    assert!(!chinese.to_string().contains(r#""children":[]"#));
    let mut fields: Vec<&String> = point.as_object().unwrap().keys().collect();
    fields.sort();
    assert_eq!(fields, ["children", "external", "hidden", "icon", "id", "name", "order", "path", "title", "type"]);
}

// S6.03: a point that is gone from the role is gone from the tree and from the calls at once.
on_both!(a_change_of_the_role_counts_at_the_next_call);
async fn a_change_of_the_role_counts_at_the_next_call(app: TestApp) {
    let auditor = app.sign_in("auditor").await;
    auditor.post("/channel/page", json!({})).await.ok();
    app.execute("DELETE FROM role_menu WHERE menu_id IN (SELECT id FROM menu_node WHERE name LIKE 'channel%')").await;
    app.execute("UPDATE role SET version = version + 1").await;
    auditor.post("/channel/page", json!({})).await.refused("1003");
    let tree = outline(&auditor.get("/menu/listByToken").await.ok(), 0);
    assert!(!tree.iter().any(|line| line.trim_start().starts_with("channel")) && tree.contains(&"admin 1 /admin".to_owned()), "{tree:?}");
}
