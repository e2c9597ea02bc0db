//! Provokes on the real engine, with small bundles, what the isolates promise (`crates/render/src/lib.rs`).
//! Both engines pass these tests: `cargo test --package render` on V8, and `make test-quickjs`.

mod code;
mod faults;
mod pages;
mod pool;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Once};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use serde_json::json;

use counts::render_stats::RenderStats;
use render::{Bundle, RenderConfig, RenderFailure, RenderPool, StartError, init_platform};

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
