-- The reason that stopped the most plans in the latest round of an applicant who was not sold. Rounds from before have none.
ALTER TABLE applicant ADD COLUMN main_reason TEXT;
