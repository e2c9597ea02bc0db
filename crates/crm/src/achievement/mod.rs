//! Achievements: targets of a month for an organisation, a team or a salesperson, and what was reached. What was
//! reached is computed from confirmed money and from clues. Calls under `/crm/achievements`.

mod charts;
mod list;
mod model;
mod month;
mod objects;
mod pace;
mod rows;
mod sums;
mod target;

use frame::api::Access::Point;
use frame::api::Calls;

pub use model::{AchievementMetric, AchievementObject, MonthFigure};
pub use month::Month;
pub use pace::{ObjectPace, paces};
pub use sums::month_of;

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .list("/crm/achievements/page", Point("crm/achievements/list"), list::page)
        .list("/crm/achievements/page/export", Point("crm/achievements/export"), list::export)
        .list("/crm/achievements/charts", Point("crm/achievements/list"), charts::view)
        .get("/crm/achievements/targets", Point("crm/achievements/target"), target::table)
        .put("/crm/achievements/target", Point("crm/achievements/target"), target::set)
        .post("/crm/achievements/copy", Point("crm/achievements/target"), target::copy)
}
