//! An organisation's server that tests can make answer anything.
