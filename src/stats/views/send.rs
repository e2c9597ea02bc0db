//! Files of saved views that go to a role each day. Each person gets a file of their own, made as any export is: with the
//! rows and figures that they may see themselves.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::Row;
use tokio_util::sync::CancellationToken;

use super::store::{self, Due};
use crate::access::Roles;
use crate::access::role::Role;
use crate::api::export::task::{self, Scheduled};
use crate::api::options::SelectOption;
use crate::api::{App, Ctx, Result, say};
use crate::clock;
use crate::db::{Db, Tx};
use crate::message::{self, NewMessage};
use crate::stats::{PAGES, StatPage};

/// How often a node looks for views that are due.
const LOOK: Duration = Duration::from_secs(30);
/// Views of one look, at most.
const BATCH: i64 = 100;
/// People of a role who get a file, at most.
const MOST_PEOPLE: i64 = 500;

/// Sends what is due until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(LOOK, stop, async || {
        if let Err(error) = send_due(&app).await {
            tracing::error!(%error, "saved views: the files of today could not be ordered");
        }
    })
    .await;
}

/// Orders the files of all views that are due now; answers how many views there were.
pub async fn send_due(app: &App) -> std::result::Result<usize, sqlx::Error> {
    let now = app.clock.now();
    let day = clock::day(now).to_string();
    let due = store::due(&app.db, &day, clock::minute_of_day(now), BATCH).await?;
    for view in &due {
        let day = &day;
        let role = role(&app.db, &app.roles, view.role_id).await?;
        let role = &role;
        app.db.transact(|mut tx| async move { send(app, &mut tx, view, role.as_deref(), day, now).await }.boxed()).await?;
    }
    if !due.is_empty() {
        task::ADDED.notify_waiters();
    }
    Ok(due.len())
}

async fn send(app: &App, tx: &mut Tx, view: &Due, role: Option<&Role>, day: &str, now: i64) -> std::result::Result<(), sqlx::Error> {
    if !store::claim(tx, view, day).await? {
        return Ok(());
    }
    let page = PAGES.iter().find(|page| page.path == view.page);
    let Some(page) = page.filter(|page| role.is_some_and(|role| role.points.contains(page.export_point))) else {
        store::stop_sending(tx, view.id).await?;
        return tell_stopped(tx, view, now).await;
    };
    let mut asked = view.query.clone();
    asked.insert("format".to_owned(), "xlsx".into());
    if !view.columns.is_empty() {
        asked.insert("columns".to_owned(), view.columns.clone().into());
    }
    let title = title(view, page);
    for admin_id in people(tx, view.role_id).await? {
        let request_id = format!("view-{}-{day}-{admin_id}", view.id);
        let order = Scheduled {
            admin_id,
            role_id: view.role_id,
            call: page.export_call,
            title: &title,
            locale: view.locale,
            request_id: &request_id,
        };
        task::schedule(&app.keys, tx, &order, &asked, now).await?;
    }
    Ok(())
}

fn title(view: &Due, page: &StatPage) -> crate::api::Say {
    use crate::locale::Locale::{Chinese, English};
    let title = (page.title)();
    say(format!("{}（{}）", view.name, title.get(Chinese)), format!("{} ({})", view.name, title.get(English)))
}

/// The enabled accounts that hold a role.
async fn people(tx: &mut Tx, role_id: i64) -> std::result::Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT a.id FROM administrator a JOIN admin_role r ON r.admin_id = a.id \
         WHERE r.role_id = $1 AND a.status = 'enabled' AND a.deleted_at IS NULL ORDER BY a.id LIMIT $2",
    )
    .bind(role_id)
    .bind(MOST_PEOPLE)
    .fetch_all(&mut **tx)
    .await
}

async fn tell_stopped(tx: &mut Tx, view: &Due, now: i64) -> std::result::Result<(), sqlx::Error> {
    let title = say(format!("视图不再发送：{}", view.name), format!("A view is not sent any more: {}", view.name));
    let content = say("接收角色已停用或没有导出权限。", "The role it went to is disabled or may not export it.");
    message::send(tx, &NewMessage::to_person(view.admin_id, "export", title, content, now), now).await.map(drop)
}

/// An enabled role.
async fn role(db: &Db, roles: &Roles, id: i64) -> std::result::Result<Option<Arc<Role>>, sqlx::Error> {
    let row = sqlx::query("SELECT version FROM role WHERE id = $1 AND status = 'enabled' AND deleted_at IS NULL")
        .bind(id)
        .fetch_optional(db.read())
        .await?;
    match row {
        Some(row) => Ok(Some(roles.get(db, id, row.try_get("version")?).await?)),
        None => Ok(None),
    }
}

/// The roles that hold a point, to be chosen from.
pub async fn roles(cx: &Ctx, point: &str) -> Result<Vec<SelectOption>> {
    let rows = sqlx::query("SELECT id, version FROM role WHERE status = 'enabled' AND deleted_at IS NULL ORDER BY id")
        .fetch_all(cx.db().read())
        .await?;
    let mut found = Vec::new();
    for row in rows {
        let role = cx.app.roles.get(cx.db(), row.try_get("id")?, row.try_get("version")?).await?;
        if role.points.contains(point) {
            found.push(SelectOption { value: role.id, label: role.name(cx.locale).to_owned() });
        }
    }
    Ok(found)
}
