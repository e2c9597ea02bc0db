//! Leadlane: the back-office of a lead and lending business, one program.
//!
//! Rooms and their layers are described in `docs/architecture.md`; `tests/architecture.rs` holds them apart.

pub use ::admin;
pub use ::chat;
pub use ::crm;
pub use ::demo;
pub use ::front;
pub use ::pay;
pub use ::render;
pub use ::server;
pub use ::stats;
pub use base::{
    address, cached, canonical, clock, codes, config, crypto, db, fields, hashing, key_check, limits, locale, networks, nonce, outbox,
    outside, qr, routes, say, sentence_page, storage,
};
pub use counts::{histogram, render_stats};
pub use frame::{
    access, api, daily_task, decision, dict, export, import, message, meter, pdf, places, proposal, reveal, rotation, setting, sms, terms,
    upload,
};
pub use lead::{applicant, distribution, feedback, push, returns};
pub use server::{city_codes, dispatch, head_watch, monitor, open, phone_hashes, retention, trail_watch, visualization, workplace};
pub use site::{backup, pages};
pub use trade::{
    agreement, blacklist, channel, checks, compliance, finance, handoff, ledger, matching, org, partner, plan, product, project, risk,
    user, visit,
};

#[cfg(test)]
mod types;
