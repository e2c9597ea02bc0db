-- That an applicant must agree on the organisation's own page before the lead is sent: how that stands, until when it is waited for,
-- and the page's address, sealed, while it is. None where nothing of the kind was asked.
ALTER TABLE push_record ADD COLUMN auth_status TEXT;
ALTER TABLE push_record ADD COLUMN auth_until BIGINT;
ALTER TABLE push_record ADD COLUMN auth_url_enc TEXT;

-- Programs of before would send the lead without it.
UPDATE schema_fence SET least = 147 WHERE id = 1 AND least < 147;
