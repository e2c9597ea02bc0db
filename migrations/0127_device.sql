-- The device that an applicant came with: encrypted, and the keyed hash by which it is found again and on the
-- blacklist. NULL where none was given, and of an applicant who is erased.
ALTER TABLE applicant ADD COLUMN device_enc TEXT;
ALTER TABLE applicant ADD COLUMN device_hash TEXT;

-- The least level of a salesperson who may have clues of a pool: a code of `salesperson.level`. NULL: any.
ALTER TABLE clue_pool ADD COLUMN min_level TEXT;
