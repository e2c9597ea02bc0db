//! One value, written in the ways in which people write it: days, names, keywords, numbers on paper.

use serde_json::{Value, json};

use testing::{TestApp, channel, on_both, org};

on_both!(a_day_filters_however_it_is_written);
async fn a_day_filters_however_it_is_written(app: TestApp) {
    let operator = app.sign_in("operator").await;
    channel::make(&operator, channel::form("ads-xingmang-1")).await;
    for (day, found) in [
        (json!("20991231"), 0),
        (json!(20_991_231), 0),
        (json!("2099/12/31"), 0),
        (json!("2099年12月31日"), 0),
        (json!("2099-12-31 9:05"), 0),
        (json!("20200105"), 1),
        (json!("2020/1/5"), 1),
        (json!("２０２０．１．５"), 1),
    ] {
        let page = operator.post("/channel/page", json!({"createdFrom": day})).await.ok();
        assert_eq!(page["total"], found, "{day}");
    }
    for day in [json!("20991331"), json!("2099123"), json!("9999999999"), json!(1), json!(-1)] {
        operator.post("/channel/page", json!({"createdFrom": day})).await.refused("4000");
    }
}

on_both!(a_day_is_kept_in_one_form);
async fn a_day_is_kept_in_one_form(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (number, day) in ["2099/12/31", "2099年12月31日", "20991231", " ２０９９－１２－３１ "].into_iter().enumerate() {
        let code = format!("org-{number:02}");
        let names = json!({"code": code, "name": format!("机构{number}"), "licenceExpireOn": day});
        let id = org::make(&admin, org::with(org::form(&code), names)).await;
        assert_eq!(admin.get(&format!("/org/{id}")).await.ok()["licenceExpireOn"], "2099-12-31", "{day}");
    }
}

on_both!(names_hold_nothing_that_does_not_show);
async fn names_hold_nothing_that_does_not_show(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let name = "领航信息科技（上海）有限公司";
    admin.post("/org/payee", org::payee::form(name)).await.ok();
    admin.post("/org/payee", org::payee::form(&format!("\u{200b}{name}\u{feff}"))).await.refused("1005");
    admin.post("/org/payee", org::payee::form("领航\u{200b}信息科技（上海）有限公司")).await.wrong("name");
    for field in ["name", "shortName", "contactName"] {
        admin.post("/org", org::with(org::form("tianxuan"), json!({field: "天\u{200b}璇"}))).await.wrong(field);
    }
    admin.post("/channel", channel::with(channel::form("ads-xingmang-1"), json!({"name": "星\u{fe0f}芒"}))).await.wrong("name");
    let id = org::make(&admin, org::with(org::form("tianxuan"), json!({"name": "\u{200b}天璇消费金融有限公司\u{2060}"}))).await;
    assert_eq!(admin.get(&format!("/org/{id}")).await.ok()["name"], "天璇消费金融有限公司");
}

on_both!(a_keyword_is_found_with_marks_that_do_not_show);
async fn a_keyword_is_found_with_marks_that_do_not_show(app: TestApp) {
    let operator = app.sign_in("operator").await;
    channel::make(&operator, channel::form("ads-xingmang-1")).await;
    for keyword in ["\u{200b}星芒", "星芒\u{200b}", "\u{202a}星芒\u{202c}", "\u{feff}星芒", "星\u{200b}芒", "ads-\u{200b}xingmang-1"]
    {
        let page = operator.post("/channel/page", json!({"keyword": keyword})).await.ok();
        assert_eq!(page["total"], 1, "{keyword:?}");
    }
}

on_both!(numbers_on_paper_are_kept_in_one_form);
async fn numbers_on_paper_are_kept_in_one_form(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (number, account) in
        ["6222\u{a0}0212 3456-7890", "６２２２０２１２３４５６７８９０", "\u{202a}6222021234567890\u{202c}", "'6222021234567890"]
            .into_iter()
            .enumerate()
    {
        let changes = json!({"bankAccount": account, "taxNo": "９１３１ 0115-ma1d emo001"});
        let row = admin.post("/org/payee", org::with(org::payee::form(&format!("领航{number}")), changes)).await.ok();
        assert_eq!(row["taxNo"], "91310115MA1DEMO001");
        let shown: Value = admin.get(&format!("/org/payee/reveal/{}", row["id"])).await.ok();
        assert_eq!(shown["proposed"], "6222021234567890", "{account:?}");
    }
}
