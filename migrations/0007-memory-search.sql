-- What finds memories by their words. No triggers: another program may write the tables, so the index is compared
-- with them and made anew when it differs.

-- Has its own copy of the texts. `adventure` holds one term, 'adv' and the id, so that one table serves all stories.
CREATE VIRTUAL TABLE memory_words USING fts5(
  text,
  adventure,
  tokenize = 'porter unicode61 remove_diacritics 2'
);

-- A fingerprint of what each index was made from.
CREATE TABLE search_marks (
  name TEXT NOT NULL PRIMARY KEY,
  mark TEXT NOT NULL
);
