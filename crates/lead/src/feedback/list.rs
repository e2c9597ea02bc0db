//! The list of feedback, and its file.

use sqlx::any::AnyRow;

use super::model::{CallbackStatus, FeedbackFilters, FeedbackRow, HandleStatus};
use super::store;
use base::clock::DAY;
use base::crypto::Keys;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Cell, Sheet, column};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::{Exporting, Listing, WholeNumber, hash_phone, say};

/// The name of feedback in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Feedback, kind: "feedback", id: None };

/// The list of feedback.
pub struct Feedback;

impl Listing for Feedback {
    type Filters = FeedbackFilters;
    type Row = FeedbackRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const NEWEST: Option<&'static str> = Some("f.created_at");

    fn conceal(filters: &mut FeedbackFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.keyword_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &FeedbackFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, locale: Locale) -> Result<FeedbackRow, sqlx::Error> {
        store::read(row, locale)
    }
}

/// Open work for people who handle feedback and callbacks.
pub fn open_work(work: &mut OpenWork<'_>) {
    const POINT: &str = "user/feedback-list/handle";
    let open = FeedbackFilters { handle_status: Some(HandleStatus::Open), ..FeedbackFilters::default() };
    work.add::<Feedback>(
        open,
        Queue {
            point: POINT,
            title: say("待处理的反馈", "Feedback to handle"),
            action: QueueAction::Handle,
            href: "/user/feedback-list?handleStatus=open",
            since: "f.created_at",
            cents: None,
            within: DAY,
        },
    );
    let failed = FeedbackFilters { callback_status: Some(CallbackStatus::Failed), ..FeedbackFilters::default() };
    work.add::<Feedback>(
        failed,
        Queue {
            point: POINT,
            title: say("失败的渠道回传", "Failed callbacks"),
            action: QueueAction::Handle,
            href: "/user/feedback-list?callbackStatus=failed",
            since: "f.updated_at",
            cents: None,
            within: DAY,
        },
    );
    let doubted = FeedbackFilters { callback_status: Some(CallbackStatus::Unconfirmed), ..FeedbackFilters::default() };
    work.add::<Feedback>(
        doubted,
        Queue {
            point: POINT,
            title: say("待核实的渠道回传", "Unconfirmed callbacks"),
            action: QueueAction::Handle,
            href: "/user/feedback-list?callbackStatus=unconfirmed",
            since: "f.updated_at",
            cents: None,
            within: DAY,
        },
    );
}

impl Exporting for Feedback {
    fn sheet() -> Sheet<FeedbackRow> {
        Sheet {
            target: TARGET,
            title: say("反馈列表", "Feedback"),
            columns: vec![
                column("userNo", "用户编号", "User number", |row, _| Cell::text(row.user_no.clone())),
                column("nameMask", "姓名", "Name", |row, _| Cell::text(row.name_mask.clone())),
                column("phoneMask", "手机号", "Phone", |row, _| Cell::text(row.phone_mask.clone())),
                column("source", "来源", "Source", |row, locale| Cell::text(row.source.label(locale).to_owned())),
                column("star", "星级", "Stars", |row, _| row.star.map_or(Cell::Empty, Cell::Number)),
                column("endCode", "结果", "Outcome", |row, _| Cell::text(row.end_name.clone().or(row.end_code.clone()))),
                column("loanCents", "放款金额（元）", "Loan (CNY)", |row, _| row.loan_cents.map_or(Cell::Empty, Cell::Money)),
                column("content", "内容", "Content", |row, _| Cell::text(row.content.clone())),
                column("orgName", "机构", "Organisation", |row, _| Cell::text(row.org_name.clone())),
                column("pushNo", "推送编号", "Delivery no.", |row, _| Cell::text(row.push_no.clone())),
                column("channelName", "渠道", "Channel", |row, _| Cell::text(row.channel_name.clone())),
                column("test", "测试", "Test", |row, locale| Cell::mark(row.test, locale)),
                column("handleStatus", "处理状态", "Handling", |row, locale| Cell::text(row.handle_status.label(locale).to_owned())),
                column("handlerName", "处理人", "Handled by", |row, _| Cell::text(row.handler_name.clone())),
                column("handledAt", "处理时间", "Handled at", |row, _| Cell::time(row.handled_at)),
                column("reply", "处理说明", "Reply", |row, _| Cell::text(row.reply.clone())),
                column("callbackStatus", "渠道回传", "Channel callback", |row, locale| {
                    Cell::text(row.callback_status.label(locale).to_owned())
                }),
                column("sentToChannelAt", "回传时间", "Called back at", |row, _| Cell::time(row.sent_to_channel_at)),
                column("creatorName", "录入人", "Entered by", |row, _| Cell::text(row.creator_name.clone())),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
            ],
        }
    }
}
