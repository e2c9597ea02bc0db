//! SQLite's query plans of lists, for the tests of the areas: they show sorts and reads of whole tables.

use sqlx::{AssertSqlSafe, Row};
use tempfile::TempDir;

use super::page::{self, ListSource, Sort};
use super::{Db, Sql, migrate};

/// An empty database for the plans.
pub struct Plans {
    pub db: Db,
    _folder: TempDir,
}

impl Plans {
    pub async fn open() -> Plans {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::connect(&format!("sqlite:{}", folder.path().join("test.db").display())).await.unwrap();
        migrate::run(&db).await.unwrap();
        Plans { db, _folder: folder }
    }

    /// The plan of a statement, one step after the other.
    pub async fn of(&self, sql: Sql) -> String {
        let explain = format!("EXPLAIN QUERY PLAN {}", sql.text());
        let rows = sqlx::query(AssertSqlSafe(explain)).fetch_all(self.db.read()).await.unwrap();
        rows.iter().map(|row| row.get::<String, _>("detail")).collect::<Vec<_>>().join("; ")
    }

    /// The plan of a list's page.
    pub async fn page(&self, source: &ListSource<'_>, column: &'static str, id: &'static str) -> String {
        self.of(page::rows(source, Sort { column, id, descending: true }, 20, 0)).await
    }

    /// Asserts that a page walks an index for every sort and ends with the page's last row. `few` are columns with
    /// few values: rows with the same value are sorted by id.
    pub async fn every_sort_walks_an_index(
        &self,
        source: &ListSource<'_>,
        sorts: &[(&'static str, &'static str)],
        id: &'static str,
        few: &[&str],
    ) {
        for (name, column) in sorts {
            let plan = self.page(source, column, id).await;
            if let Some(moment) = source.newest.filter(|moment| moment != column) {
                // The newest matches come from the walk by the moment, and are sorted once.
                let walk = self.page(source, moment, id).await;
                let newest = plan.replace(" COVERING", "");
                assert!(newest.contains(&walk.replace(" COVERING", "")), "{name}: {plan}");
                assert_eq!(plan.matches("TEMP B-TREE").count(), 1, "{name}: {plan}");
                continue;
            }
            let sorted = if few.contains(name) { "USE TEMP B-TREE FOR ORDER BY" } else { "TEMP B-TREE" };
            assert!(!plan.contains(sorted), "{name}: {plan}");
            let walk = plan.split("; ").next().unwrap_or_default();
            assert!(walk.starts_with("SCAN ") && walk.contains(" INDEX "), "{name}: {plan}");
        }
    }
}
