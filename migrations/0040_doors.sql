-- Where a sign-in came from, as its limits count: the /24 of an IPv4 address, the /64 of an IPv6 one.
-- Absent in lines that are older than this.
ALTER TABLE login_log ADD COLUMN network TEXT;
CREATE INDEX login_log_network ON login_log (network, at);
ALTER TABLE verification_code ADD COLUMN network TEXT;
CREATE INDEX verification_code_network ON verification_code (network, created_at);

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
