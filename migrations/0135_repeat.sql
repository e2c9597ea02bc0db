-- The push that a person had sent once more by this one, and what this one tells its buyer where that is not what the applicant said:
-- sealed JSON, none where nothing was edited.
ALTER TABLE push_record ADD COLUMN repeats_id BIGINT;
ALTER TABLE push_record ADD COLUMN edited_enc TEXT;

-- Programs of before would send what the applicant said, and offer a plan again what a person cancelled.
UPDATE schema_fence SET least = 135 WHERE id = 1 AND least < 135;
