//! Compiles and runs the bundle's script, from compiled code where there is some.

use deno_core::error::JsError;
use deno_core::{JsRuntime, v8};

/// The script in an isolate, from which its compiled code can be taken.
pub(super) struct Script {
    unbound: v8::Global<v8::UnboundScript>,
    /// Whether the engine refused the given code, which another version of it has made, or the same with other flags.
    pub refused: bool,
}

/// Runs the script. The engine compiles it if it refuses the given code.
pub(super) fn run(runtime: &mut JsRuntime, name: &'static str, script: &'static str, code: Option<&[u8]>) -> Result<Script, Box<JsError>> {
    use v8::script_compiler::{self, CachedData, CompileOptions, NoCacheReason, Source};
    deno_core::scope!(scope, runtime);
    v8::tc_scope!(let scope, scope);
    let text = match script.is_ascii() {
        // The engine reads it where it is, without a copy for each isolate.
        true => v8::String::new_external_onebyte_static(scope, script.as_bytes()),
        false => v8::String::new(scope, script),
    };
    let name = v8::String::new(scope, name).expect("a short string");
    let mut refused = false;
    let unbound = text.and_then(|text| {
        let origin = v8::ScriptOrigin::new(scope, name.into(), 0, 0, false, 0, None, false, false, false, None);
        let (mut source, options) = match code {
            Some(code) => (Source::new_with_cached_data(text, Some(&origin), CachedData::new(code)), CompileOptions::ConsumeCodeCache),
            None => (Source::new(text, Some(&origin)), CompileOptions::NoCompileOptions),
        };
        let unbound = script_compiler::compile_unbound_script(scope, &mut source, options, NoCacheReason::NoReason);
        refused = source.get_cached_data().is_some_and(CachedData::rejected);
        unbound
    });
    let ran = unbound.and_then(|unbound| unbound.bind_to_current_context(scope).run(scope).map(|_| unbound));
    match ran {
        Some(unbound) => Ok(Script { unbound: v8::Global::new(scope, unbound), refused }),
        None if scope.has_terminated() => {
            let text = v8::String::new(scope, "execution terminated").expect("a short string");
            let error = v8::Exception::error(scope, text);
            Err(JsError::from_v8_exception(scope, error))
        }
        None => {
            let thrown = scope.exception().unwrap_or_else(|| v8::undefined(scope).into());
            Err(JsError::from_v8_exception(scope, thrown))
        }
    }
}

impl Script {
    /// The compiled code of all functions that have run so far.
    pub fn code(&self, runtime: &mut JsRuntime) -> Option<Vec<u8>> {
        deno_core::scope!(scope, runtime);
        let unbound = v8::Local::new(scope, &self.unbound);
        Some(unbound.create_code_cache()?.to_vec())
    }
}
