-- What finds every text of the library by what it says. No triggers: another program may write the tables, so the index
-- is compared with them when the library opens, and what differs is read again.

-- Holds no text of its own, only where each three characters stand; docs/decisions/008-search.md says why. `text` is
-- folded by domain/search/fold.ts, `owner` is one term: <12> for adventure 12, {12} for scenario 12.
CREATE VIRTUAL TABLE search_words USING fts5(
  text,
  owner,
  content = '',
  contentless_delete = 1,
  tokenize = 'trigram case_sensitive 1'
);

-- What is in the index: a number for a kind and an id, and by what it is known when it has changed.
CREATE TABLE search_rows (
  place INTEGER NOT NULL PRIMARY KEY,
  mark TEXT NOT NULL
);
