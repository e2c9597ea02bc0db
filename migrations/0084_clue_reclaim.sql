-- @alone
-- Clues that go back to a pool, by when.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_reclaim ON clue (reclaim_at) WHERE reclaim_at IS NOT NULL;
