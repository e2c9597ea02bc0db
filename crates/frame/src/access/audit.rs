//! The audit trail: who changed what, from what to what, in the transaction that changed it.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::Row;

use super::trail::Said;
use base::codes;
use base::db::{self, Connection, Db};

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

codes! {
    /// The area of the record. The trail is filtered by them in this order.
    pub enum Module: camelCase {
        Blacklist("黑名单", "Blacklist"),
        Channel("渠道", "Channels"),
        Organisation("机构", "Organisations"),
        Receipt("收款单", "Receipts"),
        Finance("财务", "Finance"),
        Payment("支付", "Payments"),
        Plan("计划", "Plans"),
        Push("推送", "Deliveries"),
        Return("退单", "Returns"),
        Clue("线索", "Leads"),
        Team("团队", "Teams"),
        Salesperson("销售人员", "Salespeople"),
        CluePool("公海池", "Pools"),
        ChatGroup("客服分组", "Service groups"),
        ChatStaff("客服人员", "Agents"),
        ChatReply("回复设置", "Replies"),
        ChatWechat("微信设置", "WeChat settings"),
        ChatCustomer("客户", "Customers"),
        Conversation("会话", "Conversations"),
        Product("产品", "Products"),
        User("用户", "Users"),
        Feedback("反馈", "Feedback"),
        ClueMoney("线索收款", "Lead payments"),
        Statistics("统计", "Statistics"),
        Achievement("业绩", "Achievements"),
        Project("项目", "Projects"),
        Admin("管理员", "Administrators"),
        Session("在线用户", "Online sessions"),
        Role("角色", "Roles"),
        Setting("通用设置", "General settings"),
        Compliance("合规检测", "Compliance check"),
        Dictionary("数据字典", "Dictionary"),
        Agreement("授权书", "Agreements"),
        Menu("菜单", "Menu"),
        Notice("公告", "Announcements"),
        Audit("操作日志", "Audit trail"),
        LoginLog("登录日志", "Login log"),
        Sms("短信记录", "SMS log"),
        Upload("上传文件", "Uploads"),
        Export("导出任务", "Export tasks"),
    }
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

    /// The area of a stored entry about a record of this kind.
    pub fn of_entry(kept: Module, kind: &str) -> Module {
        match (kept, kind) {
            (Module::Plan, "push_record") => Module::Push,
            (Module::Plan, "lead_return") => Module::Return,
            _ => kept,
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

/// The same without some fields.
pub fn changes_without(left_out: &[&str], before: Option<&impl Serialize>, after: Option<&impl Serialize>) -> Vec<Change> {
    let mut changes = changes(before, after);
    changes.retain(|change| !left_out.contains(&change.field.as_str()));
    changes
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
    fn only_differences_are_changes() {
        let before = json!({"id": 1, "version": 1, "name": "a", "tags": ["x"], "price": 5, "note": null});
        let after = json!({"id": 1, "version": 2, "name": "b", "tags": ["x", "y"], "price": 5, "note": ""});
        let shown = changes(Some(&before), Some(&after));
        assert_eq!(
            shown,
            [
                Change { field: "name".into(), before: Some("a".into()), after: Some("b".into()) },
                Change { field: "tags".into(), before: Some("x".into()), after: Some("x, y".into()) },
            ]
        );
    }

    #[test]
    fn an_id_is_left_out_beside_its_name() {
        let shown = |fields: &[&str]| {
            let change = |field: &&str| Change { field: (*field).to_owned(), before: None, after: Some("1".to_owned()) };
            by_name(fields.iter().map(change).collect()).into_iter().map(|change| change.field).collect::<Vec<_>>()
        };
        assert_eq!(shown(&["orgId", "orgName", "createdBy", "creatorName", "productId"]), ["orgName", "creatorName", "productId"]);
        assert_eq!(shown(&["ownerAdminId", "ownerName", "asked.subOrgId", "asked.subOrgName"]), ["ownerName", "asked.subOrgName"]);
    }

    #[test]
    fn a_new_record_has_no_before() {
        let shown = changes(None::<&Value>, Some(&json!({"id": 1, "name": "a", "note": null})));
        assert_eq!(shown, [Change { field: "name".into(), before: None, after: Some("a".into()) }]);
    }
}
