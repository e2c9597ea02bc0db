//! Whether organisations may buy leads: plans check this before they run, and while they do.

use std::collections::HashMap;

use sqlx::{Any, Executor, Row};

use super::model::{OrgMode, OrgStatus};
use base::clock;
use base::db::{self, Sql};

/// The state of an organisation on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub status: OrgStatus,
    /// It is in test mode: it buys leads of test channels, and pays for none.
    pub test: bool,
    /// It has a licence whose last day is not over.
    pub licensed: bool,
    /// Its delivery settings are switched on.
    pub delivers: bool,
}

/// The present state of some organisations, by id.
pub async fn standings<'e>(
    on: impl Executor<'e, Database = Any>,
    ids: impl IntoIterator<Item = i64>,
    now: i64,
) -> Result<HashMap<i64, Standing>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT o.id, o.status, o.mode, o.licence_no, o.licence_expire_on, COALESCE(c.status, 'disabled') AS delivery FROM organisation o \
         LEFT JOIN org_api_config c ON c.org_id = o.id WHERE o.deleted_at IS NULL AND o.id IN ",
    );
    sql.ids(ids);
    let today = clock::day(now).to_string();
    sql.fetch_all(on)
        .await?
        .iter()
        .map(|row| {
            let (number, until): (Option<&str>, Option<&str>) = (row.try_get("licence_no")?, row.try_get("licence_expire_on")?);
            let standing = Standing {
                status: db::code(row, "status")?,
                test: db::code::<OrgMode>(row, "mode")? == OrgMode::Test,
                licensed: number.is_some() && until.is_some_and(|day| day >= today.as_str()),
                delivers: row.try_get::<&str, _>("delivery")? == "enabled",
            };
            Ok((row.try_get("id")?, standing))
        })
        .collect()
}
