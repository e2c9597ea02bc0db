//! Applicants in the database.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::check::Checks;
use super::form::ConsentForm;
use super::model::{ConsentState, UserConsent, UserDetail, UserFilters, UserRow, UserStatus};
use super::person::stored_said;
use super::submission::PreparedSubmission;
use crate::plan::push::people::withdrawn_at;
use crate::visit::{System, UNRATED};
use base::crypto::{Column, Keys, place};
use base::db::sql::typed;
use base::db::{self, Connection, Sql};
use base::mask;
use frame::access::{Scope, ScopeColumns};
use frame::api::YesNo;
use frame::places;

/// Who sees an applicant: the platform, and the manager of the channel. An organisation sees the leads that it
/// bought.
pub(super) const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("u.channel_id IN (SELECT s.id FROM channel s WHERE s.owner_admin_id = ?)"),
    org: None,
    sub_org: None,
    myself: None,
};

/// The query of the list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT u.id, u.no, u.name_mask, u.phone_mask, u.id_no_mask, u.province, u.city, u.sex, u.age, u.amount_cents, u.star, \
     u.channel_id, c.name AS channel_name, u.product_id, d.name AS product_name, u.system, u.test, u.status, u.reason, u.main_reason, u.main_condition, u.invalid_reason, u.rounds, u.version, \
     u.created_at, u.updated_at, ",
    withdrawn_at!("u.id"),
    " AS consent_withdrawn_at FROM applicant u JOIN channel c ON c.id = u.channel_id LEFT JOIN product d ON d.id = u.product_id WHERE 1 = 1"
);

/// The same rows, for the count.
pub const COUNT: &str = "SELECT u.id FROM applicant u WHERE 1 = 1";

/// Older applicants whose text names no city: it is not a code.
pub const NO_CITY: &str = "u.city <> '' AND (LENGTH(u.city) <> 6 OR u.city < '110000' OR u.city > '829999')";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &UserFilters, scope: Scope) {
    if let Some(hash) = &filters.keyword_hash {
        sql.push(" AND (u.phone_hash = ").bind(hash.clone()).push(" OR u.id_no_hash = ").bind(hash.clone()).push(")");
    }
    // Numbers given by the platform are in capitals.
    let keyword = typed(filters.keyword.as_deref());
    sql.and("u.no = ", keyword.map(str::to_uppercase))
        .and("u.channel_id = ", filters.channel_id)
        .and("u.product_id = ", filters.product_id)
        .and("u.status = ", filters.status.map(<&str>::from))
        .and("u.invalid_reason = ", filters.invalid_reason.map(<&str>::from))
        .and("u.main_reason = ", filters.main_reason.map(<&str>::from))
        // The condition of an earlier round stays when a later one has another reason.
        .and("u.main_reason = 'rules' AND u.main_condition = ", filters.main_condition.clone())
        .and("u.city = ", typed(filters.city.as_deref()).filter(|city| *city != places::UNKNOWN).map(places::code_or_text))
        .and("u.sex = ", filters.sex.clone())
        .and("u.age >= ", filters.age_min)
        .and("u.age <= ", filters.age_max)
        .and("u.amount_cents >= ", filters.amount_min)
        .and("u.amount_cents <= ", filters.amount_max)
        .and("u.star = ", filters.star.filter(|star| *star != UNRATED))
        .and("u.test = ", filters.test.map(|test| i64::from(test == YesNo::Yes)))
        .and("u.created_at >= ", filters.created_from)
        .and("u.created_at < ", filters.created_to);
    if let Some(failing) = filters.failing {
        sql.push(if failing == YesNo::Yes { " AND u.begun > 1" } else { " AND u.begun <= 1" });
    }
    if let Some(agreement_id) = filters.agreement_id {
        sql.push(" AND EXISTS (SELECT 1 FROM consent_record k WHERE k.user_id = u.id AND k.agreement_id = ").bind(agreement_id).push(")");
    }
    if let Some(consent) = filters.consent {
        sql.push(match consent {
            ConsentState::Given => " AND EXISTS (SELECT 1 FROM consent_record k WHERE k.user_id = u.id AND k.revoked_at IS NULL)",
            ConsentState::Withdrawn => {
                " AND u.id IN (SELECT k.user_id FROM consent_record k WHERE k.revoked_at IS NOT NULL AND k.revoked_via IS NOT NULL) \
                 AND NOT EXISTS (SELECT 1 FROM consent_record k WHERE k.user_id = u.id AND k.revoked_at IS NULL)"
            }
        });
    }
    if filters.city.as_deref() == Some(places::UNKNOWN) {
        sql.push(" AND ").push(NO_CITY);
    }
    if filters.star == Some(UNRATED) {
        sql.push(" AND u.star IS NULL");
    }
    if let Some(buyer) = filters.buyer_id {
        crate::plan::push::rows::bought_by(sql, "u.id", buyer, scope);
    }
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<UserRow, sqlx::Error> {
    Ok(UserRow {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        name_mask: row.try_get("name_mask")?,
        phone_mask: row.try_get("phone_mask")?,
        id_no_mask: row.try_get("id_no_mask")?,
        province: places::stored_province(row, "province")?,
        city: places::stored(row, "city")?,
        sex: row.try_get("sex")?,
        age: row.try_get("age")?,
        amount_cents: row.try_get("amount_cents")?,
        star: row.try_get("star")?,
        channel_id: row.try_get("channel_id")?,
        channel_name: row.try_get("channel_name")?,
        product_id: row.try_get("product_id")?,
        product_name: row.try_get("product_name")?,
        system: db::code(row, "system")?,
        test: db::flag(row, "test")?,
        status: db::code(row, "status")?,
        reason: row.try_get("reason")?,
        invalid_reason: db::optional_code(row, "invalid_reason")?,
        consent_withdrawn_at: row.try_get("consent_withdrawn_at")?,
        rounds: row.try_get("rounds")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// One applicant within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<UserRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("u.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// All stored data of one applicant, except for rounds and sales.
pub async fn detail(on: &db::Db, keys: &Keys, user: UserRow) -> frame::api::Result<UserDetail> {
    let row = sqlx::query(
        "SELECT u.no, u.said, u.checks, u.client_ip, u.client_ip_enc, u.device_enc, u.user_agent, u.source_url, u.request_id, u.invalid_note, \
           a.real_name AS entered_by FROM applicant u LEFT JOIN administrator a ON a.id = u.created_by WHERE u.id = $1",
    )
    .bind(user.id)
    .fetch_one(on.read())
    .await?;
    let consents = consents(on, keys, &user).await?;
    Ok(UserDetail {
        said: stored_said(&row)?,
        checks: db::json(&row, "checks")?,
        consents,
        client_ip: address_of(&row, keys)?,
        user_agent: row.try_get("user_agent")?,
        device_mask: opened_column(&row, keys, place::APPLICANT_DEVICE)?.as_deref().map(mask::device),
        source_url: row.try_get("source_url")?,
        request_id: row.try_get("request_id")?,
        entered_by: row.try_get("entered_by")?,
        invalid_note: row.try_get("invalid_note")?,
        user,
    })
}

/// The address of an applicant, from `no` and `client_ip_enc`, or from `client_ip` in older rows.
pub(super) fn address_of(row: &AnyRow, keys: &Keys) -> frame::api::Result<String> {
    match opened_column(row, keys, place::APPLICANT_ADDRESS)? {
        Some(address) => Ok(address),
        None => Ok(row.try_get("client_ip")?),
    }
}

/// The opened value of a sealed column of an applicant's row. The row has `no` as well.
fn opened_column(row: &AnyRow, keys: &Keys, column: Column) -> frame::api::Result<Option<String>> {
    let Some(sealed) = row.try_get::<Option<String>, _>(column.name)? else { return Ok(None) };
    Ok(Some(keys.open(&column.of(row.try_get::<String, _>("no")?), &sealed)?))
}

async fn consents(on: &db::Db, keys: &Keys, user: &UserRow) -> frame::api::Result<Vec<UserConsent>> {
    let rows = sqlx::query(
        "SELECT g.code, g.edition, g.digest, k.recipients, k.all_partners, k.granted_at, k.ip, k.user_agent, k.revoked_at, k.revoked_via \
         FROM consent_record k JOIN agreement g ON g.id = k.agreement_id WHERE k.user_id = $1 ORDER BY k.id",
    )
    .bind(user.id)
    .fetch_all(on.read())
    .await?;
    let mut consents = Vec::new();
    for row in &rows {
        let ids: Vec<i64> = db::json(row, "recipients")?;
        let mut sql = Sql::new("SELECT name FROM organisation WHERE id IN ");
        sql.ids(ids).push(" ORDER BY name");
        let recipients = sql.fetch_all(on.read()).await?.iter().map(|row| row.try_get("name")).collect::<Result<_, sqlx::Error>>()?;
        consents.push(UserConsent {
            agreement: row.try_get("code")?,
            version: row.try_get("edition")?,
            text_hash: row.try_get("digest")?,
            recipients,
            all_partners: db::flag(row, "all_partners")?,
            granted_at: row.try_get("granted_at")?,
            ip: opened(row.try_get("ip")?, keys, &user.no)?,
            user_agent: row.try_get("user_agent")?,
            revoked_at: row.try_get("revoked_at")?,
            revoked_via: db::optional_code(row, "revoked_via")?,
        });
    }
    Ok(consents)
}

/// The address of a consent, encrypted, or in clear in older rows.
fn opened(stored: String, keys: &Keys, no: &str) -> frame::api::Result<String> {
    match stored.is_empty() || stored.parse::<IpAddr>().is_ok() {
        true => Ok(stored),
        false => Ok(keys.open(&place::CONSENT_ADDRESS.of(no), &stored)?),
    }
}

/// An applicant to be added.
pub struct NewUser<'n> {
    pub no: String,
    pub prepared: &'n PreparedSubmission,
    pub system: System,
    pub status: UserStatus,
    pub checks: Checks,
    pub due_at: Option<i64>,
    /// What the channel gets for the application, in fen.
    pub channel_cost_cents: i64,
    /// The channel's share of loans to the applicant, in basis points.
    pub share_bp: i64,
    pub at: i64,
}

/// Adds applicants and returns their ids by their numbers.
pub async fn insert(tx: &mut Connection, new: &[NewUser<'_>]) -> Result<HashMap<String, i64>, sqlx::Error> {
    let mut ids = HashMap::new();
    for some in db::pieces(new) {
        let mut sql = Sql::new(
            "INSERT INTO applicant (no, phone_enc, phone_hash, phone_md5_hash, phone_mask, name_enc, name_mask, id_no_enc, id_no_hash, \
               id_no_mask, province, city, sex, age, amount_cents, said, channel_id, product_id, request_id, payload_hash, source_url, system, \
               client_ip, client_ip_enc, client_ip_hash, device_enc, device_hash, user_agent, test, status, reason, checks, due_at, created_at, \
               updated_at, created_by, channel_cost_cents, share_bp) VALUES ",
        );
        for (index, new) in some.iter().enumerate() {
            let (submission, sealed) = (&new.prepared.submission, &new.prepared.sealed);
            let (application, form) = (&submission.application, &submission.application.form);
            sql.push(if index == 0 { "(" } else { ", (" })
                .bind(new.no.clone())
                .then(sealed.phone_enc.clone())
                .then(sealed.phone_hash.clone())
                .then(sealed.phone_md5_hash.clone())
                .then(sealed.phone_mask.clone())
                .then(sealed.name_enc.clone())
                .then(sealed.name_mask.clone())
                .then(sealed.id_no_enc.clone())
                .then(sealed.id_no_hash.clone())
                .then(sealed.id_no_mask.clone())
                .then(form.province.clone())
                .then(application.text("city").unwrap_or_default().to_owned())
                .then(application.text("sex").map(str::to_owned))
                .then(application.number("age"))
                .then(application.number("applyAmountCents"))
                .then(Value::Object(form.applicant.clone()).to_string())
                .then(submission.channel.id)
                .then(new.prepared.product_id)
                .then(submission.request_id.clone())
                .then(new.prepared.payload_hash.clone())
                .then(form.source_url.clone())
                .then(<&str>::from(new.system))
                .then(String::new())
                .then(sealed.ip_enc.clone())
                .then(new.prepared.ip_hash.clone())
                .then(sealed.device_enc.clone())
                .then(sealed.device_hash.clone())
                .then(form.user_agent.clone().unwrap_or_default())
                .then(i64::from(submission.channel.test))
                .then(<&str>::from(new.status))
                .then(new.checks.failed.map(<&str>::from))
                .then(serde_json::to_string(&new.checks.made).expect("checks serialise"))
                .then(new.due_at)
                .then(new.at)
                .then(new.at)
                .then(submission.entered_by)
                .then(new.channel_cost_cents)
                .then(new.share_bp)
                .push(")");
        }
        sql.push(" RETURNING id, no");
        for row in sql.fetch_all(&mut *tx).await? {
            ids.insert(row.try_get("no")?, row.try_get("id")?);
        }
    }
    Ok(ids)
}

/// The consent of a new applicant.
pub struct NewConsent<'n> {
    pub user_id: i64,
    pub prepared: &'n PreparedSubmission,
    pub consent: &'n ConsentForm,
    pub at: i64,
}

/// Stores the consents of applicants.
pub async fn agree(tx: &mut Connection, new: &[NewConsent<'_>]) -> Result<(), sqlx::Error> {
    for some in db::pieces(new) {
        let mut sql = Sql::new(
            "INSERT INTO consent_record (user_id, phone_hash, agreement_id, recipients, all_partners, granted_at, \
               ip, user_agent, created_at) VALUES ",
        );
        for (index, NewConsent { user_id, prepared, consent, at }) in some.iter().enumerate() {
            let form = &prepared.submission.application.form;
            sql.push(if index == 0 { "(" } else { ", (" })
                .bind(*user_id)
                .then(prepared.sealed.phone_hash.clone())
                .then(prepared.agreement_id)
                .then(serde_json::to_string(&prepared.recipients).expect("ids serialise"))
                .then(i64::from(consent.all_partners))
                .then(consent.granted_at.unwrap_or(*at))
                .then(prepared.sealed.consent_ip_enc.clone().unwrap_or_default())
                .then(form.user_agent.clone().unwrap_or_default())
                .then(*at)
                .push(")");
        }
        sql.execute(&mut *tx).await?;
    }
    Ok(())
}

/// An earlier applicant, for the comparison with a later one.
pub struct Earlier {
    pub id: i64,
    pub no: String,
    pub status: UserStatus,
    pub payload_hash: String,
    pub created_at: i64,
}

/// Applicants by channel and the channel's number.
pub async fn by_requests(tx: &mut Connection, requests: &[(i64, String)]) -> Result<HashMap<(i64, String), Earlier>, sqlx::Error> {
    let mut found = HashMap::new();
    for some in db::padded(requests) {
        let mut sql = Sql::new("SELECT channel_id, request_id, id, no, status, payload_hash, created_at FROM applicant WHERE ");
        among(&mut sql, some);
        for row in sql.fetch_all(&mut *tx).await? {
            found.insert((row.try_get("channel_id")?, row.try_get("request_id")?), earlier(&row)?);
        }
    }
    Ok(found)
}

/// The condition that an applicant has one of these channel numbers.
fn among<'a>(sql: &mut Sql, requests: impl Iterator<Item = &'a (i64, String)>) {
    sql.push("request_id IS NOT NULL AND (channel_id, request_id) IN (VALUES ");
    let mut comma = "(";
    for (channel_id, request_id) in requests {
        sql.push(comma).bind(*channel_id).push(", ").bind(request_id.clone()).push(")");
        comma = ", (";
    }
    sql.push(")");
}

/// Of these channel numbers, those that belong to an applicant already.
pub async fn brought(on: &db::Reads, requests: &[(i64, String)]) -> Result<HashSet<(i64, String)>, sqlx::Error> {
    let mut found = HashSet::new();
    for some in db::padded(requests) {
        let mut sql = Sql::new("SELECT channel_id, request_id FROM applicant WHERE ");
        among(&mut sql, some);
        for row in sql.fetch_all(on).await? {
            found.insert((row.try_get("channel_id")?, row.try_get("request_id")?));
        }
    }
    Ok(found)
}

/// A phone whose last applicant is searched: its hash, whether in test mode, since when, and the channel if only its
/// applications count.
pub type Asked = (String, bool, i64, Option<i64>);

/// The last accepted applicant of each phone since a moment, in test mode or not; by the phone's hash. An applicant
/// who was marked invalid since counts if the phone or the answers are false. Each phone is searched once.
pub async fn last_of_phones(tx: &mut Connection, phones: &[Asked]) -> Result<HashMap<String, Earlier>, sqlx::Error> {
    let mut found = HashMap::new();
    for some in db::padded(phones) {
        for row in last_statement(some).fetch_all(&mut *tx).await? {
            found.insert(row.try_get("phone_hash")?, earlier(&row)?);
        }
    }
    Ok(found)
}

fn last_statement<'a>(phones: impl Iterator<Item = &'a Asked>) -> Sql {
    let mut sql = Sql::new("SELECT u.phone_hash, u.id, u.no, u.status, u.payload_hash, u.created_at FROM (VALUES ");
    let mut comma = "(";
    for (phone_hash, test, since, channel) in phones {
        sql.push(comma).bind(phone_hash.clone()).then(i64::from(*test)).then(*since).then(channel.unwrap_or(0)).push(")");
        comma = ", (";
    }
    // A cross join, so that SQLite walks the short list and looks each phone up. It uses the index on the phone:
    // columns with a plus use none.
    sql.push(
        ") AS v CROSS JOIN applicant u WHERE u.id = (SELECT l.id FROM applicant l WHERE l.phone_hash = v.column1 AND l.created_at > v.column3 \
           AND +l.test = v.column2 AND (v.column4 = 0 OR +l.channel_id = v.column4) AND (l.status IN ('registered', 'completed', 'matching', 'distributed', 'unmatched') \
             OR (l.status = 'invalid' AND l.invalid_reason IN ('wrong_number', 'wrong_person', 'false_data'))) \
           ORDER BY l.created_at DESC, l.id DESC LIMIT 1)",
    );
    sql
}

/// Whether an accepted applicant with this phone, by the keyed hash of its MD5, came since a moment: to any channel,
/// or to one.
pub async fn is_known<'e>(
    on: impl Executor<'e, Database = Any>,
    phone_md5_hash: &str,
    since: i64,
    channel_id: Option<i64>,
) -> Result<bool, sqlx::Error> {
    let known = sqlx::query(
        "SELECT id FROM applicant WHERE phone_md5_hash = $1 AND created_at > $2 AND test = 0 AND ($3 = 0 OR channel_id = $4) \
           AND (status IN ('completed', 'matching', 'distributed', 'unmatched') \
             OR (status = 'invalid' AND invalid_reason IN ('wrong_number', 'wrong_person', 'false_data'))) LIMIT 1",
    )
    .bind(phone_md5_hash)
    .bind(since)
    .bind(channel_id.unwrap_or(0))
    .bind(channel_id.unwrap_or(0))
    .fetch_optional(on)
    .await?;
    Ok(known.is_some())
}

fn earlier(row: &AnyRow) -> Result<Earlier, sqlx::Error> {
    Ok(Earlier {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        status: db::code(row, "status")?,
        payload_hash: row.try_get("payload_hash")?,
        created_at: row.try_get("created_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::list::Users;
    use super::*;
    use crate::match_log::PassedOver;
    use base::db::plans::Plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Users>(&[]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, UserFilters::default);
        for (index, filters) in [
            ("applicant_channel", UserFilters { channel_id: Some(1), ..none() }),
            ("applicant_product", UserFilters { product_id: Some(1), ..none() }),
            ("applicant_status", UserFilters { status: Some(UserStatus::Unmatched), ..none() }),
            ("applicant_main_reason", UserFilters { main_reason: Some(PassedOver::City), ..none() }),
            ("applicant_city", UserFilters { city: Some("上海市".into()), ..none() }),
            ("applicant_star", UserFilters { star: Some(3), ..none() }),
            ("applicant_test", UserFilters { test: Some(YesNo::Yes), ..none() }),
        ] {
            let plan = plan::<Users>(&plans, filters, Scope::All).await;
            assert!(plan.contains(&format!("SEARCH u USING COVERING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
        // The few applicants whose rounds keep failing have an index of their own.
        let failing = plan::<Users>(&plans, UserFilters { failing: Some(YesNo::Yes), ..none() }, Scope::All).await;
        assert!(failing.contains("USING COVERING INDEX applicant_failing") && !failing.contains("TEMP B-TREE"), "{failing}");
        // A whole number needs one or two look-ups.
        let found = plan::<Users>(&plans, UserFilters { keyword_hash: Some("x".into()), ..none() }, Scope::All).await;
        assert!(found.contains("applicant_phone (phone_hash=?") && found.contains("applicant_id_no (id_no_hash=?"), "{found}");
    }

    #[tokio::test]
    async fn earlier_applicants_are_found_by_phone_and_by_number() {
        let plans = Plans::open().await;
        let last = plans.of(last_statement([("x".to_owned(), false, 1, None)].iter())).await;
        assert!(last.contains("SEARCH l USING INDEX applicant_phone (phone_hash=? AND created_at>?)"), "{last}");
        assert!(last.contains("SEARCH u USING INTEGER PRIMARY KEY"), "{last}");
        let mut sql = Sql::new("SELECT id FROM applicant WHERE ");
        among(&mut sql, [(1, "x".to_owned())].iter());
        let brought = plans.of(sql).await;
        assert!(brought.contains("SEARCH applicant USING") && brought.contains("(channel_id=? AND request_id=?)"), "{brought}");
    }
}
