//! The lists of visits by day: of channels, products, organisations and plans. Calls under `/channel/uv`, `/product/uv`, `/org/uv`
//! and `/plan/uv`.

pub mod channel;
pub mod org;
pub mod plan;
pub mod product;

use crate::visit::UvList;
use frame::api::Access::Point;
use frame::api::{Calls, listing};

use channel::ChannelUv;
use org::{OrgPlanUv, OrgUv};
use plan::PlanUv;
use product::ProductUv;

/// The calls of these lists.
pub fn calls() -> Calls {
    Calls::new()
        .list("/channel/uv/page", Point("channel/uv-list/list"), listing::page::<UvList<ChannelUv>>)
        .list("/channel/uv/page/export", Point("channel/uv-list/export"), listing::export::<UvList<ChannelUv>>)
        .list("/org/uv/page", Point("org/uv-list/list"), listing::page::<UvList<OrgUv>>)
        .list("/org/uv/page/export", Point("org/uv-list/export"), listing::export::<UvList<OrgUv>>)
        .list("/org/uv2/page", Point("org/uv-list2/list"), listing::page::<UvList<OrgPlanUv>>)
        .list("/org/uv2/page/export", Point("org/uv-list2/export"), listing::export::<UvList<OrgPlanUv>>)
        .list("/product/uv/page", Point("product/uv-list/list"), listing::page::<UvList<ProductUv>>)
        .list("/product/uv/page/export", Point("product/uv-list/export"), listing::export::<UvList<ProductUv>>)
        .list("/plan/uv/page", Point("plan/uv-list/list"), listing::page::<UvList<PlanUv>>)
        .list("/plan/uv/page/export", Point("plan/uv-list/export"), listing::export::<UvList<PlanUv>>)
}
