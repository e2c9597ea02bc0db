//! While one client asks for pages that loop or eat the heap, another works on: only isolates are replaced.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use render::{Bundle, RenderConfig, RenderPool};

use super::browser::{Browser, Page, start_engine};
use super::content::channels;
use testing::limits::Log;
use testing::{TestApp, on_both};

/// Pages that do what the address's `keyword` says.
const POISONED: &str = r#"
    globalThis.render = function render(json) {
        const props = JSON.parse(json);
        switch (/[?&]keyword=(\w+)/.exec(props.url)?.[1]) {
            case "loop": while (true) {}
            case "heap": { const kept = []; while (true) kept.push(new Array(1 << 17).fill(1.5)); }
            case "deep": return (function deep() { return deep() + 1; })();
            case "throw": throw new TypeError("no such field");
            default: return `<p>${props.route} for ${props.viewer?.username}</p>`;
        }
    };
"#;

/// How long a page may run; nobody else waits as long.
const DEADLINE: Duration = Duration::from_secs(2);

fn engine(isolates: usize, queue: usize) -> Arc<RenderPool> {
    let config = RenderConfig { isolates, queue, deadline: DEADLINE, heap_mb: 32, ..RenderConfig::default() };
    start_engine(Bundle { script: POISONED, source_map: None }, config)
}

/// The page for the browser to draw: status, headers and data as of the page that failed.
#[track_caller]
fn is_shell(page: &Page, route: &str, status: u16, why: &str) {
    let props = page.props();
    assert_eq!((page.status, props["status"].as_u64(), props["route"].as_str()), (status, Some(u64::from(status)), Some(route)));
    assert!(page.tag("html").contains(r#"data-render="shell""#) && page.root().is_empty());
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert!(page.header("content-security-policy").unwrap().contains("'nonce-"));
    let timing = page.header("server-timing").unwrap();
    assert!(timing.ends_with(&format!(", shell;desc={why}")), "{timing}");
    assert!(page.text().contains(r#"import("/assets/"#), "the scripts that draw it");
    assert!(!page.text().contains("TypeError") && !page.text().contains("server.js"), "and no word of what happened");
}

on_both!(a_page_that_fails_is_drawn_by_the_browser);
async fn a_page_that_fails_is_drawn_by_the_browser(app: TestApp) {
    channels(&app.sign_in("operator").await, "loop", 3).await;
    let engine = engine(1, 16);
    let operator = Browser::with_engine(&app, engine.clone()).signed_in(&app, "operator").await;
    for (keyword, why) in [("loop", "timeout"), ("heap", "out-of-memory"), ("deep", "threw"), ("throw", "threw")] {
        let page = operator.get(&format!("/channel/list?keyword={keyword}")).await;
        is_shell(&page, "channelList", 200, why);
        let list = &page.props()["data"]["list"];
        assert_eq!(
            (&list["code"], &list["data"]["total"]),
            (&"0000".into(), &(if keyword == "loop" { 3 } else { 0 }).into()),
            "its data is there"
        );
        assert_eq!(page.props()["viewer"]["username"], "operator");
        // The next page, in the same isolate or the one in its place.
        let next = operator.get("/channel/list").await;
        next.is("channelList", 200);
        assert_eq!(next.root(), "<p>channelList for operator</p>");
    }
    is_shell(&operator.get("/nowhere?keyword=throw").await, "notFound", 404, "threw");
    is_shell(&operator.get("/channel/list?keyword=throw&current=x").await, "channelList", 400, "threw");
    is_shell(&Browser::with_engine(&app, engine.clone()).get("/login?keyword=throw").await, "login", 200, "threw");

    let stats = engine.stats();
    assert_eq!((stats.failures.timeout, stats.failures.out_of_memory, stats.replacements), (1, 1, 2), "{stats:?}");
    let numbers = operator.get("/metrics").await;
    for line in ["leadlane_render_failures_total{reason=\"timeout\"} 1", "leadlane_render_replacements_total 2"] {
        assert!(numbers.text().contains(line), "{line}");
    }
}

// Anybody can ask for it again and again, by an address that is a key.
on_both!(pages_that_throw_write_few_lines_and_no_address);
async fn pages_that_throw_write_few_lines_and_no_address(app: TestApp) {
    let stranger = Browser::with_engine(&app, engine(1, 16));
    let (log, _guard) = Log::watch();
    let began = app.now();
    for _ in 0..200 {
        is_shell(&stranger.get("/pay/demo0000000000000000000000000012/%0A?keyword=throw").await, "notFound", 404, "threw");
    }
    let text = log.text();
    let lines = text.lines().filter(|line| line.contains("a page threw: TypeError: no such field")).count() as i64;
    assert!((1..=50 + (app.now() - began) / 200 + 1).contains(&lines), "{lines}: {text}");
    assert!(!text.contains("demo0000"), "{text}");
}

on_both!(others_work_on_while_pages_loop);
async fn others_work_on_while_pages_loop(app: TestApp) {
    let engine = engine(2, 16);
    let poisoner = Browser::with_engine(&app, engine.clone()).signed_in(&app, "auditor").await;
    let operator = Browser::with_engine(&app, engine.clone()).signed_in(&app, "operator").await;
    let caller = operator.with("token", app.sign_in("operator").await.token());
    let poison = tokio::spawn(async move {
        for keyword in ["loop", "heap", "throw", "heap", "loop"] {
            let page = poisoner.get(&format!("/channel/list?keyword={keyword}")).await;
            assert_eq!((page.status, page.is_shell()), (200, true), "{keyword}");
        }
    });
    let (mut rounds, mut slowest) = (0, Duration::ZERO);
    while !poison.is_finished() {
        for path in ["/channel/list", "/api/channel/options", "/login", "/healthz", "/assets/nothing.js"] {
            let asked = Instant::now();
            let answer = caller.get(path).await;
            slowest = slowest.max(asked.elapsed());
            assert!(matches!(answer.status, 200 | 404), "{path}");
            match path {
                "/channel/list" => answer.is("channelList", 200),
                "/api/channel/options" => assert!(answer.text().starts_with(r#"{"code":"0000""#)),
                _ => {}
            }
        }
        rounds += 1;
    }
    poison.await.unwrap();
    assert!(rounds > 5, "{rounds} rounds");
    assert!(slowest < DEADLINE, "nobody waited for a page that loops: {slowest:?}");
    operator.get("/channel/list").await.is("channelList", 200);
    let stats = engine.stats();
    let failures = stats.failures;
    assert_eq!((failures.timeout + failures.out_of_memory, failures.threw, failures.queue_full), (4, 1, 0), "{stats:?}");
    assert!(failures.out_of_memory > 0 && stats.replacements >= 3, "{stats:?}");
}

on_both!(a_full_queue_serves_the_shell_at_once);
async fn a_full_queue_serves_the_shell_at_once(app: TestApp) {
    let engine = engine(1, 1);
    let operator = Browser::with_engine(&app, engine.clone()).signed_in(&app, "operator").await;
    // Of these one runs, one waits, and the others come to a full queue all the time.
    let enough = Arc::new(AtomicBool::new(false));
    let looping: Vec<_> = (0..4)
        .map(|_| {
            let (operator, enough) = (operator.clone(), enough.clone());
            tokio::spawn(async move {
                while !enough.load(Relaxed) {
                    assert!(operator.get("/channel/list?keyword=loop").await.is_shell());
                    // A full queue and SQLite both answer on the spot: without this, nobody else would have a turn.
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    let took = loop {
        let asked = Instant::now();
        let page = operator.get("/channel/list").await;
        if page.header("server-timing").unwrap().ends_with("queue-full") {
            is_shell(&page, "channelList", 200, "queue-full");
            break asked.elapsed();
        }
    };
    enough.store(true, Relaxed);
    assert!(took < DEADLINE / 2, "{took:?}");
    for page in looping {
        page.await.unwrap();
    }
}
