-- Which programs may work on this database: those that know the migration `least`. Only a migration that
-- takes away what older programs use raises it, in the same file.
CREATE TABLE schema_fence (
  id BIGINT PRIMARY KEY,
  least BIGINT NOT NULL,
  -- How often it was tried whether there is room on the disk again.
  probes BIGINT NOT NULL DEFAULT 0
);
INSERT INTO schema_fence (id, least) VALUES (1, 0);
