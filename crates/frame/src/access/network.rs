//! The network of a caller, for limits: the owner of one IPv6 address has the 2^64 beside it, and the owner of an
//! IPv4 address often some of its neighbours. And whether the settings allow people to sign in and work from there.

use std::net::{IpAddr, Ipv4Addr};

use super::session::Origin;
use crate::setting::{self, Values};
use base::networks::Networks;

/// An address and the network around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whence {
    /// The unit that counts as one address: itself, or the /64 of an IPv6 address.
    pub address: String,
    /// The unit that counts as its neighbourhood: the /24 of an IPv4 address, otherwise the same.
    pub network: String,
}

impl Whence {
    /// Reads where a request comes from.
    pub fn of(origin: &Origin) -> Whence {
        let Ok(ip) = origin.ip.parse::<IpAddr>() else {
            // The console, or an address that the server could not determine.
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

/// The settings on addresses from which people sign in and work. Each request reads them: empty lists cost a look
/// into an empty map.
#[derive(Clone, Copy)]
pub struct AddressRules<'v> {
    values: &'v Values,
    denied: &'v Networks,
    allowed: &'v Networks,
}

impl<'v> AddressRules<'v> {
    /// The rules in settings that are read already.
    pub fn of(values: &'v Values) -> AddressRules<'v> {
        AddressRules {
            values,
            denied: values.networks(&setting::SECURITY_SIGN_IN_DENY),
            allowed: values.networks(&setting::SECURITY_SIGN_IN_ALLOW),
        }
    }

    /// Whether no account may sign in or work from an address. An unknown address is on no list.
    pub fn deny(self, ip: &str) -> bool {
        self.denied.contain(ip)
    }

    /// Whether some roles may not be used from an address, since it is not on the allow list. An unknown address is
    /// not on it.
    pub fn limit(self, ip: &str) -> bool {
        self.is_outside(ip) && !self.roles().is_empty()
    }

    /// Whether a role may not be used from an address: the deny list comes first, for every role.
    pub fn refuse(self, role: &str, ip: &str) -> bool {
        self.deny(ip) || self.is_outside(ip) && self.roles().iter().any(|code| code == role)
    }

    fn is_outside(self, ip: &str) -> bool {
        !self.allowed.is_empty() && !self.allowed.contain(ip)
    }

    /// Codes of the roles to which the allow list applies.
    fn roles(self) -> Vec<String> {
        self.values.get(&setting::SECURITY_SIGN_IN_NETWORK_ROLES)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::setting::stored::Stored;

    /// Settings that hold these JSON texts.
    fn values(rows: &[(&str, &str)]) -> Values {
        let stored =
            |value: &str| Stored { value: Some(value.to_owned()), version: 1, updated_at: 0, updated_by: None, updated_by_name: None };
        Values::of(rows.iter().map(|(key, value)| ((*key).to_owned(), stored(value))).collect::<HashMap<_, _>>())
    }

    const ALLOW: (&str, &str) = ("security.sign_in_allow", r#"["10.0.0.0/8", "2001:db8::/32"]"#);
    const DENY: (&str, &str) = ("security.sign_in_deny", r#"["10.6.6.6"]"#);
    const ROLES: (&str, &str) = ("security.sign_in_network_roles", r#"["operator"]"#);

    #[test]
    fn empty_lists_refuse_nothing() {
        for rows in [&[][..], &[ROLES]] {
            let values = values(rows);
            let rules = AddressRules::of(&values);
            for ip in ["10.1.2.3", "2001:db8::1", "unknown"] {
                assert!(!rules.deny(ip) && !rules.limit(ip) && !rules.refuse("operator", ip), "{ip}");
            }
        }
        let values = values(&[ALLOW]);
        assert!(!AddressRules::of(&values).limit("203.0.113.9"), "without a role the allow list has no effect");
    }

    #[test]
    fn deny_beats_allow_and_binds_every_role() {
        let values = values(&[ALLOW, DENY, ROLES]);
        let rules = AddressRules::of(&values);
        for (role, ip, refused) in [
            ("operator", "10.1.2.3", false),
            ("operator", "::ffff:10.1.2.3", false),
            ("operator", "2001:db8::1", false),
            ("operator", "203.0.113.9", true),
            ("operator", "unknown", true),
            ("operator", "10.6.6.6", true),
            ("auditor", "203.0.113.9", false),
            ("auditor", "unknown", false),
            ("auditor", "10.6.6.6", true),
            ("auditor", "::ffff:10.6.6.6", true),
        ] {
            assert_eq!(rules.refuse(role, ip), refused, "{role} {ip}");
        }
        assert!(rules.limit("203.0.113.9") && rules.limit("unknown") && !rules.limit("10.1.2.3"));
    }

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
