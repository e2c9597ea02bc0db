//! The viewer's own data in the user centre, and the part that the viewer may change. Name, phone, organisation and
//! roles are changed by administrators.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sqlx::Row;

use super::account::target;
use base::clock;
use base::db::Connection;
use base::db::page::Page;
use base::form_limits;
use frame::access::accounts::{self, OwnDetails};
use frame::access::audit::{self, Action};
use frame::access::menu::MenuNode;
use frame::access::{Scope, Viewer};
use frame::api::check::present;
use frame::api::{self, ApiError, Body, Check, Ctx, ListQuery, Nothing, listing, say};
use frame::upload;

use super::login_log::{LoginFilters, LoginRow, Logins};

form_limits! {
    /// Of one's own data.
    profile {
        INTRODUCTION: usize = 500,
        JOB: usize = 64,
        LOCATION: usize = 64,
    }
}

/// The viewer's data, field by field as in the specification's mock.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct UserInfo {
    pub name: String,
    /// A path of this site.
    pub avatar: Option<String>,
    pub email: Option<String>,
    pub job: Option<String>,
    /// The platform, or an organisation and its team.
    pub organization: String,
    pub location: Option<String>,
    pub introduction: Option<String>,
    pub personal_website: Option<String>,
    /// Masked.
    pub phone: Option<String>,
    /// `YYYY-MM-DD HH:MM:SS` in Asia/Shanghai.
    pub registration_date: String,
    pub account_id: String,
    /// 1 if the account has a phone, by which it can prove its identity; otherwise 0.
    pub certification: i64,
    /// Code of the active role.
    pub role: String,
}

/// The same, with the fields of its form.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Profile {
    pub username: String,
    pub role_name: String,
    pub avatar_file_id: Option<i64>,
    pub version: i64,
    #[serde(flatten)]
    pub info: UserInfo,
}

/// The fields that viewers may change of their own data. Empty texts mean none.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ProfileForm {
    /// As read; the change is refused if another person was faster.
    pub version: i64,
    /// A picture uploaded for the kind of record `avatar`, or the present one; none to remove it.
    pub avatar_file_id: Option<i64>,
    pub email: Option<String>,
    pub job: Option<String>,
    pub location: Option<String>,
    pub personal_website: Option<String>,
    pub introduction: Option<String>,
}

/// `GET /account/profile`.
pub async fn profile(cx: Arc<Ctx>, _: Nothing) -> api::Result<Profile> {
    find(&mut cx.db().read().acquire().await?, &cx).await
}

/// `GET` and `POST /user/info`.
pub async fn info(cx: Arc<Ctx>, nothing: Nothing) -> api::Result<UserInfo> {
    Ok(profile(cx, nothing).await?.info)
}

async fn find(connection: &mut Connection, cx: &Ctx) -> api::Result<Profile> {
    let viewer = cx.viewer()?;
    let row = sqlx::query(
        "SELECT a.email, a.job, a.location, a.website, a.introduction, a.avatar, a.phone_mask, a.created_at, a.version, s.name AS team \
         FROM administrator a LEFT JOIN sub_organisation s ON s.id = a.sub_org_id WHERE a.id = $1 AND a.deleted_at IS NULL",
    )
    .bind(viewer.id)
    .fetch_optional(connection)
    .await?
    .ok_or(ApiError::LoginExpired)?;
    let (avatar, phone): (Option<String>, Option<String>) = (row.try_get("avatar")?, row.try_get("phone_mask")?);
    Ok(Profile {
        username: viewer.username.clone(),
        role_name: viewer.role.name(cx.locale).to_owned(),
        avatar_file_id: avatar.as_deref().and_then(file_of),
        version: row.try_get("version")?,
        info: UserInfo {
            name: viewer.name.clone(),
            avatar,
            email: row.try_get("email")?,
            job: row.try_get("job")?,
            organization: organisation(viewer, row.try_get("team")?, cx),
            location: row.try_get("location")?,
            introduction: row.try_get("introduction")?,
            personal_website: row.try_get("website")?,
            certification: i64::from(phone.is_some()),
            phone,
            registration_date: clock::date_time(row.try_get("created_at")?),
            account_id: viewer.id.to_string(),
            role: viewer.role.code.clone(),
        },
    })
}

fn organisation(viewer: &Viewer, team: Option<String>, cx: &Ctx) -> String {
    let whose = viewer.org_name.clone().unwrap_or_else(|| cx.locale.pick("平台", "Platform").to_owned());
    team.map_or_else(|| whose.clone(), |team| format!("{whose} · {team}"))
}

/// The address of an uploaded portrait, and its reverse.
fn address_of(file: i64) -> String {
    format!("/files/{file}")
}

fn file_of(address: &str) -> Option<i64> {
    address.strip_prefix("/files/")?.parse().ok()
}

/// `PUT /account/profile`.
pub async fn change(cx: Arc<Ctx>, Body(form): Body<ProfileForm>) -> api::Result<Profile> {
    let viewer_id = cx.viewer()?.id;
    let [email, job, location, website, introduction] =
        [form.email, form.job, form.location, form.personal_website, form.introduction].map(present);
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let mut check = Check::new();
    check.text("job", &text(&job), 0..=JOB).text("location", &text(&location), 0..=LOCATION);
    check.text("introduction", &text(&introduction), 0..=INTRODUCTION).address("personalWebsite", website.as_deref());
    if let Some(email) = &email {
        check.email("email", email);
    }
    check.done()?;

    let mut tx = cx.db().begin().await?;
    let before = find(&mut tx, &cx).await?;
    let details = OwnDetails {
        email: email.as_deref(),
        job: job.as_deref(),
        location: location.as_deref(),
        website: website.as_deref(),
        introduction: introduction.as_deref(),
        avatar: form.avatar_file_id.map(address_of),
    };
    if !accounts::write_own(&mut tx, viewer_id, form.version, &details, cx.now).await? {
        return Err(ApiError::stale(&before));
    }
    let portrait = form.avatar_file_id.as_slice();
    if !upload::settle(&mut tx, super::AVATAR.biz_type, viewer_id, portrait, viewer_id, cx.now).await? {
        return Err(ApiError::field("avatarFileId", say("请重新上传头像", "Upload the picture again")));
    }
    let after = find(&mut tx, &cx).await?;
    audit::record(&mut tx, &cx.actor()?, target(viewer_id), Action::Update, &audit::changes(Some(&before.info), Some(&after.info))).await?;
    tx.commit().await?;
    Ok(after)
}

/// `POST /account/loginLog/page`: the viewer's own.
pub async fn logins(cx: Arc<Ctx>, query: ListQuery<LoginFilters>) -> api::Result<Page<LoginRow>> {
    let own = Scope::Myself(cx.viewer()?.id);
    listing::page_within::<Logins>(&cx, query, own).await
}

/// A node of the menu as in the specification's mock.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct UserMenuNode {
    /// A child's path is the part after its parent's.
    pub path: String,
    pub name: String,
    pub meta: UserMenuMeta,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<UserMenuNode>,
}

/// The fields of a node beside its name in the mock.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserMenuMeta {
    /// The title, in the viewer's language.
    pub locale: String,
    pub requires_auth: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    pub order: i64,
}

/// `GET` and `POST /user/menu`: the pages of `GET /menu/listByToken` in the form of the mock.
pub async fn menu(cx: Arc<Ctx>, _: Nothing) -> api::Result<Vec<UserMenuNode>> {
    Ok(nodes(cx.viewer()?.role.menu(cx.locale), ""))
}

fn nodes(found: Vec<MenuNode>, above: &str) -> Vec<UserMenuNode> {
    let pages = found.into_iter().filter(|node| node.kind == 1 && node.external.is_none());
    pages
        .map(|node| UserMenuNode {
            path: node
                .path
                .strip_prefix(above)
                .map_or(node.path.as_str(), |rest| if above.is_empty() { rest } else { rest.trim_start_matches('/') })
                .to_owned(),
            children: nodes(node.children.unwrap_or_default(), &node.path),
            name: node.name,
            meta: UserMenuMeta { locale: node.title, requires_auth: true, icon: node.icon, order: node.order },
        })
        .collect()
}
