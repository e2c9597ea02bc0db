//! Limits of forms. A [`form_limits!`](crate::form_limits) block makes a constant of each; the browser's forms get the same as
//! `js/lib/limits.ts`, which `make types` writes.

use std::collections::BTreeMap;

/// Declares the limits of a record's form as constants of the module:
///
/// ```ignore
/// form_limits! {
///     /// Of a receipt.
///     receipt {
///         /// Characters of the payer's name.
///         pub(super) PAYER_NAME: usize = 64,
///         /// In fen.
///         pub(super) MOST_CENTS: i64 = 10_000_000_000,
///     }
/// }
/// ```
///
/// The browser reads them as `receiptLimits.payerName` and `receiptLimits.mostCents`.
#[macro_export]
macro_rules! form_limits {
    (
        $(#[$about:meta])*
        $record:ident { $( $(#[$each:meta])* $visibility:vis $name:ident: $kind:ty = $value:expr ),+ $(,)? }
    ) => {
        $( $(#[$each])* $visibility const $name: $kind = $value; )+

        $crate::codes::inventory::submit! {
            $crate::form_limits::FormLimits {
                record: stringify!($record),
                limits: &[$( (stringify!($name), $name as i64) ),+],
            }
        }
    };
}

/// The limits of a record's form.
pub struct FormLimits {
    /// In camel case.
    pub record: &'static str,
    /// Names in upper case, and values.
    pub limits: &'static [(&'static str, i64)],
}

inventory::collect!(FormLimits);

/// The limits of all crates of a program, by record; those of several blocks of one record together.
pub fn all_exported() -> BTreeMap<&'static str, Vec<(&'static str, i64)>> {
    let mut all = BTreeMap::<_, Vec<_>>::new();
    for form in inventory::iter::<FormLimits>() {
        all.entry(form.record).or_default().extend_from_slice(form.limits);
    }
    for limits in all.values_mut() {
        limits.sort_unstable();
    }
    all
}
