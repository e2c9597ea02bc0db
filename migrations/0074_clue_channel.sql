-- @alone
-- Clues of a channel.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_channel ON clue (channel_id, created_at, id);
