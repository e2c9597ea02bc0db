-- @alone
-- Who came from an address is found by its hash.
CREATE INDEX CONCURRENTLY IF NOT EXISTS applicant_address_hash ON applicant (client_ip_hash, created_at) WHERE client_ip_hash IS NOT NULL;
