//! The viewer's open work in the lists of all areas, for the workplace: counted in one statement.

use super::Result;
use super::ctx::Ctx;
use super::figure::Figure;
use super::listing::{self, Listing};
use crate::access::{Scope, Viewer};
use base::db::page::Counts;
use base::say::Say;

/// The lists that the viewer works on, in the order in which they were added.
pub struct OpenWork<'c> {
    cx: &'c Ctx,
    viewer: &'c Viewer,
    counts: Counts,
    /// Title and address of each.
    lists: Vec<(Say, &'static str)>,
}

impl<'c> OpenWork<'c> {
    pub fn new(cx: &'c Ctx) -> Result<OpenWork<'c>> {
        Ok(OpenWork { cx, viewer: cx.viewer()?, counts: Counts::default(), lists: Vec::new() })
    }

    /// The viewer's scope.
    pub fn scope(&self) -> Scope {
        self.viewer.scope()
    }

    /// Adds what some filters match in a list, if the viewer holds a point. The address is that of the list with exactly these
    /// rows.
    pub fn add<L: Listing>(&mut self, point: &str, filters: L::Filters, title: Say, href: &'static str) {
        if self.viewer.has(point) {
            let scope = self.scope();
            self.counts.add(&listing::source::<L>(&|sql| L::narrow(sql, &filters, scope), scope));
            self.lists.push((title, href));
        }
    }

    /// The lists with open work, in their order, each with the number of its rows.
    pub async fn figures(self) -> Result<Vec<Figure>> {
        let values = self.counts.read(self.cx.db()).await?;
        let locale = self.cx.locale;
        let figure = |((title, href), value): ((Say, _), i64)| Figure { title: title.get(locale).to_owned(), value, href };
        Ok(self.lists.into_iter().zip(values).filter(|(_, value)| *value > 0).map(figure).collect())
    }
}
