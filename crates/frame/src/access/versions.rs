//! The versions of tables that the program keeps answers of, as the statement that reads a session has read them.
//!
//! Triggers raise a version in the transaction that changes its table (`migrations/0185_table_version.sql`). So data
//! that is read after a version is at least as new as the version says.

use strum::{EnumCount, EnumString, IntoStaticStr};

/// The tables with a version, by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumCount, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Table {
    Administrator,
    Agreement,
    Channel,
    ChatGroup,
    ChatWechat,
    CluePool,
    DictItem,
    DictType,
    GeneralSetting,
    Organisation,
    PayeeChannel,
    PayeeOrganisation,
    Plan,
    Product,
    Role,
    Salesperson,
    SubOrganisation,
}

/// A version of each table: counted from 1, 0 if it was not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versions([i64; Table::COUNT]);

impl Versions {
    /// An expression of SQL: all versions as one text, such as `channel 7 plan 12`.
    pub const EXPRESSION: &'static str = "(SELECT string_agg(v.name || ' ' || CAST(v.version AS TEXT), ' ') FROM table_version v)";

    /// Reads the text of [`Versions::EXPRESSION`]. Tables that only a newer program knows are passed over.
    pub fn parse(text: &str) -> Versions {
        let mut versions = Versions::default();
        let mut words = text.split(' ');
        while let (Some(name), Some(version)) = (words.next(), words.next()) {
            if let (Ok(table), Ok(version)) = (name.parse::<Table>(), version.parse()) {
                versions.0[table as usize] = version;
            }
        }
        versions
    }

    /// The version of a table; none if it was not read.
    pub fn of(&self, table: Table) -> Option<i64> {
        Some(self.0[table as usize]).filter(|version| *version > 0)
    }

    /// The versions of some tables, in their order; none if one of them was not read.
    pub fn of_all(&self, tables: &[Table]) -> Option<Vec<i64>> {
        tables.iter().map(|table| self.of(*table)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_by_name() {
        let versions = Versions::parse("plan 12 of_a_newer_program 3 channel 7");
        assert_eq!(versions.of_all(&[Table::Channel, Table::Plan]), Some(vec![7, 12]));
        assert_eq!(versions.of_all(&[Table::Channel, Table::Role]), None, "one was not read");
        assert_eq!(Versions::parse(""), Versions::default());
    }
}
