//! The warning that an organisation's licence ends soon: once for its last day, to the organisation's people and its
//! account manager. After the end, its plans are paused.

use sqlx::Row;

use base::clock::{self, DAY};
use base::db::{Connection, Sql};
use frame::api::{App, say};
use frame::message::{self, Link, NewMessage};

/// Days before the expiry at which the warning is sent.
const AHEAD: i64 = 30;

/// An organisation whose licence ends soon.
struct Ending {
    id: i64,
    name: String,
    /// The licence's last day.
    day: String,
    manager: Option<i64>,
}

/// Warns active organisations whose licence ends within the next days. Returns how many were warned; of
/// several nodes, one warns.
pub async fn warn(app: &App) -> Result<usize, sqlx::Error> {
    let now = app.clock.now();
    let mut sql = Sql::new(
        "SELECT id, name, licence_expire_on, owner_admin_id FROM organisation WHERE deleted_at IS NULL AND status = 'active' \
         AND licence_no IS NOT NULL AND COALESCE(licence_warned_for, '') <> licence_expire_on AND licence_expire_on >= ",
    );
    sql.bind(clock::day(now).to_string()).push(" AND licence_expire_on <= ").bind(clock::day(now + AHEAD * DAY).to_string());
    sql.push(" ORDER BY id");
    let mut warned = 0;
    for row in sql.fetch_all(app.db.read()).await? {
        let ending = Ending {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            day: row.try_get("licence_expire_on")?,
            manager: row.try_get("owner_admin_id")?,
        };
        let mut tx = app.db.begin().await?;
        if set_warned(&mut tx, &ending).await? {
            notify(&mut tx, &ending, app.clock.now()).await?;
            tx.commit().await?;
            warned += 1;
        }
    }
    Ok(warned)
}

async fn set_warned(tx: &mut Connection, ending: &Ending) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE organisation SET licence_warned_for = $1 WHERE id = $2 AND licence_expire_on = $3 AND COALESCE(licence_warned_for, '') <> $4",
    )
    .bind(&ending.day)
    .bind(ending.id)
    .bind(&ending.day)
    .bind(&ending.day)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

async fn notify(tx: &mut Connection, ending: &Ending, now: i64) -> Result<(), sqlx::Error> {
    let Ending { id, name, day, manager } = ending;
    let title = say(format!("机构资质即将到期：{name}"), format!("Licence expires soon: {name}"));
    let content = say(
        format!("资质有效期至 {day}，到期后计划将暂停，请及时更新。"),
        format!("The licence is valid until {day}. After that day plans are paused: please renew it in time."),
    );
    let about = |admin_id| NewMessage {
        biz_id: Some(*id),
        link: Some(Link { route: "orgList", query: vec![("keyword", name.clone())] }),
        ..NewMessage::to_person(admin_id, "licence", title.clone(), content.clone(), now)
    };
    if let Some(manager) = *manager {
        message::send(tx, &about(manager), now).await?;
    }
    // Its own people cannot open the list of organisations.
    let message = NewMessage { link: None, ..about(0) };
    message::to_holders(tx, "org/list/list", (*id, None), message, now).await
}
