-- A person's view of a screen of statistics: its filters, order and columns, under a name.
CREATE TABLE saved_view (
  id {{id}},
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  -- The page, `/chart/channel-list`.
  page TEXT NOT NULL,
  name TEXT NOT NULL,
  -- JSON: filters and order, by the names of the list's call.
  query TEXT NOT NULL,
  -- JSON: keys of the columns that are shown, in their order.
  columns TEXT NOT NULL,
  -- The language of its files.
  locale TEXT NOT NULL,
  is_default BIGINT NOT NULL,
  -- The role that gets its file each day, from which minute of the day on, and the last day it was sent (`YYYY-MM-DD`).
  send_role_id BIGINT REFERENCES role (id),
  send_minute BIGINT,
  sent_on TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX saved_view_name ON saved_view (admin_id, page, name);
CREATE UNIQUE INDEX saved_view_default ON saved_view (admin_id, page) WHERE is_default = 1;
CREATE INDEX saved_view_sent ON saved_view (send_minute) WHERE send_role_id IS NOT NULL;
