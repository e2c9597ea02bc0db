//! What the isolates owe (`crates/render/src/lib.rs`), provoked on the real engine with small bundles.
//! Both engines pass this file: `cargo test --package render` on V8, and `make test-quickjs`.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Once};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use counts::render_stats::RenderStats;
use render::{Bundle, RenderConfig, RenderFailure, RenderPool, StartError, init_platform};
use serde_json::{Value, json};

/// A page that does what its props say: the ways a page can go wrong, and one that works.
const UNRULY: &str = r#"
    globalThis.render = function render(props) {
        const { act, name } = JSON.parse(props);
        switch (act) {
            case "loop": while (true) {}
            case "deep": return (function deep() { return deep() + 1; })();
            case "heap": { const kept = []; while (true) kept.push(new Array(1000).fill(name)); }
            case "text": { let text = "abcdefgh"; const kept = []; while (true) kept.push((text += text).slice(1)); }
            case "array": { const kept = []; while (true) kept.push(new Array(1 << 22).fill(1.5)); }
            case "buffer": { const kept = []; while (true) kept.push(new Uint8Array(1 << 20)); }
            case "throw": throw new TypeError("no such field");
            case "string": throw "just text";
            case "number": return 1;
            case "console": console.log("a page says", 1, { secret: name }); console.error(new Error("oh")); return "said";
            case "long": { const until = Date.now() + 1000; while (Date.now() < until) {} return "long"; }
            case "slow": { const until = Date.now() + 300; while (Date.now() < until) {} return "slow"; }
            case "globals": return Object.getOwnPropertyNames(globalThis).sort().join(" ");
            case "promise": Promise.resolve().then(() => { while (true) {} }); return "left work behind";
            case "reject": Promise.reject(new Error("nobody listens")); return "left a rejection";
            default: return `<p>${name}</p>`;
        }
    };
"#;

/// Maps every place of a one-line bundle to the start of line 7 of a page.
const MAP: &str = r#"{"version":3,"sources":["../../js/areas/clue.tsx"],"names":[],"mappings":"AAMA"}"#;

fn bundle(script: &'static str) -> Bundle {
    Bundle { script, source_map: None }
}

fn config(isolates: usize) -> RenderConfig {
    RenderConfig { isolates, queue: 16, deadline: Duration::from_millis(1500), heap_mb: 64, ..RenderConfig::default() }
}

fn start(bundle: Bundle, config: RenderConfig) -> Result<Arc<RenderPool>, StartError> {
    static ENGINE: Once = Once::new();
    ENGINE.call_once(init_platform);
    RenderPool::start(bundle, config).map(Arc::new)
}

fn unruly(config: RenderConfig) -> Arc<RenderPool> {
    start(bundle(UNRULY), config).expect("the bundle starts")
}

fn props(act: &str, name: &str) -> Arc<str> {
    json!({ "act": act, "name": name }).to_string().into()
}

async fn act(pool: &RenderPool, act: &str) -> Result<String, RenderFailure> {
    let page = pool.render(props(act, "Ann")).await?;
    Ok(page.html.to_string())
}

async fn greets(pool: &RenderPool) {
    assert_eq!(act(pool, "greet").await.as_deref(), Ok("<p>Ann</p>"));
}

/// Waits for what other threads will do soon; the test fails if they do not.
async fn until(pool: &RenderPool, what: impl Fn(&RenderStats) -> bool) {
    let asked = Instant::now();
    while !what(&pool.stats()) {
        assert!(asked.elapsed() < Duration::from_secs(20), "in vain: {:?}", pool.stats());
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn text_of_every_script_goes_in_and_comes_out() {
    let pool = unruly(config(1));
    for name in ["", "Ann", "é", "渠道列表", "😀 渠道 <b>", "\0"] {
        let page = pool.render(props("greet", name)).await.unwrap();
        assert_eq!(*page.html, format!("<p>{name}</p>"));
        assert!(page.timings.render > Duration::ZERO && !page.timings.memo);
    }
    let long = "渠道".repeat(100_000);
    let page = pool.render(props("greet", &long)).await.unwrap();
    assert_eq!(page.html.len(), long.len() + 7);
    assert_eq!(pool.stats().renders, 7);
    assert!(pool.stats().cpu > Duration::ZERO);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_loop_ends_at_the_deadline_and_its_isolate_is_replaced() {
    let pool = unruly(RenderConfig { deadline: Duration::from_secs(1), ..config(1) });
    let asked = Instant::now();
    assert_eq!(act(&pool, "loop").await, Err(RenderFailure::Timeout));
    let took = asked.elapsed();
    assert!(took >= Duration::from_secs(1), "{took:?}");
    assert!(took < Duration::from_secs(10), "{took:?}");
    until(&pool, |stats| stats.replacements == 1).await;
    greets(&pool).await;
    assert_eq!(pool.stats().failures.timeout, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_heap_bomb_ends_its_render_and_not_the_process() {
    let pool = unruly(RenderConfig { deadline: Duration::from_secs(20), ..config(1) });
    for (count, bomb) in (1..).zip(["heap", "text", "array"]) {
        assert_eq!(act(&pool, bomb).await, Err(RenderFailure::OutOfMemory), "{bomb}");
        until(&pool, |stats| stats.replacements == count).await;
        greets(&pool).await;
    }
    assert_eq!(pool.stats().failures.out_of_memory, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_optimised_loop_that_allocates_ends_as_well() {
    let script = "globalThis.render = (props) => {
        if (props.length < 9) return props;
        const kept = [];
        while (true) kept.push(new Array(1000).fill(props));
    };";
    let pool = start(bundle(script), RenderConfig { deadline: Duration::from_secs(20), ..config(1) }).unwrap();
    let failure = pool.render("a long text".into()).await.unwrap_err();
    assert_eq!(failure, RenderFailure::OutOfMemory);
    assert_eq!(*pool.render("short".into()).await.unwrap().html, "short");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_object_larger_than_the_heap_does_not_end_the_process() {
    let script = r#"globalThis.render = (props) => String("x".repeat(Number(props)).split("").length);"#;
    let pool = start(bundle(script), RenderConfig { deadline: Duration::from_secs(20), ..config(1) }).unwrap();
    // Whether it fits for the moment is the engine's affair; that the next page comes is ours.
    let _ = pool.render("20000000".into()).await;
    assert_eq!(*pool.render("5".into()).await.unwrap().html, "5");
}

#[tokio::test(flavor = "multi_thread")]
async fn array_buffers_have_a_limit_too() {
    let pool = unruly(RenderConfig { deadline: Duration::from_secs(20), ..config(1) });
    for _ in 0..3 {
        let failure = act(&pool, "buffer").await.unwrap_err();
        assert!(matches!(failure, RenderFailure::Threw { .. } | RenderFailure::OutOfMemory), "{failure:?}");
        greets(&pool).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_throw_is_told_with_its_stack_and_the_isolate_goes_on() {
    let pool = unruly(config(1));
    let Err(RenderFailure::Threw { message, stack }) = act(&pool, "throw").await else {
        panic!("it throws");
    };
    assert_eq!(message, "TypeError: no such field");
    assert!(stack.contains("server.js:11:"), "{stack}");
    for (what, said) in [("string", "just text"), ("number", "render returned no string")] {
        let Err(RenderFailure::Threw { message, .. }) = act(&pool, what).await else {
            panic!("{what} is no page");
        };
        assert!(message.contains(said), "{message}");
    }
    let deep = act(&pool, "deep").await.unwrap_err();
    assert_eq!(deep.code(), "threw");
    greets(&pool).await;
    let stats = pool.stats();
    assert_eq!((stats.failures.threw, stats.replacements), (4, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stack_names_the_sources() {
    let script = "globalThis.render = function shown() { throw new Error('sent no clue') }; 'mapped'";
    let pool = start(Bundle { script, source_map: Some(MAP) }, config(1));
    let failure = pool.unwrap().render("{}".into()).await.unwrap_err();
    let RenderFailure::Threw { message, stack } = failure else {
        panic!("{failure:?}");
    };
    assert_eq!(message, "Error: sent no clue");
    assert!(stack.contains("js/areas/clue.tsx:7:1"), "{stack}");
    assert!(!stack.contains("../"), "{stack}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_that_touches_window_fails_at_start_by_name() {
    let refused =
        start(Bundle { script: "const width = window.innerWidth; globalThis.render = () => width;", source_map: Some(MAP) }, config(2));
    let Err(StartError::Bundle { message, stack }) = refused.map(|_| ()) else {
        panic!("it must not start");
    };
    assert!(message.contains("window"), "{message}");
    assert!(stack.contains("js/areas/clue.tsx"), "{stack}");

    for script in ["globalThis.draw = () => '';", "this is no script", "throw null"] {
        let refused = start(bundle(script), config(1)).map(|_| ());
        assert!(matches!(refused, Err(StartError::Bundle { .. })), "{script}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_isolate_has_nothing_but_ecmascript() {
    let globals = act(&unruly(config(1)), "globals").await.unwrap();
    let globals: Vec<_> = globals.split(' ').collect();
    for absent in [
        "Deno",
        "fetch",
        "setTimeout",
        "queueMicrotask",
        "process",
        "window",
        "document",
        "WebAssembly",
        "Atomics",
        "SharedArrayBuffer",
        "__bootstrap",
    ] {
        assert!(!globals.contains(&absent), "{absent} in {globals:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_console_and_work_left_behind_do_no_harm() {
    let pool = unruly(config(1));
    assert_eq!(act(&pool, "console").await.as_deref(), Ok("said"));
    assert_eq!(act(&pool, "reject").await.as_deref(), Ok("left a rejection"));
    assert_eq!(act(&pool, "promise").await.as_deref(), Ok("left work behind"));
    // Idle, the isolate runs what the page left, is stopped, and replaced.
    until(&pool, |stats| stats.replacements == 1).await;
    greets(&pool).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_answers_at_once() {
    let deadline = Duration::from_secs(3);
    let pool = unruly(RenderConfig { queue: 2, deadline, ..config(1) });
    let running = queued(pool.render(props("long", "")));
    // The isolate has taken it once the queue is empty.
    until(&pool, |stats| stats.queued == 0).await;
    let waiting = [queued(pool.render(props("greet", "a"))), queued(pool.render(props("greet", "b")))];
    let asked = Instant::now();
    assert_eq!(act(&pool, "greet").await, Err(RenderFailure::QueueFull));
    // Sooner than the page before it ends.
    assert!(asked.elapsed() < deadline);
    assert_eq!(pool.stats().failures.queue_full, 1);
    assert_eq!(running.await.map(|page| page.html.to_string()).as_deref(), Ok("long"));
    for (page, name) in waiting.into_iter().zip(["a", "b"]) {
        assert_eq!(page.await.map(|page| page.html.to_string()), Ok(format!("<p>{name}</p>")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_left_is_skipped() {
    let pool = unruly(config(1));
    let running = queued(act(&pool, "slow"));
    until(&pool, |stats| stats.queued == 0).await;
    for _ in 0..3 {
        drop(queued(pool.render(props("slow", "gone"))));
    }
    greets(&pool).await;
    assert_eq!(running.await.as_deref(), Ok("slow"));
    let stats = pool.stats();
    assert_eq!((stats.skipped, stats.renders), (3, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_waits_for_its_turn_no_longer_than_it_may_run() {
    let pool = unruly(RenderConfig { deadline: Duration::from_secs(1), ..config(1) });
    let started = Instant::now();
    let pages: Vec<_> = (0..8).map(|_| spawn(&pool, "loop")).collect();
    for page in pages {
        assert_eq!(page.await.unwrap(), Err(RenderFailure::Timeout));
    }
    let took = started.elapsed();
    // One after the other they would have taken 8 s.
    assert!(took < Duration::from_secs(6), "{took:?}");
    until(&pool, |stats| stats.queued == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_watchdog_never_hits_the_next_render() {
    // Renders that end on either side of their deadline, each followed at once by a short one.
    let script = r#"
        globalThis.render = (props) => {
            const until = Date.now() + Number(props);
            while (Date.now() < until) {}
            return props;
        };
    "#;
    let pool = start(bundle(script), RenderConfig { deadline: Duration::from_secs(1), ..config(1) }).unwrap();
    for round in 0..8 {
        let edge = (996 + round % 7).to_string();
        let edge = pool.render(edge.into()).await;
        assert!(matches!(edge, Ok(_) | Err(RenderFailure::Timeout)), "{edge:?}");
        let replaced = pool.stats().failures.timeout;
        until(&pool, |stats| stats.replacements >= replaced).await;
        let next = pool.render("0".into()).await;
        assert_eq!(next.map(|page| page.html.to_string()).as_deref(), Ok("0"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_viewers_in_turn_leave_no_trace_of_each_other() {
    let pool = unruly(config(1));
    let before = pool.render(props("globals", "")).await.unwrap().html;
    for _ in 0..50 {
        for (own, other) in [("Ann", "Bob"), ("Bob", "Ann")] {
            let page = pool.render(props("greet", own)).await.unwrap().html;
            assert!(page.contains(own) && !page.contains(other));
        }
    }
    let after = pool.render(props("globals", "")).await.unwrap().html;
    assert_eq!(before, after);
}

#[tokio::test(flavor = "multi_thread")]
async fn healthy_pages_keep_coming_while_poisoned_ones_run() {
    let pool = unruly(RenderConfig { deadline: Duration::from_secs(2), ..config(2) });
    let poison = {
        let pool = pool.clone();
        tokio::spawn(async move {
            for bad in ["loop", "heap", "throw", "heap"] {
                assert!(act(&pool, bad).await.is_err());
            }
        })
    };
    let mut slowest = Duration::ZERO;
    let mut pages = 0;
    while !poison.is_finished() {
        let asked = Instant::now();
        greets(&pool).await;
        slowest = slowest.max(asked.elapsed());
        pages += 1;
    }
    poison.await.unwrap();
    assert!(pages > 20, "{pages} pages");
    // One isolate is always free: nobody waits for the loop to be ended.
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    until(&pool, |stats| stats.replacements == 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_isolate_that_grows_is_recycled() {
    let script = r#"
        const kept = [];
        globalThis.render = (props) => {
            kept.push(new Array(20000).fill(props.length + kept.length / 3));
            return String(kept.length);
        };
    "#;
    let pool = start(bundle(script), RenderConfig { heap_mb: 128, recycle_mb: 32, ..config(1) }).unwrap();
    for _ in 0..600 {
        pool.render("{}".into()).await.unwrap();
    }
    let stats = pool.stats();
    assert!(stats.recycles >= 1, "{stats:?}");
    assert_eq!((stats.renders, stats.replacements), (600, 0));
    assert!(stats.isolates[0].heap_used > 0 && stats.isolates[0].heap_total > 0, "{stats:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_isolate_of_age_is_recycled() {
    let pool = unruly(RenderConfig { recycle_after: 100, ..config(1) });
    for _ in 0..300 {
        greets(&pool).await;
    }
    let stats = pool.stats();
    assert!(stats.recycles >= 2, "{stats:?}");
    assert_eq!((stats.renders, stats.replacements), (300, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_pool_renders_every_page_with_the_new_bundle() {
    const CHANGED: &str = "globalThis.render = () => '<p>changed</p>';";
    let pool = unruly(RenderConfig { memo_mb: 1, ..config(2) });
    greets(&pool).await;
    pool.renew(bundle(CHANGED));
    for name in ["Ann", "Bob", "Cy", "Dee"] {
        let pages = [pool.render(props("greet", name)), pool.render(props("slow", name))];
        for page in futures_util::future::join_all(pages).await {
            assert_eq!(*page.unwrap().html, "<p>changed</p>");
        }
    }
    // A bundle that does not start leaves no page of the one before it.
    pool.renew(bundle("globalThis.render = 1;"));
    assert_eq!(act(&pool, "greet").await, Err(RenderFailure::Stopped));
    pool.renew(bundle(UNRULY));
    greets(&pool).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memo_answers_the_same_props_and_no_others() {
    let pool = unruly(RenderConfig { memo_mb: 1, ..config(1) });
    greets(&pool).await;
    let again = pool.render(props("greet", "Ann")).await.unwrap();
    assert!(again.timings.memo);
    assert_eq!(*again.html, "<p>Ann</p>");
    let other = pool.render(props("greet", "Bob")).await.unwrap();
    assert_eq!(*other.html, "<p>Bob</p>");
    assert!(act(&pool, "throw").await.is_err());
    assert!(act(&pool, "throw").await.is_err());
    let stats = pool.stats();
    assert_eq!((stats.renders, stats.memo_hits, stats.memo_misses), (2, 1, 4));
}

#[tokio::test(flavor = "multi_thread")]
async fn shutdown_renders_what_waits_and_ends_the_threads() {
    let pool = unruly(config(2));
    let pages = [(); 4].map(|()| queued(act(&pool, "slow")));
    let stopping = pool.clone();
    tokio::task::spawn_blocking(move || stopping.shutdown()).await.unwrap();
    for page in pages {
        assert_eq!(page.await.as_deref(), Ok("slow"));
    }
    assert_eq!(act(&pool, "greet").await, Err(RenderFailure::Stopped));
    assert_eq!(pool.stats().renders, 4);
}

#[test]
fn a_pool_outside_a_tokio_runtime_is_refused() {
    let refused = start(bundle(UNRULY), config(1)).map(|_| ());
    assert!(matches!(refused, Err(StartError::NoRuntime)));
}

fn spawn(pool: &Arc<RenderPool>, what: &'static str) -> tokio::task::JoinHandle<Result<String, RenderFailure>> {
    let pool = pool.clone();
    tokio::spawn(async move { act(&pool, what).await })
}

/// A page that is certainly in the queue, or past it: the first poll puts it there.
fn queued<T>(page: impl Future<Output = T>) -> Pin<Box<impl Future<Output = T>>> {
    let mut page = Box::pin(page);
    let mut context = Context::from_waker(Waker::noop());
    assert!(page.as_mut().poll(&mut context).is_pending());
    page
}

/// The bundle the build embeds.
fn pages() -> Bundle {
    Bundle { script: front::SERVER_BUNDLE, source_map: Some(front::SERVER_BUNDLE_MAP) }
}

/// Props of the channel list as `crates/site/src/pages` hands them over.
fn channel_list(viewer: &str, locale: &str, channel: &str) -> Arc<str> {
    let rows: Vec<_> = (1..=20)
        .map(|id| {
            json!({
                "id": id, "code": format!("CH{id}"), "name": channel, "type": "ads", "settleMode": "registered",
                "unitPriceCents": 123_456, "shareBp": 0, "landingUrl": null, "appKey": "key", "ipAllow": [],
                "callbackUrl": null, "mode": "live", "status": "enabled", "dedupDays": 30, "dedupScope": "site", "requiredFields": [], "caps": [], "filters": null, "usage": [], "oldSecretUntil": null, "ownerAdminId": 1,
                "ownerName": viewer, "remark": "", "version": 1, "createdAt": 1_763_700_000_000_i64,
                "updatedAt": 1_763_700_000_000_i64,
            })
        })
        .collect();
    let menu = json!([{
        "id": 1, "name": "channel", "path": "/channel", "type": 1, "title": "Channels", "icon": "channel", "order": 1,
        "external": null, "children": [{
            "id": 2, "name": "channelList", "path": "/channel/list", "type": 1, "title": "Channel list", "icon": null,
            "order": 1, "external": null, "children": null,
        }],
    }]);
    json!({
        "url": "/channel/list?current=1", "route": "channelList", "status": 200,
        "viewer": {
            "id": 1, "name": viewer, "username": viewer, "role": "operator", "roleName": "Operator", "scope": "all",
            "orgId": null, "orgName": null, "avatar": null, "mustChangePwd": false,
        },
        "menu": menu, "points": ["channel/list/list", "channel/list/view"], "locale": locale, "theme": "light", "today": "2026-01-31",
        "settings": settings(),
        "data": {
            "list": envelope(json!({ "list": rows, "total": 20, "totalIsExact": true, "current": 1, "pageSize": 20 })),
            "choices": envelope(json!({})),
            "owners": envelope(json!([{ "value": 1, "label": viewer }])),
        },
    })
    .to_string()
    .into()
}

fn settings() -> Value {
    json!({
        "theme": "light", "themeColor": "#165DFF", "menuWidth": 220, "device": "desktop", "tabBar": true,
        "menuFromServer": true, "navbar": true, "footer": true, "menu": true, "menuCollapse": false, "colorWeak": false,
    })
}

fn envelope(data: Value) -> Value {
    json!({ "code": "0000", "desc": "", "data": data })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_keep_two_viewers_apart() {
    let pool = start(pages(), config(1)).expect("the bundle starts");
    let ann = channel_list("Ann Arbor", "zh-CN", "北辰渠道");
    let bob = channel_list("Bob Burton", "en-US", "Southern channel");
    let mut before = None;
    for _ in 0..5 {
        let page = pool.render(ann.clone()).await.unwrap().html;
        assert!(page.contains("Ann Arbor") && page.contains("北辰渠道") && !page.contains("Bob"));
        assert_eq!(before.get_or_insert_with(|| page.clone()), &page, "the same props give the same bytes");
        let page = pool.render(bob.clone()).await.unwrap().html;
        assert!(page.contains("Southern channel") && !page.contains("Ann Arbor") && !page.contains("北辰"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_show_markup_in_data_as_text() {
    let pool = start(pages(), config(1)).expect("the bundle starts");
    let page = pool.render(channel_list("</script><script>alert(1)</script>", "zh-CN", "<img src=x onerror=alert(1)>")).await.unwrap();
    assert!(page.html.contains("&lt;img src=x onerror=alert(1)&gt;"));
    assert!(!page.html.contains("<script") && !page.html.contains("<img src=x"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_for_strangers_render() {
    let pool = start(pages(), config(1)).expect("the bundle starts");
    for (route, url, status) in
        [("login", "/login", 200), ("notFound", "/none", 404), ("forbidden", "/no", 403), ("serverError", "/oh", 500)]
    {
        for locale in ["zh-CN", "en-US"] {
            let props = json!({
                "url": url, "route": route, "status": status, "viewer": null, "menu": [], "points": [],
                "locale": locale, "theme": "dark", "today": "2026-01-31", "settings": settings(), "data": {},
            });
            let page = pool.render(props.to_string().into()).await.unwrap_or_else(|failure| panic!("{route}: {failure:?}"));
            assert!(page.html.len() > 100 && !page.html.contains(" style="), "{route}: {}", page.html);
        }
    }
}

/// A page of charts as the product's bundle draws it, with figures from `seed`, for a viewer of that name.
fn charts(name: &str, seed: i64) -> Arc<str> {
    let labels: Vec<String> = (1..=30).map(|day| format!("2026-01-{day:02}")).collect();
    let series = |n: i64| json!({"name": format!("series {n}"), "values": (0..30).map(|i| (i * seed * n) % 17).collect::<Vec<_>>()});
    let chart =
        |kind: &str| json!({"id": kind, "title": kind, "kind": kind, "axis": "Day", "labels": labels, "series": [series(1), series(2)]});
    let answer = json!({"from": "2026-01-01", "to": "2026-01-30", "days": 30, "charts": (["line", "stack", "share", "rank"].map(chart))});
    json!({
        "url": "/visualization", "route": "visualization", "status": 200, "locale": "zh-CN", "theme": "light", "today": "2026-01-31", "menu": [], "points": [],
        "viewer": {"id": 1, "name": name, "username": name, "role": "admin", "roleName": "r", "scope": "all", "orgId": null, "orgName": null,
                   "avatar": null, "mustChangePwd": false},
        "settings": {"theme": "light", "themeColor": "#165DFF", "menuWidth": 220, "device": "desktop", "tabBar": true, "menuFromServer": true,
                     "navbar": false, "footer": false, "menu": true, "menuCollapse": false, "colorWeak": false},
        "noPictures": cfg!(feature = "quickjs"),
        "data": {"page": {"code": "0000", "desc": "", "data": answer}},
    })
    .to_string()
    .into()
}

#[tokio::test(flavor = "multi_thread")]
async fn charts_are_pure_leave_nothing_behind_and_tell_nobody_of_others() {
    let product = Bundle { script: front::SERVER_BUNDLE, source_map: Some(front::SERVER_BUNDLE_MAP) };
    let pool =
        start(product, RenderConfig { deadline: Duration::from_secs(30), heap_mb: 96, ..config(1) }).expect("the product's bundle starts");
    let first = pool.render(charts("Ann", 3)).await.unwrap().html;
    let pictures = if cfg!(feature = "v8") { 4 } else { 0 };
    assert_eq!(first.matches(r#"viewBox="0 0 600 260""#).count(), pictures);
    assert_eq!(first.matches("<table").count(), 4, "the figures are there in any case");
    let second = pool.render(charts("Bob", 5)).await.unwrap().html;
    assert!(first.contains("Ann") && second.contains("Bob") && !second.contains("Ann") && first != second);

    let rounds = if cfg!(feature = "v8") { 125 } else { 5 };
    for _ in 0..rounds {
        assert_eq!(pool.render(charts("Ann", 3)).await.unwrap().html, first, "the same props are the same bytes");
    }
    // 500 pictures that were kept would be gigabytes: the isolate would have been replaced or recycled.
    let stats = pool.stats();
    assert_eq!((stats.replacements, stats.recycles, stats.failures.total()), (0, 0, 0), "{stats:?}");
}
