//! The warning of a low balance: once, to the organisation's people who see its money, its account manager and its
//! alert phones, and again only after it was topped up.

use sqlx::Row;

use crate::ledger::account::{self, Funds};
use crate::org;
use crate::org::alert::alert;
use base::db::{Connection, Sql};
use frame::api::{ApiError, App, say};
use frame::message::{self, Link, NewMessage};
use frame::setting;
use frame::sms::SmsKind;

/// An organisation with an account.
struct Held {
    id: i64,
    name: String,
    /// Its own limit, in fen; 0 for the general one.
    limit_cents: i64,
    notified_at: Option<i64>,
    manager: Option<i64>,
}

/// Warns organisations that have fallen below their limit, and clears the warning of those above it. Test
/// organisations, which pay for nothing, are not warned. Returns the number of warnings.
pub async fn warn(app: &App) -> Result<usize, ApiError> {
    let general = app.settings.get(&app.db, &setting::FINANCE_LOW_BALANCE_CENTS).await?;
    let rows = Sql::new(
        "SELECT o.id, o.name, o.low_balance_cents, o.low_balance_notified_at, o.owner_admin_id FROM organisation o \
         JOIN org_account a ON a.org_id = o.id WHERE o.deleted_at IS NULL AND o.status = 'active' AND o.mode <> 'test' ORDER BY o.id",
    )
    .fetch_all(app.db.read())
    .await?;
    let held = rows.iter().map(read).collect::<Result<Vec<Held>, sqlx::Error>>()?;
    let funds = account::funds(app.db.read(), held.iter().map(|org| org.id)).await?;
    let mut warned = 0;
    for org in held {
        let limit = if org.limit_cents > 0 { org.limit_cents } else { general };
        let Some(funds) = funds.get(&org.id) else { continue };
        let now = app.clock.now();
        match (funds.balance_cents + funds.credit_limit_cents < limit, org.notified_at) {
            (true, None) => {
                let mut tx = app.db.begin().await?;
                // Of several nodes, one sends the warning.
                if org::set_low_balance_notified(&mut tx, org.id, None, Some(now)).await? {
                    notify(app, &mut tx, &org, funds, now).await?;
                    tx.commit().await?;
                    warned += 1;
                }
            }
            (false, Some(at)) => {
                let mut tx = app.db.begin().await?;
                org::set_low_balance_notified(&mut tx, org.id, Some(at), None).await?;
                tx.commit().await?;
            }
            _ => {}
        }
    }
    Ok(warned)
}

fn read(row: &sqlx::any::AnyRow) -> Result<Held, sqlx::Error> {
    Ok(Held {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        limit_cents: row.try_get("low_balance_cents")?,
        notified_at: row.try_get("low_balance_notified_at")?,
        manager: row.try_get("owner_admin_id")?,
    })
}

async fn notify(app: &App, tx: &mut Connection, org: &Held, funds: &Funds, now: i64) -> Result<(), ApiError> {
    let yuan = |cents: i64| format!("{}{}.{:02}", if cents < 0 { "-" } else { "" }, cents.abs() / 100, cents.abs() % 100);
    let (name, left) = (&org.name, yuan(funds.balance_cents));
    let title = say(format!("余额不足：{name}"), format!("Low balance: {name}"));
    let content = say(
        format!("账户余额 {left} 元，已低于预警线，请及时充值，以免计划暂停。"),
        format!("The balance is {left} CNY, below the threshold. Please recharge before plans are paused."),
    );
    let link = Link { route: "planList", query: vec![("orgId", org.id.to_string())] };
    let about = |admin_id| NewMessage {
        biz_id: Some(org.id),
        link: Some(link.clone()),
        ..NewMessage::to_person(admin_id, "low_balance", title.clone(), content.clone(), now)
    };
    if let Some(manager) = org.manager {
        message::send(tx, &about(manager), now).await?;
    }
    message::to_holders(tx, "org/receipt/list", (org.id, None), about(0), now).await?;
    let params = [("organisation", name.clone()), ("balance", left)];
    alert(app, tx, org.id, (SmsKind::LowBalance, &params), &format!("low-balance-{}-{now}", org.id), now).await
}
