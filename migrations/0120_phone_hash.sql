-- The keyed hash by which a list finds a whole phone. Rows that are there get theirs in the background (`src/phone_hashes.rs`).
ALTER TABLE sub_organisation ADD COLUMN phone_hash TEXT;
ALTER TABLE invoice ADD COLUMN receiver_phone_hash TEXT;
