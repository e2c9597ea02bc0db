//! The heap limit of an isolate, which ends the render instead of the process.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use deno_core::{JsRuntime, v8};

const MB: usize = 1 << 20;

/// Creation parameters for an isolate with a heap of at most `heap_mb`. Array buffers live
/// outside the heap and have a budget of the same size; beyond it JavaScript gets a `RangeError`.
pub(super) fn limits(heap_mb: usize) -> v8::CreateParams {
    let budget = Arc::new(Budget { left: AtomicUsize::new(heap_mb * MB) });
    // SAFETY: the handle is an `Arc<Budget>` turned into a pointer, as the functions of `BUFFERS`
    // expect; `drop_budget` takes that reference back.
    let allocator = unsafe { v8::new_rust_allocator(Arc::into_raw(budget), &BUFFERS) };
    v8::CreateParams::default().heap_limits(0, heap_mb * MB).array_buffer_allocator(allocator)
}

/// Ends the running script when the heap is nearly full; the returned flag says that it happened.
///
/// The callback also raises the limit by a step, for the time until the termination reaches the script. V8 aborts the
/// process when it cannot allocate, so the limit is raised every time and by enough for one more large object;
/// QuickJS throws instead, so once is enough, and more would only help the runaway script.
pub(super) fn terminate_when_full(runtime: &mut JsRuntime) -> Arc<AtomicBool> {
    let full = Arc::new(AtomicBool::new(false));
    let isolate = runtime.v8_isolate().thread_safe_handle();
    let flag = full.clone();
    runtime.add_near_heap_limit_callback(move |current, _initial| {
        let again = flag.swap(true, Ordering::Relaxed);
        isolate.terminate_execution();
        if cfg!(feature = "v8") {
            current + 1024 * MB
        } else if again {
            current
        } else {
            current + 16 * MB
        }
    });
    full
}

/// Bytes of array buffers that may still be made.
struct Budget {
    left: AtomicUsize,
}

impl Budget {
    fn allocate(&self, len: usize, alloc: unsafe fn(Layout) -> *mut u8) -> *mut c_void {
        let Ok(layout) = Layout::array::<u8>(len.max(1)) else {
            return ptr::null_mut();
        };
        let spend = |left: usize| left.checked_sub(len);
        let spent = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend);
        if spent.is_err() {
            return ptr::null_mut();
        }
        // SAFETY: the layout's size is at least 1.
        let data = unsafe { alloc(layout) };
        if data.is_null() {
            self.left.fetch_add(len, Ordering::Relaxed);
        }
        data.cast()
    }
}

static BUFFERS: v8::RustAllocatorVtable<Budget> =
    v8::RustAllocatorVtable { allocate: allocate_zeroed, allocate_uninitialized, free, drop: drop_budget };

unsafe extern "C" fn allocate_zeroed(budget: &Budget, len: usize) -> *mut c_void {
    budget.allocate(len, alloc_zeroed)
}

unsafe extern "C" fn allocate_uninitialized(budget: &Budget, len: usize) -> *mut c_void {
    budget.allocate(len, alloc)
}

unsafe extern "C" fn free(budget: &Budget, data: *mut c_void, len: usize) {
    if data.is_null() {
        return;
    }
    budget.left.fetch_add(len, Ordering::Relaxed);
    let layout = Layout::array::<u8>(len.max(1)).expect("it was allocated with this length");
    // SAFETY: `data` came from `Budget::allocate` with the same length, hence the same layout.
    unsafe { dealloc(data.cast(), layout) }
}

unsafe extern "C" fn drop_budget(budget: *const Budget) {
    // SAFETY: the pointer is the one `limits` made with `Arc::into_raw`, given back once.
    drop(unsafe { Arc::from_raw(budget) });
}
