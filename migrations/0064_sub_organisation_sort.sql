-- @alone
-- Teams in their order.
CREATE INDEX CONCURRENTLY IF NOT EXISTS sub_organisation_sort ON sub_organisation (sort, id);
