//! Remembered pages: the same props give the same HTML, so a page need not be rendered twice.
//!
//! The key is the whole of the props (viewer, data and all) with the key of what they share with other pages
//! (permissions), compared byte by byte: a page can only be given to a request that would have rendered exactly it. Off
//! by default, because rendering is quick and a page's data rarely stays the same.

use std::sync::Arc;

use moka::sync::Cache;

/// Props, and the key of their [`Shared`](super::Shared).
pub(super) type Key = (Arc<str>, Option<Arc<str>>);

/// A bounded table from props to HTML.
pub(super) struct Memo(Cache<Key, Arc<String>>);

impl Memo {
    /// A table of at most `mb` MB, or none for 0.
    pub fn new(mb: u64) -> Option<Self> {
        (mb > 0).then(|| {
            let size = |(props, _): &Key, html: &Arc<String>| u32::try_from(props.len() + html.len()).unwrap_or(u32::MAX);
            Self(Cache::builder().max_capacity(mb << 20).weigher(size).build())
        })
    }

    pub fn get(&self, key: &Key) -> Option<Arc<String>> {
        self.0.get(key)
    }

    /// Clears the memo.
    pub fn clear(&self) {
        self.0.invalidate_all();
    }

    pub fn put(&self, key: Key, html: Arc<String>) {
        self.0.insert(key, html);
    }
}
