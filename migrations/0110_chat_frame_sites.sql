-- The sites that may show the visitors' page of a group in a frame. JSON: origins. None: the page's own site alone.
ALTER TABLE chat_group ADD COLUMN frame_sites TEXT NOT NULL DEFAULT '[]';
