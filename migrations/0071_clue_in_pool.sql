-- @alone
-- Clues of a pool, and how many of them are open.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_in_pool ON clue (pool_id, created_at, id, stage) WHERE pool_id IS NOT NULL;
