-- @alone
-- Contracts of an organisation by time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_org_signed ON clue (org_id, signed_at) WHERE signed_at IS NOT NULL;
