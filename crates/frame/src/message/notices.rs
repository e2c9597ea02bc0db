//! Messages about records on which a second person decides: the to-do for those who may decide, and its end.

use super::model::{Link, NewMessage};
use super::send::{done, to_overseers};
use base::db::Connection;
use base::say::Say;

/// A kind of such records. What its messages say is its area's; the result goes out by [`super::decided`].
#[derive(Debug)]
pub struct Notices {
    /// What the messages are about: their `biz_type`.
    pub biz: &'static str,
    /// The permission point of those who decide.
    pub point: &'static str,
    /// The page that the messages link to, by the name of its route.
    pub route: &'static str,
}

impl Notices {
    /// A message about the record `id`, for an audience that its sender names. `query` is that of the page, such as the number as
    /// `keyword`.
    pub fn about(&self, id: i64, query: (&'static str, String), title: Say, content: Say, now: i64) -> NewMessage {
        NewMessage {
            link: Some(Link { route: self.route, query: vec![query] }),
            biz_id: Some(id),
            ..NewMessage::to_person(0, self.biz, title, content, now)
        }
    }

    /// Sends a message to those who decide, as a to-do for which `by` asks.
    pub async fn ask(&self, tx: &mut Connection, message: NewMessage, by: i64, now: i64) -> Result<(), sqlx::Error> {
        to_overseers(tx, self.point, message.asked_by(by), now).await
    }

    /// Closes the to-dos about a record: there is nothing to decide any more.
    pub async fn close(&self, tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
        done(tx, self.biz, id, now).await
    }
}
