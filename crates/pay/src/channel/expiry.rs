//! Warns staff with the permission for payee channels that a merchant's certificate, or the old key of a provider's platform, ends
//! soon: once for each date.

use sqlx::Row;

use base::clock::{self, DAY};
use base::db::Sql;
use frame::api::{App, say};
use frame::message::{self, Link, NewMessage};

/// Days before the expiry at which the warning is sent.
const AHEAD: i64 = 30;

/// A date of a channel, the column with the date that was last warned of, and the texts of the warning: the title,
/// which is followed by the channel's name, and the content before and after the date.
struct Ending {
    day: &'static str,
    warned_for: &'static str,
    title: (&'static str, &'static str),
    before: (&'static str, &'static str),
    after: (&'static str, &'static str),
}

const ENDINGS: [Ending; 2] = [
    Ending {
        day: "cert_expire_on",
        warned_for: "cert_warned_for",
        title: ("收款通道证书即将到期", "Certificate of a payee channel expires soon"),
        before: ("证书有效期至", "The certificate is valid until"),
        after: ("，到期后无法收款，请及时更换。", ". After that no payment can be taken: please renew it in time."),
    },
    Ending {
        day: "old_key_until",
        warned_for: "old_key_warned_for",
        title: ("收款通道的旧平台公钥即将停用", "Old platform key of a payee channel ends soon"),
        before: ("旧平台公钥使用至", "The old platform key is used until"),
        after: (
            "，之后只认新公钥，请确认微信支付已改用新公钥签名。",
            ". After that only the new key counts: please make sure that WeChat Pay signs by the new one.",
        ),
    },
];

/// Warns of certificates and old keys of enabled channels that end soon or have ended. Returns how many warnings were
/// sent; of several nodes, one sends each.
pub async fn warn_of_expiry(app: &App) -> Result<usize, sqlx::Error> {
    let mut warned = 0;
    for ending in &ENDINGS {
        warned += warn_of(app, ending).await?;
    }
    Ok(warned)
}

async fn warn_of(app: &App, ending: &Ending) -> Result<usize, sqlx::Error> {
    let now = app.clock.now();
    let (column, warned_for) = (ending.day, ending.warned_for);
    let mut sql = Sql::new("SELECT id, code, name, ");
    sql.push(column).push(" AS day FROM payee_channel WHERE deleted_at IS NULL AND status = 'enabled' AND COALESCE(");
    sql.push(warned_for).push(", '') <> ").push(column).push(" AND ").push(column).push(" <= ");
    sql.bind(clock::day(now + AHEAD * DAY).to_string()).push(" ORDER BY id");
    let mut warned = 0;
    for row in sql.fetch_all(app.db.read()).await? {
        let (id, code, name): (i64, String, String) = (row.try_get("id")?, row.try_get("code")?, row.try_get("name")?);
        let day: String = row.try_get("day")?;
        let mut tx = app.db.begin().await?;
        let mut set = Sql::new("UPDATE payee_channel SET ");
        set.push(warned_for).push(" = ").bind(day.clone()).push(" WHERE id = ").bind(id).push(" AND ").push(column).push(" = ");
        set.bind(day.clone()).push(" AND COALESCE(").push(warned_for).push(", '') <> ").bind(day.clone());
        if set.execute(&mut *tx).await? == 1 {
            let title = say(format!("{}：{name}", ending.title.0), format!("{}: {name}", ending.title.1));
            let content =
                say(format!("{} {day}{}", ending.before.0, ending.after.0), format!("{} {day}{}", ending.before.1, ending.after.1));
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
