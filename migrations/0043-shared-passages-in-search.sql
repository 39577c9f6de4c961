-- Passages that branches share with the story they grew from, word for word: they are found by its entry in the search index,
-- and have none. `place` and `mark` as in search_indexed, which does not have them; `entry` is the place of that entry.
CREATE TABLE search_shared (
  place INTEGER NOT NULL PRIMARY KEY,
  mark TEXT NOT NULL,
  entry INTEGER NOT NULL
);
CREATE INDEX search_shared_by_entry ON search_shared (entry, mark);
