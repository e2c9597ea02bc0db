-- @alone
-- Files of before that are still to be encrypted, and those of which the copy in clear is still to be deleted.
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_unsealed ON file (id) WHERE key_enc IS NULL OR spare_key IS NOT NULL;
