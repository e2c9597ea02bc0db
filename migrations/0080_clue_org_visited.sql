-- @alone
-- Visits of an organisation by time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_org_visited ON clue (org_id, visited_at) WHERE visited_at IS NOT NULL;
