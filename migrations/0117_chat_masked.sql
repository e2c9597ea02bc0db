-- Texts of the chat hold long numbers masked; the whole text stands beside it, encrypted, where the two differ.
ALTER TABLE chat_message ADD COLUMN content_enc TEXT;
ALTER TABLE chat_conversation ADD COLUMN last_text_enc TEXT;
ALTER TABLE chat_conversation ADD COLUMN close_note_enc TEXT;
ALTER TABLE chat_conversation ADD COLUMN rating_note_enc TEXT;
ALTER TABLE chat_transfer ADD COLUMN note_enc TEXT;
ALTER TABLE chat_customer ADD COLUMN remark_enc TEXT;
-- Up to which id the texts of before are masked, by table.
CREATE TABLE chat_masked (
  name TEXT PRIMARY KEY,
  upto BIGINT NOT NULL
);

-- Programs of before would send customers the masked texts.
UPDATE schema_fence SET least = 117 WHERE id = 1 AND least < 117;
