//! How leads reach an organisation by API: its addresses, its keys, the names of fields and values there, and which answer means
//! yes. Keys come in and never go out. Calls under `/org/api`.

pub mod pending;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::FutureExt;

use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::OrgRow;
use super::expression::{self, Expression};
use super::record::record;
use super::sealing;
use super::signing::Signer;
use super::store;
use base::codes;
use base::crypto::{Keys, WrongKey, place};
use base::db::{self, Connection, Tx};
use frame::access::audit::{self, Action, Change, Stamp};
use frame::api::check::present;
use frame::api::owner::require_platform_staff;
use frame::api::versioned;
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, say};
use frame::decision::{self, DecisionAction, OpenDecision};
use frame::proposal;
use frame::rotation::{self, LONGEST_OVERLAP};

/// What of an applicant can be sent.
pub const FIELDS: &[&str] = &[
    "age",
    "applyAmount",
    "applyTerm",
    "car",
    "city",
    "creditCard",
    "education",
    "house",
    "housingFund",
    "idNo",
    "income",
    // Our number of the lead: the same however often it is sent.
    "leadNo",
    "name",
    "occupation",
    "overdue",
    "payForm",
    "phone",
    "phoneMd5",
    "policy",
    "province",
    "purpose",
    "sex",
    "socialIns",
    // Whether the lead is a test lead.
    "test",
    "userNo",
    "zhima",
];
/// Values of one field that are called otherwise, at most.
const MOST_VALUES: usize = 50;

codes! {
    /// How what is sent is sealed.
    pub enum OrgCrypto {
        None("不加密", "None"),
        /// With one key that both sides have.
        Aes("AES", "AES"),
        /// With a key made for each message, which goes along under the organisation's public key.
        RsaAes("RSA + AES", "RSA + AES"),
    }
}

codes! {
    /// Whether leads go this way.
    pub enum DeliveryStatus {
        Enabled("启用", "Enabled"),
        Disabled("停用", "Disabled"),
    }
}

/// A key as it can be told from another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgKey {
    /// Tells keys apart, and nothing of them.
    pub fingerprint: String,
    /// Epoch milliseconds.
    pub added_at: i64,
    /// Until when it is accepted beside its successor; none for the key in use.
    pub valid_until: Option<i64>,
    /// Whether it awaits approval.
    pub is_proposed: bool,
    /// Of proposed settings that replace the key: hours for which it is accepted from the approval on, 0 where it ends then.
    pub overlap_hours: Option<i64>,
}

/// The delivery settings of an organisation. Its keys are not part of them.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgApi {
    /// The organisation's.
    pub id: i64,
    pub match_url: Option<String>,
    pub apply_url: Option<String>,
    pub query_url: Option<String>,
    pub crypto: OrgCrypto,
    /// The key in use, and the one before it while that is valid.
    pub keys: Vec<OrgKey>,
    /// What our fields are called there.
    pub field_map: BTreeMap<String, String>,
    /// What values of our fields are called there.
    pub value_map: BTreeMap<String, BTreeMap<String, String>>,
    pub match_ok_expr: String,
    pub apply_ok_expr: String,
    /// Which answer of `query_url` says that it has a lead, and which that it has not. Any other says nothing.
    pub query_ok_expr: String,
    pub query_none_expr: String,
    /// Which answer of any address that is no yes says that they know the person already. Beside it, some
    /// words that organisations use are understood.
    pub known_expr: String,
    pub timeout_ms: i64,
    pub retry_max: i64,
    pub status: DeliveryStatus,
    /// The settings that await approval.
    pub proposed: Option<Box<OrgApi>>,
    pub decision: Option<OpenDecision>,
    /// 0 when there are none yet.
    pub version: i64,
}

/// The form of the delivery settings.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct OrgApiForm {
    /// The organisation's.
    pub id: i64,
    /// As read; 0 when there were none.
    pub version: i64,
    pub match_url: Option<String>,
    pub apply_url: Option<String>,
    pub query_url: Option<String>,
    pub crypto: OrgCrypto,
    /// A new key; absent or empty keeps the one that awaits approval for the same encryption, else the one in use.
    pub key: Option<String>,
    /// Hours for which the key before stays valid beside the new one.
    #[serde(default)]
    pub overlap_hours: i64,
    #[serde(default)]
    pub field_map: BTreeMap<String, String>,
    #[serde(default)]
    pub value_map: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    pub match_ok_expr: String,
    #[serde(default)]
    pub apply_ok_expr: String,
    #[serde(default)]
    pub query_ok_expr: String,
    #[serde(default)]
    pub query_none_expr: String,
    #[serde(default)]
    pub known_expr: String,
    pub timeout_ms: i64,
    pub retry_max: i64,
    pub status: DeliveryStatus,
}

/// A key as stored.
#[derive(Clone, Serialize, Deserialize)]
struct StoredKey {
    fingerprint: String,
    sealed: String,
    added_at: i64,
    valid_until: Option<i64>,
}

/// What an organisation begins with.
pub(super) fn blank(org_id: i64) -> OrgApi {
    OrgApi {
        id: org_id,
        match_url: None,
        apply_url: None,
        query_url: None,
        crypto: OrgCrypto::None,
        keys: Vec::new(),
        field_map: BTreeMap::new(),
        value_map: BTreeMap::new(),
        match_ok_expr: String::new(),
        apply_ok_expr: String::new(),
        query_ok_expr: String::new(),
        query_none_expr: String::new(),
        known_expr: String::new(),
        timeout_ms: 10_000,
        retry_max: 3,
        status: DeliveryStatus::Disabled,
        proposed: None,
        decision: None,
        version: 0,
    }
}

/// `GET /org/api/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<OrgApi> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    Ok(settings(cx.db().read(), id, cx.now).await?)
}

/// The delivery settings of an organisation, blank where it has none.
pub async fn settings<'e>(on: impl Executor<'e, Database = Any>, org_id: i64, now: i64) -> std::result::Result<OrgApi, sqlx::Error> {
    Ok(kept(on, org_id, now).await?.settings)
}

/// `PUT /org/api`: settings with another address, encryption or key await approval, as a whole; others are written at once.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<OrgApiForm>) -> Result<OrgApi> {
    let viewer = cx.viewer()?;
    let form = tidied(body);
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let id = form.id;
                versioned::hold::<OrgRow>(&mut tx, id).await?;
                let org = store::find(&mut **tx, viewer.scope(), id).await?.ok_or(ApiError::Missing)?;
                require_platform_staff(viewer)?;
                let Kept { settings: before, keys, .. } = kept(&mut **tx, id, cx.now).await?;
                if before.version != form.version {
                    return Err(ApiError::stale(&before));
                }
                let proposed_key = pending::kept_key(&mut tx, &cx.app.keys, &before, form).await?;
                // A key for another kind of seal is none.
                check(form, proposed_key.is_some() || form.crypto == before.crypto && !keys.is_empty())?;
                let keeps_proposing = proposed_key.is_some() && !pending::stops(&before, form);
                let written = if pending::is_needed(&before, form) || keeps_proposing {
                    let form = &OrgApiForm { key: form.key.clone().or(proposed_key), ..form.clone() };
                    pending::propose(&mut tx, &cx.app.keys, (&org, &before), form, cx.stamp()?).await?
                } else {
                    pending::check_unchanged(&before, form)?;
                    write(&mut tx, form, &keys, cx.stamp()?).await?
                };
                if !written {
                    return Err(ApiError::stale(&kept(&mut **tx, id, cx.now).await?.settings));
                }
                end_change(cx, &mut tx, &before, false, Vec::new()).await
            }
            .boxed()
        })
        .await
}

/// Ends a change: the trail's entry, with what it says besides the settings, and the settings as they are now.
async fn end_change(cx: &Ctx, tx: &mut Tx, before: &OrgApi, new_key: bool, more: Vec<Change>) -> Result<OrgApi> {
    let Kept { settings: after, .. } = find(&mut **tx, before.id, cx.now).await?.ok_or(ApiError::Missing)?;
    let mut changes = diff(before, &after, new_key);
    changes.extend(more.into_iter().map(|change| Change { field: format!("api.{}", change.field), ..change }));
    record(cx, tx, before.id, Action::Update, &changes).await?;
    cx.keep_answer(tx, &after).await?;
    Ok(after)
}

/// Keeps the first settings of an organisation, which are in order.
pub async fn begin(tx: &mut Connection, house: &Keys, form: &OrgApiForm, stamp: Stamp) -> std::result::Result<bool, sqlx::Error> {
    let keys = form.key.as_deref().map(|key| rotated(house, form.id, Vec::new(), key, 0, stamp.at)).unwrap_or_default();
    write(tx, form, &keys, stamp).await
}

/// How an organisation is called: its settings, its key in use, opened, and what we sign with where it has a
/// signing key.
pub(super) async fn in_use<'e>(
    on: impl Executor<'e, Database = Any>,
    house: &Keys,
    org_id: i64,
    now: i64,
) -> Result<(OrgApi, Option<String>, Option<Signer>)> {
    let Kept { settings, keys, signs } = kept(on, org_id, now).await?;
    let key = keys
        .iter()
        .find(|key| key.valid_until.is_none())
        .map(|key| house.open(&place::ORGANISATION_API_KEYS.of(org_id), &key.sealed))
        .transpose()?;
    let opened = |(app_key, secret): (String, String)| {
        Ok::<_, WrongKey>(Signer { app_key, secret: house.open(&place::ORGANISATION_SECRET.of(org_id), &secret)? })
    };
    Ok((settings, key, signs.map(opened).transpose()?))
}

/// The delivery settings of an organisation, as they are kept.
struct Kept {
    settings: OrgApi,
    keys: Vec<StoredKey>,
    /// Its app key, and its secret in use, sealed.
    signs: Option<(String, String)>,
}

async fn kept<'e>(on: impl Executor<'e, Database = Any>, org_id: i64, now: i64) -> std::result::Result<Kept, sqlx::Error> {
    Ok(find(on, org_id, now).await?.unwrap_or_else(|| Kept { settings: blank(org_id), keys: Vec::new(), signs: None }))
}

async fn find<'e>(on: impl Executor<'e, Database = Any>, org_id: i64, now: i64) -> std::result::Result<Option<Kept>, sqlx::Error> {
    let row = sqlx::query(concat!(
        "SELECT a.org_id, a.match_url, a.apply_url, a.query_url, a.crypto, a.keys_enc, a.field_map, a.value_map, a.match_ok_expr, \
           a.apply_ok_expr, a.query_ok_expr, a.query_none_expr, a.known_expr, a.timeout_ms, a.retry_max, a.status, a.version, k.app_key, \
           k.app_secret_enc, ",
        decision::open_columns!(),
        " FROM org_api_config a LEFT JOIN org_signing_key k ON k.org_id = a.org_id",
        decision::open_join!("org_api_config", "a.org_id"),
        " WHERE a.org_id = $1"
    ))
    .bind(org_id)
    .fetch_optional(on)
    .await?;
    row.map(|row| read(&row, now)).transpose()
}

fn read(row: &AnyRow, now: i64) -> std::result::Result<Kept, sqlx::Error> {
    let mut keys: Vec<StoredKey> = db::json(row, "keys_enc")?;
    keys.retain(|key| key.valid_until.is_none_or(|until| until > now));
    let shown = |key: &StoredKey| OrgKey {
        fingerprint: key.fingerprint.clone(),
        added_at: key.added_at,
        valid_until: key.valid_until,
        is_proposed: false,
        overlap_hours: None,
    };
    let decision = decision::read(row)?;
    let wanted: Option<pending::Wanted> = proposal::proposed(decision.as_ref(), DecisionAction::ChangeDelivery)?;
    let mut settings = OrgApi {
        id: row.try_get("org_id")?,
        match_url: row.try_get("match_url")?,
        apply_url: row.try_get("apply_url")?,
        query_url: row.try_get("query_url")?,
        crypto: db::code(row, "crypto")?,
        keys: keys.iter().map(shown).collect(),
        field_map: db::json(row, "field_map")?,
        value_map: db::json(row, "value_map")?,
        match_ok_expr: row.try_get("match_ok_expr")?,
        apply_ok_expr: row.try_get("apply_ok_expr")?,
        query_ok_expr: row.try_get("query_ok_expr")?,
        query_none_expr: row.try_get("query_none_expr")?,
        known_expr: row.try_get("known_expr")?,
        timeout_ms: row.try_get("timeout_ms")?,
        retry_max: row.try_get("retry_max")?,
        status: db::code(row, "status")?,
        proposed: None,
        decision,
        version: row.try_get("version")?,
    };
    settings.proposed = wanted.map(|wanted| Box::new(wanted.shown_beside(&settings)));
    let signs = row.try_get::<Option<String>, _>("app_key")?.zip(row.try_get("app_secret_enc")?);
    Ok(Kept { settings, keys, signs })
}

fn fingerprint(house: &Keys, key: &str) -> String {
    house.lookup_hash(key).chars().take(8).collect()
}

/// The new key in front, and the one before it for as long as it overlaps.
fn rotated(house: &Keys, org_id: i64, keys: Vec<StoredKey>, key: &str, overlap_hours: i64, now: i64) -> Vec<StoredKey> {
    let mut all = vec![StoredKey {
        fingerprint: fingerprint(house, key),
        sealed: house.seal(&place::ORGANISATION_API_KEYS.of(org_id), key),
        added_at: now,
        valid_until: None,
    }];
    let before = keys.into_iter().find(|key| key.valid_until.is_none());
    let valid_until = rotation::valid_until(now, overlap_hours);
    all.extend(before.filter(|_| valid_until.is_some()).map(|key| StoredKey { valid_until, ..key }));
    all
}

/// Makes blank settings of an organisation that has none.
async fn make(tx: &mut Connection, org_id: i64, stamp: Stamp) -> std::result::Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO org_api_config (org_id, crypto, timeout_ms, retry_max, status, version, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, 'none', 10000, 3, 'disabled', 0, $2, $3, $4, $5) ON CONFLICT (org_id) DO NOTHING",
    )
    .bind(org_id)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Writes the settings over the given version, 0 for the first time; tells whether there was such a one.
async fn write(tx: &mut Connection, form: &OrgApiForm, keys: &[StoredKey], stamp: Stamp) -> std::result::Result<bool, sqlx::Error> {
    let text = |value: serde_json::Result<String>| value.expect("texts serialise");
    make(tx, form.id, stamp).await?;
    sqlx::query(
        "UPDATE org_api_config SET match_url = $1, apply_url = $2, query_url = $3, crypto = $4, keys_enc = $5, field_map = $6, value_map = $7, \
           match_ok_expr = $8, apply_ok_expr = $9, query_ok_expr = $10, query_none_expr = $11, known_expr = $12, timeout_ms = $13, \
           retry_max = $14, status = $15, version = version + 1, updated_at = $16, updated_by = $17 WHERE org_id = $18 AND version = $19",
    )
    .bind(&form.match_url)
    .bind(&form.apply_url)
    .bind(&form.query_url)
    .bind(<&str>::from(form.crypto))
    .bind(text(serde_json::to_string(keys)))
    .bind(text(serde_json::to_string(&form.field_map)))
    .bind(text(serde_json::to_string(&form.value_map)))
    .bind(&form.match_ok_expr)
    .bind(&form.apply_ok_expr)
    .bind(&form.query_ok_expr)
    .bind(&form.query_none_expr)
    .bind(&form.known_expr)
    .bind(form.timeout_ms)
    .bind(form.retry_max)
    .bind(<&str>::from(form.status))
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(form.id)
    .bind(form.version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

fn tidied(mut form: OrgApiForm) -> OrgApiForm {
    for address in [&mut form.match_url, &mut form.apply_url, &mut form.query_url, &mut form.key] {
        *address = present(address.take());
    }
    let OrgApiForm { match_ok_expr, apply_ok_expr, query_ok_expr, query_none_expr, known_expr, .. } = &mut form;
    for text in [match_ok_expr, apply_ok_expr, query_ok_expr, query_none_expr, known_expr] {
        *text = text.trim().to_owned();
    }
    form
}

fn check(form: &OrgApiForm, has_key: bool) -> Result<()> {
    let enabled = form.status == DeliveryStatus::Enabled;
    let understood = |text: &str| text.is_empty() || Expression::parse(text).is_some();
    let not_understood =
        || say(r#"请写成 code == "0000" && data.result in ["1"] 的形式"#, r#"Write it as code == "0000" && data.result in ["1"]"#);
    let required = || say("启用前必须填写", "Required before enabling");
    let their_name =
        |text: &String| (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.[]".contains(&byte));
    let ours = |field: &String| FIELDS.contains(&field.as_str());
    let value = |text: &String| (1..=64).contains(&text.chars().count());
    let values = form.value_map.values().all(|map| map.len() <= MOST_VALUES && map.iter().all(|(our, their)| value(our) && value(their)));
    let key = match (form.crypto, form.key.as_deref()) {
        (_, None) => true,
        (OrgCrypto::None, Some(_)) => false,
        (OrgCrypto::Aes, Some(key)) => [32, 48, 64].contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_hexdigit()),
        (OrgCrypto::RsaAes, Some(key)) => sealing::is_public_key(key),
    };
    let key_form = match form.crypto {
        OrgCrypto::None => say("不加密时没有密钥", "No key is used without encryption"),
        OrgCrypto::Aes => say("AES 密钥为 32、48 或 64 位十六进制数", "An AES key has 32, 48 or 64 hex digits"),
        OrgCrypto::RsaAes => say("请粘贴 PEM 格式的 RSA 公钥，2048 至 4096 位", "Paste a PEM RSA public key of 2048 to 4096 bits"),
    };
    let others = [&form.match_ok_expr, &form.apply_ok_expr, &form.query_ok_expr, &form.query_none_expr];
    let another_meaning = say("该条件已有其他含义", "This condition already has another meaning");
    Check::new()
        .public_https("matchUrl", form.match_url.as_deref())
        .public_https("applyUrl", form.apply_url.as_deref())
        .public_https("queryUrl", form.query_url.as_deref())
        .that("applyUrl", !enabled || form.apply_url.is_some(), required())
        .that("key", key, key_form)
        .that("key", !enabled || form.crypto == OrgCrypto::None || has_key || form.key.is_some(), required())
        .range("overlapHours", form.overlap_hours, 0..=LONGEST_OVERLAP)
        .that(
            "fieldMap",
            form.field_map.keys().all(ours) && form.value_map.keys().all(ours),
            say(format!("可用字段：{}", FIELDS.join("、")), format!("Available fields: {}", FIELDS.join(", "))),
        )
        .that("fieldMap", form.field_map.values().all(their_name), say("对方字段名格式错误", "Not a valid partner field name"))
        .that("fieldMap", !enabled || !form.field_map.is_empty(), required())
        .that("valueMap", values, say("值为 1 到 64 个字符，每个字段最多 50 个", "Values have 1 to 64 characters, at most 50 per field"))
        .text("matchOkExpr", &form.match_ok_expr, 0..=expression::LONGEST)
        .that("matchOkExpr", understood(&form.match_ok_expr), not_understood())
        .that("matchOkExpr", !enabled || form.match_url.is_none() || !form.match_ok_expr.is_empty(), required())
        .text("applyOkExpr", &form.apply_ok_expr, 0..=expression::LONGEST)
        .that("applyOkExpr", understood(&form.apply_ok_expr), not_understood())
        .that("applyOkExpr", !enabled || !form.apply_ok_expr.is_empty(), required())
        .text("queryOkExpr", &form.query_ok_expr, 0..=expression::LONGEST)
        .that("queryOkExpr", understood(&form.query_ok_expr), not_understood())
        .that("queryOkExpr", !enabled || form.query_url.is_none() || !form.query_ok_expr.is_empty(), required())
        .text("queryNoneExpr", &form.query_none_expr, 0..=expression::LONGEST)
        .that("queryNoneExpr", understood(&form.query_none_expr), not_understood())
        .text("knownExpr", &form.known_expr, 0..=expression::LONGEST)
        .that("knownExpr", understood(&form.known_expr), not_understood())
        .that("knownExpr", form.known_expr.is_empty() || !others.contains(&&form.known_expr), another_meaning)
        .range("timeoutMs", form.timeout_ms, 500..=30_000)
        .range("retryMax", form.retry_max, 0..=10)
        .done()
}

/// The change as the trail shows it: maps line by line, and of a key that there is another.
pub fn diff(before: &OrgApi, after: &OrgApi, new_key: bool) -> Vec<Change> {
    let mut changes = audit::changes(Some(&readable(before)), Some(&readable(after)));
    if new_key {
        changes.push(Change { field: "key".to_owned(), before: Some("***".to_owned()), after: Some("***".to_owned()) });
    }
    let proposed = |settings: &OrgApi| settings.proposed.as_deref().map(readable);
    let (was, is) = (proposed(before), proposed(after));
    changes.extend(proposal::changes((Some(&readable(before)), was.as_ref()), (Some(&readable(after)), is.as_ref())));
    for change in &mut changes {
        change.field = match change.field.strip_prefix("asked.") {
            Some(field) => format!("asked.api.{field}"),
            None => format!("api.{}", change.field),
        };
    }
    changes
}

fn readable(settings: &OrgApi) -> serde_json::Value {
    let mut value = serde_json::to_value(settings).expect("settings serialise");
    let fields: Vec<String> = settings.field_map.iter().map(|(our, their)| format!("{our} = {their}")).collect();
    let values: Vec<String> =
        settings.value_map.iter().flat_map(|(field, map)| map.iter().map(move |(our, their)| format!("{field}.{our} = {their}"))).collect();
    value["fieldMap"] = fields.into();
    value["valueMap"] = values.into();
    // Which keys are valid changes by itself.
    value["keys"] = serde_json::Value::Null;
    value["proposed"] = serde_json::Value::Null;
    value["decision"] = serde_json::Value::Null;
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::clock::HOUR;

    #[test]
    fn two_keys_are_valid_while_they_overlap() {
        let house = Keys::new(b"secret", &[7; 32]);
        let first = rotated(&house, 1, Vec::new(), "a", 24, 0);
        assert_eq!(first.len(), 1);
        let second = rotated(&house, 1, first, "b", 24, 1000);
        assert_eq!(second.iter().map(|key| key.valid_until).collect::<Vec<_>>(), [None, Some(1000 + 24 * HOUR)]);
        let open = |key: &StoredKey| house.open(&place::ORGANISATION_API_KEYS.of(1), &key.sealed).unwrap();
        assert_eq!(open(&second[1]), "a");
        let third = rotated(&house, 1, second, "c", 24, 2000);
        let opened: Vec<String> = third.iter().map(open).collect();
        assert_eq!(opened, ["c", "b"], "never more than two");
        assert_eq!(rotated(&house, 1, third, "d", 0, 3000).len(), 1, "without an overlap the old one ends at once");
    }
}
