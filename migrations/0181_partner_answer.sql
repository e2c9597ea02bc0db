-- From where a statement was answered by its link: the masked address, and what the browser said of itself. The trail has the whole
-- address.
ALTER TABLE partner_statement ADD COLUMN answer_ip TEXT;
ALTER TABLE partner_statement ADD COLUMN answer_user_agent TEXT;
-- Who approved that it was confirmed by other means than the link, and JSON: the files that prove it.
ALTER TABLE partner_statement ADD COLUMN confirmed_by BIGINT;
ALTER TABLE partner_statement ADD COLUMN proof_files TEXT NOT NULL DEFAULT '[]';
