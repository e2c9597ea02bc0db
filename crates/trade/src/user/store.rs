//! Applicants in the database.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::arrival::Arrival;
use super::check::Checks;
use super::form::ConsentForm;
use super::model::{ConsentState, InvalidReason, RevealedUser, UserConsent, UserDetail, UserFilters, UserRow, UserStatus, WithdrawnVia};
use crate::blacklist::Suspect;
use crate::plan::push::edited::Edited;
use crate::plan::push::people::withdrawn_at;
use crate::visit::{System, UNRATED};
use base::clock::MINUTE;
use base::crypto::{self, Column, Keys, place};
use base::db::sql::typed;
use base::db::{self, Connection, Db, Sql, padded};
use frame::access::{Scope, ScopeColumns};
use frame::api::YesNo;
use frame::places;
use frame::terms::applicant::in_one_form;

/// Whose an applicant is: the platform's, and the manager's of the channel that brought him. What an
/// organisation sees of him is the lead that it bought.
const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("u.channel_id IN (SELECT s.id FROM channel s WHERE s.owner_admin_id = ?)"),
    org: None,
    sub_org: None,
    myself: None,
};

/// The query of the list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT u.id, u.no, u.name_mask, u.phone_mask, u.id_no_mask, u.province, u.city, u.sex, u.age, u.amount_cents, u.star, \
     u.channel_id, c.name AS channel_name, u.product_id, d.name AS product_name, u.system, u.test, u.status, u.reason, u.invalid_reason, u.rounds, u.version, \
     u.created_at, u.updated_at, ",
    withdrawn_at!("u.id"),
    " AS consent_withdrawn_at FROM applicant u JOIN channel c ON c.id = u.channel_id LEFT JOIN product d ON d.id = u.product_id WHERE 1 = 1"
);

/// The same rows, for the count.
pub const COUNT: &str = "SELECT u.id FROM applicant u WHERE 1 = 1";

/// An applicant has been sold, or is about to be.
const IS_SOLD: &str = "EXISTS (SELECT 1 FROM push_record h WHERE h.user_id = applicant.id \
     AND h.status IN ('queued', 'sending', 'retrying', 'unconfirmed', 'accepted', 'returned'))";

/// Applicants from before whose text names no city: it is no code.
pub const NO_CITY: &str = "u.city <> '' AND (LENGTH(u.city) <> 6 OR u.city < '110000' OR u.city > '829999')";

/// What an applicant said, in one form: rows from before hold names of cities.
pub fn stored_said(row: &AnyRow) -> Result<Map<String, Value>, sqlx::Error> {
    let mut said = db::json(row, "said")?;
    in_one_form(&mut said);
    Ok(said)
}

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
        crate::plan::push::store::bought_by(sql, "u.id", buyer, scope);
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
        device_mask: opened_column(&row, keys, place::APPLICANT_DEVICE)?.as_deref().map(crypto::mask_device),
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

/// What the channel of an applicant gets for having brought him, in fen.
pub async fn channel_cost<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT channel_cost_cents FROM applicant WHERE id = $1").bind(id).fetch_one(on).await
}

/// Who an applicant is, whole; nothing once he is erased.
pub async fn reveal<'e>(on: impl Executor<'e, Database = Any>, keys: &Keys, id: i64) -> Result<Option<RevealedUser>, anyhow::Error> {
    let row =
        sqlx::query("SELECT no, phone_enc, name_enc, id_no_enc, device_enc FROM applicant WHERE id = $1").bind(id).fetch_one(on).await?;
    revealed(&row, keys)
}

/// The same of many, by their ids, without those who are erased.
pub async fn reveal_all<'e>(
    on: impl Executor<'e, Database = Any>,
    keys: &Keys,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, RevealedUser>, anyhow::Error> {
    let mut sql = Sql::new("SELECT id, no, phone_enc, name_enc, id_no_enc, device_enc FROM applicant WHERE id IN ");
    sql.ids(ids);
    let mut people = HashMap::new();
    for row in sql.fetch_all(on).await? {
        if let Some(person) = revealed(&row, keys)? {
            people.insert(row.try_get("id")?, person);
        }
    }
    Ok(people)
}

/// The applicants among some that a reveal would show within a scope.
pub async fn revealable<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, ids: &[i64]) -> Result<Vec<i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.phone_enc IS NOT NULL AND u.name_enc IS NOT NULL AND u.id IN ");
    sql.ids(ids.iter().copied());
    scope.apply(&mut sql, SCOPE);
    sql.fetch_all(on).await?.iter().map(|row| row.try_get("id")).collect()
}

fn revealed(row: &AnyRow, keys: &Keys) -> Result<Option<RevealedUser>, anyhow::Error> {
    let no: String = row.try_get("no")?;
    let open = |column: Column| -> Result<Option<String>, anyhow::Error> {
        let sealed: Option<String> = row.try_get(column.name)?;
        Ok(sealed.map(|sealed| keys.open(&column.of(&no), &sealed)).transpose()?)
    };
    let (phone, name) = (open(place::APPLICANT_PHONE)?, open(place::APPLICANT_NAME)?);
    let (id_no, device_id) = (open(place::APPLICANT_ID_NO)?, open(place::APPLICANT_DEVICE)?);
    Ok(phone.zip(name).map(|(phone, name)| RevealedUser { phone, name, id_no, device_id }))
}

/// A text without the name and the numbers of an applicant, which only a reveal shows; none once the applicant is erased.
pub async fn without_person<'e>(
    on: impl Executor<'e, Database = Any>,
    keys: &Keys,
    id: i64,
    text: &str,
) -> Result<Option<String>, anyhow::Error> {
    Ok(reveal(on, keys, id).await?.map(|person| person.hidden_in(text)))
}

/// A note about an applicant as it is kept: what identifies them is masked.
pub async fn kept_note<'e>(on: impl Executor<'e, Database = Any>, keys: &Keys, id: i64, note: &str) -> Result<String, anyhow::Error> {
    Ok(without_person(on, keys, id, note).await?.unwrap_or_else(|| crypto::mask_numbers(note)))
}

/// His number, his province and what he says of himself; nothing once he is erased.
pub async fn said<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<(String, String, Map<String, Value>)>, sqlx::Error> {
    let row =
        sqlx::query("SELECT no, province, said FROM applicant WHERE id = $1 AND status <> 'erased'").bind(id).fetch_optional(on).await?;
    row.map(|row| Ok((row.try_get("no")?, places::stored_province(&row, "province")?, stored_said(&row)?))).transpose()
}

/// The keyed hashes by which the blacklist names an applicant.
#[derive(Clone, Debug, Default)]
pub struct KnownBy {
    pub phone_hash: String,
    pub id_no_hash: Option<String>,
    pub ip_hash: Option<String>,
    pub device_hash: Option<String>,
}

impl KnownBy {
    /// As the blacklist is asked.
    pub fn suspect(&self) -> Suspect<'_> {
        Suspect {
            phone_hash: Some(&self.phone_hash),
            id_no_hash: self.id_no_hash.as_deref(),
            ip_hash: self.ip_hash.as_deref(),
            device_hash: self.device_hash.as_deref(),
        }
    }
}

/// What the blacklist knows an applicant by. Of one who is erased, the phone and the identity number remain.
pub async fn known_by<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<KnownBy>, sqlx::Error> {
    let row = sqlx::query("SELECT phone_hash, id_no_hash, client_ip_hash, device_hash FROM applicant WHERE id = $1")
        .bind(id)
        .fetch_optional(on)
        .await?;
    row.as_ref().map(read_known_by).transpose()
}

fn read_known_by(row: &AnyRow) -> Result<KnownBy, sqlx::Error> {
    Ok(KnownBy {
        phone_hash: row.try_get("phone_hash")?,
        id_no_hash: row.try_get("id_no_hash")?,
        ip_hash: row.try_get("client_ip_hash")?,
        device_hash: row.try_get("device_hash")?,
    })
}

/// An applicant to be added.
pub struct NewUser<'n> {
    pub no: String,
    pub arrival: &'n Arrival,
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
            let (offer, sealed) = (&new.arrival.offer, &new.arrival.sealed);
            let (application, form) = (&offer.application, &offer.application.form);
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
                .then(offer.channel.id)
                .then(new.arrival.product_id)
                .then(offer.request_id.clone())
                .then(new.arrival.payload_hash.clone())
                .then(form.source_url.clone())
                .then(<&str>::from(new.system))
                .then(String::new())
                .then(sealed.ip_enc.clone())
                .then(new.arrival.ip_hash.clone())
                .then(sealed.device_enc.clone())
                .then(sealed.device_hash.clone())
                .then(form.user_agent.clone().unwrap_or_default())
                .then(i64::from(offer.channel.test))
                .then(<&str>::from(new.status))
                .then(new.checks.failed.map(<&str>::from))
                .then(serde_json::to_string(&new.checks.made).expect("checks serialise"))
                .then(new.due_at)
                .then(new.at)
                .then(new.at)
                .then(offer.entered_by)
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
    pub arrival: &'n Arrival,
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
        for (index, NewConsent { user_id, arrival, consent, at }) in some.iter().enumerate() {
            let form = &arrival.offer.application.form;
            sql.push(if index == 0 { "(" } else { ", (" })
                .bind(*user_id)
                .then(arrival.sealed.phone_hash.clone())
                .then(arrival.agreement_id)
                .then(serde_json::to_string(&arrival.recipients).expect("ids serialise"))
                .then(i64::from(consent.all_partners))
                .then(consent.granted_at.unwrap_or(*at))
                .then(arrival.sealed.consent_ip_enc.clone().unwrap_or_default())
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

/// An applicant for whom plans are looked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub id: i64,
    /// As it is found on the blacklist; its address is none where it is kept in clear, as it was before.
    pub known_by: KnownBy,
    pub phone_mask: String,
    pub name_mask: String,
    pub city: String,
    pub province: String,
    pub said: Map<String, Value>,
    pub channel_id: i64,
    pub product_id: Option<i64>,
    /// Brought by a channel in test mode.
    pub test: bool,
    /// What the channel gets once the applicant is accepted, in fen.
    pub lead_cents: i64,
    /// Where they came from, in clear as it was kept before; empty otherwise.
    pub client_ip: String,
    pub rounds: i64,
    pub system: System,
    pub no: String,
    pub came_at: i64,
    /// The consent that holds, if there is one.
    pub consent_id: Option<i64>,
    /// Organisations that the consent names.
    pub recipients: Vec<i64>,
    /// It names all our partners.
    pub all_partners: bool,
}

/// Applicants who wait for a matching round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backlog {
    /// Those whose round should have begun by now.
    pub due: i64,
    /// Since when the first of them has been due.
    pub oldest_at: Option<i64>,
    /// Those whose rounds keep failing: since the last that was finished two or more were begun, besides the one that
    /// begins at intake.
    pub failing: i64,
}

/// Counts the applicants who wait for a matching round.
pub async fn backlog<'e>(on: impl Executor<'e, Database = Any>, now: i64) -> Result<Backlog, sqlx::Error> {
    let row = sqlx::query(
        "SELECT COUNT(*) AS due, MIN(due_at) AS oldest, (SELECT COUNT(*) FROM applicant WHERE begun > 1) AS failing \
         FROM applicant WHERE due_at IS NOT NULL AND due_at <= $1",
    )
    .bind(now)
    .fetch_one(on)
    .await?;
    Ok(Backlog { due: row.try_get("due")?, oldest_at: row.try_get("oldest")?, failing: row.try_get("failing")? })
}

/// An applicant whose round is due.
#[derive(Clone, Copy, Debug)]
pub struct DueUser {
    pub id: i64,
    /// When the round was due as it was read. The claim checks that it still is.
    pub seen: i64,
    /// A process had the applicant until then and did not finish the round.
    pub lost: bool,
    /// Rounds begun since the last that was finished, besides the one that begins at intake.
    pub begun: i64,
}

/// Applicants whose round is due, the longest due first.
pub async fn due<'e>(on: impl Executor<'e, Database = Any>, now: i64, most: i64) -> Result<Vec<DueUser>, sqlx::Error> {
    let rows = due_statement(now, most).fetch_all(on).await?;
    let read = |row: &AnyRow| {
        Ok(DueUser {
            id: row.try_get("id")?,
            seen: row.try_get("due_at")?,
            lost: db::code::<UserStatus>(row, "status")? == UserStatus::Matching,
            begun: row.try_get("begun")?,
        })
    };
    rows.iter().map(read).collect()
}

fn due_statement(now: i64, most: i64) -> Sql {
    let mut sql = Sql::new("SELECT id, due_at, status, begun FROM applicant WHERE due_at IS NOT NULL AND due_at <= ");
    sql.bind(now).push(" ORDER BY due_at, id LIMIT ").bind(most);
    sql
}

/// Begins a round for an applicant, who is this process's until a moment, if no process has begun one since the
/// applicant was seen to be due; tells whether it did.
pub async fn claim(tx: &mut Connection, id: i64, seen: i64, until: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE applicant SET status = 'matching', due_at = $1, begun = begun + 1 WHERE id = $2 AND due_at = $3")
        .bind(until)
        .bind(id)
        .bind(seen)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Renews until when a process has an applicant, while their round waits; tells whether it still had them.
pub async fn renew(tx: &mut Connection, id: i64, until: i64, next: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE applicant SET due_at = $1 WHERE id = $2 AND due_at = $3")
        .bind(next)
        .bind(id)
        .bind(until)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Gives back an applicant of this process until a moment, since their round could not begin or go on. It does not count as a round
/// that did not finish.
pub async fn give_back(tx: &mut Connection, id: i64, until: i64, due_at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE applicant SET due_at = $1, begun = CASE WHEN begun > 0 THEN begun - 1 ELSE 0 END WHERE id = $2 AND due_at = $3")
        .bind(due_at)
        .bind(id)
        .bind(until)
        .execute(tx)
        .await
        .map(drop)
}

/// How many rounds were begun, since the last that was finished, for an applicant that a process holds until a
/// moment; none when it does not have the applicant any more.
pub async fn begun(tx: &mut Connection, id: i64, until: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT begun FROM applicant WHERE id = $1 AND due_at = $2").bind(id).bind(until).fetch_optional(tx).await
}

/// Puts off the next round of an applicant whose round did not finish and who was a process's until a moment; by a
/// minute at most, if another round was asked for meanwhile. Until then the applicant may be erased.
pub async fn put_off(tx: &mut Connection, id: i64, until: i64, due_at: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE applicant SET status = 'completed', due_at = CASE WHEN look_again = 1 THEN $1 ELSE $2 END, look_again = 0, \
           version = version + 1, updated_at = $3 WHERE id = $4 AND due_at = $5 AND status = 'matching'",
    )
    .bind(due_at.min(now + MINUTE))
    .bind(due_at)
    .bind(now)
    .bind(id)
    .bind(until)
    .execute(tx)
    .await
    .map(drop)
}

/// Holds an applicant whom somebody has until a moment, for a transaction; tells whether he still has them.
pub async fn still_has(tx: &mut Connection, id: i64, until: i64) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.id = ");
    sql.bind(id).push(" AND u.due_at = ").bind(until);
    tx.hold(&mut sql, "u");
    Ok(sql.fetch_optional(tx).await?.is_some())
}

/// The applicant whom somebody has until a moment; nothing when he has him no more.
pub async fn wanted<'e>(on: impl Executor<'e, Database = Any>, id: i64, until: i64) -> Result<Option<Wanted>, sqlx::Error> {
    wanted_where(on, id, Some(until)).await
}

/// An applicant who was let in and is not erased, whether a round is under way or not.
pub async fn let_in<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<Wanted>, sqlx::Error> {
    wanted_where(on, id, None).await
}

async fn wanted_where<'e>(on: impl Executor<'e, Database = Any>, id: i64, until: Option<i64>) -> Result<Option<Wanted>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT u.id, u.no, u.phone_hash, u.id_no_hash, u.phone_mask, u.name_mask, u.city, u.province, u.said, u.channel_id, u.product_id, u.test, \
           u.client_ip, u.client_ip_hash, u.device_hash, u.rounds, u.system, u.created_at, k.id AS consent_id, k.recipients, k.all_partners, \
           CASE WHEN c.settle_mode = 'accepted_lead' AND u.test = 0 THEN c.unit_price_cents ELSE 0 END AS lead_cents \
         FROM applicant u JOIN channel c ON c.id = u.channel_id LEFT JOIN consent_record k ON k.id = \
           (SELECT MAX(n.id) FROM consent_record n WHERE n.user_id = u.id AND n.revoked_at IS NULL) WHERE u.id = ",
    );
    sql.bind(id);
    match until {
        Some(until) => sql.push(" AND u.due_at = ").bind(until),
        None => sql.push(" AND u.status IN ('completed', 'distributed', 'unmatched', 'matching')"),
    };
    let Some(row) = sql.fetch_optional(on).await? else { return Ok(None) };
    let recipients = match row.try_get::<Option<&str>, _>("recipients")? {
        Some(_) => db::json(&row, "recipients")?,
        None => Vec::new(),
    };
    Ok(Some(Wanted {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        known_by: read_known_by(&row)?,
        phone_mask: row.try_get("phone_mask")?,
        name_mask: row.try_get("name_mask")?,
        city: places::stored(&row, "city")?,
        province: places::stored_province(&row, "province")?,
        said: stored_said(&row)?,
        channel_id: row.try_get("channel_id")?,
        product_id: row.try_get("product_id")?,
        test: db::flag(&row, "test")?,
        lead_cents: row.try_get("lead_cents")?,
        client_ip: row.try_get("client_ip")?,
        rounds: row.try_get("rounds")?,
        system: db::code(&row, "system")?,
        came_at: row.try_get("created_at")?,
        consent_id: row.try_get("consent_id")?,
        recipients,
        all_partners: row.try_get::<Option<i64>, _>("all_partners")?.unwrap_or_default() != 0,
    }))
}

/// An applicant of the past, as plans were looked for.
#[derive(Debug)]
pub struct PastApplicant {
    pub id: i64,
    pub phone_hash: String,
    pub channel_id: i64,
    pub test: bool,
    /// JSON; none once erased.
    pub said: Option<String>,
    pub recipients: Vec<i64>,
    pub all_partners: bool,
    /// What its channel got for the first lead that was taken, or by its terms of now would get; fen.
    pub paid_cents: Option<i64>,
    pub lead_cents: i64,
}

/// Applicants of the past, with the consent that holds now.
pub async fn past(db: &Db, ids: &[i64]) -> Result<Vec<PastApplicant>, sqlx::Error> {
    let mut found = Vec::with_capacity(ids.len());
    for some in padded(ids) {
        let mut sql = Sql::new(
            "SELECT u.id, u.phone_hash, u.channel_id, u.test, CASE WHEN u.status <> 'erased' THEN u.said END AS said, k.recipients, k.all_partners, \
               (SELECT p.cost_cents FROM lead_cost p WHERE p.user_id = u.id AND p.cost_cents <> 0) AS paid_cents, \
               CASE WHEN c.settle_mode = 'accepted_lead' AND u.test = 0 THEN c.unit_price_cents ELSE 0 END AS lead_cents \
             FROM applicant u JOIN channel c ON c.id = u.channel_id LEFT JOIN consent_record k ON k.id = \
               (SELECT MAX(n.id) FROM consent_record n WHERE n.user_id = u.id AND n.revoked_at IS NULL) WHERE u.id IN ",
        );
        sql.ids(some.copied());
        for row in sql.fetch_all(db.read()).await? {
            let recipients = row.try_get::<Option<&str>, _>("recipients")?.map(|_| db::json(&row, "recipients")).transpose()?;
            found.push(PastApplicant {
                id: row.try_get("id")?,
                phone_hash: row.try_get("phone_hash")?,
                channel_id: row.try_get("channel_id")?,
                test: db::flag(&row, "test")?,
                said: row.try_get("said")?,
                recipients: recipients.unwrap_or_default(),
                all_partners: row.try_get::<Option<i64>, _>("all_partners")?.unwrap_or_default() != 0,
                paid_cents: row.try_get("paid_cents")?,
                lead_cents: row.try_get("lead_cents")?,
            });
        }
    }
    Ok(found)
}

/// How a round stands.
#[derive(Clone, Copy, Debug)]
pub struct RoundEnd {
    pub status: UserStatus,
    /// When the applicant is due again, if at all; while a round goes on, until when somebody has them.
    pub due_at: Option<i64>,
    /// It counts as a round that was made.
    pub counts: bool,
}

/// Ends, or goes on with, what somebody does who has an applicant until a moment; tells whether he
/// still had them. Where a lead was refused meanwhile, and nobody has the applicant, plans are looked for
/// once more.
pub async fn end(tx: &mut Connection, id: i64, until: i64, end: RoundEnd, now: i64) -> Result<bool, sqlx::Error> {
    let goes_on = end.status == UserStatus::Matching;
    sqlx::query(
        "UPDATE applicant SET status = $1, rounds = rounds + $2, begun = CASE WHEN $3 = 1 THEN begun ELSE 0 END, \
           due_at = CASE WHEN look_again = 1 AND $4 = 0 THEN $5 ELSE $6 END, \
           look_again = CASE WHEN $7 = 1 THEN look_again ELSE 0 END, version = version + 1, updated_at = $8 WHERE id = $9 AND due_at = $10",
    )
    .bind(<&str>::from(end.status))
    .bind(i64::from(end.counts))
    .bind(i64::from(goes_on))
    .bind(i64::from(goes_on))
    .bind(now)
    .bind(end.due_at)
    .bind(i64::from(goes_on))
    .bind(now)
    .bind(id)
    .bind(until)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Has plans looked for again at once, unless the applicant is erased, invalid or has withdrawn the consent. A round that
/// was to come later comes now; one that is under way leaves another behind.
pub async fn again(tx: &mut Connection, id: i64, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(concat!(
        "UPDATE applicant SET due_at = CASE WHEN status = 'matching' THEN due_at ELSE $1 END, \
           look_again = CASE WHEN status = 'matching' THEN 1 ELSE look_again END, updated_at = $2 \
         WHERE id = $3 AND (due_at IS NULL OR due_at > $4 OR status = 'matching') \
           AND status IN ('completed', 'distributed', 'unmatched', 'matching') \
           AND ",
        withdrawn_at!("applicant.id"),
        " IS NULL"
    ))
    .bind(now)
    .bind(now)
    .bind(id)
    .bind(now)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// An applicant was sold by hand: the round that they wait for, if any, is not made.
pub async fn sold_by_hand(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE applicant SET status = 'distributed', due_at = NULL, version = version + 1, updated_at = $1 \
         WHERE id = $2 AND status IN ('completed', 'unmatched')",
    )
    .bind(now)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Holds an applicant until the transaction ends.
pub async fn hold(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.id = ");
    sql.bind(id);
    tx.hold(&mut sql, "u");
    sql.fetch_optional(tx).await.map(drop)
}

/// Withdraws the consents of an applicant that hold; answers whether there were any.
pub async fn withdraw_consents(tx: &mut Connection, id: i64, via: WithdrawnVia, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE consent_record SET revoked_at = $1, revoked_via = $2 WHERE user_id = $3 AND revoked_at IS NULL")
        .bind(now)
        .bind(<&str>::from(via))
        .bind(id)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() > 0)
}

/// Has no more plans looked for; a round that is under way ends without effect. An applicant who has been sold, or is
/// about to be, is distributed.
pub async fn stop_matching(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    let mut sql =
        Sql::new("UPDATE applicant SET status = CASE WHEN status NOT IN ('completed', 'matching', 'distributed') THEN status WHEN ");
    sql.push(IS_SOLD)
        .push(" THEN 'distributed' ELSE 'unmatched' END, due_at = NULL, look_again = 0, begun = 0, version = version + 1, updated_at = ");
    sql.bind(now).push(" WHERE id = ").bind(id);
    sql.execute(tx).await.map(drop)
}

/// Marks an applicant invalid, from another status: no plan is offered them any more.
pub async fn mark_invalid(
    tx: &mut Connection,
    (id, from): (i64, UserStatus),
    (reason, note): (InvalidReason, &str),
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE applicant SET status = 'invalid', invalid_reason = $1, invalid_note = $2, invalid_from = $3, due_at = NULL, look_again = 0, \
           begun = 0, version = version + 1, updated_at = $4, updated_by = $5 WHERE id = $6",
    )
    .bind(<&str>::from(reason))
    .bind(note)
    .bind(<&str>::from(from))
    .bind(now)
    .bind(by)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Takes back that an applicant is invalid: plans are looked for at once, if some were to be looked for when they were
/// marked and the consent still holds.
pub async fn mark_valid(tx: &mut Connection, id: i64, by: i64, now: i64) -> Result<(), sqlx::Error> {
    const IS_WANTED: &str = "invalid_from IN ('completed', 'matching') AND EXISTS (SELECT 1 FROM consent_record k WHERE k.user_id = applicant.id AND k.revoked_at IS NULL)";
    let mut sql = Sql::new("UPDATE applicant SET status = CASE WHEN invalid_from = 'registered' THEN 'registered' WHEN ");
    sql.push(IS_SOLD)
        .push(" THEN 'distributed' WHEN ")
        .push(IS_WANTED)
        .push(" THEN 'completed' ELSE 'unmatched' END, due_at = CASE WHEN NOT ");
    sql.push(IS_SOLD).push(" AND ").push(IS_WANTED).push(" THEN ").bind(now).push(" END, invalid_reason = NULL, invalid_note = NULL, ");
    sql.push("invalid_from = NULL, version = version + 1, updated_at = ")
        .bind(now)
        .push(", updated_by = ")
        .bind(by)
        .push(" WHERE id = ")
        .bind(id);
    sql.execute(tx).await.map(drop)
}

/// The ids of the applications of the same person, by the phone, that have a consent that holds, within a scope: the newest first,
/// so many at most.
pub async fn of_same_phone<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64, most: i64) -> Result<Vec<i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.phone_hash = (SELECT s.phone_hash FROM applicant s WHERE s.id = ");
    sql.bind(id).push(") AND EXISTS (SELECT 1 FROM consent_record k WHERE k.user_id = u.id AND k.revoked_at IS NULL)");
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY u.id DESC LIMIT ").bind(most);
    sql.fetch_all(on).await?.iter().map(|row| row.try_get("id")).collect()
}

/// The applicant that a channel brought, by the channel's number or by the platform's.
pub async fn brought_by(
    on: &mut Connection,
    channel_id: i64,
    request_id: Option<&str>,
    no: Option<&str>,
) -> Result<Option<i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.channel_id = ");
    sql.bind(channel_id).and("u.request_id = ", request_id).and("u.no = ", no);
    sql.fetch_optional(on).await?.map(|row| row.try_get("id")).transpose()
}

/// When an applicant's consents were withdrawn, if none of them holds.
pub async fn consent_withdrawn_at(on: &mut Connection, id: i64) -> Result<Option<i64>, sqlx::Error> {
    const STATEMENT: &str = concat!("SELECT ", withdrawn_at!("u.id"), " FROM applicant u WHERE u.id = $1");
    sqlx::query_scalar(STATEMENT).bind(id).fetch_one(on).await
}

/// Replaces the name, the province and the answers of an applicant, by id and number.
pub async fn set_said(
    tx: &mut Connection,
    keys: &Keys,
    (id, no): (i64, &str),
    said: &Edited,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let number = |field: &str| said.said.get(field).and_then(Value::as_i64);
    sqlx::query(
        "UPDATE applicant SET name_enc = $1, name_mask = $2, province = $3, city = $4, sex = $5, age = $6, amount_cents = $7, said = $8, \
           version = version + 1, updated_at = $9, updated_by = $10 WHERE id = $11",
    )
    .bind(keys.seal(&place::APPLICANT_NAME.of(no), &said.name))
    .bind(said.name_mask())
    .bind(&said.province)
    .bind(said.city())
    .bind(said.said.get("sex").and_then(Value::as_str))
    .bind(number("age"))
    .bind(number("applyAmountCents"))
    .bind(Value::Object(said.said.clone()).to_string())
    .bind(now)
    .bind(by)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Sets what is said of an applicant by stars.
pub async fn set_star(tx: &mut Connection, id: i64, star: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE applicant SET star = $1, updated_at = $2 WHERE id = $3").bind(star).bind(now).bind(id).execute(tx).await.map(drop)
}

/// Wipes what tells who an applicant is; hashes, what he was found to be, what was sold and what was
/// paid stay. False where plans are being looked for, or he is erased already.
pub async fn erase(tx: &mut Connection, id: i64, by: Option<i64>, now: i64) -> Result<bool, sqlx::Error> {
    let erased = sqlx::query(
        "UPDATE applicant SET phone_enc = NULL, phone_mask = '***', name_enc = NULL, name_mask = '***', id_no_enc = NULL, id_no_mask = NULL, \
           province = '', city = '', sex = NULL, age = NULL, amount_cents = NULL, said = '{}', source_url = NULL, client_ip = '', \
           client_ip_enc = NULL, client_ip_hash = NULL, device_enc = NULL, device_hash = NULL, user_agent = '', invalid_note = NULL, status = 'erased', \
           due_at = NULL, begun = 0, version = version + 1, updated_at = $1, updated_by = $2 \
         WHERE id = $3 AND status NOT IN ('matching', 'erased')",
    )
    .bind(now)
    .bind(by)
    .bind(id)
    .execute(&mut *tx)
    .await?;
    sqlx::query("UPDATE consent_record SET ip = '', user_agent = '', revoked_at = COALESCE(revoked_at, $1) WHERE user_id = $2")
        .bind(now)
        .bind(id)
        .execute(&mut *tx)
        .await?;
    sqlx::query("UPDATE match_record SET phone_mask = '***', city = '', request = '', response = NULL WHERE user_id = $1")
        .bind(id)
        .execute(tx)
        .await?;
    Ok(erased.rows_affected() == 1)
}

#[cfg(test)]
mod tests {
    use super::super::list::Users;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_order_of_the_list_is_an_indexs() {
        every_sort_walks_an_index::<Users>(&[]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, UserFilters::default);
        for (index, filters) in [
            ("applicant_channel", UserFilters { channel_id: Some(1), ..none() }),
            ("applicant_product", UserFilters { product_id: Some(1), ..none() }),
            ("applicant_status", UserFilters { status: Some(UserStatus::Unmatched), ..none() }),
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
    async fn who_came_before_is_looked_up_by_phone_and_by_number() {
        let plans = Plans::open().await;
        let last = plans.of(last_statement([("x".to_owned(), false, 1, None)].iter())).await;
        assert!(last.contains("SEARCH l USING INDEX applicant_phone (phone_hash=? AND created_at>?)"), "{last}");
        assert!(last.contains("SEARCH u USING INTEGER PRIMARY KEY"), "{last}");
        let mut sql = Sql::new("SELECT id FROM applicant WHERE ");
        among(&mut sql, [(1, "x".to_owned())].iter());
        let brought = plans.of(sql).await;
        assert!(brought.contains("SEARCH applicant USING") && brought.contains("(channel_id=? AND request_id=?)"), "{brought}");
    }

    #[tokio::test]
    async fn who_is_due_is_found_without_the_others() {
        let plans = Plans::open().await;
        let plan = plans.of(due_statement(1, 10)).await;
        assert!(plan.starts_with("SEARCH applicant USING INDEX applicant_due") && !plan.contains("TEMP B-TREE FOR ORDER BY"), "{plan}");
    }
}
