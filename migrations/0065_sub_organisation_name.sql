-- @alone
-- Teams by name.
CREATE INDEX CONCURRENTLY IF NOT EXISTS sub_organisation_name ON sub_organisation (name, id);
