//! The data of a handler: the application and the request's context.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::Serialize;
use tokio::sync::Notify;

use crate::access::audit::{self, Action, Actor, Stamp, Target};
use crate::access::polled::PolledSessions;
use crate::access::session::Origin;
use crate::access::tries::Doors;
use crate::access::{Gate, Roles, Scope, Viewer};
use crate::meter::Meter;
use crate::setting::{Holds, Setting, Settings};
use base::clock::Clock;
use base::config::Config;
use base::crypto::Keys;
use base::db::{Claim, Connection, Db, Tx};
use base::locale::Locale;
use base::outbox::Outbox;
use base::password_hashing::Hashing;
use base::rate_limits::Limits;
use base::storage::Storage;

use super::error::{self, ApiError};
use super::idempotency;
use super::services::Services;

/// Moves an account (the first number) to another team of its organisation, within a transaction.
pub type MoveToTeam = for<'a> fn(&'a Ctx, &'a mut Connection, i64, i64) -> BoxFuture<'a, Result<(), ApiError>>;

/// The data that all requests of a process share. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub config: Config,
    pub db: Db,
    pub keys: Arc<Keys>,
    pub roles: Arc<Roles>,
    pub settings: Arc<Settings>,
    pub clock: Clock,
    /// Where passwords are hashed and compared.
    pub hashing: Arc<Hashing>,
    /// Uploads and exported files.
    pub storage: Storage,
    pub meter: Arc<Meter>,
    /// The state of the destinations of the outbox.
    pub outbox: Arc<Outbox>,
    /// The doors that are known to be locked.
    pub doors: Arc<Doors>,
    /// Sessions of pages that poll.
    pub polled: Arc<PolledSessions>,
    /// The limits of requests.
    pub limits: Arc<Limits>,
    /// Wakes the watch over plans after an account was credited.
    pub credited: Arc<Notify>,
    /// Wakes the watch over payments if a payment is due at once.
    pub payments: Arc<Notify>,
    /// Moves accounts between teams for `crm`; `admin` provides it, since it is a layer above `crm`.
    pub move_to_team: MoveToTeam,
    /// The queues and caches of the areas, see [`App::service`].
    pub services: Arc<Services>,
}

impl App {
    /// The same with the workers' own database connections.
    pub fn for_workers(&self) -> App {
        App { db: self.db.for_workers(), ..self.clone() }
    }

    /// The process's one instance of an area's queue or cache, made at its first use.
    pub fn service<S: Default + Send + Sync + 'static>(&self) -> Arc<S> {
        self.services.get()
    }

    /// The shared data for checks of sign-ins and sessions.
    pub fn gate(&self) -> Gate<'_> {
        Gate {
            db: &self.db,
            keys: &self.keys,
            roles: &self.roles,
            settings: &self.settings,
            hashing: &self.hashing,
            doors: &self.doors,
            polled: &self.polled,
        }
    }
}

/// How a call is made, besides its input.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// See [`Ctx::at_once`].
    pub at_once: bool,
    /// See [`Ctx::again`].
    pub again: bool,
    /// See [`Ctx::number`].
    pub number: Option<i64>,
}

/// One request, as a handler sees it.
pub struct Ctx {
    pub app: Arc<App>,
    /// The database, with this request's key for its writes.
    db: Db,
    viewer: Option<Arc<Viewer>>,
    pub locale: Locale,
    pub origin: Origin,
    pub request_id: String,
    /// Epoch milliseconds, the same for the whole request.
    pub now: i64,
    /// The declared path of the call, below `/api`.
    pub call: &'static str,
    /// The caller wants the file itself, not the address where it will be.
    pub at_once: bool,
    /// A worker makes the call again; it was counted when its owner requested the file.
    pub again: bool,
    /// The number that was read together with the session, for calls that need one.
    pub number: Option<i64>,
    /// Whether the connection to the browser is encrypted.
    pub secure: bool,
}

impl Ctx {
    /// Builds a context.
    pub fn new(app: Arc<App>, viewer: Option<Arc<Viewer>>, request: RequestInfo, call: &'static str, manner: Manner, now: i64) -> Ctx {
        let RequestInfo { locale, origin, request_id, secure } = request;
        let (db, Manner { at_once, again, number }) = (app.db.clone(), manner);
        Ctx { app, db, viewer, locale, origin, request_id, now, call, at_once, again, number, secure }
    }

    /// The same request, with the idempotency key of its sender.
    pub fn made_once(self, claim: Arc<Claim>) -> Ctx {
        Ctx { db: self.db.claiming(claim), ..self }
    }

    /// The database. Writes happen once, if the request has a key.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Commits the work of the request together with its answer, which a repetition with the same key gets as well:
    /// either both are stored or neither.
    pub async fn commit<T: Serialize>(&self, mut tx: Tx, answer: T) -> Result<T, ApiError> {
        self.keep_answer(&mut tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Stores the answer of the request with its work, for callers that commit in another way.
    pub async fn keep_answer<T: Serialize>(&self, tx: &mut Tx, answer: &T) -> Result<(), ApiError> {
        let seal = |claim: &Claim| {
            let answer = error::envelope(answer);
            let sealed = self.app.keys.seal(&idempotency::place_of(claim), &answer);
            claim.note_answer(answer);
            sealed
        };
        Ok(tx.keep_answer(seal).await?)
    }

    /// The present value of a general setting.
    pub async fn setting<T: Holds>(&self, setting: &Setting<T>) -> Result<T, ApiError> {
        Ok(self.app.settings.get(&self.app.db, setting).await?)
    }

    /// The signed-in viewer. Calls that need a login always have one.
    pub fn viewer(&self) -> Result<&Viewer, ApiError> {
        self.viewer.as_deref().ok_or(ApiError::LoginExpired)
    }

    /// The viewer, if the scope is everything. For all others, records of the whole platform do not exist, whatever
    /// their role holds.
    pub fn overseer(&self) -> Result<&Viewer, ApiError> {
        self.viewer().and_then(|viewer| match viewer.scope() {
            Scope::All => Ok(viewer),
            _ => Err(ApiError::Missing),
        })
    }

    /// The actor for the audit trail.
    pub fn actor(&self) -> Result<Actor, ApiError> {
        let viewer = self.viewer()?;
        Ok(Actor {
            admin_id: viewer.id,
            role_id: viewer.role.id,
            ip: self.origin.ip.clone(),
            request_id: self.request_id.clone(),
            at: self.now,
        })
    }

    /// Writes the audit entry of a row that was made, changed or deleted, from its two states.
    pub async fn record<Row: Serialize>(
        &self,
        tx: &mut Connection,
        target: Target,
        before: Option<&Row>,
        after: Option<&Row>,
    ) -> Result<(), ApiError> {
        let action = match (before, after) {
            (None, _) => Action::Create,
            (Some(_), Some(_)) => Action::Update,
            (Some(_), None) => Action::Delete,
        };
        Ok(audit::record(tx, &self.actor()?, target, action, &audit::changes(before, after)).await?)
    }

    /// The person and the time, for the rows themselves.
    pub fn stamp(&self) -> Result<Stamp, ApiError> {
        Ok(Stamp { admin_id: self.viewer()?.id, at: self.now })
    }
}

/// The facts about a request that the outermost layer has found (`server::info`).
#[derive(Clone, Debug)]
pub struct RequestInfo {
    pub locale: Locale,
    pub origin: Origin,
    pub request_id: String,
    pub secure: bool,
}

/// The name of the cookie that authorises page GETs, and nothing else. Over https browsers accept it from this host
/// alone, never from a subdomain or over a plain connection.
pub fn token_cookie_name(secure: bool) -> &'static str {
    if secure { "__Host-token" } else { "token" }
}

/// That cookie with a token; without one, the header that deletes it.
pub fn token_cookie(token: &str, secure: bool) -> axum::http::HeaderValue {
    let (name, flag) = (token_cookie_name(secure), if secure { "; Secure" } else { "" });
    let age = if token.is_empty() { 0 } else { 43_200 };
    let text = format!("{name}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age={age}{flag}");
    axum::http::HeaderValue::from_str(&text).expect("a JWT is plain text")
}
