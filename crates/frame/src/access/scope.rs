//! Data scope in SQL: the one helper every list, read, write, export and count uses.

use super::viewer::Scope;
use base::db::Sql;

/// The columns of a table that name the owners of a row; or, if rows of another table name them, conditions with `?`
/// for the owner. A scope without its column matches no row.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScopeColumns {
    /// The platform's owner of the record, an administrator's id.
    pub owner: Option<&'static str>,
    pub org: Option<&'static str>,
    pub sub_org: Option<&'static str>,
    /// The administrator that the row belongs to.
    pub myself: Option<&'static str>,
}

impl Scope {
    /// Whether the viewer is platform staff, not an organisation's.
    pub fn is_platforms(self) -> bool {
        matches!(self, Scope::All | Scope::Own(_))
    }

    /// Its name; two scopes with the same name are the same.
    pub fn code(self) -> String {
        match self {
            Scope::All => "all".to_owned(),
            Scope::Own(id) => format!("own:{id}"),
            Scope::Org(id) => format!("org:{id}"),
            Scope::SubOrg(id) => format!("sub_org:{id}"),
            Scope::Myself(id) => format!("self:{id}"),
            Scope::Nothing => "nothing".to_owned(),
        }
    }

    /// Appends the condition that keeps a statement inside this scope.
    pub fn apply(self, sql: &mut Sql, columns: ScopeColumns) {
        let (column, value) = match self {
            Scope::All => return,
            Scope::Own(id) => (columns.owner, id),
            Scope::Org(id) => (columns.org, id),
            Scope::SubOrg(id) => (columns.sub_org, id),
            Scope::Myself(id) => (columns.myself, id),
            Scope::Nothing => (None, 0),
        };
        let Some(column) = column else {
            sql.push(" AND 1 = 0");
            return;
        };
        if !column.contains('?') {
            sql.push(" AND ").push(column).push(" = ").bind(value);
            return;
        }
        for (index, part) in column.split('?').enumerate() {
            match index {
                0 => sql.push(" AND ").push(part),
                _ => sql.bind(value).push(part),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_without_its_column_matches_nothing() {
        let mut sql = Sql::new("x");
        Scope::Org(1).apply(&mut sql, ScopeColumns { owner: Some("o"), ..ScopeColumns::default() });
        Scope::Nothing.apply(&mut sql, ScopeColumns { owner: Some("o"), ..ScopeColumns::default() });
        assert_eq!(sql.text(), "x AND 1 = 0 AND 1 = 0");
    }

    #[test]
    fn the_owner_of_a_row_may_come_from_another_table() {
        let columns = ScopeColumns { owner: Some("c IN (SELECT id FROM t WHERE o = ?)"), org: Some("g"), ..ScopeColumns::default() };
        let mut sql = Sql::new("x");
        Scope::Own(7).apply(&mut sql, columns);
        Scope::Org(1).apply(&mut sql, columns);
        Scope::SubOrg(2).apply(&mut sql, columns);
        assert_eq!(sql.text(), "x AND c IN (SELECT id FROM t WHERE o = $1) AND g = $2 AND 1 = 0");
        let mut sql = Sql::new("x");
        Scope::Myself(7).apply(&mut sql, ScopeColumns { myself: Some("(a = ? OR b = ?)"), ..ScopeColumns::default() });
        assert_eq!(sql.text(), "x AND (a = $1 OR b = $2)");
    }
}
