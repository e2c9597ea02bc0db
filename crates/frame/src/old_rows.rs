//! Rows that are kept for a time: a room says which of its rows are old, and every night they are deleted.
//!
//! Not here: the time of the deletion (`server::retention`).

use crate::setting::Setting;

/// Old rows of one table.
#[derive(Debug)]
pub struct OldRows {
    /// Their name in the log.
    pub name: &'static str,
    pub keep: Keep,
    /// Deletes some: `$1` is the moment before which rows are old, `$2` the limit.
    pub statement: &'static str,
}

/// How long rows are kept.
#[derive(Clone, Copy, Debug)]
pub enum Keep {
    /// So many days.
    Days(i64),
    /// As many days as a setting says.
    AsSet(&'static Setting<i64>),
}
