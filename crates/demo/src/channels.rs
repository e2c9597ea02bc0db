//! The demo's channels: two years of them, each with its later changes.

use std::collections::HashSet;

use serde_json::json;

use super::actor;
use super::people::Account;
use super::random::Random;
use base::clock::{DAY, HOUR};
use base::crypto::{self, Keys, place};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Module, Stamp, Target};
use frame::rotation;
use frame::terms::cap::{self, CapWindow};
use frame::terms::{CapRule, RuleSet};
use trade::channel::form::Form;
use trade::channel::store::{self, Sealed};
use trade::channel::{ChannelMode, ChannelStatus, ChannelType, DedupScope, SettleMode, trial};

/// Names of suppliers, in Chinese and for addresses.
const SUPPLIERS: &[(&str, &str)] = &[
    ("星芒", "xingmang"),
    ("云帆", "yunfan"),
    ("飞鸟", "feiniao"),
    ("青禾", "qinghe"),
    ("远山", "yuanshan"),
    ("海豚", "haitun"),
    ("蜂巢", "fengchao"),
    ("灯塔", "dengta"),
    ("橙果", "chengguo"),
    ("快马", "kuaima"),
    ("知了", "zhiliao"),
    ("蓝鲸", "lanjing"),
    ("麦田", "maitian"),
    ("银杏", "yinxing"),
];
const REGIONS: &[(&str, &str)] =
    &[("华东", "east"), ("华南", "south"), ("华北", "north"), ("西南", "southwest"), ("华中", "central"), ("全国", "all")];
const REMARKS: &[&str] =
    &["", "", "", "周结，对账人每周一上午确认", "仅投放工作日 9:00–21:00", "年框客户，单价每季度复核", "落地页由对方维护"];
const TYPES: [ChannelType; 6] =
    [ChannelType::Ads, ChannelType::H5, ChannelType::Api, ChannelType::Sms, ChannelType::Organic, ChannelType::Other];
const SETTLEMENTS: [SettleMode; 5] =
    [SettleMode::Registered, SettleMode::AcceptedLead, SettleMode::Uv, SettleMode::Share, SettleMode::None];

/// The channel that gets a new secret today, by its place: one that is live and sends applicants by API.
const SECRET_CHANGED: usize = 8;

/// A change in a channel's life.
enum Event {
    Created,
    /// Its first test lead passed.
    WentLive,
    Priced,
    Became(ChannelStatus),
    /// It got a new secret; the previous one is valid for a month.
    SecretChanged,
}

/// Adds channels and their changes in the order of time, each with its audit row.
pub async fn insert(
    tx: &mut Connection,
    keys: &Keys,
    accounts: &[Account],
    count: u32,
    random: &mut Random,
    now: i64,
) -> Result<(), sqlx::Error> {
    let managers: Vec<&Account> = accounts.iter().filter(|account| account.role == "channel_manager").collect();
    let operator = accounts.iter().find(|account| account.role == "operator").expect("the demo has an operator");
    let mut names = HashSet::new();
    let mut channels: Vec<Life<'_>> = (0..count as usize)
        .map(|index| {
            let owner = if random.percent(85) { Some(*random.pick(&managers)) } else { None };
            let form = form(index, owner.map(|owner| owner.id), &mut names, random);
            Life { id: 0, form, by: owner.unwrap_or(operator) }
        })
        .collect();

    let mut events: Vec<(i64, usize, Event)> = Vec::new();
    for index in 0..channels.len() {
        let created = now - 730 * DAY + random.below(725 * DAY);
        events.extend(life(index, created, now, random).into_iter().map(|(at, event)| (at, index, event)));
    }
    events.sort_by_key(|(at, index, _)| (*at, *index));
    for (at, index, event) in events {
        channels[index].live(tx, keys, event, at, random).await?;
    }
    for channel in &channels {
        use_caps(tx, channel.id, random, now).await?;
    }
    Ok(())
}

/// Takes some of what a channel's caps have room for now.
async fn use_caps(tx: &mut Connection, id: i64, random: &mut Random, now: i64) -> Result<(), sqlx::Error> {
    let caps = cap::counters::of(&mut *tx, store::subject(id)).await?;
    if let Some(least) = caps.iter().filter_map(|cap| cap.rule.max_count).min() {
        cap::counters::take(tx, &caps, least * random.between(20, 101) / 100, 0, now).await?;
    }
    Ok(())
}

/// A channel, and its manager.
struct Life<'a> {
    id: i64,
    form: Form,
    by: &'a Account,
}

impl Life<'_> {
    async fn live(&mut self, tx: &mut Connection, keys: &Keys, event: Event, at: i64, random: &mut Random) -> Result<(), sqlx::Error> {
        let stamp = Stamp { admin_id: self.by.id, at };
        let before = match event {
            Event::Created => None,
            _ => store::find(&mut *tx, Scope::All, self.id).await?,
        };
        let version = before.as_ref().map_or(1, |row| row.version);
        let is_secret = matches!(event, Event::SecretChanged);
        match event {
            Event::Created => {
                let (app_key, app_secret) = (crypto::random_text(24), crypto::random_text(40));
                let sealed = Sealed { app_key: &app_key, app_secret_enc: &keys.seal(&place::CHANNEL_SECRET.of(&app_key), &app_secret) };
                self.id = store::insert(tx, &self.form, sealed, ChannelStatus::Enabled, stamp).await?;
            }
            Event::WentLive => {
                if let Some(channel) = &before {
                    trial::pass(&mut *tx, channel, stamp).await?;
                }
                store::set_mode(&mut *tx, self.id, version, ChannelMode::Live, stamp).await?;
            }
            Event::Priced => {
                match self.form.settle_mode {
                    SettleMode::Share => self.form.share_bp += random.between(1, 5) * 5,
                    SettleMode::None => self.form.dedup_days = Some(random.between(1, 10) * 10),
                    _ => self.form.unit_price_cents += random.between(1, 7) * 50,
                }
                store::update(tx, self.id, version, &self.form, stamp).await?;
            }
            Event::Became(status) => {
                store::set_status(tx, self.id, version, status, stamp).await?;
            }
            Event::SecretChanged => {
                if let Some(channel) = &before {
                    let sealed = keys.seal(&place::CHANNEL_SECRET.of(&channel.app_key), &crypto::random_text(40));
                    let until = rotation::valid_until(at, rotation::LONGEST_OVERLAP);
                    store::set_secret(tx, self.id, version, &sealed, until, stamp).await?;
                }
            }
        }
        let after = store::find(&mut *tx, Scope::All, self.id).await?;
        let action = if before.is_none() { Action::Create } else { Action::Update };
        let changes = if let (true, Some(before), Some(after)) = (is_secret, &before, &after) {
            rotation::diff("", true, before.old_secret_until, after.old_secret_until)
        } else {
            audit::changes(before.as_ref(), after.as_ref())
        };
        let target = Target { module: Module::Channel, kind: "channel", id: Some(self.id) };
        audit::record(tx, &actor(self.by.id, self.by.role_id, at), target, action, &changes).await
    }
}

/// The changes of a channel, from its creation until today.
fn life(index: usize, created: i64, now: i64, random: &mut Random) -> Vec<(i64, Event)> {
    let mut events = vec![(created, Event::Created)];
    let mut at = created;
    let mut then = |random: &mut Random, event: Event| {
        // Always later, always in the past, at any age of the channel.
        at += random.between(HOUR, 90 * DAY).min((now - at) / 3).max(1);
        events.push((at.min(now), event));
    };
    if index % 4 != 3 {
        then(random, Event::WentLive);
    }
    if random.percent(50) {
        then(random, Event::Priced);
    }
    match index % 10 {
        4 | 7 => then(random, Event::Became(ChannelStatus::Paused)),
        1 => {
            then(random, Event::Became(ChannelStatus::Paused));
            then(random, Event::Became(ChannelStatus::Enabled));
        }
        9 => then(random, Event::Became(ChannelStatus::Disabled)),
        5 => {
            then(random, Event::Became(ChannelStatus::Paused));
            then(random, Event::Became(ChannelStatus::Disabled));
        }
        _ => {}
    }
    if index == SECRET_CHANGED {
        events.push((now, Event::SecretChanged));
    }
    events
}

fn form(index: usize, owner_admin_id: Option<i64>, names: &mut HashSet<String>, random: &mut Random) -> Form {
    let kind = TYPES[index % TYPES.len()];
    let settle_mode = SETTLEMENTS[index % SETTLEMENTS.len()];
    let (supplier, latin) = *random.pick(SUPPLIERS);
    let (region, region_code) = *random.pick(REGIONS);
    let medium = match kind {
        ChannelType::Ads => random.pick(&["信息流", "短视频信息流", "应用商店", "搜索竞价"]),
        ChannelType::H5 => random.pick(&["贷超 H5", "公众号 H5", "工具 H5"]),
        ChannelType::Api => random.pick(&["联合建模 API", "贷超 API", "半流程 API"]),
        ChannelType::Sms => random.pick(&["短信", "召回短信"]),
        ChannelType::Organic => random.pick(&["官网", "小程序", "老客推荐"]),
        ChannelType::Other => random.pick(&["线下地推", "异业合作", "门店物料"]),
    };
    let plain = format!("{supplier}{medium}（{region}）");
    let mut name = plain.clone();
    for number in 2.. {
        if names.insert(name.clone()) {
            break;
        }
        name = format!("{plain}{number}");
    }
    let code = format!("{}-{latin}-{:04}", <&str>::from(kind), index + 1);
    let by_api = kind == ChannelType::Api;
    Form {
        landing_url: (!by_api).then(|| format!("https://{latin}.example.com/{region_code}/apply?c={code}")),
        callback_url: by_api.then(|| format!("https://api.{latin}.example.com/lead/status")),
        ip_allow: match by_api {
            true => vec![format!("203.0.113.{}", random.between(1, 255)), format!("198.51.100.{}/28", random.below(16) * 16)],
            false => Vec::new(),
        },
        unit_price_cents: match settle_mode {
            SettleMode::Uv => random.between(6, 40) * 10,
            SettleMode::Registered => random.between(10, 60) * 50,
            SettleMode::AcceptedLead => random.between(30, 180) * 100,
            SettleMode::Share | SettleMode::None => 0,
        },
        share_bp: if settle_mode == SettleMode::Share { random.between(4, 40) * 5 } else { 0 },
        dedup_days: if random.percent(60) { Some(*random.pick(&[7, 15, 30, 60, 90])) } else { None },
        // Some search repeated applicants among their own only, and some require more than a phone and a name.
        dedup_scope: if index % 7 == 3 { DedupScope::Channel } else { DedupScope::Site },
        required_fields: if index % 5 == 1 { vec!["age".to_owned(), "city".to_owned()] } else { Vec::new() },
        caps: caps(index, random),
        filters: filters(index),
        remark: (*random.pick(REMARKS)).to_owned(),
        code,
        name,
        kind,
        settle_mode,
        owner_admin_id,
    }
}

/// Every third channel has caps, some of them lower on Sundays.
fn caps(index: usize, random: &mut Random) -> Vec<CapRule> {
    let cap = |window, weekday, count| CapRule { window, weekday, max_count: Some(count), max_cents: None };
    match index % 6 {
        1 => vec![cap(CapWindow::Day, None, random.between(2, 20) * 50)],
        4 => vec![
            cap(CapWindow::Hour, None, random.between(2, 10) * 10),
            cap(CapWindow::Day, None, random.between(6, 20) * 50),
            cap(CapWindow::Day, Some(7), random.between(1, 5) * 50),
            CapRule { window: CapWindow::Month, weekday: None, max_count: None, max_cents: Some(random.between(5, 30) * 1_000_000) },
        ],
        _ => Vec::new(),
    }
}

/// Every fourth channel has filters.
fn filters(index: usize) -> Option<RuleSet> {
    let tree = match index % 8 {
        2 => json!({"all": [{"field": "age", "op": "between", "value": [22, 55]}]}),
        6 => json!({"all": [
            {"field": "age", "op": "between", "value": [25, 50]},
            {"field": "overdue", "op": "not_in", "value": ["current"]},
            {"any": [
                {"field": "house", "op": "exists", "value": true},
                {"field": "car", "op": "exists", "value": true},
                {"field": "housingFund", "op": "exists", "value": true}
            ]}
        ]}),
        _ => return None,
    };
    Some(serde_json::from_value(tree).expect("the demo's filters are a rule set"))
}
