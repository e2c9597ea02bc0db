//! Charts of accounts and of their actions.

use std::str::FromStr;
use std::sync::Arc;

use super::audit_trail::{AuditFilters, AuditTrail};
use super::login_log::{LoginFilters, LoginResult, Logins};
use super::store;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::Module;
use frame::api::chart::{self, Chart, ChartKind, Days};
use frame::api::{Ctx, Listing, Result};

/// Areas with their own line; the others share one.
const MODULES: usize = 5;

/// The charts of this area that the viewer may see.
pub async fn charts(cx: &Arc<Ctx>, days: Days) -> Result<Vec<Chart>> {
    let (viewer, scope) = (cx.viewer()?, cx.viewer()?.scope());
    let mut charts = Vec::new();
    if viewer.has("admin/login-log/list") {
        charts.push(sign_ins(cx, scope, days).await?);
    }
    if viewer.has("admin/audit/list") {
        charts.push(operations(cx, scope, days).await?);
    }
    if viewer.has("admin/list/list") {
        let (roles, organisations) = (store::count_by_role(cx, scope).await?, store::count_by_org(cx, scope).await?);
        let pick = |chinese: &str, english: &str| cx.locale.pick(chinese, english).to_owned();
        let platform = |name: String| if name.is_empty() { pick("平台", "Platform") } else { name };
        let organisations = organisations.into_iter().map(|(name, entries)| (platform(name), entries)).collect();
        charts.push(Chart::of_counts(
            "accounts-by-role",
            ChartKind::Rank,
            pick("各角色的管理员", "Administrators by role"),
            pick("角色", "Role"),
            roles,
        ));
        charts.push(Chart::of_counts(
            "accounts-by-organisation",
            ChartKind::Rank,
            pick("各机构的管理员", "Administrators by organisation"),
            pick("机构", "Organisation"),
            organisations,
        ));
    }
    Ok(charts)
}

async fn sign_ins(cx: &Arc<Ctx>, scope: Scope, days: Days) -> Result<Chart> {
    let mut sql = Sql::new("SELECT ");
    sql.push(Days::DAY_OF)
        .push(" AS day, l.result AS code, COUNT(*) AS entries FROM login_log l LEFT JOIN administrator a ON a.id = l.admin_id WHERE 1 = 1");
    Logins::narrow(&mut sql, &LoginFilters { at_from: Some(days.from), at_to: Some(days.to), ..LoginFilters::default() }, scope);
    sql.push(" GROUP BY 1, 2");
    let rows = chart::by_day(cx, sql).await?;
    let name = |result: LoginResult| (<&str>::from(result), result.label(cx.locale).to_owned());
    let names = [LoginResult::Ok, LoginResult::Wrong, LoginResult::Confirmed, LoginResult::Denied, LoginResult::Outside].map(name);
    Ok(Chart {
        id: "sign-ins",
        title: cx.locale.pick("每日登录", "Logins per day").to_owned(),
        kind: ChartKind::Line,
        axis: cx.locale.pick("日期", "Day").to_owned(),
        labels: days.labels(),
        series: days.series(&names, &rows),
        colors: Vec::new(),
    })
}

async fn operations(cx: &Arc<Ctx>, scope: Scope, days: Days) -> Result<Chart> {
    let mut sql = Sql::new("SELECT ");
    sql.push(Days::DAY_OF).push(
        " AS day, l.module AS code, COUNT(*) AS entries FROM operation_log l LEFT JOIN administrator a ON a.id = l.admin_id WHERE 1 = 1",
    );
    AuditTrail::narrow(&mut sql, &AuditFilters { at_from: Some(days.from), at_to: Some(days.to), ..AuditFilters::default() }, scope);
    sql.push(" GROUP BY 1, 2");
    let (modules, rows) = largest(chart::by_day(cx, sql).await?);
    let names: Vec<(&str, String)> = modules.iter().map(|module| (module.as_str(), module_name(module, cx.locale).to_owned())).collect();
    Ok(Chart {
        id: "operations",
        title: cx.locale.pick("每日操作", "Operations per day").to_owned(),
        kind: ChartKind::Stack,
        axis: cx.locale.pick("日期", "Day").to_owned(),
        labels: days.labels(),
        series: days.series(&names, &rows),
        colors: Vec::new(),
    })
}

/// The codes with most entries, largest first, and the rows with all others under one code.
fn largest(mut rows: Vec<(i64, String, i64)>) -> (Vec<String>, Vec<(i64, String, i64)>) {
    let mut totals: Vec<(String, i64)> = Vec::new();
    for (_, code, entries) in &rows {
        match totals.iter_mut().find(|(known, _)| known == code) {
            Some((_, total)) => *total += entries,
            None => totals.push((code.clone(), *entries)),
        }
    }
    totals.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
    let mut codes: Vec<String> = totals.into_iter().map(|(code, _)| code).collect();
    if codes.len() > MODULES {
        codes.truncate(MODULES - 1);
        for row in rows.iter_mut().filter(|row| !codes.contains(&row.1)) {
            row.1 = OTHERS.to_owned();
        }
        codes.push(OTHERS.to_owned());
    }
    (codes, rows)
}

const OTHERS: &str = "others";

/// The label of an area of the audit trail.
fn module_name(module: &str, locale: Locale) -> &str {
    match Module::from_str(module) {
        Ok(module) => module.label(locale),
        Err(_) => locale.pick("其他", "Others"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_areas_share_a_line() {
        let row = |code: &str, entries| (1, code.to_owned(), entries);
        let few = vec![row("b", 1), row("a", 1), row("c", 5)];
        assert_eq!(largest(few.clone()), (vec!["c".to_owned(), "a".to_owned(), "b".to_owned()], few));
        let (codes, rows) = largest((0..7).map(|n| row(&format!("m{n}"), 10 - n)).collect());
        assert_eq!(codes, ["m0", "m1", "m2", "m3", OTHERS]);
        assert_eq!(rows.iter().filter(|row| row.1 == OTHERS).map(|row| row.2).sum::<i64>(), 6 + 5 + 4);
    }
}
