-- Accounts, roles, the menu tree, sessions and the trails they leave.
-- {{id}} stands for the engine's generated primary key (src/db/migrate.rs).

CREATE TABLE organisation (
  id {{id}},
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  short_name TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  owner_admin_id BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE INDEX organisation_name ON organisation (name, id);

CREATE TABLE sub_organisation (
  id {{id}},
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  name TEXT NOT NULL,
  city TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'enabled',
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT,
  UNIQUE (org_id, name)
);

CREATE TABLE role (
  id {{id}},
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  name_en TEXT NOT NULL,
  data_scope TEXT NOT NULL,
  default_route TEXT,
  sort BIGINT NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'enabled',
  builtin BIGINT NOT NULL DEFAULT 0,
  -- Counts every change of the role, its points and its menu: caches of a role are keyed by it.
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);

CREATE TABLE menu_node (
  id {{id}},
  parent_id BIGINT REFERENCES menu_node (id),
  type TEXT NOT NULL,
  -- A menu's route name; for a permission point the same as its path.
  name TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL,
  title_zh TEXT NOT NULL,
  title_en TEXT NOT NULL,
  icon TEXT,
  sort BIGINT NOT NULL DEFAULT 0,
  external_url TEXT,
  hide_in_menu BIGINT NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'enabled',
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE role_menu (
  role_id BIGINT NOT NULL REFERENCES role (id),
  menu_id BIGINT NOT NULL REFERENCES menu_node (id),
  PRIMARY KEY (role_id, menu_id)
);
CREATE INDEX role_menu_menu ON role_menu (menu_id);

CREATE TABLE administrator (
  id {{id}},
  -- Lower case: user names differ in more than case.
  username TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  real_name TEXT NOT NULL,
  phone_enc TEXT,
  phone_hash TEXT,
  phone_mask TEXT,
  email TEXT,
  avatar TEXT,
  org_id BIGINT REFERENCES organisation (id),
  sub_org_id BIGINT REFERENCES sub_organisation (id),
  status TEXT NOT NULL,
  builtin BIGINT NOT NULL DEFAULT 0,
  must_change_pwd BIGINT NOT NULL DEFAULT 0,
  pwd_changed_at BIGINT NOT NULL,
  locked_until BIGINT,
  last_login_at BIGINT,
  last_login_ip TEXT,
  active_role_id BIGINT REFERENCES role (id),
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX administrator_phone ON administrator (phone_hash) WHERE deleted_at IS NULL AND phone_hash IS NOT NULL;
CREATE INDEX administrator_created ON administrator (created_at, id);
CREATE INDEX administrator_real_name ON administrator (real_name, id);
CREATE INDEX administrator_last_login ON administrator (last_login_at, id);
CREATE INDEX administrator_status ON administrator (status, created_at, id);
CREATE INDEX administrator_org ON administrator (org_id, created_at, id);

CREATE TABLE admin_role (
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  role_id BIGINT NOT NULL REFERENCES role (id),
  PRIMARY KEY (admin_id, role_id)
);
CREATE INDEX admin_role_role ON admin_role (role_id);

CREATE TABLE admin_session (
  id {{id}},
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  role_id BIGINT NOT NULL REFERENCES role (id),
  ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  revoked_at BIGINT
);
CREATE INDEX admin_session_admin ON admin_session (admin_id, revoked_at);

CREATE TABLE login_log (
  id {{id}},
  admin_id BIGINT,
  username TEXT NOT NULL,
  ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  result TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX login_log_username ON login_log (username, at);
CREATE INDEX login_log_ip ON login_log (ip, at);
CREATE INDEX login_log_at ON login_log (at);

CREATE TABLE verification_code (
  id {{id}},
  phone_hash TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  ip TEXT NOT NULL,
  tries BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX verification_code_phone ON verification_code (phone_hash, created_at);
CREATE INDEX verification_code_ip ON verification_code (ip, created_at);

-- Everything that leaves the house waits here, written in the transaction that decided it.
CREATE TABLE outbox (
  id {{id}},
  kind TEXT NOT NULL,
  idem_key TEXT NOT NULL UNIQUE,
  payload_enc TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'waiting',
  attempts BIGINT NOT NULL DEFAULT 0,
  next_at BIGINT NOT NULL,
  last_error TEXT,
  created_at BIGINT NOT NULL,
  sent_at BIGINT
);
CREATE INDEX outbox_due ON outbox (status, next_at);

-- The audit trail: appended to, never changed.
CREATE TABLE operation_log (
  id {{id}},
  admin_id BIGINT,
  role_id BIGINT,
  module TEXT NOT NULL,
  action TEXT NOT NULL,
  target_type TEXT NOT NULL,
  target_id BIGINT,
  diff TEXT NOT NULL,
  request_id TEXT NOT NULL,
  ip TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX operation_log_target ON operation_log (target_type, target_id, id);
CREATE INDEX operation_log_at ON operation_log (at, id);

CREATE TABLE idempotency_key (
  admin_id BIGINT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  response TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (admin_id, key)
);
CREATE INDEX idempotency_key_created ON idempotency_key (created_at);
