//! The records that files belong to, which their areas name beside their calls.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::api::{Ctx, Result};

/// A kind of record that files belong to.
pub struct FileRule {
    /// What uploads name it by.
    pub biz_type: &'static str,
    /// Takes pictures and nothing else.
    pub pictures_only: bool,
    /// Hides the middle of long numbers in names, which also people read who may not see whole numbers.
    pub masks_names: bool,
    /// Whether this viewer sees the record of this id, and so its files.
    pub sees: fn(Arc<Ctx>, i64) -> BoxFuture<'static, Result<bool>>,
}

/// The rules of all calls of a program.
pub type FileRules = fn() -> &'static [&'static FileRule];
