//! The changes of a product's status.

use super::model::ProductStatus;
use frame::api::{ApiError, check_step};

/// Allows the change, or refuses it with the current status.
pub fn change(from: ProductStatus, to: ProductStatus) -> Result<(), ApiError> {
    check_step(from, to, ("产品", "product"))
}

#[cfg(test)]
mod tests {
    use super::super::model::ProductStatus::{Archived, Draft, Offline, Online};
    use super::*;

    #[test]
    fn only_the_listed_changes_are_allowed() {
        let all = [Draft, Online, Offline, Archived];
        let allowed = [(Draft, Online), (Offline, Online), (Online, Offline), (Offline, Archived)];
        for from in all {
            for to in all {
                assert_eq!(change(from, to).is_ok(), allowed.contains(&(from, to)), "{from:?} to {to:?}");
            }
        }
    }
}
