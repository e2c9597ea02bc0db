//! The months of the books: which are closed, and the closing of the next.

use std::sync::Arc;

use futures_util::FutureExt;
use jiff::ToSpan;
use jiff::civil::Date;

use super::list::TARGET;
use super::model::{BookMonths, MonthClosing};
use super::store::{self, Misfit};
use base::clock::{self, HOUR};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Change};
use frame::api::{ApiError, Body, Ctx, Nothing, Result, say};

/// How long after its end a month can be closed: requests of its last moments are posted by then.
const REST: i64 = HOUR;

/// `GET /finance/statement/months`: for people who close them; empty for others.
pub async fn view(cx: Arc<Ctx>, _: Nothing) -> Result<BookMonths> {
    let viewer = cx.viewer()?;
    if !viewer.has("finance/account/statement") || viewer.scope() != Scope::All {
        return Ok(BookMonths { closed: None, next: None });
    }
    let mut on = cx.db().read().acquire().await?;
    months(&mut on, cx.now).await
}

async fn months(on: &mut Connection, now: i64) -> Result<BookMonths> {
    let closed = store::last_closed(&mut *on).await?;
    let first = match closed.as_deref().and_then(first_day) {
        Some(closed) => Some(closed.saturating_add(1.month())),
        None => store::first_entry(&mut *on).await?.map(|at| clock::day(at).first_of_month()),
    };
    let next = first.filter(|first| clock::start(first.saturating_add(1.month())) + REST <= now).map(text);
    Ok(BookMonths { closed, next })
}

/// `PUT /finance/statement/close`: closes the first month that is over and open. It takes no entry any more, and
/// every account with entries gets its statement.
pub async fn close(cx: Arc<Ctx>, Body(body): Body<MonthClosing>) -> Result<BookMonths> {
    let viewer = cx.viewer()?;
    // A month is closed for all organisations.
    if viewer.scope() != Scope::All {
        return Err(ApiError::Forbidden);
    }
    let first =
        first_day(&body.month).ok_or_else(|| ApiError::field("month", say("请填写月份，如 2026-01", "Enter a month such as 2026-01")))?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                // Closings come one after another.
                cx.db().lock(&mut tx, "closed_month").await?;
                let before = months(&mut tx, cx.now).await?;
                match before.next {
                    Some(next) if next == body.month => {}
                    Some(next) => {
                        return Err(ApiError::State(say(format!("请先关闭 {next}"), format!("Close {next} first"))));
                    }
                    None => return Err(ApiError::State(say("没有可以关闭的月份", "There is no month to close"))),
                }
                let stretch = (clock::start(first), clock::start(first.saturating_add(1.month())));
                if let Some(entry) = store::misfit(&mut tx, stretch).await? {
                    return Err(unbalanced(&entry));
                }
                store::close(&mut tx, &body.month, stretch, cx.now).await?;
                let change = Change { field: "month".to_owned(), before: None, after: Some(body.month.clone()) };
                audit::record(&mut tx, &cx.actor()?, TARGET, Action::Money, &[change]).await?;
                let after = months(&mut tx, cx.now).await?;
                cx.keep_answer(&mut tx, &after).await?;
                Ok(after)
            }
            .boxed()
        })
        .await
}

/// Why a month is not closed: an entry was changed or removed by hand.
fn unbalanced(entry: &Misfit) -> ApiError {
    let Misfit { org_name, seq } = entry;
    ApiError::State(say(
        format!("未关账：“{org_name}”的账户第 {seq} 号流水的余额与上一笔不符，请先核查账目（leadlane ledger verify）"),
        format!(
            "Not closed: in the account of {org_name}, the balance after entry {seq} does not follow from the entry before it. \
             Check the books first (leadlane ledger verify)"
        ),
    ))
}

/// The first day of a month, `YYYY-MM`.
fn first_day(month: &str) -> Option<Date> {
    (month.len() == 7).then(|| format!("{month}-01").parse().ok()).flatten()
}

fn text(first: Date) -> String {
    first.to_string()[..7].to_owned()
}
