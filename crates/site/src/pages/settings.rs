//! The layout's settings: `settings.json` of the data folder, in the format that the settings drawer copies. Without
//! the file the specification's defaults apply (section 3).

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use frame::api::preferences::Theme;

/// Name of the file in the data folder.
pub const FILE: &str = "settings.json";
/// Widths of the open menu that leave room for its titles and for the page, CSS pixels.
const MENU_WIDTHS: std::ops::RangeInclusive<u32> = 160..=480;
/// The colour whose shades are in the style sheet.
const THEME_COLOR: &str = "#165DFF";

/// The layout's settings, as in every page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Settings {
    /// The default theme, for browsers without a choice.
    pub theme: Theme,
    /// `#rrggbb`; ten shades are computed from it.
    pub theme_color: String,
    /// Width of the open menu, CSS pixels, 160 to 480.
    pub menu_width: u32,
    pub device: Device,
    pub tab_bar: bool,
    /// The menu is the server's tree; otherwise the route table's own order and titles.
    pub menu_from_server: bool,
    pub navbar: bool,
    pub footer: bool,
    pub menu: bool,
    /// The menu begins as a narrow strip.
    pub menu_collapse: bool,
    /// Inverts the page by 80 %.
    pub color_weak: bool,
    /// The browser's title begins with the record and the page; otherwise it is the project's name.
    pub page_title: bool,
    /// The menu has the two links to other sites, Arco Design and FAQ.
    pub links: bool,
}

/// Part of the specification only: the browser knows its own kind of device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
#[ts(export, export_to = "api-types.ts")]
pub enum Device {
    #[default]
    Desktop,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            theme: Theme::Light,
            theme_color: THEME_COLOR.to_owned(),
            menu_width: 220,
            device: Device::Desktop,
            tab_bar: true,
            menu_from_server: true,
            navbar: false,
            footer: false,
            menu: true,
            menu_collapse: false,
            color_weak: false,
            page_title: false,
            links: true,
        }
    }
}

impl Settings {
    /// Reads the data folder's file, if there is one.
    pub fn load(data: &Path) -> anyhow::Result<Settings> {
        match std::fs::read_to_string(data.join(FILE)) {
            Ok(text) => Settings::parse(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Settings::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads settings. Missing ones have their default; unknown or impossible ones are an error.
    pub fn parse(text: &str) -> anyhow::Result<Settings> {
        let settings: Settings = serde_json::from_str(text)?;
        anyhow::ensure!(
            is_color(&settings.theme_color),
            "themeColor is {:?}; it must be a colour such as {THEME_COLOR}",
            settings.theme_color
        );
        anyhow::ensure!(MENU_WIDTHS.contains(&settings.menu_width), "menuWidth is {}; it must be {MENU_WIDTHS:?}", settings.menu_width);
        Ok(settings)
    }

    /// The settings as the pages' JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("plain fields serialise")
    }

    /// The request to an isolate for the shades of this theme colour (`js/app/server.tsx`); none if the style sheet
    /// has them.
    pub fn shades_request(&self) -> Option<String> {
        (!self.theme_color.eq_ignore_ascii_case(THEME_COLOR)).then(|| serde_json::json!({ "shadesOf": self.theme_color }).to_string())
    }
}

fn is_color(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    // S3.06: the defaults of the specification.
    #[test]
    fn without_a_file_they_are_the_specifications() {
        let defaults = r##"{"theme":"light","themeColor":"#165DFF","menuWidth":220,"device":"desktop","tabBar":true,"menuFromServer":true,"navbar":false,"footer":false,"menu":true,"menuCollapse":false,"colorWeak":false,"pageTitle":false,"links":true}"##;
        assert_eq!(Settings::load(Path::new("/nowhere")).unwrap().json(), defaults);
        assert_eq!(Settings::parse("{}").unwrap(), Settings::default());
        assert_eq!(Settings::parse(defaults).unwrap(), Settings::default());
    }

    #[test]
    fn what_cannot_be_is_named() {
        for (text, named) in [
            (r#"{"navBar": true}"#, "navBar"),
            (r#"{"themeColor": "red"}"#, "themeColor"),
            (r##"{"themeColor": "#12345}"}"##, "themeColor"),
            (r#"{"menuWidth": 20}"#, "menuWidth"),
            (r#"{"theme": "blue"}"#, "blue"),
            ("{", "EOF"),
        ] {
            let error = Settings::parse(text).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
