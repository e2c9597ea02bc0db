//! The making of statements: by hand for one channel and month, and every night for the last month. A channel's
//! statements follow one another: the next one is made once the one before is confirmed.

use std::sync::Arc;

use futures_util::FutureExt;
use jiff::ToSpan;
use jiff::civil::Date;
use tokio_util::sync::CancellationToken;

use super::list::TARGET;
use super::model::{PartnerStatementRow, PartnerStatementStatus};
use super::store::{self, NewStatement};
use crate::ledger::partner_items::complete_since;
use crate::partner::lock_channel;
use base::clock::{self, DAY, HOUR};
use base::crypto;
use base::db::{Db, Tx};
use frame::access::Scope;
use frame::access::audit::{self, Action};
use frame::api::{ApiError, App, Result, say};
use frame::daily_task::{self, DailyTask};
use frame::setting;

/// When statements are made, on Shanghai's clock.
const AT: i64 = 4 * HOUR;
/// After this long without an end, another node begins again.
const LEASE: i64 = HOUR;
/// How long after its end a month can have statements: visits of its last day are booked a day and ten minutes after
/// its end.
const REST: i64 = DAY + 2 * HOUR;

/// A month that is over.
pub struct Month {
    /// `YYYY-MM`.
    text: String,
    /// `YYYY-MM-DD`.
    last_day: String,
    /// The moment at which it is over.
    ends_at: i64,
}

impl Month {
    fn of(first: Date) -> Month {
        let next = first.saturating_add(1.month());
        let last_day = next.saturating_sub(1.day()).to_string();
        Month { text: last_day[..7].to_owned(), last_day, ends_at: clock::start(next) }
    }

    /// The month in a text, `YYYY-MM`, if it is over.
    pub fn ended(text: &str, now: i64) -> Result<Month> {
        let first: Option<Date> = (text.len() == 7).then(|| format!("{text}-01").parse().ok()).flatten();
        let month =
            Month::of(first.ok_or_else(|| ApiError::field("month", say("请填写月份，如 2026-01", "Enter a month such as 2026-01")))?);
        match month.ends_at + REST <= now {
            true => Ok(month),
            false => Err(ApiError::field("month", say("该月尚未结束", "This month is not over yet"))),
        }
    }

    /// The last month that is over.
    fn last(now: i64) -> Month {
        Month::of(clock::day(now - REST).first_of_month().saturating_sub(1.month()))
    }
}

/// Makes the statement of a channel for a month, with all its items up to the end of that month that are on none;
/// otherwise an error with the reason. Calls for one channel come one after another.
pub async fn make(
    db: &Db,
    tx: &mut Tx,
    (channel_id, month): (i64, &Month),
    tax_bp: i64,
    by: Option<i64>,
    at: i64,
) -> Result<PartnerStatementRow> {
    if complete_since(&mut **tx).await?.is_none() {
        return Err(ApiError::State(say(
            "升级前的渠道明细尚未补录完成，请稍后再生成对账单",
            "The items of channels from before the upgrade are not all entered yet: make the statement later",
        )));
    }
    lock_channel(db, tx, channel_id).await?;
    let before = store::newest(tx, channel_id).await?;
    if let Some(before) = &before {
        check_follows(before, month)?;
    }
    if !store::has_open_items(tx, channel_id, &month.last_day).await? {
        return Err(ApiError::State(say(
            "该渠道到该月末没有未出账的明细",
            "The channel has no items up to the end of the month that are on no statement",
        )));
    }
    let new = NewStatement {
        no: &number(&month.text),
        channel_id,
        month: &month.text,
        opening_cents: before.as_ref().map_or(0, |before| before.closing_cents),
        carried_cents: before.as_ref().map_or(0, |before| before.total_cents.min(0)),
        tax_bp,
        by,
        at,
    };
    let id = store::insert(tx, &new).await?;
    store::take(tx, id, channel_id, &month.last_day, month.ends_at).await?;
    store::add_up(tx, id).await?;
    store::find(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)
}

/// Refuses a statement for the same or an earlier month than an existing one, and one after a statement that is not
/// confirmed.
fn check_follows(before: &PartnerStatementRow, month: &Month) -> Result<()> {
    let (no, last) = (&before.statement_no, &before.month);
    if *last >= month.text {
        return Err(ApiError::State(say(
            format!("该渠道已有 {last} 的对账单 {no}"),
            format!("The channel already has the statement {no} of {last}"),
        )));
    }
    if before.status != PartnerStatementStatus::Confirmed {
        return Err(ApiError::State(say(
            format!("上一份对账单 {no}（{last}）尚未确认"),
            format!("The statement before, {no} of {last}, is not confirmed yet"),
        )));
    }
    Ok(())
}

/// Makes the statements of the last month every night, on the node that comes first, until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    daily_task::nightly(&app, stop, AT, async || match make_monthly(&app).await {
        Ok(None | Some(0)) => {}
        Ok(Some(made)) => tracing::info!(made, "statements of channels were made"),
        Err(error) => tracing::error!(?error, "statements of channels were not made"),
    })
    .await;
}

/// Makes the statements of the last month for all channels with items; returns how many. None if another node does it
/// today or has done it. Failed ones are left to the next run.
pub async fn make_monthly(app: &App) -> Result<Option<usize>> {
    let Some(mut task) = DailyTask::start(app, "partner_statements", LEASE).await? else { return Ok(None) };
    let made = make_due(app, &mut task).await;
    task.leave(app, made.is_ok()).await?;
    made.map(Some)
}

/// A channel whose statement cannot be made does not stop the others.
async fn make_due(app: &App, task: &mut DailyTask) -> Result<usize> {
    let now = app.clock.now();
    if complete_since(app.db.read()).await?.is_none() {
        tracing::warn!("statements of channels were not made: items from before the upgrade are not all entered yet");
        return Ok(0);
    }
    let month = &Month::last(now);
    let tax_bp = app.settings.get(&app.db, &setting::PARTNER_TAX_BP).await?;
    let (mut made, mut failed) = (0, None);
    for channel_id in store::due(app.db.read(), &month.last_day).await? {
        if !task.go_on(app).await? {
            break;
        }
        let one = app
            .db
            .transact(|mut tx| {
                async move {
                    let row = make(&app.db, &mut tx, (channel_id, month), tax_bp, None, now).await?;
                    let changes = audit::changes(None::<&PartnerStatementRow>, Some(&row));
                    Ok::<_, ApiError>(audit::record_own(&mut tx, TARGET.of(row.id), Action::Create, &changes, now).await?)
                }
                .boxed()
            })
            .await;
        match one {
            Ok(()) => made += 1,
            // Made by hand meanwhile.
            Err(ApiError::State(_)) => {}
            Err(error) => {
                tracing::error!(?error, channel_id, "the statement of a channel was not made");
                failed = Some(error);
            }
        }
    }
    failed.map_or(Ok(made), Err)
}

/// A number that no statement has: its month, and six letters or digits.
pub fn number(month: &str) -> String {
    format!("DZ{}-{}", month.replace('-', ""), crypto::random_text(6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_ends_with_its_last_day_and_is_over_an_hour_later() {
        let end = clock::day_start("2024-03-01").unwrap();
        let month = Month::ended("2024-02", end + REST).unwrap();
        assert_eq!((month.text.as_str(), month.last_day.as_str(), month.ends_at), ("2024-02", "2024-02-29", end));
        assert!(Month::ended("2024-02", end + REST - 1).is_err());
        for bad in ["2024-2", "2024-13", "2024/02", ""] {
            assert!(Month::ended(bad, end + REST).is_err(), "{bad}");
        }
        assert_eq!(Month::last(end + REST).text, "2024-02");
        assert_eq!(Month::last(end + REST - 1).text, "2024-01");
    }
}
