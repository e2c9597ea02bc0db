-- @alone
-- Consents that were withdrawn, or whose applicants were erased: the filter of applicants, and what is kept long enough.
CREATE INDEX CONCURRENTLY IF NOT EXISTS consent_revoked ON consent_record (revoked_at, user_id) WHERE revoked_at IS NOT NULL;
