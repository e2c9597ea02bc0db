//! Who and what every test's database begins with.
//!
//! | account | role | scope | of |
//! |---|---|---|---|
//! | `admin` (built-in) | `admin` | all | the platform |
//! | `operator` | `operator`: every point but `admin/list/reveal` | all | the platform |
//! | `auditor` | `auditor`: points that only read | all | the platform |
//! | `channel.manager`, `channel.second` | `channel_manager`: all of channels | own | the platform |
//! | `nobody` | `guest`: no points at all | self | the platform |
//! | `north.manager` | `org_manager`: all of administrators and of the CRM | org | North Star |
//! | `north.lead` | `team_lead`: lists and edits administrators, the CRM but for teams and pools | sub_org | North Star, First team |
//! | `north.sales1`, `north.sales2` | `org_sales`: lists administrators, works on clues | self | North Star, First team |
//! | `south.manager` | `org_manager` | org | Southern Cross |
//! | `south.sales1` | `org_sales` | self | Southern Cross |
//!
//! The password of all is [`PASSWORD`]. Phones: [`PHONE`] is `north.sales1`'s.

use sqlx::Row;

use super::keys;
use admin::menu;
use base::crypto;
use base::db::{Connection, Db};
use base::mask;
use base::password_hashing;
use frame::dict;
use trade::compliance;

/// The password of every account.
pub const PASSWORD: &str = "Blue-Kettle-7";
/// The phone of `north.sales1`.
pub const PHONE: &str = "13800000001";
/// When everything was made: 2026-01-01 in Shanghai.
pub const BEGINNING: i64 = 1_767_196_800_000;

/// Code, Chinese name, English name, data scope, and which points a role holds.
type Position = (&'static str, &'static str, &'static str, &'static str, fn(&str) -> bool);

const ROLES: &[Position] = &[
    ("operator", "运营", "Operator", "all", |point| point != "admin/list/reveal"),
    ("auditor", "审计", "Auditor", "all", |point| point.ends_with("/list") || point.ends_with("/view")),
    ("channel_manager", "渠道经理", "Channel manager", "own", |point| point.starts_with("channel/") || point.starts_with("chart")),
    ("guest", "访客", "Guest", "self", |_| false),
    ("org_manager", "机构经理", "Organisation manager", "org", |point| {
        point.starts_with("admin/list/")
            || point.starts_with("crm/")
            || point.starts_with("chart")
            || ["admin/audit/list", "admin/login-log/list"].contains(&point)
            || [
                "finance/recharge/list",
                "finance/recharge/create",
                "finance/account/list",
                "finance/account/confirm",
                "finance/invoice/list",
                "finance/invoice/create",
                "payConfig/order-list/list",
                "payConfig/order-list/create",
            ]
            .contains(&point)
    }),
    ("team_lead", "团队主管", "Team lead", "sub_org", |point| {
        ["admin/list/list", "admin/list/view", "admin/list/update"].contains(&point)
            || (point.starts_with("crm/") && !["crm/saleman/create", "crm/saleman/pool"].contains(&point))
    }),
    ("org_sales", "机构销售", "Salesperson", "self", |point| {
        let own = ["list", "view", "follow", "claim", "release", "reveal", "sms", "return", "risk", "money"];
        ["admin/list/list", "admin/list/view", "crm/achievements/list"].contains(&point)
            || point.starts_with("crm/center/")
            || point.strip_prefix("crm/clue/").is_some_and(|action| own.contains(&action))
    }),
];

/// Account, role, organisation, team, phone.
type Person = (&'static str, &'static str, Option<&'static str>, Option<&'static str>, Option<&'static str>);

const PEOPLE: &[Person] = &[
    ("operator", "operator", None, None, Some("13900000001")),
    ("auditor", "auditor", None, None, None),
    ("channel.manager", "channel_manager", None, None, None),
    ("channel.second", "channel_manager", None, None, None),
    ("nobody", "guest", None, None, None),
    ("north.manager", "org_manager", Some("north"), None, Some("13800000000")),
    ("north.lead", "team_lead", Some("north"), Some("First team"), None),
    ("north.sales1", "org_sales", Some("north"), Some("First team"), Some(PHONE)),
    ("north.sales2", "org_sales", Some("north"), Some("First team"), None),
    ("south.manager", "org_manager", Some("south"), None, None),
    ("south.sales1", "org_sales", Some("south"), None, Some("13700000001")),
];

/// Fills a migrated database.
pub async fn people(db: &Db) {
    menu::seed(db, BEGINNING).await.unwrap();
    dict::seed(db, BEGINNING).await.unwrap();
    compliance::seed(db, BEGINNING).await.unwrap();
    let password = password_hashing::hash_now(PASSWORD);
    let mut tx = db.begin().await.unwrap();
    for (code, name, team) in [("north", "北辰", "First team"), ("south", "南十字", "Harbour team")] {
        organisation(&mut tx, code, name, team).await;
    }
    role(&mut tx, ("admin", "超级管理员", "Administrator", "all", |_| true)).await;
    person(&mut tx, ("admin", "admin", None, None, None), &password).await;
    sqlx::query("UPDATE administrator SET builtin = 1").execute(&mut *tx).await.unwrap();
    sqlx::query("UPDATE role SET builtin = 1").execute(&mut *tx).await.unwrap();
    for each in ROLES {
        role(&mut tx, *each).await;
    }
    for each in PEOPLE {
        person(&mut tx, *each, &password).await;
    }
    // What the applications of tests name. Its digest is none of a text.
    sqlx::query(
        "INSERT INTO agreement (code, edition, name, text, digest, text_kept, valid_from, created_at, updated_at) \
         VALUES ('LOAN', '3', '个人信息授权书', '授权书全文', $1, 1, 0, 0, 0)",
    )
    .bind("a".repeat(64))
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

async fn organisation(tx: &mut Connection, code: &str, name: &str, team: &str) {
    sqlx::query("INSERT INTO organisation (code, name, short_name, type, mode, status, created_at, updated_at) VALUES ($1, $2, $3, 'broker', 'live', 'active', $4, $5)")
        .bind(code)
        .bind(name)
        .bind(name)
        .bind(BEGINNING)
        .bind(BEGINNING)
        .execute(&mut *tx)
        .await
        .unwrap();
    sqlx::query("INSERT INTO sub_organisation (org_id, name, created_at, updated_at) SELECT id, $1, created_at, created_at FROM organisation WHERE code = $2")
        .bind(team)
        .bind(code)
        .execute(tx)
        .await
        .unwrap();
}

/// A role with its points and the menus above them. The built-in one holds all without a grant.
async fn role(tx: &mut Connection, (code, name, english, scope, holds): Position) {
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO role (code, name, name_en, data_scope, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
    )
    .bind(code)
    .bind(name)
    .bind(english)
    .bind(scope)
    .bind(BEGINNING)
    .bind(BEGINNING)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    let points = sqlx::query(
        "SELECT p.path, p.id AS point, m.id AS menu, m.parent_id AS above FROM menu_node p JOIN menu_node m ON m.id = p.parent_id WHERE p.type = 'point'",
    )
    .fetch_all(&mut *tx)
    .await
    .unwrap();
    for row in points.iter().filter(|row| holds(row.get("path"))) {
        for node in ["point", "menu", "above"] {
            sqlx::query("INSERT INTO role_menu (role_id, menu_id) VALUES ($1, $2) ON CONFLICT DO NOTHING")
                .bind(id)
                .bind(row.get::<i64, _>(node))
                .execute(&mut *tx)
                .await
                .unwrap();
        }
    }
}

async fn person(tx: &mut Connection, (username, role, org, team, phone): Person, password: &str) {
    let keys = keys();
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO administrator (username, password_hash, real_name, phone_hash, phone_mask, org_id, sub_org_id, status, \
         pwd_changed_at, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, (SELECT id FROM organisation WHERE code = $6), \
         (SELECT id FROM sub_organisation WHERE name = $7), 'enabled', $8, $9, $10) RETURNING id",
    )
    .bind(username)
    .bind(password)
    .bind(format!("{} {username}", org.unwrap_or("platform")))
    .bind(phone.map(|phone| keys.lookup_hash(phone)))
    .bind(phone.map(mask::phone))
    .bind(org)
    .bind(team)
    .bind(BEGINNING)
    .bind(BEGINNING)
    .bind(BEGINNING)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    sqlx::query("UPDATE administrator SET phone_enc = $1 WHERE id = $2")
        .bind(phone.map(|phone| keys.seal(&crypto::place::ADMINISTRATOR_PHONE.of(id), phone)))
        .bind(id)
        .execute(&mut *tx)
        .await
        .unwrap();
    sqlx::query("INSERT INTO admin_role (admin_id, role_id) SELECT $1, id FROM role WHERE code = $2")
        .bind(id)
        .bind(role)
        .execute(tx)
        .await
        .unwrap();
}
