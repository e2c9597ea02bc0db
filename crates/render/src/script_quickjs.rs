//! Runs the bundle's script in QuickJS, which has no compiled code to keep.

use deno_core::error::JsError;
use deno_core::{FastString, JsRuntime};

/// The script in an isolate.
pub(super) struct Script {
    pub refused: bool,
}

/// Runs the script.
pub(super) fn run(runtime: &mut JsRuntime, name: &'static str, script: &'static str, _: Option<&[u8]>) -> Result<Script, Box<JsError>> {
    runtime.execute_script(name, FastString::from_static(script)).map(|_| Script { refused: false })
}

impl Script {
    pub fn code(&self, _: &mut JsRuntime) -> Option<Vec<u8>> {
        None
    }
}
