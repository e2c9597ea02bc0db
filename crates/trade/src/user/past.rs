//! An applicant as input of a risk report, and the past applications: how often the person came, under which names,
//! and who else came from the same place.

use serde_json::{Map, Value};
use sqlx::{Any, Executor, Row};

use super::model::UserStatus;
use super::person;
use super::store;
use crate::blacklist;
use base::clock::DAY;
use base::crypto::Keys;
use base::db::{self, Db};
use frame::places;

/// How far back applications count.
const BACK: i64 = 180 * DAY;
/// The most applications of one person that are read.
const MOST: i64 = 200;

/// An applicant whose risk is judged.
#[derive(Clone, Debug)]
pub struct Subject {
    pub id: i64,
    pub phone_hash: String,
    pub phone_mask: String,
    pub id_no_hash: Option<String>,
    pub device_hash: Option<String>,
    pub channel_id: i64,
    /// The applicant's own address and browser; none where staff entered the application.
    pub came_from: Option<CameFrom>,
    pub said: Map<String, Value>,
    /// The consent that has not been withdrawn.
    pub consent_id: Option<i64>,
}

/// Where an applicant came from.
#[derive(Clone, Debug)]
pub struct CameFrom {
    pub ip: String,
    /// The hash for the search; none if the address is not valid.
    pub ip_hash: Option<String>,
    pub user_agent: String,
}

/// One application of a person, this one or an earlier one.
#[derive(Clone, Debug)]
pub struct Application {
    pub id: i64,
    pub channel_id: i64,
    pub id_no_hash: Option<String>,
    /// Empty after erasure, as the city is.
    pub name_mask: Option<String>,
    pub city: String,
    pub star: Option<i64>,
    pub status: UserStatus,
    pub created_at: i64,
}

/// Numbers of other phones with something in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phones {
    /// With the same identity number.
    pub of_id_no: i64,
    /// From the same address, within a day and within 30.
    pub of_address_day: i64,
    pub of_address_month: i64,
    /// From the same address with the same browser, within 30 days.
    pub of_browser_month: i64,
    /// With the applicant's device, within 30 days.
    pub of_device_month: i64,
}

/// The applicant to be judged; none after erasure.
pub async fn subject<'e>(on: impl Executor<'e, Database = Any>, keys: &Keys, id: i64) -> frame::api::Result<Option<Subject>> {
    let row = sqlx::query(
        "SELECT u.id, u.no, u.phone_hash, u.phone_mask, u.id_no_hash, u.channel_id, u.client_ip, u.client_ip_enc, u.client_ip_hash, \
           u.device_hash, u.user_agent, u.created_by, u.said, \
           (SELECT MAX(k.id) FROM consent_record k WHERE k.user_id = u.id AND k.revoked_at IS NULL) AS consent_id \
         FROM applicant u WHERE u.id = $1 AND u.status <> 'erased'",
    )
    .bind(id)
    .fetch_optional(on)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let (ip, entered_by): (String, Option<i64>) = (store::address_of(&row, keys)?, row.try_get("created_by")?);
    let came_from = match entered_by {
        None if !ip.is_empty() => {
            let ip_hash = row.try_get::<Option<String>, _>("client_ip_hash")?.or_else(|| blacklist::ip_hash(keys, &ip));
            Some(CameFrom { ip, ip_hash, user_agent: row.try_get("user_agent")? })
        }
        _ => None,
    };
    Ok(Some(Subject {
        id: row.try_get("id")?,
        phone_hash: row.try_get("phone_hash")?,
        phone_mask: row.try_get("phone_mask")?,
        id_no_hash: row.try_get("id_no_hash")?,
        device_hash: row.try_get("device_hash")?,
        channel_id: row.try_get("channel_id")?,
        came_from,
        said: person::stored_said(&row)?,
        consent_id: row.try_get("consent_id")?,
    }))
}

/// The applications with the same phone, this one among them, the latest first. Other applications of channels in test mode are
/// left out.
pub async fn applications(db: &Db, subject: &Subject, now: i64) -> Result<Vec<Application>, sqlx::Error> {
    let rows = sqlx::query(OF_PHONE).bind(&subject.phone_hash).bind(now - BACK).bind(subject.id).bind(MOST).fetch_all(db.read()).await?;
    rows.iter()
        .map(|row| {
            let status: UserStatus = db::code(row, "status")?;
            let name_mask: String = row.try_get("name_mask")?;
            Ok(Application {
                id: row.try_get("id")?,
                channel_id: row.try_get("channel_id")?,
                id_no_hash: row.try_get("id_no_hash")?,
                name_mask: (status != UserStatus::Erased).then_some(name_mask),
                city: places::stored(row, "city")?,
                star: row.try_get("star")?,
                status,
                created_at: row.try_get("created_at")?,
            })
        })
        .collect()
}

/// How many phones came with the same value.
pub async fn phones(db: &Db, subject: &Subject, now: i64) -> Result<Phones, sqlx::Error> {
    let mut phones = Phones::default();
    if let Some(id_no_hash) = &subject.id_no_hash {
        phones.of_id_no = sqlx::query_scalar(OF_ID_NO).bind(id_no_hash).bind(now - BACK).bind(MOST).fetch_one(db.read()).await?;
    }
    if let Some(hash) = &subject.device_hash {
        let found = sqlx::query_scalar(OF_DEVICE).bind(hash).bind(now - 30 * DAY).bind(MOST);
        phones.of_device_month = found.fetch_one(db.read()).await?;
    }
    if let Some(CameFrom { ip, ip_hash, user_agent }) = &subject.came_from {
        let hash = ip_hash.as_deref().unwrap_or_default();
        let count = async |since: i64, of_browser: bool| {
            let statement = if of_browser { OF_BROWSER } else { OF_ADDRESS };
            let query = sqlx::query_scalar(statement).bind(hash).bind(since).bind(ip).bind(since);
            let query = if of_browser { query.bind(user_agent) } else { query };
            query.bind(MOST).fetch_one(db.read()).await
        };
        phones.of_address_day = count(now - DAY, false).await?;
        phones.of_address_month = count(now - 30 * DAY, false).await?;
        phones.of_browser_month = count(now - 30 * DAY, true).await?;
    }
    Ok(phones)
}

const OF_PHONE: &str = "SELECT id, channel_id, id_no_hash, name_mask, city, star, status, created_at FROM applicant \
     WHERE phone_hash = $1 AND created_at > $2 AND (test = 0 OR id = $3) ORDER BY created_at DESC, id DESC LIMIT $4";
const OF_ID_NO: &str = "SELECT COUNT(*) FROM (SELECT DISTINCT phone_hash FROM applicant WHERE id_no_hash = $1 AND created_at > $2 AND test = 0 \
     LIMIT $3) AS found";
const OF_DEVICE: &str = "SELECT COUNT(*) FROM (SELECT DISTINCT phone_hash FROM applicant WHERE device_hash = $1 AND device_hash IS NOT NULL \
     AND created_at > $2 AND test = 0 LIMIT $3) AS found";
// Applicants entered by staff have the address of the staff. Some addresses may still be stored in the older form.
const OF_ADDRESS: &str = "SELECT COUNT(*) FROM (SELECT DISTINCT phone_hash FROM (\
     SELECT phone_hash FROM applicant WHERE client_ip_hash = $1 AND client_ip_hash IS NOT NULL AND created_at > $2 AND test = 0 \
       AND created_by IS NULL \
     UNION ALL SELECT phone_hash FROM applicant WHERE client_ip = $3 AND client_ip <> '' AND created_at > $4 AND test = 0 \
       AND created_by IS NULL) AS came LIMIT $5) AS found";
const OF_BROWSER: &str = "SELECT COUNT(*) FROM (SELECT DISTINCT phone_hash FROM (\
     SELECT phone_hash, user_agent FROM applicant WHERE client_ip_hash = $1 AND client_ip_hash IS NOT NULL AND created_at > $2 AND test = 0 \
       AND created_by IS NULL \
     UNION ALL SELECT phone_hash, user_agent FROM applicant WHERE client_ip = $3 AND client_ip <> '' AND created_at > $4 AND test = 0 \
       AND created_by IS NULL) AS came WHERE came.user_agent = $5 LIMIT $6) AS found";

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::Sql;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn the_past_is_found_by_indexes() {
        let plans = Plans::open().await;
        for (text, index) in [
            (OF_PHONE, "applicant_phone (phone_hash=?"),
            (OF_ID_NO, "applicant_id_no (id_no_hash=?"),
            (OF_DEVICE, "applicant_device_hash (device_hash=?"),
            (OF_ADDRESS, "applicant_address (client_ip=?"),
            (OF_ADDRESS, "applicant_address_hash (client_ip_hash=?"),
            (OF_BROWSER, "applicant_address (client_ip=?"),
            (OF_BROWSER, "applicant_address_hash (client_ip_hash=?"),
        ] {
            let plan = plans.of(Sql::new(text)).await;
            assert!(plan.contains(index), "{plan}");
        }
    }
}
