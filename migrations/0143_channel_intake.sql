-- What an application of a channel must say besides phone and name, as a JSON list of fields of an applicant, and among
-- whose applications a repeated one is looked for: those of the `channel` alone, or of the whole `site`, as before.
ALTER TABLE channel ADD COLUMN required_fields TEXT NOT NULL DEFAULT '[]';
ALTER TABLE channel ADD COLUMN dedup_scope TEXT NOT NULL DEFAULT 'site';
