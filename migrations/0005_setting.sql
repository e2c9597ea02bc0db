-- What operators have set (src/setting); the defaults are in the program.
CREATE TABLE general_setting (
  id {{id}},
  key TEXT NOT NULL UNIQUE,
  -- JSON, for a secret its encrypted text; null when the default was restored.
  value TEXT,
  version BIGINT NOT NULL DEFAULT 1,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);

-- Passwords an account had before its present one: hashes, to be compared with a new one.
CREATE TABLE password_history (
  id {{id}},
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  password_hash TEXT NOT NULL,
  replaced_at BIGINT NOT NULL
);
CREATE INDEX password_history_admin ON password_history (admin_id, id);
