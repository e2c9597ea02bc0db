//! The open clues of a salesperson who leaves, or whose account is disabled: all are given to another salesperson, or
//! to their pools, in the transaction that sets the status. Closed clues keep their owner.

use sqlx::Row;

use super::model::SalespersonRow;
use super::store;
use crate::clue::holder::{self, Giving, Holder, NotGiven};
use crate::clue::response_within;
use crate::model::{OwnerWay, SalesStatus};
use base::db::{Connection, Sql};
use frame::access::AdminStatus;
use frame::access::audit::Change;
use frame::api::{ApiError, Ctx, Result, say};
use frame::message::{self, Link, NewMessage};

/// Clues that are read and given at a time.
const BATCH: i64 = 500;

/// The salesperson who is to get the clues, checked: active, of the same organisation, within the viewer's scope.
pub async fn receiver(cx: &Ctx, tx: &mut Connection, leaver: &SalespersonRow, id: i64) -> Result<SalespersonRow> {
    let wrong = |chinese, english| Err(ApiError::field("handOverTo", say(chinese, english)));
    if id == leaver.id {
        return wrong("请选择另一位销售人员", "Choose another salesperson");
    }
    match store::find(&mut *tx, cx.viewer()?.scope(), id).await? {
        Some(row) if row.org_id == leaver.org_id && row.status == SalesStatus::Active && row.account_status != AdminStatus::Disabled => {
            Ok(row)
        }
        _ => wrong("请选择该机构在职的销售人员", "Choose an active salesperson of the organisation"),
    }
}

/// Hands over all open clues of a salesperson. Returns how many there were. The caller must have locked both
/// salespeople.
pub async fn all(cx: &Ctx, tx: &mut Connection, leaver: &SalespersonRow, to: Option<&SalespersonRow>) -> Result<i64> {
    let giving = Giving { way: OwnerWay::Leave, by: Some(cx.viewer()?.id), at: cx.now, response_within: response_within(&cx.app).await? };
    let holder = to.map_or(Holder::Pool, |row| Holder::Salesperson(row.id));
    let mut given = 0;
    loop {
        let ids = open_clues(tx, leaver.id).await?;
        if ids.is_empty() {
            break;
        }
        for id in ids {
            let clue = holder::state(tx, id).await?.ok_or(ApiError::Missing)?;
            match holder::give(tx, &clue, holder, &giving).await? {
                Ok(()) => given += 1,
                Err(reason) => return Err(refusal(reason, to)),
            }
        }
    }
    if let Some(to) = to.filter(|_| given > 0) {
        notify(tx, leaver, to, given, cx.now).await?;
    }
    Ok(given)
}

/// The line of the trail about clues that were given away; none where there were none.
pub fn trail_line(to: &str, given: i64) -> Option<Change> {
    (given > 0).then(|| Change { field: "handedOver".to_owned(), before: None, after: Some(format!("{to}: {given}")) })
}

/// The next open clues of a salesperson, locked until the transaction ends.
async fn open_clues(tx: &mut Connection, owner: i64) -> std::result::Result<Vec<i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT k.id FROM clue k WHERE k.stage NOT IN ('disbursed', 'invalid', 'lost')");
    sql.and("k.owner_id = ", Some(owner)).push(" ORDER BY k.id LIMIT ").bind(BATCH);
    tx.hold(&mut sql, "k");
    sql.fetch_all(tx).await?.iter().map(|row| row.try_get("id")).collect()
}

fn refusal(reason: NotGiven, to: Option<&SalespersonRow>) -> ApiError {
    let Some(to) = to else { return ApiError::Busy };
    let (name, held, cap) = (&to.name, to.held, to.private_cap.unwrap_or_default());
    match reason {
        NotGiven::Full => ApiError::field(
            "handOverTo",
            say(
                format!("{name} 已持有 {held} 条线索，上限 {cap} 条，接不下全部线索"),
                format!("{name} holds {held} leads of at most {cap} and cannot take them all"),
            ),
        ),
        NotGiven::Unavailable => {
            ApiError::field("handOverTo", say("请选择该机构在职的销售人员", "Choose an active salesperson of the organisation"))
        }
        NotGiven::TooJunior(least) => ApiError::field("handOverTo", least.least()),
        NotGiven::Overtaken => ApiError::Busy,
    }
}

/// One message to the salesperson who gets the clues.
async fn notify(
    tx: &mut Connection,
    leaver: &SalespersonRow,
    to: &SalespersonRow,
    given: i64,
    now: i64,
) -> std::result::Result<(), sqlx::Error> {
    let name = &leaver.name;
    let title = say(format!("{name} 移交了 {given} 条线索给您"), format!("{name} handed over {given} leads to you"));
    let content = say(
        format!("{name} 已离职，{given} 条进行中的线索现由您跟进。"),
        format!("{name} has left. You now own {given} open leads that were theirs."),
    );
    let message = NewMessage {
        link: Some(Link { route: "crmClue", query: Vec::new() }),
        biz_id: Some(leaver.id),
        ..NewMessage::to_person(to.id, "clue_hand_over", title, content, now)
    };
    message::send(tx, &message, now).await.map(drop)
}
