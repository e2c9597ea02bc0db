-- How many buyers were promised at most when a lead was sold: 1 is exclusive.
ALTER TABLE push_record ADD COLUMN most_buyers BIGINT;

-- A lead was refused while plans were looked for: they are looked for once more.
ALTER TABLE applicant ADD COLUMN look_again BIGINT NOT NULL DEFAULT 0;
-- Rounds that were begun since one came to its end: one that never does is given up.
ALTER TABLE applicant ADD COLUMN begun BIGINT NOT NULL DEFAULT 0;
