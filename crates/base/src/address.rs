//! Network addresses: the unit by which one counts, and whether one is in a list of addresses and networks.

use std::net::{IpAddr, Ipv6Addr};

use crate::networks::Network;

/// The origin of a sender, as shared limits count it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// [`counted`].
    pub network: String,
    /// The /48 of an IPv6 address (`2001:db8::/48`), which gets half of a limit: homes are given a /56 and sites a
    /// /48, each with many networks. None for other addresses.
    pub site: Option<String>,
}

impl Sender {
    /// The sender at an address.
    pub fn at(address: &str) -> Sender {
        let site = match address.parse::<IpAddr>().map(|address| address.to_canonical()) {
            Ok(IpAddr::V6(address)) => Some(prefix(address, 48)),
            _ => None,
        };
        Sender { network: counted(address), site }
    }
}

/// The unit by which an address counts, wherever tries, codes or visits of one address are limited: an IPv4 address
/// as itself, also if it is written as IPv6, and an IPv6 address as its /64 (`2001:db8::/64`). A household or a
/// server has at least a /64, and may use any of its addresses. A text that is not an address counts as it is.
pub fn counted(address: &str) -> String {
    match address.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V4(address)) => address.to_string(),
        Ok(IpAddr::V6(address)) => prefix(address, 64),
        Err(_) => address.to_owned(),
    }
}

/// The network of an address with so many bits of a prefix: `2001:db8::/48`.
fn prefix(address: Ipv6Addr, bits: u32) -> String {
    format!("{}/{bits}", Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - bits))))
}

/// Whether `address` is in one of the networks; an empty list allows all.
pub fn is_allowed(address: &str, networks: &[String]) -> bool {
    if networks.is_empty() {
        return true;
    }
    let Ok(address) = address.parse::<IpAddr>() else { return false };
    networks.iter().filter_map(|network| network.parse::<Network>().ok()).any(|network| network.contains(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-M1: one /64 is one sender.
    #[test]
    fn an_address_is_counted_as_whoever_it_was_given_to() {
        for (address, as_what) in [
            ("203.0.113.9", "203.0.113.9"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
            ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
            ("2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
            ("::1", "::/64"),
            ("unknown", "unknown"),
        ] {
            assert_eq!(counted(address), as_what, "{address}");
        }
    }

    #[test]
    fn a_sender_over_ipv6_has_a_site() {
        for (address, site) in [
            ("203.0.113.9", None),
            ("::ffff:203.0.113.9", None),
            ("unknown", None),
            ("2001:db8:1:2::1", Some("2001:db8:1::/48")),
            ("2001:db8:1:ffff::1", Some("2001:db8:1::/48")),
            ("2001:db8:2:2::1", Some("2001:db8:2::/48")),
        ] {
            let sender = Sender::at(address);
            assert_eq!((sender.network, sender.site.as_deref()), (counted(address), site), "{address}");
        }
    }

    #[test]
    fn networks_hold_their_addresses_and_no_others() {
        let list = |text: &[&str]| text.iter().map(|network| (*network).to_owned()).collect::<Vec<_>>();
        assert!(is_allowed("unknown", &[]));
        for (address, network) in [
            ("10.1.2.3", "10.1.2.3"),
            ("10.1.2.3", "10.0.0.0/8"),
            ("198.51.100.31", "198.51.100.16/28"),
            ("1.2.3.4", "0.0.0.0/0"),
            ("::ffff:10.1.2.3", "10.0.0.0/8"),
            ("2001:db8::7", "2001:db8::/32"),
            ("::1", "::/0"),
        ] {
            assert!(is_allowed(address, &list(&["192.0.2.1", network])), "{address} {network}");
        }
        for (address, network) in [
            ("10.1.2.4", "10.1.2.3"),
            ("11.0.0.1", "10.0.0.0/8"),
            ("198.51.100.32", "198.51.100.16/28"),
            ("::1", "0.0.0.0/0"),
            ("2001:db9::7", "2001:db8::/32"),
            ("unknown", "0.0.0.0/0"),
        ] {
            assert!(!is_allowed(address, &list(&[network])), "{address} {network}");
        }
    }
}
