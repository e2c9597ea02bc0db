-- Files are encrypted in the storage, each with a key of its own, which is kept here, encrypted.
ALTER TABLE file ADD COLUMN key_enc TEXT;
-- Where a second copy lies while a file of before is being encrypted: without key_enc the encrypted one that is being
-- made, with it the one of before, which is deleted a while after sealed_at.
ALTER TABLE file ADD COLUMN spare_key TEXT;
ALTER TABLE file ADD COLUMN sealed_at BIGINT;

-- Programs of before would deliver encrypted files as they lie.
UPDATE schema_fence SET least = 115 WHERE id = 1 AND least < 115;
