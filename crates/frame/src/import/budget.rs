//! The limit of processor time for reading one table, checked while it is read.

use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;
use std::time::Duration;

use super::refusal::wrong;
use crate::api::{ApiError, Result, say};

/// The most processor time for a table.
const LONGEST: Duration = Duration::from_secs(5);

/// The processor time of one reading. Time of other threads does not count.
pub(super) struct Budget {
    used: Box<dyn Fn() -> Duration>,
    end: Duration,
}

impl Budget {
    /// A budget for the work of this thread from now on.
    pub fn of_this_thread() -> Rc<Budget> {
        Budget::of(thread_time)
    }

    /// A budget with its own clock.
    pub fn of(used: impl Fn() -> Duration + 'static) -> Rc<Budget> {
        let end = used() + LONGEST;
        Rc::new(Budget { used: Box::new(used), end })
    }

    pub fn is_spent(&self) -> bool {
        (self.used)() > self.end
    }

    /// Refuses the file once the budget is spent.
    pub fn check(&self) -> Result<()> {
        if self.is_spent() { Err(too_much()) } else { Ok(()) }
    }
}

/// The refusal of a file that takes too long to read.
pub(super) fn too_much() -> ApiError {
    wrong(say(
        "文件内容过多，无法读取；请删除多余的工作表、列和格式，或分成几个文件",
        "The file holds too much to be read: remove unneeded sheets, columns and formats, or split it",
    ))
}

/// Processor time of the calling thread so far.
fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on every thread, and `time` is a valid place for its answer.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// A file that can no longer be read once the budget is spent, so that loops within a library end, too.
pub(super) struct Watched<F> {
    file: F,
    budget: Rc<Budget>,
}

impl<F> Watched<F> {
    pub fn new(file: F, budget: Rc<Budget>) -> Watched<F> {
        Watched { file, budget }
    }
}

impl<F: Read> Read for Watched<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.budget.is_spent() {
            return Err(io::Error::other("the time for this file is over"));
        }
        self.file.read(buffer)
    }
}

impl<F: Seek> Seek for Watched<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
