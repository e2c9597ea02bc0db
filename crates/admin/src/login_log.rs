//! The login log as a list and a file: attempts to sign in, their origin and their result. It is written by
//! `access::sign_in`.

use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use base::codes;
use base::db::{self, Sql};
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::sign_in::UNKNOWN;
use frame::access::{Scope, ScopeColumns, user_agent};
use frame::api::export::{Cell, Sheet, column};
use frame::api::list::{day_from, day_to};
use frame::api::{Exporting, ListFilters, Listing, say};

codes! {
    /// The result of an attempt.
    pub enum LoginResult {
        /// Signed in.
        Ok("成功", "Logged in"),
        /// An unknown name or a wrong password.
        Wrong("失败", "Failed"),
        /// The password was right, and a second step followed: a code, or the password was confirmed by a person who
        /// is signed in.
        Confirmed("密码确认", "Password confirmed"),
        /// An administrator unlocked the account.
        Unlocked("解除锁定", "Unlocked"),
        /// From an address on the deny list; the password was not checked.
        Denied("IP 被禁止", "IP address denied"),
        /// The right password, from an address where its role may not be used.
        Outside("IP 不在允许范围", "IP address not allowed"),
    }
}

/// An attempt as lists show it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct LoginRow {
    pub id: i64,
    /// Epoch milliseconds.
    pub at: i64,
    /// As typed; an unknown name is stored as a hash, since it may be a password.
    pub username: String,
    /// Empty for an unknown name.
    pub admin_name: Option<String>,
    pub result: LoginResult,
    pub ip: String,
    /// Name and version, and the system; empty if the browser did not send them.
    pub browser: String,
    pub os: String,
    /// The browser's whole user agent.
    pub user_agent: String,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LoginFilters {
    /// A part of a username or a name.
    pub keyword: Option<String>,
    pub result: Option<LoginResult>,
    /// The beginning of an address.
    pub ip: Option<String>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub at_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub at_to: Option<i64>,
}

impl ListFilters for LoginFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("at", "l.at")];
    const ID: &'static str = "l.id";
}

/// The login log.
pub struct Logins;

impl Listing for Logins {
    type Filters = LoginFilters;
    type Row = LoginRow;
    const SELECT: &'static str = "SELECT l.id, l.at, l.username, a.real_name AS admin_name, l.result, l.ip, l.user_agent \
     FROM login_log l LEFT JOIN administrator a ON a.id = l.admin_id WHERE 1 = 1";
    const COUNT: &'static str = "SELECT l.id FROM login_log l LEFT JOIN administrator a ON a.id = l.admin_id WHERE 1 = 1";

    /// An attempt belongs to its account; attempts with unknown names are visible to viewers who see everything.
    fn narrow(sql: &mut Sql, filters: &LoginFilters, scope: Scope) {
        const SCOPE: ScopeColumns =
            ScopeColumns { owner: Some("l.admin_id"), org: Some("a.org_id"), sub_org: Some("a.sub_org_id"), myself: Some("l.admin_id") };
        sql.and_contains(&["l.username", "a.real_name"], filters.keyword.as_deref())
            .and("l.result = ", filters.result.map(<&str>::from))
            .and_prefix(&["l.ip"], filters.ip.as_deref())
            .and("l.at >= ", filters.at_from)
            .and("l.at < ", filters.at_to);
        scope.apply(sql, SCOPE);
    }

    fn read(row: &AnyRow, locale: Locale) -> Result<LoginRow, sqlx::Error> {
        let user_agent: String = row.try_get("user_agent")?;
        let client = user_agent::read(&user_agent, locale);
        Ok(LoginRow {
            id: row.try_get("id")?,
            at: row.try_get("at")?,
            username: shown(row.try_get("username")?, locale),
            admin_name: row.try_get("admin_name")?,
            result: db::code(row, "result")?,
            ip: row.try_get("ip")?,
            browser: client.browser,
            os: client.os,
            user_agent,
        })
    }
}

fn shown(username: &str, locale: Locale) -> String {
    match username.strip_prefix(UNKNOWN) {
        Some(sign) => format!("{} {}", locale.pick("未知用户名", "Unknown username"), sign.chars().take(6).collect::<String>()),
        None => username.to_owned(),
    }
}

impl Exporting for Logins {
    fn sheet() -> Sheet<LoginRow> {
        Sheet {
            target: Target { module: Module::LoginLog, kind: "login_log", id: None },
            title: say("登录日志", "Login log"),
            columns: vec![
                column("at", "时间", "Time", |row, _| Cell::Time(row.at)),
                column("username", "用户名", "Username", |row, _| Cell::text(row.username.clone())),
                column("adminName", "姓名", "Name", |row, _| Cell::text(row.admin_name.clone())),
                column("result", "结果", "Result", |row, locale| Cell::text(row.result.label(locale).to_owned())),
                column("ip", "IP", "IP", |row, _| Cell::text(row.ip.clone())),
                column("browser", "浏览器", "Browser", |row, _| Cell::text(row.browser.clone())),
                column("os", "操作系统", "Operating system", |row, _| Cell::text(row.os.clone())),
                column("userAgent", "User-Agent", "User agent", |row, _| Cell::text(row.user_agent.clone())),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frame::api::list_checks::every_sort_walks_an_index;

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Logins>(&[]).await;
    }
}
