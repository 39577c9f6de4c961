-- Texts of prompts and vectors of passages that stories share, by the hashes of their texts: when a story is branched or copied,
-- its prompt_parts.text and passage_vectors.vector move here, and rows of both stories with the same hash are left empty.
CREATE TABLE shared_prompt_parts (
  hash TEXT NOT NULL PRIMARY KEY,
  text TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE shared_passage_vectors (
  model TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (model, text_hash)
) WITHOUT ROWID;
-- Which rows still need what is shared.
CREATE INDEX prompt_parts_by_hash ON prompt_parts (hash);
CREATE INDEX passage_vectors_by_text ON passage_vectors (text_hash);
