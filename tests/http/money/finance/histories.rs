//! Random histories of accounts against a plain model: after every step the transfers add up to nothing, and paid money and
//! gifts are where the model has them.

use sqlx::Row;
use trade::ledger::account::{self, SpendOrder};
use trade::ledger::{self, Entry, EntryKind, Held, Posting};

use super::wrong;
use testing::{TestApp, on_both};

/// Steps of a history, which is another one for every seed.
const STEPS: u64 = 250;

/// A plain generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most) as i64
    }
}

/// What an account should hold.
#[derive(Clone, Default)]
struct Model {
    paid: i64,
    gift: i64,
    held: Vec<Held>,
    sold: Vec<(String, Held)>,
}

impl Model {
    fn frozen(&self) -> Held {
        self.held
            .iter()
            .fold(Held::default(), |sum, one| Held { cents: sum.cents + one.cents, gift_cents: sum.gift_cents + one.gift_cents })
    }

    /// What is free of gifts, and of paid money.
    fn free(&self) -> (i64, i64) {
        let frozen = self.frozen();
        (self.gift - frozen.gift_cents, self.paid - (frozen.cents - frozen.gift_cents))
    }

    /// The part of gifts of a price, if there is that much.
    fn part(&self, cents: i64, order: SpendOrder) -> Option<Held> {
        let (gift, paid) = self.free();
        let gift_cents = match order {
            SpendOrder::GiftFirst => gift.min(cents),
            SpendOrder::PaidFirst => (cents - paid.max(0)).max(0).min(gift),
        };
        (gift + paid >= cents).then_some(Held { cents, gift_cents })
    }
}

on_both!(whatever_happens_the_transfers_add_up_to_nothing);
async fn whatever_happens_the_transfers_add_up_to_nothing(app: TestApp) {
    let orgs = [app.organisation("north").await, app.organisation("south").await];
    let mut models = [Model::default(), Model::default()];
    let mut numbers = Numbers(7);
    for step in 0..STEPS {
        let which = numbers.below(2) as usize;
        let (org_id, model) = (orgs[which], &mut models[which]);
        let (cents, order) = (numbers.below(5000) + 1, if numbers.below(2) == 0 { SpendOrder::GiftFirst } else { SpendOrder::PaidFirst });
        let key = format!("step-{step}");
        let entry = |kind, amount_cents, gift_cents| Entry {
            org_id,
            kind,
            amount_cents,
            gift_cents,
            reference: ("history", step as i64),
            idem_key: &key,
            operator_id: None,
            remark: "",
            at: app.now(),
        };
        let mut tx = app.app.db.begin().await.unwrap();
        match numbers.below(9) {
            0 | 1 => {
                posted(&mut tx, &entry(EntryKind::Recharge, cents, 0), true).await;
                model.paid += cents;
            }
            2 => {
                posted(&mut tx, &entry(EntryKind::Gift, cents, cents), true).await;
                model.gift += cents;
            }
            3 => {
                let fits = model.free().1 >= cents;
                posted(&mut tx, &entry(EntryKind::AdjustDown, -cents, 0), fits).await;
                model.paid -= if fits { cents } else { 0 };
            }
            4 => {
                let fits = model.free().0 >= cents;
                posted(&mut tx, &entry(EntryKind::Reversal, -cents, -cents), fits).await;
                model.gift -= if fits { cents } else { 0 };
            }
            5 => {
                let part = model.part(cents, order);
                assert_eq!(ledger::charge(&mut tx, &entry(EntryKind::LeadSale, -cents, 0), order).await.unwrap(), part.is_some(), "{step}");
                if let Some(part) = part {
                    model.gift -= part.gift_cents;
                    model.paid -= part.cents - part.gift_cents;
                    model.sold.push((key.clone(), part));
                }
            }
            6 => {
                let part = model.part(cents, order);
                assert_eq!(account::hold(&mut tx, org_id, cents, order, app.now()).await.unwrap(), part, "{step}");
                model.held.extend(part);
            }
            7 => {
                if let Some(held) = model.held.pop() {
                    if numbers.below(2) == 0 {
                        account::release(&mut tx, org_id, held, app.now()).await.unwrap();
                    } else {
                        ledger::pay_held(&mut tx, &entry(EntryKind::LeadSale, -held.cents, 0), held).await.unwrap();
                        model.gift -= held.gift_cents;
                        model.paid -= held.cents - held.gift_cents;
                        model.sold.push((key.clone(), held));
                    }
                }
            }
            _ => {
                if let Some((sale, part)) = model.sold.pop() {
                    let gift_cents = ledger::gift_part(&mut tx, &sale).await.unwrap();
                    assert_eq!(gift_cents, part.gift_cents);
                    let refund = entry(EntryKind::Refund, part.cents, gift_cents);
                    posted(&mut tx, &refund, true).await;
                    // Asked for again, it is posted once.
                    assert_eq!(ledger::post(&mut tx, &refund).await.unwrap(), Posting::Repeated);
                    model.gift += part.gift_cents;
                    model.paid += part.cents - part.gift_cents;
                }
            }
        }
        tx.commit().await.unwrap();
        for (org_id, model) in orgs.iter().zip(&models) {
            compare(&app, *org_id, model, step).await;
        }
    }
    // What is on hold belongs to no lead here.
    let mut wrong = wrong(&app).await;
    wrong.retain(|one| one.what != "frozen");
    assert_eq!(wrong, []);
}

async fn posted(tx: &mut base::db::Connection, entry: &Entry<'_>, fits: bool) {
    let posting = ledger::post(tx, entry).await.unwrap();
    assert_eq!(matches!(posting, Posting::Posted { .. }), fits, "{entry:?}");
}

async fn compare(app: &TestApp, org_id: i64, model: &Model, step: u64) {
    let Some(row) =
        sqlx::query("SELECT * FROM org_account WHERE org_id = $1").bind(org_id).fetch_optional(app.app.db.read()).await.unwrap()
    else {
        return;
    };
    let of = |column: &str| row.try_get::<i64, _>(column).unwrap();
    let frozen = model.frozen();
    assert_eq!((of("balance_cents"), of("gift_cents")), (model.paid + model.gift, model.gift), "{step}");
    assert_eq!((of("frozen_cents"), of("frozen_gift_cents")), (frozen.cents, frozen.gift_cents), "{step}");
    // The organisation's side against cash, gifts, adjustments and revenue.
    let others = of("total_recharge_cents") + of("total_gift_cents") + of("total_adjust_cents") - of("total_spend_cents");
    assert_eq!(of("balance_cents") - others, 0, "{step}");
}
