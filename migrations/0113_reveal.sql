-- Records whose whole numbers an account was shown on a day: each counts once a day, whatever list it is of.
CREATE TABLE reveal (
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  -- YYYY-MM-DD, on Shanghai's clock.
  day TEXT NOT NULL,
  -- The record, as the trail has it.
  target_type TEXT NOT NULL,
  target_id BIGINT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (admin_id, day, target_type, target_id)
);
CREATE INDEX reveal_at ON reveal (at);

-- Accounts that reached a limit of reveals on a day: that is reported once.
CREATE TABLE reveal_limit (
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  day TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (admin_id, day)
);
