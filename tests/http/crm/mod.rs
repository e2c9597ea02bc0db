//! `/crm`: teams, salespeople, and the leads that they work on.

mod achievement;
mod clue;
mod contact;
mod disabled;
mod identity;
mod money;
mod new_leads;
mod pool;
mod salesperson;
mod team;
mod transfer;
