//! How a call of a history is made: once, twice under one key, by two people, on both nodes at once, or by a node that is killed.

use std::time::Duration;

use axum::http::Method;
use base::clock::MINUTE;
use serde_json::Value;

use super::History;
use testing::{Answer, TestApp};

/// After so long people sign in again, in milliseconds of the test's clock.
const SESSION: i64 = 10 * MINUTE;
/// Longest time that a node has before it is killed, in milliseconds.
const LIVES: usize = 15;
/// By how much the clock of a new node is ahead, in milliseconds.
const AHEAD: [i64; 4] = [0, 0, 90_000, 3 * MINUTE];

/// Who makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Enters and asks.
    Operator,
    /// Decides.
    Admin,
    /// Neither entered nor decided.
    Auditor,
}

/// Sessions of the people of a history.
pub struct Tokens {
    pub operator: String,
    pub admin: String,
    auditor: String,
    since: i64,
}

impl Tokens {
    pub async fn new(app: &TestApp) -> Tokens {
        let token = async |name: &str| app.sign_in(name).await.token().to_owned();
        Tokens { operator: token("operator").await, admin: token("admin").await, auditor: token("auditor").await, since: app.now() }
    }

    fn of(&self, who: Who) -> &str {
        match who {
            Who::Operator => &self.operator,
            Who::Admin => &self.admin,
            Who::Auditor => &self.auditor,
        }
    }
}

/// A call before it is made.
#[derive(Clone, Debug)]
pub struct Call {
    pub who: Who,
    pub method: Method,
    pub path: String,
    pub body: Value,
    /// The action of the table of decisions that it approves, for the model.
    pub approves: Option<String>,
}

impl Call {
    /// The operator enters something.
    pub fn post(path: &str, body: Value) -> Call {
        Call { who: Who::Operator, method: Method::POST, path: path.to_owned(), body, approves: None }
    }

    /// A person changes something.
    pub fn put(who: Who, path: &str, body: Value) -> Call {
        Call { who, method: Method::PUT, path: path.to_owned(), body, approves: None }
    }
}

/// Whether an answer leaves open what came of the call.
fn is_unknown(answer: &Answer) -> bool {
    ["5001", "5003"].contains(&answer.code().as_str())
}

/// Codes that no call of a history may be answered by: an internal error is a fault of the program; a session that is over, a missing
/// permission, a body that is none and an unknown address are faults of this test.
const FAULTS: [&str; 5] = ["5000", "2000", "1003", "4000", "4004"];

/// Any other refusal is an outcome like a success.
pub fn legal(answer: &Answer, what: &impl std::fmt::Debug) {
    let code = answer.code();
    assert!(!FAULTS.contains(&code.as_str()), "{code} {}: {what:?}", answer.desc());
}

/// Of two answers under one key, the one of a success.
fn better(one: Answer, other: Answer, call: &Call) -> Answer {
    match (one.code() == "0000", other.code() == "0000") {
        (true, true) => {
            assert_eq!(one.ok(), other.ok(), "the same answer for the same key: {call:?}");
            one
        }
        (false, true) => other,
        _ => one,
    }
}

impl History<'_> {
    /// Signs all people in again, if time has passed.
    pub async fn sign_in(&mut self) {
        if self.stage.app.now() - self.tokens.since > SESSION {
            self.tokens = Tokens::new(&self.stage.app).await;
        }
    }

    /// Time passes.
    pub async fn pass(&mut self, milliseconds: i64) {
        self.stage.app.advance(milliseconds);
        self.sign_in().await;
    }

    /// A key that no other call has.
    pub fn key(&mut self) -> String {
        format!("books {} {}", self.seed, self.stage.next_serial())
    }

    /// Makes a call once, on a node.
    pub async fn send(&self, node: &TestApp, call: &Call, key: &str) -> Answer {
        let actor = node.with_token(self.tokens.of(call.who)).with("idempotency-key", key);
        let answer = actor.call(call.method.clone(), &call.path, Some(&call.body)).await;
        legal(&answer, call);
        answer
    }

    /// Makes a call in a manner at random; answers what came of it, once that is known.
    pub async fn press(&mut self, call: &Call) -> Answer {
        let key = self.key();
        let (here, there) = (&self.stage.app, &self.stage.there);
        let answer = match self.numbers.below(10) {
            // Twice, one after the other.
            0 => better(self.send(here, call, &key).await, self.send(there, call, &key).await, call),
            // At the same moment on both nodes, under one key.
            1 => {
                let (one, other) = tokio::join!(self.send(here, call, &key), self.send(there, call, &key));
                better(one, other, call)
            }
            2 => return self.by_two(call).await,
            3 => self.killed(call, &key).await,
            4 | 5 => self.send(there, call, &key).await,
            _ => self.send(here, call, &key).await,
        };
        let answer = self.until_known(call, &key, answer).await;
        self.model.note(call, &answer);
        answer
    }

    /// Two people press the same button at the same moment: what changes a record does so once.
    async fn by_two(&mut self, call: &Call) -> Answer {
        let (one, other) = self.at_once(call, call).await;
        let is_both = one.code() == "0000" && other.code() == "0000";
        assert!(!is_both || call.method == Method::POST, "done by two people: {call:?}");
        if one.code() == "0000" { one } else { other }
    }

    /// Makes two calls at the same moment, each on a node of its own.
    pub async fn at_once(&mut self, one: &Call, other: &Call) -> (Answer, Answer) {
        let keys = (self.key(), self.key());
        let (here, there) = (&self.stage.app, &self.stage.there);
        let (first, second) = tokio::join!(self.send(here, one, &keys.0), self.send(there, other, &keys.1));
        let first = self.until_known(one, &keys.0, first).await;
        let second = self.until_known(other, &keys.1, second).await;
        self.model.note(one, &first);
        self.model.note(other, &second);
        (first, second)
    }

    /// Makes a call on a node that is killed meanwhile, and asks the other node what came of it.
    async fn killed(&mut self, call: &Call, key: &str) -> Answer {
        let within = self.life();
        let cut = tokio::time::timeout(within, self.send(&self.stage.there, call, key)).await;
        self.restart().await;
        match cut {
            Ok(answer) => answer,
            Err(_) => self.send(&self.stage.app, call, key).await,
        }
    }

    /// How long a node has before it is killed.
    pub fn life(&mut self) -> Duration {
        Duration::from_millis(self.numbers.below(LIVES) as u64)
    }

    /// Kills the second node and starts another, whose clock is ahead at times.
    pub async fn restart(&mut self) {
        let ahead = *self.numbers.any(&AHEAD);
        let started = self.stage.app.node_wrong_by(ahead).await;
        std::mem::replace(&mut self.stage.there, started).kill().await;
    }

    /// Asks again under the same key while the outcome of a call is unknown. A node that was killed between its work and its answer
    /// leaves a key that is held for some minutes; then the model reads what there is.
    pub async fn until_known(&mut self, call: &Call, key: &str, mut answer: Answer) -> Answer {
        for milliseconds in [0, 5 * MINUTE] {
            if !is_unknown(&answer) {
                return answer;
            }
            self.model.is_unsure = true;
            self.pass(milliseconds).await;
            answer = self.send(&self.stage.app, call, key).await;
        }
        answer
    }
}
