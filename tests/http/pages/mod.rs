//! Pages over the whole router and a real engine, as a browser without scripts gets them. See
//! `browser` for how a page is asked for and looked at. A test of an area that looks at a page is in
//! the file that has the area's name.

mod account {
    mod message;
}
mod admin {
    mod account;
    mod agreement;
    mod audit;
    mod menu_editor;
    mod notice;
    mod role;
    mod second_factor;
}
mod areas;
mod bad_requests;
mod blacklist {
    mod detail;
    mod import;
}
mod browser;
mod channel {
    mod detail;
}
mod compliance {
    mod detail;
}
mod content;
mod crm {
    mod follow_form;
}
mod demo;
mod dict;
mod encoding;
mod exports;
mod feedback {
    mod detail;
}
mod finance {
    mod adjustment;
    mod recharge;
    mod states;
}
mod guard;
mod headers;
mod limits;
mod login;
mod machines;
mod match_log {
    mod detail;
}
mod monitor;
mod nodes;
mod oddities;
mod org {
    mod detail;
    mod payee;
}
mod pay {
    mod channel;
    mod exception;
    mod link;
    mod refund;
    mod statement;
}
mod plain;
mod plan {
    mod detail;
    mod push;
}
mod poison;
mod preferences;
mod product {
    mod detail;
}
mod project {
    mod pages;
}
mod query;
mod role_data;
mod searches;
mod session;
mod sms {
    mod record;
}
mod statements;
mod stats;
mod text;
mod upload;
mod user {
    mod detail;
}
mod visualization;
mod workplace;
