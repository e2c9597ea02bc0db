//! Applicants from the door to the ledger: `/open/user`, `/open/match`, `/user`.

mod applied;
mod authorise;
mod buyer;
mod by_hand;
mod deliver;
mod device;
mod distribute;
mod edges;
mod figures;
mod import;
mod intake;
mod money;
mod past;
mod question;
mod record;
mod reputation;
mod risk;
mod sight;
mod signed;
mod stopped;
mod test_leads;
mod together;
