-- What the memory bank and the summary need.

-- The model whose vector a memory carries; vectors of different models are never compared.
ALTER TABLE memories ADD COLUMN embedding_model TEXT;
-- A mark of the passages that a memory was made from; NULL for those that a player wrote.
ALTER TABLE memories ADD COLUMN source_hash TEXT;
-- 1 when a passage that it covers has changed since: it is recalled no more, and made anew.
ALTER TABLE memories ADD COLUMN stale INTEGER NOT NULL DEFAULT 0;

-- Versions of a story's summary, each with the index of the last action that it covers. Those of the player stay.
CREATE TABLE summaries (
  id INTEGER NOT NULL PRIMARY KEY,
  adventure_id INTEGER NOT NULL REFERENCES adventures (id) ON DELETE CASCADE,
  covers INTEGER NOT NULL,
  text TEXT NOT NULL,
  made_by TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX summaries_by_adventure ON summaries (adventure_id, covers);

-- What goes wrong while a story is remembered: how often in a row, and for how many turns it rests.
CREATE TABLE remember_troubles (
  adventure_id INTEGER NOT NULL PRIMARY KEY REFERENCES adventures (id) ON DELETE CASCADE,
  failures INTEGER NOT NULL,
  rests INTEGER NOT NULL,
  detail TEXT NOT NULL
);
