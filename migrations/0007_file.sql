-- Files that people have uploaded; their content is in the storage.
CREATE TABLE file (
  id {{id}},
  storage_key TEXT NOT NULL UNIQUE,
  -- Text alone, never a path.
  name TEXT NOT NULL,
  size BIGINT NOT NULL,
  -- By its content.
  mime TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  -- The kind of record it is for, and the record that has taken it.
  biz_type TEXT NOT NULL,
  biz_id BIGINT,
  uploader_id BIGINT NOT NULL REFERENCES administrator (id),
  -- Since when no record has it; NULL while one does.
  untaken_since BIGINT,
  created_at BIGINT NOT NULL
);
CREATE INDEX file_record ON file (biz_type, biz_id);
CREATE INDEX file_uploader ON file (uploader_id, created_at);
CREATE INDEX file_untaken ON file (untaken_since);
