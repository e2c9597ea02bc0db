-- The second factor of an account: an authenticator's secret, codes for the day it is lost, and the
-- sign-ins that gave the password and owe a code.
CREATE TABLE second_factor (
  admin_id BIGINT PRIMARY KEY REFERENCES administrator (id),
  secret_enc TEXT NOT NULL,
  -- When its first code was right; until then it is asked for nowhere.
  confirmed_at BIGINT,
  -- The step of the latest code that was taken: neither it nor an earlier one is taken again.
  last_step BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL
);

CREATE TABLE recovery_code (
  id {{id}},
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  code_hash TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX recovery_code_admin ON recovery_code (admin_id);

CREATE TABLE sign_in_ticket (
  id {{id}},
  ticket_hash TEXT NOT NULL UNIQUE,
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  role_id BIGINT NOT NULL REFERENCES role (id),
  -- The line of the log that the right password left.
  attempt_id BIGINT NOT NULL,
  network TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  tries BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX sign_in_ticket_expires ON sign_in_ticket (expires_at);
CREATE INDEX sign_in_ticket_admin ON sign_in_ticket (admin_id);
