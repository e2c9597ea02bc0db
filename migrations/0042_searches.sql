-- What was searched by a whole number, and what channels asked about whom, of the last minutes.

CREATE TABLE number_search (
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  -- What the trail calls the rows of the list.
  list TEXT NOT NULL,
  -- As the number is looked up.
  value_hash TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (admin_id, list, value_hash)
);

-- A question that is asked again is the same one: it has one row among the questions.
CREATE TABLE match_question (
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  -- Keyed: of whom and what was said of him.
  question_hash TEXT NOT NULL,
  -- Our number of the question, and what was answered.
  no TEXT NOT NULL,
  status TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (channel_id, question_hash)
);
CREATE INDEX match_question_at ON match_question (channel_id, at);
