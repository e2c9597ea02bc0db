-- @alone
-- Clues of a salesperson.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_owner ON clue (owner_id, created_at, id);
