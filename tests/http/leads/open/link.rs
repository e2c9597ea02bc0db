//! `/v/{channel}`, its script and its beacon, and `/p/{product}`.

use axum::http::Method;
use serde_json::json;

use testing::open::{IPHONE, partner, supply};
use testing::{Actor, Answer, TestApp, on_both};
use trade::visit::Recorder;

const LANDING: &str = "https://xingmang.example.com/apply?c=1";

async fn open(who: &Actor, path: &str) -> Answer {
    who.ask(Method::GET, path, Vec::new()).await
}

/// The figures of the only channel, once what is on its way is there.
async fn figures(app: &TestApp, of: &'static str) -> String {
    // Whatever was noted before is written before this is.
    app.app.service::<Recorder>().record(None, Vec::new()).await.unwrap();
    app.text(of).await
}

const CHANNEL: &str =
    "SELECT COALESCE(MAX(pv || ' ' || uv || ' ' || cost_cents), 'none') FROM uv_stat_daily WHERE subject_type = 'channel' AND system = ''";

on_both!(a_link_counts_and_leads_on);
async fn a_link_counts_and_leads_on(app: TestApp) {
    partner(&app, "ads-link-1", json!({})).await;
    let phone = app.stranger().with("user-agent", IPHONE);
    let first = open(&phone, "/v/ads-link-1").await;
    assert_eq!((first.status.as_u16(), first.header("location"), first.header("cache-control")), (302, Some(LANDING), Some("no-store")));
    assert_eq!(first.header("x-content-type-options"), Some("nosniff"));
    let cookie = first.header("set-cookie").unwrap();
    assert!(cookie.starts_with("ll_device=") && cookie.contains("; HttpOnly; SameSite=Lax; Path=/"), "{cookie}");
    let device = cookie.split(';').next().unwrap();

    app.advance(2000);
    // The same device comes again, from elsewhere; and once more without its cookie.
    let again = open(&phone.with("cookie", device).from([10, 9, 8, 7]), "/v/ads-link-1").await;
    assert_eq!((again.status.as_u16(), again.header("set-cookie")), (302, None));
    app.advance(2000);
    assert_eq!(open(&phone, "/v/ads-link-1").await.header("set-cookie").unwrap().split(';').next(), Some(device));
    assert_eq!(figures(&app, CHANNEL).await, "3 1 100");
    // Somebody else.
    open(&phone.from([10, 9, 8, 7]), "/v/ads-link-1").await;
    assert_eq!(figures(&app, CHANNEL).await, "4 2 200");
}

on_both!(who_does_not_look_is_led_on_and_not_counted);
async fn who_does_not_look_is_led_on_and_not_counted(app: TestApp) {
    partner(&app, "ads-link-1", json!({})).await;
    let phone = app.stranger().with("user-agent", IPHONE);
    for who in [
        app.stranger(),
        phone.with("user-agent", "Mozilla/5.0 (compatible; Baiduspider/2.0)"),
        phone.with("sec-purpose", "prefetch;prerender"),
        phone.with("purpose", "prefetch"),
        phone.with("x-moz", "prefetch"),
    ] {
        let answer = open(&who, "/v/ads-link-1").await;
        assert_eq!((answer.status.as_u16(), answer.header("location"), answer.header("set-cookie")), (302, Some(LANDING), None));
    }
    let head = phone.ask(Method::HEAD, "/v/ads-link-1", Vec::new()).await;
    assert_eq!(head.status.as_u16(), 302);
    assert_eq!(figures(&app, CHANNEL).await, "none");
}

on_both!(a_link_leads_nowhere_but_where_we_stored);
async fn a_link_leads_nowhere_but_where_we_stored(app: TestApp) {
    partner(&app, "ads-link-1", json!({})).await;
    let phone = app.stranger().with("user-agent", IPHONE);
    let to = open(&phone, "/v/ads-link-1?url=https://evil.example&to=//evil.example").await;
    assert_eq!(to.header("location"), Some(LANDING));
    let gone = async |path: &str| {
        let answer = open(&phone, path).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (404, None), "{path}");
        assert!(String::from_utf8_lossy(&answer.body).contains("This link is no longer valid."), "{path}");
    };
    gone("/v/nobody").await;
    gone("/v/ads-link-1%00").await;
    gone("/v/%E5%8C%97").await;
    gone("/v/nobody.js").await;
    for target in ["NULL", "''", "'javascript:alert(1)'", "'//evil.example'", "'/admin/list'"] {
        let sql = format!("UPDATE channel SET landing_url = {target}");
        let mut tx = app.app.db.begin().await.unwrap();
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        gone("/v/ads-link-1").await;
    }
    app.execute("UPDATE channel SET landing_url = 'https://xingmang.example.com/', status = 'disabled'").await;
    gone("/v/ads-link-1").await;
    gone("/v/ads-link-1.js").await;
    assert_eq!(figures(&app, CHANNEL).await, "1 1 100");
}

on_both!(a_landing_page_tells_of_its_visitors);
async fn a_landing_page_tells_of_its_visitors(app: TestApp) {
    partner(&app, "ads-link-1", json!({})).await;
    let phone = app.stranger().with("user-agent", IPHONE);
    let script = open(&phone, "/v/ads-link-1.js").await;
    assert_eq!((script.status.as_u16(), script.header("content-type")), (200, Some("text/javascript; charset=utf-8")));
    assert_eq!(
        (script.header("cache-control"), script.header("cross-origin-resource-policy")),
        (Some("public, max-age=3600"), Some("cross-origin"))
    );
    assert!(script.body.len() < 1200, "{} bytes", script.body.len());
    assert_eq!(figures(&app, CHANNEL).await, "none", "to load it is no visit");

    let tell = async |who: &Actor, body: &[u8]| who.ask(Method::POST, "/v/ads-link-1", body.to_vec()).await.status.as_u16();
    assert_eq!(tell(&phone, br#"{"device":"0123456789abcdef0123456789abcdef"}"#).await, 204);
    app.advance(2000);
    assert_eq!(tell(&phone.from([10, 9, 8, 7]), br#"{"device":"0123456789abcdef0123456789abcdef"}"#).await, 204);
    assert_eq!(figures(&app, CHANNEL).await, "2 1 100");
    // What is no device is told by address and browser.
    app.advance(2000);
    for body in [&b""[..], b"{", br#"{"device":"<script>"}"#, br#"{"device":7}"#] {
        assert_eq!(tell(&phone, body).await, 204);
        app.advance(2000);
    }
    assert_eq!(figures(&app, CHANNEL).await, "6 2 200");
    assert_eq!(tell(&phone, &[b'x'; 2000]).await, 413);
    assert_eq!(phone.ask(Method::POST, "/v/nobody", Vec::new()).await.status.as_u16(), 404);
    assert_eq!(tell(&app.stranger(), b"{}").await, 204);
    assert_eq!(figures(&app, CHANNEL).await, "6 2 200");
}

on_both!(a_click_on_a_product_counts_for_all_it_concerns);
async fn a_click_on_a_product_counts_for_all_it_concerns(app: TestApp) {
    let channel = partner(&app, "ads-link-1", json!({})).await;
    supply(&app).await;
    let phone = app.stranger().with("user-agent", IPHONE);
    let to = open(&phone, "/p/north-easy?c=ads-link-1").await;
    assert_eq!((to.status.as_u16(), to.header("location")), (302, Some("https://north.example.com/apply")));
    open(&phone.from([10, 9, 8, 7]), "/p/north-easy").await;
    open(&phone.from([10, 9, 8, 6]), "/p/north-easy?c=nobody").await;
    const ALL: &str = "SELECT MAX(pv || ' ' || uv || ' ' || income_cents) FROM uv_stat_daily WHERE subject_type = 'product' AND channel_id = 0 AND system = ''";
    assert_eq!(figures(&app, ALL).await, "3 3 600");
    let by_channel = format!(
        "SELECT subject_type || ' ' || uv || ' ' || income_cents AS told FROM uv_stat_daily WHERE channel_id = {} AND system = '' ORDER BY 1",
        channel.id
    );
    let told: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(by_channel)).fetch_all(app.app.db.read()).await.unwrap();
    assert_eq!(told, ["all_orgs 1 200", "org 1 200", "product 1 200"]);
    app.execute("UPDATE product SET status = 'offline'").await;
    assert_eq!(open(&phone, "/p/north-easy").await.status.as_u16(), 404);
    assert_eq!(open(&phone, "/p/nothing").await.status.as_u16(), 404);
}
