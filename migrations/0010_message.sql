-- Messages, notices and todos: one row each, however many people it is for. Who that is, is one
-- audience: a person, a role, an organisation, or all.
CREATE TABLE message (
  id {{id}},
  type TEXT NOT NULL,
  title_zh TEXT NOT NULL,
  title_en TEXT NOT NULL DEFAULT '',
  sub_title_zh TEXT NOT NULL DEFAULT '',
  sub_title_en TEXT NOT NULL DEFAULT '',
  content_zh TEXT NOT NULL,
  content_en TEXT NOT NULL DEFAULT '',
  avatar TEXT,
  -- A route's name and, as a JSON object of texts, its query.
  link_route TEXT,
  link_query TEXT NOT NULL DEFAULT '{}',
  state TEXT,
  biz_type TEXT NOT NULL,
  biz_id BIGINT,
  sender_id BIGINT REFERENCES administrator (id),
  scope TEXT NOT NULL,
  -- An account's, a role's or an organisation's id; 0 for all.
  scope_id BIGINT NOT NULL,
  -- Confines it to one organisation's people, whatever the audience.
  org_id BIGINT REFERENCES organisation (id),
  publish_at BIGINT NOT NULL,
  expires_at BIGINT,
  due_at BIGINT,
  done_at BIGINT,
  withdrawn_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX message_audience ON message (scope, scope_id, publish_at, id);
CREATE INDEX message_biz ON message (biz_type, biz_id);
CREATE INDEX message_published ON message (biz_type, publish_at, id);

-- What one person has done with a message. There is none before he has.
CREATE TABLE message_receipt (
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  message_id BIGINT NOT NULL REFERENCES message (id),
  read_at BIGINT,
  cleared_at BIGINT,
  PRIMARY KEY (admin_id, message_id)
);
CREATE INDEX message_receipt_message ON message_receipt (message_id);
