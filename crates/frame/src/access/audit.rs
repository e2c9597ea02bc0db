//! The audit trail: who changed what, from what to what, in the transaction that changed it.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::Row;
use strum::{EnumString, IntoStaticStr};

use super::trail::Said;
use base::codes;
use base::db::{self, Connection, Db};
use base::locale::Locale;

/// Who acts, and the request by which the trail finds it.
#[derive(Clone, Debug)]
pub struct Actor {
    pub admin_id: i64,
    pub role_id: i64,
    pub ip: String,
    pub request_id: String,
    /// Epoch milliseconds.
    pub at: i64,
}

/// Who writes a row, and when.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    pub admin_id: i64,
    /// Epoch milliseconds.
    pub at: i64,
}

/// Where it was done: the area of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub enum Module {
    Blacklist,
    Channel,
    Organisation,
    Receipt,
    Finance,
    Payment,
    Plan,
    Push,
    Return,
    Clue,
    Team,
    Salesperson,
    CluePool,
    Product,
    User,
    Feedback,
    ClueMoney,
    Achievement,
    Statistics,
    ChatGroup,
    ChatStaff,
    ChatReply,
    ChatWechat,
    ChatCustomer,
    Conversation,
    Project,
    Admin,
    Role,
    Setting,
    Compliance,
    Dictionary,
    Agreement,
    Menu,
    Notice,
    Session,
    Audit,
    LoginLog,
    Sms,
    Upload,
    Export,
}

impl Module {
    /// Its code in the trail. Changes of pushes and returns are stored as changes of plans: older versions did not
    /// distinguish them, and a node with an older version must be able to read them.
    pub fn kept(self) -> &'static str {
        match self {
            Module::Push | Module::Return => Module::Plan.into(),
            other => other.into(),
        }
    }

    /// The area of an entry that is kept so, about a record of this kind.
    pub fn told(kept: Module, kind: &str) -> Module {
        match (kept, kind) {
            (Module::Plan, "push_record") => Module::Push,
            (Module::Plan, "lead_return") => Module::Return,
            _ => kept,
        }
    }

    /// What people call it.
    pub fn label(self, locale: Locale) -> &'static str {
        match self {
            Module::Blacklist => locale.pick("黑名单", "Blacklist"),
            Module::Channel => locale.pick("渠道", "Channels"),
            Module::Receipt => locale.pick("收款单", "Receipts"),
            Module::Finance => locale.pick("财务", "Finance"),
            Module::Payment => locale.pick("支付", "Payments"),
            Module::Organisation => locale.pick("机构", "Organisations"),
            Module::Plan => locale.pick("计划", "Plans"),
            Module::Push => locale.pick("推送", "Pushes"),
            Module::Return => locale.pick("退单", "Returns"),
            Module::Clue => locale.pick("线索", "Clues"),
            Module::Team => locale.pick("团队", "Teams"),
            Module::Salesperson => locale.pick("销售人员", "Salespeople"),
            Module::CluePool => locale.pick("公海池", "Pools"),
            Module::Product => locale.pick("产品", "Products"),
            Module::User => locale.pick("用户", "Users"),
            Module::Feedback => locale.pick("反馈", "Feedback"),
            Module::ClueMoney => locale.pick("线索收款", "Clue money"),
            Module::Achievement => locale.pick("业绩", "Achievements"),
            Module::ChatGroup => locale.pick("客服分组", "Service groups"),
            Module::ChatStaff => locale.pick("客服人员", "Service staff"),
            Module::ChatReply => locale.pick("回复设置", "Replies"),
            Module::ChatWechat => locale.pick("微信设置", "WeChat settings"),
            Module::ChatCustomer => locale.pick("客户", "Customers"),
            Module::Conversation => locale.pick("会话", "Conversations"),
            Module::Statistics => locale.pick("统计", "Statistics"),
            Module::Project => locale.pick("项目", "Projects"),
            Module::Admin => locale.pick("管理员", "Administrators"),
            Module::Role => locale.pick("角色", "Roles"),
            Module::Setting => locale.pick("通用设置", "General settings"),
            Module::Compliance => locale.pick("合规检测", "Compliance check"),
            Module::Dictionary => locale.pick("数据字典", "Dictionary"),
            Module::Agreement => locale.pick("授权书", "Agreements"),
            Module::Menu => locale.pick("菜单", "Menu"),
            Module::Notice => locale.pick("公告", "Announcements"),
            Module::Session => locale.pick("在线用户", "Online sessions"),
            Module::Audit => locale.pick("操作日志", "Audit trail"),
            Module::LoginLog => locale.pick("登录日志", "Login log"),
            Module::Sms => locale.pick("短信记录", "SMS log"),
            Module::Upload => locale.pick("上传文件", "Uploads"),
            Module::Export => locale.pick("导出任务", "Export tasks"),
        }
    }
}

codes! {
    /// The kind of action.
    pub enum Action {
        Create("新增", "Created"),
        Update("修改", "Edited"),
        Delete("删除", "Deleted"),
        Grant("授权", "Granted"),
        /// A list as a file.
        Export("导出", "Exported"),
        /// A file that was made earlier.
        Download("下载", "Downloaded"),
        Import("导入", "Imported"),
        /// A search by a whole number of a person.
        Search("按号码查找", "Searched by number"),
        ForceOut("强制下线", "Forced logout"),
        Reveal("查看明文", "Revealed"),
        Money("资金变动", "Money moved"),
        Other("其他", "Other"),
    }
}

/// One field of a change, with values in the form that people read. Secrets are never included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct Change {
    pub field: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// An entry as a record's history shows it.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AuditEntry {
    pub id: i64,
    /// Epoch milliseconds.
    pub at: i64,
    pub admin_name: String,
    pub action: Action,
    pub diff: Vec<Change>,
}

/// The row that was changed.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The area, e.g. `channel`.
    pub module: Module,
    /// The table, e.g. `channel`.
    pub kind: &'static str,
    /// None for actions that concern no single row, such as an export.
    pub id: Option<i64>,
}

impl Target {
    /// The same for one row.
    pub fn of(self, id: i64) -> Target {
        Target { id: Some(id), ..self }
    }
}

/// Writes one entry.
pub async fn record(tx: &mut Connection, actor: &Actor, target: Target, action: Action, changes: &[Change]) -> Result<(), sqlx::Error> {
    write(tx, Some((actor.admin_id, actor.role_id)), (&actor.request_id, &actor.ip), target, action, changes, actor.at).await
}

/// Writes one entry of an action of the program itself, without an actor.
pub async fn record_own(tx: &mut Connection, target: Target, action: Action, changes: &[Change], at: i64) -> Result<(), sqlx::Error> {
    write(tx, None, ("", ""), target, action, changes, at).await
}

/// Writes one entry of an action of a person without an account, with the id and the address of the request.
pub async fn record_visitor(
    tx: &mut Connection,
    from: (&str, &str),
    target: Target,
    action: Action,
    changes: &[Change],
    at: i64,
) -> Result<(), sqlx::Error> {
    write(tx, None, from, target, action, changes, at).await
}

async fn write(
    tx: &mut Connection,
    who: Option<(i64, i64)>,
    (request_id, ip): (&str, &str),
    target: Target,
    action: Action,
    changes: &[Change],
    at: i64,
) -> Result<(), sqlx::Error> {
    let diff = serde_json::to_string(changes).expect("texts serialise");
    let said = Said {
        admin_id: who.map(|(admin_id, _)| admin_id),
        role_id: who.map(|(_, role_id)| role_id),
        module: target.module.kept(),
        action: action.into(),
        target_type: target.kind,
        target_id: target.id,
        diff: &diff,
        request_id,
        ip,
        at,
    };
    let key = tx.trail_key()?;
    let seal = said.seal(&key);
    sqlx::query(
        "INSERT INTO operation_log (admin_id, role_id, module, action, target_type, target_id, diff, request_id, ip, at, seal) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(said.admin_id)
    .bind(said.role_id)
    .bind(said.module)
    .bind(said.action)
    .bind(said.target_type)
    .bind(said.target_id)
    .bind(said.diff)
    .bind(said.request_id)
    .bind(said.ip)
    .bind(said.at)
    .bind(seal)
    .execute(tx)
    .await
    .map(drop)
}

/// The fields in which two JSON objects differ, except bookkeeping ones. `before` is empty for a new record.
pub fn changes(before: Option<&impl Serialize>, after: Option<&impl Serialize>) -> Vec<Change> {
    const BOOKKEEPING: &[&str] = &["id", "version", "createdAt", "updatedAt", "labelColor"];
    let object = |value: Option<Value>| match value {
        Some(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let before = object(before.map(|value| serde_json::to_value(value).expect("a row serialises")));
    let after = object(after.map(|value| serde_json::to_value(value).expect("a row serialises")));
    let mut fields: Vec<&String> = after.keys().chain(before.keys().filter(|key| !after.contains_key(*key))).collect();
    fields.retain(|field| !BOOKKEEPING.contains(&field.as_str()) && before.get(*field) != after.get(*field));
    fields
        .into_iter()
        .map(|field| Change {
            field: field.clone(),
            before: before.get(field).and_then(readable),
            after: after.get(field).and_then(readable),
        })
        .filter(|change| change.before != change.after)
        .collect()
}

fn readable(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => Some(items.iter().filter_map(readable).collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty()),
        Value::Object(fields) => fields.get("name").and_then(readable).or_else(|| Some(value.to_string())),
        other => Some(other.to_string()),
    }
}

/// The changes as people read them: an id is left out if its name is included.
pub fn by_name(mut diff: Vec<Change>) -> Vec<Change> {
    /// Ids whose name fields do not follow the usual pattern.
    const NAMES: &[(&str, &str)] = &[("ownerAdminId", "ownerName"), ("createdBy", "creatorName"), ("scopeId", "scopeName")];
    let fields: HashSet<String> = diff.iter().map(|change| change.field.clone()).collect();
    diff.retain(|Change { field, .. }| {
        let name = NAMES.iter().find(|(id, _)| id == field).map(|(_, name)| (*name).to_owned());
        let name = name.or_else(|| Some(format!("{}Name", field.strip_suffix("Id")?)));
        name.is_none_or(|name| !fields.contains(&name))
    });
    diff
}

/// The latest entries about one row, newest first, at most 100.
pub async fn history(db: &Db, kind: &'static str, id: i64) -> Result<Vec<AuditEntry>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT l.id, l.at, l.action, l.diff, COALESCE(a.real_name, '') AS admin_name FROM operation_log l \
         LEFT JOIN administrator a ON a.id = l.admin_id \
         WHERE l.target_type = $1 AND l.target_id = $2 ORDER BY l.id DESC LIMIT 100",
    )
    .bind(kind)
    .bind(id)
    .fetch_all(db.read())
    .await?;
    rows.iter()
        .map(|row| {
            Ok(AuditEntry {
                id: row.try_get("id")?,
                at: row.try_get("at")?,
                admin_name: row.try_get("admin_name")?,
                action: db::code(row, "action")?,
                diff: by_name(db::json(row, "diff")?),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_differs_is_told() {
        let before = json!({"id": 1, "version": 1, "name": "a", "tags": ["x"], "price": 5, "note": null});
        let after = json!({"id": 1, "version": 2, "name": "b", "tags": ["x", "y"], "price": 5, "note": ""});
        let told = changes(Some(&before), Some(&after));
        assert_eq!(
            told,
            [
                Change { field: "name".into(), before: Some("a".into()), after: Some("b".into()) },
                Change { field: "tags".into(), before: Some("x".into()), after: Some("x, y".into()) },
            ]
        );
    }

    #[test]
    fn what_has_a_name_is_not_told_by_its_id() {
        let told = |fields: &[&str]| {
            let change = |field: &&str| Change { field: (*field).to_owned(), before: None, after: Some("1".to_owned()) };
            by_name(fields.iter().map(change).collect()).into_iter().map(|change| change.field).collect::<Vec<_>>()
        };
        assert_eq!(told(&["orgId", "orgName", "createdBy", "creatorName", "productId"]), ["orgName", "creatorName", "productId"]);
        assert_eq!(told(&["ownerAdminId", "ownerName", "asked.subOrgId", "asked.subOrgName"]), ["ownerName", "asked.subOrgName"]);
    }

    #[test]
    fn a_new_record_has_no_before() {
        let told = changes(None::<&Value>, Some(&json!({"id": 1, "name": "a", "note": null})));
        assert_eq!(told, [Change { field: "name".into(), before: None, after: Some("a".into()) }]);
    }
}
