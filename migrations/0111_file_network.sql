-- Of a file that a visitor has sent: a keyed hash of the network that it came from, of which only so much is taken in a day.
ALTER TABLE file ADD COLUMN network_hash TEXT;
