//! What somebody has seen, as visits that are counted: on whose account, at what price.

use super::person::Person;
use crate::channel;
use crate::channel::ChannelStatus;
use crate::visit::{Exposure, Seen, Subject, SubjectKind, Visit};
use crate::{plan, product};

/// Somebody who comes by a channel, or by none, at a moment.
pub struct Coming<'c> {
    pub channel: Option<&'c channel::Visited>,
    pub person: &'c Person,
    /// Epoch milliseconds.
    pub at: i64,
}

impl Coming<'_> {
    /// A view of the channel's landing page. It costs what the channel's visitors cost, while it runs.
    pub fn landing(&self) -> Option<Seen> {
        let channel = self.channel?;
        let charge_cents = match (channel.status, channel.test) {
            (ChannelStatus::Enabled, false) => channel.uv_price_cents,
            _ => 0,
        };
        Some(Seen::Visit(self.visit(SubjectKind::Channel, channel.id, 0, charge_cents, channel.test)))
    }

    /// A click on a product, which is a visit of its organisation too. It brings what the product's
    /// visitors bring, unless the channel or the organisation is in test mode.
    pub fn product(&self, product: &product::Visited) -> [Seen; 2] {
        let test = product.test || self.is_test();
        let charge_cents = if test { 0 } else { product.uv_price_cents };
        [
            Seen::Visit(self.visit(SubjectKind::Product, product.id, product.org_id, charge_cents, test)),
            Seen::Visit(self.visit(SubjectKind::Org, product.org_id, product.org_id, 0, test)),
        ]
    }

    /// A plan that was shown, at a place of a list.
    pub fn exposure(&self, plan: &plan::Visited, position: Option<i64>) -> Seen {
        Seen::Exposure(self.shown(plan, position, false))
    }

    /// A plan that was chosen, which is a visit of it and of its organisation.
    pub fn click(&self, plan: &plan::Visited) -> [Seen; 3] {
        let test = plan.test || self.is_test();
        [
            Seen::Exposure(self.shown(plan, None, true)),
            Seen::Visit(self.visit(SubjectKind::Plan, plan.id, plan.org_id, 0, test)),
            Seen::Visit(self.visit(SubjectKind::Org, plan.org_id, plan.org_id, 0, test)),
        ]
    }

    fn shown(&self, plan: &plan::Visited, position: Option<i64>, clicked: bool) -> Exposure {
        Exposure {
            plan_id: plan.id,
            org_id: plan.org_id,
            product_id: plan.product_id,
            channel_id: self.channel.map_or(0, |channel| channel.id),
            visitor: self.person.visitor.clone(),
            system: self.person.system,
            at: self.at,
            position,
            client_ip: self.person.ip.clone(),
            ua_hash: self.person.ua_hash.clone(),
            clicked,
            test: plan.test || self.is_test(),
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
