-- By what a database knows its keys (src/key_check.rs): `data` is the key of the look-up hashes, sealed
-- with the data key; `secret` the fingerprint of the key that signs tokens.
CREATE TABLE key_check (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
