//! The rules of an entry's fields.

use super::model::{BlacklistForm, BlacklistKind, BlacklistRow, BlacklistScope, BlacklistSource};
use base::clock::DAY;
use base::form_limits;
use base::mask;
use frame::api::check::present;
use frame::api::{Check, Result, say};

form_limits! {
    /// Of an entry.
    blacklist {
        /// Characters of a reason, of an entry and of its lifting.
        pub REASON: usize = 200,
    }
}

/// The furthest that an entry may expire, in days.
const FURTHEST_DAYS: i64 = 36_500;

/// An entry's fields as people enter them, tidied.
#[derive(Clone, Debug)]
pub struct Form {
    pub kind: BlacklistKind,
    /// In its stored form; none if none was given, or if it does not fit the kind.
    pub value: Option<String>,
    /// Whether one was given.
    pub has_value: bool,
    pub scope: BlacklistScope,
    /// 0 for everywhere.
    pub scope_id: i64,
    pub source: BlacklistSource,
    pub reason: String,
    pub expires_at: Option<i64>,
}

impl Form {
    /// Tidies the body of a new entry.
    pub fn of_new(body: BlacklistForm) -> Form {
        let place = (body.scope.unwrap_or(BlacklistScope::Global), body.scope_id);
        let source = body.source.unwrap_or(BlacklistSource::Manual);
        Form::of(body, place, source)
    }

    /// Tidies the body of a change; absent fields keep their values.
    pub fn of_change(body: BlacklistForm, before: &BlacklistRow) -> Form {
        let place = body.scope.map_or((before.scope, before.scope_id), |scope| (scope, body.scope_id));
        let source = body.source.unwrap_or(before.source);
        Form::of(body, place, source)
    }

    fn of(body: BlacklistForm, (scope, scope_id): (BlacklistScope, Option<i64>), source: BlacklistSource) -> Form {
        let value = present(body.value);
        Form {
            kind: body.kind,
            has_value: value.is_some(),
            value: value.and_then(|value| body.kind.canonical(&value)),
            scope,
            scope_id: scope_id.unwrap_or_default(),
            source,
            // Free text, read by more people than the value: a number in it is stored masked.
            reason: mask::numbers(body.reason.trim()),
            expires_at: body.expires_at,
        }
    }

    /// Reports every wrong field of a new entry.
    pub fn check_new(&self, now: i64) -> Result<()> {
        let mut check = Check::new();
        check.that("value", self.has_value, say("必填", "Required")).that("value", self.value.is_some(), self.kind.wanted());
        self.check_rest(&mut check, None, now).done()
    }

    /// Reports every wrong field of an existing entry that expires at this time.
    pub fn check_change(&self, expires_at: Option<i64>, now: i64) -> Result<()> {
        let mut check = Check::new();
        check.that("value", !self.has_value, say("名单值不能修改，请新增一条", "The value cannot be changed: add a new entry instead"));
        self.check_rest(&mut check, expires_at, now).done()
    }

    fn check_rest<'c>(&self, check: &'c mut Check, before: Option<i64>, now: i64) -> &'c mut Check {
        let placed = (self.scope == BlacklistScope::Global) == (self.scope_id == 0);
        let which = match self.scope {
            BlacklistScope::Global => say("全局名单不属于任何渠道或机构", "A global entry has no channel or organisation"),
            BlacklistScope::Channel => say("请选择渠道", "Choose a channel"),
            BlacklistScope::Organisation => say("请选择机构", "Choose an organisation"),
        };
        let ahead = |at: i64| (now + 1..=now + FURTHEST_DAYS * DAY).contains(&at);
        let expires = self.expires_at == before || self.expires_at.is_none_or(ahead);
        check.that("scopeId", placed, which).text("reason", &self.reason, 1..=REASON).that(
            "expiresAt",
            expires,
            say("到期时间应在现在之后、一百年之内", "The expiry must be after now and within a hundred years"),
        )
    }
}
