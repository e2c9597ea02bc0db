//! Daily files of saved views for a role. Each person gets their own file, made like any export: with the rows and
//! figures that they may see themselves.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::{Any, Executor, Row};
use tokio_util::sync::CancellationToken;

use super::TARGET;
use super::store::{self, Due};
use crate::{PAGES, StatPage};
use base::clock;
use base::db::{Db, Tx};
use frame::access::audit::{self, Action, Change};
use frame::access::role::Role;
use frame::access::{DataScope, Roles};
use frame::api::export::task::{self, Scheduled};
use frame::api::options::SelectOption;
use frame::api::{App, Ctx, Result, Say, say};
use frame::message::{self, NewMessage};

/// How often a node looks for views that are due.
const LOOK: Duration = Duration::from_secs(30);
/// Views of one round, at most.
const BATCH: i64 = 100;
/// People of a role who are read at once.
const PEOPLE: i64 = 500;

/// Sends due files until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(LOOK, stop, async || {
        if let Err(error) = send_due(&app).await {
            tracing::error!(%error, "saved views: the files of today could not be ordered");
        }
    })
    .await;
}

/// Orders the files of all due views. Returns how many views there were.
pub async fn send_due(app: &App) -> std::result::Result<usize, sqlx::Error> {
    let now = app.clock.now();
    let due = store::due(&app.db, now, BATCH).await?;
    for (id, view) in &due {
        let ordered = match view {
            Ok(view) => order(app, view, now).await.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        // A failed one does not stop the others.
        if let Err(error) = ordered {
            tracing::error!(error, view.id = id, "the files of a saved view could not be ordered");
            fail(app, *id, now).await?;
        }
    }
    if !due.is_empty() {
        task::ADDED.notify_waiters();
    }
    Ok(due.len())
}

/// Notes that the files of a view could not be ordered; after enough tries, its owner gets a message.
async fn fail(app: &App, id: i64, now: i64) -> std::result::Result<(), sqlx::Error> {
    app.db
        .transact(|mut tx| {
            async move {
                let Some(view) = store::failed(&mut tx, id, now).await? else { return Ok::<(), sqlx::Error>(()) };
                note_stopped(&mut tx, view.role_id, now).await?;
                let content = say(
                    "多次尝试均未能生成文件。请检查视图的筛选条件，保存后重新选择接收角色。",
                    "Its files could not be made however often it was tried. Check its filters, and save it with a role again.",
                );
                notify_stopped(&mut tx, (view.admin_id, &view.name), content, now).await
            }
            .boxed()
        })
        .await
}

/// Writes an audit row when files of a view are not sent to a role any more.
async fn note_stopped(tx: &mut Tx, role_id: i64, now: i64) -> std::result::Result<(), sqlx::Error> {
    let change = Change { field: "sendRoleId".to_owned(), before: Some(role_id.to_string()), after: None };
    audit::record_own(tx, TARGET, Action::Update, &[change], now).await
}

async fn order(app: &App, view: &Due, now: i64) -> std::result::Result<(), sqlx::Error> {
    let role = role(&app.db, &app.roles, view.role_id).await?;
    let owners = roles_of(app, view.admin_id).await?;
    let (role, owners) = (role.as_deref(), &owners);
    app.db.transact(|mut tx| async move { send(app, &mut tx, view, role, owners, now).await }.boxed()).await
}

/// The enabled roles of a person.
async fn roles_of(app: &App, admin_id: i64) -> std::result::Result<Vec<Arc<Role>>, sqlx::Error> {
    let ids: Vec<i64> =
        sqlx::query_scalar("SELECT role_id FROM admin_role WHERE admin_id = $1").bind(admin_id).fetch_all(app.db.read()).await?;
    let mut roles = Vec::new();
    for id in ids {
        roles.extend(role(&app.db, &app.roles, id).await?);
    }
    Ok(roles)
}

async fn send(
    app: &App,
    tx: &mut Tx,
    view: &Due,
    role: Option<&Role>,
    owners: &[Arc<Role>],
    now: i64,
) -> std::result::Result<(), sqlx::Error> {
    if !store::claim(tx, view).await? {
        return Ok(());
    }
    let page = PAGES.iter().find(|page| page.path == view.page);
    let exports = |role: &Role| page.is_some_and(|page| role.points.contains(page.export_point));
    let may_send = owners.iter().any(|role| role.scope == DataScope::All && exports(role));
    let (Some(page), Some(role)) = (page, role.filter(|role| may_send && exports(role))) else {
        store::stop_sending(tx, view.id).await?;
        note_stopped(tx, view.role_id, now).await?;
        let content = say(
            "接收角色已停用、没有导出权限，或您不再有导出权限。",
            "The role it went to is disabled or may not export it, or you may not any more.",
        );
        return notify_stopped(tx, (view.admin_id, &view.name), content, now).await;
    };
    let mut asked = view.query.clone();
    if view.is_made_up {
        let at = clock::day_start(&view.day).unwrap_or(now);
        match (page.days)(&asked, at) {
            Ok((first, last)) => {
                asked.remove("range");
                asked.insert("dayFrom".to_owned(), first.into());
                asked.insert("dayTo".to_owned(), last.into());
            }
            Err(error) => tracing::warn!(?error, view.id = view.id, "the days of a saved view cannot be read"),
        }
    }
    asked.insert("format".to_owned(), "xlsx".into());
    // An organisation's people do not have all the figures of the platform.
    let known = (page.columns)(matches!(role.scope, DataScope::All | DataScope::Own));
    let columns: Vec<&str> = view.columns.iter().map(String::as_str).filter(|key| known.contains(key)).collect();
    if !columns.is_empty() {
        asked.insert("columns".to_owned(), columns.into());
    }
    let title = title(view, page);
    let mut after = 0;
    loop {
        let some = people(&mut **tx, view.role_id, after).await?;
        let Some(last) = some.last().copied() else { return Ok(()) };
        for admin_id in some {
            let request_id = format!("view-{}-{}-{admin_id}", view.id, view.day);
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
        after = last;
    }
}

fn title(view: &Due, page: &StatPage) -> Say {
    use base::locale::Locale::{Chinese, English};
    let (title, name, day) = ((page.title)(), &view.name, &view.day);
    match view.is_made_up {
        false => say(format!("{name}（{}）", title.get(Chinese)), format!("{name} ({})", title.get(English))),
        true => say(format!("{name}（{}，补发 {day}）", title.get(Chinese)), format!("{name} ({}, late for {day})", title.get(English))),
    }
}

/// The next enabled accounts that hold a role, after the given one.
async fn people<'e>(on: impl Executor<'e, Database = Any>, role_id: i64, after: i64) -> std::result::Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT a.id FROM administrator a JOIN admin_role r ON r.admin_id = a.id \
         WHERE r.role_id = $1 AND a.status = 'enabled' AND a.deleted_at IS NULL AND a.id > $2 ORDER BY a.id LIMIT $3",
    )
    .bind(role_id)
    .bind(after)
    .bind(PEOPLE)
    .fetch_all(on)
    .await
}

async fn notify_stopped(tx: &mut Tx, (admin_id, name): (i64, &str), content: Say, now: i64) -> std::result::Result<(), sqlx::Error> {
    let title = say(format!("视图不再发送：{name}"), format!("A view is not sent any more: {name}"));
    message::send(tx, &NewMessage::to_person(admin_id, "export", title, content, now), now).await.map(drop)
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

/// The enabled roles that hold a point or a page, as `holds` says of its name, to be chosen from.
pub async fn roles(cx: &Ctx, name: &str, holds: fn(&Role, &str) -> bool) -> Result<Vec<SelectOption>> {
    let rows = sqlx::query("SELECT id, version FROM role WHERE status = 'enabled' AND deleted_at IS NULL ORDER BY id")
        .fetch_all(cx.db().read())
        .await?;
    let mut found = Vec::new();
    for row in rows {
        let role = cx.app.roles.get(cx.db(), row.try_get("id")?, row.try_get("version")?).await?;
        if holds(&role, name) {
            found.push(SelectOption { value: role.id, label: role.name(cx.locale).to_owned() });
        }
    }
    Ok(found)
}
