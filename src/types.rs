//! Writes the codes of all crates, their labels and the limits of forms as TypeScript, for `make types`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use base::codes::all_exported;

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
