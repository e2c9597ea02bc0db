//! Networks of addresses as people write them: one address (`10.1.2.3`, `2001:db8::1`), or one with the length of a prefix
//! (`10.0.0.0/8`). An IPv4 address that is written as IPv6 (`::ffff:10.1.2.3`) counts as IPv4.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Characters of the longest text of a network.
pub const LONGEST: usize = 49;
/// Bits before the IPv4 address in one that is written as IPv6.
const MAPPED: u32 = 96;

/// A network, or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// All bits after the prefix are 0.
    first: IpAddr,
    prefix: u32,
}

/// Why a text is not a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotANetwork {
    /// It does not begin with an address.
    Address,
    /// The part after the slash is not a number from 0 to `longest`.
    Prefix { longest: u32 },
}

impl Network {
    fn of(address: IpAddr, prefix: u32) -> Network {
        let first = match address {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(Ipv4Addr::BITS - prefix).unwrap_or(0);
                IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & mask))
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(Ipv6Addr::BITS - prefix).unwrap_or(0);
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask))
            }
        };
        Network { first, prefix }
    }

    /// Whether an address is in the network. An IPv4 address is in no IPv6 network, not even in `::/0`.
    pub fn contains(self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv4() == self.first.is_ipv4() && Network::of(address, self.prefix).first == self.first
    }
}

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Network, NotANetwork> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse().map_err(|_| NotANetwork::Address)?;
        let longest = width(address);
        let prefix = match prefix {
            Some(digits) => length(digits).filter(|length| *length <= longest).ok_or(NotANetwork::Prefix { longest })?,
            None => longest,
        };
        let canonical = address.to_canonical();
        Ok(match address.is_ipv6() && canonical.is_ipv4() && prefix >= MAPPED {
            true => Network::of(canonical, prefix - MAPPED),
            false => Network::of(address, prefix),
        })
    }
}

/// A single address without its prefix.
impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.prefix == width(self.first) {
            true => self.first.fmt(formatter),
            false => write!(formatter, "{}/{}", self.first, self.prefix),
        }
    }
}

fn width(address: IpAddr) -> u32 {
    if address.is_ipv4() { Ipv4Addr::BITS } else { Ipv6Addr::BITS }
}

/// Digits and nothing else: no sign.
fn length(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Several networks, parsed once for many checks.
#[derive(Debug, Default)]
pub struct Networks(Vec<Network>);

impl Networks {
    /// The empty list.
    pub const NONE: &'static Networks = &Networks(Vec::new());

    /// The networks among some texts.
    pub fn of(texts: &[String]) -> Networks {
        Networks(texts.iter().filter_map(|text| text.parse().ok()).collect())
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an address is in one of them. A text that is not an address is in none.
    pub fn contain(&self, address: &str) -> bool {
        !self.is_empty() && address.parse::<IpAddr>().is_ok_and(|address| self.0.iter().any(|network| network.contains(address)))
    }
}

/// Whether a host in an address is not obviously in our own network. The addresses of a name are only known at the
/// call.
pub fn is_public_host(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').to_lowercase();
    match host.parse::<IpAddr>() {
        Ok(ip) => is_public_ip(ip),
        Err(_) => {
            // A last part of digits is an address in another notation: 127.1, 0x7f.1.
            let last = host.rsplit('.').next().unwrap_or_default();
            let odd = last.starts_with(|first: char| first.is_ascii_digit());
            let private = [".local", ".localhost", ".internal", ".lan"].iter().any(|end| host.ends_with(end));
            host.contains('.') && !odd && !private
        }
    }
}

/// IPv4 networks that are not public (RFC 6890 and later ones), and those at which a cloud answers its own machines.
const SPECIAL_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([168, 63, 129, 16], 32),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

/// IPv6 networks within `2000::/3` that are not public; outside of it nothing is public. Some of them lead to an IPv4
/// address.
const SPECIAL_V6: &[([u16; 2], u32)] = &[([0x2001, 0], 23), ([0x2001, 0xdb8], 32), ([0x2002, 0], 16), ([0x3ffe, 0], 16), ([0x3fff, 0], 20)];

/// Whether an address is publicly reachable.
fn is_public_ip(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => {
            let within = |(base, prefix): &([u8; 4], u32)| (ip.to_bits() ^ u32::from_be_bytes(*base)) >> (32 - prefix) == 0;
            !SPECIAL_V4.iter().any(within)
        }
        IpAddr::V6(ip) => {
            let beginning = u32::try_from(ip.to_bits() >> 96).expect("32 of 128 bits");
            let base = |[high, low]: [u16; 2]| u32::from(high) << 16 | u32::from(low);
            let within = |(network, prefix): &([u16; 2], u32)| (beginning ^ base(*network)) >> (32 - prefix) == 0;
            beginning >> 29 == 0b001 && !SPECIAL_V6.iter().any(within)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Result<String, NotANetwork> {
        text.parse::<Network>().map(|network| network.to_string())
    }

    #[test]
    fn a_network_is_kept_in_its_shortest_form() {
        for (text, kept) in [
            ("10.1.2.3", "10.1.2.3"),
            ("10.1.2.3/32", "10.1.2.3"),
            ("10.1.2.3/8", "10.0.0.0/8"),
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("198.51.100.31/28", "198.51.100.16/28"),
            ("2001:DB8:0:0::1", "2001:db8::1"),
            ("2001:db8:1:2:3::/48", "2001:db8:1::/48"),
            ("::/0", "::/0"),
            ("::ffff:10.1.2.3", "10.1.2.3"),
            ("::ffff:10.1.2.3/104", "10.0.0.0/8"),
            ("::ffff:0:0/96", "0.0.0.0/0"),
            ("::ffff:10.1.2.3/64", "::/64"),
        ] {
            assert_eq!(written(text).as_deref(), Ok(kept), "{text}");
            assert_eq!(written(kept).as_deref(), Ok(kept), "{kept}");
        }
    }

    #[test]
    fn a_malformed_network_is_refused_with_a_reason() {
        for text in ["", "10.1.2", "10.1.2.300", "010.1.2.3", "example.com", "10.1.2.3 ", "unknown", "/8", "fe80::1%eth0", "[::1]", "10.*"]
        {
            assert_eq!(written(text), Err(NotANetwork::Address), "{text}");
        }
        for text in ["10.1.2.3/33", "10.1.2.3/", "10.1.2.3/+8", "10.0.0.0/8/8", "10.0.0.0/255.0.0.0", "10.0.0.0/99999999999"] {
            assert_eq!(written(text), Err(NotANetwork::Prefix { longest: 32 }), "{text}");
        }
        assert_eq!(written("::1/129"), Err(NotANetwork::Prefix { longest: 128 }));
    }

    #[test]
    fn networks_contain_their_addresses_and_no_others() {
        let networks = |text: &str| Networks::of(&[text.to_owned(), "192.0.2.1".to_owned()]);
        for (text, address) in [
            ("10.1.2.3", "10.1.2.3"),
            ("10.0.0.0/8", "::ffff:10.1.2.3"),
            ("::ffff:10.1.2.3", "10.1.2.3"),
            ("198.51.100.16/28", "198.51.100.31"),
            ("0.0.0.0/0", "1.2.3.4"),
            ("2001:db8::/32", "2001:db8::7"),
            ("::/0", "::1"),
        ] {
            assert!(networks(text).contain(address), "{text} {address}");
        }
        for (text, address) in [
            ("10.1.2.3", "10.1.2.4"),
            ("10.0.0.0/8", "11.0.0.1"),
            ("198.51.100.16/28", "198.51.100.32"),
            ("0.0.0.0/0", "::1"),
            ("::/0", "1.2.3.4"),
            ("::/0", "::ffff:1.2.3.4"),
            ("2001:db8::/32", "2001:db9::7"),
            ("0.0.0.0/0", "unknown"),
            ("0.0.0.0/0", ""),
        ] {
            assert!(!networks(text).contain(address), "{text} {address}");
        }
        assert!(Networks::NONE.is_empty() && !Networks::NONE.contain("10.1.2.3"));
    }

    #[test]
    fn only_public_hosts_are_called() {
        for good in ["example.com", "api.example.com.", "8.8.8.8", "[2001:4860::1]", "100.1.1.1"] {
            assert!(is_public_host(good), "{good}");
        }
        for bad in [
            "",
            "localhost",
            "intranet",
            "a.local",
            "127.0.0.1",
            "127.1",
            "0x7f.0x1",
            "2130706433",
            "10.0.0.1",
            "100.64.0.1",
            "169.254.169.254",
            "0.0.0.0",
            "224.0.0.1",
            "[::1]",
            "[::ffff:10.0.0.1]",
            "[fd00::1]",
            "[fe80::1]",
        ] {
            assert!(!is_public_host(bad), "{bad}");
        }
    }

    /// S-L8: every special network, at its first address, its last, and just outside of it.
    #[test]
    fn no_special_network_is_public() {
        for (first, last, outside) in [
            ("0.0.0.0", "0.255.255.255", "1.0.0.0"),
            ("10.0.0.0", "10.255.255.255", "11.0.0.0"),
            ("100.64.0.0", "100.127.255.255", "100.128.0.0"),
            ("100.100.100.200", "100.100.100.200", "100.63.255.255"),
            ("127.0.0.0", "127.255.255.255", "128.0.0.0"),
            ("168.63.129.16", "168.63.129.16", "168.63.129.17"),
            ("169.254.0.0", "169.254.255.255", "169.253.255.255"),
            ("172.16.0.0", "172.31.255.255", "172.32.0.0"),
            ("192.0.0.0", "192.0.0.255", "192.0.1.0"),
            ("192.0.2.0", "192.0.2.255", "192.0.3.0"),
            ("192.88.99.0", "192.88.99.255", "192.88.100.0"),
            ("192.168.0.0", "192.168.255.255", "192.169.0.0"),
            ("198.18.0.0", "198.19.255.255", "198.20.0.0"),
            ("198.51.100.0", "198.51.100.255", "198.51.101.0"),
            ("203.0.113.0", "203.0.113.255", "203.0.114.0"),
            ("224.0.0.0", "255.255.255.255", "223.255.255.255"),
            ("::", "::1", "2001:4860:4860::8888"),
            ("::7f00:1", "::ffff:127.0.0.1", "::ffff:8.8.8.8"),
            ("64:ff9b::", "64:ff9b::a00:1", "2400::"),
            ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "2600::1"),
            ("100::", "100::ffff:ffff:ffff:ffff", "2606:4700::1111"),
            ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"),
            ("2002::", "2002:a00:1:ffff:ffff:ffff:ffff:ffff", "2003::"),
            ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"),
            ("4000::", "5f00::1", "2a00::"),
            ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "240e::1"),
            ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2408::1"),
            ("fec0::", "ff02::1", "2409::1"),
        ] {
            assert!(!is_public_host(first) && !is_public_host(last), "{first} to {last}");
            assert!(!is_public_host(&format!("[{first}]")), "{first}");
            assert!(is_public_host(outside), "{outside}");
        }
    }
}
