-- @alone
-- Clues of a plan.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_plan ON clue (plan_id, created_at, id);
