-- What staff decide about the menu, apart from what the route table says: a node that they have
-- switched off stays so when the table is brought in again, and links that they have made stay.
ALTER TABLE menu_node ADD COLUMN switched_off BIGINT NOT NULL DEFAULT 0;
ALTER TABLE menu_node ADD COLUMN custom BIGINT NOT NULL DEFAULT 0;
-- In every role's menu without being granted.
ALTER TABLE menu_node ADD COLUMN everyone BIGINT NOT NULL DEFAULT 0;
ALTER TABLE menu_node ADD COLUMN version BIGINT NOT NULL DEFAULT 1;

-- What the list of roles is sorted and filtered by.
CREATE INDEX role_created ON role (created_at, id);
CREATE INDEX role_updated ON role (updated_at, id);
CREATE INDEX role_sort ON role (sort, id);
CREATE INDEX role_name ON role (name, id);
CREATE INDEX role_status ON role (status, created_at, id);
CREATE INDEX role_data_scope ON role (data_scope, created_at, id);

-- What the list of open sessions is sorted by; ended ones are in none of these.
CREATE INDEX admin_session_seen ON admin_session (last_seen_at, id) WHERE revoked_at IS NULL;
CREATE INDEX admin_session_created ON admin_session (created_at, id) WHERE revoked_at IS NULL;
CREATE INDEX admin_session_role ON admin_session (role_id) WHERE revoked_at IS NULL;

-- Points are named after their route's path.
UPDATE menu_node SET name = 'admin/login-log/list', path = 'admin/login-log/list' WHERE name = 'admin/loginLog/list';
UPDATE menu_node SET name = 'admin/login-log/export', path = 'admin/login-log/export' WHERE name = 'admin/loginLog/export';
