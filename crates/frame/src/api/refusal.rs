//! What is refused to whoever may be trying doors: one line in the log for each, with who, where and
//! from where, and never with what he sent. A flood of them writes no more than a few lines a second,
//! and the next line tells how many were left out.

use super::ctx::{App, RequestInfo};
use super::error::ApiError;
use crate::access::Viewer;

/// Refusals that are worth a line: no point, no such record within the scope, wrong names, passwords and codes,
/// addresses on the deny list, partners' calls, and too many of anything.
fn is_told(error: &ApiError) -> bool {
    matches!(
        error,
        ApiError::Credentials
            | ApiError::CredentialsOrAddress
            | ApiError::Address
            | ApiError::WrongCode
            | ApiError::WrongProof { .. }
            | ApiError::Forbidden
            | ApiError::Missing
            | ApiError::Signed(_)
            | ApiError::TooMany { .. }
            | ApiError::TooOften { .. }
    )
}

/// The call that was refused, and whose it was.
pub struct Refused<'r> {
    pub method: &'r str,
    /// As declared: what stands in its place is not written.
    pub call: &'static str,
    /// The record that the path names, if it is a number.
    pub record: Option<i64>,
    /// The points of which one is needed, if any.
    pub points: &'r [&'static str],
    pub viewer: Option<&'r Viewer>,
    /// Who says that he has signed it.
    pub app_id: Option<&'r str>,
    pub info: &'r RequestInfo,
}

/// Writes a line about a refusal, if it is worth one and there is room.
pub fn tell(app: &App, error: &ApiError, refused: &Refused<'_>) {
    if !is_told(error) {
        return;
    }
    let Some(left_out) = app.limits.line(app.clock.now()) else { return };
    let Refused { method, call, record, points, viewer, app_id, info } = refused;
    tracing::warn!(
        request.id = info.request_id,
        code = error.code(),
        http.method = method,
        http.path = call,
        record = record,
        point = points.join("|"),
        account = viewer.map(|viewer| viewer.id),
        role = viewer.map(|viewer| viewer.role.id),
        app.id = app_id.map(readable),
        client.address = info.origin.ip,
        left_out,
        "refused"
    );
}

/// A name that somebody else has chosen, as far as it may stand in a line of the log.
fn readable(app_id: &str) -> String {
    app_id.chars().filter(|char| char.is_ascii_alphanumeric() || "-_".contains(*char)).take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_from_outside_is_no_second_line() {
        assert_eq!(readable("ak-1_x\n2026 WARN 张"), "ak-1_x2026WARN");
        assert_eq!(readable(&"x".repeat(500)).len(), 64);
    }
}
