-- @alone
-- Contracts of a salesperson by time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_signed ON clue (signed_by, signed_at) WHERE signed_at IS NOT NULL;
