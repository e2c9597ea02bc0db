-- Customer chat: groups and their staff, customers, conversations and messages, automatic and quick replies, and the
-- numbered feed from which open pages and other nodes learn what happened.
CREATE TABLE chat_group (
  id {{id}},
  name TEXT NOT NULL,
  -- Part of the address of the visitors' page of the group.
  page_key TEXT NOT NULL UNIQUE,
  -- JSON: spans by weekday; NULL for always.
  working_hours TEXT,
  assign_mode TEXT NOT NULL,
  -- Minutes without a message after which a conversation is closed; 0 for never.
  idle_minutes BIGINT NOT NULL DEFAULT 0 CHECK (idle_minutes >= 0),
  sort BIGINT NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX chat_group_name ON chat_group (name) WHERE deleted_at IS NULL;
CREATE INDEX chat_group_sort ON chat_group (sort, id) WHERE deleted_at IS NULL;
CREATE INDEX chat_group_created ON chat_group (created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE chat_staff (
  id {{id}},
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  -- Shown to customers.
  nickname TEXT NOT NULL,
  -- Conversations that are assigned at the same time, at most.
  max_open BIGINT NOT NULL CHECK (max_open > 0),
  -- Whether conversations are assigned automatically.
  auto_accept BIGINT NOT NULL DEFAULT 1,
  -- As chosen; whoever was not seen for a while counts as offline.
  presence TEXT NOT NULL DEFAULT 'offline',
  last_seen_at BIGINT,
  last_assigned_at BIGINT,
  status TEXT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX chat_staff_admin ON chat_staff (admin_id) WHERE deleted_at IS NULL;
CREATE INDEX chat_staff_nickname ON chat_staff (nickname, id) WHERE deleted_at IS NULL;
CREATE INDEX chat_staff_created ON chat_staff (created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE chat_staff_group (
  staff_id BIGINT NOT NULL REFERENCES chat_staff (id),
  group_id BIGINT NOT NULL REFERENCES chat_group (id),
  PRIMARY KEY (staff_id, group_id)
);
CREATE INDEX chat_staff_group_group ON chat_staff_group (group_id, staff_id);

CREATE TABLE chat_reply (
  id {{id}},
  kind TEXT NOT NULL,
  -- NULL for all groups.
  group_id BIGINT REFERENCES chat_group (id),
  -- Of a keyword reply: the text and how it is compared.
  keyword TEXT NOT NULL DEFAULT '',
  match_mode TEXT NOT NULL DEFAULT 'contains',
  -- Of a quick reply: typed after a slash.
  shortcut TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL,
  sort BIGINT NOT NULL DEFAULT 0,
  use_count BIGINT NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX chat_reply_use ON chat_reply (kind, COALESCE(group_id, 0), keyword, shortcut) WHERE deleted_at IS NULL;
CREATE INDEX chat_reply_sort ON chat_reply (sort, id) WHERE deleted_at IS NULL;
CREATE INDEX chat_reply_used ON chat_reply (use_count, id) WHERE deleted_at IS NULL;
CREATE INDEX chat_reply_created ON chat_reply (created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE chat_customer (
  id {{id}},
  source TEXT NOT NULL,
  nickname TEXT NOT NULL,
  -- Of a visitor of a page: the hash of the key in the address of their thread.
  visit_key_hash TEXT UNIQUE,
  phone_enc TEXT,
  phone_hash TEXT,
  phone_mask TEXT NOT NULL DEFAULT '',
  remark TEXT NOT NULL DEFAULT '',
  -- JSON: texts.
  tags TEXT NOT NULL DEFAULT '[]',
  status TEXT NOT NULL,
  -- When they agreed to the processing of their data.
  consented_at BIGINT,
  last_inbound_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by BIGINT
);
CREATE INDEX chat_customer_phone ON chat_customer (phone_hash, id) WHERE phone_hash IS NOT NULL;
CREATE INDEX chat_customer_inbound ON chat_customer (last_inbound_at, id);
CREATE INDEX chat_customer_created ON chat_customer (created_at, id);
CREATE INDEX chat_customer_nickname ON chat_customer (nickname, id);
CREATE INDEX chat_customer_status ON chat_customer (status, last_inbound_at, id);

CREATE TABLE chat_conversation (
  id {{id}},
  customer_id BIGINT NOT NULL REFERENCES chat_customer (id),
  group_id BIGINT NOT NULL REFERENCES chat_group (id),
  staff_id BIGINT REFERENCES chat_staff (id),
  status TEXT NOT NULL,
  priority BIGINT NOT NULL DEFAULT 0,
  -- Messages of the customer that staff have not read, and how far each side has read.
  unread BIGINT NOT NULL DEFAULT 0,
  staff_read_id BIGINT NOT NULL DEFAULT 0,
  customer_read_id BIGINT NOT NULL DEFAULT 0,
  -- Since when the customer waits for an answer; NULL once answered.
  waiting_since BIGINT,
  first_reply_at BIGINT,
  snoozed_until BIGINT,
  last_message_at BIGINT NOT NULL,
  -- The beginning of the last message.
  last_text TEXT NOT NULL DEFAULT '',
  close_note TEXT NOT NULL DEFAULT '',
  -- NULL while open, and of what was closed for idleness.
  closed_by BIGINT REFERENCES chat_staff (id),
  closed_at BIGINT,
  rating BIGINT,
  rating_note TEXT NOT NULL DEFAULT '',
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
-- A customer has one conversation at a time.
CREATE UNIQUE INDEX chat_conversation_current ON chat_conversation (customer_id) WHERE status <> 'resolved';
CREATE INDEX chat_conversation_customer ON chat_conversation (customer_id, id);
CREATE INDEX chat_conversation_last ON chat_conversation (last_message_at, id);
CREATE INDEX chat_conversation_created ON chat_conversation (created_at, id);
CREATE INDEX chat_conversation_staff ON chat_conversation (staff_id, status, last_message_at, id);
CREATE INDEX chat_conversation_group ON chat_conversation (group_id, status, last_message_at, id);
CREATE INDEX chat_conversation_status ON chat_conversation (status, last_message_at, id);
CREATE INDEX chat_conversation_queue ON chat_conversation (group_id, priority, created_at, id) WHERE status = 'queued';
CREATE INDEX chat_conversation_waiting ON chat_conversation (waiting_since, id);
CREATE INDEX chat_conversation_snoozed ON chat_conversation (snoozed_until) WHERE status = 'snoozed';
CREATE INDEX chat_conversation_rating ON chat_conversation (rating, id);
CREATE INDEX chat_conversation_closed ON chat_conversation (closed_at, id) WHERE closed_at IS NOT NULL;

CREATE TABLE chat_message (
  id {{id}},
  conversation_id BIGINT NOT NULL REFERENCES chat_conversation (id),
  direction TEXT NOT NULL,
  kind TEXT NOT NULL,
  content TEXT NOT NULL,
  file_id BIGINT REFERENCES file (id),
  -- Who wrote it; NULL for the customer, the system and automatic replies.
  staff_id BIGINT REFERENCES chat_staff (id),
  -- The automatic or quick reply that it was made from.
  reply_id BIGINT REFERENCES chat_reply (id),
  -- The sender's own number: a message is taken once.
  client_msg_id TEXT NOT NULL,
  at BIGINT NOT NULL,
  recalled_at BIGINT
);
CREATE UNIQUE INDEX chat_message_once ON chat_message (conversation_id, direction, client_msg_id);
CREATE INDEX chat_message_thread ON chat_message (conversation_id, id);
CREATE INDEX chat_message_file ON chat_message (file_id) WHERE file_id IS NOT NULL;

CREATE TABLE chat_transfer (
  id {{id}},
  conversation_id BIGINT NOT NULL REFERENCES chat_conversation (id),
  from_group_id BIGINT NOT NULL REFERENCES chat_group (id),
  from_staff_id BIGINT REFERENCES chat_staff (id),
  to_group_id BIGINT NOT NULL REFERENCES chat_group (id),
  to_staff_id BIGINT REFERENCES chat_staff (id),
  note TEXT NOT NULL,
  by_staff_id BIGINT NOT NULL REFERENCES chat_staff (id),
  at BIGINT NOT NULL
);
CREATE INDEX chat_transfer_conversation ON chat_transfer (conversation_id, id);

-- The number of the last event: events are numbered in the order in which their transactions commit.
CREATE TABLE chat_feed (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  number BIGINT NOT NULL
);
INSERT INTO chat_feed (id, number) VALUES (1, 0);

CREATE TABLE chat_event (
  number BIGINT PRIMARY KEY,
  kind TEXT NOT NULL,
  conversation_id BIGINT NOT NULL REFERENCES chat_conversation (id),
  message_id BIGINT REFERENCES chat_message (id),
  -- Whose conversation it was when it happened: they learn of it, also when it left them.
  group_id BIGINT NOT NULL,
  staff_id BIGINT,
  at BIGINT NOT NULL
);
CREATE INDEX chat_event_conversation ON chat_event (conversation_id, number);
CREATE INDEX chat_event_at ON chat_event (at);
