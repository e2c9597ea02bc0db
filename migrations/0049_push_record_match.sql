-- @alone
-- Whoever deletes an old question asks which leads name it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS push_record_match ON push_record (match_id) WHERE match_id IS NOT NULL;
