//! The pool: its queue, its memo, and how isolates are recycled, renewed and shut down.

use std::time::{Duration, Instant};

use crate::{UNRULY, act, bundle, config, greets, props, queued, spawn, start, unruly, until};
use render::{RenderConfig, RenderFailure, StartError};

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
