//! The screens: each is a dimension, a stretch of time, and the figures that have a meaning there.

use crate::access::Scope;
use crate::access::audit::{Module, Target};
use crate::api::{Say, say};
use crate::channel::ChannelUv;
use crate::org::OrgUv;
use crate::product::ProductUv;
use crate::visit::{By, Part, Subjects};

/// What a screen shows.
pub trait Screen: 'static {
    const SUBJECTS: Subjects;
    const BY: By;
    const PART: Part;
    /// Keys of its figures.
    const FIGURES: &'static [&'static str];
    const TARGET: Target;
    fn title() -> Say;

    /// The subjects whose rows a scope reaches: of systems, an organisation sees its own.
    fn subjects(scope: Scope) -> Subjects {
        match (Self::BY, scope) {
            (By::System, Scope::Org(_) | Scope::SubOrg(_) | Scope::Myself(_)) => Subjects::of::<OrgUv>(),
            _ => Self::SUBJECTS,
        }
    }

    /// The figures that a scope may see: what channels get concerns no organisation.
    fn figures(scope: Scope) -> Vec<&'static str> {
        let platform = scope.is_platforms();
        Self::FIGURES.iter().copied().filter(|key| platform || !OF_CHANNELS.contains(key)).collect()
    }
}

/// Figures that tell what channels get, and what is counted for channels alone.
const OF_CHANNELS: &[&str] =
    &["costCents", "marginCents", "marginBp", "costEachCents", "applicants", "passed", "applyBp", "passBp", "matchBp"];

/// Figures that channels and systems have.
const WHOLE: &[&str] = &[
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

/// Figures that buyers and their products have.
const SOLD: &[&str] = &["exposures", "visits", "visitors", "matched", "sales", "returns", "incomeCents", "returnBp", "incomeEachCents"];

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
    ChannelList: ChannelUv, Subject, Whole, WHOLE, "channel_stat", "渠道统计", "Channel statistics";
    ProductList: ProductUv, Subject, Whole, SOLD, "product_stat", "产品统计", "Product statistics";
    SystemList: ChannelUv, System, Whole, WHOLE, "system_stat", "系统统计", "System statistics";
    OrgList: OrgUv, Subject, Whole, SOLD, "org_stat", "机构统计", "Organisation statistics";
    OrgDays: OrgUv, All, Day, SOLD, "org_day_stat", "机构日环比", "Organisations day on day";
    ChannelDays: ChannelUv, All, Day, WHOLE, "channel_day_stat", "渠道日环比", "Channels day on day";
    ChannelMonths: ChannelUv, Subject, Month, WHOLE, "channel_month_stat", "渠道月统计", "Channels by month";
    SystemMonths: ChannelUv, System, Month, WHOLE, "system_month_stat", "系统月统计", "Systems by month";
    OrgMonths: OrgUv, Subject, Month, SOLD, "org_month_stat", "机构月统计", "Organisations by month";
    ProductMonths: ProductUv, Subject, Month, SOLD, "product_month_stat", "产品月统计", "Products by month";
}
