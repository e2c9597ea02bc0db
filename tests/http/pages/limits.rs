//! What is written down of a page that was refused.

use crate::pages::browser::Browser;
use testing::limits::Log;
use testing::{TestApp, on_both};

mod a_refusal {
    use super::*;

    // S-M6: pages that are not the viewer's, and the form of those without scripts, left no line.
    on_both!(of_a_page_is_a_line_as_well);
    async fn of_a_page_is_a_line_as_well(app: TestApp) {
        let id = app.account("channel.manager").await;
        let manager = Browser::of(&app, "channel.manager").await;
        let stranger = Browser::stranger(&app);
        let (log, _guard) = Log::watch();
        manager.get("/admin/list?keyword=hush").await.is("notFound", 404);
        // Where there is nothing, and where anybody is led to the door, nothing is refused.
        manager.get("/nowhere").await.is("notFound", 404);
        assert!(stranger.get("/admin/list").await.redirect().starts_with("/login?"));
        stranger.submit("/login", &[]).await.is("login", 200);
        stranger.submit("/login", &[("username", "13812345678"), ("password", "hush-hush-1")]).await.is("login", 200);
        let lines = log.refusals();
        assert_eq!(lines.len(), 2, "{lines:?}");
        for (line, parts) in lines.iter().zip([
            ["code=\"1003\"", "http.method=\"GET\"", "http.path=\"/admin/list\"", &format!("account={id}")],
            ["code=\"1002\"", "http.method=\"POST\"", "http.path=\"/login\"", "client.address="],
        ]) {
            for part in parts {
                assert!(line.contains(part), "{part}: {line}");
            }
            assert!(!line.contains("hush") && !line.contains("13812345678"), "{line}");
        }
        // Too many of them are refused with their own code.
        for _ in 0..20 {
            stranger.submit("/login", &[("username", "operator"), ("password", "hush-hush-1")]).await;
        }
        assert!(log.refusals().iter().any(|line| line.contains("code=\"4029\"") && line.contains("http.path=\"/login\"")));
    }
}
