//! The demo's clues: the work of salespeople of the two organisations with accounts in a year. Clues of the last
//! weeks come with the sales; others are entered here.

use sqlx::Row;

use super::pushes::{self, Buying};
use super::random::Random;
use base::clock::{self, DAY, HOUR, MINUTE};
use base::crypto::Keys;
use base::db::{Connection, Db};
use crm::model::{ClueLevel, ClueStage, FollowResult, FollowType};
use trade::plan::push::model::PushStatus;
use trade::visit::lead::{self, LeadKind};

/// Clues of each organisation besides those that come with sales.
const OLDER: i64 = 160;
/// Numbers of their applicants begin here, beyond those of others.
const FIRST: i64 = 80_000;
const LOST: &[&str] = &["no_need", "unreachable", "unqualified", "too_expensive", "chose_another"];
/// Notes of salespeople, by the stage that follows.
const NOTES: &[(ClueStage, &[&str])] = &[
    (ClueStage::Following, &["已联系，客户有意向，约明天再谈", "电话未接，已发短信", "加了微信，发送产品资料", "客户在忙，下午再联系"]),
    (ClueStage::Appointment, &["约好周六上午到店，带身份证和流水", "客户确认到店时间"]),
    (ClueStage::Visited, &["客户已到店，资料基本齐全", "到店面谈，征信良好"]),
    (ClueStage::Signed, &["签订服务合同", "合同已签，准备进件"]),
    (ClueStage::Submitted, &["资料已提交银行，等待审批"]),
    (ClueStage::Approved, &["已批复，等待放款"]),
    (ClueStage::Disbursed, &["已放款，客户满意"]),
    (ClueStage::Invalid, &["空号，无法联系"]),
    (ClueStage::Lost, &["客户明确表示不再考虑"]),
];

struct Salesperson {
    id: i64,
    org_id: i64,
    sub_org_id: Option<i64>,
}

/// Enters the clues, and follows up those that came with sales.
pub async fn insert(db: &Db, keys: &Keys, random: &mut Random, now: i64) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    let people = people(&mut tx).await?;
    let channel_id: Option<i64> = sqlx::query_scalar("SELECT MIN(id) FROM channel WHERE mode = 'live'").fetch_one(&mut *tx).await?;
    let Some(channel_id) = channel_id.filter(|_| !people.is_empty()) else { return Ok(()) };
    let mut orgs: Vec<i64> = people.iter().map(|person| person.org_id).collect();
    orgs.dedup();
    let plans = pushes::buying(&mut tx).await?;
    let mut number = FIRST;
    for org_id in orgs {
        let buying: Vec<&Buying> = plans.iter().filter(|plan| plan.org_id == org_id).collect();
        if buying.is_empty() {
            continue;
        }
        let own: Vec<&Salesperson> = people.iter().filter(|person| person.org_id == org_id).collect();
        for _ in 0..OLDER {
            // Nearly half of them are of the last three weeks, so that there is something to be done at every stage.
            let at = match random.percent(45) {
                true => now - 3 * HOUR - random.below(21 * DAY),
                false => now - 22 * DAY - random.below(340 * DAY),
            };
            let (plan, owner) = (*random.pick(&buying), *random.pick(&own));
            if let Some(id) = enter(&mut tx, keys, (number, channel_id), (plan, owner), random, at).await? {
                work(&mut tx, id, owner.id, random, at, now).await?;
            }
            number += 1;
        }
        recent(&mut tx, org_id, random, now).await?;
    }
    sqlx::query(
        "UPDATE salesperson SET held = (SELECT COUNT(*) FROM clue k WHERE k.owner_id = salesperson.id \
           AND k.stage NOT IN ('disbursed', 'invalid', 'lost'))",
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await
}

/// Salespeople of the organisations whose staff have accounts, those of one organisation together.
async fn people(tx: &mut Connection) -> Result<Vec<Salesperson>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT s.id, s.org_id, s.sub_org_id FROM salesperson s JOIN organisation o ON o.id = s.org_id \
         WHERE o.code IN ('north-star', 'southern-cross') AND s.status = 'active' ORDER BY s.org_id, s.id",
    )
    .fetch_all(tx)
    .await?;
    rows.iter()
        .map(|row| Ok(Salesperson { id: row.try_get("id")?, org_id: row.try_get("org_id")?, sub_org_id: row.try_get("sub_org_id")? }))
        .collect()
}

/// Enters a clue that a plan bought and that was given to a salesperson at a moment, with its applicant; none if the
/// organisation cannot pay.
async fn enter(
    tx: &mut Connection,
    keys: &Keys,
    of: (i64, i64),
    (plan, owner): (&Buying, &Salesperson),
    random: &mut Random,
    at: i64,
) -> Result<Option<i64>, sqlx::Error> {
    let Some((push_id, past)) = pushes::sell(&mut *tx, keys, plan, of, PushStatus::Accepted, at, random).await? else {
        return Ok(None);
    };
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO clue (no, user_id, push_id, org_id, sub_org_id, owner_id, name_mask, phone_mask, city, stage, plan_id, channel_id, phone_hash, \
           assigned_at, created_at, updated_at) SELECT $1, $2, h.id, $3, $4, $5, $6, $7, $8, 'new', h.plan_id, h.channel_id, h.phone_hash, $9, $10, $11 \
         FROM push_record h WHERE h.id = $12 RETURNING id",
    )
    .bind(format!("CL{}-DEMO{}", clock::day_compact(at), of.0))
    .bind(past.id)
    .bind(owner.org_id)
    .bind(owner.sub_org_id)
    .bind(owner.id)
    .bind(&past.name_mask)
    .bind(&past.phone_mask)
    .bind(past.city)
    .bind(at)
    .bind(at)
    .bind(at)
    .bind(push_id)
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query("INSERT INTO clue_owner_log (clue_id, to_owner, way, at) VALUES ($1, $2, 'auto', $3)")
        .bind(id)
        .bind(owner.id)
        .bind(at)
        .execute(tx)
        .await?;
    Ok(Some(id))
}

/// Follows up the clues that came with sales and are older than a day.
async fn recent(tx: &mut Connection, org_id: i64, random: &mut Random, now: i64) -> Result<(), sqlx::Error> {
    let rows = sqlx::query(
        "SELECT id, owner_id, created_at FROM clue WHERE org_id = $1 AND push_id IS NOT NULL AND owner_id IS NOT NULL AND stage = 'new' \
         AND created_at < $2 ORDER BY id",
    )
    .bind(org_id)
    .bind(now - DAY)
    .fetch_all(&mut *tx)
    .await?;
    for row in &rows {
        work(tx, row.try_get("id")?, row.try_get("owner_id")?, random, row.try_get("created_at")?, now).await?;
    }
    Ok(())
}

/// The work of a salesperson on a clue since they got it: a way through the stages, as far as the time allows.
async fn work(tx: &mut Connection, id: i64, owner: i64, random: &mut Random, since: i64, now: i64) -> Result<(), sqlx::Error> {
    let mut at = since + random.between(5, 180) * MINUTE;
    let mut stage = ClueStage::New;
    let (mut count, mut text, mut visited_at, mut signed_at) = (0, String::new(), None, None);
    let first = (at < now).then_some(at);
    while at < now - HOUR && stage.is_open() && count < 8 {
        let next = next_stage(stage, count, random);
        let note = NOTES.iter().find(|(of, _)| *of == next).map_or("已联系", |(_, notes)| *random.pick(notes));
        let kind = *random.pick(&[FollowType::Call, FollowType::Call, FollowType::Wechat, FollowType::Visit]);
        let result = *random.pick(&[FollowResult::Reached, FollowResult::Reached, FollowResult::NoAnswer, FollowResult::Added]);
        sqlx::query(
            "INSERT INTO clue_follow (clue_id, admin_id, type, result, content, stage_from, stage_to, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(id)
        .bind(owner)
        .bind(kind)
        .bind(result)
        .bind(note)
        .bind(stage)
        .bind(next)
        .bind(at)
        .execute(&mut *tx)
        .await?;
        if next >= ClueStage::Visited && !next.is_given_up() && visited_at.is_none() {
            visited_at = Some(at);
        }
        if next >= ClueStage::Signed && !next.is_given_up() && signed_at.is_none() {
            signed_at = Some(at);
        }
        (stage, text, count) = (next, note.to_owned(), count + 1);
        at += random.between(20, 100) * HOUR;
    }
    let last = (count > 0).then(|| (at - HOUR).min(now - HOUR));
    // Contacts of today, of the days to come, and some that are overdue.
    let next_at = (stage.is_open() && count > 0 && random.percent(80)).then(|| now + (random.between(-60, 96)) * HOUR);
    let level = *random.pick(&[ClueLevel::A, ClueLevel::B, ClueLevel::B, ClueLevel::C, ClueLevel::C, ClueLevel::D]);
    sqlx::query(
        "UPDATE clue SET stage = $1, level = $2, star = $3, first_follow_at = $4, last_follow_at = $5, last_follow_text = $6, follow_count = $7, \
           next_follow_at = $8, escalate_at = $9, visited_at = $10, visited_by = $11, signed_at = $12, signed_by = $13, ended_at = $14, \
           visited_sub_org_id = CASE WHEN $15 = 1 THEN sub_org_id END, signed_sub_org_id = CASE WHEN $16 = 1 THEN sub_org_id END, \
           lost_reason = $17, response_due_at = $18, reclaim_at = $19, remind_at = NULL, updated_at = $20, disbursed_at = $21 WHERE id = $22",
    )
    .bind(stage)
    .bind(level)
    .bind(random.below(4))
    .bind(first.filter(|_| count > 0))
    .bind(last)
    .bind(text)
    .bind(count)
    .bind(next_at)
    .bind(next_at)
    .bind(visited_at)
    .bind(visited_at.map(|_| owner))
    .bind(signed_at)
    .bind(signed_at.map(|_| owner))
    .bind((!stage.is_open()).then_some(last).flatten())
    .bind(i64::from(visited_at.is_some()))
    .bind(i64::from(signed_at.is_some()))
    .bind(stage.is_given_up().then(|| *random.pick(LOST)))
    .bind(since + 30 * MINUTE)
    // All of it is looked at again within a week of today: the demo does not empty itself at its first start.
    .bind((stage.is_open() && stage.is_reclaimed()).then(|| now + random.between(2, 7) * DAY))
    .bind(last.unwrap_or(since))
    .bind((stage == ClueStage::Disbursed).then_some(last).flatten())
    .bind(id)
    .execute(&mut *tx)
    .await?;
    for (kind, is_reached) in [
        (LeadKind::Contacted, count > 0),
        (LeadKind::Visited, visited_at.is_some()),
        (LeadKind::Signed, signed_at.is_some()),
        (LeadKind::Disbursed, stage == ClueStage::Disbursed),
    ] {
        if is_reached {
            lead::reached(&mut *tx, id, kind, since).await?;
        }
    }
    Ok(())
}

/// Most clues go on, a part is given up on the way.
fn next_stage(stage: ClueStage, count: i64, random: &mut Random) -> ClueStage {
    if random.percent(9) {
        return if count == 0 { ClueStage::Invalid } else { ClueStage::Lost };
    }
    match stage {
        ClueStage::New => ClueStage::Following,
        ClueStage::Following if random.percent(55) => ClueStage::Appointment,
        ClueStage::Appointment if random.percent(70) => ClueStage::Visited,
        ClueStage::Visited if random.percent(65) => ClueStage::Signed,
        ClueStage::Signed => ClueStage::Submitted,
        ClueStage::Submitted if random.percent(80) => ClueStage::Approved,
        ClueStage::Approved => ClueStage::Disbursed,
        same => same,
    }
}
