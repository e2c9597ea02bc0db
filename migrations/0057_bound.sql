-- What is sealed is bound to where it stands, and says so in front. A database that programs of before
-- have written holds values that open wherever they are put: `unbound` lets them be read until they are
-- sealed anew (`leadlane keys rotate`), and a new database never has it.
INSERT INTO key_check (name, value, created_at, updated_at)
  SELECT 'unbound', 'values of before open wherever they stand', 0, 0
  WHERE EXISTS (SELECT 1 FROM key_check) OR EXISTS (SELECT 1 FROM administrator)
  ON CONFLICT (name) DO NOTHING;

-- Programs of before cannot read what is sealed from now on.
UPDATE schema_fence SET least = 57 WHERE id = 1 AND least < 57;
