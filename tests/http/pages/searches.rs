//! The list of one who searched too often by a whole number.

use serde_json::json;

use testing::{TestApp, on_both};

/// S-H4: the screen says what happened, in its words.
mod the_list_of_one_who_searched_too_often {
    use super::*;
    use crate::pages::browser::Browser;

    on_both!(says_so);
    async fn says_so(app: TestApp) {
        app.set("security.number_searches", json!(1)).await;
        let operator = Browser::of(&app, "operator").await;
        let page = operator.get("/user/list?keyword=13800001234").await;
        page.is("userList", 200);
        // The page and what it asks for by itself are one search.
        operator.get("/user/list?keyword=13800001234&sort=age").await.is("userList", 200);
        for (browser, words) in [
            (operator.clone(), "10 分钟内最多按完整号码查找 1 次"),
            (operator.in_english(), "You can search by 1 full numbers per ten minutes"),
        ] {
            let page = browser.get("/user/list?keyword=13800001235").await;
            assert!(page.root().contains(words), "{}", page.root());
        }
    }
}
