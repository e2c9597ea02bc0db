-- The role whose people have a view of a list as well as its owner.
ALTER TABLE saved_view ADD COLUMN share_role_id BIGINT REFERENCES role (id);
