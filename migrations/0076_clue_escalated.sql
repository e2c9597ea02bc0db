-- @alone
-- Clues whose contact is overdue, by how long.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_escalated ON clue (escalation, stage, created_at, id) WHERE escalation > 0;
