//! Memory outside the isolates: mimalloc for Rust, the C library's allocator for the engine and SQLite.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Arenas of the C library's allocator for all threads together; a quarter of the cores where that is more. With eight for each
/// core, as the default is, a process that has rendered some thousand pages holds 36 MB more; with one for all, threads wait
/// for one another.
#[cfg(target_env = "gnu")]
const ARENAS: usize = 2;

/// Bounds the arenas, unless the environment does. Call it before the process has other threads.
pub(super) fn bound_arenas() {
    #[cfg(target_env = "gnu")]
    if std::env::var_os("MALLOC_ARENA_MAX").is_none() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let arenas = i32::try_from(ARENAS.max(cores / 4)).unwrap_or(i32::MAX);
        // SAFETY: sets one number of the allocator.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, arenas);
        }
    }
}

/// Gives unused memory back to the system: of mimalloc what the calling thread and ended threads have freed, of the C
/// library's allocator what any thread has. Takes some milliseconds.
pub(super) fn give_back() {
    // SAFETY: both may be called by any thread at any time.
    unsafe {
        libmimalloc_sys::mi_collect(true);
        #[cfg(target_env = "gnu")]
        libc::malloc_trim(0);
    }
}
