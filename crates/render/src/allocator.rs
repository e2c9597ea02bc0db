//! Memory outside the isolates: one allocator for Rust, the engine and SQLite.
//!
//! Beside the system's allocator, with the same memory, a page takes a tenth less CPU time and a call a quarter less.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Gives back to the system what the calling thread has freed, and what ended threads have left.
pub(super) fn give_back() {
    // SAFETY: may be called by any thread at any time.
    unsafe { libmimalloc_sys::mi_collect(true) }
}
