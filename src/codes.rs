//! Enumerations with wire codes. One [`codes!`](crate::codes) block gives an enum its codes, its labels in both
//! languages and its allowed steps; the browser gets the same as `js/lib/codes.ts` and `js/locales/*/codes.ts`,
//! which `make types` writes.

use std::str::FromStr;

use crate::locale::Locale;

/// An enumeration made by [`codes!`](crate::codes).
pub trait Codes: Copy + PartialEq + FromStr + Into<&'static str> + 'static {
    /// The enum's name, as in `js/lib/api-types.ts`.
    const NAME: &'static str;
    /// Every code, in the order of declaration: that in which people choose from them.
    const ALL: &'static [Self];

    /// The label of a code.
    fn label(self, locale: Locale) -> &'static str;

    /// The codes that may follow this one. Empty where none may, and for enums without steps.
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
#[macro_export]
macro_rules! codes {
    (
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
        #[serde(rename_all = "snake_case")]
        #[strum(serialize_all = "snake_case")]
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

        #[cfg(test)]
        inventory::submit! { $crate::codes::tests::Exported::of::<$name>() }
    };
}

codes! {
    /// Whether a record, such as a team, a pool or a chat group, is in use.
    pub enum UseStatus {
        Enabled("启用", "Enabled") -> [Disabled],
        Disabled("停用", "Disabled") -> [Enabled],
    }
}

#[cfg(test)]
pub mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Write as _;
    use std::path::Path;
    use std::{env, fs};

    use sqlx::Row;

    use super::*;
    use crate::db::Db;
    use crate::finance::receipt::model::ReceiptStatus::{self, Confirmed, Rejected, Void, Waiting};

    /// An enumeration as the browser gets it.
    pub struct Exported {
        name: &'static str,
        codes: fn() -> Vec<Exportable>,
    }

    struct Exportable {
        code: &'static str,
        labels: [&'static str; 2],
        steps: Vec<&'static str>,
    }

    impl Exported {
        pub const fn of<C: Codes>() -> Exported {
            Exported { name: C::NAME, codes: exportables::<C> }
        }
    }

    fn exportables<C: Codes>() -> Vec<Exportable> {
        let exportable = |code: &C| Exportable {
            code: (*code).into(),
            labels: [Locale::Chinese, Locale::English].map(|locale| code.label(locale)),
            steps: code.steps().iter().map(|next| (*next).into()).collect(),
        };
        C::ALL.iter().map(exportable).collect()
    }

    inventory::collect!(Exported);

    /// All enumerations by name.
    fn all() -> BTreeMap<&'static str, Vec<Exportable>> {
        inventory::iter::<Exported>().map(|exported| (exported.name, (exported.codes)())).collect()
    }

    /// `payMethod` of `PayMethod`.
    fn camel(name: &str) -> String {
        let (first, rest) = name.split_at(1);
        first.to_lowercase() + rest
    }

    fn list(codes: &[&str]) -> String {
        format!("[{}]", codes.iter().map(|code| format!("\"{code}\"")).collect::<Vec<_>>().join(", "))
    }

    /// `js/lib/codes.ts`.
    fn values() -> String {
        let all = all();
        let names: Vec<_> = all.keys().copied().collect();
        let mut text =
            "/** Codes and allowed steps of enumerations, written by `make types` from the `codes!` blocks of src/. */\n".to_owned();
        writeln!(text, "import type {{ {} }} from \"./api-types\";", names.join(", ")).unwrap();
        for (name, codes) in &all {
            let values: Vec<_> = codes.iter().map(|code| code.code).collect();
            writeln!(text, "\nexport const {}Codes: readonly {name}[] = {};", camel(name), list(&values)).unwrap();
            if codes.iter().any(|code| !code.steps.is_empty()) {
                writeln!(text, "export const {}Steps: Readonly<Record<{name}, readonly {name}[]>> = {{", camel(name)).unwrap();
                for code in codes {
                    writeln!(text, "  {}: {},", code.code, list(&code.steps)).unwrap();
                }
                text += "};\n";
            }
        }
        text
    }

    /// `js/locales/<language>/codes.ts`.
    fn labels(language: usize) -> String {
        let mut text =
            "/** Labels of enumerations, written by `make types` from the `codes!` blocks of src/. */\nexport const codes = {\n".to_owned();
        for (name, codes) in all() {
            for code in codes {
                writeln!(text, "  \"{name}.{}\": {},", code.code, serde_json::to_string(code.labels[language]).unwrap()).unwrap();
            }
        }
        text + "};\n"
    }

    /// Run by `make types` with `TS_RS_EXPORT_DIR=js/lib`, like the tests that ts-rs writes types by.
    #[test]
    fn export_bindings_codes() {
        let lib = env::var("TS_RS_EXPORT_DIR").expect(".cargo/config.toml sets it");
        let (lib, locales) = (Path::new(&lib), Path::new(&lib).parent().expect("a folder above").join("locales"));
        for (folder, name, text) in
            [(lib, "codes.ts", values()), (&locales.join("zh-CN"), "codes.ts", labels(0)), (&locales.join("en-US"), "codes.ts", labels(1))]
        {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join(name), text).unwrap();
        }
    }

    #[test]
    fn only_the_listed_steps_are_allowed() {
        let allowed = |from: ReceiptStatus| ReceiptStatus::ALL.iter().copied().filter(|next| from.may_become(*next)).collect::<Vec<_>>();
        assert_eq!(allowed(Waiting), [Confirmed, Rejected]);
        assert_eq!(allowed(Confirmed), [Void]);
        assert_eq!([allowed(Rejected), allowed(Void)], [[]; 2]);
    }

    #[tokio::test]
    async fn codes_are_read_from_and_bound_to_text_columns() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::connect(&format!("sqlite:{}", folder.path().join("t.db").display())).await.unwrap();
        let select = sqlx::query("SELECT $1 AS held, CAST(NULL AS TEXT) AS none, 'blue' AS wrong").bind(Void);
        let row = select.fetch_one(db.read()).await.unwrap();
        assert_eq!(row.try_get::<ReceiptStatus, _>("held").unwrap(), Void);
        assert_eq!(row.try_get::<Option<ReceiptStatus>, _>("held").unwrap(), Some(Void));
        assert_eq!(row.try_get::<Option<ReceiptStatus>, _>("none").unwrap(), None);
        let wrong = row.try_get::<ReceiptStatus, _>("wrong").unwrap_err().to_string();
        assert!(wrong.contains("`blue` is no ReceiptStatus"), "{wrong}");
    }
}
