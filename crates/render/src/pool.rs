//! The pool: one thread per isolate, all fed from one bounded queue.
//!
//! An idle isolate takes the next page from the queue, so a page that occupies an isolate delays no other while
//! another is idle. Nothing here blocks the async side: a full queue answers at once, a waiting caller has a
//! deadline, and a page whose caller has left is dropped unrendered.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::code::{Code, CodeCache};
use super::isolate::Isolate;
use super::memo::{Key, Memo};
use super::stats::{Counters, IsolateCounters};
use super::watchdog::{Watch, Watchdog};
use super::{Bundle, RenderConfig, RenderFailure, Rendered, Shared, StartError, Timings, allocator, stack};
use counts::render_stats::RenderStats;

/// An idle isolate tidies up this often.
const IDLE: Duration = Duration::from_secs(1);

/// How long after the first isolate the others start: meanwhile the first pages have the cores.
const OTHERS_AFTER: Duration = Duration::from_millis(200);

/// A busy isolate tidies up after this many renders.
const TIDY_EVERY: u64 = 64;

/// An isolate that rendered so many pages has compiled what most pages need.
const WARM: u64 = 16;

/// An idle isolate that rendered this much since the last collection collects all garbage: that halves the process's
/// memory, and makes the next few pages a millisecond slower.
const BUSY: u64 = 1000;

/// Deep component trees need stack; the engine uses at most 1 MB of it.
const STACK: usize = 4 << 20;

/// Threads with an isolate each, ready to render pages. Cheap to share behind an `Arc`; ends its
/// threads when dropped.
pub struct RenderPool {
    /// `None` once the pool is shutting down.
    jobs: Mutex<Option<Sender<Job>>>,
    waiting: Receiver<Job>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    counters: Arc<Counters>,
    /// The bundle of the next isolate.
    bundle: Arc<Mutex<Bundle>>,
    memo: Option<Memo>,
    deadline: Duration,
    // Dropped after the threads it watches.
    _watchdog: Watchdog,
}

/// A page that waits to be rendered.
struct Job {
    props: Arc<str>,
    shared: Option<Shared>,
    since: Instant,
    reply: oneshot::Sender<Result<Rendered, RenderFailure>>,
}

impl RenderPool {
    /// Starts the first isolate and waits until it is ready; the others start a moment later. Call it inside a tokio
    /// runtime, after [`init_platform`](super::init_platform).
    pub fn start(bundle: Bundle, config: RenderConfig) -> Result<Self, StartError> {
        let runtime = Handle::try_current().map_err(|_| StartError::NoRuntime)?;
        let isolates = config.isolates.max(1);
        let (jobs, waiting) = crossbeam_channel::bounded(config.queue.max(1));
        let counters = Arc::new(Counters::new(isolates));
        let code = Arc::new(CodeCache::open(config.code_cache.clone(), config.shipped_code.as_deref(), bundle));
        let bundle = Arc::new(Mutex::new(bundle));
        let watchdog = Watchdog::start(isolates, config.deadline)?;
        let pool = Self {
            jobs: Mutex::new(Some(jobs)),
            waiting: waiting.clone(),
            threads: Mutex::default(),
            counters: counters.clone(),
            bundle: bundle.clone(),
            memo: Memo::new(config.memo_mb),
            deadline: config.deadline,
            _watchdog: watchdog,
        };
        let (ready, started) = mpsc::channel();
        let mut ready = Some(ready);
        for index in 0..isolates {
            let worker = Worker {
                bundle: bundle.clone(),
                code: code.clone(),
                config: config.clone(),
                index,
                counters: counters.clone(),
                jobs: waiting.clone(),
                watch: pool._watchdog.over(index),
            };
            let (ready, runtime) = (ready.take(), runtime.clone());
            let thread = thread::Builder::new().name(format!("render-{index}")).stack_size(STACK).spawn(move || {
                if index > 0 {
                    thread::sleep(OTHERS_AFTER);
                }
                let _tokio = runtime.enter();
                worker.run(ready);
            })?;
            lock(&pool.threads).push(thread);
            if index == 0 {
                started.recv().unwrap_or_else(|_| Err(StartError::Engine("the thread of the first isolate ended".into())))?;
            }
        }
        Ok(pool)
    }

    /// Renders the page that these props describe, which has nothing in common with others.
    pub async fn render(&self, props: Arc<str>) -> Result<Rendered, RenderFailure> {
        self.render_with(props, None).await
    }

    /// Renders the page that these props and what it has in common with others describe.
    ///
    /// Takes at most twice the configured deadline (once for the wait, once for the render).
    /// Dropping the future gives up the place in the queue.
    pub async fn render_with(&self, props: Arc<str>, shared: Option<Shared>) -> Result<Rendered, RenderFailure> {
        let key = (props, shared.as_ref().map(|shared| shared.key.clone()));
        if let Some(html) = self.remembered(&key) {
            let timings = Timings { memo: true, ..Timings::default() };
            return Ok(Rendered { html, timings });
        }
        let answer = self.ask(key.0.clone(), shared).await;
        match &answer {
            Ok(page) => {
                if let Some(memo) = &self.memo {
                    memo.put(key, page.html.clone());
                }
            }
            Err(failure) => self.counters.failed(failure),
        }
        answer
    }

    /// Counters since the start.
    pub fn stats(&self) -> RenderStats {
        self.counters.read(self.waiting.len(), self.waiting.capacity().unwrap_or(0))
    }

    /// Replaces every isolate by one of this bundle, each before its next page.
    pub fn renew(&self, bundle: Bundle) {
        *lock(&self.bundle) = bundle;
        if let Some(memo) = &self.memo {
            memo.clear();
        }
    }

    /// Takes no more pages, renders those that wait and ends the threads. Blocks for as long as
    /// that takes: the queue's pages, one deadline each at the worst.
    pub fn shutdown(&self) {
        drop(lock(&self.jobs).take());
        let threads = std::mem::take(&mut *lock(&self.threads));
        for thread in threads {
            let _ = thread.join();
        }
    }

    fn remembered(&self, key: &Key) -> Option<Arc<String>> {
        let html = self.memo.as_ref()?.get(key);
        let count = match html {
            Some(_) => &self.counters.memo_hits,
            None => &self.counters.memo_misses,
        };
        count.fetch_add(1, Relaxed);
        html
    }

    async fn ask(&self, props: Arc<str>, shared: Option<Shared>) -> Result<Rendered, RenderFailure> {
        let (reply, answer) = oneshot::channel();
        let job = Job { props, shared, since: Instant::now(), reply };
        let queued = match lock(&self.jobs).as_ref() {
            Some(jobs) => jobs.try_send(job),
            None => return Err(RenderFailure::Stopped),
        };
        match queued {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => return Err(RenderFailure::QueueFull),
            Err(TrySendError::Disconnected(_)) => return Err(RenderFailure::Stopped),
        }
        match tokio::time::timeout(2 * self.deadline, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(RenderFailure::Stopped),
            Err(_) => Err(RenderFailure::Timeout),
        }
    }
}

impl Drop for RenderPool {
    fn drop(&mut self) {
        self.shutdown();
    }
}

/// One thread of the pool and what it needs to make its isolate, again and again.
struct Worker {
    bundle: Arc<Mutex<Bundle>>,
    code: Arc<CodeCache>,
    config: RenderConfig,
    index: usize,
    counters: Arc<Counters>,
    jobs: Receiver<Job>,
    watch: Watch,
}

impl Worker {
    /// Runs until the queue is closed. The result of the pool's first isolate goes to `ready`; if it fails, the thread ends.
    fn run(&self, ready: Option<mpsc::Sender<Result<(), StartError>>>) {
        let mut first = match ready {
            None => None,
            Some(ready) => match self.isolate() {
                Ok(isolate) => {
                    let _ = ready.send(Ok(()));
                    Some(isolate)
                }
                Err(error) => {
                    let _ = ready.send(Err(error));
                    return;
                }
            },
        };
        // A panic here costs the isolate, not the thread.
        while catch_unwind(AssertUnwindSafe(|| self.serve(first.take()))).is_err() {
            tracing::error!(isolate = self.index, "a render panicked");
            self.counters.replacements.fetch_add(1, Relaxed);
        }
    }

    fn serve(&self, mut isolate: Option<Isolate>) {
        let own = &self.counters.isolates[self.index];
        let (mut renders, mut collected) = (0, 0);
        if isolate.is_none() {
            isolate = self.renewed();
        }
        loop {
            match self.jobs.recv_timeout(IDLE) {
                Ok(job) if job.reply.is_closed() => {
                    self.counters.skipped.fetch_add(1, Relaxed);
                    continue;
                }
                Ok(job) => {
                    if isolate.as_ref().is_none_or(|isolate| !isolate.bundle().is_same_as(*lock(&self.bundle))) {
                        // Dropped first: a thread has one isolate at a time.
                        drop(isolate.take());
                        isolate = self.renewed();
                        (renders, collected) = (0, 0);
                    }
                    self.answer(&mut isolate, own, job);
                    renders += 1;
                    if renders % TIDY_EVERY == 0 {
                        self.keep_code(&mut isolate, renders);
                        self.tidy(&mut isolate, own, renders);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.keep_code(&mut isolate, renders);
                    // The queue is empty: the memory of a busy time goes back to the system, once.
                    if renders >= collected + BUSY {
                        collected = renders;
                        isolate.iter_mut().for_each(Isolate::collect);
                        allocator::give_back();
                    }
                    self.tidy(&mut isolate, own, renders);
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let spoiled = isolate.as_ref().is_some_and(Isolate::is_spoiled);
            if spoiled {
                isolate = None;
            }
            if isolate.is_none() {
                isolate = self.renewed();
                (renders, collected) = (0, 0);
            }
            if spoiled {
                self.counters.replacements.fetch_add(1, Relaxed);
            }
        }
    }

    fn answer(&self, isolate: &mut Option<Isolate>, own: &IsolateCounters, job: Job) {
        let queued = job.since.elapsed();
        if queued > self.config.deadline {
            let _ = job.reply.send(Err(RenderFailure::Timeout));
            return;
        }
        let Some(isolate) = isolate else {
            let _ = job.reply.send(Err(RenderFailure::Stopped));
            return;
        };
        let (started, cpu_before) = (Instant::now(), thread_cpu());
        let html = isolate.render(&job.props, job.shared.as_ref(), self.config.deadline);
        let timings = Timings { queued, render: started.elapsed(), cpu: thread_cpu().saturating_sub(cpu_before), memo: false };
        own.renders.fetch_add(u64::from(html.is_ok()), Relaxed);
        let cpu = u64::try_from(timings.cpu.as_nanos()).unwrap_or(u64::MAX);
        self.counters.cpu_nanos.fetch_add(cpu, Relaxed);
        self.counters.times.record(timings.render);
        if let Err(failure) = &html {
            self.report(failure);
        }
        let page = html.map(|html| Rendered { html: Arc::new(html), timings });
        let _ = job.reply.send(page);
    }

    /// Keeps the compiled code of the newest bundle once pages have run: the functions that they needed are compiled. That
    /// is before a collection, which may drop code that was not used for minutes.
    fn keep_code(&self, isolate: &mut Option<Isolate>, renders: u64) {
        if renders < WARM {
            return;
        }
        if let Some(isolate) = isolate.as_mut().filter(|isolate| isolate.bundle().is_same_as(*lock(&self.bundle))) {
            self.code.keep(isolate.bundle(), || isolate.code());
        }
    }

    /// Between two renders: lets the engine collect garbage and checks whether the isolate grows.
    fn tidy(&self, isolate: &mut Option<Isolate>, own: &IsolateCounters, renders: u64) {
        let Some(current) = isolate else { return };
        current.settle();
        let limit = (self.config.recycle_mb << 20) as u64;
        let mut heap = current.heap();
        if heap.used > limit {
            current.collect();
            heap = current.heap();
        }
        own.heap_used.store(heap.used, Relaxed);
        own.heap_total.store(heap.total, Relaxed);
        let old = self.config.recycle_after > 0 && renders >= self.config.recycle_after;
        if heap.used > limit || old {
            tracing::info!(isolate = self.index, heap = heap.used, renders, "isolate recycled");
            self.counters.recycles.fetch_add(1, Relaxed);
            *isolate = None;
        }
    }

    /// Logs a failure that costs the isolate. A page that threw is logged by its caller, who limits such lines.
    fn report(&self, failure: &RenderFailure) {
        if !matches!(failure, RenderFailure::Threw { .. }) {
            tracing::error!(isolate = self.index, "{failure}; the isolate is replaced");
        }
    }

    fn isolate(&self) -> Result<Isolate, StartError> {
        let bundle = *lock(&self.bundle);
        let code = self.code.code_of(bundle);
        let isolate = Isolate::new(bundle, code.as_ref().map(Code::bytes), self.config.heap_mb, self.watch.clone())?;
        if isolate.refused_code() {
            tracing::info!("another version of the engine has made the compiled code of the pages; it is made again");
            self.code.forget(bundle);
        }
        Ok(isolate)
    }

    /// A new isolate in place of one that is gone or of an older bundle; the next page tries again if there is none.
    fn renewed(&self) -> Option<Isolate> {
        self.isolate()
            .inspect_err(|error| {
                let error = error.to_string();
                tracing::error!(isolate = self.index, "no isolate: {}", stack::shorten(&error));
            })
            .ok()
    }
}

/// CPU time of the calling thread so far.
fn thread_cpu() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on every thread, and `time` is a valid place for its answer.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The data behind these locks stays valid after a panic.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
