-- @alone
-- Clues of all organisations by their next contact.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_next_follow ON clue (next_follow_at, stage, created_at, id) WHERE next_follow_at IS NOT NULL;
