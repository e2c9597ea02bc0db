//! The demo's leads that nobody has seen yet: what the people of North Star find when they sign in.

use sqlx::Row;

use crate::clock::MINUTE;
use crate::crm::{self, NewLead};
use crate::db::Connection;

/// Whose they are, by user name, how many minutes ago they came, and whether they wait in the
/// team's pool instead.
const LEADS: &[(&str, i64, bool)] = &[
    ("north.sales1", 4, false),
    ("north.sales1", 26, false),
    ("north.sales2", 11, false),
    ("north.sales1", 53, true),
    ("north.sales2", 87, true),
];

/// Adds them.
pub async fn insert(tx: &mut Connection, now: i64) -> Result<(), sqlx::Error> {
    for (username, minutes, pooled) in LEADS {
        let row =
            sqlx::query("SELECT id, org_id, sub_org_id FROM administrator WHERE username = $1").bind(*username).fetch_one(&mut *tx).await?;
        let lead = NewLead {
            clue_id: None,
            org_id: row.try_get("org_id")?,
            sub_org_id: row.try_get("sub_org_id")?,
            owner_admin_id: if *pooled { None } else { Some(row.try_get("id")?) },
        };
        crm::lead_arrived(tx, lead, now - minutes * MINUTE).await?;
    }
    Ok(())
}
