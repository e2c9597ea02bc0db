//! One JavaScript isolate: the bundle evaluated, the handle of its `render` held.
//!
//! An isolate belongs to the thread that made it, and a thread has one isolate at a time (the
//! engine wants them dropped in reverse order of creation).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Waker};
use std::time::Duration;

use deno_core::error::JsError;
use deno_core::{JsRuntime, PollEventLoopOptions, RuntimeOptions, v8};

use super::script::{self, Script};
use super::watchdog::Watch;
use super::{Bundle, RenderFailure, Shared, StartError, allocator, heap, stack};

/// The name of the bundle's script in stacks.
pub(super) const SCRIPT: &str = "server.js";

/// How long the evaluation of the bundle may take.
const START_LIMIT: Duration = Duration::from_secs(20);

/// How long the engine's own housekeeping may run JavaScript.
const SETTLE_LIMIT: Duration = Duration::from_millis(500);

/// Globals of the engine that the bundle does not need: without them only ECMAScript is left (and a console, see
/// [`console`]). Shared memory could make a render wait.
const HIDDEN: [&str; 6] = ["Deno", "__bootstrap", "WebAssembly", "SharedArrayBuffer", "Atomics", "queueMicrotask"];

/// Prepares the engine for the whole process. Call it once, on the main thread, before any other
/// thread starts: on CPUs with memory protection keys, only threads descended from the one that
/// calls this may run JavaScript.
pub fn init_platform() {
    allocator::bound_arenas();
    deno_core::v8_set_flags(vec![
        "leadlane".into(),
        // A page makes a few hundred KB of garbage. A small young generation keeps that in the
        // CPU's cache and the process small; a larger one measured no faster.
        "--max-semi-space-size=4".into(),
        "--min-semi-space-size=1".into(),
        // Loop unrolling drops the check for a termination from some endless loops that allocate
        // (`while (true) kept.push(new Array(1000).fill(x))`), which nothing could end then.
        "--no-turboshaft-loop-unrolling".into(),
    ]);
    JsRuntime::init_platform(None);
}

/// So many different [`Shared`] are kept parsed in an isolate: those of 32 roles in two languages.
const SHARED: usize = 64;

/// One isolate with the bundle in it.
pub(super) struct Isolate {
    // The handles go before the runtime they point into.
    render: v8::Global<v8::Function>,
    common: Common,
    script: Script,
    runtime: JsRuntime,
    /// Set by the engine when the heap limit was reached.
    full: Arc<AtomicBool>,
    watch: Watch,
    bundle: Bundle,
    spoiled: bool,
}

/// What pages have in common, parsed.
struct Common {
    /// Absent if the bundle has no `share`.
    share: Option<v8::Global<v8::Function>>,
    /// What `share` made, by key, the one used last at the end.
    made: Vec<(Arc<str>, v8::Global<v8::Value>)>,
}

impl Common {
    /// What `share` made of it, at the first page that names it.
    fn get(&mut self, runtime: &mut JsRuntime, wanted: &Shared) -> Result<Option<v8::Global<v8::Value>>, Option<Box<JsError>>> {
        let Some(share) = &self.share else { return Ok(None) };
        let made = match self.made.iter().position(|(key, _)| *key == wanted.key) {
            Some(at) => self.made.remove(at).1,
            None => parse(runtime, share, &wanted.json)?,
        };
        if self.made.len() == SHARED {
            self.made.remove(0);
        }
        self.made.push((wanted.key.clone(), made.clone()));
        Ok(Some(made))
    }
}

/// Bytes of an isolate's heap.
#[derive(Clone, Copy)]
pub(super) struct Heap {
    pub used: u64,
    pub total: u64,
}

impl Isolate {
    /// Makes an isolate and evaluates the bundle in it, from its compiled code where that is known. The calling thread
    /// must be inside a tokio runtime, to which the engine posts its delayed work, and must have no other isolate.
    pub fn new(bundle: Bundle, code: Option<&[u8]>, heap_mb: usize, watch: Watch) -> Result<Self, StartError> {
        let mut runtime = JsRuntime::try_new(RuntimeOptions { create_params: Some(heap::limits(heap_mb)), ..RuntimeOptions::default() })
            .map_err(|error| StartError::Engine(error.to_string()))?;
        let full = heap::terminate_when_full(&mut runtime);
        watch.guard(Some(runtime.v8_isolate().thread_safe_handle()));
        let run = watch.begin(START_LIMIT);
        let evaluated = evaluate(&mut runtime, bundle, code);
        if run.end() {
            runtime.v8_isolate().cancel_terminate_execution();
        }
        match evaluated {
            Ok((script, render, share)) => {
                let common = Common { share, made: Vec::new() };
                Ok(Self { render, common, script, runtime, full, watch, bundle, spoiled: false })
            }
            Err(error) => {
                watch.guard(None);
                Err(error)
            }
        }
    }

    /// Calls `render(props, shared)`. After a [`RenderFailure::Timeout`] or
    /// [`RenderFailure::OutOfMemory`] the isolate [is spoiled](Self::is_spoiled).
    pub fn render(&mut self, props: &str, shared: Option<&Shared>, limit: Duration) -> Result<String, RenderFailure> {
        let run = self.watch.begin(limit);
        let shared = shared.map_or(Ok(None), |shared| self.common.get(&mut self.runtime, shared));
        let answer = shared.and_then(|shared| call(&mut self.runtime, &self.render, props, shared.as_ref()));
        let late = run.end();
        let full = self.full.load(Ordering::Relaxed);
        self.spoiled |= late || full;
        answer.map_err(|thrown| match thrown {
            _ if full => RenderFailure::OutOfMemory,
            _ if late => RenderFailure::Timeout,
            Some(error) => {
                let (message, stack) = stack::explain(&error, self.bundle.source_map);
                RenderFailure::Threw { message, stack }
            }
            None => RenderFailure::Threw { message: "the page ended without an answer".into(), stack: String::new() },
        })
    }

    /// The bundle that it was made from.
    pub fn bundle(&self) -> Bundle {
        self.bundle
    }

    /// Whether the engine refused the compiled code that it was made with.
    pub fn refused_code(&self) -> bool {
        self.script.refused
    }

    /// The bundle's compiled code, with that of all functions that have run so far.
    pub fn code(&mut self) -> Option<Vec<u8>> {
        self.script.code(&mut self.runtime)
    }

    /// A render was cut off in the middle, so its state cannot be trusted.
    pub fn is_spoiled(&self) -> bool {
        self.spoiled
    }

    /// Lets the engine do what it has queued for this thread (steps of garbage collection).
    pub fn settle(&mut self) {
        let run = self.watch.begin(SETTLE_LIMIT);
        let mut context = Context::from_waker(Waker::noop());
        let polled = self.runtime.poll_event_loop(&mut context, PollEventLoopOptions::default());
        if let std::task::Poll::Ready(Err(error)) = polled {
            tracing::warn!(%error, "a render left work behind that failed");
        }
        self.spoiled |= run.end() || self.full.load(Ordering::Relaxed);
    }

    /// The size of the heap, garbage included.
    pub fn heap(&mut self) -> Heap {
        let heap = self.runtime.v8_isolate().get_heap_statistics();
        Heap { used: heap.used_heap_size() as u64, total: heap.total_heap_size() as u64 }
    }

    /// Collects all garbage now.
    pub fn collect(&mut self) {
        self.runtime.v8_isolate().low_memory_notification();
    }
}

impl Drop for Isolate {
    fn drop(&mut self) {
        self.watch.guard(None);
        // Tearing down must not run into a termination that is still pending.
        self.runtime.v8_isolate().cancel_terminate_execution();
    }
}

/// The bundle's script, its `render` and, if it has one, its `share`.
type Evaluated = (Script, v8::Global<v8::Function>, Option<v8::Global<v8::Function>>);

/// Evaluates the bundle and takes hold of its functions.
fn evaluate(runtime: &mut JsRuntime, bundle: Bundle, code: Option<&[u8]>) -> Result<Evaluated, StartError> {
    bare(runtime);
    let script = script::run(runtime, SCRIPT, bundle.script, code).map_err(|error| {
        let (message, stack) = stack::explain(&error, bundle.source_map);
        StartError::Bundle { message, stack }
    })?;
    let share = function(runtime, "share");
    function(runtime, "render")
        .map(|render| (script, render, share))
        .ok_or_else(|| StartError::Bundle { message: "it sets no globalThis.render".into(), stack: String::new() })
}

/// A global function of the bundle.
fn function(runtime: &mut JsRuntime, name: &str) -> Option<v8::Global<v8::Function>> {
    deno_core::scope!(scope, runtime);
    let global = scope.get_current_context().global(scope);
    let name = v8::String::new(scope, name).expect("a short string");
    let function = v8::Local::<v8::Function>::try_from(global.get(scope, name.into())?).ok()?;
    Some(v8::Global::new(scope, function))
}

/// Removes the engine's globals, and replaces its console by that of Leadlane.
fn bare(runtime: &mut JsRuntime) {
    deno_core::scope!(scope, runtime);
    let global = scope.get_current_context().global(scope);
    for name in HIDDEN {
        let name = v8::String::new(scope, name).expect("a short string");
        global.delete(scope, name.into());
    }
    let console = v8::Object::new(scope);
    for (method, level) in [("debug", 0), ("log", 1), ("info", 1), ("warn", 2), ("error", 3)] {
        let level = v8::Integer::new(scope, level);
        let name = v8::String::new(scope, method).expect("a short string");
        if let Some(function) = v8::Function::builder(print).data(level.into()).build(scope) {
            console.set(scope, name.into(), function.into());
        }
    }
    let name = v8::String::new(scope, "console").expect("a short string");
    global.set(scope, name.into(), console.into());
}

/// `console.*` of the bundle: one log event, shortened, texts and numbers only. A page's data never belongs in a log,
/// so objects are named, not shown.
fn print(scope: &mut v8::PinScope<'_, '_>, args: v8::FunctionCallbackArguments<'_>, _result: v8::ReturnValue<'_, v8::Value>) {
    let mut text = String::new();
    for i in 0..args.length() {
        let value = args.get(i);
        if !text.is_empty() {
            text.push(' ');
        }
        if value.is_object() && !value.is_native_error() {
            text.push_str(&value.type_of(scope).to_rust_string_lossy(scope));
        } else {
            text.push_str(&value.to_rust_string_lossy(scope));
        }
    }
    let text = stack::shorten(&text);
    match args.data().int32_value(scope).unwrap_or(1) {
        0 => tracing::debug!(target: "leadlane::page", "{text}"),
        1 => tracing::info!(target: "leadlane::page", "{text}"),
        2 => tracing::warn!(target: "leadlane::page", "{text}"),
        _ => tracing::error!(target: "leadlane::page", "{text}"),
    }
}

/// One call of `render`. `Err(None)` is a call that was cut off from outside.
fn call(
    runtime: &mut JsRuntime,
    render: &v8::Global<v8::Function>,
    props: &str,
    shared: Option<&v8::Global<v8::Value>>,
) -> Result<String, Option<Box<JsError>>> {
    deno_core::scope!(scope, runtime);
    v8::tc_scope!(let scope, scope);
    let render = v8::Local::new(scope, render);
    let undefined: v8::Local<v8::Value> = v8::undefined(scope).into();
    let shared = shared.map_or(undefined, |shared| v8::Local::new(scope, shared));
    let html = v8::String::new(scope, props).and_then(|props| render.call(scope, undefined, &[props.into(), shared]));
    match html {
        Some(html) if html.is_string() => Ok(html.to_rust_string_lossy(scope)),
        _ if scope.has_terminated() => Err(None),
        Some(_) => {
            let text = v8::String::new(scope, "render returned no string").ok_or(None)?;
            let error = v8::Exception::type_error(scope, text);
            Err(Some(JsError::from_v8_exception(scope, error)))
        }
        None => Err(scope.exception().map(|error| JsError::from_v8_exception(scope, error))),
    }
}

/// One call of `share`, failing as [`call`] does.
fn parse(runtime: &mut JsRuntime, share: &v8::Global<v8::Function>, json: &str) -> Result<v8::Global<v8::Value>, Option<Box<JsError>>> {
    deno_core::scope!(scope, runtime);
    v8::tc_scope!(let scope, scope);
    let share = v8::Local::new(scope, share);
    let undefined = v8::undefined(scope).into();
    match v8::String::new(scope, json).and_then(|json| share.call(scope, undefined, &[json.into()])) {
        Some(made) => Ok(v8::Global::new(scope, made)),
        None if scope.has_terminated() => Err(None),
        None => Err(scope.exception().map(|error| JsError::from_v8_exception(scope, error))),
    }
}
