//! The tax that is withheld from what partners are paid. Its rate is a setting; a statement keeps the rate that it was made with.

/// The tax on an amount by a rate in basis points, rounded to the nearest fen; 0 if the amount is not above zero.
pub fn on(total_cents: i64, bp: i64) -> i64 {
    let tax = (i128::from(total_cents.max(0)) * i128::from(bp) + 5_000) / 10_000;
    i64::try_from(tax).expect("a part of an amount")
}

/// The part of a tax that belongs to a part of the net amount, rounded down.
pub fn part_of(tax_cents: i64, amount_cents: i64, net_cents: i64) -> i64 {
    let part = i128::from(tax_cents) * i128::from(amount_cents) / i128::from(net_cents.max(1));
    i64::try_from(part).expect("a part of an amount")
}

#[cfg(test)]
mod tests {
    use super::{on, part_of};

    #[test]
    fn tax_is_rounded_to_the_nearest_fen() {
        for (cents, bp, expected) in
            [(10_000, 600, 600), (99, 600, 6), (8, 600, 0), (9, 600, 1), (-500, 600, 0), (100, 10_000, 100), (100, 0, 0)]
        {
            assert_eq!(on(cents, bp), expected, "{cents} at {bp}");
        }
    }

    #[test]
    fn a_part_of_the_tax_is_rounded_down() {
        for (tax, amount, net, expected) in [(600, 4_700, 9_400, 300), (601, 4_700, 9_400, 300), (1, 1, 3, 0), (0, 5, 10, 0)] {
            assert_eq!(part_of(tax, amount, net), expected);
        }
    }
}
