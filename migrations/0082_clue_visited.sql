-- @alone
-- Visits of a salesperson by time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_visited ON clue (visited_by, visited_at) WHERE visited_at IS NOT NULL;
