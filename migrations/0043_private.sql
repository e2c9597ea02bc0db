-- What of people's data is no longer kept in clear, and how far who asks for a file sees.

-- Where an applicant came from: encrypted, and the keyed hash by which it is found again. `client_ip` is
-- empty then; a node of before goes on writing it, and a step in the background empties it.
ALTER TABLE applicant ADD COLUMN client_ip_enc TEXT;
ALTER TABLE applicant ADD COLUMN client_ip_hash TEXT;

-- Whose rows the file holds; none of those from before.
ALTER TABLE export_task ADD COLUMN scope TEXT;
