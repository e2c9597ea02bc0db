-- When a code by short message proved a customer's phone number; NULL while it is only what the customer says.
ALTER TABLE chat_customer ADD COLUMN phone_verified_at BIGINT;

CREATE TABLE chat_phone_code (
  id {{id}},
  customer_id BIGINT NOT NULL REFERENCES chat_customer (id),
  phone_hash TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  -- Where it was asked for, as limits count it, hashed.
  network_hash TEXT NOT NULL,
  -- Whether a message went out.
  sent BIGINT NOT NULL,
  tries BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX chat_phone_code_customer ON chat_phone_code (customer_id, created_at);
CREATE INDEX chat_phone_code_phone ON chat_phone_code (phone_hash, created_at);
CREATE INDEX chat_phone_code_network ON chat_phone_code (network_hash, created_at);
CREATE INDEX chat_phone_code_created ON chat_phone_code (created_at);

-- The words that visitors agreed to, by the SHA-256 of the text.
CREATE TABLE chat_consent (
  version TEXT PRIMARY KEY,
  locale TEXT NOT NULL,
  text TEXT NOT NULL,
  -- When they were first agreed to.
  at BIGINT NOT NULL
);
-- Which of them a customer agreed to; NULL of customers from before, and of those who write by WeChat.
ALTER TABLE chat_customer ADD COLUMN consent_version TEXT;
