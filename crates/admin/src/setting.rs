//! The calls on general settings: their values, and changes. They belong to the platform: viewers who do not see
//! everything can neither see nor change them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};

use super::role::{PlatformRole, of_platform};
use base::codes::Codes;
use base::crypto::place;
use base::db::{Db, Tx};
use base::locale::Locale;
use base::networks;
use frame::access::audit::{self, Action, Change, Module, Target};
use frame::access::network::AddressRules;
use frame::access::session;
use frame::api::{self, ApiError, Body, Ctx, Nothing, Say, say};
use frame::setting::stored::{self, Stored};
use frame::setting::{self, About, Kind, SettingGroup, SettingUnit, SettingValue, Values};

/// The most settings that are changed at once.
const MOST_CHANGES: usize = 100;
/// Replaces a secret in the audit trail.
const HIDDEN: &str = "***";
/// The name of settings in the audit trail.
const TARGET: Target = Target { module: Module::Setting, kind: "general_setting", id: None };
/// The rules about addresses from which people sign in and work.
static ADDRESS_RULES: [&About; 3] =
    [&setting::SECURITY_SIGN_IN_DENY.about, &setting::SECURITY_SIGN_IN_ALLOW.about, &setting::SECURITY_SIGN_IN_NETWORK_ROLES.about];

/// How a setting is edited.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum SettingKind {
    Int,
    Bool,
    Text,
    Address,
    Choice,
    List,
    /// Several of `choices`.
    Roles,
    Secret,
}

/// A code that may be chosen, with its label.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct SettingChoice {
    pub value: String,
    pub label: String,
}

/// A setting with its value, in the viewer's language.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct SettingRow {
    pub key: &'static str,
    pub title: &'static str,
    pub help: &'static str,
    pub kind: SettingKind,
    /// The unit of a number.
    pub unit: Option<SettingUnit>,
    /// Bounds of a number.
    pub least: Option<i64>,
    pub most: Option<i64>,
    /// The most characters of a text, or of each entry of a list.
    pub longest: Option<usize>,
    /// The most entries of a list.
    pub entries: Option<usize>,
    pub choices: Vec<SettingChoice>,
    /// Its value if it is not set; none for a secret.
    pub default: Option<SettingValue>,
    /// Its value; none for a secret, which is never shown.
    pub value: Option<SettingValue>,
    /// Whether it is set.
    pub is_set: bool,
    /// 0 if it was never set.
    pub version: i64,
    pub updated_at: Option<i64>,
    pub updated_by: Option<String>,
}

/// Settings of one section.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct SettingSection {
    pub group: SettingGroup,
    pub title: &'static str,
    pub settings: Vec<SettingRow>,
}

/// The new value of one setting.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct SettingChange {
    pub key: String,
    /// Null restores the default, and clears a secret.
    pub value: Option<SettingValue>,
    /// The version that the change is based on.
    pub version: i64,
}

/// Settings that change together: all of them, or none.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct SettingChanges {
    pub changes: Vec<SettingChange>,
}

/// `GET /setting/list`.
pub async fn list(cx: Arc<Ctx>, _: Nothing) -> api::Result<Vec<SettingSection>> {
    cx.overseer()?;
    let roles = of_platform(cx.db().read()).await?;
    Ok(Shown { roles: &roles, locale: cx.locale }.sections(stored::all(cx.db().read()).await?))
}

/// `PUT /setting`: returns all settings after the change.
pub async fn update(cx: Arc<Ctx>, Body(SettingChanges { changes }): Body<SettingChanges>) -> api::Result<Vec<SettingSection>> {
    cx.overseer()?;
    let roles = of_platform(cx.db().read()).await?;
    let wanted = &*checked(changes, &roles)?;
    let (request, shown) = (&*cx, Shown { roles: &roles, locale: cx.locale });
    let after = cx.db().transact(|mut tx| async move { write(request, &mut tx, wanted, shown).await }.boxed()).await?;
    cx.app.settings.forget();
    Ok(shown.sections(after))
}

/// Writes changes over the versions that they are based on. Returns all settings after the change.
async fn write(cx: &Ctx, tx: &mut Tx, wanted: &[Wanted], shown: Shown<'_>) -> api::Result<HashMap<String, Stored>> {
    let stored = stored::all(&mut **tx).await?;
    let mut changes = Vec::new();
    for &Wanted { about, ref value, version } in wanted {
        let before = stored.get(about.key);
        if before.map_or(0, |row| row.version) != version {
            return Err(ApiError::stale(&shown.sections(stored)));
        }
        let sealed = value.as_ref().map(|value| sealed(cx, about, value));
        let was = before.and_then(|row| row.value.clone());
        if was == sealed {
            continue;
        }
        if !stored::write(tx, about.key, sealed.as_deref(), version, Some(cx.viewer()?.id), cx.now).await? {
            // Another transaction was faster since it was read.
            let stored = stored::all(&mut **tx).await?;
            return Err(ApiError::stale(&shown.sections(stored)));
        }
        changes.push(Change { field: about.key.to_owned(), before: words(about, was.as_deref()), after: words(about, sealed.as_deref()) });
    }
    if !changes.is_empty() {
        audit::record(tx, &cx.actor()?, TARGET, Action::Update, &changes).await?;
    }
    let after = stored::all(&mut **tx).await?;
    ensure_session_goes_on(cx, tx, wanted, &after).await?;
    Ok(after)
}

/// Refuses rules about addresses under which the session that sets them would end.
async fn ensure_session_goes_on(cx: &Ctx, tx: &mut Tx, wanted: &[Wanted], after: &HashMap<String, Stored>) -> api::Result<()> {
    let is_changed = |about: &About| wanted.iter().any(|change| change.about.key == about.key);
    if !ADDRESS_RULES.iter().any(|about| is_changed(about)) {
        return Ok(());
    }
    let (viewer, values) = (cx.viewer()?, Values::of(after.clone()));
    let (rules, [deny, allow, roles]) = (AddressRules::of(&values), ADDRESS_RULES);
    let began_at = session::address(&mut **tx, viewer.session_id).await?;
    for ip in [Some(cx.origin.ip.as_str()), began_at.as_deref()].into_iter().flatten() {
        if rules.deny(ip) {
            return Err(ApiError::field(deny.key, own_address_denied(ip)));
        }
        if rules.refuse(&viewer.role.code, ip) {
            let field = if is_changed(allow) { allow } else { roles };
            return Err(ApiError::field(field.key, own_address_not_allowed(ip)));
        }
    }
    Ok(())
}

fn own_address_denied(ip: &str) -> Say {
    say(
        format!("名单包含您当前的 IP {ip}，保存后您会被退出登录；本次没有保存"),
        format!("This list contains your own IP address {ip}: you would be logged out. Nothing was saved"),
    )
}

fn own_address_not_allowed(ip: &str) -> Say {
    say(
        format!("允许名单不包含您当前的 IP {ip}，而您的角色受名单限制，保存后您会被退出登录；本次没有保存"),
        format!(
            "The IP addresses that can log in do not include your own, {ip}, and your role is limited to them: you would be logged out. Nothing was saved"
        ),
    )
}

/// Clears the rules about addresses, for people who are locked out: called at the console. Returns the keys of those
/// that were set.
pub async fn clear_sign_in_rules(db: &Db, now: i64) -> Result<Vec<&'static str>, sqlx::Error> {
    db.transact(|mut tx| async move { clear(&mut tx, &ADDRESS_RULES, now).await }.boxed()).await
}

async fn clear(tx: &mut Tx, settings: &[&'static About], now: i64) -> Result<Vec<&'static str>, sqlx::Error> {
    let stored = stored::all(&mut **tx).await?;
    let (mut cleared, mut changes) = (Vec::new(), Vec::new());
    for about in settings {
        let Some(row) = stored.get(about.key).filter(|row| row.value.is_some()) else { continue };
        if stored::write(tx, about.key, None, row.version, None, now).await? {
            cleared.push(about.key);
            changes.push(Change { field: about.key.to_owned(), before: words(about, row.value.as_deref()), after: words(about, None) });
        }
    }
    if !changes.is_empty() {
        audit::record_own(tx, TARGET, Action::Update, &changes, now).await?;
    }
    Ok(cleared)
}

/// A change that may be made.
struct Wanted {
    about: &'static About,
    value: Option<SettingValue>,
    version: i64,
}

/// Checks all changes at once; errors are reported under the setting's key.
fn checked(changes: Vec<SettingChange>, roles: &[PlatformRole]) -> api::Result<Vec<Wanted>> {
    if changes.is_empty() || changes.len() > MOST_CHANGES {
        return Err(ApiError::field("changes", say(format!("1 到 {MOST_CHANGES} 项"), format!("1 to {MOST_CHANGES} settings"))));
    }
    let (mut wanted, mut wrong, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for SettingChange { key, value, version } in changes {
        let outcome: Result<Wanted, Say> = match setting::about(&key) {
            None => Err(say("没有这项设置", "There is no such setting")),
            Some(about) if !seen.insert(about.key) => Err(say("重复", "Duplicate")),
            Some(about) => {
                value.map(|value| about.check(value)).transpose().map_err(|(chinese, english)| say(chinese, english)).and_then(|value| {
                    match unknown_role(about, value.as_ref(), roles) {
                        Some(code) => Err(say(format!("平台没有角色 {code}"), format!("The platform has no role {code}"))),
                        None => Ok(Wanted { about, value, version }),
                    }
                })
            }
        };
        match outcome {
            Ok(change) => wanted.push(change),
            Err(message) => wrong.push((key.chars().take(64).collect(), message)),
        }
    }
    match wrong.is_empty() {
        true => Ok(wanted),
        false => Err(ApiError::Fields(wrong)),
    }
}

/// The first code in a setting of roles that none of the platform's roles has.
fn unknown_role<'v>(about: &About, value: Option<&'v SettingValue>, roles: &[PlatformRole]) -> Option<&'v str> {
    match (about.kind, value) {
        (Kind::Roles { .. }, Some(SettingValue::List(codes))) => {
            codes.iter().map(String::as_str).find(|code| !roles.iter().any(|role| role.code == *code))
        }
        _ => None,
    }
}

/// A value in its stored form.
fn sealed(cx: &Ctx, about: &About, value: &SettingValue) -> String {
    match value {
        SettingValue::Text(secret) if about.is_secret() => cx.app.keys.seal(&place::SETTING.of(about.key), secret),
        value => serde_json::to_string(value).expect("a value serialises"),
    }
}

/// A stored value in the audit trail: for a secret only that it is set.
fn words(about: &About, kept: Option<&str>) -> Option<String> {
    if about.is_secret() {
        return kept.map(|_| HIDDEN.to_owned());
    }
    match kept.and_then(|text| serde_json::from_str(text).ok()).or_else(|| about.default())? {
        SettingValue::Flag(flag) => Some(flag.to_string()),
        SettingValue::Number(number) => Some(number.to_string()),
        SettingValue::Text(text) => Some(text).filter(|text| !text.is_empty()),
        SettingValue::List(texts) => Some(texts.join(", ")).filter(|text| !text.is_empty()),
    }
}

/// Builds the settings as a viewer sees them.
#[derive(Clone, Copy)]
struct Shown<'a> {
    /// The roles to choose from.
    roles: &'a [PlatformRole],
    locale: Locale,
}

impl Shown<'_> {
    fn sections(self, mut stored: HashMap<String, Stored>) -> Vec<SettingSection> {
        let mut row = |about: &'static About| self.row(about, stored.remove(about.key));
        SettingGroup::ALL
            .iter()
            .map(|group| SettingSection {
                group: *group,
                title: group.label(self.locale),
                settings: setting::ALL.iter().copied().filter(|about| about.group == *group).map(&mut row).collect(),
            })
            .collect()
    }

    fn row(self, about: &'static About, stored: Option<Stored>) -> SettingRow {
        let words = |(chinese, english): setting::Words| self.locale.pick(chinese, english);
        let kept = stored.as_ref().and_then(|row| row.value.as_deref());
        let mut row = SettingRow {
            key: about.key,
            title: words(about.title),
            help: words(about.help),
            kind: SettingKind::Int,
            unit: None,
            least: None,
            most: None,
            longest: None,
            entries: None,
            choices: Vec::new(),
            default: about.default(),
            // A value that the catalogue no longer allows does not apply (`setting::Values`).
            value: kept
                .and_then(|text| serde_json::from_str(text).ok())
                .and_then(|value| about.check(value).ok())
                .or_else(|| about.default()),
            is_set: kept.is_some(),
            version: stored.as_ref().map_or(0, |row| row.version),
            updated_at: stored.as_ref().map(|row| row.updated_at),
            updated_by: stored.as_ref().and_then(|row| row.updated_by_name.clone()),
        };
        match about.kind {
            Kind::Int { least, most, unit, .. } => (row.unit, row.least, row.most) = (Some(unit), Some(least), Some(most)),
            Kind::Bool { .. } => row.kind = SettingKind::Bool,
            Kind::Text { longest, .. } | Kind::Template { longest, .. } => (row.kind, row.longest) = (SettingKind::Text, Some(longest)),
            Kind::Address { longest } => (row.kind, row.longest) = (SettingKind::Address, Some(longest)),
            Kind::Choice { choices, .. } => {
                let choice =
                    |&(value, label): &(&str, setting::Words)| SettingChoice { value: value.to_owned(), label: words(label).to_owned() };
                (row.kind, row.choices) = (SettingKind::Choice, choices.iter().map(choice).collect());
            }
            Kind::Networks { most } => {
                (row.kind, row.entries, row.longest) = (SettingKind::List, Some(most), Some(networks::LONGEST));
            }
            Kind::List { most, longest, .. } => {
                (row.kind, row.entries, row.longest) = (SettingKind::List, Some(most), Some(longest));
            }
            Kind::Roles { most } => {
                let choice = |role: &PlatformRole| SettingChoice {
                    value: role.code.clone(),
                    label: self.locale.pick(&role.name, &role.name_en).to_owned(),
                };
                (row.kind, row.entries, row.choices) = (SettingKind::Roles, Some(most), self.roles.iter().map(choice).collect());
            }
            Kind::Secret { longest } => (row.kind, row.longest, row.value) = (SettingKind::Secret, Some(longest), None),
        }
        row
    }
}
