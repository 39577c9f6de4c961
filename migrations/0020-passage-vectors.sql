-- What passages mean, for recall: a vector in 8 bits a number, empty for a passage that is blank. It belongs to a text: it is
-- deleted when the passage is written, and counts only while the hash is that of the text, which other programs may change.
CREATE TABLE passage_vectors (
  id INTEGER NOT NULL PRIMARY KEY REFERENCES actions (id) ON DELETE CASCADE,
  adventure_id INTEGER NOT NULL,
  model TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  vector BLOB NOT NULL
);
CREATE INDEX passage_vectors_by_adventure ON passage_vectors (adventure_id, model);
