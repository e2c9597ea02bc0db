-- The device that an applicant came with: encrypted, and the keyed hash by which it is found again and on the
-- blacklist. NULL where none was given, and of an applicant who is erased.
ALTER TABLE applicant ADD COLUMN device_enc TEXT;
ALTER TABLE applicant ADD COLUMN device_hash TEXT;
