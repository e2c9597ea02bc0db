//! The viewer's open work in the lists of all areas and what is unusual there, for the workplace: read in one statement.

use serde::Serialize;

use super::Result;
use super::ctx::Ctx;
use super::list::ListFilters;
use super::listing::{self, Listing};
use crate::access::{Scope, Viewer};
use base::db::page::{NO_NUMBER, Tallies};
use base::say::Say;

/// [`Queue::since`] of rows that do not say since when they wait.
pub const UNKNOWN: &str = NO_NUMBER;

/// What a person does with the rows of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum QueueAction {
    /// Decides on what another person asked for.
    Review,
    /// Puts right what went wrong.
    Handle,
    Answer,
    Confirm,
    Issue,
    Send,
    Pay,
    View,
}

/// A list with open work.
pub struct Queue {
    /// The point of those who do the work.
    pub point: &'static str,
    pub title: Say,
    pub action: QueueAction,
    /// The list with exactly these rows.
    pub href: &'static str,
    /// SQL over the tables of the list's count, without input of users: since when a row waits, in epoch milliseconds.
    pub since: &'static str,
    /// The same for the fen of a row, where rows are about money.
    pub cents: Option<&'static str>,
    /// The milliseconds that a row may wait.
    pub within: i64,
}

/// A queue as the workplace shows it, in the viewer's language.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct WorkQueue {
    pub title: String,
    pub action: QueueAction,
    /// The list with the counted rows.
    pub href: &'static str,
    /// At most 10,000.
    pub count: i64,
    /// Since when the oldest row waits, in epoch milliseconds.
    pub oldest: Option<i64>,
    /// Whether the oldest row waits for longer than it should.
    pub overdue: bool,
    /// The fen of all rows, where rows are about money.
    pub cents: Option<i64>,
}

/// Rows of a list that should not be there.
pub struct Watch {
    /// The point of those who see the list.
    pub point: &'static str,
    pub title: Say,
    /// The list with exactly these rows.
    pub href: String,
}

/// What is unusual, as the workplace shows it, in the viewer's language.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Unusual {
    pub title: String,
    /// At most 10,000.
    pub count: i64,
    /// The page that shows it: of a list with exactly the counted rows.
    pub href: String,
}

/// The viewer's open work, the most urgent first, and what is unusual.
#[derive(Debug)]
pub struct Work {
    pub queues: Vec<WorkQueue>,
    pub unusual: Vec<Unusual>,
}

/// What is read of a list.
enum Part {
    Queue(Queue),
    Watch(Watch),
}

/// The lists that the viewer works on or watches, in the order in which they were added.
pub struct OpenWork<'c> {
    cx: &'c Ctx,
    viewer: &'c Viewer,
    tallies: Tallies,
    parts: Vec<Part>,
}

impl<'c> OpenWork<'c> {
    pub fn new(cx: &'c Ctx) -> Result<OpenWork<'c>> {
        Ok(OpenWork { cx, viewer: cx.viewer()?, tallies: Tallies::default(), parts: Vec::new() })
    }

    /// The viewer's scope.
    pub fn scope(&self) -> Scope {
        self.viewer.scope()
    }

    /// Adds the rows that some filters match in a list, if the viewer holds the queue's point.
    pub fn add<L: Listing>(&mut self, filters: L::Filters, queue: Queue) {
        if self.viewer.has(queue.point) {
            self.tally::<L>(filters, queue.since, queue.cents);
            self.parts.push(Part::Queue(queue));
        }
    }

    /// Adds unusual rows of a list, those that some filters match, if the viewer holds the point.
    pub fn watch<L: Listing>(&mut self, filters: L::Filters, watch: Watch) {
        if self.viewer.has(watch.point) {
            self.tally::<L>(filters, UNKNOWN, None);
            self.parts.push(Part::Watch(watch));
        }
    }

    fn tally<L: Listing>(&mut self, mut filters: L::Filters, since: &'static str, cents: Option<&'static str>) {
        filters.apply_defaults(self.cx.now);
        filters.for_viewer(self.viewer);
        let scope = self.scope();
        self.tallies.add(&listing::source::<L>(&|sql| L::narrow(sql, &filters, scope), scope), since, cents);
    }

    /// What is not empty: queues with overdue rows first, and then by their oldest row; unusual rows in their order.
    pub async fn read(self) -> Result<Work> {
        let tallies = self.tallies.read(self.cx.db()).await?;
        let (locale, now) = (self.cx.locale, self.cx.now);
        let (mut queues, mut unusual) = (Vec::new(), Vec::new());
        for (part, tally) in self.parts.into_iter().zip(tallies).filter(|(_, tally)| tally.rows > 0) {
            match part {
                Part::Queue(queue) => queues.push(WorkQueue {
                    title: queue.title.get(locale).to_owned(),
                    action: queue.action,
                    href: queue.href,
                    count: tally.rows,
                    oldest: tally.since,
                    overdue: tally.since.is_some_and(|since| now - since > queue.within),
                    cents: tally.cents,
                }),
                Part::Watch(watch) => {
                    unusual.push(Unusual { title: watch.title.get(locale).to_owned(), count: tally.rows, href: watch.href });
                }
            }
        }
        urgent_first(&mut queues);
        Ok(Work { queues, unusual })
    }
}

/// Queues with overdue rows come first, and then those with the oldest row.
fn urgent_first(queues: &mut [WorkQueue]) {
    queues.sort_by_key(|queue| (!queue.overdue, queue.oldest.unwrap_or(i64::MAX)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_overdue_comes_first_and_then_the_oldest() {
        let queue = |href, oldest, overdue| WorkQueue {
            title: String::new(),
            action: QueueAction::Handle,
            href,
            count: 1,
            oldest,
            overdue,
            cents: None,
        };
        let mut queues = [
            queue("unknown", None, false),
            queue("new", Some(9), false),
            queue("old", Some(1), false),
            queue("late", Some(8), true),
            queue("later", Some(7), true),
        ];
        urgent_first(&mut queues);
        assert_eq!(queues.map(|queue| queue.href), ["later", "late", "old", "new", "unknown"]);
    }
}
