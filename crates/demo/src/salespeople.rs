//! The demo's teams and salespeople: the terms of the teams of the two organisations with accounts, and three people
//! in each.

use std::collections::HashMap;

use futures_util::FutureExt;
use sqlx::Row;

use super::actor;
use super::people::{Account, Staff};
use super::random::Random;
use base::clock::DAY;
use base::codes::UseStatus;
use base::crypto::Keys;
use base::db::Connection;
use base::locale::Locale;
use crm::model::{SalesLevel, SalesStatus};
use crm::salesperson::{SalespersonForm, SalespersonRow, insert_salesperson, set_salesperson_status};
use crm::team::{TeamForm, write_team};
use frame::access::Scope;
use frame::access::audit::{self, Action, Stamp};
use frame::api::{ApiError, App, Versioned};
use frame::places;

/// Salespeople: user name, name, role, organisation, and team counted from 1. Those without a name have accounts already.
const PEOPLE: &[(&str, &str, &str, &str, usize)] = &[
    ("north.lead", "苏文博", "org_team_lead", "north-star", 1),
    ("north.sales1", "", "org_sales", "north-star", 1),
    ("north.sales3", "曹颖", "org_sales", "north-star", 1),
    ("north.sales2", "", "org_sales", "north-star", 2),
    ("north.sales4", "彭飞", "org_sales", "north-star", 2),
    ("north.sales5", "董洁", "org_sales", "north-star", 2),
    ("north.sales6", "蒋毅", "org_sales", "north-star", 3),
    ("north.sales7", "蔡琳", "org_sales", "north-star", 3),
    ("north.sales8", "余波", "org_sales", "north-star", 3),
    ("south.lead", "潘慧", "org_team_lead", "southern-cross", 1),
    ("south.sales1", "", "org_sales", "southern-cross", 1),
    ("south.sales2", "田野", "org_sales", "southern-cross", 1),
    ("south.sales3", "姜珊", "org_sales", "southern-cross", 2),
    ("south.sales4", "范伟", "org_sales", "southern-cross", 2),
    ("south.sales5", "石磊", "org_sales", "southern-cross", 2),
    ("south.sales6", "姚瑶", "org_sales", "southern-cross", 3),
    ("south.sales7", "廖凯", "org_sales", "southern-cross", 3),
    ("south.sales8", "邹敏", "org_sales", "southern-cross", 3),
];
/// The salesperson on leave: one who receives no leads anyway.
const ON_LEAVE: &str = "south.sales7";
/// Managers of teams without accounts.
const MANAGERS: &[&str] = &["金鑫", "戴薇", "方圆", "夏雨"];

/// The ids of the salespeople of an organisation, by its code, in the order of their teams.
pub type Salespeople = HashMap<&'static str, Vec<i64>>;

/// The id of an organisation, and the ids and cities of its teams, in their order.
type Teams = (i64, Vec<(i64, String)>);

/// Adds the missing accounts to those that there are, and makes all of them salespeople.
pub async fn insert(staff: &mut Staff<'_>, accounts: &mut Vec<Account>, random: &mut Random) -> Result<Salespeople, sqlx::Error> {
    let mut people = Salespeople::new();
    let mut teams: HashMap<&str, Teams> = HashMap::new();
    for code in ["north-star", "southern-cross"] {
        teams.insert(code, teams_of(staff.tx, code).await?);
    }
    let by = accounts[0].id;
    for (number, (username, name, role, code, team)) in PEOPLE.iter().enumerate() {
        let (org_id, of_org) = &teams[code];
        let at = staff.now - 380 * DAY + random.below(80 * DAY);
        let (team_id, city) = &of_org[team - 1];
        let team_id = *team_id;
        let receiving = number % 9 != 7;
        let id = match accounts.iter().find(|account| account.username == *username) {
            Some(account) => account.id,
            None => {
                let place = (Some(*org_id), Some(team_id));
                let account = staff.account(username, name, role, place, at, accounts.first()).await?;
                let id = account.id;
                accounts.push(account);
                id
            }
        };
        let lead = *role == "org_team_lead";
        let form = SalespersonForm {
            sub_org_id: None,
            job_no: format!("S{:03}", number + 1),
            level: match (lead, number % 3) {
                (true, _) => SalesLevel::Lead,
                (_, 0) => SalesLevel::Senior,
                (_, 1) => SalesLevel::Middle,
                _ => SalesLevel::Junior,
            },
            wechat: format!("demo_{}", username.replace('.', "_")),
            // Those who receive no leads at the moment only want those of their own city.
            cities: if receiving { Vec::new() } else { vec![city.clone()] },
            weight: if lead { 1 } else { random.between(2, 6) },
            daily_cap: Some(random.between(8, 20)),
            private_cap: Some(random.between(8, 16) * 10),
            receiving,
        };
        insert_salesperson(staff.tx, id, (*org_id, Some(team_id)), &form, Stamp { admin_id: by, at }).await?;
        people.entry(*code).or_default().push(id);
    }
    for (code, (org_id, of_org)) in &teams {
        let manager = |team: usize| PEOPLE.iter().find(|(_, _, role, org, of)| role == &"org_team_lead" && org == code && *of == team);
        for (index, (id, city)) in of_org.iter().enumerate() {
            let manager =
                manager(index + 1).map_or(MANAGERS[(index + usize::from(*code == "north-star")) % MANAGERS.len()], |(_, name, ..)| name);
            terms(staff.tx, staff.keys, (*id, city), manager, index, Stamp { admin_id: by, at: staff.now - 390 * DAY }).await?;
        }
        pools(staff.tx, *org_id, of_org[0].0, Stamp { admin_id: by, at: staff.now - 390 * DAY }).await?;
    }
    Ok(people)
}

/// The teams of an organisation.
async fn teams_of(tx: &mut Connection, code: &'static str) -> Result<Teams, sqlx::Error> {
    let org_id = sqlx::query_scalar("SELECT id FROM organisation WHERE code = $1").bind(code).fetch_one(&mut *tx).await?;
    let rows = sqlx::query("SELECT id, city FROM sub_organisation WHERE org_id = $1 ORDER BY id").bind(org_id).fetch_all(tx).await?;
    Ok((org_id, rows.iter().map(|row| Ok((row.try_get("id")?, row.try_get("city")?))).collect::<Result<_, sqlx::Error>>()?))
}

/// Gives a team its manager and its terms. The last team of an organisation only takes leads of its own city.
async fn terms(
    tx: &mut Connection,
    keys: &Keys,
    (id, city): (i64, &str),
    manager: &str,
    index: usize,
    stamp: Stamp,
) -> Result<(), sqlx::Error> {
    let form = TeamForm {
        name: format!("{}团队", places::short(city)),
        city: city.to_owned(),
        address: format!("中心大道{}号", 66 + index * 8),
        manager_name: manager.to_owned(),
        // A number of a range that no operator uses.
        phone: Some(format!("1000005{id:04}")),
        cities: if index == 2 { vec![city.to_owned()] } else { Vec::new() },
        accept_leads: true,
        daily_cap: Some(40 - index as i64 * 10),
        weight: 3 - index as i64,
        sort: index as i64 + 1,
        status: UseStatus::Enabled,
    };
    let version = sqlx::query_scalar("SELECT version FROM sub_organisation WHERE id = $1").bind(id).fetch_one(&mut *tx).await?;
    write_team(tx, keys, id, version, &form, stamp).await.map(drop)
}

/// Sends a salesperson, who receives no leads, on leave.
pub async fn leave(app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    let (by, away) = (&accounts[0], accounts.iter().find(|account| account.username == ON_LEAVE).expect("the demo has this account"));
    app.db
        .transact(|mut tx| {
            async move {
                let before = SalespersonRow::find(&mut tx, Scope::All, away.id, Locale::Chinese).await?.ok_or(ApiError::Missing)?;
                set_salesperson_status(&mut tx, away.id, before.version, SalesStatus::Away, Stamp { admin_id: by.id, at: now }).await?;
                let after = SalespersonRow::find(&mut tx, Scope::All, away.id, Locale::Chinese).await?;
                let changes = SalespersonRow::diff(Some(&before), after.as_ref());
                let target = SalespersonRow::TARGET.of(away.id);
                Ok(audit::record(&mut tx, &actor(by.id, by.role_id, now), target, Action::Update, &changes).await?)
            }
            .boxed()
        })
        .await
}

/// The pools of an organisation: one for the whole organisation, one for its first team, whose juniors get none of it, and a
/// disabled one.
async fn pools(tx: &mut Connection, org_id: i64, team: i64, stamp: Stamp) -> Result<(), sqlx::Error> {
    let (all, first) = ("[]".to_owned(), format!("[{team}]"));
    let pools = [
        ("公共池", all.clone(), 0, 10, None, UseStatus::Enabled),
        ("一队专用池", first, 0, 1, Some(SalesLevel::Middle), UseStatus::Enabled),
        ("活动线索池", all, 30, 20, None, UseStatus::Disabled),
    ];
    for (name, teams, delay_minutes, sort, min_level, status) in pools {
        sqlx::query(
            "INSERT INTO clue_pool (org_id, name, sub_org_ids, claim_per_day, former_owner_days, new_delay_minutes, reclaim_days, remind_days, \
               sort, min_level, status, created_at, updated_at, created_by, updated_by) \
             VALUES ($1, $2, $3, 20, 3, $4, 7, 1, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(org_id)
        .bind(name)
        .bind(teams)
        .bind(delay_minutes)
        .bind(sort)
        .bind(min_level)
        .bind(status)
        .bind(stamp.at)
        .bind(stamp.at)
        .bind(stamp.admin_id)
        .bind(stamp.admin_id)
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}
