//! The definition of a setting: its name, its type, its default.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use base::codes;
use base::networks::{self, Network, Networks, NotANetwork};

/// Characters of the longest code of a role.
const LONGEST_CODE: usize = 64;
/// The most wrong lines in a refusal.
const MOST_NAMED: usize = 10;

/// A text of the catalogue in Chinese and in English.
pub type Words = (&'static str, &'static str);

codes! {
    /// A heading for related settings.
    pub enum SettingGroup {
        Security("登录与密码", "Login and passwords"),
        Session("会话", "Sessions"),
        Lead("线索", "Leads"),
        Crm("销售 CRM", "Sales CRM"),
        Chat("客服", "Customer chat"),
        Push("匹配与推送", "Matching and delivery"),
        Risk("风控", "Risk"),
        Finance("财务", "Finance"),
        Sms("短信", "SMS"),
        Export("导出", "Exports"),
        Compliance("合规", "Compliance"),
        Visit("访问统计", "Visits"),
        Message("消息与日志", "Messages and logs"),
    }
}

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum SettingUnit {
    Milliseconds,
    Minutes,
    Hours,
    Days,
    Times,
    Characters,
    Rows,
    Organisations,
    Visitors,
    Leads,
    Passwords,
    /// Fen, shown as yuan.
    Cents,
    /// Basis points, shown as percent.
    BasisPoints,
}

/// The type of a setting, with its default.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Int {
        default: i64,
        least: i64,
        most: i64,
        unit: SettingUnit,
    },
    Bool {
        default: bool,
    },
    /// A line of at most `longest` characters; it may be empty.
    Text {
        default: &'static str,
        longest: usize,
    },
    /// A line with placeholders `{name}`; it may not be empty.
    Template {
        default: &'static str,
        longest: usize,
        placeholders: &'static [Placeholder],
    },
    /// An address that begins with `https://`, or one on this machine; empty by default.
    Address {
        longest: usize,
    },
    /// One of the listed codes.
    Choice {
        default: &'static str,
        choices: &'static [(&'static str, Words)],
    },
    /// At most `most` texts of 1 to `longest` characters, without repetitions.
    List {
        default: &'static [&'static str],
        most: usize,
        longest: usize,
    },
    /// At most `most` IP addresses and networks, without repetitions; none by default.
    Networks {
        most: usize,
    },
    /// Codes of at most `most` of the platform's roles; none by default.
    Roles {
        most: usize,
    },
    /// Encrypted at rest, written but never shown; absent by default.
    Secret {
        longest: usize,
    },
}

/// A placeholder of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placeholder {
    pub name: &'static str,
    /// The template must contain it.
    pub required: bool,
}

/// Everything about a setting except its value.
#[derive(Debug)]
pub struct About {
    /// Its name for programs and in the database, e.g. `session.idle_minutes`.
    pub key: &'static str,
    pub group: SettingGroup,
    pub kind: Kind,
    pub title: Words,
    /// Its effect, for people who set it.
    pub help: Words,
}

/// A setting with a value of type `T`: `i64`, `bool`, `String`, `Vec<String>`, [`Networks`] or [`Secret`].
#[derive(Debug)]
pub struct Setting<T> {
    pub about: About,
    of: PhantomData<fn() -> T>,
}

/// The value of a secret setting; only `Values::secret` opens it.
#[derive(Debug)]
pub struct Secret;

impl<T> Setting<T> {
    const fn of(group: SettingGroup, key: &'static str, kind: Kind) -> Setting<T> {
        Setting { about: About { key, group, kind, title: ("", ""), help: ("", "") }, of: PhantomData }
    }

    /// The same with its title and its help, each in Chinese and in English.
    pub const fn labelled(self, title: Words, help: Words) -> Setting<T> {
        let About { key, group, kind, .. } = self.about;
        Setting { about: About { key, group, kind, title, help }, of: PhantomData }
    }
}

impl Setting<i64> {
    /// A number within bounds.
    pub const fn int(group: SettingGroup, key: &'static str, default: i64, (least, most): (i64, i64), unit: SettingUnit) -> Setting<i64> {
        Setting::of(group, key, Kind::Int { default, least, most, unit })
    }
}

impl Setting<bool> {
    /// Yes or no.
    pub const fn flag(group: SettingGroup, key: &'static str, default: bool) -> Setting<bool> {
        Setting::of(group, key, Kind::Bool { default })
    }
}

impl Setting<String> {
    /// A line of text.
    pub const fn text(group: SettingGroup, key: &'static str, default: &'static str, longest: usize) -> Setting<String> {
        Setting::of(group, key, Kind::Text { default, longest })
    }

    /// A line with placeholders.
    pub const fn template(
        group: SettingGroup,
        key: &'static str,
        default: &'static str,
        longest: usize,
        placeholders: &'static [Placeholder],
    ) -> Setting<String> {
        Setting::of(group, key, Kind::Template { default, longest, placeholders })
    }

    /// An `https` address.
    pub const fn address(group: SettingGroup, key: &'static str, longest: usize) -> Setting<String> {
        Setting::of(group, key, Kind::Address { longest })
    }

    /// One of some codes.
    pub const fn choice(
        group: SettingGroup,
        key: &'static str,
        default: &'static str,
        choices: &'static [(&'static str, Words)],
    ) -> Setting<String> {
        Setting::of(group, key, Kind::Choice { default, choices })
    }
}

impl Setting<Vec<String>> {
    /// Some of the platform's roles, by their codes.
    pub const fn roles(group: SettingGroup, key: &'static str, most: usize) -> Setting<Vec<String>> {
        Setting::of(group, key, Kind::Roles { most })
    }

    /// Some texts.
    pub const fn list(
        group: SettingGroup,
        key: &'static str,
        default: &'static [&'static str],
        most: usize,
        longest: usize,
    ) -> Setting<Vec<String>> {
        Setting::of(group, key, Kind::List { default, most, longest })
    }
}

impl Setting<Networks> {
    /// IP addresses and networks.
    pub const fn networks(group: SettingGroup, key: &'static str, most: usize) -> Setting<Networks> {
        Setting::of(group, key, Kind::Networks { most })
    }
}

impl Setting<Secret> {
    /// A text that is never shown again.
    pub const fn secret(group: SettingGroup, key: &'static str, longest: usize) -> Setting<Secret> {
        Setting::of(group, key, Kind::Secret { longest })
    }
}

/// The value of a setting, in its JSON form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(untagged)]
#[ts(export, export_to = "api-types.ts")]
pub enum SettingValue {
    Flag(bool),
    Number(i64),
    Text(String),
    List(Vec<String>),
}

/// A type of settings' values.
pub trait Holds: Sized {
    /// The value, if it is of this type.
    fn from_value(value: SettingValue) -> Option<Self>;
}

impl Holds for i64 {
    fn from_value(value: SettingValue) -> Option<i64> {
        if let SettingValue::Number(number) = value { Some(number) } else { None }
    }
}

impl Holds for bool {
    fn from_value(value: SettingValue) -> Option<bool> {
        if let SettingValue::Flag(flag) = value { Some(flag) } else { None }
    }
}

impl Holds for String {
    fn from_value(value: SettingValue) -> Option<String> {
        if let SettingValue::Text(text) = value { Some(text) } else { None }
    }
}

impl Holds for Vec<String> {
    fn from_value(value: SettingValue) -> Option<Vec<String>> {
        if let SettingValue::List(texts) = value { Some(texts) } else { None }
    }
}

/// Why a value is refused, in Chinese and in English.
pub type Refusal = (String, String);

fn refuse<T>(chinese: impl Into<String>, english: impl Into<String>) -> Result<T, Refusal> {
    Err((chinese.into(), english.into()))
}

impl About {
    /// The default; none for a secret.
    pub fn default(&self) -> Option<SettingValue> {
        Some(match self.kind {
            Kind::Int { default, .. } => SettingValue::Number(default),
            Kind::Bool { default } => SettingValue::Flag(default),
            Kind::Text { default, .. } | Kind::Choice { default, .. } | Kind::Template { default, .. } => {
                SettingValue::Text(default.to_owned())
            }
            Kind::Address { .. } => SettingValue::Text(String::new()),
            Kind::Networks { .. } | Kind::Roles { .. } => SettingValue::List(Vec::new()),
            Kind::List { default, .. } => SettingValue::List(default.iter().map(|text| (*text).to_owned()).collect()),
            Kind::Secret { .. } => return None,
        })
    }

    /// Whether it is never shown.
    pub fn is_secret(&self) -> bool {
        matches!(self.kind, Kind::Secret { .. })
    }

    /// The value in its stored form, with texts trimmed, or why it is refused.
    pub fn check(&self, value: SettingValue) -> Result<SettingValue, Refusal> {
        match (self.kind, value) {
            (Kind::Int { least, most, .. }, SettingValue::Number(number)) => match (least..=most).contains(&number) {
                true => Ok(SettingValue::Number(number)),
                false => refuse(format!("必须在 {least} 到 {most} 之间"), format!("Must be between {least} and {most}")),
            },
            (Kind::Bool { .. }, SettingValue::Flag(flag)) => Ok(SettingValue::Flag(flag)),
            (Kind::Text { longest, .. }, SettingValue::Text(text)) => line(&text, longest).map(SettingValue::Text),
            (Kind::Template { longest, placeholders, .. }, SettingValue::Text(text)) => {
                let text = line(&text, longest)?;
                template(&text, placeholders)?;
                Ok(SettingValue::Text(text))
            }
            (Kind::Address { longest }, SettingValue::Text(text)) => match line(&text, longest)? {
                text if text.is_empty() || is_https(&text) || is_this_machine(&text) => Ok(SettingValue::Text(text)),
                _ => refuse("请输入以 https:// 开头的网址", "Enter a URL that starts with https://"),
            },
            (Kind::Choice { choices, .. }, SettingValue::Text(code)) => match choices.iter().any(|(known, _)| *known == code) {
                true => Ok(SettingValue::Text(code)),
                false => refuse("请选择一项", "Choose one"),
            },
            (Kind::List { most, longest, .. }, SettingValue::List(texts)) => lines(&texts, most, longest).map(SettingValue::List),
            (Kind::Networks { most }, SettingValue::List(texts)) => networks(&texts, most).map(SettingValue::List),
            // Only the database knows whether these roles exist: `admin::setting` checks it.
            (Kind::Roles { most }, SettingValue::List(codes)) => lines(&codes, most, LONGEST_CODE).map(SettingValue::List),
            (Kind::Secret { longest }, SettingValue::Text(text)) => match line(&text, longest)? {
                text if text.is_empty() => refuse("必填", "Required"),
                text => Ok(SettingValue::Text(text)),
            },
            _ => refuse("值的类型不正确", "The value has the wrong type"),
        }
    }
}

/// Networks in their shortest form, each once. The error names each wrong line with its fault.
fn networks(texts: &[String], most: usize) -> Result<Vec<String>, Refusal> {
    let texts: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    if texts.len() > most {
        return refuse(format!("最多 {most} 项"), format!("At most {most} entries"));
    }
    let (mut kept, mut wrong): (Vec<String>, Vec<Refusal>) = (Vec::new(), Vec::new());
    for text in texts {
        match text.parse::<Network>() {
            Ok(network) if kept.contains(&network.to_string()) => {}
            Ok(network) => kept.push(network.to_string()),
            Err(reason) => wrong.push(no_network(text, reason)),
        }
    }
    if let Some(more) = wrong.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        wrong.truncate(MOST_NAMED);
        wrong.push((format!("另有 {more} 行有误"), format!("{more} more lines are wrong")));
    }
    let (chinese, english): (Vec<String>, Vec<String>) = wrong.into_iter().unzip();
    match chinese.is_empty() {
        true => Ok(kept),
        false => refuse(chinese.join("；"), english.join("; ")),
    }
}

fn no_network(text: &str, reason: NotANetwork) -> Refusal {
    let shown: String = text.chars().filter(|character| !character.is_control()).take(networks::LONGEST).collect();
    match reason {
        NotANetwork::Address => (format!("“{shown}”不是 IP 地址或网段"), format!("“{shown}” is not an IP address or network")),
        NotANetwork::Prefix { longest } => {
            (format!("“{shown}”的前缀长度须为 0 到 {longest}"), format!("The prefix length of “{shown}” must be 0 to {longest}"))
        }
    }
}

/// Texts, each once, without empty ones.
fn lines(texts: &[String], most: usize, longest: usize) -> Result<Vec<String>, Refusal> {
    let mut kept: Vec<String> = Vec::new();
    for text in texts {
        let text = line(text, longest)?;
        if !text.is_empty() && !kept.contains(&text) {
            kept.push(text);
        }
    }
    match kept.len() <= most {
        true => Ok(kept),
        false => refuse(format!("最多 {most} 项"), format!("At most {most} entries")),
    }
}

/// Whether a text has all required placeholders, and no unknown ones.
fn template(text: &str, placeholders: &[Placeholder]) -> Result<(), Refusal> {
    if text.is_empty() {
        return refuse("必填", "Required");
    }
    let mut named = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let name = rest[at..].strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let Some((name, after)) = name.filter(|(name, _)| !name.contains('{')) else {
            return refuse(
                "花括号 { } 须成对出现，中间是占位符的名称",
                "Braces { } must come in pairs, with a placeholder's name between them",
            );
        };
        if !placeholders.iter().any(|known| known.name == name) {
            let shown: String = name.chars().take(30).collect();
            let known = placeholders.iter().map(|known| format!("{{{}}}", known.name)).collect::<Vec<_>>().join(" ");
            return refuse(
                format!("没有占位符 {{{shown}}}，可用：{known}"),
                format!("There is no placeholder {{{shown}}}; available: {known}"),
            );
        }
        named.push(name);
        rest = after;
    }
    match placeholders.iter().find(|known| known.required && !named.contains(&known.name)) {
        Some(missing) => refuse(format!("必须包含 {{{}}}", missing.name), format!("Must contain {{{}}}", missing.name)),
        None => Ok(()),
    }
}

/// Whether an address is one on this machine: a gateway beside this program, which is called only if private calls
/// are allowed.
fn is_this_machine(text: &str) -> bool {
    text.strip_prefix("http://")
        .and_then(|rest| rest.split(['/', '?', ':']).next())
        .is_some_and(|host| host == "127.0.0.1" || host == "localhost")
}

fn is_https(text: &str) -> bool {
    text.parse::<axum::http::Uri>().is_ok_and(|uri| uri.scheme_str() == Some("https") && uri.host().is_some_and(|host| !host.is_empty()))
}

/// One line, if it is not too long.
fn line(text: &str, longest: usize) -> Result<String, Refusal> {
    let text = text.trim();
    if text.chars().count() > longest {
        return refuse(format!("最多 {longest} 个字符"), format!("At most {longest} characters"));
    }
    match text.chars().any(char::is_control) {
        true => refuse("不能含换行或控制字符", "No line breaks or control characters"),
        false => Ok(text.to_owned()),
    }
}
