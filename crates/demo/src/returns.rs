//! The demo's returns of leads, some decided on, some open.

use sqlx::Row;

use super::people::Account;
use base::clock::{DAY, HOUR};
use base::locale::Locale;
use frame::access::Scope;
use frame::api::{ApiError, App};
use lead::returns::{self, Asked, Decision, store};
use trade::org::store as orgs;
use trade::plan::push::rows as pushes;

/// Reasons with the text of the organisation, and the decision: none if it is open.
const RETURNS: &[(&str, &str, Option<bool>)] = &[
    ("dead_number", "拨打三次均提示空号", Some(true)),
    ("never_applied", "客户称没有申请过", None),
    ("not_as_targeted", "年龄与投放条件不符", Some(false)),
    ("duplicate", "与上月客户重复", Some(true)),
    ("out_of_area", "客户已搬离本市", None),
];

/// Adds them, of the latest leads of organisations that agreed on returns.
pub async fn insert(app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    let by = |role: &str| accounts.iter().find(|account| account.role == role).expect("the demo has every role").id;
    let (asks, decides) = (by("operator"), by("admin"));
    let latest =
        sqlx::query("SELECT id FROM push_record WHERE status = 'accepted' AND created_at < $1 ORDER BY created_at DESC, id DESC LIMIT 200")
            .bind(now - 2 * HOUR)
            .fetch_all(app.db.read())
            .await?;
    let mut left = RETURNS.iter();
    let mut next = left.next();
    // The plan of the first that is approved gets another lead for it.
    let mut is_replaced = false;
    let settings = app.settings.values(&app.db).await?;
    for row in latest {
        let Some((reason_code, note, approve)) = next else { return Ok(()) };
        let mut tx = app.db.begin().await?;
        let Some(push) = pushes::find(&mut *tx, Scope::All, row.try_get("id")?).await? else { continue };
        let Some(org) = orgs::find(&mut *tx, Scope::All, push.org_id).await? else { continue };
        let at = now - HOUR;
        let asked = Asked { push: &push, org: &org, settings: &settings, reason_code, note, by: asks, at };
        let id = match returns::ask(app, &mut tx, &asked).await {
            Ok(id) => id,
            // It was not agreed, or is too late, or too much.
            Err(ApiError::State(_)) => continue,
            Err(error) => return Err(error),
        };
        if let Some(approve) = approve {
            let row = store::find(&mut *tx, Scope::All, id, Locale::Chinese).await?.ok_or(ApiError::Missing)?;
            let note = (!approve).then_some("客户资料与投放条件一致");
            let replace_until = approve.then_some(now + 7 * DAY).filter(|_| !is_replaced);
            is_replaced |= *approve;
            let decision = Decision { approve: *approve, charge_channel: false, replace_until, note, by: Some(decides), at: at + HOUR / 2 };
            returns::decide(&mut tx, &row, &decision, Locale::Chinese).await?;
        }
        tx.commit().await?;
        next = left.next();
    }
    Ok(())
}
