-- What people were warned of, so that they are told once.

-- The subject's people were told that this window is nearly full.
ALTER TABLE cap_counter ADD COLUMN warned_at BIGINT;
-- The last day of the licence whose nearing end was told.
ALTER TABLE organisation ADD COLUMN licence_warned_for TEXT;
