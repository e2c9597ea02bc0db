-- Records that a file with whole numbers has shown: they count in the limits of a day alone.
ALTER TABLE reveal ADD COLUMN in_file BIGINT NOT NULL DEFAULT 0;
-- Why the file of an export has whole numbers; null where it has masks.
ALTER TABLE export_task ADD COLUMN plain_reason TEXT;
