//! Refusals that may be attempts to break in: one line in the log for each, with the account, the call and the
//! address, and never with the input. During a flood only a few lines are written a second, and the next line says
//! how many were left out.

use super::ctx::{App, RequestInfo};
use super::error::ApiError;
use crate::access::Viewer;

/// Refusals that are logged: no point, no such record within the scope, wrong names, passwords and codes, addresses
/// on the deny list, partners' calls, and all limits.
fn is_logged(error: &ApiError) -> bool {
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

/// The refused call, and its caller.
pub struct Refused<'r> {
    pub method: &'r str,
    /// As declared: the values in its place are not written.
    pub call: &'static str,
    /// The record that the path names, if it is a number.
    pub record: Option<i64>,
    /// The points of which the call needs one, if any.
    pub points: &'r [&'static str],
    pub viewer: Option<&'r Viewer>,
    /// The app key of the request, if it names one.
    pub app_id: Option<&'r str>,
    pub info: &'r RequestInfo,
}

/// Writes a line on a refusal, if it is to be logged and the limit allows it.
pub fn tell(app: &App, error: &ApiError, refused: &Refused<'_>) {
    if !is_logged(error) {
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

/// A name chosen by the caller, shortened for a line of the log.
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
