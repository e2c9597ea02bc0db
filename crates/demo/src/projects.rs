//! The demo's projects: a dozen new partners, in every state, each with its history.

use super::actor;
use super::people::Account;
use base::clock::{self, DAY, HOUR};
use base::crypto::Keys;
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Module, Stamp, Target};
use frame::places;
use trade::channel::SettleMode;
use trade::project::PartnerType::{self, Channel, Organisation};
use trade::project::StepAction::{self, Approved, Returned, Submitted, Withdrawn};
use trade::project::form::Form;
use trade::project::store::{self, NewStep};
use trade::project::{ProjectRow, ProjectStatus, diff, progress};

/// A new partner.
struct Story {
    partner: PartnerType,
    name: &'static str,
    latin: &'static str,
    city: &'static str,
    contact: &'static str,
    settlement: (SettleMode, i64),
    volume: i64,
    /// Days ago that it began.
    began: i64,
    applicant: &'static str,
    /// The events after the draft was begun, with the note of each.
    events: &'static [(StepAction, &'static str)],
}

const RETURN_REASONS: &[&str] = &["domain_unregistered", "group_unauthorised"];

const STORIES: &[Story] = &[
    Story {
        partner: Channel,
        name: "星芒信息流二期接入",
        latin: "xingmang",
        city: "上海",
        contact: "白洁",
        settlement: (SettleMode::Registered, 1250),
        volume: 600,
        began: 58,
        applicant: "operator",
        events: &[(Submitted, ""), (Approved, "条款与一期一致"), (Approved, ""), (Approved, "扫描无高危项"), (Approved, "")],
    },
    Story {
        partner: Organisation,
        name: "天璇消费金融接入",
        latin: "tianxuan",
        city: "南京",
        contact: "陆鸣",
        settlement: (SettleMode::AcceptedLead, 9800),
        volume: 200,
        began: 47,
        applicant: "operator",
        events: &[
            (Submitted, ""),
            (Returned, "回调地址返回 404，请确认后重新提交"),
            (Submitted, ""),
            (Approved, "已电话核实"),
            (Approved, ""),
            (Approved, ""),
            (Approved, "小流量观察三天无异常"),
        ],
    },
    Story {
        partner: Channel,
        name: "云帆短视频投放",
        latin: "yunfan",
        city: "杭州",
        contact: "顾晨",
        settlement: (SettleMode::Uv, 180),
        volume: 5000,
        began: 31,
        applicant: "channel.lin",
        events: &[(Submitted, ""), (Approved, ""), (Approved, "证书有效期一年"), (Approved, "")],
    },
    Story {
        partner: Channel,
        name: "青禾工具 H5",
        latin: "qinghe",
        city: "苏州",
        contact: "沈悦",
        settlement: (SettleMode::Share, 1500),
        volume: 800,
        began: 24,
        applicant: "channel.zhao",
        events: &[(Submitted, ""), (Approved, "分成比例按季度复核"), (Approved, "")],
    },
    Story {
        partner: Organisation,
        name: "玉衡信息咨询接入",
        latin: "yuheng",
        city: "成都",
        contact: "邹凯",
        settlement: (SettleMode::AcceptedLead, 7600),
        volume: 150,
        began: 18,
        applicant: "operator",
        events: &[(Submitted, ""), (Approved, "")],
    },
    Story {
        partner: Channel,
        name: "蜂巢应用商店联运",
        latin: "fengchao",
        city: "深圳",
        contact: "罗薇",
        settlement: (SettleMode::Registered, 1600),
        volume: 1200,
        began: 3,
        applicant: "operator",
        events: &[(Submitted, "")],
    },
    Story {
        partner: Organisation,
        name: "开阳小额贷款接入",
        latin: "kaiyang",
        city: "重庆",
        contact: "谭峰",
        settlement: (SettleMode::AcceptedLead, 8800),
        volume: 260,
        began: 2,
        applicant: "channel.sun",
        events: &[(Submitted, "")],
    },
    Story {
        partner: Channel,
        name: "灯塔公众号矩阵",
        latin: "dengta",
        city: "武汉",
        contact: "汪晴",
        settlement: (SettleMode::Registered, 1100),
        volume: 300,
        began: 9,
        applicant: "operator",
        events: &[(Submitted, ""), (Returned, "请补充备案号，并由商务主管提交")],
    },
    Story {
        partner: Channel,
        name: "快马召回短信",
        latin: "kuaima",
        city: "广州",
        contact: "廖宁",
        settlement: (SettleMode::Uv, 220),
        volume: 2000,
        began: 12,
        applicant: "channel.lin",
        events: &[(Submitted, ""), (Approved, ""), (Returned, "")],
    },
    Story {
        partner: Organisation,
        name: "摇光村镇银行接入",
        latin: "yaoguang",
        city: "郑州",
        contact: "程远",
        settlement: (SettleMode::AcceptedLead, 12000),
        volume: 80,
        began: 36,
        applicant: "operator",
        events: &[(Submitted, ""), (Approved, ""), (Withdrawn, "对方推迟到明年")],
    },
    Story {
        partner: Channel,
        name: "麦田线下门店物料",
        latin: "maitian",
        city: "长沙",
        contact: "",
        settlement: (SettleMode::None, 0),
        volume: 60,
        began: 1,
        applicant: "channel.zhao",
        events: &[],
    },
    Story {
        partner: Channel,
        name: "蓝鲸搜索竞价",
        latin: "lanjing",
        city: "",
        contact: "",
        settlement: (SettleMode::Registered, 0),
        volume: 0,
        began: 1,
        applicant: "channel.sun",
        events: &[],
    },
];

/// Adds the projects with their events and audit rows.
pub async fn insert(tx: &mut Connection, keys: &Keys, accounts: &[Account], now: i64) -> Result<(), sqlx::Error> {
    let account = |name: &str| accounts.iter().find(|account| account.username == name).expect("the demo has this account");
    for (number, story) in (0..).zip(STORIES) {
        let applicant = account(story.applicant);
        // Finance decides about money first; the administrator about the rest.
        let leaders = [account("finance"), account("admin")];
        let mut at = now - story.began * DAY - number * 37 * clock::MINUTE;
        let pause = (story.began * DAY - HOUR) / (story.events.len() as i64 + 1);
        let mut form = form(story, number, at);
        let id = store::insert(tx, &form, Stamp { admin_id: applicant.id, at }).await?;
        store::claim(tx, id, 0, Stamp { admin_id: applicant.id, at }).await?;
        store::write(tx, keys, id, &form).await?;
        record(tx, applicant, id, None, at).await?;
        for (index, (action, note)) in story.events.iter().enumerate() {
            at += pause.clamp(HOUR, 5 * DAY);
            let by = match action {
                Submitted | Withdrawn => applicant,
                _ => leaders[index % leaders.len()],
            };
            // A returned project is submitted again with corrections.
            let corrected = (*action == Submitted && index > 0).then(|| {
                form.callback_url = form.callback_url.as_ref().map(|address| address.replace("/lead/", "/v2/lead/"));
                &form
            });
            step(tx, keys, id, Event { action: *action, note, by, at, corrected }).await?;
        }
    }
    Ok(())
}

/// One event of a project.
struct Event<'a> {
    action: StepAction,
    note: &'a str,
    by: &'a Account,
    at: i64,
    corrected: Option<&'a Form>,
}

async fn step(tx: &mut Connection, keys: &Keys, id: i64, event: Event<'_>) -> Result<(), sqlx::Error> {
    let Event { action, note, by, at, corrected } = event;
    let before = find(tx, id).await?;
    let stamp = Stamp { admin_id: by.id, at };
    let to = progress::next(before.status, before.stage, action).expect("the stories go along the steps");
    store::claim(tx, id, before.version, stamp).await?;
    if let Some(form) = corrected {
        store::write(tx, keys, id, form).await?;
    }
    let content = find(tx, id).await?.content;
    let no = store::number(id, at);
    let submitted = (action == Submitted).then_some((at, no.as_str()));
    store::advance(tx, id, to, submitted, (to.0 == ProjectStatus::Launched).then_some(at)).await?;
    let reasons = match (action, before.content.partner_type) {
        (Returned, Channel) => RETURN_REASONS,
        (Returned, Organisation) => &["callback_unreachable"],
        _ => &[],
    };
    let reasons: Vec<String> = reasons.iter().map(|reason| (*reason).to_owned()).collect();
    let content = submitted.map(|_| &content);
    store::add_step(tx, id, NewStep { stage: before.stage, action, note, reasons: &reasons, content }, stamp).await?;
    record(tx, by, id, Some(&before), at).await
}

async fn find(tx: &mut Connection, id: i64) -> Result<ProjectRow, sqlx::Error> {
    store::find(tx, Scope::All, id).await?.ok_or(sqlx::Error::RowNotFound)
}

async fn record(tx: &mut Connection, by: &Account, id: i64, before: Option<&ProjectRow>, at: i64) -> Result<(), sqlx::Error> {
    let after = find(tx, id).await?;
    let action = if before.is_none() { Action::Create } else { Action::Update };
    let target = Target { module: Module::Project, kind: "project", id: Some(id) };
    audit::record(tx, &actor(by.id, by.role_id, at), target, action, &diff(before, &after)).await
}

fn form(story: &Story, number: i64, at: i64) -> Form {
    let (settle_mode, amount) = story.settlement;
    let begun = story.contact.is_empty();
    let share = settle_mode == SettleMode::Share;
    Form {
        partner_type: story.partner,
        name: story.name.to_owned(),
        city: places::code_or_text(story.city),
        licence_no: if begun {
            String::new()
        } else {
            format!("91{:06}MA{:07}{}", 310_101 + number * 1_003, 3_207_114 + number * 70_207, number % 10)
        },
        contact_name: story.contact.to_owned(),
        contact_phone: (!begun).then(|| format!("1390000{:04}", 1_307 + number * 211)),
        contact_email: (!begun).then(|| format!("bd@{}.example.com", story.latin)),
        settle_mode,
        unit_price_cents: if share { 0 } else { amount },
        share_bp: if share { amount } else { 0 },
        daily_volume: (story.volume > 0).then_some(story.volume),
        start_date: (!begun).then(|| clock::day(at + 45 * DAY).to_string()),
        landing_url: (story.partner == Channel && !begun).then(|| format!("https://{}.example.com/apply", story.latin)),
        callback_url: (story.partner == Organisation).then(|| format!("https://api.{}.example.com/lead/status", story.latin)),
        ip_allow: match story.partner {
            Organisation => vec![format!("203.0.113.{}", 10 + number)],
            Channel => Vec::new(),
        },
        remark: if number % 3 == 0 { "每周一上午对账，对账人为联系人本人".to_owned() } else { String::new() },
    }
}
