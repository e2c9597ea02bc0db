-- Whom we do not serve: phones, identity numbers, addresses and devices. A value is kept encrypted,
-- beside a keyed hash by which it is found and a mask by which people know it.
CREATE TABLE blacklist_entry (
  id {{id}},
  kind TEXT NOT NULL,
  value_hash TEXT NOT NULL,
  value_enc TEXT NOT NULL,
  value_mask TEXT NOT NULL,
  scope TEXT NOT NULL,
  -- The channel or the organisation; 0 where it holds for all.
  scope_id BIGINT NOT NULL DEFAULT 0,
  source TEXT NOT NULL,
  reason TEXT NOT NULL,
  expires_at BIGINT,
  status TEXT NOT NULL,
  lift_reason TEXT,
  hit_count BIGINT NOT NULL DEFAULT 0,
  last_hit_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
-- Not "= 'active'": what asks for it so is never led to the index of all active entries.
CREATE UNIQUE INDEX blacklist_entry_active ON blacklist_entry (value_hash, kind, scope, scope_id)
  WHERE status <> 'lifted' AND deleted_at IS NULL;
CREATE INDEX blacklist_entry_value ON blacklist_entry (value_hash, created_at, id);
CREATE INDEX blacklist_entry_created ON blacklist_entry (created_at, id);
CREATE INDEX blacklist_entry_hits ON blacklist_entry (hit_count, id);
CREATE INDEX blacklist_entry_last_hit ON blacklist_entry ((COALESCE(last_hit_at, 0)), id);
CREATE INDEX blacklist_entry_expires ON blacklist_entry ((COALESCE(expires_at, 9007199254740991)), id);
CREATE INDEX blacklist_entry_kind ON blacklist_entry (kind, created_at, id);
CREATE INDEX blacklist_entry_scope ON blacklist_entry (scope, created_at, id);
CREATE INDEX blacklist_entry_scope_id ON blacklist_entry (scope_id, scope);
CREATE INDEX blacklist_entry_source ON blacklist_entry (source, created_at, id);
CREATE INDEX blacklist_entry_status ON blacklist_entry (status, created_at, id);
