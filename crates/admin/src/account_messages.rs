//! Messages to people about their own accounts.

use base::db::{Connection, Db};
use frame::access::session::Origin;
use frame::api::say;
use frame::message::{self, Audience, NewMessage};

/// The kind of record of these messages.
const BIZ: &str = "account";

/// An administrator has given the account a new password.
pub async fn password_reset(tx: &mut Connection, admin_id: i64, now: i64) -> Result<(), sqlx::Error> {
    let title = say("密码已被重置", "Your password was reset");
    let content = say(
        "管理员重置了您的登录密码，您在其他设备上的登录已全部退出。如果不是您要求的，请联系管理员。",
        "An administrator has reset your password, and you have been logged out on all other devices. If you did not request this, contact your administrator.",
    );
    message::send(tx, &NewMessage::to_person(admin_id, BIZ, title, content, now), now).await.map(drop)
}

/// The roles or the organisation of the account have changed.
pub async fn moved(tx: &mut Connection, admin_id: i64, now: i64) -> Result<(), sqlx::Error> {
    let title = say("角色或所属机构已变更", "Your roles or organisation have changed");
    let content = say(
        "管理员调整了您的角色或所属机构，菜单和可见的数据随之变化。",
        "An administrator has changed your roles or your organisation. Your menu and the data that you see change with them.",
    );
    message::send(tx, &NewMessage::to_person(admin_id, BIZ, title, content, now), now).await.map(drop)
}

/// A role has got or lost pages or points.
pub async fn granted(tx: &mut Connection, role_id: i64, now: i64) -> Result<(), sqlx::Error> {
    let title = say("角色权限已变更", "The permissions of your role have changed");
    let content = say(
        "管理员调整了您所在角色的菜单和权限，立即生效。",
        "An administrator has changed the menus and permissions of your role. The change applies at once.",
    );
    let message = NewMessage { audience: Audience::Role(role_id), ..NewMessage::to_person(role_id, "role", title, content, now) };
    message::send(tx, &message, now).await.map(drop)
}

/// Warns an account about a person who has its password and guesses its codes. Does nothing if `guessed` is none.
pub async fn guessed(db: &Db, guessed: Option<i64>, origin: &Origin, now: i64) -> Result<(), sqlx::Error> {
    let Some(admin_id) = guessed else { return Ok(()) };
    let title = say("您的密码可能已泄露", "Someone knows your password");
    let content = say(
        format!("有人输入了您的正确密码，并多次输错两步验证码。最后一次尝试来自 {}。如果不是您本人，请立即修改密码。", origin.ip),
        format!(
            "Someone entered your correct password and then too many incorrect codes. The last attempt came from {}. If it was not you, change your password now.",
            origin.ip
        ),
    );
    let mut tx = db.begin().await?;
    message::send(&mut tx, &NewMessage::to_person(admin_id, BIZ, title, content, now), now).await?;
    tx.commit().await
}

/// An administrator has removed the account's second factor.
pub async fn second_factor_removed(tx: &mut Connection, admin_id: i64, now: i64) -> Result<(), sqlx::Error> {
    let title = say("两步验证已被关闭", "Two-step verification was turned off");
    let content = say(
        "管理员关闭了您账号的两步验证，您的登录已全部退出。如果不是您要求的，请联系管理员。",
        "An administrator has turned off two-step verification for your account, and you have been logged out everywhere. If you did not request this, contact your administrator.",
    );
    message::send(tx, &NewMessage::to_person(admin_id, BIZ, title, content, now), now).await.map(drop)
}

/// Notifies an account that wrong passwords have just locked it. Does nothing if `closed` is none.
pub async fn locked(db: &Db, closed: Option<i64>, origin: &Origin, now: i64) -> Result<(), sqlx::Error> {
    let Some(admin_id) = closed else { return Ok(()) };
    let title = say("账号曾被临时锁定", "Your account was temporarily locked");
    let content = say(
        format!("连续多次输入错误密码，账号在对方所在网段被临时锁定。最后一次尝试来自 {}。如果不是您本人，请尽快修改密码。", origin.ip),
        format!(
            "After too many incorrect passwords, your account was temporarily locked for the network that they came from. The last attempt came from {}. If it was not you, change your password soon.",
            origin.ip
        ),
    );
    let mut tx = db.begin().await?;
    message::send(&mut tx, &NewMessage::to_person(admin_id, BIZ, title, content, now), now).await?;
    tx.commit().await
}
