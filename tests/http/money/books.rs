//! Random histories of everything that moves money: recharges, receipts, orders with late, double, wrong and portal-refunded payments,
//! sales, returns, fees, adjustments, invoices and closings, and of statements and payouts of the channel that brings the applicants.
//! Steps are repeated, made at the same moment on two nodes, and left half-way by a node that is killed; the clock of the second node is
//! sometimes ahead. After each step the books agree with a plain model.
//!
//! `BOOKS_HISTORIES` says how many histories there are; each has a new seed then, which is printed where one fails. `BOOKS_SEED` is the
//! seed of the first.

mod calls;
mod check;
mod steps;

use std::collections::BTreeMap;

use base::clock::{Clock, MINUTE};
use serde_json::{Value, json};
use trade::plan::market::Market;

use calls::Tokens;
use check::Model;
use steps::Kind;
use testing::feedback::grant;
use testing::lead::{channel as partner_channel, plan};
use testing::open::Partner;
use testing::pay::{FakeProvider, channel, payee_id, reachable};
use testing::{TestApp, on_both};

/// Histories of a run of all tests.
const HISTORIES: u64 = 10;
/// Their first seed: from there on, so many histories have steps of all kinds.
const FIRST: u64 = 4030;
/// Steps of a history.
const STEPS: usize = 12;
/// After so many steps the whole books are verified, in the first histories.
const VERIFIED_EACH: usize = 10;
/// Fen that the second organisation of a history may owe.
const CREDIT_CENTS: i64 = 9000;
/// Tax on what the channel is paid, in basis points.
const TAX_BP: i64 = 601;
/// Of so many histories one may go to the next month, so that the years of a long run do not run out.
const JUMPS_EACH: u64 = 50;

/// A plain generator of numbers.
#[derive(Clone)]
struct Numbers(u64);

impl Numbers {
    /// The numbers of a seed; those of the next seed have nothing in common with them.
    fn of(seed: u64) -> Numbers {
        Numbers((seed ^ 0x5DEE_CE66).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most as u64) as usize
    }

    /// Whether one of so many cases is here.
    fn one_of(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    fn any<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Fen between two amounts.
    fn cents(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least) as usize) as i64
    }
}

/// A number from the environment.
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

/// Prints the seed of a history that fails.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the history with BOOKS_SEED={} failed", self.0);
        }
    }
}

/// Whether the whole books are compared after a history: after each of the first hundred, then less and less often, for they grow.
fn is_compared(index: u64) -> bool {
    index.is_multiple_of(1 + index / 100)
}

on_both!(whatever_moves_money_the_books_agree);
async fn whatever_moves_money_the_books_agree(app: TestApp) {
    let count = variable("BOOKS_HISTORIES");
    let is_short = count.is_none();
    let first = variable("BOOKS_SEED").unwrap_or_else(|| if is_short { FIRST } else { Clock::default().now() as u64 });
    let count = count.unwrap_or(HISTORIES);
    let mut stage = Stage::new(app).await;
    for index in 0..count {
        let seed = Seed(first + index);
        let mut history = History::begin(&mut stage, seed.0, index).await;
        Box::pin(history.play()).await;
        if is_compared(index) || index + 1 == count {
            Box::pin(check::compare_all(&stage)).await;
        }
    }
    // Some histories have nothing of a kind; those of a run of all tests, and many, have of all.
    if is_short || count >= 10 * HISTORIES {
        check::all_happened(&stage.app).await;
    }
    let Stage { there, .. } = stage;
    there.kill().await;
}

/// What all histories share.
struct Stage {
    app: TestApp,
    /// The second node, which is killed now and then.
    there: TestApp,
    provider: FakeProvider,
    partner: Partner,
    /// Channels by which payees are paid: of two providers, and by bank.
    alipay: Value,
    wechat: Value,
    bank: Value,
    payee_org_id: i64,
    /// The last link that is known of each statement of the channel.
    links: BTreeMap<i64, String>,
    /// What the channel was owed when it was looked at last.
    owed: Option<check::Owed>,
    /// Counts what must be another one each time: numbers of payments, applicants, invoices.
    serial: u64,
}

impl Stage {
    async fn new(app: TestApp) -> Stage {
        testing::plan::begin(&app);
        // A third person voids money of clues.
        grant(&app, "auditor", "crm/").await;
        app.set("lead.return_least", json!(100_000)).await;
        app.set("partner.tax_bp", json!(TAX_BP)).await;
        let provider = FakeProvider::start().await;
        reachable(&app).await;
        let payee_org_id = payee_id(&app).await;
        // The form of a plan gives a balance to organisations without an account.
        for code in ["north", "south"] {
            open_account(&app, app.organisation(code).await).await;
        }
        let alipay = channel(&app, "alipay", &provider.address, json!({})).await;
        let wechat = channel(&app, "wechat", &provider.address, json!({})).await;
        let bank = channel(&app, "bank", "", json!({"feeBp": 0})).await;
        let partner = partner_channel(&app, json!({})).await;
        let there = app.node().await;
        let (links, owed) = (BTreeMap::new(), None);
        Stage { app, there, provider, partner, alipay, wechat, bank, payee_org_id, links, owed, serial: 0 }
    }

    fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }
}

async fn open_account(app: &TestApp, org_id: i64) {
    let mut tx = app.app.db.begin().await.unwrap();
    trade::ledger::account::open(&mut tx, org_id, app.now()).await.unwrap();
    tx.commit().await.unwrap();
}

/// One history: two organisations, one that pays in advance and one with credit, each with a plan.
struct History<'s> {
    stage: &'s mut Stage,
    seed: u64,
    /// Whether it may go to the next month.
    may_jump: bool,
    /// Whether it verifies the whole books between its steps.
    verifies: bool,
    /// Whether what the channel is owed or was paid may have changed since it was looked at last.
    has_partners: bool,
    numbers: Numbers,
    /// Decide on the kinds of steps alone, so that a seed has the same kinds whatever comes of them.
    kinds: Numbers,
    orgs: [i64; 2],
    plans: [i64; 2],
    /// The last rows before it, of what it looks at by id.
    since: check::Since,
    tokens: Tokens,
    model: Model,
}

impl<'s> History<'s> {
    async fn begin(stage: &'s mut Stage, seed: u64, index: u64) -> History<'s> {
        let since = check::Since::now(&stage.app).await;
        let tokens = Tokens::new(&stage.app).await;
        let admin = stage.app.with_token(&tokens.admin);
        let (mut orgs, mut plans) = ([0; 2], [0; 2]);
        for (place, (bill_mode, credit_cents)) in [("prepaid", 0), ("credit", CREDIT_CENTS)].into_iter().enumerate() {
            let name = format!("h{seed}-{place}");
            orgs[place] = organisation(stage, &name, bill_mode, credit_cents).await;
            let caps = json!([{"window": "total", "weekday": null, "maxCount": 3, "maxCents": 20_000}]);
            let wanted = json!({"name": name, "orgId": orgs[place], "saleMode": "shared", "maxBuyers": 2, "caps": caps});
            plans[place] = plan(&stage.app, &admin, wanted).await;
        }
        History {
            stage,
            seed,
            may_jump: index < HISTORIES || index.is_multiple_of(JUMPS_EACH),
            verifies: index < HISTORIES,
            has_partners: false,
            numbers: Numbers::of(seed),
            kinds: Numbers::of(seed ^ 0xB00C),
            orgs,
            plans,
            since,
            tokens,
            model: Model::default(),
        }
    }

    async fn play(&mut self) {
        for step in 0..STEPS {
            let kind = *self.kinds.any(Kind::ALL);
            self.sign_in().await;
            Box::pin(self.step(kind)).await;
            self.check(&format!("seed {}, step {step}: {kind:?}", self.seed)).await;
            if self.verifies && (step + 1) % VERIFIED_EACH == 0 {
                check::verified(&self.stage.app).await;
            }
        }
        Box::pin(self.end()).await;
        self.check(&format!("seed {}, the end", self.seed)).await;
    }

    /// The provider is well again, its payments and refunds are learnt of, and these plans buy nothing any more.
    async fn end(&mut self) {
        self.stage.provider.misbehave(json!({})).await;
        for _ in 0..2 {
            self.pass(20 * MINUTE).await;
            self.sweep().await;
        }
        for (id, version) in self.open_exceptions().await {
            self.settle(id, version, "handled").await;
        }
        self.end_partners().await;
        for id in self.plans {
            let sql = format!("UPDATE plan SET status = 'ended', version = version + 1 WHERE id = {id}");
            self.stage.app.execute(Box::leak(sql.into_boxed_str())).await;
        }
        self.stage.app.app.service::<Market>().forget().await;
        self.stage.there.app.service::<Market>().forget().await;
    }
}

/// An organisation that may buy, pays the payee and may give leads back.
async fn organisation(stage: &Stage, name: &str, bill_mode: &str, credit_cents: i64) -> i64 {
    let (app, now) = (&stage.app, stage.app.now());
    let mut tx = app.app.db.begin().await.unwrap();
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO organisation (code, name, short_name, type, mode, status, bill_mode, credit_limit_cents, licence_no, licence_expire_on, \
           return_allowed, return_max_days, return_max_bp, created_at, updated_at) \
         VALUES ($1, $2, $3, 'broker', 'live', 'active', $4, $5, 'L-1', '9000-12-31', 1, 60, 10000, $6, $7) RETURNING id",
    )
    .bind(name)
    .bind(name)
    .bind(name)
    .bind(bill_mode)
    .bind(credit_cents)
    .bind(now)
    .bind(now)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    trade::ledger::account::open(&mut tx, id, now).await.unwrap();
    trade::ledger::invoiceable::payee_changed(&mut tx, id, Some(stage.payee_org_id), now).await.unwrap();
    sqlx::query("UPDATE organisation SET payee_org_id = $1 WHERE id = $2")
        .bind(stage.payee_org_id)
        .bind(id)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    id
}
