-- Why a member of staff marked an applicant invalid, in a code and in words, and the status from before; none otherwise.
ALTER TABLE applicant ADD COLUMN invalid_reason TEXT;
ALTER TABLE applicant ADD COLUMN invalid_note TEXT;
ALTER TABLE applicant ADD COLUMN invalid_from TEXT;

-- By whose hand a consent was withdrawn: `staff` or `channel`. None where it holds, or where the applicant was erased.
ALTER TABLE consent_record ADD COLUMN revoked_via TEXT;

-- Programs of before would send what waits for delivery.
UPDATE schema_fence SET least = 144 WHERE id = 1 AND least < 144;
