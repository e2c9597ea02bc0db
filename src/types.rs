//! Writes the codes of all crates, their labels and the limits of forms as TypeScript, for `make types`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

// Their `codes!` and `form_limits!` blocks are found where they are linked.
use {admin as _, chat as _, crm as _, frame as _, lead as _, pay as _, stats as _, trade as _};

use base::codes::all_exported;
use base::form_limits;

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
    let all = all_exported();
    let names: Vec<_> = all.keys().copied().collect();
    let mut text =
        "/** Codes and allowed steps of enumerations, written by `make types` from the `codes!` blocks of the crates. */\n".to_owned();
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
        "/** Labels of enumerations, written by `make types` from the `codes!` blocks of the crates. */\nexport const codes = {\n"
            .to_owned();
    for (name, codes) in all_exported() {
        for code in codes {
            writeln!(text, "  \"{name}.{}\": {},", code.code, serde_json::to_string(code.labels[language]).unwrap()).unwrap();
        }
    }
    text + "};\n"
}

/// `payerName` of `PAYER_NAME`.
fn camel_of_constant(name: &str) -> String {
    let words = name.split('_').enumerate().map(|(i, word)| match i {
        0 => word.to_lowercase(),
        _ => word[..1].to_owned() + &word[1..].to_lowercase(),
    });
    words.collect()
}

/// `js/lib/limits.ts`.
fn limits() -> String {
    let mut text = "/** Limits of forms, written by `make types` from the `form_limits!` blocks of the crates. */\n".to_owned();
    for (record, limits) in form_limits::all_exported() {
        writeln!(text, "\nexport const {record}Limits = {{").unwrap();
        for (name, value) in limits {
            writeln!(text, "  {}: {value},", camel_of_constant(name)).unwrap();
        }
        text += "} as const;\n";
    }
    text
}

/// Run by `make types` with `TS_RS_EXPORT_DIR=js/lib`, like the tests that ts-rs writes types by.
#[test]
fn export_bindings_codes() {
    let lib = env::var("TS_RS_EXPORT_DIR").expect(".cargo/config.toml sets it");
    let (lib, locales) = (Path::new(&lib), Path::new(&lib).parent().expect("a folder above").join("locales"));
    for (folder, name, text) in [
        (lib, "codes.ts", values()),
        (lib, "limits.ts", limits()),
        (&locales.join("zh-CN"), "codes.ts", labels(0)),
        (&locales.join("en-US"), "codes.ts", labels(1)),
    ] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join(name), text).unwrap();
    }
}
