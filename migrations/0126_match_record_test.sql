-- @alone
-- Rounds and questions about test leads are few among the others.
CREATE INDEX CONCURRENTLY IF NOT EXISTS match_record_test ON match_record (created_at, id) WHERE test = 1;
