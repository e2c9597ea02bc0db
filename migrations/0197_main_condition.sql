-- The applicant's field whose conditions stopped the most plans in the latest round, if conditions were its main reason.
ALTER TABLE applicant ADD COLUMN main_condition TEXT;
