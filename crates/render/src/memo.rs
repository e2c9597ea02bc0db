//! Remembered pages: the same props give the same HTML, so a page need not be rendered twice.
//!
//! The key is the whole of the props (viewer, permissions, data and all), compared byte by byte:
//! a page can only be given to a request that would have rendered exactly it. Off by default,
//! because rendering is quick and a page's data rarely stays the same.

use std::sync::Arc;

use moka::sync::Cache;

/// A bounded table from props to HTML.
pub(super) struct Memo(Cache<Arc<str>, Arc<String>>);

impl Memo {
    /// A table of at most `mb` MB, or none for 0.
    pub fn new(mb: u64) -> Option<Self> {
        (mb > 0).then(|| {
            let size = |props: &Arc<str>, html: &Arc<String>| u32::try_from(props.len() + html.len()).unwrap_or(u32::MAX);
            Self(Cache::builder().max_capacity(mb << 20).weigher(size).build())
        })
    }

    pub fn get(&self, props: &str) -> Option<Arc<String>> {
        self.0.get(props)
    }

    /// Clears the memo.
    pub fn clear(&self) {
        self.0.invalidate_all();
    }

    pub fn put(&self, props: Arc<str>, html: Arc<String>) {
        self.0.insert(props, html);
    }
}
