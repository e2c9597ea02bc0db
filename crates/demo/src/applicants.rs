//! Applicants of the demo from before it began: entered in their final state, not through the intake.

use serde_json::json;

use super::pushes::Buying;
use super::random::Random;
use base::clock::{self, HOUR};
use base::crypto::{Keys, place};
use base::db::Connection;
use base::mask;
use frame::places;
use trade::match_log::{self, Direction, MatchStatus, NewMatch, Passed, PassedOver};
use trade::plan::SaleMode;
use trade::visit::System;
use trade::visit::lead::{self, LeadEvent, LeadKind};

const SURNAMES: &[&str] = &["张", "王", "李", "赵", "陈", "刘", "杨", "黄", "周", "吴", "徐", "孙"];
const GIVEN: &[&str] = &["伟", "芳", "娜", "敏", "静", "强", "磊", "洋", "艳", "勇", "杰", "涛"];
const CITIES: &[&str] = &["310100", "330100", "320100", "110100", "440100", "440300", "510100", "420100", "500100"];
const SYSTEMS: &[System] = &[System::Android, System::Android, System::Wechat, System::Wechat, System::Ios];

/// An applicant who was entered.
pub struct Past {
    pub id: i64,
    pub channel_id: i64,
    pub phone_hash: String,
    pub name_mask: String,
    pub phone_mask: String,
    pub city: &'static str,
    system: System,
    was_sold: bool,
}

/// Enters the applicant with a new number, who was sold at a moment or was not. The application is an hour older.
pub async fn enter(
    tx: &mut Connection,
    keys: &Keys,
    (number, channel_id): (i64, i64),
    was_sold: bool,
    random: &mut Random,
    at: i64,
) -> Result<Past, sqlx::Error> {
    let phone = format!("1000{number:07}");
    let name = format!("{}{}", random.pick(SURNAMES), random.pick(GIVEN));
    let city = *random.pick(CITIES);
    let system = *random.pick(SYSTEMS);
    let no = format!("U{}-DEMO{number:07}", clock::day_compact(at));
    let (age, amount_cents) = (random.between(22, 58), random.between(2, 60) * 500_000);
    let said = json!({"age": age, "sex": if number % 2 == 0 { "male" } else { "female" }, "city": city, "applyAmountCents": amount_cents, "applyTermMonths": 12});
    let (phone_hash, name_mask, phone_mask) = (keys.lookup_hash(&phone), mask::name(&name), mask::phone(&phone));
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO applicant (no, phone_enc, phone_hash, phone_md5_hash, phone_mask, name_enc, name_mask, province, city, age, amount_cents, \
           said, channel_id, payload_hash, system, client_ip, user_agent, test, status, checks, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, '', '', 0, $16, '[]', $17, $18) RETURNING id",
    )
    .bind(&no)
    .bind(keys.seal(&place::APPLICANT_PHONE.of(&no), &phone))
    .bind(&phone_hash)
    .bind(keys.lookup_hash(&format!("md5 {phone}")))
    .bind(&phone_mask)
    .bind(keys.seal(&place::APPLICANT_NAME.of(&no), &name))
    .bind(&name_mask)
    .bind(places::province_of(city))
    .bind(city)
    .bind(age)
    .bind(amount_cents)
    .bind(said.to_string())
    .bind(channel_id)
    .bind(&no)
    .bind(<&str>::from(system))
    .bind(if was_sold { "distributed" } else { "unmatched" })
    .bind(at - HOUR)
    .bind(at)
    .fetch_one(&mut *tx)
    .await?;
    let past = Past { id, channel_id, phone_hash, name_mask, phone_mask, city, system, was_sold };
    lead::note(tx, &[past.event(LeadKind::Applied)], at - HOUR).await?;
    Ok(past)
}

impl Past {
    /// Adds the round that found a plan for them, and the plan's organisation.
    pub async fn matched(&self, tx: &mut Connection, plan: &Buying, random: &mut Random, at: i64) -> Result<(), sqlx::Error> {
        let Buying { id: plan_id, org_id, product_id, sale_mode, price_cents, .. } = *plan;
        let no = match_log::number(at);
        let others: Vec<i64> = sqlx::query_scalar("SELECT id FROM plan WHERE status = 'running' AND id <> $1 ORDER BY id")
            .bind(plan_id)
            .fetch_all(&mut *tx)
            .await?;
        let mut passed = Passed::new();
        for id in others {
            let is_behind = sale_mode == SaleMode::Exclusive && (self.id + id) % 3 > 0;
            let reason = if is_behind { PassedOver::Enough } else { PassedOver::Rules };
            passed.entry(reason).or_default().push(id);
        }
        let record = NewMatch {
            no: &no,
            direction: Direction::Round,
            user_id: Some(self.id),
            phone_mask: &self.phone_mask,
            city: self.city,
            channel_id: self.channel_id,
            plan: Some((plan_id, org_id)),
            request: "",
            response: None,
            status: MatchStatus::Matched,
            bid_cents: Some(price_cents),
            passed_over: &json!(passed).to_string(),
            cost_ms: random.between(3, 40),
            expires_at: None,
            test: false,
            at,
        };
        match_log::add(&mut *tx, &record).await?;
        if !self.was_sold {
            sqlx::query("UPDATE applicant SET main_reason = $1 WHERE id = $2")
                .bind(match_log::main_reason(&passed).map(<&str>::from))
                .bind(self.id)
                .execute(&mut *tx)
                .await?;
        }
        let matched = LeadEvent { plan_id: Some(plan_id), org_id: Some(org_id), product_id, ..self.event(LeadKind::Matched) };
        lead::note(tx, &[matched], record.at).await
    }

    fn event(&self, kind: LeadKind) -> LeadEvent {
        LeadEvent {
            kind,
            user_id: Some(self.id),
            channel_id: self.channel_id,
            product_id: None,
            plan_id: None,
            org_id: None,
            system: self.system,
            cost_cents: 0,
            income_cents: 0,
            money_id: None,
        }
    }
}
