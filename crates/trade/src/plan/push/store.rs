//! Pushes in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};
use strum::{EnumString, IntoStaticStr};

use super::attempt;
use super::model::{AuthStatus, PushAttempt, PushFilters, PushRow, PushStatus};
use crate::ledger::Held;
use crate::plan::replacement;
use crate::plan::{DeliverMode, PlanRow, SaleMode};
use base::clock::HOUR;
use base::crypto::{Keys, place};
use base::db::sql::typed;
use base::db::{self, Connection, Db, Sql};
use frame::access::{Scope, ScopeColumns};
use frame::api::YesNo;
use frame::places;

/// Whose a push is: its buyer's, its team's, and the account manager's of the buyer.
pub const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("h.org_id IN (SELECT m.id FROM organisation m WHERE m.owner_admin_id = ?)"),
    org: Some("h.org_id"),
    sub_org: Some("h.sub_org_id"),
    myself: None,
};

/// The pushes whose leads the buyer's people have not looked at yet.
const UNSEEN: &str = "(SELECT k.push_id FROM new_lead n JOIN clue k ON k.id = n.clue_id)";

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT h.id, h.no, h.user_id, h.name_mask, h.phone_mask, h.city, h.plan_id, p.name AS plan_name, h.org_id, o.name AS org_name, \
     h.sub_org_id, s.name AS sub_org_name, c.name AS channel_name, d.name AS product_name, h.sale_mode, h.price_cents, h.test, h.status, h.auth_status, h.auth_until, h.attempts, \
     COALESCE(x.due_at, h.next_retry_at) AS next_retry_at, h.upstream_no, h.reject_code, h.reject_reason, h.return_id, h.return_status, r.created_by AS return_asker, \
     rp.no AS repeats_no, rn.no AS repeated_no, \
     (SELECT zh.no FROM lead_replacement zx JOIN lead_return zr ON zr.id = zx.return_id JOIN push_record zh ON zh.id = zr.push_id \
       WHERE zx.push_id = h.id) AS replaces_no, CASE WHEN h.edited_enc IS NULL THEN 0 ELSE 1 END AS edited, \
     h.sold_at, h.created_at, h.updated_at FROM push_record h JOIN plan p ON p.id = h.plan_id JOIN organisation o ON o.id = h.org_id JOIN channel c ON c.id = h.channel_id \
     LEFT JOIN sub_organisation s ON s.id = h.sub_org_id LEFT JOIN product d ON d.id = h.product_id \
     LEFT JOIN lead_return r ON r.id = h.return_id LEFT JOIN outbox_item x ON x.kind = 'delivery' AND x.ref_id = h.id \
     LEFT JOIN push_record rp ON rp.id = h.repeats_id LEFT JOIN push_record rn ON rn.repeats_id = h.id WHERE 1 = 1";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT h.id FROM push_record h WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &PushFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        // Numbers of ours are in capitals.
        sql.push(" AND (h.no = ").bind(keyword.to_uppercase()).push(" OR h.upstream_no = ").bind(keyword.to_owned()).push(")");
    }
    sql.and("h.phone_hash = ", filters.phone_hash.clone())
        .and("h.org_id = ", filters.org_id)
        .and("h.plan_id = ", filters.plan_id)
        .and("h.sub_org_id = ", filters.sub_org_id)
        .and("h.channel_id = ", filters.channel_id)
        .and("h.product_id = ", filters.product_id)
        .and("h.city = ", typed(filters.city.as_deref()).map(places::code_or_text))
        .and("h.status = ", filters.status.map(<&str>::from))
        .and("h.return_status = ", filters.return_status.map(<&str>::from))
        .and("h.auth_status = ", filters.auth_status.map(<&str>::from))
        .and("h.created_at >= ", filters.created_from)
        .and("h.created_at < ", filters.created_to)
        .and("COALESCE(h.sold_at, 0) >= ", filters.sold_from)
        .and("COALESCE(h.sold_at, 0) < ", filters.sold_to)
        .and("COALESCE((SELECT z.star FROM applicant z WHERE z.id = h.user_id), -1) = ", filters.user_star);
    match filters.test {
        // They are few, and found by their applicants.
        Some(YesNo::Yes) => sql.push(" AND h.test = 1 AND h.user_id IN ").push(crate::plan::push::people::TEST_USERS),
        Some(YesNo::No) => sql.push(" AND h.test = 0"),
        None => sql,
    };
    if filters.decided_from.is_some() || filters.decided_to.is_some() {
        sql.push(" AND h.return_id IN (SELECT d.id FROM lead_return d WHERE d.status IN ('approved', 'refused')");
        sql.and("d.reviewed_at >= ", filters.decided_from).and("d.reviewed_at < ", filters.decided_to).push(")");
    }
    if filters.replacement_due.is_some() {
        replacement::narrow_due(sql, filters.now);
    }
    if filters.unseen.is_some() {
        sql.push(" AND h.id IN ").push(UNSEEN);
    }
    scope.apply(sql, SCOPE);
}

/// Narrows to the applicants whose leads an organisation bought, of the leads that the scope holds: who may not see a
/// sale does not learn of it by a filter.
pub fn bought_by(sql: &mut Sql, user_id: &'static str, org_id: i64, scope: Scope) {
    sql.push(" AND ")
        .push(user_id)
        .push(" IN (SELECT h.user_id FROM push_record h WHERE h.sold_at IS NOT NULL AND h.org_id = ")
        .bind(org_id);
    scope.apply(sql, SCOPE);
    sql.push(")");
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<PushRow, sqlx::Error> {
    Ok(PushRow {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        user_id: row.try_get("user_id")?,
        name_mask: row.try_get("name_mask")?,
        phone_mask: row.try_get("phone_mask")?,
        city: places::stored(row, "city")?,
        plan_id: row.try_get("plan_id")?,
        plan_name: row.try_get("plan_name")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        sub_org_id: row.try_get("sub_org_id")?,
        sub_org_name: row.try_get("sub_org_name")?,
        channel_name: row.try_get("channel_name")?,
        product_name: row.try_get("product_name")?,
        sale_mode: db::code(row, "sale_mode")?,
        price_cents: row.try_get("price_cents")?,
        test: db::flag(row, "test")?,
        status: db::code(row, "status")?,
        auth_status: db::optional_code(row, "auth_status")?,
        auth_until: row.try_get("auth_until")?,
        attempts: row.try_get("attempts")?,
        next_retry_at: row.try_get("next_retry_at")?,
        upstream_no: row.try_get("upstream_no")?,
        reject_code: row.try_get("reject_code")?,
        reject_reason: row.try_get("reject_reason")?,
        return_id: row.try_get("return_id")?,
        return_status: db::optional_code(row, "return_status")?,
        return_asker: row.try_get("return_asker")?,
        repeats_no: row.try_get("repeats_no")?,
        repeated_no: row.try_get("repeated_no")?,
        replaces_no: row.try_get("replaces_no")?,
        edited: db::flag(row, "edited")?,
        sold_at: row.try_get("sold_at")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// One push within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<PushRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("h.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// The pushes to an organisation under a number, ours or its own: two at most, for one that is not unique.
pub async fn of_org<'e>(
    on: impl Executor<'e, Database = Any>,
    org_id: i64,
    no: Option<&str>,
    upstream_no: Option<&str>,
) -> Result<Vec<PushRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("h.org_id = ", Some(org_id)).and("h.no = ", no).and("h.upstream_no = ", upstream_no).push(" LIMIT 2");
    sql.fetch_all(on).await?.iter().map(read).collect()
}

/// The tries of a push, the first first.
pub async fn tries<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Vec<PushAttempt>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT seq, url, req_masked AS request, http_status, resp_masked AS response, cost_ms, error, outcome, at FROM push_attempt \
         WHERE push_id = $1 ORDER BY seq",
    )
    .bind(id)
    .fetch_all(on)
    .await?;
    rows.iter().map(attempt::read).collect()
}

/// A push to be added.
pub struct NewPush<'n> {
    pub no: &'n str,
    pub name_mask: &'n str,
    pub phone_mask: &'n str,
    pub city: &'n str,
    pub plan_id: i64,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub channel_id: i64,
    pub product_id: Option<i64>,
    pub sale_mode: SaleMode,
    pub price_cents: i64,
    pub status: PushStatus,
    pub upstream_no: Option<&'n str>,
    pub reject: Option<(&'n str, &'n str)>,
    pub next_retry_at: Option<i64>,
    pub at: i64,
}

/// Adds a push with its tries, and returns its id.
pub async fn insert(tx: &mut Connection, push: &NewPush<'_>, tries: &[PushAttempt]) -> Result<i64, sqlx::Error> {
    let sold_at = matches!(push.status, PushStatus::Accepted | PushStatus::Returned).then_some(push.at);
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO push_record (no, name_mask, phone_mask, city, plan_id, org_id, sub_org_id, channel_id, product_id, sale_mode, price_cents, \
           status, attempts, next_retry_at, upstream_no, reject_code, reject_reason, sold_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) RETURNING id",
    )
    .bind(push.no)
    .bind(push.name_mask)
    .bind(push.phone_mask)
    .bind(push.city)
    .bind(push.plan_id)
    .bind(push.org_id)
    .bind(push.sub_org_id)
    .bind(push.channel_id)
    .bind(push.product_id)
    .bind(<&str>::from(push.sale_mode))
    .bind(push.price_cents)
    .bind(<&str>::from(push.status))
    .bind(tries.len() as i64)
    .bind(push.next_retry_at)
    .bind(push.upstream_no)
    .bind(push.reject.map(|(code, _)| code))
    .bind(push.reject.map(|(_, reason)| reason))
    .bind(sold_at)
    .bind(push.at)
    .bind(tries.last().map_or(push.at, |last| last.at))
    .fetch_one(&mut *tx)
    .await?;
    for attempt in tries {
        tried(tx, id, attempt).await?;
    }
    Ok(id)
}

/// A lead that a plan buys.
pub struct Lead<'l> {
    pub no: &'l str,
    /// Its buyer is a test organisation: it costs nothing.
    pub test: bool,
    pub user_id: i64,
    pub phone_hash: &'l str,
    pub name_mask: &'l str,
    pub phone_mask: &'l str,
    pub city: &'l str,
    pub plan: &'l PlanRow,
    pub channel_id: i64,
    /// Held of the account of its organisation.
    pub price_cents: i64,
    pub channel_cost_cents: i64,
    /// Buyers of this person that the plan was promised at most: 1 if it is the only one.
    pub most_buyers: i64,
    /// The push that a person has sent once more by it.
    pub repeats_id: Option<i64>,
    /// What its buyer gets in place of what the applicant said, sealed.
    pub edited_enc: Option<&'l str>,
    /// Until when the applicant is waited for on the organisation's page, and its address, sealed.
    pub auth: Option<(i64, &'l str)>,
    pub at: i64,
}

/// How a lead begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It waits to be delivered, its price held.
    Queued,
    /// Nobody has to be asked: it is accepted, and paid.
    AtOnce,
}

/// Adds a lead, and answers its push as it is then.
pub async fn add(tx: &mut Connection, lead: &Lead<'_>, way: Way) -> Result<OnWay, sqlx::Error> {
    let queued = way == Way::Queued;
    let held_cents = if queued { lead.price_cents } else { 0 };
    let id = sqlx::query_scalar(
        "INSERT INTO push_record (no, user_id, phone_hash, name_mask, phone_mask, city, plan_id, org_id, sub_org_id, channel_id, product_id, \
           sale_mode, price_cents, held_cents, channel_cost_cents, test, status, most_buyers, repeats_id, edited_enc, \
           auth_status, auth_until, auth_url_enc, sold_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26) RETURNING id",
    )
    .bind(lead.no)
    .bind(lead.user_id)
    .bind(lead.phone_hash)
    .bind(lead.name_mask)
    .bind(lead.phone_mask)
    .bind(lead.city)
    .bind(lead.plan.id)
    .bind(lead.plan.org_id)
    .bind(lead.plan.sub_org_id)
    .bind(lead.channel_id)
    .bind(lead.plan.product_id)
    .bind(<&str>::from(lead.plan.sale_mode))
    .bind(lead.price_cents)
    .bind(held_cents)
    .bind(lead.channel_cost_cents)
    .bind(i64::from(lead.test))
    .bind(<&str>::from(if queued { PushStatus::Queued } else { PushStatus::Accepted }))
    .bind(lead.most_buyers)
    .bind(lead.repeats_id)
    .bind(lead.edited_enc)
    .bind(lead.auth.map(|_| <&str>::from(AuthStatus::Waiting)))
    .bind(lead.auth.map(|(until, _)| until))
    .bind(lead.auth.map(|(_, url_enc)| url_enc))
    .bind((!queued).then_some(lead.at))
    .bind(lead.at)
    .bind(lead.at)
    .fetch_one(tx)
    .await?;
    Ok(OnWay {
        id,
        no: lead.no.to_owned(),
        user_id: lead.user_id,
        phone_hash: lead.phone_hash.to_owned(),
        name_mask: lead.name_mask.to_owned(),
        phone_mask: lead.phone_mask.to_owned(),
        city: lead.city.to_owned(),
        plan_id: lead.plan.id,
        deliver_mode: lead.plan.deliver_mode,
        org_id: lead.plan.org_id,
        sub_org_id: lead.plan.sub_org_id,
        price_cents: lead.price_cents,
        held_cents,
        held_gift_cents: 0,
        channel_cost_cents: lead.channel_cost_cents,
        test: lead.test,
        attempts: 0,
        unconfirmed: false,
        erased: false,
        stopped: None,
        auth_status: lead.auth.map(|_| AuthStatus::Waiting),
        auth_until: lead.auth.map(|(until, _)| until),
        edited_enc: lead.edited_enc.map(str::to_owned),
    })
}

/// What stands between a plan and a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Between {
    /// The plan runs, and is as it was read.
    pub runs: bool,
    /// Its organisation is in test mode.
    pub test: bool,
    /// Its organisation is active.
    pub active: bool,
    /// Its organisation has a licence whose last day is not over.
    pub licensed: bool,
    /// Its organisation's delivery settings are switched on.
    pub delivers: bool,
    /// Its product is online, or it has none.
    pub online: bool,
    /// The applicant's consent is the one that was looked at.
    pub consents: bool,
    /// Its organisation has had the applicant in any way that counts, or a person has cancelled a push of them to it, or it had the person since a moment as a
    /// lead that is on its way or that it took. Test leads count for test leads, live ones for live ones.
    pub had: bool,
    /// Other organisations that have the person, or may have, and the fewest buyers that any of them was promised; likewise.
    pub buyers: i64,
    pub promised: Option<i64>,
}

/// For whom a sale asks.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub phone_hash: &'a str,
    pub user_id: i64,
    pub consent_id: Option<i64>,
    /// From when on its organisation buys nobody twice.
    pub had_since: i64,
    /// From when on buyers of the person count for what others were promised.
    pub bought_since: i64,
    /// A person repeats a push: what the organisation did not take before does not count.
    pub repeats: bool,
    pub today: &'a str,
    pub at: i64,
}

/// Asks for all of it in one statement, and locks nothing of it: a plan that is paused or repriced after this
/// and before the sale is kept sells once more, as if the sale had come first. A shared lock on the plan would
/// order the two, but PostgreSQL lets those who share a row in past whoever waits to change it: a plan that sells
/// all the time could hardly be paused, and each delivery that fails, which is counted in the same row, would
/// wait as well.
pub async fn between(tx: &mut Connection, plan: &PlanRow, asked: &Asked<'_>) -> Result<Between, sqlx::Error> {
    // What could not be delivered may be offered again, if not at once: the organisation never had it.
    let row = sqlx::query(
        "SELECT CASE WHEN p.version = $1 AND p.status = 'running' AND p.deleted_at IS NULL THEN 1 ELSE 0 END AS runs, \
           CASE o.mode WHEN 'test' THEN 1 ELSE 0 END AS test, \
           CASE WHEN o.status = 'active' AND o.deleted_at IS NULL THEN 1 ELSE 0 END AS active, \
           CASE WHEN o.licence_no IS NOT NULL AND o.licence_expire_on >= $2 THEN 1 ELSE 0 END AS licensed, \
           CASE WHEN c.status = 'enabled' THEN 1 ELSE 0 END AS delivers, \
           CASE WHEN p.product_id IS NULL OR d.status = 'online' THEN 1 ELSE 0 END AS online, \
           CASE WHEN COALESCE((SELECT MAX(k.id) FROM consent_record k WHERE k.user_id = $3 AND k.revoked_at IS NULL), 0) = $4 \
             THEN 1 ELSE 0 END AS consents, \
           (SELECT COUNT(*) FROM (SELECT h.id FROM push_record h WHERE h.org_id = p.org_id AND h.phone_hash = $5 \
             AND h.test = CASE o.mode WHEN 'test' THEN 1 ELSE 0 END AND ( \
               (h.user_id = $6 AND NOT (h.status = 'cancelled' AND h.reject_code <> 'by_hand') \
                 AND NOT (h.status = 'failed' AND h.reject_code = 'no_delivery' AND h.updated_at < $7) \
                 AND ($8 = 0 OR h.status NOT IN ('rejected', 'duplicate', 'failed', 'cancelled'))) \
               OR (h.created_at > $9 AND h.status IN ('queued', 'sending', 'retrying', 'unconfirmed', 'accepted', 'returned'))) LIMIT 1) AS found) AS had, \
           (SELECT COUNT(DISTINCT h.org_id) FROM push_record h WHERE h.phone_hash = $10 AND h.org_id <> p.org_id AND (h.created_at > $11 OR h.user_id = $12) \
             AND h.test = CASE o.mode WHEN 'test' THEN 1 ELSE 0 END AND h.status IN ('queued', 'sending', 'retrying', 'unconfirmed', 'accepted')) AS buyers, \
           (SELECT MIN(COALESCE(h.most_buyers, CASE h.sale_mode WHEN 'exclusive' THEN 1 END)) FROM push_record h WHERE h.phone_hash = $13 \
             AND h.org_id <> p.org_id AND (h.created_at > $14 OR h.user_id = $15) AND h.test = CASE o.mode WHEN 'test' THEN 1 ELSE 0 END \
             AND h.status IN ('queued', 'sending', 'retrying', 'unconfirmed', 'accepted')) AS promised \
         FROM plan p JOIN organisation o ON o.id = p.org_id LEFT JOIN org_api_config c ON c.org_id = o.id \
           LEFT JOIN product d ON d.id = p.product_id WHERE p.id = $16",
    )
    .bind(plan.version)
    .bind(asked.today)
    .bind(asked.user_id)
    .bind(asked.consent_id.unwrap_or_default())
    .bind(asked.phone_hash)
    .bind(asked.user_id)
    .bind(asked.at - HOUR)
    .bind(i64::from(asked.repeats))
    .bind(asked.had_since)
    .bind(asked.phone_hash)
    .bind(asked.bought_since)
    .bind(asked.user_id)
    .bind(asked.phone_hash)
    .bind(asked.bought_since)
    .bind(asked.user_id)
    .bind(plan.id)
    .fetch_one(tx)
    .await?;
    Ok(Between {
        runs: db::flag(&row, "runs")?,
        test: db::flag(&row, "test")?,
        active: db::flag(&row, "active")?,
        licensed: db::flag(&row, "licensed")?,
        delivers: db::flag(&row, "delivers")?,
        online: db::flag(&row, "online")?,
        consents: db::flag(&row, "consents")?,
        had: db::flag(&row, "had")?,
        buyers: row.try_get("buyers")?,
        promised: row.try_get("promised")?,
    })
}

/// A sale of an applicant.
#[derive(Clone, Copy, Debug)]
pub struct Bought {
    pub org_id: i64,
    pub status: PushStatus,
    /// The organisation has had the applicant; it has not what was never delivered.
    pub had: bool,
    /// How many buyers it was promised at most, where that was kept.
    pub most_buyers: Option<i64>,
    /// From when on it may be offered to the organisation again: what could not be delivered, it never had.
    pub again_at: Option<i64>,
}

/// Who has bought an applicant, and what became of it.
pub async fn buyers<'e>(on: impl Executor<'e, Database = Any>, user_id: i64, now: i64) -> Result<Vec<Bought>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT org_id, status, COALESCE(most_buyers, CASE sale_mode WHEN 'exclusive' THEN 1 END) AS most_buyers, \
           CASE WHEN (status = 'cancelled' AND COALESCE(reject_code, '') <> 'by_hand') OR (status = 'failed' AND reject_code = 'no_delivery' AND updated_at < $1) \
           THEN 0 ELSE 1 END AS had, CASE WHEN status = 'failed' AND reject_code = 'no_delivery' THEN updated_at END AS failed_at \
         FROM push_record WHERE user_id = $2",
    )
    .bind(now - HOUR)
    .bind(user_id)
    .fetch_all(on)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Bought {
                org_id: row.try_get("org_id")?,
                status: db::code(row, "status")?,
                had: db::flag(row, "had")?,
                most_buyers: row.try_get("most_buyers")?,
                again_at: row.try_get::<Option<i64>, _>("failed_at")?.map(|at| at + HOUR + 1),
            })
        })
        .collect()
}

/// A lead that was offered to a plan in the past.
#[derive(Debug)]
pub struct PastOffer {
    pub user_id: i64,
    pub plan_id: i64,
    pub org_id: i64,
    pub price_cents: i64,
    pub sale_mode: SaleMode,
    /// Buyers that were promised to it at most; none of old ones.
    pub most_buyers: Option<i64>,
    pub status: PushStatus,
    pub at: i64,
    /// Its last change: of one that ended, its end.
    pub updated_at: i64,
    /// What its channel got with it, and was charged for its return; fen.
    pub cost_cents: i64,
    pub charged_cents: i64,
}

/// What was offered of some applicants since a moment, in order.
pub async fn offered(db: &Db, users: &[i64], since: i64) -> Result<Vec<PastOffer>, sqlx::Error> {
    let mut found = Vec::new();
    for some in db::padded(users) {
        let mut sql = Sql::new(
            "SELECT h.user_id, h.plan_id, h.org_id, h.price_cents, h.sale_mode, h.most_buyers, h.status, h.created_at, h.updated_at, \
               CASE WHEN k.push_id = h.id THEN k.cost_cents ELSE 0 END AS cost_cents, \
               CASE WHEN k.charged_push_id = h.id THEN k.charged_cents ELSE 0 END AS charged_cents \
             FROM push_record h LEFT JOIN lead_cost k ON k.user_id = h.user_id WHERE h.created_at >= ",
        );
        sql.bind(since).push(" AND h.user_id IN ").ids(some.copied()).push(" ORDER BY h.created_at, h.id");
        for row in sql.fetch_all(db.read()).await? {
            found.push(PastOffer {
                user_id: row.try_get("user_id")?,
                plan_id: row.try_get("plan_id")?,
                org_id: row.try_get("org_id")?,
                price_cents: row.try_get("price_cents")?,
                sale_mode: db::code(&row, "sale_mode")?,
                most_buyers: row.try_get("most_buyers")?,
                status: db::code(&row, "status")?,
                at: row.try_get("created_at")?,
                updated_at: row.try_get("updated_at")?,
                cost_cents: row.try_get("cost_cents")?,
                charged_cents: row.try_get("charged_cents")?,
            });
        }
    }
    Ok(found)
}

/// Offers that ended: their room under the caps is given back.
const ENDED: &str = "('rejected', 'duplicate', 'failed', 'returned', 'cancelled')";

/// What a plan used of the windows of caps before a moment: each window with its start and sum.
#[derive(Debug)]
pub struct UsedBefore {
    pub plan_id: i64,
    /// Count and fen.
    pub used: [(i64, i64); 5],
}

/// What plans used before a moment, from the start of each window on: of the caps' windows in their order. Offers that
/// ended by then count for nothing.
pub async fn used_before(db: &Db, plans: &[i64], starts: [i64; 5], since: i64, before: i64) -> Result<Vec<UsedBefore>, sqlx::Error> {
    const COLUMNS: [[&str; 2]; 5] = [["n0", "c0"], ["n1", "c1"], ["n2", "c2"], ["n3", "c3"], ["n4", "c4"]];
    let mut found = Vec::new();
    for some in db::padded(plans) {
        let mut sql = Sql::new("SELECT plan_id");
        for (start, [count, cents]) in starts.into_iter().zip(COLUMNS) {
            sql.push(", CAST(COALESCE(SUM(CASE WHEN created_at >= ").bind(start).push(" THEN 1 ELSE 0 END), 0) AS BIGINT) AS ").push(count);
            sql.push(", CAST(COALESCE(SUM(CASE WHEN created_at >= ")
                .bind(start)
                .push(" THEN price_cents ELSE 0 END), 0) AS BIGINT) AS ")
                .push(cents);
        }
        sql.push(" FROM push_record WHERE created_at >= ").bind(since).push(" AND created_at < ").bind(before);
        sql.push(" AND (status NOT IN ").push(ENDED).push(" OR updated_at >= ").bind(before);
        sql.push(") AND plan_id IN ").ids(some.copied()).push(" GROUP BY plan_id");
        for row in sql.fetch_all(db.read()).await? {
            let mut used = [(0, 0); 5];
            for (used, [count, cents]) in used.iter_mut().zip(COLUMNS) {
                *used = (row.try_get(count)?, row.try_get(cents)?);
            }
            found.push(UsedBefore { plan_id: row.try_get("plan_id")?, used });
        }
    }
    Ok(found)
}

/// Offers from before a moment that ended after it: when, the plan, when it was offered, fen.
pub async fn ended_later(db: &Db, plans: &[i64], since: i64, before: i64) -> Result<Vec<(i64, i64, i64, i64)>, sqlx::Error> {
    let mut found = Vec::new();
    for some in db::padded(plans) {
        let mut sql = Sql::new("SELECT updated_at, plan_id, created_at, price_cents FROM push_record WHERE created_at >= ");
        sql.bind(since).push(" AND created_at < ").bind(before).push(" AND updated_at >= ").bind(before);
        sql.push(" AND status IN ").push(ENDED).push(" AND plan_id IN ").ids(some.copied());
        for row in sql.fetch_all(db.read()).await? {
            found.push((row.try_get("updated_at")?, row.try_get("plan_id")?, row.try_get("created_at")?, row.try_get("price_cents")?));
        }
    }
    Ok(found)
}

/// The pushes of an applicant within a scope, the first first.
pub async fn of_user_within<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, user_id: i64) -> Result<Vec<PushRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("h.user_id = ", Some(user_id));
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY h.created_at, h.id");
    sql.fetch_all(on).await?.iter().map(read).collect()
}

/// The last lead of an applicant, by the applicant's number, with a page of an organisation: its id, and how that stands.
pub async fn last_authorisation(tx: &mut Connection, org_id: i64, user_no: &str) -> Result<Option<(i64, AuthStatus)>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT h.id, h.auth_status FROM push_record h JOIN applicant u ON u.id = h.user_id WHERE u.no = $1 AND h.org_id = $2 \
         AND h.auth_status IS NOT NULL ORDER BY h.id DESC LIMIT 1",
    )
    .bind(user_no)
    .bind(org_id)
    .fetch_optional(tx)
    .await?;
    row.map(|row| Ok((row.try_get("id")?, db::code(&row, "auth_status")?))).transpose()
}

/// Ends the wait for an applicant on an organisation's page; its address is needed no more.
pub async fn set_authorisation(tx: &mut Connection, id: i64, status: AuthStatus, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET auth_status = $1, auth_url_enc = NULL, updated_at = $2 WHERE id = $3")
        .bind(<&str>::from(status))
        .bind(now)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// A page on which an applicant is to agree.
#[derive(Debug)]
pub struct AuthPage {
    pub org_name: String,
    pub url: String,
    /// Epoch milliseconds.
    pub until: i64,
}

/// The pages on which an applicant is to agree still, at a moment, the first first.
pub async fn auth_pages(db: &Db, keys: &Keys, user_id: i64, at: i64) -> anyhow::Result<Vec<AuthPage>> {
    let rows = sqlx::query(
        "SELECT h.no, h.auth_until, h.auth_url_enc, o.name FROM push_record h JOIN organisation o ON o.id = h.org_id \
         WHERE h.user_id = $1 AND h.status = 'queued' AND h.auth_status = 'waiting' AND h.auth_until > $2 AND h.auth_url_enc IS NOT NULL ORDER BY h.id",
    )
    .bind(user_id)
    .bind(at)
    .fetch_all(db.read())
    .await?;
    let mut pages = Vec::with_capacity(rows.len());
    for row in &rows {
        let no: String = row.try_get("no")?;
        let url = keys.open(&place::PUSH_AUTH_URL.of(no), row.try_get::<&str, _>("auth_url_enc")?)?;
        pages.push(AuthPage { org_name: row.try_get("name")?, url, until: row.try_get("auth_until")? });
    }
    Ok(pages)
}

/// The leads of an applicant that are on their way.
pub async fn ids_on_way<'e>(on: impl Executor<'e, Database = Any>, user_id: i64) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT id FROM push_record WHERE user_id = $1 AND status IN ('queued', 'sending', 'retrying', 'unconfirmed') ORDER BY id",
    )
    .bind(user_id)
    .fetch_all(on)
    .await
}

/// A lead of an applicant that an organisation has: its number, its organisation and the team.
#[derive(Debug)]
pub struct Taken {
    pub no: String,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
}

/// The leads of an applicant that organisations have.
pub async fn taken_of_user(tx: &mut Connection, user_id: i64) -> Result<Vec<Taken>, sqlx::Error> {
    let rows = sqlx::query("SELECT no, org_id, sub_org_id FROM push_record WHERE user_id = $1 AND status = 'accepted' ORDER BY id")
        .bind(user_id)
        .fetch_all(tx)
        .await?;
    rows.iter()
        .map(|row| Ok(Taken { no: row.try_get("no")?, org_id: row.try_get("org_id")?, sub_org_id: row.try_get("sub_org_id")? }))
        .collect()
}

/// Organisations that took leads of a phone: since an earlier moment, and since a later one. Test leads do not count.
pub async fn takers<'e>(
    on: impl Executor<'e, Database = Any>,
    phone_hash: &str,
    since: i64,
    lately: i64,
) -> Result<(i64, i64), sqlx::Error> {
    let row = sqlx::query(TAKERS).bind(lately).bind(phone_hash).bind(since).fetch_one(on).await?;
    Ok((row.try_get("takers")?, row.try_get("lately")?))
}

const TAKERS: &str = "SELECT COUNT(DISTINCT org_id) AS takers, COUNT(DISTINCT CASE WHEN created_at > $1 THEN org_id END) AS lately \
     FROM push_record WHERE phone_hash = $2 AND created_at > $3 AND test = 0 AND status IN ('accepted', 'returned')";

/// Why an applicant may no longer be sent to anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Stop {
    /// A member of staff marked the applicant invalid.
    Invalid,
    /// The applicant withdrew the consent.
    Consent,
}

/// A lead on its way, as deliveries and their end need it.
#[derive(Clone, Debug)]
pub struct OnWay {
    pub id: i64,
    pub no: String,
    pub user_id: i64,
    pub phone_hash: String,
    pub name_mask: String,
    pub phone_mask: String,
    pub city: String,
    pub plan_id: i64,
    pub deliver_mode: DeliverMode,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub price_cents: i64,
    pub held_cents: i64,
    /// Of it, the part of gifts.
    pub held_gift_cents: i64,
    /// What the channel gets if it is taken, in fen: once for an applicant.
    pub channel_cost_cents: i64,
    /// Its buyer was a test organisation when it was sold: no money moves for it.
    pub test: bool,
    pub attempts: i64,
    /// Nobody knows whether its organisation has it.
    pub unconfirmed: bool,
    /// Nothing is kept any more that tells who it is about.
    pub erased: bool,
    /// Why it is not to be sent any more, if that is so.
    pub stopped: Option<Stop>,
    /// Where the applicant is to agree on the organisation's page first.
    pub auth_status: Option<AuthStatus>,
    pub auth_until: Option<i64>,
    /// What its organisation gets in place of what its applicant said, sealed.
    pub edited_enc: Option<String>,
}

impl OnWay {
    /// What is held of its organisation's account.
    pub fn held(&self) -> Held {
        Held { cents: self.held_cents, gift_cents: self.held_gift_cents }
    }
}

/// Holds a lead until the transaction ends. Whose lead it is, is held first, as everybody does who touches both.
pub async fn hold(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    hold_applicant(&mut *tx, id).await?;
    let mut sql = Sql::new("SELECT h.id FROM push_record h WHERE h.id = ");
    sql.bind(id);
    tx.hold(&mut sql, "h");
    sql.fetch_optional(tx).await.map(drop)
}

async fn hold_applicant(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.id = (SELECT h.user_id FROM push_record h WHERE h.id = ");
    sql.bind(id).push(")");
    tx.hold(&mut sql, "u");
    sql.fetch_optional(tx).await.map(drop)
}

/// A lead that is on its way, held as [`hold`] does; nothing once it has arrived or ended.
pub async fn on_way(tx: &mut Connection, id: i64) -> Result<Option<OnWay>, sqlx::Error> {
    hold_applicant(&mut *tx, id).await?;
    let mut sql = Sql::new(concat!(
        "SELECT h.id, h.no, h.user_id, h.phone_hash, h.name_mask, h.phone_mask, h.city, h.plan_id, p.deliver_mode, h.org_id, h.sub_org_id, \
           h.price_cents, h.held_cents, h.held_gift_cents, h.channel_cost_cents, h.test, h.attempts, h.status, h.auth_status, h.auth_until, h.edited_enc, h.created_at, \
           CASE WHEN u.status = 'erased' THEN 1 ELSE 0 END AS erased, \
           CASE WHEN u.status = 'invalid' THEN 'invalid' WHEN ",
        crate::plan::push::people::withdrawn_at!("u.id"),
        " IS NOT NULL THEN 'consent' END AS stopped FROM push_record h \
           JOIN plan p ON p.id = h.plan_id JOIN applicant u ON u.id = h.user_id \
         WHERE h.status IN ('queued', 'sending', 'retrying', 'unconfirmed') AND h.id = ",
    ));
    sql.bind(id);
    tx.hold(&mut sql, "h");
    let Some(row) = sql.fetch_optional(tx).await? else { return Ok(None) };
    Ok(Some(OnWay {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        user_id: row.try_get("user_id")?,
        phone_hash: row.try_get::<Option<String>, _>("phone_hash")?.unwrap_or_default(),
        name_mask: row.try_get("name_mask")?,
        phone_mask: row.try_get("phone_mask")?,
        city: places::stored(&row, "city")?,
        plan_id: row.try_get("plan_id")?,
        deliver_mode: db::code(&row, "deliver_mode")?,
        org_id: row.try_get("org_id")?,
        sub_org_id: row.try_get("sub_org_id")?,
        price_cents: row.try_get("price_cents")?,
        held_cents: row.try_get("held_cents")?,
        held_gift_cents: row.try_get("held_gift_cents")?,
        channel_cost_cents: row.try_get("channel_cost_cents")?,
        test: db::flag(&row, "test")?,
        attempts: row.try_get("attempts")?,
        unconfirmed: row.try_get::<&str, _>("status")? == <&str>::from(PushStatus::Unconfirmed),
        erased: db::flag(&row, "erased")?,
        stopped: db::optional_code(&row, "stopped")?,
        auth_status: db::optional_code(&row, "auth_status")?,
        auth_until: row.try_get("auth_until")?,
        edited_enc: row.try_get("edited_enc")?,
    }))
}

/// Begins a try: it is written down before anything is sent.
pub async fn begin_try(tx: &mut Connection, id: i64, attempt: &PushAttempt) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET status = 'sending', attempts = $1, updated_at = $2 WHERE id = $3")
        .bind(attempt.seq)
        .bind(attempt.at)
        .bind(id)
        .execute(&mut *tx)
        .await?;
    tried(tx, id, attempt).await
}

/// Writes down what came of a try that was begun, whoever has the lead by now. Of an applicant who was
/// erased meanwhile nothing is kept of what the other side said.
pub async fn end_try(tx: &mut Connection, id: i64, attempt: &PushAttempt) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE push_attempt SET http_status = $1, resp_masked = CASE WHEN (SELECT u.status FROM push_record h JOIN applicant u \
           ON u.id = h.user_id WHERE h.id = $2) = 'erased' THEN NULL ELSE $3 END, cost_ms = $4, error = $5, outcome = $6 \
         WHERE push_id = $7 AND seq = $8",
    )
    .bind(attempt.http_status)
    .bind(id)
    .bind(attempt.response.as_deref())
    .bind(attempt.cost_ms)
    .bind(attempt.error.as_deref())
    .bind(attempt.outcome.map(<&str>::from))
    .bind(id)
    .bind(attempt.seq)
    .execute(tx)
    .await
    .map(drop)
}

/// Keeps one try.
pub async fn tried(tx: &mut Connection, id: i64, attempt: &PushAttempt) -> Result<(), sqlx::Error> {
    const KEEP: &str = "INSERT INTO push_attempt (push_id, seq, url, req_masked, http_status, resp_masked, cost_ms, error, outcome, at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    attempt::keep(tx, KEEP, id, attempt).await
}

/// Notes how much of what is held for a lead is of gifts.
pub async fn held_of_gifts(tx: &mut Connection, id: i64, gift_cents: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET held_gift_cents = $1 WHERE id = $2").bind(gift_cents).bind(id).execute(tx).await.map(drop)
}

/// A lead that its organisation has taken.
pub async fn accepted(tx: &mut Connection, id: i64, upstream_no: Option<&str>, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE push_record SET status = 'accepted', held_cents = 0, held_gift_cents = 0, next_retry_at = NULL, upstream_no = $1, sold_at = $2, updated_at = $3 \
         WHERE id = $4",
    )
    .bind(upstream_no)
    .bind(at)
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Whether its organisation has taken a lead, and may have given it back since.
pub async fn is_accepted(tx: &mut Connection, id: i64) -> Result<bool, sqlx::Error> {
    let status: String = sqlx::query_scalar("SELECT status FROM push_record WHERE id = $1").bind(id).fetch_one(tx).await?;
    Ok(matches!(status.parse(), Ok(PushStatus::Accepted | PushStatus::Returned)))
}

/// Leads of a plan that wait for a try, so many at most.
pub async fn waiting_of(tx: &mut Connection, plan_id: i64, most: i64) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT id FROM push_record WHERE plan_id = $1 AND status IN ('queued', 'retrying') \
           AND COALESCE(auth_status, '') <> 'waiting' ORDER BY created_at DESC, id DESC LIMIT $2",
    )
    .bind(plan_id)
    .bind(most)
    .fetch_all(tx)
    .await
}

/// A lead that its organisation has not taken.
pub async fn refused(tx: &mut Connection, id: i64, status: PushStatus, code: &str, reason: &str, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE push_record SET status = $1, held_cents = 0, held_gift_cents = 0, next_retry_at = NULL, reject_code = $2, reject_reason = $3, updated_at = $4, \
           auth_url_enc = NULL, auth_status = CASE WHEN auth_status = 'waiting' THEN 'expired' ELSE auth_status END \
         WHERE id = $5",
    )
    .bind(<&str>::from(status))
    .bind(code)
    .bind(reason)
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Takes back a lead that its organisation had taken; tells whether it had.
pub async fn returned(tx: &mut Connection, id: i64, at: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE push_record SET status = 'returned', updated_at = $1 WHERE id = $2 AND status = 'accepted'")
        .bind(at)
        .bind(id)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Keeps a lead's last return beside it, and how that stands.
pub async fn set_return(tx: &mut Connection, id: i64, return_id: i64, status: &'static str, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET return_id = $1, return_status = $2, updated_at = $3 WHERE id = $4")
        .bind(return_id)
        .bind(status)
        .bind(at)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// A lead that waits for its next try, or for word whether it arrived.
pub async fn waits(tx: &mut Connection, id: i64, status: PushStatus, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET status = $1, next_retry_at = NULL, updated_at = $2 WHERE id = $3")
        .bind(<&str>::from(status))
        .bind(at)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Wipes who the pushes of an applicant are about; what was sold and paid stays.
pub async fn erase(tx: &mut Connection, user_id: i64, now: i64) -> Result<(), sqlx::Error> {
    // Why not is told in the other side's words, which may name who it is about, if masked; ours name nobody.
    sqlx::query(
        "UPDATE push_record SET name_mask = '***', phone_mask = '***', city = '', edited_enc = NULL, auth_url_enc = NULL, \
           reject_reason = CASE WHEN reject_reason IS NULL OR status = 'cancelled' OR reject_code IN ('no_delivery', 'not_there', 'auth_declined', 'auth_expired') \
             THEN reject_reason ELSE '***' END, \
           updated_at = CASE WHEN status IN ('rejected', 'duplicate', 'failed', 'returned', 'cancelled') THEN updated_at ELSE $1 END WHERE user_id = $2",
    )
    .bind(now)
    .bind(user_id)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "UPDATE push_attempt SET req_masked = '', resp_masked = NULL WHERE push_id IN (SELECT id FROM push_record WHERE user_id = $1)",
    )
    .bind(user_id)
    .execute(tx)
    .await
    .map(drop)
}
