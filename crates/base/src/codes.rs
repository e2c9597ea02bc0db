//! Enumerations with wire codes. One [`codes!`](crate::codes) block gives an enum its codes, its labels in both
//! languages and its allowed steps; the browser gets the same as `js/lib/codes.ts` and `js/locales/*/codes.ts`,
//! which `make types` writes.

use std::collections::BTreeMap;
use std::str::FromStr;

pub use inventory;

use crate::locale::Locale;

/// An enumeration made by [`codes!`](crate::codes).
pub trait Codes: Copy + PartialEq + FromStr + Into<&'static str> + 'static {
    /// The enum's name, as in `js/lib/api-types.ts`.
    const NAME: &'static str;
    /// Every code, in the order of declaration, in which choices show them.
    const ALL: &'static [Self];

    /// The label of a code.
    fn label(self, locale: Locale) -> &'static str;

    /// The codes that may follow this one. Empty if none may, and for enums without steps.
    fn steps(self) -> &'static [Self];

    /// Whether `next` may follow this code.
    fn may_become(self, next: Self) -> bool {
        self.steps().contains(&next)
    }
}

/// Declares an enumeration whose wire code is the variant in snake case:
///
/// ```ignore
/// codes! {
///     /// Status of a receipt.
///     pub enum ReceiptStatus {
///         Waiting("待确认", "Waiting") -> [Confirmed, Rejected],
///         Confirmed("已确认", "Confirmed"),
///         Rejected("已驳回", "Rejected"),
///     }
/// }
/// ```
///
/// The enum is read from and bound to text columns, read from and written as JSON, described in OpenAPI and
/// exported to TypeScript. A text that is none of the codes is an error of the column or of the request.
///
/// `pub enum Module: camelCase { ... }` has codes in camel case.
#[macro_export]
macro_rules! codes {
    ($(#[$about:meta])* $visibility:vis enum $name:ident { $($codes:tt)* }) => {
        $crate::codes! { @"snake_case" $(#[$about])* $visibility enum $name { $($codes)* } }
    };
    ($(#[$about:meta])* $visibility:vis enum $name:ident: camelCase { $($codes:tt)* }) => {
        $crate::codes! { @"camelCase" $(#[$about])* $visibility enum $name { $($codes)* } }
    };
    (
        @$case:tt
        $(#[$about:meta])*
        $visibility:vis enum $name:ident {
            $( $(#[$each:meta])* $code:ident($chinese:literal, $english:literal) $(-> [$($next:ident),* $(,)?])? ),+ $(,)?
        }
    ) => {
        $(#[$about])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, strum::EnumString, strum::IntoStaticStr,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema, ts_rs::TS,
        )]
        #[serde(rename_all = $case)]
        #[strum(serialize_all = $case)]
        #[ts(export, export_to = "api-types.ts")]
        $visibility enum $name {
            $( $(#[$each])* $code ),+
        }

        impl $name {
            /// The label of a code.
            pub fn label(self, locale: $crate::locale::Locale) -> &'static str {
                match self {
                    $( $name::$code => locale.pick($chinese, $english) ),+
                }
            }
        }

        impl $crate::codes::Codes for $name {
            const NAME: &'static str = stringify!($name);
            const ALL: &'static [$name] = &[$($name::$code),+];

            fn label(self, locale: $crate::locale::Locale) -> &'static str {
                $name::label(self, locale)
            }

            fn steps(self) -> &'static [$name] {
                match self {
                    $( $name::$code => &[$($($name::$next),*)?] ),+
                }
            }
        }

        impl sqlx::Type<sqlx::Any> for $name {
            fn type_info() -> sqlx::any::AnyTypeInfo {
                <str as sqlx::Type<sqlx::Any>>::type_info()
            }
        }

        impl<'r> sqlx::Decode<'r, sqlx::Any> for $name {
            fn decode(value: sqlx::any::AnyValueRef<'r>) -> std::result::Result<$name, sqlx::error::BoxDynError> {
                let text = <&str as sqlx::Decode<'r, sqlx::Any>>::decode(value)?;
                text.parse().map_err(|_| format!("`{text}` is no {}", stringify!($name)).into())
            }
        }

        impl<'q> sqlx::Encode<'q, sqlx::Any> for $name {
            fn encode_by_ref(
                &self,
                buffer: &mut <sqlx::Any as sqlx::Database>::ArgumentBuffer,
            ) -> std::result::Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
                <&str as sqlx::Encode<'q, sqlx::Any>>::encode(<&str>::from(*self), buffer)
            }
        }

        $crate::codes::inventory::submit! { $crate::codes::Exported::of::<$name>() }
    };
}

/// An enumeration with its codes, as `make types` writes it for the browser.
pub struct Exported {
    pub name: &'static str,
    codes: fn() -> Vec<ExportedCode>,
}

/// A code with its labels, in Chinese and English, and the codes that may follow it.
pub struct ExportedCode {
    pub code: &'static str,
    pub labels: [&'static str; 2],
    pub steps: Vec<&'static str>,
}

impl Exported {
    pub const fn of<C: Codes>() -> Exported {
        Exported { name: C::NAME, codes: exported_codes::<C> }
    }
}

fn exported_codes<C: Codes>() -> Vec<ExportedCode> {
    let exported = |code: &C| ExportedCode {
        code: (*code).into(),
        labels: [Locale::Chinese, Locale::English].map(|locale| code.label(locale)),
        steps: code.steps().iter().map(|next| (*next).into()).collect(),
    };
    C::ALL.iter().map(exported).collect()
}

inventory::collect!(Exported);

/// The enumerations of all crates of a program, by name.
pub fn all_exported() -> BTreeMap<&'static str, Vec<ExportedCode>> {
    inventory::iter::<Exported>().map(|exported| (exported.name, (exported.codes)())).collect()
}

codes! {
    /// Whether a record, such as a team, a pool or a chat group, is in use.
    pub enum UseStatus {
        Enabled("启用", "Enabled") -> [Disabled],
        Disabled("停用", "Disabled") -> [Enabled],
    }
}
