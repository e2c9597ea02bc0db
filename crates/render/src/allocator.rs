//! Memory outside the isolates: the system's allocator keeps what the threads have freed unless it is asked to give it back.

/// Arenas of all threads together. With one for each thread, as the default is, a process that has rendered some thousand
/// pages holds 36 MB more; with one for all, threads wait for one another.
#[cfg(target_env = "gnu")]
const ARENAS: i32 = 2;

/// Bounds the arenas. Call it before the process has other threads.
pub(super) fn bound_arenas() {
    // SAFETY: sets one number of the allocator.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, ARENAS);
    }
}

/// Gives the pages that nothing uses back to the system; takes some milliseconds.
pub(super) fn give_back() {
    // SAFETY: may be called by any thread at any time.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
}
