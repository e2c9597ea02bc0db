//! Parts of statements on applicants, for lists of pushes and for areas above.

/// The ids of the applicants of test channels.
pub const TEST_USERS: &str = "(SELECT n.id FROM applicant n WHERE n.test = 1)";

/// When the consents of an applicant were withdrawn, if none holds any more: NULL otherwise. `$user` is the id in the statement.
macro_rules! withdrawn_at {
    ($user:literal) => {
        concat!(
            "(SELECT MAX(w.revoked_at) FROM consent_record w WHERE w.user_id = ",
            $user,
            " AND w.revoked_via IS NOT NULL AND NOT EXISTS (SELECT 1 FROM consent_record v WHERE v.user_id = ",
            $user,
            " AND v.revoked_at IS NULL))"
        )
    };
}
pub(crate) use withdrawn_at;
