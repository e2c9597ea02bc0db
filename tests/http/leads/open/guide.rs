//! `GET /partner-api`: the guide for partners as a page, without an account and in both languages.

use axum::http::Method;

use testing::{TestApp, on_both};

on_both!(the_guide_for_partners_is_a_page_in_both_languages);
async fn the_guide_for_partners_is_a_page_in_both_languages(app: TestApp) {
    for (query, lang, title) in
        [("?lang=zh-CN", "zh-CN", "合作方接口"), ("?lang=en-US", "en-US", "Partner API"), ("?lang=%ff", "zh-CN", "合作方接口")]
    {
        let answer = app.stranger().ask(Method::GET, &format!("/partner-api{query}"), Vec::new()).await;
        assert_eq!(answer.status, 200, "{query}");
        assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
        let page = String::from_utf8(answer.body.to_vec()).unwrap();
        assert!(page.contains(&format!("lang=\"{lang}\"")) && page.contains(&format!("<title>{title}</title>")), "{query}: {page}");
        assert!(page.contains("/open/user") && page.contains("<table>") && !page.contains("<script"));
        // The comments that mark examples for tests are left out.
        assert!(!page.contains("<!--"), "{page}");
    }
}
