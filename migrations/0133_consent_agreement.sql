-- @alone
-- Consents of an agreement are counted and listed.
CREATE INDEX CONCURRENTLY IF NOT EXISTS consent_agreement ON consent_record (agreement_id, granted_at);
