//! This area's part of the workplace: the last changes, the viewer's own sign-ins.

use std::sync::Arc;

use super::audit_trail::{AuditFilters, AuditRow, AuditTrail};
use super::login_log::{LoginRow, Logins};
use super::store;
use base::db::Sql;
use frame::access::role;
use frame::api::first_steps::{FirstSteps, Step};
use frame::api::{Ctx, Id, Listing, Result, say};

/// The most sign-ins on the page of an account.
const MOST_SIGN_INS: i64 = 20;

/// The last changes within the viewer's scope, newest first; none for viewers who may not see the audit trail.
pub async fn recent_operations(cx: &Arc<Ctx>, most: i64) -> Result<Option<Vec<AuditRow>>> {
    let viewer = cx.viewer()?;
    if !viewer.has("admin/audit/list") {
        return Ok(None);
    }
    let mut sql = Sql::new(AuditTrail::SELECT);
    AuditTrail::narrow(&mut sql, &AuditFilters::default(), viewer.scope());
    sql.push(" ORDER BY l.at DESC, l.id DESC LIMIT ").bind(most);
    let rows = sql.fetch_all(cx.db().read()).await?;
    Ok(Some(rows.iter().map(|row| AuditTrail::read(row, cx.locale)).collect::<std::result::Result<_, _>>()?))
}

/// The last attempts to sign in under the viewer's name, by any person, newest first.
pub async fn own_sign_ins(cx: &Arc<Ctx>, most: i64) -> Result<Vec<LoginRow>> {
    sign_ins_as(cx, cx.viewer()?.username.clone(), most).await
}

/// `GET /admin/logins/{id}`: the last attempts to sign in to an account in the viewer's scope, newest first.
pub async fn sign_ins_of(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<LoginRow>> {
    let account = store::find(&mut cx.db().read().acquire().await?, &cx, id).await?;
    sign_ins_as(&cx, account.username, MOST_SIGN_INS).await
}

async fn sign_ins_as(cx: &Ctx, username: String, most: i64) -> Result<Vec<LoginRow>> {
    let mut sql = Sql::new(Logins::SELECT);
    sql.and("l.username = ", Some(username));
    // The log also holds the ends of locks.
    sql.push(" AND l.result IN ('ok', 'wrong', 'confirmed', 'denied', 'outside') ORDER BY l.at DESC, l.id DESC LIMIT ").bind(most);
    let rows = sql.fetch_all(cx.db().read()).await?;
    Ok(rows.iter().map(|row| Logins::read(row, cx.locale)).collect::<std::result::Result<_, _>>()?)
}

/// The first step of an installation: a second person, since plans and recharges need two.
pub fn first_step(steps: &mut FirstSteps<'_>) {
    steps.add(Step {
        point: "admin/list/create",
        href: "/admin/list",
        title: say("第二位审核人", "A second approver"),
        open: say(
            "计划和充值须由另一人审核：新增一位管理员，角色选“业务总监”",
            "A second person approves plans and recharges: add an administrator with the role Director",
        ),
        begun: say(
            "其他管理员还不能审核计划和充值：给其中一位加上角色“业务总监”",
            "The other administrators cannot approve plans and recharges: give one of them the role Director",
        ),
        has_begun: "(SELECT COUNT(*) FROM administrator WHERE status = 'enabled' AND deleted_at IS NULL AND org_id IS NULL) > 1",
        is_done: concat!(
            "(SELECT COUNT(*) FROM (",
            role::point_holders!("plan/list/audit"),
            ") AS p) > 1 AND (SELECT COUNT(*) FROM (",
            role::point_holders!("finance/recharge/audit"),
            ") AS c) > 1"
        ),
    });
}
