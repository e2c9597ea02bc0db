-- Of a visitor over IPv6: a keyed hash of the /48 that a file, or the question for a code, came from. One site gets half of what all
-- visitors get; NULL of IPv4, and of rows from before.
ALTER TABLE file ADD COLUMN site_hash TEXT;
ALTER TABLE chat_phone_code ADD COLUMN site_hash TEXT;
