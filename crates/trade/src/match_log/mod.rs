//! Questions whether a person is wanted: from channels to the platform, from the platform to organisations, and the
//! rounds in which plans were looked for. They are shown here, never changed. Calls under `/user/match` and
//! `/user/matchUv`.

mod asked;
mod list;
mod model;
mod passed_over;
mod store;

use std::sync::Arc;

use frame::api::Access::Point;
use frame::api::{ApiError, Calls, Ctx, Id, Result, listing};

use list::{Days, Matches};

pub use asked::{Asked, OLD_QUESTIONS};
pub use list::search;
pub use model::{Direction, MatchDetail, MatchStatus};
pub use passed_over::{Passed, PassedOver, UnmetConditions, main_reason};
pub use store::{NewMatch, OLD_ROUNDS, RoundRow, add, asked_on, count, count_rounds, erase, known_to, number, of_user, rounds};

/// The calls of questions.
pub fn calls() -> Calls {
    Calls::new()
        .list("/user/match/page", Point("user/match-list/list"), listing::page::<Matches>)
        .list("/user/match/page/export", Point("user/match-list/export"), listing::export::<Matches>)
        .get("/user/match/{id}", Point("user/match-list/list"), view)
        .list("/user/matchUv/page", Point("user/mate-channel-list/list"), listing::page::<Days>)
        .list("/user/matchUv/page/export", Point("user/mate-channel-list/export"), listing::export::<Days>)
}

/// `GET /user/match/{id}`: one question with all stored data.
async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<MatchDetail> {
    store::find(cx.db(), cx.viewer()?.scope(), id, cx.locale).await?.ok_or(ApiError::Missing)
}
