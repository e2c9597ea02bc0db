//! The demo's accounts and organisations.

use std::collections::HashMap;

use anyhow::ensure;

use super::random::Random;
use super::{actor, pictures, provider};
use base::clock::{self, DAY};
use base::codes::UseStatus;
use base::crypto::{self, Keys, place};
use base::db::Connection;
use base::mask;
use crm::team::{TeamForm, write_team};
use frame::access::Scope;
use frame::access::audit::{self, Action, Change, Module, Stamp, Target};
use frame::access::role::BUILTIN_ADMIN;
use frame::api::{App, Versioned};
use frame::{places, rotation, upload};
use trade::org::delivery::{self, DeliveryStatus, OrgApiForm, OrgCrypto};
use trade::org::form::Form;
use trade::org::payee::{self, InvoiceKind, PayeeForm, PayeeStatus};
use trade::org::{BillMode, LICENCE, OrgMode, OrgRow, OrgStatus, OrgType, insert_signing_key, set_signing_secret, store};

/// An account that was added.
pub struct Account {
    pub id: i64,
    pub username: String,
    pub name: String,
    /// Its role's code and id.
    pub role: &'static str,
    pub role_id: i64,
}

/// Platform staff: user name, name, role. The first is the built-in administrator.
const PLATFORM: &[(&str, &str, &str)] = &[
    ("admin", "系统管理员", BUILTIN_ADMIN),
    ("operator", "周敏", "operator"),
    ("finance", "钱玉兰", "finance"),
    ("service", "何婷", "service"),
    ("auditor", "郑志远", "auditor"),
    ("channel.lin", "林晓峰", "channel_manager"),
    ("channel.zhao", "赵雪", "channel_manager"),
    ("channel.sun", "孙浩然", "channel_manager"),
    ("director", "沈建平", "director"),
];

/// Roles that platform staff may switch to, besides the one they begin with.
const SECOND_ROLES: &[(&str, &str)] = &[("operator", "auditor")];

/// Staff of organisations: user name, name, role, organisation, and team counted from 1.
const BUYERS: &[(&str, &str, &str, &str, Option<usize>)] = &[
    ("north.manager", "高建国", "org_manager", "north-star", None),
    ("north.sales1", "马丽", "org_sales", "north-star", Some(1)),
    ("north.sales2", "冯涛", "org_sales", "north-star", Some(2)),
    ("south.manager", "梁美玲", "org_manager", "southern-cross", None),
    ("south.sales1", "谢军", "org_sales", "southern-cross", Some(1)),
];

/// The two organisations whose staff have accounts, then names for the rest.
const NAMED: &[(&str, &str, &str)] = &[("north-star", "北辰 North Star", "北辰"), ("southern-cross", "南十字 Southern Cross", "南十字")];
const STARS: &[(&str, &str)] = &[
    ("tianxuan", "天璇"),
    ("tianji", "天玑"),
    ("tianquan", "天权"),
    ("yuheng", "玉衡"),
    ("kaiyang", "开阳"),
    ("yaoguang", "摇光"),
    ("zhinu", "织女"),
    ("qianniu", "牵牛"),
    ("hegu", "河鼓"),
    ("xuanyuan", "轩辕"),
    ("jiaoxiu", "角宿"),
    ("kangxiu", "亢宿"),
    ("xinxiu", "心宿"),
    ("shenxiu", "参宿"),
    ("bixiu", "毕宿"),
    ("maoxiu", "昴宿"),
    ("kuixiu", "奎宿"),
    ("louxiu", "娄宿"),
    ("jingxiu", "井宿"),
    ("liuxiu", "柳宿"),
    ("zhangxiu", "张宿"),
    ("yixiu", "翼宿"),
    ("zhenxiu", "轸宿"),
];
/// The job titles of a role.
const JOBS: &[(&str, &str)] = &[
    (BUILTIN_ADMIN, "系统管理员"),
    ("operator", "渠道运营"),
    ("finance", "财务专员"),
    ("service", "客服专员"),
    ("auditor", "合规审计"),
    ("channel_manager", "渠道经理"),
    ("director", "业务总监"),
    ("org_manager", "业务主管"),
    ("org_team_lead", "团队主管"),
    ("org_sales", "信贷顾问"),
];
const KINDS: &[(OrgType, &str)] = &[
    (OrgType::Broker, "信息咨询"),
    (OrgType::MicroLoan, "小额贷款"),
    (OrgType::Bank, "村镇银行"),
    (OrgType::ConsumerFinance, "消费金融"),
    (OrgType::Other, "商务服务"),
];
/// Contacts of organisations.
const CONTACTS: &[&str] = &["邵明", "杜娟", "贺强", "陶然", "秦岚", "崔斌", "韩雪梅"];
const STREETS: &[&str] = &["人民路", "建设大道", "解放路", "中山东路", "科技园南路"];
/// The legal bodies of the platform, with their banks.
const PAYEES: &[(&str, &str, PayeeStatus)] = &[
    ("领航信息科技（上海）有限公司", "示例银行上海分行", PayeeStatus::Enabled),
    ("领航数字服务（杭州）有限公司", "示例银行杭州分行", PayeeStatus::Enabled),
    ("领航网络科技（南京）有限公司", "示例银行南京分行", PayeeStatus::Disabled),
];
const CITIES: &[&str] = &["上海", "杭州", "南京", "苏州", "北京", "天津", "广州", "深圳", "成都", "重庆", "武汉", "长沙", "郑州", "西安"];

/// The first account of a role.
pub(super) fn of_role<'a>(accounts: &'a [Account], role: &str) -> &'a Account {
    accounts.iter().find(|account| account.role == role).expect("the demo has every role")
}

/// The data for adding accounts.
pub struct Staff<'s> {
    pub app: &'s App,
    pub tx: &'s mut Connection,
    pub keys: &'s Keys,
    pub roles: &'s HashMap<&'static str, i64>,
    pub password_hash: &'s str,
    pub now: i64,
}

/// Where an account belongs: an organisation and a team of it, or the platform.
type Place = (Option<i64>, Option<i64>);

impl Staff<'_> {
    /// Adds all organisations, teams and accounts, and returns the accounts.
    pub async fn insert(&mut self, random: &mut Random) -> anyhow::Result<Vec<Account>> {
        let founded = self.now - 760 * DAY;
        let mut accounts = Vec::new();
        for (username, name, role) in PLATFORM {
            let at = founded + accounts.len() as i64 * DAY / 2;
            accounts.push(self.account(username, name, role, (None, None), at, accounts.first()).await?);
        }
        let places = self.organisations(random, &accounts[0]).await?;
        for (username, name, role, code, team) in BUYERS {
            let (org, teams) = &places[code];
            let place = (Some(*org), team.map(|number| teams[number - 1]));
            let at = self.now - 400 * DAY + random.below(100 * DAY);
            accounts.push(self.account(username, name, role, place, at, accounts.first()).await?);
        }
        Ok(accounts)
    }

    /// Adds an account.
    pub(super) async fn account(
        &mut self,
        username: &str,
        name: &str,
        role: &'static str,
        (org_id, sub_org_id): Place,
        at: i64,
        by: Option<&Account>,
    ) -> Result<Account, sqlx::Error> {
        let role_id = self.roles[role];
        let new = NewAccount { username, name, hash: self.password_hash, role_id, org_id, sub_org_id, builtin: role == BUILTIN_ADMIN, at };
        let id = insert_account(self.tx, &new).await?;
        // Numbers of a range that no operator uses.
        let phone = format!("1000000{id:04}");
        let job = JOBS.iter().find_map(|(held, job)| (*held == role).then_some(*job));
        sqlx::query(
            "UPDATE administrator SET phone_enc = $1, phone_hash = $2, phone_mask = $3, email = $4, job = $5, location = '上海' WHERE id = $6",
        )
            .bind(self.keys.seal(&place::ADMINISTRATOR_PHONE.of(id), &phone))
            .bind(self.keys.lookup_hash(&phone))
            .bind(mask::phone(&phone))
            .bind(format!("{username}@example.com"))
            .bind(job)
            .bind(id)
            .execute(&mut *self.tx)
            .await?;
        for (_, second) in SECOND_ROLES.iter().filter(|(name, _)| *name == username) {
            let second = self.roles[second];
            sqlx::query("INSERT INTO admin_role (admin_id, role_id) VALUES ($1, $2)").bind(id).bind(second).execute(&mut *self.tx).await?;
        }
        if let Some(by) = by {
            let change = |field: &str, after: &str| Change { field: field.to_owned(), before: None, after: Some(after.to_owned()) };
            let changes = [change("username", username), change("realName", name)];
            let target = Target { module: Module::Admin, kind: "administrator", id: Some(id) };
            audit::record(self.tx, &actor(by.id, by.role_id, at), target, Action::Create, &changes).await?;
        }
        Ok(Account { id, username: username.to_owned(), name: name.to_owned(), role, role_id })
    }

    /// Adds 25 organisations of every kind and status, and returns those whose staff have
    /// accounts: id and teams by code.
    async fn organisations(&mut self, random: &mut Random, by: &Account) -> anyhow::Result<HashMap<&'static str, (i64, Vec<i64>)>> {
        let payees = self.payees(by).await?;
        let mut places = HashMap::new();
        for (index, (code, name, short_name)) in NAMED.iter().enumerate() {
            let mut form = self.form(index, code, name, short_name, OrgType::Broker, CITIES[index * 4]);
            form.licence_expire_on = Some(clock::day(self.now + (400 + index as i64 * 90) * DAY).to_string());
            (form.payee_org_id, form.owner_admin_id) = (Some(payees[index]), Some(by.id));
            let at = self.now - (700 - index as i64) * DAY;
            let stamp = Stamp { admin_id: by.id, at };
            let picture = pictures::keep(self.app, self.tx, &LICENCE, ("licence.png", pictures::licence()), stamp).await?;
            form.licence_file_id = Some(picture);
            let id = self.organisation(&form, OrgStatus::Active, by, at).await?;
            ensure!(
                upload::settle(self.tx, LICENCE.biz_type, id, &[picture], by.id, at).await?,
                "an organisation did not take its licence"
            );
            self.delivery(index, id, (code, OrgStatus::Active), by, at + 3 * DAY).await?;
            places.insert(*code, (id, self.teams(id, &CITIES[index * 4..index * 4 + 3], by, at).await?));
        }
        for (index, (code, star)) in STARS.iter().enumerate() {
            let (kind, suffix) = KINDS[index % KINDS.len()];
            let status = match index % 8 {
                5 => OrgStatus::Pending,
                6 => OrgStatus::Paused,
                7 => OrgStatus::Terminated,
                _ => OrgStatus::Active,
            };
            let city = random.pick(CITIES);
            let mut form = self.form(index + NAMED.len(), code, &format!("{city}{star}{suffix}有限公司"), star, kind, city);
            // One without a licence, one with an expired one, one that expires soon.
            form.licence_no = form.licence_no.filter(|_| index != 5);
            form.licence_expire_on = (index != 5).then(|| clock::day(self.now + (index as i64 * 61 - 120) * DAY).to_string());
            form.payee_org_id = (status != OrgStatus::Pending).then(|| payees[index % payees.len()]);
            form.owner_admin_id = Some(by.id);
            if status == OrgStatus::Pending {
                form.mode = OrgMode::Test;
            }
            let at = self.now - (680 - index as i64 * 27) * DAY + random.below(20 * DAY);
            let id = self.organisation(&form, status, by, at).await?;
            if index % 3 == 0 {
                self.delivery(index + NAMED.len(), id, (code, status), by, at + DAY).await?;
            }
            if index == 0 {
                self.signing_key(id, by, at + DAY).await?;
            }
            let first = random.below(CITIES.len() as i64 - 4) as usize;
            let count = random.between(1, 5) as usize;
            let cities = &CITIES[first..first + count];
            let teams = self.teams(id, cities, by, at).await?;
            if let (OrgStatus::Paused | OrgStatus::Terminated, Some(team)) = (status, teams.last().copied()) {
                self.close_team(team, cities[count - 1], status, Stamp { admin_id: by.id, at: at + DAY }).await?;
            }
        }
        Ok(places)
    }

    /// Takes a team out of the distribution: that of a terminated organisation is disabled, that of a paused one gets no leads.
    async fn close_team(&mut self, id: i64, city: &str, of: OrgStatus, stamp: Stamp) -> Result<(), sqlx::Error> {
        let is_terminated = of == OrgStatus::Terminated;
        let form = TeamForm {
            name: format!("{city}团队"),
            city: places::code_or_text(city),
            address: String::new(),
            manager_name: String::new(),
            phone: None,
            cities: Vec::new(),
            accept_leads: is_terminated,
            daily_cap: None,
            weight: 1,
            sort: 0,
            status: if is_terminated { UseStatus::Disabled } else { UseStatus::Enabled },
        };
        write_team(self.tx, self.keys, id, 1, &form, stamp).await.map(drop)
    }

    /// Gives an organisation the key of its calls, and then another secret, beside which the first is valid for a
    /// month.
    async fn signing_key(&mut self, id: i64, by: &Account, at: i64) -> Result<(), sqlx::Error> {
        let sealed = |keys: &Keys| keys.seal(&place::ORGANISATION_SECRET.of(id), &crypto::random_text(40));
        let (first, second) = (sealed(self.keys), sealed(self.keys));
        let stamp = |at: i64| Stamp { admin_id: by.id, at };
        insert_signing_key(self.tx, id, &crypto::random_text(24), &first, stamp(at)).await?;
        let until = rotation::valid_until(self.now, rotation::LONGEST_OVERLAP);
        set_signing_secret(self.tx, id, 1, &second, until, stamp(self.now)).await?;
        for (at, had_one, until) in [(at, false, None), (self.now, true, until)] {
            let changes = rotation::diff("api.", had_one, None, until);
            audit::record(self.tx, &actor(by.id, by.role_id, at), OrgRow::TARGET.of(id), Action::Update, &changes).await?;
        }
        Ok(())
    }

    /// The form of an organisation, except the licence's last day, the payee and the manager.
    fn form(&self, index: usize, code: &str, name: &str, short_name: &str, kind: OrgType, city: &str) -> Form {
        let credit = index % 3 == 1;
        let contact = CONTACTS[index % CONTACTS.len()];
        // Numbers of a range that no operator uses.
        let phone = |number: usize| format!("1000001{number:04}");
        Form {
            code: code.to_owned(),
            name: name.to_owned(),
            short_name: short_name.to_owned(),
            kind,
            mode: OrgMode::Live,
            licence_no: Some(licence_no(index)),
            licence_expire_on: None,
            licence_file_id: None,
            contact_name: contact.to_owned(),
            contact_phone: Some(phone(index * 3)),
            city: places::code_or_text(city),
            address: format!("{}{}号", STREETS[index % STREETS.len()], 18 + index * 7),
            bill_mode: if credit { BillMode::Credit } else { BillMode::Prepaid },
            credit_limit_cents: if credit { (5 + index as i64 % 6 * 5) * 1_000_000 } else { 0 },
            low_balance_cents: (1 + index as i64 % 5) * 200_000,
            alert_phones: (1..=1 + index % 2).map(|number| phone(index * 3 + number)).collect(),
            return_allowed: index % 7 != 3,
            return_max_days: [3, 7, 15][index % 3],
            return_max_bp: [1000, 1500, 2000][index % 3],
            return_auto: index % 5 == 4,
            payee_org_id: None,
            owner_admin_id: None,
        }
    }

    async fn organisation(&mut self, form: &Form, status: OrgStatus, by: &Account, at: i64) -> Result<i64, sqlx::Error> {
        let stamp = Stamp { admin_id: by.id, at };
        let id = store::insert(self.tx, form, status, stamp).await?;
        store::write(self.tx, self.keys, id, 0, form, stamp).await?;
        let row = store::find(&mut *self.tx, Scope::All, id).await?;
        let changes = OrgRow::diff(None, row.as_ref());
        audit::record(self.tx, &actor(by.id, by.role_id, at), OrgRow::TARGET.of(id), Action::Create, &changes).await?;
        Ok(id)
    }

    /// Adds the legal bodies that organisations pay, and returns the ids of those in use.
    async fn payees(&mut self, by: &Account) -> Result<Vec<i64>, sqlx::Error> {
        let mut ids = Vec::new();
        for (index, (name, bank, status)) in PAYEES.iter().enumerate() {
            let form = PayeeForm {
                id: None,
                version: None,
                name: (*name).to_owned(),
                tax_no: format!("91310115MA1DEMO{index:03}"),
                bank_name: (*bank).to_owned(),
                bank_account: None,
                address: "上海市浦东新区世纪大道 100 号".to_owned(),
                phone: "021-50000000".to_owned(),
                invoice_types: vec![InvoiceKind::Plain, InvoiceKind::Special, InvoiceKind::Electronic],
                status: *status,
            };
            let id = payee::insert(self.tx, &form, Stamp { admin_id: by.id, at: self.now - 730 * DAY }).await?;
            payee::account::set(self.tx, self.keys, id, bank, &format!("990012345678{index:04}")).await?;
            if *status == PayeeStatus::Enabled {
                ids.push(id);
            }
        }
        Ok(ids)
    }

    /// Gives an organisation its delivery settings. Those of an organisation that has not begun are disabled.
    async fn delivery(
        &mut self,
        index: usize,
        id: i64,
        (code, status): (&str, OrgStatus),
        by: &Account,
        at: i64,
    ) -> Result<(), sqlx::Error> {
        let map = |pairs: &[(&str, &str)]| pairs.iter().map(|(our, their)| ((*our).to_owned(), (*their).to_owned())).collect();
        let crypto = match index {
            14 => OrgCrypto::RsaAes,
            _ if index.is_multiple_of(2) => OrgCrypto::Aes,
            _ => OrgCrypto::None,
        };
        let form = OrgApiForm {
            id,
            version: 0,
            match_url: Some(format!("https://api.{code}.example.com/lead/check")),
            apply_url: Some(format!("https://api.{code}.example.com/lead/apply")),
            query_url: Some(format!("https://api.{code}.example.com/lead/query")),
            crypto,
            key: match crypto {
                OrgCrypto::None => None,
                OrgCrypto::Aes => Some(hex::encode(rand::random::<[u8; 16]>())),
                OrgCrypto::RsaAes => Some(provider::PROVIDER_PUBLIC_KEY.to_owned()),
            },
            overlap_hours: 0,
            field_map: map(&[
                ("name", "userName"),
                ("phone", "mobile"),
                ("city", "cityName"),
                ("applyAmount", "amount"),
                ("sex", "gender"),
            ]),
            value_map: [("sex".to_owned(), map(&[("male", "1"), ("female", "0")]))].into(),
            match_ok_expr: r#"code == "0000" && data.result == 1"#.to_owned(),
            apply_ok_expr: r#"code in ["0000", "0001"]"#.to_owned(),
            query_ok_expr: r#"data.exists == true"#.to_owned(),
            query_none_expr: r#"data.exists == false"#.to_owned(),
            known_expr: r#"code in ["0101", "0102"]"#.to_owned(),
            timeout_ms: 5000,
            retry_max: 3,
            status: if status == OrgStatus::Pending { DeliveryStatus::Disabled } else { DeliveryStatus::Enabled },
        };
        delivery::begin(self.tx, self.keys, &form, Stamp { admin_id: by.id, at }).await?;
        Ok(())
    }

    async fn teams(&mut self, org_id: i64, cities: &[&str], by: &Account, at: i64) -> Result<Vec<i64>, sqlx::Error> {
        let mut teams = Vec::new();
        for city in cities {
            teams.push(insert_team(self.tx, org_id, &format!("{city}团队"), &places::code_or_text(city), Some(by.id), at).await?);
        }
        Ok(teams)
    }
}

struct NewAccount<'n> {
    username: &'n str,
    name: &'n str,
    hash: &'n str,
    role_id: i64,
    org_id: Option<i64>,
    sub_org_id: Option<i64>,
    builtin: bool,
    at: i64,
}

/// Adds the built-in administrator alone.
pub async fn insert_builtin(tx: &mut Connection, username: &str, hash: &str, role_id: i64, at: i64) -> Result<i64, sqlx::Error> {
    let new = NewAccount { username, name: "系统管理员", hash, role_id, org_id: None, sub_org_id: None, builtin: true, at };
    insert_account(tx, &new).await
}

async fn insert_account(tx: &mut Connection, new: &NewAccount<'_>) -> Result<i64, sqlx::Error> {
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO administrator (username, password_hash, real_name, org_id, sub_org_id, status, builtin, pwd_changed_at, \
           active_role_id, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, 'enabled', $6, $7, $8, $9, $10) RETURNING id",
    )
    .bind(new.username)
    .bind(new.hash)
    .bind(new.name)
    .bind(new.org_id)
    .bind(new.sub_org_id)
    .bind(i64::from(new.builtin))
    .bind(new.at)
    .bind(new.role_id)
    .bind(new.at)
    .bind(new.at)
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query("INSERT INTO admin_role (admin_id, role_id) VALUES ($1, $2)").bind(id).bind(new.role_id).execute(tx).await?;
    Ok(id)
}

/// A licence number in the usual form.
fn licence_no(index: usize) -> String {
    format!("金监许〔2024〕{:04}号", 1024 + index * 37)
}

/// Whether a text can be a user name.
pub fn is_username(text: &str) -> bool {
    (3..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// Adds a team, enabled, and returns its id.
async fn insert_team(tx: &mut Connection, org_id: i64, name: &str, city: &str, admin_id: Option<i64>, at: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO sub_organisation (org_id, name, city, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
    )
    .bind(org_id)
    .bind(name)
    .bind(city)
    .bind(at)
    .bind(at)
    .bind(admin_id)
    .bind(admin_id)
    .fetch_one(tx)
    .await
}
