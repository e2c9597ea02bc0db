//! The roles of a new installation: their rights and their data scopes. Staff change and delete them like roles of their own.

use std::collections::{BTreeSet, HashMap};

use sqlx::Row;

use base::db::Connection;
use frame::access::DataScope::{self, All, Myself, Org, Own, SubOrg};
use frame::access::role::BUILTIN_ADMIN;

/// Codes of screens, and actions on each.
type Actions = &'static [(&'static str, &'static [&'static str])];

/// A role to be added.
pub(super) struct NewRole {
    pub code: &'static str,
    pub chinese: &'static str,
    pub english: &'static str,
    /// Its work, in Chinese and English.
    pub about: (&'static str, &'static str),
    scope: DataScope,
    /// Its rights on every screen, including later ones.
    everywhere: Everywhere,
    /// Exceptions from these.
    without: Actions,
    /// Its additional rights.
    points: Actions,
}

/// A right on every screen.
#[derive(Clone, Copy)]
enum Everywhere {
    Nothing,
    /// The actions `list`, `view` and `export`.
    Reading,
    EachAction,
}

impl Everywhere {
    fn holds(self, action: &str) -> bool {
        match self {
            Everywhere::Nothing => false,
            Everywhere::Reading => matches!(action, "list" | "view" | "export"),
            Everywhere::EachAction => true,
        }
    }
}

impl NewRole {
    /// Whether it holds the point of an action on a screen.
    fn holds(&self, screen: &str, action: &str) -> bool {
        let among = |actions: Actions| actions.iter().any(|(named, actions)| *named == screen && actions.contains(&action));
        among(self.points) || (self.everywhere.holds(action) && !among(self.without))
    }
}

/// The built-in role: it has every point.
const ADMIN: NewRole = NewRole {
    code: BUILTIN_ADMIN,
    chinese: "超级管理员",
    english: "Administrator",
    about: ("", ""),
    scope: All,
    everywhere: Everywhere::Nothing,
    without: &[],
    points: &[],
};

pub(super) const ROLES: &[NewRole] = &[
    NewRole {
        code: "operator",
        chinese: "运营",
        english: "Operator",
        about: (
            "管理渠道、机构、产品和计划，处理申请人和推送",
            "Runs channels, organisations, products and plans; handles applicants and deliveries",
        ),
        scope: All,
        everywhere: Everywhere::EachAction,
        without: &[
            ("admin/audit", &["export", "list"]),
            ("admin/dictionary", &["delete"]),
            ("admin/list", &["create", "delete", "export", "resetPwd", "reveal", "status", "update"]),
            ("admin/login-log", &["export", "list"]),
            ("admin/menu", &["create", "delete", "list", "update"]),
            ("admin/role-list", &["create", "delete", "export", "grant", "list", "status", "update", "view"]),
            ("admin/session", &["list", "revoke"]),
            ("admin/setting", &["update"]),
            ("admin/test", &["rule"]),
            ("channel/list", &["delete"]),
            ("crm/achievements", &["target"]),
            (
                "crm/clue",
                &["claim", "export-plain", "follow", "money", "moneyAudit", "release", "reopen", "return", "reveal", "risk", "sms"],
            ),
            ("dashboard/monitor", &["list"]),
            ("finance/account", &["audit", "confirm", "freeze", "journal", "statement"]),
            ("finance/invoice", &["audit", "reveal"]),
            ("finance/partner", &["audit"]),
            ("finance/recharge", &["audit"]),
            ("org/list", &["delete"]),
            ("org/payee", &["create", "delete", "export", "update"]),
            ("org/receipt", &["audit", "delete"]),
            ("payConfig/list", &["create", "delete", "export", "status", "update"]),
            ("payConfig/order-list", &["refundAudit", "reveal", "settle"]),
            ("payConfig/pool-list", &["delete", "update"]),
            ("plan/list", &["audit", "delete"]),
            ("plan/push-list", &["export-plain", "reveal"]),
            ("project/list", &["audit"]),
            ("user/black-list", &["delete", "reveal"]),
            ("user/list", &["export-plain"]),
        ],
        points: &[],
    },
    NewRole {
        code: "finance",
        chinese: "财务",
        english: "Finance",
        about: ("审核收款、充值、发票和付款，对账", "Reviews receipts, recharges, invoices and payouts; reconciles"),
        scope: All,
        everywhere: Everywhere::Nothing,
        without: &[],
        points: &[
            ("channel/list", &["list", "view"]),
            ("product/list", &["list", "view"]),
            ("org/list", &["list", "view", "audit", "apiView", "apiAudit", "export"]),
            ("plan/list", &["list", "view", "export"]),
            ("plan/push-list", &["list", "view", "audit", "resolve", "export"]),
            ("org/receipt", &["list", "create", "update", "audit", "delete", "export"]),
            ("finance/recharge", &["list", "create", "audit", "export"]),
            ("finance/account", &["list", "adjust", "audit", "freeze", "statement", "journal", "export"]),
            ("finance/invoice", &["list", "create", "audit", "reveal", "export"]),
            ("finance/partner", &["list", "statement", "adjust", "pay", "audit", "export"]),
            ("payConfig/list", &["list", "view", "create", "update", "status", "delete", "export"]),
            ("payConfig/order-list", &["list", "create", "confirm", "refund", "refundAudit", "settle", "reconcile", "reveal", "export"]),
            ("payConfig/pool-list", &["list", "import", "audit", "update", "delete", "export"]),
            ("org/payee", &["list", "create", "update", "audit", "reveal"]),
            ("project/list", &["list", "view", "audit", "reveal"]),
            ("admin/list", &["list", "view"]),
            ("channel/uv-list", &["list", "export"]),
            ("product/uv-list", &["list", "export"]),
            ("org/uv-list", &["list", "export"]),
            ("org/uv-list2", &["list", "export"]),
            ("plan/uv-list", &["list", "export"]),
            ("chart/channel-list", &["list", "export"]),
            ("chart/product-list", &["list", "export"]),
            ("chart/system-list", &["list", "export"]),
            ("chart/score-list", &["list", "export"]),
            ("chart/org-list", &["list", "export"]),
            ("chart/org-d2d-list", &["list", "export"]),
            ("chart/channel-d2d-list", &["list", "export"]),
            ("chartMon/channel-list2", &["list", "export"]),
            ("chartMon/system-list2", &["list", "export"]),
            ("chartMon/org-list2", &["list", "export"]),
            ("chartMon/product-list2", &["list", "export"]),
        ],
    },
    NewRole {
        code: "service",
        chinese: "客服",
        english: "Customer service",
        about: ("接待在线咨询", "Answers chats"),
        scope: All,
        everywhere: Everywhere::Nothing,
        without: &[],
        points: &[
            ("chat/group", &["list"]),
            ("chat/manage", &["list"]),
            ("chat/client", &["list", "update", "reveal", "block", "export"]),
            ("chat/conversation", &["list", "send", "export"]),
            ("chat/wechat", &["list"]),
            ("chat/reply", &["list", "create", "update"]),
        ],
    },
    NewRole {
        code: "auditor",
        chinese: "审计",
        english: "Auditor",
        about: ("查看全部业务和操作日志，不能修改", "Reads everything and the audit trail; changes nothing"),
        scope: All,
        everywhere: Everywhere::Reading,
        without: &[
            ("admin/notice", &["list"]),
            ("chat/client", &["export", "list"]),
            ("chat/conversation", &["export", "list"]),
            ("chat/group", &["export", "list"]),
            ("chat/manage", &["export", "list"]),
            ("chat/reply", &["export", "list"]),
            ("chat/wechat", &["export", "list"]),
            ("crm/center", &["view"]),
            ("org/payee", &["export"]),
            ("payConfig/list", &["export", "list", "view"]),
            ("payConfig/pool-list", &["export", "list"]),
        ],
        points: &[("finance/account", &["journal"])],
    },
    NewRole {
        code: "channel_manager",
        chinese: "渠道经理",
        english: "Channel manager",
        about: ("管理自己负责的渠道", "Runs the channels that they own"),
        scope: Own,
        everywhere: Everywhere::Nothing,
        without: &[],
        points: &[
            ("channel/list", &["list", "view", "create", "update", "status", "test", "mode", "secret", "export"]),
            ("finance/partner", &["list", "export"]),
            ("project/list", &["list", "view", "create", "update", "withdraw"]),
            ("admin/test", &["list", "view", "check"]),
            ("channel/uv-list", &["list", "export"]),
            ("user/list", &["list", "view"]),
            ("user/feedback-list", &["list", "view", "export"]),
            ("user/mate-channel-list", &["list", "export"]),
            ("chart/channel-list", &["list", "export"]),
            ("chart/system-list", &["list", "export"]),
            ("chart/score-list", &["list", "export"]),
            ("chart/channel-d2d-list", &["list", "export"]),
            ("chartMon/channel-list2", &["list", "export"]),
            ("chartMon/system-list2", &["list", "export"]),
        ],
    },
    // Decides on plans and their changes, but makes none.
    NewRole {
        code: "director",
        chinese: "业务总监",
        english: "Director",
        about: ("审核计划、充值和退单，看经营数据", "Approves plans, recharges and returns; reads the figures"),
        scope: All,
        everywhere: Everywhere::Nothing,
        without: &[],
        points: &[
            ("channel/list", &["list", "view"]),
            ("product/list", &["list", "view"]),
            ("org/list", &["list", "view"]),
            ("finance/recharge", &["list", "audit", "export"]),
            ("finance/account", &["list", "audit", "export"]),
            ("finance/partner", &["list", "audit", "export"]),
            ("plan/list", &["list", "view", "audit", "try", "export"]),
            ("plan/push-list", &["list", "view", "audit", "resolve", "cancel", "again", "export"]),
            ("plan/uv-list", &["list", "export"]),
            ("user/list", &["list", "view"]),
            ("visualization", &["list"]),
            ("chart/channel-list", &["list", "export"]),
            ("chart/product-list", &["list", "export"]),
            ("chart/system-list", &["list", "export"]),
            ("chart/score-list", &["list", "export"]),
            ("chart/org-list", &["list", "export"]),
            ("chart/org-d2d-list", &["list", "export"]),
            ("chart/channel-d2d-list", &["list", "export"]),
            ("chartMon/channel-list2", &["list", "export"]),
            ("chartMon/system-list2", &["list", "export"]),
            ("chartMon/org-list2", &["list", "export"]),
            ("chartMon/product-list2", &["list", "export"]),
        ],
    },
    NewRole {
        code: "org_manager",
        chinese: "机构主管",
        english: "Organisation manager",
        about: ("机构主管：分配线索、管理员工、对账", "Of an organisation: assigns leads, manages staff, reads accounts"),
        scope: Org,
        everywhere: Everywhere::Nothing,
        without: &[],
        points: &[
            ("product/list", &["list", "view"]),
            ("org/list", &["list", "view"]),
            ("plan/list", &["list", "view", "own", "try", "export"]),
            ("plan/push-list", &["list", "view", "return", "reveal", "export", "export-plain"]),
            ("user/feedback-list", &["list", "view", "create", "export"]),
            ("org/receipt", &["list"]),
            ("finance/recharge", &["list", "create", "export"]),
            ("finance/account", &["list", "confirm", "export"]),
            ("finance/invoice", &["list", "create", "reveal", "export"]),
            ("payConfig/order-list", &["list", "create", "export"]),
            ("admin/list", &["list", "view", "create", "update", "status", "resetPwd"]),
            ("admin/notice", &["list", "create", "update", "delete"]),
            ("admin/audit", &["list"]),
            ("admin/login-log", &["list"]),
            ("admin/session", &["list", "revoke"]),
            ("product/uv-list", &["list", "export"]),
            ("org/uv-list", &["list", "export"]),
            ("visualization", &["list"]),
            ("org/uv-list2", &["list", "export"]),
            ("plan/uv-list", &["list", "export"]),
            ("plan/bgList", &["list", "export"]),
            ("crm/saleman", &["list", "create", "update", "sales", "pool", "export"]),
            (
                "crm/clue",
                &[
                    "list",
                    "view",
                    "follow",
                    "claim",
                    "assign",
                    "release",
                    "reopen",
                    "reveal",
                    "sms",
                    "risk",
                    "return",
                    "export",
                    "export-plain",
                    "money",
                    "moneyAudit",
                ],
            ),
            ("crm/achievements", &["list", "target", "export"]),
            ("crm/center", &["view"]),
            ("chart/product-list", &["list", "export"]),
            ("chart/system-list", &["list", "export"]),
            ("chart/score-list", &["list", "export"]),
            ("chart/org-list", &["list", "export"]),
            ("chart/org-d2d-list", &["list", "export"]),
            ("chartMon/system-list2", &["list", "export"]),
            ("chartMon/org-list2", &["list", "export"]),
            ("chartMon/product-list2", &["list", "export"]),
        ],
    },
    NewRole {
        code: "org_team_lead",
        chinese: "团队主管",
        english: "Team lead",
        about: ("机构的团队主管：分配和跟进本团队的线索", "Of an organisation: assigns and follows the leads of a team"),
        scope: SubOrg,
        everywhere: Everywhere::Nothing,
        without: &[],
        points: &[
            ("crm/saleman", &["list", "sales"]),
            (
                "crm/clue",
                &[
                    "list",
                    "view",
                    "follow",
                    "claim",
                    "assign",
                    "release",
                    "reopen",
                    "reveal",
                    "sms",
                    "risk",
                    "return",
                    "money",
                    "moneyAudit",
                ],
            ),
            ("crm/achievements", &["list", "target"]),
            ("crm/center", &["view"]),
        ],
    },
    NewRole {
        code: "org_sales",
        chinese: "机构销售",
        english: "Organisation sales",
        about: ("机构的销售：跟进自己的线索", "Of an organisation: follows their own leads"),
        scope: Myself,
        everywhere: Everywhere::Nothing,
        without: &[],
        points: &[
            ("crm/clue", &["list", "view", "follow", "claim", "release", "reveal", "sms", "risk", "return", "money"]),
            ("crm/achievements", &["list"]),
            ("crm/center", &["view"]),
        ],
    },
];

/// Adds the built-in administrator's role and all others with their points, and returns their ids by code. The menu must be
/// there.
pub async fn insert(tx: &mut Connection, now: i64) -> Result<HashMap<&'static str, i64>, sqlx::Error> {
    let nodes = nodes(tx).await?;
    let mut ids = HashMap::from([(ADMIN.code, insert_builtin(tx, now).await?)]);
    for role in ROLES {
        ids.insert(role.code, insert_granted(tx, role, &granted(role, &nodes), now).await?);
    }
    Ok(ids)
}

/// Adds a role with its nodes, and returns its id.
pub(super) async fn insert_granted(tx: &mut Connection, role: &NewRole, nodes: &BTreeSet<i64>, now: i64) -> Result<i64, sqlx::Error> {
    let place = ROLES.iter().position(|other| other.code == role.code).unwrap_or_default();
    let id = insert_role(tx, role, place as i64 + 2, now).await?;
    for node in nodes {
        sqlx::query("INSERT INTO role_menu (role_id, menu_id) VALUES ($1, $2)").bind(id).bind(node).execute(&mut *tx).await?;
    }
    Ok(id)
}

/// Adds the built-in administrator's role alone.
pub async fn insert_builtin(tx: &mut Connection, now: i64) -> Result<i64, sqlx::Error> {
    insert_role(tx, &ADMIN, 1, now).await
}

async fn insert_role(tx: &mut Connection, role: &NewRole, sort: i64, now: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO role (code, name, name_en, data_scope, default_route, sort, builtin, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id",
    )
    .bind(role.code)
    .bind(role.chinese)
    .bind(role.english)
    .bind(<&str>::from(role.scope))
    // An organisation's people begin with their workbench.
    .bind(role.code.starts_with("org_").then_some("crmCenter"))
    .bind(sort)
    .bind(i64::from(role.code == BUILTIN_ADMIN))
    .bind(now)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// The menu tree: id and parent of each node by its name, which for a point is its code.
pub(super) type Nodes = HashMap<String, (i64, Option<i64>)>;

pub(super) async fn nodes(tx: &mut Connection) -> Result<Nodes, sqlx::Error> {
    let rows = sqlx::query("SELECT id, parent_id, name FROM menu_node WHERE status = 'enabled'").fetch_all(tx).await?;
    rows.iter().map(|row| Ok((row.try_get("name")?, (row.try_get("id")?, row.try_get("parent_id")?)))).collect()
}

/// A role's points with the menus above them.
pub(super) fn granted(role: &NewRole, nodes: &Nodes) -> BTreeSet<i64> {
    let parents: HashMap<i64, Option<i64>> = nodes.values().copied().collect();
    nodes
        .iter()
        .filter(|(name, _)| name.rsplit_once('/').is_some_and(|(screen, action)| role.holds(screen, action)))
        .map(|(_, (id, _))| *id)
        .flat_map(|id| std::iter::successors(Some(id), |id| parents.get(id).copied().flatten()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::routes;

    #[test]
    fn every_point_of_a_role_is_in_the_route_table() {
        let known: BTreeSet<&str> = routes::all().flat_map(|route| &route.points).map(|point| point.code.as_str()).collect();
        for role in ROLES {
            for (screen, actions) in role.points.iter().chain(role.without) {
                for action in *actions {
                    assert!(known.contains(format!("{screen}/{action}").as_str()), "{} of {}", action, role.code);
                }
            }
        }
    }
}
