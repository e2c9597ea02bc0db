-- Lists of words that operators edit: reasons, occupations, codes of what came out.
CREATE TABLE dict_type (
  id {{id}},
  code TEXT NOT NULL UNIQUE,
  name_zh TEXT NOT NULL,
  name_en TEXT NOT NULL,
  remark TEXT NOT NULL DEFAULT '',
  -- The program asks for it by its code: it is not deleted.
  builtin BIGINT NOT NULL DEFAULT 0,
  sort BIGINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE INDEX dict_type_sort ON dict_type (sort, id);

CREATE TABLE dict_item (
  id {{id}},
  type_id BIGINT NOT NULL REFERENCES dict_type (id),
  -- What records keep; labels may change, this does not.
  value TEXT NOT NULL,
  label_zh TEXT NOT NULL,
  label_en TEXT NOT NULL,
  sort BIGINT NOT NULL DEFAULT 0,
  tag_color TEXT NOT NULL DEFAULT 'gray',
  is_default BIGINT NOT NULL DEFAULT 0,
  builtin BIGINT NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'enabled',
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  UNIQUE (type_id, value)
);
CREATE INDEX dict_item_sort ON dict_item (sort, id);
CREATE INDEX dict_item_of_type ON dict_item (type_id, sort, id);
CREATE INDEX dict_item_status ON dict_item (status, sort, id);
