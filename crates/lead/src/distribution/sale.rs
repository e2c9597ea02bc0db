//! The sale of one lead to one plan, in one transaction. Everything that the selection looked at is checked again. At
//! the end, room is taken under the caps and the price is held or paid.

use super::authorise::Awaited;
use super::policy::{Method, Policy};
use super::selection::{Candidate, most_buyers};
use super::settle;
use base::clock::{self, DAY, MINUTE};
use base::crypto;
use base::db::Tx;
use base::outbox::{self, Destination, Kind, NewItem};
use frame::api::{ApiError, App};
use frame::terms::cap::{self, StoredCap, Subject, Taking};
use trade::blacklist::{self, BlacklistScope, Suspect};
use trade::ledger::account::SpendOrder;
use trade::match_log::PassedOver;
use trade::plan::push::delivery;
use trade::plan::push::delivery::{Delivery, Lead, Start};
use trade::plan::push::edited::Edited;
use trade::plan::push::eligibility;
use trade::plan::push::eligibility::Eligibility;
use trade::plan::push::model::PushStatus;
use trade::plan::replacement;
use trade::plan::{self, DeliverMode, PlanRow};
use trade::user;
use trade::user::rounds::RoundApplicant;
use trade::visit::lead;

/// A promise to a buyer holds for at least so many days, whatever the limit on selling a person again.
const PROMISED_DAYS: i64 = 30;

/// A lead that is about to be sold.
pub struct Sale<'s> {
    pub user: &'s RoundApplicant,
    pub candidate: Candidate<'s>,
    pub policy: &'s Policy,
    /// Set if a person repeats a push.
    pub repeat: Option<Repeat<'s>>,
    /// Set if the applicant has to agree on the organisation's page first.
    pub awaited: Option<&'s Awaited>,
    pub at: i64,
}

/// A push that is sent once more, and the data that its buyer gets instead of the applicant's answers.
#[derive(Clone, Copy)]
pub struct Repeat<'r> {
    pub push_id: i64,
    pub edited: Option<&'r Edited>,
}

/// The result of a sale.
#[derive(Debug)]
pub enum Sold {
    /// It is sold once the bill is settled.
    Sold(Bill),
    /// Not sold. The transaction is dropped, except for the count of the blacklist.
    Passed(PassedOver),
}

/// What a sale takes from its buyer: room under the caps of its plan, and its price; a test lead costs nothing. It is
/// settled last in its transaction: from then on other sales of the plan, and of the same account, wait.
#[derive(Debug)]
pub struct Bill {
    push: Box<Delivery>,
    /// Whether the price is held until the organisation has answered, or paid at once.
    start: Start,
    caps: Vec<StoredCap>,
    order: SpendOrder,
    /// The plan takes turns, and this sale is its turn.
    turns: bool,
    at: i64,
}

impl Bill {
    /// The push that was sold.
    pub fn push_id(&self) -> i64 {
        self.push.id
    }

    /// The price, in fen.
    pub fn price_cents(&self) -> i64 {
        self.push.price_cents
    }

    /// Takes room and money, if there is enough of both. Otherwise returns what is missing, and the transaction is to
    /// be dropped. Rows for which other sales of the organisation wait come last, and in the same order everywhere:
    /// the counts of its salespeople, the plan's turn, its caps, the account.
    pub async fn settle(&self, app: &App, tx: &mut Tx) -> Result<Option<PassedOver>, ApiError> {
        let (push, at) = (&*self.push, self.at);
        if self.start == Start::AtOnce {
            settle::arrived(app, tx, push, at).await?;
        }
        if self.turns {
            plan::bought(tx, push.plan_id, at).await?;
        }
        if cap::counters::take(tx, &self.caps, 1, push.price_cents, at).await? != Taking::Taken {
            return Ok(Some(PassedOver::Capped));
        }
        let paid = match self.start {
            Start::Queued => settle::hold(tx, push, self.order, at).await?,
            Start::AtOnce => settle::charge(tx, push, self.order, at).await?,
        };
        Ok((!paid).then_some(PassedOver::Balance))
    }
}

/// Sells the lead except for its bill, if all conditions still hold.
pub async fn sell(app: &App, tx: &mut Tx, sale: &Sale<'_>) -> Result<Sold, ApiError> {
    let (user, plan, at) = (sale.user, sale.candidate.plan, sale.at);
    // All sales of the same person wait here, of any application and to any buyer.
    user::phone::lock(&app.db, tx, &user.known_by.phone_hash).await?;
    let today = clock::day(at).to_string();
    let window = |days: i64| if days > 0 { at - days * DAY } else { i64::MAX };
    let asked = eligibility::Query {
        phone_hash: &user.known_by.phone_hash,
        user_id: user.id,
        consent_id: user.consent_id,
        had_since: window(plan.dedup_days.unwrap_or(sale.policy.dedup_days)),
        // A promise to a buyer holds for the person, not for one application.
        repeats: sale.repeat.is_some(),
        bought_since: at - PROMISED_DAYS.max(sale.policy.dedup_days).max(plan.dedup_days.unwrap_or_default()) * DAY,
        today: &today,
        at,
    };
    let between = eligibility::read(tx, plan, &asked).await?;
    let most_buyers = most_buyers(plan, sale.policy.max_buyers);
    if let Some(reason) = obstacle(plan, user.test, &between, most_buyers, &today, at) {
        return Ok(Sold::Passed(reason));
    }
    if is_blocked(app, tx, user, plan.org_id, at).await? {
        return Ok(Sold::Passed(PassedOver::Blacklist));
    }
    let replacement = match sale.candidate.replaced {
        true => replacement::next(tx, plan.id, user.test, at).await?,
        false => None,
    };
    let asked_cents = sale.candidate.price_cents;
    let price_cents = replacement.map_or(asked_cents, |replacement| replacement.price_cents.min(asked_cents));
    cap::counters::share(&app.db, tx, Subject { kind: "plan", id: plan.id }).await?;
    // A cap that is full already is found without a push.
    let Some(caps) = cap::counters::with_room(&mut **tx, Subject { kind: "plan", id: plan.id }, price_cents, at).await? else {
        return Ok(Sold::Passed(PassedOver::Capped));
    };
    let no = format!("PS{}-{}", clock::day_compact(at), crypto::random_text(8).to_uppercase());
    let edited = sale.repeat.and_then(|repeat| repeat.edited);
    let edited_enc = edited.map(|edited| edited.sealed(&app.keys, &no));
    let url_enc = sale.awaited.map(|awaited| awaited.sealed(&app.keys, &no));
    let auth = sale.awaited.map(|awaited| awaited.until).zip(url_enc.as_deref());
    let offered = Lead {
        no: &no,
        test: user.test,
        user_id: user.id,
        phone_hash: &user.known_by.phone_hash,
        name_mask: &user.name_mask,
        phone_mask: &user.phone_mask,
        city: &user.city,
        plan,
        channel_id: user.channel_id,
        price_cents,
        channel_cost_cents: user.lead_cents,
        most_buyers,
        repeats_id: sale.repeat.map(|repeat| repeat.push_id),
        edited_enc: edited_enc.as_deref(),
        auth,
        at,
    };
    let start = match plan.deliver_mode {
        DeliverMode::Api => Start::Queued,
        // There is no answer to wait for: the buyer has the lead once it opens the page.
        DeliverMode::BackOffice | DeliverMode::Crm | DeliverMode::Sms => Start::AtOnce,
    };
    let push = delivery::add(tx, &offered, start).await?;
    lead::pushed(tx, push.id, at).await?;
    if start == Start::Queued {
        // A lead that waits for its applicant begins when that wait ends.
        let begins = sale.awaited.map_or(at, |awaited| awaited.until);
        let delivery = NewItem {
            kind: Kind::Delivery,
            ref_id: Some(push.id),
            destination: Destination::Organisation(plan.org_id),
            idem_key: &format!("push-{}", push.id),
            payload_enc: None,
            due_at: begins,
            expires_at: Some(sale.awaited.map_or(at + sale.policy.wait_minutes * MINUTE, |awaited| awaited.until)),
        };
        outbox::queue::enqueue(tx, &delivery, at).await?;
    }
    cap::counters::keep(tx, push.id, &caps, 1, price_cents, at).await?;
    if let Some(replacement) = replacement {
        replacement::give(tx, replacement, push.id).await?;
    }
    let (order, turns) = (sale.policy.spend_order, sale.policy.method == Method::Turns);
    Ok(Sold::Sold(Bill { push: Box::new(push), start, caps, order, turns, at }))
}

/// The obstacle at the start of the sale of a test lead or a live one, whatever the plans said when this one was
/// chosen.
fn obstacle(plan: &PlanRow, test: bool, between: &Eligibility, most_buyers: i64, today: &str, at: i64) -> Option<PassedOver> {
    let promised = between.promised.map_or(most_buyers, |promised| promised.min(most_buyers));
    [
        (PassedOver::Changed, !between.runs),
        (PassedOver::Mode, between.test != test),
        (PassedOver::Organisation, !between.active),
        (PassedOver::Licence, !between.licensed),
        (PassedOver::Over, plan.ends_on.as_deref().is_some_and(|day| day < today)),
        (PassedOver::Closed, plan.schedule.as_ref().is_some_and(|schedule| !schedule.is_open(at))),
        (PassedOver::Product, !between.online),
        (PassedOver::Delivery, plan.deliver_mode == DeliverMode::Api && !between.delivers),
        (PassedOver::Consent, !between.consents),
        (PassedOver::Enough, between.buyers >= promised),
        (PassedOver::Duplicate, between.had),
    ]
    .into_iter()
    .find_map(|(reason, holds)| holds.then_some(reason))
}

/// Whether the applicant is on the blacklist, everywhere or for an organisation.
async fn is_blocked(app: &App, tx: &mut Tx, user: &RoundApplicant, org_id: i64, at: i64) -> Result<bool, sqlx::Error> {
    let ip_hash = user.known_by.ip_hash.clone().or_else(|| blacklist::ip_hash(&app.keys, &user.client_ip));
    let suspect = Suspect { ip_hash: ip_hash.as_deref(), ..user.known_by.suspect() };
    Ok(blacklist::hit(tx, &suspect, (BlacklistScope::Organisation, org_id), at).await?.is_some())
}

/// Whether an organisation has a lead, may have it, or is about to be sent it.
pub fn is_live(status: PushStatus) -> bool {
    use PushStatus::{Accepted, Queued, Retrying, Sending, Unconfirmed};
    matches!(status, Queued | Sending | Retrying | Unconfirmed | Accepted)
}
