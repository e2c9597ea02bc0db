//! How calls are declared: method, path, who may make it, and a handler. There is no other way to
//! add a call, so none is without its permission point (default deny).

mod files;
mod output;
mod serve;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Method;
use axum::routing::MethodRouter;
use schemars::SchemaGenerator;

use self::serve::{Handler, Manner, Terms, route};
use super::ctx::{App, Ctx};
use super::input::{Arrives, Input, InputDoc};
use crate::access::Viewer;

pub use self::files::{FileRule, FileRules};
pub use self::output::{Download, Output, WithCookie};

/// Bodies of JSON calls, at most.
pub const MAX_BODY: usize = 1024 * 1024;
/// The type that a caller accepts to get the file itself.
pub const FILE: &str = "application/octet-stream";
/// Longest time until an answer begins. A file may take longer to arrive.
pub const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody; signing in itself.
    Open,
    /// Any signed-in account; its own affairs.
    SignedIn,
    /// Accounts whose active role holds this permission point.
    Point(&'static str),
    /// Accounts whose active role holds one of these points: choices that several screens need.
    AnyPoint(&'static [&'static str]),
    /// Accounts whose active role holds all of these points.
    EveryPoint(&'static [&'static str]),
}

impl Access {
    /// Whether a viewer may make such a call.
    pub fn lets(self, viewer: &Viewer) -> bool {
        match self {
            Access::Open | Access::SignedIn => true,
            Access::Point(point) => viewer.has(point),
            Access::AnyPoint(points) => points.iter().any(|point| viewer.has(point)),
            Access::EveryPoint(points) => points.iter().all(|point| viewer.has(point)),
        }
    }
}

/// Who may make a call, by its path below `/api`: for a file that a call has made and that is fetched later.
pub type AccessOf = fn(&str) -> Option<Access>;

/// A declared call.
pub struct Call {
    pub method: Method,
    /// Below `/api`, with `{name}` parameters.
    pub path: &'static str,
    pub access: Access,
    /// Whether it changes anything.
    pub writes: bool,
    /// Whether pages make it by themselves, again and again, so that it keeps no session open.
    pub quiet: bool,
    /// Whether it takes a form with a file.
    pub takes_files: bool,
    pub(super) describe: fn(&mut SchemaGenerator) -> (InputDoc, Option<schemars::Schema>, bool),
    route: MethodRouter<Arc<App>>,
}

/// A list of calls, and the records whose files are uploaded.
#[derive(Default)]
pub struct Calls {
    calls: Vec<Call>,
    file_rules: Vec<&'static FileRule>,
}

/// The viewer that the page pipeline has already established; calls made in process carry it
/// instead of a token. It cannot be sent from outside.
#[derive(Clone)]
pub struct InProcess(pub Arc<Viewer>);

/// Marks a call that is made once more in process, for the account that asked for its file. It cannot be sent from outside.
#[derive(Clone, Copy)]
pub struct Again;

impl Calls {
    /// An empty list.
    pub fn new() -> Calls {
        Calls::default()
    }

    /// A `GET`; it changes nothing.
    pub fn get<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::GET, path, access, Manner::Reads, handler)
    }

    /// A `GET` that pages make by themselves, again and again: a poll, a wait for news. It is no
    /// use of the session, which ends as idle (`session.idle_minutes`) whatever a page asks so.
    pub fn poll<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::GET, path, access, Manner::Polls, handler)
    }

    /// A poll whose answer is a number that is read together with the session, in one statement: see
    /// [`session::viewer_with`](crate::access::session::viewer_with). The handler finds it in [`Ctx::number`].
    pub fn poll_number<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        number: &'static str,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add_with(Method::GET, path, access, Manner::Polls, Some(number), handler)
    }

    /// A `POST` that only reads: lists and exports.
    pub fn list<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::POST, path, access, Manner::Reads, handler)
    }

    /// A `POST` that changes something; `Idempotency-Key` is honoured. Without one, the same body within five seconds is
    /// the same call.
    pub fn post<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::POST, path, access, Manner::Writes, handler)
    }

    /// The same that may be sent again as often as its sender likes: it notes a state, or its sender numbers what is sent.
    /// Without an `Idempotency-Key` each call counts.
    pub fn post_repeatable<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::POST, path, access, Manner::Repeats, handler)
    }

    /// A `PUT`; `Idempotency-Key` is honoured.
    pub fn put<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::PUT, path, access, Manner::Writes, handler)
    }

    /// A `PUT` of a state that is switched to and fro. Without an `Idempotency-Key` each call counts.
    pub fn put_repeatable<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::PUT, path, access, Manner::Repeats, handler)
    }

    /// A `DELETE`; `Idempotency-Key` is honoured.
    pub fn delete<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::DELETE, path, access, Manner::Writes, handler)
    }

    fn add<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        method: Method,
        path: &'static str,
        access: Access,
        manner: Manner,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add_with(method, path, access, manner, None, handler)
    }

    fn add_with<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        mut self,
        method: Method,
        path: &'static str,
        access: Access,
        manner: Manner,
        number: Option<&'static str>,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        let writes = matches!(manner, Manner::Writes | Manner::Repeats);
        let idempotent = writes && access != Access::Open;
        // Lists, files of them, and charts: what is asked for by `POST` and changes nothing.
        let heavy = manner == Manner::Reads && method == Method::POST;
        let terms = Terms { path, access, manner, number, idempotent, heavy, arrives: I::ARRIVES };
        let handler: Handler = Arc::new(move |cx, raw| {
            let running = I::read(raw).map(|input| handler(cx, input));
            Box::pin(async move { Ok(running?.await?.respond()) })
        });
        self.calls.push(Call {
            route: route(&method, terms, handler),
            method,
            path,
            access,
            writes,
            quiet: manner == Manner::Polls,
            takes_files: I::ARRIVES == Arrives::AsForm,
            describe: |schemas| (I::doc(schemas), O::schema(schemas), O::IS_FILE),
        });
        self
    }

    /// Both lists.
    pub fn and(mut self, more: Calls) -> Calls {
        self.calls.extend(more.calls);
        self.file_rules.extend(more.file_rules);
        self
    }

    /// Names a kind of record that takes files by `POST /common/upload`.
    pub fn files_of(mut self, rule: &'static FileRule) -> Calls {
        self.file_rules.push(rule);
        self
    }

    /// The kinds of records that take files.
    pub fn file_rules(&self) -> &[&'static FileRule] {
        &self.file_rules
    }

    /// The declared calls.
    pub fn iter(&self) -> impl Iterator<Item = &Call> {
        self.calls.iter()
    }

    /// The router of all calls, to be nested under `/api`.
    pub fn router(self) -> Router<Arc<App>> {
        self.calls.into_iter().fold(Router::new(), |router, call| router.route(call.path, call.route))
    }
}
