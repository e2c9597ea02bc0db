//! The clue that money belongs to.

use sqlx::FromRow;

use crate::clue::store::{self as clues, SCOPE};
use crate::model::ClueStage;
use base::db::{Connection, Flag, Sql};
use base::locale::Locale;
use base::mask;
use frame::access::Scope;
use frame::api::{ApiError, Ctx, Result, say};
use trade::user;

/// A clue with the fields that its money needs.
#[derive(Clone, Debug, FromRow)]
pub struct MoneyClue {
    pub id: i64,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub owner_id: Option<i64>,
    pub stage: ClueStage,
    /// Of a test lead.
    #[sqlx(try_from = "Flag")]
    pub test: bool,
}

impl MoneyClue {
    /// Refuses money of a clue of a test lead: no person has paid.
    pub fn check_live(&self) -> Result<()> {
        match self.test {
            false => Ok(()),
            true => Err(ApiError::State(say("测试线索不能录入收款", "No payments can be entered for a test lead"))),
        }
    }

    /// Refuses money of a clue that is given up, and names its stage.
    pub fn check_stage(&self) -> Result<()> {
        match self.stage.is_given_up() {
            false => Ok(()),
            true => Err(ApiError::State(say(
                format!("线索当前为“{}”，不能录入收款", self.stage.label(Locale::Chinese)),
                format!("The lead is {}; no payments can be entered for it", self.stage.label(Locale::English)),
            ))),
        }
    }
}

/// A clue within a scope, locked until the transaction ends, so that its money is written and decided on one at a time.
/// The clue is locked before its money.
pub async fn hold(tx: &mut Connection, scope: Scope, id: i64) -> std::result::Result<Option<MoneyClue>, sqlx::Error> {
    let mut sql = Sql::new("SELECT k.id, k.org_id, k.sub_org_id, k.owner_id, k.stage, k.test FROM clue k WHERE k.id = ");
    sql.bind(id);
    scope.apply(&mut sql, SCOPE);
    tx.hold(&mut sql, "k");
    sql.fetch_optional(tx).await?.as_ref().map(MoneyClue::from_row).transpose()
}

/// The id of a clue by its number.
pub async fn by_number(tx: &mut Connection, no: &str) -> std::result::Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT id FROM clue WHERE no = $1").bind(no).fetch_optional(tx).await
}

/// A clue by its number, locked as in [`hold`], for a payment order: no fee is due for a test lead or for a clue that
/// is given up.
pub async fn hold_payable(tx: &mut Connection, no: &str) -> Result<Option<MoneyClue>> {
    let clue = match by_number(tx, no).await? {
        Some(id) => hold(tx, Scope::All, id).await?,
        None => None,
    };
    if let Some(clue) = &clue {
        clue.check_live()?;
        clue.check_stage()?;
    }
    Ok(clue)
}

/// Locks the clue of a payment until the transaction ends, and returns whether the clue is given up. The order is
/// locked before it.
pub async fn hold_paid(tx: &mut Connection, id: i64) -> std::result::Result<bool, sqlx::Error> {
    Ok(hold(tx, Scope::All, id).await?.is_none_or(|clue| clue.stage.is_given_up()))
}

/// Holds the clue of a record until the transaction ends.
pub async fn hold_of(tx: &mut Connection, money_id: i64) -> std::result::Result<Option<MoneyClue>, sqlx::Error> {
    let id: Option<i64> =
        sqlx::query_scalar("SELECT clue_id FROM money_record WHERE id = $1").bind(money_id).fetch_optional(&mut *tx).await?;
    match id {
        Some(id) => hold(tx, Scope::All, id).await,
        None => Ok(None),
    }
}

/// A text without the name and the numbers of a clue's person, which only a reveal shows.
pub async fn without_person(cx: &Ctx, tx: &mut Connection, clue_id: i64, text: &str) -> Result<String> {
    if text.is_empty() {
        return Ok(String::new());
    }
    let (user_id, _) = clues::person(&mut *tx, clue_id).await?;
    let hidden = user::person::without_person(&mut *tx, &cx.app.keys, user_id, text).await.map_err(ApiError::Internal)?;
    Ok(hidden.unwrap_or_else(|| mask::numbers(text)))
}
