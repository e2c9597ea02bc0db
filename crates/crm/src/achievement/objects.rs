//! The organisations, teams and people that achievements can belong to.

use std::collections::HashMap;

use sqlx::Row;

use super::model::AchievementObject::{self, Company, Person, Team};
use super::sums::organisations;
use base::db::{Db, Sql};
use frame::access::Scope;

/// Objects of each kind that are read at most.
const MOST: i64 = 20_000;

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    pub kind: AchievementObject,
    pub id: i64,
    pub name: String,
    pub org_id: i64,
    pub org_name: String,
    /// The team itself; for a person the present team.
    pub sub_org_id: Option<i64>,
    pub sub_org_name: Option<String>,
    /// Deleted, or left.
    pub is_gone: bool,
}

impl Object {
    /// Whether a scope shows it: a salesperson's shows that person alone, a team's the team and its people.
    pub fn is_shown_to(&self, scope: Scope) -> bool {
        match scope {
            Scope::All | Scope::Own(_) | Scope::Org(_) => true,
            Scope::SubOrg(team) => self.kind != Company && self.sub_org_id == Some(team),
            Scope::Myself(id) => self.kind == Person && self.id == id,
            Scope::Nothing => false,
        }
    }
}

/// Objects by kind and id.
pub type Objects = HashMap<(AchievementObject, i64), Object>;

/// All objects of the organisations that a scope reaches, or of one of them.
pub async fn of(db: &Db, scope: Scope, org_id: Option<i64>) -> Result<Objects, sqlx::Error> {
    let mut all = Objects::new();
    for kind in [Company, Team, Person] {
        let mut sql = Sql::new(match kind {
            Company => {
                "SELECT o.id, o.name, o.id AS org_id, o.name AS org_name, CAST(NULL AS BIGINT) AS sub_org_id, CAST(NULL AS TEXT) AS sub_org_name, \
                 CASE WHEN o.deleted_at IS NULL THEN 0 ELSE 1 END AS gone FROM organisation o WHERE 1 = 1"
            }
            Team => {
                "SELECT g.id, g.name, g.org_id, o.name AS org_name, g.id AS sub_org_id, CAST(NULL AS TEXT) AS sub_org_name, \
                 CASE WHEN g.deleted_at IS NULL THEN 0 ELSE 1 END AS gone FROM sub_organisation g JOIN organisation o ON o.id = g.org_id WHERE 1 = 1"
            }
            Person => {
                "SELECT s.id, a.real_name AS name, s.org_id, o.name AS org_name, s.sub_org_id, g.name AS sub_org_name, \
                 CASE WHEN s.deleted_at IS NULL AND s.status <> 'left' THEN 0 ELSE 1 END AS gone FROM salesperson s \
                 JOIN administrator a ON a.id = s.id JOIN organisation o ON o.id = s.org_id LEFT JOIN sub_organisation g ON g.id = s.sub_org_id WHERE 1 = 1"
            }
        });
        sql.and("o.id = ", org_id);
        scope.apply(&mut sql, organisations!("o.id"));
        sql.push(" ORDER BY 1 LIMIT ").bind(MOST);
        for row in sql.fetch_all(db.read()).await? {
            let id: i64 = row.try_get("id")?;
            let object = Object {
                kind,
                id,
                name: row.try_get("name")?,
                org_id: row.try_get("org_id")?,
                org_name: row.try_get("org_name")?,
                sub_org_id: row.try_get("sub_org_id")?,
                sub_org_name: row.try_get("sub_org_name")?,
                is_gone: row.try_get::<i64, _>("gone")? != 0,
            };
            all.insert((kind, id), object);
        }
    }
    Ok(all)
}
