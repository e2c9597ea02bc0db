-- @alone
-- The filter of pushes.
CREATE INDEX CONCURRENTLY IF NOT EXISTS push_record_auth ON push_record (auth_status, created_at, id) WHERE auth_status IS NOT NULL;
