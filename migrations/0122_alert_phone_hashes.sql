-- The keyed hashes of an organisation's alert phones, between commas, by which its list finds a whole one. Rows that are there get
-- theirs in the background (`src/phone_hashes.rs`).
ALTER TABLE organisation ADD COLUMN alert_phone_hashes TEXT;
