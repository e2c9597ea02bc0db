-- @alone
-- The limits of codes count by where they were asked for.
CREATE INDEX CONCURRENTLY IF NOT EXISTS verification_code_network ON verification_code (network, created_at);
