-- @alone
-- Teams, the newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS sub_organisation_created ON sub_organisation (created_at, id);
