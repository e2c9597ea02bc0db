//! The audit trail as a list and a file: who changed what, when, from where. It is written by
//! `access::audit`, in the transaction of each change.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::role;
use base::db::{self, Sql};
use base::locale::Locale;
use frame::access::audit::{self, Action, Change, Module, Target};
use frame::access::{Scope, ScopeColumns};
use frame::api::export::{Cell, Sheet, column};
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::api::{self, ApiError, Ctx, Exporting, Id, ListFilters, Listing, say};
use frame::{setting, terms};

/// An entry as the audit trail lists it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AuditRow {
    pub id: i64,
    /// Epoch milliseconds.
    pub at: i64,
    /// Empty for actions of the program itself and of people without an account.
    pub admin_id: Option<i64>,
    pub admin_name: Option<String>,
    pub username: Option<String>,
    /// The account was deleted: it has no page.
    pub admin_deleted: bool,
    /// Name of the role that was active, in the viewer's language.
    pub role: Option<String>,
    /// The area, e.g. `channel`.
    pub module: Module,
    pub action: Action,
    /// The kind of the record, e.g. `push_record`.
    pub target_type: String,
    /// The id of the row; empty for actions that concern no single row.
    pub target_id: Option<i64>,
    /// Its number or name; empty if it is deleted.
    pub target_name: Option<String>,
    pub diff: Vec<Change>,
    pub ip: String,
    pub request_id: String,
}

/// Filters of the audit trail.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AuditFilters {
    /// A part of a username or a name.
    pub keyword: Option<String>,
    pub action: Option<Action>,
    pub module: Option<Module>,
    #[serde(deserialize_with = "lenient_integer")]
    pub target_id: Option<i64>,
    /// The kind of the record: the ids of two kinds in one module may be equal.
    pub target_type: Option<String>,
    /// As in the answer of a call.
    pub request_id: Option<String>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub at_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub at_to: Option<i64>,
}

impl ListFilters for AuditFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("at", "l.at")];
    const ID: &'static str = "l.id";
}

/// The audit trail.
pub struct AuditTrail;

impl Listing for AuditTrail {
    type Filters = AuditFilters;
    type Row = AuditRow;
    const SELECT: &'static str = "SELECT l.id, l.at, l.admin_id, a.real_name AS admin_name, a.username, \
     CAST(CASE WHEN a.id IS NULL OR a.deleted_at IS NOT NULL THEN 1 ELSE 0 END AS BIGINT) AS admin_deleted, r.name AS role_zh, r.name_en AS role_en, l.module, l.action, l.target_type, l.target_id, l.diff, \
     l.ip, l.request_id, CASE l.target_type \
     WHEN 'administrator' THEN (SELECT t.real_name FROM administrator t WHERE t.id = l.target_id) \
     WHEN 'role' THEN (SELECT t.name FROM role t WHERE t.id = l.target_id) \
     WHEN 'channel' THEN (SELECT t.name FROM channel t WHERE t.id = l.target_id) \
     WHEN 'organisation' THEN (SELECT t.name FROM organisation t WHERE t.id = l.target_id) \
     WHEN 'payee_organisation' THEN (SELECT t.name FROM payee_organisation t WHERE t.id = l.target_id) \
     WHEN 'product' THEN (SELECT t.name FROM product t WHERE t.id = l.target_id) \
     WHEN 'plan' THEN (SELECT t.name FROM plan t WHERE t.id = l.target_id) \
     WHEN 'project' THEN (SELECT t.name FROM project t WHERE t.id = l.target_id) \
     WHEN 'receipt' THEN (SELECT t.no FROM receipt t WHERE t.id = l.target_id) \
     WHEN 'recharge' THEN (SELECT t.no FROM recharge t WHERE t.id = l.target_id) \
     WHEN 'account_adjustment' THEN (SELECT t.no FROM account_adjustment t WHERE t.id = l.target_id) \
     WHEN 'payee_channel' THEN (SELECT t.name FROM payee_channel t WHERE t.id = l.target_id) \
     WHEN 'payment_order' THEN (SELECT t.no FROM payment_order t WHERE t.id = l.target_id) \
     WHEN 'payment_refund' THEN (SELECT t.no FROM payment_refund t WHERE t.id = l.target_id) \
     WHEN 'payment_exception' THEN (SELECT t.order_no FROM payment_exception t WHERE t.id = l.target_id) \
     WHEN 'payment_notice' THEN (SELECT t.order_no FROM payment_notice t WHERE t.id = l.target_id) \
     WHEN 'payment_statement' THEN (SELECT t.day FROM payment_statement t WHERE t.id = l.target_id) \
     WHEN 'payment_difference' THEN (SELECT t.number FROM payment_difference t WHERE t.id = l.target_id) \
     WHEN 'payment_link' THEN (SELECT t.url_mask FROM payment_link t WHERE t.id = l.target_id) \
     WHEN 'invoice' THEN (SELECT t.no FROM invoice t WHERE t.id = l.target_id) \
     WHEN 'org_account' THEN (SELECT t.name FROM organisation t WHERE t.id = l.target_id) \
     WHEN 'org_statement' THEN (SELECT t.month FROM org_statement t WHERE t.id = l.target_id) \
     WHEN 'partner_statement' THEN (SELECT t.statement_no FROM partner_statement t WHERE t.id = l.target_id) \
     WHEN 'partner_adjustment' THEN (SELECT t.adjustment_no FROM partner_adjustment t WHERE t.id = l.target_id) \
     WHEN 'partner_payout' THEN (SELECT t.payout_no FROM partner_payout t WHERE t.id = l.target_id) \
     WHEN 'push_record' THEN (SELECT t.no FROM push_record t WHERE t.id = l.target_id) \
     WHEN 'lead_return' THEN (SELECT p.no FROM lead_return t JOIN push_record p ON p.id = t.push_id WHERE t.id = l.target_id) \
     WHEN 'user' THEN (SELECT t.no FROM applicant t WHERE t.id = l.target_id) \
     WHEN 'feedback' THEN (SELECT u.no FROM feedback t JOIN applicant u ON u.id = t.user_id WHERE t.id = l.target_id) \
     WHEN 'blacklist_entry' THEN (SELECT t.value_mask FROM blacklist_entry t WHERE t.id = l.target_id) \
     WHEN 'message' THEN (SELECT t.title_zh FROM message t WHERE t.id = l.target_id) \
     WHEN 'sms_message' THEN (SELECT t.no FROM sms_message t WHERE t.id = l.target_id) \
     WHEN 'file' THEN (SELECT t.name FROM file t WHERE t.id = l.target_id) \
     WHEN 'export_task' THEN (SELECT t.title_zh FROM export_task t WHERE t.id = l.target_id) \
     WHEN 'menu_node' THEN (SELECT t.title_zh FROM menu_node t WHERE t.id = l.target_id) \
     WHEN 'dict_type' THEN (SELECT t.code FROM dict_type t WHERE t.id = l.target_id) \
     WHEN 'dict_item' THEN (SELECT t.value FROM dict_item t WHERE t.id = l.target_id) \
     WHEN 'compliance_rule' THEN (SELECT t.code FROM compliance_rule t WHERE t.id = l.target_id) \
     WHEN 'compliance_check' THEN (SELECT t.no FROM compliance_check t WHERE t.id = l.target_id) \
     WHEN 'clue' THEN (SELECT t.no FROM clue t WHERE t.id = l.target_id) \
     WHEN 'money_record' THEN (SELECT t.no FROM money_record t WHERE t.id = l.target_id) \
     WHEN 'salesperson' THEN (SELECT t.real_name FROM administrator t WHERE t.id = l.target_id) \
     WHEN 'sub_organisation' THEN (SELECT t.name FROM sub_organisation t WHERE t.id = l.target_id) \
     WHEN 'clue_pool' THEN (SELECT t.name FROM clue_pool t WHERE t.id = l.target_id) \
     WHEN 'chat_group' THEN (SELECT t.name FROM chat_group t WHERE t.id = l.target_id) \
     WHEN 'chat_staff' THEN (SELECT t.nickname FROM chat_staff t WHERE t.id = l.target_id) \
     WHEN 'chat_wechat' THEN (SELECT t.name FROM chat_wechat t WHERE t.id = l.target_id) \
     WHEN 'agreement' THEN (SELECT t.name FROM agreement t WHERE t.id = l.target_id) \
     WHEN 'saved_view' THEN (SELECT t.name FROM saved_view t WHERE t.id = l.target_id) \
     END AS target_zh, CASE l.target_type \
     WHEN 'role' THEN (SELECT t.name_en FROM role t WHERE t.id = l.target_id) \
     WHEN 'message' THEN (SELECT COALESCE(NULLIF(t.title_en, ''), t.title_zh) FROM message t WHERE t.id = l.target_id) \
     WHEN 'export_task' THEN (SELECT t.title_en FROM export_task t WHERE t.id = l.target_id) \
     WHEN 'menu_node' THEN (SELECT t.title_en FROM menu_node t WHERE t.id = l.target_id) \
     END AS target_en \
     FROM operation_log l LEFT JOIN administrator a ON a.id = l.admin_id LEFT JOIN role r ON r.id = l.role_id WHERE 1 = 1";
    const COUNT: &'static str = "SELECT l.id FROM operation_log l LEFT JOIN administrator a ON a.id = l.admin_id WHERE 1 = 1";

    /// An entry belongs to the person who acted: an organisation sees the actions of its people.
    fn narrow(sql: &mut Sql, filters: &AuditFilters, scope: Scope) {
        const SCOPE: ScopeColumns =
            ScopeColumns { owner: Some("l.admin_id"), org: Some("a.org_id"), sub_org: Some("a.sub_org_id"), myself: Some("l.admin_id") };
        sql.and_contains(&["a.username", "a.real_name"], filters.keyword.as_deref())
            .and("l.action = ", filters.action.map(<&str>::from))
            .and("l.module = ", filters.module.map(Module::kept))
            .and("l.target_id = ", filters.target_id)
            .and("l.target_type = ", filters.target_type.as_deref())
            .and("l.request_id = ", filters.request_id.as_deref())
            .and("l.at >= ", filters.at_from)
            .and("l.at < ", filters.at_to);
        match filters.module {
            Some(Module::Push) => drop(sql.push(" AND l.target_type = 'push_record'")),
            Some(Module::Return) => drop(sql.push(" AND l.target_type = 'lead_return'")),
            Some(Module::Plan) => drop(sql.push(" AND l.target_type NOT IN ('push_record', 'lead_return')")),
            _ => {}
        }
        scope.apply(sql, SCOPE);
    }

    fn read(row: &AnyRow, locale: Locale) -> Result<AuditRow, sqlx::Error> {
        let module = Module::of_entry(db::code(row, "module")?, row.try_get("target_type")?);
        Ok(AuditRow {
            id: row.try_get("id")?,
            at: row.try_get("at")?,
            admin_id: row.try_get("admin_id")?,
            admin_name: row.try_get("admin_name")?,
            username: row.try_get("username")?,
            admin_deleted: db::flag(row, "admin_deleted")?,
            role: row.try_get(locale.pick("role_zh", "role_en"))?,
            module,
            action: db::code(row, "action")?,
            target_type: row.try_get("target_type")?,
            target_id: row.try_get("target_id")?,
            target_name: match locale.pick(None, row.try_get("target_en")?) {
                Some(english) => Some(english),
                None => row.try_get("target_zh")?,
            },
            diff: diff(module, db::json(row, "diff")?, locale),
            ip: row.try_get("ip")?,
            request_id: row.try_get("request_id")?,
        })
    }
}

/// `GET /audit/{id}`: one entry within the viewer's scope.
pub async fn entry(cx: Arc<Ctx>, Id(id): Id) -> api::Result<AuditRow> {
    let mut sql = Sql::new(AuditTrail::SELECT);
    sql.and("l.id = ", Some(id));
    AuditTrail::narrow(&mut sql, &AuditFilters::default(), cx.viewer()?.scope());
    let row = sql.fetch_optional(cx.db().read()).await?.ok_or(ApiError::Missing)?;
    Ok(AuditTrail::read(&row, cx.locale)?)
}

impl Exporting for AuditTrail {
    fn sheet() -> Sheet<AuditRow> {
        Sheet {
            target: Target { module: Module::Audit, kind: "operation_log", id: None },
            title: say("操作日志", "Audit trail"),
            columns: vec![
                column("at", "时间", "Time", |row, _| Cell::Time(row.at)),
                column("adminName", "操作人", "Performed by", |row, _| Cell::text(row.admin_name.clone())),
                column("username", "用户名", "Username", |row, _| Cell::text(row.username.clone())),
                column("role", "角色", "Role", |row, _| Cell::text(row.role.clone())),
                column("module", "模块", "Area", |row, locale| Cell::text(row.module.label(locale).to_owned())),
                column("action", "操作", "Action", |row, locale| Cell::text(row.action.label(locale).to_owned())),
                column("targetName", "对象", "Record", |row, _| Cell::text(row.target_name.clone())),
                column("targetId", "对象编号", "Record ID", |row, _| row.target_id.map_or(Cell::Empty, Cell::Number)),
                column("diff", "变更内容", "Changes", |row, _| Cell::text(row.diff.iter().map(line).collect::<Vec<_>>().join("\n"))),
                column("ip", "IP", "IP", |row, _| Cell::text(row.ip.clone())),
                column("requestId", "请求编号", "Request ID", |row, _| Cell::text(row.request_id.clone())),
            ],
        }
    }
}

/// The changes as people read them: terms as sentences, settings and points with their titles.
fn diff(module: Module, diff: Vec<Change>, locale: Locale) -> Vec<Change> {
    let changes = terms::history::in_words(audit::by_name(diff), locale);
    match module {
        Module::Role => role::in_words(changes, locale),
        Module::Setting => {
            let title = |key: String| setting::about(&key).map_or(key, |about| locale.pick(about.title.0, about.title.1).to_owned());
            changes.into_iter().map(|change| Change { field: title(change.field), ..change }).collect()
        }
        _ => changes,
    }
}

fn line(change: &Change) -> String {
    let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    format!("{}: {} → {}", change.field, shown(&change.before), shown(&change.after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use frame::api::list_checks::every_sort_walks_an_index;

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<AuditTrail>(&[]).await;
    }
}
