//! The derive `TS` for a build that writes no TypeScript: it accepts the attribute `ts` and adds nothing.
//!
//! Not here: the derive that writes types, which is that of ts-rs. Used by `browser-types` alone.

use proc_macro::TokenStream;

#[proc_macro_derive(TS, attributes(ts))]
pub fn no_types(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
