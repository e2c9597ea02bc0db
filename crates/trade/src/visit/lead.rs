//! What becomes of applicants, for the daily figures. It is noted in the transaction in which it
//! happens, and added up within a second: of many who sell at once, none waits for a row of figures.

mod figures;

use sqlx::any::AnyRow;
use sqlx::{Row, query_scalar};
use strum::{EnumString, IntoStaticStr};

use super::batch::day_of;
use super::model::System;
use super::stat::Figures;
use super::store::no_rows;
use crate::ledger::partner_items::{Item, PartnerItemKind};
use base::db::{self, Connection, Db, Sql};

pub use self::figures::{add_up, work};

/// The lock of what adds up events and books what channels are owed for them.
pub(super) const EVENTS: &str = "lead events";

/// What has happened. Each counts on a day: that of the sale for returns, that of the clue for what salespeople reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum LeadKind {
    /// An applicant has come, and has failed a check.
    Registered,
    /// One has come who passed them all.
    Applied,
    /// A round has found a buyer.
    Matched,
    /// A lead was offered to an organisation.
    Pushed,
    /// A test lead was offered to an organisation.
    TestPushed,
    /// The organisation had the person already, on the day of the offer.
    Duplicate,
    /// The lead could not be delivered, on the day of the offer.
    Failed,
    /// The organisation refused it, on the day of the offer.
    Refused,
    /// A buyer has taken a lead.
    Sold,
    /// A test organisation has taken a test lead.
    TestSold,
    /// And has given it back: on the day of the sale.
    Returned,
    /// The same on the day of the decision.
    Decided,
    /// Feedback gave no star, or so many.
    Stars0,
    Stars1,
    Stars2,
    Stars3,
    /// A salesperson followed up a clue for the first time, on the day of the clue.
    Contacted,
    /// The clue's person came, signed or was paid out for the first time, on the day of the clue.
    Visited,
    Signed,
    Disbursed,
    /// Money of a clue was confirmed, or is void again: on the day of payment.
    Money,
    /// A loan was confirmed of which the channel has a share, on the day of the confirmation.
    Share,
    /// Its money was voided, on the day on which it was.
    ShareBack,
    /// A statement of a channel was corrected, on the day on which that was booked. It is about no applicant.
    Adjust,
}

impl LeadKind {
    /// Feedback with so many stars.
    pub fn of_stars(stars: i64) -> LeadKind {
        match stars {
            ..=0 => LeadKind::Stars0,
            1 => LeadKind::Stars1,
            2 => LeadKind::Stars2,
            _ => LeadKind::Stars3,
        }
    }
}

/// Something that has happened to an applicant, or the sum of several such events.
#[derive(Clone, Debug)]
pub struct LeadEvent {
    pub kind: LeadKind,
    /// None for leads from before applicants were kept.
    pub user_id: Option<i64>,
    pub channel_id: i64,
    /// From here on none before a sale.
    pub product_id: Option<i64>,
    pub plan_id: Option<i64>,
    pub org_id: Option<i64>,
    pub system: System,
    /// What the channel gets, in fen.
    pub cost_cents: i64,
    /// What the organisation pays, in fen; what it gets back is below nothing. Of [`LeadKind::Money`]: what it received.
    pub income_cents: i64,
    /// The money of a clue, of shares alone.
    pub money_id: Option<i64>,
}

impl LeadEvent {
    /// What the channel is owed for it, or owes back, on a day: once for an applicant, and for the money of a clue.
    fn item(&self, day: &str) -> Option<Item> {
        let (kind, key) = match self.kind {
            LeadKind::Registered | LeadKind::Applied => (PartnerItemKind::Registered, format!("registered-{}", self.user_id?)),
            LeadKind::Sold => (PartnerItemKind::Sold, format!("sold-{}", self.user_id?)),
            // `Returned` has the same money on the day of the sale.
            LeadKind::Decided => (PartnerItemKind::Returned, format!("returned-{}", self.user_id?)),
            LeadKind::Share => (PartnerItemKind::Share, format!("share-{}", self.money_id?)),
            LeadKind::ShareBack => (PartnerItemKind::ShareBack, format!("share-back-{}", self.money_id?)),
            // The item of a correction is booked with its approval.
            _ => return None,
        };
        (self.cost_cents != 0).then(|| Item {
            channel_id: self.channel_id,
            kind,
            amount_cents: self.cost_cents,
            day: day.to_owned(),
            user_id: self.user_id,
            plan_id: self.plan_id,
            org_id: self.org_id,
            money_id: self.money_id,
            visitors: 0,
            statement_id: None,
            idem_key: key,
        })
    }

    /// The figures of so many that are added up here.
    pub(super) fn figures(&self, number: i64) -> Figures {
        let none = Figures::default();
        let figures = Figures { cost_cents: self.cost_cents, income_cents: self.income_cents, ..none };
        match self.kind {
            LeadKind::Registered => Figures { registered: number, ..figures },
            LeadKind::Applied => Figures { registered: number, applied: number, ..figures },
            LeadKind::Matched => Figures { matched: number, ..figures },
            LeadKind::Pushed => Figures { pushed: number, ..none },
            LeadKind::TestPushed => Figures { test_pushed: number, ..none },
            LeadKind::TestSold => Figures { test_sold: number, ..none },
            LeadKind::Duplicate => Figures { duplicates: number, ..none },
            LeadKind::Failed => Figures { failed: number, ..none },
            LeadKind::Refused => Figures { refused: number, ..none },
            LeadKind::Sold => Figures { sold: number, ..figures },
            LeadKind::Returned => {
                Figures { returned: number, refund_cents: -self.income_cents, charged_cents: -self.cost_cents, ..figures }
            }
            LeadKind::Decided => {
                Figures { decided: number, decided_refund_cents: -self.income_cents, decided_charged_cents: -self.cost_cents, ..none }
            }
            LeadKind::Stars0 => Figures { stars_0: number, ..none },
            LeadKind::Stars1 => Figures { stars_1: number, ..none },
            LeadKind::Stars2 => Figures { stars_2: number, ..none },
            LeadKind::Stars3 => Figures { stars_3: number, ..none },
            LeadKind::Contacted => Figures { contacted: number, ..none },
            LeadKind::Visited => Figures { visited: number, ..none },
            LeadKind::Signed => Figures { signed: number, ..none },
            LeadKind::Disbursed => Figures { disbursed: number, ..none },
            LeadKind::Money => Figures { money_cents: self.income_cents, ..none },
            LeadKind::Share | LeadKind::ShareBack | LeadKind::Adjust => Figures { cost_cents: self.cost_cents, ..none },
        }
    }
}

/// Notes what happens at a moment.
pub async fn note(tx: &mut Connection, events: &[LeadEvent], at: i64) -> Result<(), sqlx::Error> {
    let day = day_of(at);
    for some in db::pieces(events) {
        let mut sql = Sql::new(
            "INSERT INTO lead_event (day, user_id, channel_id, product_id, plan_id, org_id, system, kind, cost_cents, income_cents, money_id) VALUES ",
        );
        for (index, event) in some.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { ", (" }).bind(day.clone());
            sql.then(event.user_id).then(event.channel_id).then(event.product_id).then(event.plan_id).then(event.org_id);
            sql.then(<&str>::from(event.system)).then(<&str>::from(event.kind));
            sql.then(event.cost_cents).then(event.income_cents).then(event.money_id).push(")");
        }
        sql.execute(&mut *tx).await?;
    }
    Ok(())
}

/// Notes that a lead was offered to an organisation.
pub async fn pushed(tx: &mut Connection, push_id: i64, at: i64) -> Result<(), sqlx::Error> {
    of_push(tx, push_id, LeadKind::Pushed, Money::default(), at).await
}

/// Notes that a lead was not taken, on the day on which it was offered: why is `Duplicate`, `Failed` or `Refused`.
pub async fn not_taken(tx: &mut Connection, push_id: i64, why: LeadKind) -> Result<(), sqlx::Error> {
    let offered_at: i64 = query_scalar("SELECT created_at FROM push_record WHERE id = $1").bind(push_id).fetch_one(&mut *tx).await?;
    of_push(tx, push_id, why, Money::default(), offered_at).await
}

/// Notes that a lead was taken. What the channel gets for the applicant, if anything, counts with the
/// first lead of the applicant that is taken.
pub async fn sold(tx: &mut Connection, push_id: i64, channel_cost_cents: i64, at: i64) -> Result<(), sqlx::Error> {
    let mut cost_cents = None;
    if channel_cost_cents > 0 {
        // A sale of the same applicant elsewhere at the same time waits here.
        cost_cents = query_scalar(
            "INSERT INTO lead_cost (user_id, push_id, cost_cents) SELECT h.user_id, h.id, h.channel_cost_cents FROM push_record h \
             WHERE h.id = $1 ON CONFLICT (user_id) DO NOTHING RETURNING cost_cents",
        )
        .bind(push_id)
        .fetch_optional(&mut *tx)
        .await?;
    }
    of_push(tx, push_id, LeadKind::Sold, Money { direction: 1, cost_cents: cost_cents.unwrap_or(0) }, at).await
}

/// Notes that a lead was given back, on the day of its sale, from which it is to be taken, and on that of the decision,
/// `at`. Where its channel is charged, the channel gets nothing for the applicant: it is charged once, also where several
/// buyers give the applicant back.
pub async fn returned(tx: &mut Connection, push_id: i64, charge_channel: bool, at: i64) -> Result<(), sqlx::Error> {
    let mut charged_cents = None;
    if charge_channel {
        charged_cents = query_scalar(
            "INSERT INTO lead_cost (user_id, push_id, cost_cents, charged_push_id, charged_cents) \
             SELECT h.user_id, h.id, 0, h.id, u.channel_cost_cents FROM push_record h JOIN applicant u ON u.id = h.user_id WHERE h.id = $1 AND h.test = 0 \
             ON CONFLICT (user_id) DO UPDATE SET charged_push_id = excluded.charged_push_id, \
               charged_cents = excluded.charged_cents + lead_cost.cost_cents WHERE lead_cost.charged_push_id IS NULL RETURNING charged_cents",
        )
        .bind(push_id)
        .fetch_optional(&mut *tx)
        .await?;
    }
    let sold_at: i64 = query_scalar("SELECT COALESCE(sold_at, 0) FROM push_record WHERE id = $1").bind(push_id).fetch_one(&mut *tx).await?;
    let money = Money { direction: -1, cost_cents: -charged_cents.unwrap_or(0) };
    of_push(tx, push_id, LeadKind::Returned, money, sold_at).await?;
    of_push(tx, push_id, LeadKind::Decided, money, at).await
}

/// Notes feedback on an applicant, and on a lead of theirs: how many stars it gives counts, and from now on all that
/// became of the applicant counts under these stars. That on a test lead counts for nothing.
pub async fn rated(tx: &mut Connection, feedback_id: i64, stars: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO lead_event (day, user_id, channel_id, product_id, plan_id, org_id, system, kind, cost_cents, income_cents) \
         SELECT $1, f.user_id, f.channel_id, h.product_id, h.plan_id, f.org_id, u.system, $2, 0, 0 FROM feedback f \
         JOIN applicant u ON u.id = f.user_id LEFT JOIN push_record h ON h.id = f.push_id WHERE f.id = $3 AND u.test = 0",
    )
    .bind(day_of(at))
    .bind(<&str>::from(LeadKind::of_stars(stars)))
    .bind(feedback_id)
    .execute(&mut *tx)
    .await
    .map(no_rows)?;
    sqlx::query("INSERT INTO lead_rating (user_id, star) SELECT f.user_id, $1 FROM feedback f WHERE f.id = $2")
        .bind(stars)
        .bind(feedback_id)
        .execute(tx)
        .await
        .map(no_rows)
}

/// Notes that a clue has reached something for the first time, on the day on which it came, at `came_at`.
pub async fn reached(tx: &mut Connection, clue_id: i64, kind: LeadKind, came_at: i64) -> Result<(), sqlx::Error> {
    of_clue(tx, clue_id, kind, 0, came_at).await
}

/// Notes money of a clue, paid at `paid_at`: fen, below nothing for a refund and for a payment that is void.
pub async fn money(tx: &mut Connection, clue_id: i64, cents: i64, paid_at: i64) -> Result<(), sqlx::Error> {
    of_clue(tx, clue_id, LeadKind::Money, cents, paid_at).await
}

/// Notes that money of a clue is confirmed: of its loan, the channel gets the share that was agreed when the applicant came, or of one
/// from before that was kept the share of now, once for each record of money. A clue may have several loans. Each is
/// a record of money of its own, as achievements count them, and the channel gets a share of each. The second person who confirms a
/// record sees that no loan is entered twice. The record is held.
pub async fn shared(tx: &mut Connection, money_id: i64, at: i64) -> Result<(), sqlx::Error> {
    let shared: Option<i64> = query_scalar(
        "INSERT INTO loan_share (money_id, user_id, channel_id, share_bp, cents, at) \
         SELECT s.id, s.user_id, s.channel_id, s.share_bp, (s.loan_cents * s.share_bp + 5000) / 10000, $1 FROM ( \
           SELECT m.id, m.loan_cents, k.user_id, k.channel_id, COALESCE(u.share_bp, CASE WHEN c.settle_mode = 'share' AND c.mode = 'live' \
             THEN c.share_bp ELSE 0 END) AS share_bp \
           FROM money_record m JOIN clue k ON k.id = m.clue_id JOIN applicant u ON u.id = k.user_id JOIN channel c ON c.id = k.channel_id \
           WHERE m.id = $2 AND m.status = 'confirmed' AND m.deleted_at IS NULL AND k.test = 0 AND u.test = 0) s \
         WHERE s.loan_cents * s.share_bp >= 5000 ON CONFLICT (money_id) DO NOTHING RETURNING money_id",
    )
    .bind(at)
    .bind(money_id)
    .fetch_optional(&mut *tx)
    .await?;
    match shared {
        Some(_) => of_share(tx, money_id, LeadKind::Share, 1, at).await,
        None => Ok(()),
    }
}

/// Notes that money of a clue is void: its channel gets no share of the loan.
pub async fn share_back(tx: &mut Connection, money_id: i64, at: i64) -> Result<(), sqlx::Error> {
    let shared = sqlx::query("UPDATE loan_share SET back_at = $1 WHERE money_id = $2 AND back_at IS NULL")
        .bind(at)
        .bind(money_id)
        .execute(&mut *tx)
        .await?;
    match shared.rows_affected() {
        0 => Ok(()),
        _ => of_share(tx, money_id, LeadKind::ShareBack, -1, at).await,
    }
}

async fn of_share(tx: &mut Connection, money_id: i64, kind: LeadKind, direction: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO lead_event (day, user_id, channel_id, product_id, plan_id, org_id, system, kind, cost_cents, income_cents, money_id) \
         SELECT $1, g.user_id, g.channel_id, h.product_id, k.plan_id, k.org_id, u.system, $2, $3 * g.cents, 0, g.money_id \
         FROM loan_share g JOIN money_record m ON m.id = g.money_id JOIN clue k ON k.id = m.clue_id JOIN applicant u ON u.id = g.user_id \
         LEFT JOIN push_record h ON h.id = k.push_id WHERE g.money_id = $4",
    )
    .bind(day_of(at))
    .bind(<&str>::from(kind))
    .bind(direction)
    .bind(money_id)
    .execute(tx)
    .await
    .map(no_rows)
}

/// Notes that a correction of a channel's statement was booked at a moment: fen, below zero where the channel gets less.
pub async fn adjusted(tx: &mut Connection, channel_id: i64, cents: i64, at: i64) -> Result<(), sqlx::Error> {
    let event = LeadEvent {
        kind: LeadKind::Adjust,
        user_id: None,
        channel_id,
        product_id: None,
        plan_id: None,
        org_id: None,
        system: System::Other,
        cost_cents: cents,
        income_cents: 0,
        money_id: None,
    };
    note(tx, &[event], at).await
}

/// What a channel gets for its applicant's being sold and for loans to the applicant, in fen, less all that it was charged.
pub async fn channel_cost(db: &Db, user_id: i64) -> Result<i64, sqlx::Error> {
    query_scalar(
        "SELECT CAST(COALESCE((SELECT k.cost_cents - k.charged_cents FROM lead_cost k WHERE k.user_id = $1), 0) \
           + COALESCE((SELECT SUM(g.cents) FROM loan_share g WHERE g.user_id = $2 AND g.back_at IS NULL), 0) AS BIGINT)",
    )
    .bind(user_id)
    .bind(user_id)
    .fetch_one(db.read())
    .await
}

/// The money of an event: its price in a direction, or none; and what its channel gets, in fen.
#[derive(Clone, Copy, Default)]
struct Money {
    direction: i64,
    cost_cents: i64,
}

/// Notes what happens to a lead; of a test lead that it was offered and taken, apart from the others.
async fn of_push(tx: &mut Connection, push_id: i64, kind: LeadKind, money: Money, at: i64) -> Result<(), sqlx::Error> {
    let of_test = match kind {
        LeadKind::Pushed => LeadKind::TestPushed.into(),
        LeadKind::Sold => LeadKind::TestSold.into(),
        _ => "",
    };
    // Leads from before applicants were kept have come from no known system.
    sqlx::query(
        "INSERT INTO lead_event (day, user_id, channel_id, product_id, plan_id, org_id, system, kind, cost_cents, income_cents) \
         SELECT $1, h.user_id, h.channel_id, h.product_id, h.plan_id, h.org_id, COALESCE(u.system, 'other'), \
           CASE h.test WHEN 0 THEN $2 ELSE $3 END, $4, $5 * h.price_cents \
         FROM push_record h LEFT JOIN applicant u ON u.id = h.user_id WHERE h.id = $6 AND (h.test = 0 OR $7 <> '')",
    )
    .bind(day_of(at))
    .bind(<&str>::from(kind))
    .bind(of_test)
    .bind(money.cost_cents)
    .bind(money.direction)
    .bind(push_id)
    .bind(of_test)
    .execute(tx)
    .await
    .map(no_rows)
}

/// Notes what happens to a clue. One of a test lead is in no figure, nor one without a channel, from before applicants were kept.
async fn of_clue(tx: &mut Connection, clue_id: i64, kind: LeadKind, cents: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO lead_event (day, user_id, channel_id, product_id, plan_id, org_id, system, kind, cost_cents, income_cents) \
         SELECT $1, k.user_id, k.channel_id, h.product_id, k.plan_id, k.org_id, u.system, $2, 0, $3 \
         FROM clue k JOIN applicant u ON u.id = k.user_id LEFT JOIN push_record h ON h.id = k.push_id \
         WHERE k.id = $4 AND k.channel_id IS NOT NULL AND k.test = 0",
    )
    .bind(day_of(at))
    .bind(<&str>::from(kind))
    .bind(cents)
    .bind(clue_id)
    .execute(tx)
    .await
    .map(no_rows)
}

/// Reads an event.
pub(super) fn read(row: &AnyRow) -> Result<LeadEvent, sqlx::Error> {
    Ok(LeadEvent {
        kind: db::code(row, "kind")?,
        user_id: row.try_get("user_id")?,
        channel_id: row.try_get("channel_id")?,
        product_id: row.try_get("product_id")?,
        plan_id: row.try_get("plan_id")?,
        org_id: row.try_get("org_id")?,
        system: db::code(row, "system")?,
        cost_cents: row.try_get("cost_cents")?,
        income_cents: row.try_get("income_cents")?,
        money_id: row.try_get("money_id")?,
    })
}
