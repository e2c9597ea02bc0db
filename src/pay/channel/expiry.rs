//! Warns staff with the permission for payee channels that a merchant's certificate expires soon: once for each expiry date.

use sqlx::Row;

use crate::api::{App, say};
use crate::clock::{self, DAY};
use crate::db::Sql;
use crate::message::{self, Link, NewMessage};

/// Days before the expiry at which the warning is sent.
const AHEAD: i64 = 30;

/// Warns of certificates that end within the next days, of those of enabled channels also once they have ended. Returns
/// how many; of several nodes, one warns.
pub async fn warn_of_expiry(app: &App) -> Result<usize, sqlx::Error> {
    let now = app.clock.now();
    let mut sql = Sql::new(
        "SELECT id, code, name, cert_expire_on FROM payee_channel WHERE deleted_at IS NULL AND status = 'enabled' \
         AND COALESCE(cert_warned_for, '') <> cert_expire_on AND cert_expire_on <= ",
    );
    sql.bind(clock::day(now + AHEAD * DAY).to_string()).push(" ORDER BY id");
    let mut warned = 0;
    for row in sql.fetch_all(app.db.read()).await? {
        let (id, code, name): (i64, String, String) = (row.try_get("id")?, row.try_get("code")?, row.try_get("name")?);
        let day: String = row.try_get("cert_expire_on")?;
        let mut tx = app.db.begin().await?;
        let set = sqlx::query(
            "UPDATE payee_channel SET cert_warned_for = $1 WHERE id = $2 AND cert_expire_on = $3 AND COALESCE(cert_warned_for, '') <> $4",
        )
        .bind(&day)
        .bind(id)
        .bind(&day)
        .bind(&day)
        .execute(&mut *tx)
        .await?;
        if set.rows_affected() == 1 {
            let title = say(format!("收款通道证书即将到期：{name}"), format!("Certificate of a payee channel expires soon: {name}"));
            let content = say(
                format!("证书有效期至 {day}，到期后无法收款，请及时更换。"),
                format!("The certificate is valid until {day}. After that no payment can be taken: please renew it in time."),
            );
            let message = NewMessage {
                biz_id: Some(id),
                link: Some(Link { route: "payConfigList", query: vec![("keyword", code)] }),
                ..NewMessage::to_person(0, "payee_channel", title, content, now)
            };
            message::to_overseers(&mut tx, "payConfig/list/update", message, now).await?;
            tx.commit().await?;
            warned += 1;
        }
    }
    Ok(warned)
}
