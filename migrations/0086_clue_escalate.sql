-- @alone
-- Clues whose contact is overdue, by when.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_escalate ON clue (escalate_at) WHERE escalate_at IS NOT NULL;
