//! A bounded queue whose keys take turns; items of one key keep their order.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound::{Excluded, Unbounded};

/// Waiting items, by key.
pub(super) struct Queue<K, T> {
    waiting: BTreeMap<K, VecDeque<T>>,
    length: usize,
    most: usize,
    /// The key that was served last; the next one in order follows.
    last: Option<K>,
}

impl<K: Copy + Ord, T> Queue<K, T> {
    /// A queue for at most so many items.
    pub fn new(most: usize) -> Queue<K, T> {
        Queue { waiting: BTreeMap::new(), length: 0, most, last: None }
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether an item of a key waits.
    pub fn has(&self, key: K) -> bool {
        self.waiting.contains_key(&key)
    }

    /// Adds an item behind those of its key. If the queue is too long then, removes and returns the last item of the
    /// key with the most.
    pub fn push(&mut self, key: K, item: T) -> Option<T> {
        self.waiting.entry(key).or_default().push_back(item);
        self.length += 1;
        if self.length <= self.most {
            return None;
        }
        let most = self.waiting.values().map(VecDeque::len).max().unwrap_or_default();
        let has_most = |key: &K| self.waiting.get(key).is_some_and(|items| items.len() == most);
        let longest = if has_most(&key) { key } else { *self.waiting.keys().find(|key| has_most(key))? };
        self.take(longest, VecDeque::pop_back)
    }

    /// Takes the first item of the key whose turn it is, among those that may be served.
    pub fn pop(&mut self, may_be_served: impl Fn(&K) -> bool) -> Option<(K, T)> {
        let behind = self.waiting.range((self.last.map_or(Unbounded, Excluded), Unbounded));
        let key = behind.chain(&self.waiting).map(|(key, _)| *key).find(may_be_served)?;
        self.last = Some(key);
        Some((key, self.take(key, VecDeque::pop_front)?))
    }

    fn take(&mut self, key: K, end: impl Fn(&mut VecDeque<T>) -> Option<T>) -> Option<T> {
        let items = self.waiting.get_mut(&key)?;
        let item = end(items)?;
        if items.is_empty() {
            self.waiting.remove(&key);
        }
        self.length -= 1;
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(queue: &mut Queue<char, u32>) -> Vec<(char, u32)> {
        std::iter::from_fn(|| queue.pop(|_| true)).collect()
    }

    #[test]
    fn keys_take_turns_and_of_one_key_the_first_comes_first() {
        let mut queue = Queue::new(100);
        for number in 0..4 {
            assert_eq!(queue.push('a', number), None);
        }
        for (key, number) in [('b', 10), ('c', 20), ('c', 21)] {
            assert_eq!(queue.push(key, number), None);
        }
        assert_eq!(queue.pop(|_| true), Some(('a', 0)));
        assert_eq!(queue.pop(|_| true), Some(('b', 10)));
        // An item that comes meanwhile is served before items behind the next turn of a longer key.
        assert_eq!(queue.push('b', 11), None);
        assert_eq!(all(&mut queue), [('c', 20), ('a', 1), ('b', 11), ('c', 21), ('a', 2), ('a', 3)]);
        assert!(queue.len() == 0 && !queue.has('a'));
    }

    #[test]
    fn a_key_that_may_not_be_served_keeps_its_place() {
        let mut queue = Queue::new(100);
        for (key, number) in [('a', 0), ('a', 1), ('b', 10), ('b', 11)] {
            queue.push(key, number);
        }
        assert_eq!(queue.pop(|key| *key != 'a'), Some(('b', 10)));
        assert_eq!(queue.pop(|key| *key != 'a'), Some(('b', 11)));
        assert_eq!(queue.pop(|key| *key != 'a'), None);
        assert_eq!(all(&mut queue), [('a', 0), ('a', 1)]);
    }

    #[test]
    fn the_longest_key_gives_way_where_too_many_wait() {
        let mut queue = Queue::new(4);
        for number in 0..4 {
            assert_eq!(queue.push('a', number), None);
        }
        assert_eq!(queue.len(), 4);
        assert_eq!(queue.push('a', 4), Some(4), "one of the longest key itself finds no room");
        assert_eq!(queue.push('b', 10), Some(3), "one of another key takes the place of its last");
        assert_eq!(queue.push('b', 11), Some(2));
        assert_eq!(queue.push('b', 12), Some(12), "it is the longest itself by then");
        assert_eq!(queue.push('c', 20), Some(1));
        assert_eq!(all(&mut queue), [('a', 0), ('b', 10), ('c', 20), ('b', 11)]);
    }
}
