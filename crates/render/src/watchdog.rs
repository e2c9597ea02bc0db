//! Ends renders that run too long.
//!
//! One thread watches all isolates. A [`Slot`] holds the run of its isolate and its deadline; the watchdog terminates
//! the isolate while it holds the slot's lock, and a render ends by taking that lock, so a late termination cannot
//! hit the next render: either the render it was meant for sees it, or it never happens. Each run has a number, and a
//! [`Run`] only ever closes its own.
//!
//! A render costs two uncontended locks. While nothing is rendered the watchdog sleeps; the next render wakes it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

use deno_core::v8::IsolateHandle;

/// The thread that watches; it ends, and is waited for, when this is dropped.
pub(super) struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    slots: Vec<Slot>,
    /// How late a termination may come.
    tick: Duration,
    asleep: AtomicBool,
    stop: AtomicBool,
}

#[derive(Default)]
struct Slot(Mutex<State>);

#[derive(Default)]
struct State {
    isolate: Option<IsolateHandle>,
    generation: u64,
    deadline: Option<Instant>,
    fired: bool,
}

/// One isolate's side of the watchdog.
#[derive(Clone)]
pub(super) struct Watch {
    shared: Arc<Shared>,
    thread: Thread,
    slot: usize,
}

/// A stretch of JavaScript that is being watched; ends with [`Run::end`] or when dropped.
pub(super) struct Run<'a> {
    slot: &'a Slot,
    generation: u64,
}

impl Watchdog {
    /// Watches `isolates` isolates; a run is ended at most a tenth of `deadline` late.
    pub fn start(isolates: usize, deadline: Duration) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            slots: (0..isolates).map(|_| Slot::default()).collect(),
            tick: (deadline / 10).clamp(Duration::from_millis(1), Duration::from_millis(100)),
            asleep: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        });
        let watched = shared.clone();
        let thread = thread::Builder::new().name("render-watchdog".into()).spawn(move || watched.watch())?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// The watch over isolate number `slot`.
    pub fn over(&self, slot: usize) -> Watch {
        let thread = self.thread.as_ref().expect("the watchdog runs").thread();
        Watch { shared: self.shared.clone(), thread: thread.clone(), slot }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

impl Watch {
    /// From now on this is the isolate to terminate; `None` while there is none.
    pub fn guard(&self, isolate: Option<IsolateHandle>) {
        self.shared.slots[self.slot].lock().isolate = isolate;
    }

    /// Starts the clock for the JavaScript that follows.
    pub fn begin(&self, limit: Duration) -> Run<'_> {
        let slot = &self.shared.slots[self.slot];
        let generation = {
            let mut state = slot.lock();
            state.generation += 1;
            state.deadline = Some(Instant::now() + limit);
            state.fired = false;
            state.generation
        };
        // Either the watchdog sees the deadline before it sleeps, or this sees it asleep.
        if self.shared.asleep.load(Ordering::SeqCst) {
            self.thread.unpark();
        }
        Run { slot, generation }
    }
}

impl Run<'_> {
    /// Stops the clock; true when the watchdog ended this run.
    pub fn end(self) -> bool {
        self.close()
    }

    fn close(&self) -> bool {
        let mut state = self.slot.lock();
        if state.generation != self.generation {
            return false;
        }
        state.deadline = None;
        state.fired
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        self.close();
    }
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A state is a few plain fields: valid even if a holder of the lock panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    fn watch(&self) {
        while !self.stop.load(Ordering::Acquire) {
            if self.check(Instant::now()) {
                thread::park_timeout(self.tick);
                continue;
            }
            self.asleep.store(true, Ordering::SeqCst);
            if !self.check(Instant::now()) && !self.stop.load(Ordering::Acquire) {
                thread::park();
            }
            self.asleep.store(false, Ordering::SeqCst);
        }
    }

    /// Terminates runs past their deadline; true while anything runs.
    fn check(&self, now: Instant) -> bool {
        let mut running = false;
        for slot in &self.slots {
            let mut state = slot.lock();
            let Some(deadline) = state.deadline else {
                continue;
            };
            running = true;
            if now >= deadline && !state.fired {
                state.fired = true;
                if let Some(isolate) = &state.isolate {
                    isolate.terminate_execution();
                }
            }
        }
        running
    }
}
