-- @alone
-- All clues, the newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_created ON clue (created_at, id);
