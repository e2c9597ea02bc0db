//! Converts what a visitor has seen to counted visits: their owner and price.

use super::person::Person;
use trade::channel;
use trade::channel::ChannelStatus;
use trade::product::ProductRow;
use trade::visit::{Exposure, Seen, Subject, SubjectKind, Visit};
use trade::{plan, product};

/// A plan or a product that is shown.
struct Shown {
    plan_id: Option<i64>,
    product_id: Option<i64>,
    org_id: i64,
    /// Its organisation is in test mode.
    test: bool,
}

impl Shown {
    fn plan(plan: &plan::Visited) -> Shown {
        Shown { plan_id: Some(plan.id), product_id: plan.product_id, org_id: plan.org_id, test: plan.test }
    }

    fn product(id: i64, org_id: i64, test: bool) -> Shown {
        Shown { plan_id: None, product_id: Some(id), org_id, test }
    }
}

/// A visitor who comes by a channel, or by none, at a moment.
pub struct VisitContext<'c> {
    pub channel: Option<&'c channel::Visited>,
    pub person: &'c Person,
    /// Epoch milliseconds.
    pub at: i64,
}

impl VisitContext<'_> {
    /// A view of the channel's landing page. It has the price of the channel's visitors, while the channel is
    /// enabled.
    pub fn landing(&self) -> Option<Seen> {
        let channel = self.channel?;
        let charge_cents = match (channel.status, channel.test) {
            (ChannelStatus::Enabled, false) => channel.uv_price_cents,
            _ => 0,
        };
        Some(Seen::Visit(self.visit(SubjectKind::Channel, channel.id, 0, charge_cents, channel.test)))
    }

    /// A click on a product, which is also a visit of its organisation. It has the price of the product's visitors,
    /// unless the channel or the organisation is in test mode. A click implies an exposure.
    pub fn product(&self, product: &product::Visited) -> [Seen; 3] {
        let test = product.test || self.is_test();
        let charge_cents = if test { 0 } else { product.uv_price_cents };
        [
            Seen::Exposure(self.shown(&Shown::product(product.id, product.org_id, test), None, true)),
            Seen::Visit(self.visit(SubjectKind::Product, product.id, product.org_id, charge_cents, test)),
            Seen::Visit(self.visit(SubjectKind::Org, product.org_id, product.org_id, 0, test)),
        ]
    }

    /// A plan that was shown, at a position of a list.
    pub fn exposure(&self, plan: &plan::Visited, position: Option<i64>) -> Seen {
        Seen::Exposure(self.shown(&Shown::plan(plan), position, false))
    }

    /// A product of a list, shown at a position: an exposure of its running plans, or of itself if it has none.
    pub fn listed(&self, product: &ProductRow, plans: &[plan::Visited], position: i64) -> Vec<Seen> {
        let plans: Vec<Shown> = plans.iter().filter(|plan| plan.product_id == Some(product.id)).map(Shown::plan).collect();
        // Test channels only show products of test organisations, and the others none of them.
        let itself = Shown::product(product.id, product.org_id, self.is_test());
        let shown = if plans.is_empty() { vec![itself] } else { plans };
        shown.iter().map(|one| Seen::Exposure(self.shown(one, Some(position), false))).collect()
    }

    /// A plan that was chosen, which is a visit of it and of its organisation.
    pub fn click(&self, plan: &plan::Visited) -> [Seen; 3] {
        let test = plan.test || self.is_test();
        [
            Seen::Exposure(self.shown(&Shown::plan(plan), None, true)),
            Seen::Visit(self.visit(SubjectKind::Plan, plan.id, plan.org_id, 0, test)),
            Seen::Visit(self.visit(SubjectKind::Org, plan.org_id, plan.org_id, 0, test)),
        ]
    }

    fn shown(&self, shown: &Shown, position: Option<i64>, clicked: bool) -> Exposure {
        Exposure {
            plan_id: shown.plan_id,
            org_id: shown.org_id,
            product_id: shown.product_id,
            channel_id: self.channel.map_or(0, |channel| channel.id),
            visitor: self.person.visitor.clone(),
            system: self.person.system,
            at: self.at,
            position,
            client_ip: self.person.ip.clone(),
            ua_hash: self.person.ua_hash.clone(),
            clicked,
            test: shown.test || self.is_test(),
        }
    }

    fn is_test(&self) -> bool {
        self.channel.is_some_and(|channel| channel.test)
    }

    fn visit(&self, kind: SubjectKind, id: i64, org_id: i64, charge_cents: i64, test: bool) -> Visit {
        Visit {
            subject: Subject { kind, id },
            channel_id: if kind == SubjectKind::Channel { 0 } else { self.channel.map_or(0, |channel| channel.id) },
            org_id,
            visitor: self.person.visitor.clone(),
            system: self.person.system,
            at: self.at,
            charge_cents,
            test,
            source: Some(self.person.source.clone()),
        }
    }
}
