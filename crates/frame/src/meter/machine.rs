//! The system's figures on this process and its machine. Linux; elsewhere they are 0.

use std::fs;
use std::sync::LazyLock;
use std::time::Duration;

/// CPU time of all threads so far.
pub fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists in every process, and `time` is a valid place for its answer.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Bytes of this process in memory.
pub fn resident() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").ok().and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    // SAFETY: asks for a constant of the system.
    let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    pages.unwrap_or(0) * page
}

/// The most bytes for this process: its control group's limit, otherwise the machine's memory.
pub fn memory_limit() -> u64 {
    static LIMIT: LazyLock<u64> = LazyLock::new(|| {
        let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
            line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
        });
        let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse::<u64>().ok());
        match (machine, group) {
            (Some(machine), Some(group)) => machine.min(group),
            (machine, group) => machine.or(group).unwrap_or(0),
        }
    });
    *LIMIT
}

/// Cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// The machine's name.
pub fn name() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| {
        fs::read_to_string("/proc/sys/kernel/hostname").map_or_else(|_| "localhost".to_owned(), |name| name.trim().to_owned())
    });
    &NAME
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_is_understood() {
        assert!(resident() > 1 << 20, "a running program has more than a megabyte");
        assert!(memory_limit() > resident());
        let before = cpu_time();
        while cpu_time() == before {}
        assert!(!name().is_empty() && !name().contains('\n'));
    }
}
