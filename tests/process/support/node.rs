//! A running process, and one that has run.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::NamedTempFile;

use super::{Client, PASSWORD, until};

/// A serving process, killed when dropped.
pub struct Node {
    child: Child,
    /// `http://127.0.0.1:PORT`.
    pub base: String,
    /// From the start of the process until it listened.
    pub took: Duration,
    /// Its standard error. A file never fills up as a pipe does.
    log: NamedTempFile,
}

/// A process that has been started and may not listen yet.
pub struct Starting {
    child: Child,
    log: NamedTempFile,
    since: Instant,
}

/// What a command that has ended left.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Starting {
    /// Starts the program.
    pub fn of(mut program: Command) -> Starting {
        let log = NamedTempFile::new().expect("a file for the log");
        let stderr = OpenOptions::new().append(true).open(log.path()).unwrap();
        let since = Instant::now();
        let child = program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr).spawn().expect("the program starts");
        Starting { child, log, since }
    }

    /// Waits until it says where it listens.
    #[track_caller]
    pub fn listening(mut self) -> Node {
        let mut said = String::new();
        BufReader::new(self.child.stdout.take().expect("piped")).read_line(&mut said).unwrap();
        let mut node = Node { child: self.child, base: String::new(), took: self.since.elapsed(), log: self.log };
        let base = said.trim().strip_prefix("Leadlane is at ").map(str::to_owned);
        node.base = base.unwrap_or_else(|| panic!("it said {said:?} and logged {}", node.log()));
        node
    }
}

impl Node {
    /// `127.0.0.1:PORT`.
    pub fn address(&self) -> &str {
        self.base.strip_prefix("http://").expect("http")
    }

    /// Somebody without a token.
    pub fn stranger(&self) -> Client {
        Client::new(&self.base)
    }

    /// Somebody of the demo, signed in.
    #[track_caller]
    pub fn sign_in(&self, username: &str) -> Client {
        let form = json!({ "username": username, "password": PASSWORD });
        let signed_in = self.stranger().post("/api/admin/login", &form).ok();
        self.stranger().with_token(signed_in["token"].as_str().expect("a token"))
    }

    /// Everything it has logged so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log.path()).expect("a log is text")
    }

    /// Kills it, as the kernel does when memory runs out.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to stop, and goes on at once.
    pub fn terminate(&self) {
        self.signal(libc::SIGTERM);
    }

    /// Stops it where it stands, as a machine does that swaps, until [`Node::thaw`].
    pub fn freeze(&self) {
        self.signal(libc::SIGSTOP);
    }

    /// Lets it go on as if nothing had been.
    pub fn thaw(&self) {
        self.signal(libc::SIGCONT);
    }

    fn signal(&self, signal: i32) {
        // SAFETY: the child has not been waited for, so the id is still its own.
        let sent = unsafe { libc::kill(self.child.id() as i32, signal) };
        assert_eq!(sent, 0);
    }

    /// Waits for its end and answers its exit code.
    pub fn end(mut self) -> Option<i32> {
        until("the end of a process", || self.child.try_wait().unwrap()).code()
    }
}

impl Node {
    /// Waits for its end and answers its exit code, and all that it logged.
    pub fn end_and_log(mut self) -> (Option<i32>, String) {
        let code = until("the end of a process", || self.child.try_wait().unwrap()).code();
        (code, self.log())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Outcome {
    /// Runs a program to its end. Warnings of slow statements are left out: a busy machine has them too.
    pub fn of(program: &mut Command) -> Outcome {
        let output = program.stdin(Stdio::null()).output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        let stderr = text(output.stderr).lines().filter(|line| !line.contains("slow statement")).map(|line| format!("{line}\n")).collect();
        Outcome { code: output.status.code(), stdout: text(output.stdout), stderr }
    }

    /// What a success printed.
    #[track_caller]
    pub fn done(&self) -> &str {
        assert_eq!(self.code, Some(0), "{self:?}");
        &self.stdout
    }

    /// The one line with which it refused, ending with exit code 1.
    #[track_caller]
    pub fn refused(&self) -> &str {
        assert_eq!((self.code, self.stderr.lines().count(), self.stdout.as_str()), (Some(1), 1, ""), "{self:?}");
        self.stderr.trim_end()
    }
}
