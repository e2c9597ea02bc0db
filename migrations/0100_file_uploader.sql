-- Files of customers were brought by no account: uploader_id is NULL.
-- @postgres
ALTER TABLE file ALTER COLUMN uploader_id DROP NOT NULL;
-- @end
-- @sqlite
ALTER TABLE file ADD COLUMN account_id BIGINT REFERENCES administrator (id);
UPDATE file SET account_id = uploader_id;
DROP INDEX file_uploader;
ALTER TABLE file DROP COLUMN uploader_id;
ALTER TABLE file RENAME COLUMN account_id TO uploader_id;
CREATE INDEX file_uploader ON file (uploader_id, created_at);
-- @end
