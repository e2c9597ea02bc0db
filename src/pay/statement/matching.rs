//! How a day's payments and refunds are matched: by number, then by amount.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::model::{DifferenceKind, MoneyDirection};

/// A payment or a refund of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ours {
    /// By which the other side may know it, the usual one first.
    pub numbers: Vec<String>,
    pub direction: MoneyDirection,
    pub cents: i64,
    pub order_id: i64,
}

/// A payment or a refund of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theirs {
    pub number: String,
    pub direction: MoneyDirection,
    pub cents: i64,
}

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub kind: DifferenceKind,
    pub direction: MoneyDirection,
    pub number: String,
    pub our_cents: Option<i64>,
    pub their_cents: Option<i64>,
    pub order_id: Option<i64>,
}

/// How many agree, and what differs. Each of ours is matched with one of theirs: one of the same amount, if there is one.
pub fn compare(ours: &[Ours], theirs: &[Theirs]) -> (usize, Vec<Difference>) {
    let mut by_number: HashMap<(MoneyDirection, &str), Vec<usize>> = HashMap::new();
    for (index, our) in ours.iter().enumerate() {
        for number in &our.numbers {
            by_number.entry((our.direction, number)).or_default().push(index);
        }
    }
    let (mut taken, mut matched, mut differences) = (vec![false; ours.len()], 0, Vec::new());
    let mut left = Vec::new();
    for their in theirs {
        let known = by_number.get(&(their.direction, their.number.as_str())).map_or(&[][..], Vec::as_slice);
        match known.iter().copied().find(|index| !taken[*index] && ours[*index].cents == their.cents) {
            Some(index) => {
                taken[index] = true;
                matched += 1;
            }
            None => left.push((their, known)),
        }
    }
    for (their, known) in left {
        let other = known.iter().copied().find(|index| !taken[*index]);
        if let Some(index) = other {
            taken[index] = true;
        }
        differences.push(Difference {
            kind: if other.is_some() { DifferenceKind::Amount } else { DifferenceKind::TheirsOnly },
            direction: their.direction,
            number: their.number.clone(),
            our_cents: other.map(|index| ours[index].cents),
            their_cents: Some(their.cents),
            order_id: other.map(|index| ours[index].order_id),
        });
    }
    for (our, _) in ours.iter().zip(&taken).filter(|(_, taken)| !**taken) {
        differences.push(Difference {
            kind: DifferenceKind::OursOnly,
            direction: our.direction,
            number: our.numbers.first().cloned().unwrap_or_default(),
            our_cents: Some(our.cents),
            their_cents: None,
            order_id: Some(our.order_id),
        });
    }
    (matched, together(differences))
}

/// What is there twice under one number, in the same way, is one difference of all their amounts.
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

    fn ours(number: &str, direction: MoneyDirection, cents: i64) -> Ours {
        Ours { numbers: vec![number.to_owned()], direction, cents, order_id: 1 }
    }

    fn theirs(number: &str, direction: MoneyDirection, cents: i64) -> Theirs {
        Theirs { number: number.to_owned(), direction, cents }
    }

    #[test]
    fn payments_are_matched_by_number_and_amount() {
        let kinds = |ours: &[Ours], theirs: &[Theirs]| {
            let (matched, differences) = compare(ours, theirs);
            (matched, differences.into_iter().map(|found| (found.kind, found.number)).collect::<Vec<_>>())
        };
        assert_eq!(kinds(&[ours("a", Payment, 1)], &[theirs("a", Payment, 1)]), (1, vec![]));
        assert_eq!(kinds(&[ours("a", Payment, 1)], &[theirs("a", Payment, 2)]), (0, vec![(DifferenceKind::Amount, "a".to_owned())]));
        assert_eq!(
            kinds(&[ours("a", Payment, 1)], &[theirs("b", Payment, 1)]),
            (0, vec![(DifferenceKind::TheirsOnly, "b".to_owned()), (DifferenceKind::OursOnly, "a".to_owned())])
        );
        // A refund is no payment, also of the same number.
        assert_eq!(
            kinds(&[ours("a", Refund, 1)], &[theirs("a", Payment, 1)]),
            (0, vec![(DifferenceKind::TheirsOnly, "a".to_owned()), (DifferenceKind::OursOnly, "a".to_owned())])
        );
        // Two refunds of one payment: each finds the one of its amount, in whatever order they come.
        let two = [ours("a", Refund, 1), ours("a", Refund, 2)];
        assert_eq!(kinds(&two, &[theirs("a", Refund, 2), theirs("a", Refund, 1)]), (2, vec![]));
        // What is there twice matches once.
        assert_eq!(
            kinds(&[ours("a", Payment, 1)], &[theirs("a", Payment, 1), theirs("a", Payment, 1)]),
            (1, vec![(DifferenceKind::TheirsOnly, "a".to_owned())])
        );
        let (_, thrice) = compare(&[], &[theirs("a", Payment, 1), theirs("a", Payment, 2), theirs("a", Refund, 4)]);
        assert_eq!(thrice.iter().map(|found| found.their_cents).collect::<Vec<_>>(), [Some(3), Some(4)]);
    }
}
