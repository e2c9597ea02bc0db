//! The first screen after signing in.

use crate::pages::browser::Browser;
use testing::{TestApp, on_both};

on_both!(the_workplace_is_everybodys_first_page);
async fn the_workplace_is_everybodys_first_page(app: TestApp) {
    for who in ["admin", "north.sales1", "nobody"] {
        let browser = Browser::of(&app, who).await;
        assert_eq!(browser.get("/").await.redirect(), "/dashboard/workplace");
        let page = browser.get("/dashboard/workplace").await;
        page.is("dashboardWorkplace", 200);
        assert!(page.root().contains(who), "it greets by name");
    }
}
