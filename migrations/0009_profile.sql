-- What people say of themselves in the user centre. Their portrait is a file (`avatar`, its address).
ALTER TABLE administrator ADD COLUMN job TEXT;
ALTER TABLE administrator ADD COLUMN location TEXT;
ALTER TABLE administrator ADD COLUMN website TEXT;
ALTER TABLE administrator ADD COLUMN introduction TEXT;
