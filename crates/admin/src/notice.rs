//! Announcements of staff to everyone, a role or an organisation. Every change is one transaction with its entry in
//! the audit trail.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::notice_store as store;
use base::canonical;
use base::clock::DAY;
use base::codes;
use base::db::page::Page;
use base::form_limits;
use frame::access::audit::{self, Action, AuditEntry, Change, Module, Target};
use frame::access::{Scope, Viewer};
use frame::api::list::{day_from, day_to};
use frame::api::{self, ApiError, Body, Check, Ctx, Id, ListFilters, ListQuery, Query, SelectOption, say};
use frame::message::change::{self, Content};
use frame::message::model::{Audience, MessageKind, NewMessage};
use frame::message::send;
use trade::org;

/// How far ahead an announcement may be planned.
const AHEAD: i64 = 3 * 366 * DAY;

form_limits! {
    /// Of an announcement.
    notice {
        CONTENT: usize = 2000,
        CONTENT_EN: usize = 4000,
        TITLE: usize = 60,
        TITLE_EN: usize = 120,
    }
}

codes! {
    /// The audience of an announcement.
    pub enum NoticeScope {
        /// Everyone; only platform staff may choose this.
        All("所有人", "Everyone"),
        Role("角色", "A role"),
        Organisation("机构", "An organisation"),
    }
}

/// Whether an announcement is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum NoticeStatus {
    /// Not visible yet.
    Scheduled,
    Published,
    /// No longer visible: its time is over.
    Expired,
    /// No longer visible: it was withdrawn.
    Withdrawn,
}

/// An announcement as its authors see it. Times are epoch milliseconds.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct NoticeRow {
    pub id: i64,
    pub title: String,
    /// Empty if there is no English text; then the Chinese one is shown.
    pub title_en: String,
    pub content: String,
    pub content_en: String,
    pub scope: NoticeScope,
    /// The role's or organisation's id; none for everybody.
    pub scope_id: Option<i64>,
    /// The role's or organisation's name.
    pub audience: Option<String>,
    pub status: NoticeStatus,
    pub publish_at: i64,
    pub expires_at: Option<i64>,
    pub sender_id: Option<i64>,
    pub sender_name: Option<String>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NoticeFilters {
    /// A part of a title.
    pub keyword: Option<String>,
    pub status: Option<NoticeStatus>,
    pub scope: Option<NoticeScope>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub publish_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub publish_to: Option<i64>,
}

impl ListFilters for NoticeFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("publishAt", "m.publish_at")];
    const ID: &'static str = "m.id";
}

/// A new announcement.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct NewNotice {
    pub title: String,
    #[serde(default)]
    pub title_en: String,
    pub content: String,
    #[serde(default)]
    pub content_en: String,
    pub scope: NoticeScope,
    pub scope_id: Option<i64>,
    /// Epoch milliseconds; absent: at once.
    pub publish_at: Option<i64>,
    /// Epoch milliseconds; absent: never.
    pub expires_at: Option<i64>,
}

/// A changed announcement, with all fields, and the version that the form was opened on.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct NoticeEdit {
    pub id: i64,
    pub version: i64,
    pub title: String,
    #[serde(default)]
    pub title_en: String,
    pub content: String,
    #[serde(default)]
    pub content_en: String,
    pub scope: NoticeScope,
    pub scope_id: Option<i64>,
    pub publish_at: Option<i64>,
    pub expires_at: Option<i64>,
}

/// An announcement in the version that the viewer saw.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct NoticeVersion {
    pub id: i64,
    pub version: i64,
}

/// The fields of a form, tidied.
#[derive(Debug)]
pub struct Text {
    pub title: String,
    pub title_en: String,
    pub content: String,
    pub content_en: String,
    pub scope: NoticeScope,
    pub scope_id: Option<i64>,
    pub publish_at: i64,
    pub expires_at: Option<i64>,
}

impl Text {
    /// The content of the message.
    fn content(&self) -> Content<'_> {
        Content {
            title: &self.title,
            title_en: &self.title_en,
            content: &self.content,
            content_en: &self.content_en,
            scope: self.scope.into(),
            scope_id: self.scope_id,
            publish_at: self.publish_at,
            expires_at: self.expires_at,
        }
    }

    fn of_new(form: NewNotice, now: i64) -> Text {
        let NewNotice { title, title_en, content, content_en, scope, scope_id, publish_at, expires_at } = form;
        let publish_at = publish_at.unwrap_or(now);
        Text { title, title_en, content, content_en, scope, scope_id, publish_at, expires_at }.tidy()
    }

    /// Without a time of publication, the present one stays.
    fn of_edit(form: NoticeEdit, before: &NoticeRow) -> Text {
        let NoticeEdit { id: _, version: _, title, title_en, content, content_en, scope, scope_id, publish_at, expires_at } = form;
        let publish_at = publish_at.unwrap_or(before.publish_at);
        Text { title, title_en, content, content_en, scope, scope_id, publish_at, expires_at }.tidy()
    }

    fn tidy(mut self) -> Text {
        for title in [&mut self.title, &mut self.title_en] {
            *title = canonical::visible(title).into_owned();
        }
        for text in [&mut self.content, &mut self.content_en] {
            *text = canonical::trimmed(text).replace("\r\n", "\n");
        }
        self.scope_id = self.scope_id.filter(|_| self.scope != NoticeScope::All);
        self
    }

    fn audience(&self) -> Audience {
        match (self.scope, self.scope_id) {
            (NoticeScope::Role, Some(id)) => Audience::Role(id),
            (NoticeScope::Organisation, Some(id)) => Audience::Organisation(id),
            _ => Audience::All,
        }
    }

    async fn check(&self, cx: &Ctx, viewer: &Viewer) -> api::Result<()> {
        let mut check = Check::new();
        check
            .text("title", &self.title, 1..=TITLE)
            .text("titleEn", &self.title_en, 0..=TITLE_EN)
            .text("content", &self.content, 1..=CONTENT)
            .text("contentEn", &self.content_en, 0..=CONTENT_EN)
            .range("publishAt", self.publish_at, 0..=cx.now + AHEAD);
        if let Some(expires) = self.expires_at {
            check.range("expiresAt", expires, 0..=cx.now + 2 * AHEAD);
            check.that("expiresAt", expires > self.publish_at, say("必须晚于发布时间", "Must be later than the publish time"));
        }
        match self.scope {
            // Users of an organisation may only address their own organisation, account managers only their
            // organisations.
            NoticeScope::All => {
                let own = say("只能发给自己的机构", "You can only send to your own organisations");
                check.that("scope", viewer.scope() == Scope::All, own)
            }
            _ => {
                let known = match self.scope_id {
                    Some(id) => choices(cx, viewer, self.scope, Some(id)).await?.iter().any(|choice| choice.value == id),
                    None => false,
                };
                check.that("scopeId", known, say("请选择", "Choose one"))
            }
        };
        check.done()
    }
}

fn target(id: i64) -> Target {
    Target { module: Module::Notice, kind: "message", id: Some(id) }
}

/// The audit changes of an announcement. Ids are left out because the names are recorded, the status because it follows
/// from the times.
fn diff(before: Option<&NoticeRow>, after: Option<&NoticeRow>) -> Vec<Change> {
    audit::changes_without(&["scopeId", "senderId", "senderName"], before, after)
}

/// `POST /notice/page`.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<NoticeFilters>) -> api::Result<Page<NoticeRow>> {
    store::page(&cx, &query).await
}

/// `GET /notice/{id}`.
pub async fn get(cx: Arc<Ctx>, Id(id): Id) -> api::Result<NoticeRow> {
    store::find(&mut cx.db().read().acquire().await?, &cx, id).await
}

/// `GET /notice/history/{id}`.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> api::Result<Vec<AuditEntry>> {
    get(cx.clone(), Id(id)).await?;
    Ok(audit::history(cx.db(), "message", id).await?)
}

/// The kind of audience to choose from.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub struct AudienceQuery {
    pub scope: Option<NoticeScope>,
}

/// `GET /notice/audience?scope=`: the roles or organisations that the viewer may address.
pub async fn audience(cx: Arc<Ctx>, Query(query): Query<AudienceQuery>) -> api::Result<Vec<SelectOption>> {
    choices(&cx, cx.viewer()?, query.scope.unwrap_or(NoticeScope::All), None).await
}

/// The choices of an audience; with an id, only that one, if it is among them.
async fn choices(cx: &Ctx, viewer: &Viewer, scope: NoticeScope, id: Option<i64>) -> api::Result<Vec<SelectOption>> {
    Ok(match scope {
        NoticeScope::All => Vec::new(),
        // Holders of a role may be anywhere on the platform.
        NoticeScope::Role if viewer.org_id.is_none() && viewer.scope() != Scope::All => Vec::new(),
        NoticeScope::Role => store::roles(cx, viewer.org_id).await?,
        NoticeScope::Organisation => match (viewer.org_id, &viewer.org_name) {
            (Some(own), Some(name)) => vec![SelectOption { value: own, label: name.clone() }],
            _ => match id {
                Some(id) => org::option(cx.db(), viewer.scope(), id).await?.into_iter().collect(),
                None => org::options(cx.db(), viewer.scope(), false, None).await?,
            },
        },
    })
}

/// `POST /notice`.
pub async fn create(cx: Arc<Ctx>, Body(form): Body<NewNotice>) -> api::Result<NoticeRow> {
    let viewer = cx.viewer()?;
    let text = Text::of_new(form, cx.now);
    text.check(&cx, viewer).await?;
    let new = NewMessage {
        kind: MessageKind::Notice,
        title: say(text.title.clone(), text.title_en.clone()),
        sub_title: None,
        content: say(text.content.clone(), text.content_en.clone()),
        avatar: viewer.avatar.clone(),
        link: None,
        state: None,
        biz_type: store::BIZ,
        biz_id: None,
        sender_id: Some(viewer.id),
        audience: text.audience(),
        org_id: viewer.org_id,
        publish_at: text.publish_at,
        expires_at: text.expires_at,
        due_at: None,
    };
    let mut tx = cx.db().begin().await?;
    let id = send(&mut tx, &new, cx.now).await?;
    let made = store::find(&mut tx, &cx, id).await?;
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Create, &diff(None, Some(&made))).await?;
    cx.commit(tx, made).await
}

/// `PUT /notice`.
pub async fn update(cx: Arc<Ctx>, Body(form): Body<NoticeEdit>) -> api::Result<NoticeRow> {
    let viewer = cx.viewer()?;
    let (id, version) = (form.id, form.version);
    let mut tx = cx.db().begin().await?;
    let before = store::claim(&mut tx, &cx, id, version).await?;
    not_withdrawn(&before)?;
    let text = Text::of_edit(form, &before);
    text.check(&cx, viewer).await?;
    change::write(&mut tx, id, &text.content()).await?;
    let after = store::find(&mut tx, &cx, id).await?;
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Update, &diff(Some(&before), Some(&after))).await?;
    tx.commit().await?;
    Ok(after)
}

/// `PUT /notice/withdraw`: hides it from everyone.
pub async fn withdraw(cx: Arc<Ctx>, Body(NoticeVersion { id, version }): Body<NoticeVersion>) -> api::Result<NoticeRow> {
    let mut tx = cx.db().begin().await?;
    let before = store::claim(&mut tx, &cx, id, version).await?;
    not_withdrawn(&before)?;
    change::withdraw(&mut tx, id, cx.now).await?;
    let after = store::find(&mut tx, &cx, id).await?;
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Update, &diff(Some(&before), Some(&after))).await?;
    tx.commit().await?;
    Ok(after)
}

fn not_withdrawn(row: &NoticeRow) -> api::Result<()> {
    match row.status {
        NoticeStatus::Withdrawn => Err(ApiError::State(say("公告已撤回", "The announcement has been withdrawn"))),
        _ => Ok(()),
    }
}

/// `DELETE /notice/{id}`: only if it was not shown yet. Others are withdrawn instead.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> api::Result<()> {
    let mut tx = cx.db().begin().await?;
    let before = store::find(&mut tx, &cx, id).await?;
    if before.publish_at <= cx.now {
        return Err(ApiError::State(say("已发布的公告不能删除，请撤回", "A published announcement cannot be deleted, withdraw it")));
    }
    store::claim(&mut tx, &cx, id, before.version).await?;
    change::delete(&mut tx, id).await?;
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Delete, &diff(Some(&before), None)).await?;
    tx.commit().await?;
    Ok(())
}
