-- Cities and provinces are codes of GB/T 2260 from now on (`js/places.json`). Names of before become codes in the background
-- (`src/places/worker.rs`): up to which id, by column; and how many texts were left when they were last told of.
CREATE TABLE place_read (
  name TEXT PRIMARY KEY,
  upto BIGINT NOT NULL
);

-- Programs of before would compare codes with names.
UPDATE schema_fence SET least = 130 WHERE id = 1 AND least < 130;
