//! Projects in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::form::Form;
use super::model::{ProjectContent, ProjectFilters, ProjectRow, ProjectStage, ProjectStatus, ProjectStep, ReturnReason, StepAction};
use base::clock;
use base::crypto::{Keys, place};
use base::db::{self, Connection, Sql};
use base::locale::Locale;
use base::mask;
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns};
use frame::dict;
use frame::places;

/// Who sees a project: its applicant. Accounts of organisations make none.
pub const SCOPE: ScopeColumns =
    ScopeColumns { owner: Some("p.applicant_admin_id"), org: None, sub_org: None, myself: Some("p.applicant_admin_id") };

/// The query of the list, before [`narrow`].
pub const SELECT: &str = "SELECT p.id, p.no, p.partner_type, p.name, p.city, p.licence_no, p.contact_name, p.contact_phone_mask, \
     p.contact_email, p.settle_mode, p.unit_price_cents, p.share_bp, p.daily_volume, p.start_date, p.landing_url, p.callback_url, \
     p.ip_allow, p.remark, p.status, p.stage, p.applicant_admin_id, COALESCE(a.real_name, '') AS applicant_name, p.submitted_at, \
     p.launched_at, p.version, p.created_at, p.updated_at \
     FROM project p LEFT JOIN administrator a ON a.id = p.applicant_admin_id WHERE 1 = 1";

/// The same rows, for the count.
pub const COUNT: &str = "SELECT p.id FROM project p WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &ProjectFilters, scope: Scope) {
    sql.and_named(&["p.name", "p.contact_name"], &["p.no"], filters.keyword.as_deref())
        .and("p.contact_phone_hash = ", filters.phone_hash.as_deref())
        .and("p.status = ", filters.status.map(<&str>::from))
        .and("p.stage = ", filters.stage.map(<&str>::from))
        .and("p.partner_type = ", filters.partner_type.map(<&str>::from))
        .and("p.applicant_admin_id = ", filters.applicant_admin_id)
        .and("p.created_at >= ", filters.created_from)
        .and("p.created_at < ", filters.created_to);
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<ProjectRow, sqlx::Error> {
    Ok(ProjectRow {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        content: ProjectContent {
            partner_type: db::code(row, "partner_type")?,
            name: row.try_get("name")?,
            city: places::stored(row, "city")?,
            licence_no: row.try_get("licence_no")?,
            contact_name: row.try_get("contact_name")?,
            contact_phone_mask: row.try_get("contact_phone_mask")?,
            contact_email: row.try_get("contact_email")?,
            settle_mode: db::code(row, "settle_mode")?,
            unit_price_cents: row.try_get("unit_price_cents")?,
            share_bp: row.try_get("share_bp")?,
            daily_volume: row.try_get("daily_volume")?,
            start_date: row.try_get("start_date")?,
            landing_url: row.try_get("landing_url")?,
            callback_url: row.try_get("callback_url")?,
            ip_allow: db::json(row, "ip_allow")?,
            remark: row.try_get("remark")?,
        },
        status: db::code(row, "status")?,
        stage: db::code(row, "stage")?,
        applicant_admin_id: row.try_get("applicant_admin_id")?,
        applicant_name: row.try_get("applicant_name")?,
        submitted_at: row.try_get("submitted_at")?,
        launched_at: row.try_get("launched_at")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// One project within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<ProjectRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("p.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// The draft of an account, if it has one.
pub async fn open_draft<'e>(on: impl Executor<'e, Database = Any>, admin_id: i64) -> Result<Option<ProjectRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.push(" AND p.status = 'draft'").and("p.applicant_admin_id = ", Some(admin_id));
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// A project's whole phone, for viewers who may see it.
pub async fn phone(on: &mut Connection, keys: &Keys, id: i64) -> frame::api::Result<Option<String>> {
    let row = sqlx::query("SELECT contact_phone_enc FROM project WHERE id = $1").bind(id).fetch_one(on).await?;
    let sealed: Option<String> = row.try_get("contact_phone_enc")?;
    Ok(sealed.map(|sealed| keys.open(&place::PROJECT_PHONE.of(id), &sealed)).transpose()?)
}

/// Adds an account's empty draft and returns its id. There is at most one.
pub async fn insert(tx: &mut Connection, form: &Form, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO project (partner_type, name, contact_name, city, licence_no, settle_mode, unit_price_cents, share_bp, status, stage, \
           applicant_admin_id, version, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, '', '', '', '', $2, 0, 0, 'draft', 'application', $3, 0, $4, $5, $6, $7) RETURNING id",
    )
    .bind(<&str>::from(form.partner_type))
    .bind(<&str>::from(form.settle_mode))
    .bind(stamp.admin_id)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Locks a project in this version for a change, until the transaction ends. Returns whether that version existed.
pub async fn claim(tx: &mut Connection, id: i64, version: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE project SET version = version + 1, updated_at = $1, updated_by = $2 WHERE id = $3 AND version = $4")
        .bind(stamp.at)
        .bind(stamp.admin_id)
        .bind(id)
        .bind(version)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Writes a form's fields of a locked project. Without a phone the stored one stays.
pub async fn write(tx: &mut Connection, keys: &Keys, id: i64, form: &Form) -> Result<(), sqlx::Error> {
    let phone = form.contact_phone.as_deref();
    sqlx::query(
        "UPDATE project SET partner_type = $1, name = $2, city = $3, licence_no = $4, contact_name = $5, \
           contact_phone_enc = COALESCE($6, contact_phone_enc), contact_phone_hash = COALESCE($7, contact_phone_hash), \
           contact_phone_mask = COALESCE($8, contact_phone_mask), contact_email = $9, settle_mode = $10, unit_price_cents = $11, \
           share_bp = $12, daily_volume = $13, start_date = $14, landing_url = $15, callback_url = $16, ip_allow = $17, remark = $18 \
         WHERE id = $19",
    )
    .bind(<&str>::from(form.partner_type))
    .bind(&form.name)
    .bind(&form.city)
    .bind(&form.licence_no)
    .bind(&form.contact_name)
    .bind(phone.map(|phone| keys.seal(&place::PROJECT_PHONE.of(id), phone)))
    .bind(phone.map(|phone| keys.lookup_hash(phone)))
    .bind(phone.map(mask::phone))
    .bind(&form.contact_email)
    .bind(<&str>::from(form.settle_mode))
    .bind(form.unit_price_cents)
    .bind(form.share_bp)
    .bind(form.daily_volume)
    .bind(&form.start_date)
    .bind(&form.landing_url)
    .bind(&form.callback_url)
    .bind(serde_json::to_string(&form.ip_allow).expect("texts serialise"))
    .bind(&form.remark)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Moves a locked project to a status and a step. Its first submission gives it its number.
pub async fn advance(
    tx: &mut Connection,
    id: i64,
    (status, stage): (ProjectStatus, ProjectStage),
    submitted: Option<(i64, &str)>,
    launched_at: Option<i64>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE project SET status = $1, stage = $2, submitted_at = COALESCE($3, submitted_at), no = COALESCE(no, $4), \
           launched_at = COALESCE($5, launched_at) WHERE id = $6",
    )
    .bind(<&str>::from(status))
    .bind(<&str>::from(stage))
    .bind(submitted.map(|(at, _)| at))
    .bind(submitted.map(|(_, no)| no))
    .bind(launched_at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// The number of a project first submitted at a time.
pub fn number(id: i64, at: i64) -> String {
    format!("P{}-{id:04}", clock::day_compact(at))
}

/// A new entry of a project's history.
pub struct NewStep<'a> {
    pub stage: ProjectStage,
    pub action: StepAction,
    pub note: &'a str,
    /// Values of the dictionary `project_return_reason`.
    pub reasons: &'a [String],
    /// The submitted content.
    pub content: Option<&'a ProjectContent>,
}

/// Adds an entry to a project's history.
pub async fn add_step(tx: &mut Connection, id: i64, step: NewStep<'_>, stamp: Stamp) -> Result<(), sqlx::Error> {
    let json = |content| serde_json::to_string(content).expect("texts and numbers serialise");
    sqlx::query(
        "INSERT INTO project_step (project_id, stage, action, note, reasons, content, by_admin_id, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(id)
    .bind(<&str>::from(step.stage))
    .bind(<&str>::from(step.action))
    .bind(step.note)
    .bind(serde_json::to_string(step.reasons).expect("codes serialise"))
    .bind(step.content.map(json))
    .bind(stamp.admin_id)
    .bind(stamp.at)
    .execute(tx)
    .await
    .map(drop)
}

/// A project's history, latest first, at most 100 entries; the reasons of returns in one language.
pub async fn steps(on: &mut Connection, id: i64, locale: Locale) -> Result<Vec<ProjectStep>, sqlx::Error> {
    let names = dict::labels(&mut *on, dict::PROJECT_RETURN_REASON, locale).await?;
    let named = |code: String| ReturnReason { name: names.get(&code).unwrap_or(&code).clone(), code };
    let rows = sqlx::query(
        "SELECT s.id, s.stage, s.action, s.note, s.reasons, COALESCE(a.real_name, '') AS by_name, s.at FROM project_step s \
         LEFT JOIN administrator a ON a.id = s.by_admin_id WHERE s.project_id = $1 ORDER BY s.id DESC LIMIT 100",
    )
    .bind(id)
    .fetch_all(on)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(ProjectStep {
                id: row.try_get("id")?,
                stage: db::code(row, "stage")?,
                action: db::code(row, "action")?,
                note: row.try_get("note")?,
                reasons: db::json::<Vec<String>>(row, "reasons")?.into_iter().map(named).collect(),
                by_name: row.try_get("by_name")?,
                at: row.try_get("at")?,
            })
        })
        .collect()
}

/// The content of a project's last two submissions, latest first.
pub async fn submissions<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Vec<ProjectContent>, sqlx::Error> {
    let rows = sqlx::query("SELECT content FROM project_step WHERE project_id = $1 AND action = 'submitted' ORDER BY id DESC LIMIT 2")
        .bind(id)
        .fetch_all(on)
        .await?;
    rows.iter().map(|row| db::json(row, "content")).collect()
}
