//! One entry: view, creation, changes, lifting, deletion. Every change is one transaction with its audit row.

use std::sync::Arc;

use super::form::{Form, REASON};
use super::list::TARGET;
use super::model::{
    BlacklistForm, BlacklistNow, BlacklistRow, BlacklistScope, BlacklistSource, BlacklistStatus, BlacklistStatusChange, RevealedBlacklist,
};
use super::store::{self, NewEntry};
use crate::channel;
use crate::org;
use base::db;
use base::db::Connection;
use base::locale::Locale;
use base::mask;
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Change, Target};
use frame::api::check::present;
use frame::api::input::Sent;
use frame::api::owner::require_platform_staff;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, Say, WholeNumber, number_search, say};
use frame::reveal;

impl Versioned for BlacklistRow {
    const TARGET: Target = TARGET;
    /// The name of the scope stands for its id, and hits are not changes by staff.
    const LEFT_OUT: &'static [&'static str] = &["scopeId", "hitCount", "lastHitAt", "creatorName"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<BlacklistRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /blacklist/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<BlacklistNow> {
    let entry = store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    let expired = entry.status == BlacklistStatus::Active && entry.expires_at.is_some_and(|at| at <= cx.now);
    Ok(BlacklistNow { entry, expired })
}

/// `GET /blacklist/history/{id}`.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<AuditEntry>> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    Ok(audit::history(cx.db(), TARGET.kind, id).await?)
}

/// `GET /blacklist/reveal/{id}`: the whole value. The reveal is recorded first.
pub async fn reveal(cx: Arc<Ctx>, Id(id): Id) -> Result<RevealedBlacklist> {
    let mut tx = cx.db().begin().await?;
    let row = store::find(&mut *tx, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    may_change(&cx, &row)?;
    let value = store::value(&mut tx, &cx.app.keys, id).await?;
    let seen = Change { field: "value".to_owned(), before: None, after: None };
    reveal::written(&cx, tx, TARGET.of(id), &[seen]).await?;
    Ok(RevealedBlacklist { value })
}

/// `POST /blacklist`.
pub async fn create(cx: Arc<Ctx>, Sent(body): Sent<BlacklistForm>) -> Result<BlacklistRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new entry has none".to_owned()));
    }
    require_platform_staff(cx.viewer()?)?;
    let form = Form::of_new(body);
    form.check_new(cx.now)?;
    check_source(&form, None)?;
    let mut tx = cx.db().begin().await?;
    check_place(&mut tx, cx.viewer()?.scope(), &form).await?;
    let entry = NewEntry::of(&cx.app.keys, form).ok_or(ApiError::Missing)?;
    let entries = [entry];
    for ended in store::lift_expired(&mut tx, &entries, cx.stamp()?).await? {
        record_expired(&cx, &mut tx, ended).await?;
    }
    let made = store::insert(&mut tx, &cx.app.keys, &entries, cx.stamp()?).await?;
    let [id] = made[..] else {
        drop(tx);
        let [entry] = &entries;
        // The refusal shows that the number is listed, so it counts as a search for it.
        let number = WholeNumber { target: TARGET, hash: entry.value_hash.clone(), mask: entry.kind.mask(&entry.value) };
        number_search::count(&cx, &number).await?;
        return Err(there_already());
    };
    versioned::created(&cx, tx, id).await
}

/// `PUT /blacklist`: scope, reason and expiry. The value stays.
pub async fn update(cx: Arc<Ctx>, Sent(body): Sent<BlacklistForm>) -> Result<BlacklistRow> {
    let (id, version) = (body.id.ok_or_else(|| ApiError::Malformed("missing field `id`".to_owned()))?, body.version);
    let mut tx = cx.db().begin().await?;
    let before = versioned::current_or_newest::<BlacklistRow>(&cx, &mut tx, id, version).await?;
    may_change(&cx, &before)?;
    let form = Form::of_change(body, &before);
    if form.kind != before.kind {
        return Err(ApiError::field("kind", say("类型不能修改，请新增一条", "The kind cannot be changed: add a new entry instead")));
    }
    form.check_change(before.expires_at, cx.now)?;
    check_source(&form, Some(before.source))?;
    check_place(&mut tx, cx.viewer()?.scope(), &form).await?;
    let written = store::write(&mut tx, id, before.version, &form, cx.stamp()?).await.map_err(taken)?;
    versioned::changed_unseen(&cx, tx, before, written, version).await
}

/// `PUT /blacklist/status`: lifted with a reason, or active again.
pub async fn change_status(cx: Arc<Ctx>, Body(body): Body<BlacklistStatusChange>) -> Result<BlacklistRow> {
    let mut tx = cx.db().begin().await?;
    let before = versioned::current::<BlacklistRow>(&cx, &mut tx, body.id, body.version).await?;
    may_change(&cx, &before)?;
    let reason = present(body.reason).map(|reason| mask::numbers(&reason));
    match (before.status, body.status) {
        (BlacklistStatus::Active, BlacklistStatus::Lifted) => {
            Check::new().text("reason", reason.as_deref().unwrap_or_default(), 1..=REASON).done()?;
        }
        (BlacklistStatus::Lifted, BlacklistStatus::Active) => {
            Check::new().that("reason", reason.is_none(), say("恢复时不需要原因", "Restoring takes no reason")).done()?;
            if before.expires_at.is_some_and(|at| at <= cx.now) {
                return Err(ApiError::State(say("名单已到期，请先修改到期时间", "The entry has expired: change its expiry first")));
            }
        }
        (BlacklistStatus::Active, BlacklistStatus::Active) => {
            return Err(ApiError::State(say("名单已生效", "The entry is already active")));
        }
        (BlacklistStatus::Lifted, BlacklistStatus::Lifted) => {
            return Err(ApiError::State(say("名单已解除", "The entry is already lifted")));
        }
    }
    let written = store::set_status(&mut tx, body.id, body.version, body.status, reason, cx.stamp()?).await.map_err(taken)?;
    versioned::changed(&cx, tx, before, written).await
}

/// `DELETE /blacklist/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let mut tx = cx.db().begin().await?;
    let before: BlacklistRow = versioned::hold_as_platform_staff(&cx, &mut tx, id).await?;
    may_change(&cx, &before)?;
    if !store::delete(&mut tx, id, cx.stamp()?).await? {
        return Err(ApiError::Missing);
    }
    versioned::deleted(&cx, tx, before).await
}

/// Entries by hand cannot have the source "import".
fn check_source(form: &Form, before: Option<BlacklistSource>) -> Result<()> {
    match form.source == BlacklistSource::Import && before != Some(BlacklistSource::Import) {
        true => Err(ApiError::field("source", say("来源“导入”只能由导入产生", "The source “Import” is only set by imports"))),
        false => Ok(()),
    }
}

/// All platform staff see entries for everywhere, masked; staff who see everything may change them.
fn may_change(cx: &Ctx, row: &BlacklistRow) -> Result<()> {
    match row.scope == BlacklistScope::Global && cx.viewer()?.scope() != Scope::All {
        true => Err(ApiError::Forbidden),
        false => Ok(()),
    }
}

/// The channel or the organisation must exist, within the scope of the viewer.
async fn check_place(tx: &mut Connection, scope: Scope, form: &Form) -> Result<()> {
    match form.scope {
        BlacklistScope::Global if scope == Scope::All => Ok(()),
        BlacklistScope::Global => Err(ApiError::field("scope", not_everywhere())),
        BlacklistScope::Channel if channel::find(&mut *tx, scope, form.scope_id).await?.is_some() => Ok(()),
        BlacklistScope::Channel => Err(ApiError::field("scopeId", say("请选择渠道", "Choose a channel"))),
        BlacklistScope::Organisation if org::find(&mut *tx, scope, form.scope_id).await?.is_some() => Ok(()),
        BlacklistScope::Organisation => Err(ApiError::field("scopeId", say("请选择机构", "Choose an organisation"))),
    }
}

/// The refusal of an entry that would also apply to others.
pub(super) fn not_everywhere() -> Say {
    say("您只能为自己的渠道或机构添加", "You can only add entries for your own channels or organisations")
}

fn there_already() -> ApiError {
    ApiError::Duplicate(say("相同范围内已有这个名单值", "There is already an active entry with this value and scope"))
}

fn taken(error: sqlx::Error) -> ApiError {
    match db::is_duplicate(&error) {
        true => there_already(),
        false => error.into(),
    }
}

/// Writes an audit row for an expired entry that was lifted for a new one.
async fn record_expired(cx: &Ctx, tx: &mut Connection, id: i64) -> Result<()> {
    let status = |status: BlacklistStatus| Some(<&str>::from(status).to_owned());
    let change = Change { field: "status".to_owned(), before: status(BlacklistStatus::Active), after: status(BlacklistStatus::Lifted) };
    Ok(audit::record(tx, &cx.actor()?, TARGET.of(id), Action::Update, &[change]).await?)
}
