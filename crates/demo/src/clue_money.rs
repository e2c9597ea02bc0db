//! The demo's money of clues and the targets of its salespeople: made from existing clues, so it comes last.

use sqlx::Row;

use super::actor;
use super::random::Random;
use base::clock::{DAY, HOUR};
use base::codes::Codes;
use base::db::{Connection, Sql};
use crm::achievement::{AchievementMetric, AchievementObject, Month};
use crm::money::{
    Form, MoneyRow, MoneyStatus, MoneyType, NewMoney, TARGET, decide, find, insert as insert_money, matter, number, payment_of, write,
};
use frame::access::Scope;
use frame::access::audit::{self, Action, Stamp};
use frame::api::{ApiError, App};
use frame::decision::{self, DecisionAction, Verdict};
use trade::ledger::incoming::PayMethod;
use trade::ledger::outgoing;

/// Months of targets, this one among them.
const MONTHS: i32 = 12;
/// The most clues with money; every second one has some.
const MOST_CLUES: i64 = 200;
const METHODS: &[PayMethod] = &[PayMethod::Bank, PayMethod::Bank, PayMethod::Wechat, PayMethod::Alipay, PayMethod::Online];

/// A person with the role in which they act.
#[derive(Clone, Copy)]
struct Person {
    id: i64,
    role_id: i64,
}

/// Adds money to clues that are signed or further, and targets of the last months.
pub async fn insert(app: &App, seed: u64, now: i64) -> Result<(), ApiError> {
    let mut random = Random::new(seed);
    let mut tx = app.db.begin().await?;
    money(&mut tx, &mut random, now).await?;
    targets(&mut tx, &mut random, now).await?;
    Ok(tx.commit().await?)
}

async fn money(tx: &mut Connection, random: &mut Random, now: i64) -> Result<(), ApiError> {
    let clues = sqlx::query(
        "SELECT k.id, k.org_id, k.sub_org_id, k.owner_id, k.stage, COALESCE(k.signed_at, k.updated_at) AS signed_at, \
           (SELECT MIN(r.role_id) FROM admin_role r WHERE r.admin_id = k.owner_id) AS role_id \
         FROM clue k WHERE k.owner_id IS NOT NULL AND k.stage IN ('signed', 'submitted', 'approved', 'disbursed') AND k.id % 2 = 0 \
         ORDER BY k.id LIMIT $1",
    )
    .bind(MOST_CLUES)
    .fetch_all(&mut *tx)
    .await?;
    for clue in &clues {
        let (owner, role): (i64, Option<i64>) = (clue.try_get("owner_id")?, clue.try_get("role_id")?);
        let Some(role_id) = role else { continue };
        let maker = Person { id: owner, role_id };
        let org_id: i64 = clue.try_get("org_id")?;
        let new = NewMoney { no: "", clue_id: clue.try_get("id")?, org_id, sub_org_id: clue.try_get("sub_org_id")?, sales_id: Some(owner) };
        let checker = manager(tx, org_id, owner).await?;
        let signed_at: i64 = clue.try_get("signed_at")?;
        let is_disbursed = clue.try_get::<&str, _>("stage")? == "disbursed";
        let form = |kind, loan_cents, amount_cents, pay_method, paid_at: i64| Form {
            clue_id: None,
            clue_no: None,
            kind,
            loan_cents,
            amount_cents,
            pay_method,
            // One refund of a clue.
            bank_serial: (kind == MoneyType::Refund && pay_method == PayMethod::Bank)
                .then(|| format!("{:012}", 402_600_000_000 + new.clue_id)),
            paid_at: paid_at.min(now - HOUR),
            proof_file_ids: None,
            remark: String::new(),
        };
        let deposit = form(MoneyType::Deposit, None, random.between(5, 30) * 10_000, *random.pick(METHODS), signed_at + HOUR);
        one(tx, &new, &deposit, maker, checker, random).await?;
        if is_disbursed {
            let loan_cents = random.between(5, 50) * 1_000_000;
            let paid_at = signed_at + random.between(2, 12) * DAY;
            let fee = form(MoneyType::Service, Some(loan_cents), loan_cents * random.between(1, 4) / 100, *random.pick(METHODS), paid_at);
            let confirmed = one(tx, &new, &fee, maker, checker, random).await?;
            if confirmed && random.percent(6) {
                let refund = form(MoneyType::Refund, None, fee.amount_cents / 10, fee.pay_method, paid_at + 3 * DAY);
                one(tx, &new, &refund, maker, checker, random).await?;
            }
        }
    }
    Ok(())
}

/// The manager of an organisation, unless that is the given person.
async fn manager(tx: &mut Connection, org_id: i64, but: i64) -> Result<Option<Person>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT a.id, r.id AS role_id FROM administrator a JOIN admin_role k ON k.admin_id = a.id JOIN role r ON r.id = k.role_id \
         WHERE a.org_id = $1 AND a.id <> $2 AND r.code = 'org_manager' ORDER BY a.id LIMIT 1",
    )
    .bind(org_id)
    .bind(but)
    .fetch_optional(tx)
    .await?;
    row.map(|row| Ok(Person { id: row.try_get("id")?, role_id: row.try_get("role_id")? })).transpose()
}

/// Adds a record, in most cases with its decision. Returns whether it is confirmed.
async fn one(
    tx: &mut Connection,
    new: &NewMoney<'_>,
    form: &Form,
    maker: Person,
    checker: Option<Person>,
    random: &mut Random,
) -> Result<bool, ApiError> {
    let at = form.paid_at + HOUR / 2;
    let stamp = Stamp { admin_id: maker.id, at };
    let no = number(at);
    let new = NewMoney { no: &no, clue_id: new.clue_id, org_id: new.org_id, sub_org_id: new.sub_org_id, sales_id: new.sales_id };
    let id = insert_money(tx, &new, form, stamp).await?;
    write(tx, id, 0, form, &[], stamp).await?;
    let row = found(tx, id).await?;
    let target = TARGET.of(id);
    audit::record(tx, &actor(maker.id, maker.role_id, at), target, Action::Create, &audit::changes(None::<&MoneyRow>, Some(&row))).await?;
    decision::write_down(tx, &matter(&row, DecisionAction::ConfirmMoney), Some(maker.id), at).await?;
    let (chance, Some(checker)) = (random.below(100), checker) else { return Ok(false) };
    if chance >= 92 {
        return Ok(false);
    }
    let status = if chance < 88 { MoneyStatus::Confirmed } else { MoneyStatus::Rejected };
    let note = (status == MoneyStatus::Rejected).then_some("金额与回单不一致");
    let at = at + HOUR / 4;
    let verdict = Verdict { by: Some(checker.id), approve: status == MoneyStatus::Confirmed, note, at };
    decision::decide(tx, &matter(&row, DecisionAction::ConfirmMoney), &verdict).await?;
    decide(tx, id, row.version, status, note, Stamp { admin_id: checker.id, at }).await?;
    if status == MoneyStatus::Confirmed && row.kind == MoneyType::Refund {
        let payment = payment_of(tx, &row).await?;
        outgoing::claim(tx, &payment).await?;
    }
    let after = found(tx, id).await?;
    let changes = audit::changes(Some(&row), Some(&after));
    audit::record(tx, &actor(checker.id, checker.role_id, at), target, Action::Money, &changes).await?;
    Ok(status == MoneyStatus::Confirmed)
}

async fn found(tx: &mut Connection, id: i64) -> Result<MoneyRow, ApiError> {
    find(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)
}

/// The four targets of an object, with its organisation.
type Targets = ((AchievementObject, i64), i64, [i64; 4]);

/// Targets of each salesperson, their teams and their organisations.
async fn targets(tx: &mut Connection, random: &mut Random, now: i64) -> Result<(), ApiError> {
    let people =
        sqlx::query("SELECT id, org_id, sub_org_id FROM salesperson WHERE status <> 'left' AND deleted_at IS NULL ORDER BY org_id, id")
            .fetch_all(&mut *tx)
            .await?;
    if people.is_empty() {
        return Ok(());
    }
    for back in (0..MONTHS).rev() {
        let mut own: Vec<Targets> = Vec::new();
        // For teams and organisations: the sums of their people.
        let mut above: Vec<Targets> = Vec::new();
        for row in &people {
            let org_id: i64 = row.try_get("org_id")?;
            let values = [random.between(4, 12) * 600_000, random.between(4, 12) * 25_000, random.between(1, 3), random.between(1, 4)];
            own.push(((AchievementObject::Person, row.try_get("id")?), org_id, values));
            let team = row.try_get::<Option<i64>, _>("sub_org_id")?.map(|id| (AchievementObject::Team, id));
            for object in team.into_iter().chain([(AchievementObject::Company, org_id)]) {
                match above.iter_mut().find(|(known, ..)| *known == object) {
                    Some((_, _, sums)) => sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value),
                    None => above.push((object, org_id, values)),
                }
            }
        }
        own.extend(above);
        set(tx, Month::of(now).plus(-back), &own).await?;
    }
    Ok(())
}

/// Adds the targets of a month in one statement.
async fn set(tx: &mut Connection, month: Month, targets: &[Targets]) -> Result<(), sqlx::Error> {
    let mut sql =
        Sql::new("INSERT INTO achievement_target (month, org_id, object_type, object_id, metric, target, created_at, updated_at) VALUES ");
    let mut separator = "(";
    for ((kind, id), org_id, values) in targets {
        for (metric, target) in AchievementMetric::ALL.iter().zip(values) {
            sql.push(separator).bind(month.to_string()).then(*org_id).then(*kind).then(*id).then(*metric).then(*target);
            sql.then(month.start()).then(month.start()).push(")");
            separator = ", (";
        }
    }
    sql.execute(tx).await.map(drop)
}
