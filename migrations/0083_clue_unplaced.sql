-- @alone
-- Clues without an owner or a pool, which the CRM's worker places.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_unplaced ON clue (id) WHERE owner_id IS NULL AND pool_id IS NULL;
