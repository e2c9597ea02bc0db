//! Pages that go wrong: loops, too much memory, throws, and work left behind.

use std::time::{Duration, Instant};

use crate::{MAP, act, bundle, config, greets, start, unruly, until};
use render::{Bundle, RenderConfig, RenderFailure, StartError};

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
    // The engine decides whether it fits for the moment; the next page must come.
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
async fn a_throw_has_its_stack_and_the_isolate_goes_on() {
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
    // One isolate is always free: no page waits for the loop to be ended.
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    until(&pool, |stats| stats.replacements == 3).await;
}
