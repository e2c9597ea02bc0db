-- @alone
-- Clues whose owners are reminded, by when.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_remind ON clue (remind_at) WHERE remind_at IS NOT NULL;
