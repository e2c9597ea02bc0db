-- @alone
-- Entries of all accounts, in the order of their times.
CREATE INDEX CONCURRENTLY IF NOT EXISTS account_ledger_time ON account_ledger (at, id);
