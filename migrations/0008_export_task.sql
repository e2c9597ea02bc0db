-- Exports that are made in the background. A task is the call that asked for it.
CREATE TABLE export_task (
  id {{id}},
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  -- The role that was active: the file is made with its points and scope, as they are then.
  role_id BIGINT NOT NULL REFERENCES role (id),
  -- The call's path below /api.
  resource TEXT NOT NULL,
  title_zh TEXT NOT NULL,
  title_en TEXT NOT NULL,
  format TEXT NOT NULL,
  -- The call's body: filters, order, columns.
  asked TEXT NOT NULL,
  locale TEXT NOT NULL,
  ip TEXT NOT NULL,
  request_id TEXT NOT NULL,
  status TEXT NOT NULL,
  row_count BIGINT NOT NULL DEFAULT 0,
  total_rows BIGINT,
  file_key TEXT,
  file_name TEXT,
  file_size BIGINT,
  file_sha256 TEXT,
  reason TEXT,
  -- Counts how often it was taken; each taking makes the earlier ones void.
  taking BIGINT NOT NULL DEFAULT 0,
  faults BIGINT NOT NULL DEFAULT 0,
  next_at BIGINT NOT NULL,
  lease_until BIGINT,
  download_count BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  started_at BIGINT,
  finished_at BIGINT,
  expires_at BIGINT
);
CREATE INDEX export_task_admin ON export_task (admin_id, created_at, id);
CREATE INDEX export_task_status ON export_task (status, next_at);
