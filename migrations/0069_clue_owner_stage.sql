-- @alone
-- Open clues of a salesperson, by their next contact.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_owner_stage ON clue (owner_id, stage, next_follow_at);
