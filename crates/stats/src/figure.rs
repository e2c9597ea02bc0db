//! The figures: each has one definition here, which lists, charts and files share. Its heading is `stat.<key>` in the
//! catalogue of fields, its formula in words `formula.<key>`.

use trade::visit::Figures;

/// The format of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FigureKind")]
#[ts(export, export_to = "api-types.ts", rename = "FigureKind")]
pub enum Kind {
    Count,
    /// Fen.
    Money,
    /// Basis points.
    Rate,
}

/// A figure.
#[derive(Clone, Copy, Debug, serde::Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StatFigure")]
#[ts(export, export_to = "api-types.ts", rename = "StatFigure")]
pub struct Figure {
    /// Its name on the wire.
    pub key: &'static str,
    pub kind: Kind,
}

macro_rules! figures {
    ($($(#[$doc:meta])* $field:ident $key:literal $kind:ident of $($column:ident),+ = $value:expr;)*) => {
        /// The values of a row by figure; none if a figure is undefined, such as a rate of 0.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema, ts_rs::TS)]
        #[serde(rename_all = "camelCase")]
        #[ts(export, export_to = "api-types.ts")]
        pub struct StatValues {
            $($(#[$doc])* pub $field: Option<i64>,)*
        }

        /// The figures that a screen shows.
        #[derive(Clone, Copy)]
        pub struct Shown {
            $($field: bool,)*
        }

        impl Shown {
            pub fn of(keys: &[&str]) -> Shown {
                Shown { $($field: keys.contains(&$key),)* }
            }
        }

        impl StatValues {
            /// The values of sums, for the figures of a screen.
            pub fn of(sums: &Figures, shown: &Shown) -> StatValues {
                $(let $field: fn(&Figures) -> Option<i64> = $value;)*
                StatValues { $($field: if shown.$field { $field(sums) } else { None },)* }
            }

            /// The value of a figure by its key.
            pub fn get(&self, key: &str) -> Option<i64> {
                match key {
                    $($key => self.$field,)*
                    _ => None,
                }
            }
        }

        /// The columns of a figure; empty for an unknown key.
        pub fn columns_of(key: &str) -> &'static [&'static str] {
            match key {
                $($key => &[$(stringify!($column)),+],)*
                _ => &[],
            }
        }

        /// All figures, in the order of columns.
        pub const FIGURES: &[Figure] = &[$(Figure { key: $key, kind: Kind::$kind },)*];

        /// The names for sorting lists.
        pub const SORTS: &[(&str, &str)] = &[("part", "part"), ("subjectName", "subjectName"), ("star", "star"), $(($key, $key),)*];
    };
}

figures! {
    /// How often plans and products were shown. A choice without an exposure counts as shown once.
    exposures "exposures" Count of exposure_pv = |f| Some(f.exposure_pv);
    /// Page views.
    visits "visits" Count of pv = |f| Some(f.pv);
    /// Visitors, once a day and channel.
    visitors "visitors" Count of uv = |f| Some(f.uv);
    /// Applicants, whatever the result of their checks.
    applicants "applicants" Count of registered = |f| Some(f.registered);
    /// Applicants who passed all checks.
    passed "passed" Count of applied = |f| Some(f.applied);
    /// Rounds that found a buyer: a shared lead is one round and several sales.
    matched "matched" Count of matched = |f| Some(f.matched);
    /// Leads that were offered to organisations.
    pushed "pushed" Count of pushed = |f| Some(f.pushed);
    /// Test leads that were offered, and those that test organisations accepted. They are in no other figure.
    test_pushed "testPushed" Count of test_pushed = |f| Some(f.test_pushed);
    test_sales "testSales" Count of test_sold = |f| Some(f.test_sold);
    /// Leads that buyers accepted; one person may be sold to several.
    sales "sales" Count of sold = |f| Some(f.sold);
    /// Offers that were duplicates, failed deliveries, and refusals.
    duplicates "duplicates" Count of duplicates = |f| Some(f.duplicates);
    failed "failed" Count of failed = |f| Some(f.failed);
    refused "refused" Count of refused = |f| Some(f.refused);
    /// Leads that were returned, by the day of the sale or of the decision.
    returns "returns" Count of returned = |f| Some(f.returned);
    /// Feedback by number of stars.
    stars0 "stars0" Count of stars_0 = |f| Some(f.stars_0);
    stars1 "stars1" Count of stars_1 = |f| Some(f.stars_1);
    stars2 "stars2" Count of stars_2 = |f| Some(f.stars_2);
    stars3 "stars3" Count of stars_3 = |f| Some(f.stars_3);
    /// Clues that reached a stage (contacted, visited, signed, paid out), by the day on which they began.
    contacted "contacted" Count of contacted = |f| Some(f.contacted);
    visited "visited" Count of visited = |f| Some(f.visited);
    signed "signed" Count of signed = |f| Some(f.signed);
    disbursed "disbursed" Count of disbursed = |f| Some(f.disbursed);
    /// What channels get.
    cost_cents "costCents" Money of cost_cents = |f| Some(f.cost_cents);
    /// What organisations pay, less refunds.
    income_cents "incomeCents" Money of income_cents = |f| Some(f.income_cents);
    /// Refunds to organisations for returns.
    refund_cents "refundCents" Money of refund_cents = |f| Some(f.refund_cents);
    /// Income less cost.
    margin_cents "marginCents" Money of income_cents, cost_cents = |f| Some(f.income_cents - f.cost_cents);
    /// Confirmed money of clues, less refunds.
    money_cents "moneyCents" Money of money_cents = |f| Some(f.money_cents);
    /// Applicants of 100 visitors.
    apply_bp "applyBp" Rate of registered, uv = |f| rate(f.registered, f.uv);
    /// Passed of 100 applicants.
    pass_bp "passBp" Rate of applied, registered = |f| rate(f.applied, f.registered);
    /// Matched rounds of 100 who passed.
    match_bp "matchBp" Rate of matched, applied = |f| rate(f.matched, f.applied);
    /// Sales of 100 offers.
    accept_bp "acceptBp" Rate of sold, pushed = |f| rate(f.sold, f.pushed);
    /// Returns of 100 sales.
    return_bp "returnBp" Rate of returned, sold = |f| rate(f.returned, f.sold);
    /// Clues that reached a stage, of 100 sales.
    contact_bp "contactBp" Rate of contacted, sold = |f| rate(f.contacted, f.sold);
    visit_bp "visitBp" Rate of visited, sold = |f| rate(f.visited, f.sold);
    sign_bp "signBp" Rate of signed, sold = |f| rate(f.signed, f.sold);
    disburse_bp "disburseBp" Rate of disbursed, sold = |f| rate(f.disbursed, f.sold);
    /// Margin of 100 CNY of income.
    margin_bp "marginBp" Rate of income_cents, cost_cents = |f| rate(f.income_cents - f.cost_cents, f.income_cents);
    /// Cost of an applicant.
    cost_each_cents "costEachCents" Money of cost_cents, registered = |f| each(f.cost_cents, f.registered);
    /// Income of a sale.
    income_each_cents "incomeEachCents" Money of income_cents, sold = |f| each(f.income_cents, f.sold);
}

/// A part of a whole in basis points; none if the whole is 0. On days with more of the part than of the whole, such
/// as sales of earlier offers and applicants without a visit, there is none either: no rate is above 100 %.
pub fn rate(part: i64, whole: i64) -> Option<i64> {
    (whole > 0 && part <= whole).then(|| (i128::from(part) * 10_000 / i128::from(whole)) as i64)
}

fn each(cents: i64, number: i64) -> Option<i64> {
    (number > 0).then(|| cents / number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fields;

    #[test]
    fn every_figure_has_a_heading_and_a_formula() {
        for Figure { key, .. } in FIGURES {
            assert!(fields::is_named("stat", key) && fields::is_named("formula", key), "{key}");
        }
    }

    #[test]
    fn a_figure_names_the_columns_that_it_is_made_of() {
        assert_eq!(columns_of("marginBp"), ["income_cents", "cost_cents"]);
        assert_eq!((columns_of("visits"), columns_of("subjectName")), (&["pv"][..], &[][..]));
    }

    #[test]
    fn a_rate_of_nothing_and_of_less_is_none() {
        assert_eq!((rate(1, 3), rate(1, 0), each(7, 2), each(7, 0)), (Some(3333), None, Some(3), None));
        assert_eq!((rate(3, 3), rate(4, 3), rate(-1, 3)), (Some(10_000), None, Some(-3333)));
        let sums = Figures { registered: 4, applied: 3, uv: 0, ..Figures::default() };
        let values = StatValues::of(&sums, &Shown::of(&["passBp", "applyBp"]));
        assert_eq!((values.pass_bp, values.apply_bp, values.applicants), (Some(7500), None, None));
    }
}
