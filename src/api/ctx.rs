//! What a handler stands on: the application and the request's context.

use std::sync::Arc;

use serde::Serialize;

use crate::access::audit::{self, Action, Actor, Stamp, Target};
use crate::access::session::Origin;
use crate::access::{Gate, Roles, Scope, Viewer};
use crate::clock::Clock;
use crate::config::Config;
use crate::crypto::Keys;
use crate::db::{Connection, Db};
use crate::handoff::Handoff;
use crate::locale::Locale;
use crate::meter::Meter;
use crate::plan::market::Market;
use crate::setting::{Holds, Setting, Settings};
use crate::storage::Storage;
use crate::user::intake::Intake;
use crate::visit::Recorder;

use super::error::ApiError;

/// What all requests of a process share.
pub struct App {
    pub config: Config,
    pub db: Db,
    pub keys: Arc<Keys>,
    pub roles: Roles,
    pub settings: Settings,
    pub clock: Clock,
    /// Uploads and exported files.
    pub storage: Storage,
    pub meter: Meter,
    /// Where visits and exposures are handed over.
    pub visits: Recorder,
    /// Where applicants and deliveries are handed to their workers.
    pub handoff: Handoff,
    /// The plans that run.
    pub market: Market,
    /// Where applicants wait to be taken in.
    pub intake: Intake,
}

impl App {
    /// What sign-ins and sessions are looked at with.
    pub fn gate(&self) -> Gate<'_> {
        Gate { db: &self.db, keys: &self.keys, roles: &self.roles, settings: &self.settings }
    }
}

/// One request, as a handler sees it.
pub struct Ctx {
    pub app: Arc<App>,
    viewer: Option<Arc<Viewer>>,
    pub locale: Locale,
    pub origin: Origin,
    pub request_id: String,
    /// Epoch milliseconds, one for the whole request.
    pub now: i64,
    /// The declared path of the call, below `/api`.
    pub call: &'static str,
    /// The caller wants a file itself, not word of where it will be.
    pub at_once: bool,
    /// Whether the connection to the browser is encrypted.
    pub secure: bool,
}

impl Ctx {
    /// Puts a context together.
    pub fn new(app: Arc<App>, viewer: Option<Arc<Viewer>>, request: RequestInfo, call: &'static str, at_once: bool, now: i64) -> Ctx {
        let RequestInfo { locale, origin, request_id, secure } = request;
        Ctx { app, viewer, locale, origin, request_id, now, call, at_once, secure }
    }

    /// The database.
    pub fn db(&self) -> &Db {
        &self.app.db
    }

    /// What a general setting holds now.
    pub async fn setting<T: Holds>(&self, setting: &Setting<T>) -> Result<T, ApiError> {
        Ok(self.app.settings.get(&self.app.db, setting).await?)
    }

    /// The signed-in viewer. Calls that are not open always have one.
    pub fn viewer(&self) -> Result<&Viewer, ApiError> {
        self.viewer.as_deref().ok_or(ApiError::LoginExpired)
    }

    /// The viewer, if he sees everything: what belongs to the whole platform looks to anybody else
    /// as if it were not there, whatever his role holds.
    pub fn overseer(&self) -> Result<&Viewer, ApiError> {
        self.viewer().and_then(|viewer| match viewer.scope() {
            Scope::All => Ok(viewer),
            _ => Err(ApiError::Missing),
        })
    }

    /// Who acts, for the audit trail.
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

    /// Writes the trail's entry of a row that was made, changed or deleted, as its two states tell it.
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

    /// Who writes, for the rows themselves.
    pub fn stamp(&self) -> Result<Stamp, ApiError> {
        Ok(Stamp { admin_id: self.viewer()?.id, at: self.now })
    }
}

/// What the outermost layer has found out about a request (`server::request_info`).
#[derive(Clone, Debug)]
pub struct RequestInfo {
    pub locale: Locale,
    pub origin: Origin,
    pub request_id: String,
    pub secure: bool,
}

/// The cookie that opens page GETs, and nothing else.
pub fn token_cookie(token: &str, secure: bool) -> axum::http::HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = match token.is_empty() {
        true => format!("token=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0{secure}"),
        false => format!("token={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=43200{secure}"),
    };
    axum::http::HeaderValue::from_str(&text).expect("a JWT is plain text")
}
