//! Functions of PostgreSQL that SQLite lacks, so that one SQL text serves both.

use std::ffi::{c_char, c_int};
use std::sync::Once;

use rusqlite::auto_extension::{init_auto_extension, register_auto_extension};
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, Result, ffi};

use super::sql::translate;

/// Adds the functions to every connection to SQLite that this process opens from now on, by any library.
pub fn register() {
    static ONCE: Once = Once::new();
    // SAFETY: `add` neither opens nor closes a connection, nor does it change the list of extensions.
    ONCE.call_once(|| unsafe { register_auto_extension(add_to) }.expect("memory for one function pointer"));
}

unsafe extern "C" fn add_to(connection: *mut ffi::sqlite3, error: *mut *mut c_char, _: *const ffi::sqlite3_api_routines) -> c_int {
    // SAFETY: SQLite calls this with the connection that it has just opened.
    unsafe { init_auto_extension(connection, error, add) }
}

/// `translate(text, from, to)`; of NULL it is NULL.
fn add(connection: Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("translate", 3, flags, |context| {
        let Some(text) = context.get_raw(0).as_str_or_null().map_err(|error| rusqlite::Error::UserFunctionError(error.into()))? else {
            return Ok(None);
        };
        let (from, to) = (context.get_raw(1).as_str()?, context.get_raw(2).as_str()?);
        Ok(Some(translate(text, from, to)))
    })
}
