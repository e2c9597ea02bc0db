//! One payment link: seen, disabled, declared invalid, deleted. A link that an order has stays the order's.

use std::sync::Arc;

use futures_util::FutureExt;

use super::list::TARGET;
use super::model::{PaymentLinkRow, PaymentLinkStatus, PaymentLinkStep};
use super::store;
use base::clock;
use base::db::Connection;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Target};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Id, Result, check_step, say};

/// Its name in messages.
const NAME: (&str, &str) = ("链接", "link");

impl Versioned for PaymentLinkRow {
    const TARGET: Target = TARGET;
    const LEFT_OUT: &'static [&'static str] = &["payeeChannelId", "paymentOrderId", "batchId", "batchVersion", "decision"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PaymentLinkRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /payPool/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PaymentLinkRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /payPool/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `PUT /payPool/status`.
pub async fn change_status(cx: Arc<Ctx>, Body(body): Body<PaymentLinkStep>) -> Result<PaymentLinkRow> {
    let (body, stamp) = (&body, cx.stamp()?);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &PaymentLinkRow| {
        async move {
            check_step(before.status, body.status, NAME)?;
            Ok(store::set_status(&mut tx, body.id, body.version, body.status, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// `DELETE /payPool/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::hold_as_platform_staff::<PaymentLinkRow>(cx, &mut tx, id).await?;
                if before.status == PaymentLinkStatus::Proposed {
                    return Err(ApiError::State(say(
                        "待审核的链接请整批驳回或撤回",
                        "Links that await approval are rejected or withdrawn with their whole import",
                    )));
                }
                // A deleted link could be imported again and used for the next order, while the last payer may still
                // have it open.
                if let Some(from) = before.free_from.filter(|from| *from > cx.now) {
                    let until = clock::date_time(from);
                    return Err(ApiError::State(say(
                        format!("链接刚由一笔未支付的订单释放，{until} 之后才能删除"),
                        format!("An order that was not paid had the link; it can be deleted after {until}"),
                    )));
                }
                match store::delete(&mut tx, id, before.version).await? {
                    true => versioned::deleted_within(cx, &mut tx, before).await,
                    false => Err(ApiError::State(say("链接已用于订单，不能删除", "The link is that of an order and cannot be deleted"))),
                }
            }
            .boxed()
        })
        .await
}
