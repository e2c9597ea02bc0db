-- WeChat official accounts of the chat: their keys, their followers, and what is sent to them and fetched from them.
CREATE TABLE chat_wechat (
  id {{id}},
  name TEXT NOT NULL,
  app_id TEXT NOT NULL,
  -- JSON, sealed: the app secret, the token of the callback and, where messages are encrypted, the AES key.
  keys_enc TEXT NOT NULL,
  -- Whether WeChat encrypts the messages that it delivers.
  encrypted BIGINT NOT NULL,
  -- Where new conversations go.
  group_id BIGINT NOT NULL REFERENCES chat_group (id),
  -- The template message that asks a customer to write again after 48 hours: its id, the field of its text, and the text.
  template_id TEXT NOT NULL DEFAULT '',
  template_field TEXT NOT NULL DEFAULT '',
  template_text TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL,
  -- When WeChat last checked the callback's address.
  verified_at BIGINT,
  -- When a delivery of WeChat was last taken, and last refused, and why.
  received_at BIGINT,
  refused_at BIGINT,
  refusal TEXT NOT NULL DEFAULT '',
  -- The token that calls carry, until when it is valid, and until when a node is renewing it.
  access_token_enc TEXT,
  token_expires_at BIGINT NOT NULL DEFAULT 0,
  token_claimed_until BIGINT NOT NULL DEFAULT 0,
  -- Why the last token was not given; empty after one was.
  token_error TEXT NOT NULL DEFAULT '',
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX chat_wechat_app ON chat_wechat (app_id) WHERE deleted_at IS NULL;
CREATE INDEX chat_wechat_group ON chat_wechat (group_id);
CREATE INDEX chat_wechat_created ON chat_wechat (created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX chat_wechat_name ON chat_wechat (name, id) WHERE deleted_at IS NULL;

CREATE TABLE chat_wechat_follower (
  wechat_id BIGINT NOT NULL REFERENCES chat_wechat (id),
  -- Who they are to this account alone.
  openid TEXT NOT NULL,
  customer_id BIGINT NOT NULL UNIQUE REFERENCES chat_customer (id),
  subscribed BIGINT NOT NULL,
  -- When they last followed or unfollowed, by WeChat's clock.
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (wechat_id, openid)
);

-- Messages that go out by WeChat.
CREATE TABLE chat_wechat_send (
  message_id BIGINT PRIMARY KEY REFERENCES chat_message (id),
  wechat_id BIGINT NOT NULL REFERENCES chat_wechat (id),
  customer_id BIGINT NOT NULL REFERENCES chat_customer (id),
  -- Whether it is the template message.
  template BIGINT NOT NULL,
  state TEXT NOT NULL,
  -- Why it was not sent, or is not known to have been.
  reason TEXT NOT NULL DEFAULT '',
  attempts BIGINT NOT NULL DEFAULT 0,
  -- Counts up each time that a node takes it: an outcome counts for its own claim alone.
  claim BIGINT NOT NULL DEFAULT 0,
  -- Of a waiting one, when it is tried next; of one that is being sent, until when its node has it.
  due_at BIGINT NOT NULL,
  -- WeChat's number of a template message, by which its outcome is reported.
  their_id TEXT NOT NULL DEFAULT '',
  -- When it was written, and from its first try on, when it was last tried.
  at BIGINT NOT NULL
);
CREATE INDEX chat_wechat_send_due ON chat_wechat_send (state, due_at) WHERE state IN ('waiting', 'sending');
CREATE INDEX chat_wechat_send_customer ON chat_wechat_send (customer_id, at);

-- Pictures of customers that are fetched from WeChat.
CREATE TABLE chat_wechat_media (
  message_id BIGINT PRIMARY KEY REFERENCES chat_message (id),
  wechat_id BIGINT NOT NULL REFERENCES chat_wechat (id),
  media_id TEXT NOT NULL,
  attempts BIGINT NOT NULL DEFAULT 0,
  due_at BIGINT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX chat_wechat_media_due ON chat_wechat_media (due_at);
