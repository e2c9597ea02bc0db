//! The list of open sessions, and ending one.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::store::SCOPE;
use super::{account, role, rules, store};
use base::db::Sql;
use base::db::page::{self, ListSource, Page};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, Change, Module, Target};
use frame::access::online::{self, StillOpen};
use frame::access::user_agent::{self, Client};
use frame::api::list::lenient_integer;
use frame::api::{self, ApiError, Ctx, Id, ListFilters, ListQuery, say};

/// An open session as the list shows it. Times are epoch milliseconds.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct SessionRow {
    pub id: i64,
    pub admin_id: i64,
    pub username: String,
    pub real_name: String,
    /// Name of its role, in the viewer's language.
    pub role_name: String,
    /// None for the platform's own staff.
    pub org_name: Option<String>,
    pub ip: String,
    /// Name and version, and the system; empty if the browser did not send them.
    pub browser: String,
    pub os: String,
    /// It is the session of this request.
    pub current: bool,
    pub created_at: i64,
    pub last_seen_at: i64,
    pub expires_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionFilters {
    /// A part of a user name or a name.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub role_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    /// The beginning of an address.
    pub ip: Option<String>,
}

impl ListFilters for SessionFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("lastSeenAt", "s.last_seen_at"), ("createdAt", "s.created_at")];
    const ID: &'static str = "s.id";
}

const SELECT: &str = "SELECT s.id, s.admin_id, a.username, a.real_name, r.name, r.name_en, o.name AS org_name, s.ip, s.user_agent, \
     s.created_at, s.last_seen_at, s.expires_at \
     FROM admin_session s \
     JOIN administrator a ON a.id = s.admin_id AND a.status = 'enabled' AND a.deleted_at IS NULL \
     JOIN role r ON r.id = s.role_id AND r.status = 'enabled' AND r.deleted_at IS NULL \
     JOIN admin_role ar ON ar.admin_id = s.admin_id AND ar.role_id = s.role_id \
     LEFT JOIN organisation o ON o.id = a.org_id \
     WHERE s.revoked_at IS NULL";
const COUNT: &str = "SELECT s.id FROM admin_session s \
     JOIN administrator a ON a.id = s.admin_id AND a.status = 'enabled' AND a.deleted_at IS NULL \
     JOIN role r ON r.id = s.role_id AND r.status = 'enabled' AND r.deleted_at IS NULL \
     JOIN admin_role ar ON ar.admin_id = s.admin_id AND ar.role_id = s.role_id \
     WHERE s.revoked_at IS NULL";

/// The conditions of a list; a session belongs to its account.
fn narrow(sql: &mut Sql, filters: &SessionFilters, scope: Scope, open: StillOpen) {
    sql.and("s.expires_at > ", Some(open.now))
        .and("s.last_seen_at >= ", Some(open.seen_since()))
        .and("s.created_at >= ", Some(open.begun_since()))
        .and_contains(&["a.username", "a.real_name"], filters.keyword.as_deref())
        .and("s.role_id = ", filters.role_id)
        .and("a.org_id = ", filters.org_id)
        .and_prefix(&["s.ip"], filters.ip.as_deref());
    scope.apply(sql, SCOPE);
}

fn read(row: &AnyRow, locale: Locale, own: i64, open: StillOpen) -> Result<SessionRow, sqlx::Error> {
    let client = user_agent::read(row.try_get("user_agent")?, locale);
    let (id, began, seen) = (row.try_get("id")?, row.try_get("created_at")?, row.try_get("last_seen_at")?);
    Ok(SessionRow {
        id,
        admin_id: row.try_get("admin_id")?,
        username: row.try_get("username")?,
        real_name: row.try_get("real_name")?,
        role_name: row.try_get(locale.pick("name", "name_en"))?,
        org_name: row.try_get("org_name")?,
        ip: row.try_get("ip")?,
        browser: client.browser,
        os: client.os,
        current: id == own,
        created_at: began,
        last_seen_at: seen,
        expires_at: open.ends(began, seen, row.try_get("expires_at")?),
    })
}

/// `POST /session/page`: the last used first.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<SessionFilters>) -> api::Result<Page<SessionRow>> {
    let viewer = cx.viewer()?;
    let open = StillOpen::at(cx.app.gate(), cx.now).await?;
    let filter = |sql: &mut Sql| narrow(sql, &query.filters, viewer.scope(), open);
    let source = ListSource { select: SELECT, count: COUNT, filter: &filter, ids_first: false, newest: None };
    let own = |row: &AnyRow| read(row, cx.locale, viewer.session_id, open);
    Ok(page::page(cx.db(), &source, query.sort, query.current, query.page_size, own).await?)
}

/// `DELETE /session/{id}`: signs a person out at once. The viewer's current session ends by signing out, which also
/// clears the cookie.
pub async fn end(cx: Arc<Ctx>, Id(id): Id) -> api::Result<()> {
    let viewer = cx.viewer()?;
    let open = StillOpen::at(cx.app.gate(), cx.now).await?;
    let mut sql = Sql::new(SELECT);
    sql.and("s.id = ", Some(id));
    narrow(&mut sql, &SessionFilters::default(), viewer.scope(), open);
    let grantable = role::grantable(&cx).await?;
    let mut tx = cx.db().begin().await?;
    let row = sql.fetch_optional(&mut *tx).await?.ok_or(ApiError::Missing)?;
    let session = read(&row, cx.locale, viewer.session_id, open)?;
    if session.current {
        return Err(not_the_current());
    }
    // Viewers who may not change an account may not end its sessions either.
    if session.admin_id != viewer.id {
        rules::may_change(&store::find(&mut tx, &cx, session.admin_id).await?, &grantable)?;
    }
    if !online::revoke_of(&mut tx, session.admin_id, id, cx.now).await? {
        return Err(ApiError::Missing);
    }
    let target = Target { module: Module::Session, ..account::target(session.admin_id) };
    let change = session_change(&session.ip, Client { browser: session.browser, os: session.os });
    audit::record(&mut tx, &cx.actor()?, target, Action::ForceOut, &[change]).await?;
    tx.commit().await?;
    Ok(())
}

/// The refusal to end the session of this request.
pub fn not_the_current() -> ApiError {
    ApiError::State(say("这是当前会话，请退出登录", "This is your current session: log out instead"))
}

/// The audit change of a session that was ended: its browser, system and address.
pub fn session_change(ip: &str, client: Client) -> Change {
    let place =
        [client.browser.as_str(), client.os.as_str(), ip].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" · ");
    Change { field: "session".to_owned(), before: Some(place), after: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;
    use frame::setting::Values;

    #[tokio::test]
    async fn ended_sessions_are_never_read() {
        let open = StillOpen::by(&Values::default(), 9);
        let filter = |sql: &mut Sql| narrow(sql, &SessionFilters::default(), Scope::All, open);
        let source = ListSource { select: SELECT, count: COUNT, filter: &filter, ids_first: false, newest: None };
        for (name, column) in SessionFilters::SORTS {
            // There are only as many open sessions as staff, so the page may sort them.
            let plan = Plans::open().await.page(&source, column, SessionFilters::ID).await;
            assert!(plan.contains("SEARCH s USING INDEX") && !plan.contains("SCAN"), "{name}: {plan}");
        }
    }
}
