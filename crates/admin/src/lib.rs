//! Administrators and what belongs to them: accounts, sign-in, roles, the menu, announcements, settings and the logs.
//!
//! Not here: sessions, permission points and the writing of the audit trail (`frame::access`), what a setting means
//! (`frame::setting`), salespeople (`crm`). Used by the router (`server`), the pages (`site`), the program and the
//! demo.

mod account;
pub mod account_messages;
mod audit_trail;
mod charts;
mod login_log;
pub mod menu;
mod model;
pub mod notice;
pub mod notice_store;
mod own;
mod own_factor;
mod profile;
mod recent;
mod role;
mod rules;
mod session;
mod setting;
mod sign_in;
mod store;

use frame::api::Access::{AnyPoint, EveryPoint, Open, Point, SignedIn};
use frame::api::search::Search;
use frame::api::{self, Calls, FileRule, listing};

pub use account::move_to_team;
pub use audit_trail::AuditRow;
pub use charts::charts;
pub use login_log::LoginRow;
pub use model::AdminRow;
pub use recent::{first_step, own_sign_ins, recent_operations};
pub use role::standard as standard_roles;
pub use setting::clear_sign_in_rules;

/// Portraits. They are visible to the account itself, and to those who see the account.
pub const AVATAR: FileRule =
    FileRule { biz_type: "avatar", pictures_only: true, masks_names: false, sees: |cx, id| Box::pin(account::is_seen(cx, id)) };

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&AVATAR)
        .list("/admin/page", Point("admin/list/list"), account::page)
        .list("/admin/page/export", Point("admin/list/export"), account::export)
        .list("/notice/page", Point("admin/notice/list"), notice::page)
        .get("/notice/audience", AnyPoint(&["admin/notice/create", "admin/notice/update"]), notice::audience)
        .get("/notice/{id}", Point("admin/notice/list"), notice::get)
        .get("/notice/history/{id}", Point("admin/notice/list"), notice::history)
        .post("/notice", Point("admin/notice/create"), notice::create)
        .put("/notice", Point("admin/notice/update"), notice::update)
        .put("/notice/withdraw", Point("admin/notice/delete"), notice::withdraw)
        .delete("/notice/{id}", Point("admin/notice/delete"), notice::delete)
        .get("/admin/latest", Point("admin/list/list"), account::latest)
        .get("/admin/{id}", Point("admin/list/view"), account::get)
        .get("/admin/openWork/{id}", Point("admin/list/status"), account::open_work)
        .get("/admin/history/{id}", Point("admin/list/view"), account::history)
        .get("/admin/logins/{id}", EveryPoint(&["admin/list/view", "admin/login-log/list"]), recent::sign_ins_of)
        .post("/admin", Point("admin/list/create"), account::create)
        .put("/admin", Point("admin/list/update"), account::update)
        .put("/admin/status", Point("admin/list/status"), account::set_status)
        .put("/admin/secondFactor", Point("admin/list/resetPwd"), account::remove_second_factor)
        .put("/admin/resetPwd", Point("admin/list/resetPwd"), account::reset_password)
        .delete("/admin/{id}", Point("admin/list/delete"), account::delete)
        .get("/admin/reveal/{id}", Point("admin/list/reveal"), account::reveal)
        .get("/admin/options", AnyPoint(&["admin/list/list", "channel/list/list", "org/list/list", "project/list/list"]), account::options)
        .get("/admin/login", Open, sign_in::login_by_address)
        .post("/admin/login", Open, sign_in::login)
        .post("/admin/login/code", Open, sign_in::login_by_code)
        .post("/admin/logout", SignedIn, sign_in::logout)
        .get("/admin/me", SignedIn, own::me)
        .get("/admin/me/draftKey", SignedIn, own::draft_key)
        .put_repeatable("/admin/role", SignedIn, own::switch_role)
        .get("/admin/me/sessions", SignedIn, own::sessions)
        .delete("/admin/me/sessions/{id}", SignedIn, own::end_session)
        .get("/admin/me/secondFactor", SignedIn, own_factor::status)
        .post("/admin/me/secondFactor", SignedIn, own_factor::begin)
        .put("/admin/me/secondFactor", SignedIn, own_factor::confirm)
        .post("/admin/me/secondFactor/codes", SignedIn, own_factor::new_codes)
        .post("/admin/me/secondFactor/remove", SignedIn, own_factor::remove)
        .put("/admin/password", SignedIn, sign_in::change_password)
        .get("/admin/sendCode", Open, sign_in::send_code)
        .post("/admin/resetPassword", Open, sign_in::reset_password)
        .list("/session/page", Point("admin/session/list"), session::page)
        .delete("/session/{id}", Point("admin/session/revoke"), session::end)
        .get("/audit/{id}", Point("admin/audit/list"), audit_trail::entry)
        .list("/audit/page", Point("admin/audit/list"), listing::page::<audit_trail::AuditTrail>)
        .list("/audit/page/export", Point("admin/audit/export"), listing::export::<audit_trail::AuditTrail>)
        .list("/loginLog/page", Point("admin/login-log/list"), listing::page::<login_log::Logins>)
        .list("/loginLog/page/export", Point("admin/login-log/export"), listing::export::<login_log::Logins>)
        .get("/account/profile", SignedIn, profile::profile)
        .put("/account/profile", SignedIn, profile::change)
        .list("/account/loginLog/page", SignedIn, profile::logins)
        .get("/user/info", SignedIn, profile::info)
        .list("/user/info", SignedIn, profile::info)
        .get("/user/menu", SignedIn, profile::menu)
        .list("/user/menu", SignedIn, profile::menu)
        .post("/user/login", Open, sign_in::login)
        .post("/user/logout", SignedIn, sign_in::logout)
        .get("/setting/list", Point("admin/setting/list"), setting::list)
        .put("/setting", Point("admin/setting/update"), setting::update)
        .and(menu::calls())
        .and(role::calls())
}

/// Finds accounts and roles by their names, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> api::Result<()> {
    search.names(&store::NAMES).await?;
    role::search(search).await
}
