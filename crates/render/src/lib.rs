//! The isolates: one pure function of JavaScript, `render(props) -> html`, behind a pool.
//!
//! Not here: a page's data and document (`site`), and the bundle that isolates evaluate (`front`). Used by `site` and
//! the program.
//!
//! A [`RenderPool`] owns one OS thread and one JavaScript isolate for each core. Props go in as
//! one JSON string, the HTML of the page comes out as one string, through a function handle held
//! since start. An isolate has ECMAScript and nothing else: no network, no timers, no ops, no
//! clock to wait on. Whatever a page does in there, the answer is a [`Rendered`] or a
//! [`RenderFailure`], within the deadline, and only that isolate pays for it:
//!
//! | a page that | ends by | afterwards |
//! |---|---|---|
//! | loops | the watchdog (`watchdog.rs`) at [`RenderConfig::deadline`] | the isolate is replaced |
//! | eats memory | the near-heap-limit callback at [`RenderConfig::heap_mb`] | the isolate is replaced |
//! | throws | a catch around the call, stack mapped to the sources (`stack.rs`) | the isolate goes on |
//! | leaks slowly | a look at the heap every few renders | the isolate is recycled |
//! | comes when all are busy | the bounded queue: at once | nothing happened |
//!
//! # Start-up
//! An isolate evaluates the bundle from its compiled code (`code.rs`) where that is known: an isolate makes it after its
//! first pages, later isolates use it from memory, the next start of the program from [`RenderConfig::code_cache`], the first start from
//! [`RenderConfig::shipped_code`].
//!
//! # What cannot be ended
//! A termination reaches JavaScript between two steps of a loop or at a call, not inside one
//! built-in function that runs for seconds (`new Array(3e8).fill(0)`). Its caller is answered at
//! the deadline all the same, and the other isolates go on.

mod allocator;
mod code;
mod heap;
mod isolate;
mod memo;
mod pool;
#[cfg_attr(not(feature = "v8"), path = "script_quickjs.rs")]
mod script;
mod stack;
mod stats;
mod watchdog;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use isolate::init_platform;
pub use pool::RenderPool;

/// The JavaScript engine of this build.
pub const ENGINE: &str = if cfg!(feature = "v8") { "v8" } else { "quickjs" };

/// What an isolate evaluates at start.
#[derive(Clone, Copy, Debug)]
pub struct Bundle {
    /// One classic script that sets `globalThis.render: (props: string, shared?: S) => string` and, if pages have
    /// something in common, `globalThis.share: (json: string) => S`. ASCII is used in place, anything else is copied
    /// into each isolate.
    pub script: &'static str,
    /// The script's source map (JSON), read when the first error has to be explained.
    pub source_map: Option<&'static str>,
}

impl Bundle {
    /// Whether both are the same text at the same address.
    fn is_same_as(self, other: Bundle) -> bool {
        std::ptr::eq(self.script, other.script)
    }
}

/// The knobs of a [`RenderPool`].
#[derive(Clone, Debug)]
pub struct RenderConfig {
    /// Isolates, and so threads; at least 1.
    pub isolates: usize,
    /// Pages that may wait for an isolate before the next is refused; at least 1.
    pub queue: usize,
    /// How long one render may run, and, counted separately, how long it may wait for its turn.
    pub deadline: Duration,
    /// Heap of one isolate, in MB; array buffers are separate and may use as much again.
    pub heap_mb: usize,
    /// An isolate that still holds more than this many MB after a collection is recycled.
    pub recycle_mb: usize,
    /// An isolate is recycled after this many renders; 0 means never.
    pub recycle_after: u64,
    /// Memory for remembered pages, in MB; 0 (the default) renders every page again.
    pub memo_mb: u64,
    /// The file for the bundle's compiled code; without one, each start of the program compiles it again.
    pub code_cache: Option<PathBuf>,
    /// The file with the compiled code that came with the program, for the first start; it is only read.
    pub shipped_code: Option<PathBuf>,
}

impl Default for RenderConfig {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        Self {
            isolates: cores,
            queue: 64 * cores,
            deadline: Duration::from_secs(2),
            heap_mb: 96,
            recycle_mb: 48,
            recycle_after: 0,
            memo_mb: 0,
            code_cache: None,
            shipped_code: None,
        }
    }
}

/// What many pages have in common: an isolate parses it once, by the bundle's `globalThis.share`, and gives the result to
/// `render` for each page that names it.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Names the content: two of one key have the same JSON.
    pub key: Arc<str>,
    pub json: Arc<str>,
}

/// A page as the isolate made it.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The inside of `<div id="root">`; shared with the memo.
    pub html: Arc<String>,
    /// The times of its steps.
    pub timings: Timings,
}

/// The times of one [`RenderPool::render`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Waiting for an isolate.
    pub queued: Duration,
    /// In the isolate, wall-clock time.
    pub render: Duration,
    /// In the isolate, CPU time of its thread.
    pub cpu: Duration,
    /// The page came from the memo, without an isolate.
    pub memo: bool,
}

/// Why there is no HTML. The caller sends the client-rendered shell instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderFailure {
    /// Every isolate is busy and the queue is full.
    #[error("the render queue is full")]
    QueueFull,
    /// The render, or the wait for its turn, took longer than the deadline.
    #[error("the render took too long")]
    Timeout,
    /// The render reached the heap limit.
    #[error("the render used too much memory")]
    OutOfMemory,
    /// The page threw.
    #[error("the page threw: {message}")]
    Threw {
        /// The error as JavaScript prints it, shortened.
        message: String,
        /// Its stack in terms of the sources, one frame a line; may be empty.
        stack: String,
    },
    /// The pool is shutting down.
    #[error("rendering has stopped")]
    Stopped,
}

impl RenderFailure {
    /// One word for `Server-Timing` and metrics.
    pub fn code(&self) -> &'static str {
        match self {
            Self::QueueFull => "queue-full",
            Self::Timeout => "timeout",
            Self::OutOfMemory => "out-of-memory",
            Self::Threw { .. } => "threw",
            Self::Stopped => "stopped",
        }
    }
}

/// Why a [`RenderPool`] did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The engine posts delayed work to a tokio runtime; start the pool inside one.
    #[error("the render pool must be started inside a tokio runtime")]
    NoRuntime,
    /// A thread could not be made.
    #[error("could not start a render thread: {0}")]
    Thread(#[from] std::io::Error),
    /// The engine could not make an isolate.
    #[error("could not start the JavaScript engine: {0}")]
    Engine(String),
    /// The bundle threw while it was evaluated, or defines no `render`.
    #[error("the server bundle does not start: {message}\n{stack}")]
    Bundle {
        /// The error as JavaScript prints it.
        message: String,
        /// Its stack in terms of the sources: the first line names the module.
        stack: String,
    },
}
