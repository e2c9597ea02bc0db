//! The screens: each has a dimension, a unit of time, and the figures that are defined there.

use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::{Say, say};
use trade::visit::uv::channel::ChannelUv;
use trade::visit::uv::org::OrgUv;
use trade::visit::uv::plan::PlanUv;
use trade::visit::uv::product::ProductUv;
use trade::visit::{By, Part, Subjects, UNRATED};

/// The definition of a screen.
pub trait Screen: 'static {
    const SUBJECTS: Subjects;
    const BY: By;
    const PART: Part;
    /// Keys of its figures.
    const FIGURES: &'static [&'static str];
    const TARGET: Target;
    fn title() -> Say;

    /// Whether the list of leads has the rows counted here. An account manager sees the leads of their organisations
    /// there, which are not those of their channels.
    fn opens_leads(scope: Scope) -> bool {
        Self::BY != By::System && !(Self::SUBJECTS.kind == "channel" && matches!(scope, Scope::Own(_)))
    }

    /// Whether the list of feedback has the rows counted here: an account manager sees the feedback on their channels
    /// there.
    fn opens_feedback(scope: Scope) -> bool {
        Self::SUBJECTS.kind == "channel" || !matches!(scope, Scope::Own(_))
    }

    /// The subjects in a scope: for systems, an organisation sees its own.
    fn subjects(scope: Scope) -> Subjects {
        match (Self::BY, scope) {
            (By::System, Scope::Org(_) | Scope::SubOrg(_) | Scope::Myself(_)) => Subjects::of::<OrgUv>(),
            _ => Self::SUBJECTS,
        }
    }

    /// The figures that a scope may see: what channels get is not shown to organisations.
    fn figures(scope: Scope) -> Vec<&'static str> {
        Self::figures_for(scope.is_platforms())
    }

    /// The figures for platform staff, or for others.
    fn figures_for(platform: bool) -> Vec<&'static str> {
        Self::FIGURES.iter().copied().filter(|key| platform || !OF_CHANNELS.contains(key)).collect()
    }
}

/// Figures on what channels get, and those counted for channels only.
const OF_CHANNELS: &[&str] =
    &["costCents", "marginCents", "marginBp", "costEachCents", "applicants", "passed", "applyBp", "passBp", "matchBp"];

/// Figures of systems.
const SYSTEM: &[&str] = &[
    "visits",
    "visitors",
    "applicants",
    "passed",
    "matched",
    "sales",
    "returns",
    "costCents",
    "incomeCents",
    "marginCents",
    "applyBp",
    "passBp",
    "matchBp",
    "returnBp",
    "marginBp",
    "costEachCents",
    "incomeEachCents",
];

/// Figures of channels.
const CHANNEL: &[&str] = &[
    "visits",
    "visitors",
    "applicants",
    "passed",
    "matched",
    "pushed",
    "testPushed",
    "sales",
    "testSales",
    "duplicates",
    "failed",
    "refused",
    "returns",
    "stars0",
    "stars1",
    "stars2",
    "stars3",
    "contacted",
    "signed",
    "disbursed",
    "costCents",
    "incomeCents",
    "refundCents",
    "marginCents",
    "applyBp",
    "passBp",
    "matchBp",
    "acceptBp",
    "returnBp",
    "marginBp",
    "costEachCents",
    "incomeEachCents",
];

/// Figures of products; feedback and clues are not counted by product.
const PRODUCT: &[&str] = &[
    "exposures",
    "visits",
    "visitors",
    "matched",
    "pushed",
    "testPushed",
    "sales",
    "testSales",
    "duplicates",
    "failed",
    "refused",
    "returns",
    "incomeCents",
    "refundCents",
    "acceptBp",
    "returnBp",
    "incomeEachCents",
];

/// Figures of organisations.
const ORG: &[&str] = &[
    "exposures",
    "visits",
    "visitors",
    "matched",
    "pushed",
    "testPushed",
    "sales",
    "testSales",
    "duplicates",
    "failed",
    "refused",
    "returns",
    "stars0",
    "stars1",
    "stars2",
    "stars3",
    "contacted",
    "visited",
    "signed",
    "disbursed",
    "incomeCents",
    "refundCents",
    "moneyCents",
    "acceptBp",
    "returnBp",
    "incomeEachCents",
];

/// Figures of plans, in the overview.
const PLAN: &[&str] = &["pushed", "sales", "contacted", "visited", "signed", "disbursed", "incomeCents"];

/// Figures of applicants by their stars.
const STAR: &[&str] = &[
    "applicants",
    "passed",
    "matched",
    "pushed",
    "testPushed",
    "sales",
    "testSales",
    "returns",
    "contacted",
    "visited",
    "signed",
    "disbursed",
    "costCents",
    "incomeCents",
    "marginCents",
    "acceptBp",
    "contactBp",
    "visitBp",
    "signBp",
    "disburseBp",
    "returnBp",
];

macro_rules! screens {
    ($($name:ident: $subjects:ty, $by:ident, $part:ident, $figures:ident, $kind:literal, $chinese:literal, $english:literal;)*) => {
        $(
            pub struct $name;

            impl Screen for $name {
                const SUBJECTS: Subjects = Subjects::of::<$subjects>();
                const BY: By = By::$by;
                const PART: Part = Part::$part;
                const FIGURES: &'static [&'static str] = $figures;
                const TARGET: Target = Target { module: Module::Statistics, kind: $kind, id: None };

                fn title() -> Say {
                    say($chinese, $english)
                }
            }
        )*
    };
}

screens! {
    ChannelList: ChannelUv, Subject, Whole, CHANNEL, "channel_stat", "渠道统计", "Channel statistics";
    ProductList: ProductUv, Subject, Whole, PRODUCT, "product_stat", "产品统计", "Product statistics";
    SystemList: ChannelUv, System, Whole, SYSTEM, "system_stat", "系统统计", "System statistics";
    OrgList: OrgUv, Subject, Whole, ORG, "org_stat", "机构统计", "Organisation statistics";
    ScoreList: ChannelUv, Star, Whole, STAR, "score_stat", "评分统计", "Score statistics";
    PlanList: PlanUv, Subject, Whole, PLAN, "plan_stat", "计划统计", "Plan statistics";
    OrgDays: OrgUv, All, Day, ORG, "org_day_stat", "机构日环比", "Organisations day on day";
    ChannelDays: ChannelUv, All, Day, CHANNEL, "channel_day_stat", "渠道日环比", "Channels day on day";
    ChannelMonths: ChannelUv, Subject, Month, CHANNEL, "channel_month_stat", "渠道月统计", "Channels by month";
    SystemMonths: ChannelUv, System, Month, SYSTEM, "system_month_stat", "系统月统计", "Systems by month";
    OrgMonths: OrgUv, Subject, Month, ORG, "org_month_stat", "机构月统计", "Organisations by month";
    ProductMonths: ProductUv, Subject, Month, PRODUCT, "product_month_stat", "产品月统计", "Products by month";
}

/// The label of applicants with so many stars.
pub fn star_name(star: i64, locale: Locale) -> &'static str {
    match star {
        UNRATED => locale.pick("未评分", "unrated"),
        0 => locale.pick("0 联系不上", "0 unreachable"),
        1 => locale.pick("1 无意向或无资质", "1 uninterested or ineligible"),
        2 => locale.pick("2 有可贷点", "2 possible"),
        _ => locale.pick("3 优质", "3 good"),
    }
}
