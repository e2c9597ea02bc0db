//! One statement: view, sending, the organisation's answer, the file.

use std::sync::Arc;

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use futures_util::FutureExt;

use super::list::TARGET;
use super::model::{StatementAnswer, StatementRow, StatementSending, StatementStatus, StatementsSent};
use super::{notices, pdf, store};
use base::codes::Codes;
use base::db::Connection;
use base::form_limits;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Target};
use frame::api::calls::Download;
use frame::api::check::present;
use frame::api::owner::require_platform_staff;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, say};

form_limits! {
    /// Of a statement.
    statement {
        /// Characters of a note on a dispute.
        NOTE: usize = 500,
    }
}

/// Most statements that are sent at once.
const MOST_SENT: usize = 500;

impl Versioned for StatementRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<StatementRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /finance/statement/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<StatementRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /finance/statement/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `GET /finance/statement/file/{id}`: the statement as a PDF, in the viewer's language.
pub async fn file(cx: Arc<Ctx>, id: Id) -> Result<Download> {
    let row = view(cx.clone(), id).await?;
    let name = format!("attachment; filename=\"statement-{}-{}.pdf\"", row.month, row.org_id);
    let headers = [(CONTENT_TYPE, "application/pdf".to_owned()), (CONTENT_DISPOSITION, name)];
    Ok(Download((headers, pdf::document(&row, cx.locale)).into_response()))
}

/// `PUT /finance/statement/send`: to their organisations, which confirm or dispute them. Of those that were sent before,
/// only disputed ones are sent again.
pub async fn send(cx: Arc<Ctx>, Body(body): Body<StatementSending>) -> Result<StatementsSent> {
    let viewer = cx.viewer()?;
    let (cx, ids) = (&*cx, &body.ids);
    cx.db()
        .transact(|mut tx| {
            async move {
                Check::new()
                    .that("ids", (1..=MOST_SENT).contains(&ids.len()), say("请选择对账单，最多 500 份", "Choose 1 to 500 statements"))
                    .done()?;
                let mut sent = 0;
                for id in ids {
                    let before = store::find(&mut **tx, viewer.scope(), *id).await?.ok_or(ApiError::Missing)?;
                    require_platform_staff(viewer)?;
                    if !before.status.may_become(StatementStatus::Sent) {
                        continue;
                    }
                    if !store::step(&mut tx, &before, StatementStatus::Sent, None, viewer.id, cx.now).await? {
                        continue;
                    }
                    let after = store::find(&mut **tx, viewer.scope(), *id).await?.ok_or(ApiError::Missing)?;
                    notices::sent(&mut tx, &after, viewer.id, cx.now).await?;
                    audit::record(&mut tx, &cx.actor()?, TARGET.of(*id), Action::Update, &audit::changes(Some(&before), Some(&after)))
                        .await?;
                    sent += 1;
                }
                if sent == 0 {
                    return Err(ApiError::State(say("所选对账单都已发送", "The chosen statements were sent already")));
                }
                let answer = StatementsSent { sent };
                cx.keep_answer(&mut tx, &answer).await?;
                Ok(answer)
            }
            .boxed()
        })
        .await
}

/// `PUT /finance/statement/answer`: by the organisation's own people.
pub async fn answer(cx: Arc<Ctx>, Body(body): Body<StatementAnswer>) -> Result<StatementRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current_in_scope::<StatementRow>(cx, &mut tx, body.id, Some(body.version)).await?;
                if viewer.scope().is_platforms() {
                    return Err(ApiError::State(say("对账单由机构确认", "Only the organisation can answer its statement")));
                }
                let to = if body.agree { StatementStatus::Confirmed } else { StatementStatus::Disputed };
                if !before.status.may_become(to) {
                    return Err(ApiError::State(say(
                        format!("对账单当前为“{}”，不能答复", before.status.label(Locale::Chinese)),
                        format!("The statement is {}; it cannot be answered", before.status.label(Locale::English)),
                    )));
                }
                let note = present(body.note.clone());
                Check::new().text("note", note.as_deref().unwrap_or_default(), usize::from(!body.agree)..=NOTE).done()?;
                let written = store::step(&mut tx, &before, to, note.as_deref(), viewer.id, cx.now).await?;
                if written {
                    notices::answered(&mut tx, &before, body.agree, note.as_deref(), viewer.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}
