//! The schema of a database of any version, read from the database itself.

use std::collections::BTreeMap;

use sqlx::{Any, Executor, Row};

use super::{Db, Engine};

/// The tables of a database, each with its columns; empty before any migration.
pub async fn tables<'e>(engine: Engine, on: impl Executor<'e, Database = Any>) -> Result<BTreeMap<String, Vec<String>>, sqlx::Error> {
    let sql = match engine {
        Engine::Sqlite => {
            "SELECT t.name AS t, c.name AS c FROM sqlite_master t JOIN pragma_table_info(t.name) c \
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid"
        }
        Engine::Postgres => {
            // The catalogue itself: the views of the information schema take seconds on a busy server.
            "SELECT c.relname::TEXT AS t, a.attname::TEXT AS c FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid \
             JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') \
             AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum"
        }
    };
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in sqlx::query(sql).fetch_all(on).await? {
        tables.entry(row.try_get("t")?).or_default().push(row.try_get("c")?);
    }
    Ok(tables)
}

impl Db {
    /// Whether it has a table.
    pub async fn has_table(&self, name: &str) -> Result<bool, sqlx::Error> {
        let sql = match self.engine {
            Engine::Sqlite => "SELECT name AS t FROM sqlite_master WHERE type = 'table' AND name = $1",
            Engine::Postgres => "SELECT tablename::TEXT AS t FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1",
        };
        Ok(sqlx::query(sql).bind(name.to_owned()).fetch_optional(self.read.pool()).await?.is_some())
    }

    /// Its tables, each with its columns.
    pub async fn tables(&self) -> Result<BTreeMap<String, Vec<String>>, sqlx::Error> {
        tables(self.engine, self.read.pool()).await
    }
}
