-- @alone
-- A push is repeated once.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS push_record_repeats ON push_record (repeats_id) WHERE repeats_id IS NOT NULL;
