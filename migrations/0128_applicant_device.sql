-- @alone
-- Applicants who came with a device are found by its hash.
CREATE INDEX CONCURRENTLY IF NOT EXISTS applicant_device_hash ON applicant (device_hash, created_at) WHERE device_hash IS NOT NULL;
