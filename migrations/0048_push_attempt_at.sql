-- @alone
-- Tries that are too old to be kept are found by their age.
CREATE INDEX CONCURRENTLY IF NOT EXISTS push_attempt_at ON push_attempt (at);
