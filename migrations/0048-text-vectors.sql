-- The vectors of all texts that recall compares: passages, and memories without passages of their own, by their rowids in the
-- search index. A vector belongs to a text: it is deleted when the text is written, and counts only while the hash is that of
-- the text, which other programs may change. Vectors of memories are converted by the program that applies this.
CREATE TABLE text_vectors (
  id INTEGER NOT NULL PRIMARY KEY,
  adventure_id INTEGER NOT NULL REFERENCES adventures (id) ON DELETE CASCADE,
  model TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  vector BLOB NOT NULL
);
CREATE INDEX text_vectors_by_adventure ON text_vectors (adventure_id, model);
INSERT INTO text_vectors (id, adventure_id, model, text_hash, vector)
  SELECT id, adventure_id, model, text_hash, vector FROM passage_vectors
   WHERE adventure_id IN (SELECT id FROM adventures);
DELETE FROM passage_vectors WHERE id IN (SELECT id FROM text_vectors);

-- The index that search_index replaced for memories.
DELETE FROM memory_words;
DELETE FROM search_marks WHERE name = 'memories';

-- Which memory covers a passage, and which covers none.
CREATE INDEX memories_by_source_end ON memories (adventure_id, source_end, forgotten, stale);
CREATE INDEX memories_by_pinned ON memories (adventure_id, pinned);
