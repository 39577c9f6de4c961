-- The search index knows words instead of each three characters: docs/decisions/008-search.md says why. It replaces
-- search_words and search_rows, which stay for earlier versions of this program and are emptied once this one is complete.

-- Holds no text of its own. `text` is the words of domain/search/words.ts, `owner` is one term: a12 for adventure 12, s12
-- for scenario 12.
CREATE VIRTUAL TABLE search_index USING fts5(
  text,
  owner,
  content = '',
  contentless_delete = 1,
  tokenize = 'ascii'
);

-- Its words, in order.
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab(search_index, instance);

-- What is in the index: a number for a kind and an id, and by what it is known when it has changed.
CREATE TABLE search_indexed (
  place INTEGER NOT NULL PRIMARY KEY,
  mark TEXT NOT NULL
);

-- The marks of passages tell which of them another program has changed before this migration: '<12> 880' is now 'a12 880'.
INSERT INTO search_indexed (place, mark)
  SELECT place, 'a' || replace(substr(mark, 2), '>', '') FROM search_rows WHERE place < 1 << 40;
