//! The record of short messages as a list and a file.

use sqlx::any::AnyRow;

use super::model::{SmsFilters, SmsRow, SmsState};
use super::store;
use crate::access::Scope;
use crate::access::audit::{Module, Target};
use crate::api::export::{Cell, Sheet, column};
use crate::api::open_work::{OpenWork, Queue, QueueAction};
use crate::api::{Exporting, Listing, WholeNumber, hash_phone, say};
use base::clock::DAY;
use base::crypto::Keys;
use base::db::Sql;
use base::locale::Locale;

/// The name of messages in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Sms, kind: "sms_message", id: None };

/// The list of messages.
pub struct Messages;

impl Listing for Messages {
    type Filters = SmsFilters;
    type Row = SmsRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const NEWEST: Option<&'static str> = Some("s.created_at");

    fn conceal(filters: &mut SmsFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.keyword_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &SmsFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<SmsRow, sqlx::Error> {
        store::read(row)
    }
}

/// Open work for people who handle messages.
pub fn open_work(work: &mut OpenWork<'_>) {
    const POINT: &str = "admin/sms/handle";
    let of = |state| SmsFilters { state: Some(state), ..SmsFilters::default() };
    work.add::<Messages>(
        of(SmsState::Failed),
        Queue {
            point: POINT,
            title: say("发送失败的短信", "Failed SMS messages"),
            action: QueueAction::Handle,
            href: "/admin/sms?state=failed",
            since: "s.created_at",
            cents: None,
            within: DAY,
        },
    );
    work.add::<Messages>(
        of(SmsState::Unconfirmed),
        Queue {
            point: POINT,
            title: say("待核实的短信", "Unconfirmed SMS messages"),
            action: QueueAction::Handle,
            href: "/admin/sms?state=unconfirmed",
            since: "s.created_at",
            cents: None,
            within: DAY,
        },
    );
}

impl Exporting for Messages {
    fn sheet() -> Sheet<SmsRow> {
        Sheet {
            target: TARGET,
            title: say("短信记录", "SMS log"),
            columns: vec![
                column("no", "编号", "Number", |row, _| Cell::text(row.no.clone())),
                column("kind", "类型", "Type", |row, locale| Cell::text(row.kind.label(locale).to_owned())),
                column("phoneMask", "手机号", "Phone", |row, _| Cell::text(row.phone_mask.clone())),
                column("state", "状态", "Status", |row, locale| Cell::text(row.state.label(locale).to_owned())),
                column("way", "去向", "Destination", |row, locale| Cell::text(row.way.map(|way| way.label(locale).to_owned()))),
                column("providerNo", "服务商编号", "Provider's reference", |row, _| Cell::text(row.provider_no.clone())),
                column("lastError", "最近一次错误", "Last error", |row, _| Cell::text(row.last_error.clone())),
                column("tries", "尝试次数", "Attempts", |row, _| Cell::Number(row.tries)),
                column("acceptedAt", "提交时间", "Submitted at", |row, _| Cell::time(row.accepted_at)),
                column("reportedAt", "回执时间", "Reported at", |row, _| Cell::time(row.reported_at)),
                column("expiresAt", "失效时间", "Expires", |row, _| Cell::time(row.expires_at)),
                column("creatorName", "发送人", "Sent by", |row, _| Cell::text(row.creator_name.clone())),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
            ],
        }
    }
}
