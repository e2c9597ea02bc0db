-- Where a sign-in came from, as its limits count: the /24 of an IPv4 address, the /64 of an IPv6 one.
-- Absent in lines that are older than this.
ALTER TABLE login_log ADD COLUMN network TEXT;
ALTER TABLE verification_code ADD COLUMN network TEXT;

-- Tries at doors that have no log of their own. `tried` is what was tried: an address, a phone's hash,
-- an account.
CREATE TABLE door_try (
  id {{id}},
  door TEXT NOT NULL,
  tried TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX door_try_tried ON door_try (door, tried, at);
CREATE INDEX door_try_at ON door_try (at);
