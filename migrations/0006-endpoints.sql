-- What was learnt of a model at an endpoint: its real window and who says so, and how its tokens compare to our estimate.
CREATE TABLE endpoint_facts (
  url TEXT NOT NULL,
  model TEXT NOT NULL,
  window INTEGER,
  window_from TEXT NOT NULL DEFAULT '',
  factor REAL NOT NULL DEFAULT 1,
  samples INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (url, model)
) WITHOUT ROWID;
