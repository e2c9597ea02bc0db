//! How many files and connections this process may have open.

/// Raises the limit as far as allowed, and returns it: the initial limit is for programs that count their descriptors
/// in an array of 1,024.
pub fn limit() -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both calls get a structure of their own kind, the first one to write, the second to read.
    unsafe {
        if libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) != 0 {
            return FEWEST;
        }
        let raised = libc::rlimit { rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max };
        if libc::setrlimit(libc::RLIMIT_NOFILE, &raised) == 0 {
            limit = raised;
        }
    }
    usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX)
}

/// The assumed limit if it cannot be read.
const FEWEST: usize = 256;

/// How many of the descriptors connections may use. The rest is for the database, files, and outgoing calls: a
/// quarter, at least 128 if there are as many, and 4,096 at most.
pub fn for_connections(limit: usize) -> usize {
    let others = (limit / 4).clamp(128, 4096);
    limit.saturating_sub(others).max(limit / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_room_for_everything_else() {
        for (limit, connections) in [(64, 32), (256, 128), (1024, 768), (4096, 3072), (1 << 20, (1 << 20) - 4096)] {
            assert_eq!(for_connections(limit), connections, "{limit}");
        }
    }

    #[test]
    fn the_limit_is_as_high_as_it_may_be() {
        let first = limit();
        assert!(first >= 64, "{first}");
        assert_eq!(limit(), first, "it was not raised at once");
    }
}
