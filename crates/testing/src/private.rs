//! Consent that is withdrawn.

use crate::TestApp;

/// Takes a point from a role.
pub async fn withdraw(app: &TestApp, role: &str, point: &str) {
    let sql = format!(
        "DELETE FROM role_menu WHERE role_id = (SELECT id FROM role WHERE code = '{role}') AND menu_id = (SELECT id FROM menu_node WHERE path = '{point}')"
    );
    app.execute(Box::leak(sql.into_boxed_str())).await;
    app.execute("UPDATE role SET version = version + 1").await;
}
