//! Codes of the CRM: stages and levels of clues, follow-ups, salespeople, pools, money and targets.

use base::codes;
use base::codes::Codes;
use base::locale::Locale;
use frame::api::{Say, say};

codes! {
    /// The stage of a clue. It may go forward any number of stages, and back one stage with a note. Giving a clue up
    /// needs a reason.
    pub enum ClueStage {
        New("新线索", "New") -> [Following, Appointment, Visited, Signed, Submitted, Approved, Disbursed, Invalid, Lost],
        Following("跟进中", "Following up") -> [Appointment, Visited, Signed, Submitted, Approved, Disbursed, Invalid, Lost],
        Appointment("已约访", "Appointment") -> [Following, Visited, Signed, Submitted, Approved, Disbursed, Invalid, Lost],
        Visited("已上门", "Visited") -> [Appointment, Signed, Submitted, Approved, Disbursed, Invalid, Lost],
        Signed("已签约", "Signed") -> [Visited, Submitted, Approved, Disbursed, Invalid, Lost],
        Submitted("进件中", "Submitted") -> [Signed, Approved, Disbursed, Invalid, Lost],
        Approved("已批复", "Approved") -> [Submitted, Disbursed, Invalid, Lost],
        Disbursed("已放款", "Disbursed") -> [Approved],
        Invalid("无效", "Invalid") -> [New],
        Lost("流失", "Lost") -> [New],
    }
}

/// The stages of open clues, for an SQL condition. They are listed one by one so that an index by stage is used.
macro_rules! open_stages {
    () => {
        "('new', 'following', 'appointment', 'visited', 'signed', 'submitted', 'approved')"
    };
}
pub(super) use open_stages;

impl ClueStage {
    /// Whether the clue is open. Open clues count towards their owner's private cap.
    pub fn is_open(self) -> bool {
        !matches!(self, ClueStage::Disbursed | ClueStage::Invalid | ClueStage::Lost)
    }

    /// Whether it is given up.
    pub fn is_given_up(self) -> bool {
        matches!(self, ClueStage::Invalid | ClueStage::Lost)
    }

    /// Whether a clue of this stage returns to a pool without a follow-up. From the contract on it stays with its
    /// owner.
    pub fn is_reclaimed(self) -> bool {
        self < ClueStage::Signed
    }

    /// Whether the step to `next` goes back.
    pub fn is_back_to(self, next: ClueStage) -> bool {
        next < self && !self.is_given_up()
    }
}

codes! {
    /// How promising a clue is.
    pub enum ClueLevel {
        A("A", "A"),
        B("B", "B"),
        C("C", "C"),
        D("D", "D"),
    }
}

codes! {
    /// How a person was contacted.
    pub enum FollowType {
        Call("电话", "Call"),
        Wechat("微信", "WeChat"),
        Sms("短信", "SMS"),
        Visit("面谈", "Visit"),
        Other("其他", "Other"),
    }
}

codes! {
    /// The result of a contact.
    pub enum FollowResult {
        Reached("接通", "Reached"),
        NoAnswer("未接", "No answer"),
        DeadNumber("空号", "Dead number"),
        Refused("拒绝", "Refused"),
        Added("加微信", "Added on WeChat"),
    }
}

codes! {
    /// How a clue came to its owner or to its pool.
    pub enum OwnerWay {
        /// By the rules, when the lead was sold.
        Auto("自动分配", "Automatic"),
        Assign("指派", "Assigned"),
        Claim("领取", "Claimed"),
        Transfer("转移", "Transferred"),
        /// Returned to the pool, for lack of a follow-up.
        Reclaim("回收", "Reclaimed"),
        /// Back to the pool, by its owner or a manager.
        Release("退回公海", "Released"),
        /// Its owner left.
        Leave("离职交接", "Handed over"),
    }
}

codes! {
    /// Rank of a salesperson.
    pub enum SalesLevel {
        Junior("初级", "Junior"),
        Middle("中级", "Intermediate"),
        Senior("高级", "Senior"),
        Lead("主管", "Team lead"),
    }
}

impl SalesLevel {
    /// The refusal of a salesperson below this level.
    pub fn least(self) -> Say {
        say(
            format!("该公海的线索只给{}及以上级别的销售", self.label(Locale::Chinese)),
            format!("Leads of this pool are only for salespeople of the level {} or above", self.label(Locale::English)),
        )
    }

    /// This level and those above it.
    pub fn and_above(self) -> impl Iterator<Item = SalesLevel> {
        SalesLevel::ALL.iter().copied().filter(move |level| *level >= self)
    }
}

codes! {
    /// Whether a salesperson works.
    pub enum SalesStatus {
        Active("在职", "Active") -> [Away, Left],
        Away("休假", "Away") -> [Active, Left],
        Left("离职", "Left") -> [Active],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::codes::Codes;

    #[test]
    fn open_stages_are_those_that_are_open() {
        let open: Vec<&str> = ClueStage::ALL.iter().filter(|stage| stage.is_open()).map(<&str>::from).collect();
        assert_eq!(open_stages!(), format!("('{}')", open.join("', '")));
    }
}
