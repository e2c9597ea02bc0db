//! Where a person comes from, as far as limits count: who holds one address of the sixth version
//! holds the 2^64 beside it, and who holds one of the fourth often some of its neighbours.

use std::net::{IpAddr, Ipv4Addr};

use super::session::Origin;

/// An address and the network about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whence {
    /// What counts as one address: itself, or the /64 of an IPv6 address.
    pub address: String,
    /// What counts as its neighbourhood: the /24 of an IPv4 address, else the same.
    pub network: String,
}

impl Whence {
    /// Reads where a request comes from.
    pub fn of(origin: &Origin) -> Whence {
        let Ok(ip) = origin.ip.parse::<IpAddr>() else {
            // The console, or an address that the server could not learn.
            return Whence { address: origin.ip.clone(), network: origin.ip.clone() };
        };
        match ip.to_canonical() {
            IpAddr::V4(ip) => {
                let [a, b, c, _] = ip.octets();
                Whence { address: ip.to_string(), network: format!("{}/24", Ipv4Addr::new(a, b, c, 0)) }
            }
            IpAddr::V6(ip) => {
                let [a, b, c, d, ..] = ip.segments();
                let network = format!("{a:x}:{b:x}:{c:x}:{d:x}::/64");
                Whence { address: network.clone(), network }
            }
        }
    }

    /// Whether the address counts as a whole network.
    pub fn is_network(&self) -> bool {
        self.address == self.network
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whence(ip: &str) -> (String, String) {
        let whence = Whence::of(&Origin { ip: ip.to_owned(), user_agent: String::new() });
        (whence.address, whence.network)
    }

    #[test]
    fn neighbours_are_of_one_network() {
        assert_eq!(whence("203.0.113.9"), ("203.0.113.9".to_owned(), "203.0.113.0/24".to_owned()));
        assert_eq!(whence("::ffff:203.0.113.9"), whence("203.0.113.9"));
        assert_eq!(whence("2001:db8:0:7::1"), whence("2001:db8:0:7:ffff::2"));
        assert_ne!(whence("2001:db8:0:7::1"), whence("2001:db8:0:8::1"));
        assert_eq!(whence("unknown"), ("unknown".to_owned(), "unknown".to_owned()));
    }
}
