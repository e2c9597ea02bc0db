//! The list of feedback: a page of it, and all of it as a file.

use std::sync::Arc;

use sqlx::any::AnyRow;

use super::model::{FeedbackFilters, FeedbackRow};
use super::store;
use crate::access::Scope;
use crate::access::audit::{Module, Target};
use crate::api::export::{Cell, Exported, Sheet, column};
use crate::api::{Ctx, Exporting, ListQuery, Listing, Result, listing, say};
use crate::crypto;
use crate::db::Sql;
use crate::db::page::Page;
use crate::locale::Locale;

/// What the audit trail calls feedback.
pub(super) const TARGET: Target = Target { module: Module::Feedback, kind: "feedback", id: None };

/// The list of feedback.
pub struct Feedback;

impl Listing for Feedback {
    type Filters = FeedbackFilters;
    type Row = FeedbackRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const NEWEST: Option<&'static str> = Some("f.created_at");

    fn narrow(sql: &mut Sql, filters: &FeedbackFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, locale: Locale) -> std::result::Result<FeedbackRow, sqlx::Error> {
        store::read(row, locale)
    }
}

impl Exporting for Feedback {
    fn sheet() -> Sheet<FeedbackRow> {
        Sheet {
            target: TARGET,
            title: say("反馈列表", "Feedback"),
            columns: vec![
                column("userNo", "用户编号", "User", |row, _| Cell::text(row.user_no.clone())),
                column("nameMask", "姓名", "Name", |row, _| Cell::text(row.name_mask.clone())),
                column("phoneMask", "手机号", "Phone", |row, _| Cell::text(row.phone_mask.clone())),
                column("source", "来源", "Source", |row, locale| Cell::text(row.source.label(locale).to_owned())),
                column("star", "星级", "Stars", |row, _| row.star.map_or(Cell::Empty, Cell::Number)),
                column("endCode", "结果", "Outcome", |row, _| Cell::text(row.end_name.clone().or(row.end_code.clone()))),
                column("loanCents", "放款金额（元）", "Loan (CNY)", |row, _| row.loan_cents.map_or(Cell::Empty, Cell::Money)),
                column("content", "内容", "Content", |row, _| Cell::text(row.content.clone())),
                column("orgName", "机构", "Organisation", |row, _| Cell::text(row.org_name.clone())),
                column("pushNo", "推送编号", "Push", |row, _| Cell::text(row.push_no.clone())),
                column("channelName", "渠道", "Channel", |row, _| Cell::text(row.channel_name.clone())),
                column("handleStatus", "处理状态", "Handling", |row, locale| Cell::text(row.handle_status.label(locale).to_owned())),
                column("handlerName", "处理人", "Handled by", |row, _| Cell::text(row.handler_name.clone())),
                column("handledAt", "处理时间", "Handled", |row, _| Cell::time(row.handled_at)),
                column("reply", "处理说明", "Reply", |row, _| Cell::text(row.reply.clone())),
                column("callbackStatus", "回传渠道", "Told to the channel", |row, locale| {
                    Cell::text(row.callback_status.label(locale).to_owned())
                }),
                column("sentToChannelAt", "回传时间", "Told at", |row, _| Cell::time(row.sent_to_channel_at)),
                column("creatorName", "录入人", "Entered by", |row, _| Cell::text(row.creator_name.clone())),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
            ],
        }
    }
}

/// `POST /user/feedback/page`.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<FeedbackFilters>) -> Result<Page<FeedbackRow>> {
    let query = by_phone(&cx, query);
    listing::page::<Feedback>(cx, query).await
}

/// `POST /user/feedback/page/export`.
pub async fn export(cx: Arc<Ctx>, query: ListQuery<FeedbackFilters>) -> Result<Exported> {
    let query = by_phone(&cx, query);
    listing::export::<Feedback>(cx, query).await
}

/// A keyword that is a whole phone is looked up by its hash, and goes no further: the trail of an
/// export tells the mask.
fn by_phone(cx: &Ctx, mut query: ListQuery<FeedbackFilters>) -> ListQuery<FeedbackFilters> {
    let keyword = query.filters.keyword.as_deref().unwrap_or_default().trim();
    if crypto::is_phone(keyword) {
        query.filters.keyword_hash = Some(cx.app.keys.lookup_hash(keyword));
        query.rest.insert("keyword".to_owned(), crypto::mask_phone(keyword).into());
        query.filters.keyword = None;
    }
    query
}
