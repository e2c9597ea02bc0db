//! The name of a browser in a few common words.

use base::locale::Locale;

/// A browser and its system; empty if unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Client {
    /// Name and major version, e.g. `Chrome 126`.
    pub browser: String,
    /// E.g. `Windows 10/11`, `Android 14`.
    pub os: String,
}

/// Browsers by the mark that distinguishes them from their engine, the more specific ones first: nearly all of them
/// also contain Chrome and Safari. The version follows the mark; then the Chinese and the English name.
const BROWSERS: &[(&str, &str, &str)] = &[
    ("wxwork/", "企业微信", "WeCom"),
    ("MicroMessenger/", "微信", "WeChat"),
    ("DingTalk/", "钉钉", "DingTalk"),
    ("Lark/", "飞书", "Lark"),
    ("MQQBrowser/", "QQ 浏览器", "QQ Browser"),
    ("QQBrowser/", "QQ 浏览器", "QQ Browser"),
    ("360SE", "360 浏览器", "360 Browser"),
    ("360EE", "360 浏览器", "360 Browser"),
    ("QIHU 360", "360 浏览器", "360 Browser"),
    ("MetaSr ", "搜狗浏览器", "Sogou Browser"),
    ("UCBrowser/", "UC 浏览器", "UC Browser"),
    ("HuaweiBrowser/", "华为浏览器", "Huawei Browser"),
    ("MiuiBrowser/", "小米浏览器", "Mi Browser"),
    ("SamsungBrowser/", "Samsung Internet", "Samsung Internet"),
    ("EdgA/", "Edge", "Edge"),
    ("EdgiOS/", "Edge", "Edge"),
    ("Edg/", "Edge", "Edge"),
    ("Edge/", "Edge", "Edge"),
    ("OPR/", "Opera", "Opera"),
    ("FxiOS/", "Firefox", "Firefox"),
    ("Firefox/", "Firefox", "Firefox"),
    ("CriOS/", "Chrome", "Chrome"),
    ("HeadlessChrome/", "Chrome", "Chrome"),
    ("Chrome/", "Chrome", "Chrome"),
    ("Version/", "Safari", "Safari"),
    ("MSIE ", "Internet Explorer", "Internet Explorer"),
    ("Trident/", "Internet Explorer", "Internet Explorer"),
    ("curl/", "curl", "curl"),
];

/// Systems by their mark. Windows has reported version 10 since then, and macOS 10.15.
const SYSTEMS: &[(&str, &str)] = &[
    ("OpenHarmony", "HarmonyOS"),
    ("HarmonyOS", "HarmonyOS"),
    ("Windows Phone", "Windows Phone"),
    ("Windows NT 10.0", "Windows 10/11"),
    ("Windows NT 6.3", "Windows 8.1"),
    ("Windows NT 6.2", "Windows 8"),
    ("Windows NT 6.1", "Windows 7"),
    ("Windows NT 5.1", "Windows XP"),
    ("Windows", "Windows"),
    ("iPad", "iPadOS"),
    ("iPhone", "iOS"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// Reads a `User-Agent` header.
pub fn read(text: &str, locale: Locale) -> Client {
    let browser = BROWSERS.iter().find_map(|(mark, chinese, english)| {
        let (name, version) = (locale.pick(chinese, english), major(text.split_once(mark)?.1));
        // Trident is the engine, which has its own versions.
        Some(if version.is_empty() || *mark == "Trident/" { (*name).to_owned() } else { format!("{name} {version}") })
    });
    let android = text.split_once("Android ").map(|(_, rest)| format!("Android {}", major(rest)));
    let system = SYSTEMS.iter().find_map(|(mark, name)| text.contains(mark).then(|| (*name).to_owned()));
    let os = match (android, system) {
        (Some(android), None) => Some(android),
        (Some(android), Some(system)) if system == "Linux" => Some(android),
        (_, system) => system,
    };
    Client { browser: browser.unwrap_or_default(), os: os.unwrap_or_default().trim_end().to_owned() }
}

/// The number at the beginning of a text, of at most four digits.
fn major(text: &str) -> &str {
    let digits = text.bytes().take(4).take_while(u8::is_ascii_digit).count();
    &text[..digits]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_known_by_their_own_names() {
        let chrome = "(KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
        for (text, browser, os) in [
            (format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 {chrome}"), "Chrome 126", "Windows 10/11"),
            (format!("Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 {chrome} Edg/109.0.1518.61"), "Edge 109", "Windows 7"),
            (format!("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 {chrome} QIHU 360EE"), "360 浏览器", "Windows 10/11"),
            (format!("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 {chrome}"), "Chrome 126", "Android 14"),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0".to_owned(), "Firefox 128", "Linux"),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15"
                    .to_owned(),
                "Safari 17",
                "macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.49"
                    .to_owned(),
                "微信 8",
                "iOS",
            ),
            ("Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko".to_owned(), "Internet Explorer", "Windows 7"),
            ("curl/8.5.0".to_owned(), "curl 8", ""),
            ("nothing anybody knows".to_owned(), "", ""),
            (String::new(), "", ""),
            ("Chrome/".to_owned(), "Chrome", ""),
            ("Android 中文 Chrome/９９".to_owned(), "Chrome", "Android"),
        ] {
            assert_eq!(read(&text, Locale::Chinese), Client { browser: browser.to_owned(), os: os.to_owned() }, "{text}");
        }
        assert_eq!(read("MicroMessenger/8.0.49", Locale::English).browser, "WeChat 8");
    }
}
