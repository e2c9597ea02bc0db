//! The XML in which WeChat delivers messages and takes answers: one element with fields of text.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::Event;

/// Fields of a message, at most, and how deep elements stand in each other.
const MOST_FIELDS: usize = 100;
const DEEPEST: usize = 8;

/// The error for text that is not such XML.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the XML cannot be read")]
pub struct Unreadable;

/// The fields of a message by their names. Elements within a field are ignored. A document type is refused, so that
/// only the entities of XML itself are replaced.
pub fn fields(text: &str) -> Result<BTreeMap<String, String>, Unreadable> {
    let mut reader = Reader::from_str(text);
    let mut fields = BTreeMap::new();
    let mut open: Vec<String> = Vec::new();
    let mut value = String::new();
    let mut ended = false;
    loop {
        match reader.read_event().map_err(|_| Unreadable)? {
            Event::Start(start) => {
                let name = start.name().as_ref().to_owned();
                if ended || open.len() >= DEEPEST || (open.is_empty() && name != "xml") {
                    return Err(Unreadable);
                }
                open.push(name);
                value.clear();
            }
            Event::End(_) => {
                let name = open.pop().ok_or(Unreadable)?;
                match open.len() {
                    0 => ended = true,
                    // No database stores this character.
                    1 if value.contains('\0') => return Err(Unreadable),
                    1 => drop(fields.insert(name, std::mem::take(&mut value))),
                    _ => value.clear(),
                }
                if fields.len() > MOST_FIELDS {
                    return Err(Unreadable);
                }
            }
            Event::Text(text) if open.len() == 2 => value.push_str(&text),
            Event::CData(text) if open.len() == 2 => value.push_str(&text),
            Event::GeneralRef(entity) if open.len() == 2 => match entity.resolve_char_ref().map_err(|_| Unreadable)? {
                Some(character) => value.push(character),
                None => value.push_str(resolve_xml_entity(&entity).ok_or(Unreadable)?),
            },
            Event::DocType(_) => return Err(Unreadable),
            Event::Eof => break,
            _ => {}
        }
    }
    match ended && open.is_empty() {
        true => Ok(fields),
        false => Err(Unreadable),
    }
}

/// XML of some fields, each as CDATA.
pub fn of(fields: &[(&str, &str)]) -> String {
    let mut text = String::from("<xml>");
    for (name, value) in fields {
        text.push_str(&format!("<{name}><![CDATA[{}]]></{name}>", value.replace("]]>", "]]]]><![CDATA[>")));
    }
    text + "</xml>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_from_cdata_and_text() {
        let text = "<xml><ToUserName><![CDATA[gh_1]]></ToUserName>\n<CreateTime>1348831860</CreateTime><Content>a &lt; b &#65;</Content>\
                    <ScanCodeInfo><ScanType>qr</ScanType></ScanCodeInfo><Empty/></xml>";
        let read = fields(text).unwrap();
        assert_eq!(read["ToUserName"], "gh_1");
        assert_eq!(read["CreateTime"], "1348831860");
        assert_eq!(read["Content"], "a < b A");
        assert_eq!(read["ScanCodeInfo"], "");
        assert!(!read.contains_key("ScanType"));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = of(&[("Content", "a]]>b <i>&amp;"), ("Nonce", "1")]);
        assert_eq!(fields(&text).unwrap()["Content"], "a]]>b <i>&amp;");
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let bomb = "<!DOCTYPE xml [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><xml><Content>&b;</Content></xml>";
        let deep = format!("{}{}", "<xml>".repeat(50), "</xml>".repeat(50));
        let many = format!("<xml>{}</xml>", (0..200).map(|n| format!("<f{n}>1</f{n}>")).collect::<String>());
        for text in [
            "",
            "x",
            "<xml>",
            "<xml></other>",
            "<other></other>",
            "<xml></xml><xml></xml>",
            "<xml><Content>&unknown;</Content></xml>",
            "<xml><Content>a\0b</Content></xml>",
            "<xml><Content>a&#0;b</Content></xml>",
            bomb,
            &deep,
            &many,
        ] {
            assert_eq!(fields(text), Err(Unreadable), "{text}");
        }
    }
}
