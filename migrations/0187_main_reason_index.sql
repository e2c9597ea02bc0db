-- @alone
-- Unsold applicants by their main reason, the newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS applicant_main_reason ON applicant (main_reason, created_at, id) WHERE main_reason IS NOT NULL;
