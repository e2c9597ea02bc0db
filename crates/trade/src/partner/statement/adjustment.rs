//! Corrections of a statement: requested by one person with a reason, and an item once another person approves. The
//! item is on the statement, or, for the last confirmed one, on the next statement.

use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::json;
use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{
    PartnerAdjustmentFilters, PartnerAdjustmentForm, PartnerAdjustmentRow, PartnerAdjustmentStatus, PartnerAdjustmentVersion,
    PartnerStatementRow, PartnerStatementStatus,
};
use super::{confirmation, notices, store};
use crate::ledger::partner_items::{self, Item, PartnerItemKind};
use crate::visit::lead;
use base::clock::{self, DAY};
use base::crypto;
use base::db::{Connection, Sql};
use base::form_limits;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, Module, Target};
use frame::api::check::present;
use frame::api::export::{Columns, Sheet};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::search::{FoundRecord, Numbered, Search, listed};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Check, Ctx, Exporting, Listing, Result, check_step, say};
use frame::decision::{self, DecisionAction, DecisionForm, Matter, Verdict};

/// The name of corrections in the audit trail.
const TARGET: Target = Target { module: Module::Finance, kind: "partner_adjustment", id: None };
/// Its name in messages.
const NAME: (&str, &str) = ("调整", "adjustment");

form_limits! {
    /// Of a correction of a partner's statement.
    partnerAdjustment {
        /// Highest amount, in fen: a hundred million yuan.
        MOST_CENTS: i64 = 10_000_000_000,
        REASON: usize = 500,
    }
}

/// The list of corrections.
pub struct PartnerAdjustments;

impl Listing for PartnerAdjustments {
    type Filters = PartnerAdjustmentFilters;
    type Row = PartnerAdjustmentRow;
    const SELECT: &'static str = store::SELECT_ADJUSTMENTS;
    const COUNT: &'static str = store::COUNT_ADJUSTMENTS;

    fn narrow(sql: &mut Sql, filters: &PartnerAdjustmentFilters, scope: Scope) {
        store::narrow_adjustments(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<PartnerAdjustmentRow, sqlx::Error> {
        PartnerAdjustmentRow::from_row(row)
    }
}

/// Adjustments that wait for a second person, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = PartnerAdjustmentFilters { status: Some(PartnerAdjustmentStatus::Pending), ..PartnerAdjustmentFilters::default() };
    work.add::<PartnerAdjustments>(
        waiting,
        Queue {
            point: "finance/partner/audit",
            title: say("待审核的对账单调整", "Adjustments of channel statements awaiting approval"),
            action: QueueAction::Review,
            href: "/finance/partner/adjustments?status=pending",
            since: "j.created_at",
            cents: Some("j.amount_cents"),
            within: DAY,
        },
    );
}

/// Finds adjustments of channel statements by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<PartnerAdjustments> {
        kind: "partnerAdjustment",
        title: ("渠道对账单调整", "Adjustments of channel statements"),
        points: &["finance/partner/list"],
        prefixes: &["DT"],
        table: "partner_adjustment",
        column: "adjustment_no",
        capitals: false,
        filters: PartnerAdjustmentFilters::default(),
        found: |row, locale| {
            FoundRecord::new(
                &row.adjustment_no,
                &[&row.channel_name, row.status.label(locale)],
                listed("/finance/partner/adjustments", &row.adjustment_no),
            )
        },
    };
    search.numbers(kind).await
}

impl Exporting for PartnerAdjustments {
    fn sheet() -> Sheet<PartnerAdjustmentRow> {
        Sheet {
            target: TARGET,
            title: say("渠道对账单调整", "Adjustments of channel statements"),
            columns: Columns::of("partnerAdjustment")
                .text("adjustmentNo")
                .text("channelName")
                .text("statementNo")
                .money("amountCents")
                .text("reason")
                .flag("onNext")
                .code::<PartnerAdjustmentStatus>("status")
                .text("creatorName")
                .text("reviewerName")
                .time("reviewedAt")
                .text("reviewNote")
                .time("createdAt")
                .all(),
        }
    }
}

impl Versioned for PartnerAdjustmentRow {
    const TARGET: Target = TARGET;
    const LEFT_OUT: &'static [&'static str] = &["decision", "channelId", "statementId", "createdBy"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PartnerAdjustmentRow>, sqlx::Error> {
        store::find_adjustment(tx, scope, id).await
    }
}

/// `POST /partner/adjust`: requests a correction of a statement that was not sent or is disputed, or, for the next
/// statement, of the last confirmed one; another person approves it.
pub async fn create(cx: Arc<Ctx>, Body(form): Body<PartnerAdjustmentForm>) -> Result<PartnerAdjustmentRow> {
    let viewer = cx.viewer()?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let statement = versioned::hold_as_platform_staff::<PartnerStatementRow>(cx, &mut tx, form.statement_id).await?;
                check_open(&mut tx, &statement).await?;
                confirmation::check_free(&statement)?;
                Check::new()
                    .range("amountCents", form.amount_cents, -MOST_CENTS..=MOST_CENTS)
                    .that("amountCents", form.amount_cents != 0, say("金额不能为零", "The amount must not be zero"))
                    .text("reason", form.reason.trim(), 1..=REASON)
                    .done()?;
                let what = (form.amount_cents, form.reason.trim());
                let id = store::insert_adjustment(&mut tx, &number(cx.now), &statement, what, cx.stamp()?).await?;
                let row = store::find_adjustment(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
                decision::write_down(&mut tx, &matter(&row), Some(viewer.id), cx.now).await?;
                notices::adjustment_waits(&mut tx, &row, viewer.id, cx.now).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /partner/adjust/withdraw`: by the person who requested it.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<PartnerAdjustmentVersion>) -> Result<PartnerAdjustmentRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PartnerAdjustmentRow>(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, PartnerAdjustmentStatus::Withdrawn, NAME)?;
                if before.created_by != Some(viewer.id) {
                    return Err(ApiError::State(say("只有申请人可以撤回", "Only the requester can withdraw it")));
                }
                let written = store::end_adjustment(&mut tx, before.key(), PartnerAdjustmentStatus::Withdrawn, None, cx.stamp()?).await?;
                if written {
                    decision::withdraw(&mut tx, TARGET.kind, before.id, cx.now).await?;
                    notices::ADJUSTMENTS.close(&mut tx, before.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /partner/adjust/audit`: by another person than the one who requested it. The statement is locked before its
/// correction, as in [`create`].
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<PartnerAdjustmentRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let of = store::find_adjustment(&mut **tx, viewer.scope(), body.id).await?.ok_or(ApiError::Missing)?;
                let statement = versioned::hold_as_platform_staff::<PartnerStatementRow>(cx, &mut tx, of.statement_id).await?;
                let before = versioned::current::<PartnerAdjustmentRow>(cx, &mut tx, body.id, body.version).await?;
                let to = if body.approve { PartnerAdjustmentStatus::Approved } else { PartnerAdjustmentStatus::Rejected };
                check_step(before.status, to, NAME)?;
                if body.approve && !before.on_next {
                    check_open(&mut tx, &statement).await?;
                }
                let note = present(body.note.clone());
                Check::new().text("note", note.as_deref().unwrap_or_default(), usize::from(!body.approve)..=decision::REASON).done()?;
                let verdict = Verdict { by: Some(viewer.id), approve: body.approve, note: note.as_deref(), at: cx.now };
                decision::decide(&mut tx, &matter(&before), &verdict).await?;
                let written = store::end_adjustment(&mut tx, before.key(), to, note.as_deref(), cx.stamp()?).await?;
                if written && body.approve {
                    post(&mut tx, &before, cx.now).await?;
                    if !before.on_next {
                        let after = store::find(&mut **tx, Scope::All, statement.id).await?.ok_or(ApiError::Missing)?;
                        let changes = PartnerStatementRow::diff(Some(&statement), Some(&after));
                        audit::record(&mut tx, &cx.actor()?, PartnerStatementRow::TARGET.of(statement.id), Action::Money, &changes).await?;
                    }
                }
                if written {
                    notices::adjustment_decided(&mut tx, &before, body.approve, note.as_deref(), viewer.id, cx.now).await?;
                }
                versioned::changed_as_within(cx, &mut tx, before, written, Action::Money).await
            }
            .boxed()
        })
        .await
}

/// A correction as the subject of a decision.
pub fn matter(row: &PartnerAdjustmentRow) -> Matter<'static> {
    let mut seen = json!({
        "no": row.adjustment_no, "statement": row.statement_id, "channel": row.channel_id, "cents": row.amount_cents, "reason": row.reason,
    });
    // Corrections that waited before this field existed do not have it.
    if row.on_next {
        seen["onNext"] = json!(true);
    }
    let (action, hash) = (DecisionAction::AdjustPartnerStatement, decision::hash(&seen));
    Matter { action, table: TARGET.kind, id: row.id, version: row.version, hash, payload: None, note: None }
}

/// Makes an approved correction an item, with its transfer and as a cost of today: on its statement, which is added
/// up again, or on no statement yet.
pub async fn post(tx: &mut Connection, row: &PartnerAdjustmentRow, at: i64) -> Result<()> {
    let item = Item {
        channel_id: row.channel_id,
        kind: PartnerItemKind::Adjust,
        amount_cents: row.amount_cents,
        day: clock::day(at).to_string(),
        user_id: None,
        plan_id: None,
        org_id: None,
        money_id: None,
        visitors: 0,
        statement_id: (!row.on_next).then_some(row.statement_id),
        idem_key: format!("adjust-{}", row.id),
    };
    let cents = partner_items::book(tx, &[item], at).await?;
    if cents != 0 {
        lead::adjusted(tx, row.channel_id, cents, at).await?;
    }
    if !row.on_next {
        store::add_up(tx, row.statement_id).await?;
    }
    Ok(())
}

/// Refuses to correct a statement that is sent to its partner, and a confirmed one that is not the last.
async fn check_open(tx: &mut Connection, row: &PartnerStatementRow) -> Result<()> {
    match row.status {
        PartnerStatementStatus::Draft | PartnerStatementStatus::Disputed => return Ok(()),
        PartnerStatementStatus::Sent => {
            return Err(ApiError::State(say(
                format!("对账单当前为“{}”，不能调整", row.status.label(Locale::Chinese)),
                format!("The statement is {}; it cannot be adjusted", row.status.label(Locale::English)),
            )));
        }
        PartnerStatementStatus::Confirmed => {}
    }
    match store::newest(tx, row.channel_id).await?.filter(|newest| newest.id != row.id) {
        None => Ok(()),
        Some(newest) => Err(ApiError::State(say(
            format!("该渠道已有 {} 的对账单 {}，请在其上调整", newest.month, newest.statement_no),
            format!("The channel has the statement {} of {}: adjust that one", newest.statement_no, newest.month),
        ))),
    }
}

/// A number that no correction has: its day, and six letters or digits.
pub fn number(at: i64) -> String {
    format!("DT{}-{}", clock::day_compact(at), crypto::random_text(6))
}
