-- @alone
-- The limits of sign-ins count by where they came from.
CREATE INDEX CONCURRENTLY IF NOT EXISTS login_log_network ON login_log (network, at);
