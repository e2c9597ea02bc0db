//! How a day's payments and refunds are matched: by number, then by amount.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::model::{DifferenceKind, MoneyDirection};

/// A payment or a refund in our records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The numbers under which a statement may list it, the usual one first.
    pub numbers: Vec<String>,
    pub direction: MoneyDirection,
    pub cents: i64,
    pub order_id: i64,
}

/// A payment or a refund in a statement of a bank or provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementLine {
    pub number: String,
    pub direction: MoneyDirection,
    pub cents: i64,
}

/// A difference between our records and a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub kind: DifferenceKind,
    pub direction: MoneyDirection,
    pub number: String,
    pub our_cents: Option<i64>,
    pub their_cents: Option<i64>,
    pub order_id: Option<i64>,
}

/// The number of matches, and the differences. Each book entry is matched with one statement line of its number, by preference of
/// the same amount.
pub fn compare(entries: &[BookEntry], lines: &[StatementLine]) -> (usize, Vec<Difference>) {
    let mut by_number: HashMap<(MoneyDirection, &str), Vec<usize>> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        for number in &entry.numbers {
            by_number.entry((entry.direction, number)).or_default().push(index);
        }
    }
    let (mut taken, mut matched, mut differences) = (vec![false; entries.len()], 0, Vec::new());
    let mut left = Vec::new();
    for line in lines {
        let known = by_number.get(&(line.direction, line.number.as_str())).map_or(&[][..], Vec::as_slice);
        match known.iter().copied().find(|index| !taken[*index] && entries[*index].cents == line.cents) {
            Some(index) => {
                taken[index] = true;
                matched += 1;
            }
            None => left.push((line, known)),
        }
    }
    for (line, known) in left {
        let other = known.iter().copied().find(|index| !taken[*index]);
        if let Some(index) = other {
            taken[index] = true;
        }
        differences.push(Difference {
            kind: if other.is_some() { DifferenceKind::Amount } else { DifferenceKind::TheirsOnly },
            direction: line.direction,
            number: line.number.clone(),
            our_cents: other.map(|index| entries[index].cents),
            their_cents: Some(line.cents),
            order_id: other.map(|index| entries[index].order_id),
        });
    }
    for (entry, _) in entries.iter().zip(&taken).filter(|(_, taken)| !**taken) {
        differences.push(Difference {
            kind: DifferenceKind::OursOnly,
            direction: entry.direction,
            number: entry.numbers.first().cloned().unwrap_or_default(),
            our_cents: Some(entry.cents),
            their_cents: None,
            order_id: Some(entry.order_id),
        });
    }
    (matched, together(differences))
}

/// Merges differences of the same kind and number into one with the sum of their amounts.
fn together(all: Vec<Difference>) -> Vec<Difference> {
    let mut places: HashMap<(DifferenceKind, MoneyDirection, String), usize> = HashMap::new();
    let mut once: Vec<Difference> = Vec::with_capacity(all.len());
    for found in all {
        match places.entry((found.kind, found.direction, found.number.clone())) {
            Entry::Vacant(place) => {
                place.insert(once.len());
                once.push(found);
            }
            Entry::Occupied(place) => {
                let first = &mut once[*place.get()];
                first.our_cents = sum(first.our_cents, found.our_cents);
                first.their_cents = sum(first.their_cents, found.their_cents);
            }
        }
    }
    once
}

fn sum(one: Option<i64>, other: Option<i64>) -> Option<i64> {
    one.map(|cents| cents + other.unwrap_or_default()).or(other)
}

#[cfg(test)]
mod tests {
    use super::super::model::MoneyDirection::{Payment, Refund};
    use super::*;

    fn entry(number: &str, direction: MoneyDirection, cents: i64) -> BookEntry {
        BookEntry { numbers: vec![number.to_owned()], direction, cents, order_id: 1 }
    }

    fn line(number: &str, direction: MoneyDirection, cents: i64) -> StatementLine {
        StatementLine { number: number.to_owned(), direction, cents }
    }

    #[test]
    fn payments_are_matched_by_number_and_amount() {
        let kinds = |entries: &[BookEntry], lines: &[StatementLine]| {
            let (matched, differences) = compare(entries, lines);
            (matched, differences.into_iter().map(|found| (found.kind, found.number)).collect::<Vec<_>>())
        };
        assert_eq!(kinds(&[entry("a", Payment, 1)], &[line("a", Payment, 1)]), (1, vec![]));
        assert_eq!(kinds(&[entry("a", Payment, 1)], &[line("a", Payment, 2)]), (0, vec![(DifferenceKind::Amount, "a".to_owned())]));
        assert_eq!(
            kinds(&[entry("a", Payment, 1)], &[line("b", Payment, 1)]),
            (0, vec![(DifferenceKind::TheirsOnly, "b".to_owned()), (DifferenceKind::OursOnly, "a".to_owned())])
        );
        // A refund does not match a payment, even with the same number.
        assert_eq!(
            kinds(&[entry("a", Refund, 1)], &[line("a", Payment, 1)]),
            (0, vec![(DifferenceKind::TheirsOnly, "a".to_owned()), (DifferenceKind::OursOnly, "a".to_owned())])
        );
        // Two refunds of one payment match by their amounts, in any order.
        let two = [entry("a", Refund, 1), entry("a", Refund, 2)];
        assert_eq!(kinds(&two, &[line("a", Refund, 2), line("a", Refund, 1)]), (2, vec![]));
        // A repeated row matches once.
        assert_eq!(
            kinds(&[entry("a", Payment, 1)], &[line("a", Payment, 1), line("a", Payment, 1)]),
            (1, vec![(DifferenceKind::TheirsOnly, "a".to_owned())])
        );
        let (_, thrice) = compare(&[], &[line("a", Payment, 1), line("a", Payment, 2), line("a", Refund, 4)]);
        assert_eq!(thrice.iter().map(|found| found.their_cents).collect::<Vec<_>>(), [Some(3), Some(4)]);
    }
}
